/* SPDX-License-Identifier: MIT */
/* Internal: jump search that stops where the ground differs from the jump tables: at units, slow ground, links,
 * closed steps and goals. docs/design/stops.md explains it. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_SEARCH_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_SEARCH_H

#include "fast/stops/marks.h"
#include "fast/stops/stops.h"
#include "fast/stops/units.h"
#include "search/general/heuristic.h"
#include "fast/jump/jump_search.h"

/// A node, see stop_nodes.h.
typedef struct wend__stop_node {
    uint32_t g;      ///< least cost so far; on the path of an ended search: place of the previous node
    uint32_t parent; ///< cell it was reached from
    uint8_t entered; ///< directions in which it was entered at that cost; all bits: by a link, or the start
    uint8_t flags;   ///< WEND__STOP_…
    uint16_t spare;
} wend__stop_node;

enum { WEND__STOP_CLOSED = 1, WEND__STOP_BY_LINK = 2, WEND__STOP_ROUND = 4 }; ///< ROUND: a jump the shorter way round

enum { WEND__STOP_GOAL_LINES = 32 };

/// The goals of a search: boxes of cells, one for each goal of the request. All words are by row (or column) of chunks,
/// modulo WEND__STOP_GOAL_LINES; an extra bit costs time only.
typedef struct wend__stop_goals {
    uint32_t count;
    struct {
        int32_t left, top, right, bottom;
    } boxes[WEND_MAX_GOALS];
    uint64_t in_row[WEND__STOP_GOAL_LINES], in_column[WEND__STOP_GOAL_LINES]; ///< the boxes there, bit i is box i
    /// Cells' rows (columns) with a goal; in the opposite order.
    uint64_t rows[2][WEND__STOP_GOAL_LINES], columns[2][WEND__STOP_GOAL_LINES];
} wend__stop_goals;

/// The goals that the estimates of a chunk's cells need: the others are farther than one of these for all its cells.
typedef struct wend__stop_nearest {
    uint32_t chunk; ///< column << 16 | row; WEND__NONE: none
    uint64_t goals;
} wend__stop_nearest;
enum { WEND__STOP_NEAREST = 16 };

/// A chunk as a search sees it.
typedef struct wend__stop_ground {
    const wend__jump_table *table;
    const wend__jump_lanes *beside, *above; ///< lanes to east and west, to north and south
    const uint32_t *parts;                  ///< the directory's words of its four parts
    const wend__chunk *chunk;
    const wend__stop_chunk *stops; ///< NULL: no special cell
    const wend__unit_chunk *units; ///< NULL: no unit that the search sees
    int32_t column, row;
    uint32_t index;    ///< index in its block
    bool close;        ///< the chunk has special cells, units or goals: dead jump points count
    bool any_h, any_v; ///< its row (column) of chunks has some: dead lanes count
    bool marked;       ///< its row or column of chunks has special cells or units: runs may meet marks
} wend__stop_ground;

static inline unsigned wend__stop_goal_line(int32_t chunk) {
    return (unsigned)chunk & (WEND__STOP_GOAL_LINES - 1);
}

/// See stop_search.c. In the open list an entry's key is g, its third word the directions to expand; 0: the node's.
typedef struct wend__stop_jump_search {
    wend__jump_search jump;
    wend__heuristic heuristic;
    wend__stop_goals goals;
    wend__stop_nearest nearest[WEND__STOP_NEAREST]; ///< with many goals: nearest goals of chunks
    bool four;                                      ///< the map has 4 neighbours: see stop_columns.h
    uint32_t unit_cost;                             ///< cost of entering a unit's cell; UINT32_MAX: no search may enter
    bool windowed;                                  ///< units count only in the window
    const wend__sheets *sheets; ///< sheets of the map, of which the search uses those in `seen`; NULL: the map has none
    wend_box window;            ///< the cells in which units count, by their places on the ground
    int32_t window_left, window_top, window_right, window_bottom; ///< chunks that units of the window mark
    const wend__links *links;
    bool rim;   ///< the map wraps with only walls at its rim: only canonical ways lead over the rim
    bool bare;  ///< `rim`, and no link of the host begins anywhere: the only special cells are those at the rim
    bool round; ///< the map wraps, and the estimate is the distance to one goal: see wend__stop_estimate_round()
    /* The block of the current ground. */
    const wend__block *block;
    const wend__stop_block *stop_block;   ///< NULL: none
    const wend__mark_block *unit_block;   ///< NULL: none that the search sees
    uint32_t unit_columns, unit_rows;     ///< chunks of the block in the window, bit each
    uint32_t marked_columns, marked_rows; ///< columns and rows of chunks with special cells or units
    const uint32_t *directory;            ///< its words
    wend__stop_node goal;                 ///< node of the reached goal
    /* The node being expanded. */
    uint32_t factor; ///< factor of its ground
    uint32_t link;   ///< its links from this one on are left
    bool leaps;      ///< there are links left
    uint32_t seams;  ///< directions in which the node is left over the rim
} wend__stop_jump_search;

extern const wend__engine wend__stop_jump;

/* ---- stop_serves.c ---- */

/// The largest g of a node.
enum { WEND__STOP_G_MAX = 0x7fffffff };

/// Returns an upper bound of the cost of one jump or link.
uint64_t wend__stop_dearest(const wend__version *view);

/// Returns why jump search with stops cannot serve a request, or WEND_GENERAL_NONE.
int32_t wend__stop_refuses(const wend__version *version, const wend__request *request);

/// See wend__engine. False also if another engine is faster.
bool wend__stop_serves(const wend__version *version, const wend__request *request);

/* ---- stop_path.c ---- */

/// Keeps the path to the goal reached in its nodes, as it may be read after the version is gone. Sets `steps`.
void wend__stop_path_keep(wend__search *search);

/// See wend__engine.
void wend__stop_path_cells(const wend__search *search, wend_cell *out, uint64_t count);
bool wend__stop_path_directions(const wend__search *search, uint8_t *out);
void wend__stop_path_leads(wend__search *search, struct wend__candidate_best *best);
int wend__stop_path_back(const wend__search *search, struct wend__candidate *at);

static inline wend__stop_jump_search *wend__stop_of(const wend__search *search) {
    return (wend__stop_jump_search *)search;
}

#endif
