/* SPDX-License-Identifier: MIT */
/* Adds and removes marks of cells, and updates the summaries of chunks and blocks. */
#include "fast/stops/marks.h"
#include "map/store/directions.h"

enum { SIDE = WEND__BLOCK_SIDE };

/* Directions of each axis. */
enum { ACROSS = 1 << WEND__E | 1 << WEND__W, DOWN = 1 << WEND__N | 1 << WEND__S };
static const uint8_t diagonals[WEND__QUADRANTS] = {WEND__NW, WEND__NE, WEND__SW, WEND__SE};

/* ---- a chunk ---- */

/* Returns a cell's word and bit on a quadrant's diagonal. */
static uint64_t *diagonal_word(wend__marks *marks, unsigned k, unsigned cell, uint64_t *bit) {
    const unsigned p = (cell & 63) ^ wend__flip_x[k], q = cell >> 6 ^ wend__flip_y[k];
    *bit = UINT64_C(1) << p;
    return &marks->diagonal[k][(p - q) & 63];
}

static void put_diagonals(wend__marks *marks, unsigned cell, unsigned directions) {
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        uint64_t bit, *word = diagonal_word(marks, k, cell, &bit);
        if (directions >> diagonals[k] & 1) *word |= bit;
    }
}

static void clear_diagonals(wend__marks *marks, unsigned cell, unsigned directions) {
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        uint64_t bit, *word = diagonal_word(marks, k, cell, &bit);
        if (directions >> diagonals[k] & 1) *word &= ~bit;
    }
}

/* Adds or removes the mark of row (or column) i. */
static void put_here(wend__marks *marks, unsigned axis, unsigned i) {
    const uint8_t *flips = axis == WEND__MARKS_ACROSS ? wend__flip_y : wend__flip_x;
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) marks->here[axis][k] |= UINT64_C(1) << (i ^ flips[k]);
}

static void clear_here(wend__marks *marks, unsigned axis, unsigned i) {
    const uint8_t *flips = axis == WEND__MARKS_ACROSS ? wend__flip_y : wend__flip_x;
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) marks->here[axis][k] &= ~(UINT64_C(1) << (i ^ flips[k]));
}

void wend__marks_add(wend__marks *marks, unsigned cell, unsigned directions) {
    WEND__DEBUG_ASSERT(cell < WEND__CHUNK_CELLS && directions <= UINT8_MAX);
    const unsigned x = cell & 63, y = cell >> 6;
    if (directions & ACROSS) {
        marks->across[y] |= UINT64_C(1) << x;
        put_here(marks, WEND__MARKS_ACROSS, y);
    }
    if (directions & DOWN) {
        marks->down[x] |= UINT64_C(1) << y;
        put_here(marks, WEND__MARKS_DOWN, x);
    }
    if (directions >> WEND__NE) put_diagonals(marks, cell, directions);
}

void wend__marks_clear(wend__marks *marks, unsigned cell) {
    const unsigned x = cell & 63, y = cell >> 6;
    marks->across[y] &= ~(UINT64_C(1) << x);
    marks->down[x] &= ~(UINT64_C(1) << y);
    if (!marks->across[y]) clear_here(marks, WEND__MARKS_ACROSS, y);
    if (!marks->down[x]) clear_here(marks, WEND__MARKS_DOWN, x);
    clear_diagonals(marks, cell, UINT8_MAX);
}

/* ---- the summaries of a block ---- */

/* Chunks of one row (or column) of chunks: index of the first in `ahead`, and the distance to the next. */
typedef struct line {
    uint64_t (*first)[WEND__MARKS_AXES][WEND__QUADRANTS];
    unsigned stride, axis;
} line;

static line line_of(wend__mark_block *block, unsigned axis, unsigned chunk) {
    const bool across = axis == WEND__MARKS_ACROSS;
    const unsigned first = across ? chunk & ~(SIDE - 1u) : chunk % SIDE;
    return (line){&block->ahead[first], across ? 1 : SIDE, axis};
}

/* Gives chunks from..to of a line the bit, or takes it from them, in the quadrants that look forward (or back). */
static void fill(const line *l, unsigned from, unsigned to, unsigned i, bool forward, bool value) {
    WEND__DEBUG_ASSERT(to <= SIDE && i < WEND__CHUNK_SIDE);
    static const uint8_t looking[WEND__MARKS_AXES][2][2] = {
        {{WEND__QUADRANT_NW, WEND__QUADRANT_SW}, {WEND__QUADRANT_NE, WEND__QUADRANT_SE}},
        {{WEND__QUADRANT_NW, WEND__QUADRANT_NE}, {WEND__QUADRANT_SW, WEND__QUADRANT_SE}}};
    const uint8_t *flips = l->axis == WEND__MARKS_ACROSS ? wend__flip_y : wend__flip_x;
    const unsigned a = looking[l->axis][forward][0], b = looking[l->axis][forward][1];
    const uint64_t bit_a = UINT64_C(1) << (i ^ flips[a]), bit_b = UINT64_C(1) << (i ^ flips[b]);
    for (unsigned n = from; n < to; n++) {
        uint64_t *words = l->first[(size_t)n * l->stride][l->axis];
        words[a] = value ? words[a] | bit_a : words[a] & ~bit_a;
        words[b] = value ? words[b] | bit_b : words[b] & ~bit_b;
    }
}

/* Updates the summaries when chunk n of a line has its first mark in row (or column) i, or lost its last; `others` are
 * the line's other chunks with one. A chunk sees a mark ahead if the farthest one is: only some between two change. */
static void change_ahead(const line *l, unsigned n, unsigned others, unsigned i, bool value) {
    const unsigned last = others ? wend__top64(others) : 0, first = others ? wend__ctz32(others) : SIDE - 1;
    fill(l, last, n, i, true, value); /* chunks before n have it ahead */
    fill(l, n + 1, first + 1, i, false, value);
}

static void change_line(wend__mark_block *block, unsigned axis, unsigned chunk, unsigned i, bool value) {
    const unsigned column = chunk % SIDE, row = chunk / SIDE;
    const bool across = axis == WEND__MARKS_ACROSS;
    const unsigned n = across ? column : row;
    uint16_t *bits = across ? &block->across[row][i] : &block->down[column][i];
    const unsigned others = *bits & ~(1u << n);
    const line l = line_of(block, axis, chunk);
    *bits = (uint16_t)(others | (unsigned)value << n);
    change_ahead(&l, n, others, i, value);
}

/* The farthest chunk comes first: a chunk's `ahead` is the sum of those before it. */
static void sum_line(wend__mark_block *block, unsigned axis, unsigned chunk) {
    const line l = line_of(block, axis, chunk);
    const uint8_t *sides = axis == WEND__MARKS_ACROSS ? wend__quadrant_h : wend__quadrant_v;
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        const bool forward = sides[k] == WEND__E || sides[k] == WEND__S;
        uint64_t seen = 0;
        for (unsigned i = 0; i < SIDE; i++) {
            const size_t at = (size_t)(forward ? SIDE - 1 - i : i) * l.stride;
            const wend__marks *marks = block->chunks[(size_t)(l.first - block->ahead) + at];
            l.first[at][axis][k] = seen;
            if (marks) seen |= marks->here[axis][k];
        }
    }
}

void wend__mark_block_sum(wend__mark_block *block) {
    memset(block->across, 0, sizeof block->across);
    memset(block->down, 0, sizeof block->down);
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__marks *marks = block->chunks[i];
        if (!marks) continue;
        uint64_t rows = marks->here[WEND__MARKS_ACROSS][WEND__QUADRANT_SE];
        uint64_t columns = marks->here[WEND__MARKS_DOWN][WEND__QUADRANT_SE]; /* the quadrant's frame is the chunk's */
        for (; rows; rows &= rows - 1) block->across[i / SIDE][wend__ctz64(rows)] |= (uint16_t)(1u << i % SIDE);
        for (; columns; columns &= columns - 1)
            block->down[i % SIDE][wend__ctz64(columns)] |= (uint16_t)(1u << i / SIDE);
    }
    for (unsigned i = 0; i < SIDE; i++) {
        sum_line(block, WEND__MARKS_ACROSS, i * SIDE);
        sum_line(block, WEND__MARKS_DOWN, i);
    }
}

void wend__mark_block_change(wend__mark_block *block, unsigned chunk, const wend__marks *before,
                             const wend__marks *now) {
    for (unsigned axis = 0; axis < WEND__MARKS_AXES; axis++) { /* the frame of south-east is the chunk's */
        const uint64_t was = before ? before->here[axis][WEND__QUADRANT_SE] : 0;
        const uint64_t is = now ? now->here[axis][WEND__QUADRANT_SE] : 0;
        for (uint64_t left = was ^ is; left; left &= left - 1) {
            const unsigned i = wend__ctz64(left);
            change_line(block, axis, chunk, i, is >> i & 1);
        }
    }
}

/* ---- a cell of a block ---- */

/* Changes a bit of the word of row (or column) i, and the summaries if that is its first mark or was its last. */
static inline void flip_in_line(wend__mark_block *block, unsigned chunk, unsigned axis, unsigned i, uint64_t *word,
                                unsigned at) {
    wend__marks *marks = (wend__marks *)block->chunks[chunk];
    const uint64_t before = *word;
    *word ^= UINT64_C(1) << at;
    if (before > 0 && *word > 0) return;
    if (before == 0)
        put_here(marks, axis, i);
    else
        clear_here(marks, axis, i);
    change_line(block, axis, chunk, i, before == 0);
}

void wend__mark_block_flip(wend__mark_block *block, unsigned chunk, unsigned cell, unsigned directions) {
    WEND__DEBUG_ASSERT(chunk < WEND__BLOCK_CHUNKS && block->chunks[chunk]);
    wend__marks *marks = (wend__marks *)block->chunks[chunk];
    const unsigned x = cell & 63, y = cell >> 6;
    if (directions & ACROSS) flip_in_line(block, chunk, WEND__MARKS_ACROSS, y, &marks->across[y], x);
    if (directions & DOWN) flip_in_line(block, chunk, WEND__MARKS_DOWN, x, &marks->down[x], y);
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        uint64_t bit, *word = diagonal_word(marks, k, cell, &bit);
        *word ^= bit & (0u - (uint64_t)(directions >> diagonals[k] & 1));
    }
}

void wend__mark_block_special(wend__mark_block *block, unsigned chunk, bool special) {
    WEND__DEBUG_ASSERT(chunk < WEND__BLOCK_CHUNKS);
    const unsigned column = chunk % SIDE, row = chunk / SIDE;
    block->special_rows[row] = (uint16_t)((block->special_rows[row] & ~(1u << column)) | (unsigned)special << column);
    block->special_columns[column] =
        (uint16_t)((block->special_columns[column] & ~(1u << row)) | (unsigned)special << row);
    block->any_rows = (uint16_t)((block->any_rows & ~(1u << row)) | (unsigned)(block->special_rows[row] != 0) << row);
    block->any_columns =
        (uint16_t)((block->any_columns & ~(1u << column)) | (unsigned)(block->special_columns[column] != 0) << column);
}
