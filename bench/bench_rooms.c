/* SPDX-License-Identifier: MIT */
/* Agents in rooms with doors of one cell that get a new goal when one ends: the same maps and draws for agents without
 * bodies, with bodies, and every second one with a body. CSV: trips, those of as many without bodies, and the agents
 * that made none in the last 1,000 updates.
 *
 *   bench_rooms [MAPS [FIRST [UPDATES]]]    8 maps from number 101 on, 5,000 updates each */
#include "harness.h"
#include <wend/agents.h>
#include <wend/body.h>

enum { SIDE = 48, ROOM = 8, MOST = 120, LONG = 1000 };

/// A kind of crowd.
typedef struct kind {
    const char *name;
    uint32_t radius_milli;
    int every; ///< each N-th agent has a body; 0: none
} kind;

static const kind kinds[] = {{"cells", 0, 0},
                             {"half with bodies of .4", 400, 2},
                             {"half with bodies of .2", 200, 2},
                             {"bodies of .4", 400, 1},
                             {"bodies of .2", 200, 1}};

typedef struct rooms {
    bool open[SIDE][SIDE], joined[SIDE][SIDE];
    uint64_t draws;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_bodies *bodies;
    wend_agent_id ids[MOST];
    bool ended[MOST];
    uint32_t last[MOST]; ///< update of the last arrival
    uint32_t count, now, trips;
} rooms;

/* ---- the map ---- */

static int draw_door(rooms *r) {
    return (int)bench_random(&r->draws, ROOM - 2);
}

static void draw_walls(rooms *r) {
    for (int k = 0; k < SIDE * SIDE; k++) {
        const int x = k % SIDE, y = k / SIDE;
        r->open[y][x] = x % ROOM && y % ROOM && x < SIDE - 1 && y < SIDE - 1;
    }
    for (int k = 0; k < SIDE / ROOM * (SIDE / ROOM); k++) {
        const int x = k % (SIDE / ROOM) * ROOM, y = k / (SIDE / ROOM) * ROOM;
        if (x > 0 && bench_random(&r->draws, 10) < 8) r->open[y + 1 + draw_door(r)][x] = true;
        if (y > 0 && bench_random(&r->draws, 10) < 8) r->open[y][x + 1 + draw_door(r)] = true;
    }
}

/* Marks all cells that a way joins to one. @return how many */
static int flood(rooms *r, int x, int y) {
    static wend_cell stack[SIDE * SIDE];
    int count = 0, depth = 0;
    memset(r->joined, 0, sizeof r->joined);
    for (stack[depth++] = (wend_cell){x, y, 0}; depth > 0;) {
        const wend_cell at = stack[--depth];
        if (!r->open[at.y][at.x] || r->joined[at.y][at.x]) continue;
        r->joined[at.y][at.x] = true;
        count++;
        for (int d = 0; d < 4; d++)
            stack[depth++] = (wend_cell){at.x + (d == 0) - (d == 1), at.y + (d == 2) - (d == 3), 0};
        need(depth + 4 < SIDE * SIDE, "the stack is full");
    }
    return count;
}

static wend_cell draw_place(rooms *r) {
    for (;;) {
        const wend_cell cell = random_place(SIDE, SIDE, &r->draws);
        if (r->joined[cell.y][cell.x]) return cell;
    }
}

/* ---- the crowd ---- */

static void on_event(void *context, const wend_agent_event *event) {
    rooms *r = context;
    const uint32_t i = event->agent.index;
    const bool arrived = event->event == WEND_AGENT_EVENT_ARRIVED;
    if (!arrived && event->event != WEND_AGENT_EVENT_GAVE_UP && event->event != WEND_AGENT_EVENT_PARTIAL) return;
    r->ended[i] = true;
    if (arrived) r->trips++, r->last[i] = r->now;
}

static void send_on(rooms *r, uint32_t i) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = draw_place(r);
    r->ended[i] = false;
    check(wend_crowd_go(r->crowd, &r->ids[i], 1, &goal));
}

static void open_rooms(rooms *r, unsigned number, uint32_t count, const kind *of) {
    *r = (rooms){.draws = number, .count = count};
    wend_map_def map = default_map();
    map.width = map.height = SIDE;
    do draw_walls(r);
    while (flood(r, ROOM / 2, ROOM / 2) < SIDE * SIDE / 2);
    check(wend_map_create(&map, &r->map));
    for (int k = 0; k < SIDE * SIDE; k++)
        if (!r->open[k / SIDE][k % SIDE]) check(wend_map_set_cell(r->map, (wend_cell){k % SIDE, k / SIDE, 0}, 0, NULL));
    const wend_service_def service = default_service();
    check(wend_service_create(&service, &r->service));
    wend_crowd_def crowd = default_crowd();
    crowd.agents = MOST, crowd.map = r->map, crowd.service = r->service, crowd.on_event = on_event, crowd.context = r;
    check(wend_crowd_create(&crowd, &r->crowd));
    wend_bodies_def bodies;
    wend_bodies_def_init(&bodies, sizeof bodies);
    bodies.crowd = r->crowd;
    if (of->every > 0) check(wend_bodies_create(&bodies, &r->bodies));
    for (uint32_t i = 0; i < count; i++) {
        wend_agent_def agent = default_agent();
        wend_body_def body;
        wend_body_def_init(&body, sizeof body);
        body.radius_milli = of->radius_milli;
        agent.speed_milli = 250;
        do agent.cell = draw_place(r);
        while (wend_crowd_add(r->crowd, &agent, &r->ids[i]));
        if (of->every > 0 && i % (uint32_t)of->every == 0) check(wend_body_add(r->bodies, r->ids[i], &body));
        send_on(r, i);
    }
}

static void close_rooms(rooms *r) {
    check(wend_crowd_destroy(r->crowd));
    if (r->bodies) check(wend_bodies_destroy(r->bodies));
    check(wend_service_destroy(r->service));
    wend_map_release(r->map);
}

static uint32_t run(rooms *r, uint32_t updates, double *us) {
    uint32_t stuck = 0;
    for (r->now = 0; r->now < updates; r->now++) {
        const double begun = cpu_us();
        check(wend_service_tick(r->service, NULL, NULL));
        check(wend_crowd_update(r->crowd, 1000, NULL, NULL));
        *us += cpu_us() - begun;
        for (uint32_t i = 0; i < r->count; i++)
            if (r->ended[i]) send_on(r, i);
    }
    for (uint32_t i = 0; i < r->count; i++) stuck += updates - r->last[i] > LONG;
    return stuck;
}

int main(int argc, char **argv) {
    static rooms r;
    const uint32_t maps = argc > 1 ? (uint32_t)atoi(argv[1]) : 8, first = argc > 2 ? (uint32_t)atoi(argv[2]) : 101;
    const uint32_t updates = argc > 3 ? (uint32_t)atoi(argv[3]) : 5000;
    puts("agents,kind,trips,of_cells,stuck,us");
    for (uint32_t count = 60; count <= 90; count += 30) {
        double cells = 0;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            uint32_t trips = 0, stuck = 0;
            double us = 0;
            for (uint32_t map = first; map < first + maps; map++) {
                open_rooms(&r, map, count, &kinds[k]);
                stuck += run(&r, updates, &us);
                trips += r.trips;
                close_rooms(&r);
            }
            if (k == 0) cells = trips;
            printf("%u,%s,%u,%.2f,%u,%.2f\n", count, kinds[k].name, trips, trips / cells, stuck,
                   us / maps / count / updates);
        }
    }
    return 0;
}
