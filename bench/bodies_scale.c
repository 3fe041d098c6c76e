/* SPDX-License-Identifier: MIT */
/* Measures a frame with many agents on large land, with bodies and without, searches included. Each agent gets a new
 * goal within some cells when its last one ends. */
#include "bodies.h"
#include "scenery.h"

#include <wend/agents.h>
#include <wend/body.h>
#include <wend/crowd_tuning.h>
#include <wend/query.h>

enum { WARM = 20, UPDATES = 200, NEAR = 48, TRIES = 64 };

typedef struct land {
    wend_map *map;
    wend_crowd *crowd;
    wend_agent_id *ended; ///< since the last update
    int32_t side;
    uint32_t ended_count;
    uint64_t random;
} land;

static void told(void *context, const wend_agent_event *event) {
    land *l = context;
    if (wend_agent_event_ends_goal(event->event)) l->ended[l->ended_count++] = event->agent;
}

static int32_t near(land *l, int32_t at) {
    const int32_t to = at + (int32_t)draw(&l->random, 2 * NEAR) - NEAR;
    return to < 0 ? 0 : to >= l->side ? l->side - 1 : to;
}

/* Sends an agent to a cell that it can reach. */
static void send_on(land *l, wend_agent_id id) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    check(wend_crowd_get_agent(l->crowd, id, &state));
    bool reachable = false;
    for (int k = 0; k < TRIES && !reachable; k++) {
        goal.cell = (wend_cell){near(l, state.cell.x), near(l, state.cell.y), 0};
        check(wend_map_reachable(l->map, WEND_MOVER_DEFAULT, state.cell, goal.cell, &reachable));
    }
    check(wend_crowd_go(l->crowd, &id, 1, &goal));
}

static void add_agents(land *l, bool with_bodies, uint32_t count) {
    wend_agent_def def;
    const wend_body_def body = default_body();
    wend_agent_def_init(&def, sizeof def);
    for (uint32_t added = 0; added < count;) {
        wend_agent_id id;
        def.cell =
            (wend_cell){(int32_t)draw(&l->random, (uint32_t)l->side), (int32_t)draw(&l->random, (uint32_t)l->side), 0};
        if (wend_crowd_add(l->crowd, &def, &id)) continue; /* a wall, or another agent */
        if (with_bodies) check(wend_crowd_set_body(l->crowd, id, &body));
        send_on(l, id);
        added++;
    }
}

/* Returns the microseconds an agent and update. */
static double cost_of(wend_map *map, int32_t side, uint32_t count, bool with_bodies) {
    land l = {.map = map, .side = side, .random = 5};
    wend_service_def serves = default_service();
    wend_crowd_def walks = default_crowd();
    wend_crowd_tuning tuning;
    wend_service *service;
    double us = 0;
    wend_crowd_tuning_init(&tuning, sizeof tuning);
    tuning.events = 4 * count;
    l.ended = malloc(4 * count * sizeof *l.ended);
    need(l.ended, "memory");
    serves.queue = 2 * count;
    check(wend_service_create(&serves, &service));
    walks.service = service, walks.map = map, walks.agents = count;
    walks.tuning = &tuning, walks.on_event = told, walks.context = &l;
    check(wend_crowd_create(&walks, &l.crowd));
    add_agents(&l, with_bodies, count);
    for (int t = 0; t < WARM + UPDATES; t++) {
        for (uint32_t k = 0; k < l.ended_count; k++) send_on(&l, l.ended[k]);
        l.ended_count = 0;
        const double begun = cpu_us();
        check(wend_service_tick(service, NULL, NULL));
        check(wend_crowd_update(l.crowd, 1000, NULL, NULL));
        if (t >= WARM) us += cpu_us() - begun;
    }
    check(wend_crowd_destroy(l.crowd));
    check(wend_service_destroy(service));
    free(l.ended);
    return us / count / UPDATES;
}

int scale_run(int32_t side, uint32_t count) {
    wend_map *open = make_ground(fill_open, MOST_SIDE), *caves = make_caves(side);
    const double few = cost_of(open, MOST_SIDE, 800, true), many = cost_of(caves, side, count, true),
                 bare = cost_of(caves, side, count, false);
    puts("agents,ground,side,bodies_us,no_bodies_us,to_800");
    printf("800,open,%d,%.2f,,1\n", MOST_SIDE, few);
    printf("%u,caves,%d,%.2f,%.2f,%.2f\n", count, (int)side, many, bare, many / few);
    wend_map_release(open);
    wend_map_release(caves);
    return 0;
}
