/* SPDX-License-Identifier: MIT */
/* The setup that `wend plan` finds, checked by an independent loop: it suffices, and less of anything does not. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include <wend/wend.h>
#include <wend/query.h>

#include "models/made.h"
#include "plan/plan.h"

enum { REPLAY_ASKS_MAX = 20000 };

/* A map of the repository's data, with jump tables as the program makes them. */
static wend_map *map_of(const char *name) {
    wend_map *map = NULL;
    wend_acceleration def = default_acceleration();
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    cr_assert_eq(wend_map_load(path, NULL, &map, NULL, NULL), WEND_OK);
    wend_map_accelerate(map, &def);
    return map;
}

static void find_plan(plan_answer *answer, wend_map *map, const plan_demand *demand) {
    *answer = (plan_answer){0};
    plan_load_open(&answer->load, demand, map, WEND_MOVER_DEFAULT, NULL);
    cr_assert(plan_load_make(&answer->load, demand));
    answer->spots = plan_spots_create(map, WEND_MOVER_DEFAULT);
    cr_assert(plan_search(answer));
}

static void free_plan(plan_answer *answer) {
    plan_spots_free(answer->spots);
    plan_load_free(&answer->load);
    wend_map_release(answer->load.map);
}

/* ---- the load again, by a loop that shares nothing with plan_run.c ---- */

typedef struct replay {
    uint64_t frame, in_time, within, refused, short_of_nodes;
    uint32_t asked_in[REPLAY_ASKS_MAX];
} replay;

static replay again;

static void note_answer(void *context, const wend_completion *completion) {
    const uint32_t asked = *(const uint32_t *)context;
    again.short_of_nodes += completion->status == WEND_STATUS_OUT_OF_NODES;
    again.in_time += again.frame - asked < again.within;
}

static void play_load(const plan_load *load, const plan_setup *setup) {
    wend_service_def def = default_service();
    wend_budget budget;
    wend_service_tuning tuning = default_tuning();
    def.tuning = &tuning, def.queue = setup->queue;
    tuning.lanes = setup->lanes;
    def.nodes = setup->nodes, def.max_path_cells = setup->max_path_cells;
    OWNED_SERVICE *service = made_service(&def);
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = setup->budget;
    cr_assert_leq(load->count, REPLAY_ASKS_MAX);
    again = (replay){.within = load->within};
    size_t at = 0;
    for (; again.frame < load->frames + load->within; again.frame++) {
        for (; at < load->count && load->asks[at].frame == again.frame; at++) {
            wend_request request = default_request();
            request.map = load->map, request.start = load->asks[at].start;
            request.goal = load->asks[at].goal, request.on_done = note_answer;
            request.context = &again.asked_in[at];
            again.asked_in[at] = (uint32_t)again.frame;
            again.refused += wend_service_submit(service, &request, NULL) == WEND_BUSY;
        }
        cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK);
    }
}

static bool holds_again(const plan_load *load, const plan_setup *setup) {
    play_load(load, setup);
    return again.refused == 0 && again.short_of_nodes == 0 && again.in_time * 100 >= load->count * 99;
}

static const plan_demand hundred = {.agents = 100, .hz = 20, .asks_milli = 2000, .within_ms = 100, .seed = 1};

Test(plan, finds_a_setup_that_holds_and_less_of_it_does_not) {
    OWNED(free_plan) plan_answer answer;
    find_plan(&answer, map_of("caves512.map"), &hundred);
    cr_assert(answer.found);
    cr_assert(holds_again(&answer.load, &answer.setup));

    plan_setup less = answer.setup;
    less.budget = less.budget * 9 / 10;
    cr_assert_not(holds_again(&answer.load, &less), "nine tenths of the budget hold");
    less = answer.setup;
    less.queue--;
    play_load(&answer.load, &less);
    cr_assert_gt(again.refused, 0, "a smaller queue refuses nobody");
    less = answer.setup;
    less.nodes -= WEND_PAGE_NODES;
    if (less.nodes >= (uint64_t)less.lanes * WEND_PAGE_NODES)
        cr_assert_not(holds_again(&answer.load, &less), "a smaller pool holds");
}

/* Answers that may take half a second let many requests wait at once, so that the queue has to be larger. */
Test(plan, gives_patient_agents_less_budget_and_more_queue) {
    plan_answer now, later;
    plan_demand patient = hundred;
    patient.distance = 80;
    find_plan(&now, map_of("caves512.map"), &patient);
    patient.within_ms = 500;
    find_plan(&later, map_of("caves512.map"), &patient);
    cr_assert(later.found);
    cr_assert_lt(later.setup.budget, now.setup.budget);
    cr_assert_gt(later.setup.queue, now.setup.queue);
    cr_assert(holds_again(&later.load, &later.setup));
    cr_assert_geq(later.setup.budget * later.load.frames, later.last.expansions, "it does not keep up");
    free_plan(&now);
    free_plan(&later);
}

Test(plan, is_the_same_for_a_seed) {
    plan_answer one, two, other;
    plan_demand seeded = hundred;
    seeded.distance = 40;
    find_plan(&one, map_of("caves512.map"), &seeded);
    find_plan(&two, map_of("caves512.map"), &seeded);
    seeded.seed = 2;
    find_plan(&other, map_of("caves512.map"), &seeded);
    cr_assert_eq(one.setup.budget, two.setup.budget);
    cr_assert_eq(one.setup.queue, two.setup.queue);
    cr_assert_eq(one.setup.nodes, two.setup.nodes);
    cr_assert_eq(one.setup.lanes, two.setup.lanes);
    cr_assert_eq(one.last.latency.max, two.last.latency.max);
    cr_assert_neq(one.last.expansions, other.last.expansions);
    free_plan(&one);
    free_plan(&two);
    free_plan(&other);
}

Test(plan, a_crowd_that_walks_holds_and_fails_with_less) {
    OWNED(free_plan) plan_answer answer;
    plan_demand walking = hundred;
    walking.walk = true, walking.distance = 20, walking.agents = 40;
    wend_map *map = map_of("caves512.map");
    find_plan(&answer, map, &walking);
    cr_assert(answer.found, "%s", answer.why);
    cr_assert(answer.last.holds);
    cr_assert_not(answer.less_run.holds);
    cr_assert_leq(answer.last.latency.p99, answer.load.within);
    cr_assert_geq(answer.last.requests, answer.load.count);
    plan_result result;
    cr_assert(plan_run(&answer.load, &answer.setup, &(plan_trial){.walk = true}, &result));
    cr_assert(result.holds);
    cr_assert_eq(result.expansions, answer.last.expansions, "a run is not the same as before");
}

/* ---- the load ---- */

Test(plan_load, asks_as_often_and_as_far_as_it_should) {
    plan_load load;
    plan_demand far = hundred;
    far.distance = 50;
    plan_load_open(&load, &far, map_of("caves512.map"), WEND_MOVER_DEFAULT, NULL);
    cr_assert(plan_load_make(&load, &far));
    const uint64_t wanted = 100 * 2 * load.frames / 20;
    cr_assert(load.count > wanted * 98 / 100 && load.count < wanted * 102 / 100, "%zu requests", load.count);
    uint64_t nearer = 0;
    uint32_t counts[100] = {0};
    for (size_t i = 0; i < load.count; i++) {
        const plan_ask *ask = &load.asks[i];
        const int32_t dx = abs(ask->goal.x - ask->start.x), dy = abs(ask->goal.y - ask->start.y);
        bool reachable = false;
        wend_map_reachable(load.map, WEND_MOVER_DEFAULT, ask->start, ask->goal, &reachable);
        cr_assert_eq(reachable, 1);
        cr_assert(i == 0 || load.asks[i - 1].frame <= ask->frame);
        cr_assert_leq(dx > dy ? dx : dy, 50);
        nearer += (dx > dy ? dx : dy) < 50;
        counts[ask->agent]++;
    }
    cr_assert_eq(nearer, load.nearer);
    cr_assert_lt(nearer, load.count / 20);
    for (int i = 0; i < 100; i++) cr_assert(counts[i] >= load.frames / 10 - 1 && counts[i] <= load.frames / 10 + 1);
    plan_load_free(&load);
    wend_map_release(load.map);
}

/* ---- hard spots ---- */

/* Two halls with a door of some cells between them: all ways from one to the other go through it. */
static wend_map *two_halls(int32_t width, int32_t height, int32_t door) {
    wend_map *map = grid_map(width, height);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < height; y++)
        if (y < height / 2 || y >= height / 2 + door)
            cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){width / 2, y, 0}, 0), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

Test(plan_spots, names_the_door_between_two_halls) {
    wend_map *map = two_halls(101, 60, 2);
    OWNED(free_plan) plan_answer answer;
    find_plan(&answer, map, &hundred);
    plan_choke chokes[PLAN_SPOTS_MAX];
    plan_pair pairs[PLAN_SPOTS_MAX];
    cr_assert_geq(plan_spots_chokes(answer.spots, chokes), 1);
    cr_assert_eq(chokes[0].cell.x, 50);
    cr_assert(chokes[0].cell.y == 30 || chokes[0].cell.y == 31);
    cr_assert_eq(chokes[0].width, 2);
    const size_t count = plan_spots_pairs(answer.spots, pairs);
    cr_assert_eq(count, PLAN_SPOTS_MAX);
    for (size_t i = 0; i < count; i++) {
        const bool eastward = pairs[i].worst_from.x < 50;
        cr_assert(eastward ? pairs[i].worst_to.x > 50 : pairs[i].worst_to.x < 50, "pair %zu stays in a hall", i);
        cr_assert(pairs[i].from.min.x <= pairs[i].worst_from.x && pairs[i].worst_from.x <= pairs[i].from.max.x);
        cr_assert(i == 0 || pairs[i].expansions <= pairs[i - 1].expansions);
    }
}

/* Most walkers are blocked before the door, on both sides; the count cannot exceed all walkers in all updates. */
Test(plan_spots, names_the_jam_before_a_door) {
    const plan_demand demand = {.agents = 60, .hz = 10, .asks_milli = 1500, .within_ms = 500, .seed = 1, .walk = true};
    wend_map *map = two_halls(41, 40, 1);
    OWNED(free_plan) plan_answer answer;
    find_plan(&answer, map, &demand);
    const plan_result *last = &answer.last;
    uint64_t waits = 0;
    cr_assert(last->jam_count > 0 && last->jam_count <= PLAN_SPOTS_MAX);
    cr_assert(abs(last->jams[0].cell.x - 20) <= 3 && abs(last->jams[0].cell.y - 20) <= 3, "%d,%d",
              (int)last->jams[0].cell.x, (int)last->jams[0].cell.y);
    cr_assert_gt(2 * last->jams[0].waits, last->jam_waits, "the door has most of the waits");
    cr_assert_eq(last->jam_updates, last->frames, "the window holds the whole run");
    cr_assert_leq(last->jam_waits, demand.agents * last->frames);
    for (size_t i = 0; i < last->jam_count; i++) {
        cr_assert(i == 0 || last->jams[i].peak <= last->jams[i - 1].peak);
        waits += last->jams[i].waits;
    }
    cr_assert_leq(waits, last->jam_waits);
}
