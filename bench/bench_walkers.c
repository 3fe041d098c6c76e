/* SPDX-License-Identifier: MIT */
/* Times crowds in caves. The step of a crowd, without the tick, against a bare loop of walks that holds cells and
 * decides nothing, and against a batch of walks that holds nothing. And frames of agents that see others near their
 * start, against frames of agents that see none. CSV: the median of the frames, the mean, and the ratio to the line
 * before, for each agent. */
#include "grounds.h"

#include <wend/wend.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 512, AGENTS = 2000, CELLS = 4096, WARM = 40, FRAMES = 120, FAR = 120, NEAR = 48, BUDGET = 20000 };

typedef struct bench {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    uint64_t seed;
    bool wanders; ///< each event leads to another wish
} bench;

static wend_map *make_caves(void) {
    wend_map *map = make_ground(fill_caves, SIDE);
    check(wend_map_accelerate(map, NULL));
    return map;
}

static int32_t clip(int32_t value) {
    return value < 0 ? 0 : value >= SIDE ? SIDE - 1 : value;
}

/* A goal that can be reached, within so many cells of a place. */
static wend_cell draw_goal(bench *b, wend_cell from, int32_t within) {
    for (;;) {
        const int32_t wide = 2 * within + 1;
        const wend_cell to = {clip(from.x - within + (int32_t)draw(&b->seed, (uint32_t)wide)),
                              clip(from.y - within + (int32_t)draw(&b->seed, (uint32_t)wide)), 0};
        int32_t reachable = 0;
        check(wend_map_reachable(b->map, WEND_MOVER_DEFAULT, from, to, &reachable));
        if (reachable) return to;
    }
}

static void send(bench *b, wend_agent_id id, wend_cell from, int32_t within) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = draw_goal(b, from, within);
    check(wend_crowd_go(b->crowd, &id, 1, &goal));
}

static void on_event(void *context, const wend_agent_event *event) {
    bench *b = context;
    if (b->wanders && event->event != WEND_AGENT_EVENT_REROUTED && event->event != WEND_AGENT_EVENT_REPLACED)
        send(b, event->agent, event->cell, NEAR);
}

static void begin(bench *b, wend_map *map, int32_t units_within, bool wanders) {
    wend_service_def service;
    wend_crowd_def def;
    *b = (bench){.map = map, .seed = 11, .wanders = wanders};
    wend_service_def_init(&service, sizeof service);
    check(wend_service_create(&service, &b->service));
    wend_crowd_def_init(&def, sizeof def);
    def.agents = AGENTS, def.service = b->service, def.map = map, def.units_within = units_within;
    def.path_bytes = (uint64_t)AGENTS * 16 * 64;
    def.on_event = on_event, def.context = b;
    check(wend_crowd_create(&def, &b->crowd));
    for (int i = 0; i < AGENTS; i++) {
        wend_agent_def agent;
        wend_agent_def_init(&agent, sizeof agent);
        do agent.cell = (wend_cell){(int32_t)draw(&b->seed, SIDE), (int32_t)draw(&b->seed, SIDE), 0};
        while (wend_crowd_add(b->crowd, &agent, &b->ids[i]));
        send(b, b->ids[i], agent.cell, wanders ? NEAR : FAR);
    }
}

static void end(bench *b) {
    check(wend_crowd_destroy(b->crowd));
    check(wend_service_destroy(b->service));
}

static void tick(bench *b) {
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = BUDGET;
    check(wend_service_tick(b->service, &budget, NULL));
}

static double mean_us(const uint64_t *ns, int count) {
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) sum += ns[i];
    return (double)sum / count / 1000;
}

/* ---- the step against a bare loop ---- */

typedef struct bare {
    wend_walk walk;
    wend_cell held;
} bare;

/* The least that a host does: it walks on where nobody stands, leaves a cell and takes the next one. */
static void step_bare(wend_map *map, bare *all, int count) {
    int32_t event;
    for (int i = 0; i < count; i++) {
        bare *one = &all[i];
        check(wend_walk_advance(map, &one->walk, one->walk.speed_milli, &event));
        const wend_cell at = one->walk.cells[one->walk.index];
        if (at.x == one->held.x && at.y == one->held.y) continue;
        check(wend_map_vacate(map, one->held));
        check(wend_map_occupy(map, at));
        one->held = at;
    }
}

/* The walks of the crowd's agents, along the paths that they keep now. Returns how many walk. */
static int copy_walks(const bench *b, bare *all, wend_cell *room) {
    int count = 0;
    for (int i = 0; i < AGENTS; i++) {
        size_t cells = 0;
        wend_cell *own = room + (size_t)count * CELLS;
        check(wend_crowd_get_path(b->crowd, b->ids[i], own, CELLS, &cells));
        if (cells < FRAMES / 4 || cells > CELLS) continue;
        check(wend_walk_begin(b->map, own, cells, WEND_MOVER_DEFAULT, 250, WEND_WALK_UNITS, &all[count].walk));
        all[count++].held = own[0];
    }
    return count;
}

/* The same walks in one call, which looks at nobody and holds nothing. */
static void time_batch(const bench *b, const bare *all, int count) {
    static wend_walk walks[AGENTS];
    static int32_t events[AGENTS];
    uint64_t ns[FRAMES];
    for (int i = 0; i < count; i++) walks[i] = all[i].walk, walks[i].flags = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        const uint64_t begun = now_ns();
        check(wend_walk_advance_many(b->map, walks, (size_t)count, 1000, events));
        ns[frame] = now_ns() - begun;
    }
    const double mean = mean_us(ns, FRAMES), median = median_us(ns, FRAMES);
    printf("a batch of walks,%d,%.1f,%.1f,\n", count, median, mean);
}

static double time_bare(bench *b, bare *all, int count) {
    uint64_t ns[FRAMES];
    for (int i = 0; i < count; i++) check(wend_map_occupy(b->map, all[i].held));
    for (int frame = 0; frame < FRAMES; frame++) {
        const uint64_t begun = now_ns();
        step_bare(b->map, all, count);
        ns[frame] = now_ns() - begun;
    }
    for (int i = 0; i < count; i++) check(wend_map_vacate(b->map, all[i].held));
    const double mean = mean_us(ns, FRAMES), median = median_us(ns, FRAMES);
    printf("a bare loop of walks,%d,%.1f,%.1f,\n", count, median, mean);
    return median / count;
}

static void time_step(wend_map *map) {
    static bench b;
    static bare all[AGENTS];
    uint64_t ns[FRAMES];
    wend_cell *room = malloc((size_t)AGENTS * CELLS * sizeof *room);
    begin(&b, map, 32, false);
    for (int frame = 0; frame < WARM; frame++) tick(&b), check(wend_crowd_update(b.crowd, 1000));
    const int count = copy_walks(&b, all, room);
    wend_crowd_counts counts = {.struct_bytes = sizeof counts};
    check(wend_crowd_get_counts(b.crowd, &counts));
    for (int frame = 0; frame < FRAMES; frame++) {
        tick(&b);
        const uint64_t begun = now_ns();
        check(wend_crowd_update(b.crowd, 1000));
        ns[frame] = now_ns() - begun;
    }
    end(&b);
    time_batch(&b, all, count);
    const double each = time_bare(&b, all, count), mean = mean_us(ns, FRAMES), median = median_us(ns, FRAMES);
    const uint32_t walking = counts.states[WEND_AGENT_WALKING] + counts.states[WEND_AGENT_BLOCKED];
    printf("a step of the crowd,%u,%.1f,%.1f,%.2f\n", (unsigned)walking, median, mean, median / walking / each);
    free(room);
}

/* ---- frames of agents that wander ---- */

static double time_frames(wend_map *map, int32_t units_within, const char *name, double before) {
    static bench b;
    uint64_t ns[4 * FRAMES];
    begin(&b, map, units_within, true);
    for (int frame = 0; frame < WARM; frame++) tick(&b), check(wend_crowd_update(b.crowd, 1000));
    for (int frame = 0; frame < 4 * FRAMES; frame++) {
        const uint64_t begun = now_ns();
        tick(&b);
        check(wend_crowd_update(b.crowd, 1000));
        ns[frame] = now_ns() - begun;
    }
    end(&b);
    const double mean = mean_us(ns, 4 * FRAMES), median = median_us(ns, 4 * FRAMES);
    printf("%s,%d,%.1f,%.1f,", name, AGENTS, median, mean);
    if (before > 0) printf("%.2f", median / before);
    printf("\n");
    return median;
}

int main(void) {
    wend_map *map = make_caves();
    puts("what,count,median_us,mean_us,ratio");
    time_step(map);
    const double blind = time_frames(map, 0, "a frame of agents that see no units", 0);
    time_frames(map, 32, "a frame of agents that see units within 32", blind);
    wend_map_release(map);
    return 0;
}
