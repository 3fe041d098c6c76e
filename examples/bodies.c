/* SPDX-License-Identifier: MIT */
/* Agents with bodies: two groups of discs pass one door against each other, and no two discs overlap. */
#include <stdio.h>
#include <wend/body.h>
#include <wend/wend.h>

enum { WIDE = 31, HIGH = 15, EACH = 12, FRAMES = 1500 };

static void send(wend_crowd *crowd, int32_t from, int32_t to) {
    wend_agent_id ids[EACH];
    wend_crowd_goal goal;
    for (int32_t i = 0; i < EACH; i++) {
        wend_agent_def agent;
        wend_body_def body;
        wend_agent_def_init(&agent, sizeof agent);
        wend_body_def_init(&body, sizeof body);
        agent.cell = (wend_cell){from + i % 3, 2 + i / 3 * 3, 0};
        body.radius_milli = 300 + 10 * (uint32_t)i;
        wend_crowd_add(crowd, &agent, &ids[i]);
        wend_crowd_set_body(crowd, ids[i], &body);
    }
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = (wend_cell){to, HIGH / 2, 0};
    wend_crowd_go(crowd, ids, EACH, &goal);
}

int main(void) {
    wend_map *map;
    int frame = 0;
    wend_service *service;
    wend_crowd *crowd;
    wend_map_def grid;
    wend_service_def serves;
    wend_crowd_def walkers;
    wend_crowd_stats stats = {.struct_bytes = sizeof stats, .busy = 1};
    wend_map_def_init(&grid, sizeof grid);
    grid.width = WIDE, grid.height = HIGH;
    if (wend_map_create(&grid, &map)) return 1;
    for (int32_t y = 0; y < HIGH; y++) /* a wall with a door */
        if (y != HIGH / 2) wend_map_set_cell(map, (wend_cell){WIDE / 2, y, 0}, 0, NULL);
    wend_service_def_init(&serves, sizeof serves);
    wend_crowd_def_init(&walkers, sizeof walkers);
    if (wend_service_create(&serves, &service)) return 1;
    walkers.service = service, walkers.map = map;
    if (wend_crowd_create(&walkers, &crowd)) return 1;
    send(crowd, 1, WIDE - 4), send(crowd, WIDE - 4, 3);
    for (; stats.busy > 0 && frame < FRAMES; frame++) {
        wend_service_tick(service, NULL, NULL);
        wend_crowd_update(crowd, 1000, NULL, NULL);
        wend_crowd_get_stats(crowd, &stats);
    }
    printf("%u of %d bodies have passed the door after %d frames\n", 2 * EACH - stats.busy, 2 * EACH, frame);
    wend_crowd_destroy(crowd), wend_service_destroy(service), wend_map_release(map);
    return stats.busy > 0;
}
