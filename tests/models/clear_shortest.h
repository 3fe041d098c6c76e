/* SPDX-License-Identifier: MIT */
/* The length of a shortest way of a disc on a flat grid of open and blocked cells. */
#ifndef WEND_TESTS_CLEAR_SHORTEST_H
#define WEND_TESTS_CLEAR_SHORTEST_H

#include "models/clear_model.h"

/// The length, in cells, of a shortest way between the centres of two cells that keeps a distance, or `limit`.
/// @param radius   in cells, above 0
/// @param limit    an upper bound; ways that are not shorter are not looked for
double clear_shortest(const clear_ground *ground, double radius, wend_cell from, wend_cell to, double limit);

#endif
