/* SPDX-License-Identifier: MIT */
/* Straight lines through random worlds: which cells they pass through, by geometry, whether they can be walked, and
 * their price: length x factor of the cell that each part is in. */
#ifndef WEND_TESTS_LINE_MODEL_H
#define WEND_TESTS_LINE_MODEL_H

#include "models/worlds.h"

/// A cell that a line passes through, from `low` / whole to `high` / whole of its length.
typedef struct line_part {
    int64_t low, high;
    wend_cell cell;
} line_part;

/// The cells of the line between two centres, in order.
/// @param parts   room for WORLD_CELLS
/// @return how many
int line_parts(const world *w, wend_cell a, wend_cell b, line_part *parts, int64_t *whole);
/// Returns whether the mover can walk the line, whatever `a` itself is. The world has no links between neighbours.
bool line_walkable(const world *w, int mover, wend_cell a, wend_cell b);
double line_price(const world *w, int mover, wend_cell a, wend_cell b);

#endif
