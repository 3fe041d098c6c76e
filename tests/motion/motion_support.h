/* SPDX-License-Identifier: MIT */
/* Shared by the tests of motion: small maps from text, random worlds, and random paths through them. */
#ifndef WEND_TESTS_MOTION_SUPPORT_H
#define WEND_TESTS_MOTION_SUPPORT_H

#include "models/owned.h"
#include "models/worlds.h"

enum { PATH_CELLS = 512 };

/// A map of rows of '.', '#' and digits (terrain classes); default rules.
wend_map *text_map(const char *const *rows, int32_t count);
wend_map *open_map(int32_t width, int32_t height);
/// Publish one cell's class.
void set_cell(wend_map *map, wend_cell cell, uint8_t class);

/// A path that the model allows from an open cell on, of up to PATH_CELLS cells; 0: the mover cannot stand anywhere.
size_t random_path(const world *w, oracle_random *random, int32_t mover, wend_cell *cells);
/// The cost of one step for that mover in the model.
uint64_t model_step_cost(const world *w, int32_t mover, wend_cell a, wend_cell b);
/// The cost of a straight step; of a graph 1000.
uint64_t model_straight(const world *w);

static inline wend_cell cell_of(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

#endif
