/* SPDX-License-Identifier: MIT */
/* Random worlds under fields: edits on the map and on the arrays alike, and the expected cost of every cell. */
#ifndef WEND_TESTS_FIELD_WORLDS_H
#define WEND_TESTS_FIELD_WORLDS_H

#include "models/worlds.h"
#include <wend/field.h>

/// A step, link or edge of a mover.
typedef struct field_way {
    int from, to;
    uint64_t cost;
} field_way;

typedef struct field_world {
    world now;
    wend_map *map;
    oracle_random random;
    int mover;
    wend_cell goals[WORLD_GOALS];
    uint32_t goal_count;
    field_way *ways; ///< steps, links and edges of the mover
    int way_count;
    uint64_t tolls[WORLD_CELLS]; ///< additional cost of a step into each cell
    int64_t costs[WORLD_CELLS];  ///< to the cheapest goal; -1: there is no way
    int64_t worths[WORLD_CELLS];
    int64_t away[WORLD_CELLS]; ///< difference of each cell's worth from the best one; -1: the cell is not in the field
} field_world;

/// A world of some kind, with everything that the kind can have, in several chunks where it fits.
void field_world_open(field_world *w, int kind, uint64_t seed);
void field_world_close(field_world *w);
/// Some edits of all sorts, published together.
void field_world_edit(field_world *w);
/// New goals, some of them blocked.
void field_world_set_goals(field_world *w);
/// Compute costs as the world is now: toward, and away for a largest cost and fear_milli.
void field_world_measure(field_world *w);
void field_world_measure_away(field_world *w, int64_t largest, int64_t fear_milli);
/// The definition of a field for it.
wend_field_def field_world_def(const field_world *w);

/// Compare every cell of a field with the costs, -1 where there is no way, and take one step of each way. Cells that
/// are not known so far are skipped.
/// @return number of known cells
int field_world_check(const field_world *w, const wend_field *field, const int64_t *costs, bool complete);

#endif
