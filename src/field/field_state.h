/* SPDX-License-Identifier: MIT */
/* Internal: the state of a flow field.
 *
 * Cells are numbered chunk by chunk: chunk << 12 | place in the chunk. A cell has a cost and a byte: its way, the
 * direction of the next cell, and marks.
 *
 * Invariant, also between slices and repairs: a cell with a cost that is neither in doubt nor lost has a way to a cell
 * that costs less, and its own cost is that cell's and the step's; where that cell is open, it may be more. */
#ifndef WEND_SRC_FIELD_FIELD_STATE_H
#define WEND_SRC_FIELD_FIELD_STATE_H

#include "map/kinds/graph.h"
#include "search/open/bucket_ring.h"
#include "map/canonical/canonical.h"
#include <wend/field.h>

enum {
    WEND__FIELD_LEAP = 27,    ///< along a link or an edge, which has to be looked up
    WEND__FIELD_SOURCE = 28,  ///< the way ends here
    WEND__FIELD_NOWHERE = 29, ///< no way
    WEND__FIELD_WAY = 31,     ///< mask of a direction of the 8 or of the 26, or of a value above
    WEND__FIELD_OPEN = 0x80,  ///< its predecessors are to be relaxed
    WEND__FIELD_DOUBT = 0x40, ///< its way may have become worse
    WEND__FIELD_LOST = 0x20,  ///< the way became worse; the cost is then the next lost cell
    WEND__FIELD_OUT = 0x3e    ///< away: lost, and too far from all goals. The cost is 0: no way leads through the cell
};
/// Cost of a cell without a way.
#define WEND__FIELD_FAR UINT32_MAX

enum {
    WEND__FIELD_CLEARING,   ///< clears the chunks, then opens the goals
    WEND__FIELD_MEASURING,  ///< away: makes or repairs the distances
    WEND__FIELD_RANGING,    ///< away: finds the farthest cell
    WEND__FIELD_COMPARING,  ///< away, after an edit: finds the cells with a changed worth of their distance
    WEND__FIELD_CONVERTING, ///< away: converts distances to worths; all cells are open then
    WEND__FIELD_REOPENING,  ///< after an edit of a fresh field: opens the rim of what is settled
    WEND__FIELD_DOUBTING,   ///< finds the cells that an edit made worse, in order of cost (Ramalingam and Reps 1996)
    WEND__FIELD_REACHING,   ///< gives them the best way through other cells
    WEND__FIELD_SETTLING,   ///< Dijkstra, from the open cells
    WEND__FIELD_COMPLETE
};

/// Stages of a gather: see field_queue.h.
enum { WEND__GATHER_NONE, WEND__GATHER_MEASURES, WEND__GATHER_QUEUES };

struct wend_field {
    wend_field_def def; ///< its goals are not used
    size_t bytes;
    wend__version *version;                 ///< pinned
    const wend__version *view;              ///< the mover's view of the version
    int32_t size;                           ///< size of the mover, in cells
    uint32_t chunks, columns;               ///< number of chunks, and of chunks in a row of the table
    uint32_t layer;                         ///< chunks in a layer of voxels
    uint32_t shift;                         ///< a bucket holds 2^shift costs: 1, if the longest step fits into the ring
    uint32_t largest;                       ///< largest cost
    uint32_t steps[WEND__SPACE_DIRECTIONS]; ///< cost of a step, by direction
    int32_t offsets[WEND__SPACE_DIRECTIONS];
    uint8_t opposite[WEND__SPACE_DIRECTIONS];
    uint8_t phase;
    bool has_costs;   ///< away: there are costs, of this edit or an earlier one
    bool minds_walls; ///< its profile has layers of walls, which follow from the version
    bool touched;     ///< a recheck found a cell with another cost
    bool fresh;       ///< without an edit since it was made: of several cheapest ways round a cell one is followed
    bool repaired;    ///< an edit was repaired: of equally cheap steps the costs alone decide, not their history
    uint32_t cursor;  ///< next chunk to clear, to compare, to convert or to reopen
    uint32_t known;   ///< costs below are final
    uint32_t key;     ///< key of the bucket being emptied: cost >> shift
    uint32_t rim;     ///< reopening: cells below this key were settled
    uint32_t outside; ///< lower bound of the keys of marked cells in no bucket; UINT32_MAX: there is none
    uint8_t gather;   ///< WEND__GATHER_…: the current stage
    uint8_t gathered; ///< mark of the cells to collect
    uint32_t sweep;   ///< next chunk of the gather
    uint32_t window;  ///< number of keys to queue: `key` to key + window - 1
    uint32_t left;    ///< lower bound of the keys left out so far
    uint32_t lost;    ///< first lost cell; WEND__NONE: there is none
    uint32_t base;    ///< away: cost of a cell without worth
    uint32_t lift;    ///< away: cost of the best refuge, which counts as 0
    uint32_t points;  ///< work not counted, in parts of an expansion
    uint64_t owed;    ///< expansions done and not counted
    uint32_t open_pages, added_pages;       ///< pages of the queue; those with blocks in use or spare
    bool canonical;                         ///< there are canonical successors for the rules
    const wend__grid_canonical *successors; ///< NULL: there are none
    wend__open open;
    uint32_t *costs;
    uint8_t *ways;
    uint32_t *blocks;   ///< block << 8 | chunk in it, of each chunk
    uint32_t *least;    ///< by chunk: lower bound of the keys of marked cells in no bucket; see field_queue.h
    uint64_t *plain;    ///< a bit for each chunk of a fresh field: canonical successors hold there
    uint64_t *ends;     ///< a bit for each cell: a link ends there
    uint64_t *changed;  ///< distances: a bit for each chunk: costs there changed since the bit was cleared
    uint32_t *farthest; ///< distances: largest cost in each chunk
    uint32_t *goals;    ///< cells, in order
    uint32_t *tolls;    ///< extra cost of a step into each cell, by the profile; NULL: there is none
    const struct wend__layers *layers; ///< layers that the next clearing adds up in tolls; else NULL
    uint32_t goal_count;
    wend_field *distances;       ///< away: to the goals, in the same memory; NULL: toward. Has this one's version
    struct wend__fields *fields; ///< list of a service; NULL: none
    wend_field *next;            ///< next field of the list
};

static inline const wend__chunk *wend__field_chunk(const wend_field *f, uint32_t id) {
    WEND__DEBUG_ASSERT(id >> 12 < f->chunks);
    const uint32_t at = f->blocks[id >> 12];
    return &f->view->blocks[at >> 8]->chunks[at & 255];
}

static inline wend_cell wend__field_cell(const wend_field *f, uint32_t id) {
    const int32_t column = (int32_t)(id >> 12) % (int32_t)f->columns, row = (int32_t)(id >> 12) / (int32_t)f->columns;
    const int32_t local = (int32_t)(id & 4095);
    if (f->view->kind == WEND_KIND_GRAPH) return (wend_cell){(int32_t)id, 0, 0};
    if (f->view->kind == WEND_KIND_GRID) return (wend_cell){column << 6 | (local & 63), row << 6 | local >> 6, 0};
    const int32_t height = f->view->chunk_y;
    return (wend_cell){column << 4 | (local & 15), (row % height) << 4 | (local >> 4 & 15),
                       (row / height) << 4 | local >> 8};
}

static inline uint32_t wend__field_id(const wend_field *f, wend_cell cell) {
    const wend__place place = wend__place_of(f->view, cell);
    return ((uint32_t)place.row * f->columns + (uint32_t)place.column) << 12 | place.local;
}

/// Returns the factor at which the mover stands in a cell; 0: blocked.
static inline uint32_t wend__field_factor(const wend_field *f, const wend__chunk *chunk, uint32_t id) {
    return f->view->rules.factors[wend__chunk_class(chunk, id & 4095)];
}

static inline bool wend__field_has_bit(const uint64_t *bits, uint32_t at) {
    return bits[at >> 6] >> (at & 63) & 1;
}

/// Records that the cost of a cell may have changed.
static inline void wend__field_mark_changed(wend_field *f, uint32_t id) {
    f->changed[id >> 18] |= UINT64_C(1) << (id >> 12 & 63);
}

/// Returns how much more a step into a cell costs.
static inline uint32_t wend__field_toll(const wend_field *f, uint32_t id) {
    return f->tolls ? f->tolls[id] : 0;
}

/* ---- costs by place: field_tolls.c ---- */

/// Returns the field that is cleared first: away the distances, as both read its tolls.
static inline wend_field *wend__field_with_layers(const wend_field *f) {
    return f->distances ? f->distances : (wend_field *)(uintptr_t)f;
}

/// Takes references to the present layers if the field has a profile, before it begins; and releases them.
void wend__field_freeze_layers(wend_field *f);
void wend__field_drop_layers(wend_field *f);
/// Writes the tolls of a chunk, by these layers.
void wend__field_fold_layers(wend_field *f, uint32_t chunk);
/// Returns the greatest extra cost of a step.
uint32_t wend__field_most_toll(const wend_field *f);

/* ---- the phases of a field, and the changes between them ---- */

/// Makes the field again from its goals. Cost: O(1); clearing is done by the steps.
void wend__field_begin(wend_field *f);

/// Away: returns the worth of a distance from the goals.
static inline uint32_t wend__field_worth(const wend_field *f, uint32_t distance) {
    enum { POINTS_A_UNIT = 1000 };
    return (uint32_t)((uint64_t)distance * f->def.fear_milli / POINTS_A_UNIT);
}

/// Away: returns the cost of staying on a cell; FAR: its distance is none, or unknown.
static inline uint32_t wend__field_stay(const wend_field *f, uint32_t id) {
    WEND__DEBUG_ASSERT(f->distances && f->base <= WEND__FIELD_FAR - 1);
    const wend_field *d = f->distances;
    const bool known = d->costs[id] != WEND__FIELD_FAR && !(d->ways[id] & WEND__FIELD_LOST);
    return known ? f->base - wend__field_worth(f, d->costs[id]) : WEND__FIELD_FAR;
}

/// Away: process the next chunk. Each moves on to the next phase.
void wend__field_range(wend_field *f);
void wend__field_compare(wend_field *f);
void wend__field_turn(wend_field *f);

/// Rechecks a cell with possible changes of its factor, or of steps, links or edges from or to it.
void wend__field_recheck(wend_field *f, uint32_t id);

/// Decides about cells in doubt, for up to `most` expansions; then gives the lost ones new ways. Both return how many
/// were spent, and move on to the next phase.
uint64_t wend__field_doubt(wend_field *f, uint64_t most);
uint64_t wend__field_reach(wend_field *f, uint64_t most);

/// Reopens settled cells of the next chunk whose successors a fresh field may have omitted. Only cells that are not
/// settled lack a successor's cost, and those cost no less than the bucket in work.
void wend__field_reopen(wend_field *f);

/// Settles open cells by cost, for up to `most` expansions. Returns those spent; without open cells it is complete.
uint64_t wend__field_settle(wend_field *f, uint64_t most);

/// Returns the bytes that wend_field_create() takes from the allocator, in one piece; 0 for a bad def.
size_t wend__field_bytes(const wend_field_def *def);

/// Returns the epoch of the version that the field has.
uint64_t wend__field_epoch(const wend_field *field);

/// Returns 1 if the field is complete for the version that it has, else 0.
int32_t wend__field_is_complete(const wend_field *field);

#endif
