/* SPDX-License-Identifier: MIT */
/* Shows of a crowd: times of arrival, and the cost of a frame next to a bare loop of walks; CSV. Times are of the
 * thread, in microseconds a frame. */
#include "harness.h"

#include <wend/motion.h>
#include <wend/agents.h>

#include "crowd/crowd_shows.h"

enum { TOWN_AGENTS = 2000, TOWN_FRAMES = 1200, TOWN_AFTER = 3000, MOST_RATIOS = 100000, WALK_CELLS = 512, WALKS = 40 };

static show s;
static double ratios[MOST_RATIOS];
static uint32_t ratio_count;

static void note_ratios(void) {
    for (uint32_t i = 0; i < s.count; i++) {
        show_agent *a = &s.agents[i];
        if (a->wants || !a->met || a->ended <= a->began || ratio_count == MOST_RATIOS) continue;
        ratios[ratio_count++] = (double)(a->ended - a->began) / (double)a->lone_frames;
        a->ended = a->began;
    }
}

/* A line of the show that has ended; it is closed. `walk_us`: of the bare loop, 0: not measured. */
static void report(const char *name, uint64_t bar, double rate, double walk_us) {
    note_ratios();
    double update_us = (double)s.update_ns / 1e3 / (double)s.frame;
    printf("%s,%u,%llu,%llu,%u,%u,%u,%u,%.2f,%.3f,%.1f,%.1f,%.1f,%.2f,%s\n", name, s.count, (unsigned long long)s.frame,
           (unsigned long long)bar, s.goals, s.met, s.partial, s.gave_up, median(ratios, ratio_count), rate, update_us,
           (double)s.tick_ns / 1e3 / (double)s.frame, walk_us, walk_us > 0 ? update_us / walk_us : 0,
           s.fault ? s.fault : "none");
    fflush(stdout);
    ratio_count = 0;
    show_close(&s);
}

static void bench_doors(int32_t rooms, int32_t doors) {
    char name[32];
    snprintf(name, sizeof name, "doors %d rooms %d doors", rooms, doors);
    show_doors(&s, rooms, doors);
    show_run(&s, 20000);
    report(name, show_doors_bar(&s, doors), 0, 0);
}

static void bench_funnel(void) {
    show_funnel(&s, 1000);
    uint64_t first = 0, last = 0;
    while (!last && s.frame < 20000 && show_frame(&s)) {
        uint32_t through = show_funnel_through(&s);
        if (!first && through >= s.count / 10) first = s.frame;
        if (through >= s.count * 9 / 10) last = s.frame;
    }
    show_run(&s, s.frame + 4000);
    report("funnel", 0, s.count * 8 / 10 * (double)SHOW_STEP_FRAMES / (double)(last - first), 0);
}

/* The ways of all agents, walked without a crowd: about the cost of walking alone in a frame. */
static double bare_walk_us(void) {
    wend_walk *walks = malloc(s.count * sizeof *walks);
    wend_cell *cells = malloc(s.count * sizeof *cells * WALK_CELLS);
    for (uint32_t i = 0; i < s.count; i++) {
        size_t count = 0;
        wend_cell *path = cells + (size_t)i * WALK_CELLS;
        if (wend_crowd_get_path(s.crowd, s.agents[i].id, path, WALK_CELLS, &count)) abort();
        if (count > WALK_CELLS) count = WALK_CELLS;
        if (wend_walk_begin(s.map, path, count, 0, (uint32_t)s.agents[i].speed_milli, 0, &walks[i])) abort();
    }
    const double start = cpu_us();
    for (int k = 0; k < WALKS; k++)
        if (wend_walk_advance_many(s.map, walks, s.count, 1000, NULL)) abort();
    double us = (cpu_us() - start) / WALKS;
    free(cells);
    free(walks);
    return us;
}

static void bench_town(bool caves) {
    double walk_us = 0;
    show_town(&s, caves ? 256 : 257, TOWN_AGENTS, caves);
    for (int f = 0; f < TOWN_FRAMES + TOWN_AFTER; f++) {
        note_ratios();
        if (f == TOWN_FRAMES / 2) walk_us = bare_walk_us();
        uint32_t wants = 0;
        for (uint32_t i = 0; i < s.count; i++) wants += s.agents[i].wants;
        if (f > TOWN_FRAMES && !wants) break;
        if (!show_town_frame(&s, f < TOWN_FRAMES)) break;
    }
    report(caves ? "pedestrians in caves" : "pedestrians in rooms", 0, 0, walk_us);
}

int main(void) {
    printf("show,agents,frames,bar,wishes,met,partial,gave_up,time_by_lone,rate,update_us,tick_us,walk_us,"
           "update_by_walk,fault\n");
    const int32_t kinds[][2] = {{2, 1}, {2, 2}, {2, 4}, {3, 4}, {4, 1}};
    for (int k = 0; k < 5; k++) bench_doors(kinds[k][0], kinds[k][1]);
    show_ring(&s);
    show_run(&s, 4000);
    report("ring", 3 * show_longest_walk(&s), 0, 0);
    bench_funnel();
    bench_town(false);
    bench_town(true);
    return 0;
}
