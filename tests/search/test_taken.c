/* SPDX-License-Identifier: MIT */
/* Units come while a search that they block is under way. One on the goal ends it as goal_blocked after a few
 * expansions, instead of looking at all that can be reached. The answer does not depend on units that stood elsewhere
 * when it began. */
#include "models/counting.h"
#include "models/fast.h"
#include "models/defaults.h"
#include "models/options.h"
#include "search/engines.h"

#include <criterion/criterion.h>
#include <wend/units.h>

enum { SIDE = 300, FEW = 8, NEARLY_NONE = 64 }; /* the last of 8 expansions may count as several */

typedef struct scene {
    wend_map *map;
    wend_search *search;
    wend_request request;
} scene;

static scene make_scene_of(int32_t kind, int32_t neighbours) {
    scene s;
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours;
    def.kind = kind, def.rules = &rules;
    def.width = def.height = kind == WEND_KIND_VOXEL ? 60 : SIDE;
    def.depth = kind == WEND_KIND_VOXEL ? 60 : 1;
    cr_assert_eq(wend_map_create(&def, &s.map), WEND_OK);
    wend_search_def memory = default_search();
    cr_assert_eq(wend_search_create(&memory, &s.search), WEND_OK);
    wend_request_init(&s.request, sizeof s.request);
    s.request.map = s.map, s.request.goal = (wend_cell){50, 50, 0};
    options_of(&s.request)->occupied = WEND_OCCUPIED_BLOCK;
    return s;
}

static scene make_scene(int32_t kind) {
    return make_scene_of(kind, 0);
}

/* Grids: the general A*, jump search, and the A* of grids. */
enum { ENGINES = 3 };

static scene make_scene_for(int engine) {
    scene s = make_scene_of(WEND_KIND_GRID, engine == 2 ? 4 : 8);
    if (engine == 1) cr_assert_eq(wend_map_accelerate(s.map, NULL), ACCELERATED);
    return s;
}

static void end_scene(scene *s) {
    wend_search_destroy(s->search);
    wend_map_release(s->map);
}

static void begin(scene *s) {
    cr_assert_eq(wend_search_begin(s->search, &s->request), WEND_OK);
    cr_assert_eq(wend_search_step(s->search, FEW, NULL), WEND_STATUS_PENDING);
}

static void stand_on(scene *s, int32_t x, int32_t y) {
    cr_assert_eq(wend_map_occupy(s->map, (wend_cell){x, y, 0}), WEND_OK);
}

static void leave(scene *s, int32_t x, int32_t y) {
    cr_assert_eq(wend_map_vacate(s->map, (wend_cell){x, y, 0}), WEND_OK);
}

/* A wall from side to side with one gap, at (x, y). */
static void wall_across(scene *s, int32_t x, int32_t y) {
    const wend_box wall = {{x, 0, 0}, {x, SIDE - 1, 0}};
    IN_BATCH(s->map, cr_assert_eq(wend_edit_fill_box(edit, wall, 0), WEND_OK);
             cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 1), WEND_OK));
}

static wend_status end_of(scene *s) {
    return wend_search_step(s->search, WEND_NO_LIMIT, NULL);
}

/* Checks that it ends after a few expansions, without a limit. */
static void expect_blocked(scene *s) {
    uint64_t used;
    cr_assert_eq(wend_search_step(s->search, WEND_NO_LIMIT, &used), WEND_STATUS_GOAL_BLOCKED);
    cr_assert_leq(used, NEARLY_NONE);
    wend_completion completion = result_now(s->search);
    cr_assert_eq(completion.cost, -1);
}

Test(search_taken, ends_as_goal_blocked_on_grids_and_in_space) {
    const int32_t kinds[] = {WEND_KIND_GRID, WEND_KIND_GRID, WEND_KIND_VOXEL}, neighbours[] = {8, 4, 26};
    for (int i = 0; i < 3; i++) {
        OWNED(end_scene) scene s = make_scene_of(kinds[i], neighbours[i]);
        begin(&s);
        stand_on(&s, 50, 50);
        expect_blocked(&s);
    }
    OWNED(end_scene) scene s = make_scene_for(1);
    begin(&s);
    stand_on(&s, 50, 50);
    expect_blocked(&s);
}

Test(search_taken, ends_as_goal_blocked_on_graphs) {
    enum { NODES = 2000 };
    static wend_edge edges[2 * NODES];
    for (uint32_t i = 0; i < NODES; i++) {
        edges[2 * i] = (wend_edge){i, (i + 1) % NODES, 1};
        edges[2 * i + 1] = (wend_edge){(i + 1) % NODES, i, 1};
    }
    wend_graph_def def = default_graph();
    def.node_count = NODES, def.edges = edges, def.edge_count = 2 * NODES;
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    wend_map_release(s.map);
    cr_assert_eq(wend_graph_create(&def, &s.map), WEND_OK);
    s.request.map = s.map, s.request.goal = (wend_cell){700, 0, 0};
    begin(&s);
    stand_on(&s, 700, 0);
    expect_blocked(&s);
}

Test(search_taken, goes_on_where_units_do_not_block) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    options_of(&s.request)->occupied = 7;
    begin(&s);
    stand_on(&s, 50, 50);
    cr_assert_eq(wend_search_step(s.search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
}

Test(search_taken, goes_on_with_reach_and_to_the_nearest) {
    for (int nearest = 0; nearest < 2; nearest++) {
        OWNED(end_scene) scene s = make_scene_of(WEND_KIND_GRID, nearest ? 4 : 8);
        s.request.reach = !nearest, s.request.mode = nearest ? WEND_MODE_NEAREST : WEND_MODE_EXACT;
        begin(&s);
        stand_on(&s, 50, 50);
        const wend_status status = wend_search_step(s.search, WEND_NO_LIMIT, NULL);
        cr_assert_eq(status, nearest ? WEND_STATUS_PARTIAL : WEND_STATUS_FOUND);
    }
}

Test(search_taken, goes_on_until_all_goals_are_taken) {
    const wend_cell more[] = {{60, 60, 0}, {70, 20, 0}};
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    options_of(&s.request)->more_goals = more, options_of(&s.request)->more_goal_count = 2;
    begin(&s);
    stand_on(&s, 50, 50);
    cr_assert_eq(wend_search_step(s.search, FEW, NULL), WEND_STATUS_PENDING);
    stand_on(&s, 60, 60);
    cr_assert_eq(wend_search_step(s.search, FEW, NULL), WEND_STATUS_PENDING);
    stand_on(&s, 70, 20);
    expect_blocked(&s);
}

/* A goal on blocked ground does not count. */
Test(search_taken, does_not_wait_for_goals_on_blocked_ground) {
    const wend_cell more = {60, 60, 0};
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    cr_assert_eq(wend_map_set_cell(s.map, more, 0, NULL), WEND_OK);
    options_of(&s.request)->more_goals = &more, options_of(&s.request)->more_goal_count = 1;
    begin(&s);
    stand_on(&s, 50, 50);
    expect_blocked(&s);
}

Test(search_taken, any_cell_that_a_large_mover_covers_blocks_it) {
    for (int dy = -1; dy <= 3; dy++)
        for (int dx = -1; dx <= 3; dx++) {
            OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
            s.request.mover = add_mover_of_size(s.map, 3);
            begin(&s);
            stand_on(&s, 50 + dx, 50 + dy);
            if (dx >= 0 && dx < 3 && dy >= 0 && dy < 3)
                expect_blocked(&s);
            else
                cr_assert_eq(wend_search_step(s.search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
        }
}

/* The agent itself stands there: a large mover's own cells never count. */
Test(search_taken, its_own_unit_does_not_block_a_large_mover) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    s.request.mover = add_mover_of_size(s.map, 3);
    s.request.start = (wend_cell){50, 50, 0}, s.request.goal = (wend_cell){52, 50, 0};
    cr_assert_eq(wend_search_begin(s.search, &s.request), WEND_OK);
    cr_assert_eq(wend_search_step(s.search, 1, NULL), WEND_STATUS_PENDING);
    stand_on(&s, 52, 51);
    cr_assert_eq(wend_search_step(s.search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
}

/* ---- units that come and go, on every engine ---- */

Test(search_taken, s24_the_goal_may_be_free_again_within_a_few_expansions) {
    for (int engine = 0; engine < ENGINES; engine++)
        for (uint64_t spent = 1; spent < FEW; spent++) {
            OWNED(end_scene) scene s = make_scene_for(engine);
            begin(&s);
            stand_on(&s, 50, 50);
            cr_assert_eq(wend_search_step(s.search, spent, NULL), WEND_STATUS_PENDING);
            leave(&s, 50, 50);
            cr_assert_eq(end_of(&s), WEND_STATUS_FOUND);
        }
}

Test(search_taken, s24_a_unit_that_stood_elsewhere_changes_no_answer) {
    const wend_status expected[] = {WEND_STATUS_GOAL_BLOCKED, WEND_STATUS_NO_PATH, WEND_STATUS_FOUND};
    for (int engine = 0; engine < ENGINES; engine++)
        for (int elsewhere = 0; elsewhere < 2; elsewhere++)
            for (int which = 0; which < 3; which++) {
                OWNED(end_scene) scene s = make_scene_for(engine);
                wall_across(&s, 30, 200);
                if (elsewhere) stand_on(&s, 290, 290);
                begin(&s);
                if (which == 0) stand_on(&s, 50, 50);
                if (which == 1) stand_on(&s, 30, 200); /* in the gap */
                if (which == 2) stand_on(&s, 29, 150);
                cr_assert_eq(end_of(&s), expected[which], "engine %d, elsewhere %d, %d", engine, elsewhere, which);
            }
}

/* With reach it ends when nothing else can be reached, and units are the reason. */
Test(search_taken, s24_all_that_is_within_reach_may_be_taken) {
    for (int engine = 0; engine < ENGINES; engine++)
        for (int all = 0; all < 2; all++) {
            OWNED(end_scene) scene s = make_scene_for(engine);
            s.request.reach = 1;
            begin(&s);
            for (int i = all ? 0 : 1; i < 9; i++) stand_on(&s, 49 + i % 3, 49 + i / 3);
            cr_assert_eq(end_of(&s), all ? WEND_STATUS_GOAL_BLOCKED : WEND_STATUS_FOUND);
        }
}

/* Memory for the marks of a unit is lacking: jump search would go by the marks that there are. */
Test(search_taken, a_unit_without_marks_is_seen_too) {
    counting counts = {0};
    wend_map_def def = default_map();
    def.width = def.height = SIDE, def.allocator = counting_allocator(&counts);
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    wend_map_release(s.map);
    cr_assert_eq(wend_map_create(&def, &s.map), WEND_OK);
    s.request.map = s.map;
    wall_across(&s, 30, 200);
    cr_assert_eq(wend_map_accelerate(s.map, NULL), ACCELERATED);
    stand_on(&s, 290, 290);
    begin(&s);
    counts.fail_from = counts.calls + 2; /* the counts of the chunk are made, the marks fail */
    stand_on(&s, 30, 200);
    cr_assert_eq(end_of(&s), WEND_STATUS_NO_PATH);
    const wend_completion got = result_now(s.search);
    cr_assert_eq(got.engine, WEND_ENGINE_ASTAR);
}
