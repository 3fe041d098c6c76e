/* SPDX-License-Identifier: MIT */
/* Bodies of a crowd on a scene, by wend's public functions alone: its searches count in the time. */
#include "bodies.h"
#include "harness.h"

#include <wend/body.h>

#define UNITS ((double)WEND_BODY_UNITS)

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static wend_bodies *bodies;
static wend_agent_id ids[MOST_BODIES];
static int32_t count;

static void add_body(const body_start *b, wend_agent_id *id) {
    wend_agent_def agent;
    wend_body_def body;
    wend_crowd_goal goal;
    wend_agent_def_init(&agent, sizeof agent);
    wend_body_def_init(&body, sizeof body);
    wend_crowd_goal_init(&goal, sizeof goal);
    agent.cell = (wend_cell){(int32_t)b->x, (int32_t)b->y, 0};
    agent.speed_milli = (uint32_t)(b->speed * 1000 + .5);
    body.radius_milli = (uint32_t)(b->radius * 1000 + .5);
    check(wend_crowd_add(crowd, &agent, id));
    check(wend_body_add(bodies, *id, &body));
    goal.cell = (wend_cell){b->goal_x, b->goal_y, 0};
    if (b->goal_x >= 0) check(wend_crowd_go(crowd, id, 1, &goal));
}

static void begin(const body_scene *s) {
    wend_service_def serves;
    wend_crowd_def walks;
    wend_bodies_def discs;
    map = scene_map(s);
    wend_service_def_init(&serves, sizeof serves);
    check(wend_service_create(&serves, &service));
    wend_crowd_def_init(&walks, sizeof walks);
    walks.service = service, walks.map = map;
    check(wend_crowd_create(&walks, &crowd));
    wend_bodies_def_init(&discs, sizeof discs);
    discs.crowd = crowd;
    check(wend_bodies_create(&discs, &bodies));
    count = s->count;
    for (int32_t i = 0; i < count; i++) add_body(&s->of[i], &ids[i]);
}

static void update(void) {

    check(wend_service_tick(service, NULL, NULL));
    check(wend_crowd_update(crowd, 1000, NULL, NULL));
}

static void read_points(body_points *points) {
    wend_bodies_view view = {.struct_bytes = sizeof view};
    check(wend_bodies_get_view(bodies, &view));
    for (int32_t i = 0; i < count; i++) {
        points->x[i] = view.points[ids[i].index].x / UNITS + .5;
        points->y[i] = view.points[ids[i].index].y / UNITS + .5;
    }
}

static void end(void) {
    check(wend_crowd_destroy(crowd));
    check(wend_bodies_destroy(bodies));
    check(wend_service_destroy(service));
    wend_map_release(map);
}

const body_mover crowd_mover = {"wend", begin, update, read_points, end};
