/* SPDX-License-Identifier: MIT */
/* Dijkstra from the goals over reversed steps, with a bucket queue (Dial 1969). All steps into a cell cost the same for
 * the same direction, as the factor is that of the cell entered. */
#include "field/field_phases.h"

#include "field/field_queue.h"
#include "field/field_ways.h"

enum { ROOM = 32, POINTS = 64, LEAP_POINTS = 16, SPACE_POINTS = 192 };

/* ---- links and edges ---- */

typedef struct leaps {
    wend_field *field;
    uint32_t cost;
} leaps;

static void relax_leap(void *context, uint32_t from, uint32_t step) {
    const leaps *l = context;
    wend_field *f = l->field;
    const uint32_t cost = l->cost + step;
    if (cost >= f->costs[from] || cost > f->largest) return;
    f->costs[from] = cost;
    f->ways[from] = WEND__FIELD_LEAP | WEND__FIELD_OPEN;
    wend__field_push(f, from, cost);
}

static void relax_leaps(wend_field *f, uint32_t id, uint32_t cost) {
    leaps l = {f, cost};
    f->points += wend__field_leaps_into(f, id, relax_leap, &l) * LEAP_POINTS;
}

/* ---- steps ---- */

WEND__INLINE void relax_step(wend_field *f, wend__ring *ring, uint32_t from, unsigned back, uint32_t cost) {
    if (cost >= f->costs[from] || cost > f->largest) return;
    f->costs[from] = cost;
    f->ways[from] = (uint8_t)(back | WEND__FIELD_OPEN);
    wend__ring_push(ring, &f->open, cost >> f->shift & (WEND__BUCKETS - 1), from);
}

WEND__INLINE void relax_steps(wend_field *f, wend__ring *ring, bool flat, uint32_t id, uint32_t cost) {
    const wend__chunk *chunk = wend__field_chunk(f, id);
    const uint32_t factor = chunk->max_factor > 1 ? wend__field_factor(f, chunk, id) : 1;
    const bool inside = wend__field_inside(flat, id);
    for (uint32_t steps = wend__field_reverse(f, flat, chunk, id); steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const uint32_t from = WEND__LIKELY(inside) ? id + (uint32_t)f->offsets[d] : wend__field_beyond(f, flat, id, d);
        relax_step(f, ring, from, flat ? d ^ 2 : f->opposite[d], cost + f->steps[d] * factor);
    }
}

/* Is there an open cell left, and room for what it opens? */
static bool next_bucket(wend_field *f, wend__ring *ring) {
    wend__ring_save(ring, &f->open);
    if (f->open.spare < ROOM) wend__field_scatter(f);
    const bool more = wend__field_advance(f, WEND__FIELD_OPEN);
    *ring = wend__ring_load(&f->open);
    return more;
}

WEND__INLINE uint64_t settle(wend_field *f, uint64_t most, int32_t kind) {
    wend__ring ring = wend__ring_load(&f->open);
    uint64_t done = 0;
    while (done < most) {
        if ((ring.head == 0 || WEND__UNLIKELY(ring.spare < ROOM)) && !next_bucket(f, &ring)) break;
        const uint32_t id = wend__ring_pop(&ring), cost = f->costs[id];
        if (!(f->ways[id] & WEND__FIELD_OPEN) || cost >> f->shift != f->key) continue;
        f->ways[id] &= (uint8_t)~WEND__FIELD_OPEN;
        done++;
        if (kind != WEND_KIND_GRAPH) relax_steps(f, &ring, kind == WEND_KIND_GRID, id, cost);
        if (kind == WEND_KIND_VOXEL) f->points += SPACE_POINTS;
        if (WEND__LIKELY(!wend__field_may_leap_into(f, id))) continue;
        wend__ring_save(&ring, &f->open);
        relax_leaps(f, id, cost);
        ring = wend__ring_load(&f->open);
    }
    wend__ring_save(&ring, &f->open);
    f->owed += f->points / POINTS;
    f->points %= POINTS;
    return done;
}

uint64_t wend__field_settle(wend_field *f, uint64_t most) {
    const int32_t kind = f->view->kind;
    const uint64_t done = kind == WEND_KIND_GRID    ? settle(f, most, WEND_KIND_GRID)
                          : kind == WEND_KIND_VOXEL ? settle(f, most, WEND_KIND_VOXEL)
                                                    : settle(f, most, WEND_KIND_GRAPH);
    if (done == most && f->key << f->shift > f->known) f->known = f->key << f->shift;
    return done;
}
