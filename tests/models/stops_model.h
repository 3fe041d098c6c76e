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

/// All that a version has of stops.
/// @param entrances   one a cell: a link begins there; NULL: no links
void stops_check(const walled *w, const uint8_t *entrances, const wend__version *v);
/// Are the stops of two versions the same, byte for byte?
void stops_check_alike(const wend__version *a, const wend__version *b);

#endif
