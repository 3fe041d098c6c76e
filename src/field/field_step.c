/* SPDX-License-Identifier: MIT */
/* Runs the phases of a field one after another, and counts the work. */
#include "field/field_queue.h"
#include "field/field_state.h"
#include "field/field_ways.h"
#include "map/version/map.h"

#include <string.h>

enum { CELLS = 4096, CLEAR_EXPANSIONS = 64 };

/* ---- clearing ---- */

static void open_goals(wend_field *f) {
    for (uint32_t i = 0; i < f->goal_count; i++) {
        const uint32_t id = f->goals[i];
        WEND__DEBUG_ASSERT(id >> 12 < f->chunks && (i == 0 || f->goals[i - 1] <= id));
        if (!wend__field_factor(f, wend__field_chunk(f, id), id)) continue;
        f->costs[id] = 0;
        f->ways[id] = WEND__FIELD_SOURCE | WEND__FIELD_OPEN;
        wend__field_mark(f, id);
    }
}

static void mark_plain(wend_field *f, uint32_t chunk) {
    const int32_t column = (int32_t)(chunk % f->columns), row = (int32_t)(chunk / f->columns);
    const uint64_t bit = UINT64_C(1) << (chunk & 63);
    const bool plain = f->fresh && wend__grid_canonical_holds(f->view, column, row);
    f->plain[chunk >> 6] = plain ? f->plain[chunk >> 6] | bit : f->plain[chunk >> 6] & ~bit;
}

static void clear_chunk(wend_field *f) {
    WEND__DEBUG_ASSERT(f->cursor < f->chunks && f->lost == WEND__NONE);
    const size_t at = (size_t)f->cursor++ << 12;
    memset(f->costs + at, 0xff, CELLS * sizeof *f->costs);
    memset(f->ways + at, WEND__FIELD_NOWHERE, CELLS);
    mark_plain(f, (uint32_t)(at >> 12));
    if (f->layers) wend__field_fold_layers(f, (uint32_t)(at >> 12));
    wend__field_mark_changed(f, (uint32_t)at);
    f->owed += CLEAR_EXPANSIONS;
    if (f->cursor < f->chunks) return;
    wend__field_drop_layers(f);
    memset(f->least, 0xff, f->chunks * sizeof *f->least);
    f->outside = WEND__FIELD_FAR;
    wend__field_scatter(f, 0);
    memset(f->least, 0xff, f->chunks * sizeof *f->least);
    open_goals(f);
    wend__field_recall(f);
    f->phase = WEND__FIELD_SETTLING;
}

/* ---- all ---- */

/* Away: work on the distances for up to `most` expansions. Returns how many were spent. */
static uint64_t measure(wend_field *f, uint64_t most) {
    WEND__DEBUG_ASSERT(f->distances->version == f->version);
    uint64_t done;
    if (!wend_field_step(f->distances, most, &done)) return done;
    f->owed += f->distances->owed;
    f->distances->owed = 0;
    f->cursor = 0;
    f->phase = WEND__FIELD_RANGING;
    return done;
}

/* Works for up to `most` expansions, at least 1. Returns how many were spent, without those owed. */
static uint64_t run_phase(wend_field *f, uint64_t most) {
    uint64_t done = 0;
    if (f->gather) {
        wend__field_gather(f);
        return 0;
    }
    switch (f->phase) {
    case WEND__FIELD_CLEARING: clear_chunk(f); break;
    case WEND__FIELD_DOUBTING: done = wend__field_doubt(f, most); break;
    case WEND__FIELD_REACHING: done = wend__field_reach(f, most); break;
    case WEND__FIELD_REOPENING: wend__field_reopen(f); break;
    case WEND__FIELD_SETTLING: done = wend__field_settle(f, most); break;
    case WEND__FIELD_MEASURING: done = measure(f, most); break;
    case WEND__FIELD_RANGING: wend__field_range(f); break;
    case WEND__FIELD_COMPARING: wend__field_compare(f); break;
    default: wend__field_turn(f);
    }
    return done;
}

bool wend_field_step(wend_field *f, uint64_t expansions, uint64_t *used) {
    WEND__ALIVE(f, "the field");
    uint64_t left = expansions;
    while (left > 0 && (f->owed > 0 || f->phase != WEND__FIELD_COMPLETE)) {
        const uint64_t owed = f->owed < left ? f->owed : left;
        f->owed -= owed;
        left -= owed;
        if (left > 0 && f->phase != WEND__FIELD_COMPLETE) left -= run_phase(f, left);
    }
    if (used) *used = expansions - left;
    return f->phase == WEND__FIELD_COMPLETE;
}

/* ---- answers about a cell, and about the field ---- */

/* Returns whether the cost of a cell is final. */
static wend_status status_of(const wend_field *f, uint32_t id) {
    const bool none = f->costs[id] == WEND__FIELD_FAR;
    if (f->ways[id] == WEND__FIELD_OUT) return WEND_STATUS_NO_PATH;
    if (f->ways[id] & (WEND__FIELD_LOST | WEND__FIELD_DOUBT)) return WEND_STATUS_PENDING;
    if (!none && f->costs[id] < f->known) return WEND_STATUS_FOUND;
    return f->phase == WEND__FIELD_COMPLETE ? WEND_STATUS_NO_PATH : WEND_STATUS_PENDING;
}

static wend_cell next_of(const wend_field *f, uint32_t id, wend_cell cell) {
    const unsigned way = f->repaired && !f->distances ? wend__field_way_by_costs(f, id) : f->ways[id] & WEND__FIELD_WAY;
    if (way == WEND__FIELD_SOURCE) return cell;
    if (way == WEND__FIELD_LEAP) return wend__field_cell(f, wend__field_find_leap(f, id));
    WEND__DEBUG_ASSERT(way < (f->view->kind == WEND_KIND_GRID ? WEND__DIRECTIONS : WEND__SPACE_DIRECTIONS));
    if (f->view->kind == WEND_KIND_GRID) return (wend_cell){cell.x + wend__dx[way], cell.y + wend__dy[way], cell.z};
    return (wend_cell){cell.x + wend__sx[way], cell.y + wend__sy[way], cell.z + wend__sz[way]};
}

wend_status wend_field_next(const wend_field *f, wend_cell cell, wend_cell *next, uint64_t *cost) {
    WEND__ALIVE(f, "the field");
    if (!wend__map_has(f->def.map, cell) || !wend__cell_factor(f->view, cell)) return WEND_STATUS_START_BLOCKED;
    if (f->phase <= WEND__FIELD_CONVERTING) return WEND_STATUS_PENDING;
    const uint32_t id = wend__field_id(f, cell);
    const wend_status status = status_of(f, id);
    if (status != WEND_STATUS_FOUND) return status;
    if (cost) *cost = f->costs[id] - f->lift;
    if (next) *next = next_of(f, id, cell);
    return WEND_STATUS_FOUND;
}

int32_t wend__field_is_complete(const wend_field *f) {
    return f->phase == WEND__FIELD_COMPLETE;
}

uint64_t wend__field_epoch(const wend_field *f) {
    return f->version->epoch;
}
