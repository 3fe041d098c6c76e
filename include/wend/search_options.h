/* SPDX-License-Identifier: MIT */
/* Growing: options may be added, or go with an engine. See docs/stability.md. */
/* How a request is searched: engine, heuristic, units, further goals, land that is not loaded. */
#ifndef WEND_SEARCH_OPTIONS_H
#define WEND_SEARCH_OPTIONS_H

#include <wend/request.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Search engines; the completion names the engine of the answer. Jump search needs an accelerated map
/// (wend_map_accelerate()): a flat grid, 8 neighbours, no corners cut.
/// - It answers plain requests, and with units, slow ground, links, closed steps, reach, several goals, nearest. With 4
///   neighbours it answers requests that see no units, on even ground without links and closed steps.
/// - It needs the exact heuristic, and takes any weight as 1: its path is a cheapest one, in less time than a weight
///   saves.
enum {
    WEND_ENGINE_AUTO = 0,  ///< jump search where it can answer, but for terrain of small, close obstacles, where A* is
                           ///< faster; with landmarks on less of such terrain (see acceleration.h)
    WEND_ENGINE_ASTAR = 1, ///< A*, which answers every request
    WEND_ENGINE_JUMP = 2   ///< jump search wherever it can answer, else A*
};

/// Heuristics: estimates of the remaining cost. All are admissible, except manhattan with 8 neighbours.
enum {
    WEND_HEURISTIC_EXACT = 0,     ///< cost on open terrain without obstacles: octile, or Manhattan with 4 neighbours
    WEND_HEURISTIC_MANHATTAN = 1, ///< S × (dx + dy): not admissible with 8 neighbours, so the result is not exact then
    WEND_HEURISTIC_EUCLID = 2,    ///< min(S, D/√2) × distance, rounded down
    WEND_HEURISTIC_ZERO = 3       ///< none: Dijkstra (1959)
};

/// Largest weight, in thousandths: 100 times.
#define WEND_WEIGHT_MAX_MILLI 100000

/// Treatment of occupied cells. A number from 1 to WEND_MAX_COST is the extra cost of each that the path enters.
enum {
    WEND_OCCUPIED_IGNORE = 0, ///< they count as others
    WEND_OCCUPIED_BLOCK = -1  ///< they are blocked
};

/// Value of wend_search_options.occupied_within: units count wherever they stand.
#define WEND_EVERYWHERE (-1)

/// Value of wend_search_options.profile: no cost by place counts.
#define WEND_PROFILE_NONE 0

/// Most goals of a request.
#define WEND_MAX_GOALS 64

/// Treatment of a path that is no longer valid on the map at delivery.
enum {
    WEND_ON_STALE_RESTART = 0, ///< search again, a limited number of times
    WEND_ON_STALE_DELIVER = 1  ///< deliver the part that can still be walked, as `stale`
};

/// Treatment of land that is not loaded (wend_map_def.streamed). With WAIT, in a service:
/// - where other land might bring a path, or a cheaper one, the request waits, without a lane or a search. A publish
///   that changes the map makes it go on. So it ends as `found` or `no_path` when no land can matter any more, by its
///   deadline or by a call.
/// - an answer under BLOCK waits exactly if wend_service_get_wanted() would list chunks for it, and a path if a way
///   through some of those may cost less.
/// - with a `queue` above 65,536 up to 4,096 requests wait; more are answered as under BLOCK.
///
/// With KNOWN:
/// - a way may also lead to a goal in such a chunk. Its cells end at the last loaded one, crossings lead on, and
///   completion.first_unloaded tells which chunk to load next; wend_service_get_wanted() lists it. The answer is not
///   exact.
/// - where the layer has no way, with several goals and in mode NEAREST, it is as BLOCK; so it is where the mover has
///   no layer, by wend_acceleration.far, or without a service a stale one: wend_request_explain() names the call
///   that is missing.
/// - in a service a refusal waits while the layer is stale, and each frame makes two of its parts again; after 512
///   frames it is as BLOCK.
/// - the layer has a chunk as it was when it was unloaded: its gates to chunks next to it stay where they are until it
///   is loaded.
enum {
    WEND_UNLOADED_BLOCK = 0, ///< it is closed
    WEND_UNLOADED_WAIT = 1,  ///< the request waits where land might matter; BLOCK without a service
    WEND_UNLOADED_KNOWN = 2  ///< a way may lead through chunks that were unloaded as WEND_LAND_KNOWN, as the map's far
                             ///< layer remembers them
};

/// Settings of a request that few hosts change.
struct wend_search_options {
    uint32_t struct_bytes;
    int32_t engine;       ///< WEND_ENGINE_…
    int32_t heuristic;    ///< WEND_HEURISTIC_…
    int32_t weight_milli; ///< 1000 (exact) to WEND_WEIGHT_MAX_MILLI: cost ≤ weight × optimum. A greater weight takes
                          ///< fewer expansions as a rule; each node is expanded once at most. The legs of a far route
                          ///< are cheapest paths whatever the weight
    int32_t on_stale;     ///< WEND_ON_STALE_…; ignored without a service
    int32_t occupied; ///< WEND_OCCUPIED_…, or the extra cost of entering an occupied cell. The time grows with the
                      ///< units near the path
    int32_t occupied_within; ///< cells: units farther from the start than this, by the largest of |dx|, |dy|, |dz|, are
                             ///< ignored, on the goal too; 0 to WEND_MAX_REACH. WEND_EVERYWHERE: no limit; graphs: this
    int32_t unloaded;        ///< WEND_UNLOADED_…; ignored on maps that are not streamed, and WAIT without a service
    uint32_t more_goal_count; ///< further goals, up to WEND_MAX_GOALS − 1: the goal of lowest path cost wins. A few
                              ///< are cheap; the estimate looks at each of them
    const wend_cell *more_goals; ///< copied with the request
    uint64_t max_expansions;     ///< ends as `limit` after this many expansions without an answer; WEND_NO_LIMIT: none
    int32_t profile;             ///< of wend_map_add_profile(): which costs by place count; WEND_PROFILE_NONE (0): none
    /// A unit may leave a blocked start (a building was placed on it): the terrain of the start cell is ignored.
    bool leave_blocked_start;
    /// With WEND_MODE_FAR: work out the beginning of the route alone, 40 crossings at least, a part of the work. Those
    /// behind are rough and lie farther apart: before it comes there, a unit sends another far request.
    bool far_begin;
};

/// Set the defaults: automatic engine, exact heuristic, weight 1000, units ignored, one goal, no limits.
/// @param bytes   sizeof *options
/// Threads: any. Cost: O(1).
WEND_API void wend_search_options_init(wend_search_options *options, size_t bytes);

/// Most far_nodes of a search or a service's tuning.
#define WEND_MAX_FAR_NODES (1u << 20)

#ifdef __cplusplus
}
#endif
#endif
