/* SPDX-License-Identifier: MIT */
/* Worlds that change all the time: random edits between frames and inside callbacks, checked on an oracle at every
 * hand-over; the same calls give the same bytes; nothing is allocated, everything ends, everything is given back. */
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/worlds.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A map and its expected terrain. */
static world grid;
static wend_map *map;
static wend_service *service;
static oracle_random chance;
static uint64_t today; ///< epoch
static int edits_inside;

static struct {
    uint64_t deliveries, found, no_path, stale, pieces, restarted, retired, checks, outdated, old_found, inside;
} seen_in_all;

static uint8_t any_class(void) {
    int roll = oracle_below(&chance, 10);
    return roll < 5 ? WEND_CLASS_OPEN : roll < 8 ? WEND_CLASS_BLOCKED : (uint8_t)(2 + oracle_below(&chance, 4));
}

static void edit_some(int cells) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < cells; i++) {
        wend_cell cell = world_any_cell(&grid, &chance);
        uint8_t class = any_class();
        grid.terrain[world_number(&grid, cell)] = class;
        wend_edit_set_cell(edit, cell, class);
    }
    cr_assert_eq(wend_edit_publish(edit, &today), WEND_OK);
}

static bool open_today(wend_cell cell) {
    return world_factor(&grid, 0, cell) > 0;
}

static void check_path(const wend_completion *c, wend_cell goal) {
    cr_assert(open_today(c->cells[0]));
    int64_t cost = world_path(&grid, c->cells[0], goal, c->cells, c->cell_count);
    cr_assert_eq(cost, c->cost, "a path that can be walked today, at today's cost");
    if (c->epoch < c->checked) seen_in_all.old_found++;
    if (c->epoch == c->checked && c->number % 4 == 0)
        cr_assert_eq(cost, world_cost(&grid, c->cells[0], goal), "and a cheapest one");
}

/* Start and goal of each request, by its number. */
typedef struct asked {
    wend_cell start, goal;
} asked;
static asked *all_asked;

static void check(const wend_completion *c) {
    const asked *a = &all_asked[c->number];
    seen_in_all.deliveries++;
    seen_in_all.restarted += c->restarts > 0;
    cr_assert_leq(c->epoch, c->checked);
    cr_assert_leq(c->checked, today);
    switch (c->status) {
    case WEND_STATUS_FOUND:
        seen_in_all.found++;
        cr_assert_eq(c->checked, today);
        cr_assert(c->cells[0].x == a->start.x && c->cells[0].y == a->start.y);
        check_path(c, a->goal);
        break;
    case WEND_STATUS_NO_PATH:
        seen_in_all.no_path++;
        cr_assert_eq(c->epoch, today);
        cr_assert_lt(world_cost(&grid, a->start, a->goal), 0, "today there is no path");
        break;
    case WEND_STATUS_STALE:
        seen_in_all.stale++;
        cr_assert_lt(c->epoch, today);
        if (c->cell_count == 0) break;
        seen_in_all.pieces += c->cell_count > 1;
        check_path(c, c->cells[c->cell_count - 1]);
        break;
    case WEND_STATUS_START_BLOCKED:
        if (c->checked == today) cr_assert_not(open_today(a->start));
        break;
    case WEND_STATUS_GOAL_BLOCKED:
        if (c->checked == today) cr_assert_not(open_today(a->goal));
        break;
    default: break;
    }
}

static void check_seen(const seen *one) {
    check(&one->completion);
    if (edits_inside > 0 && oracle_below(&chance, edits_inside) == 0) {
        edit_some(1 + oracle_below(&chance, 3));
        seen_in_all.inside++;
    }
}

/* Taken-in requests are in order of submission, even those that were sent back. */
static void check_ages(void) {
    uint32_t index = service->ages.chain.first, before = WEND__NONE, oldest = WEND__NONE;
    for (; index != WEND__NONE; before = index, index = service->entries[index].next) {
        cr_assert_eq(service->entries[index].previous, before);
        if (before != WEND__NONE) cr_assert_lt(service->entries[before].number, service->entries[index].number);
    }
    cr_assert_eq(service->ages.chain.last, before);
    for (uint32_t i = 0; i < service->inbox.fresh_entry; i++) {
        const wend__entry *entry = &service->entries[i];
        if (entry->state < WEND__WAITING || entry->state > WEND__BARRED) continue;
        if (oldest == WEND__NONE || entry->number < service->entries[oldest].number) oldest = i;
    }
    cr_assert_eq(wend__ages_oldest(service), oldest);
}

static wend_service_def random_def(void) {
    wend_service_def def = small_def();
    tuning.lanes = 1 + (uint32_t)oracle_below(&chance, 4);
    tuning.searches = tuning.lanes + (uint32_t)oracle_below(&chance, 12);
    tuning.list = 1 + (uint32_t)oracle_below(&chance, 8);
    tuning.slice = 1 + (uint64_t)oracle_below(&chance, 200);
    tuning.fair = (uint32_t)oracle_below(&chance, 4);
    tuning.quantum = 1 + (uint64_t)oracle_below(&chance, 1000);
    tuning.restarts = (uint32_t)oracle_below(&chance, 6);
    tuning.evictions = (uint32_t)oracle_below(&chance, 4);
    def.path_bytes = oracle_below(&chance, 3) ? 65536 : 0, def.max_path_cells = 2000;
    def.nodes = (uint64_t)(tuning.lanes + (uint32_t)oracle_below(&chance, 10)) * WEND_PAGE_NODES;
    return def;
}

static void open_world(int side) {
    const int width = 3 + oracle_below(&chance, side - 2);
    world_begin(&grid, WEND_KIND_GRID, width, 3 + oracle_below(&chance, side - 2), 1);
    grid.rules.corners = oracle_below(&chance, 3);
    grid.rules.neighbours = oracle_below(&chance, 4) ? 8 : 4;
    world_scatter(&grid, &chance, 0.1 * oracle_below(&chance, 5), 0.1 * oracle_below(&chance, 3), 4);
    map = world_map(&grid);
    today = 1;
    cr_assert_eq(wend_map_set_max_versions(map, 1 + oracle_below(&chance, 4)), WEND_OK);
}

static void close_world(void) {
    wend__version *newest = wend__map_acquire(map, false);
    cr_assert_null(newest->older, "every older version is given back");
    cr_assert_eq(newest->pins, 0);
    wend__map_release(newest, false);
    wend_map_release(map);
}

static void ask(uint64_t *numbers) {
    wend_request request = request_on(service, map, world_any_cell(&grid, &chance), world_any_cell(&grid, &chance));
    request.urgency = oracle_below(&chance, 3);
    if (oracle_below(&chance, 4) == 0) options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    if (oracle_below(&chance, 8) == 0) request.deadline_frames = 1 + (uint64_t)oracle_below(&chance, 9);
    if (oracle_below(&chance, 8) == 0) options_of(&request)->max_expansions = (uint64_t)oracle_below(&chance, 600);
    all_asked[*numbers] = (asked){request.start, request.goal};
    if (wend_service_submit(service, &request, NULL) == WEND_OK) ++*numbers;
}

/* Runs a world with its service, until `requests` requests are answered. */
static void live(int side, uint64_t requests) {
    open_world(side);
    wend_service_def def = random_def();
    service = service_of(&def);
    if (def.path_bytes == 0) shrink_arena(service, def.max_path_cells);
    uint64_t budget = 50 + (uint64_t)oracle_below(&chance, 1500), numbers = 0, frames = 0;
    int calm = 1 + oracle_below(&chance, 4);
    edits_inside = oracle_below(&chance, 3) ? 10 + oracle_below(&chance, 40) : 0;
    seen_hook = check_seen;
    while (numbers < requests || wend_service_get_work(service) > 0) {
        for (int i = 0; i < 24 && numbers < requests; i++) ask(&numbers);
        if (oracle_below(&chance, calm) == 0) edit_some(1 + oracle_below(&chance, 6));
        wend_budget limits = budget_of(budget);
        if (oracle_below(&chance, 5) == 0) limits_of(&limits)->deliveries = (uint64_t)oracle_below(&chance, 6);
        wend_frame frame = frame_with(service, &limits);
        seen_in_all.retired += frame.outdated > frame.checks;
        check_ages();
        cr_assert_lt(frames++, 100000, "frames without end");
    }
    seen_hook = NULL;
    cr_assert_eq(service->figures.completed, numbers);
    seen_in_all.checks += service->figures.checks;
    seen_in_all.outdated += service->figures.outdated;
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    close_world();
}

static void make_room(void) {
    all_asked = malloc(100000 * sizeof *all_asked);
}

static void give_room_back(void) {
    world_free(&grid);
    free(all_asked);
    seen_clear();
}

TestSuite(changes, .init = make_room, .fini = give_room_back);

Test(changes, s15_a_hundred_thousand_deliveries_under_random_edits_hold_what_is_promised) {
    chance = (oracle_random){21};
    int worlds = 0;
    for (; seen_in_all.deliveries < 120000; worlds++) {
        live(worlds % 5 == 0 ? 64 : 24, 1500);
        seen_clear();
    }
    printf(
        "%d worlds: %zu deliveries, %zu found (%zu on an older version), %zu no_path, %zu stale (%zu with a piece), "
        "%zu searched again; %zu checks, %zu outdated, %zu frames with retired searches, %zu edits inside callbacks\n",
        worlds, (size_t)seen_in_all.deliveries, (size_t)seen_in_all.found, (size_t)seen_in_all.old_found,
        (size_t)seen_in_all.no_path, (size_t)seen_in_all.stale, (size_t)seen_in_all.pieces,
        (size_t)seen_in_all.restarted, (size_t)seen_in_all.checks, (size_t)seen_in_all.outdated,
        (size_t)seen_in_all.retired, (size_t)seen_in_all.inside);
    cr_assert_gt(seen_in_all.old_found, 1000);
    cr_assert_gt(seen_in_all.no_path, 1000);
    cr_assert_gt(seen_in_all.pieces, 100);
    cr_assert_gt(seen_in_all.outdated, 1000);
    cr_assert_gt(seen_in_all.retired, 100);
    cr_assert_gt(seen_in_all.inside, 1000);
}

/* Two runs of the same calls. */
static uint64_t hash_of_a_world(uint64_t seed) {
    chance = (oracle_random){seed};
    live(40, 400);
    uint64_t hash = seen_hash();
    seen_clear();
    return hash;
}

Test(changes, the_same_calls_with_edits_give_the_same_bytes) {
    uint64_t others = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t hash = hash_of_a_world(seed);
        cr_assert_eq(hash, hash_of_a_world(seed), "seed %zu", (size_t)seed);
        others += hash != hash_of_a_world(seed + 100);
    }
    cr_assert_eq(others, 20, "the hash sees differences");
}

/* Frames cut by a clock, with edits before each, and a replay of their records. */
enum { REPLAYED = 300 };
static wend_frame recorded[REPLAYED];
static uint64_t timed_hash(uint64_t seed, bool record) {
    chance = (oracle_random){seed};
    open_world(40);
    fake_clock clock = {.now = 1, .step = 700};
    wend_service_def def = random_def();
    def.clock = clock_of(&clock);
    service = service_of(&def);
    uint64_t numbers = 0;
    for (int i = 0; i < REPLAYED; i++) {
        for (int j = 0; j < 8 && i < 100; j++) ask(&numbers);
        edit_some(1 + oracle_below(&chance, 6));
        wend_budget budget = default_budget();
        if (record) {
            budget.us = 5 + (uint64_t)i % 20;
        } else {
            limits_of(&budget)->rounds = recorded[i].rounds, limits_of(&budget)->intakes = recorded[i].intakes;
            limits_of(&budget)->deliveries = recorded[i].deliveries, limits_of(&budget)->changes = recorded[i].changes;
            limits_of(&budget)->checks = recorded[i].checks, limits_of(&budget)->chosen = recorded[i].chosen;
        }
        wend_frame frame = frame_with(service, &budget);
        if (record) recorded[i] = frame;
        cr_assert_eq(frame.outdated, recorded[i].outdated, "frame %d", i + 1);
        cr_assert_eq(frame.deliveries, recorded[i].deliveries);
    }
    drain(service, WEND_NO_LIMIT);
    uint64_t hash = seen_hash();
    seen_clear();
    wend_service_destroy(service);
    close_world();
    return hash;
}

Test(changes, timed_frames_with_edits_are_replayed_from_their_records) {
    uint64_t outdated = 0, short_frames = 0;
    const uint64_t seeds = (uint64_t)few_or_many(16, 240);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        uint64_t hash = timed_hash(seed, true);
        for (int i = 0; i < REPLAYED; i++) outdated += recorded[i].outdated, short_frames += recorded[i].finished > 0;
        cr_assert_eq(hash, timed_hash(seed, false), "seed %zu", (size_t)seed);
    }
    cr_assert_gt(outdated, seeds * 3 / 2);
    cr_assert_gt(short_frames, seeds * 3 / 2, "time did cut deliveries");
}

Test(changes, the_service_allocates_nothing_and_the_map_gives_all_back) {
    counting of_service = {0}, of_map = {0};
    chance = (oracle_random){7};
    world_begin(&grid, WEND_KIND_GRID, 60, 60, 1);
    wend_map_def map_def = default_map();
    map_def.width = map_def.height = 60, map_def.max_versions = 2;
    map_def.allocator = counting_allocator(&of_map);
    cr_assert_eq(wend_map_create(&map_def, &map), WEND_OK);
    wend_service_def def = small_def();
    def.allocator = counting_allocator(&of_service);
    service = service_of(&def);
    size_t calls = of_service.calls;
    uint64_t numbers = 0;
    for (int i = 0; i < 800; i++) {
        for (int j = 0; j < 6; j++) ask(&numbers);
        edit_some(10);
        size_t map_calls = of_map.calls;
        frame_of(service, 1500);
        cr_assert_eq(of_map.calls, map_calls, "nor does the map during a frame");
    }
    drain(service, 1500);
    cr_assert_gt(service->figures.outdated, 100);
    cr_assert_eq(of_service.calls, calls);
    wend_edit *edit; /* as it was */
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    wend_edit_fill_box(edit, (wend_box){at(0, 0), at(59, 59)}, WEND_CLASS_OPEN);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    counting of_empty = {0};
    map_def.allocator = counting_allocator(&of_empty);
    wend_map *empty = made_map(&map_def);
    cr_assert_eq(of_map.blocks, of_empty.blocks);
    cr_assert_eq(of_map.bytes, of_empty.bytes);
    wend_map_release(empty);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    close_world();
    cr_assert_eq(of_map.blocks, 0);
    cr_assert_eq(of_map.bytes, 0);
}

/* Invariant: with edits every frame, in tight services, without an end of requests, each request restarts a bounded
 * number of times, and each ends. */
Test(changes, everything_ends_under_edits_every_frame) {
    uint64_t begun = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        chance = (oracle_random){seed};
        open_world(64);
        wend_service_def def = random_def();
        def.nodes = 0; /* a page a lane */
        tuning.searches = tuning.lanes + 1;
        service = service_of(&def);
        cr_assert_eq(wend_map_set_max_versions(map, 1 + (int32_t)(seed % 2)), WEND_OK);
        uint64_t numbers = 0, frames = 0;
        while (numbers < 400 || wend_service_get_work(service) > 0) {
            for (int i = 0; i < 5 && numbers < 400; i++) ask(&numbers);
            edit_some(3);
            frame_of(service, 400);
            check_ages();
            cr_assert_lt(frames++, 20000, "seed %zu: frames without end", (size_t)seed);
        }
        cr_assert_eq(seen_count, numbers);
        for (size_t i = 0; i < seen_count; i++) begun += (uint64_t)seen_log[i].completion.restarts;
        seen_clear();
        wend_service_destroy(service);
        close_world();
    }
    cr_assert_gt(begun, 500);
}
