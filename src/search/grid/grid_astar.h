/* SPDX-License-Identifier: MIT */
/* Internal: A* on flat grids for one goal, without links; any terrain, mover, weight and heuristic. With 4 neighbours,
 * among hexagons and with costs by place it sees units, too. */
#ifndef WEND_SRC_SEARCH_GRID_GRID_ASTAR_H
#define WEND_SRC_SEARCH_GRID_GRID_ASTAR_H

#include "search/rules/bound.h"
#include "search/rules/weights.h"
#include "search/store/search_state.h"

typedef struct wend__grid_astar_search {
    wend__search search;
    bool strict;           ///< weighted, or manhattan: nodes are expanded in strict order of their keys, once each
    wend__weights weights; ///< with `strict`: the key is weights.g x g + weights.h x estimate
    uint32_t estimate_straight, estimate_diagonal;
    wend__landmark_bounds landmark_bounds;   ///< bounds by landmarks, in units
    const wend__grid_canonical *canonical;   ///< steps among cells of equal cost; NULL: all legal ones everywhere
    const wend__grid_toll_steps *toll_steps; ///< the same near costs by place
    uint32_t most_toll;                      ///< greatest extra cost of a place
    int32_t around_x, around_y;              ///< as in the version
    bool hexagons;                           ///< the map's cells are hexagons
    bool sees_units;
    wend_box window;    ///< cells in which units count
    uint32_t unit_cost; ///< cost of entering a cell with a unit, in units of costs; UINT32_MAX: it cannot be entered
} wend__grid_astar_search;

extern const wend__engine wend__grid_astar;

static inline wend__grid_astar_search *wend__grid_of(const wend__search *search) {
    return (wend__grid_astar_search *)search;
}

/* grid_path.c */

/// The record of a cell that the search has reached.
uint64_t wend__grid_record(const wend__search *search, int32_t x, int32_t y);
/// Counts the steps of the found path, and sets its cost.
void wend__grid_measure_path(wend__search *search);
/// Reads the path: the first `count` cells, or all directions.
void wend__grid_read_cells(const wend__search *search, wend_cell *out, uint64_t count);
bool wend__grid_read_directions(const wend__search *search, uint8_t *out);
/// See wend__engine.
int wend__grid_back(const wend__search *search, struct wend__candidate *at);

#endif
