/* SPDX-License-Identifier: MIT */
/* Shared by the benches of other libraries: a map and a scenario read by wend, and the line that they print. */
#ifndef WEND_BENCH_PEER_H
#define WEND_BENCH_PEER_H

#include "scenario_file.h"
#include "scenery.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_task {
    wend_map *map;
    scenario scen;
    const scenario_query *queries;
    size_t count;
    int repeats, width, height;
    double us; ///< time of all queries so far
    size_t found;
} peer_task;

/// By the arguments MAP SCEN [REPS]. Ends the program where they are not fine.
void peer_open(peer_task *task, int argc, char **argv);
/// @param task   a peer_task
bool peer_is_open(const void *task, int x, int y);
double peer_least(double a, double b);
/// Counts a query and its time.
void peer_count(peer_task *task, double us, bool found);
/// Print the figures as one JSON line and free the task. @return the program's exit status
int peer_close(peer_task *task);

#ifdef __cplusplus
}
#endif
#endif
