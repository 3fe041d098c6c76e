/* SPDX-License-Identifier: MIT */
/* A thousand agents go to one place on flat maps given as arguments: as a group with a flow field and with searches, on
 * a map that stays and on one that changes five times a second on somebody's way. CSV; times are of this thread. */
#define _POSIX_C_SOURCE 200809L
#include "grounds.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wend/wend.h>

enum { AGENTS = 1000, MOST_FRAMES = 6000, FRAMES_AN_EDIT = 4, FRAMES_CLOSED = 40, CLOSED = 64, AHEAD = 14 };

typedef struct group {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    wend_cell goal, closed[CLOSED];
    uint64_t closed_frame[CLOSED], frame, seed, tick_ns, update_ns, longest_ns;
    uint32_t closed_count;
} group;

static uint64_t cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- the world ---- */

static void fill(group *g) {
    wend_cell from = {0, 0, 0};
    int32_t found;
    check(wend_map_nearest_open(g->map, 0, (wend_cell){256, 256, 0}, WEND_MAX_NEAREST, &found, &from));
    check(wend_map_random_cell(g->map, 0, from, 7, &g->goal));
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    for (uint32_t i = 0, seed = 100; i < AGENTS; seed++) {
        check(wend_map_random_cell(g->map, 0, g->goal, seed, &def.cell));
        i += wend_crowd_add(g->crowd, &def, &g->ids[i]) == WEND_OK;
    }
}

static void open_group(group *g, const char *file, uint32_t fields) {
    *g = (group){.seed = 77};
    check(wend_map_load(file, NULL, &g->map, NULL, NULL));
    check(wend_map_accelerate(g->map, NULL));
    wend_service_def service;
    wend_service_def_init(&service, sizeof service);
    service.workers = 0;
    check(wend_service_create(&service, &g->service));
    wend_crowd_def def;
    wend_crowd_def_init(&def, sizeof def);
    def.agents = AGENTS, def.service = g->service, def.map = g->map;
    def.fields = fields, def.events = 65536;
    check(wend_crowd_create(&def, &g->crowd));
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

/* A cell ahead of an agent closes; those that were closed for two seconds open. */
static void edit_ways(group *g) {
    wend_cell cells[AHEAD];
    size_t count = 0;
    const wend_agent_id id = g->ids[draw(&g->seed, AGENTS)];
    check(wend_crowd_get_path(g->crowd, id, cells, AHEAD, &count));
    wend_edit *edit;
    check(wend_edit_begin(g->map, &edit));
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
    check(wend_edit_publish(edit, NULL));
}

/* ---- frames ---- */

static void run_frame(group *g, bool edits) {
    if (edits && g->frame % FRAMES_AN_EDIT == 0) edit_ways(g);
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = 100000;
    const uint64_t begun = cpu_ns();
    check(wend_service_tick(g->service, &budget, NULL));
    const uint64_t ticked = cpu_ns();
    check(wend_crowd_update(g->crowd, 1000));
    const uint64_t updated = cpu_ns();
    g->tick_ns += ticked - begun;
    g->update_ns += updated - ticked;
    if (updated - begun > g->longest_ns) g->longest_ns = updated - begun;
    g->frame++;
}

static void bench_group(const char *file, const char *name, uint32_t fields, bool edits) {
    group *g = malloc(sizeof *g);
    open_group(g, file, fields);
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = g->goal;
    const uint64_t begun = cpu_ns();
    check(wend_crowd_go(g->crowd, g->ids, AGENTS, &goal));
    const double order_ms = (double)(cpu_ns() - begun) / 1e6;
    wend_crowd_counts counts = {.struct_bytes = sizeof counts};
    do {
        run_frame(g, edits);
        wend_crowd_get_counts(g->crowd, &counts);
        wend_agent_event event = {.struct_bytes = sizeof event};
        while (wend_crowd_poll(g->crowd, &event) == WEND_OK) {
        }
    } while (counts.busy > 0 && g->frame < MOST_FRAMES);
    printf("%s,%s,%s,%llu,%llu,%llu,%u,%.2f,%.1f,%.1f,%.2f,%llu\n", name, fields ? "field" : "searches",
           edits ? "changes" : "stays", (unsigned long long)g->frame, (unsigned long long)counts.event_counts[1],
           (unsigned long long)counts.event_counts[2], counts.busy, order_ms, (double)g->tick_ns / 1e6,
           (double)g->update_ns / 1e6, (double)g->longest_ns / 1e6, (unsigned long long)counts.searches_begun);
    fflush(stdout);
    close_group(g);
    free(g);
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "bench_group: MAP...\n"), 2;
    puts("map,by,map that,frames,arrived,partial,busy at the end,order ms,ticks ms,updates ms,longest frame "
         "ms,searches");
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        for (const char *c = argv[i]; *c; c++)
            if (*c == '/') name = c + 1;
        for (int run = 0; run < 4; run++) bench_group(argv[i], name, run % 2 == 0, run >= 2);
    }
    return 0;
}
