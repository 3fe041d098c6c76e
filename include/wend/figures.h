/* SPDX-License-Identifier: MIT */
/* Growing: records and histograms may be added, or lose fields that a new engine has not. See docs/stability.md. */
/* Figures of a service in detail: records of its last frames, slices and completions, and histograms. */
#ifndef WEND_FIGURES_H
#define WEND_FIGURES_H

#include <wend/explain.h>
#include <wend/service.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_figures wend_figures;

/// Records that are kept. All memory follows from these numbers; of each kind the last ones stay.
typedef struct wend_figures_def {
    uint32_t struct_bytes;
    uint32_t frames; ///< 0 to 2^24. Default 1,024
    uint32_t slices; ///< 0 to 2^24; above 0 the clock is read before and after each slice, also by workers. Default 0
    uint32_t completions;     ///< 0 to 2^24. Default 0
    wend_allocator allocator; ///< alloc NULL: the C library's
    uint32_t updates;         ///< of the crowds of the service: 0 to 2^24. Default 1,024
    uint32_t reserved;        ///< 0
} wend_figures_def;

/// Set the defaults of a definition.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_figures_def_init(wend_figures_def *def, size_t bytes);

/// Make figures: empty, and of no service. They allocate here and never again.
/// @param out   receives the figures, for wend_figures_destroy()
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(records).
WEND_API wend_error wend_figures_create(const wend_figures_def *def, wend_figures **out);

/// Take figures from their service, and free them. NULL is ignored.
/// Threads: owner of the service; without one any. Cost: O(1).
WEND_API void wend_figures_destroy(wend_figures *figures);

/// Let a service note its frames in figures from now on, in place of those it had; they stay the caller's. A frame then
/// reads the clock four times more.
/// @param figures   NULL: none. The service's destruction takes them from it
/// @return WEND_OK, WEND_BAD_ARGUMENT (only one of both is in an arena: mark.h), WEND_IN_CALLBACK, WEND_IN_USE (another
///         service has them)
/// Threads: owner of the service. Cost: O(1).
WEND_API wend_error wend_service_set_figures(wend_service *service, wend_figures *figures);

/// Get the figures of a service.
/// @return NULL: it has none
/// Threads: owner of the service. Cost: O(1).
WEND_API const wend_figures *wend_service_get_figures(const wend_service *service);

/// A frame. Times are of the service's clock.
typedef struct wend_frame_record {
    uint64_t frame;
    uint64_t began_ns, intake_ns, rounds_ns, ended_ns; ///< when it began, and when each of its three phases was over
    uint64_t budget, budget_us;                        ///< WEND_NO_LIMIT: none
    uint64_t expansions, rounds, intakes, deliveries, cells, changes, checks;
    uint64_t waiting, running, finished; ///< at the end
    uint64_t evictions, outdated;
    uint64_t shared; ///< deliveries that say `shared`
    uint64_t work_expansions[16],
        work_ns[16]; ///< as in wend_frame: expansions and nanoseconds of rounds by WEND_WORK_…
} wend_frame_record;

/// A lane's turn in a round.
typedef struct wend_slice_record {
    uint64_t frame, round; ///< the round counts in its frame, from 0
    uint64_t began_ns, ended_ns;
    uint64_t expansions;
    uint64_t number;       ///< submission number of the first request that it searched
    uint32_t requests;     ///< requests searched
    uint32_t lane, thread; ///< thread 0: the ticking one; workers count from 1. UINT32_MAX: one of the host's
    bool fair;             ///< true: the lane served the oldest
} wend_slice_record;

/// A completion, noted before its callback.
typedef struct wend_done_record {
    uint64_t frame;
    uint64_t number; ///< of submission
    uint64_t expansions, frames, wait_frames;
    int32_t status, engine, urgency, restarts;
    bool shared;     ///< true: its search answered other requests too
    int32_t general; ///< WEND_GENERAL_…: why the general A* searched for it; 0: it did not
} wend_done_record;

/// An update of a crowd of the service, noted before its events are delivered. Times are of the service's clock.
typedef struct wend_update_record {
    uint64_t update; ///< number of the update in its crowd
    uint64_t began_ns, ended_ns;
    uint64_t choices;  ///< choices of next steps, as wend_crowd_update() returns
    uint64_t steps;    ///< begun
    uint64_t stands;   ///< agents that wanted a step at the end, and had got none
    uint64_t put_off;  ///< as wend_crowd_stats.put_off
    uint64_t searches; ///< of the crowd, pending in the service at the end
} wend_update_record;

/// Numbers of records since the figures were made; the last of them are kept.
typedef struct wend_figures_stats {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t frames, slices, completions;
    uint64_t shared;                ///< completions that said `shared`
    uint64_t updates;               ///< of crowds
    uint64_t engine_answers[16];    ///< completions by engine (WEND_ENGINE_…)
    uint64_t engine_expansions[16]; ///< their expansions
    uint64_t work_expansions[16];   ///< expansions of all frames by WEND_WORK_…
    uint64_t work_ns[16];           ///< nanoseconds of their rounds by WEND_WORK_…
    uint64_t general_answers[32];   ///< completions by WEND_GENERAL_…: why the general A* searched for them
} wend_figures_stats;

/// Get the counts.
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: owner of the service. Cost: O(1).
WEND_API wend_error wend_figures_get_stats(const wend_figures *figures, wend_figures_stats *out);

/// Kinds of records: for wend_figures_get_records().
enum {
    WEND_FIGURES_FRAMES = 0,      ///< wend_frame_record
    WEND_FIGURES_SLICES = 1,      ///< wend_slice_record
    WEND_FIGURES_COMPLETIONS = 2, ///< wend_done_record
    WEND_FIGURES_UPDATES = 3,     ///< wend_update_record
};

/// Copy records, the older first. Records of a kind count from 0 since the figures were made.
/// @param kind    WEND_FIGURES_…
/// @param from    the first wanted; where it is not kept any more, the copy begins with the oldest kept
/// @param out     receives the first `capacity` records; may be NULL with capacity 0, to count only
/// @param bytes   sizeof *out
/// @param count   receives the number of records kept from there on, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: owner of the service. Cost: O(copied).
WEND_API wend_error wend_figures_get_records(const wend_figures *figures, int32_t kind, uint64_t from, void *out,
                                             size_t bytes, size_t capacity, size_t *count);

/// Histograms: what they count.
enum {
    WEND_HISTOGRAM_WAIT = 0,             ///< frames until a request's search began
    WEND_HISTOGRAM_LATENCY = 1,          ///< frames until a request was delivered
    WEND_HISTOGRAM_EXPANSIONS = 2,       ///< expansions of a request
    WEND_HISTOGRAM_FRAME_US = 3,         ///< microseconds of a frame
    WEND_HISTOGRAM_FRAME_EXPANSIONS = 4, ///< expansions of a frame
    WEND_HISTOGRAM_WAITING = 5,          ///< requests waiting at a frame's end
    WEND_HISTOGRAM_UPDATE_US = 6,        ///< microseconds of a crowd's update
    WEND_HISTOGRAM_STANDS = 7,           ///< agents that wanted a step in an update and got none
    WEND_HISTOGRAM_COUNT = 8
};

/// Bands of urgency: −1000 to −601, −600 to −201, −200 to 200, 201 to 600, 601 to 1000.
enum { WEND_BAND_COUNT = 5, WEND_BAND_ALL = -1 };

enum { WEND_HISTOGRAM_BUCKETS = 496 };

/// How often values came: one by one up to 15, above that in eight buckets for each power of two: bucket 16 + 8 e + k
/// counts those from (8 + k) × 2^(e + 1) to (9 + k) × 2^(e + 1) − 1.
typedef struct wend_histogram {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t total, sum, max;
    uint64_t counts[WEND_HISTOGRAM_BUCKETS];
} wend_histogram;

/// Get a histogram since the figures were made.
/// @param kind   WEND_HISTOGRAM_…
/// @param band   of urgency, or WEND_BAND_ALL. Those of frames and updates have only that
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: owner of the service. Cost: O(WEND_HISTOGRAM_BUCKETS).
WEND_API wend_error wend_figures_get_histogram(const wend_figures *figures, int32_t kind, int32_t band,
                                               wend_histogram *out);

/// Get a histogram of the last frames only, from the records that are kept: of the last frames, of the completions in
/// them, or of as many updates. Its `max` and `sum` are exact; wend_histogram_percentile() gives p50 and p99.
/// @param kind     WEND_HISTOGRAM_…
/// @param band     as of wend_figures_get_histogram()
/// @param frames   1 to 2^24. Where fewer are kept, all of those count: out->total is the number of values
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: owner of the service. Cost: O(WEND_HISTOGRAM_BUCKETS + records looked at). Noting them costs no more.
WEND_API wend_error wend_figures_get_recent(const wend_figures *figures, int32_t kind, int32_t band, uint32_t frames,
                                            wend_histogram *out);

/// Get a percentile: the smallest bucket's top that so many thousandths of all values do not exceed, or the maximum
/// where that is less. 0 where there are no values.
/// Threads: any. Cost: O(WEND_HISTOGRAM_BUCKETS).
WEND_API uint64_t wend_histogram_percentile(const wend_histogram *histogram, uint32_t permille);

/// Requests of one urgency band now.
typedef struct wend_queue_band {
    int32_t least, most;    ///< urgency
    uint64_t waiting;       ///< without a search in flight and not finished
    uint64_t running;       ///< with a search in flight
    uint64_t oldest_frames; ///< frames that ran since the oldest of both was submitted; 0: there is none. Of requests
                            ///< that no frame has taken in, that share another's search, or that wait as they were
                            ///< evicted too often, the 1,024 oldest are looked at
} wend_queue_band;

/// The queue of a service now.
typedef struct wend_queue {
    uint32_t struct_bytes;
    uint32_t lanes;                         ///< of the service
    uint64_t frame;                         ///< number of the last frame
    uint64_t waiting, running, finished;    ///< as in wend_frame, with what was submitted since
    wend_queue_band bands[WEND_BAND_COUNT]; ///< see WEND_BAND_COUNT
} wend_queue;

/// Get the queue by urgency. The numbers of requests are exact; urgencies are those in force.
/// @param out   receives the queue
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_CALLBACK
/// Threads: owner, between frames. Cost: O(urgencies + requests with a changed urgency, or that went behind their
/// peers).
WEND_API wend_error wend_service_get_queue(const wend_service *service, wend_queue *out);

/// A search that a lane runs now.
typedef struct wend_lane_record {
    uint32_t lane; ///< from 0
    int32_t urgency, engine;
    wend_ticket ticket;
    uint64_t number, agent; ///< of submission; of the request, or WEND_NO_AGENT
    const wend_map *map;
    wend_cell start, goal;
    uint64_t expansions;             ///< so far, lost ones too
    uint64_t submitted_frame, since; ///< the last frame before it was submitted; the frame that first searched for it
} wend_lane_record;

/// Get what each lane was in the middle of when the rounds of the last frame ended. Lanes without a search are left
/// out.
/// @param out     receives the first `capacity` records, by lane; may be NULL with capacity 0, to count only
/// @param bytes   sizeof *out
/// @param count   receives the number of lanes with a search, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_CALLBACK
/// Threads: owner, between frames. Cost: O(lanes).
WEND_API wend_error wend_service_get_lanes(const wend_service *service, wend_lane_record *out, size_t bytes,
                                           size_t capacity, size_t *count);

/// States of a pending request; wend_constant_name() gives the word.
enum {
    WEND_PROGRESS_WAITING = 0,  ///< no search of its own so far
    WEND_PROGRESS_RUNNING = 1,  ///< its search is in flight
    WEND_PROGRESS_SHARED = 2,   ///< the search of another request answers it, too
    WEND_PROGRESS_FINISHED = 3, ///< its search has ended; it is to be delivered
};

/// How far a pending request is.
typedef struct wend_progress {
    uint32_t struct_bytes;
    int32_t state;       ///< WEND_PROGRESS_…
    int32_t urgency;     ///< in force
    int32_t engine;      ///< of the search in flight; else 0
    uint64_t ahead;      ///< requests that are more urgent and not finished
    uint64_t peers;      ///< others that are as urgent and not finished
    uint64_t frames;     ///< frames since its submission
    uint64_t expansions; ///< so far, also lost ones; of a shared search those of the request that it is for
} wend_progress;

/// Get how far a request is. Its place among its peers is not counted: the older go first, but for those that had a
/// quantum.
/// @return WEND_OK, WEND_STALE_TICKET (also after delivery), WEND_BAD_ARGUMENT, WEND_IN_CALLBACK
/// Threads: owner, between frames. Cost: O(urgencies).
WEND_API wend_error wend_service_get_progress(const wend_service *service, wend_ticket ticket, wend_progress *out);

/// Get the cells that a request's search has closed so far, for pictures, as wend_search_get_expanded(). A search from
/// the goal that answers many starts lists none.
/// @param cells   receives the first `capacity`, in no particular order; may be NULL where capacity is 0
/// @param count   receives the number of cells, also when that is more than capacity
/// @return WEND_OK, WEND_EMPTY (no search is in flight), WEND_STALE_TICKET, WEND_BAD_ARGUMENT, WEND_IN_CALLBACK
/// Threads: owner, between frames. Cost: O(nodes that the search has memory for); no expansion.
WEND_API wend_error wend_service_get_expanded(const wend_service *service, wend_ticket ticket, wend_cell *cells,
                                              size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
