/* SPDX-License-Identifier: MIT */
/* Times crowds in caves. Frames of agents that see others near their start, against frames of agents that see none;
 * CSV: the median, the mean, and the ratio to the line before. On a map of 2048 x 2048 cells: the processor time of
 * an update of 50,000 agents and of an order to 10,000 of them, and the bytes an agent of crowds, fields apart.
 * `bench_walkers update` times these two. */
#include "scenery.h"
#include "../tests/models/options.h"

#include <wend/agents.h>
#include <wend/units.h>

#include <string.h>

enum {
    SIDE = 512,
    AGENTS = 2000,
    WARM = 40,
    FRAMES = 120,
    FAR = 120,
    NEAR = 48,
    BUDGET = 20000,
    LARGE_SIDE = 2048,
    LARGE_AGENTS = 50000,
    LARGE_FRAMES = 60,
    ORDERED = 10000,
    WORK_EACH = 16 ///< expansions of a frame an agent, where many walk
};

typedef struct bench {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[LARGE_AGENTS];
    int32_t side;
    uint32_t agents;
    uint64_t seed;
    bool wanders; ///< each event leads to another goal
} bench;

static int32_t clip(int32_t value, int32_t side) {
    return value < 0 ? 0 : value >= side ? side - 1 : value;
}

/* A reachable goal, within a number of cells of a place. */
static wend_cell draw_goal(bench *b, wend_cell from, int32_t within) {
    for (;;) {
        const int32_t wide = 2 * within + 1;
        const wend_cell to = {clip(from.x - within + (int32_t)draw(&b->seed, (uint32_t)wide), b->side),
                              clip(from.y - within + (int32_t)draw(&b->seed, (uint32_t)wide), b->side), 0};
        if (is_connected(b->map, WEND_MOVER_DEFAULT, from, to)) return to;
    }
}

static void send(bench *b, wend_agent_id id, wend_cell from, int32_t within) {
    send_to(b->crowd, &id, 1, draw_goal(b, from, within));
}

static void on_event(void *context, const wend_agent_event *event) {
    bench *b = context;
    if (b->wanders && event->event != WEND_AGENT_EVENT_REROUTED && event->event != WEND_AGENT_EVENT_REPLACED)
        send(b, event->agent, event->cell, NEAR);
}

static void begin(bench *b, wend_map *map, int32_t side, uint32_t agents, int32_t units_within, bool wanders) {
    *b = (bench){.map = map, .side = side, .agents = agents, .seed = 11, .wanders = wanders};
    b->service = open_service(NULL);
    wend_crowd_def def = default_crowd();
    def.agents = agents, def.service = b->service, def.map = map, tuning_of(&def)->units_within = units_within;
    def.path_bytes = (uint64_t)agents * 16 * 64;
    def.on_event = on_event, def.context = b;
    b->crowd = open_crowd(&def);
    for (uint32_t i = 0; i < agents; i++) {
        wend_agent_def agent = default_agent();
        do {
            const int32_t x = (int32_t)draw(&b->seed, (uint32_t)side);
            agent.cell = (wend_cell){x, (int32_t)draw(&b->seed, (uint32_t)side), 0};
        } while (wend_crowd_add(b->crowd, &agent, &b->ids[i]));
        send(b, b->ids[i], agent.cell, wanders ? NEAR : FAR);
    }
}

static void end(bench *b) {
    check(wend_crowd_destroy(b->crowd));
    check(wend_service_destroy(b->service));
}

static void tick(bench *b) {
    const wend_budget budget = budget_of(b->agents > AGENTS ? (uint64_t)b->agents * WORK_EACH : BUDGET);
    check(wend_service_tick(b->service, &budget, NULL));
}

/* ---- frames of agents that wander ---- */

static double time_frames(wend_map *map, int32_t units_within, const char *name, double before) {
    static bench b;
    double us[4 * FRAMES];
    begin(&b, map, SIDE, AGENTS, units_within, true);
    for (int frame = 0; frame < WARM; frame++) tick(&b), check(wend_crowd_update(b.crowd, 1000, NULL, NULL));
    for (int frame = 0; frame < 4 * FRAMES; frame++) {
        const double begun = wall_us();
        tick(&b);
        check(wend_crowd_update(b.crowd, 1000, NULL, NULL));
        us[frame] = wall_us() - begun;
    }
    end(&b);
    const double mean_us = mean(us, 4 * FRAMES), median_us = median(us, 4 * FRAMES);
    printf("%s,%d,%.1f,%.1f,", name, AGENTS, median_us, mean_us);
    if (before > 0) printf("%.2f", median_us / before);
    printf("\n");
    return median_us;
}

/* ---- many ---- */

/* The update alone, in processor time: other work on the machine counts less then. */
static void time_many(wend_map *map) {
    static bench b;
    double us[LARGE_FRAMES];
    begin(&b, map, LARGE_SIDE, LARGE_AGENTS, 32, true);
    for (int frame = 0; frame < WARM; frame++) tick(&b), check(wend_crowd_update(b.crowd, 1000, NULL, NULL));
    for (int frame = 0; frame < LARGE_FRAMES; frame++) {
        tick(&b);
        const double begun = cpu_us();
        check(wend_crowd_update(b.crowd, 1000, NULL, NULL));
        us[frame] = cpu_us() - begun;
    }
    const wend_cell goal = open_near(map, (wend_cell){LARGE_SIDE / 2, LARGE_SIDE / 2, 0});
    const double begun = cpu_us();
    send_to(b.crowd, b.ids, ORDERED, goal);
    const double order_us = cpu_us() - begun;
    end(&b);
    printf("an order to a group,%d,%.1f,%.1f,\n", ORDERED, order_us, order_us);
    const double mean_us = mean(us, LARGE_FRAMES);
    printf("an update of many,%d,%.1f,%.1f,\n", LARGE_AGENTS, median(us, LARGE_FRAMES), mean_us);
}

/* ---- memory ---- */

static void print_bytes(wend_map *map) {
    static const uint32_t counts[] = {1000, 10000, 50000, 200000};
    wend_service *service = open_service(NULL);
    puts("agents,bytes_an_agent");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        wend_crowd_def def = default_crowd();
        def.agents = counts[i], def.service = service, def.map = map, tuning_of(&def)->fields = 0;
        printf("%u,%zu\n", (unsigned)counts[i], wend_crowd_bytes(&def) / counts[i]);
    }
    check(wend_service_destroy(service));
}

int main(int argc, char **argv) {
    puts("what,count,median_us,mean_us,ratio");
    if (argc == 2 && strcmp(argv[1], "update") == 0) {
        wend_map *large = make_caves(LARGE_SIDE);
        time_many(large);
        wend_map_release(large);
        return 0;
    }
    wend_map *map = make_caves(SIDE);
    const double blind = time_frames(map, 0, "a frame of agents that see no units", 0);
    time_frames(map, 32, "a frame of agents that see units within 32", blind);
    wend_map_release(map);
    map = make_caves(LARGE_SIDE);
    time_many(map);
    print_bytes(map);
    wend_map_release(map);
    return 0;
}
