/* SPDX-License-Identifier: MIT */
/* Even ground of many kinds, with the distances on it: for searches of all engines. */
#ifndef WEND_TESTS_LANDS_H
#define WEND_TESTS_LANDS_H

#include "models/oracle.h"

/// Room for the largest land.
enum { LAND_CELLS = 40960, LAND_KINDS = 8 };
extern const char *const land_kinds[LAND_KINDS];

typedef struct land {
    int kind;
    oracle_grid grid; ///< grid with the land's own terrain
    uint8_t terrain[LAND_CELLS];
    int64_t distances[LAND_CELLS]; ///< cost of the way to each cell; -1: there is none
} land;

/// A land of some kind and size: mostly less than two chunks of 64 x 64, some of 3 x 3, some crossing 1,024 cells.
/// The rules are the caller's, in l->grid.rules.
void land_make(land *l, oracle_random *random);
/// Open and close a few cells, or a box; each is handed to the batch too.
void land_edit(land *l, oracle_random *random, wend_edit *edit);
/// Distances from a cell, open or blocked.
void land_measure(land *l, wend_cell start);
/// Anywhere; or near a cell, in line with it, or in a corner of a chunk.
wend_cell land_cell(const land *l, oracle_random *random, wend_cell near);
/// Counts over all open cells: straight runs that end at a wall in their chunk, or at a corner, and diagonal steps.
void land_count(const land *l, uint64_t counts[3]);
static inline size_t land_index(const land *l, wend_cell cell) {
    return (size_t)cell.y * (size_t)l->grid.width + (size_t)cell.x;
}

#endif
