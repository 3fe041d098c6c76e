/* SPDX-License-Identifier: MIT */
/* `wend stress --walk`: agents that walk through a crowd, and what became of their wishes. */
#ifndef WEND_SRC_LAB_RUN_WALK_H
#define WEND_SRC_LAB_RUN_WALK_H

#include "lab/oracle/dijkstra.h"
#include "lab/run/stress.h"
#include "lab/promises/walk_checker.h"
#include "lab/loads/doors.h"

/// An agent and its wish.
typedef struct walk_agent {
    wend_agent_id id;
    wend_cell start, goal; ///< of the wish; where it has none, it stands on `goal`
    uint64_t random;
    uint64_t asked; ///< frame of the wish
    uint64_t next;  ///< frame of the next one; 0: it has a wish
    int64_t lone;   ///< cost of the cheapest way at that time; −1: not known
    uint32_t speed;
} walk_agent;

/// When a frame began, was ticked, and ended, in nanoseconds; and the processor time by then.
typedef struct walk_times {
    uint64_t begun, ticked, ended;
    uint64_t cpu_begun, cpu_ticked, cpu_ended;
} walk_times;

/// An event of a frame, copied in the callback.
typedef struct walk_event {
    uint32_t agent;
    int32_t event, why;
    wend_cell cell;
} walk_event;

typedef struct walk_run {
    stress_run base; ///< the map, its copy, the service and its budget
    stress_memory memory;
    wend_crowd *crowd;
    size_t crowd_bytes;
    walk_agent *agents;
    uint32_t count;
    uint8_t *wanted; ///< cells where agents stand or want to stand
    dijkstra *oracle;
    walk_doors *doors; ///< NULL without --edits
    walk_checker *watch;
    walk_event *events;
    uint32_t event_count, event_capacity;
    bool out_of_memory;

    /* results */
    uint64_t frame, wishes, open_wishes, ends[8], whys[8], doors_changed, epochs, expansions, max_frame_expansions,
        allocations_after, put_off;
    series frame_ns, tick_ns, crowd_ns; ///< of the frames in which there are new wishes
    series frame_cpu_ns, tick_cpu_ns, crowd_cpu_ns; ///< their processor time, of all threads
    series wishing;                     ///< agents with a wish at the end of each frame
    tally times, ways;                  ///< × 1,000: time by that of a lone walker, way by the cheapest one
    tally stuck;                        ///< frames, of each wish
    uint64_t hash;
} walk_run;

/* walk_setup.c */

/// @return −1 to go on, else the exit status. walk_close() in any case.
int walk_open(walk_run *run, const stress_settings *settings);
void walk_close(walk_run *run);

/* walk_run.c */

/// The callback of the crowd; the context is the run.
void walk_take(void *context, const wend_agent_event *event);
/// All frames, until all wishes have ended. @return −1 to go on, else the exit status
int walk_go(walk_run *run);

/* walk_tracks.c */

/// An agent is on that cell now; `restart`: it got a wish there, and the cells before are dropped. @return false where
/// memory ran out
bool walk_track(walk_run *run, uint32_t agent, wend_cell cell, bool restart);

/* walk_log.c */

/// @return −1 to go on, else the exit status. stress_log_close() in any case.
int walk_log_open(walk_run *run);
void walk_log_wish(walk_run *run, uint32_t agent);
void walk_log_event(walk_run *run, const walk_event *event);
/// @return false where memory ran out
bool walk_log_frame(walk_run *run, const wend_frame *frame, const walk_times *times);

/* walk_page.c */

/// Before the report, which sorts what was measured. @return −1 to go on, else the exit status. Prints errors.
int walk_page_write(walk_run *run);

/* walk_report.c */

void walk_print_json(walk_run *run);
void walk_print_table(walk_run *run, FILE *out);

#endif
