/* SPDX-License-Identifier: MIT */
/* The state of the checker, shared by its two files, and the macro that checks a promise. */
#ifndef WEND_LAB_PROMISES_CHECKER_STATE_H
#define WEND_LAB_PROMISES_CHECKER_STATE_H

#include "promises/checker.h"
#include "oracle/terrain_copy.h"

enum { URGENCIES = WEND_URGENCY_MAX - WEND_URGENCY_MIN + 1 };

/* An agent's request in the checker's state. Frames count from 1; 0: none. */
typedef struct known_request {
    wend_cell start, goal;
    wend_ticket ticket;
    uint64_t index;      /* requests accepted before it */
    uint64_t asked;      /* first frame that can take it in */
    uint64_t must_begin; /* last frame in which its search may begin; 0: not known */
    uint64_t withdrawn;  /* frame that must deliver it as cancelled or replaced; 0: neither */
    wend_status ends_as; /* status by the earlier of both */
    uint64_t epoch;      /* epoch of the map when the request was submitted */
    int32_t urgency;
    bool takes_what_is_left;
    bool moved; /* its goal is not the submitted one */
    bool pending;
} known_request;

struct checker {
    checker_def def;
    promises *ledger;
    known_request *requests;
    uint32_t *latest; /* for each number of wend_request.agent: the agent with the latest request, plus 1 */
    uint64_t accepted, pending;
    uint64_t frame;                           /* the frame that runs or comes next */
    uint64_t frames_spent, completions_spent; /* expansions, summed over frames and over completions */
    uint64_t first_number;
    bool number_known;

    /* counts of this frame */
    uint64_t submitted_now, completed_now, late_now, last_number, statuses_now[16];
    bool clogged; /* a frame left finished requests undelivered, for lack of room */

    /* For each urgency: the number of pending requests, and the exclusive or of their agents, which is the agent of a
       single request. */
    uint32_t at_urgency[URGENCIES], agents_at_urgency[URGENCIES];
    int32_t top;
    bool top_is_alone;

    dijkstra *oracle;
    uint64_t found, next_sample;
    terrain_parts parts; /* parts of some later epoch, once the map has changed */
    uint64_t flooded;
    uint64_t closed_for_no_path; /* by the oracle, on maps with one-way steps */

    /* counts of what the map's changes led to */
    uint64_t late, restarts, restarts_told;
};

/* checker_terrain.c: compare an answer with the terrain. */
void checker_judge(checker *watch, const known_request *known, const wend_completion *completion);

#endif
