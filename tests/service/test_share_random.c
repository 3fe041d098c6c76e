/* SPDX-License-Identifier: MIT */
/* Random calls on a service whose requests share searches: on the newest map each answer equals that of a lone search,
 * each request ends once, limits and deadlines hold, no expansion is lost or counted twice. */
#include "service/service_support.h"
#include "service/share/share.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SIDE = 40, QUEUE = 300, FRAMES = 400 };

typedef struct flight {
    wend_ticket ticket;
    wend_request request;
    bool pending;
} flight;

static struct {
    wend_service *service;
    wend_map *map;
    wend_search *lone;
    uint64_t random;
    flight flights[1 << 16];
    size_t count, ended, shared, many;
    uint64_t spent;
} run;

static void compare(const wend_request *request, const wend_completion *done) {
    wend_status status;
    wend_request alone = *request;
    options_of(&alone)->max_expansions = WEND_NO_LIMIT;
    cr_assert_eq(wend_search_begin(run.lone, &alone), WEND_OK);
    while ((status = wend_search_step(run.lone, 1000000, NULL)) == WEND_STATUS_PENDING) continue;
    wend_completion best = result_now(run.lone);
    cr_assert_eq(done->status, best.status, "%s instead of %s", wend_status_name(done->status),
                 wend_status_name(best.status));
    cr_assert_eq(done->cost, best.cost);
}

static void check_cells(const wend_completion *done, const wend_request *request) {
    uint64_t cost;
    if (done->status != WEND_STATUS_FOUND) return;
    cr_assert_eq(memcmp(&done->cells[0], &request->start, sizeof request->start), 0);
    cr_assert_eq(memcmp(&done->cells[done->cell_count - 1], &request->goal, sizeof request->goal), 0);
    cr_assert_eq(wend_map_path_cost(run.map, request->mover, done->cells, done->cell_count, NULL, &cost), WEND_OK);
    cr_assert_eq(cost, (uint64_t)done->cost);
}

static void done(void *context, const wend_completion *completion) {
    flight *own = context;
    cr_assert(own->pending, "once");
    own->pending = false;
    run.ended++;
    run.spent += completion->expansions;
    run.shared += completion->shared != 0;
    const bool judged = completion->status == WEND_STATUS_FOUND || completion->status == WEND_STATUS_NO_PATH;
    const bool newest = completion->epoch == wend_map_get_epoch(run.map);
    cr_assert_leq(completion->expansions, read_options(&own->request).max_expansions);
    cr_assert_leq(completion->frames, own->request.deadline_frames);
    if (completion->status == WEND_STATUS_LIMIT)
        cr_assert_neq(read_options(&own->request).max_expansions, WEND_NO_LIMIT);
    if (completion->status == WEND_STATUS_EXPIRED) cr_assert_eq(completion->frames, own->request.deadline_frames);
    check_cells(completion, &own->request);
    if (judged && newest) compare(&own->request, completion);
}

/* ---- acts of a host ---- */

static uint32_t pick(uint32_t below) {
    return draw(&run.random, below);
}

static wend_cell pick_cell(void) {
    const int32_t x = (int32_t)pick(3) * 19 + 1, y = (int32_t)pick(3) * 19;
    return at(x, y);
}

static flight *pick_pending(void) {
    for (int i = 0; i < 8; i++) {
        flight *some = run.count > 0 ? &run.flights[pick((uint32_t)run.count)] : NULL;
        if (some && some->pending) return some;
    }
    return NULL;
}

static void ask(void) {
    flight *own = &run.flights[run.count];
    wend_request_init(&own->request, sizeof own->request);
    own->request.map = run.map, own->request.start = pick_cell(), own->request.goal = pick_cell();
    if (pick(3)) own->request.start.x = (int32_t)pick(SIDE);
    if (pick(2)) own->request.start.y = (int32_t)pick(SIDE);
    if (pick(3)) own->request.goal = at(20, 19);
    own->request.urgency = (int32_t)pick(3);
    if (pick(4) == 0) options_of(&own->request)->engine = WEND_ENGINE_ASTAR;
    if (pick(5) == 0) options_of(&own->request)->max_expansions = 1 + pick(600);
    if (pick(5) == 0) own->request.deadline_frames = 1 + pick(8);
    if (pick(9) == 0) own->request.agent = pick(20);
    own->request.on_done = done, own->request.context = own;
    if (run.count == 1 << 16 || wend_service_submit(run.service, &own->request, &own->ticket) != WEND_OK) return;
    own->pending = true;
    run.count++;
}

static void change_map(void) {
    const int32_t x = (int32_t)pick(SIDE), y = (int32_t)pick(SIDE);
    const wend_cell cell = pick(16) ? at(x, y) : at(20, 19); /* the goal of most */
    wend_map_set_cell(run.map, cell, pick(3) ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED, NULL);
}

static void change_something(void) {
    flight *some = pick_pending();
    const uint32_t what = pick(16);
    if (what < 2) change_map();
    if (!some) return;
    if (what >= 2 && what < 5) wend_service_cancel(run.service, some->ticket);
    if (what >= 5 && what < 9) wend_service_set_urgency(run.service, some->ticket, (int32_t)pick(6) - 2);
    if (what >= 9 && what < 11) {
        const wend_cell goal = pick_cell();
        if (wend_service_set_goal(run.service, some->ticket, goal) == WEND_OK) some->request.goal = goal;
    }
}

/* ---- rules between frames ---- */

static void check_groups(void) {
    const wend_service *service = run.service;
    uint32_t members = 0, joined = 0;
    for (uint32_t i = 0; i < service->share.buckets; i++) {
        const wend__group *group = wend__group_of(service, i);
        const uint8_t state = service->entries[i].state;
        if (!group) continue;
        if (group->leader == i) {
            members += group->count;
            cr_assert(group->count > 0 || group->many);
            if (group->count > 0) cr_assert(wend__member_heap_before(service, i, group->first), "the first leads");
            cr_assert(state == WEND__WAITING || state == WEND__BARRED);
        } else {
            joined++;
            cr_assert_eq(state, WEND__JOINED);
            cr_assert_eq(service->entries[i].slot, WEND__NONE);
        }
    }
    cr_assert_eq(members, joined);
    run.many += service->share.many != WEND__NONE;
    if (service->share.field) cr_assert(service->share.holders > 0 || service->share.many != WEND__NONE);
}

static void play(uint64_t seed, uint32_t lanes, uint64_t nodes, uint64_t path_bytes, uint32_t displace) {
    memset(&run, 0, sizeof run);
    run.random = seed, run.map = rough_map(SIDE, SIDE, 25, seed);
    for (int32_t y = 0; y < SIDE; y += 19)
        for (int32_t x = 1; x < SIDE; x += 19) wend_map_set_cell(run.map, at(x, y), WEND_CLASS_OPEN, NULL);
    wend_service_def def = small_def();
    def.share = 1, def.queue = QUEUE, tuning.lanes = lanes, def.nodes = nodes, def.path_bytes = path_bytes;
    def.displace = displace, def.max_path_cells = SIDE * SIDE;
    tuning.quantum = 200;
    run.service = service_of(&def);
    const wend_search_def lone = {.struct_bytes = sizeof lone, .nodes = 16 * WEND_PAGE_NODES};
    cr_assert_eq(wend_search_create(&lone, &run.lone), WEND_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (uint32_t i = pick(60); i > 0; i--) ask();
        for (uint32_t i = pick(20); i > 0; i--) change_something();
        frame_of(run.service, pick(4) ? pick(3000) : pick(60));
        check_groups();
    }
    drain(run.service, 5000);
    cr_assert_eq(run.ended, run.count);
    wend_stats stats = stats_now(run.service);
    cr_assert_eq(run.spent, stats.expansions, "each expansion is somebody's");
    cr_assert_eq(run.shared, stats.shared);
    cr_assert_gt(run.shared, 0);
    cr_assert_gt(run.many, 0, "some goal was that of many");
    cr_assert_null(run.service->share.field);
    cr_assert_eq(wend_service_destroy(run.service), WEND_OK);
    wend_search_destroy(run.lone);
    wend_map_release(run.map);
}

Test(share_random, answers_are_those_of_lone_searches) {
    for (uint64_t seed = 1; seed <= 3; seed++) play(seed, 1, 64 * WEND_PAGE_NODES, 65536, 0);
    for (uint64_t seed = 4; seed <= 6; seed++) play(seed, 4, 64 * WEND_PAGE_NODES, 65536, 0);
}

Test(share_random, where_nodes_and_paths_are_short) {
    for (uint64_t seed = 7; seed <= 9; seed++) play(seed, 2, 2 * WEND_PAGE_NODES, 1024, 0);
}

Test(share_random, where_the_queue_displaces) {
    for (uint64_t seed = 10; seed <= 12; seed++) play(seed, 2, 64 * WEND_PAGE_NODES, 65536, 1);
}
