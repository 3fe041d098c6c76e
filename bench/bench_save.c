/* SPDX-License-Identifier: MIT */
/* bench_save [FRAMES [SEED [AGENTS]]]: what a save takes. CSV: agents that wander on a dusty map of 512 x 512; bytes,
 * and bytes of the crowd an agent; medians of processor time in ms of a save and of a restore into the same objects, of
 * map, service and crowd; of a frame, and of one after a restore. Rollback: bench_rewind. */
#include "harness.h"
#include "../tests/models/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <wend/agents.h>
#include <wend/save.h>

enum { SIDE = 512, ROOM = 8 << 20, WARM = 100 };

typedef struct game {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id *ids;
    uint32_t agents;
} game;

/// A save, in three parts.
typedef struct kept {
    uint8_t *bytes[3];
    size_t of[3];
} kept;

/* Processor time of this thread, the only one. */
static double now_ms(void) {
    return cpu_us() / 1000;
}

static wend_cell any_cell(uint64_t *random) {
    return (wend_cell){(int32_t)draw(random, SIDE), (int32_t)draw(random, SIDE), 0};
}

static void open_game(game *g, uint32_t agents, uint64_t *random) {
    wend_map_def map = default_map();
    wend_edit *edit;
    map.width = map.height = SIDE;
    check(wend_map_create(&map, &g->map));
    check(wend_edit_begin(g->map, &edit));
    for (int i = 0; i < SIDE * SIDE / 10; i++) check(wend_edit_set_cell(edit, any_cell(random), WEND_CLASS_BLOCKED));
    check(wend_edit_publish(edit, NULL));
    wend_service_def service = default_service();
    check(wend_service_create(&service, &g->service));
    wend_crowd_def crowd = default_crowd();
    crowd.agents = g->agents = agents, crowd.map = g->map, crowd.service = g->service;
    check(wend_crowd_create(&crowd, &g->crowd));
    g->ids = malloc(agents * sizeof *g->ids);
    for (uint32_t i = 0; i < agents;) {
        wend_agent_def agent = default_agent();
        agent.cell = any_cell(random);
        i += wend_crowd_add(g->crowd, &agent, &g->ids[i]) == WEND_OK;
    }
}

/* Sends an agent in a hundred to another goal, some 60 cells away; polls the events. */
static void run_frame(game *g, uint64_t *random) {
    for (uint32_t i = 0; i < g->agents / 100 + 1; i++) {
        const uint32_t agent = draw(random, g->agents);
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_goal goal = default_crowd_goal();
        check(wend_crowd_get_agent(g->crowd, g->ids[agent], &state));
        goal.cell.x = (state.cell.x + (int32_t)draw(random, 121) + SIDE - 60) % SIDE;
        goal.cell.y = (state.cell.y + (int32_t)draw(random, 121) + SIDE - 60) % SIDE;
        check(wend_crowd_go(g->crowd, &g->ids[agent], 1, &goal));
    }
    check(wend_service_tick(g->service, NULL, NULL));
    check(wend_crowd_update(g->crowd, 200, NULL, NULL));
    wend_agent_event event = {.struct_bytes = sizeof event};
    while (wend_crowd_poll(g->crowd, &event) == WEND_OK) {
    }
}

static wend_save_host host_of(game *g) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = &g->map, host.map_count = 1;
    return host;
}

/// Measurements: a save, a restore, frames.
enum {
    SAVE_MAP,
    SAVE_SERVICE,
    SAVE_CROWD,
    RESTORE_MAP,
    RESTORE_SERVICE,
    RESTORE_CROWD,
    FRAME,          ///< a game that is never restored
    RESTORED_FRAME, ///< the one after a restore
    PARTS
};

/* Saves the game, brings it back to that save and runs the frame after it. */
static void measure_save(game *g, kept *k, uint64_t *random, double *took) {
    const wend_save_host host = host_of(g);
    double at[8];
    at[0] = now_ms();
    check(wend_map_save_state(g->map, k->bytes[0], ROOM, &k->of[0])), at[1] = now_ms();
    check(wend_service_save_state(g->service, &host, k->bytes[1], ROOM, &k->of[1])), at[2] = now_ms();
    check(wend_crowd_save_state(g->crowd, k->bytes[2], ROOM, &k->of[2])), at[3] = now_ms();
    check(wend_map_restore_state(g->map, k->bytes[0], k->of[0])), at[4] = now_ms();
    check(wend_service_restore_state(g->service, &host, k->bytes[1], k->of[1])), at[5] = now_ms();
    check(wend_crowd_restore_state(g->crowd, &host, k->bytes[2], k->of[2])), at[6] = now_ms();
    run_frame(g, random), at[7] = now_ms();
    for (int i = SAVE_MAP; i <= RESTORE_CROWD; i++) took[i] = at[i + 1] - at[i];
    took[RESTORED_FRAME] = at[7] - at[6];
}

static void measure(uint32_t agents, int frames, uint64_t seed) {
    static kept k;
    double *times[PARTS], took[PARTS];
    uint64_t random = seed;
    game g;
    for (int i = 0; i < PARTS; i++) times[i] = malloc((size_t)frames * sizeof *times[i]);
    for (int i = 0; i < 3; i++)
        if (!k.bytes[i]) k.bytes[i] = malloc(ROOM);
    open_game(&g, agents, &random);
    for (int i = 0; i < WARM; i++) run_frame(&g, &random);
    for (int f = 0; f < frames; f++) {
        const double from = now_ms();
        run_frame(&g, &random);
        times[FRAME][f] = now_ms() - from;
    }
    for (int f = 0; f < frames; f++) {
        measure_save(&g, &k, &random, took);
        for (int i = 0; i < PARTS; i++)
            if (i != FRAME) times[i][f] = took[i];
    }
    printf("%u,%zu,%.1f", agents, k.of[0] + k.of[1] + k.of[2], (double)k.of[2] / agents);
    for (int i = 0; i < PARTS; i++) printf(",%.3f", median(times[i], (size_t)frames));
    printf("\n");
    check(wend_crowd_destroy(g.crowd)), check(wend_service_destroy(g.service));
    wend_map_release(g.map);
    free(g.ids);
    for (int i = 0; i < PARTS; i++) free(times[i]);
}

int main(int argc, char **argv) {
    const int frames = argc > 1 ? atoi(argv[1]) : 60;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const uint32_t only = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    printf("agents,bytes,crowd_bytes_an_agent,save_map_ms,save_service_ms,save_crowd_ms,restore_map_ms,"
           "restore_service_ms,restore_crowd_ms,frame_ms,restored_frame_ms\n");
    if (only) measure(only, frames, seed);
    if (!only) measure(1000, frames, seed), measure(10000, frames, seed);
    return 0;
}
