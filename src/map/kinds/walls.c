/* SPDX-License-Identifier: MIT */
/* Thin walls: pairs of closed steps, there and back, that separate two neighbours. */
#include "map/kinds/walls.h"
#include "map/store/directions.h"

/* Returns the cells of a row with a closed step in direction d, or a closed step back from the next cell, both in the
 * chunk. `next` is the row of those next cells. */
static uint64_t walled_row(const uint32_t *row, const uint32_t *next, unsigned d) {
    const int dx = wend__dx[d];
    uint64_t walls = 0;
    for (int x = dx < 0 ? 1 : 0; x < WEND__CHUNK_SIDE - (dx > 0); x++)
        walls |= (uint64_t)(row[x] >> d & next[x + dx] >> wend__opposite(d) & 1) << x;
    return walls;
}

uint64_t wend__walls_east(const wend__closed *closed, unsigned y) {
    const uint32_t *row = &closed->steps[y << WEND__CHUNK_SHIFT];
    return walled_row(row, row, WEND__E);
}

void wend__walls_of(const wend__closed *closed, bool diagonal, wend__walls *out) {
    memset(out, 0, sizeof *out);
    for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) {
        const uint32_t *row = &closed->steps[y << WEND__CHUNK_SHIFT], *next = row + WEND__CHUNK_SIDE;
        out->east[y] = walled_row(row, row, WEND__E);
        if (y + 1 == WEND__CHUNK_SIDE) continue;
        out->south[y] = walled_row(row, next, WEND__S);
        if (!diagonal) continue;
        out->south_east[y] = walled_row(row, next, WEND__SE);
        out->south_west[y] = walled_row(row, next, WEND__SW);
    }
}

uint32_t wend__closed_at(const wend__version *version, wend_cell cell) {
    const wend__place p = wend__place_of(version, cell);
    const wend__closed *closed = wend__version_chunk(version, p.column, p.row)->closed;
    return closed ? closed->steps[p.local] : 0;
}

bool wend__walled(const wend__version *version, int32_t x, int32_t y, unsigned d) {
    const wend_cell cell = {x, y, 0}, next = {x + wend__dx[d], y + wend__dy[d], 0};
    return wend__closed_at(version, cell) >> d & 1 && wend__closed_at(version, next) >> wend__opposite(d) & 1;
}
