/* SPDX-License-Identifier: MIT */
/* Finds the cells that an edit made worse (G. Ramalingam and T. Reps, "An Incremental Algorithm for a Generalization of
 * the Shortest-Path Problem", 1996). A cell is worse only if no cell around it still gives it its cost. Cells in doubt
 * are decided in order of cost, so the cells that a decision relies on are decided before.
 *
 * A worse cell is lost, and all cells with a way to it are in doubt. When nothing is in doubt, lost cells get the best
 * way through cells that are neither lost nor blocked: Dijkstra does the rest. */

#include "field/field_queue.h"
#include "field/field_ways.h"

/* Expansions that a lost cell takes on top of the one counted. */
enum { LOST_EXPANSIONS = 2 };

/* ---- changes ---- */

static void lower_known(wend_field *f, uint32_t cost) {
    if (cost < f->known) f->known = cost;
}

static void lower_cell(wend_field *f, uint32_t id, uint32_t cost, uint8_t way) {
    f->costs[id] = cost;
    f->ways[id] = way | WEND__FIELD_OPEN;
    wend__field_mark(f, id);
}

void wend__field_recheck(wend_field *f, uint32_t id) {
    uint8_t way, *mine = &f->ways[id];
    f->owed++;
    if (*mine & WEND__FIELD_LOST) return;
    const uint32_t best = wend__field_best(f, id, WEND__FIELD_LOST, &way), cost = f->costs[id];
    if (best == cost) {
        *mine = (uint8_t)((*mine & ~WEND__FIELD_WAY) | way);
        return;
    }
    lower_known(f, best < cost ? best : cost);
    f->touched = true;
    if (best < cost) {
        lower_cell(f, id, best, way);
        return;
    }
    *mine |= WEND__FIELD_DOUBT;
    wend__field_mark(f, id);
}

/* ---- doubt ---- */

static void doubt_cell(wend_field *f, uint32_t id) {
    if (f->ways[id] & WEND__FIELD_DOUBT) return;
    WEND__DEBUG_ASSERT(!(f->ways[id] & WEND__FIELD_LOST) && f->costs[id] != WEND__FIELD_FAR);
    f->ways[id] |= WEND__FIELD_DOUBT;
    wend__field_push(f, id, f->costs[id]);
}

typedef struct loss {
    wend_field *field;
    uint32_t cost; /* cost of the lost cell, with its toll */
} loss;

/* A way along a link or an edge has no direction, but the cost shows whether it leads here. */
static void doubt_leap(void *context, uint32_t from, uint32_t cost) {
    const loss *l = context;
    wend_field *f = l->field;
    const bool leaps = (f->ways[from] & WEND__FIELD_WAY) == WEND__FIELD_LEAP && !(f->ways[from] & WEND__FIELD_LOST);
    if (leaps && f->costs[from] >= l->cost + cost) doubt_cell(f, from);
}

/* Puts the cells that lead to a lost one in doubt. */
static void doubt_children(wend_field *f, uint32_t id) {
    const bool flat = f->view->kind == WEND_KIND_GRID, inside = wend__field_inside(flat, id);
    const wend__chunk *chunk = wend__field_chunk(f, id);
    uint32_t steps = f->view->kind == WEND_KIND_GRAPH ? 0 : wend__field_reverse(f, flat, chunk, id);
    for (; steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const uint32_t from = inside ? id + (uint32_t)f->offsets[d] : wend__field_beyond(f, flat, id, d);
        if ((f->ways[from] & WEND__FIELD_WAY) == f->opposite[d]) doubt_cell(f, from);
    }
    loss l = {f, f->costs[id] + wend__field_toll(f, id)};
    if (wend__field_may_leap_into(f, id)) f->owed += wend__field_leaps_into(f, id, doubt_leap, &l) / 4;
}

static void decide(wend_field *f, uint32_t id) {
    WEND__DEBUG_ASSERT(!(f->ways[id] & WEND__FIELD_LOST) && f->costs[id] != WEND__FIELD_FAR);
    uint8_t way;
    const uint32_t best = wend__field_best(f, id, WEND__FIELD_LOST, &way), cost = f->costs[id];
    f->ways[id] &= (uint8_t)~WEND__FIELD_DOUBT;
    if (best == cost) {
        f->ways[id] = (uint8_t)((f->ways[id] & ~WEND__FIELD_WAY) | way);
    } else if (best < cost) {
        lower_cell(f, id, best, way);
    } else {
        f->ways[id] = WEND__FIELD_LOST | WEND__FIELD_NOWHERE;
        doubt_children(f, id);
        wend__field_mark_changed(f, id);
        f->costs[id] = f->lost;
        f->lost = id;
        f->owed += LOST_EXPANSIONS;
    }
}

uint64_t wend__field_doubt(wend_field *f, uint64_t most) {
    WEND__DEBUG_ASSERT(f->phase == WEND__FIELD_DOUBTING);
    uint64_t done = 0;
    while (done < most) {
        const wend__advance found = wend__field_advance(f, WEND__FIELD_DOUBT);
        if (found == WEND__FIELD_EMPTY) f->phase = WEND__FIELD_REACHING;
        if (found != WEND__FIELD_BUCKET) break;
        const uint32_t id = wend__open_pop(&f->open);
        if (!(f->ways[id] & WEND__FIELD_DOUBT)) continue;
        decide(f, id);
        done++;
    }
    return done;
}

/* ---- reaching ---- */

static void leave_out(wend_field *f, uint32_t id) {
    f->costs[id] = 0;
    f->ways[id] = WEND__FIELD_OUT;
}

/* Open cells do not count: they are settled later, and their neighbours as well. */
uint64_t wend__field_reach(wend_field *f, uint64_t most) {
    WEND__DEBUG_ASSERT(f->phase == WEND__FIELD_REACHING);
    uint64_t done = 0;
    for (; f->lost != WEND__NONE && done < most; done++) {
        const uint32_t id = f->lost;
        uint8_t way;
        WEND__DEBUG_ASSERT(f->ways[id] & WEND__FIELD_LOST);
        f->lost = f->costs[id];
        const uint32_t best = wend__field_best(f, id, WEND__FIELD_LOST | WEND__FIELD_OPEN, &way);
        f->costs[id] = best;
        f->ways[id] = way;
        if (best != WEND__FIELD_FAR)
            lower_cell(f, id, best, way);
        else if (f->distances)
            leave_out(f, id);
    }
    if (f->lost != WEND__NONE) return done;
    wend__field_recall(f);
    f->phase = WEND__FIELD_SETTLING;
    return done;
}
