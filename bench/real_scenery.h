/* SPDX-License-Identifier: MIT */
/* Puts units, slow ground, links and regions of goals on a map of the MovingAI benchmarks. */
#ifndef WEND_BENCH_REAL_SCENERY_H
#define WEND_BENCH_REAL_SCENERY_H

#include "plain_astar.h"

/// A row of the table: one way to ask.
typedef struct real_row {
    const char *name;
    int units;         ///< number of units on the map
    int32_t occupied;  ///< how units count, as in wend_request
    int within;        ///< as in wend_request; 0: wherever they stand
    int slow_permille; ///< share of the open cells, in discs of 2 to 10 cells and factors 2 to 5; -1: one cell
    int links;         ///< pairs, of cost 3,000; 1: one link
    int reach, goals;  ///< goals 0: one
    bool nearest;
    int weight_milli; ///< 0: 1,000
    bool astar;       ///< time A*, too
} real_row;

/// A map, and all that is on it.
typedef struct real_world {
    plain_ground ground;
    uint8_t *terrain; ///< classes of the map as it was read
    uint8_t *taken;   ///< 1: a query begins or ends there
    int *open;        ///< open cells
    int open_count;
} real_world;

void real_read(real_world *w, wend_map *map);
/// Clears the world and puts the row's scenery on it. The same on every machine.
void real_furnish(real_world *w, const real_row *row, uint64_t seed);
/// Put the contents of the world on a map.
void real_write(const real_world *w, wend_map *map);
/// The goals of a row's query: the query's own, and cells that are mostly as far or farther.
/// @return how many
int real_goals(const real_world *w, const real_row *row, wend_cell start, wend_cell goal, uint64_t *state,
               wend_cell goals[PLAIN_GOALS]);
void real_free(real_world *w);

#endif
