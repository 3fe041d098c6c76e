/* SPDX-License-Identifier: MIT */
/* An independent answer to every grid query: plain Dijkstra over terrain classes, written from the rules alone. */
#ifndef WEND_TESTS_ORACLE_H
#define WEND_TESTS_ORACLE_H

#include "models/defaults.h"
#include "models/dijkstra.h"

#include <wend/wend.h>

/// Terrain classes row by row, and the rules they are walked by.
typedef struct oracle_grid {
    int width, height;
    uint8_t *terrain;
    wend_map_rules rules;
} oracle_grid;

/// Returns whether a step from a to its neighbour b is allowed. (The ground at a itself does not count.)
bool oracle_step(const oracle_grid *grid, wend_cell a, wend_cell b, uint64_t *cost);
/// Reaches the neighbours of a node, a cell's number row by row.
void oracle_expand(const oracle_grid *grid, dijkstra *open, int node);
/// Cheapest cost, or -1. The start's own ground does not count.
int64_t oracle_cost(const oracle_grid *grid, wend_cell start, wend_cell goal);
/// Cost of a path walked step by step, or -1 where it cannot be, or does not lead from start to goal.
int64_t oracle_walk(const oracle_grid *grid, wend_cell start, wend_cell goal, const wend_cell *cells, size_t count);

/// A map of the grid; the caller releases it.
wend_map *oracle_map(const oracle_grid *grid);

/// A small generator with the same numbers everywhere (SplitMix, models/random.h).
typedef struct oracle_random {
    uint64_t state;
} oracle_random;
uint64_t oracle_next(oracle_random *random);
/// From 0 to below - 1.
int oracle_below(oracle_random *random, int below);

/// Fill a grid: size up to width x height, share of blocked cells, share of slow ones with classes 2 to 1 +
/// slow_classes.
void oracle_fill(oracle_grid *grid, oracle_random *random, double blocked, double slow, int slow_classes);
wend_cell oracle_cell(const oracle_grid *grid, oracle_random *random);

#endif
