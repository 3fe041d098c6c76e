/* SPDX-License-Identifier: MIT */
/* Which cells of a chunk are jump points, and their numbers, so that a search can store its nodes densely. */
#include "map/jumps/jump_tables.h"
#include "map/jumps/jumps.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

enum { SIDE = WEND__CHUNK_SIDE, HALF = SIDE / 2 };

#define NONE_4(n) (n), (n) + 1, (n) + 1, (n) + 2
#define NONE_16(n) NONE_4(n), NONE_4((n) + 1), NONE_4((n) + 1), NONE_4((n) + 2)
#define NONE_64(n) NONE_16(n), NONE_16((n) + 1), NONE_16((n) + 1), NONE_16((n) + 2)
const uint8_t wend__jump_bits[256] = {NONE_64(0), NONE_64(1), NONE_64(1), NONE_64(2)};

/* Entered from an open cell behind, one of these two has no other shortest way to it. */
static uint64_t forced(const uint64_t *open, unsigned behind, unsigned a, unsigned behind_a, unsigned b,
                       unsigned behind_b) {
    return open[behind] & ((open[a] & ~open[behind_a]) | (open[b] & ~open[behind_b]));
}

/* The open cells of a row, as their neighbours know it, that are points in any direction. */
static uint64_t points_of(const uint64_t open[WEND__DIRECTIONS]) {
    uint64_t here = wend__open_cells(open[WEND__E], open[WEND__W]);
    return here & (forced(open, WEND__S, WEND__W, WEND__SW, WEND__E, WEND__SE) |
                   forced(open, WEND__W, WEND__N, WEND__NW, WEND__S, WEND__SW) |
                   forced(open, WEND__N, WEND__W, WEND__NW, WEND__E, WEND__NE) |
                   forced(open, WEND__E, WEND__N, WEND__NE, WEND__S, WEND__SE));
}

/* How many bits each byte of a word has. */
static uint64_t bits_of_bytes(uint64_t word) {
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    return (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
}

static uint64_t row_of(const wend__jump_points *points, unsigned y) {
    uint64_t row = 0;
    for (unsigned i = 0; i < 8; i++) row |= (uint64_t)points->cells[y << 3 | i] << 8 * i;
    return row;
}

/* Number the rows of a half from this one on; the product's bytes are the sums of all bytes up to each. */
static void number(wend__jump_points *points, unsigned first) {
    const unsigned half = first / HALF, end = (half + 1) * HALF;
    unsigned count = first % HALF ? points->before[first << 3] : 0;
    for (unsigned y = first; y < end; y++) {
        uint64_t sums = bits_of_bytes(row_of(points, y)) * UINT64_C(0x0101010101010101);
        for (unsigned i = 0; i < 8; i++)
            points->before[y << 3 | i] = (uint16_t)(count + (i ? sums >> 8 * (i - 1) & 255 : 0));
        count += (unsigned)(sums >> 56);
    }
    points->count[half] = (uint16_t)count;
}

static void mark_row(wend__jump_points *points, const uint64_t open[WEND__DIRECTIONS], unsigned y) {
    uint64_t row = points_of(open);
    for (unsigned i = 0; i < 8; i++) points->cells[y << 3 | i] = (uint8_t)(row >> 8 * i);
}

void wend__jump_points_fill(wend__jump_points *points, const wend__jump_planes *planes) {
    for (unsigned y = 0; y < SIDE; y++) {
        uint64_t open[WEND__DIRECTIONS];
        for (unsigned d = 0; d < WEND__DIRECTIONS; d++) open[d] = planes->open[d][y];
        mark_row(points, open, y);
    }
    number(points, 0);
    number(points, HALF);
}

void wend__jump_points_rebuild(wend__jump_points *points, const uint8_t *masks, uint64_t rows) {
    for (uint64_t left = rows; left; left &= left - 1) {
        unsigned y = wend__ctz64(left);
        uint64_t open[WEND__DIRECTIONS];
        wend__open_words(masks + (y << WEND__CHUNK_SHIFT), open);
        mark_row(points, open, y);
    }
    const uint64_t upper = wend__low_bits(HALF);
    if (rows & upper) number(points, wend__ctz64(rows));
    if (rows & ~upper) number(points, wend__ctz64(rows & ~upper));
}
