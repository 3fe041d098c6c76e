/* SPDX-License-Identifier: MIT */
/* Leading an agent onto a newer path: random walks and paths on worlds of every kind, each step checked by the model,
 * and never more expensive than walking back to where both part. */
#include "motion/motion_support.h"
#include "models/few_or_many.h"
#include "motion/walk/points.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/geometry.h>

enum { CASES_A_WORLD = 40, OUT_CELLS = 3 * PATH_CELLS };

/* A step that the model allows, to any cell. False: there is none. */
static bool random_step(const world *w, oracle_random *random, int32_t mover, wend_cell from, wend_cell *out) {
    const int first = oracle_below(random, w->cells);
    for (int i = 0; i < w->cells; i++) {
        *out = world_cell(w, (first + i) % w->cells);
        if (!same_cell(*out, from) && model_step_cost(w, mover, from, *out) != UINT64_MAX) return true;
    }
    return false;
}

/* Goes on from cells[count - 1]; with `simple`, only to cells that are not on the way so far. Returns the new count. */
static size_t go_on(const world *w, oracle_random *random, int32_t mover, wend_cell *cells, size_t count, size_t most,
                    bool simple) {
    while (count < most && random_step(w, random, mover, cells[count - 1], &cells[count])) {
        bool crosses = false;
        for (size_t i = 0; i < count && simple; i++) crosses |= same_cell(cells[i], cells[count]);
        if (crosses) break;
        count++;
    }
    return count;
}

typedef struct example {
    const world *w;
    int32_t mover;
    wend_cell walked[PATH_CELLS], path[PATH_CELLS], out[OUT_CELLS];
    size_t walked_count, path_count, common, count;
} example;

static uint64_t cost_of(const example *e, const wend_cell *cells, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 1; i < count; i++) {
        const uint64_t cost = model_step_cost(e->w, e->mover, cells[i - 1], cells[i]);
        if (cost == UINT64_MAX) return UINT64_MAX;
        sum += cost;
    }
    return sum;
}

/* The cost of walking back to walked[to] and then along the path from path[to]. */
static uint64_t cost_back(const example *e, size_t to) {
    uint64_t sum = cost_of(e, e->path + to, e->path_count - to);
    for (size_t i = e->walked_count - 1; i > to; i--) {
        const uint64_t cost = model_step_cost(e->w, e->mover, e->walked[i], e->walked[i - 1]);
        if (cost == UINT64_MAX) return UINT64_MAX;
        sum += cost;
    }
    return sum;
}

static void make_example(example *e, oracle_random *random, bool simple) {
    const wend_cell start = e->walked[0];
    e->walked_count = go_on(e->w, random, e->mover, e->walked, 1, 1 + (size_t)oracle_below(random, 60), simple);
    e->common = 1 + (size_t)oracle_below(random, (int)e->walked_count);
    memcpy(e->path, e->walked, e->common * sizeof *e->path);
    e->path_count =
        go_on(e->w, random, e->mover, e->path, e->common, e->common + (size_t)oracle_below(random, 60), simple);
    cr_assert(same_cell(e->path[0], start));
}

static void check_joint(const example *e, bool simple) {
    cr_assert(same_cell(e->out[0], e->walked[e->walked_count - 1]));
    cr_assert(same_cell(e->out[e->count - 1], e->path[e->path_count - 1]));
    const uint64_t cost = cost_of(e, e->out, e->count), back = cost_back(e, e->common - 1);
    cr_assert_neq(cost, UINT64_MAX, "a step is not legal");
    if (simple) cr_assert_leq(cost, back);
}

/* Returns 1 where it saved something against walking back. */
static int try_example(example *e, const wend_map *map, oracle_random *random) {
    const bool simple = oracle_below(random, 4) > 0;
    make_example(e, random, simple);
    const wend_error error = wend__path_join(map, e->mover, e->walked, e->walked_count, e->path, e->path_count, e->out,
                                             OUT_CELLS, &e->count);
    if (error != WEND_OK) {
        cr_assert_eq(error, WEND_EMPTY);
        cr_assert_eq(cost_back(e, e->common - 1), UINT64_MAX, "it could have walked back");
        return 0;
    }
    check_joint(e, simple);
    wend_cell few[4];
    size_t count;
    few[3].x = -99;
    cr_assert_eq(wend__path_join(map, e->mover, e->walked, e->walked_count, e->path, e->path_count, few, 3, &count),
                 WEND_OK);
    cr_assert(count == e->count && few[3].x == -99);
    cr_assert_eq(memcmp(few, e->out, (count < 3 ? count : 3) * sizeof *few), 0);
    return cost_of(e, e->out, e->count) < cost_back(e, e->common - 1);
}

static void try_worlds(const world_options *options, uint64_t seed) {
    static world w;
    static example e;
    oracle_random random = {seed};
    int saved = 0;
    const int worlds = few_or_many(30, 120);
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        e.w = &w;
        for (int j = 0; j < CASES_A_WORLD; j++) {
            e.mover = oracle_below(&random, w.mover_count);
            if (random_path(&w, &random, e.mover, e.walked) > 0) saved += try_example(&e, map, &random);
        }
    }
    cr_assert_gt(saved, worlds, "%d", saved);
}

Test(join, random_ways_on_grids) {
    const world_options options = {WEND_KIND_GRID, true, false, false, true, false};
    try_worlds(&options, 1);
    const world_options all = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds(&all, 2);
}

Test(join, random_ways_in_space) {
    const world_options all = {WEND_KIND_VOXEL, true, true, true, true, true};
    try_worlds(&all, 3);
}

Test(join, random_ways_on_graphs) {
    const world_options all = {WEND_KIND_GRAPH, true, true, false, true, false};
    try_worlds(&all, 4);
}

/* ---- small ones ---- */

static const char *const wall[] = {
    ".........", //
    ".#######.", //
    ".........", //
    ".........",
};

static size_t join(const wend_map *map, const wend_cell *walked, size_t walked_count, const wend_cell *path,
                   size_t path_count, wend_cell *out) {
    size_t count;
    cr_assert_eq(wend__path_join(map, WEND_MOVER_DEFAULT, walked, walked_count, path, path_count, out, 64, &count),
                 WEND_OK);
    return count;
}

Test(join, an_agent_on_the_newer_path_follows_it) {
    OWNED_MAP *map = text_map(wall, 4);
    wend_cell path[9], out[64];
    for (int32_t i = 0; i < 9; i++) path[i] = cell_of(i, 0);
    cr_assert_eq(join(map, path, 4, path, 9, out), 6);
    cr_assert_eq(memcmp(out, path + 3, 6 * sizeof *out), 0);
    cr_assert_eq(join(map, path, 4, path, 3, out), 2, "the newer one is shorter: a step back");
    cr_assert(same_cell(out[0], path[3]) && same_cell(out[1], path[2]));
    cr_assert_eq(join(map, path, 1, path, 1, out), 1);
}

Test(join, behind_a_wall_it_walks_back_and_in_the_open_it_goes_across) {
    OWNED_MAP *map = text_map(wall, 4);
    const wend_cell walked[] = {{0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const wend_cell path[] = {{0, 1, 0}, {0, 2, 0}, {1, 2, 0}, {2, 2, 0}, {3, 2, 0}};
    const wend_cell back[] = {{2, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {1, 2, 0}, {2, 2, 0}, {3, 2, 0}};
    wend_cell out[64];
    cr_assert_eq(join(map, walked, 4, path, 5, out), 8);
    cr_assert_eq(memcmp(out, back, sizeof back), 0);
    for (int32_t x = 1; x < 8; x++) set_cell(map, cell_of(x, 1), 1);
    const wend_cell across[] = {{2, 0, 0}, {3, 1, 0}, {3, 2, 0}};
    cr_assert_eq(join(map, walked, 4, path, 5, out), 3);
    cr_assert_eq(memcmp(out, across, sizeof across), 0);
}

Test(join, refuses_bad_arguments) {
    OWNED_MAP *map = text_map(wall, 4);
    const wend_cell row[] = {{0, 0, 0}, {1, 0, 0}}, other[] = {{1, 0, 0}, {0, 0, 0}}, off[] = {{0, 0, 0}, {9, 0, 0}};
    wend_cell out[8];
    size_t count = 77;
    cr_assert_eq(wend__path_join(NULL, 0, row, 2, row, 2, out, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__path_join(map, 9, row, 2, row, 2, out, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__path_join(map, -1, row, 2, row, 2, out, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__path_join(map, 0, row, 0, row, 2, out, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__path_join(map, 0, NULL, 2, row, 2, out, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__path_join(map, 0, row, 2, row, 0, out, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__path_join(map, 0, row, 2, NULL, 2, out, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__path_join(map, 0, row, 2, row, 2, NULL, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__path_join(map, 0, row, 2, other, 2, out, 8, &count), WEND_BAD_ARGUMENT, "another start");
    cr_assert_eq(wend__path_join(map, 0, off, 2, row, 2, out, 8, &count), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend__path_join(map, 0, row, 2, off, 2, out, 8, &count), WEND_OUT_OF_RANGE);
    cr_assert_eq(count, 77);
    cr_assert_eq(wend__path_join(map, 0, row, 2, row, 2, NULL, 0, NULL), WEND_OK);
}
