/* SPDX-License-Identifier: MIT */
/* Long use, a plain program: fifty agents, some with bodies, walk between rooms at 20 frames a second while gates close
 * and open. At the end of each part of the time all come to rest and all gates are open; then as much memory is in use
 * as after the first part.
 *
 *   stress_day [SECONDS [PARTS]]     of the game; 200 in 4 parts by default, 86400 is a day */
#include "models/counting.h"
#include "models/defaults.h"
#include "models/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <wend/agents.h>
#include <wend/body.h>

enum { SIDE = 128, ROOM = 16, ROOMS = SIDE / ROOM, AGENTS = 50, FRAMES_PER_SECOND = 20, GATES = ROOMS * (ROOMS - 1) };

typedef struct day {
    counting counts;
    uint64_t random, ended, given, edits;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    bool closed[GATES];
} day;

static void need(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "stress_day: %s\n", what);
    exit(1);
}

/* A gate is in the wall to the east of each room but the last of a row; rows of rooms have open doors between them. */
static wend_cell gate_cell(uint32_t gate) {
    const int32_t column = (int32_t)(gate % (ROOMS - 1)), row = (int32_t)(gate / (ROOMS - 1));
    return (wend_cell){column * ROOM + ROOM - 1, row * ROOM + ROOM / 2, 0};
}

static void build_rooms(day *d) {
    wend_edit *edit = begin_edit(d->map);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const bool east = x % ROOM == ROOM - 1 && x < SIDE - 1, south = y % ROOM == ROOM - 1 && y < SIDE - 1;
            const bool door = (east && y % ROOM == ROOM / 2) || (south && x % ROOM == ROOM / 2);
            if ((east || south) && !door) need(!wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0), "wall");
        }
    need(!wend_edit_publish(edit, NULL), "publish");
}

static void set_gate(day *d, uint32_t gate, bool closed) {
    wend_edit *edit = begin_edit(d->map);
    need(!wend_edit_set_cell(edit, gate_cell(gate), closed ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN), "gate");
    need(!wend_edit_publish(edit, NULL), "publish");
    d->closed[gate] = closed;
    d->edits++;
}

static void on_event(void *context, const wend_agent_event *event) {
    day *d = context;
    if (wend_agent_event_ends_goal(event->event)) d->ended++;
}

static void add_agents(day *d) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        wend_agent_def agent = default_agent();
        wend_body_def body = default_body();
        agent.cell = (wend_cell){(int32_t)(i % 14) + (int32_t)(i / 14) * ROOM, 3, 0};
        need(!wend_crowd_add(d->crowd, &agent, &d->ids[i]), "agent");
        if (i % 2) need(!wend_crowd_set_body(d->crowd, d->ids[i], &body), "body");
    }
}

static void begin_day(day *d) {
    wend_map_def map = default_map();
    map.width = map.height = SIDE, map.allocator = counting_allocator(&d->counts);
    need(!wend_map_create(&map, &d->map), "map");
    build_rooms(d);
    wend_service_def service = default_service();
    service.allocator = map.allocator;
    need(!wend_service_create(&service, &d->service), "service");
    wend_crowd_def crowd = default_crowd();
    crowd.allocator = map.allocator;
    crowd.agents = AGENTS, crowd.map = d->map, crowd.service = d->service, crowd.on_event = on_event, crowd.context = d;
    need(!wend_crowd_create(&crowd, &d->crowd), "crowd");
    add_agents(d);
}

static void step_frame(day *d) {
    need(!wend_service_tick(d->service, NULL, NULL), "tick");
    need(!wend_crowd_update(d->crowd, 1000, NULL, NULL), "update");
}

/* Twice a second an agent gets a goal; each second or so a gate changes. */
static void play(day *d, uint64_t frames) {
    for (uint64_t frame = 0; frame < frames; frame++) {
        if (draw(&d->random, FRAMES_PER_SECOND / 2) == 0) {
            wend_crowd_goal goal = default_crowd_goal();
            goal.cell = (wend_cell){(int32_t)draw(&d->random, SIDE), (int32_t)draw(&d->random, SIDE), 0};
            need(!wend_crowd_go(d->crowd, &d->ids[draw(&d->random, AGENTS)], 1, &goal), "go");
            d->given++;
        }
        if (draw(&d->random, FRAMES_PER_SECOND) == 0) {
            const uint32_t gate = draw(&d->random, GATES);
            set_gate(d, gate, !d->closed[gate]);
        }
        step_frame(d);
    }
}

static void come_to_rest(day *d) {
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    for (uint32_t gate = 0; gate < GATES; gate++)
        if (d->closed[gate]) set_gate(d, gate, false);
    for (uint32_t frame = 0; frame < 40000; frame++) {
        step_frame(d);
        wend_crowd_get_stats(d->crowd, &stats);
        if (stats.busy == 0) return;
    }
    need(false, "agents do not come to rest");
}

static long resident_kb(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int main(int argc, char **argv) {
    static day d = {.random = 7};
    const uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 200;
    const uint64_t parts = argc > 2 ? strtoull(argv[2], NULL, 10) : 4;
    size_t bytes = 0, blocks = 0, peak = 0;
    need(seconds > 0 && parts > 1, "SECONDS, then 2 PARTS or more");
    begin_day(&d);
    for (uint64_t part = 0; part < parts; part++) {
        play(&d, seconds * FRAMES_PER_SECOND / parts);
        come_to_rest(&d);
        printf("part %llu: %zu blocks, %zu bytes, %zu at most; %ld KiB resident at most\n",
               (unsigned long long)part + 1, d.counts.blocks, d.counts.bytes, d.counts.peak, resident_kb());
        if (part == 0) bytes = d.counts.bytes, blocks = d.counts.blocks, peak = d.counts.peak;
        need(d.counts.bytes == bytes && d.counts.blocks == blocks, "memory grew");
        need(d.counts.peak <= peak + peak / 50, "the most memory grew");
    }
    need(d.ended == d.given, "a goal did not end once");
    printf("%llu goals, %llu changes of gates\n", (unsigned long long)d.given, (unsigned long long)d.edits);
    need(!wend_crowd_destroy(d.crowd) && !wend_service_destroy(d.service), "destroy");
    wend_map_release(d.map);
    need(d.counts.blocks == 0, "memory is lost");
    return 0;
}
