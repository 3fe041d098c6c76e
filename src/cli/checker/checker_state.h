/* SPDX-License-Identifier: MIT */
/* What the two parts of the checker share: its state, and how a promise is checked. */
#ifndef WEND_SRC_CLI_CHECKER_CHECKER_STATE_H
#define WEND_SRC_CLI_CHECKER_CHECKER_STATE_H

#include "cli/checker/checker.h"
#include "cli/checker/dijkstra.h"

enum { URGENCIES = WEND_URGENCY_MAX - WEND_URGENCY_MIN + 1 };

/* What the checker knows of an agent's request. Frames count from 1; 0: none. */
typedef struct wish {
    wend_cell start, goal;
    wend_ticket ticket;
    uint64_t index;      /* how many were accepted before it */
    uint64_t asked;      /* the first frame that can take it in */
    uint64_t must_begin; /* by that frame its wait is over */
    uint64_t cancelled;  /* the frame that must deliver it as cancelled */
    uint64_t epoch;      /* when it was submitted */
    int32_t urgency;
    bool takes_what_is_left;
    bool pending;
} wish;

struct checker {
    checker_def def;
    uint64_t checked[CHECKER_PROMISE_COUNT], broken[CHECKER_PROMISE_COUNT];
    wish *wishes;
    uint64_t accepted, pending;
    uint64_t frame;                           /* the one that comes next or runs */
    uint64_t frames_spent, completions_spent; /* expansions: as frames and as completions tell it */
    uint64_t first_number;
    bool number_known;

    /* of this frame */
    uint64_t submitted_now, completed_now, late_now, last_number, statuses_now[16];
    bool clogged; /* finished requests were left over: delivery is late, for lack of room */

    /* For each urgency, how many are pending and the exclusive or of their agents: of one alone that is its name. */
    uint32_t at_urgency[URGENCIES], agents_at_urgency[URGENCIES];
    int32_t top;
    bool top_is_alone;

    dijkstra *oracle;
    uint64_t found, next_sample;
    ground_parts parts; /* of the ground of some epoch, once the map has changed */
    uint64_t flooded;

    /* what the map's changes led to */
    uint64_t late, restarts, restarts_told;
};

/* checker.c: says that a promise is broken. */
void checker_tell(const checker *watch, int promise, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Only the first break of each promise is told; all are counted. */
#define EXPECT(watch, promise, condition, ...)                                                                         \
    do {                                                                                                               \
        (watch)->checked[promise]++;                                                                                   \
        if (!(condition) && (watch)->broken[promise]++ == 0) checker_tell(watch, promise, __VA_ARGS__);                \
    } while (0)

/* checker_terrain.c: what the terrain says of an answer. */
void checker_judge(checker *watch, const wish *known, const wend_completion *completion);

#endif
