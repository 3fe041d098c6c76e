/* SPDX-License-Identifier: MIT */
/* Sharing a search from a goal for many starts: costs are those of lone searches in worlds of every kind, by an
 * independent oracle; the work is that of one search. Each request keeps its deadline, limit, goal and cancellation. */
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <wend/layers.h>

enum { STARTS = 200, SIDE = 90 };

static wend_service *service;
static wend_map *map;
static wend_request asked[STARTS];

static void make(uint32_t share, uint32_t lanes, uint32_t workers) {
    wend_service_def def = small_def();
    def.share = share, def.queue = STARTS, tuning.lanes = lanes, def.workers = workers;
    def.path_bytes = 1 << 20;
    service = service_of(&def);
}

static void end(void) {
    cr_assert_null(service->share.field);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
    seen_clear();
}

/* ---- worlds ---- */

static void check_world(const world *w) {
    cr_assert_eq(seen_count, STARTS);
    for (uint64_t i = 0; i < STARTS; i += (uint64_t)few_or_many(5, 1)) {
        const wend_completion *each = &seen_number(i)->completion;
        const world_answer best = world_ask(w, &asked[i]);
        cr_assert_eq(each->status, best.status, "%s instead of %s", wend_status_name(each->status),
                     wend_status_name(best.status));
        cr_assert_eq(each->cost, best.cost);
        if (best.status != WEND_STATUS_FOUND) continue;
        cr_assert_eq(world_walk(w, &asked[i], seen_number(i)->cells, each->cell_count), best.cost);
    }
}

/* Returns how many requests shared. */
static size_t play_world(uint64_t seed, const world_options *options) {
    static world w;
    static wend_cell goals[WORLD_GOALS];
    oracle_random random = {seed};
    world_fill_large(&w, &random, options);
    map = world_map(&w);
    make(1, 1 + seed % 4, 0);
    const wend_request first = world_request(&w, &random, false, goals);
    for (int i = 0; i < STARTS; i++) {
        asked[i] = request_on(service, map, world_request(&w, &random, false, goals).start, first.goal);
        asked[i].mover = first.mover;
        submit(service, &asked[i]);
    }
    drain(service, 50 + seed % 7 * 100);
    check_world(&w);
    size_t shared = 0;
    for (size_t i = 0; i < seen_count; i++) shared += (size_t)seen_log[i].completion.shared;
    end();
    return shared;
}

/* Returns how many requests of a world shared, on average. */
static size_t play_kind(int kind) {
    const uint64_t worlds = (uint64_t)enough_or_many(4, 32);
    size_t shared = 0;
    for (uint64_t seed = 1; seed <= worlds; seed++) {
        const world_options options = {kind, seed & 1, seed & 2, seed & 4, seed & 8, false};
        shared += play_world(seed, &options);
    }
    return shared / worlds;
}

Test(share_goal, each_cost_is_that_of_a_lone_search_on_grids) {
    cr_assert_gt(play_kind(WEND_KIND_GRID), STARTS / 4);
}

Test(share_goal, each_cost_is_that_of_a_lone_search_in_space) {
    cr_assert_gt(play_kind(WEND_KIND_VOXEL), STARTS / 4);
}

Test(share_goal, each_cost_is_that_of_a_lone_search_on_graphs) {
    play_kind(WEND_KIND_GRAPH); /* few have all edges both ways */
}

/* ---- a horde ---- */

static void submit_horde(void) {
    uint64_t random = 3;
    for (int i = 0; i < STARTS; i++) {
        asked[i] = request_on(service, map, at((int32_t)draw(&random, SIDE), 0), at(SIDE / 2, SIDE / 2));
        asked[i].start.y = (int32_t)draw(&random, SIDE);
    }
}

static uint64_t spent_by_all(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < seen_count; i++) sum += seen_log[i].completion.expansions;
    return sum;
}

static void submit_all(void) {
    for (int i = 0; i < STARTS; i++) submit(service, &asked[i]);
}

Test(share_goal, a_horde_takes_as_much_as_one_search_of_all) {
    make(1, 2, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    submit_horde();
    submit_all();
    drain(service, 500);
    uint64_t counts[256];
    wend_map_get_class_counts(map, counts);
    const uint64_t whole = counts[WEND_CLASS_OPEN] + 4 * 64;
    cr_assert_leq(spent_by_all(), whole + whole / 5);
    wend_stats stats = stats_now(service);
    cr_assert_eq(spent_by_all(), stats.expansions);
    cr_assert_gt(stats.shared, STARTS / 2);
    end();
}

/* A lane gives the slot of a search with layers to the horde's. Debug builds check that it releases them, and
 * sanitizers that it does so while its version is there. */
Test(share_goal, a_horde_takes_the_slot_of_one_that_minds_layers) {
    const wend_layer_def layer = {.struct_bytes = sizeof layer};
    const wend_layer_weight weight = {0, 5};
    make(1, 1, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    cr_assert_eq(wend_map_add_layer(map, &layer, NULL), WEND_OK);
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, NULL), WEND_OK);
    submit_horde();
    for (int i = 0; i < STARTS; i += 3) {
        asked[i].goal = asked[i].start, asked[i].goal.x ^= 1;
        options_of(&asked[i])->profile = 1;
    }
    for (int i = 0; i < STARTS; i++) {
        submit(service, &asked[i]);
        if (i % 20 > 0) continue;
        frame_of(service, 60);
        wend_map_set_cell(map, at(i % SIDE, i / 3), WEND_CLASS_OPEN, NULL); /* another version, and none before it */
    }
    drain(service, 500);
    cr_assert_eq(seen_count, STARTS);
    cr_assert_gt(stats_now(service).shared, STARTS / 4);
    end();
}

/* A search from the goal closes the island alone, whatever lies beyond the water. */
Test(share_goal, a_horde_on_an_island_takes_as_much_as_one_search_of_the_island) {
    enum { SHORE = 20 };
    make(1, 2, 0);
    map = rough_map(SIDE, SIDE, 10, 5);
    for (int32_t y = 0; y < SIDE; y++) wend_map_set_cell(map, at(SHORE, y), WEND_CLASS_BLOCKED, NULL);
    wend_map_set_cell(map, at(5, 80), WEND_CLASS_OPEN, NULL);
    uint64_t random = 3;
    for (int i = 0; i < STARTS; i++) {
        asked[i] = request_on(service, map, at((int32_t)draw(&random, SHORE), 0), at(5, 80));
        asked[i].start.y = (int32_t)draw(&random, SIDE);
        submit(service, &asked[i]);
    }
    drain(service, 500);
    cr_assert_leq(spent_by_all(), SHORE * SIDE + SHORE * SIDE / 5);
    wend_stats stats = stats_now(service);
    cr_assert_gt(stats.shared, STARTS / 2);
    end();
}

Test(share_goal, it_is_the_same_for_any_number_of_workers) {
    uint64_t first = 0;
    for (uint32_t workers = 0; workers <= 3; workers++) {
        make(1, 4, workers);
        map = rough_map(SIDE, SIDE, 30, 5);
        submit_horde();
        submit_all();
        drain(service, 700);
        if (workers == 0) first = seen_hash();
        cr_assert_eq(seen_hash(), first);
        end();
    }
}

Test(share_goal, late_comers_are_answered_by_what_is_known) {
    make(1, 1, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    submit_horde();
    submit_all();
    frame_of(service, 5000);
    cr_assert_neq(service->share.many, WEND__NONE);
    wend_request near = request_on(service, map, at(SIDE / 2, SIDE / 2), at(SIDE / 2, SIDE / 2));
    for (bool reachable = false; !reachable;) {
        near.start.x--;
        wend_map_reachable(map, WEND_MOVER_DEFAULT, near.start, near.goal, &reachable);
    }
    submit(service, &near);
    drain(service, 3000);
    cr_assert_eq(seen_number(STARTS)->completion.expansions, 0);
    cr_assert_eq(seen_number(STARTS)->completion.shared, 1);
    end();
}

/* Whether its way is known, at the corner of the map that the search reaches last. */
static wend_request urgent_one(bool known) {
    wend_request request = request_on(service, map, at(0, 0), at(SIDE / 2, SIDE / 2));
    request.urgency = 500;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        const int32_t far = known ? SIDE * SIDE / 2 + SIDE / 2 + 1 + i : i;
        bool reachable = false;
        request.start = at(far % SIDE, far / SIDE);
        wend_map_reachable(map, WEND_MOVER_DEFAULT, request.start, request.goal, &reachable);
        const bool pending = wend_field_next(service->share.field, request.start, NULL, NULL) == WEND_STATUS_PENDING;
        if (reachable && pending != known) return request;
    }
    cr_assert(false);
    return request;
}

Test(share_goal, late_comers_that_are_more_urgent_do_not_wait_for_the_others) {
    make(1, 1, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    submit_horde();
    submit_all();
    frame_of(service, 3000);
    cr_assert_neq(service->share.many, WEND__NONE);
    const wend_request known = urgent_one(true), unknown = urgent_one(false);
    submit(service, &known);
    submit(service, &unknown);
    submit(service, &unknown);
    frame_of(service, 2000);
    cr_assert_neq(service->share.many, WEND__NONE, "the others wait");
    for (uint64_t i = 0; i < 3; i++) cr_assert_eq(seen_number(STARTS + i)->completion.frames, 1);
    cr_assert_eq(seen_number(STARTS)->completion.shared, 1);
    drain(service, 3000);
    end();
}

Test(share_goal, each_keeps_what_is_its_own) {
    make(1, 1, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    submit_horde();
    wend_ticket tickets[STARTS];
    for (int i = 0; i < STARTS; i++) {
        if (i % 5 == 1) asked[i].deadline_frames = 3;
        if (i % 5 == 2) options_of(&asked[i])->max_expansions = 700;
        tickets[i] = submit(service, &asked[i]);
    }
    frame_of(service, 800);
    cr_assert_neq(service->share.many, WEND__NONE);
    for (int i = 3; i < STARTS; i += 5) wend_service_cancel(service, tickets[i]);
    for (int i = 4; i < STARTS; i += 5) wend_service_set_goal(service, tickets[i], at(1, 1));
    frame_of(service, 800);
    for (size_t i = 0; i < seen_count; i++)
        cr_assert(seen_log[i].completion.number % 5 != 3 || seen_log[i].frame == 1 ||
                  seen_log[i].completion.status == WEND_STATUS_CANCELLED);
    drain(service, 800);
    cr_assert_eq(seen_count, STARTS);
    cr_assert_gt(seen_status(WEND_STATUS_CANCELLED), STARTS / 10);
    cr_assert_gt(seen_status(WEND_STATUS_EXPIRED), STARTS / 20);
    cr_assert_gt(seen_status(WEND_STATUS_LIMIT), STARTS / 20);
    for (uint64_t i = 0; i < STARTS; i++) {
        const seen *each = seen_number(i);
        cr_assert_leq(each->completion.frames, asked[i].deadline_frames);
        cr_assert_leq(each->completion.expansions, read_options(&asked[i]).max_expansions);
        if (each->completion.status == WEND_STATUS_FOUND && i % 5 == 4 && each->frame > 1)
            cr_assert_eq(each->cells[each->completion.cell_count - 1].x, 1);
    }
    end();
}

Test(share_goal, the_search_ends_when_all_go) {
    make(1, 1, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    submit_horde();
    submit_all();
    frame_of(service, 800);
    cr_assert_neq(service->share.many, WEND__NONE);
    cr_assert_eq(wend_service_cancel_map(service, map, NULL), WEND_OK);
    const wend_frame frame = frame_of(service, 800);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(seen_count, STARTS);
    end();
}

Test(share_goal, a_closed_service_ends_it) {
    make(1, 1, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    submit_horde();
    submit_all();
    frame_of(service, 800);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    cr_assert_eq(seen_count, STARTS);
    wend_map_release(map);
    seen_clear();
}

Test(share_goal, versions_that_have_to_go_take_the_search_with_them) {
    make(1, 1, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    map->max_versions = 2;
    submit_horde();
    submit_all();
    for (int i = 0; i < 12; i++) {
        frame_of(service, 800);
        wend_map_set_cell(map, at(i, 0), i % 2 ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED, NULL);
    }
    drain(service, 800);
    cr_assert_eq(seen_count, STARTS);
    end();
}

/* ---- paths that wait in the field ---- */

static bool passes(const wend_cell *cells, size_t count, wend_cell cell) {
    bool is = false;
    for (size_t i = 0; i < count; i++) is |= cells[i].x == cell.x && cells[i].y == cell.y;
    return is;
}

Test(share_goal, paths_that_wait_are_read_and_compared_with_newer_maps) {
    static wend_cell cells[STARTS][4096];
    wend_prefix whole[STARTS] = {0};
    wend_ticket tickets[STARTS];
    make(1, 1, 0);
    map = rough_map(SIDE, SIDE, 30, 5);
    submit_horde();
    for (int i = 0; i < STARTS; i++) tickets[i] = submit(service, &asked[i]);
    frame_delivering(service, 1);
    uint64_t read = 0, same = 0;
    for (int i = 0; i < STARTS; i++) {
        whole[i].struct_bytes = sizeof whole[i];
        if (wend_service_get_prefix(service, tickets[i], cells[i], 4096, &whole[i]) == WEND_OK) read++;
    }
    cr_assert_gt(read, STARTS / 2);
    int last = STARTS - 1;
    while (!whole[last].whole) last--;
    const wend_cell wall = cells[last][whole[last].cell_count / 2];
    wend_map_set_cell(map, wall, WEND_CLASS_BLOCKED, NULL);
    drain(service, 500);
    for (uint64_t i = 0; i < STARTS; i++) {
        const seen *each = seen_number(i);
        if (each->completion.status != WEND_STATUS_FOUND || !whole[i].whole) continue;
        cr_assert(!passes(each->cells, each->completion.cell_count, wall));
        if (passes(cells[i], whole[i].cell_count, wall)) continue;
        same++;
        cr_assert_eq(each->completion.cell_count, whole[i].cell_count);
        cr_assert_eq(each->completion.cost, whole[i].cost);
        for (size_t j = 0; j < whole[i].cell_count; j++)
            cr_assert(each->cells[j].x == cells[i][j].x && each->cells[j].y == cells[i][j].y);
    }
    cr_assert_gt(same, STARTS / 4);
    end();
}

Test(share_goal, paths_that_are_too_long_are_cut) {
    const size_t most = 40;
    wend_service_def def = small_def();
    def.share = 1, def.queue = STARTS, def.max_path_cells = most;
    service = service_of(&def);
    map = rough_map(SIDE, SIDE, 30, 5);
    submit_horde();
    submit_all();
    drain(service, 500);
    cr_assert_gt(seen_status(WEND_STATUS_FOUND), STARTS / 10);
    cr_assert_gt(seen_status(WEND_STATUS_TOO_LONG), STARTS / 10);
    for (uint64_t i = 0; i < STARTS; i++) {
        const wend_completion *each = &seen_number(i)->completion;
        if (each->status != WEND_STATUS_FOUND && each->status != WEND_STATUS_TOO_LONG) continue;
        const wend_cell last = seen_number(i)->cells[each->cell_count - 1];
        cr_assert_leq(each->cell_count, most);
        cr_assert(each->status == WEND_STATUS_FOUND || each->cell_count == most);
        cr_assert_eq(last.x == SIDE / 2 && last.y == SIDE / 2, each->status == WEND_STATUS_FOUND);
    }
    end();
}
