/* SPDX-License-Identifier: MIT */
/* Searches for each request alone, and sums up. An agent that asks again from the same cell is not searched for
   again: the map does not change. */
#include <stdlib.h>

#include "lab/promises/horde.h"

typedef struct lone_answer {
    bool known;
    wend_cell start;
    uint64_t expansions;
    int64_t cost;
} lone_answer;

struct horde {
    wend_search *search;
    lone_answer *answers; /* by agent */
    uint64_t flood;
    uint64_t frame, frame_lone; /* the last frame in which they asked, and the lone searches for those */
    horde_sums taken, now;      /* `now` without those of that frame in `best` */
};

horde *horde_create(uint32_t agents, uint64_t flood, uint64_t nodes) {
    horde *all = calloc(1, sizeof *all);
    if (all == NULL) return NULL;
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    def.nodes = nodes;
    all->flood = flood;
    all->answers = calloc(agents, sizeof *all->answers);
    if (all->answers != NULL && wend_search_create(&def, &all->search) == WEND_OK) return all;
    horde_free(all);
    return NULL;
}

void horde_free(horde *all) {
    if (all == NULL) return;
    wend_search_destroy(all->search);
    free(all->answers);
    free(all);
}

static bool search_alone(horde *all, lone_answer *answer, const wend_request *request) {
    wend_completion done = {.struct_bytes = sizeof done};
    if (wend_search_begin(all->search, request) != WEND_OK) return false;
    while (wend_search_step(all->search, WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
    if (wend_search_get_result(all->search, &done) != WEND_OK || done.status == WEND_STATUS_OUT_OF_NODES) return false;
    *answer = (lone_answer){.known = true,
                            .start = request->start,
                            .expansions = done.expansions,
                            .cost = done.status == WEND_STATUS_FOUND ? done.cost : -1};
    return true;
}

static void close_frame(horde *all) {
    all->now.best += all->frame_lone < all->flood ? all->frame_lone : all->flood;
    all->frame_lone = 0;
}

bool horde_asked(horde *all, uint32_t agent, uint64_t frame, const wend_request *request) {
    lone_answer *answer = &all->answers[agent];
    const bool again = answer->known && answer->start.x == request->start.x && answer->start.y == request->start.y;
    if (!again && !search_alone(all, answer, request)) return false;
    if (frame != all->frame) close_frame(all);
    all->frame = frame;
    all->frame_lone += answer->expansions;
    all->now.lone += answer->expansions;
    all->now.asked++;
    return true;
}

int64_t horde_answered(horde *all, uint32_t agent, const wend_completion *completion) {
    all->now.spent += completion->expansions;
    return all->answers[agent].cost;
}

horde_sums horde_take(horde *all) {
    close_frame(all);
    const horde_sums sums = all->now;
    all->taken = horde_total(all);
    all->now = (horde_sums){0};
    return sums;
}

horde_sums horde_total(const horde *all) {
    return (horde_sums){.asked = all->taken.asked + all->now.asked,
                        .lone = all->taken.lone + all->now.lone,
                        .best = all->taken.best + all->now.best,
                        .spent = all->taken.spent + all->now.spent};
}
