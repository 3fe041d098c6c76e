/* SPDX-License-Identifier: MIT */
/* Slots and pages run short: eviction, restarts, and that everything still ends. */
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "service/service_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

static wend_service_def tight(uint32_t lanes, uint32_t searches, uint64_t pages) {
    wend_service_def def = small_def();
    tuning.lanes = lanes, tuning.searches = searches;
    def.nodes = pages * WEND_PAGE_NODES;
    return def;
}

static uint64_t evictions_of(wend_service *service) {
    wend_stats stats = stats_now(service);
    return stats.evictions;
}

static void nothing_is_held(wend_service *service) {
    cr_assert_eq(wend__pool_free_pages(&service->pool), service->pool.page_count);
    cr_assert_eq(wend__pool_free_open(&service->pool), service->pool.open_count);
    cr_assert_eq(service->running + service->holding, 0);
    cr_assert_eq(service->lines.heap.count + service->lines.words + service->parked.count +
                     wend__finished_count(service) + service->due.count,
                 0);
    cr_assert_eq(service->paths.free_count, service->paths.count);
    cr_assert_eq(wend__ages_oldest(service), WEND__NONE);
    cr_assert_eq(service->arrivals.first, WEND__NONE);
}

Test(memory, without_a_free_slot_the_least_urgent_parked_search_starts_again_later) {
    wend_service_def def = tight(1, 2, 64);
    tuning.fair = 0;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(60);
    for (int32_t i = 0; i < 3; i++) { /* each more urgent than the ones before */
        submit_from_to(service, moat, at(i, 0), moat_goal(60), i);
        frame_of(service, 500);
    }
    cr_assert_eq(evictions_of(service), 1);
    drain(service, 500);
    cr_assert_eq(seen_count, 3);
    cr_assert_eq(seen_number(0)->completion.restarts, 0, "the oldest is never evicted");
    cr_assert_eq(seen_number(1)->completion.restarts, 1);
    cr_assert_eq(seen_number(1)->completion.expansions, seen_number(2)->completion.expansions + 500,
                 "what was lost counts");
    nothing_is_held(service);
}

/* Evicts the youngest search, among searches of one urgency that were not postponed. */
Test(memory, of_equals_the_youngest_makes_room) {
    wend_service_def def = tight(1, 4, 64);
    tuning.fair = 0, tuning.quantum = 100;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(60);
    wend_ticket tickets[3];
    for (int32_t i = 0; i < 3; i++) tickets[i] = submit_from_to(service, moat, at(i, 0), moat_goal(60), 0);
    frame_of(service, 300);
    for (int i = 0; i < 3; i++) cr_assert_eq(entry_of(service, tickets[i])->spent, 100);
    submit_from_to(service, moat, at(3, 0), moat_goal(60), 8); /* the last slot */
    cr_assert_eq(frame_of(service, 50).evictions, 0);
    submit_from_to(service, moat, at(4, 0), moat_goal(60), 9);
    cr_assert_eq(frame_of(service, 100).evictions, 1);
    cr_assert_neq(entry_of(service, tickets[1])->slot, WEND__NONE);
    cr_assert_eq(entry_of(service, tickets[2])->slot, WEND__NONE);
    drain(service, 500);
    nothing_is_held(service);
}

static uint64_t spent_on_the_first(uint64_t count) {
    uint64_t spent = 0;
    for (uint64_t i = 0; i < count; i++) spent += seen_number(i)->completion.expansions;
    return spent;
}

/* The same floods, where there is room for all of them. */
static uint64_t spent_in_plenty(wend_map *moat) {
    wend_service_def def = tight(1, 8, 512);
    wend_service *service = service_of(&def);
    submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    for (int32_t i = 0; i < 3; i++) submit_from_to(service, moat, at(i, 0), moat_goal(60), 0);
    drain(service, WEND_NO_LIMIT);
    cr_assert_eq(evictions_of(service), 0);
    const uint64_t spent = spent_on_the_first(4);
    wend_service_destroy(service);
    seen_clear();
    return spent;
}

/* The cost of the last searches decides which are postponed: expansions, except lost ones. */
Test(memory, what_searches_took_is_learnt_when_they_end) {
    wend_service_def def = tight(1, 2, 64);
    tuning.fair = 0;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(60);
    const uint64_t in_plenty = spent_in_plenty(moat);
    submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    for (uint64_t left = cost_of_flood(moat, 60); left > 0; left--) frame_of(service, 1);
    cr_assert_eq(service->ended.count, 1);
    for (int32_t i = 0; i < 3; i++) {
        submit_from_to(service, moat, at(i, 0), moat_goal(60), i);
        frame_of(service, 500);
    }
    drain(service, 500);
    cr_assert_eq(evictions_of(service), 1);
    cr_assert_eq(service->ended.count, 4, "one that begins again ends once");
    cr_assert_eq(service->ended.spent, in_plenty, "what it lost does not count");
    cr_assert_gt(spent_on_the_first(4), in_plenty);
}

/* A search without a path counts for the cost of searches like one with a path. Steps lead out of the goal and none
 * into it: components return "maybe". */
Test(memory, what_a_search_without_a_path_took_is_learnt) {
    wend_service_def def = tight(1, 2, 64);
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *map = open_map(40, 40);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < 9; i++)
        if (i != 4) wend_edit_set_step(edit, at(19 + i % 3, 19 + i / 3), at(20, 20), false);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    submit_from_to(service, map, at(0, 0), at(20, 20), 0);
    drain(service, 500);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_NO_PATH);
    cr_assert_gt(seen_log[0].completion.expansions, 1000);
    cr_assert_eq(service->ended.count, 1);
    cr_assert_eq(service->ended.spent, seen_log[0].completion.expansions);
}

/* Each search needs the whole pool. It is postponed once, and then loses its nodes to the next one at most. */
Test(memory, long_searches_take_each_others_nodes_once_and_not_for_ever) {
    OWNED_MAP *moat = moat_map(126);
    const uint64_t cost = cost_of_flood(moat, 126);
    for (uint64_t pages = 4; pages <= 64; pages += 20) {
        wend_service_def def = tight(1, 8, pages);
        tuning.fair = 0, tuning.quantum = 500;
        wend_service *service = service_of(&def);
        for (int32_t i = 0; i < 4; i++) submit_from_to(service, moat, at(0, 0), moat_goal(126), 0);
        drain(service, 700);
        cr_assert_leq(evictions_of(service), pages == 4 ? 3 : 0, "%zu pages", (size_t)pages);
        for (uint64_t i = 0; i < 4; i++)
            cr_assert_leq(seen_number(i)->completion.expansions, cost + tuning.quantum + tuning.slice);
        nothing_is_held(service);
        wend_service_destroy(service);
        seen_clear();
    }
}

/* The pool has hardly more than one long search needs. That is enough for short ones, which were the only recent
 * ones. */
Test(memory, where_others_need_little_a_search_that_holds_nearly_all_is_postponed) {
    wend_service_def def = tight(1, 8, 6);
    tuning.fair = 0, tuning.quantum = 500;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(126), *open = open_map(30, 30);
    for (int i = 0; i < 3; i++) submit_from_to(service, open, at(0, 0), at(29, 29), 0);
    drain(service, 500);
    submit_from_to(service, moat, at(0, 0), moat_goal(126), 0);
    for (int i = 0; i < 20; i++) frame_of(service, 500);
    cr_assert_leq(wend__pool_free_pages(&service->pool), 2);
    submit_from_to(service, open, at(0, 0), at(29, 29), 0);
    frame_of(service, 500);
    cr_assert_eq(seen_count, 4, "it was overtaken");
    drain(service, 500);
    cr_assert_eq(evictions_of(service), 0);
}

Test(memory, in_the_only_slot_the_oldest_goes_on_and_the_urgent_waits) {
    wend_service_def def = tight(1, 1, 64);
    tuning.fair = 0;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(60);
    submit_from_to(service, moat, at(0, 0), moat_goal(60), -5);
    frame_of(service, 500);
    submit_from_to(service, moat, at(1, 0), moat_goal(60), 5);
    while (wend_service_get_work(service) > 0) {
        uint64_t before = wend_service_get_work(service);
        wend_frame frame = frame_of(service, 500);
        cr_assert(frame.expansions == 500 || wend_service_get_work(service) < before, "the budget is spent");
    }
    cr_assert_eq(seen_log[0].completion.number, 0);
    cr_assert_eq(evictions_of(service), 0);
}

/* A map of 128 x 128 cells has four pages; a flood of it needs them all. */
Test(memory, a_pool_that_holds_one_search_serves_many) {
    for (uint64_t pages = 4; pages <= 9; pages++) {
        wend_service_def def = tight(2, 8, pages);
        tuning.evictions = 2;
        wend_service *service = service_of(&def);
        wend_map *moat = moat_map(126);
        for (int32_t i = 0; i < 8; i++) submit_from_to(service, moat, at(i, 0), moat_goal(126), i % 3);
        uint64_t left = 8;
        while (wend_service_get_work(service) > 0) {
            wend_frame frame = frame_of(service, 3000);
            cr_assert(frame.expansions == 3000 || wend_service_get_work(service) == 0, "%zu pages: the budget is spent",
                      (size_t)pages);
            left -= frame.deliveries;
        }
        cr_assert_eq(left, 0);
        cr_assert_eq(seen_status(WEND_STATUS_FOUND), 8, "%zu pages", (size_t)pages);
        if (pages < 8) cr_assert_gt(evictions_of(service), 0, "it was tight with %zu pages", (size_t)pages);
        for (size_t i = 0; i < seen_count; i++) cr_assert_leq(seen_log[i].completion.restarts, 3 + 1);
        nothing_is_held(service);
        wend_service_destroy(service);
        wend_map_release(moat);
        seen_clear();
    }
}

Test(memory, one_search_alone_that_does_not_fit_is_out_of_nodes) {
    for (uint32_t lanes = 1; lanes <= 3; lanes++) {
        wend_service_def def = tight(lanes, 3, 3);
        wend_service *service = service_of(&def);
        wend_map *moat = moat_map(126), *open = open_map(60, 60);
        submit_from_to(service, moat, at(0, 0), moat_goal(126), 0);
        submit_from_to(service, moat, at(1, 0), moat_goal(126), 3);
        submit_from_to(service, open, at(1, 0), at(50, 50), -3);
        drain(service, 1000);
        cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_OUT_OF_NODES);
        cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_OUT_OF_NODES);
        cr_assert_eq(seen_number(2)->completion.status, WEND_STATUS_FOUND);
        cr_assert_gt(seen_number(0)->completion.expansions, 1000);
        nothing_is_held(service);
        wend_service_destroy(service);
        wend_map_release(moat);
        wend_map_release(open);
        seen_clear();
    }
}

Test(memory, one_page_serves_what_fits_in_it) {
    wend_service_def def = tight(1, 4, 1);
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *open = open_map(64, 64), *larger = open_map(65, 64);
    for (int32_t i = 0; i < 10; i++) submit_from_to(service, open, at(i, 0), at(63, 63), i % 2);
    submit_from_to(service, larger, at(0, 0), at(64, 63), 0);
    submit_from_to(service, larger, at(60, 0), at(64, 0), 0);
    drain(service, 100);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 10);
    cr_assert_eq(seen_status(WEND_STATUS_OUT_OF_NODES), 2);
}

Test(memory, the_oldest_inherits_where_its_pages_hold_up_the_urgent) {
    wend_service_def def = tight(1, 4, 5);
    tuning.fair = 0;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(126);
    submit_from_to(service, moat, at(0, 0), moat_goal(126), -9);
    while (service->entries[0].spent < 9000) frame_of(service, 1000); /* the search holds several pages now */
    submit_from_to(service, moat, at(1, 0), moat_goal(126), 9);
    bool inherited = false;
    while (!seen_number(0)) {
        wend_frame frame = frame_of(service, 1000);
        cr_assert(frame.expansions == 1000 || seen_number(0));
        inherited |= service->inherits;
    }
    cr_assert(inherited);
    cr_assert_not(service->inherits, "not for longer than needed");
    cr_assert_eq(seen_number(0)->completion.restarts, 0);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_FOUND);
    drain(service, 1000);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_FOUND);
}

Test(memory, evicted_too_often_waits_until_it_is_the_oldest) {
    wend_service_def def = tight(1, 2, 64);
    tuning.fair = 0, tuning.evictions = 0;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(60);
    submit_from_to(service, moat, at(0, 0), moat_goal(60), -9); /* the oldest, in one of the two slots */
    frame_of(service, 300);
    wend_ticket barred = submit_from_to(service, moat, at(1, 0), moat_goal(60), 1);
    frame_of(service, 300);
    submit_from_to(service, moat, at(2, 0), moat_goal(60), 2);
    frame_of(service, 300);
    const wend__entry *entry = entry_of(service, barred);
    cr_assert_eq(entry->state, WEND__BARRED);
    cr_assert_eq(wend_service_set_urgency(service, barred, 1000), WEND_OK);
    frame_of(service, 300);
    cr_assert_eq(entry->state, WEND__BARRED);
    cr_assert_eq(entry->spent, 300);
    drain(service, 300);
    const uint64_t expected[] = {2, 0, 1};
    for (int i = 0; i < 3; i++) cr_assert_eq(seen_log[i].completion.number, expected[i]);
    cr_assert_eq(seen_number(1)->completion.restarts, 1);
}

Test(memory, evictions_are_counted_exactly) {
    for (uint32_t evictions = 0; evictions <= 3; evictions++) {
        wend_service_def def = tight(1, 2, 64);
        tuning.fair = 0, tuning.evictions = evictions;
        wend_service *service = service_of(&def);
        wend_map *moat = moat_map(60), *open = open_map(20, 1);
        submit_from_to(service, moat, at(0, 0), moat_goal(60), -9); /* the oldest, in one of the two slots */
        frame_of(service, 10);
        wend_ticket loser = submit_from_to(service, moat, at(1, 0), moat_goal(60), 1);
        frame_of(service, 0);
        const wend__entry *entry = entry_of(service, loser);
        for (uint32_t i = 0; i <= evictions; i++) {
            frame_of(service, 10);
            cr_assert_eq(entry->state, WEND__WAITING);
            cr_assert_eq(entry->evictions, i);
            submit_from_to(service, open, at(0, 0), at(19, 0), 2);
            frame_of(service, 10); /* half of it: the loser's slot is taken */
            cr_assert_eq(entry->evictions, i + 1);
            cr_assert_eq(entry->state, i < evictions ? WEND__WAITING : WEND__BARRED);
            while (seen_count == i) frame_of(service, 1);
        }
        drain(service, 1000);
        cr_assert_eq(seen_number(1)->completion.restarts, (int32_t)evictions + 1);
        nothing_is_held(service);
        wend_service_destroy(service);
        wend_map_release(moat);
        wend_map_release(open);
        seen_clear();
    }
}

Test(memory, a_barred_request_can_be_cancelled_and_expires) {
    wend_service_def def = tight(1, 2, 64);
    tuning.fair = 0, tuning.evictions = 0;
    for (int round = 0; round < 2; round++) {
        wend_service *service = service_of(&def);
        wend_map *moat = moat_map(60);
        submit_from_to(service, moat, at(0, 0), moat_goal(60), -9);
        frame_of(service, 300);
        wend_request request = request_on(service, moat, at(1, 0), moat_goal(60));
        request.urgency = 1;
        if (round == 1) request.deadline_frames = 3;
        wend_ticket barred = submit(service, &request);
        frame_of(service, 300);
        submit_from_to(service, moat, at(2, 0), moat_goal(60), 2);
        frame_of(service, 300);
        cr_assert_eq(entry_of(service, barred)->state, WEND__BARRED);
        if (round == 0) wend_service_cancel(service, barred);
        frame_of(service, 300);
        cr_assert_eq(seen_count, 1);
        cr_assert_eq(seen_log[0].completion.status, round == 0 ? WEND_STATUS_CANCELLED : WEND_STATUS_EXPIRED);
        drain(service, 3000);
        nothing_is_held(service);
        wend_service_destroy(service);
        wend_map_release(moat);
        seen_clear();
    }
}

Test(memory, what_the_oldest_starves_of_is_kept_from_others) {
    wend_service_def def = tight(1, 4, 4);
    tuning.fair = 0;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(126);
    submit_from_to(service, moat, at(0, 0), moat_goal(126), -9);
    frame_of(service, 0);
    service->entries[0].starved = true; /* state after a round without pages */
    service->entries[0].wants_pages = 3;
    submit_from_to(service, moat, at(70, 0), moat_goal(126), 9);
    while (service->entries[0].spent == 0) {
        cr_assert_eq(frame_of(service, 50).expansions, 50);
        cr_assert_eq(seen_count, 0, "the other runs into what is kept, so the oldest inherits");
    }
    drain(service, 1000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 2);
}

/* Two pages, and paths for which the arena has no room hold both. */
/* A lane's share of a small pool is less than its search needs: it gets the rest from the free pages. */
Test(memory, nobody_is_evicted_for_pages_that_are_free) {
    wend_service_def def = tight(3, 8, 8);
    tuning.fair = 0;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(60);
    const int32_t urgencies[] = {5, 9, 4, 1000};
    wend_ticket tickets[4];
    for (int32_t i = 0; i < 4; i++) tickets[i] = submit_from_to(service, moat, at(i, 0), moat_goal(60), urgencies[i]);
    cr_assert_eq(frame_of(service, 2).running, 2, "the two most urgent hold a page each");
    wend__entry *head = entry_of(service, tickets[1]);
    head->starved = true; /* six pages are free, of which the oldest takes two; a lane's share of four is two */
    head->wants_pages = 3;
    cr_assert_eq(wend_service_set_urgency(service, tickets[3], -9), WEND_OK);
    wend_frame frame = frame_of(service, 150);
    cr_assert_eq(frame.rounds, 1);
    cr_assert_eq(frame.evictions, 0);
    cr_assert_neq(entry_of(service, tickets[3])->slot, WEND__NONE);
    drain(service, 1000);
    nothing_is_held(service);
}

/* Loads at random over tight services: everything ends, every frame ends, every budget is spent while there is work. */
Test(memory, random_loads_on_tight_services_all_end) {
    uint64_t seed = 1, evictions = 0, out_of_nodes = 0, found = 0;
    OWNED_MAP *rough = rough_map(200, 200, 30, 3), *moat = moat_map(126), *snake = snake_map(63, 40);
    const int trials = enough_or_many(8, 60);
    for (int trial = 0; trial < trials; trial++) {
        uint32_t lanes = 1 + draw(&seed, 4);
        wend_service_def def = tight(lanes, lanes + draw(&seed, 4), 1 + draw(&seed, 20));
        tuning.evictions = draw(&seed, 4), tuning.fair = draw(&seed, 4);
        tuning.list = 1 + draw(&seed, 8), tuning.slice = 1 + draw(&seed, 300);
        tuning.quantum = 1 + draw(&seed, 3000);
        def.path_bytes = trial % 2 ? 1 : 1 << 20; /* a full arena keeps pages: then not everything can run */
        def.max_path_cells = 1 + draw(&seed, 400);
        wend_service *service = service_of(&def);
        if (trial % 2) shrink_arena(service, def.max_path_cells);
        for (int frame = 0; frame < 60; frame++) {
            for (uint32_t i = draw(&seed, 4); i > 0; i--) {
                if (wend_service_get_pending(service) == def.queue) break;
                wend_cell a = at((int32_t)draw(&seed, 200), (int32_t)draw(&seed, 200));
                wend_cell b = at((int32_t)draw(&seed, 200), (int32_t)draw(&seed, 200));
                uint32_t which = draw(&seed, 4);
                if (which == 0)
                    submit_from_to(service, moat, at(a.x % 126, a.y % 50), moat_goal(126), (int32_t)draw(&seed, 3));
                else if (which == 1)
                    submit_from_to(service, snake, at(0, 0), at(62, 39), (int32_t)draw(&seed, 3));
                else
                    submit_from_to(service, rough, a, b, (int32_t)draw(&seed, 3));
            }
            frame_of(service, draw(&seed, 3000));
        }
        while (wend_service_get_work(service) > 0) {
            wend_frame frame = frame_of(service, 3000);
            cr_assert(frame.expansions == 3000 || wend_service_get_work(service) == 0 || trial % 2,
                      "trial %d: %zu of 3000", trial, (size_t)frame.expansions);
        }
        for (size_t i = 0; i < seen_count; i++)
            cr_assert_leq((uint32_t)seen_log[i].completion.restarts, tuning.evictions + 1);
        evictions += evictions_of(service);
        out_of_nodes += seen_status(WEND_STATUS_OUT_OF_NODES);
        found += seen_status(WEND_STATUS_FOUND);
        nothing_is_held(service);
        wend_service_destroy(service);
        seen_clear();
    }
    cr_assert_gt(evictions, (uint64_t)trials);
    cr_assert_gt(out_of_nodes, (uint64_t)trials / 3);
    cr_assert_gt(found, (uint64_t)trials);
}

/* A weighted search on slow ground: its nodes fit, and its open list fits once stale entries have been removed. */
Test(memory, entries_out_of_date_do_not_end_a_search) {
    oracle_random random = {3};
    world grid = {0};
    world_begin(&grid, WEND_KIND_GRID, 128, 128, 1);
    world_scatter(&grid, &random, 0, 0.6, 252);
    wend_map *map = world_map(&grid);
    for (uint32_t others = 0; others < 3; others++) {
        wend_service_def def = tight(1, 1 + others, 8);
        OWNED_SERVICE *service = service_of(&def);
        wend_request request = request_on(service, map, at(0, 0), at(127, 127));
        options_of(&request)->weight_milli = 2500;
        for (uint32_t i = 0; i <= others; i++) submit(service, &request);
        drain(service, 20000);
        cr_assert_eq(seen_status(WEND_STATUS_FOUND), 1 + others);
        nothing_is_held(service);
        seen_clear();
    }
    wend_map_release(map);
    world_free(&grid);
}
