/* SPDX-License-Identifier: MIT */
/* Floods of one chunk. On even ground successors are pruned by direction (Harabor and Grastien 2011). */
#include "fast/far/far_flood.h"
#include "map/store/directions.h"
#include "map/store/terrain.h"

enum { SIDE = WEND__CHUNK_SIDE, LAST = SIDE - 1, EVEN_BUCKETS = 64, NO_PUSH = UINT16_MAX };

/* By direction: to the next cell of a chunk. */
static const int32_t offsets[WEND__DIRECTIONS] = {-SIDE, 1, SIDE, -1, 1 - SIDE, 1 + SIDE, SIDE - 1, -SIDE - 1};

/* Straight on, or diagonal and both parts of the diagonal; and to the side, with the diagonal ahead of it, where the
 * cell behind that side is blocked. A diagonal k lies between straight k - 4 and the next. */
static void find_worth(uint8_t worth[8][256]) {
    for (unsigned legal = 0; legal < 256; legal++)
        for (unsigned d = 0; d < 4; d++) {
            unsigned right = (d + 1) & 3, left = (d + 3) & 3, steps = 1u << d;
            if ((legal >> right & 1) && !(legal >> (4 + right) & 1)) steps |= 1u << right | 16u << d;
            if ((legal >> left & 1) && !(legal >> (4 + ((left + 3) & 3)) & 1)) steps |= 1u << left | 16u << left;
            worth[d][legal] = (uint8_t)(steps & legal);
            worth[4 + d][legal] = (uint8_t)((16u << d | 1u << d | 1u << right) & legal);
        }
}

void wend__far_flood_init(wend__far_flood *flood, const wend__far *far) {
    if (flood->diagonal == far->diagonal) return;
    flood->diagonal = far->diagonal;
    find_worth(flood->worth);
    memset(flood->bucket, 0xFF, sizeof flood->bucket);
}

bool wend__far_is_mixed(const wend__version *view, int32_t column, int32_t row) {
    const wend__chunk *chunk = wend__version_chunk(view, column, row);
    return chunk->max_factor > 1 || chunk->closed;
}

/* The steps that stay in the chunk. */
static uint8_t inside(unsigned x, unsigned y) {
    enum { N = 1 << WEND__N | 1 << WEND__NE | 1 << WEND__NW, S = 1 << WEND__S | 1 << WEND__SE | 1 << WEND__SW };
    enum { E = 1 << WEND__E | 1 << WEND__NE | 1 << WEND__SE, W = 1 << WEND__W | 1 << WEND__NW | 1 << WEND__SW };
    const unsigned out = (y == 0 ? N : 0u) | (y == LAST ? S : 0u) | (x == LAST ? E : 0u) | (x == 0 ? W : 0u);
    return (uint8_t)~out;
}

void wend__far_flood_read(wend__far_flood *flood, const wend__version *view, int32_t column, int32_t row) {
    const wend__chunk *chunk = wend__version_chunk(view, column, row);
    const unsigned width = wend__chunk_extent(view->width, column), height = wend__chunk_extent(view->height, row);
    flood->mixed = wend__far_is_mixed(view, column, row);
    flood->full =
        !flood->mixed && !chunk->terrain && !chunk->bits && chunk->max_factor == 1 && width == SIDE && height == SIDE;
    for (unsigned cell = 0; cell < WEND__CHUNK_CELLS; cell++) flood->steps[cell] = wend__chunk_steps(view, chunk, cell);
    for (unsigned i = 0; i < SIDE; i++) {
        const unsigned rim[4] = {i, LAST << 6 | i, i << 6, i << 6 | LAST};
        for (unsigned k = 0; k < 4; k++) flood->steps[rim[k]] &= inside(rim[k] & LAST, rim[k] >> 6);
    }
    if (!flood->mixed) return;
    wend__chunk_expand(chunk, width, height, flood->factors);
    for (unsigned cell = 0; cell < WEND__CHUNK_CELLS; cell++)
        flood->factors[cell] =
            (cell & LAST) < width && cell >> 6 < height ? view->rules.factors[flood->factors[cell]] : 0;
}

static void push(wend__far_flood *f, uint32_t buckets, uint32_t *count, uint32_t cell, uint32_t distance) {
    WEND__DEBUG_ASSERT(*count < sizeof f->push / sizeof *f->push && cell < WEND__CHUNK_CELLS);
    uint16_t *bucket = &f->bucket[distance & (buckets - 1)];
    f->push[*count].cell = (uint16_t)cell;
    f->push[*count].next = *bucket;
    *bucket = (uint16_t)(*count)++;
}

/* Returns the steps to consider from a cell at its distance. Backwards, these lead into the cell. */
WEND__INLINE uint32_t steps_from(const wend__far_flood *f, uint32_t cell, bool mixed, bool backwards) {
    uint32_t steps = f->steps[cell];
    if (!mixed) {
        uint32_t some = 0;
        for (uint32_t e = f->entered[cell]; e > 0; e &= e - 1) some |= f->worth[wend__ctz32(e)][steps];
        return f->distance[cell] == 0 ? steps : some;
    }
    if (!backwards) return steps;
    uint32_t into = 0;
    for (uint32_t in = inside(cell & LAST, cell >> 6); in > 0; in &= in - 1) {
        const unsigned d = wend__ctz32(in);
        const uint32_t from = (uint32_t)((int32_t)cell + offsets[d]);
        if (f->steps[from] >> wend__opposite(d) & 1) into |= 1u << d;
    }
    return into;
}

/* `mixed`, `backwards`: constants. Each legal step is pushed once at most. All cells, or all `targets`, are reached. */
WEND__INLINE void flood_by(wend__far_flood *f, uint32_t start, const uint32_t *targets, uint32_t target_count,
                           bool mixed, bool backwards) {
    const uint32_t buckets = mixed ? WEND__FAR_BUCKETS : EVEN_BUCKETS;
    uint32_t count = 0, done = 0;
    memset(f->distance, 0xFF, sizeof f->distance);
    f->distance[start] = 0;
    f->entered[start] = 0;
    push(f, buckets, &count, start, 0);
    for (uint32_t distance = 0; done < count; distance++) {
        while (targets && target_count > 0 && f->distance[targets[target_count - 1]] <= distance) target_count--;
        if (targets && target_count == 0) {
            memset(f->bucket, 0xFF, buckets * sizeof f->bucket[0]);
            break;
        }
        uint16_t *bucket = &f->bucket[distance & (buckets - 1)];
        uint32_t next = *bucket;
        *bucket = NO_PUSH;
        for (; next != NO_PUSH; next = f->push[next].next, done++) {
            const uint32_t cell = f->push[next].cell;
            if (f->distance[cell] != distance) continue;
            for (uint32_t steps = steps_from(f, cell, mixed, backwards); steps > 0; steps &= steps - 1) {
                const unsigned d = wend__ctz32(steps);
                const uint32_t to = (uint32_t)((int32_t)cell + offsets[d]);
                const uint32_t factor = mixed ? f->factors[backwards ? cell : to] : 1;
                const uint32_t there = distance + (d < WEND__NE ? WEND__FAR_STRAIGHT : f->diagonal) * factor;
                if (there > f->distance[to]) continue;
                if (there == f->distance[to]) {
                    f->entered[to] |= (uint8_t)(1u << d);
                    continue;
                }
                f->distance[to] = there;
                f->entered[to] = (uint8_t)(1u << d);
                push(f, buckets, &count, to, there);
            }
        }
    }
    f->pushed = count;
}

void wend__far_flood_run(wend__far_flood *flood, uint32_t cell, bool backwards) {
    if (!flood->mixed)
        flood_by(flood, cell, NULL, 0, false, false);
    else if (backwards)
        flood_by(flood, cell, NULL, 0, true, true);
    else
        flood_by(flood, cell, NULL, 0, true, false);
}

void wend__far_flood_reach(wend__far_flood *flood, uint32_t cell, const uint32_t *targets, uint32_t count) {
    WEND__DEBUG_ASSERT(!flood->mixed);
    flood_by(flood, cell, targets, count, false, false);
}
