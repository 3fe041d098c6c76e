/* SPDX-License-Identifier: MIT */
/* Growing: fields may be added, and what it shows of open nodes may change. See docs/stability.md. */
/* A resumable search on its own, without a service. */
#ifndef WEND_SEARCH_H
#define WEND_SEARCH_H

#include <wend/search_options.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_search wend_search;

typedef struct wend_search_def {
    uint32_t struct_bytes;
    uint64_t nodes;           ///< most node records, rounded up to pages of WEND_PAGE_NODES; at least one page
    wend_allocator allocator; ///< alloc NULL: the C library's
    uint32_t far_nodes;       ///< as in wend_service_tuning. Default 16,384; 0: far requests are answered as exact ones
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
/// Threads: any, one at a time. Cost: O(1); of `no_path` on a streamed map that of finding what lies beyond it.
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
    bool whole;          ///< true: the search has ended, and this is its path; false: a prefix
    size_t cell_count;   ///< of all of it, the start included, also when that is more than the capacity
    int64_t cost;        ///< of the way to its last cell, at most: a part of it may have become cheaper since
    int64_t left;        ///< the search's estimate from there to the goal
    uint64_t expansions; ///< expansions spent so far
    uint64_t epoch;      ///< version searched
} wend_prefix;

/// Get the beginning of the path that a search is looking for, so that an agent can set out before the search ends: the
/// way from the start to the open node that looks most promising (time-bounded A*: Björnsson, Bulitko, Sturtevant
/// 2009). Each of its steps is legal on the version searched; wend_map_path_cost() tells which of them are on the
/// newest. The next prefix may lead another way from a cell before. The answer depends on the expansions spent, and not
/// on how many calls they were spent in.
/// @param cells    receives the first `capacity` cells, start first; may be NULL where capacity is 0
/// @param prefix   receives the rest of the answer; may be NULL
/// @return WEND_OK, WEND_EMPTY (nothing but the start is known, or the search ended without a path),
///         WEND_BAD_ARGUMENT
/// Threads: any, one at a time. Cost: O(cells of the prefix); the search itself pays nothing for it. With a weight also
/// O(entries of the open list).
WEND_API wend_error wend_search_get_prefix(wend_search *search, wend_cell *cells, size_t capacity, wend_prefix *prefix);

/// Get the closed cells of a search, for pictures, also while it is pending. Reopened cells are not among them. The
/// search expanded them all, except what it skipped at its end as no better than the path found. For jump search
/// they are jump points. For an answer without a search there are none.
/// @param cells   receives the first `capacity`, in no particular order; may be NULL where capacity is 0
/// @param count   receives the number of cells, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: any, one at a time. Cost: O(nodes that the search has memory for): 1,024 to 4,096 for each part of the map
/// that it has reached.
WEND_API wend_error wend_search_get_expanded(const wend_search *search, wend_cell *cells, size_t capacity,
                                             size_t *count);

/// A node on the open list of A*.
typedef struct wend_search_node {
    wend_cell cell;
    wend_cell parent; ///< the cell it was reached from; of the start the start
    int64_t g;        ///< cost of the way here
    int64_t h;        ///< estimate of the cost that is left
} wend_search_node;

/// Get the open list of a search by plain A*, to show how it works: until the goal is taken, the first node is the one
/// that the next expansion takes. A node that became cheaper since it was put on the list is listed twice; the first
/// counts.
/// @param nodes   receives the first `capacity`, in the order in which they would be taken; may be NULL where it is 0
/// @param count   receives the number of entries, also when that is more than capacity
/// @return WEND_OK, WEND_EMPTY (no query, or it has ended), WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (another
///         engine serves the request: see wend_request_explain())
/// Threads: any, one at a time. Cost: O(entries of the list); with a weight, times their logarithm.
WEND_API wend_error wend_search_get_open(wend_search *search, wend_search_node *nodes, size_t capacity, size_t *count);

/// Which places wend_find_nearest() looks for. A place counts where the mover can stand.
typedef struct wend_nearest_def {
    uint32_t struct_bytes;
    int32_t mover;
    wend_map *map;
    wend_cell start;
    int32_t occupied;    ///< as in wend_search_options: what units on the way mean
    int32_t profile;     ///< as there: which costs by place count
    bool free_only;      ///< true: only places without units
    uint32_t cell_count; ///< places to choose from; 0: by class
    const wend_cell *cells;
    uint64_t classes[4]; ///< terrain classes to choose from, without cells: bit class % 64 of word class ÷ 64
    int64_t most_cost;   ///< places that cost more do not count. Default INT64_MAX
    /// A profile by which each place costs more: weight × value ÷ 16 of its own cell. What is on the way does not
    /// count. With a layer of how well cells are seen this finds the best hidden seat near by. WEND_PROFILE_NONE: none
    int32_t score;
    uint32_t reserved; ///< 0
} wend_nearest_def;

/// A place, and what the cheapest path from the start to it costs, its score added.
typedef struct wend_hit {
    wend_cell cell;
    int64_t cost;
} wend_hit;

/// Set the defaults: the default mover, units ignored, no profile, no class.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_nearest_def_init(wend_nearest_def *def, size_t bytes);

/// Find the nearest places by the cost of the way there: the nearest tree, or five free cells round a target. Takes
/// memory as wend_find_path() does.
/// @param hits       receives the `capacity` nearest ones, by cost, then by z, y and x
/// @param capacity   at least 1
/// @param count      receives how many were found
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE, WEND_BLOCKED (the start), WEND_OUT_OF_MEMORY
/// Threads: any; where units or layers count, the one that changes them. Cost: O(cells as near as the last
/// hit × log); with a score, of the cells whose way alone costs no more than it.
WEND_API wend_error wend_find_nearest(const wend_nearest_def *def, wend_hit *hits, size_t capacity, size_t *count);

/// Free a search. NULL is ignored.
/// Threads: any, one at a time. Cost: O(1).
WEND_API void wend_search_destroy(wend_search *search);

#ifdef __cplusplus
}
#endif
#endif
