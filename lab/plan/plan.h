/* SPDX-License-Identifier: MIT */
/* `wend plan`: the demand, the load made from it, one run of that load, and what the search over runs found. */
#ifndef WEND_LAB_PLAN_PLAN_H
#define WEND_LAB_PLAN_PLAN_H

#include <wend/crowd.h>
#include <wend/figures.h>

#include <stdbool.h>
#include <wend/search.h>
#include <wend/service_tuning.h>

#include "cli/world/jams.h"

/* plan_spots.c */

/// Most spots of each kind that are named, the areas along a side of the map, and the widest chokepoint, in cells.
enum { PLAN_SPOTS_MAX = 5, PLAN_AREAS_SIDE = 4, PLAN_CHOKE_WIDTH = 8 };

/// Two areas, and the requests from one to the other.
typedef struct plan_pair {
    wend_box from, to;
    uint64_t requests, expansions;
    wend_cell worst_from, worst_to; ///< its most expensive request
    uint64_t worst_expansions;
} plan_pair;

/// A narrow cell, and the paths through it.
typedef struct plan_choke {
    wend_cell cell;
    uint64_t paths;
    int32_t width; ///< cells from wall to wall; 0 on a graph
} plan_choke;

typedef struct plan_spots plan_spots;

/// @return NULL where memory ran out
plan_spots *plan_spots_create(wend_map *map, int32_t mover);
void plan_spots_free(plan_spots *spots);
/// Counts an answered request.
void plan_spots_add(plan_spots *spots, wend_cell start, wend_cell goal, const wend_completion *completion);
/// The number of requests, and of paths, counted so far.
uint64_t plan_spots_paths(const plan_spots *spots);
uint64_t plan_spots_expansions(const plan_spots *spots);
/// The pairs of areas with most expansions, the greatest first. @return how many
size_t plan_spots_pairs(const plan_spots *spots, plan_pair out[PLAN_SPOTS_MAX]);
/// The chokepoints with most paths, the greatest first, none within PLAN_CHOKE_WIDTH cells of another.
/// @return how many; 0 on maps of more than 2^24 cells
size_t plan_spots_chokes(const plan_spots *spots, plan_choke out[PLAN_SPOTS_MAX]);

/// The demand of the command line.
typedef struct plan_demand {
    const char *map_name;
    uint64_t agents, hz, distance, within_ms, seed; ///< distance in cells; 0: anywhere
    int32_t asks_milli;                             ///< requests of an agent in 1,000 seconds
    bool walk, json;
} plan_demand;

/// A request of the load.
typedef struct plan_ask {
    uint32_t frame, agent; ///< frames count from 0
    int16_t urgency;
    uint16_t kind; ///< kind of a recorded one: index into plan_recorded.kinds
    wend_cell start, goal;
} plan_ask;

/// The part of a request that many share: all but start, goal, urgency and map.
typedef struct plan_kind {
    wend_request request;
    wend_search_options options;
} plan_kind;

/// The requests of a recording.
typedef struct plan_recorded {
    plan_ask *asks; ///< in their order
    size_t count, capacity;
    plan_kind *kinds; ///< each once
    size_t kind_count, kind_capacity;
    uint64_t left_out; ///< lines that no load has: edits, cancellations, …; requests that cannot be asked
} plan_recorded;

typedef struct plan_load plan_load;
typedef struct plan_setup plan_setup;
typedef struct plan_result plan_result;

/// A script with agents, which is run as it is.
typedef struct plan_played {
    /// Run the script under a setup. @return false after a message
    bool (*play)(const plan_load *load, const plan_setup *setup, plan_result *out);
    const char *path;
    char *text;
    size_t size;
    bool recorded;        ///< a recording: the crowd's steps are lines
    wend_crowd_def crowd; ///< definition of the last run
    size_t crowd_bytes;
} plan_played;

/// All requests, in the order in which they are submitted. They do not depend on any answer, so that each run gets the
/// same.
struct plan_load {
    wend_map *map;
    wend_map_info info;
    int32_t mover;
    plan_ask *asks;
    size_t count;
    wend_cell *places; ///< where each agent is at first
    uint32_t agents;
    uint64_t frames; ///< number of frames in which agents ask
    uint64_t within; ///< frames within which 99 % of the answers have to come
    uint64_t hz;
    uint64_t nearer; ///< number of goals nearer than --distance, as no farther cell was open
    bool walk;
    const plan_recorded *recorded; ///< where the requests come from; NULL: random ones
    bool replayed;                 ///< requests come in the recorded frames; else agents draw from them
    plan_played *played;           ///< a script with agents is the load; NULL: requests are
};

/// Everything about a service that plan looks for.
struct plan_setup {
    uint64_t budget; ///< expansions of a frame
    uint32_t queue, lanes;
    uint64_t nodes, max_path_cells;
};

/// The outcome of a load under a setup.
struct plan_result {
    bool holds;
    const char *why; ///< why it does not hold; NULL: it does
    uint64_t answered;
    uint64_t late;     ///< answered after `within` frames, or not at all
    uint64_t refused;  ///< BUSY
    uint64_t unserved; ///< out_of_nodes, too_long
    uint64_t expansions, max_frame_expansions;
    uint64_t queue_peak, nodes_peak;      ///< requests pending at once; records held
    uint64_t longest_path;                ///< cells
    uint64_t requests;                    ///< requests of the load; with --walk all that the crowd submitted
    uint64_t frames;                      ///< executed frames
    wend_percentiles latency;             ///< frames
    wend_percentiles stand;               ///< with --walk: updates that a walker waits for a path, at most in each wish
    uint64_t tick_ns;                     ///< processor time of a tick at p99
    uint64_t crowd_ns;                    ///< the same of the crowd's update; 0 without --walk
    uint64_t all_ns;                      ///< processor time of all ticks
    uint64_t submit_ns;                   ///< processor time of all submissions; 0 with --walk
    uint64_t create_ns;                   ///< processor time to make the service; 0 with --walk
    uint64_t general[WEND_GENERAL_COUNT]; ///< answers of the general A*, by reason
    cli_jam jams[PLAN_SPOTS_MAX];         ///< with --walk: the worst, none within PLAN_CHOKE_WIDTH cells of another
    size_t jam_count;
    uint32_t jam_updates; ///< updates in which waits were counted
    uint64_t jam_waits;   ///< of all jams
};

/// Times the expansions for which a load is cut short, with which it is given no further try.
enum { PLAN_HOPELESS_TIMES = 20 };

/// How much of a run is needed: the verdict, or all figures.
typedef enum plan_depth { PLAN_VERDICT, PLAN_FIGURES } plan_depth;

/// The answer to a demand.
typedef struct plan_answer {
    plan_load load;
    plan_spots *spots;
    plan_setup setup;     ///< the smallest that holds; valid where `found`
    plan_result last;     ///< its run
    plan_setup less;      ///< nine tenths of its budget
    plan_result less_run; ///< run of `less`, which does not hold
    size_t service_bytes, crowd_bytes, queue_bytes, nodes_bytes, lanes_bytes, paths_bytes;
    uint64_t runs;
    bool found;   ///< a budget holds in expansions
    bool in_time; ///< its time fits into a frame, too
    char why[256];
} plan_answer;

/* plan_load.c */

/// Begins a load: all but its requests. `within` is 0 where no frame is over in that time.
/// @param recorded   must outlive the load; NULL: random requests
void plan_load_open(plan_load *load, const plan_demand *demand, wend_map *map, int32_t mover,
                    const plan_recorded *recorded);
/// Makes the requests. @return false after a message
bool plan_load_make(plan_load *load, const plan_demand *demand);
void plan_load_free(plan_load *load);
/// Drops the requests after a frame.
void plan_load_cut(plan_load *load, uint64_t frames);

/* plan_run.c */

/// How a load is run.
typedef struct plan_trial {
    bool walk;        ///< each request is a goal of an agent in a crowd
    plan_depth depth; ///< depth of requests; a crowd's run has all figures
    /// Expansions above it end a run of requests early, once it lasted four times `within`, or at
    /// PLAN_HOPELESS_TIMES as many; then result
    uint64_t most_expansions;
    plan_spots *spots; ///< receives each path; may be NULL
} plan_trial;

/// Run the load. @return false after a message
bool plan_run(const plan_load *load, const plan_setup *setup, const plan_trial *how, plan_result *out);
/// The definition of a setup's service, with its tuning.
void plan_service_def(const plan_setup *setup, wend_service_def *out, wend_service_tuning *tuning);
/// The definition of the crowd. `service` may be NULL where its bytes are not asked for.
void plan_crowd_def(const plan_load *load, wend_service *service, wend_crowd_def *out);
/// Bytes of the crowd. 0 without --walk
size_t plan_crowd_bytes(const plan_load *load);
/// Reads what the service has counted so far into a result.
void plan_read_counts(const plan_load *load, const wend_service *service, plan_result *result);
/// Judge a result: fill in `holds` and `why`.
void plan_judge(const plan_load *load, const plan_setup *setup, plan_result *result);

/* plan_search.c */

/// Finds the smallest setup. @return false after a message
bool plan_search(plan_answer *answer);

#endif
