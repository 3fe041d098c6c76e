/* SPDX-License-Identifier: MIT */
/* The service: a queue of requests, searched a bounded number of expansions each frame, answered through callbacks. */
#ifndef WEND_SERVICE_H
#define WEND_SERVICE_H

#include <wend/request.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_service wend_service;
typedef struct wend_service_tuning wend_service_tuning; ///< see service_tuning.h
typedef struct wend_frame_limits wend_frame_limits;     ///< see service_tuning.h

/// Most threads that a service starts.
enum { WEND_MAX_WORKERS = 64 };

/// The host's own threads instead of the service's. run() calls job(job_context, i) once for each i below count (2 to
/// lanes), on any threads including the calling one, at the same time or not. It returns when all jobs have returned.
/// The ticking thread calls it, in rounds that are worth it. Neither run() nor the jobs may call the service. The jobs
/// must see what the ticking thread wrote before run(), and the ticking thread must see after it what the jobs wrote: a
/// queue with a lock or a barrier ensures that.
typedef struct wend_jobs {
    void *context;
    void (*run)(void *context, uint32_t count, void (*job)(void *job_context, uint32_t index),
                void *job_context); ///< NULL: none
} wend_jobs;

/// Limits of a service; all memory follows from them and from the tuning. docs/settings.md has them for three
/// sizes of a server.
typedef struct wend_service_def {
    uint32_t struct_bytes;
    uint32_t queue;   ///< pending requests, running ones too: 1 to 2^24. Above 65,536 a place takes 160 bytes, not
                      ///< 690, and a frame takes in 16,384 at most, the urgent first: deadlines of more in one
                      ///< frame come frames late. Default 65,536
    uint32_t workers; ///< threads that share a round's lanes with the ticking one: 0 to 64. More than lanes - 1 find
                      ///< nothing to do: 3, unless the tuning has more lanes. The answers are the same for any
                      ///< number. Default 0
    uint32_t reserve; ///< places of the queue, and the same share of the node pages, kept for requests of urgency
                      ///< above 0: 0 to queue. Others get those pages only where nothing else can go on. Default 0
    bool displace;    ///< true: where the queue is full, a more urgent request takes the place of the least urgent
                      ///< waiting one, which ends as `displaced`; up to 4,096 between two frames. Default false
    bool share; ///< true: requests that are alike share a search: see wend_service_submit(). false: each is searched
                ///< alone, so that what it takes depends on no other. Default false
    uint64_t nodes;          ///< records in the pool, rounded up to a page a lane. Default 1,048,576
    uint64_t max_path_cells; ///< longest path delivered: 1 to 2^32. Default 65,536
    uint64_t path_bytes; ///< arena in which paths wait, in blocks of 64 bytes: 120 steps to neighbours on a plane, or
                         ///< 15 cells of a path with any other step (up, down, along an edge, through a link).
                         ///< Raised to one longest path of that kind. Default 1 MiB
    wend_allocator allocator;          ///< alloc NULL: the C library's
    wend_clock clock;                  ///< now_ns NULL: the system's
    wend_jobs jobs;                    ///< the host's threads; workers is 0 then
    const wend_service_tuning *tuning; ///< NULL: defaults. Copied by wend_service_create()
} wend_service_def;

/// Set the defaults of a definition; its tuning is NULL.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_service_def_init(wend_service_def *def, size_t bytes);

/// Sizes of a server that presets are for; docs/settings.md has their table, measured with `wend plan`.
enum {
    WEND_PRESET_SMALL = 1,  ///< about 100 agents on 256 x 256 cells
    WEND_PRESET_SERVER = 2, ///< 1,000 agents on 512 x 512
    WEND_PRESET_MMO = 3     ///< 10,000 agents on 2,048 x 2,048
};

/// Set the limits of a preset, and the defaults of all else.
/// @param bytes    sizeof *def
/// @param preset   WEND_PRESET_…
/// @return WEND_OK, WEND_BAD_ARGUMENT (preset; *def has the defaults)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_service_def_preset(wend_service_def *def, size_t bytes, int32_t preset);

/// Get the number of bytes that wend_service_create() takes from the allocator, in one piece.
/// @return bytes; 0 for a bad def or tuning
/// Threads: any. Cost: O(1).
WEND_API size_t wend_service_bytes(const wend_service_def *def);

/// Make a service. Copies *def and *def->tuning. The service allocates here and never again. Its workers start here,
/// with stacks that the system gives and with all signals blocked, and sleep between frames. They call no callback, no
/// allocator and no clock. After fork() the child has no workers: a service with workers is of no use there.
/// @param out   receives the service, for wend_service_destroy()
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY (also where the system cannot start a thread)
/// Threads: any; the thread that ticks the service is its owner. Cost: O(1) and the allocation, as nothing is
/// cleared. With `prefault` also the time to touch the memory: up to half a ms a MiB, a third of that where the system
/// has huge pages, which are asked for in the C library's memory only.
WEND_API wend_error wend_service_create(const wend_service_def *def, wend_service **out);

/// Queue a path request. Copies *request; holds a reference on its map until completion. Takes effect at the next
/// frame's intake. Where an older request of the same `agent` is pending, its ticket is stale from now on, and it ends
/// as `replaced`: in the next frame and without another expansion, as if it had been cancelled. A refused request
/// replaces none, and a request that was cancelled before ends as `cancelled`.
/// - A full queue: it is full for a request of urgency 0 or below once `queue` - `reserve` requests are pending, for
///   others once `queue` are.
/// - With `displace`, a full queue still takes a request that is more urgent than some request without a search in
///   flight. Then the least urgent of those ends as `displaced` in the next frame, and of several the one with the
///   highest submission number. A request that is cancelled before that frame gives its place instead.
/// - With `share`, requests with WEND_MODE_EXACT, one goal that was not moved and WEND_OCCUPIED_IGNORE run one search
///   where map version, mover, start, goal, engine, heuristic, weight, reach, leave_blocked_start and far_begin are the
///   same, up to 1,024 together. A newer one joins a search under way.
/// - Each of those gets a completion, and keeps its own deadline, cancellation, goal and urgency. The search has the
///   urgency of the most urgent of them. Its expansions are those of the first of them in order; `max_expansions`
///   counts what it spends from the frame on in which a request joined it.
/// - With `share`, where only the starts differ and all but the ends has its default, one search from the goal answers
///   up to 4,097 requests, as soon as it is expected to take less than one for each. Costs are the same; of several
///   cheapest paths it may find others. A later request joins it, unless it is more urgent than all those for which
///   that search was begun, and not reached so far.
/// @param out   receives the ticket; may be NULL; untouched on error
/// @return WEND_OK, WEND_OUT_OF_RANGE (start or goal off the map), WEND_BUSY (the queue or the store of further goals
///         is full), WEND_CLOSED, WEND_BAD_ARGUMENT (also where on_done is NULL), WEND_UNSUPPORTED. After
///         WEND_BUSY wend_service_get_wait() gives the length of the queue
/// Threads: any, also inside a callback and during a tick. Cost: O(1), with an agent expected O(1).
WEND_API wend_error wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out);

/// End a request as `cancelled`, delivered in the next frame. No expansion is spent on it after the next intake. If
/// that frame's microseconds or `changes` do not suffice, it is delivered later, and still no expansion is spent. After
/// WEND_OK it is never delivered with another status, even if its search has finished.
/// @return WEND_OK, WEND_STALE_TICKET (also where a newer request of its agent replaced it)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_service_cancel(wend_service *service, wend_ticket ticket);

/// Change a request's urgency, from the next frame's intake on. The last call before the intake wins.
/// @return WEND_OK, WEND_STALE_TICKET, WEND_BAD_ARGUMENT
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_service_set_urgency(wend_service *service, wend_ticket ticket, int32_t urgency);

/// Limits of a frame; each is WEND_NO_LIMIT by default. With expansions or us of 0 the frame only takes in requests and
/// delivers.
typedef struct wend_budget {
    uint32_t struct_bytes;
    uint32_t reserved;   ///< 0
    uint64_t expansions; ///< exact; docs/design/counted-expansions.md defines one
    uint64_t us;         ///< microseconds of the whole frame, kept to within one change, intake or delivery. After the
                         ///< first round, none begins that would take too long by what expansions took before. The
                         ///< next frame continues with the rest
    const wend_frame_limits *limits; ///< NULL: none. Read in the call
} wend_budget;

/// Set the defaults of a budget: no limits.
/// @param bytes   sizeof *budget
/// Threads: any. Cost: O(1).
WEND_API void wend_budget_init(wend_budget *budget, size_t bytes);

/// Counts of a frame. Used as limits, its rounds, intakes, deliveries, changes, checks and chosen repeat a timed frame.
typedef struct wend_frame {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t frame; ///< its number, from 1
    uint64_t expansions, rounds;
    uint64_t us;         ///< microseconds from beginning to end, callbacks included
    uint64_t intakes;    ///< requests taken in
    uint64_t deliveries; ///< completions delivered
    uint64_t cells;      ///< path cells written
    uint64_t submitted;  ///< requests accepted since the last frame's end
    uint64_t waiting;    ///< at the end: pending without a search in flight, not finished
    uint64_t running;    ///< at the end: with a search in flight
    uint64_t finished;   ///< at the end: finished, not delivered
    uint64_t evictions;  ///< searches evicted: their pages went back to the pool
    uint64_t checks;     ///< finished answers compared with a newer version of their map, or searched again because
                         ///< units blocked their path or their goal had moved
    uint64_t outdated;   ///< searches started again because their map changed or units blocked their path; they count
                         ///< for no limit
    uint64_t changes;    ///< changes of requests looked at, and requests ended by their deadline
    uint64_t shared;     ///< deliveries that say `shared`
    uint64_t chosen; ///< finished answers chosen for delivery: all, or the most urgent where there is no room for all
    uint64_t statuses[32];        ///< deliveries by status
    uint64_t work_expansions[16]; ///< expansions by WEND_WORK_…
    /// Nanoseconds of rounds by WEND_WORK_…, in a frame with a limit of time or figures; a round of several kinds
    /// (without a limit of time: all rounds of a frame) is divided by what their expansions took before. 0 in other
    /// frames.
    uint64_t work_ns[16];
} wend_frame;

/// Run one frame: intake, rounds until the budget is spent or nothing can run, delivery in order of submission number.
/// Where the budget has no room for all answers, the frame delivers the most urgent; of equal ones those with the
/// lowest number; one in `fair` (wend_service_tuning) is that left over for longest. Calls callbacks. Never allocates.
/// @param budget   NULL: no limits
/// @param frame    receives the counts; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_CALLBACK (of the service, or of a crowd of its)
/// Threads: owner; one at a time. Cost: the budget, and O(intakes + deliveries + cells) × O(log queue).
WEND_API wend_error wend_service_tick(wend_service *service, const wend_budget *budget, wend_frame *frame);

/// Percentiles of a distribution.
typedef struct wend_percentiles {
    uint64_t p50, p99, max;
} wend_percentiles;

/// Totals since creation.
typedef struct wend_stats {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t frames, submitted, refused_busy, completed, expansions, rounds, us, evictions, checks, outdated;
    uint64_t pending;             ///< accepted, not delivered
    uint64_t nodes_in_use_peak;   ///< most pages held at the end of a round, in records
    wend_percentiles wait_frames; ///< exact up to 15, above that rounded up by at most 1/8
    wend_percentiles latency_frames;
    uint64_t shared;       ///< completions that said `shared`
    uint64_t statuses[32]; ///< completions by status
} wend_stats;

/// Get the totals since creation.
/// @param out   receives the totals
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_service_get_stats(const wend_service *service, wend_stats *out);

/// Get the number of accepted requests that are not delivered.
/// Threads: any. Cost: O(1).
WEND_API uint64_t wend_service_get_pending(const wend_service *service);

/// Close the service, deliver all pending requests as cancelled in order of submission number, and free it. This
/// is no frame: a completion's `frames` counts the frames since submission. A recording ends; fields and figures are
/// taken out. NULL is ignored.
/// @return WEND_OK, WEND_IN_CALLBACK (of the service, or of a crowd of its), WEND_IN_USE (a crowd is not destroyed)
/// Threads: owner, while no other thread calls into the service. Cost: O(pending × log pending).
WEND_API wend_error wend_service_destroy(wend_service *service);

#ifdef __cplusplus
}
#endif
#endif
