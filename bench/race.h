/* SPDX-License-Identifier: MIT */
/* The race: a thousand agents ask in one frame, ten urgent ones when half of them are served. Every program gets the
 * same requests and the same time a frame; processor time of one thread is what counts. */
#ifndef WEND_BENCH_RACE_H
#define WEND_BENCH_RACE_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RACE_AGENTS = 1000, RACE_URGENT = 10, RACE_ALL = RACE_AGENTS + RACE_URGENT };

typedef struct race_ask {
    wend_cell start, goal;
    uint64_t asked, served; ///< frames; 0: still to come
    bool found;
} race_ask;

typedef struct race {
    peer_task task;
    race_ask asks[RACE_ALL]; ///< the last ones are urgent
    double frame_us;         ///< budget of a frame; 0: one frame without an end
    double frame_ends;       ///< cpu_us() at which the frame under way should be over
    bool shared;             ///< all have the goal of the first
    uint64_t frame;
    uint32_t served, next, next_urgent;
} race;

/// A program's part in the race.
typedef struct race_player {
    const char *name;
    void *state;
    void (*ask)(void *state, race *all, uint32_t index); ///< a request comes; NULL: the program calls race_next()
    void (*frame)(void *state, race *all);               ///< search until race_is_over(), or nothing is left
} race_player;

/// By the arguments MAP SCEN FRAME_US distinct|shared, and what else the program takes. The scenario has RACE_ALL
/// queries.
void race_open(race *all, int argc, char **argv);
void race_close(race *all);
/// All frames of one program, then a line of CSV: program, frames, longest frame, longest wait of an urgent request in
/// frames, time of all frames, paths found. Times are in microseconds.
void race_run(race *all, const race_player *player);

/// Returns whether the frame's time is over.
bool race_is_over(const race *all);
/// Take the next request: urgent ones first, then in order. False where there is none.
bool race_next(race *all, uint32_t *index);
void race_served(race *all, uint32_t index, bool found);

#ifdef __cplusplus
}
#endif
#endif
