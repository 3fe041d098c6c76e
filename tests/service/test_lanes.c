/* SPDX-License-Identifier: MIT */
/* Lanes and searches that end: their paths are put aside, their slots handed on. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "models/fast.h"
#include "models/options.h"
#include "service/service_support.h"
#include "fast/acceleration.h"

static uint32_t slots_touched(const wend_service *service) {
    uint32_t ready = 0;
    for (uint32_t i = 0; i < service->fresh_slot; i++) ready += service->slots[i].ready;
    return ready;
}

static void submit_across(wend_service *service, wend_map *map, unsigned count) {
    uint64_t seed = 11;
    for (unsigned i = 0; i < count; i++) {
        const wend_cell start = at((int32_t)draw(&seed, 60), (int32_t)draw(&seed, 60));
        submit_from_to(service, map, start, at((int32_t)draw(&seed, 60), (int32_t)draw(&seed, 60)), (int32_t)(i % 5));
    }
}

/* A path as long as the way is: the ground is open. */
static void check_all(unsigned count) {
    cr_assert_eq(seen_count, count);
    for (size_t i = 0; i < seen_count; i++) {
        const wend_completion *done = &seen_log[i].completion;
        cr_assert_eq(done->status, WEND_STATUS_FOUND);
        const wend_cell first = seen_log[i].cells[0], last = seen_log[i].cells[done->cell_count - 1];
        const int32_t dx = abs(last.x - first.x), dy = abs(last.y - first.y);
        cr_assert_eq(done->cell_count, (size_t)(dx > dy ? dx : dy) + 1);
        cr_assert_eq(done->cost, 10 * abs(dx - dy) + 14 * (dx < dy ? dx : dy));
    }
}

Test(lanes, use_one_slot_each_for_searches_that_end_one_after_another) {
    wend_service_def def = small_def();
    tuning.lanes = 2, tuning.searches = 32, tuning.list = 16, tuning.slice = 100000;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *map = open_map(60, 60);
    for (unsigned round = 0; round < 4; round++) {
        submit_across(service, map, 64);
        drain(service, 1000000);
        check_all(64);
        cr_assert_eq(slots_touched(service), 2, "%u", slots_touched(service));
        cr_assert_leq(service->pool.fresh_page, 2 * WEND__STOCK);
        seen_clear();
    }
}

/* Searches that cannot end in their slice keep their slots when others end. */
Test(lanes, leave_a_search_that_has_begun_in_its_own_slot) {
    uint64_t hash = 0;
    for (uint32_t workers = 0; workers <= 2; workers++) {
        wend_service_def def = small_def();
        tuning.lanes = 2, tuning.searches = 32, tuning.list = 16, tuning.slice = 40, def.workers = workers;
        wend_service *service = service_of(&def);
        wend_map *map = rough_map(60, 60, 20, 9);
        submit_across(service, map, 64);
        drain(service, 130);
        cr_assert_eq(seen_count, 64);
        cr_assert_gt(slots_touched(service), 2);
        if (workers == 0) hash = seen_hash();
        cr_assert_eq(seen_hash(), hash);
        wend_service_destroy(service);
        wend_map_release(map);
        seen_clear();
    }
}

Test(lanes, put_paths_aside_up_to_the_room_they_have) {
    NEEDS_FAST();
    wend_service_def def = small_def();
    tuning.lanes = 1, def.max_path_cells = 10000, tuning.slice = 100000;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *map = open_map(WEND__LANE_BUFFER + 2, 1);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK); /* a search that needs few pages */
    for (int32_t past = 0; past < 2; past++) {
        wend_request request = request_on(service, map, at(0, 0), at(WEND__LANE_BUFFER + past, 0));
        options_of(&request)->engine = WEND_ENGINE_JUMP;
        submit(service, &request);
        frame_of(service, 100000);
        cr_assert_eq(seen_count, 1);
        cr_assert_eq(seen_log[0].completion.cell_count, (size_t)WEND__LANE_BUFFER + (size_t)past + 1);
        cr_assert_eq(seen_log[0].cells[WEND__LANE_BUFFER].x, WEND__LANE_BUFFER);
        cr_assert_eq(service->lanes[0].buffer, past ? 0 : WEND__LANE_BUFFER);
        seen_clear();
    }
}

/* A slot that is handed on takes its pages along, so a search that spread far returns its pages to the pool. */
Test(lanes, put_no_path_aside_of_a_search_that_holds_many_pages) {
    wend_service_def def = small_def();
    tuning.lanes = 1, tuning.slice = 100000;
    for (int32_t past = 0; past < 2; past++) {
        const int32_t width = 64 * (WEND__STOCK + past);
        wend_service *service = service_of(&def);
        wend_map *map = open_map(width, 1);
        submit_from_to(service, map, at(0, 0), at(width - 1, 0), 0);
        frame_of(service, 100000);
        cr_assert_eq(seen_count, 1);
        cr_assert_eq(seen_log[0].completion.cell_count, (size_t)width);
        cr_assert_eq(service->lanes[0].buffer, past ? 0 : (uint32_t)width - 1);
        cr_assert_eq(wend__pool_free_pages(&service->pool), service->pool.page_count, "all given back");
        wend_service_destroy(service);
        wend_map_release(map);
        seen_clear();
    }
}

static uint32_t top_page(const wend__stock *stock) {
    return stock->pages[stock->page_count - 1];
}

static uint32_t top_open(const wend__stock *stock) {
    return stock->open[stock->open_count - 1];
}

/* A lane takes the pages last in use next: those of its stock, and those that a search gave back after that. */
Test(lanes, are_granted_the_pages_first_that_came_back_last) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    wend__pool *pool = &service->pool;
    wend__stock stock = {.page_count = 0};
    wend__pool_grant(pool, &stock, WEND__STOCK, WEND__STOCK);
    for (uint32_t i = 1; i <= WEND__STOCK; i++) {
        const uint32_t page = top_page(&stock), open = top_open(&stock);
        wend__pool_return(pool, &stock);
        wend__pool_grant(pool, &stock, i, i);
        cr_assert_eq(top_page(&stock), page);
        cr_assert_eq(top_open(&stock), open);
    }
    const uint32_t page = stock.pages[--stock.page_count], open = stock.open[--stock.open_count];
    wend__page_list pages = {page, page, 1}, open_pages = {open, open, 1};
    wend__pool_return(pool, &stock);
    wend__pool_give_back(pool, &pages, &open_pages);
    wend__pool_grant(pool, &stock, 2, 2);
    cr_assert_eq(top_page(&stock), page);
    cr_assert_eq(top_open(&stock), open);
    wend__pool_return(pool, &stock);
    cr_assert_eq(wend__pool_free_pages(pool), pool->page_count);
    cr_assert_eq(wend__pool_free_open(pool), pool->open_count);
}

/* No lane promises more of the arena than its share, so finished paths find room; the others wait in their slots. */
Test(lanes, promise_no_more_of_the_arena_than_there_is) {
    wend_service_def def = small_def();
    tuning.lanes = 3, tuning.searches = 40, tuning.list = 16, tuning.slice = 100000, def.max_path_cells = 61;
    OWNED_MAP *map = open_map(60, 60);
    for (uint64_t arena = 61; arena < 2000; arena += 200) {
        OWNED_SERVICE *service = service_of(&def);
        shrink_arena(service, arena);
        submit_across(service, map, 60);
        for (unsigned i = 0; i < 200 && seen_count < 60; i++) {
            frame_delivering(service, 1);
            cr_assert_eq(service->paths.promised, 0);
        }
        check_all(60);
        seen_clear();
    }
}

/* The expansions of a frame with such limits, while a search that takes longer is the only one. */
static uint64_t rounds_of(uint64_t expansions, uint64_t us, uint64_t rounds) {
    wend_service_def def = small_def();
    fake_clock clock = {0};
    tuning.lanes = 1, def.clock = clock_of(&clock), tuning.slice = 10;
    wend_service *service = service_of(&def);
    wend_map *moat = moat_map(126);
    submit_from_to(service, moat, at(0, 0), moat_goal(126), 0);
    wend_budget budget = default_budget();
    budget.expansions = expansions, budget.us = us, limits_of(&budget)->rounds = rounds;
    const wend_frame frame = frame_with(service, &budget);
    wend_service_destroy(service);
    wend_map_release(moat);
    seen_clear();
    return frame.rounds;
}

/* Sixteen rounds, as long as a slice is at most eight times as long as it is set. */
Test(lanes, run_longer_slices_in_frames_of_more_expansions) {
    const uint64_t none = WEND_NO_LIMIT;
    cr_assert_eq(rounds_of(100, none, none), 10);
    cr_assert_eq(rounds_of(16 * 10, none, none), 16);
    cr_assert_eq(rounds_of(16 * 11, none, none), 16);
    cr_assert_eq(rounds_of(16 * 80, none, none), 16);
    cr_assert_eq(rounds_of(32 * 80, none, none), 32);
    cr_assert_eq(rounds_of(16 * 80, 1, none), 128, "time ends it between two rounds");
    cr_assert_eq(rounds_of(16 * 80, none, 1000), 128, "and so many rounds repeat it");
}

/* Where a frame ends with a short round, the same lanes may always be both the fair ones and the short round's. */
Test(lanes, that_are_fair_get_their_share_whatever_a_frame_leaves_to_its_last_round) {
    const uint64_t budgets[] = {1001, 4004, 4200, 5000, 8001};
    enum { FRAMES = 40, URGENT = 7 };
    OWNED_MAP *wide = open_map(512, 512);
    for (unsigned i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        wend_service_def def = small_def();
        tuning.lanes = 4;
        def.nodes = 1024 * WEND_PAGE_NODES;
        tuning.slice = 1000;
        wend_service *service = service_of(&def);
        wend_ticket first = {0, 0};
        for (int j = 0; j <= URGENT; j++) {
            wend_request request = request_on(service, wide, at(256, 256), at(0, j));
            options_of(&request)->engine = WEND_ENGINE_ASTAR, options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
            request.urgency = j > 0;
            const wend_ticket ticket = submit(service, &request);
            if (j == 0) first = ticket;
        }
        for (int j = 0; j < FRAMES; j++) frame_of(service, budgets[i]);
        cr_assert_eq(seen_count, 0, "all are searched all the time");
        const uint64_t spent = entry_of(service, first)->spent, share = FRAMES * budgets[i] / 8;
        cr_assert_geq(spent + 3000, share, "budget %llu: %llu of %llu", (unsigned long long)budgets[i],
                      (unsigned long long)spent, (unsigned long long)share);
        cr_assert_leq(spent, share + 3000);
        cr_assert_eq(wend_service_destroy(service), WEND_OK);
        seen_clear();
    }
}

/* Frames until an urgent request is answered that came to three others; `hash` receives their progress. */
static uint64_t frames_until_urgent(wend_map *moat, uint32_t rush, uint32_t workers, uint64_t *hash) {
    wend_service_def def = small_def();
    tuning.lanes = 4, def.workers = workers, tuning.slice = 20, tuning.fair = 8, tuning.rush = rush;
    OWNED_SERVICE *service = service_of(&def);
    for (int32_t i = 0; i < 3; i++) submit_from_to(service, moat, at(i, 0), moat_goal(60), i);
    frame_of(service, 400);
    submit_from_to(service, moat, at(3, 0), moat_goal(60), 500);
    uint64_t frames = 0;
    while (!seen_number(3) && frames < 10000) frame_of(service, 400), frames++;
    drain(service, 400);
    cr_assert_eq(seen_count, 4);
    *hash = seen_hash();
    seen_clear();
    return frames;
}

/* A single search has one lane: a quarter of the frame. If it rushes it has seven eighths; the oldest gets the rest. */
Test(lanes, serve_only_requests_that_rush_and_the_oldest) {
    OWNED_MAP *moat = moat_map(60);
    const uint64_t alone = cost_of_flood(moat, 60);
    uint64_t hash, same = 0;
    const uint64_t slow = frames_until_urgent(moat, 0, 0, &hash);
    cr_assert_geq(slow, alone * 3 / 400, "%llu", (unsigned long long)slow);
    cr_assert_eq(frames_until_urgent(moat, 501, 0, &same), slow, "it is not urgent enough");
    cr_assert_eq(same, hash);
    for (uint32_t workers = 0; workers <= 3; workers++) {
        const uint64_t frames = frames_until_urgent(moat, 500, workers, &hash);
        cr_assert_leq((frames - 1) * 400 * 7, alone * 8 + 20 * 8, "%llu", (unsigned long long)frames);
        cr_assert_geq(frames * 400 * 7 + 20 * 8, alone * 8, "%llu: the oldest has its share",
                      (unsigned long long)frames);
        if (workers == 0) same = hash;
        cr_assert_eq(hash, same);
    }
}
