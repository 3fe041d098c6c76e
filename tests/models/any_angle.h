/* SPDX-License-Identifier: MIT */
/* The length of a shortest way at any angle on a flat grid of open and blocked cells. */
#ifndef WEND_TESTS_ANY_ANGLE_H
#define WEND_TESTS_ANY_ANGLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct any_angle any_angle;

/// Where a way may turn.
/// POINTS: anywhere, so it turns at the corners of blocked cells, and touches them. This is a point's shortest way.
/// CELLS: at the centres of cells; a line through a corner needs both cells next to it to be open.
/// CORNER_CELLS: the same, but only at cells diagonal to a corner: nearly as short, and much faster.
enum { ANY_ANGLE_POINTS, ANY_ANGLE_CELLS, ANY_ANGLE_CORNER_CELLS };

/// @param open   width x height bytes, row by row; 0: blocked. Copied
any_angle *any_angle_create(const uint8_t *open, int32_t width, int32_t height, int32_t turns);
void any_angle_free(any_angle *plan);

/// The length, in cells, of a shortest way from the centre of a cell to the centre of another. No way passes between
/// two blocked cells that touch at a corner.
/// @param limit   an upper bound; ways that are not shorter are not looked for
/// @return the length, or limit
double any_angle_length(any_angle *plan, int32_t x0, int32_t y0, int32_t x1, int32_t y1, double limit);

#endif
