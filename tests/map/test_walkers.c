/* SPDX-License-Identifier: MIT */
/* Walkers: their places, their steps between levels, and edits. */
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/owned.h"
#include "models/worlds.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/query.h>

static wend_map *space_of(int32_t width, int32_t height, int32_t depth) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = width, def.height = height, def.depth = depth;
    return made_map(&def);
}

/* ---- sections: a map one cell deep, drawn from the side, top first: # blocked, . open, s stairs ---- */

static wend_map *map_of_section(const char *const *rows, int32_t count) {
    const int32_t width = (int32_t)strlen(rows[0]);
    wend_map *map = space_of(width, 1, count);
    wend_edit *edit = begin_edit(map);
    for (int32_t z = 0; z < count; z++)
        for (int32_t x = 0; x < width; x++) {
            const char c = rows[count - 1 - z][x];
            const uint8_t class = c == '#' ? WEND_CLASS_BLOCKED : c == 's' ? WEND_CLASS_STAIRS : WEND_CLASS_OPEN;
            cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){x, 0, z}, class), WEND_OK);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static int32_t add_walker(wend_map *map, int32_t step_up, int32_t drop, int32_t headroom) {
    wend_mover mover = default_mover();
    int32_t id;
    mover.walker = 1, mover.step_up = step_up, mover.drop = drop, mover.headroom = headroom;
    mover.factors[WEND_CLASS_STAIRS] = 1;
    cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
    return id;
}

static wend_cell side(int32_t x, int32_t z) {
    return (wend_cell){x, 0, z};
}

/* The cost of a step; -1: there is none. */
static int64_t step_cost(const wend_map *map, int32_t mover, wend_cell from, wend_cell to) {
    bool legal = false;
    uint64_t cost = 0;
    cr_assert_eq(wend_map_step_legal(map, mover, from, to, &legal, &cost), WEND_OK);
    return legal ? (int64_t)cost : -1;
}

static int is_stood_on(const wend_map *map, int32_t mover, wend_cell cell) {
    bool reachable = false;
    cr_assert_eq(wend_map_reachable(map, mover, cell, cell, &reachable), WEND_OK);
    return reachable;
}

Test(map_walkers, s28_stand_on_floors_with_headroom_and_on_stairs) {
    const char *const rows[] = {
        "......", //
        "...#.#", //
        "..s.#.", //
        "#..#..", //
    };
    OWNED_MAP *map = map_of_section(rows, 4);
    const int32_t tall = add_walker(map, 1, 1, 2), low = add_walker(map, 1, 1, 1);
    cr_assert(is_stood_on(map, tall, side(1, 0)) && is_stood_on(map, tall, side(2, 0)), "the bottom is a floor");
    cr_assert(is_stood_on(map, tall, side(0, 1)) && is_stood_on(map, tall, side(2, 1)), "a block, stairs");
    cr_assert(!is_stood_on(map, tall, side(1, 1)), "no floor");
    cr_assert(!is_stood_on(map, tall, side(4, 0)) && is_stood_on(map, low, side(4, 0)), "headroom");
    cr_assert(!is_stood_on(map, tall, side(3, 3)) && is_stood_on(map, low, side(3, 3)),
              "nothing is open above the map");
    cr_assert(!is_stood_on(map, low, side(3, 0)), "inside a block");
}

Test(map_walkers, s28_climb_and_drop_one_straight_step_a_level) {
    const char *const rows[] = {
        "......", //
        "......", //
        "......", //
        "..#...", //
        ".##...", //
    };
    OWNED_MAP *map = map_of_section(rows, 5);
    const int32_t walker = add_walker(map, 1, 2, 2), goat = add_walker(map, 2, 0, 2);
    cr_assert_eq(step_cost(map, walker, side(0, 0), side(1, 1)), 20);
    cr_assert_eq(step_cost(map, walker, side(1, 1), side(0, 0)), 20);
    cr_assert_eq(step_cost(map, walker, side(2, 2), side(3, 0)), 30, "a drop of two levels");
    cr_assert_eq(step_cost(map, walker, side(3, 0), side(2, 2)), -1, "it cannot climb back");
    cr_assert_eq(step_cost(map, goat, side(3, 0), side(2, 2)), 30);
    cr_assert_eq(step_cost(map, goat, side(2, 2), side(3, 0)), -1);
    cr_assert_eq(step_cost(map, walker, side(3, 0), side(4, 0)), 10);
    cr_assert_eq(step_cost(map, walker, side(0, 0), side(2, 2)), -1, "two cells away");
    bool reachable = false;
    cr_assert_eq(wend_map_reachable(map, walker, side(3, 0), side(2, 2), &reachable), WEND_OK);
    cr_assert(reachable, "a one-way step connects");
}

Test(map_walkers, s28_need_the_column_over_the_lower_cell) {
    const char *const rows[] = {
        ".....", //
        "#...#", //
        ".....", //
        ".....", //
        ".###.", //
    };
    OWNED_MAP *map = map_of_section(rows, 5);
    const int32_t small = add_walker(map, 1, 1, 2), tall = add_walker(map, 1, 1, 3);
    cr_assert_eq(step_cost(map, small, side(0, 0), side(1, 1)), 20);
    cr_assert_eq(step_cost(map, tall, side(1, 1), side(0, 0)), -1, "its head meets the beam");
    cr_assert_eq(step_cost(map, tall, side(0, 0), side(1, 1)), -1);
    cr_assert(is_stood_on(map, tall, side(0, 0)), "it fits under the beam");
    IN_BATCH(map, cr_assert_eq(wend_edit_set_cell(edit, side(0, 3), WEND_CLASS_OPEN), WEND_OK));
    cr_assert_eq(step_cost(map, tall, side(0, 0), side(1, 1)), 20, "the beam is gone, nothing else changed");
    cr_assert_eq(step_cost(map, tall, side(4, 0), side(3, 1)), -1);
}

Test(map_walkers, s28_go_straight_up_and_down_on_stairs) {
    const char *const rows[] = {
        "....", //
        "....", //
        ".s##", //
        "#s..", //
        "#s..", //
    };
    OWNED_MAP *map = map_of_section(rows, 5);
    const int32_t walker = add_walker(map, 1, 1, 1);
    cr_assert_eq(step_cost(map, walker, side(1, 0), side(1, 1)), 10);
    cr_assert_eq(step_cost(map, walker, side(1, 2), side(1, 1)), 10);
    cr_assert_eq(step_cost(map, walker, side(1, 2), side(1, 3)), -1, "no stairs any more");
    cr_assert_eq(step_cost(map, walker, side(1, 2), side(2, 3)), 20, "a step up from the last one");
    cr_assert_eq(step_cost(map, walker, side(1, 1), side(1, 3)), -1);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_step(edit, side(1, 0), side(1, 1), false), WEND_OK);
             cr_assert_eq(wend_edit_set_step(edit, side(1, 2), side(2, 3), false), WEND_OK));
    cr_assert_eq(step_cost(map, walker, side(1, 0), side(1, 1)), -1, "a closed step");
    cr_assert_eq(step_cost(map, walker, side(1, 1), side(1, 0)), 10);
    cr_assert_eq(step_cost(map, walker, side(1, 2), side(2, 3)), -1);
    cr_assert_eq(step_cost(map, walker, side(2, 3), side(1, 2)), 20);
}

/* ---- limits ---- */

static wend_error try_walker(wend_map *map, int32_t size, int32_t step_up, int32_t drop, int32_t headroom) {
    wend_mover mover = default_mover();
    int32_t id;
    mover.walker = 1, mover.size = size, mover.step_up = step_up, mover.drop = drop, mover.headroom = headroom;
    return wend_map_add_mover(map, &mover, &id);
}

Test(map_walkers, have_limits) {
    OWNED_MAP *map = space_of(3, 3, 40);
    cr_assert_eq(try_walker(map, 1, 0, 0, 1), WEND_OK);
    cr_assert_eq(try_walker(map, 1, WEND_MAX_LEVELS, WEND_MAX_LEVELS, WEND_MAX_HEADROOM), WEND_OK);
    cr_assert_eq(try_walker(map, 1, WEND_MAX_LEVELS + 1, 1, 2), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_walker(map, 1, -1, 1, 2), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_walker(map, 1, 1, WEND_MAX_LEVELS + 1, 2), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_walker(map, 1, 1, -1, 2), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_walker(map, 1, 1, 1, WEND_MAX_HEADROOM + 1), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_walker(map, 1, 1, 1, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(try_walker(map, 2, 1, 1, 2), WEND_BAD_ARGUMENT);
    wend_mover mover = default_mover();
    mover.walker = 2;
    cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_get_mover(map, 2, &mover), WEND_OK);
    cr_assert(mover.walker == 1 && mover.step_up == WEND_MAX_LEVELS && mover.headroom == WEND_MAX_HEADROOM);
    OWNED_MAP *flat = grid_map(3, 3);
    cr_assert_eq(try_walker(flat, 1, 1, 1, 2), WEND_BAD_ARGUMENT);
}

/* The longest climb and the greatest headroom, from one chunk into another and a third. */
Test(map_walkers, climb_as_high_as_the_limit) {
    const char *rows[64];
    for (int i = 0; i < 64; i++) rows[i] = i >= 64 - WEND_MAX_LEVELS ? ".#" : "..";
    OWNED_MAP *map = map_of_section(rows, 64);
    const int32_t most = add_walker(map, WEND_MAX_LEVELS, 0, WEND_MAX_HEADROOM),
                  less = add_walker(map, WEND_MAX_LEVELS - 1, 0, WEND_MAX_HEADROOM);
    cr_assert_eq(step_cost(map, most, side(0, 0), side(1, WEND_MAX_LEVELS)), 10 * (1 + WEND_MAX_LEVELS));
    cr_assert_eq(step_cost(map, less, side(0, 0), side(1, WEND_MAX_LEVELS)), -1);
    const int32_t last = WEND_MAX_LEVELS + WEND_MAX_HEADROOM - 1;
    for (int32_t z = last + 1; z >= last; z--) {
        IN_BATCH(map, cr_assert_eq(wend_edit_set_cell(edit, side(0, z), WEND_CLASS_BLOCKED), WEND_OK));
        cr_assert_eq(step_cost(map, most, side(0, 0), side(1, WEND_MAX_LEVELS)) >= 0, z > last);
    }
}

Test(map_walkers, go_without_jump_search_and_the_request_says_so) {
    OWNED_MAP *map = space_of(5, 5, 5);
    wend_request request = default_request();
    request.map = map, request.mover = add_walker(map, 1, 1, 2), request.goal = side(4, 0);
    const char *why = NULL;
    int32_t engine = -1;
    cr_assert_eq(wend_request_explain(&request, &engine, &why), WEND_OK);
    cr_assert(engine == WEND_ENGINE_ASTAR && strstr(why, "walker"));
}

/* ---- random worlds with edits ---- */

/* Components by the model: cells that a step or a link joins, whichever way it leads. */
static int root_of(int *parents, int i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
}

static void join_cells(const world *w, int mover, int *parents) {
    wend_request request = default_request();
    request.mover = mover;
    for (int i = 0; i < w->cells; i++) parents[i] = i;
    for (int i = 0; i < w->cells; i++) {
        const wend_cell from = world_cell(w, i);
        if (!world_factor(w, mover, from)) continue;
        for (int k = 0; k < 27 + 4 * w->depth + w->link_count; k++) {
            wend_cell to;
            if (k < 27 ? !world_neighbour(w, from, k, &to)
                       : k < 27 + 4 * w->depth && !world_level(w, from, k - 27, &to))
                continue;
            if (k >= 27 + 4 * w->depth) {
                const wend_link *link = &w->links[k - 27 - 4 * w->depth];
                if (!same_cell(link->from, from)) continue;
                to = link->to;
            }
            if (world_step(w, &request, from, to) == UINT64_MAX) continue;
            parents[root_of(parents, i)] = root_of(parents, world_number(w, to));
        }
    }
}

/* Each cell, pairs of cells near each other, and pairs anywhere. Where steps are closed, more counts as connected. */
static void check_world(const world *w, wend_map *map, int mover, oracle_random *random, int number) {
    static int parents[WORLD_CELLS];
    wend_request request = default_request();
    request.mover = mover;
    join_cells(w, mover, parents);
    for (int i = 0; i < w->cells; i++) {
        const wend_cell from = world_cell(w, i);
        const int factor = world_factor(w, mover, from);
        cr_assert_eq(is_stood_on(map, mover, from), factor > 0, "world %d, %d,%d,%d", number, from.x, from.y, from.z);
        const wend_cell other = world_cell(w, oracle_below(random, w->cells));
        bool reachable = false;
        cr_assert_eq(wend_map_reachable(map, mover, from, other, &reachable), WEND_OK);
        const bool joined =
            factor && world_factor(w, mover, other) && root_of(parents, i) == root_of(parents, world_number(w, other));
        const bool right = reachable == joined || (reachable && info_now(map).closed_steps > 0);
        cr_assert(right, "world %d, %d,%d,%d to %d,%d,%d", number, from.x, from.y, from.z, other.x, other.y, other.z);
        for (int k = 0; k < 4 && factor; k++) {
            const int levels = oracle_below(random, 2 * WEND_MAX_LEVELS + 3) - WEND_MAX_LEVELS - 1;
            const wend_cell to = {from.x + oracle_below(random, 3) - 1, from.y + oracle_below(random, 3) - 1,
                                  from.z + (k < 2 ? oracle_below(random, 3) - 1 : levels)};
            const bool on =
                to.x >= 0 && to.y >= 0 && to.z >= 0 && to.x < w->width && to.y < w->height && to.z < w->depth;
            if (!on || same_cell(from, to)) continue;
            const uint64_t step = world_step(w, &request, from, to);
            cr_assert_eq(step_cost(map, mover, from, to), step == UINT64_MAX ? -1 : (int64_t)step,
                         "world %d, %d,%d,%d to %d,%d,%d", number, from.x, from.y, from.z, to.x, to.y, to.z);
        }
    }
}

/* Change some cells of both. */
static void edit_both(world *w, wend_map *map, oracle_random *random) {
    static const uint8_t classes[] = {WEND_CLASS_BLOCKED, WEND_CLASS_BLOCKED, WEND_CLASS_OPEN, WEND_CLASS_OPEN, 3,
                                      WEND_CLASS_STAIRS};
    wend_edit *edit = begin_edit(map);
    for (int i = oracle_below(random, 6); i >= 0; i--) {
        const wend_cell cell = world_cell(w, oracle_below(random, w->cells));
        world_set_cell(w, edit, cell, classes[oracle_below(random, 6)]);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* A search, and its path. */
static void check_search(const world *w, wend_search *search, const wend_request *request, oracle_random *random,
                         wend_cell *cells, size_t *count) {
    const world_answer expected = world_ask(w, request);
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    while (wend_search_step(search, 1 + (uint64_t)oracle_below(random, 60), NULL) == WEND_STATUS_PENDING)
        ;
    const wend_completion got = result_now(search);
    cr_assert_eq(got.status, expected.status, "%s, not %s", wend_status_name(got.status),
                 wend_status_name(expected.status));
    cr_assert_eq(got.cost, expected.cost);
    if (expected.cost < 0) return;
    cr_assert_eq(wend_search_get_path(search, cells, WORLD_CELLS, count), WEND_OK);
    cr_assert_eq(world_walk(w, request, cells, *count), expected.cost);
}

/* A path is found, then the map is edited. */
static void check_path(world *w, wend_map *map, wend_search *search, oracle_random *random) {
    static wend_cell cells[WORLD_CELLS], goals[WORLD_GOALS];
    wend_request request = world_request(w, random, true, goals);
    size_t count;
    request.map = map;
    check_search(w, search, &request, random, cells, &count);
    edit_both(w, map, random);
}

Test(map_walkers, agree_with_the_model_in_random_worlds_with_edits) {
    static world w;
    const world_options options = {WEND_KIND_VOXEL, true, true, true, true, true};
    oracle_random random = {2027};
    wend_search_def def = default_search();
    def.nodes = 1 << 16;
    OWNED_SEARCH *search = made_search(&def);
    for (int i = 0, worlds = few_or_many(300, 10000); i < worlds; i++) {
        do world_fill(&w, &random, &options);
        while (w.mover_count < 2 || !w.movers[1].walker);
        OWNED_MAP *map = world_map(&w);
        for (int edit = 0; edit < 3; edit++) {
            for (int mover = 1; mover < w.mover_count; mover++) check_world(&w, map, mover, &random, i);
            check_path(&w, map, search, &random);
        }
    }
}

/* Water that a walker avoids is neither entered nor stood on, as it would be if it were only blocked for it. */
Test(map_walkers, do_not_stand_on_what_they_avoid) {
    const char *const rows[] = {
        ".....", //
        ".....", //
        "#~~~#", //
        "#~~~#", //
    };
    enum { WATER = 2 };
    const uint64_t avoided[4] = {1 << WATER};
    OWNED_MAP *map = map_of_section(rows, 4);
    wend_mover mover = default_mover();
    int32_t over, avoiding;
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){side(1, 0), side(3, 1)}, WATER), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    mover.walker = 1, mover.step_up = 1, mover.drop = 3, mover.headroom = 2;
    mover.factors[WATER] = 0;
    cr_assert_eq(wend_map_add_mover(map, &mover, &over), WEND_OK);
    cr_assert_eq(wend_map_mover_avoiding(map, over, avoided, &avoiding), WEND_OK);
    cr_assert_neq(avoiding, over);
    cr_assert(is_stood_on(map, over, side(2, 2)) && !is_stood_on(map, over, side(2, 0)));
    cr_assert(!is_stood_on(map, avoiding, side(2, 2)) && !is_stood_on(map, avoiding, side(2, 0)));
    cr_assert(is_stood_on(map, avoiding, side(0, 2)) && is_stood_on(map, avoiding, side(4, 2)), "the banks");
    cr_assert_eq(step_cost(map, over, side(0, 2), side(1, 2)), 10);
    cr_assert_eq(step_cost(map, avoiding, side(0, 2), side(1, 2)), -1);
}

/* ---- views after edits are those that are made anew ---- */

enum { ANEW_SIDE = 20, ANEW_DEPTH = 70, ANEW_CELLS = ANEW_SIDE * ANEW_SIDE * ANEW_DEPTH };

static wend_cell anew_cell(oracle_random *random) {
    return (wend_cell){oracle_below(random, ANEW_SIDE), oracle_below(random, ANEW_SIDE),
                       oracle_below(random, ANEW_DEPTH)};
}

/* Opens or blocks a box, flat, tall or of one cell. */
static void change_box(wend_edit *edit, oracle_random *random) {
    static const uint8_t classes[] = {WEND_CLASS_BLOCKED, WEND_CLASS_OPEN, WEND_CLASS_OPEN, WEND_CLASS_STAIRS};
    static const wend_cell sizes[] = {{1, 1, 1}, {6, 5, 1}, {2, 2, 40}, {1, 1, 18}};
    const wend_cell low = anew_cell(random), size = sizes[oracle_below(random, 4)];
    const wend_cell high = {low.x + size.x > ANEW_SIDE ? ANEW_SIDE - 1 : low.x + size.x - 1,
                            low.y + size.y > ANEW_SIDE ? ANEW_SIDE - 1 : low.y + size.y - 1,
                            low.z + size.z > ANEW_DEPTH ? ANEW_DEPTH - 1 : low.z + size.z - 1};
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){low, high}, classes[oracle_below(random, 4)]), WEND_OK);
}

/* Compares with a walker that the map's fork gets now. */
static void check_anew(wend_map *map, int32_t walker, oracle_random *random) {
    wend_map *fork;
    wend_mover mover;
    int32_t anew;
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    mover.struct_bytes = sizeof mover;
    cr_assert_eq(wend_map_get_mover(map, walker, &mover), WEND_OK);
    cr_assert_eq(wend_map_add_mover(fork, &mover, &anew), WEND_OK);
    for (int i = 0; i < ANEW_CELLS; i++) {
        const wend_cell cell = {i % ANEW_SIDE, i / ANEW_SIDE % ANEW_SIDE, i / ANEW_SIDE / ANEW_SIDE};
        const int stood = is_stood_on(map, walker, cell);
        cr_assert_eq(stood, is_stood_on(fork, anew, cell), "%d,%d,%d", cell.x, cell.y, cell.z);
        if (!stood) continue;
        const wend_cell far = anew_cell(random);
        bool now, then;
        for (int k = 0; k < 4; k++) {
            const int32_t levels[] = {mover.step_up, -mover.drop, 0, oracle_below(random, 3)}, z = cell.z + levels[k];
            const wend_cell to = {cell.x ? cell.x - 1 : 1, cell.y, z < 0 || z >= ANEW_DEPTH ? cell.z : z};
            cr_assert_eq(step_cost(map, walker, cell, to), step_cost(fork, anew, cell, to));
        }
        cr_assert_eq(wend_map_reachable(map, walker, cell, far, &now), WEND_OK);
        cr_assert_eq(wend_map_reachable(fork, anew, cell, far, &then), WEND_OK);
        cr_assert_eq(now, then, "%d,%d,%d to %d,%d,%d", cell.x, cell.y, cell.z, far.x, far.y, far.z);
    }
    wend_map_release(fork);
}

Test(map_walkers, see_an_edit_as_one_that_comes_later) {
    static const int32_t levels[][3] = {{1, 3, 2}, {0, 0, 1}, {15, 15, 16}, {2, 15, 3}, {4, 1, 12}};
    oracle_random random = {91};
    for (int i = 0, rounds = few_or_many(5, 200); i < rounds; i++) {
        OWNED_MAP *map = space_of(ANEW_SIDE, ANEW_SIDE, ANEW_DEPTH);
        const int32_t *most = levels[i % 5];
        wend_edit *edit = begin_edit(map);
        for (int k = 0; k < 150; k++) change_box(edit, &random);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        const int32_t walker = add_walker(map, most[0], most[1], most[2]);
        for (int batch = 0; batch < 12; batch++) {
            edit = begin_edit(map);
            for (int k = oracle_below(&random, 3); k >= 0; k--) change_box(edit, &random);
            cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
            check_anew(map, walker, &random);
        }
    }
}

/* A step up from each layer, which needs cells up to one that is blocked and opened, in the same chunk or the next two. */
Test(map_walkers, see_the_last_cell_that_a_step_needs) {
    static const int32_t most[][2] = {{1, 2}, {15, 16}, {3, 1}, {15, 1}};
    for (int i = 0; i < 4; i++)
        for (int32_t z = 0; z < 34; z++) {
            const int32_t up = most[i][0], last = z + up + most[i][1] - 1;
            OWNED_MAP *map = space_of(2, 1, ANEW_DEPTH);
            IN_BATCH(map, {
                cr_assert_eq(z == 0 ? WEND_OK : wend_edit_set_cell(edit, side(0, z - 1), WEND_CLASS_BLOCKED), WEND_OK);
                cr_assert_eq(wend_edit_set_cell(edit, side(1, z + up - 1), WEND_CLASS_BLOCKED), WEND_OK);
            });
            const int32_t walker = add_walker(map, up, 0, most[i][1]);
            for (int turn = 0; turn < 4; turn++) {
                const bool open = turn % 2 == 0;
                cr_assert_eq(step_cost(map, walker, side(0, z), side(1, z + up)) >= 0, open, "%d up from %d", up, z);
                IN_BATCH(map, cr_assert_eq(wend_edit_set_cell(edit, side(0, last), open ? 0 : 1), WEND_OK));
            }
        }
}
