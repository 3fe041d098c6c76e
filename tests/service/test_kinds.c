/* SPDX-License-Identifier: MIT */
/* Every kind of map, and several goals, through a service: what is found comes whole out of the arena. */
#include "service/suite.h"
#include "models/options.h"

#include <stdlib.h>
#include <wend/ways.h>

TestSuite(kinds, .init = begin_small, .fini = end);

static void edit_cell(wend_map *of, wend_cell cell, uint8_t terrain) {
    cr_assert_eq(wend_map_set_cell(of, cell, terrain, NULL), WEND_OK);
}

static wend_map *voxel_map(int32_t side, int32_t depth) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = side, def.depth = depth;
    wend_map *made = made_map(&def);
    uint64_t seed = 3;
    wend_edit *edit = begin_edit(made);
    for (int32_t i = 0; i < side * side * depth / 4; i++) {
        wend_cell cell = {(int32_t)draw(&seed, (uint32_t)side), (int32_t)draw(&seed, (uint32_t)side),
                          (int32_t)draw(&seed, (uint32_t)depth)};
        wend_edit_set_cell(edit, cell, WEND_CLASS_BLOCKED);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return made;
}

/* A grid where links lead across walls. */
static wend_map *linked_map(void) {
    wend_map *made = rough_map(60, 60, 30, 9);
    uint64_t seed = 4;
    wend_edit *edit = begin_edit(made);
    for (int i = 0; i < 40; i++) {
        wend_cell from = at((int32_t)draw(&seed, 60), (int32_t)draw(&seed, 60)),
                  to = at((int32_t)draw(&seed, 60), (int32_t)draw(&seed, 60));
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, 1 + (int32_t)draw(&seed, 50), 0}), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return made;
}

static wend_map *graph_map(void) {
    enum { NODES = 9000, EDGES = 30000 };
    static wend_edge edges[EDGES];
    uint64_t seed = 5;
    for (uint32_t i = 0; i < EDGES; i++) {
        uint32_t from = i < NODES - 1 ? i : draw(&seed, NODES), to = i < NODES - 1 ? i + 1 : draw(&seed, NODES);
        edges[i] = (wend_edge){from, to, 1 + (int32_t)draw(&seed, 100)};
    }
    wend_graph_def def = default_graph();
    def.node_count = NODES, def.edges = edges, def.edge_count = EDGES;
    return made_graph(&def);
}

static wend_cell any_cell(wend_map *of, uint64_t *seed) {
    int32_t width, height, depth;
    wend__map_size(of, &width, &height, &depth);
    wend_cell cell = {(int32_t)draw(seed, (uint32_t)width), (int32_t)draw(seed, (uint32_t)height),
                      (int32_t)draw(seed, (uint32_t)depth)};
    return cell;
}

/* Compares a completion with a lone search. */
static void expect_alone(const wend_request *request, const seen *one) {
    static wend_cell cells[65536];
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_search_step(search, WEND_NO_LIMIT, NULL);
    wend_completion alone = result_now(search);
    cr_assert_eq(alone.status, one->completion.status, "%s, not %s", wend_status_name(one->completion.status),
                 wend_status_name(alone.status));
    cr_assert_eq(alone.cost, one->completion.cost);
    cr_assert_eq(alone.cell_count, one->completion.cell_count);
    size_t count = 0;
    if (alone.cell_count > 0) cr_assert_eq(wend_search_get_path(search, cells, 65536, &count), WEND_OK);
    for (size_t i = 0; i < count; i++)
        cr_assert(cells[i].x == one->cells[i].x && cells[i].y == one->cells[i].y && cells[i].z == one->cells[i].z);
}

/* All at once, so that most wait in the arena or in their slots; the map changes under some. */
static void ask_at_random(wend_map *of, bool full_arena, size_t *wide) {
    enum { COUNT = 60 };
    wend_request asked[COUNT];
    uint64_t seed = 6;
    wend_service_def def = small_def();
    tuning.searches = 16;
    def.nodes = 128 * WEND_PAGE_NODES;
    service_anew(&def);
    if (full_arena) shrink_arena(service, 500);
    for (int i = 0; i < COUNT; i++) {
        asked[i] = request_on(service, of, any_cell(of, &seed), any_cell(of, &seed));
        if (draw(&seed, 3) == 0 && wend__map_kind(of) != WEND_KIND_GRAPH) asked[i].mode = WEND_MODE_NEAREST;
        submit(service, &asked[i]);
    }
    frame_delivering(service, 1);
    for (uint32_t i = 0; i < service->inbox.fresh_entry; i++)
        *wide += service->entries[i].state == WEND__FINISHED && service->entries[i].path.wide;
    if (full_arena) cr_assert_gt(service->holding, 0);
    while (wend_service_get_pending(service) > 0) frame_of(service, 100000);
    cr_assert_eq(seen_count, COUNT);
    for (uint64_t i = 0; i < COUNT; i++) expect_alone(&asked[i], seen_number(i));
    cr_assert_eq(service->paths.free_count, service->paths.count);
    seen_clear();
}

Test(kinds, paths_of_all_of_them_come_whole) {
    for (int kind = 0; kind < 4; kind++) {
        size_t wide = 0;
        map = kind == 0   ? rough_map(60, 60, 30, 9)
              : kind == 1 ? voxel_map(20, 18)
              : kind == 2 ? linked_map()
                          : graph_map();
        for (int full_arena = 0; full_arena < 2; full_arena++) ask_at_random(map, full_arena, &wide);
        cr_assert_eq(wide > 0, kind > 0, "kind %d", kind);
        wend_map_release(map);
        map = NULL;
    }
}

/* Paths wait in their slots, their versions are freed, and then they are read. */
Test(kinds, a_path_outlives_its_version) {
    for (int kind = 0; kind < 3; kind++) {
        wend_service_def def = small_def();
        def.nodes = 128 * WEND_PAGE_NODES;
        wend_service_destroy(service);
        service = service_of(&def);
        shrink_arena(service, 1);
        map = kind == 0 ? voxel_map(20, 18) : kind == 1 ? linked_map() : graph_map();
        uint64_t seed = 8;
        wend_cell last = any_cell(map, &seed);
        edit_cell(map, last, WEND_CLASS_BLOCKED);
        for (int i = 0; i < 8; i++) {
            wend_request request = request_on(service, map, any_cell(map, &seed), any_cell(map, &seed));
            submit(service, &request);
        }
        frame_delivering(service, 1);
        cr_assert_gt(service->holding, 1);
        edit_cell(map, last, WEND_CLASS_OPEN);
        edit_cell(map, last, WEND_CLASS_BLOCKED);
        wend_frame frame = frame_of(service, 100000);
        cr_assert_gt(frame.checks, 1);
        cr_assert_eq(seen_count, 8);
        for (size_t i = 0; i < 8; i++) {
            const wend_completion *c = &seen_log[i].completion;
            if (c->status != WEND_STATUS_FOUND) continue;
            size_t walkable;
            uint64_t cost;
            cr_assert_eq(wend_map_path_cost(map, 0, seen_log[i].cells, c->cell_count, &walkable, &cost), WEND_OK);
            cr_assert_eq(walkable, c->cell_count);
            cr_assert_eq((int64_t)cost, c->cost);
        }
        seen_clear();
        wend_map_release(map);
        map = NULL;
    }
}

/* ---- several goals ---- */

Test(goals, the_store_has_room_for_so_many_and_no_more) {
    wend_service_def def = small_def();
    tuning.goals = 100;
    service = service_of(&def);
    map = open_map(70, 70);
    wend_cell more[WEND_MAX_GOALS];
    for (int i = 0; i < WEND_MAX_GOALS; i++) more[i] = at(i, 69);
    wend_request request = request_on(service, map, at(0, 0), at(69, 0));
    options_of(&request)->more_goals = more, options_of(&request)->more_goal_count = WEND_MAX_GOALS;
    wend_ticket ticket = {7, 7};
    cr_assert_eq(wend_service_submit(service, &request, &ticket), WEND_BAD_ARGUMENT);
    options_of(&request)->more_goal_count = 63;
    submit(service, &request);
    cr_assert_eq(wend_service_submit(service, &request, &ticket), WEND_BUSY);
    options_of(&request)->more_goal_count = 38;
    cr_assert_eq(wend_service_submit(service, &request, &ticket), WEND_BUSY);
    cr_assert_eq(ticket.index, 7, "untouched");
    options_of(&request)->more_goal_count = 37;
    submit(service, &request);
    options_of(&request)->more_goal_count = 1;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_BUSY);
    options_of(&request)->more_goal_count = 0;
    submit(service, &request);
    cr_assert_eq(wend_service_get_pending(service), 3);
    wend_stats stats = stats_now(service);
    cr_assert_eq(stats.refused_busy, 3);
    for (int i = 0; i < WEND_MAX_GOALS; i++) more[i] = at(5, 5); /* the service has copied these goals */
    frame_of(service, 100000);
    cr_assert_eq(seen_log[0].completion.cost, 69 * 10);
    cr_assert_eq(seen_log[0].cells[seen_log[0].completion.cell_count - 1].y, 69);
    cr_assert_eq(service->inbox.goals.free_count, 100, "delivered: all of it is free");
    for (int i = 0; i < WEND_MAX_GOALS; i++) more[i] = at(i, 2);
    options_of(&request)->more_goal_count = 63;
    submit(service, &request);
    cr_assert_eq(service->inbox.goals.free_count, 37, "not delivered yet");
    frame_of(service, 100000);
    cr_assert_eq(service->inbox.goals.free_count, 100);
    end();
}

Test(goals, without_a_store_there_is_one_goal) {
    wend_service_def def = small_def();
    tuning.goals = 0;
    service = service_of(&def);
    map = open_map(20, 20);
    const wend_cell more[] = {{3, 3, 0}};
    wend_request request = request_on(service, map, at(0, 0), at(19, 0));
    options_of(&request)->more_goals = more, options_of(&request)->more_goal_count = 1;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_BUSY);
    options_of(&request)->more_goal_count = 0;
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_FOUND);
    end();
}

/* Evicted, searched again, outdated: the goals are there each time. */
Test(goals, they_last_as_long_as_the_request) {
    wend_service_def def = small_def();
    def.nodes = 24 * WEND_PAGE_NODES; /* one fits */
    tuning.searches = 3, tuning.slice = 20;
    service = service_of(&def);
    map = rough_map(100, 100, 30, 12);
    uint64_t seed = 2, restarts = 0;
    wend_request asked[200];
    wend_cell more[200][6];
    uint32_t count = 0;
    for (int frame = 0; frame < 300; frame++) {
        for (int i = 0; i < 3 && count < 200 && wend_service_get_pending(service) < 40; i++, count++) {
            for (int j = 0; j < 6; j++) more[count][j] = at((int32_t)draw(&seed, 100), (int32_t)draw(&seed, 100));
            asked[count] = request_on(service, map, more[count][4], more[count][5]);
            options_of(&asked[count])->more_goals = more[count];
            options_of(&asked[count])->more_goal_count = draw(&seed, 5);
            asked[count].urgency = (int32_t)draw(&seed, 4);
            submit(service, &asked[count]);
        }
        frame_of(service, 1200);
    }
    drain(service, 4000);
    for (uint32_t i = 0; i < count; i++) {
        const seen *one = seen_number(i);
        restarts += (uint64_t)one->completion.restarts;
        expect_alone(&asked[i], one);
    }
    cr_assert_gt(restarts, 20, "%d", (int)restarts);
    cr_assert_eq(service->inbox.goals.free_count, tuning.goals);
    end();
}
