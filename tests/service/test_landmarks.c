/* SPDX-License-Identifier: MIT */
/* Landmarks in a service: made, dropped and outlived between frames, while searches are under way. */
#include <criterion/criterion.h>
#include <string.h>

#include "models/worlds.h"
#include "service/service_support.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "fast/acceleration.h"

enum { WIDTH = 150, HEIGHT = 70, EPOCHS = 64, FRAMES = 24, MOST = 1024 };

/* Terrain of each epoch: walls across, each with a gap somewhere, and some noise. */
static uint8_t terrains[EPOCHS][WIDTH * HEIGHT];
static wend_request asked[MOST]; ///< by submission number

static const world *grid_of(uint64_t epoch) {
    static world grid;
    cr_assert_lt(epoch, EPOCHS);
    world_begin(&grid, WEND_KIND_GRID, WIDTH, HEIGHT, 1);
    memcpy(grid.terrain, terrains[epoch], sizeof terrains[0]);
    return &grid;
}

static wend_map *walled_map(uint64_t *seed) {
    uint8_t *terrain = terrains[1];
    for (int i = 0; i < WIDTH * HEIGHT; i++) terrain[i] = draw(seed, 100) > 2;
    for (int x = 8; x < WIDTH; x += 9) {
        const uint32_t gap = draw(seed, HEIGHT);
        for (uint32_t y = 0; y < HEIGHT; y++) terrain[y * WIDTH + (uint32_t)x] = y == gap;
    }
    wend_map *map = world_map(grid_of(1));
    wend_map_info info = info_now(map);
    cr_assert_eq(info.epoch, 1);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    return map;
}

static wend_cell any_cell(uint64_t *seed) {
    const int32_t x = (int32_t)draw(seed, WIDTH);
    return at(x, (int32_t)draw(seed, HEIGHT));
}

static void edit(wend_map *map, uint64_t *seed, uint64_t *epoch) {
    cr_assert_lt(*epoch + 1, EPOCHS);
    memcpy(terrains[*epoch + 1], terrains[*epoch], sizeof terrains[0]);
    wend_edit *batch = begin_edit(map);
    for (uint32_t i = 1 + draw(seed, 4); i > 0; i--) {
        const wend_cell cell = any_cell(seed);
        uint8_t *class = &terrains[*epoch + 1][cell.y * WIDTH + cell.x];
        *class = !*class;
        wend_edit_set_cell(batch, cell, *class);
    }
    cr_assert_eq(wend_edit_publish(batch, epoch), WEND_OK);
}

static void ask(wend_service *service, wend_map *map, uint64_t *seed, uint32_t count) {
    for (; count > 0; count--) {
        wend_request request = request_on(service, map, any_cell(seed), any_cell(seed));
        options_of(&request)->engine = draw(seed, 8) ? WEND_ENGINE_JUMP : WEND_ENGINE_AUTO;
        request.urgency = (int32_t)draw(seed, 3);
        options_of(&request)->on_stale = (int32_t)draw(seed, 2);
        wend_ticket ticket;
        const uint64_t number = service->inbox.number;
        if (wend_service_submit(service, &request, &ticket) == WEND_BUSY) return;
        cr_assert_lt(number, MOST);
        asked[number] = request;
    }
}

typedef struct tally {
    int costs, restarted, jumps;
    uint64_t evictions;
} tally;

/* Compares an answer with its version's terrain. */
static void check(const seen *one, tally *sum) {
    const wend_completion *c = &one->completion;
    const wend_request *request = &asked[c->number];
    const world *grid = grid_of(c->epoch);
    sum->restarted += c->restarts > 0;
    if (c->status != WEND_STATUS_FOUND && c->status != WEND_STATUS_NO_PATH) return;
    const int64_t optimum = world_cost(grid, request->start, request->goal);
    cr_assert_eq(c->cost, c->status == WEND_STATUS_FOUND ? optimum : -1);
    if (c->status == WEND_STATUS_NO_PATH) cr_assert_lt(optimum, 0);
    if (c->status == WEND_STATUS_FOUND)
        cr_assert_eq(world_path(grid, request->start, request->goal, one->cells, c->cell_count), optimum);
    sum->costs += c->status == WEND_STATUS_FOUND;
    sum->jumps += c->engine == WEND_ENGINE_JUMP;
}

/* Changes the landmarks between two frames: another number of them, repairs with pruning, or no change. */
static void tend(wend_map *map, uint64_t *seed) {
    const uint32_t what = draw(seed, 3);
    if (what == 0) cr_assert_eq(wend__map_prepare_landmarks(map, (int32_t)draw(seed, 9)), WEND_OK);
    if (what == 1) cr_assert_eq(wend__map_prune_jumps(map, draw(seed, 3), NULL), WEND_OK);
}

/* Returns a hash of a service's answers to the same calls. `led`: with landmarks. */
static uint64_t live(const wend_service_def *def, uint64_t seed, bool led, tally *sum) {
    uint64_t epoch = 1, tending = seed;
    wend_map *map = walled_map(&seed);
    wend_service *service = service_of(def);
    cr_assert_eq(wend_map_set_max_versions(map, 1 + (int32_t)draw(&seed, 2)), WEND_OK);
    for (int i = 0; i < FRAMES; i++) {
        ask(service, map, &seed, 1 + draw(&seed, 12));
        if (draw(&seed, 3)) edit(map, &seed, &epoch);
        if (led && i == 0) cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
        if (led) tend(map, &tending);
        frame_of(service, 100 + draw(&seed, 900));
    }
    drain(service, 1000);
    const uint64_t hash = seen_hash();
    wend_stats stats = stats_now(service);
    sum->evictions += stats.evictions;
    for (size_t i = 0; i < seen_count; i++) check(&seen_log[i], sum);
    wend_service_destroy(service);
    wend_map_release(map);
    seen_clear();
    return hash;
}

static wend_service_def def_with(uint32_t lanes, uint32_t workers) {
    wend_service_def def = small_def();
    tuning.lanes = lanes, def.workers = workers, tuning.slice = 40, tuning.restarts = 3;
    return def;
}

/* The answers do not depend on the thread that runs a lane, and are exact on their versions. */
Test(landmarks, change_nothing_of_what_workers_do) {
    const int seeds = few_or_many(1, 6);
    int lives = 0;
    tally sum = {0};
    for (int seed = 1; seed <= seeds; seed++)
        for (uint32_t lanes = 1; lanes <= 4; lanes *= 2) {
            static const uint32_t workers[] = {0, 1, 2, 4};
            uint64_t hash = 0;
            for (int i = 0; i < 4; i += few_or_many(3, 1), lives++) {
                const wend_service_def def = def_with(lanes, workers[i]);
                const uint64_t got = live(&def, (uint64_t)seed, true, &sum);
                if (i == 0) hash = got;
                cr_assert_eq(got, hash, "%u lanes, %u workers, seed %d", lanes, workers[i], seed);
            }
        }
    cr_log_info("%d costs, %d restarted, %d by jumps", sum.costs, sum.restarted, sum.jumps);
    cr_assert(sum.costs > 12 * lives && sum.restarted > lives && sum.jumps > sum.costs / 2);
}

/* Pages for a search or two: the others are postponed, evicted and begun again. */
Test(landmarks, change_no_answer_where_memory_is_short) {
    tally sum = {0}, plain = {0};
    const int seeds = enough_or_many(1, 6);
    for (uint64_t seed = 11; seed < 11 + (uint64_t)seeds; seed++) {
        uint64_t hash = 0;
        for (uint32_t workers = 0; workers <= 2; workers += 2) {
            wend_service_def def = def_with(4, workers);
            def.nodes = 6 * WEND_PAGE_NODES, tuning.slice = 10;
            const uint64_t got = live(&def, seed, true, &sum);
            if (workers == 0) hash = got;
            cr_assert_eq(got, hash);
            live(&def, seed, false, &plain);
        }
    }
    cr_assert(sum.costs > 8 * seeds && plain.costs > 8 * seeds, "%d and %d", sum.costs, plain.costs);
    cr_assert(sum.evictions > (uint64_t)seeds && plain.evictions > (uint64_t)seeds, "%d and %d", (int)sum.evictions,
              (int)plain.evictions);
}

/* Slices, lanes and workers change the time of an answer, but neither the answer nor its expansions. */
Test(landmarks, give_the_same_ways_in_any_lane_and_slice) {
    static const uint64_t slices[] = {1, 7, 64, 100000};
    uint64_t seed = 3, epoch = 1, expansions[4][MOST] = {{0}};
    OWNED_MAP *map = walled_map(&seed);
    edit(map, &seed, &epoch);
    cr_assert_eq(wend__map_prepare_landmarks(map, 5), WEND_OK);
    for (uint32_t i = 0; i < 4; i++) {
        wend_service_def def = def_with(1 + i, i);
        tuning.slice = slices[i];
        wend_service *service = service_of(&def);
        uint64_t places = 77;
        tally sum = {0};
        ask(service, map, &places, 60);
        drain(service, 5000);
        cr_assert_eq(seen_count, 60);
        for (size_t n = 0; n < seen_count; n++) {
            const wend_completion *c = &seen_log[n].completion;
            check(&seen_log[n], &sum);
            expansions[i][c->number] = c->expansions;
            cr_assert_eq(c->expansions, expansions[0][c->number], "request %d", (int)c->number);
        }
        cr_assert_gt(sum.jumps, 30);
        wend_service_destroy(service);
        seen_clear();
    }
}

static uint64_t expansions_with(int32_t count) {
    uint64_t seed = 9, sum = 0;
    wend_map *map = walled_map(&seed);
    const wend_service_def def = def_with(2, 0);
    wend_service *service = service_of(&def);
    cr_assert_eq(wend__map_prepare_landmarks(map, count), WEND_OK);
    ask(service, map, &seed, 60);
    drain(service, 10000);
    for (size_t i = 0; i < seen_count; i++) sum += seen_log[i].completion.expansions;
    wend_service_destroy(service);
    wend_map_release(map);
    seen_clear();
    return sum;
}

Test(landmarks, save_a_service_expansions) {
    const uint64_t plain = expansions_with(0), led = expansions_with(4);
    cr_assert_leq(10 * led, 8 * plain, "%d instead of %d", (int)led, (int)plain);
}
