/* SPDX-License-Identifier: MIT */
/* Cutting polygons into triangles. */
#ifndef WEND_GROUND_PROGRAM_POLYGON_H
#define WEND_GROUND_PROGRAM_POLYGON_H

#include <stdint.h>

/// Cut a polygon into count - 2 triangles. A convex one becomes a fan around its first corner. One of four corners
/// becomes a fan around its concave corner, as assimp cuts it. From others ears are cut; where there is none, as in a
/// polygon that crosses itself, or after too many tests, the rest becomes a fan.
/// @param vertices    x, y, z of each, finite
/// @param corners     3 to LEVEL_MAX_CORNERS vertices, around the polygon
/// @param triangles   receives three vertices of each triangle, in the same sense
/// Cost: mostly O(count · concave corners), at most O(count²).
void polygon_cut(const float *vertices, const uint32_t *corners, uint32_t count, uint32_t *triangles);

#endif
