/* SPDX-License-Identifier: MIT */
/* The distance of a line from all that blocks, by samples, in floating point. */
#ifndef WEND_TESTS_CLEAR_MODEL_H
#define WEND_TESTS_CLEAR_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wend/map.h>

typedef struct clear_ground {
    const uint8_t *open; ///< a byte a cell, row by row; 0: blocked. Cells off the map are blocked
    int32_t width, height;
    bool (*walled)(const struct clear_ground *ground, int32_t x, int32_t y, int32_t dx, int32_t dy); ///< NULL: no walls
    const void *context;
} clear_ground;

/// The distance of a point from all that blocks, in cells, or `most`.
double clear_distance(const clear_ground *ground, double x, double y, double most);
/// The least distance of the samples of a line, one every `spacing` cells, in cells, or `most`.
/// @param shift   added to x and y, in cells
double clear_sampled(const clear_ground *ground, const wend_point *points, size_t count, double shift, double spacing,
                     double most);
/// The length of a line, in cells.
double clear_length(const wend_point *points, size_t count);

#endif
