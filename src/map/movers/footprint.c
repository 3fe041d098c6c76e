/* SPDX-License-Identifier: MIT */
/* Factors of a mover of any size in a chunk: the maximum over sliding windows, axis by axis. */
#include "map/movers/footprint.h"
#include "map/store/terrain.h"

/* The layout of `cells`: a chunk and the cells beyond it that the mover can cover. */
typedef struct window {
    int32_t side, layers; ///< side and layers of a chunk
    size_t row, layer;    ///< distances from a row to the next, and from a layer to the next
} window;

static window frame_of(const wend__version *v) {
    if (v->kind == WEND_KIND_VOXEL) return (window){WEND__VOXEL_SIDE, WEND__VOXEL_SIDE, 32, 31 * 32};
    return (window){WEND__CHUNK_SIDE, 1, 80, 0};
}

void wend__footprint_init(wend__footprint *footprint, const wend__version *version, const wend_mover *mover) {
    footprint->version = version;
    footprint->size = mover->size;
    for (unsigned class = 0; class < 256; class++) footprint->lowered[class] = (uint8_t)(mover->factors[class] - 1);
}

unsigned wend__footprint_parts(const wend__footprint *footprint) {
    if (footprint->size == 1) return 1;
    return footprint->version->kind == WEND_KIND_VOXEL ? 8 : 4;
}

bool wend__footprint_part(const wend__version *v, int32_t column, int32_t row, unsigned k, int32_t sign, int32_t *c,
                          int32_t *r) {
    int32_t x = column + sign * (int32_t)(k & 1), y = row % v->chunk_y + sign * (int32_t)(k >> 1 & 1);
    int32_t z = row / v->chunk_y + sign * (int32_t)(k >> 2);
    *c = x, *r = z * v->chunk_y + y;
    return x >= 0 && y >= 0 && z >= 0 && x < v->chunk_columns && y < v->chunk_y && *r < v->chunk_rows;
}

/* ---- uniform chunks ---- */

/* Returns true if, along one axis, all cells that the mover can cover from this chunk are on the map. */
static bool inside(int32_t cells, int32_t chunk, int32_t side, int32_t size) {
    int64_t end = ((int64_t)chunk + 1) * side;
    return (end < cells ? end : cells) + size - 1 <= cells;
}

static bool all_inside(const wend__footprint *s, int32_t column, int32_t row) {
    const wend__version *v = s->version;
    if (s->size == 1) return true;
    window f = frame_of(v);
    return inside(v->width, column, f.side, s->size) && inside(v->height, row % v->chunk_y, f.side, s->size) &&
           (v->kind == WEND_KIND_GRID || inside(v->depth, row / v->chunk_y, f.side, s->size));
}

static bool uniform(const wend__chunk *chunk) {
    return !chunk->terrain && !chunk->bits;
}

bool wend__footprint_uniform(const wend__footprint *s, int32_t column, int32_t row, uint8_t *factor) {
    const wend__chunk *chunk = wend__version_chunk(s->version, column, row);
    if (!uniform(chunk)) return false;
    uint8_t lowered = s->lowered[chunk->uniform];
    *factor = (uint8_t)(lowered + 1);
    if (lowered == 255) return true;
    if (!all_inside(s, column, row)) return false;
    for (unsigned k = 1; k < wend__footprint_parts(s); k++) {
        int32_t c, r;
        if (!wend__footprint_part(s->version, column, row, k, 1, &c, &r)) return false;
        chunk = wend__version_chunk(s->version, c, r);
        if (!uniform(chunk) || s->lowered[chunk->uniform] != lowered) return false;
    }
    return true;
}

/* ---- the needed cells of a chunk ---- */

/* The part of a chunk in the window: how many cells from its first one on, and their position. */
typedef struct part {
    const wend__chunk *chunk;
    int32_t width, height, layers;
    size_t at;
    int32_t y, z; ///< position of its first cell in the window
} part;

/* Returns the number of cells along one axis: those on the map or, for a neighbour chunk, those that can be covered. */
static int32_t extent(int32_t cells, int32_t chunk, int32_t side, bool beside, int32_t size) {
    int32_t most = beside ? size - 1 : side;
    return wend__least(cells - chunk * side, most);
}

static bool part_of(const wend__footprint *s, const window *f, int32_t column, int32_t row, unsigned k, part *out) {
    const wend__version *v = s->version;
    int32_t c, r;
    if (!wend__footprint_part(v, column, row, k, 1, &c, &r)) return false;
    out->chunk = wend__version_chunk(v, c, r);
    out->width = extent(v->width, c, f->side, k & 1, s->size);
    out->height = extent(v->height, r % v->chunk_y, f->side, k >> 1 & 1, s->size);
    out->layers = f->layers == 1 ? 1 : extent(v->depth, r / v->chunk_y, f->side, k >> 2, s->size);
    out->y = k >> 1 & 1 ? f->side : 0;
    out->z = k >> 2 ? f->side : 0;
    out->at = (size_t)out->z * f->layer + (size_t)out->y * f->row + (k & 1 ? (size_t)f->side : 0);
    return true;
}

/* Returns the place in its chunk of the first cell of a row of a layer. */
static unsigned place(const window *f, int32_t y, int32_t z) {
    return f->layers == 1 ? (unsigned)y << 6 : (unsigned)z << 8 | (unsigned)y << 4;
}

/* ---- factors ---- */

/* Fills rows of the window from `begin` to before `end` along its slowest axis. */
static void load(wend__footprint *s, const window *f, const part *p, int32_t begin, int32_t end) {
    for (int32_t z = 0; z < p->layers; z++)
        for (int32_t y = 0; y < p->height; y++) {
            int32_t slow = f->layers == 1 ? p->y + y : p->z + z;
            if (slow < begin || slow >= end) continue;
            uint8_t classes[WEND__CHUNK_SIDE], *out = s->cells + p->at + (size_t)z * f->layer + (size_t)y * f->row;
            unsigned from = place(f, y, z);
            wend__chunk_row(p->chunk, from >> 6, classes);
            for (int32_t x = 0; x < p->width; x++) out[x] = s->lowered[classes[(from & 63) + (unsigned)x]];
        }
}

/* Returns the larger of each two bytes, eight at a time. */
static uint64_t larger_8(uint64_t a, uint64_t b) {
    const uint64_t high = UINT64_C(0x8080808080808080);
    uint64_t low = (a | high) - (b & ~high);              /* high bit: the low seven of a are not less */
    uint64_t more = ((a & ~b) | (~(a ^ b) & low)) & high; /* high bit: a is not less */
    uint64_t mask = (more - (more >> 7)) | more;
    return (a & mask) | (b & ~mask);
}

static void larger_ahead(uint8_t *cells, size_t count, size_t distance) {
    size_t i = 0;
    if (count <= distance) return;
    for (; i + 8 <= count - distance; i += 8) {
        uint64_t a, b;
        memcpy(&a, cells + i, 8);
        memcpy(&b, cells + i + distance, 8);
        a = larger_8(a, b);
        memcpy(cells + i, &a, 8);
    }
    for (; i < count - distance; i++)
        if (cells[i + distance] > cells[i]) cells[i] = cells[i + distance];
}

/* Sets each cell to the largest of `size` cells from itself on: the window doubles in each pass. At the end of a row it
   runs into the next row, whose results are not used. */
static void slide(uint8_t *cells, size_t count, size_t stride, int32_t size) {
    for (int32_t have = 1; have < size;) {
        int32_t more = wend__least(have, size - have);
        larger_ahead(cells, count, (size_t)more * stride);
        have += more;
    }
}

static void give(const wend__footprint *s, const window *f, int32_t begin, int32_t last, uint8_t *factors) {
    for (int32_t z = 0; z < f->layers; z++)
        for (int32_t y = 0; y < f->side; y++) {
            int32_t slow = f->layers == 1 ? y : z;
            if (slow < begin || slow > last) continue;
            const uint8_t *from = s->cells + (size_t)z * f->layer + (size_t)y * f->row;
            uint8_t *out = factors + place(f, y, z);
            for (int32_t x = 0; x < f->side; x++) out[x] = (uint8_t)(from[x] + 1);
        }
}

/* Computes the factors of a mover of size 1, as all are on graphs. */
static void stand_small(const wend__footprint *s, int32_t column, int32_t row, uint64_t rows, uint8_t *factors) {
    const wend__chunk *chunk = wend__version_chunk(s->version, column, row);
    unsigned width, height;
    wend__chunk_extents(s->version, column, row, &width, &height);
    for (; rows; rows &= rows - 1) {
        unsigned y = wend__ctz64(rows);
        uint8_t classes[WEND__CHUNK_SIDE], *out = factors + (y << 6);
        wend__chunk_row(chunk, y, classes);
        for (unsigned x = 0; x < WEND__CHUNK_SIDE; x++) out[x] = (uint8_t)(s->lowered[classes[x]] + 1);
        unsigned there = y < height ? width : 0;
        memset(out + there, 0, WEND__CHUNK_SIDE - there);
    }
}

void wend__footprint_factors(wend__footprint *s, int32_t column, int32_t row, uint64_t rows,
                             uint8_t factors[WEND__CHUNK_CELLS]) {
    if (s->size == 1) {
        stand_small(s, column, row, rows, factors);
        return;
    }
    window f = frame_of(s->version);
    unsigned shift = f.layers == 1 ? 0 : 2; /* four rows of 64 are a layer of voxels */
    int32_t first = (int32_t)wend__ctz64(rows) >> shift, last = 63;
    while (!(rows >> last & 1)) last--;
    last >>= shift;
    int32_t end = last + s->size, deep = f.layers == 1 ? 1 : 0;
    size_t slow = deep ? f.row : f.layer;
    uint8_t *cells = s->cells + (size_t)first * slow;
    size_t count = (size_t)(end - first) * slow;
    memset(cells, 255, count); /* cells off the map */
    for (unsigned k = 0; k < wend__footprint_parts(s); k++) {
        part p;
        if (part_of(s, &f, column, row, k, &p)) load(s, &f, &p, first, end);
    }
    slide(cells, count, 1, s->size);
    slide(cells, count, f.row, s->size);
    if (f.layers > 1) slide(cells, count, f.layer, s->size);
    give(s, &f, first, last, factors);
}

/* ---- closed steps ---- */

bool wend__footprint_any_closed(const wend__footprint *s, int32_t column, int32_t row) {
    for (unsigned k = 0; k < wend__footprint_parts(s); k++) {
        int32_t c, r;
        if (wend__footprint_part(s->version, column, row, k, 1, &c, &r) &&
            wend__version_chunk(s->version, c, r)->closed)
            return true;
    }
    return false;
}

static void load_closed(const window *f, const part *p, uint32_t *room) {
    for (int32_t z = 0; z < p->layers; z++)
        for (int32_t y = 0; y < p->height; y++)
            memcpy(room + p->at + (size_t)z * f->layer + (size_t)y * f->row, p->chunk->closed->steps + place(f, y, z),
                   (size_t)p->width * sizeof *room);
}

static void slide_closed(uint32_t *cells, size_t stride, int32_t size) {
    for (int32_t have = 1; have < size;) {
        int32_t more = wend__least(have, size - have);
        size_t distance = (size_t)more * stride;
        for (size_t i = 0; i + distance < WEND__FOOTPRINT_CELLS; i++) cells[i] |= cells[i + distance];
        have += more;
    }
}

void wend__footprint_closed(const wend__footprint *s, int32_t column, int32_t row, uint32_t *room,
                            uint32_t steps[WEND__CHUNK_CELLS]) {
    window f = frame_of(s->version);
    memset(room, 0, WEND__FOOTPRINT_CELLS * sizeof *room);
    for (unsigned k = 0; k < wend__footprint_parts(s); k++) {
        part p;
        if (part_of(s, &f, column, row, k, &p) && p.chunk->closed) load_closed(&f, &p, room);
    }
    slide_closed(room, 1, s->size);
    slide_closed(room, f.row, s->size);
    if (f.layers > 1) slide_closed(room, f.layer, s->size);
    for (int32_t z = 0; z < f.layers; z++)
        for (int32_t y = 0; y < f.side; y++)
            memcpy(steps + place(&f, y, z), room + (size_t)z * f.layer + (size_t)y * f.row,
                   (size_t)f.side * sizeof *steps);
}
