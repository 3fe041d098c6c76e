/* SPDX-License-Identifier: MIT */
/* Internal: an accepted request and the memory of its search, from submission to delivery. */
#ifndef WEND_SRC_SERVICE_ENTRY_H
#define WEND_SRC_SERVICE_ENTRY_H

#include "search/engines.h"
#include "service/store/path_arena.h"
#include <wend/explain.h>
#include <wend/service.h>

enum {
    WEND__ARRIVED,     ///< in `arrivals`, not taken in
    WEND__WAITING,     ///< in `lines`; with a slot also in `parked`
    WEND__SCHEDULED,   ///< in a lane's list, in this round
    WEND__BARRED,      ///< evicted too often: waits until it is the oldest
    WEND__JOINED,      ///< a member of a group; its leader is searched
    WEND__AWAITS_LAND, ///< in `land_waits`, until its map changes
    WEND__FINISHED     ///< in `finished` or `left_over`
};

/// Steps of a path in the shared field that were not counted: fewer than the longest path has.
#define WEND__UNCOUNTED UINT64_MAX

/// An accepted request, from submission to delivery.
typedef struct wend__entry {
    wend__request request; ///< its urgency and goal are those in force; more_goals is set by wend__goal_store_ready()
    uint64_t number;
    uint64_t submitted_frame, due_frame, delivered_frame;
    wend__version *version; ///< pinned while the request has a slot for an unfinished search; else NULL
    uint64_t spent;         ///< expansions, over all restarts
    uint64_t looked;        ///< expansions for checking land, which do not count towards its limit
    uint64_t wanted_frame;  ///< while it awaits land: when its chunks were wanted last
    uint64_t wait_frames;
    uint64_t steps;          ///< steps of the waiting path as handed over; WEND__UNCOUNTED: all of its steps
    int64_t cost;            ///< −1: no path
    uint64_t epoch;          ///< epoch of the last search or verdict; valid if `dated`
    uint64_t revision;       ///< revision of the last searched version
    uint64_t dated_revision; ///< revision of the version with that `epoch`, until hand-over
    uint64_t asked; ///< revision of the version on which the intake found that a search is needed; WEND_NO_LIMIT: none
    uint64_t below; ///< awaits land: only a way that costs less matters; a far layer: the frame that ends it
    uint64_t checked; ///< epoch checked at hand-over
    wend_status status;
    int32_t bound_milli, engine;
    bool exact;
    uint32_t restarts;                ///< number of restarts, for any reason
    uint32_t evictions;               ///< number of evictions
    uint32_t outdated;                ///< number of restarts because the map had changed, or units stood in the way
    uint32_t generation;              ///< generation of its ticket
    uint32_t waiter;                  ///< its record in the backlog, named by its ticket
    uint32_t previous, next;          ///< neighbours in arrivals, ages or the waits for land
    uint32_t slot;                    ///< WEND__NONE: no search in flight
    uint32_t goals_first, goals_last; ///< ends of its chain in the store; WEND__NONE: none
    wend__path path;                  ///< its path in the arena
    uint32_t buffered; ///< until the round is settled: position of its path in `buffers`; WEND__NONE: nowhere
    uint32_t wants_pages, wants_open; ///< pages that its search lacks
    uint32_t crossings;               ///< number of crossings of a far request, behind the delivered cells
    uint8_t state;                    ///< WEND__ARRIVED …
    uint8_t general;                  ///< WEND_GENERAL_…: reason for the general search that answered
    bool answered_wait;               ///< wait_frames is final
    bool dated;                       ///< `epoch` is valid: the request was searched or judged
    bool searched;                    ///< not answered at once, so that the answer may be outdated
    bool begun;                       ///< the slot's search is this request's
    bool starved;
    bool again;         ///< the next begin is a restart
    bool returned : 1;  ///< the request is in the heap of `ages`, not in the chain
    bool postponed : 1; ///< the request went behind its peers
    bool shared : 1;    ///< others got their answers from the same search
    bool in_field : 1;  ///< its waiting path is in the shared field
    bool unknown : 1;   ///< land that is not loaded may hold a path that the search did not find
    bool left_over : 1; ///< finished, and in `left_over`, not in `finished`
} wend__entry;

/// Room for a search in flight.
typedef struct wend__slot {
    uint32_t entry; ///< WEND__NONE: free
    uint32_t next_free;
    bool ready; ///< the search is initialised, which its first lane does
    bool used;  ///< some search has used the slot since it was taken
    union {
        wend__search search;
        wend__search_memory memory; /* memory of any engine */
    };
} wend__slot;

#endif
