/* SPDX-License-Identifier: MIT */
/* A thousand agents go to one place on flat maps given as arguments: as a group with a flow field and with searches, on
 * a map that stays and on one that changes five times a second on agents' ways. CSV; times are of this thread. */
#include "harness.h"
#include "../tests/models/more.h"
#include <wend/agents.h>
#include <wend/query.h>
#include <wend/units.h>

enum { AGENTS = 1000, MOST_FRAMES = 6000, FRAMES_AN_EDIT = 4, FRAMES_CLOSED = 40, CLOSED = 64, AHEAD = 14 };

typedef struct group {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    wend_cell goal, closed[CLOSED];
    uint64_t closed_frame[CLOSED], frame, seed;
    double tick_us, update_us, longest_us;
    uint32_t closed_count;
} group;

/* ---- the world ---- */

static void fill(group *g) {
    const wend_cell from = open_near(g->map, (wend_cell){256, 256, 0});
    check(wend_map_random_cell(g->map, 0, from, 7, &g->goal));
    wend_agent_def def = default_agent();
    for (uint32_t i = 0, seed = 100; i < AGENTS; seed++) {
        check(wend_map_random_cell(g->map, 0, g->goal, seed, &def.cell));
        i += wend_crowd_add(g->crowd, &def, &g->ids[i]) == WEND_OK;
    }
}

static void open_group(group *g, const char *file, uint32_t fields) {
    *g = (group){.seed = 77};
    g->map = load_map(file, 0, 0);
    check(wend_map_accelerate(g->map, NULL));
    wend_service_def service = default_service();
    service.workers = 0;
    g->service = open_service(&service);
    wend_crowd_def def = default_crowd();
    def.agents = AGENTS, def.service = g->service, def.map = g->map;
    tuning_of(&def)->fields = fields, tuning_of(&def)->events = 65536;
    g->crowd = open_crowd(&def);
    fill(g);
}

static void close_group(group *g) {
    wend_crowd_destroy(g->crowd);
    wend_service_destroy(g->service);
    wend_map_release(g->map);
}

/* ---- edits ---- */

static bool is_at(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y;
}

/* Closes a cell ahead of an agent; cells closed for two seconds open. */
static void edit_ways(group *g) {
    wend_cell cells[AHEAD];
    size_t count = 0;
    const wend_agent_id id = g->ids[draw(&g->seed, AGENTS)];
    check(wend_crowd_get_path(g->crowd, id, cells, AHEAD, &count));
    wend_edit *edit = begin_edit(g->map);
    const wend_cell cell = cells[count < AHEAD ? count - 1 : AHEAD - 1];
    uint32_t units = 0;
    wend_map_get_occupants(g->map, cell, &units);
    if (count > 2 && units == 0 && !is_at(cell, g->goal) && g->closed_count < CLOSED) {
        check(wend_edit_set_cell(edit, cell, 0));
        g->closed[g->closed_count] = cell;
        g->closed_frame[g->closed_count++] = g->frame;
    }
    for (uint32_t i = 0; i < g->closed_count; i++) {
        if (g->closed_frame[i] + FRAMES_CLOSED > g->frame) continue;
        check(wend_edit_set_cell(edit, g->closed[i], 1));
        g->closed[i] = g->closed[--g->closed_count];
        g->closed_frame[i] = g->closed_frame[g->closed_count];
    }
    publish(edit);
}

/* ---- frames ---- */

static void run_frame(group *g, bool edits) {
    if (edits && g->frame % FRAMES_AN_EDIT == 0) edit_ways(g);
    const wend_budget budget = budget_of(100000);
    const double begun = cpu_us();
    check(wend_service_tick(g->service, &budget, NULL));
    const double ticked = cpu_us();
    check(wend_crowd_update(g->crowd, 1000));
    const double updated = cpu_us();
    g->tick_us += ticked - begun;
    g->update_us += updated - ticked;
    if (updated - begun > g->longest_us) g->longest_us = updated - begun;
    g->frame++;
}

static void bench_group(const char *file, const char *name, uint32_t fields, bool edits) {
    group *g = malloc(sizeof *g);
    open_group(g, file, fields);
    const double begun = cpu_us();
    send_to(g->crowd, g->ids, AGENTS, g->goal);
    const double order_ms = (cpu_us() - begun) / 1e3;
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    do {
        run_frame(g, edits);
        wend_crowd_get_stats(g->crowd, &counts);
        wend_agent_event event = {.struct_bytes = sizeof event};
        while (wend_crowd_poll(g->crowd, &event) == WEND_OK) {
        }
    } while (counts.busy > 0 && g->frame < MOST_FRAMES);
    printf("%s,%s,%s,%llu,%llu,%llu,%u,%.2f,%.1f,%.1f,%.2f,%llu\n", name, fields ? "field" : "searches",
           edits ? "changes" : "stays", (unsigned long long)g->frame, (unsigned long long)counts.event_counts[1],
           (unsigned long long)counts.event_counts[2], counts.busy, order_ms, g->tick_us / 1e3, g->update_us / 1e3,
           g->longest_us / 1e3, (unsigned long long)counts.searches_begun);
    fflush(stdout);
    close_group(g);
    free(g);
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "bench_group: MAP...\n"), 2;
    puts("map,by,map that,frames,arrived,partial,busy at the end,order ms,ticks ms,updates ms,longest frame "
         "ms,searches");
    for (int i = 1; i < argc; i++) {
        const char *name = base_name(argv[i]);
        for (int run = 0; run < 4; run++) bench_group(argv[i], name, run % 2 == 0, run >= 2);
    }
    return 0;
}
