/* SPDX-License-Identifier: MIT */
/* Requests for a path, and their completions. search_options.h has the fields that few requests set. */
#ifndef WEND_REQUEST_H
#define WEND_REQUEST_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Modes of a request. A far request:
/// - its completion's cells are the first leg of a route, up to three crossings between chunks ahead; its crossings
///   lead on to the goal; its cost is the most that the whole way costs. examples/far_legs.c requests the legs that follow.
/// - it finds a way exactly where an exact one does. It is answered as an exact one near its goal, with several goals,
///   where the map has no layer or a stale one (wend_request_explain() tells), where no route is known, and where the
///   service has no memory for routes (wend_service_tuning.far_nodes).
/// - routes take links of maps that have up to 4,096; both ends of a link are crossings.
/// - it is for flat grids with 8 neighbours and WEND_CORNERS_NEVER.
enum {
    WEND_MODE_EXACT = 0,   ///< a cheapest path
    WEND_MODE_NEAREST = 1, ///< also a path to the cell nearest to a goal that cannot be reached
    WEND_MODE_FAR = 2      ///< a route across a large grid, by the map's far layer (wend_acceleration.far)
};

/// Value of wend_request.agent: the request belongs to no agent.
#define WEND_NO_AGENT UINT64_MAX

/// Largest reach of a request, in cells.
#define WEND_MAX_REACH 255

#define WEND_URGENCY_MIN (-1000)
#define WEND_URGENCY_MAX 1000

/// The id of an accepted request. All zero: none.
typedef struct wend_ticket {
    uint32_t index, generation;
} wend_ticket;

typedef struct wend_search_options wend_search_options; ///< see search_options.h
typedef struct wend_completion wend_completion;

/// Called once for each accepted request, on the thread that ticks. The callback may submit, cancel, set urgencies,
/// edit maps and close the service. It must not tick or destroy the service; both calls are refused. The completion and
/// its cells are valid until the callback returns. An exception or a longjmp() must not leave it, as the service would
/// be in its callback for ever: a binding keeps it, and raises it once the call that led here has returned.
typedef void wend_done_fn(void *context, const wend_completion *completion);

/// A path request of one agent.
typedef struct wend_request {
    uint32_t struct_bytes;
    int32_t urgency; ///< WEND_URGENCY_MIN to WEND_URGENCY_MAX; higher goes first
    wend_map *map;
    wend_cell start, goal;
    int32_t mover; ///< WEND_MOVER_DEFAULT, or one added to the map
    int32_t mode; ///< WEND_MODE_…. NEAREST takes about as long as EXACT. Where no goal can be reached, components tell
                  ///< which cell is nearest; only where units, links or one-way steps enclose the goals, and more
                  ///< than 200 cells with them, may all that can be reached be expanded
    int32_t
        reach; ///< cells: most distance of a path's end from the goal in x, y and z, 0 to WEND_MAX_REACH; graphs: 0.
               ///< On a map with sheets by places, also beyond seams that are as near (S37 of docs/semantics.md).
               ///< About as cheap as reach 0
    uint64_t agent; ///< any number of the host's, or WEND_NO_AGENT. In a service, a newer request of the same agent
                    ///< completes a pending older one as `replaced`; ignored without a service
    uint64_t deadline_frames; ///< ends as `expired` by that frame after submission, from 1; WEND_NO_LIMIT: none
    wend_done_fn *on_done;    ///< needed; may keep a copy of the completion for later
    void *context;            ///< passed to on_done, and returned in the completion
    const wend_search_options *options; ///< NULL: defaults. Copied by submit and by wend_search_begin()
} wend_request;

/// Set the defaults: urgency 0, the default mover, mode exact, no agent, no deadline; its `options` are NULL.
/// @param bytes   sizeof *request
/// Threads: any. Cost: O(1).
WEND_API void wend_request_init(wend_request *request, size_t bytes);

/// Find a path in one call, without a service, for tools and first programs. The search is a plain request of the
/// default mover. It takes its memory from the C library; the map keeps up to 8 MB of it, which do not count towards
/// max_bytes, for the next call, and frees them at its end.
/// @param cells     receives the path, start first, up to capacity cells; NULL with capacity 0
/// @param count     receives the number of cells, 0 without a path, also more than capacity; may be NULL
/// @param status    receives how the search ended: WEND_STATUS_FOUND, …; may be NULL
/// @return WEND_OK (also where there is no path), WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(expansions), and 16 to 64 bytes for each cell that it reaches; a search that needs more than
/// those 8 MB begins again with as much as it needs.
WEND_API wend_error wend_find_path(wend_map *map, wend_cell start, wend_cell goal, wend_cell *cells, size_t capacity,
                                   size_t *count, wend_status *status);

/// The result of a request.
struct wend_completion {
    uint32_t struct_bytes;
    wend_status status; ///< WEND_STATUS_…
    int64_t cost; ///< of the cells delivered; −1 where there are none. With crossings: at most, of the whole way
    const wend_cell *cells;
    size_t cell_count;    ///< including start and goal
    uint64_t expansions;  ///< spent, over all restarts; also by looking at land that is not loaded
    uint64_t frames;      ///< from submission to delivery; 1: delivered by the first frame after submission
    uint64_t wait_frames; ///< frames from submission to the first slice, or to an answer without a slice; from 1
    int32_t engine;       ///< WEND_ENGINE_… that answered, as chosen
    bool exact;           ///< true: the cost is the optimum. false: it is at most bound_milli / 1000 × the optimum
    int32_t bound_milli;  ///< thousandths; 1000 where exact; 0: no bound is known, with crossings
    int32_t restarts;     ///< times that the search started again
    uint64_t epoch;       ///< version searched
    uint64_t checked;     ///< version at delivery
    uint64_t number;      ///< submission number
    wend_ticket ticket;   ///< already stale; it only identifies the request
    void *context;        ///< of the request
    bool shared;          ///< true: the search answered other requests too (wend_service_def.share). Its expansions are
                          ///< those of the first of them in order of service
    bool unknown; ///< true: `no_path` is not certain, as a way may lead through land that is not loaded. Such an
                  ///< answer is never shared
    const wend_cell *crossings; ///< of a far request: the cells at which the way enters the next chunks, behind the leg
    size_t crossing_count;      ///< 0: the cells lead to the goal
    size_t first_unloaded;      ///< the first of them into a chunk that is not loaded; crossing_count: none is
    int32_t mover; ///< the request's; the next number where nothing leads to a goal but what its mover shuns
};

#ifdef __cplusplus
}
#endif
#endif
