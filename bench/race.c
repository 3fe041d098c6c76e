/* SPDX-License-Identifier: MIT */
/* Runs the frames of the race for one program after another. */
#include "harness.h"
#include "race.h"

enum { MOST_FRAMES = 1000000 };

void race_open(race *all, int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: %s MAP SCEN FRAME_US distinct|shared\n", argv[0]);
        exit(2);
    }
    *all = (race){.frame_us = atof(argv[3]), .shared = strcmp(argv[4], "shared") == 0};
    peer_open(&all->task, 3, argv);
    if (all->task.count < RACE_ALL) {
        fprintf(stderr, "%s: %zu queries are too few\n", argv[2], all->task.count);
        exit(2);
    }
    for (uint32_t i = 0; i < RACE_ALL; i++) {
        all->asks[i].start = all->task.queries[i].start;
        all->asks[i].goal = all->task.queries[all->shared ? 0 : i].goal;
    }
}

void race_close(race *all) {
    scenario_free(&all->task.scen);
    wend_map_release(all->task.map);
}

bool race_is_over(const race *all) {
    return all->frame_us > 0 && cpu_us() >= all->frame_ends;
}

bool race_next(race *all, uint32_t *index) {
    if (all->next_urgent < RACE_ALL && all->asks[all->next_urgent].asked > 0) {
        *index = all->next_urgent++;
        return true;
    }
    if (all->next >= RACE_AGENTS) return false;
    *index = all->next++;
    return true;
}

void race_served(race *all, uint32_t index, bool found) {
    all->asks[index].served = all->frame;
    all->asks[index].found = found;
    all->served++;
}

static void ask(race *all, const race_player *player, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        all->asks[i].asked = all->frame;
        if (player->ask != NULL) player->ask(player->state, all, i);
    }
}

/* In a frame without an end, urgent requests come with all others. */
static void ask_in_frame(race *all, const race_player *player) {
    const bool half = all->frame_us == 0 || all->served >= RACE_AGENTS / 2;
    if (all->frame == 1) ask(all, player, 0, RACE_AGENTS);
    if (half && all->asks[RACE_AGENTS].asked == 0) ask(all, player, RACE_AGENTS, RACE_ALL);
}

void race_run(race *all, const race_player *player) {
    double longest = 0, sum = 0;
    uint64_t wait = 0;
    uint32_t found = 0;
    all->frame = all->served = all->next = 0;
    all->next_urgent = RACE_AGENTS;
    for (uint32_t i = 0; i < RACE_ALL; i++) all->asks[i].asked = all->asks[i].served = all->asks[i].found = 0;
    while (all->served < RACE_ALL && all->frame < MOST_FRAMES) {
        all->frame++;
        ask_in_frame(all, player);
        const double began = cpu_us();
        all->frame_ends = began + all->frame_us;
        player->frame(player->state, all);
        const double took = cpu_us() - began;
        sum += took;
        if (took > longest) longest = took;
    }
    for (uint32_t i = 0; i < RACE_ALL; i++) {
        found += all->asks[i].found;
        const uint64_t frames = all->asks[i].served - all->asks[i].asked + 1;
        if (i >= RACE_AGENTS && frames > wait) wait = frames;
    }
    printf("%s,%llu,%.0f,%llu,%.0f,%u\n", player->name, (unsigned long long)all->frame, longest,
           (unsigned long long)wait, sum, (unsigned)found);
    fflush(stdout);
}
