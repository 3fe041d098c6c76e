/* SPDX-License-Identifier: MIT */
/* The words of a chunk by rows: the bits of its masks, the steps that lead to jump points, the ends of runs; and how
 * these differ from those before a change. */
#include "fast/tables/jump_tables.h"
#include "map/store/terrain.h"

enum { SIDE = WEND__CHUNK_SIDE, LAST = SIDE - 1 };

/* ---- bits by rows ---- */

static uint64_t bits_of_row(const uint8_t *masks, unsigned d) {
    uint64_t word = 0;
    for (unsigned x = 0; x < SIDE; x += 8) {
        uint64_t bytes = 0;
        for (unsigned i = 0; i < 8; i++) bytes |= (uint64_t)masks[x + i] << 8 * i;
        word |= ((bytes >> d & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << x;
    }
    return word;
}

/* Derives the open words of a row from the middle one: the neighbour in the east of a cell is the middle one of the
 * next. For the first cell, and the last one, the masks are used. */
static uint64_t shifted_west(const uint8_t *masks, uint64_t middle, unsigned d) {
    return middle << 1 | (masks[0] >> d & 1);
}

static uint64_t shifted_east(const uint8_t *masks, uint64_t middle, unsigned d) {
    return middle >> 1 | (uint64_t)(masks[LAST] >> d & 1) << LAST;
}

/* Returns the cells with an open neighbour in the west, from those with one in the east. */
static uint64_t open_west(const uint8_t *masks, uint64_t open_east) {
    const unsigned first = (unsigned)(masks[1] >> WEND__W & 1) << 1 | (unsigned)(masks[0] >> WEND__W & 1);
    return open_east << 2 | first;
}

/* Computes, for each direction, the cells of a row with an open neighbour there. */
static void open_words(const uint8_t *masks, uint64_t open[WEND__DIRECTIONS]) {
    open[WEND__E] = bits_of_row(masks, WEND__E);
    open[WEND__W] = open_west(masks, open[WEND__E]);
    open[WEND__N] = bits_of_row(masks, WEND__N);
    open[WEND__NE] = shifted_east(masks, open[WEND__N], WEND__NE);
    open[WEND__NW] = shifted_west(masks, open[WEND__N], WEND__NW);
    open[WEND__S] = bits_of_row(masks, WEND__S);
    open[WEND__SE] = shifted_east(masks, open[WEND__S], WEND__SE);
    open[WEND__SW] = shifted_west(masks, open[WEND__S], WEND__SW);
}

/* The same for all rows: the word for the north of a row is the middle word of the row above. */
WEND__INLINE void open_planes(const uint8_t *masks, uint64_t open[WEND__DIRECTIONS][SIDE]) {
    static const uint8_t middle[3] = {WEND__W, WEND__N, WEND__E}, north[3] = {WEND__NW, WEND__N, WEND__NE},
                         south[3] = {WEND__SW, WEND__S, WEND__SE};
    uint64_t rows[3][SIDE], first[WEND__DIRECTIONS], last[WEND__DIRECTIONS];
    for (unsigned y = 0; y < SIDE; y++) {
        const uint8_t *row = masks + (y << WEND__CHUNK_SHIFT);
        rows[2][y] = bits_of_row(row, WEND__E);
        rows[0][y] = open_west(row, rows[2][y]);
        rows[1][y] = wend__open_cells(rows[2][y], rows[0][y]);
    }
    open_words(masks, first);
    open_words(masks + (LAST << WEND__CHUNK_SHIFT), last);
    for (unsigned i = 0; i < 3; i++) {
        memcpy(&open[north[i]][1], rows[i], LAST * sizeof rows[i][0]);
        memcpy(open[south[i]], &rows[i][1], LAST * sizeof rows[i][0]);
        open[north[i]][0] = first[north[i]];
        open[south[i]][LAST] = last[south[i]];
        if (middle[i] != WEND__N) memcpy(open[middle[i]], rows[i], sizeof rows[i]);
    }
}

/* ---- words of a chunk ---- */

/* Where steps lead: the same as wend__jump_class, 64 cells at a time. */
WEND__INLINE void step_words(wend__jump_planes *planes) {
    static const uint8_t sides[4][4] = {{WEND__W, WEND__NW, WEND__E, WEND__NE},
                                        {WEND__N, WEND__NE, WEND__S, WEND__SE},
                                        {WEND__W, WEND__SW, WEND__E, WEND__SE},
                                        {WEND__N, WEND__NW, WEND__S, WEND__SW}};
    static const uint8_t diagonals[WEND__QUADRANTS] = {WEND__NW, WEND__NE, WEND__SW, WEND__SE};
    for (unsigned d = 0; d < 4; d++) {
        const uint64_t *here = planes->open[d], *a = planes->open[sides[d][0]], *next_a = planes->open[sides[d][1]];
        const uint64_t *b = planes->open[sides[d][2]], *next_b = planes->open[sides[d][3]];
        for (unsigned y = 0; y < SIDE; y++) {
            const uint64_t corner = (~a[y] & next_a[y]) | (~b[y] & next_b[y]);
            planes->point[d][y] = here[y] & corner;
            planes->pass[d][y] = here[y] & ~corner;
        }
    }
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        const uint64_t *diagonal = planes->open[diagonals[k]];
        const uint64_t *h = planes->open[wend__quadrant_h[k]], *v = planes->open[wend__quadrant_v[k]];
        for (unsigned y = 0; y < SIDE; y++) planes->legal[k][y] = diagonal[y] & h[y] & v[y];
    }
}

/* Returns the cells with a run to the border: the cells behind the last wall or jump point. */
WEND__INLINE uint64_t rim_east(uint64_t pass) {
    const uint64_t stops = ~pass << 1; /* without the border cell, one up */
    return stops ? ~(UINT64_MAX >> 1 >> (63 - wend__top64(stops))) | UINT64_C(1) << LAST : UINT64_MAX;
}

WEND__INLINE uint64_t rim_west(uint64_t pass) {
    const uint64_t stops = ~pass & ~UINT64_C(1);
    return (stops & (0 - stops)) - 1;
}

WEND__INLINE uint64_t any_east(uint64_t point, uint64_t pass) {
    const uint64_t inside = ~(UINT64_C(1) << LAST);
    return wend__carry_west(point & inside, pass & inside);
}

WEND__INLINE uint64_t any_west(uint64_t point, uint64_t pass) {
    const uint64_t inside = ~UINT64_C(1);
    return wend__carry_east(point & inside, pass & inside);
}

WEND__INLINE void end_words(wend__jump_planes *planes) {
    for (unsigned y = 0; y < SIDE; y++)
        planes->any[WEND__E][y] = any_east(planes->point[WEND__E][y], planes->pass[WEND__E][y]);
    for (unsigned y = 0; y < SIDE; y++)
        planes->any[WEND__W][y] = any_west(planes->point[WEND__W][y], planes->pass[WEND__W][y]);
    for (unsigned y = 0; y < SIDE; y++) {
        planes->rim[WEND__E][y] = rim_east(planes->pass[WEND__E][y]);
        planes->rim[WEND__W][y] = rim_west(planes->pass[WEND__W][y]);
    }
    for (unsigned d = 0; d < 4; d += 2) {
        unsigned border = d == WEND__S ? LAST : 0, back = d == WEND__S ? SIDE - 1 : 1; /* modulo 64 */
        planes->any[d][border] = 0;
        planes->rim[d][border] = UINT64_MAX;
        for (unsigned i = 1, y = border; i < SIDE; i++) {
            unsigned before = (y + back) & LAST;
            planes->any[d][before] = planes->point[d][before] | (planes->pass[d][before] & planes->any[d][y]);
            planes->rim[d][before] = planes->pass[d][before] & planes->rim[d][y];
            y = before;
        }
    }
}

WEND__CLONED void wend__jump_planes_of(const uint8_t *masks, wend__jump_planes *planes) {
    open_planes(masks, planes->open);
    step_words(planes);
    end_words(planes);
}

/* ---- differences from before ---- */

/* Computes open_words() of a row from the words of the row and its neighbours, if both exist. */
static void open_row_words(const uint8_t *was, unsigned y, const uint64_t east[SIDE], const uint64_t west[SIDE],
                           uint64_t open[WEND__DIRECTIONS]) {
    if (y == 0 || y == LAST) {
        open_words(was + (y << WEND__CHUNK_SHIFT), open);
        return;
    }
    open[WEND__E] = east[y], open[WEND__W] = west[y];
    open[WEND__N] = wend__open_cells(east[y - 1], west[y - 1]), open[WEND__NE] = east[y - 1];
    open[WEND__NW] = west[y - 1];
    open[WEND__S] = wend__open_cells(east[y + 1], west[y + 1]), open[WEND__SE] = east[y + 1];
    open[WEND__SW] = west[y + 1];
}

static void corner_words(const uint64_t open[WEND__DIRECTIONS], uint64_t corners[4]) {
    corners[WEND__N] = (~open[WEND__W] & open[WEND__NW]) | (~open[WEND__E] & open[WEND__NE]);
    corners[WEND__E] = (~open[WEND__N] & open[WEND__NE]) | (~open[WEND__S] & open[WEND__SE]);
    corners[WEND__S] = (~open[WEND__W] & open[WEND__SW]) | (~open[WEND__E] & open[WEND__SE]);
    corners[WEND__W] = (~open[WEND__N] & open[WEND__NW]) | (~open[WEND__S] & open[WEND__SW]);
}

/* Updates vertical runs: from the first changed row on, up to the row after which nothing differs. */
static void differ_along(const wend__jump_planes *now, unsigned d, const uint64_t point[SIDE],
                         const uint64_t pass[SIDE], uint64_t rows, wend__jump_differences *out) {
    const bool south = d == WEND__S;
    unsigned first = south ? LAST - wend__top64(rows) : wend__ctz64(rows); /* rows count from the border */
    const unsigned last = south ? LAST - wend__ctz64(rows) : wend__top64(rows), flip = south ? LAST : 0;
    if (first == 0) first = 1; /* the words of the border are constants */
    uint64_t any = now->any[d][(first - 1) ^ flip], rim = now->rim[d][(first - 1) ^ flip];
    for (unsigned i = first; i < SIDE; i++) {
        const unsigned y = i ^ flip;
        any = point[y] | (pass[y] & any), rim = pass[y] & rim;
        out->any[d][y] = any ^ now->any[d][y], out->rim[d][y] = rim ^ now->rim[d][y];
        const uint64_t other = out->any[d][y] | out->rim[d][y];
        out->rows[d] |= (uint64_t)(other != 0) << y;
        if (!other && i > last) return;
    }
}

WEND__CLONED void wend__jump_differ(const uint8_t *was, uint64_t rows, const wend__jump_planes *now,
                                    wend__jump_differences *out) {
    uint64_t east[SIDE], west[SIDE], point[4][SIDE], pass[4][SIDE];
    memset(out, 0, sizeof *out);
    memcpy(east, now->open[WEND__E], sizeof east);
    memcpy(west, now->open[WEND__W], sizeof west);
    for (unsigned d = 0; d < 4; d += 2) {
        memcpy(point[d], now->point[d], sizeof point[d]);
        memcpy(pass[d], now->pass[d], sizeof pass[d]);
    }
    for (uint64_t left = rows; left; left &= left - 1) {
        const unsigned y = wend__ctz64(left);
        east[y] = bits_of_row(was + (y << WEND__CHUNK_SHIFT), WEND__E);
        west[y] = open_west(was + (y << WEND__CHUNK_SHIFT), east[y]);
    }
    for (uint64_t left = rows; left; left &= left - 1) {
        static const uint8_t diagonals[WEND__QUADRANTS] = {WEND__NW, WEND__NE, WEND__SW, WEND__SE};
        const unsigned y = wend__ctz64(left);
        uint64_t open[WEND__DIRECTIONS], corners[4];
        open_row_words(was, y, east, west, open);
        corner_words(open, corners);
        for (unsigned d = 0; d < 4; d++) {
            point[d][y] = open[d] & corners[d], pass[d][y] = open[d] & ~corners[d];
            out->pass[d][y] = pass[d][y] ^ now->pass[d][y];
        }
        for (unsigned k = 0; k < WEND__QUADRANTS; k++)
            out->legal[k][y] =
                now->legal[k][y] ^ (open[diagonals[k]] & open[wend__quadrant_h[k]] & open[wend__quadrant_v[k]]);
        out->any[WEND__E][y] = now->any[WEND__E][y] ^ any_east(point[WEND__E][y], pass[WEND__E][y]);
        out->any[WEND__W][y] = now->any[WEND__W][y] ^ any_west(point[WEND__W][y], pass[WEND__W][y]);
        out->rim[WEND__E][y] = now->rim[WEND__E][y] ^ rim_east(pass[WEND__E][y]);
        out->rim[WEND__W][y] = now->rim[WEND__W][y] ^ rim_west(pass[WEND__W][y]);
    }
    out->changed = out->rows[WEND__E] = out->rows[WEND__W] = rows;
    differ_along(now, WEND__N, point[WEND__N], pass[WEND__N], rows, out);
    differ_along(now, WEND__S, point[WEND__S], pass[WEND__S], rows, out);
}
