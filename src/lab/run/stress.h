/* SPDX-License-Identifier: MIT */
/* `wend stress`: the settings, the run and its counts, shared by the files of the command. */
#ifndef WEND_SRC_LAB_RUN_STRESS_H
#define WEND_SRC_LAB_RUN_STRESS_H

#include <stdio.h>

#include "lab/promises/checker.h"
#include "lab/promises/load.h"
#include "cli/record/record_file.h"
#include "cli/shared/rules.h"
#include "lab/loads/agents.h"
#include "lab/loads/edits.h"
#include "lab/shared/series.h"
#include "lab/trace/trace_events.h"
#include <wend/extra.h>

typedef struct stress_settings {
    const char *map_name;
    const stress_scenario *scenario;
    uint64_t agents, frames, budget, budget_us, workers, lanes, slice, seed, edits, cancels, unreachable, same_goal;
    uint64_t landmarks;
    uint64_t units_within; ///< of --walk: searches see units within so many cells
    cli_rules rules;
    uint32_t edits_each; ///< cells changed in a frame: as given, or the scenario's
    const char *log_name, *csv_name, *trace_name, *report_name, *output, *record_name;
    int32_t draw;
    bool json;
    bool walk; ///< agents walk through a crowd
} stress_settings;

/// Counts of an allocator that calls the C library's.
typedef struct stress_memory {
    uint64_t allocations, bytes, bytes_peak;
} stress_memory;

/// Completions of a frame: copied in the callback and checked after the tick, so that no check counts as frame time.
typedef struct stress_inbox {
    wend_completion *list; ///< cells: not valid
    size_t *cells_at;      ///< index in `cells` where each path begins
    size_t count, capacity;
    wend_cell *cells;
    size_t cell_count, cell_capacity;
    bool out_of_memory;
} stress_inbox;

/// The last path that an agent was given, for the picture.
typedef struct stress_track {
    wend_cell *cells;
    size_t count;
} stress_track;

/// The last frames of a run are kept for its report.
enum { STRESS_TRACKS_MAX = 4096, STRESS_FRAMES_MAX = 1 << 16 };

/// The times of a frame, in nanoseconds.
typedef struct stress_times {
    uint64_t edits, tick;
    uint64_t edits_cpu, cpu; ///< processor time of the edits and of the tick, in all threads
} stress_times;

typedef struct stress_run {
    const stress_settings *settings;
    wend_map *map;
    terrain_copy land;
    wend_service_def def; ///< with the tuning below
    wend_tuning tuning;
    wend_service *service;
    wend_budget budget;
    agents *all;
    editor *hand; ///< NULL without edits
    checker *watch;
    load *load; ///< what the scenario promises beside that
    stress_memory service_memory, map_memory;
    uint64_t allocations_before; ///< of both allocators, when creation was over
    uint64_t allocations_edits;  ///< of the map since then, for edits between frames
    uint64_t version_bytes;      ///< most bytes that a version of the map takes
    uint32_t versions;           ///< live versions that the map allows
    stress_inbox inbox;
    stress_track *tracks; ///< last paths of the first agents; NULL without --draw and --report
    size_t track_count;
    FILE *log, *csv, *report;
    cli_record record;
    wend_figures *figures;
    trace_events trace; ///< out NULL: none

    /* results */
    uint64_t frame, accepted, busy, completed, expansions, rounds, max_frame_expansions, all_ns, evictions;
    uint64_t edits, epochs;
    uint64_t urgent_busy; ///< urgent requests refused
    uint64_t urgent_asks; ///< of scenario `overload`: hundredths of urgent requests that are due
    uint64_t statuses[WEND_STATUS_COUNT], path_cells, allocations_after;
    tally wait, latency, urgent_wait, urgent_latency;
    series frame_ns, tick_ns;    ///< a frame with its edits; its tick
    series frame_cpu_ns, cpu_ns; ///< processor time of both, of all threads
    series edit_ns;              ///< a batch of edits, and the upkeep of tables after it
    series frame_expansions, frame_answers;
    series found_cells, found_expansions; ///< of each path found
    uint64_t hash;
} stress_run;

/* stress_setup.c */

/// Load the map and make everything. @return −1 to go on, else the exit status. stress_close() in any case.
int stress_open(stress_run *run, const stress_settings *settings);
/// The map, its copy and the service only. stress_close() in any case.
int stress_open_world(stress_run *run, const stress_settings *settings);
/// Let the service note its frames, and for --trace its slices and completions. @return false where memory ran out
bool stress_figures_open(stress_run *run);
/// An allocator that counts.
wend_allocator stress_counted(stress_memory *memory);
void stress_close(stress_run *run);

/* stress_run.c */

/// All frames, until all is answered. @return −1 to go on, else the exit status.
int stress_go(stress_run *run);

/* stress_ask.c */

/// Submit, cancel and move what the agents want before a frame. @return false where memory ran out
bool stress_ask(stress_run *run);

/* stress_inbox.c */

/// The callback of every request. A context is never dereferenced, since a broken service may pass any address.
void stress_take(void *context, const wend_completion *completion);
/// Put completions into this inbox from now on; NULL: drop them.
void stress_take_into(stress_inbox *inbox);
/// The context that stands for an agent, and the agent that a context stands for (AGENTS_NONE: none).
void *stress_context(uint32_t agent);
uint32_t stress_context_agent(const void *context);
/// Drop the completions, or free everything.
void stress_inbox_clear(stress_inbox *inbox);
void stress_inbox_free(stress_inbox *inbox);
/// A completion with its cells, valid until the next clear.
wend_completion stress_inbox_get(const stress_inbox *inbox, size_t index);

/* stress_log.c */

/// Open the files of --log, --csv, --trace and --report, the first two without a head. @return −1 to go on, else the
/// exit status.
int stress_files_open(stress_run *run);
/// The same, with heads.
int stress_log_open(stress_run *run);
void stress_log_completion(stress_run *run, uint32_t agent, const wend_completion *completion);
void stress_log_frame(stress_run *run, const wend_frame *frame, const stress_times *times);
/// Close all files but the report. Prints which one could not be written completely. @return −1 to go on, else the
/// exit status.
int stress_log_close(stress_run *run);

/* stress_report.c */

void stress_print_json(stress_run *run);
void stress_print_table(stress_run *run, FILE *out);

/* stress_picture.c */

/// A picture and what it points to.
typedef struct stress_picture {
    wend_picture picture;
    wend_picture_path *paths;
    wend_cell *starts, *goals;
} stress_picture;

/// @return false where memory ran out. stress_picture_close() in any case.
bool stress_picture_open(const stress_run *run, stress_picture *out);
void stress_picture_close(stress_picture *picture);
/// @return −1 to go on, else the exit status.
int stress_draw(stress_run *run);
/// Make room for the paths that a picture shows, if one was asked for. @return false where memory ran out
bool stress_tracks_open(stress_run *run);

#endif
