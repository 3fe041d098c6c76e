/* SPDX-License-Identifier: MIT */
/* A group of a hundred that forms: from the update of the order until all stand in their places, as distance at their
 * speed, ÷ the straight way of the member that is farthest from its place. On open ground, and through a corridor
 * four cells wide. With places side by side or with room between them, bodies of radius .3 or none. CSV. */
#include "scenery.h"

#include <math.h>
#include <wend/agents.h>
#include <wend/body.h>

enum { WIDTH = 160, HEIGHT = 64, GROUP = 100, MOST = 4000, SPEED_MILLI = 250 };

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static wend_agent_id ids[GROUP];

static void make_map(bool corridor) {
    wend_map_def def;
    wend_edit *edit;
    wend_map_def_init(&def, sizeof def);
    def.width = WIDTH, def.height = HEIGHT;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    for (int32_t y = 0; y < HEIGHT && corridor; y++)
        for (int32_t x = 60; x < 72; x++)
            if (y < HEIGHT / 2 - 2 || y >= HEIGHT / 2 + 2)
                check(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, WEND_CLASS_BLOCKED));
    check(wend_edit_publish(edit, NULL));
}

static void open_world(bool corridor) {
    wend_service_def serves = default_service();
    wend_crowd_def walks = default_crowd();
    make_map(corridor);
    check(wend_service_create(&serves, &service));
    walks.service = service, walks.map = map, walks.agents = GROUP;
    check(wend_crowd_create(&walks, &crowd));
}

/* Strewn over 30 x 30 cells. */
static void add_group(bool with_bodies) {
    uint64_t random = 9;
    for (uint32_t i = 0; i < GROUP;) {
        wend_agent_def def;
        wend_body_def body;
        wend_agent_def_init(&def, sizeof def);
        wend_body_def_init(&body, sizeof body);
        def.speed_milli = SPEED_MILLI;
        def.cell = (wend_cell){4 + (int32_t)draw(&random, 30), 17 + (int32_t)draw(&random, 30), 0};
        body.radius_milli = 300;
        if (wend_crowd_add(crowd, &def, &ids[i])) continue;
        if (with_bodies) check(wend_crowd_set_body(crowd, ids[i], &body));
        i++;
    }
}

static void read_points(double x[GROUP], double y[GROUP]) {
    for (uint32_t i = 0; i < GROUP; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        check(wend_crowd_get_agent(crowd, ids[i], &state));
        x[i] = state.point.x / 1000., y[i] = state.point.y / 1000.;
    }
}

static uint32_t busy(void) {
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    wend_crowd_get_stats(crowd, &stats);
    return stats.busy;
}

static void march(const char *name, int32_t formation, uint32_t spacing, bool corridor, bool with_bodies) {
    double x[GROUP], y[GROUP], end_x[GROUP], end_y[GROUP], farthest = 0;
    wend_crowd_goal goal;
    open_world(corridor);
    add_group(with_bodies);
    read_points(x, y);
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = (wend_cell){120, HEIGHT / 2, 0}, goal.formation = formation, goal.spacing = spacing;
    check(wend_crowd_go(crowd, ids, GROUP, &goal));
    uint32_t updates = 0;
    do {
        check(wend_service_tick(service, NULL, NULL));
        check(wend_crowd_update(crowd, 1000, NULL, NULL));
    } while (++updates < MOST && busy() > 0);
    read_points(end_x, end_y);
    for (uint32_t i = 0; i < GROUP; i++) farthest = fmax(farthest, hypot(end_x[i] - x[i], end_y[i] - y[i]));
    printf("%s,%u,%s,%s,%u,%u,%.1f,%.3f\n", name, spacing, corridor ? "corridor" : "open",
           with_bodies ? "bodies" : "cells", (uint32_t)GROUP - busy(), updates, farthest,
           updates * (SPEED_MILLI / 1000.) / farthest);
    fflush(stdout);
    check(wend_crowd_destroy(crowd));
    check(wend_service_destroy(service));
    wend_map_release(map);
}

int main(void) {
    static const char *const names[] = {"crowd", "line", "column", "wedge", "box"};
    puts("as,spacing,ground,agents,at_rest,updates,farthest_cells,ratio");
    for (int32_t k = 0; k < 8; k++)
        for (int32_t as = WEND_AS_CROWD; as <= WEND_AS_BOX; as++) march(names[as], as, k < 4 ? 2 : 1, k & 1, k & 2);
    return 0;
}
