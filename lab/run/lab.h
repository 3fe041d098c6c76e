/* SPDX-License-Identifier: MIT */
/* A run of the laboratory: a map, a service and agents for some frames, driven by requests or by a crowd, with every
   promise checked and everything measured. */
#ifndef WEND_LAB_RUN_LAB_H
#define WEND_LAB_RUN_LAB_H

#include <wend/service_tuning.h>

#include <stdio.h>

#include "loads/edits.h"
#include "oracle/terrain_copy.h"
#include "promises/disc_checker.h"
#include "promises/load.h"
#include "promises/walk_checker.h"
#include "shared/clock.h"
#include "shared/array.h"
#include "trace/trace_events.h"

typedef struct lab_settings {
    const char *map_name; ///< for messages
    const stress_scenario *scenario;
    uint64_t agents, frames, budget, budget_us, workers, lanes, slice, seed, edits, cancels, unreachable, same_goal;
    uint64_t landmarks;
    uint64_t units_within; ///< agents that walk: searches see units within this many cells
    wend_map_rules rules;
    int32_t engine;
    FILE *log, *csv, *trace, *record; ///< target of writes, or NULL; they stay the caller's
    size_t tracks;                    ///< agents with kept last paths, for pictures
    bool walk;                        ///< agents walk through a crowd
    int32_t radius_milli;             ///< radius of the agents' bodies; 0: they have none
    uint64_t bodies_percent;          ///< share of the agents with bodies, where radius_milli is not 0
} lab_settings;

/// Counts of an allocator that calls the C library's.
typedef struct lab_memory {
    uint64_t allocations, bytes;
} lab_memory;

/// The cells that an agent walked last, or its last path.
typedef struct lab_track {
    wend_cell *cells;
    size_t count, capacity;
} lab_track;

/// The times of a frame: the edits before it, its tick, the crowd's step.
typedef struct lab_times {
    lab_moment edits, tick, step;
    uint64_t ended_ns; ///< when the step was over
} lab_times;

typedef struct lab_run lab_run;

/// A driver makes the work of a run: requests to a service (requests.c), a crowd (crowd.c), or the load of a plan
/// (plan_run.c), which runs its frames itself. Functions that return bool return false after a message.
typedef struct lab_driver {
    uint64_t (*queue)(const lab_settings *settings);             ///< requests that may be pending
    bool (*open)(lab_run *run);                                  ///< makes agents and checkers
    void (*close)(lab_run *run);                                 ///< whatever of them was made, after service and crowd
    bool (*before)(lab_run *run, bool asking, lab_times *times); ///< edits and goals before a tick
    wend_error (*step)(lab_run *run);                            ///< after the tick; NULL: nothing
    bool (*after)(lab_run *run, const wend_frame *frame);        ///< checks and counts what came of the frame
    bool (*goes_on)(const lab_run *run);                         ///< after the last asking: is anything pending?
    void (*finish)(lab_run *run);
} lab_driver;

extern const lab_driver lab_requests, lab_crowd;

/// Completions of a frame: copied in the callback and checked after the tick, so that no check counts as frame time.
typedef struct lab_inbox {
    wend_completion *list; ///< cells: not valid
    size_t *cells_at;      ///< index in `cells` where each path begins
    size_t count, capacity, at_capacity;
    wend_cell *cells;
    size_t cell_count, cell_capacity;
    bool out_of_memory;
} lab_inbox;

typedef struct lab_asker lab_asker;

/// An agent that walks.
typedef struct lab_agent {
    wend_agent_id id;
    wend_cell start, goal; ///< without a goal it stands on `goal`
    uint64_t random;
    uint64_t asked; ///< frame in which it got the goal
    uint64_t next;  ///< frame of the next goal; 0: it has one
    int64_t lone;   ///< cost of the cheapest way at that time; −1: not known
    uint32_t speed;
} lab_agent;

/// An event of a frame, copied in the callback.
typedef struct lab_event {
    uint32_t agent;
    int32_t event, why;
    wend_cell cell;
} lab_event;

struct lab_run {
    const lab_settings *settings;
    const lab_driver *driver;
    wend_map *map;
    terrain_copy land;
    wend_service_def def; ///< with the tuning below
    wend_service_tuning tuning;
    wend_service *service;
    wend_budget budget;
    wend_figures *figures;
    lab_memory service_memory, map_memory, crowd_memory;
    uint64_t allocations_before; ///< allocations of all allocators, when creation was over
    uint64_t allocations_edits;  ///< allocations of the map since then, for edits between frames
    uint64_t version_bytes;      ///< most bytes that a version of the map takes
    uint32_t versions;           ///< live versions that the map allows
    bool nodes_suffice;          ///< the pool certainly holds a complete search of the map
    promises promises;
    lab_track *tracks; ///< tracks of the first agents
    size_t track_count;
    trace_events trace; ///< out NULL: none

    /* figures of requests */
    agents *all;
    editor *hand; ///< NULL without edits
    checker *watch;
    load_checker *load; ///< checks what the scenario promises
    lab_asker *askers;  ///< the context of each agent's requests
    lab_inbox inbox;
    uint64_t idle; ///< frames after the last asking in which nothing happened

    /* figures of a crowd */
    wend_crowd *crowd;
    disc_checker *disc_watch;
    size_t crowd_bytes;
    lab_agent *crowd_agents;
    uint8_t *wanted; ///< cells where agents stand or want to stand
    dijkstra *oracle;
    terrain_copy
        disc_land;         ///< `land` without steps past blocked corners: shares its arrays, so it serves until an edit
    dijkstra *disc_oracle; ///< on that; NULL without bodies, and with doors
    walk_doors *doors;     ///< NULL without --edits
    walk_checker *walk_watch;
    lab_event *events;
    size_t event_count, event_capacity;
    bool out_of_memory;

    /* results */
    uint64_t frame, expansions, rounds, evictions, max_frame_expansions, all_ns, allocations_after;
    uint64_t edits, epochs;        ///< cells or doors changed; batches
    series frame_ns, frame_cpu_ns; ///< frames with their edits and steps; processor time is that of all threads
    series tick_ns, tick_cpu_ns, step_ns, step_cpu_ns;
    series edit_ns; ///< a batch of edits, and the upkeep of tables after it
    series frame_expansions;
    uint64_t hash;

    /* results of requests; of a crowd's, the service's counts */
    uint64_t accepted, busy, completed, statuses[WEND_STATUS_COUNT];
    uint64_t urgent_busy; ///< urgent requests refused
    uint64_t urgent_asks; ///< scenario `overload`: hundredths of urgent requests that are due
    series frame_answers, wait, latency, urgent_wait, urgent_latency;
    series found_cells, found_expansions; ///< figures of each found path

    /* results of a crowd */
    uint64_t goals, open_goals, ends[8], whys[8], put_off;
    series times, ways;                ///< × 1,000: time by that of a lone agent, way by the cheapest one
    series stuck;                      ///< frames, of each goal
    uint64_t asked_before, asked_most; ///< searches begun up to the last frame; most in a frame
};

/// Copies the map and makes everything. @return false after a message. lab_close() in any case
bool lab_open(lab_run *run, const lab_settings *settings, const wend_map *map);
/// A frame: the driver's work, the tick, the step, the checks. @return false after a message
bool lab_frame(lab_run *run);
/// All frames, until all has ended, and the end of trace and recording. @return false after a message
bool lab_go(lab_run *run);
void lab_close(lab_run *run);

/// An allocator that counts.
wend_allocator lab_counted(lab_memory *memory);
/// Allocations since creation, without those of edits.
uint64_t lab_allocations(const lab_run *run);
/// Prune tables and repair landmarks after edits. @return false after a message
bool lab_upkeep(lab_run *run);
/// Adds cells to an agent's track. @param restart   its older cells are dropped. @return false where memory ran out
bool lab_track_add(lab_run *run, uint32_t agent, const wend_cell *cells, size_t count, bool restart);

/* log.c: lines of --log and --csv, and events of --trace; nothing where these are not written. */

void lab_log_heads(lab_run *run);
void lab_log_completion(const lab_run *run, uint32_t agent, const wend_completion *completion);
void lab_log_goal(const lab_run *run, uint32_t agent);
void lab_log_event(const lab_run *run, const lab_event *event);
/// @return false where memory ran out
bool lab_log_frame(lab_run *run, const wend_frame *frame, const lab_times *times);

#endif
