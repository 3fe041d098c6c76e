/* SPDX-License-Identifier: MIT */
/* Jump searches in a service: short slices, few slots, and a map that changes under them. */
#include <criterion/criterion.h>

#include "service/service_support.h"
#include "fast/acceleration.h"
#include "fast/jump/grid_jump.h"
#include "map/store/directions.h"
#include "map/version/version.h"
#include "search/engines.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/kept.h"

/* A search that has spent something goes on where it was, though it holds no page so far; else slices shorter than the
 * cost of beginning would begin it again and again. */
Test(jump, ends_in_slices_and_frames_of_one_expansion) {
    for (uint32_t searches = 1; searches <= 4; searches += 3) {
        wend_service_def def = small_def();
        tuning.slice = 1, tuning.lanes = 1, tuning.searches = searches;
        wend_service *service = service_of(&def);
        wend_map *clear = open_map(40, 40), *rough = rough_map(40, 40, 15, 7);
        cr_assert_eq(wend__map_prepare_jumps(clear), WEND_OK);
        cr_assert_eq(wend__map_prepare_jumps(rough), WEND_OK);
        uint64_t seed = 3;
        for (int i = 0; i < 40; i++) {
            const wend_cell start = {(int32_t)draw(&seed, 40), (int32_t)draw(&seed, 40), 0};
            const wend_cell goal = {(int32_t)draw(&seed, 40), (int32_t)draw(&seed, 40), 0};
            wend_request request = request_on(service, i % 2 ? rough : clear, start, goal);
            options_of(&request)->engine = WEND_ENGINE_JUMP;
            request.urgency = i % 7;
            submit(service, &request);
        }
        drain(service, 1);
        cr_assert_eq(seen_count, 40);
        cr_assert_geq(seen_status(WEND_STATUS_FOUND), 20);
        for (size_t i = 0; i < seen_count; i++)
            if (seen_log[i].completion.status == WEND_STATUS_FOUND)
                cr_assert_eq(seen_log[i].completion.engine, WEND_ENGINE_JUMP);
        wend_service_destroy(service);
        wend_map_release(clear);
        wend_map_release(rough);
        seen_clear();
    }
}

/* By default a service takes A* where small obstacles stand close, and jump search where there are walls. */
Test(jump, is_taken_where_it_pays_or_is_asked_for) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *noise = rough_map(100, 90, 20, 3), *halls = closed_map(60);
    cr_assert_eq(wend__map_prepare_jumps(noise), WEND_OK);
    cr_assert_eq(wend__map_prepare_jumps(halls), WEND_OK);
    static const int32_t engines[3] = {WEND_ENGINE_AUTO, WEND_ENGINE_ASTAR, WEND_ENGINE_JUMP};
    uint64_t seed = 5;
    for (unsigned i = 0; i < 120; i++) {
        const int32_t side = i % 2 ? 60 : 90, engine = engines[i / 2 % 3];
        const wend_cell start = {(int32_t)draw(&seed, 5), (int32_t)draw(&seed, (uint32_t)side), 0};
        const wend_cell goal = {side - 1 - (int32_t)draw(&seed, 5), (int32_t)draw(&seed, (uint32_t)side), 0};
        wend_request request = request_on(service, i % 2 ? halls : noise, start, goal);
        options_of(&request)->engine = engine;
        submit(service, &request);
        drain(service, 1000);
        const wend_completion *done = &seen_log[seen_count - 1].completion;
        if (done->status != WEND_STATUS_FOUND) continue;
        const bool jumps = engine == WEND_ENGINE_JUMP || (engine == WEND_ENGINE_AUTO && i % 2);
        cr_assert_eq(done->engine, jumps ? WEND_ENGINE_JUMP : WEND_ENGINE_ASTAR, "request %u", i);
    }
    cr_assert_geq(seen_status(WEND_STATUS_FOUND), 40);
}

static void set(wend_map *map, wend_cell cell, uint8_t terrain) {
    cr_assert_eq(wend_map_set_cell(map, cell, terrain, NULL), WEND_OK);
}

/* Versions of batches and of pruning come and go: never more than the limit. Jump search serves slow ground, too. */
Test(jump, serves_slow_ground_and_even_ground_by_turns) {
    wend_service_def def = small_def();
    tuning.slice = 2;
    OWNED_SERVICE *service = service_of(&def);
    wend_map_def land = default_map();
    wend_map_rules land_rules = default_rules();
    land.rules = &land_rules, land.width = land.height = 40;
    land_rules.factors[9] = 3;
    land.max_versions = 2;
    OWNED_MAP *map = made_map(&land);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    for (int round = 0; round < few_or_many(60, 600); round++) {
        const int slow = round / 3 % 2;
        if (round % 3 == 0)
            set(map, (wend_cell){39, 0, 0}, slow ? 9 : WEND_CLASS_OPEN);
        else
            set(map, (wend_cell){round % 40, 20, 0}, round % 2 ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN);
        uint32_t left = 1;
        cr_assert_eq(wend__map_prune_jumps(map, 4, &left), WEND_OK);
        cr_assert_eq(left, 0);
        const size_t before = seen_count;
        submit_from_to(service, map, (wend_cell){0, 0, 0}, (wend_cell){38, 39, 0}, 0);
        drain(service, 5);
        cr_assert_eq(seen_count, before + 1);
        const wend_completion *done = &seen_log[before].completion;
        cr_assert_eq(done->status, WEND_STATUS_FOUND);
        cr_assert_eq(done->engine, WEND_ENGINE_JUMP, "round %d", round);
    }
}

/* A request that spent its limit names the engine that spent it, whatever would serve today. */
Test(jump, says_which_engine_spent_the_limit) {
    wend_service_def def = small_def();
    tuning.slice = 10;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *map = rough_map(40, 40, 15, 7);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    wend_request request = request_on(service, map, at(0, 0), at(39, 39));
    options_of(&request)->engine = WEND_ENGINE_JUMP, options_of(&request)->max_expansions = 25;
    submit(service, &request);
    frame_of(service, 10);
    cr_assert_eq(wend__map_drop_jumps(map), WEND_OK);
    drain(service, 10);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_LIMIT);
    cr_assert_eq(seen_log[0].completion.engine, WEND_ENGINE_JUMP);
}

Test(jump, a_search_says_the_same_in_directions_as_in_cells) {
    static wend_cell cells[4096];
    static uint8_t directions[4096];
    uint64_t seed = 10, found = 0, jumped = 0;
    static uint8_t bytes[1 << 20];
    wend__pool pool;
    static wend__search_memory memory;
    wend__search *const search = &memory.search;
    wend__stock stock = {.page_count = 0};
    uint8_t *at = bytes + (64 - (uintptr_t)bytes % 64) % 64;
    cr_assert_leq(wend__pool_bytes(12, 1), sizeof bytes - 64);
    wend__pool_init(&pool, at, 12, 1);
    wend__search_init(search, &pool);
    OWNED_MAP *map = rough_map(100, 100, 25, 3);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    wend__version *version = wend__map_acquire(map, true);
    for (int i = 0; i < 300; i++) {
        wend_request request = path_request(map, (wend_cell){(int32_t)draw(&seed, 100), (int32_t)draw(&seed, 100), 0},
                                            (wend_cell){(int32_t)draw(&seed, 100), (int32_t)draw(&seed, 100), 0});
        options_of(&request)->engine = i % 3 == 0 ? WEND_ENGINE_ASTAR : WEND_ENGINE_JUMP;
        request.reach = i % 3 == 2; /* the general engine's */
        wend__search_begin(search, version, KEPT(&request));
        while (search->status == WEND_STATUS_PENDING) {
            wend__pool_grant(&pool, &stock, WEND__STOCK, WEND__STOCK);
            wend__search_step(search, &stock, 1000);
        }
        const bool known = search->status == WEND_STATUS_FOUND && search->pages.count > 0;
        if (known && search->engine == &wend__general_astar) cr_assert_not(wend__search_directions(search, directions));
        if (known && search->engine != &wend__general_astar) {
            found++, jumped += search->engine == &wend__grid_jump;
            cr_assert(wend__search_directions(search, directions));
            wend__search_cells(search, cells, search->steps + 1);
            for (uint64_t n = 0; n < search->steps; n++) {
                cr_assert_eq(cells[n].x + wend__dx[directions[n]], cells[n + 1].x);
                cr_assert_eq(cells[n].y + wend__dy[directions[n]], cells[n + 1].y);
            }
        }
        wend__search_drop(search);
        wend__pool_return(&pool, &stock);
    }
    cr_assert(jumped > 20 && found > jumped + 20, "%d by jumps of %d", (int)jumped, (int)found);
    wend__map_release(version, true);
}
