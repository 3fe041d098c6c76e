/* SPDX-License-Identifier: MIT */
/* Nearest requests cost about what the exact ones do: with goals that can be reached, and behind a closed door. The
 * nearest cell and its cost are tested on random worlds: test_worlds.c. */
#include "models/fast.h"
#include "models/both.h"
#include "models/defaults.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/wend.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { SIDE = 256, DEEP = 48, ROOM = 24, GOALS = 8, MOST_RATIO = 3 };

typedef struct scene {
    wend_map *map;
    wend_search *search;
    wend_request request;
    wend_cell goals[GOALS], door;
    bool space;
} scene;

static void open_or_close(scene *s, wend_cell cell, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(s->map, cell, class, NULL), WEND_OK);
}

/* Builds rooms with a door in each wall, except for the last room, whose only door is `door`. */
static void build_rooms(scene *s) {
    const int32_t side = s->space ? DEEP : SIDE, room = s->space ? ROOM / 2 : ROOM, last = (side - 1) / room * room;
    wend_edit *edit = begin_edit(s->map);
    for (int32_t z = 0; z < (s->space ? side : 1); z++)
        for (int32_t y = 0; y < side; y++)
            for (int32_t x = 0; x < side; x++) {
                const bool wall = x % room == 0 || y % room == 0, inside = x >= last && y >= last;
                const bool gap = (x % room == 0) != (y % room == 0) && (x + y) % room == 5;
                if (wall && (!gap || inside))
                    cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){x, y, z}, WEND_CLASS_BLOCKED), WEND_OK);
            }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    s->door = (wend_cell){last, last + 3, s->space ? 20 : 0};
    for (int i = 0; i < GOALS; i++) s->goals[i] = (wend_cell){last + 1 + i % 3, last + 4 + i / 3, s->space ? 5 + i : 0};
}

static scene make_scene(bool space, bool accelerated) {
    scene s = {.space = space};
    wend_map_def def = default_map();
    wend_search_def search = default_search();
    def.width = def.height = space ? DEEP : SIDE, def.depth = space ? DEEP : 1;
    def.kind = space ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    cr_assert_eq(wend_map_create(&def, &s.map), WEND_OK);
    cr_assert_eq(wend_search_create(&search, &s.search), WEND_OK);
    build_rooms(&s);
    if (accelerated) cr_assert_eq(wend_map_accelerate(s.map, NULL), ACCELERATED);
    wend_request_init(&s.request, sizeof s.request);
    s.request.map = s.map, s.request.start = (wend_cell){1, 1, 0};
    return s;
}

static wend_completion ask(scene *s, int32_t mode, int goals) {
    wend_completion got = {.struct_bytes = sizeof got};
    s->request.mode = mode, s->request.goal = s->goals[0];
    options_of(&s->request)->more_goals = s->goals + 1, options_of(&s->request)->more_goal_count = (uint32_t)goals - 1;
    cr_assert_eq(wend_search_begin(s->search, &s->request), WEND_OK);
    cr_assert_neq(wend_search_step(s->search, WEND_NO_LIMIT, NULL), WEND_STATUS_PENDING);
    cr_assert_eq(wend_search_get_result(s->search, &got), WEND_OK);
    return got;
}

static void check_ratios(scene *s, int32_t engine) {
    for (int goals = 1; goals <= GOALS; goals += GOALS - 1) {
        open_or_close(s, s->door, WEND_CLASS_OPEN);
        const wend_completion exact = ask(s, WEND_MODE_EXACT, goals), same = ask(s, WEND_MODE_NEAREST, goals);
        cr_assert_eq(exact.status, WEND_STATUS_FOUND);
        cr_assert_eq(same.status, WEND_STATUS_FOUND);
        cr_assert_eq(same.cost, exact.cost);
        open_or_close(s, s->door, WEND_CLASS_BLOCKED);
        const wend_completion near = ask(s, WEND_MODE_NEAREST, goals);
        cr_assert_eq(near.status, WEND_STATUS_PARTIAL);
        cr_assert(same.expansions <= MOST_RATIO * exact.expansions && near.expansions <= MOST_RATIO * exact.expansions,
                  "%d goals: %d expansions, nearest %d, behind a door %d", goals, (int)exact.expansions,
                  (int)same.expansions, (int)near.expansions);
        cr_assert_eq(same.engine, HAS_FAST ? engine : WEND_ENGINE_ASTAR);
        cr_assert_eq(near.engine, same.engine);
    }
}

static void end_scene(scene *s) {
    wend_search_destroy(s->search);
    wend_map_release(s->map);
}

Test(search_nearest, costs_what_the_exact_request_does) {
    for (int accelerated = 0; accelerated < 2; accelerated++) {
        OWNED(end_scene) scene s = make_scene(false, accelerated);
        check_ratios(&s, accelerated ? WEND_ENGINE_JUMP : WEND_ENGINE_ASTAR);
    }
}

Test(search_nearest, costs_that_among_units_too) {
    OWNED(end_scene) scene s = make_scene(false, true);
    for (int32_t i = 0; i < 60; i++) {
        const wend_cell at = {(20 + i * 37) % (SIDE - 30), (30 + i * 53) % (SIDE - 30), 0};
        cr_assert_eq(wend_map_occupy(s.map, at), WEND_OK);
    }
    options_of(&s.request)->occupied = WEND_OCCUPIED_BLOCK;
    check_ratios(&s, WEND_ENGINE_JUMP);
    options_of(&s.request)->occupied = 3000;
    check_ratios(&s, WEND_ENGINE_JUMP);
}

/* A step closed one way, and a link both ways: components are still right. */
Test(search_nearest, costs_that_with_links_and_closed_steps) {
    OWNED(end_scene) scene s = make_scene(false, true);
    IN_BATCH(s.map, cr_assert_eq(wend_edit_set_step(edit, (wend_cell){3, 3, 0}, (wend_cell){4, 3, 0}, false), WEND_OK);
             cr_assert_eq(add_link_both(edit, (wend_cell){5, 30, 0}, (wend_cell){100, 30, 0}, 90000), WEND_OK));
    check_ratios(&s, WEND_ENGINE_JUMP);
}

Test(search_nearest, costs_that_in_space) {
    for (int accelerated = 0; accelerated < 2; accelerated++) {
        OWNED(end_scene) scene s = make_scene(true, accelerated);
        check_ratios(&s, WEND_ENGINE_ASTAR);
    }
}

/* Two parts of a graph that one edge's end connects. */
Test(search_nearest, costs_that_on_a_graph) {
    enum { NODES = SIDE * 8 };
    static wend_cell places[NODES];
    static wend_edge edges[4 * NODES];
    OWNED(end_scene) scene s = {.door = {NODES - 300, 0, 0}};
    wend_graph_def def = default_graph();
    wend_search_def search = default_search();
    for (uint32_t i = 0; i < NODES; i++) {
        places[i] = (wend_cell){(int32_t)(i % 32 * 10), (int32_t)(i / 32 * 10), 0};
        const bool gap = i / 32 == (NODES - 300) / 32 && i != NODES - 300;
        if (i % 32 < 31 && !gap) edges[def.edge_count++] = (wend_edge){i, i + 1, 10};
        if (i % 32 < 31 && !gap) edges[def.edge_count++] = (wend_edge){i + 1, i, 10};
        if (i + 32 < NODES && !gap) edges[def.edge_count++] = (wend_edge){i, i + 32, 10};
        if (i + 32 < NODES && !gap) edges[def.edge_count++] = (wend_edge){i + 32, i, 10};
    }
    def.node_count = NODES, def.coordinates = places, def.edges = edges;
    cr_assert_eq(wend_graph_create(&def, &s.map), WEND_OK);
    cr_assert_eq(wend_search_create(&search, &s.search), WEND_OK);
    wend_request_init(&s.request, sizeof s.request);
    s.request.map = s.map;
    for (int i = 0; i < GOALS; i++) s.goals[i] = (wend_cell){NODES - 1 - i * 7, 0, 0};
    check_ratios(&s, WEND_ENGINE_ASTAR);
}
