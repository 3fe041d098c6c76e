/* SPDX-License-Identifier: MIT */
/* Requests on worlds of every kind through a service with next to no memory, while goals move: each ends, with the
 * answer of an independent Dijkstra or as out_of_nodes; no frame spends more than it may; and former contents of the
 * memory do not matter. */
#include "service/service_support.h"
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 24, CELLS = 4096, MOST_FRAMES = 20000 };

static void *take_filled(void *context, size_t bytes, size_t alignment) {
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory) memset(memory, *(const int *)context, bytes);
    return memory;
}

static void give_back(void *context, void *memory, size_t bytes) {
    (void)context;
    (void)bytes;
    free(memory);
}

static struct run {
    const world *world;
    wend_request asked[REQUESTS]; ///< with the goals they have now
    wend_cell goals[REQUESTS][WORLD_GOALS];
    bool done[REQUESTS];
    int completed, found, out_of_nodes;
    uint64_t hash;
} now;

static void mix(uint64_t value) {
    now.hash = (now.hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    now.hash ^= now.hash >> 29;
}

static void note(void *context, const wend_completion *got) {
    const int i = (int)(intptr_t)context;
    const wend_request *asked = &now.asked[i];
    const world_answer expected = world_ask(now.world, asked);
    cr_assert(!now.done[i]);
    now.done[i] = true;
    now.completed++;
    now.found += got->status == WEND_STATUS_FOUND;
    now.out_of_nodes += got->status == WEND_STATUS_OUT_OF_NODES;
    mix((uint64_t)got->status), mix((uint64_t)got->cost), mix(got->expansions), mix(got->frames), mix(got->wait_frames);
    for (size_t j = 0; j < got->cell_count; j++) mix((uint64_t)world_number(now.world, got->cells[j]));
    if (got->status != WEND_STATUS_OUT_OF_NODES) {
        cr_assert_eq(got->status, expected.status, "%s, not %s", wend_status_name(got->status),
                     wend_status_name(expected.status));
        cr_assert_eq(got->cost, expected.cost, "kind %d: %lld, not %lld", now.world->kind, (long long)got->cost,
                     (long long)expected.cost);
    }
    if (got->cost >= 0) cr_assert_eq(world_walk(now.world, asked, got->cells, got->cell_count), got->cost);
}

static wend_service *service_of_little(oracle_random *random, int *garbage) {
    wend_service_def def = default_service();
    wend_service_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    tuning.lanes = 1 + (uint32_t)oracle_below(random, 4);
    tuning.searches = tuning.lanes + (uint32_t)oracle_below(random, 8);
    def.queue = REQUESTS;
    tuning.list = 1 + (uint32_t)oracle_below(random, 4);
    tuning.fair = (uint32_t)oracle_below(random, 4);
    tuning.evictions = (uint32_t)oracle_below(random, 4);
    tuning.slice = 1 + (uint64_t)oracle_below(random, 60);
    tuning.quantum = 1 + (uint64_t)oracle_below(random, 300);
    def.nodes = 1 + (uint64_t)oracle_below(random, 4) * WEND_PAGE_NODES, def.max_path_cells = CELLS;
    def.path_bytes = 64;
    def.allocator = (wend_allocator){.context = garbage, .alloc = take_filled, .free = give_back};
    wend_service *service = made_service(&def);
    const uint32_t open =
        1 + (uint32_t)oracle_below(random, 12); /* and fewer pages for open lists than it has room for */
    if (open < service->pool.open_count) service->pool.open_count = open;
    return service;
}

static void ask(wend_service *service, wend_map *map, oracle_random *random, int i, wend_ticket *ticket) {
    now.asked[i] = world_request(now.world, random, true, now.goals[i]);
    wend_request request = now.asked[i];
    request.map = map, request.urgency = oracle_below(random, 5), request.on_done = note;
    request.context = (void *)(intptr_t)i;
    cr_assert_eq(wend_service_submit(service, &request, ticket), WEND_OK);
}

/* Now and then; a pursuer's in every frame. */
static void move_goals(wend_service *service, oracle_random *random, const wend_ticket *tickets, int moves) {
    for (int i = 0; i < REQUESTS; i++) {
        const bool pursues = i % 8 == 0;
        if (now.done[i] || moves == 0 || (!pursues && oracle_below(random, 20) > 0)) continue;
        wend_cell goal = world_cell(now.world, oracle_below(random, now.world->cells));
        cr_assert_eq(wend_service_set_goal(service, tickets[i], goal), WEND_OK);
        const wend_cell old = now.asked[i].goal;
        if (read_options(&now.asked[i]).more_goal_count == 0 && memcmp(&old, &goal, sizeof goal) == 0) continue;
        now.asked[i].goal = goal;
        options_of(&now.asked[i])->more_goal_count = 0;
    }
}

static uint64_t hash_of_run(const world *w, wend_map *map, uint64_t seed, bool moves, int garbage) {
    oracle_random random = {seed};
    wend_ticket tickets[REQUESTS];
    memset(&now, 0, sizeof now);
    now.world = w;
    wend_service *service = service_of_little(&random, &garbage);
    for (int i = 0; i < REQUESTS; i++) ask(service, map, &random, i, &tickets[i]);
    int frames = 0;
    for (; wend_service_get_work(service) > 0; frames++) {
        cr_assert_lt(frames, MOST_FRAMES, "kind %d: %d of %d requests never end", w->kind, REQUESTS - now.completed,
                     REQUESTS);
        if (moves) move_goals(service, &random, tickets, frames < 60);
        wend_budget budget = default_budget();
        wend_frame frame = {.struct_bytes = sizeof frame};
        budget.expansions = 1 + (uint64_t)oracle_below(&random, 200);
        limits_of(&budget)->deliveries = 1 + (uint64_t)oracle_below(&random, 4);
        limits_of(&budget)->cells = (uint64_t)oracle_below(&random, 40);
        cr_assert_eq(wend_service_tick(service, &budget, &frame), WEND_OK);
        cr_assert_leq(frame.expansions, budget.expansions);
        cr_assert_leq(frame.deliveries, limits_of(&budget)->deliveries);
    }
    cr_assert_eq(now.completed, REQUESTS);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    return now.hash;
}

static void try_worlds(int kind, bool moves, int worlds, uint64_t seed) {
    static world w;
    const world_options options = {kind, true, true, kind != WEND_KIND_GRAPH, true, true};
    oracle_random random = {seed};
    int found = 0, out_of_nodes = 0;
    worlds = few_or_many(worlds / 4, worlds);
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, &options);
        OWNED_MAP *map = world_map(&w);
        const uint64_t run = oracle_next(&random);
        const uint64_t first = hash_of_run(&w, map, run, moves, 0xaa);
        found += now.found, out_of_nodes += now.out_of_nodes;
        cr_assert_eq(hash_of_run(&w, map, run, moves, 0x55), first);
    }
    cr_assert_gt(found, out_of_nodes); /* most fit */
}

Test(service_pressure, grids) {
    try_worlds(WEND_KIND_GRID, false, 150, 1);
}

Test(service_pressure, grids_with_goals_that_move) {
    try_worlds(WEND_KIND_GRID, true, 150, 2);
}

Test(service_pressure, voxels) {
    try_worlds(WEND_KIND_VOXEL, false, 100, 3);
}

Test(service_pressure, voxels_with_goals_that_move) {
    try_worlds(WEND_KIND_VOXEL, true, 100, 4);
}

Test(service_pressure, graphs) {
    try_worlds(WEND_KIND_GRAPH, false, 100, 5);
}

Test(service_pressure, graphs_with_goals_that_move) {
    try_worlds(WEND_KIND_GRAPH, true, 100, 6);
}
