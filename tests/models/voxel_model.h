/* SPDX-License-Identifier: MIT */
/* A plain model of a voxel map: an array of classes, and the rules by their words. */
#ifndef WEND_TESTS_VOXEL_MODEL_H
#define WEND_TESTS_VOXEL_MODEL_H

#include "map/map_support.h"

typedef struct space {
    int32_t width, height, depth;
    uint8_t *classes;
    wend_map_rules rules;
} space;

space space_create(int32_t width, int32_t height, int32_t depth, const wend_map_rules *rules); ///< all open
void space_free(space *s);
size_t space_cells(const space *s);
uint8_t *space_at(const space *s, wend_cell cell);
/// 0 off the map.
uint8_t space_factor(const space *s, wend_cell cell);
bool space_open(const space *s, wend_cell cell);
/// Returns whether a step from a cell of the map is allowed, whatever that cell is.
bool space_step(const space *s, wend_cell from, int32_t dx, int32_t dy, int32_t dz);

/// A map that is like the model: an empty one at epoch 0, or with one batch written. allocator: NULL, the C library's.
wend_map *space_map(const space *s, const wend_allocator *allocator);
wend_map *space_map_written(const space *s);
/// Classes, steps, open bits, factors and forms of a map's newest version, against the model.
void space_check(const space *s, wend_map *map);

static inline wend_cell in3(int32_t x, int32_t y, int32_t z) {
    return (wend_cell){x, y, z};
}
/// Some box of the map.
wend_box space_draw_box(const space *s, uint64_t *seed);

#endif
