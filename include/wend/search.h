/* SPDX-License-Identifier: MIT */
/* Requests, their completions, and one resumable search on its own, without a service. */
#ifndef WEND_SEARCH_H
#define WEND_SEARCH_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Heuristics: estimates of the remaining cost. All are admissible, except manhattan with 8 neighbours.
enum {
    WEND_HEURISTIC_EXACT = 0,     ///< cost on open terrain without obstacles: octile, or Manhattan with 4 neighbours
    WEND_HEURISTIC_MANHATTAN = 1, ///< S × (dx + dy): not admissible with 8 neighbours, so the result is not exact then
    WEND_HEURISTIC_EUCLID = 2,    ///< min(S, D/√2) × distance, rounded down
    WEND_HEURISTIC_ZERO = 3       ///< none: Dijkstra (1959)
};

/// Modes of a request. EXACT: a cheapest path. NEAREST: also a path to the cell nearest to a goal that cannot be
/// reached. FAR: a route across a large grid, by the map's far layer (wend_acceleration.far): the completion's cells
/// are its first leg, up to three crossings between chunks ahead; its crossings lead on to the goal; its cost is the
/// most that the whole way costs. wend/journey.h has the legs that follow.
/// A far request finds a way exactly where an exact one does. It is answered as an exact one near its goal, with
/// several goals, where the map has no layer or a stale one (wend_request_explain() tells), where no route is known,
/// and where the service has no memory for routes (wend_tuning.far_nodes). Routes take links of maps that have up to
/// 4,096; both ends of a link are crossings. FAR is for flat grids with 8 neighbours and WEND_CORNERS_NEVER.
enum { WEND_MODE_EXACT = 0, WEND_MODE_NEAREST = 1, WEND_MODE_FAR = 2 };

/// Treatment of occupied cells: ignore the occupancy, or treat them as blocked. A number from 1 to WEND_MAX_COST is the
/// extra cost of each occupied cell that the path enters.
enum { WEND_OCCUPIED_IGNORE = 0, WEND_OCCUPIED_BLOCK = -1 };

/// Value of wend_request.occupied_within: units count wherever they stand.
#define WEND_EVERYWHERE (-1)

/// Value of wend_request.agent: the request belongs to no agent.
#define WEND_NO_AGENT UINT64_MAX

/// Most goals of a request, and the largest reach, in cells.
#define WEND_MAX_GOALS 64
#define WEND_MAX_REACH 255

/// Search engines. A* answers every request. Jump search needs an accelerated map (wend_map_accelerate()): a flat grid,
/// 8 neighbours, no corners cut. It answers plain requests, and with units, slow ground,
/// links, closed steps, reach, several goals, nearest. With 4 neighbours it answers requests that see no units, on
/// even ground without links and closed steps. It needs the exact heuristic, and takes any weight as 1: its
/// path is a cheapest one, in less time than a weight saves.
/// AUTO chooses jump search where it can answer. It chooses A* on terrain of small, close obstacles, where A* is
/// faster; with landmarks on less of such terrain (see acceleration.h).
/// JUMP uses jump search wherever it can answer, else A*. The completion names the engine that answered.
enum { WEND_ENGINE_AUTO = 0, WEND_ENGINE_ASTAR = 1, WEND_ENGINE_JUMP = 2 };
/// Kinds of work whose expansions take different times: which loop of an engine, or a flow field. What the service
/// looks at where land is not loaded counts as GENERAL_ASTAR.
enum {
    WEND_WORK_GRID_ASTAR = 0,
    WEND_WORK_GRID_JUMP = 1,
    WEND_WORK_STOP_JUMP = 2,
    WEND_WORK_VOXEL_ASTAR = 3,
    WEND_WORK_GRAPH_ASTAR = 4,
    WEND_WORK_GENERAL_ASTAR = 5,
    WEND_WORK_FIELD = 6,
    WEND_WORK_COUNT = 7
};

/// X(NAME, number, name, text): why the general A* (WEND_WORK_GENERAL_ASTAR), the slowest engine, searched for a
/// request. NONE: it did not.
#define WEND_GENERAL_LIST(X)                                                                                           \
    X(NONE, 0, "none", "another engine answered")                                                                      \
    X(ENGINE, 1, "engine", "the request asks for A*")                                                                  \
    X(HEURISTIC, 2, "heuristic", "the request has another heuristic than exact")                                       \
    X(START, 3, "start", "the start is blocked")                                                                       \
    X(TABLES, 4, "tables", "the map has no jump tables")                                                               \
    X(RULES, 5, "rules", "the map's rules, size or costs")                                                             \
    X(UNITS, 6, "units", "a mover of several cells among units; or no memory for marks")                               \
    X(KIND, 7, "kind", "in space or on a graph, what its own A* does not serve")                                       \
    X(AGAIN, 8, "again", "another engine could not end the search")

enum {
#define WEND_X(name, number, word, text) WEND_GENERAL_##name = number,
    WEND_GENERAL_LIST(WEND_X)
#undef WEND_X
        WEND_GENERAL_COUNT
};

/// Get the name and the text of a reason (WEND_GENERAL_…); "unknown" for another number.
/// Threads: any. Cost: O(1).
WEND_API const char *wend_general_name(int32_t reason);
WEND_API const char *wend_general_text(int32_t reason);

/// Treatment of a path that is no longer valid on the map at delivery. RESTART searches again, a limited number of
/// times. DELIVER delivers the part that can still be walked as `stale`.
enum { WEND_ON_STALE_RESTART = 0, WEND_ON_STALE_DELIVER = 1 };

/// Treatment of land that is not loaded (wend_map_def.streamed). BLOCK: it is closed. WAIT, in a service: where other
/// land might bring a path, or a cheaper one, the request waits, without a lane or a search. A publish that
/// changes the map makes it go on. So it ends as `found` or `no_path` when no land can matter any more, by its deadline
/// or by a call. An answer under BLOCK waits exactly if wend_service_get_wanted() would list chunks for it, and a path
/// if a way through some of those may cost less. With a `queue` above 65,536 up to 4,096 requests wait; more are
/// answered as under BLOCK.
/// KNOWN: a way may lead through chunks that were unloaded as WEND_LAND_KNOWN, as the map's far layer remembers them,
/// and to a goal there. Its cells end at the last loaded one, crossings lead on, and completion.first_unloaded tells
/// which chunk to load next; wend_service_get_wanted() lists it. Such an answer is not exact. Where the layer knows no
/// way, with several goals and in mode NEAREST, it is as BLOCK; so it is where the mover has no layer, as
/// wend_acceleration.far says, or without a service a stale one: wend_request_explain() names the call that is missing.
/// In a service a refusal waits while the layer is stale, and each frame makes two of its parts again; after 512 frames
/// it is as BLOCK. The layer has a chunk as it
/// was when it was unloaded: its gates to chunks next to it stay where they are until it is loaded.
enum { WEND_UNLOADED_BLOCK = 0, WEND_UNLOADED_WAIT = 1, WEND_UNLOADED_KNOWN = 2 };

enum {
    /// Let a unit leave a blocked start (a building was placed on it). The terrain of the start cell is ignored then.
    WEND_REQUEST_LEAVE_BLOCKED_START = 1u << 0,
    /// With WEND_MODE_FAR: work out the beginning of the route alone, 40 crossings at least, a part of the work. Those
    /// behind are rough and lie farther apart: before it comes there, a unit sends another far request.
    WEND_REQUEST_FAR_BEGIN = 1u << 1
};

#define WEND_URGENCY_MIN (-1000)
#define WEND_URGENCY_MAX 1000
/// Most far_nodes of a search or a service's tuning.
#define WEND_MAX_FAR_NODES (1u << 20)
/// Largest weight, in thousandths: 100 times.
#define WEND_WEIGHT_MAX_MILLI 100000

/// The id of an accepted request. All zero: none.
typedef struct wend_ticket {
    uint32_t index, generation;
} wend_ticket;

typedef struct wend_completion wend_completion;

/// Called once for each accepted request, on the thread that ticks. The callback may submit, cancel, set urgencies,
/// edit maps and close the service. It must not tick or destroy the service; both calls are refused. The completion and
/// its cells are valid until the callback returns. An exception or a longjmp() must not leave it, as the service would
/// be in its callback for ever: a binding keeps it, and raises it once the call that led here has returned.
typedef void wend_done_fn(void *context, const wend_completion *completion);

/// A path request of one agent.
typedef struct wend_request {
    uint32_t struct_bytes;
    uint32_t flags; ///< WEND_REQUEST_…
    wend_map *map;
    wend_cell start, goal;
    int32_t urgency;      ///< WEND_URGENCY_MIN to WEND_URGENCY_MAX; higher goes first
    int32_t engine;       ///< WEND_ENGINE_…
    int32_t heuristic;    ///< WEND_HEURISTIC_…
    int32_t weight_milli; ///< 1000 (exact) to WEND_WEIGHT_MAX_MILLI: cost ≤ weight × optimum. A greater weight takes
                          ///< fewer expansions as a rule; each node is expanded once at most. The legs of a far route
                          ///< are cheapest paths whatever the weight
    int32_t on_stale;     ///< WEND_ON_STALE_…; ignored without a service
    int32_t mover;        ///< WEND_MOVER_DEFAULT, or one added to the map
    int32_t mode; ///< WEND_MODE_…. NEAREST takes about as long as EXACT. Where no goal can be reached, components tell
                  ///< which cell is nearest; only where units, links or one-way steps enclose the goals, and more
                  ///< than 200 cells with them, may all that can be reached be expanded
    int32_t reach; ///< cells: a path may end within so many of the goal in x, y and z, 0 to WEND_MAX_REACH; graphs: 0.
                   ///< About as cheap as reach 0
    int32_t occupied; ///< WEND_OCCUPIED_…, or the extra cost of entering an occupied cell. The time grows with the
                      ///< units near the path
    uint32_t more_goal_count; ///< further goals, up to WEND_MAX_GOALS − 1: the goal of lowest path cost wins. A few
                              ///< are cheap; the estimate looks at each of them
    const wend_cell *more_goals; ///< copied by submit and by wend_search_begin()
    uint64_t max_expansions;     ///< ends as `limit` after this many expansions without an answer; WEND_NO_LIMIT: none
    uint64_t deadline_frames;    ///< ends as `expired` by that frame after submission, from 1; WEND_NO_LIMIT: none
    wend_done_fn *on_done;       ///< needed; may keep a copy of the completion for later
    void *context;               ///< passed to on_done, and returned in the completion
    int32_t occupied_within; ///< cells: units farther from the start than this, by the largest of |dx|, |dy|, |dz|, are
                             ///< ignored, on the goal too; 0 to WEND_MAX_REACH. WEND_EVERYWHERE: no limit; graphs: this
    int32_t unloaded;        ///< WEND_UNLOADED_…; ignored on maps that are not streamed, and WAIT without a service
    uint64_t agent; ///< any number of the host's, or WEND_NO_AGENT. In a service, a newer request of the same agent
                    ///< completes a pending older one as `replaced`; ignored without a service
} wend_request;

/// Set the defaults: urgency 0, automatic engine, exact heuristic, weight 1000, units everywhere, no agent, no limits.
/// @param bytes   sizeof *request
/// Threads: any. Cost: O(1).
WEND_API void wend_request_init(wend_request *request, size_t bytes);

/// Explain which engine would answer a request now, and why not jump search. An edit can change the answer.
/// @param engine   receives WEND_ENGINE_…; may be NULL
/// @param why      receives a constant line of text, NULL where jump search answers; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_request_explain(const wend_request *request, int32_t *engine, const char **why);

/// Find a path in one call, without a service, for tools and first programs. The search is a plain request of the
/// default mover. It takes its memory from the C library and frees it before it returns.
/// @param cells     receives the path, start first, up to capacity cells; NULL with capacity 0
/// @param count     receives the number of cells, 0 without a path, also more than capacity; may be NULL
/// @param status    receives how the search ended: WEND_STATUS_FOUND, …; may be NULL
/// @return WEND_OK (also where there is no path), WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(expansions), and 16 to 64 bytes for each cell that it reaches.
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
    int32_t exact;        ///< 1: the cost is the optimum. 0: it is at most bound_milli / 1000 × the optimum
    int32_t bound_milli;  ///< thousandths; 1000 where exact; 0: no bound is known, with crossings
    int32_t restarts;     ///< times that the search started again
    uint64_t epoch;       ///< version searched
    uint64_t checked;     ///< version at delivery
    uint64_t number;      ///< submission number
    wend_ticket ticket;   ///< already stale; it only identifies the request
    void *context;        ///< of the request
    int32_t shared;       ///< 1: the search answered other requests too (wend_service_def.share). Its expansions are
                          ///< those of the first of them in order of service
    int32_t unknown;      ///< 1: `no_path` is not certain, as a way may lead through land that is not loaded. Such an
                          ///< answer is never shared
    const wend_cell *crossings; ///< of a far request: the cells at which the way enters the next chunks, behind the leg
    size_t crossing_count;      ///< 0: the cells lead to the goal
    size_t first_unloaded;      ///< the first of them into a chunk that is not loaded; crossing_count: none is
};

typedef struct wend_search wend_search;

typedef struct wend_search_def {
    uint32_t struct_bytes;
    uint64_t nodes;           ///< most node records, rounded up to pages of WEND_PAGE_NODES; at least one page
    wend_allocator allocator; ///< alloc NULL: the C library's
    uint32_t far_nodes;       ///< as in wend_tuning. Default 16,384; 0: far requests are answered as exact ones
    uint32_t reserved;        ///< 0
} wend_search_def;

/// Node records of a page. A chunk has 64 × 64 cells, 16³ voxels or 4,096 nodes.
/// A plain search on a flat grid without links takes one page a chunk; with 4 neighbours also one that sees units. It
/// takes two where its costs exceed 27 bits; with a weight above 1000, euclid, or manhattan and 8 neighbours it always
/// takes two. Every other search takes four.
#define WEND_PAGE_NODES 4096

/// Set the defaults of a definition.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_search_def_init(wend_search_def *def, size_t bytes);

/// Get the number of bytes that wend_search_create() takes from the allocator.
/// @return bytes; 0 for a bad def
/// Threads: any. Cost: O(1).
WEND_API size_t wend_search_bytes(const wend_search_def *def);

/// Make a search. It serves any number of queries, one after another.
/// @param out   receives the search, for wend_search_destroy()
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY
/// Threads: any; one thread at a time uses a search. Cost: O(1) and the allocation.
WEND_API wend_error wend_search_create(const wend_search_def *def, wend_search **out);

/// Start a query; the search discards its previous query. Holds the map's newest version until the next begin or
/// destroy. Ignores the fields for services: urgency, on_stale, deadline_frames, on_done. Copies more_goals.
/// @return WEND_OK (also when the answer is known already), WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED
/// Threads: any, one at a time. Cost: O(1), for any size of map.
WEND_API wend_error wend_search_begin(wend_search *search, const wend_request *request);

/// Search on for up to `expansions`. A node that takes longer counts as several: what a call has no room for is counted
/// by the next one, first. Result and count do not depend on how many calls the work is split into. Allocates
/// nothing, locks nothing, reads no clock.
/// @param used     receives the expansions spent by this call; may be NULL
/// @return WEND_STATUS_PENDING (0) while the search is not done, else how it ended
/// Threads: any, one at a time. Cost: O(expansions).
WEND_API wend_status wend_search_step(wend_search *search, uint64_t expansions, uint64_t *used);

/// Get the result so far, without cells: `cells` is NULL, `cell_count` is the length of the path.
/// @param out   receives the result
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: any, one at a time.
WEND_API wend_error wend_search_get_result(const wend_search *search, wend_completion *out);

/// Get the path of a search that ended as `found` or `partial`, start first.
/// @param cells   receives the first `capacity` cells
/// @param count   receives the number of cells, also when that is more than capacity
/// @return WEND_OK, WEND_EMPTY (no path)
/// Threads: any, one at a time. Cost: O(cells).
WEND_API wend_error wend_search_get_path(const wend_search *search, wend_cell *cells, size_t capacity, size_t *count);

/// Get the crossings behind the path of a far request.
/// @param crossings   receives the first `capacity`
/// @param count       receives how many there are, also when that is more than capacity; may be NULL
/// @return WEND_OK, WEND_EMPTY (no path)
/// Threads: any, one at a time. Cost: O(crossings).
WEND_API wend_error wend_search_get_crossings(const wend_search *search, wend_cell *crossings, size_t capacity,
                                              size_t *count);

/// The beginning of a path that a search has not found.
typedef struct wend_prefix {
    uint32_t struct_bytes;
    int32_t whole;       ///< 1: the search has ended, and this is its path; 0: a prefix
    size_t cell_count;   ///< of all of it, the start included, also when that is more than the capacity
    int64_t cost;        ///< of the way to its last cell, at most: a part of it may have become cheaper since
    int64_t left;        ///< the search's estimate from there to the goal
    uint64_t expansions; ///< that the search has spent so far
    uint64_t epoch;      ///< version searched
} wend_prefix;

/// Get the beginning of the path that a search is looking for, so that an agent can set out before the search ends: the
/// way from the start to the open node that looks most promising (time-bounded A*: Björnsson, Bulitko, Sturtevant
/// 2009). Each of its steps is legal on the version searched; wend_map_path_cost() tells which of them are on the
/// newest. The next prefix may lead another way: wend_path_join() leads from one to the other.
/// It depends on the expansions spent, and not on how many calls they were spent in.
/// @param cells    receives the first `capacity` cells, start first; may be NULL where capacity is 0
/// @param prefix   receives the rest of the answer; may be NULL
/// @return WEND_OK, WEND_EMPTY (nothing but the start is known, or the search ended without a path),
///         WEND_BAD_ARGUMENT
/// Threads: any, one at a time. Cost: O(cells of the prefix); the search itself pays nothing for it. With a
/// weight also O(entries of the open list).
WEND_API wend_error wend_search_get_prefix(wend_search *search, wend_cell *cells, size_t capacity, wend_prefix *prefix);

/// Get the closed cells of a search, for pictures, also while it is pending. Reopened cells are not among them. The
/// search expanded them all, except those that it skipped at its end as no better than the path found. For jump search
/// they are jump points. For an answer without a search there are none.
/// @param cells   receives the first `capacity`, in no particular order; may be NULL where capacity is 0
/// @param count   receives the number of cells, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: any, one at a time. Cost: O(nodes that the search has memory for): 1,024 to 4,096 for each part of the map
/// that it has reached.
WEND_API wend_error wend_search_get_expanded(const wend_search *search, wend_cell *cells, size_t capacity,
                                             size_t *count);

/// Free a search. NULL is ignored.
/// Threads: any, one at a time.
WEND_API void wend_search_destroy(wend_search *search);

#ifdef __cplusplus
}
#endif
#endif
