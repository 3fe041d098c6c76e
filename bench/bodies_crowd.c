/* SPDX-License-Identifier: MIT */
/* A scene's agents as a crowd, by wend's public functions alone: its searches count in the time. */
#include "bodies.h"
#include "harness.h"

#include <wend/agents.h>
#include <wend/body.h>

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static wend_agent_id ids[MOST_BODIES];
static body_goal goals[MOST_BODIES];
static int32_t count, every;

static bool has_body(int32_t i) {
    return every > 0 && i % every == 0;
}

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    if (event->event == WEND_AGENT_EVENT_ARRIVED) goals[event->agent.index] = GOAL_REACHED;
    if (event->event == WEND_AGENT_EVENT_GAVE_UP || event->event == WEND_AGENT_EVENT_PARTIAL)
        goals[event->agent.index] = GOAL_FAILED;
}

static void send_agent(int32_t i, int32_t x, int32_t y) {
    goals[ids[i].index] = GOAL_OPEN;
    send_to(crowd, &ids[i], 1, (wend_cell){x, y, 0});
}

static body_goal goal_of(int32_t i) {
    return goals[ids[i].index];
}

static void add_agent(const body_start *b, int32_t i) {
    wend_agent_def agent = default_agent();
    wend_body_def body;
    agent.cell = (wend_cell){(int32_t)b->x, (int32_t)b->y, 0};
    agent.speed_milli = (uint32_t)(b->speed * 1000 + .5);
    check(wend_crowd_add(crowd, &agent, &ids[i]));
    wend_body_def_init(&body, sizeof body);
    body.radius_milli = (uint32_t)(b->radius * 1000 + .5);
    if (has_body(i)) check(wend_crowd_set_body(crowd, ids[i], &body));
    send_agent(i, b->goal_x, b->goal_y);
}

static void begin(const body_scene *s) {
    uint8_t cells[MOST_SIDE * MOST_SIDE];
    const wend_service_def serves = default_service();
    wend_crowd_def walks = default_crowd();
    for (int32_t k = 0; k < s->width * s->height; k++)
        cells[k] = s->wall[k / s->width][k % s->width] ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
    map = grid_of(cells, s->width, s->height);
    check(wend_service_create(&serves, &service));
    walks.service = service, walks.map = map, walks.on_event = on_event;
    if (s->capacity > 0) walks.agents = s->capacity;
    check(wend_crowd_create(&walks, &crowd));
    count = s->count, every = s->every;
    for (int32_t i = 0; i < count; i++) add_agent(&s->of[i], i);
}

static void update(void) {
    check(wend_service_tick(service, NULL, NULL));
    check(wend_crowd_update(crowd, 1000, NULL, NULL));
}

static void read_points(body_points *points) {
    wend_crowd_view cells = {.struct_bytes = sizeof cells};
    check(wend_crowd_get_view(crowd, &cells));
    for (int32_t i = 0; i < count; i++) {
        const uint32_t k = ids[i].index;
        points->x[i] = cells.points[k].x / 1000. + .5;
        points->y[i] = cells.points[k].y / 1000. + .5;
    }
}

static void end(void) {
    check(wend_crowd_destroy(crowd));
    check(wend_service_destroy(service));
    wend_map_release(map);
}

const body_mover crowd_mover = {begin, update, read_points, send_agent, goal_of, end};
