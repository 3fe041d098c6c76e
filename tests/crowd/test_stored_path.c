/* SPDX-License-Identifier: MIT */
/* Paths in their arena, compared with plain lists of cells: steps are appended, put before the first one, taken and cut
 * off, and no block is lost. */
#include "agents/state/stored_path.h"
#include "map/version/map.h"
#include "models/defaults.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { SIDE = 64, PATHS = 4, BLOCKS = 14, MOST = 4000 };

/// A path, and the same cells in a list.
typedef struct both {
    wend__stored_path path;
    wend_cell cells[MOST];
    uint32_t steps;
} both;

typedef struct world {
    uint64_t random;
    wend__path_arena keep;
    both of[PATHS];
    uint32_t led, refused, before; ///< walks put before the path; refused; put into its first block
    uint32_t replaced;             ///< walks put before what was left
} world;

static uint32_t below(world *w, uint32_t end) {
    return draw(&w->random, end);
}

static wend_cell any_cell(world *w) {
    return (wend_cell){(int32_t)below(w, SIDE), (int32_t)below(w, SIDE), 0};
}

static int32_t inside(int32_t at) {
    return at < 0 ? 0 : at >= SIDE ? SIDE - 1 : at;
}

static wend_cell neighbour(world *w, wend_cell cell) {
    const wend_cell to = {inside(cell.x + (int32_t)below(w, 3) - 1), inside(cell.y + (int32_t)below(w, 3) - 1), 0};
    if (to.x != cell.x || to.y != cell.y) return to;
    return (wend_cell){cell.x > 0 ? cell.x - 1 : 1, cell.y, 0};
}

static void append(world *w, both *b) {
    const wend_cell last = b->cells[b->steps];
    const wend_cell to = below(w, 12) ? neighbour(w, last) : any_cell(w);
    if (b->steps + 1 == MOST || (to.x == last.x && to.y == last.y)) return;
    if (wend__stored_path_append(&w->keep, &b->path, last, to)) b->cells[++b->steps] = to;
}

/* Puts a walk before the path: its last cell is the first one of the path. */
static void lead(world *w, both *b) {
    const uint32_t steps = below(w, WEND__BLOCK_DIRECTIONS + 1);
    const bool bare = b->path.first == WEND__NO_PATH_BLOCK;
    const wend__stored_block *block = bare ? NULL : &w->keep.blocks[b->path.first];
    const uint32_t left = bare ? 0 : block->count - b->path.taken;
    const bool before = !bare && left + steps <= (block->wide ? WEND__BLOCK_CELLS : WEND__BLOCK_DIRECTIONS);
    const bool fits = bare || before || steps == 0 || w->keep.free_count > w->keep.bare;
    wend_cell cells[WEND__BLOCK_DIRECTIONS + 1];
    if (b->steps + steps >= MOST) return;
    cells[steps] = b->cells[0];
    for (uint32_t k = steps; k > 0; k--) cells[k - 1] = neighbour(w, cells[k]);
    cr_assert_eq(wend__stored_path_lead(&w->keep, &b->path, cells, steps), fits);
    w->led += fits && steps > 0, w->refused += !fits, w->before += before && steps > 0;
    if (!fits) return;
    memmove(b->cells + steps, b->cells, (b->steps + 1) * sizeof *cells);
    memcpy(b->cells, cells, steps * sizeof *cells);
    b->steps += steps;
}

static void pop(world *w, both *b) {
    if (b->steps == 0) return;
    wend__stored_path_pop(&w->keep, &b->path);
    memmove(b->cells, b->cells + 1, b->steps * sizeof *b->cells);
    b->steps--;
}

/* Takes steps, and puts others before those that are left, some of them leaps: there is room if there was before. */
static void replace(world *w, both *b) {
    const uint32_t taken = below(w, (b->steps < 40 ? b->steps : 40) + 1), steps = 1 + below(w, WEND__BLOCK_DIRECTIONS);
    wend_cell cells[WEND__BLOCK_DIRECTIONS + 1];
    if (b->steps + steps >= MOST) return;
    cells[steps] = b->cells[taken];
    for (uint32_t k = steps; k > 0; k--) {
        cells[k - 1] = below(w, 6) ? neighbour(w, cells[k]) : any_cell(w);
        if (cells[k - 1].x == cells[k].x && cells[k - 1].y == cells[k].y) cells[k - 1] = neighbour(w, cells[k]);
    }
    const bool room = wend__stored_path_has_room(&w->keep, &b->path, cells, steps);
    for (uint32_t k = 0; k < taken; k++) pop(w, b);
    if (!room) return;
    w->replaced++;
    cr_assert(wend__stored_path_lead(&w->keep, &b->path, cells, steps));
    memmove(b->cells + steps, b->cells, (b->steps + 1) * sizeof *cells);
    memcpy(b->cells, cells, steps * sizeof *cells);
    b->steps += steps;
}

static void cut(world *w, both *b) {
    const uint32_t steps = below(w, b->steps + 2);
    wend__stored_path_truncate(&w->keep, &b->path, steps);
    if (steps < b->steps) b->steps = steps;
}

static void compare(const world *w) {
    uint32_t blocks = 0, bare = 0;
    for (uint32_t i = 0; i < PATHS; i++) {
        const both *b = &w->of[i];
        wend__path_reader reader = wend__path_read(&w->keep, &b->path, b->cells[0]);
        cr_assert_eq(b->path.steps, b->steps);
        for (uint32_t k = 1; k <= b->steps; k++) {
            cr_assert(wend__path_reader_next(&reader));
            cr_assert(reader.cell.x == b->cells[k].x && reader.cell.y == b->cells[k].y, "step %u of %u", k, b->steps);
        }
        cr_assert(!wend__path_reader_next(&reader));
        for (uint32_t at = b->path.first; at != WEND__NO_PATH_BLOCK; at = w->keep.blocks[at].next) {
            blocks++;
            cr_assert(w->keep.blocks[at].next != WEND__NO_PATH_BLOCK || at == b->path.last);
        }
        bare += b->path.first == WEND__NO_PATH_BLOCK;
    }
    cr_assert_eq(blocks + w->keep.free_count, BLOCKS);
    cr_assert_eq(bare, w->keep.bare);
}

Test(stored_path, is_what_was_put_to_its_ends) {
    static void (*const all[])(world *, both *) = {append, append, append, lead, pop, pop, cut, replace};
    static world w;
    static wend__stored_block blocks[BLOCKS];
    wend_map *map = grid_map(SIDE, SIDE);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        w.random = seed;
        wend__path_arena_init(&w.keep, blocks, BLOCKS, PATHS, map);
        for (uint32_t i = 0; i < PATHS; i++) {
            w.of[i].path = wend__stored_path_none();
            w.of[i].steps = 0, w.of[i].cells[0] = any_cell(&w);
        }
        for (uint32_t n = 0; n < 400; n++) {
            both *b = &w.of[below(&w, PATHS)];
            void (*const act)(world *, both *) = all[below(&w, sizeof all / sizeof *all)];
            for (uint32_t k = 1 + below(&w, 40); k > 0; k--)
                if ((act != lead && act != replace) || k == 1) act(&w, b);
            compare(&w);
        }
    }
    cr_assert(w.led > 100 && w.refused > 20 && w.replaced > 100, "%u, %u, %u", w.led, w.refused, w.replaced);
    wend_map_release(map);
}
