/* SPDX-License-Identifier: MIT */
/* Requests, their completions, and one resumable search on its own, without a service. */
#ifndef WEND_SEARCH_H
#define WEND_SEARCH_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The estimate of what is left. All but manhattan (with 8 neighbours) never overestimate.
enum {
    WEND_HEURISTIC_EXACT = 0,     ///< what the way would cost on empty ground: octile, or Manhattan with 4 neighbours
    WEND_HEURISTIC_MANHATTAN = 1, ///< S × (dx + dy): too much with 8 neighbours, so the result is then not exact
    WEND_HEURISTIC_EUCLID = 2,    ///< min(S, D/√2) × distance, rounded down
    WEND_HEURISTIC_ZERO = 3       ///< none: Dijkstra (1959)
};

/// What to do where the goal cannot be reached: say so, or go to the cell nearest to it.
enum { WEND_MODE_EXACT = 0, WEND_MODE_NEAREST = 1 };

/// Cells where units stand: walk through them, do not enter them, or (from 1 to WEND_MAX_COST) pay so much for each entered.
enum { WEND_OCCUPIED_IGNORE = 0, WEND_OCCUPIED_BLOCK = -1 };

/// Most goals of a request, and the largest reach.
#define WEND_MAX_GOALS 64
#define WEND_MAX_REACH 255

/// Which search. The jump search serves plain requests (one goal, exact, nobody in the way) on flat grids of even ground whose
/// map was accelerated (wend_map_accelerate()), with 8 neighbours and no corners cut; A* serves everything. Auto takes
/// the jump search where it serves, but for ground of small obstacles that stand close, where A* is quicker (on less of it
/// where the map has landmarks, see acceleration.h). Asked for, it is taken wherever it serves, and else A*
/// answers. The completion says which did.
enum { WEND_ENGINE_AUTO = 0, WEND_ENGINE_ASTAR = 1, WEND_ENGINE_JUMP = 2 };

/// When an answer no longer stands on the map as it is at hand-over: search again, a bounded number of times, or hand over
/// as `stale` what can still be walked.
enum { WEND_ON_STALE_RESTART = 0, WEND_ON_STALE_DELIVER = 1 };

enum {
    /// Let a unit walk out of a blocked start (it was built over). The start's own ground is then not asked about.
    WEND_REQUEST_LEAVE_BLOCKED_START = 1u << 0
};

#define WEND_URGENCY_MIN (-1000)
#define WEND_URGENCY_MAX 1000
/// Largest weight: 100 times.
#define WEND_WEIGHT_MAX_MILLI 100000

/// The id of an accepted request. All zero: none.
typedef struct wend_ticket {
    uint32_t index, generation;
} wend_ticket;

typedef struct wend_completion wend_completion;

/// Called once for each accepted request, on the thread that ticks. Inside it one may submit, cancel, set urgencies,
/// edit maps and close the service; tick and destroy are refused. The completion and its cells last until it returns.
typedef void wend_done_fn(void *context, const wend_completion *completion);

/// An agent's wish.
typedef struct wend_request {
    uint32_t struct_bytes;
    uint32_t flags; ///< WEND_REQUEST_…
    wend_map *map;
    wend_cell start, goal;
    int32_t urgency;      ///< WEND_URGENCY_MIN to WEND_URGENCY_MAX; higher goes first
    int32_t engine;       ///< WEND_ENGINE_…
    int32_t heuristic;    ///< WEND_HEURISTIC_…
    int32_t weight_milli; ///< 1000 (exact) to WEND_WEIGHT_MAX_MILLI: cost ≤ weight × optimum. Fewer expansions on
                          ///< even ground; on slow ground nodes are opened again and again, and they can be many more
    int32_t on_stale;     ///< WEND_ON_STALE_…; no meaning without a service
    int32_t mover;        ///< WEND_MOVER_DEFAULT, or one added to the map
    int32_t mode;         ///< WEND_MODE_…
    int32_t reach;    ///< ends at any cell within so many of the goal in x, y and z, 0 to WEND_MAX_REACH; on graphs 0
    int32_t occupied; ///< WEND_OCCUPIED_…, or what an occupied cell costs to enter
    uint32_t more_goal_count;    ///< other goals, up to WEND_MAX_GOALS − 1: the cheapest of all to reach wins
    const wend_cell *more_goals; ///< copied by submit and by wend_search_begin()
    uint64_t max_expansions;     ///< ends as `limit` once it has spent so many without an answer; WEND_NO_LIMIT: none
    uint64_t deadline_frames;    ///< ends as `expired` by that frame after submission, from 1; WEND_NO_LIMIT: none
    wend_done_fn *on_done;       ///< NULL: the completion waits for wend_service_poll()
    void *context;               ///< handed to on_done, and back in the completion
} wend_request;

/// Urgency 0, automatic engine, exact heuristic, weight 1000, no limits.
WEND_API void wend_request_init(wend_request *request, size_t bytes);

/// Which engine would answer a request now, and why it would not be jump search. The same request may get another engine
/// after an edit.
/// @param engine   receives WEND_ENGINE_…; may be NULL
/// @param why      receives a line of text that lives for ever, NULL where jump search answers; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE. Threads: any. Cost: O(1).
WEND_API wend_error wend_request_explain(const wend_request *request, int32_t *engine, const char **why);

/// Find a path in one call, without a service: for tools and first steps. A plain request of the default mover, which
/// allocates its memory from the C library and frees it again.
/// @param cells     receives the path, start first, up to capacity cells; NULL with capacity 0
/// @param count     receives how many cells it has, 0 without a path, also more than capacity; may be NULL
/// @param status    receives how the search ended: WEND_STATUS_FOUND, …; may be NULL
/// @return WEND_OK (also where there is no path), WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(expansions), and 16 bytes to 64 bytes a cell that it reaches.
WEND_API wend_error wend_find_path(wend_map *map, wend_cell start, wend_cell goal, wend_cell *cells, size_t capacity,
                                   size_t *count, wend_status *status);

/// How a request ended.
struct wend_completion {
    uint32_t struct_bytes;
    wend_status status; ///< WEND_STATUS_…
    int64_t cost;       ///< of the cells handed over; −1 where there are none
    const wend_cell *cells;
    size_t cell_count;    ///< start and goal both in
    uint64_t expansions;  ///< spent, over all restarts
    uint64_t frames;      ///< from submission to delivery; 1 if delivered by the first frame after it
    uint64_t wait_frames; ///< from submission to the first slice, or to the answer without one; from 1
    int32_t engine;       ///< WEND_ENGINE_… that answered, as chosen
    int32_t exact;        ///< 1: the cost is the optimum. 0: it is at most bound_milli / 1000 × the optimum
    int32_t bound_milli;  ///< 1000 where exact
    int32_t restarts;     ///< how often the search was started again
    uint64_t epoch;       ///< version searched
    uint64_t checked;     ///< version at hand-over
    uint64_t number;      ///< submission number
    wend_ticket ticket;   ///< stale by now; a name
    void *context;        ///< the request's
};

typedef struct wend_search wend_search;

typedef struct wend_search_def {
    uint32_t struct_bytes;
    uint64_t nodes;           ///< records the search may hold, rounded up to pages of WEND_PAGE_NODES; at least a page
    wend_allocator allocator; ///< alloc NULL: the C library's
} wend_search_def;

/// Records of a page: a chunk of 64 × 64 cells. (Two pages a chunk: searches whose costs outgrow 27 bits, all with a
/// weight above 1000, euclid, and manhattan with 8 neighbours. Four pages a chunk, of 16³ voxels or 4,096 nodes too: all
/// but those on a flat grid without links that ask for nothing special.)
#define WEND_PAGE_NODES 4096

WEND_API void wend_search_def_init(wend_search_def *def, size_t bytes);

/// What wend_search_create() will ask the allocator for; 0 for a bad def.
WEND_API size_t wend_search_bytes(const wend_search_def *def);

/// Make a search that can be used for any number of queries, one after another.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY. Cost: O(1) beside the allocation.
/// Threads: a search is used by one thread at a time.
WEND_API wend_error wend_search_create(const wend_search_def *def, wend_search **out);

/// Start a query; what went before is forgotten. Holds the map's newest version until the next begin or destroy.
/// All fields of the request count but urgency, on_stale, deadline_frames, on_done: these are for services.
/// more_goals are copied.
/// @return WEND_OK (also when the answer is known already), WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED
/// Cost: O(1), whatever the map's size.
WEND_API wend_error wend_search_begin(wend_search *search, const wend_request *request);

/// Spend up to `expansions` more. The result never depends on how the steps were cut.
/// @param used     receives what this call spent; may be NULL
/// @return the status: WEND_STATUS_PENDING while it is not done (0), else its ending. Cost: O(expansions).
/// Allocates nothing, locks nothing, reads no clock.
WEND_API wend_status wend_search_step(wend_search *search, uint64_t expansions, uint64_t *used);

/// The outcome so far, without cells (cells NULL, cell_count as they would be).
WEND_API wend_error wend_search_get_result(const wend_search *search, wend_completion *out);

/// The path of a search that ended `found` or `partial`, start first.
/// @param count   receives the number of cells, also when that is more than capacity (then the first are written)
/// @return WEND_OK, WEND_EMPTY (no path). Cost: O(cells).
WEND_API wend_error wend_search_get_path(const wend_search *search, wend_cell *cells, size_t capacity, size_t *count);

/// The cells that a search has taken off its open list so far and not put back, for pictures; also while it is pending. It
/// expanded them, but for those that it passed over at its end as no better than the path found. Of jump search they are
/// jump points; of what is answered without a search there are none.
/// @param cells   receives the first `capacity`, in no particular order; may be NULL where capacity is 0
/// @param count   receives the number of cells, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Cost: O(nodes that the search has memory for): 1,024 to 4,096 for each part of the map that it has come to.
WEND_API wend_error wend_search_get_expanded(const wend_search *search, wend_cell *cells, size_t capacity,
                                             size_t *count);

/// NULL is ignored.
WEND_API void wend_search_destroy(wend_search *search);

#ifdef __cplusplus
}
#endif
#endif
