/* SPDX-License-Identifier: MIT */
/* Sets up agents that walk: the world of a stress run, a crowd in counted memory, agents on random cells. */
#include <stdlib.h>

#include "lab/shared/hash.h"
#include "cli/shared/messages.h"
#include "lab/shared/random.h"
#include "lab/run/walk.h"

/* About a quarter of a straight step a frame: 5 cells a second at 20 Hz. */
enum { SPEED_MIN = 200, SPEED_MAX = 300, PATH_BLOCKS = 8, BLOCK = 64 };

static int open_crowd(walk_run *run) {
    wend_crowd_def def;
    wend_crowd_def_init(&def, sizeof def);
    def.agents = run->count;
    def.service = run->base.service;
    def.map = run->base.map;
    def.path_bytes = (uint64_t)run->count * PATH_BLOCKS * BLOCK;
    def.units_within = (int32_t)run->base.settings->units_within;
    def.on_event = walk_take;
    def.context = run;
    def.allocator = stress_counted(&run->memory);
    run->crowd_bytes = wend_crowd_bytes(&def);
    const wend_error error = wend_crowd_create(&def, &run->crowd);
    if (error == WEND_OK) return -1;
    return cli_fail("a crowd of %u agents: %s", (unsigned)run->count, wend_error_detail(error));
}

/* Many random cells are tried; then the next one that is free. Bad luck or not, only cells of the largest part of a
 * crowded map matter little here: each agent's goals lie in its own part. */
static bool find_place(walk_run *run, uint64_t *random, wend_cell *out) {
    const terrain_copy *land = &run->base.land;
    const uint64_t first = random_below(random, land->cells);
    for (uint64_t i = 0; i < land->cells; i++) {
        const uint32_t cell = (uint32_t)((first + i) % land->cells);
        if (land->factors[cell] == 0 || run->wanted[cell]) continue;
        *out = terrain_cell(land, cell);
        run->wanted[cell] = 1;
        return true;
    }
    return false;
}

static int add_agent(walk_run *run, uint32_t index) {
    walk_agent *who = &run->agents[index];
    uint64_t seed = run->base.settings->seed ^ (uint64_t)index << 32;
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    who->random = random_next(&seed);
    if (!find_place(run, &who->random, &who->goal))
        return cli_fail("the map has no open cell for agent %u of %u", (unsigned)index + 1, (unsigned)run->count);
    who->speed = (uint32_t)random_between(&who->random, SPEED_MIN, SPEED_MAX);
    who->next = 1 + random_below(&who->random, run->base.settings->scenario->wait_max);
    def.cell = who->goal;
    def.speed_milli = who->speed;
    def.context = who;
    const wend_error error = wend_crowd_add(run->crowd, &def, &who->id);
    if (error != WEND_OK)
        return cli_fail("agent %u on %d,%d: %s", (unsigned)index, (int)def.cell.x, (int)def.cell.y,
                        wend_error_detail(error));
    walk_checker_added(run->watch, index, def.cell, who->speed);
    return -1;
}

int walk_open(walk_run *run, const stress_settings *settings) {
    *run = (walk_run){.count = (uint32_t)settings->agents, .hash = HASH64_START};
    int status = stress_open_world(&run->base, settings);
    if (status != -1) return status;
    const terrain_copy *land = &run->base.land;
    run->agents = calloc(run->count, sizeof *run->agents);
    run->wanted = calloc((size_t)land->cells, 1);
    run->oracle = dijkstra_create(land);
    run->watch = walk_checker_create(land, run->count);
    if (settings->edits_each > 0) run->doors = walk_doors_create(&run->base.land, settings->edits_each, settings->seed);
    const bool good = run->agents && run->wanted && run->oracle && run->watch;
    if (!good || (settings->edits_each > 0 && !run->doors)) return cli_fail("out of memory for the agents");
    if (!stress_figures_open(&run->base) || !stress_tracks_open(&run->base))
        return cli_fail("out of memory for figures");
    status = walk_log_open(run);
    if (status == -1)
        status = cli_record_open(&run->base.record, settings->record_name, run->base.service, run->base.map);
    if (status == -1) status = open_crowd(run);
    for (uint32_t i = 0; status == -1 && i < run->count; i++) status = add_agent(run, i);
    run->base.allocations_before =
        run->base.service_memory.allocations + run->base.map_memory.allocations + run->memory.allocations;
    return status;
}

void walk_close(walk_run *run) {
    wend_crowd_destroy(run->crowd);
    walk_checker_free(run->watch);
    walk_doors_free(run->doors);
    dijkstra_free(run->oracle);
    free(run->agents);
    free(run->wanted);
    free(run->events);
    series_free(&run->frame_ns);
    series_free(&run->tick_ns);
    series_free(&run->crowd_ns);
    series_free(&run->frame_cpu_ns);
    series_free(&run->tick_cpu_ns);
    series_free(&run->crowd_cpu_ns);
    series_free(&run->wishing);
    tally_free(&run->times);
    tally_free(&run->ways);
    tally_free(&run->stuck);
    stress_close(&run->base);
}
