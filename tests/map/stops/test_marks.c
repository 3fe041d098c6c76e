/* SPDX-License-Identifier: MIT */
/* Marks: every word after adding and removing marks, against a model with a byte a cell. */
#include "map/map_support.h"
#include "models/few_or_many.h"
#include "fast/stops/marks.h"
#include "map/store/directions.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { SIDE = WEND__BLOCK_SIDE, ACROSS = 1, DOWN = 2, DIAGONAL = 4 }; /* DIAGONAL << quadrant */

typedef struct world {
    wend__mark_block *block;
    wend__marks *chunks; /* all 256; `used` marks the chunks in the block */
    uint8_t (*axes)[WEND__CHUNK_CELLS];
} world;

static world world_create(void) {
    world w = {.block = calloc(1, sizeof *w.block)};
    w.chunks = aligned_alloc(64, WEND__BLOCK_CHUNKS * sizeof *w.chunks);
    w.axes = calloc(WEND__BLOCK_CHUNKS, sizeof *w.axes);
    memset(w.chunks, 0, WEND__BLOCK_CHUNKS * sizeof *w.chunks);
    return w;
}

static void world_free(world *w) {
    free(w->block);
    free(w->chunks);
    free(w->axes);
}

/* The axes of a set of directions, by offsets. */
static unsigned axes_of(unsigned directions) {
    unsigned axes = 0;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        if (!(directions >> d & 1)) continue;
        if (wend__dy[d] == 0) axes |= ACROSS;
        if (wend__dx[d] == 0) axes |= DOWN;
        for (unsigned k = 0; k < WEND__QUADRANTS; k++)
            if (wend__dx[d] == (k & 1 ? 1 : -1) && wend__dy[d] == (k & 2 ? 1 : -1)) axes |= (unsigned)DIAGONAL << k;
    }
    return axes;
}

static bool row_marked(const world *w, unsigned chunk, unsigned i, unsigned axis) {
    for (unsigned n = 0; n < 64; n++)
        if (w->axes[chunk][axis == ACROSS ? i << 6 | n : n << 6 | i] & axis) return true;
    return false;
}

static bool row_marked_ahead(const world *w, unsigned chunk, unsigned i, unsigned axis, unsigned k) {
    const int dx = axis == ACROSS ? (k & 1 ? 1 : -1) : 0, dy = axis == DOWN ? (k & 2 ? 1 : -1) : 0;
    int x = (int)(chunk % SIDE) + dx, y = (int)(chunk / SIDE) + dy;
    for (; x >= 0 && y >= 0 && x < SIDE && y < SIDE; x += dx, y += dy)
        if (row_marked(w, (unsigned)(y * SIDE + x), i, axis)) return true;
    return false;
}

static void check_cells(const world *w, unsigned chunk) {
    const wend__marks *marks = &w->chunks[chunk];
    for (unsigned cell = 0; cell < WEND__CHUNK_CELLS; cell++) {
        const unsigned x = cell & 63, y = cell >> 6, axes = w->axes[chunk][cell];
        cr_assert_eq(marks->across[y] >> x & 1, (axes & ACROSS) != 0);
        cr_assert_eq(marks->down[x] >> y & 1, (axes & DOWN) != 0);
        for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
            const unsigned p = k & 1 ? x : 63 - x, q = k & 2 ? y : 63 - y;
            cr_assert_eq(marks->diagonal[k][(p - q) & 63] >> p & 1, axes / DIAGONAL >> k & 1);
        }
        for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
            cr_assert_eq(wend__marked(marks, cell, d), (axes & axes_of(1u << d)) != 0);
    }
}

static void check_summaries(const world *w, unsigned chunk) {
    const wend__mark_block *block = w->block;
    for (unsigned i = 0; i < 64; i++) {
        const bool across = row_marked(w, chunk, i, ACROSS), down = row_marked(w, chunk, i, DOWN);
        cr_assert_eq(block->across[chunk / SIDE][i] >> chunk % SIDE & 1, across);
        cr_assert_eq(block->down[chunk % SIDE][i] >> chunk / SIDE & 1, down);
        for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
            const unsigned p = k & 1 ? i : 63 - i, q = k & 2 ? i : 63 - i;
            cr_assert_eq(w->chunks[chunk].here[WEND__MARKS_ACROSS][k] >> q & 1, across);
            cr_assert_eq(w->chunks[chunk].here[WEND__MARKS_DOWN][k] >> p & 1, down);
            cr_assert_eq(block->ahead[chunk][WEND__MARKS_ACROSS][k] >> q & 1, row_marked_ahead(w, chunk, i, ACROSS, k));
            cr_assert_eq(block->ahead[chunk][WEND__MARKS_DOWN][k] >> p & 1, row_marked_ahead(w, chunk, i, DOWN, k));
        }
    }
}

/* Only chunks of one row and one column change, so that all can be checked. */
static unsigned any_chunk(uint64_t *seed) {
    const unsigned n = draw(seed, SIDE);
    return draw(seed, 2) ? 5 * SIDE + n : n * SIDE + 9;
}

static void check_world(const world *w) {
    for (unsigned n = 0; n < SIDE; n++) {
        check_summaries(w, 5 * SIDE + n);
        check_summaries(w, n * SIDE + 9);
    }
}

/* Adds marks in `density` of ten calls, and removes them otherwise. */
static void change(world *w, uint64_t *seed, uint32_t density) {
    const unsigned chunk = any_chunk(seed), cell = draw(seed, 3) << 6 | draw(seed, 3), some = draw(seed, 256);
    const bool come = draw(seed, 10) < density;
    unsigned directions = 0;
    uint8_t *cell_axes = &w->axes[chunk][cell];
    w->block->chunks[chunk] = &w->chunks[chunk];
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
        if (some >> d & 1 && !(axes_of(1u << d) & *cell_axes) == come) directions |= 1u << d;
    wend__mark_block_flip(w->block, chunk, cell, directions);
    *cell_axes ^= (uint8_t)axes_of(directions);
}

Test(marks, are_what_a_model_says_after_changes) {
    for (uint32_t density = 1; density <= 7; density += 3) {
        OWNED(world_free) world w = world_create();
        uint64_t seed = density;
        for (int round = few_or_many(2, 40); round > 0; round--) {
            for (unsigned i = 0; i < 25; i++) change(&w, &seed, density);
            check_world(&w);
            check_cells(&w, any_chunk(&seed));
        }
    }
}

Test(marks, have_the_same_summaries_when_they_are_made_at_once) {
    OWNED(world_free) world w = world_create();
    uint64_t seed = 8;
    for (unsigned i = 0; i < 600; i++) {
        const unsigned chunk = draw(&seed, WEND__BLOCK_CHUNKS), cell = draw(&seed, 4096), directions = draw(&seed, 256);
        w.block->chunks[chunk] = &w.chunks[chunk];
        wend__mark_block_flip(w.block, chunk, cell, directions);
    }
    OWNED(world_free) world built = world_create();
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        if (!w.block->chunks[i]) continue;
        built.block->chunks[i] = &built.chunks[i];
        for (unsigned cell = 0; cell < WEND__CHUNK_CELLS; cell++)
            for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
                if (wend__marked(&w.chunks[i], cell, d)) wend__marks_add(&built.chunks[i], cell, 1u << d);
        cr_assert_arr_eq(&built.chunks[i], &w.chunks[i], sizeof w.chunks[i]);
    }
    wend__mark_block_sum(built.block);
    cr_assert_arr_eq(built.block->ahead, w.block->ahead, sizeof w.block->ahead);
    cr_assert_arr_eq(built.block->across, w.block->across, sizeof w.block->across);
    cr_assert_arr_eq(built.block->down, w.block->down, sizeof w.block->down);
}

Test(marks, say_which_chunks_are_special) {
    OWNED(world_free) world w = world_create();
    wend__mark_block_special(w.block, 3 * SIDE + 7, true);
    wend__mark_block_special(w.block, 3 * SIDE + 8, true);
    cr_assert_eq(w.block->special_rows[3], 1 << 7 | 1 << 8);
    cr_assert_eq(w.block->special_columns[8], 1 << 3);
    wend__mark_block_special(w.block, 3 * SIDE + 8, false);
    cr_assert_eq(w.block->special_rows[3], 1 << 7);
    cr_assert_eq(w.block->special_columns[8], 0);
}
