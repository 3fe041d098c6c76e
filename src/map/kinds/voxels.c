/* SPDX-License-Identifier: MIT */
/* Voxels: a chunk's open cells and largest factor, and the steps out of a voxel by the corner rule and closed steps. */
#include "map/kinds/voxels.h"
#include "map/kinds/walkers.h"
#include "map/kinds/walls.h"
#include "map/store/directions.h"
#include "map/store/terrain.h"
#include "map/store/memory.h"

wend__extent wend__voxels_extent(const wend__version *v, int32_t column, int32_t row) {
    const int32_t sizes[3] = {v->width, v->height, v->depth};
    const int32_t chunks[3] = {column, row % v->chunk_y, row / v->chunk_y};
    unsigned left[3];
    for (unsigned i = 0; i < 3; i++) {
        int32_t rest = sizes[i] - (chunks[i] << WEND__VOXEL_SHIFT);
        left[i] = rest < WEND__VOXEL_SIDE ? (unsigned)rest : WEND__VOXEL_SIDE;
    }
    return (wend__extent){left[0], left[1], left[2]};
}

uint64_t wend__voxels_on_map(const wend__extent *extent, unsigned row) {
    unsigned z = row >> 2, y = row << 2 & 15;
    if (z >= extent->depth || y >= extent->height) return 0;
    unsigned rows = extent->height - y < 4 ? extent->height - y : 4;
    uint64_t columns = wend__low_bits(extent->width);
    return columns * UINT64_C(0x0001000100010001) & wend__low_bits(rows << WEND__VOXEL_SHIFT);
}

static bool whole(const wend__extent *extent) {
    return extent->width + extent->height + extent->depth == 3 * WEND__VOXEL_SIDE;
}

/* ---- places beyond the rim ---- */

void wend__voxels_paint_rim(wend__chunk *chunk, wend__extent extent) {
    if (whole(&extent) || (!chunk->bits && !chunk->terrain)) return;
    wend__bits *bits = (wend__bits *)chunk->bits;
    wend__plane *plane = (wend__plane *)chunk->terrain;
    for (unsigned row = 0; row < WEND__CHUNK_SIDE; row++) {
        uint64_t beyond = ~wend__voxels_on_map(&extent, row);
        if (bits) bits->rows[row] = (bits->rows[row] & ~beyond) | (bits->rows[0] & 1 ? beyond : 0);
        for (; !bits && beyond; beyond &= beyond - 1)
            plane->bytes[row << WEND__CHUNK_SHIFT | wend__ctz64(beyond)] = plane->bytes[0];
    }
}

void wend__voxels_orient_bits(wend__chunk *chunk, const uint8_t factors[256], wend__extent extent) {
    wend__bits *bits = (wend__bits *)chunk->bits;
    if (!bits || !factors[bits->classes[0]] == !factors[bits->classes[1]]) return;
    uint64_t flip = factors[bits->classes[0]] ? UINT64_MAX : 0;
    for (unsigned row = 0; row < WEND__CHUNK_SIDE; row++)
        bits->rows[row] = (bits->rows[row] ^ flip) & wend__voxels_on_map(&extent, row);
    uint8_t zero = bits->classes[flip ? 1 : 0], one = bits->classes[flip ? 0 : 1];
    bits->classes[0] = zero, bits->classes[1] = one;
}

/* ---- data that follows from the terrain ---- */

typedef struct derived {
    uint64_t rows[WEND__CHUNK_SIDE]; ///< open and on the map
    uint64_t any, every;             ///< bits of all rows together: in any row, and in every row
    uint8_t max_factor;
} derived;

/* Handles rows of two classes: the largest factor is that of a class on the map. */
static uint8_t most_of_bits(const wend__bits *bits, const uint8_t factors[256], const wend__extent *extent) {
    uint64_t zeros = 0, ones = 0;
    for (unsigned row = 0; row < WEND__CHUNK_SIDE; row++) {
        uint64_t on_map = wend__voxels_on_map(extent, row);
        ones |= bits->rows[row] & on_map;
        zeros |= ~bits->rows[row] & on_map;
    }
    uint8_t zero = zeros ? factors[bits->classes[0]] : 0, one = ones ? factors[bits->classes[1]] : 0;
    return zero > one ? zero : one;
}

static uint8_t most_of_bytes(const wend__plane *plane, const uint8_t factors[256], const wend__extent *extent) {
    uint8_t most = 0;
    for (unsigned row = 0; row < WEND__CHUNK_SIDE; row++) {
        const uint8_t *classes = &plane->bytes[row << WEND__CHUNK_SHIFT];
        for (uint64_t on_map = wend__voxels_on_map(extent, row); on_map; on_map &= on_map - 1) {
            uint8_t factor = factors[classes[wend__ctz64(on_map)]];
            if (factor > most) most = factor;
        }
    }
    return most;
}

static uint8_t most_of(const wend__chunk *chunk, const uint8_t factors[256], const wend__extent *extent) {
    if (chunk->terrain) return most_of_bytes(chunk->terrain, factors, extent);
    return chunk->bits ? most_of_bits(chunk->bits, factors, extent) : factors[chunk->uniform];
}

static void derive(const wend__version *v, const wend__chunk *chunk, int32_t column, int32_t row, derived *out) {
    wend__extent extent = wend__voxels_extent(v, column, row);
    out->any = 0, out->every = UINT64_MAX;
    for (unsigned i = 0; i < WEND__CHUNK_SIDE; i++) {
        out->rows[i] = wend__open_row(v->rules.factors, chunk, i) & wend__voxels_on_map(&extent, i);
        out->any |= out->rows[i];
        out->every &= out->rows[i];
    }
    out->max_factor = out->any ? most_of(chunk, v->rules.factors, &extent) : 0;
}

/* Finds existing equal open bits: those of all maps, of the chunk, or its terrain. NULL: none. */
static const wend__bits *known_open(const wend__chunk *chunk, const derived *d) {
    if (d->every == UINT64_MAX) return &wend__voxels_open;
    if (!d->any) return &wend__voxels_blocked;
    if (chunk->bits && memcmp(chunk->bits->rows, d->rows, sizeof d->rows) == 0) return chunk->bits;
    if (chunk->open && memcmp(chunk->open->rows, d->rows, sizeof d->rows) == 0) return chunk->open;
    return NULL;
}

/* A uniform chunk that the rim cuts shares its neighbours' bits along the rim, unless these are their own: a batch may
 * write to them. */
static const wend__bits *neighbours_open(const wend__version *v, int32_t column, int32_t row, const derived *d) {
    const int32_t columns[3] = {column - 1, column, column}, rows[3] = {row, row - 1, row - v->chunk_y};
    for (unsigned i = 0; i < 3; i++) {
        if (columns[i] < 0 || rows[i] < 0) continue;
        const wend__chunk *chunk = wend__version_chunk(v, columns[i], rows[i]);
        if (chunk->open && chunk->open != chunk->bits && memcmp(chunk->open->rows, d->rows, sizeof d->rows) == 0)
            return chunk->open;
    }
    return NULL;
}

bool wend__voxels_derived(const wend__version *version, const wend__chunk *chunk, int32_t column, int32_t row) {
    derived d;
    bool uniform = !chunk->terrain && !chunk->bits;
    uint8_t factor = version->rules.factors[chunk->uniform];
    if (chunk->closed_near != (chunk->closed || wend__is_walker(version))) return false;
    if (uniform && factor == chunk->max_factor && chunk->open == (factor ? &wend__voxels_open : &wend__voxels_blocked))
        return true;
    derive(version, chunk, column, row, &d);
    if (d.max_factor != chunk->max_factor || !chunk->open) return false;
    return wend__is_walker(version) || known_open(chunk, &d) == chunk->open; /* its view has written its footing */
}

wend_error wend__voxels_derive(const wend__version *version, wend__chunk *chunk, int32_t column, int32_t row) {
    wend_map *map = version->map;
    derived d;
    derive(version, chunk, column, row, &d);
    const wend__bits *open = wend__is_walker(version) ? chunk->open : known_open(chunk, &d);
    if (!open && !chunk->terrain && !chunk->bits) open = neighbours_open(version, column, row, &d);
    if (!open) {
        wend__bits *own = wend__shared_create(map, sizeof(wend__bits));
        if (!own) return WEND_OUT_OF_MEMORY;
        own->classes[0] = WEND_CLASS_BLOCKED, own->classes[1] = WEND_CLASS_OPEN;
        memcpy(own->rows, d.rows, sizeof own->rows);
        wend__shared_release(map, chunk->open);
        chunk->open = own;
    } else if (open != chunk->open) {
        wend__shared_retain(map, open);
        wend__shared_release(map, chunk->open);
        chunk->open = open;
    }
    chunk->max_factor = d.max_factor;
    chunk->closed_near = chunk->closed || wend__is_walker(version);
    return WEND_OK;
}

/* ---- closed steps ---- */

enum { HERE = 13 }; ///< index among the 27 cells around and the cell itself

/* Returns true if one of the chunks that hold the 27 cells has closed steps. */
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
    unsigned axes;      ///< axes along which the step goes
    int32_t offsets[3]; ///< index offsets among the 27 cells for a straight step along each axis
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

/* Finds the corners of the box reached by straight steps through open cells, none of them closed; and whether every
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

/* Returns the steps among these that closed steps allow. Cost: O(1). */
static uint32_t unclosed_steps(const wend__version *version, wend_cell cell, uint32_t near, uint32_t steps) {
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

/* ---- the steps out of a voxel: the cells around it ---- */

/* Reads three cells of a row, west to east; the one at y and z may be off the map. */
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

/* The same for any cell of the map. Cells beyond the rim are not open. */
static uint32_t cells_near(const wend__version *version, wend_cell cell) {
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

/* Corners of a set of four sides: those between two set sides, and those next to at least one. */
static const uint8_t between[16] = {0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 4, 5, 8, 10, 12, 15};
static const uint8_t beside[16] = {0, 3, 5, 7, 10, 11, 15, 15, 12, 15, 13, 15, 14, 15, 15, 15};
/* Sides in the order of the straight directions: north, east, south, west. */
static const uint8_t clockwise[16] = {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15};

/* A diagonal step's box is made of two straight steps; in space, of three straight and three flat diagonal ones. So
 * `never` requires all of those; `one` requires one smaller diagonal (or straight) step after which a straight one
 * remains. */
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
    uint32_t near = cells_near(version, cell);
    uint32_t steps =
        near == WEND__VOXEL_ALL_NEAR ? wend__voxel_every_step(version) : wend__voxel_rule_steps(version, near);
    if (version->closed_steps > 0) steps = unclosed_steps(version, cell, near, steps);
    return WEND__UNLIKELY(wend__is_walker(version)) ? wend__walker_steps(version, cell, steps) : steps;
}
