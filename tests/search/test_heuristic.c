/* SPDX-License-Identifier: MIT */
/* The estimate of the general engine: never more than the cost of the way, consistent, with links
 * counted; and the promised quality where a request allows less than the best. */
#include "search/engines.h"
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/kept.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/units.h>

static const world_options grids = {WEND_KIND_GRID, true, true, true, true, false};
static const world_options voxels = {WEND_KIND_VOXEL, true, true, true, true, false};
static const world_options graphs = {WEND_KIND_GRAPH, true, true, false, true, false};

enum { MANY_LINKS = 48 };

/* ---- estimates ---- */

/* More than 16 links, so that they are estimated by groups, in every second world. */
static void add_links(world *w, oracle_random *random) {
    for (int tries = 0; tries < 100 && w->link_count < MANY_LINKS; tries++) {
        wend_link link = {world_cell(w, oracle_below(random, w->cells)), world_cell(w, oracle_below(random, w->cells)),
                          1 + oracle_below(random, 100), 0};
        if (world_find_link(w, link.from, link.to) == w->link_count) world_put_link(w, NULL, link);
    }
}

/* Checks that a step lowers the estimate by no more than its cost; rounded roots may add 1. */
static void check_step(const world *w, const wend_request *request, const wend__heuristic *aim, wend_cell from,
                       wend_cell to) {
    const uint64_t step = world_step(w, request, from, to), slack = aim->kind != WEND_HEURISTIC_EXACT || aim->graph;
    if (step == UINT64_MAX) return;
    const uint64_t before = wend__heuristic_estimate(aim, from), after = wend__heuristic_estimate(aim, to);
    cr_assert_leq(before, step + after + slack, "kind %d, %d links: %llu, then %llu for %llu", w->kind, w->link_count,
                  (unsigned long long)before, (unsigned long long)after, (unsigned long long)step);
}

static void check_cell(const world *w, const wend_request *request, const wend__heuristic *aim, wend_cell cell) {
    wend_request from_here = *request;
    from_here.start = cell;
    const world_answer answer = world_ask(w, &from_here);
    const uint64_t estimate = wend__heuristic_estimate(aim, cell);
    cr_assert_eq(wend__heuristic_quick(aim, cell), estimate);
    if (answer.cost >= 0)
        cr_assert_leq(estimate, (uint64_t)answer.cost, "kind %d, %d links, reach %d, %u goals, heuristic %d", w->kind,
                      w->link_count, request->reach, read_options(request).more_goal_count + 1,
                      read_options(request).heuristic);
    if (w->kind == WEND_KIND_GRAPH) {
        for (int i = 0; i < w->edge_count; i++)
            if ((int)w->edges[i].from == cell.x)
                check_step(w, request, aim, cell, (wend_cell){(int32_t)w->edges[i].to, 0, 0});
    } else {
        wend_cell to;
        for (int i = 0; i < 27; i++)
            if (world_neighbour(w, cell, i, &to)) check_step(w, request, aim, cell, to);
    }
    for (int i = 0; i < w->link_count; i++)
        if (world_number(w, w->links[i].from) == world_number(w, cell))
            check_step(w, request, aim, cell, w->links[i].to);
}

/* With as many goals as may be, links and goals are too many to be estimated one by one. */
static void add_goals(const world *w, oracle_random *random, wend_request *request, wend_cell *goals) {
    options_of(request)->more_goal_count = WEND_MAX_GOALS - 1;
    options_of(request)->more_goals = goals;
    for (int i = 0; i < WEND_MAX_GOALS - 1; i++) goals[i] = world_cell(w, oracle_below(random, 1 + w->cells / 4));
}

/* Steps cost less than when the links were added, or more; and other classes cost something else. */
static void change_rules(world *w, wend_map *map, oracle_random *random) {
    wend_map_rules *rules = &w->rules;
    rules->cost_straight = 1 + oracle_below(random, 2 * rules->cost_straight);
    rules->cost_diagonal = rules->cost_straight + oracle_below(random, rules->cost_straight + 1);
    rules->cost_space = rules->cost_diagonal;
    rules->factors[2 + oracle_below(random, 4)] = (uint8_t)oracle_below(random, 6);
    memcpy(w->movers[0].factors, rules->factors, sizeof rules->factors);
    cr_assert_eq(wend_map_set_rules(map, rules), WEND_OK);
}

static void try_estimates(const world_options *options, int worlds, uint64_t seed) {
    static world w;
    static wend__heuristic aim;
    oracle_random random = {seed};
    for (int i = 0; i < worlds; i++) {
        wend_cell goals[WEND_MAX_GOALS];
        world_fill(&w, &random, options);
        if (i % 2) add_links(&w, &random);
        OWNED_MAP *map = world_map(&w);
        if (i % 3 == 0) change_rules(&w, map, &random);
        wend__version *version = wend__map_acquire(map, true);
        wend_request request = world_request(&w, &random, true, goals);
        request.map = map, request.mode = WEND_MODE_EXACT;
        if (i % 4 == 3) add_goals(&w, &random, &request, goals);
        wend__heuristic_set(&aim, version, KEPT(&request));
        for (int cell = 0; cell < w.cells; cell++)
            if (world_factor(&w, request.mover, world_cell(&w, cell)) > 0)
                check_cell(&w, &request, &aim, world_cell(&w, cell));
        wend__map_release(version, true);
    }
}

Test(heuristic, never_says_too_much_on_grids) {
    try_estimates(&grids, few_or_many(30, 200), 21);
}

Test(heuristic, never_says_too_much_in_space) {
    try_estimates(&voxels, few_or_many(15, 200), 22);
}

Test(heuristic, never_says_too_much_on_graphs) {
    try_estimates(&graphs, few_or_many(100, 200), 23);
}

/* ---- promises ---- */

static void try_bounds(const world_options *options, int worlds, uint64_t seed) {
    static world w;
    const int32_t weights[] = {1000, 1001, 1500, 4000, WEND_WEIGHT_MAX_MILLI};
    oracle_random random = {seed};
    wend_search_def def = default_search();
    def.nodes = 1 << 16;
    OWNED_SEARCH *search = made_search(&def);
    worlds = few_or_many(worlds / 3, worlds);
    for (int i = 0; i < worlds; i++) {
        wend_cell goals[WORLD_GOALS];
        world_fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        for (int query = 0; query < 10; query++) {
            wend_request request = world_request(&w, &random, true, goals);
            wend_completion got = {.struct_bytes = sizeof got};
            request.map = map;
            options_of(&request)->heuristic = oracle_below(&random, 4);
            options_of(&request)->weight_milli = weights[oracle_below(&random, 5)];
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            while (wend_search_step(search, 1 + (uint64_t)oracle_below(&random, 99), NULL) == WEND_STATUS_PENDING)
                ;
            wend_search_get_result(search, &got);
            const world_answer best = world_ask(&w, &request);
            cr_assert_eq(got.status, best.status);
            if (got.status != WEND_STATUS_FOUND) continue;
            cr_assert_geq(got.cost, best.cost);
            cr_assert_leq(got.cost * 1000, best.cost * got.bound_milli, "kind %d, heuristic %d, weight %d: %lld, %lld",
                          w.kind, read_options(&request).heuristic, read_options(&request).weight_milli,
                          (long long)got.cost, (long long)best.cost);
            cr_assert(!got.exact || got.cost == best.cost);
            cr_assert(!got.exact || got.bound_milli == 1000);
        }
    }
}

Test(heuristic, keeps_the_promised_bound_on_grids) {
    try_bounds(&grids, 500, 24);
}

Test(heuristic, keeps_the_promised_bound_in_space) {
    try_bounds(&voxels, 500, 25);
}

Test(heuristic, keeps_the_promised_bound_on_graphs) {
    try_bounds(&graphs, 500, 26);
}

/* ---- keys beyond what the tiers of the open list hold at a time ---- */

enum { LONG = 65536, WALL = 60001 };

static void set(wend_edit *edit, int32_t left, int32_t right, int32_t y, uint8_t class) {
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{left, y, 0}, {right, y, 0}}, class), WEND_OK);
}

/* A dead end as long as a map may be, and a link back to where the only way begins: 100 times the estimate there is
 * 6 x 10^12 above the least key. It must wait until the dead end has been searched almost to its end. */
Test(heuristic, puts_keys_that_are_too_far_above_the_floor_in_their_place_later) {
    wend_map_def map_def = default_map();
    wend_map_rules map_def_rules = default_rules();
    map_def.rules = &map_def_rules, map_def.width = LONG, map_def.height = 3;
    map_def_rules.cost_straight = WEND_MAX_COST, map_def_rules.cost_diagonal = WEND_MAX_COST;
    map_def_rules.neighbours = 4;
    OWNED_MAP *map = made_map(&map_def);
    IN_BATCH(map, set(edit, WALL, WALL, 0, 0); set(edit, 0, LONG - 2, 1, 0);
             cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{WALL - 1, 0, 0}, {0, 2, 0}, 1, 0}), WEND_OK));
    wend_search_def def = default_search();
    wend_completion got = {.struct_bytes = sizeof got};
    def.nodes = 1 << 23;
    OWNED_SEARCH *search = made_search(&def);
    wend_request request = path_request(map, (wend_cell){WALL - 1, 0, 0}, (wend_cell){LONG - 1, 0, 0});
    options_of(&request)->weight_milli = WEND_WEIGHT_MAX_MILLI;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
    wend_search_get_result(search, &got);
    cr_assert_eq(got.cost, 1 + (int64_t)(LONG + 1) * WEND_MAX_COST);
    size_t closed = 0;
    cr_assert_eq(wend_search_get_expanded(search, NULL, 0, &closed), WEND_OK);
    /* keys rise by 101 steps a cell of the dead end, and the link's end lies 100 x (WALL - 1)
     * steps above the start */
    const uint64_t dead_end = 100 * (uint64_t)(WALL - 1) / 101;
    cr_assert(closed >= dead_end + LONG && closed <= dead_end + LONG + 8, "%llu, not %llu", (unsigned long long)closed,
              (unsigned long long)(dead_end + LONG));
}

/* ---- before the search ---- */

static wend_status status_at_begin(wend_search *search, const wend_request *request) {
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_completion got = result_now(search);
    return got.status;
}

/* Units stand everywhere around the goal. The number of tested cells is bounded: a large reach costs no frame. */
Test(heuristic, leaves_it_to_the_search_where_too_many_cells_would_have_to_be_looked_at) {
    OWNED_MAP *map = grid_map(600, 600);
    for (int32_t y = 40; y < 600; y++)
        for (int32_t x = 40; x < 600; x++) cr_assert_eq(wend_map_occupy(map, (wend_cell){x, y, 0}), WEND_OK);
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){300, 300, 0};
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    request.reach = 63;
    cr_assert_eq(status_at_begin(search, &request), WEND_STATUS_GOAL_BLOCKED);
    request.reach = 64;
    cr_assert_eq(status_at_begin(search, &request), WEND_STATUS_PENDING);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_NO_PATH);
    request.reach = WEND_MAX_REACH; /* still nowhere: from 45 on */
    cr_assert_eq(status_at_begin(search, &request), WEND_STATUS_PENDING);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_NO_PATH);
    request.goal = (wend_cell){290, 290, 0}; /* from 35 on */
    cr_assert_eq(status_at_begin(search, &request), WEND_STATUS_PENDING);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
}

/* ---- the end of a search ---- */

/* The goal is expanded last, and nothing is left to do after it: a limit of exactly this number is enough, and a frame
 * that gets that far delivers. */
Test(heuristic, ends_with_the_expansion_of_the_goal) {
    wend_map_def map_def = default_map();
    map_def.kind = WEND_KIND_VOXEL, map_def.width = map_def.height = map_def.depth = 12;
    OWNED_MAP *map = made_map(&map_def);
    wend_search_def def = default_search();
    wend_completion got = {.struct_bytes = sizeof got};
    OWNED_SEARCH *search = made_search(&def);
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){11, 7, 4};
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
    wend_search_get_result(search, &got);
    options_of(&request)->max_expansions = got.expansions;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
    options_of(&request)->max_expansions--;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_LIMIT);
}
