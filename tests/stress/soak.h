/* SPDX-License-Identifier: MIT */
/* A soak of changing worlds: one world twice, as a map and as plain arrays, and the checks of completions. */
#ifndef WEND_TESTS_SOAK_H
#define WEND_TESTS_SOAK_H

#include "models/worlds.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "stress/promise.h"

enum { SOAK_KEPT = 64, SOAK_MOST_UNITS = 24 };

/// A world that changes, and its map.
typedef struct soak_world {
    world now; ///< same contents as the map's newest version, and its units
    wend_map *map;
    bool even; ///< never anything but open and blocked cells: jump search serves it
    uint64_t epoch;
    pthread_mutex_t keeping;         ///< guards `kept`
    world kept[SOAK_KEPT];           ///< contents of versions, stored before they are published
    uint64_t kept_epochs[SOAK_KEPT]; ///< 0: none
    uint64_t unit_moves;             ///< how often a unit came or went
    wend_cell units[SOAK_MOST_UNITS];
    int unit_count;
} soak_world;

void soak_open(soak_world *s, oracle_random *random, int kind);
/// Makes a random batch of edits on both; at times a batch is discarded. Threads: any, one at a time.
void soak_edit(soak_world *s, oracle_random *random);
/// Some units come and go.
void soak_move(soak_world *s, oracle_random *random);
void soak_close(soak_world *s);
/// Finds the contents of a version by epoch, without meaningful units. False: not kept any more. Threads: any.
bool soak_at(soak_world *s, uint64_t epoch, world *out);

/// A request, and the state at its submission.
typedef struct soak_asked {
    wend_request request; ///< has the goals in force
    wend_cell goals[WORLD_GOALS], next_goal;
    bool moves, moved, pending, cancelled; ///< moves: to next_goal with the next frame; cancelled: cancel returned OK
    uint64_t epoch, unit_moves;
    wend_ticket ticket;
} soak_asked;

/// Counts of checks.
typedef struct soak_tally {
    uint64_t deliveries, statuses[WEND_STATUS_COUNT];
    uint64_t walked;    ///< paths of more than a cell, step by step
    uint64_t outlived;  ///< found on an older version, and good today
    uint64_t pieces;    ///< stale, with more than one cell
    uint64_t cut;       ///< limit, expired, out_of_nodes, too_long with a path
    uint64_t optima;    ///< costs compared with the model's
    uint64_t refusals;  ///< no_path and …_blocked compared with the model of today
    uint64_t overtaken; ///< …_blocked that was so, and is not today
    uint64_t unjudged;  ///< refusals because of units that have moved since
    uint64_t moved;     ///< requests with a moved goal
    uint64_t jumps;     ///< ways that jump search found
    uint64_t illegal;   ///< broken promises
} soak_tally;
extern soak_tally soak_total;

/// Compares a completion with the model as it is now. Prints and counts errors.
void soak_check(soak_world *s, const wend_service_def *def, const soak_asked *asked, const wend_completion *completion,
                const wend_cell *cells);

#endif
