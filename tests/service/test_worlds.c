/* SPDX-License-Identifier: MIT */
/* All features at once: every kind of map and request, while cells, units and goals change. A completed path can be
 * walked today, leads into no unit, and has its reported cost; and the same calls give the same. */
#include "models/few_or_many.h"
#include "models/options.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { MOST = 400 };

static wend_service *service;
static wend_map *map;
static struct { uint64_t found, partial, pieces, stale, restarted, wide, moved, crowded, shared, evictions; } total;
static wend_request asked[MOST];
static uint64_t slices[2]; /* slices of all services: by ticking threads, and by workers */
static wend_cell more[MOST][3];
static wend_stats stats = {.struct_bytes = sizeof stats}; /* figures of the last service, at its end */

static wend_cell any_cell(uint64_t *seed) {
    int32_t width, height, depth;
    wend__map_size(map, &width, &height, &depth);
    wend_cell cell = {(int32_t)draw(seed, (uint32_t)width), (int32_t)draw(seed, (uint32_t)height),
                      (int32_t)draw(seed, (uint32_t)depth)};
    return cell;
}

static void edit_some(uint64_t *seed, uint32_t cells, uint32_t links) {
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = 0; i < cells; i++) {
        uint8_t terrain = (uint8_t)draw(seed, 5);
        wend_edit_set_cell(edit, any_cell(seed), terrain == 4 ? WEND_CLASS_WATER : terrain);
    }
    for (uint32_t i = 0; i < links; i++) {
        wend_cell from = any_cell(seed), to = any_cell(seed);
        if (from.x != to.x)
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, 1 + (int32_t)draw(seed, 60), 0}), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static wend_map *graph(uint64_t *seed) {
    enum { NODES = 700, EDGES = 2500 };
    static wend_edge edges[EDGES];
    for (int i = 0; i < EDGES; i++)
        edges[i] = (wend_edge){draw(seed, NODES), draw(seed, NODES), 1 + (int32_t)draw(seed, 100)};
    wend_graph_def def = default_graph();
    def.node_count = NODES, def.edges = edges, def.edge_count = EDGES;
    return made_graph(&def);
}

static void open_world(uint64_t *seed, uint32_t kind) {
    if (kind < 2) {
        wend_map_def def = default_map();
        def.kind = kind ? WEND_KIND_VOXEL : WEND_KIND_GRID;
        def.width = 4 + (int32_t)draw(seed, kind ? 14 : 70), def.height = 4 + (int32_t)draw(seed, kind ? 14 : 70);
        def.depth = kind ? 1 + (int32_t)draw(seed, 20) : 1;
        cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    } else {
        map = graph(seed);
    }
    wend_mover swimmer = default_mover();
    swimmer.factors[WEND_CLASS_WATER] = 1;
    if (kind < 2) swimmer.size = 1 + (int32_t)draw(seed, 2);
    int32_t id;
    cr_assert_eq(wend_map_add_mover(map, &swimmer, &id), WEND_OK);
    cr_assert_eq(wend_map_set_max_versions(map, 1 + (int32_t)draw(seed, 3)), WEND_OK);
    int32_t width, height, depth;
    wend__map_size(map, &width, &height, &depth);
    edit_some(seed, (uint32_t)(width * height * depth) / 4, draw(seed, 2) ? draw(seed, 12) : 0);
}

static void ask(uint64_t *seed, uint64_t number) {
    wend_request request = request_on(service, map, any_cell(seed), any_cell(seed));
    const int32_t occupied[] = {WEND_OCCUPIED_IGNORE, WEND_OCCUPIED_BLOCK, WEND_OCCUPIED_BLOCK, 9};
    options_of(&request)->occupied = occupied[draw(seed, 4)];
    request.mover = (int32_t)draw(seed, 2), request.urgency = (int32_t)draw(seed, 3);
    options_of(&request)->on_stale = (int32_t)draw(seed, 2);
    if (wend__map_kind(map) != WEND_KIND_GRAPH) {
        request.mode = (int32_t)draw(seed, 2);
        request.reach = draw(seed, 3) ? 0 : (int32_t)draw(seed, 4);
        options_of(&request)->occupied_within = draw(seed, 3) ? WEND_EVERYWHERE : (int32_t)draw(seed, 20);
    }
    if (draw(seed, 4) == 0) options_of(&request)->weight_milli = 1500;
    if (draw(seed, 4) == 0) request.deadline_frames = 1 + draw(seed, 9);
    if (draw(seed, 4) == 0) options_of(&request)->max_expansions = draw(seed, 400);
    for (int i = 0; i < 3; i++) more[number][i] = any_cell(seed);
    options_of(&request)->more_goals = more[number];
    options_of(&request)->more_goal_count = draw(seed, 2) ? draw(seed, 4) : 0;
    asked[number] = request;
}

static uint64_t crowd_on_way(const wend_request *request, int32_t size, const wend_cell *cells, uint64_t count) {
    uint64_t crowded = 0;
    const wend__unit_range range = {.start = request->start, .within = read_options(request).occupied_within};
    for (uint64_t i = 1; i < count; i++) crowded += wend__map_occupied_in(map, cells[i], size, &range);
    return crowded;
}

static bool within_reach(wend_cell a, wend_cell b, int32_t reach) {
    return abs(a.x - b.x) <= reach && abs(a.y - b.y) <= reach && abs(a.z - b.z) <= reach;
}

static bool is_goal(const wend_request *request, wend_cell cell) {
    bool is = within_reach(cell, request->goal, request->reach);
    for (uint32_t i = 0; i < read_options(request).more_goal_count; i++)
        is = is || within_reach(cell, read_options(request).more_goals[i], request->reach);
    return is;
}

/* Today, at hand-over. */
static void check(const seen *one) {
    const wend_completion *c = &one->completion;
    const wend_request *request = &asked[c->number];
    total.restarted += c->restarts > 0;
    if (c->cell_count == 0) return;
    wend_mover mover = {.struct_bytes = sizeof mover};
    cr_assert_eq(wend_map_get_mover(map, request->mover, &mover), WEND_OK);
    cr_assert(same_cell(one->cells[0], request->start));
    if (c->status == WEND_STATUS_FOUND) cr_assert(is_goal(request, one->cells[c->cell_count - 1]));
    const bool units_count =
        read_options(request).occupied == WEND_OCCUPIED_BLOCK; /* a unit may have been on the goal */
    if (c->status == WEND_STATUS_PARTIAL && !units_count)
        cr_assert_not(is_goal(request, one->cells[c->cell_count - 1]));
    size_t walkable;
    uint64_t cost;
    cr_assert_eq(wend_map_path_cost(map, request->mover, one->cells, c->cell_count, &walkable, &cost), WEND_OK);
    cr_assert_eq(walkable, c->cell_count, "request %d, %s", (int)c->number, wend_status_name(c->status));
    uint64_t near = c->cell_count - 1 < service->tuning.horizon ? c->cell_count : service->tuning.horizon + 1;
    uint64_t met = crowd_on_way(request, mover.size, one->cells, near);
    if (read_options(request).occupied == WEND_OCCUPIED_BLOCK) cr_assert_eq(met, 0, "%s", wend_status_name(c->status));
    if (read_options(request).occupied <= 0) cr_assert_eq((int64_t)cost, c->cost);
    if (read_options(request).occupied > 0) {
        uint64_t crowded = crowd_on_way(request, mover.size, one->cells, c->cell_count);
        if (c->epoch != c->checked) cr_assert_eq(c->cost, (int64_t)(cost + 9 * crowded));
        cr_assert_geq(c->cost, (int64_t)cost);
        total.crowded += c->cost > (int64_t)cost;
    }
    total.found += c->status == WEND_STATUS_FOUND;
    total.partial += c->status == WEND_STATUS_PARTIAL;
    total.stale += c->status == WEND_STATUS_STALE && c->cell_count > 1;
    total.pieces += c->status == WEND_STATUS_LIMIT || c->status == WEND_STATUS_EXPIRED;
}

/* Units come and go: at most 30 of them. */
static wend_cell units[30];
static uint32_t unit_count;
static void move_units(uint64_t *seed) {
    for (uint32_t i = draw(seed, 10); i > 0; i--) {
        if (unit_count < 30 && draw(seed, 2)) {
            units[unit_count] = any_cell(seed);
            cr_assert_eq(wend_map_occupy(map, units[unit_count++]), WEND_OK);
        } else if (unit_count > 0) {
            uint32_t gone = draw(seed, unit_count);
            cr_assert_eq(wend_map_vacate(map, units[gone]), WEND_OK);
            units[gone] = units[--unit_count];
        }
    }
}

static wend_service_def any_def(uint64_t *seed) {
    wend_service_def def = small_def();
    tuning.lanes = 1 + draw(seed, 3), tuning.searches = tuning.lanes + draw(seed, 10);
    def.nodes = (40 + draw(seed, 60)) * WEND_PAGE_NODES;
    tuning.slice = 1 + draw(seed, 200), tuning.quantum = draw(seed, 3) ? 1 + draw(seed, 2000) : 0;
    tuning.restarts = draw(seed, 5), tuning.horizon = draw(seed, 3) ? 8 : draw(seed, 40);
    tuning.goals = 10 + draw(seed, 60);
    def.max_path_cells = draw(seed, 3) ? 4096 : 1 + draw(seed, 30);
    return def;
}

static void live(uint64_t seed, uint32_t kind, uint32_t workers) {
    open_world(&seed, kind);
    wend_service_def def = any_def(&seed);
    def.workers = workers;
    service = service_of(&def);
    if (workers > 0) service->worth = 0;             /* the least round too */
    if (draw(&seed, 2)) shrink_arena(service, 3600); /* 450 cells of any path */
    static wend_ticket tickets[MOST];
    uint64_t count = 0;
    unit_count = 0;
    seen_hook = check;
    uint32_t calm = 1 + draw(&seed, 4);
    for (int frame = 0; frame < 200 || wend_service_get_pending(service) > 0; frame++) {
        cr_assert_lt(frame, 20000, "frames without end");
        for (uint32_t i = draw(&seed, 7); i > 0 && count < MOST; i--) {
            ask(&seed, count);
            wend_error error = wend_service_submit(service, &asked[count], &tickets[count]);
            cr_assert(error == WEND_OK || error == WEND_BUSY);
            if (error == WEND_OK) count++;
        }
        if (draw(&seed, calm) == 0) edit_some(&seed, 1 + draw(&seed, 5), draw(&seed, 20) == 0);
        if (draw(&seed, calm) == 0) move_units(&seed);
        for (uint32_t i = draw(&seed, 4); i > 0 && count > 0 && count < MOST; i--) {
            uint64_t which = count - 1 - draw(&seed, count < 30 ? (uint32_t)count : 30);
            if (draw(&seed, 9) == 0) wend_service_cancel(service, tickets[which]);
            wend_cell goal = any_cell(&seed);
            if (wend_service_set_goal(service, tickets[which], goal) != WEND_OK) continue;
            asked[which].goal = goal;
            options_of(&asked[which])->more_goal_count = 0;
            total.moved++;
        }
        wend_budget budget = default_budget();
        budget.expansions = draw(&seed, 1500);
        if (draw(&seed, 4) == 0) limits_of(&budget)->deliveries = draw(&seed, 4);
        frame_with(service, &budget);
        for (uint32_t i = 0; i < service->inbox.fresh_entry; i++)
            total.wide += service->entries[i].state == WEND__FINISHED && service->entries[i].path.wide;
    }
    seen_hook = NULL;
    wend_service_get_stats(service, &stats);
    stats.us = 0;
    for (uint32_t i = 0; i <= workers; i++) slices[i > 0] += wend_service_get_slices(service, i);
    cr_assert_eq(seen_count, count);
    cr_assert_eq(service->inbox.goals.free_count, tuning.goals);
    cr_assert_eq(service->paths.free_count, service->paths.count);
    cr_assert_eq(wend__pool_free_pages(&service->pool), service->pool.page_count);
    wend_service_destroy(service);
    wend__version *newest = wend__map_acquire(map, false);
    cr_assert_null(newest->older, "every older version is given back");
    wend__map_release(newest, false);
    wend_map_release(map);
}

Test(worlds, what_is_handed_over_is_true_today_and_can_be_replayed) {
    const uint32_t loads = (uint32_t)enough_or_many(12, 90);
    for (uint32_t i = 0; i < loads; i++) {
        live(i, i % 3, 0);
        uint64_t hash = seen_hash();
        seen_clear();
        if (i % 10 > 0) continue;
        live(i, i % 3, 0);
        cr_assert_eq(seen_hash(), hash);
        seen_clear();
    }
    printf("%zu found, %zu partial, %zu pieces, %zu stale with a piece, %zu searched again, %zu goals moved, "
           "%zu paid for units, %zu paths of cell numbers waited\n",
           (size_t)total.found, (size_t)total.partial, (size_t)total.pieces, (size_t)total.stale,
           (size_t)total.restarted, (size_t)total.moved, (size_t)total.crowded, (size_t)total.wide);
    cr_assert(total.found > loads * 33 && total.partial > loads * 3 && total.pieces > loads && total.stale > loads &&
              total.restarted > loads * 5 && total.moved > loads * 11 && total.crowded > loads &&
              total.wide > loads * 5);
}

/* Byte for byte, with memory for little, so that slots and pages are fought over. */
Test(worlds, any_number_of_workers_gives_the_same) {
    static const uint32_t workers[] = {1, 2, 3, 7};
    const uint32_t loads = (uint32_t)enough_or_many(12, 24);
    for (uint32_t i = 0; i < loads; i++) {
        live(1000 + i, i % 3, 0);
        uint64_t hash = seen_hash(), alone = slices[0];
        const wend_stats expected = stats;
        seen_clear();
        slices[0] = 0;
        live(1000 + i, i % 3, workers[i / 3 % 4]);
        cr_assert_eq(seen_hash(), hash, "world %u", i);
        cr_assert_arr_eq(&stats, &expected, sizeof stats);
        cr_assert_eq(slices[0] + slices[1], alone, "as many slices, whichever thread ran them");
        total.evictions += stats.evictions;
        total.shared += slices[1];
        slices[0] = slices[1] = 0;
        seen_clear();
    }
    printf("%zu slices run by workers, %zu evictions\n", (size_t)total.shared, (size_t)total.evictions);
    cr_assert(total.shared > 4 * loads && total.evictions > loads);
}
