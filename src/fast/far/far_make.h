/* SPDX-License-Identifier: MIT */
/* Internal to this room: how records are made. */
#ifndef WEND_SRC_FAST_FAR_FAR_MAKE_H
#define WEND_SRC_FAST_FAR_FAR_MAKE_H

#include "map/edit/edit.h"
#include "fast/far/far_gates.h"
#include "fast/far/far_flood.h"

/// A record that is being made: gates as in wend__far_record, costs[i * WEND__FAR_GATES + j] from gate i to gate j.
typedef struct wend__far_draft {
    uint8_t first[5];
    bool mixed;
    uint16_t place[WEND__FAR_GATES];
    uint8_t component[WEND__FAR_GATES]; ///< any numbers; of a record they are dense, from 0, in the order of the gates
    uint8_t out[WEND__FAR_GATES], in[WEND__FAR_GATES];
    uint32_t costs[WEND__FAR_GATES * WEND__FAR_GATES];
} wend__far_draft;

/// Memory to make records with.
typedef struct wend__far_maker {
    const wend__version *view;
    const wend__far *far;
    wend__far_draft draft;
    wend__far_flood flood;
    wend__far_search search;
    wend__far_node nodes[16 * WEND__FAR_GATES];
    uint32_t open[16 * WEND__FAR_GATES];
    wend__far_nodes areas[16];
} wend__far_maker;

/// NULL: out of memory. Free it with wend__map_free() and its size.
wend__far_maker *wend__far_maker_create(wend_map *map, const wend__version *view, const wend__far *far);

/// Make a record. Level 0 reads the view's cells and components; other levels the records of the level below, here and
/// in the areas around, all of which are made. NULL: out of memory.
wend__far_record *wend__far_record_make(wend_map *map, wend__far_maker *maker, wend__far_area area);

/* ---- far_choose.c: which pairs of cells become gates ---- */

/// Pairs of cells at a border that follow one another, of one group: from `begin` to before `end`. In a group all cells
/// on each side are connected, here and there.
typedef struct wend__far_run {
    uint16_t begin, end;
    uint8_t here, there; ///< components of the two sides
} wend__far_run;

enum { WEND__FAR_RUNS = 4 * WEND__FAR_SIDE_GATES }; ///< most runs of a side: a chunk has 64, a block 4 x 62

/// Choose the gates of a side, up to 62, and append them to a draft.
/// @param runs   by place
void wend__far_choose(int32_t level, const wend__far_run *runs, uint32_t count, wend__far_draft *draft);
/// The factors of the cells that the steps over a border enter, out of an area and into it; 0: closed.
typedef struct wend__far_step {
    uint8_t out, in;
} wend__far_step;
wend__far_step wend__far_step_over(const wend__version *view, wend__far_area area, unsigned side, uint32_t place);
/// Append the gates of a side beyond which lies a known chunk: those that its record has there, whatever the cells of
/// this chunk are. One whose cell is blocked has a component of its own, from WEND__FAR_SHUT on.
enum { WEND__FAR_SHUT = 128 };
void wend__far_freeze(const wend__version *view, wend__far_area area, unsigned side, const wend__far_record *beyond,
                      wend__far_draft *draft);
/// The record of a chunk whose cells are known, but not loaded; NULL: the chunk is loaded, or has no record.
static inline const wend__far_record *wend__far_kept(const wend__version *view, const wend__far *far,
                                                     wend__far_area area) {
    const bool known = wend__version_chunk(view, area.column, area.row)->land == WEND_LAND_KNOWN;
    return known ? wend__far_get(far, area) : NULL;
}
/// The runs of a border of level 0, at most 64.
uint32_t wend__far_chunk_runs(const wend__version *view, wend__far_area area, unsigned side, wend__far_run *runs);

#endif
