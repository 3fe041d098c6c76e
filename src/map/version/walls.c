/* SPDX-License-Identifier: MIT */
/* Layers of walls: values that follow from the blocked cells of a version. Nothing is stored, so nothing can be stale:
 * a search computes them from its own version.
 *
 * Cells of 64 columns are bits of a word. A cell's distance is the number of dilations of the blocked cells that
 * reach it. */
#include "map/version/layers.h"

enum { SIDE = WEND__CHUNK_SIDE, MARGIN = 32, WINDOW_ROWS = SIDE + 2 * WEND_MAX_WITHIN };

_Static_assert(WEND_MAX_WITHIN < MARGIN, "a window holds all that matters to a chunk");

static uint64_t class_word(const wend__version *v, int32_t column, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, column, y >> WEND__CHUNK_SHIFT);
    const uint8_t *factors = v->rules.factors;
    uint64_t blocked = 0;
    if (chunk->bits) {
        const uint64_t row = chunk->bits->rows[y & 63];
        return (factors[chunk->bits->classes[0]] ? 0 : ~row) | (factors[chunk->bits->classes[1]] ? 0 : row);
    }
    if (!chunk->terrain) return factors[chunk->uniform] ? 0 : UINT64_MAX;
    const uint8_t *classes = &chunk->terrain->bytes[(y & 63) << WEND__CHUNK_SHIFT];
    for (unsigned x = 0; x < SIDE; x++) blocked |= (uint64_t)!factors[classes[x]] << x;
    return blocked;
}

/* Cells beyond the rim are blocked. */
static uint64_t blocked_word(const wend__version *v, int32_t column, int32_t y) {
    if (column < 0 || column >= v->chunk_columns) return UINT64_MAX;
    const unsigned extent = wend__chunk_extent(v->width, column);
    return class_word(v, column, y) | (extent < SIDE ? UINT64_MAX << extent : 0);
}

static int32_t wrapped(int32_t value, int32_t around) {
    const int32_t rest = value % around;
    return rest < 0 ? rest + around : rest;
}

/* Returns a word: bit i: the cell (x + i, y) is blocked, or beyond the rim. */
static uint64_t blocked_from(const wend__version *v, int32_t x, int32_t y) {
    if (v->around_y > 0) y = wrapped(y, v->around_y);
    if (y < 0 || y >= v->height) return UINT64_MAX;
    if (v->around_x > 0) {
        uint64_t blocked = 0;
        for (int32_t i = 0; i < SIDE; i++)
            blocked |= (uint64_t)!wend__version_factor(v, wrapped(x + i, v->around_x), y) << i;
        return blocked;
    }
    const int32_t shift = x & (SIDE - 1), column = (x - shift) / SIDE;
    const uint64_t first = blocked_word(v, column, y);
    return shift == 0 ? first : first >> shift | blocked_word(v, column + 1, y) << (SIDE - shift);
}

static uint8_t value_at(int32_t distance, int32_t within) {
    if (distance > within) return 0;
    return (uint8_t)(distance < 1 ? UINT8_MAX : UINT8_MAX * (within + 1 - distance) / within);
}

/* ---- a single cell ---- */

/* Returns how far the nearest bit is from the bits lowest to highest. */
static int32_t bits_apart(uint64_t bits, int32_t lowest, int32_t highest) {
    const uint64_t below = bits & ((UINT64_C(1) << lowest) - 1), above = bits >> highest >> 1;
    int32_t apart = SIDE;
    if (bits >> lowest << lowest & UINT64_MAX >> (SIDE - 1 - highest)) return 0;
    for (int32_t i = lowest - 1; below && i >= 0 && apart == SIDE; i--)
        if (below >> i & 1) apart = lowest - i;
    for (int32_t i = 0; above && i < apart - 1; i++)
        if (above >> i & 1) apart = i + 1;
    return apart;
}

/* A row that is `far` rows away has cells at that distance, and farther ones on both sides of these. */
uint8_t wend__walls_value(const wend__version *v, int32_t within, int32_t x, int32_t y) {
    const bool hex = wend__is_hex(v);
    int32_t least = within + 1;
    for (int32_t far = 0; far < least; far++)
        for (int32_t side = far > 0 ? -1 : 1; side <= 1; side += 2) {
            const uint64_t bits = blocked_from(v, x - MARGIN, y + side * far);
            const int32_t lowest = MARGIN - (hex && side < 0 ? 0 : far), highest = MARGIN + (hex && side > 0 ? 0 : far);
            const int32_t distance = far + bits_apart(bits, lowest, highest);
            if (distance < least) least = distance;
        }
    return value_at(least, within);
}

/* ---- a chunk ---- */

bool wend__walls_touch(const wend__version *v, int32_t column, int32_t row) {
    for (int32_t y = row - 1; y <= row + 1; y++)
        for (int32_t x = column - 1; x <= column + 1; x++) {
            if (!wend__on_table(v, x, y)) return true;
            if ((x + 1) * SIDE > v->width || (y + 1) * SIDE > v->height) return true;
            const wend__chunk *chunk = wend__version_chunk(v, x, y);
            if (chunk->bits || chunk->terrain || !v->rules.factors[chunk->uniform]) return true;
        }
    return false;
}

/* Rows of 128 columns: [0] has the lower 64. */
typedef uint64_t window_rows[WINDOW_ROWS][2];

static void widen_row(uint64_t row[2], bool left, bool right) {
    const uint64_t low = row[0], high = row[1];
    if (right) row[0] |= low << 1, row[1] |= high << 1 | low >> (SIDE - 1);
    if (left) row[0] |= low >> 1 | high << (SIDE - 1), row[1] |= high >> 1;
}

/* Adds the cells one step away: of 8 neighbours, or of the 6 of hexagons. */
static void dilate(window_rows rows, window_rows before, int32_t count, bool hex) {
    memcpy(before, rows, (size_t)count * sizeof *rows);
    for (int32_t y = 0; y < count; y++) {
        uint64_t *row = rows[y];
        widen_row(row, true, true);
        for (int32_t side = -1; side <= 1; side += 2) {
            if (y + side < 0 || y + side >= count) continue;
            uint64_t next[2] = {before[y + side][0], before[y + side][1]};
            widen_row(next, !hex || side < 0, !hex || side > 0);
            row[0] |= next[0], row[1] |= next[1];
        }
    }
}

/* Gives a value to the cells of the chunk without one. */
static void mark_rows(window_rows rows, uint64_t marked[SIDE], int32_t within, uint8_t value,
                      uint8_t values[WEND__CHUNK_CELLS]) {
    for (int32_t y = 0; y < SIDE; y++) {
        const uint64_t *row = rows[y + within];
        const uint64_t now = row[0] >> MARGIN | row[1] << MARGIN, found = now & ~marked[y];
        for (int32_t x = 0; x < SIDE && found >> x; x++)
            if (found >> x & 1) values[y * SIDE + x] = value;
        marked[y] = now;
    }
}

void wend__walls_fill(const wend__version *v, int32_t within, int32_t column, int32_t row,
                      uint8_t values[WEND__CHUNK_CELLS]) {
    window_rows rows, before;
    uint64_t marked[SIDE] = {0};
    const int32_t x = column * SIDE, y = row * SIDE, count = SIDE + 2 * within;
    for (int32_t i = 0; i < count; i++) {
        rows[i][0] = blocked_from(v, x - MARGIN, y - within + i);
        rows[i][1] = blocked_from(v, x - MARGIN + SIDE, y - within + i);
    }
    memset(values, 0, WEND__CHUNK_CELLS);
    mark_rows(rows, marked, within, UINT8_MAX, values);
    for (int32_t distance = 1; distance <= within; distance++) {
        dilate(rows, before, count, wend__is_hex(v));
        mark_rows(rows, marked, within, value_at(distance, within), values);
    }
}
