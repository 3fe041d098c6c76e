/* SPDX-License-Identifier: MIT */
/* A model of stops: exits and stops of cells by their definitions alone, and checks that compare the library with
 * it. */
#ifndef WEND_TESTS_STOPS_MODEL_H
#define WEND_TESTS_STOPS_MODEL_H

#include "models/steps_model.h"

/// A 3 x 3 of cells, by [y][x].
typedef struct nine {
    int32_t factors[3][3];  ///< 0: blocked
    bool steps[3][3][3][3]; ///< from [y][x], by [dy + 1][dx + 1]
    bool units[3][3];
    int32_t straight, diagonal;
} nine;

/// The exits of the middle after an arrival in direction d, by trying all ways of one and two steps.
unsigned nine_exits(const nine *cells, unsigned d);
/// The 3 x 3 around a cell of a model, without units.
nine nine_of(const walled *w, int32_t x, int32_t y);
/// The exits that even ground without closed steps would have, by the definition of jump points.
unsigned nine_natural_exits(const nine *cells, unsigned d);

/// How a world is filled: shares in thousandths.
typedef struct stops_mixture {
    int32_t width, height;
    uint32_t blocked, slow, closed, entrances;
    int32_t straight, diagonal;
} stops_mixture;

/// A map and its model, with links.
typedef struct stops_world {
    walled w;
    uint8_t *links; ///< how many begin in each cell
    wend_map *map;
} stops_world;

/// A world without jump tables.
stops_world stops_world_create(const stops_mixture *mix, uint64_t seed);
void stops_world_free(stops_world *o);
/// Close some random steps, thin walls or one way, in the batch and in the model; or open them.
void stops_world_close(stops_world *o, wend_edit *edit, uint32_t count, bool open, uint64_t *seed);
/// Add a link where there may be one.
void stops_world_link(stops_world *o, wend_edit *edit, wend_cell from, wend_cell to);

/// All that a version has of stops.
/// @param links   how many begin in each cell
void stops_check(const walled *w, const uint8_t *links, const wend__version *v);
/// Returns whether the stops of two versions are the same, byte for byte.
void stops_check_alike(const wend__version *a, const wend__version *b);

#endif
