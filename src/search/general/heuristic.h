/* SPDX-License-Identifier: MIT */
/* Internal: the heuristic of the general engine: a lower bound of the cost from a cell to the
 * nearest of several goals, with links. */
#ifndef WEND_SRC_SEARCH_GENERAL_HEURISTIC_H
#define WEND_SRC_SEARCH_GENERAL_HEURISTIC_H

#include "map/kinds/graph.h"
#include "search/rules/bound.h"
#include "map/links/links.h"
#include "map/nearest/nearest.h"
#include "map/store/map_layout.h"
#include "search/store/request_fields.h"
#include <wend/search.h>

/// A group of links that may shorten paths: the box of their entrances, and a lower bound of the
/// cost from there to a goal.
typedef struct wend__shortcut {
    wend_box entrances;
    uint64_t bound;
} wend__shortcut;

enum { WEND__REACH_PARTS = 16 };

/// Cells of a sheet that are within reach of a goal.
typedef struct wend__reach_part {
    wend_box box;
    uint32_t sheet; ///< as in wend__sheet_part
} wend__reach_part;

typedef struct wend__heuristic {
    const wend__graph *graph;           ///< the graph, if it has coordinates; else NULL
    bool blind;                         ///< no distances are known: the estimate is 0
    int32_t kind;                       ///< WEND_HEURISTIC_…
    const wend_map_rules *rules;        ///< the version's
    uint32_t straight, diagonal, space; ///< costs of steps
    bool quick;                         ///< one goal without links: wend__heuristic_quick() computes the estimate
    uint32_t quick_second,
        quick_third; ///< added to `straight` for each cell of the second longest and the shortest side
    bool levels;     ///< for a walker: a straight step for each level, on top of the estimate in the plane
    bool hexagons;   ///< the map is a flat grid of hexagons; the heuristic is exact
    bool octile;     ///< a flat grid with 8 neighbours and the exact heuristic
    uint64_t euclid; ///< six times the square of the least cost of a unit of distance
    int32_t reach;
    int32_t around_x, around_y;  ///< as in the version
    const wend__version *sheets; ///< the version, if its map has sheets; else NULL
    uint32_t goal_count, shortcut_count;
    uint32_t part_count;                         ///< with sheets and a reach; above WEND__REACH_PARTS: too many
    wend__reach_part parts[WEND__REACH_PARTS];   ///< the parts of all goals
    wend_cell goals[WEND_MAX_GOALS];             ///< cells
    wend_cell points[WEND_MAX_GOALS];            ///< their coordinates; on a graph with coordinates those of the nodes
    wend__shortcut shortcuts[WEND__LINK_GROUPS]; ///< sorted by their bounds
    wend__landmark_bounds landmark_bounds;       ///< bounds by landmarks
    int32_t map_kind, layer_rows;                ///< the version's kind and chunk_y, which locate a cell's numbers
} wend__heuristic;

/// Prepare the heuristic for a request. Cost: O(1), for any number of links and goals.
void wend__heuristic_set(wend__heuristic *heuristic, const wend__version *version, const wend__request *request);

/// The same without landmarks.
void wend__heuristic_set_plain(wend__heuristic *heuristic, const wend__version *version, const wend__request *request);

/// Returns a lower bound of the cost to any goal (except `manhattan` with diagonals). It is consistent:
/// docs/design/weights.md.
uint64_t wend__heuristic_estimate(const wend__heuristic *heuristic, wend_cell cell);

/// The same, inline for the simple case.
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

/// Returns the price of an estimate by wend__heuristic_left(), in points: WEND__EXPANSION_POINTS.
uint32_t wend__heuristic_points(const wend__heuristic *heuristic);

/// Returns the price of landmark bounds by landmarks on a map of this kind, in points.
uint64_t wend__heuristic_bounds_points(const wend__heuristic *heuristic, int32_t kind);

/// The price of the heuristic's preparation without them, in points.
uint64_t wend__heuristic_begin_points(const wend__heuristic *heuristic, const wend__version *version);

/// Returns the greater of that and of the bound by landmarks.
WEND__INLINE uint64_t wend__heuristic_left(const wend__heuristic *heuristic, wend_cell cell) {
    const uint64_t plain = wend__heuristic_quick(heuristic, cell);
    if (WEND__LIKELY(!heuristic->landmark_bounds.landmarks)) return plain;
    const wend__place place = wend__place_in(heuristic->map_kind, heuristic->layer_rows, cell);
    const uint64_t known = wend__landmark_bound_at(&heuristic->landmark_bounds, place);
    return known > plain ? known : plain;
}

/// Returns whether a cell is a goal, or within reach of one.
bool wend__heuristic_is_goal(const wend__heuristic *heuristic, wend_cell cell);

#endif
