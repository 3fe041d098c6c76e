/* SPDX-License-Identifier: MIT */
/* Multi-agent pathfinding as its benchmarks have it: a grid with 4 neighbours, a cell a step, the agents of a file. */
#ifndef WEND_BENCH_MAPF_H
#define WEND_BENCH_MAPF_H

#include "harness.h"

typedef struct mapf {
    wend_map *map;
    int32_t width, height;
    uint8_t *cells;      ///< classes, row by row
    uint32_t *distances; ///< from mapf_distances(); UINT32_MAX: unreachable
    uint32_t *queue;
} mapf;

/// Reads a .map file. As in the lifelong benchmarks, only @ and T are blocked there.
void mapf_open(mapf *m, const char *path);
void mapf_close(mapf *m);
/// Computes the number of steps from each cell to `goal`, by breadth-first search.
void mapf_distances(mapf *m, wend_cell goal);
/// Returns the number of steps between two cells.
uint32_t mapf_distance(mapf *m, wend_cell from, wend_cell to);
wend_cell mapf_cell(const mapf *m, uint32_t number);
/// Opens a crowd for agents that go a cell in an update.
wend_crowd *mapf_crowd(const mapf *m, wend_service *service, uint32_t agents, wend_agent_event_fn *on_event,
                       void *context);
wend_agent_id mapf_add(wend_crowd *crowd, wend_cell cell, void *context);

/// A run of a crowd, a tick and an update each step.
typedef struct mapf_run {
    wend_service *service;
    wend_crowd *crowd;
    samples step_us; ///< processor time of the thread
    uint64_t moved;  ///< agents at rest before a step that stood blocked after it, of all agents and steps
    uint64_t blocked;
} mapf_run;

void mapf_step(mapf_run *run);
/// Returns the most memory that the process has used, in MB.
double mapf_peak_mb(void);

#endif
