/* SPDX-License-Identifier: MIT */
/* Which cells of a chunk are jump points, and their numbers: so that a search can keep its nodes side by side. */
#include "map/jump_tables.h"

enum { SIDE = WEND__CHUNK_SIDE };

#define NONE_4(n) (n), (n) + 1, (n) + 1, (n) + 2
#define NONE_16(n) NONE_4(n), NONE_4((n) + 1), NONE_4((n) + 1), NONE_4((n) + 2)
#define NONE_64(n) NONE_16(n), NONE_16((n) + 1), NONE_16((n) + 1), NONE_16((n) + 2)
const uint8_t wend__jump_bits[256] = {NONE_64(0), NONE_64(1), NONE_64(1), NONE_64(2)};

/* Is a cell open? Its neighbour's mask says. */
static bool is_open(const uint8_t *row, unsigned x) {
    return x > 0 ? row[x - 1] >> WEND__E & 1 : row[1] >> WEND__W & 1;
}

static void mark_row(wend__jump_points *points, const uint8_t *row, unsigned y) {
    for (unsigned x = 0; x < SIDE; x += 8) {
        unsigned bits = 0;
        for (unsigned i = 0; i < 8; i++) bits |= (unsigned)(wend__jump_point[row[x + i]] && is_open(row, x + i)) << i;
        points->cells[y << 3 | x >> 3] = (uint8_t)bits;
    }
}

/* Each half of the chunk is numbered from 0. */
static void number(wend__jump_points *points) {
    for (unsigned half = 0; half < 2; half++) {
        uint16_t count = 0;
        for (unsigned i = half * 256; i < half * 256 + 256; i++) {
            points->before[i] = count;
            count = (uint16_t)(count + wend__jump_bits[points->cells[i]]);
        }
        points->count[half] = count;
    }
}

void wend__jump_points_renew(wend__jump_points *points, const uint8_t *masks, uint64_t rows) {
    for (; rows; rows &= rows - 1) {
        unsigned y = wend__ctz64(rows);
        mark_row(points, masks + (y << WEND__CHUNK_SHIFT), y);
    }
    number(points);
}
