/* SPDX-License-Identifier: MIT */
/* The service: a queue of requests, searched a bounded number of expansions each frame, answered through callbacks. */
#ifndef WEND_SERVICE_H
#define WEND_SERVICE_H

#include <wend/search.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_service wend_service;

/// Most threads that a service starts.
enum { WEND_MAX_WORKERS = 64 };

/// The host's own threads instead of the service's: run() has job(job_context, i) called once for each i below
/// count (2 to lanes), on any threads, the calling one too, at the same time or not, and returns when all have
/// returned. It is called by the ticking thread, in rounds that are worth it; what it and the jobs do must not
/// call the service. What the ticking thread wrote before must be seen by the jobs, and what they wrote by the
/// ticking thread after it, as every queue with a lock or a barrier sees to.
typedef struct wend_jobs {
    void *context;
    void (*run)(void *context, uint32_t count, void (*job)(void *job_context, uint32_t index),
                void *job_context); ///< NULL: none
} wend_jobs;

/// Settings of a service that few hosts change. docs/settings.md says what they do to speed and memory.
typedef struct wend_tuning {
    uint32_t struct_bytes;
    uint32_t list;      ///< most requests scheduled to a lane in a round: 1 to 256. Default 16
    uint32_t fair;      ///< one scheduled lane in this many serves the oldest request; 0: none. Default 8
    uint32_t evictions; ///< a request evicted more often waits until it is the oldest: 0 to 1,000,000. Default 8
    uint32_t restarts;  ///< times a request is searched again because its map changed or units blocked its path:
                        ///< 0 to 1,000,000. Default 8
    uint32_t goals;     ///< further goals of all pending requests together: 0 to 2^24. Default 4,096
    uint32_t horizon;   ///< next cells of a path checked for units at delivery: 0 to 65,536. Default 8
    uint32_t prefault;  ///< 1: creation writes to each page of the memory, so that no frame waits for the system to
                        ///< map a page; 0: the system maps pages at first use. Default 0
    uint32_t polls;   ///< most pending requests without a callback: 0 to 2^24. Until they are polled, their paths take
                      ///< at most half of the arena (at least one longest path); searches that need more wait, and
                      ///< hold no nodes meanwhile. Default 32,768
    uint64_t slice;   ///< expansions of a lane in a round, from 1. Default 1,000
    uint64_t quantum; ///< expansions after which a search may yield to its peers, from 1. It yields where shorter
                      ///< peers wait, or where the mean search takes four quanta; later also if it is longer than
                      ///< the mean and nodes are free for the peers. Default 32,768
} wend_tuning;

WEND_API void wend_tuning_init(wend_tuning *tuning, size_t bytes);

/// Limits of a service; all memory follows from them and from the tuning. docs/settings.md works them out for 20 and
/// 60 Hz.
typedef struct wend_service_def {
    uint32_t struct_bytes;
    uint32_t queue;    ///< pending requests, running ones too: 1 to 2^24. Default 65,536
    uint32_t searches; ///< searches in flight, running or parked: lanes to 65,536. Default 64
    uint32_t lanes;    ///< searches that take turns in a round: 1 to 64. Default 4
    uint32_t workers;  ///< threads beside the ticking one that share a round's lanes: 0 to 64. More than lanes - 1 find
                       ///< nothing to do. The answers are the same for any number. Default 0
    uint64_t nodes;    ///< records in the pool, rounded up to a page a lane. Default 1,048,576
    uint64_t max_path_cells; ///< longest path delivered: 1 to 2^32. Default 65,536
    uint64_t path_bytes; ///< arena in which paths wait, in blocks of 64 bytes: 120 steps to neighbours on a plane, or
                         ///< 15 cells of a path with any other step (up, down, along an edge, through a link).
                         ///< Raised to one longest path of that kind. Default 1 MiB
    wend_allocator allocator;  ///< alloc NULL: the C library's
    wend_clock clock;          ///< now_ns NULL: the system's
    wend_jobs jobs;            ///< the host's threads; workers is 0 then
    const wend_tuning *tuning; ///< NULL: defaults. Copied by wend_service_create()
} wend_service_def;

WEND_API void wend_service_def_init(wend_service_def *def, size_t bytes);

/// Bytes that wend_service_create() asks the allocator for, in one piece; 0 for a bad def. Threads: any.
WEND_API size_t wend_service_bytes(const wend_service_def *def);

/// Make a service. This is the last time it allocates. Its workers are started here, with stacks that the
/// system gives and all signals blocked, and sleep between frames; they call neither callbacks nor the
/// allocator nor the clock. A process that forks has none in the child: there a service with workers is of no
/// use.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY (also where the system has no room for a thread)
/// Threads: any; the thread that ticks it is its owner. Cost: O(1) beside the allocation, as nothing is
/// cleared; with `prefault` what touching the memory takes, a third of a ms a MiB and more.
WEND_API wend_error wend_service_create(const wend_service_def *def, wend_service **out);

/// Queue a path request. Copies *request; holds a reference on its map until completion.
/// @param out   receives the ticket; may be NULL; untouched on error
/// @return WEND_OK, WEND_OUT_OF_RANGE (start or goal off the map), WEND_BUSY (queue or store of goals full, or
///         `polls` requests without a callback pending, and this is one), WEND_CLOSED, WEND_BAD_ARGUMENT,
///         WEND_UNSUPPORTED
/// Threads: any, also inside a callback and during a tick. Cost: O(1). Takes effect at the next frame's intake.
WEND_API wend_error wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out);

/// Queue several under one lock, in order, up to the first that is refused.
/// @param tickets    receives one for each accepted; may be NULL
/// @param accepted   receives how many were accepted; may be NULL
/// @return WEND_OK if all were, else the error of the first refused. Threads: any. Cost: O(count).
WEND_API wend_error wend_service_submit_many(wend_service *service, const wend_request *requests, size_t count,
                                             wend_ticket *tickets, size_t *accepted);

/// End a request as `cancelled`, delivered in the next frame. Not one expansion is spent on it after the next
/// intake. Where that frame's microseconds or `changes` do not suffice, it is delivered later, and still
/// nothing is spent on it. After WEND_OK it is never delivered as anything else: if it has finished, the frame
/// under way holds it back.
/// @return WEND_OK, WEND_STALE_TICKET. Threads: any. Cost: O(1).
WEND_API wend_error wend_service_cancel(wend_service *service, wend_ticket ticket);

/// Change a request's urgency, from the next frame's intake on; the last call before it wins.
/// @return WEND_OK, WEND_STALE_TICKET, WEND_BAD_ARGUMENT. Threads: any. Cost: O(1).
WEND_API wend_error wend_service_set_urgency(wend_service *service, wend_ticket ticket, int32_t urgency);

/// Move a request's goal, from the next frame's intake on; the last call before it wins. Its place in the order
/// stays, and so does what its search knows already, where the new goal can use it. Further goals it had are
/// forgotten. What finished and waits for its delivery is searched again; but what the frame under way delivers
/// has the goal it had. Nothing that a search with WEND_MODE_NEAREST, a weight or a reach above 8 knows can be
/// used: it begins again each time, and ends only if a frame has time for the whole of it, or by max_expansions
/// or its deadline.
/// @return WEND_OK, WEND_STALE_TICKET, WEND_OUT_OF_RANGE. Threads: any. Cost: O(1); the intake's, O(entries of
///         the open list) of its search, O(log queue) for what had finished.
WEND_API wend_error wend_service_set_goal(wend_service *service, wend_ticket ticket, wend_cell goal);

/// Limits of a frame; WEND_NO_LIMIT each by default. expansions, us or rounds of 0: intake and delivery only.
typedef struct wend_budget {
    uint32_t struct_bytes;
    uint32_t reserved;   ///< 0
    uint64_t expansions; ///< exact
    uint64_t us;      ///< microseconds for the whole frame, kept to within one round, change, intake or delivery; what
                      ///< a frame has no time for the next one goes on with
    uint64_t rounds;  ///< rounds of lanes
    uint64_t intakes; ///< requests taken in, at least 1
    uint64_t deliveries; ///< completions delivered
    uint64_t cells;      ///< path cells written for callbacks; the completion that passes it is the frame's last
    uint64_t
        changes; ///< cancellations, urgencies and goals that are applied, and deadlines that end requests; at least 1
    uint64_t checks; ///< finished answers compared with a newer map, or sent back to be searched again. One answer is
                     ///< delivered or checked in any case
} wend_budget;

WEND_API void wend_budget_init(wend_budget *budget, size_t bytes);

/// Counts of a frame. Given back as a budget, its rounds, intakes, deliveries, changes and checks replay a timed
/// frame.
typedef struct wend_frame {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t frame; ///< its number, from 1
    uint64_t expansions, rounds;
    uint64_t us;         ///< from beginning to end, callbacks included
    uint64_t intakes;    ///< requests taken in
    uint64_t deliveries; ///< completions delivered or put out for polling
    uint64_t cells;      ///< path cells written
    uint64_t submitted;  ///< accepted since the last frame's end
    uint64_t waiting;    ///< at the end: taken in or not, without a search in flight, not finished
    uint64_t running;    ///< at the end: with a search in flight
    uint64_t finished;   ///< at the end: finished, not yet delivered or polled
    uint64_t evictions;  ///< searches that gave their pages back
    uint64_t checks;   ///< finished answers compared with a newer version of their map, or sent back as units stood in
                       ///< their way or their goal had moved
    uint64_t outdated; ///< searches started again because their map had changed, or units stood in their way; they
                       ///< count for no limit
    uint64_t statuses[16]; ///< deliveries by status
    uint64_t changes;      ///< changes of requests applied, and requests ended by their deadline
} wend_frame;

/// Run one frame: intake, rounds until the budget is spent or nothing can run, delivery in order of submission
/// number. Calls callbacks. Never allocates.
/// @param budget   NULL: no limits
/// @param frame    may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_CALLBACK
/// Threads: owner; one at a time. Cost: the budget, and O(intakes + deliveries + cells) × O(log queue) beside
/// it.
WEND_API wend_error wend_service_tick(wend_service *service, const wend_budget *budget, wend_frame *frame);

/// Collect the next completion of a request without callback, in delivery order. It is compared with the map as
/// it is now; as it cannot be searched again any more, what does not stand, or leads into units that block it,
/// is `stale`, with the part of its path that does.
/// @param out     its cells stay NULL
/// @param cells   receives the path, up to capacity cells; out->cell_count says how many there are in all. If
///         that is more than capacity, nothing is collected: call again with room
/// @return WEND_OK, WEND_EMPTY, WEND_BAD_ARGUMENT (too little room; cell_count is set), WEND_IN_CALLBACK
/// Threads: owner. Cost: O(cells).
WEND_API wend_error wend_service_poll(wend_service *service, wend_completion *out, wend_cell *cells, size_t capacity);

/// Totals since creation.
typedef struct wend_percentiles {
    uint64_t p50, p99, max;
} wend_percentiles;

typedef struct wend_stats {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t frames, submitted, refused_busy, completed, expansions, rounds, us, evictions, checks, outdated;
    uint64_t pending;             ///< accepted, not delivered (or not polled)
    uint64_t statuses[16];        ///< completions by status
    uint64_t nodes_in_use_peak;   ///< most pages held at the end of a round, in records
    wend_percentiles wait_frames; ///< exact up to 15, above that rounded up by at most 1/8
    wend_percentiles latency_frames;
} wend_stats;

/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_service_get_stats(const wend_service *service, wend_stats *out);

/// Slices (a lane's turn in a round) that a thread has run since creation: the ticking one is 0, workers count
/// from 1. With the host's jobs all are the ticking thread's. The sum is the same for any number of workers;
/// who ran how many is chance.
/// Threads: owner. Cost: O(1).
WEND_API uint64_t wend_service_get_slices(const wend_service *service, uint32_t thread);

/// Accepted requests that are not delivered (or not polled) yet. Threads: any. Cost: O(1).
WEND_API uint64_t wend_service_get_pending(const wend_service *service);

/// Accepted requests and cancellations that another frame could bring forward: pending ones, less those that
/// only wait for a poll, or for others to be polled (those with a deadline count all the same). 0: ticking
/// would do nothing.
/// Threads: any. Cost: O(1).
WEND_API uint64_t wend_service_get_work(const wend_service *service);

/// Have `wake` called whenever the service goes from no work to some, from the thread that submits, changes or
/// closes, or from the owner, whose poll made room. It must not call the service. NULL: none. Threads: owner,
/// while no other thread submits.
WEND_API void wend_service_set_wake(wend_service *service, void (*wake)(void *context), void *context);

/// Refuse new requests from now on, and cancel all that is pending; the cancellations come like any completion.
/// Threads: any. Cost: O(1); the next frame's intake is O(pending).
WEND_API void wend_service_close(wend_service *service);

/// Close, deliver everything as cancelled in order of submission number (what waits for a poll is dropped),
/// free. That is no frame: `frames` counts those that ran since submission.
/// @return WEND_OK, WEND_IN_CALLBACK. Threads: owner, while no other thread calls into the service. NULL is
///         ignored.
/// Cost: O(pending × log pending).
WEND_API wend_error wend_service_destroy(wend_service *service);

#ifdef __cplusplus
}
#endif
#endif
