/* SPDX-License-Identifier: MIT */
/* Which steps out of a voxel closed steps leave. */
#include "map/kinds/voxels.h"
#include "map/kinds/walls.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

enum { HERE = 13 }; ///< among the 27 cells around and the cell itself

/* Is there a chunk with closed steps among those that hold the 27 cells? */
static bool any_chunk(const wend__version *v, wend_cell c) {
    for (int32_t z = (c.z - 1) >> WEND__VOXEL_SHIFT; z <= (c.z + 1) >> WEND__VOXEL_SHIFT; z++)
        for (int32_t y = (c.y - 1) >> WEND__VOXEL_SHIFT; y <= (c.y + 1) >> WEND__VOXEL_SHIFT; y++)
            for (int32_t x = (c.x - 1) >> WEND__VOXEL_SHIFT; x <= (c.x + 1) >> WEND__VOXEL_SHIFT; x++) {
                if (x < 0 || y < 0 || z < 0 || x >= v->chunk_columns || y >= v->chunk_y) continue;
                if (z * v->chunk_y + y >= v->chunk_rows) continue;
                if (wend__version_chunk(v, x, z * v->chunk_y + y)->closed) return true;
            }
    return false;
}

/* Collects the steps closed at the 27 cells. False: there is none. */
static bool gather(const wend__version *v, wend_cell cell, uint32_t closed[27]) {
    uint32_t any = 0;
    if (!any_chunk(v, cell)) return false;
    for (int32_t i = 0; i < 27; i++) {
        const wend_cell c = {cell.x + i % 3 - 1, cell.y + i / 3 % 3 - 1, cell.z + i / 9 - 1};
        bool there = (uint32_t)c.x < (uint32_t)v->width && (uint32_t)c.y < (uint32_t)v->height &&
                     (uint32_t)c.z < (uint32_t)v->depth;
        closed[i] = there ? wend__closed_at(v, c) : 0;
        any |= closed[i];
    }
    return any != 0;
}

/* A diagonal step's box: its corners are sets of the axes gone along, bit 0 for x. */
typedef struct box {
    unsigned axes;      ///< that the step goes along
    int32_t offsets[3]; ///< among the 27, of a straight step along an axis
    unsigned straight[3];
} box;

static box box_of(unsigned d) {
    int32_t x = wend__sx[d], y = wend__sy[d], z = wend__sz[d];
    return (box){.axes = (unsigned)(x != 0) | (unsigned)(y != 0) << 1 | (unsigned)(z != 0) << 2,
                 .offsets = {x, 3 * y, 9 * z},
                 .straight = {x > 0 ? WEND__E : WEND__W, y > 0 ? WEND__S : WEND__N, z > 0 ? 4 : 5}};
}

static int32_t place(const box *b, unsigned gone) {
    int32_t at = HERE;
    for (unsigned axis = 0; axis < 3; axis++) at += gone >> axis & 1 ? b->offsets[axis] : 0;
    return at;
}

/* Which corners of the box one comes to by straight steps through open cells, none of them closed; and whether every
   such step between two corners can be taken. */
static unsigned corners_reached(const box *b, uint32_t near, const uint32_t closed[27], bool *every) {
    unsigned reached = 1;
    *every = true;
    for (unsigned to = 1; to <= b->axes; to++) {
        if (to & ~b->axes) continue;
        for (unsigned axis = 0; axis < 3; axis++) {
            if (!(to >> axis & 1)) continue;
            unsigned from = to & ~(1u << axis);
            bool can = near >> place(b, to) & 1 && !(closed[place(b, from)] >> b->straight[axis] & 1);
            *every = *every && can;
            if (can && reached >> from & 1) reached |= 1u << to;
        }
    }
    return reached;
}

uint32_t wend__voxel_unclosed(const wend__version *version, wend_cell cell, uint32_t near, uint32_t steps) {
    uint32_t closed[27];
    if (!gather(version, cell, closed)) return steps;
    steps &= ~closed[HERE];
    if (version->rules.corners == WEND_CORNERS_ALWAYS) return steps;
    for (uint32_t diagonal = steps & ~UINT32_C(63); diagonal; diagonal &= diagonal - 1) {
        unsigned d = wend__ctz32(diagonal);
        const box b = box_of(d);
        bool every;
        unsigned reached = corners_reached(&b, near, closed, &every);
        bool lets = version->rules.corners == WEND_CORNERS_NEVER ? every : reached >> b.axes & 1;
        if (!lets) steps &= ~(UINT32_C(1) << d);
    }
    return steps;
}
