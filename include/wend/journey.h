/* SPDX-License-Identifier: MIT */
/* Growing: fields may be added. See docs/stability.md. */
/* Journeys: what a host keeps of a far route (WEND_MODE_FAR) and requests leg by leg, while a unit walks.
 *
 * The completion of a far request has the first leg and the crossings behind it. A journey holds a copy of the
 * crossings. wend_journey_next() fills in the request for the next leg, from where the unit stands: an ordinary exact
 * request, up to three crossings ahead. It has one goal, weight 1, and no `manhattan`: else the rest could cost more
 * than was said. wend_journey_walk() gives how much of a leg to walk before requesting the next, so that the unit never
 * turns at a crossing only because a leg ends there.
 *
 * A unit that walks so arrives, and pays no more than the completion's cost, as long as the map stays as it is. Where
 * an edit has closed a crossing, the next leg ends as goal_blocked or no_path: send another far request then.
 *
 * A journey is plain data; the far request that it points to lives as long. (A route of crowd.h is something else:
 * corners that agents pass.) */
#ifndef WEND_JOURNEY_H
#define WEND_JOURNEY_H

#include <wend/search_options.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_journey {
    uint32_t struct_bytes;
    bool last;                   ///< true: the latest leg leads to the goal
    const wend_request *request; ///< the far request
    wend_cell *crossings;        ///< the host's memory
    size_t count, next;          ///< crossings, and the first that is not passed
    int64_t cost;                ///< of the whole way, at most
} wend_journey;

/// Begin a journey with the completion of a far request, in its callback or later.
/// @param request     the far request, which the journey uses from now on, with its options; its further goals do not
///                    count any more
/// @param completion  with status found
/// @param crossings   the host's memory, which the journey uses from now on; may be NULL where there are none
/// @param capacity    of crossings: completion->crossing_count at least
/// @param out         receives the journey
/// @return WEND_OK, WEND_BAD_ARGUMENT (another status, too little room)
/// Threads: any. Cost: O(crossings).
WEND_API wend_error wend_journey_begin(const wend_request *request, const wend_completion *completion,
                                       wend_cell *crossings, size_t capacity, wend_journey *out);

/// Returns how many cells of a leg to walk, the first one included, before asking for the next leg: up to the second
/// border between chunks, or all of the last leg.
/// Threads: any. Cost: O(cells).
WEND_API size_t wend_journey_walk(const wend_journey *journey, const wend_cell *cells, size_t count);

/// Fill in the request for the next leg.
/// @param at        where the unit stands, on its way or off it
/// @param out       receives the request; its `options` are at `options`
/// @param options   receives its options
/// @return WEND_OK, WEND_EMPTY (the unit stands at the goal)
/// Threads: any, one at a time. Cost: O(crossings passed).
WEND_API wend_error wend_journey_next(wend_journey *journey, wend_cell at, wend_request *out,
                                      wend_search_options *options);

#ifdef __cplusplus
}
#endif
#endif
