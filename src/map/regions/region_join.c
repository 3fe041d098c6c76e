/* SPDX-License-Identifier: MIT */
/* Uniting regions of voxels that touch: in a chunk, and across the face, edge or corner between two chunks. */
#include "map/regions/regions.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/store/union_find.h"

/* ---- where runs are ---- */

/* Not the first cells of rows. */
#define LATER UINT64_C(0xFFFEFFFEFFFEFFFE)

static inline uint64_t begins(const wend__chunk_regions *in_chunk, uint32_t word) {
    if (in_chunk->split) return in_chunk->split[word];
    uint64_t open = in_chunk->open->rows[word];
    return open & ~(open << 1 & LATER);
}

static inline uint32_t run_of(const wend__chunk_regions *in_chunk, uint32_t local) {
    uint64_t up_to = wend__low_bits((local & 63) + 1);
    return in_chunk->before[local >> 6] + wend__popcount64(begins(in_chunk, local >> 6) & up_to) - 1;
}

uint32_t wend__chunk_region_of(const wend__chunk_regions *in_chunk, uint32_t local) {
    if (!in_chunk->before) return 0;
    uint32_t run = run_of(in_chunk, local);
    return in_chunk->wide ? in_chunk->wide[run] : in_chunk->narrow[run];
}

static uint32_t number(const wend__side *side, uint32_t local) {
    return side->base + (side->by_run ? run_of(side->in_chunk, local) : wend__chunk_region_of(side->in_chunk, local));
}

/* 16 bits of a row of cells. */
static inline uint32_t row_bits(uint64_t word, uint32_t row) {
    return (uint32_t)(word >> ((row & 3) << 4)) & 0xFFFF;
}

static inline uint32_t open_row(const wend__chunk_regions *in_chunk, uint32_t row) {
    return row_bits(in_chunk->open->rows[row >> 2], row);
}

/* ---- one direction ---- */

typedef struct contact {
    uint32_t *parents;
    const wend__side *a, *b;
    const int8_t *offset;
    unsigned direction, opposite;
    int32_t dx;
    uint32_t last_a, last_b; ///< united just now
    wend__touching *found;
    uint32_t count;
} contact;

/* A step closed one way only still connects. */
static bool parted(const contact *c, uint32_t from, uint32_t to) {
    const wend__closed *there = c->a->in_chunk->closed, *back = c->b->in_chunk->closed;
    return there && back && there->steps[from] >> c->direction & 1 && back->steps[to] >> c->opposite & 1;
}

static uint32_t shifted(uint32_t bits, int32_t dx) {
    return dx > 0 ? bits >> 1 : dx < 0 ? bits << 1 & 0xFFFF : bits;
}

/* Cells of a row of a's that have an open neighbour in a row of b's. */
static uint32_t meeting_cells(const contact *c, uint32_t row_a, uint32_t row_b) {
    uint32_t in_a = open_row(c->a->in_chunk, row_a), in_b = open_row(c->b->in_chunk, row_b);
    if (c->offset[0] > 0) return in_b & 1 ? in_a & 0x8000 : 0;
    if (c->offset[0] < 0) return in_b & 0x8000 ? in_a & 1 : 0;
    uint32_t cells = in_a & shifted(in_b, c->dx);
    if (c->a->in_chunk->closed && c->b->in_chunk->closed) return cells;
    /* The first of adjacent cells that are the same in both is enough. */
    uint32_t begin = row_bits(begins(c->a->in_chunk, row_a >> 2), row_a);
    begin |= shifted(row_bits(begins(c->b->in_chunk, row_b >> 2), row_b), c->dx);
    return cells & (~(cells << 1) | begin);
}

static void unite_rows(contact *c, uint32_t row_a, uint32_t row_b) {
    for (uint32_t cells = meeting_cells(c, row_a, row_b); cells; cells &= cells - 1) {
        uint32_t x = wend__ctz32(cells), from = row_a << 4 | x, to = row_b << 4 | ((x + (uint32_t)c->dx) & 15);
        if (parted(c, from, to)) continue;
        uint32_t a = number(c->a, from), b = number(c->b, to);
        if (a == c->last_a && b == c->last_b) continue;
        c->last_a = a, c->last_b = b;
        if (wend__set_unite(c->parents, a, b) && c->found)
            c->found[c->count++] = (wend__touching){(uint16_t)(a - c->a->base), (uint16_t)(b - c->b->base)};
    }
}

/* Which coordinates of a's cells have a neighbour d away in the chunk that is `offset` away. */
static void range(int8_t offset, int8_t d, int32_t *from, int32_t *to) {
    *from = offset > 0 ? 15 : offset == 0 && d < 0 ? 1 : 0;
    *to = offset < 0 ? 0 : offset == 0 && d > 0 ? 14 : 15;
}

static bool leads_there(const int8_t offset[3], const int8_t step[3]) {
    for (unsigned axis = 0; axis < 3; axis++)
        if (offset[axis] && offset[axis] != step[axis]) return false;
    if (offset[0] || offset[1] || offset[2]) return true;
    /* In one chunk half of the directions do, and east is what runs are made of. */
    return step[2] > 0 || (step[2] == 0 && step[1] > 0);
}

uint32_t wend__sides_touch(uint32_t *parents, const wend__side *a, const wend__side *b, const int8_t offset[3],
                           unsigned directions, wend__touching *found) {
    contact c = {.parents = parents,
                 .a = a,
                 .b = b,
                 .offset = offset,
                 .last_a = UINT32_MAX,
                 .last_b = UINT32_MAX,
                 .found = found};
    for (unsigned d = 0; d < directions; d++) {
        const int8_t step[3] = {wend__sx[d], wend__sy[d], wend__sz[d]};
        if (!leads_there(offset, step)) continue;
        c.direction = d, c.dx = step[0];
        c.opposite = (unsigned)wend__space_direction(-step[0], -step[1], -step[2]);
        int32_t y0, y1, z0, z1;
        range(offset[1], step[1], &y0, &y1);
        range(offset[2], step[2], &z0, &z1);
        for (int32_t z = z0; z <= z1; z++)
            for (int32_t y = y0; y <= y1; y++)
                unite_rows(&c, (uint32_t)(z << 4 | y), (uint32_t)(((z + step[2]) & 15) << 4 | ((y + step[1]) & 15)));
    }
    return c.count;
}
