/* SPDX-License-Identifier: MIT */
/* Saves of a town: restored into another, at any frame; damaged in every way; and a stored one. */
#include "models/options.h"
#include "models/few_or_many.h"
#include "models/random.h"
#include "save/save_town.h"

#include "agents/state/crowd_state.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/graph.h>
#include <wend/layers.h>
#include <wend/movers.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { FRAMES = 1000, FILE_AT = 40, FILE_FRAMES = 50 };
#define FILE_HASH UINT64_C(0xa40c3881a3c8cf00)
#define TOWN_HASH UINT64_C(0x8b3a439abaeb853e) ///< of wend_world_hash(): another one in another version

static void run(town *t, int frames) {
    for (int i = 0; i < frames; i++) town_frame(t);
}

Test(save, a_thousand_frames_are_equal_with_any_number_of_workers) {
    static town_save save;
    static uint64_t hashes[FRAMES];
    town first, other;
    town_open(&first, 0);
    town_fill(&first);
    run(&first, 17);
    cr_assert_eq(town_store(&first, &save), WEND_OK, "%s", wend_error_detail(WEND_BUSY));
    const uint64_t heard = first.heard;
    for (int i = 0; i < FRAMES; i++) hashes[i] = town_frame(&first);
    for (uint32_t workers = 0; workers < 5; workers += 2) {
        town_open(&other, workers);
        town_frame(&other); /* the town need not be new */
        cr_assert_eq(town_restore(&other, &save), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
        other.heard = heard;
        for (int i = 0; i < FRAMES; i++)
            cr_assert_eq(town_frame(&other), hashes[i], "frame %d with %u workers", i, workers);
        town_close(&other);
    }
    town_close(&first);
}

Test(save, agents_keep_their_costs_by_place) {
    static town_save save;
    const wend_agent_id minds = {.index = 3, .generation = 1};
    wend_agent_state state = {.struct_bytes = sizeof state};
    town first, other;
    town_open(&first, 0);
    town_open(&other, 0);
    town_fill(&first);
    cr_assert_eq(wend_crowd_set_profile(first.crowd, &minds, 1, 1), WEND_OK);
    cr_assert_eq(town_store(&first, &save), WEND_OK);
    cr_assert_eq(town_restore(&other, &save), WEND_OK);
    cr_assert_eq(wend_crowd_get_agent(other.crowd, minds, &state), WEND_OK);
    cr_assert_eq(state.profile, 1);
    town_close(&first);
    town_close(&other);
}

static void same_crowds(town *a, town *b) {
    static town_save of_a, of_b;
    cr_assert_eq(town_store(a, &of_a), WEND_OK);
    cr_assert_eq(town_store(b, &of_b), WEND_OK);
    const size_t before = of_a.of[0] + of_a.of[1], other = of_b.of[0] + of_b.of[1];
    cr_assert_eq(of_a.of[2], of_b.of[2]);
    cr_assert_arr_eq(of_a.bytes + before, of_b.bytes + other, of_a.of[2]);
}

/* Agent 1 waits for agent 2 in the first town, for agent 5 in the other one. */
Test(save, a_removed_agent_waits_for_nobody) {
    static town_save save;
    const wend_agent_id waiter = {1, 1}, awaited = {2, 1}, another = {5, 1};
    town first, other;
    town_open(&first, 0);
    town_open(&other, 0);
    town_fill(&first);
    town_fill(&other);
    cr_assert_eq(wend_crowd_wait_for(other.crowd, waiter, &another, 1), WEND_OK);
    cr_assert_eq(wend_crowd_remove(first.crowd, waiter), WEND_OK);
    cr_assert_eq(town_store(&first, &save), WEND_OK);
    cr_assert_eq(town_restore(&other, &save), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
    same_crowds(&first, &other);
    cr_assert_eq(wend_crowd_remove(first.crowd, awaited), WEND_OK);
    cr_assert_eq(wend_crowd_remove(other.crowd, awaited), WEND_OK);
    same_crowds(&first, &other);
    town_close(&first);
    town_close(&other);
}

Test(save, frames_rolled_back_are_played_again) {
    enum { WINDOW = 8, TIMES = 60 };
    static town_save save;
    uint64_t hashes[WINDOW];
    OWNED(town_close) town t;
    town_open(&t, 0);
    town_fill(&t);
    for (int time = 0; time < TIMES; time++) {
        const uint64_t heard = t.heard;
        cr_assert_eq(town_store(&t, &save), WEND_OK);
        for (int i = 0; i < WINDOW; i++) hashes[i] = town_frame(&t);
        cr_assert_eq(town_restore(&t, &save), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
        t.heard = heard;
        for (int i = 0; i < WINDOW; i++) cr_assert_eq(town_frame(&t), hashes[i], "frame %d of time %d", i, time);
    }
}

/* An agent has gone some way along its route, and becomes another mover, whose copy of the route has no legs so far. */
Test(save, a_patrol_that_became_another_mover_is_restored) {
    static town_save save;
    town first, other;
    town_open(&first, 0);
    town_open(&other, 0);
    town_fill(&first);
    run(&first, 40);
    for (uint32_t i = 0; i < 6; i++) {
        const wend_agent_id id = {i, 1};
        cr_assert(first.crowd->agents[i].goal.kind == WEND__GOAL_ROUTE);
        (void)wend_crowd_set_mover(first.crowd, &id, 1, 1); /* where there is room for it */
    }
    cr_assert(first.crowd->routes.copies == 1);
    cr_assert_eq(town_store(&first, &save), WEND_OK);
    cr_assert_eq(town_restore(&other, &save), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
    same_crowds(&first, &other);
    other.heard = first.heard;
    for (int i = 0; i < 200; i++) cr_assert_eq(town_frame(&first), town_frame(&other), "frame %d", i);
    town_close(&first);
    town_close(&other);
}

/* ---- layers ---- */

static uint32_t answers;
static void count_answer(void *context, const wend_completion *done);

static uint64_t expansions_of(wend_map *map, wend_service *service) {
    wend_request request = default_request();
    wend_frame frame = {.struct_bytes = sizeof frame};
    request.map = map, request.start = (wend_cell){1, 1, 0}, request.goal = (wend_cell){60, 60, 0};
    options_of(&request)->profile = 1;
    request.on_done = count_answer;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, &frame), WEND_OK);
    return frame.expansions;
}

static wend_map *map_with_layer(uint32_t half_life) {
    const wend_layer_def def = {.struct_bytes = sizeof def, .half_life = half_life};
    const wend_layer_weight weight = {0, 9};
    wend_map *map = grid_map(128, 128);
    cr_assert_eq(wend_map_add_layer(map, &def, NULL), WEND_OK);
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, NULL), WEND_OK);
    return map;
}

/* Each search ends on a version that has no other users any more. */
Test(save, a_search_among_layers_ends_on_a_version_of_its_own) {
    OWNED_MAP *map = map_with_layer(0);
    wend_service_def def = default_service();
    wend_request request = default_request();
    wend_budget budget = default_budget();
    wend_service *service = made_service(&def);
    cr_assert_eq(wend_map_add_layer_disc(map, 0, (wend_cell){20, 20, 0}, 9, 200), WEND_OK);
    request.map = map, request.on_done = count_answer;
    options_of(&request)->profile = 1;
    answers = 0;
    for (int32_t i = 0; i < 12; i++) {
        request.start = (wend_cell){1 + i, 1, 0}, request.goal = (wend_cell){60, 60 - i, 0};
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    }
    budget.expansions = 20;
    for (int32_t i = 0; i < 500 && answers < 12; i++) {
        cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK);
        cr_assert_eq(wend_map_set_cell(map, (wend_cell){100, i % 100, 0}, (uint8_t)(i % 2), NULL), WEND_OK);
    }
    cr_assert_eq(answers, 12);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

/* A chunk with only values of 0 costs a search nothing, whatever values it had before. */
Test(save, values_that_are_gone_cost_no_expansions) {
    static uint8_t bytes[1 << 14];
    size_t count;
    const wend_cell at = {20, 20, 0};
    for (int fades = 0; fades < 2; fades++) {
        OWNED_MAP *map = map_with_layer(2), *other = map_with_layer(2);
        wend_service_def def = default_service();
        wend_service *service = made_service(&def);
        cr_assert_eq(wend_map_add_layer_disc(map, 0, at, 3, 2), WEND_OK);
        const uint64_t before = expansions_of(map, service);
        if (fades)
            cr_assert_eq(wend_map_update_layers(map, 4), WEND_OK); /* 2 is halved to 0 */
        else
            for (int32_t i = 0; i < 49; i++) {
                const wend_cell cell = {17 + i % 7, 17 + i / 7, 0};
                cr_assert_eq(wend_map_set_layer_box(map, 0, (wend_box){cell, cell}, (const uint8_t[]){0}, 1), WEND_OK);
            }
        cr_assert_eq(wend_map_save_state(map, bytes, sizeof bytes, &count), WEND_OK);
        cr_assert_eq(wend_map_restore_state(other, bytes, count), WEND_OK);
        const uint64_t own = expansions_of(map, service), restored = expansions_of(other, service);
        cr_assert(own == restored && own < before, "%d: %d and %d of %d", fades, (int)own, (int)restored, (int)before);
        cr_assert_eq(wend_service_destroy(service), WEND_OK);
    }
}

/* Values that faded after a save do not come back when as much time has passed once more. */
Test(save, values_that_came_after_a_save_stay_away) {
    static uint8_t bytes[1 << 14];
    size_t count;
    const wend_cell at = {20, 20, 0};
    uint8_t value;
    OWNED_MAP *map = map_with_layer(2);
    cr_assert_eq(wend_map_save_state(map, bytes, sizeof bytes, &count), WEND_OK);
    cr_assert_eq(wend_map_update_layers(map, 40), WEND_OK);
    cr_assert_eq(wend_map_add_layer_disc(map, 0, at, 3, 200), WEND_OK);
    cr_assert_eq(wend_map_restore_state(map, bytes, count), WEND_OK);
    for (int i = 0; i < 60; i++) {
        cr_assert_eq(wend_map_get_layer_value(map, 0, at, &value), WEND_OK);
        cr_assert_eq(value, 0, "update %d", i);
        cr_assert_eq(wend_map_update_layers(map, 1), WEND_OK);
    }
}

/* ---- searches that a frame leaves unfinished begin again ---- */

static void count_answer(void *context, const wend_completion *done) {
    (void)context;
    answers += done->status == WEND_STATUS_FOUND;
}

static void set_count(void *context, wend_ticket ticket, wend_request *request) {
    (void)context, (void)ticket;
    request->on_done = count_answer;
}

Test(save, unfinished_searches_begin_again) {
    static uint8_t save[1 << 16];
    size_t bytes;
    OWNED(town_close) town t;
    town_open(&t, 0);
    wend_save_host host = town_host(&t);
    host.request = set_count;
    wend_ticket ticket = {0, 0};
    for (int32_t i = 0; i < 20; i++) {
        wend_request request = default_request();
        request.map = t.map, request.start = (wend_cell){i, 0, 0}, request.goal = (wend_cell){69 - i, 39, 0};
        request.on_done = count_answer;
        cr_assert_eq(wend_service_submit(t.service, &request, &ticket), WEND_OK);
    }
    wend_budget budget = default_budget();
    budget.expansions = 60;
    answers = 0;
    for (int i = 0; i < 2; i++) cr_assert_eq(wend_service_tick(t.service, &budget, NULL), WEND_OK);
    const uint32_t before = answers;
    cr_assert_eq(wend_service_save_state(t.service, &host, save, sizeof save, &bytes), WEND_OK);
    for (int time = 0; time < 2; time++) {
        cr_assert_eq(wend_service_restore_state(t.service, &host, save, bytes), WEND_OK);
        answers = before;
        if (time == 1) cr_assert_eq(wend_service_cancel(t.service, ticket), WEND_OK, "the ticket is good");
        for (int i = 0; i < 2000 && wend_service_get_pending(t.service) > 0; i++)
            cr_assert_eq(wend_service_tick(t.service, &budget, NULL), WEND_OK);
        cr_assert_eq(wend_service_get_pending(t.service), 0);
        cr_assert_eq(answers, time == 0 ? 20 : 19);
    }
}

/* ---- bytes that are no save ---- */

static wend_error restore_part(town *t, int part, const uint8_t *bytes, size_t count) {
    const wend_save_host host = town_host(t);
    if (part == 0) return wend_map_restore_state(t->map, bytes, count);
    if (part == 1) return wend_service_restore_state(t->service, &host, bytes, count);
    return wend_crowd_restore_state(t->crowd, &host, bytes, count);
}

static const uint8_t *part_of(const town_save *save, int part) {
    const uint8_t *at = save->bytes;
    for (int k = 0; k < part; k++) at += save->of[k];
    return at;
}

static void save_town(town_save *save) {
    OWNED(town_close) town t;
    town_open(&t, 0);
    town_fill(&t);
    run(&t, 9);
    cr_assert_eq(town_store(&t, save), WEND_OK);
}

Test(save, every_truncation_is_refused) {
    static town_save save;
    static uint8_t copy[TOWN_BYTES];
    OWNED(town_close) town t;
    save_town(&save);
    town_open(&t, 0);
    for (int part = 0; part < 3; part++)
        for (size_t count = 0; count < save.of[part]; count += 1 + count / 200) {
            memcpy(copy, part_of(&save, part), count);
            cr_assert_eq(restore_part(&t, part, copy, count), WEND_BAD_FORMAT);
            if (count < 32) continue;
            for (int i = 0; i < 8; i++) copy[16 + i] = (uint8_t)(count >> 8 * i);
            town_sum(copy, count);
            const wend_error error = restore_part(&t, part, copy, count);
            cr_assert(error == WEND_BAD_FORMAT || error == WEND_BAD_ARGUMENT, "part %d, %zu bytes: %d", part, count,
                      error);
        }
}

/* Saves a town that was restored, restores that save, and saves it again: both saves are the same bytes. */
static void restore_again(town *t, int time) {
    static uint8_t bytes[TOWN_BYTES], again[TOWN_BYTES];
    size_t count, count_again;
    cr_assert_eq(wend_crowd_save_state(t->crowd, bytes, sizeof bytes, &count), WEND_OK);
    cr_assert_eq(restore_part(t, 2, bytes, count), WEND_OK, "time %d: %s", time, wend_error_detail(WEND_BAD_FORMAT));
    cr_assert_eq(wend_crowd_save_state(t->crowd, again, sizeof again, &count_again), WEND_OK);
    cr_assert(count == count_again && memcmp(bytes, again, count) == 0, "time %d", time);
}

/* Checks that all public figures of agents are within their documented ranges. */
static void expect_ranges(const town *t, int time) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    for (uint32_t i = 0; i < t->crowd->used; i++) {
        const wend__agent *agent = &t->crowd->agents[i];
        if (wend_crowd_get_agent(t->crowd, (wend_agent_id){i, agent->generation}, &state)) continue;
        cr_assert(state.speed_milli > 0 && state.speed_milli <= WEND_MAX_SPEED_MILLI, "time %d: %u", time,
                  state.speed_milli);
        cr_assert(state.urgency >= WEND_URGENCY_MIN && state.urgency <= WEND_URGENCY_MAX, "time %d", time);
        const wend__agent_goal *goal = &agent->goal;
        const int32_t cells[] = {goal->reach, goal->near_enough, goal->distance};
        for (int k = 0; k < 3; k++) cr_assert(cells[k] >= 0 && cells[k] <= WEND_MAX_REACH, "time %d", time);
        cr_assert(goal->pace <= WEND_MAX_SPEED_MILLI, "time %d", time);
    }
}

/* Most flipped bytes are refused. Other flips make a save of another state, which does no harm. */
Test(save, flipped_bytes_harm_nobody) {
    static town_save save;
    static uint8_t copy[TOWN_BYTES];
    const int times = few_or_many(1000, 4000);
    uint64_t random = 7;
    int refused = 0;
    OWNED(town_close) town t;
    save_town(&save);
    town_open(&t, 0);
    for (int time = 0; time < times; time++) {
        const int part = time % 3;
        cr_assert_eq(town_restore(&t, &save), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
        memcpy(copy, part_of(&save, part), save.of[part]);
        for (uint32_t flips = 1 + draw(&random, 3); flips > 0; flips--)
            copy[32 + draw(&random, (uint32_t)save.of[part] - 32)] = (uint8_t)draw(&random, 256);
        town_sum(copy, save.of[part]);
        const bool good = restore_part(&t, part, copy, save.of[part]) == WEND_OK;
        refused += !good;
        if (good && part == 2) restore_again(&t, time), expect_ranges(&t, time);
        if (part == 1) cr_assert_eq(restore_part(&t, 1, part_of(&save, 1), save.of[1]), WEND_OK);
    }
    cr_assert(refused > times / 8, "%d of %d were refused", refused, times);
    cr_assert_eq(town_restore(&t, &save), WEND_OK);
}

/* Saves are made of crowds with values that no call sets, with right checksums: each is refused. */
Test(save, values_beyond_their_ranges_are_refused) {
    enum { SET_OUT = 3, TOO_FAST = WEND_MAX_SPEED_MILLI + 1 };
    static town_save save;
    town t;
    town_open(&t, 0);
    town_fill(&t);
    run(&t, 9);
    for (int k = 0; k < 14; k++) {
        wend__agent *agent = wend__agent_touch(t.crowd, SET_OUT);
        wend__traffic_agent *in_traffic = &t.crowd->in_traffic[SET_OUT];
        const wend__agent was = *agent;
        const wend__traffic_agent was_in_traffic = *in_traffic;
        if (k == 0) agent->own_speed = TOO_FAST;
        if (k == 1) agent->own_speed = 0;
        if (k == 2) agent->urgency = WEND_URGENCY_MAX + 1;
        if (k == 3) agent->goal.pace = TOO_FAST;
        if (k == 4) agent->goal.reach = WEND_MAX_REACH + 1;
        if (k == 5) agent->goal.near_enough = -1;
        if (k == 6) agent->goal.distance = INT32_MIN;
        if (k == 7) agent->goal.asked_reach = -2;
        if (k == 8) agent->goal.route_steps = UINT32_MAX;
        if (k == 9) agent->length = INT64_MAX;
        if (k == 10) t.crowd->speed[SET_OUT] = 0;
        if (k == 11) in_traffic->urgency = WEND_URGENCY_MIN - 1;
        if (k == 12) t.crowd->scale = -1;
        if (k == 13) t.crowd->scale = 0, t.crowd->elapsed = WEND_MAX_ELAPSED_MILLI + 1;
        cr_assert_eq(town_store(&t, &save), WEND_OK);
        *agent = was, *in_traffic = was_in_traffic;
        const wend_save_host host = town_host(&t);
        cr_expect_eq(wend_crowd_restore_state(t.crowd, &host, part_of(&save, 2), save.of[2]), WEND_BAD_FORMAT, "%d", k);
        town_close(&t);
        town_open(&t, 0);
        town_fill(&t);
        run(&t, 9);
    }
    t.service->fair_lack = INT64_MAX; /* a service settles by its save */
    cr_expect_eq(town_store(&t, &save), WEND_BAD_FORMAT);
    t.service->frame = UINT64_MAX;
    cr_expect_eq(town_store(&t, &save), WEND_BAD_FORMAT);
    t.service->frame = t.service->inbox.frame = 9; /* a valid frame, so that the service can be destroyed */
    town_close(&t);
}

/* Forges a crowd's save whose agent, or leg of a route, has the ticket of a request of the host. */
Test(save, a_search_of_the_crowd_is_no_request_of_the_host) {
    static town_save save;
    static uint8_t forged[2][TOWN_BYTES];
    size_t count[2];
    OWNED(town_close) town t;
    wend_ticket ticket;
    wend_request request = default_request();
    town_open(&t, 0);
    town_fill(&t);
    request.map = t.map, request.goal = (wend_cell){9, 9, 0}, request.on_done = count_answer;
    cr_assert_eq(wend_service_submit(t.service, &request, &ticket), WEND_OK);
    cr_assert_eq(town_store(&t, &save), WEND_OK);
    for (int i = 0; i < 2; i++) {
        const wend__route_leg leg = t.crowd->routes.legs[0];
        const wend_ticket own = t.crowd->agents[53].request.ticket;
        if (i == 0) wend__agent_touch(t.crowd, 53)->request.ticket = ticket;
        if (i == 1) t.crowd->routes.legs[0].ticket = ticket, t.crowd->routes.legs[0].state = WEND__LEG_REQUESTED;
        cr_assert_eq(wend_crowd_save_state(t.crowd, forged[i], TOWN_BYTES, &count[i]), WEND_OK);
        wend__agent_touch(t.crowd, 53)->request.ticket = own, t.crowd->routes.legs[0] = leg;
    }
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(town_restore(&t, &save), WEND_OK);
        cr_assert_eq(restore_part(&t, 2, forged[i], count[i]), WEND_BAD_FORMAT, "forged: %d", i);
    }
    cr_assert_eq(town_restore(&t, &save), WEND_OK);
}

/* A step with more left than its length would never end. */
Test(save, a_step_has_no_more_left_than_its_length) {
    static uint8_t forged[TOWN_BYTES];
    size_t count;
    uint32_t index = 0;
    OWNED(town_close) town t;
    town_open(&t, 0);
    town_fill(&t);
    for (int frame = 0; frame < 20; frame++) town_frame(&t);
    while (index < t.crowd->used && t.crowd->phase[index] != WEND__PHASE_STEPPING) index++;
    cr_assert(index < t.crowd->used);
    for (int64_t more = 0; more <= 1; more++) {
        t.crowd->remaining[index] = t.crowd->agents[index].length + more;
        cr_assert_eq(wend_crowd_save_state(t.crowd, forged, TOWN_BYTES, &count), WEND_OK);
        cr_assert_eq(restore_part(&t, 2, forged, count), more ? WEND_BAD_FORMAT : WEND_OK);
    }
}

/* Returns a place where two saves differ, the next from `at` on. */
static size_t find_difference(const uint8_t *a, const uint8_t *b, size_t at, size_t count) {
    while (at < count && a[at] == b[at]) at++;
    return at;
}

/* An agent is in a list of one march and names another: each place where saves of both differ is forged alone. */
Test(save, the_list_of_an_agent_is_that_of_its_march) {
    enum { FIRST = 16, GROUP = 9 };
    wend_agent_id ids[GROUP];
    wend_crowd_goal order = default_crowd_goal();
    static uint8_t own[TOWN_BYTES], other[TOWN_BYTES];
    size_t count, count_other, forged = 0;
    OWNED(town_close) town t;
    town_open(&t, 0);
    town_fill(&t);
    for (uint32_t i = 0; i < GROUP; i++) ids[i] = (wend_agent_id){FIRST + i, 1};
    order.cell = (wend_cell){4, 30, 0}, order.formation = WEND_AS_WEDGE;
    cr_assert_eq(wend_crowd_go(t.crowd, ids, GROUP, &order), WEND_OK);
    wend__agent_goal *goal = &wend__agent_touch(t.crowd, FIRST)->goal;
    const uint8_t march = goal->march;
    cr_assert_eq(goal->list, &t.crowd->marches[march - 1].first);
    cr_assert_eq(wend_crowd_save_state(t.crowd, own, TOWN_BYTES, &count), WEND_OK);
    goal->march = (uint8_t)(march - 1);
    cr_assert_eq(wend_crowd_save_state(t.crowd, other, TOWN_BYTES, &count_other), WEND_OK);
    goal->march = march;
    cr_assert_eq(count, count_other);
    for (size_t at = 32; (at = find_difference(own, other, at, count)) < count; at++, forged++) {
        const uint8_t right = own[at];
        own[at] = other[at];
        town_sum(own, count);
        cr_expect_eq(restore_part(&t, 2, own, count), WEND_BAD_FORMAT, "forged at %zu", at);
        own[at] = right;
    }
    cr_expect_eq(forged, 2);
    town_sum(own, count);
    cr_expect_eq(restore_part(&t, 2, own, count), WEND_OK);
}

/* ---- a stored save: `SAVE_WRITES=1 ./test_save` writes it ---- */

static const char stored[] = TEST_SAVES "/town.save";

static void write_stored(void) {
    static town_save save;
    OWNED(town_close) town t;
    town_open(&t, 0);
    town_fill(&t);
    run(&t, FILE_AT);
    cr_assert_eq(town_store(&t, &save), WEND_OK);
    FILE *out = fopen(stored, "wb");
    for (int k = 0; k < 3; k++) fwrite(part_of(&save, k), 1, save.of[k], out);
    fclose(out);
}

static void read_stored(town_save *save) {
    FILE *file = fopen(stored, "rb");
    cr_assert(file != NULL);
    const size_t all = fread(save->bytes, 1, sizeof save->bytes, file);
    fclose(file);
    for (size_t k = 0, at = 0; k < 3; at += save->of[k++]) {
        cr_assert(at + 32 <= all);
        save->of[k] =
            (size_t)save->bytes[at + 16] | (size_t)save->bytes[at + 17] << 8 | (size_t)save->bytes[at + 18] << 16;
    }
}

Test(save, a_stored_save_is_read) {
    static town_save save;
    OWNED(town_close) town t;
    if (getenv("SAVE_WRITES")) write_stored();
    read_stored(&save);
    town_open(&t, 0);
    cr_assert_eq(town_restore(&t, &save), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
    run(&t, FILE_FRAMES);
    const uint64_t hash = town_frame(&t);
    cr_assert_eq(hash, FILE_HASH, "the hash is %016llx", (unsigned long long)hash);
}

/* A map that is saved into another one, with more links and movers, or with fewer. */
static void carry_over(wend_map *from, wend_map *to) {
    static uint8_t bytes[1 << 16];
    size_t size, count[2];
    wend_link links[2][8];
    cr_assert_eq(wend_map_save_state(from, bytes, sizeof bytes, &size), WEND_OK);
    cr_assert_eq(wend_map_restore_state(to, bytes, size), WEND_OK, "%s", wend_error_detail(WEND_BAD_ARGUMENT));
    wend_map_get_links(from, links[0], 8, &count[0]);
    wend_map_get_links(to, links[1], 8, &count[1]);
    cr_assert_eq(count[0], count[1]);
    cr_assert_eq(memcmp(links[0], links[1], count[0] * sizeof links[0][0]), 0);
}

Test(save, links_for_some_movers_and_avoided_classes_come_back) {
    OWNED_MAP *map = grid_map(20, 20), *other = grid_map(20, 20);
    const uint64_t avoided[4] = {1 << 3}, shunned[4] = {1 << 2};
    const wend_cell a = {1, 1, 0}, b = {15, 15, 0};
    wend_mover movers[2] = {{.struct_bytes = sizeof movers[0]}, {.struct_bytes = sizeof movers[0]}};
    wend_edit *edit = begin_edit(map);
    int32_t id;
    cr_assert_eq(wend_map_mover_avoiding(map, 0, avoided, &id), WEND_OK);
    cr_assert_eq(wend_map_mover_shunning(map, id, shunned, &id), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){a, b, 7, 1u << id}), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){b, a, 9, 1}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    carry_over(map, other);
    cr_assert_eq(wend_map_get_mover(map, id, &movers[0]), WEND_OK);
    cr_assert_eq(wend_map_get_mover(other, id, &movers[1]), WEND_OK);
    cr_assert_eq(memcmp(&movers[0], &movers[1], sizeof movers[0]), 0);
    edit = begin_edit(other);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){a, b, 7, 0}), WEND_OK); /* for all now */
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    carry_over(map, other);
}

/* At the save the field of the first flow is complete and was repaired, and that of the second is stale: its group has
 * another goal. */
static void run_with_fields(town *t) {
    town_open_with_fields(t);
    town_fill(t);
    run(t, FILE_AT / 2);
    town_send_group(t, (wend_cell){66, 36, 0});
    run(t, FILE_AT / 4);
    cr_assert_eq(wend_map_set_cell(t->map, (wend_cell){55, 20, 0}, WEND_CLASS_BLOCKED, NULL), WEND_OK);
    run(t, FILE_AT / 4);
    town_send_group(t, (wend_cell){64, 6, 0});
}

Test(save, repaired_and_stale_flow_fields_are_restored) {
    static town_save save;
    OWNED(town_close) town first;
    OWNED(town_close) town t;
    run_with_fields(&first);
    cr_assert_eq(town_store(&first, &save), WEND_OK);
    town_open_with_fields(&t);
    cr_assert_eq(town_restore(&t, &save), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
    cr_expect(t.crowd->flows[0].field->repaired && !t.crowd->flows[0].stale);
    cr_expect(t.crowd->flows[1].field && t.crowd->flows[1].stale);
    first.heard = t.heard;
    for (int i = 0; i < FILE_FRAMES; i++) cr_assert_eq(town_frame(&t), town_frame(&first), "frame %d", i);
}

/* Agents stand on nodes, go to some, and leave others; then these nodes are taken out of the graph. */
Test(save, a_crowd_on_a_graph_is_restored_though_nodes_are_gone) {
    enum { NODES = 12, AGENTS = 3 };
    static uint8_t bytes[1 << 16], again[1 << 16];
    wend_edge edges[2 * NODES];
    wend_agent_id ids[AGENTS];
    OWNED(town_close) town t = {.heard = 0};
    wend_graph_def graph = default_graph();
    wend_service_def service = default_service();
    wend_crowd_def crowd = default_crowd();
    size_t count, count_again;
    for (uint32_t i = 0; i < 2 * NODES; i++)
        edges[i] = (wend_edge){i / 2, i % 2 ? (i / 2 + 1) % NODES : (i / 2 + NODES - 1) % NODES, 10};
    graph.node_count = NODES, graph.edges = edges, graph.edge_count = 2 * NODES;
    service.nodes = 64 * WEND_PAGE_NODES;
    cr_assert_eq(wend_graph_create(&graph, &t.map), WEND_OK);
    cr_assert_eq(wend_service_create(&service, &t.service), WEND_OK);
    crowd.agents = AGENTS, crowd.map = t.map, crowd.service = t.service;
    cr_assert_eq(wend_crowd_create(&crowd, &t.crowd), WEND_OK);
    for (int32_t i = 0; i < AGENTS; i++) {
        wend_agent_def agent = default_agent();
        wend_crowd_goal goal = default_crowd_goal();
        agent.cell = (wend_cell){i, 0, 0}, goal.cell = (wend_cell){i + 6, 0, 0};
        cr_assert_eq(wend_crowd_add(t.crowd, &agent, &ids[i]), WEND_OK);
        cr_assert_eq(wend_crowd_go(t.crowd, &ids[i], 1, &goal), WEND_OK);
    }
    for (uint32_t node = 0; node < 3; node++) {
        const uint32_t gone = node == 1 ? 7 : node; /* a start, a goal, and where agents are now */
        IN_BATCH(t.map, cr_assert_eq(wend_edit_remove_node(edit, gone), WEND_OK));
        cr_assert_eq(wend_service_tick(t.service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(t.crowd, 300, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_save_state(t.crowd, bytes, sizeof bytes, &count), WEND_OK);
        cr_assert_eq(wend_crowd_restore_state(t.crowd, NULL, bytes, count), WEND_OK, "without node %u: %s", gone,
                     wend_error_detail(WEND_BAD_FORMAT));
        cr_assert_eq(wend_crowd_save_state(t.crowd, again, sizeof again, &count_again), WEND_OK);
        cr_assert(count == count_again && memcmp(bytes, again, count) == 0, "without node %u", gone);
    }
}

static wend_map *map_with_movers(int count, int32_t cost) {
    wend_map *map = grid_map(70, 9);
    for (int i = 0; i < count; i++) {
        wend_mover mover = default_mover();
        mover.size = 1 + i, mover.factors[7] = (uint8_t)(cost + i);
        cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_OK);
    }
    return map;
}

/* A game adds kinds of agents as it goes: a map of a new process has fewer of them. */
Test(save, movers_that_a_map_lacks_are_added) {
    static uint8_t bytes[1 << 14];
    OWNED_MAP *saved = map_with_movers(3, 5), *other = map_with_movers(1, 6);
    wend_mover own = {.struct_bytes = sizeof own}, mover = {.struct_bytes = sizeof mover};
    size_t count;
    cr_assert_eq(wend_map_save_state(saved, bytes, sizeof bytes, &count), WEND_OK);
    for (int had = 0; had < 4; had++) {
        OWNED_MAP *map = map_with_movers(had, 5);
        cr_assert_eq(wend_map_restore_state(map, bytes, count), WEND_OK);
        for (int32_t id = 1; id < 4; id++) {
            cr_assert_eq(wend_map_get_mover(saved, id, &own), WEND_OK);
            cr_assert_eq(wend_map_get_mover(map, id, &mover), WEND_OK);
            cr_assert(memcmp(&own, &mover, sizeof own) == 0, "mover %d of a map that had %d", id, had);
        }
        cr_assert_neq(wend_map_get_mover(map, 4, &mover), WEND_OK);
    }
    cr_assert_eq(wend_map_restore_state(other, bytes, count), WEND_BAD_ARGUMENT);
    cr_assert_str_eq(wend_error_detail(WEND_BAD_ARGUMENT), "mover 1 of the save is another one than that of the map");
}

Test(save, of_a_graph_is_not_restored_into_one_with_other_edges) {
    static uint8_t bytes[1 << 14];
    const wend_edge edges[] = {{0, 1, 10}, {1, 2, 10}, {2, 0, 10}};
    wend_map *maps[2];
    size_t count;
    for (int i = 0; i < 2; i++) {
        wend_graph_def graph = default_graph();
        wend_edge own[3];
        memcpy(own, edges, sizeof own);
        own[2].cost += i;
        graph.node_count = 3, graph.edges = own, graph.edge_count = 3;
        cr_assert_eq(wend_graph_create(&graph, &maps[i]), WEND_OK);
    }
    cr_assert_eq(wend_map_save_state(maps[0], bytes, sizeof bytes, &count), WEND_OK);
    cr_assert_eq(wend_map_restore_state(maps[0], bytes, count), WEND_OK);
    cr_assert_eq(wend_map_restore_state(maps[1], bytes, count), WEND_BAD_ARGUMENT);
    cr_assert_str_eq(wend_error_detail(WEND_BAD_ARGUMENT), "the save is of a graph with other nodes or edges");
    wend_map_release(maps[0]), wend_map_release(maps[1]);
}

/* The same of a service and a crowd, and where edges have changed since: each save is of the graph as it was. */
Test(save, of_a_graph_whose_edges_changed_is_restored_only_there) {
    static uint8_t bytes[3][1 << 16];
    const wend_edge edges[] = {{0, 1, 10}, {1, 2, 10}, {2, 0, 10}};
    size_t count[3];
    town t[2];
    wend_edit *edit;
    for (int i = 0; i < 2; i++) {
        wend_graph_def graph = default_graph();
        wend_service_def service = default_service();
        wend_crowd_def crowd = default_crowd();
        t[i] = (town){.heard = 0};
        graph.node_count = 3, graph.edges = edges, graph.edge_count = 3;
        cr_assert_eq(wend_graph_create(&graph, &t[i].map), WEND_OK);
        cr_assert_eq(wend_service_create(&service, &t[i].service), WEND_OK);
        crowd.agents = 4, crowd.map = t[i].map, crowd.service = t[i].service;
        cr_assert_eq(wend_crowd_create(&crowd, &t[i].crowd), WEND_OK);
    }
    for (int changed = 0; changed < 2; changed++) {
        const wend_save_host own = town_host(&t[0]), other = town_host(&t[1]);
        cr_assert_eq(wend_map_save_state(t[0].map, bytes[0], sizeof bytes[0], &count[0]), WEND_OK);
        cr_assert_eq(wend_service_save_state(t[0].service, &own, bytes[1], sizeof bytes[1], &count[1]), WEND_OK);
        cr_assert_eq(wend_crowd_save_state(t[0].crowd, bytes[2], sizeof bytes[2], &count[2]), WEND_OK);
        const wend_error error = changed ? WEND_BAD_ARGUMENT : WEND_OK;
        cr_expect_eq(wend_map_restore_state(t[1].map, bytes[0], count[0]), error);
        cr_expect_eq(wend_service_restore_state(t[1].service, &other, bytes[1], count[1]), error);
        cr_expect_eq(wend_crowd_restore_state(t[1].crowd, &other, bytes[2], count[2]), error);
        cr_expect_eq(wend_map_restore_state(t[0].map, bytes[0], count[0]), WEND_OK);
        cr_expect_eq(wend_service_restore_state(t[0].service, &own, bytes[1], count[1]), WEND_OK);
        cr_expect_eq(wend_crowd_restore_state(t[0].crowd, &own, bytes[2], count[2]), WEND_OK);
        cr_assert_eq(wend_edit_begin(t[0].map, &edit), WEND_OK);
        cr_assert_eq(wend_edit_set_edge(edit, 0, 2, 5), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    }
    for (int i = 0; i < 2; i++) town_close(&t[i]);
}

/* Units stay counted where a node was removed, until the host takes them away. */
Test(save, units_on_a_node_that_is_gone_are_restored) {
    static uint8_t bytes[1 << 14];
    const wend_cell gone = {5, 0, 0};
    wend_edge edge = {0, 1, 10};
    wend_graph_def graph = default_graph();
    size_t count;
    graph.node_count = 8, graph.edges = &edge, graph.edge_count = 1;
    OWNED_MAP *map = made_graph(&graph);
    for (int i = 0; i < 2; i++) cr_assert_eq(wend_map_occupy(map, gone), WEND_OK);
    IN_BATCH(map, cr_assert_eq(wend_edit_remove_node(edit, 5), WEND_OK));
    cr_assert_eq(wend_map_save_state(map, bytes, sizeof bytes, &count), WEND_OK);
    cr_assert_eq(wend_map_restore_state(map, bytes, count), WEND_OK, "%s", wend_error_detail(WEND_BAD_FORMAT));
    for (int i = 0; i < 2; i++) cr_assert_eq(wend_map_vacate(map, gone), WEND_OK);
    cr_assert_eq(wend_map_restore_state(map, bytes, count), WEND_OK, "%s", wend_error_detail(WEND_OUT_OF_RANGE));
    for (int i = 0; i < 2; i++) cr_assert_eq(wend_map_vacate(map, gone), WEND_OK);
    cr_assert_eq(wend_map_vacate(map, gone), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_occupy(map, gone), WEND_OUT_OF_RANGE);
}

static uint64_t hash_of_map(wend_map *map) {
    uint64_t hash = 0;
    cr_assert_eq(wend_world_hash(map, NULL, NULL, &hash), WEND_OK);
    return hash;
}

static uint64_t hash_of_town(town *t) {
    uint64_t hash = 0;
    cr_assert_eq(wend_world_hash(t->map, t->service, t->crowd, &hash), WEND_OK);
    return hash;
}

/* A hash keeps parts of the one before. The first town takes one in each frame, the second one now and then, and a third
 * one is restored before its only one. The number is the same on each machine. */
Test(save, a_hash_with_kept_parts_is_that_of_the_whole) {
    enum { HASHED = 120, SELDOM = 17 };
    static const uint64_t last = TOWN_HASH;
    static town_save save;
    town first, other, third;
    town_open(&first, 0);
    town_open(&other, 2);
    town_open(&third, 0);
    town_fill(&first);
    town_fill(&other);
    for (int frame = 0; frame < HASHED; frame++) {
        town_frame(&first);
        town_frame(&other);
        const uint64_t hash = hash_of_town(&first);
        if (frame % SELDOM == SELDOM - 1) cr_assert_eq(hash_of_town(&other), hash, "frame %d", frame);
    }
    cr_assert_eq(hash_of_town(&first), last, "%016llx", (unsigned long long)hash_of_town(&first));
    cr_assert_eq(town_store(&first, &save), WEND_OK);
    cr_assert_eq(town_restore(&third, &save), WEND_OK);
    cr_assert_eq(hash_of_town(&third), hash_of_town(&first));
    town_close(&first);
    town_close(&other);
    town_close(&third);
}

/* Units and edges are in the hash, not the way by which they came to be there. */
Test(save, a_hash_has_units_and_edges) {
    static const wend_cell here = {1, 0, 0}, there = {5, 0, 0};
    wend_edge edge = {0, 1, 10};
    wend_graph_def graph = default_graph();
    graph.node_count = 8, graph.edges = &edge, graph.edge_count = 1;
    OWNED_MAP *map = made_graph(&graph);
    const uint64_t empty = hash_of_map(map);
    cr_assert_eq(wend_map_occupy(map, here), WEND_OK);
    const uint64_t one = hash_of_map(map);
    cr_assert_eq(wend_map_occupy(map, here), WEND_OK);
    const uint64_t two = hash_of_map(map);
    cr_assert_eq(wend_map_occupy(map, there), WEND_OK);
    cr_assert_eq(wend_map_vacate(map, here), WEND_OK);
    const uint64_t apart = hash_of_map(map);
    cr_assert(empty != one && one != two && empty != two && apart != two && apart != one);
    cr_assert_eq(wend_map_vacate(map, there), WEND_OK);
    cr_assert_eq(hash_of_map(map), one);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_edge(edit, 0, 1, 11), WEND_OK));
    cr_assert_neq(hash_of_map(map), one);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_edge(edit, 0, 1, 10), WEND_OK));
    cr_assert_eq(hash_of_map(map), one);
    cr_assert_eq(wend_map_vacate(map, here), WEND_OK);
    cr_assert_eq(hash_of_map(map), empty);
}

static void note_end(void *context, const wend_completion *done) {
    (void)done;
    ++*(int *)context;
}

/* The request is unchanged, with all its goals. */
static void find_answer(void *context, wend_ticket ticket, wend_request *request) {
    (void)ticket;
    for (uint32_t i = 0; i < request->options->more_goal_count; i++)
        cr_assert_eq(request->options->more_goals[i].x, 10 + (int32_t)i);
    request->on_done = note_end, request->context = context;
}

/* Saves a service with one request, restores it, and lets the request end. */
static void restore_one(wend_map *map, wend_request *request, void (*change)(wend_map *map)) {
    static uint8_t bytes[1 << 14];
    int ends = 0;
    wend_service_def def = default_service();
    wend_save_host host;
    size_t count;
    def.nodes = 64 * WEND_PAGE_NODES;
    request->map = map, request->on_done = note_end, request->context = &ends;
    wend_save_host_init(&host, sizeof host);
    host.maps = &map, host.map_count = 1, host.request = find_answer, host.context = &ends;
    wend_service *service = made_service(&def);
    cr_assert_eq(wend_service_submit(service, request, NULL), WEND_OK, "%s", wend_error_detail(WEND_BAD_ARGUMENT));
    change(map);
    cr_assert_eq(wend_service_save_state(service, &host, bytes, sizeof bytes, &count), WEND_OK);
    cr_assert_eq(wend_service_restore_state(service, &host, bytes, count), WEND_OK, "%s",
                 wend_error_detail(WEND_BAD_FORMAT));
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(ends, 1);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
}

static void remove_node(wend_map *map) {
    IN_BATCH(map, cr_assert_eq(wend_edit_remove_node(edit, 5), WEND_OK));
}

static void take_4_neighbours(wend_map *map) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    rules.neighbours = 4;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
}

static void change_nothing(wend_map *map) {
    (void)map;
}

Test(save, the_host_is_asked_for_an_answer_with_all_goals) {
    const wend_cell goals[2] = {{10, 0, 0}, {11, 0, 0}};
    wend_request request = default_request();
    wend_search_options options;
    wend_map *map = grid_map(40, 40);
    wend_search_options_init(&options, sizeof options);
    options.more_goals = goals, options.more_goal_count = 2;
    request.goal = (wend_cell){39, 39, 0}, request.options = &options;
    restore_one(map, &request, change_nothing);
}

Test(save, requests_are_restored_though_nodes_are_gone_or_rules_are_others) {
    const wend_edge edge = {0, 5, 10};
    wend_graph_def graph = default_graph();
    wend_map_def grid = default_map();
    wend_request request = default_request();
    graph.node_count = 8, graph.edges = &edge, graph.edge_count = 1;
    wend_map *map = made_graph(&graph);
    request.goal = (wend_cell){5, 0, 0};
    restore_one(map, &request, remove_node);
    grid.width = grid.height = 40;
    cr_assert_eq(wend_map_create(&grid, &map), WEND_OK);
    wend_request_init(&request, sizeof request);
    request.goal = (wend_cell){39, 39, 0}, request.mode = WEND_MODE_FAR;
    restore_one(map, &request, take_4_neighbours);
}
