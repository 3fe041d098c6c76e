/* SPDX-License-Identifier: MIT */
/* Repairing landmarks where an edit brought cells nearer: Dijkstra's algorithm from all new edges at once lowers
 * numbers that are too great, outwards until all fit. The result is the greatest numbers that fit and exceed the old
 * ones nowhere. It has a bound for each landmark; one that needs more is dropped. */
#include "map/landmarks/landmark_tables.h"
#include "map/store/memory.h"

enum {
    COPYING = 16 ///< copying a strip takes as long as so many cells, for each landmark that there is
};
#define INFINITE UINT32_MAX

/* An edge whose ends do not fit. */
typedef struct misfit {
    wend_cell a, b;
    uint32_t weight;
} misfit;

/* A cell that was lowered to this number. It may be stale: the cell may have been lowered again. */
typedef struct item {
    uint32_t number;
    wend_cell cell;
} item;

typedef struct repair {
    wend_map *map;
    const wend__version *view;
    wend__landmarks *landmarks; ///< those that are written to; before that those that are to be repaired
    unsigned landmark;
    misfit *misfits;
    size_t misfit_count, misfit_room;
    item *heap;
    size_t count, room;
    uint64_t left; ///< cells that may still be relaxed
    bool full;     ///< out of memory
} repair;

static uint32_t number_of(const repair *r, wend_cell cell, unsigned landmark) {
    const wend__landmark_cell numbers = wend__landmark_at(r->landmarks, wend__place_of(r->view, cell));
    return wend__landmark_has(numbers, landmark) ? wend__landmark_number(numbers, landmark) : INFINITE;
}

/* ---- what does not fit ---- */

/* False: out of memory. */
static bool note_edge(repair *r, wend_cell a, const wend__landmark_edge *edge) {
    bool fits = true;
    for (uint32_t left = r->landmarks->valid; left && fits; left &= left - 1) {
        const uint32_t here = number_of(r, a, wend__ctz32(left)), there = number_of(r, edge->to, wend__ctz32(left));
        fits = (here > there ? here - there : there - here) <= edge->weight;
    }
    if (fits) return true;
    misfit *misfits = wend__map_grown(r->map, r->misfits, r->misfit_count, &r->misfit_room, sizeof *misfits);
    if (!misfits) return !(r->full = true);
    r->misfits = misfits;
    misfits[r->misfit_count++] = (misfit){a, edge->to, edge->weight};
    return true;
}

/* False: out of memory, or too many links. */
static bool note_edges(repair *r, wend_cell cell) {
    wend__landmark_edge edges[WEND__LANDMARK_EDGES];
    const uint32_t count = wend__landmark_edges(r->view, &r->landmarks->scale, cell, edges);
    if (count > WEND__LANDMARK_EDGES) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!note_edge(r, cell, &edges[i])) return false;
    return true;
}

/* A cell that opened may open diagonal steps beside it, too. */
static bool note_around(repair *r, wend_cell cell) {
    const wend__version *v = r->view;
    for (int32_t i = 0; i < 27; i++) {
        const wend_cell at = {cell.x + i % 3 - 1, cell.y + i / 3 % 3 - 1, cell.z + i / 9 - 1};
        const bool on = (uint32_t)at.x < (uint32_t)v->width && (uint32_t)at.y < (uint32_t)v->height &&
                        (uint32_t)at.z < (uint32_t)v->depth;
        if (on && !note_edges(r, at)) return false;
    }
    return true;
}

/* ---- lowered cells, in a heap ---- */

static bool push_item(repair *r, item it) {
    item *heap = wend__map_grown(r->map, r->heap, r->count, &r->room, sizeof *heap);
    if (!heap) return !(r->full = true);
    r->heap = heap;
    size_t at = r->count++;
    for (; at > 0 && heap[(at - 1) / 2].number > it.number; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = it;
    return true;
}

static item pop_item(repair *r) {
    item *heap = r->heap;
    const item top = heap[0], last = heap[--r->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < r->count; at = child) {
        if (child + 1 < r->count && heap[child + 1].number < heap[child].number) child++;
        if (heap[child].number >= last.number) break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

static void charge(repair *r, uint64_t cells) {
    r->left -= cells < r->left ? cells : r->left;
}

/* There is an edge of that weight from a cell with `number`. False: out of memory, or numbers that differ too much. */
static bool reach(repair *r, wend_cell cell, uint32_t number, uint32_t weight) {
    wend__landmarks *l = r->landmarks;
    const uint32_t reached = number + weight;
    if (number == INFINITE || reached >= number_of(r, cell, r->landmark)) return true;
    const wend__place p = wend__place_of(r->view, cell);
    const size_t at = wend__landmark_strip(l, p);
    if (!wend__landmark_is_own(l, at)) charge(r, COPYING * l->count);
    const wend__landmark_fit fit =
        wend__landmark_set(r->map, l, at, p.local & (WEND__STRIP_CELLS - 1), r->landmark, reached);
    r->full = r->full || fit == WEND__LANDMARK_FULL;
    if (fit != WEND__LANDMARK_FITS) return false;
    return push_item(r, (item){reached, cell});
}

/* ---- one landmark ---- */

/* False: out of memory, too many links, or the bound. */
static bool spread(repair *r) {
    wend__landmark_edge edges[WEND__LANDMARK_EDGES];
    while (r->count > 0) {
        const item from = pop_item(r);
        if (number_of(r, from.cell, r->landmark) != from.number) continue;
        if (r->left == 0) return false;
        charge(r, 1);
        const uint32_t count = wend__landmark_edges(r->view, &r->landmarks->scale, from.cell, edges);
        if (count > WEND__LANDMARK_EDGES) return false;
        for (uint32_t i = 0; i < count; i++)
            if (!reach(r, edges[i].to, from.number, edges[i].weight)) return false;
    }
    return true;
}

static bool mend_one(repair *r) {
    r->count = 0;
    for (size_t i = 0; i < r->misfit_count; i++) {
        const misfit *m = &r->misfits[i];
        if (!reach(r, m->b, number_of(r, m->a, r->landmark), m->weight)) return false;
        if (!reach(r, m->a, number_of(r, m->b, r->landmark), m->weight)) return false;
    }
    return spread(r);
}

static wend_error mend_all(repair *r, wend__landmarks *landmarks, uint64_t most, wend__landmarks **out) {
    wend__landmarks *l = r->landmarks = wend__landmarks_repair_begin(r->map, landmarks);
    if (!l) return WEND_OUT_OF_MEMORY;
    for (uint32_t left = l->valid; left && !r->full; left &= left - 1) {
        r->landmark = wend__ctz32(left);
        r->left = most;
        if (!mend_one(r)) l->valid &= ~(1u << r->landmark);
    }
    const bool keep = !r->full && l->valid;
    if (!keep) wend__landmarks_release(r->map, l);
    *out = keep ? l : NULL;
    return r->full ? WEND_OUT_OF_MEMORY : WEND_OK;
}

wend_error wend__landmarks_repair(wend_map *map, const wend__version *view, wend__landmarks *landmarks,
                                  const wend__changed_cells *changed, uint64_t most, wend__landmarks **out) {
    repair r = {.map = map, .view = view, .landmarks = landmarks};
    bool fits = view->kind != WEND_KIND_GRAPH || changed->count == 0;
    for (size_t i = 0; i < changed->count && fits; i++) fits = note_around(&r, changed->cells[i]);
    wend_error error = r.full ? WEND_OUT_OF_MEMORY : WEND_OK;
    *out = NULL;
    if (fits && r.misfit_count > 0) {
        error = mend_all(&r, landmarks, most, out);
    } else if (fits) {
        wend__reference_add(map, &landmarks->references);
        *out = landmarks;
    }
    wend__map_free(map, r.misfits, r.misfit_room * sizeof *r.misfits);
    wend__map_free(map, r.heap, r.room * sizeof *r.heap);
    return error;
}
