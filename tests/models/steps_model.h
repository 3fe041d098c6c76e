/* SPDX-License-Identifier: MIT */
/* A model of a grid with closed steps, by the words of the rules, and checks that compare the library with it. */
#ifndef WEND_TESTS_STEPS_MODEL_H
#define WEND_TESTS_STEPS_MODEL_H

#include "map/map_support.h"

typedef struct walled {
    model m;
    uint16_t *closed; ///< bits of each cell: bit (dy + 1) * 3 + dx + 1
} walled;

walled walled_create(int32_t width, int32_t height, const wend_map_rules *rules);
walled walled_copy(const walled *from);
void walled_free(walled *w);

bool walled_closed(const walled *w, int32_t x, int32_t y, int32_t dx, int32_t dy);
/// Close or open one step that stays on the map, in the model and in the batch (NULL: in the model only).
void walled_set(walled *w, wend_edit *edit, int32_t x, int32_t y, int32_t dx, int32_t dy, bool open);
/// Both steps between a cell and a neighbour.
void walled_wall(walled *w, wend_edit *edit, int32_t x, int32_t y, int32_t dx, int32_t dy);
/// Returns whether a step is allowed, whatever the cell that it leaves.
bool walled_step(const walled *w, int32_t x, int32_t y, int32_t dx, int32_t dy);
/// Returns whether there is a line of sight.
bool walled_sees(const walled *w, wend_cell a, wend_cell b);
/// Returns the cost of a cheapest way, or -1.
int64_t walled_cost(const walled *w, wend_cell from, wend_cell to);
/// Returns the cost of a path, or -1 if a step of it is not allowed.
int64_t walled_walk(const walled *w, const wend_cell *cells, size_t count);

/// Compares all steps of a map: each cell's, closed ones, settled cells, and components.
void walled_check(const walled *w, wend_map *map);

#endif
