/* SPDX-License-Identifier: MIT */
/* Internal: what the full engine steers by: its goals, and a lower bound of the way from any cell to the nearest of them,
 * links counted. */
#ifndef WEND_SRC_SEARCH_GENERAL_HEURISTIC_H
#define WEND_SRC_SEARCH_GENERAL_HEURISTIC_H

#include "map/kinds/graph.h"
#include "map/links/links.h"
#include "map/query/nearest.h"
#include "map/store/map_layout.h"
#include <wend/search.h>

/// A group of links that may shorten ways: how far it is at least from any of their entrances to a goal.
typedef struct wend__shortcut {
    wend_box entrances;
    uint64_t bound;
} wend__shortcut;

typedef struct wend__heuristic {
    const wend__graph *graph;           ///< of a graph with coordinates, which distances are measured by; else NULL
    bool blind;                         ///< nothing is known: the estimate is 0
    int32_t kind;                       ///< WEND_HEURISTIC_…
    const wend_map_rules *rules;        ///< the version's
    uint32_t straight, diagonal, space; ///< costs of steps
    bool quick;                         ///< one goal and nothing to look up: wend__heuristic_quick() says it all
    uint32_t quick_second, quick_third; ///< what the second longest and the shortest side add to `straight` a cell
    uint64_t euclid;                    ///< six times the square of the least cost for each unit of distance
    int32_t reach;
    uint32_t goal_count, shortcut_count;
    bool substitute; ///< the goal is the nearest cell to `wanted` that can be reached, found without a search
    wend_cell wanted;
    wend_cell goals[WEND_MAX_GOALS];  ///< cells
    wend_cell points[WEND_MAX_GOALS]; ///< the same; of a graph with coordinates, those
    wend__shortcut shortcuts[WEND__LINK_GROUPS];
} wend__heuristic;

/// Take heuristic. Cost: O(1), for any number of links and goals.
void wend__heuristic_set(wend__heuristic *heuristic, const wend__version *version, const wend_request *request);

/// Aim at a cell instead of the request's goal; nearness stays that to the goal.
void wend__heuristic_substitute(wend__heuristic *heuristic, const wend__version *version, const wend_request *request,
                                wend_cell cell);

/// Never more than the cheapest way to any goal costs (but for `manhattan` with diagonals). A step changes it by no more
/// than the step's cost, a link lowers it by no more than the link's; on graphs and with `euclid`, which round, by 1 more.
uint64_t wend__heuristic_estimate(const wend__heuristic *heuristic, wend_cell cell);

/// The same, at once where it is simple.
WEND__INLINE uint64_t wend__heuristic_quick(const wend__heuristic *heuristic, wend_cell cell) {
    if (WEND__UNLIKELY(!heuristic->quick)) return wend__heuristic_estimate(heuristic, cell);
    const wend_cell goal = heuristic->goals[0];
    const int32_t reach = heuristic->reach;
    int32_t x = cell.x < goal.x ? goal.x - cell.x : cell.x - goal.x;
    int32_t y = cell.y < goal.y ? goal.y - cell.y : cell.y - goal.y;
    int32_t z = cell.z < goal.z ? goal.z - cell.z : cell.z - goal.z;
    x = x > reach ? x - reach : 0, y = y > reach ? y - reach : 0, z = z > reach ? z - reach : 0;
    const int32_t more = x > y ? x : y, less = x > y ? y : x;
    const int32_t most = more > z ? more : z, least = less < z ? less : z;
    return (uint64_t)heuristic->straight * (uint32_t)most +
           (uint64_t)heuristic->quick_second * (uint32_t)(x + y + z - most - least) +
           (uint64_t)heuristic->quick_third * (uint32_t)least;
}

/// Does a cell end the search?
bool wend__heuristic_is_goal(const wend__heuristic *heuristic, wend_cell cell);

/// By the cost of the cheapest way on empty ground to the nearest goal, by straight distance on graphs.
wend__nearness wend__heuristic_nearness(const wend__heuristic *heuristic, wend_cell cell);

#endif
