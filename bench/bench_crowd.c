/* SPDX-License-Identifier: MIT */
/* Shows of a crowd: who arrives when, and what a frame costs; CSV. Times are of the
 * thread, in microseconds a frame. */
#include "harness.h"

#include <wend/agents.h>

#include "crowd/crowd_shows.h"

enum { TOWN_AGENTS = 2000, TOWN_FRAMES = 1200, TOWN_AFTER = 3000, MOST_RATIOS = 100000 };

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

/* A line of the show that has ended; it is closed. */
static void report(const char *name, uint64_t bar, double rate) {
    note_ratios();
    double update_us = (double)s.update_ns / 1e3 / (double)s.frame;
    printf("%s,%u,%llu,%llu,%u,%u,%u,%u,%.2f,%.3f,%.1f,%.1f,%s\n", name, s.count, (unsigned long long)s.frame,
           (unsigned long long)bar, s.goals, s.met, s.partial, s.gave_up, median(ratios, ratio_count), rate, update_us,
           (double)s.tick_ns / 1e3 / (double)s.frame, s.fault ? s.fault : "none");
    fflush(stdout);
    ratio_count = 0;
    show_close(&s);
}

static void bench_doors(int32_t rooms, int32_t doors) {
    char name[32];
    snprintf(name, sizeof name, "doors %d rooms %d doors", rooms, doors);
    show_doors(&s, rooms, doors);
    show_run(&s, 20000);
    report(name, show_doors_bar(&s, doors), 0);
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
    report("funnel", 0, s.count * 8 / 10 * (double)SHOW_STEP_FRAMES / (double)(last - first));
}

static void bench_town(bool caves) {
    show_town(&s, caves ? 256 : 257, TOWN_AGENTS, caves);
    for (int f = 0; f < TOWN_FRAMES + TOWN_AFTER; f++) {
        note_ratios();
        uint32_t wants = 0;
        for (uint32_t i = 0; i < s.count; i++) wants += s.agents[i].wants;
        if (f > TOWN_FRAMES && !wants) break;
        if (!show_town_frame(&s, f < TOWN_FRAMES)) break;
    }
    report(caves ? "pedestrians in caves" : "pedestrians in rooms", 0, 0);
}

int main(void) {
    printf("show,agents,frames,bar,wishes,met,partial,gave_up,time_by_lone,rate,update_us,tick_us,"
           "fault\n");
    const int32_t kinds[][2] = {{2, 1}, {2, 2}, {2, 4}, {3, 4}, {4, 1}};
    for (int k = 0; k < 5; k++) bench_doors(kinds[k][0], kinds[k][1]);
    show_ring(&s);
    show_run(&s, 4000);
    report("ring", 3 * show_longest_walk(&s), 0);
    bench_funnel();
    bench_town(false);
    bench_town(true);
    return 0;
}
