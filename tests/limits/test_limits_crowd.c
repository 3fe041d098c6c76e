/* SPDX-License-Identifier: MIT */
/* Limits of crowds, their agents and their bodies. */
#include "limits/limits.h"
#include "agents/update/agents.h"
#include "models/options.h"

#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/movers.h>

enum { SIDE = 80, AGENTS = 16 };

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static wend_agent_id ids[AGENTS];

static void open_all(void) {
    const wend_service_def service_def = default_service();
    wend_crowd_def def = default_crowd();
    wend_agent_def agent = default_agent();
    map = grid_map(SIDE, SIDE);
    cr_assert_eq(wend_service_create(&service_def, &service), WEND_OK);
    def.agents = AGENTS, def.service = service, def.map = map;
    tuning_of(&def)->events = 16 * AGENTS;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_OK);
    for (int32_t i = 0; i < AGENTS - 1; i++) {
        agent.cell = (wend_cell){4 * i, 70, 0};
        cr_assert_eq(wend_crowd_add(crowd, &agent, &ids[i]), WEND_OK);
    }
}

static void close_all(void) {
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
}

TestSuite(limits_crowd, .init = open_all, .fini = close_all);

/* ---- crowds ---- */

static bool is_good_crowd(int64_t agents, int64_t head_start, int64_t fields, int64_t within) {
    wend_crowd_def def = default_crowd();
    def.service = service, def.map = map, def.agents = (uint32_t)agents;
    tuning_of(&def)->head_start = (uint32_t)head_start, tuning_of(&def)->fields = (uint32_t)fields;
    tuning_of(&def)->units_within = (int32_t)within;
    return wend_crowd_bytes(&def) > 0;
}

Test(limits_crowd, of_a_crowd) {
    AT_MOST_GIVES(WEND_MAX_AGENTS, true, false, is_good_crowd(value, 0, 0, 0));
    AT_MOST_GIVES(WEND_MAX_HEAD_START, true, false, is_good_crowd(9, value, 0, 0));
    AT_MOST_GIVES(WEND_MAX_CROWD_FIELDS, true, false, is_good_crowd(9, 0, value, 0));
    AT_MOST_GIVES(WEND_MAX_REACH, true, false, is_good_crowd(9, 0, 0, value));
}

/* ---- agents ---- */

static wend_error add_with(int64_t speed, int64_t urgency) {
    wend_agent_def agent = default_agent();
    wend_agent_id id;
    agent.speed_milli = (uint32_t)speed, agent.urgency = (int32_t)urgency;
    const wend_error error = wend_crowd_add(crowd, &agent, &id);
    if (!error) cr_assert_eq(wend_crowd_remove(crowd, id), WEND_OK);
    return error;
}

static wend_error go_with(const wend_crowd_goal *goal) {
    return wend_crowd_go(crowd, ids, 3, goal);
}

Test(limits_crowd, of_agents) {
    AT_MOST(WEND_MAX_SPEED_MILLI, WEND_BAD_ARGUMENT, add_with(value, 0));
    AT_MOST(WEND_MAX_SPEED_MILLI, WEND_BAD_ARGUMENT, wend_crowd_set_speed(crowd, ids[0], (uint32_t)value));
    AT_MOST(WEND_URGENCY_MAX, WEND_BAD_ARGUMENT, add_with(1, value));
    AT_LEAST(WEND_URGENCY_MIN, WEND_BAD_ARGUMENT, add_with(1, value));
    AT_MOST(WEND_URGENCY_MAX, WEND_BAD_ARGUMENT, wend_crowd_set_urgency(crowd, ids[0], (int32_t)value));
    AT_LEAST(WEND_URGENCY_MIN, WEND_BAD_ARGUMENT, wend_crowd_set_urgency(crowd, ids[0], (int32_t)value));
    AT_MOST(WEND_MAX_WAITED_FOR, WEND_BAD_ARGUMENT, wend_crowd_wait_for(crowd, ids[0], &ids[1], (size_t)value));
    AT_MOST(WEND_MAX_ELAPSED_MILLI, WEND_BAD_ARGUMENT, wend_crowd_update(crowd, (uint32_t)value, NULL, NULL));
}

Test(limits_crowd, of_goals) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.formation = WEND_AS_LINE;
    AT_MOST(WEND_MAX_SPACING, WEND_BAD_ARGUMENT, (goal.spacing = (uint32_t)value, go_with(&goal)));
    goal = default_crowd_goal();
    AT_MOST(WEND_MAX_REACH, WEND_BAD_ARGUMENT, (goal.near_enough = (int32_t)value, go_with(&goal)));
    goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FLEE, goal.target = ids[9];
    AT_MOST(WEND_MAX_REACH, WEND_BAD_ARGUMENT, (goal.distance = (int32_t)value, go_with(&goal)));
}

/* ---- boxes ---- */

/* Returns the error of the last of `count` calls that clear boxes. */
static wend_error clear_boxes(int64_t count) {
    wend_error error = WEND_OK;
    int32_t cleared = 0;
    for (; cleared < count && !error; cleared++)
        error = wend_crowd_clear_box(crowd, (wend_box){{cleared, 1, 0}, {cleared, 2, 0}});
    cr_expect_eq(cleared, count);
    size_t kept = 0;
    cr_assert_eq(wend_crowd_get_boxes(crowd, NULL, 0, &kept), WEND_OK);
    cr_expect_eq((int64_t)kept, count - (error != 0));
    for (int32_t i = 0; i < (int32_t)kept; i++)
        cr_assert_eq(wend_crowd_release_box(crowd, (wend_box){{i, 1, 0}, {i, 2, 0}}), WEND_OK);
    return error;
}

/* Clears a box of `cells` cells, a whole row of the map. */
static wend_error clear_cells(int64_t cells) {
    wend_crowd_def def = default_crowd();
    wend_crowd *other;
    const wend_box box = {{0, 1, 0}, {(int32_t)cells - 1, 1, 0}};
    def.agents = 1, def.service = service, def.map = grid_map(WEND_MAX_CLEARED_CELLS + 1, 3);
    cr_assert_eq(wend_crowd_create(&def, &other), WEND_OK);
    const wend_error error = wend_crowd_clear_box(other, box);
    size_t count = 0;
    cr_assert_eq(wend_crowd_get_boxes(other, NULL, 0, &count), WEND_OK);
    cr_expect_eq(count, error ? 0 : 1);
    cr_assert_eq(wend_crowd_destroy(other), WEND_OK);
    wend_map_release(def.map);
    return error;
}

Test(limits_crowd, of_boxes) {
    AT_MOST(WEND_MAX_CLEARED_BOXES, WEND_BUSY, clear_boxes(value));
    AT_MOST(WEND_MAX_CLEARED_CELLS, WEND_BAD_ARGUMENT, clear_cells(value));
}

/* ---- bodies ---- */

static wend_body_def body_with(int64_t radius) {
    wend_body_def def = default_body();
    def.radius_milli = (uint32_t)radius;
    return def;
}

static wend_error add_body(wend_agent_id id, const wend_body_def *def) {
    const wend_error error = wend_crowd_set_body(crowd, id, def);
    if (!error) cr_assert_eq(wend_crowd_set_body(crowd, id, NULL), WEND_OK);
    return error;
}

static wend_error try_radius(int64_t radius) {
    const wend_body_def def = body_with(radius);
    return add_body(ids[3], &def);
}

/* Adds a body to an agent of three cells' side: 500 more for each further cell. */
static wend_error try_large_radius(int64_t radius) {
    static int32_t large;
    wend_agent_def agent = default_agent();
    wend_mover mover = default_mover();
    const wend_body_def def = body_with(radius);
    wend_agent_id id;
    mover.size = 3;
    if (large == 0) cr_assert_eq(wend_map_add_mover(map, &mover, &large), WEND_OK);
    agent.cell = (wend_cell){40, 40, 0}, agent.mover = large;
    cr_assert_eq(wend_crowd_add(crowd, &agent, &id), WEND_OK);
    const wend_error error = add_body(id, &def);
    cr_assert_eq(wend_crowd_remove(crowd, id), WEND_OK);
    return error;
}

Test(limits_crowd, of_bodies) {
    wend_body_def def = body_with(400);
    AT_LEAST(WEND_MIN_RADIUS_MILLI, WEND_BAD_ARGUMENT, try_radius(value));
    AT_MOST(WEND_MAX_RADIUS_MILLI, WEND_BAD_ARGUMENT, try_radius(value));
    AT_MOST(WEND_MAX_RADIUS_MILLI + 1000, WEND_BAD_ARGUMENT, try_large_radius(value));
    AT_MOST(WEND_MAX_ACCEL_MILLI, WEND_BAD_ARGUMENT, (def.accel_milli = (uint32_t)value, add_body(ids[3], &def)));
    def = body_with(400);
    AT_MOST(WEND_MAX_TURN_DEGREES, WEND_BAD_ARGUMENT, (def.turn_degrees = (uint32_t)value, add_body(ids[3], &def)));
    def = body_with(400);
    AT_MOST(WEND_MAX_TURNING_MILLI, WEND_BAD_ARGUMENT,
            (def.turning_radius_milli = (uint32_t)value, add_body(ids[3], &def)));
}

/* Returns the greatest velocity that wend_crowd_place_body() accepts for an agent of this speed. */
static int64_t speed_of_body(int64_t speed) {
    const wend_body_def def = body_with(400);
    int32_t milli = 0;
    cr_assert_eq(wend_crowd_set_speed(crowd, ids[3], (uint32_t)speed), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(crowd, ids[3], &def), WEND_OK);
    wend_body_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_body(crowd, ids[3], &state), WEND_OK);
    while (wend_crowd_place_body(crowd, ids[3], state.at, (wend_point){milli + 1, 0, 0}) == WEND_OK) milli++;
    cr_assert_eq(wend_crowd_set_body(crowd, ids[3], NULL), WEND_OK);
    return milli;
}

Test(limits_crowd, of_the_speed_of_bodies) {
    AT_MOST_GIVES(WEND_MAX_BODY_SPEED_MILLI, value, WEND_MAX_BODY_SPEED_MILLI, speed_of_body(value));
}
