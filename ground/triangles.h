/* SPDX-License-Identifier: MIT */
/* The triangles of a level, with y up, and which tiles of its grid each touches. */
#ifndef WEND_GROUND_TRIANGLES_H
#define WEND_GROUND_TRIANGLES_H

#include "spans.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Columns around a tile that take part in it: the agent's radius, and two that the cut at the edge spoils.
enum { GROUND_SPOILED = 2 };

/// Numbers of the triangles that touch a tile, ascending.
typedef struct ground_list {
    uint32_t *numbers;
    uint32_t count, capacity;
    uint32_t coming; ///< numbers that room was made for
} ground_list;

typedef struct ground_triangles {
    float *corners;   ///< x, y, z of three corners each
    uint8_t *classes; ///< 0: not walkable, by its class or its slope
    uint8_t *absent;  ///< 1: removed
    uint32_t count, capacity;
    float slope;
    bool used[256]; ///< classes that any triangle had
    ground_list *tiles;
    uint32_t tile_count;
    uint8_t *marked; ///< tiles to be made again
    uint32_t marked_count;
} ground_triangles;

/// Turn a point of the level so that y is up.
void wend__ground_turn(bool y_up, const float *from, float *to);

/// Makes room for a number of triangles. @return false: no memory
bool wend__ground_reserve_triangles(ground_triangles *triangles, size_t count);
/// Sets a triangle for which there is room. The tiles' lists do not have it before wend__ground_sort_triangles().
void wend__ground_set_corners(ground_triangles *triangles, uint32_t number, const float corners[9], uint8_t terrain);
void wend__ground_drop_triangles(ground_triangles *triangles);

/// Note which tiles each triangle touches. @return false: no memory
bool wend__ground_sort_triangles(ground_triangles *triangles, const ground_spans *grid);

/// Sets triangles from `first` on, and marks the tiles that the old or new ones touch.
/// @param corners   nine numbers each; NULL: they are taken away
/// @param classes   NULL: all are of class WEND_CLASS_OPEN
/// @return false: no memory, nothing has changed
bool wend__ground_replace_triangles(ground_triangles *triangles, const ground_spans *grid, uint32_t first,
                                    uint32_t count, const float *corners, const uint8_t *classes);

/// Computes the spans of a tile by Recast.
/// @return WEND_OK, WEND_UNSUPPORTED (more than WEND_MAX_GROUND_FLOORS above each other), WEND_OUT_OF_MEMORY
wend_error wend__ground_voxelise(const ground_triangles *triangles, const ground_spans *grid, uint32_t tile,
                                 ground_piece *out);
/// Returns true if a triangle is not too steep to stand on.
bool wend__ground_is_walkable(float slope, const float corners[9]);

#ifdef __cplusplus
}
#endif
#endif
