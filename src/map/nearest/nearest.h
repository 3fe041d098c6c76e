/* SPDX-License-Identifier: MIT */
/* Internal: distances of cells from goals, and the search for the nearest cell of a component, which can stop after any
 * step and go on later.
 *
 * On a grid the search goes down the tree of areas, nearest areas first. It skips areas that the component does not
 * enter or that are farther than the best cell so far. On voxels it visits the chunks around a goal. In a chunk
 * it visits runs of open cells, not each cell. On a graph it visits all nodes, and skips sets of 64
 * that lie farther away than the best so far. */
#ifndef WEND_SRC_MAP_NEAREST_NEAREST_H
#define WEND_SRC_MAP_NEAREST_NEAREST_H

#include "map/components/labels.h"

/* ---- how near ---- */

/// The measure of nearest on grids and voxels: the cost of the way on an empty map to a cell that far away along each
/// axis. On graphs, below: the square of the distance, less than 2^66.
uint64_t wend__empty_way(const wend_map_rules *rules, uint32_t a, uint32_t b, uint32_t c);
typedef struct wend__nearness {
    uint64_t high, low; ///< less is nearer; `high` decides first
} wend__nearness;
wend__nearness wend__square_distance(wend_cell a, wend_cell b);

/* On a map with sheets a cell of another sheet is as near as its place, but no nearer than the seams by which sheet
 * after sheet joins the goal's; sheets without such seams come last. `high` has that, and ties go by
 * place, `low`. */

#define WEND__NEARNESS_APART (UINT64_C(1) << 63)

/// The sheets joined so far, by number as in wend__sheet_part.
typedef struct wend__sheet_joining {
    uint64_t floor; ///< the way to the farthest seam used so far
    bool apart;     ///< no seam joins the other sheets
    uint32_t sheet; ///< the sheet that joined last
    uint64_t joined[WEND_MAX_SHEETS / 64 + 1];
} wend__sheet_joining;

/// Joins a goal's own sheet.
void wend__sheets_join_first(wend__sheet_joining *joining, const wend__version *version, wend_cell goal);
/// Joins the next sheet by seams within a radius; without a radius also sheets without seams. False: none is left.
/// Cost: O(links).
bool wend__sheets_join_next(wend__sheet_joining *joining, const wend__version *version, wend_cell goal, int32_t radius);
/// Returns the distance of a cell of the sheet joined last. @param way   between the places on an empty map
wend__nearness wend__nearness_in_sheet(const wend__sheet_joining *joining, uint64_t way);
/// Returns the distance of a cell from a goal on a map with sheets. Cost: O(links for each sheet between).
wend__nearness wend__nearness_on_sheets(const wend__version *version, wend_cell goal, wend_cell cell);
/// Returns false if the place of a cell shows that it is farther away than `best`. Cost: O(goals).
bool wend__nearness_may_be(const wend__version *version, const wend_cell *goals, uint32_t count, wend_cell cell,
                           wend__nearness best);

/// Returns the distance of a cell from the nearest of several goals. Cost: O(goals).
wend__nearness wend__nearness_to(const wend__version *version, const wend_cell *goals, uint32_t count, wend_cell cell);

/// Ties between equally near cells go to the lower z, then y, then x.
static inline bool wend__earlier(wend_cell a, wend_cell b) {
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

static inline bool wend__nearer(wend__nearness a, wend__nearness b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* ---- the nearest cell ---- */

enum {
    WEND__NEAREST_COMPONENTS = 26,       ///< most components that a search may end in
    WEND__NEAREST_FAR = INT32_C(1) << 30 ///< a radius without limit
};

/// Returns true if the search may end in a cell of the component.
typedef bool wend__nearest_accept(void *context, wend_cell cell);

typedef struct wend__nearest {
    const wend__version *view;
    int32_t radius; ///< only cells within this distance of a goal, in x, y and z
    bool any;       ///< cells of any component count
    uint32_t component_count;
    uint64_t components[WEND__NEAREST_COMPONENTS]; ///< else cells of these: see wend__component_name()
    bool done;
    bool found; ///< `best` is the nearest cell so far
    wend_cell best;
    wend__nearness nearness; ///< distance of `best`
    bool again;              ///< only cells that come after `best` count
    wend_cell last;
    wend__nearness last_nearness;
    uint64_t points; ///< work of a step in points: about nanoseconds
    uint32_t goal;   ///< the current goal, and its image beyond the rim: wend__nearest_goal()
    bool begun;      ///< the search has a place there
    /* On a grid: the areas from the whole map down to the current one. */
    int level;
    const wend__area *way[WEND__LABEL_LEVELS];
    int32_t columns[WEND__LABEL_LEVELS], rows[WEND__LABEL_LEVELS]; ///< first chunks of the areas
    uint8_t next[WEND__LABEL_LEVELS];                              ///< how many of their parts are done
    /* On voxels: the chunks so far from the goal's. */
    int32_t ring;
    wend_cell at; ///< the next one, in chunks
    /* On a graph: how many sets of 64 nodes are done. */
    uint32_t words_done;
    /* With sheets: the goal as if it lay in the searched sheet, and that sheet's box. */
    bool joins;
    wend_cell image;
    wend_box part;
    wend__sheet_joining joining;
} wend__nearest;

/// The goals, and the cells that count.
typedef struct wend__nearest_query {
    const wend_cell *goals;
    uint32_t goal_count;
    wend__nearest_accept *accept; ///< NULL: all cells of the component
    void *context;
} wend__nearest_query;

/// Begins a search for the nearest cell of any component.
void wend__nearest_begin(wend__nearest *nearest, const wend__version *view, int32_t radius);

/// Restrict the search to the components that were added. False: there are too many.
bool wend__nearest_add(wend__nearest *nearest, uint64_t component);

/// Searches again for the nearest cell that comes after the one found.
void wend__nearest_again(wend__nearest *nearest);

/// Consider a cell, whatever its component.
void wend__nearest_consider(wend__nearest *nearest, const wend__nearest_query *query, wend__nearness nearness,
                            wend_cell cell);

/// Spends about `points` of work, or stops at `done`. Returns the points spent; the last chunk may exceed them.
uint64_t wend__nearest_step(wend__nearest *nearest, const wend__nearest_query *query, uint64_t points);

/// Finds, in one call, the cell nearest to `goal` that is connected with the open cell `start`.
bool wend__nearest_connected(const wend__version *view, wend_cell start, wend_cell goal, wend_cell *out);

/* ---- for the kinds of maps ---- */

/// Returns the current goal, or its image beyond the rim of a map that wraps.
wend_cell wend__nearest_goal(const wend__nearest *nearest, const wend__nearest_query *query);

/// Returns true if the search may end in cells of a component, as wend__component_of() names it.
bool wend__nearest_wants(const wend__nearest *nearest, uint64_t component);

/// Compares a run of open cells of one row, which count, with the best cell so far.
void wend__nearest_try_run(wend__nearest *nearest, const wend__nearest_query *query, wend_cell first, int32_t last_x);

/// Returns true if a box of cells may hold a nearer cell than the best so far, or one as near that comes first.
bool wend__nearest_may_hold(const wend__nearest *nearest, const wend__nearest_query *query, const wend_box *box);

/// Turns to the next sheet around the goal. False: no other sheet may hold a nearer cell.
bool wend__nearest_next_sheet(wend__nearest *nearest, const wend__nearest_query *query);

/// Each of these searches until `points` are spent, or all around the goal is searched: then it returns true.
bool wend__nearest_on_grid(wend__nearest *nearest, const wend__nearest_query *query, uint64_t points);
bool wend__nearest_in_space(wend__nearest *nearest, const wend__nearest_query *query, uint64_t points);
bool wend__nearest_of_nodes(wend__nearest *nearest, const wend__nearest_query *query, uint64_t points);

#endif
