/* SPDX-License-Identifier: MIT */
/* Solves one-shot multi-agent pathfinding: bench_home MAP SCEN AGENTS… sends the agents of a MovingAI scenario's first
 * lines home, for each number of agents. CSV: agents on their goals in the end, agents that are not, how many of the
 * latter had no event, sum of costs (steps until an agent stands on its goal for good), the same divided by the sum of
 * shortest ways, steps until all stand, processor time in all. */
#include "mapf.h"

enum { MOST_STEPS = 2000 };

typedef struct commuter {
    wend_cell start, goal, at;
    wend_agent_id id;
    int32_t last_event;
    uint32_t cost; ///< step in which it came to stand on its goal for good
} commuter;

static commuter *all;
static mapf m;

/* Reads the first `count` lines. */
static void read_starts(const char *path, uint32_t count) {
    FILE *file = fopen(path, "r");
    need(file, path);
    need(fscanf(file, "version %*s") == 0, path);
    for (uint32_t i = 0; i < count; i++) {
        commuter *t = &all[i];
        *t = (commuter){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0}, 0, 0};
        need(fscanf(file, "%*s %*s %*s %*s %" SCNd32 " %" SCNd32 " %" SCNd32 " %" SCNd32 " %*s", &t->start.x,
                    &t->start.y, &t->goal.x, &t->goal.y) == 4,
             path);
        t->at = t->start;
    }
    fclose(file);
}

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    ((commuter *)event->context)->last_event = event->event;
}

/* Notes the places of agents after a step. Returns true if all are home: agents pushed off their goals go on trying. */
static bool note_costs(const mapf_run *run, uint32_t count, uint32_t step) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    check(wend_crowd_get_view(run->crowd, &view));
    bool all_home = true;
    for (uint32_t i = 0; i < count; i++) {
        all[i].at = view.cells[i];
        if (same_cell(all[i].at, all[i].goal)) continue;
        all[i].cost = step + 1;
        all_home = false;
    }
    return all_home;
}

static void report(const mapf_run *run, const char *scen, uint32_t count, uint32_t steps) {
    uint32_t home = 0, silent = 0;
    uint64_t cost = 0, shortest = 0;
    double us = 0;
    for (uint32_t i = 0; i < count; i++) {
        const commuter *t = &all[i];
        const bool there = same_cell(t->at, t->goal);
        home += there;
        silent += !there && (t->last_event == WEND_AGENT_EVENT_ARRIVED || t->last_event == 0);
        cost += t->cost;
        shortest += mapf_distance(&m, t->start, t->goal);
    }
    for (size_t i = 0; i < run->step_us.count; i++) us += run->step_us.values[i];
    printf("%s,%u,%u,%u,%u,%" PRIu64 ",%.3f,%u,%.1f\n", base_name(scen), count, home, count - home, silent, cost,
           (double)cost / (double)shortest, steps, us / 1000);
}

static void run_agents(const char *scen, uint32_t count) {
    mapf_run run = {.service = open_service(NULL)};
    all = calloc(count, sizeof *all);
    read_starts(scen, count);
    run.crowd = mapf_crowd(&m, run.service, count, on_event, NULL);
    for (uint32_t i = 0; i < count; i++) all[i].id = mapf_add(run.crowd, all[i].start, &all[i]);
    for (uint32_t i = 0; i < count; i++) send_to(run.crowd, &all[i].id, 1, all[i].goal);
    uint32_t step = 0;
    for (bool done = false; step < MOST_STEPS && !done; step++) {
        mapf_step(&run);
        done = note_costs(&run, count, step + 1);
    }
    report(&run, scen, count, step);
    check(wend_crowd_destroy(run.crowd));
    check(wend_service_destroy(run.service));
    clear(&run.step_us);
    free(all);
}

int main(int count, char **words) {
    need(count > 3, "usage: bench_home MAP SCEN AGENTS...");
    mapf_open(&m, words[1]);
    puts("scenario,agents,home,away,silent,sum_of_costs,by_shortest,steps,ms");
    for (int i = 3; i < count; i++) run_agents(words[2], (uint32_t)strtoul(words[i], NULL, 10));
    mapf_close(&m);
    return 0;
}
