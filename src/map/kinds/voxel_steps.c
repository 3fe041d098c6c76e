/* SPDX-License-Identifier: MIT */
/* The steps out of a voxel, from the open cells around it and the corner rule. */
#include "map/kinds/voxels.h"
#include "map/store/map_layout.h"

/* ---- the cells around ---- */

/* Three cells of a row, west to east; that at y and z may be off the map. */
static uint32_t near_row(const wend__version *v, int32_t x, int32_t y, int32_t z) {
    if ((uint32_t)y >= (uint32_t)v->height || (uint32_t)z >= (uint32_t)v->depth) return 0;
    int32_t column = x >> WEND__VOXEL_SHIFT, row = (z >> WEND__VOXEL_SHIFT) * v->chunk_y + (y >> WEND__VOXEL_SHIFT);
    unsigned word = (unsigned)(z & 15) << 2 | (unsigned)(y & 15) >> 2, shift = (unsigned)(y & 3) << 4,
             in = (unsigned)(x & 15);
    uint32_t cells = (uint32_t)(wend__version_chunk(v, column, row)->open->rows[word] >> shift & 0xFFFF) << 1;
    if (in == 0 && column > 0)
        cells |= (uint32_t)(wend__version_chunk(v, column - 1, row)->open->rows[word] >> (shift + 15) & 1);
    if (in == 15 && column + 1 < v->chunk_columns)
        cells |= (uint32_t)(wend__version_chunk(v, column + 1, row)->open->rows[word] >> shift & 1) << 17;
    return cells >> in & 7;
}

uint32_t wend__voxel_near(const wend__version *version, wend_cell cell) {
    wend__place p = wend__place_of(version, cell);
    if (wend__voxel_inside(p.local))
        return wend__voxel_near_inside(wend__version_chunk(version, p.column, p.row)->open, p.local);
    uint32_t near = 0;
    for (int32_t i = 0; i < 9; i++) near |= near_row(version, cell.x, cell.y + i % 3 - 1, cell.z + i / 3 - 1) << 3 * i;
    return near;
}

/* ---- the corner rules ---- */

/* A layer of nine cells: bits 0 to 3 those at its sides (north, west, east, south: the order of directions within a
   layer), 4 to 7 those at its corners (north-west, north-east, south-west, south-east), 8 the middle one. */
static uint32_t layer_of(uint32_t nine) {
    uint32_t sides = (nine >> 1 & 1) | (nine >> 2 & 2) | (nine >> 3 & 4) | (nine >> 4 & 8);
    uint32_t corners = (nine & 1) | (nine >> 1 & 2) | (nine >> 4 & 4) | (nine >> 5 & 8);
    return sides | corners << 4 | (nine & 16) << 4;
}

/* The corners of four sides: between two that are set, and those beside at least one. */
static const uint8_t between[16] = {0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 4, 5, 8, 10, 12, 15};
static const uint8_t beside[16] = {0, 3, 5, 7, 10, 11, 15, 15, 12, 15, 13, 15, 14, 15, 15, 15};
/* Sides in the order of the straight directions: north, east, south, west. */
static const uint8_t clockwise[16] = {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15};

/* A diagonal step's box is made of two straight steps; one in space, of three straight and three flat diagonal ones. So
   `never` asks that all of those be allowed; `one`, that at least one smaller diagonal (or straight) step be allowed
   after which a straight one remains. */
typedef struct around {
    uint32_t below, here, above; ///< layers
} around;

/* Diagonal steps up or down (within one layer): those over a side, and those over a corner << 4. */
static uint32_t layer_steps(int32_t corners, uint32_t layer, uint32_t sides, uint32_t flat) {
    bool straight = layer >> 8 & 1;
    if (corners == WEND_CORNERS_ALWAYS) return layer & 0xFF;
    if (corners == WEND_CORNERS_NEVER) {
        uint32_t steps = straight ? layer & sides : 0;
        return steps | (layer >> 4 & flat & between[steps]) << 4;
    }
    uint32_t steps = layer & (straight ? 15 : sides);
    return steps | (layer >> 4 & 15 & (flat | beside[steps])) << 4;
}

uint32_t wend__voxel_rule_steps(const wend__version *version, uint32_t near) {
    around a = {layer_of(near & 511), layer_of(near >> 9 & 511), layer_of(near >> 18)};
    int32_t corners = version->rules.corners;
    uint32_t sides = a.here & 15, flat = a.here >> 4 & 15;
    uint32_t steps = clockwise[sides] | (a.above >> 8 & 1) << 4 | (a.below >> 8 & 1) << 5;
    if (version->rules.neighbours == 6) return steps;
    if (corners == WEND_CORNERS_NEVER) flat &= between[sides];
    if (corners == WEND_CORNERS_ONE) flat &= beside[sides];
    uint32_t below = layer_steps(corners, a.below, sides, flat), above = layer_steps(corners, a.above, sides, flat);
    steps |= (below & 15) << 6 | flat << 10 | (above & 15) << 14;
    if (version->rules.neighbours == 18) return steps;
    return steps | below >> 4 << 18 | above >> 4 << 22;
}

uint32_t wend__voxel_steps(const wend__version *version, wend_cell cell) {
    uint32_t near = wend__voxel_near(version, cell);
    uint32_t steps =
        near == WEND__VOXEL_ALL_NEAR ? wend__voxel_every_step(version) : wend__voxel_rule_steps(version, near);
    return version->closed_steps > 0 ? wend__voxel_unclosed(version, cell, near, steps) : steps;
}
