/* SPDX-License-Identifier: MIT */
/* Dijkstra from the goals over reversed steps, with a bucket queue (Dial 1969). All steps into a cell in the same
 * direction cost the same, as factor and toll are those of the entered cell. */

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

/* Copies of the data that a relaxation reads: to the compiler, a write to a way may alias anything. */
typedef struct plan {
    wend_field *field;
    wend__open *open;
    uint32_t *costs;
    uint8_t *ways;
    const uint32_t *tolls; ///< NULL: there are none
    uint32_t largest, shift;
    uint32_t straight, diagonal;
    uint32_t chunk;                         /* the chunk loaded last */
    const uint8_t *masks;                   /* flat: its masks */
    const wend__grid_canonical *successors; ///< flat: NULL: all steps are taken
    const uint8_t *legal;                   /* mask of a cell -> steps; flat, and no step is closed */
    bool even;                              /* all factors of the chunk are 1, or 0 */
} plan;

static const int32_t flat_offsets[WEND__DIRECTIONS] = {-64, 1, 64, -1, -63, 65, 63, -65};

static plan plan_of(wend_field *f) {
    return (plan){.field = f,
                  .open = &f->open,
                  .costs = f->costs,
                  .ways = f->ways,
                  .tolls = f->tolls,
                  .largest = f->largest,
                  .shift = f->shift,
                  .straight = f->steps[WEND__N],
                  .diagonal = f->steps[WEND__NE],
                  .legal = f->view->legal,
                  .chunk = WEND__NONE};
}

WEND__INLINE void relax_step(const plan *p, wend__ring *ring, uint32_t from, unsigned back, uint32_t cost) {
    if (cost >= p->costs[from] || cost > p->largest) return;
    p->costs[from] = cost;
    p->ways[from] = (uint8_t)(back | WEND__FIELD_OPEN);
    wend__ring_push(ring, p->open, cost >> p->shift & (WEND__BUCKETS - 1), from);
}

/* Steps over the rim of a chunk, into slow cells, or in space. */
WEND__INLINE void relax_any(const plan *p, wend__ring *ring, bool flat, uint32_t id, uint32_t cost) {
    const wend_field *f = p->field;
    const wend__chunk *chunk = wend__field_chunk(f, id);
    const uint32_t factor = chunk->max_factor > 1 ? wend__field_factor(f, chunk, id) : 1;
    const bool inside = wend__field_inside(flat, id);
    for (uint32_t steps = wend__field_reverse(f, flat, chunk, id); steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const uint32_t from = WEND__LIKELY(inside) ? id + (uint32_t)f->offsets[d] : wend__field_beyond(f, flat, id, d);
        relax_step(p, ring, from, flat ? d ^ 2 : f->opposite[d], cost + f->steps[d] * factor);
    }
}

WEND__INLINE void load_chunk(plan *p, uint32_t id) {
    if (WEND__LIKELY(id >> 12 == p->chunk)) return;
    const wend__chunk *chunk = wend__field_chunk(p->field, id);
    p->chunk = id >> 12;
    wend__field_mark_changed(p->field, id);
    p->masks = chunk->masks->bytes;
    p->even = chunk->max_factor <= 1;
    const wend_field *f = p->field;
    p->successors = f->fresh && wend__field_has_bit(f->plain, id >> 12) ? f->successors : NULL;
}

/* Returns the direction in which a cell was reached; WEND__DIRECTIONS: none. */
WEND__INLINE unsigned arrival_of(uint8_t way) {
    const unsigned d = way & WEND__FIELD_WAY;
    return d < WEND__DIRECTIONS ? d ^ 2 : WEND__DIRECTIONS;
}

/* Without closed steps. */
WEND__INLINE void relax_flat(plan *p, wend__ring *ring, uint32_t id, uint32_t cost) {
    load_chunk(p, id);
    if (WEND__UNLIKELY(!p->even || !wend__field_inside(true, id))) {
        relax_any(p, ring, true, id, cost);
        return;
    }
    const uint32_t mask = p->masks[id & 4095];
    const uint32_t all = p->successors ? (*p->successors)[arrival_of(p->ways[id])][mask] : p->legal[mask];
    for (uint32_t steps = all & 15; steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        relax_step(p, ring, id + (uint32_t)flat_offsets[d], d ^ 2, cost + p->straight);
    }
    for (uint32_t steps = all & 240; steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        relax_step(p, ring, id + (uint32_t)flat_offsets[d], d ^ 2, cost + p->diagonal);
    }
}

/* Returns whether an open cell is left, and room for the cells that it opens. */
static wend__advance next_bucket(wend_field *f) {
    while (f->open.spare < ROOM && wend__field_add_page(f))
        ;
    if (f->open.spare < ROOM) wend__field_scatter(f, f->key);
    return wend__field_advance(f, WEND__FIELD_OPEN);
}

static void finish(wend_field *f) {
    WEND__DEBUG_ASSERT(!f->open.words && f->lost == WEND__NONE);
    f->phase = WEND__FIELD_COMPLETE;
    f->known = WEND__FIELD_FAR;
}

enum { FLAT, CLOSED, SPACE, GRAPH };

WEND__INLINE uint64_t settle(wend_field *f, uint64_t most, int kind) {
    plan p = plan_of(f);
    wend__ring ring = wend__ring_load(&f->open);
    const bool may_leap = kind == GRAPH || f->version->links || wend__is_walker(f->view);
    uint64_t done = 0;
    uint32_t key = f->key;
    while (done < most) {
        if (ring.head == 0 || WEND__UNLIKELY(ring.spare < ROOM)) {
            wend__ring_save(&ring, &f->open);
            const wend__advance found = next_bucket(f);
            ring = wend__ring_load(&f->open);
            key = f->key;
            if (found == WEND__FIELD_EMPTY) finish(f);
            if (found != WEND__FIELD_BUCKET) break;
        }
        const uint32_t id = wend__ring_pop(&ring), cost = p.costs[id];
        WEND__DEBUG_ASSERT(id >> 12 < f->chunks);
        if (!(p.ways[id] & WEND__FIELD_OPEN) || cost >> p.shift != key) continue;
        p.ways[id] &= (uint8_t)~WEND__FIELD_OPEN;
        done++;
        const uint32_t before = cost + (WEND__UNLIKELY(p.tolls != NULL) ? p.tolls[id] : 0); /* without the step */
        if (kind == FLAT)
            relax_flat(&p, &ring, id, before);
        else
            wend__field_mark_changed(f, id);
        if (kind == CLOSED || kind == SPACE) relax_any(&p, &ring, kind == CLOSED, id, before);
        if (kind == SPACE) f->points += SPACE_POINTS;
        if (WEND__LIKELY(!may_leap) || !wend__field_may_leap_into(f, id)) continue;
        wend__ring_save(&ring, &f->open);
        relax_leaps(f, id, before);
        ring = wend__ring_load(&f->open);
    }
    wend__ring_save(&ring, &f->open);
    f->owed += f->points / POINTS;
    f->points %= POINTS;
    return done;
}

uint64_t wend__field_settle(wend_field *f, uint64_t most) {
    WEND__DEBUG_ASSERT(f->phase == WEND__FIELD_SETTLING && f->lost == WEND__NONE);
    const int32_t kind = f->view->kind;
    const uint64_t done = kind == WEND_KIND_GRAPH        ? settle(f, most, GRAPH)
                          : kind == WEND_KIND_VOXEL      ? settle(f, most, SPACE)
                          : f->version->closed_steps > 0 ? settle(f, most, CLOSED)
                                                         : settle(f, most, FLAT);
    if (done == most && f->key << f->shift > f->known) f->known = f->key << f->shift;
    return done;
}
