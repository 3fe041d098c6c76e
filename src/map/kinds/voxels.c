/* SPDX-License-Identifier: MIT */
/* Voxels: the open cells of a chunk, and its largest factor. */
#include "map/kinds/voxels.h"
#include "map/store/map_layout.h"
#include "map/store/planes.h"
#include "map/store/terrain.h"

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

void wend__voxels_turn_bits(wend__chunk *chunk, const uint8_t factors[256], wend__extent extent) {
    wend__bits *bits = (wend__bits *)chunk->bits;
    if (!bits || !factors[bits->classes[0]] == !factors[bits->classes[1]]) return;
    uint64_t turn = factors[bits->classes[0]] ? UINT64_MAX : 0;
    for (unsigned row = 0; row < WEND__CHUNK_SIDE; row++)
        bits->rows[row] = (bits->rows[row] ^ turn) & wend__voxels_on_map(&extent, row);
    uint8_t zero = bits->classes[turn ? 1 : 0], one = bits->classes[turn ? 0 : 1];
    bits->classes[0] = zero, bits->classes[1] = one;
}

/* ---- what follows from the terrain ---- */

typedef struct derived {
    uint64_t rows[WEND__CHUNK_SIDE]; ///< open and on the map
    uint64_t any, every;             ///< of those: bits of all rows together
    uint8_t max_factor;
} derived;

/* Rows of two classes: the largest factor is that of a class that is on the map. */
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

/* Open bits that are there already and say this: those of all maps, what the chunk has, or its terrain. NULL: none. */
static const wend__bits *known_open(const wend__chunk *chunk, const derived *d) {
    if (d->every == UINT64_MAX) return &wend__voxels_open;
    if (!d->any) return &wend__voxels_blocked;
    if (chunk->bits && memcmp(chunk->bits->rows, d->rows, sizeof d->rows) == 0) return chunk->bits;
    if (chunk->open && memcmp(chunk->open->rows, d->rows, sizeof d->rows) == 0) return chunk->open;
    return NULL;
}

/* A uniform chunk that the rim cuts looks like those beside it along the rim. Their terrain's bits are not lent: a
   batch may still write to them. */
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
    if (chunk->closed_near != (chunk->closed != NULL)) return false;
    if (uniform && factor == chunk->max_factor && chunk->open == (factor ? &wend__voxels_open : &wend__voxels_blocked))
        return true;
    derive(version, chunk, column, row, &d);
    return d.max_factor == chunk->max_factor && chunk->open && known_open(chunk, &d) == chunk->open;
}

wend_error wend__voxels_derive(const wend__version *version, wend__chunk *chunk, int32_t column, int32_t row) {
    wend_map *map = version->map;
    derived d;
    derive(version, chunk, column, row, &d);
    const wend__bits *open = known_open(chunk, &d);
    if (!open && !chunk->terrain && !chunk->bits) open = neighbours_open(version, column, row, &d);
    if (!open) {
        wend__bits *own = wend__bits_create(map);
        if (!own) return WEND_OUT_OF_MEMORY;
        own->classes[0] = WEND_CLASS_BLOCKED, own->classes[1] = WEND_CLASS_OPEN;
        memcpy(own->rows, d.rows, sizeof own->rows);
        wend__bits_release(map, chunk->open);
        chunk->open = own;
    } else if (open != chunk->open) {
        wend__bits_retain(map, open);
        wend__bits_release(map, chunk->open);
        chunk->open = open;
    }
    chunk->max_factor = d.max_factor;
    chunk->closed_near = chunk->closed != NULL;
    return WEND_OK;
}
