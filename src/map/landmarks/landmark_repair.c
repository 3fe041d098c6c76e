/* SPDX-License-Identifier: MIT */
/* Repairing landmarks where steps are new: Dijkstra's algorithm from all new steps at once lowers distances that are
 * too great, outwards until all fit. The result is the greatest distances that fit and exceed the old ones nowhere.
 * Each landmark has a bound; one that needs more work stays in repair, and the next version continues.
 *
 * Invariant of a landmark in repair: where a step shows a distance to be too great, the cell at the step's other end is
 * in the queue, with its present distance. So entries of cells that were lowered again, or blocked, are dropped. */
#include "map/landmarks/landmark_tables.h"
#include "map/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/store/sort.h"

enum {
    BUCKETS = WEND__LANDMARK_BUCKETS,
    COPYING = 16, ///< copying a strip takes as long as so many cells, for each landmark that there is
    NONE = UINT32_MAX
};

/* A cell whose distance was lowered to this. It may be stale: the cell may have been lowered again. */
typedef struct item {
    uint32_t number, cell;
    uint32_t next; ///< in its bucket, or among the free ones; NONE: the last
} item;

typedef struct repair {
    const wend__version *version;
    wend__landmarks *landmarks;
    const wend__new_steps *steps;
    size_t step_count;
    unsigned landmark;
    uint64_t left;             ///< cells that may still be relaxed
    wend__repair_queue firsts; ///< cells beside new steps, and those of the queue before
    size_t first;              ///< entries below are done
    size_t most_firsts;
    item *items; ///< cells lowered since, in buckets
    size_t item_count, item_room;
    uint32_t free, waiting, bucket;
    uint32_t top[BUCKETS];
    uint32_t shift; ///< of a bucket
    bool full;      ///< out of memory
} repair;

/* ---- cells that were lowered ---- */

/* False: out of memory, or too many. */
static bool add_first(repair *m, uint32_t number, uint32_t cell) {
    wend__repair_queue *f = &m->firsts;
    if (f->count == m->most_firsts) return false;
    uint64_t *cells = wend__map_grown(m->version->map, f->cells, f->count, &f->room, sizeof *cells);
    if (!cells) return !(m->full = true);
    f->cells = cells;
    cells[f->count++] = (uint64_t)number << 32 | cell;
    return true;
}

/* False: out of memory. */
static bool add_item(repair *m, uint32_t number, uint32_t cell) {
    uint32_t at = m->free;
    if (at == NONE) {
        item *items = wend__map_grown(m->version->map, m->items, m->item_count, &m->item_room, sizeof *items);
        if (!items) return !(m->full = true);
        m->items = items;
        at = (uint32_t)m->item_count++;
    } else {
        m->free = m->items[at].next;
    }
    uint32_t *top = &m->top[number >> m->shift & (BUCKETS - 1)];
    m->items[at] = (item){number, cell, *top};
    *top = at;
    m->waiting++;
    return true;
}

/* One of the bucket's. */
static item take_item(repair *m) {
    uint32_t *top = &m->top[m->bucket & (BUCKETS - 1)];
    const uint32_t at = *top;
    *top = m->items[at].next;
    m->items[at].next = m->free;
    m->free = at;
    m->waiting--;
    return m->items[at];
}

static void forget(repair *m) {
    for (unsigned i = 0; i < BUCKETS; i++) m->top[i] = NONE;
    m->free = NONE;
    m->firsts.count = m->first = m->item_count = m->waiting = 0;
}

/* ---- lowering ---- */

static uint32_t number_of(const repair *m, int32_t x, int32_t y) {
    return wend__landmark_numbers(m->landmarks, x, y)[m->landmark];
}

static void charge(repair *m, uint64_t cells) {
    m->left -= cells < m->left ? cells : m->left;
}

/* There is a step of that cost between a cell with `number` and this one. `first`: a new one. False: the landmark is
   too far away, too much is new, or there is no room. */
static bool reach(repair *m, int32_t x, int32_t y, uint32_t number, uint32_t cost, bool first) {
    wend__landmarks *l = m->landmarks;
    if (number == WEND__LANDMARK_NONE || number + cost >= number_of(m, x, y)) return true;
    if (number + cost > WEND__LANDMARK_FAR) return false;
    const uint32_t cell = (uint32_t)y * (uint32_t)m->version->width + (uint32_t)x;
    if (!(first ? add_first(m, number + cost, cell) : add_item(m, number + cost, cell))) return false;
    const size_t at = wend__landmark_strip(l, x, y);
    if (!wend__landmark_is_own(l, at)) charge(m, COPYING * l->count);
    uint32_t *strip = wend__landmark_write(m->version->map, l, at);
    if (!strip) return !(m->full = true);
    strip[wend__landmark_place(l, x, y) + m->landmark] = number + cost;
    return true;
}

static uint32_t cost_of(const repair *m, unsigned step) {
    return step < 4 ? m->landmarks->straight : m->landmarks->diagonal;
}

/* Both ends of a step that is new. */
static bool reach_both(repair *m, const wend__new_steps *from, unsigned step) {
    const wend_cell offset = wend__step_offset(step);
    const int32_t x = from->x + offset.x, y = from->y + offset.y;
    return reach(m, x, y, number_of(m, from->x, from->y), cost_of(m, step), true) &&
           reach(m, from->x, from->y, number_of(m, x, y), cost_of(m, step), true);
}

/* An open cell has steps into it, too: distances must fit both ways. */
static unsigned steps_of(const wend__version *v, int32_t x, int32_t y) {
    unsigned steps = wend__steps_from(v, x, y);
    for (unsigned step = 0; step < 8 && v->closed_steps > 0; step++) {
        const wend_cell offset = wend__step_offset(step), at = {x + offset.x, y + offset.y, 0};
        if (!wend__on_map(v, at.x, at.y) || !wend__version_factor(v, at.x, at.y)) continue;
        if (wend__steps_from(v, at.x, at.y) >> wend__step_back(step) & 1) steps |= 1u << step;
    }
    return steps;
}

/* Are all neighbours of a cell in its strip? */
static bool is_amid(int32_t x, int32_t y) {
    const int32_t width = WEND__CHUNK_SIDE, height = 1 << WEND__STRIP_SHIFT;
    return (uint32_t)(x & (width - 1)) - 1 < (uint32_t)width - 2 &&
           (uint32_t)(y & (height - 1)) - 1 < (uint32_t)height - 2;
}

/* Where a cell was lowered to `number`. */
static bool reach_around(repair *m, uint32_t number, uint32_t cell) {
    const uint32_t width = (uint32_t)m->version->width;
    const int32_t x = (int32_t)(cell % width), y = (int32_t)(cell / width);
    const uint32_t *here = &wend__landmark_numbers(m->landmarks, x, y)[m->landmark];
    const bool inside = is_amid(x, y);
    if (*here != number) return true; /* stale */
    charge(m, 1);
    for (unsigned left = steps_of(m->version, x, y); left; left &= left - 1) {
        const unsigned step = wend__ctz32(left);
        const wend_cell offset = wend__step_offset(step);
        const int32_t apart = (offset.y * WEND__CHUNK_SIDE + offset.x) * (int32_t)m->landmarks->count;
        if (inside && here[apart] <= number + cost_of(m, step)) continue; /* the usual case */
        if (!reach(m, x + offset.x, y + offset.y, number, cost_of(m, step), false)) return false;
    }
    return true;
}

/* ---- one landmark ---- */

/* Does the cell still have that number, and steps? A blocked one has none; where it opens again they are new. */
static bool matters(const repair *m, uint32_t number, uint32_t cell) {
    const uint32_t width = (uint32_t)m->version->width;
    const int32_t x = (int32_t)(cell % width), y = (int32_t)(cell / width);
    return number_of(m, x, y) == number && wend__version_factor(m->version, x, y) > 0;
}

/* The queue of the landmark in repair. */
static bool take_up(repair *m, const wend__repair_queue *from) {
    for (size_t i = 0; i < from->count; i++) {
        const uint32_t number = (uint32_t)(from->cells[i] >> 32), cell = (uint32_t)from->cells[i];
        if (matters(m, number, cell) && !add_first(m, number, cell)) return false;
    }
    return true;
}

static bool reach_new(repair *m) {
    for (size_t i = 0; i < m->step_count; i++)
        for (unsigned left = m->steps[i].steps; left; left &= left - 1)
            if (!reach_both(m, &m->steps[i], wend__ctz32(left))) return false;
    return true;
}

static bool sort_firsts(repair *m) {
    const size_t bytes = m->firsts.count * sizeof *m->firsts.cells;
    uint64_t *scratch = wend__map_alloc(m->version->map, bytes);
    if (!scratch) return !(m->full = true);
    wend__sort_numbers(m->firsts.cells, scratch, m->firsts.count);
    wend__map_free(m->version->map, scratch, bytes);
    return true;
}

/* Relax in order of distance, up to the bound: the cells of a bucket, and those of `firsts` that belong to it. */
static bool empty_bucket(repair *m) {
    const wend__repair_queue *f = &m->firsts;
    while (m->left > 0 && m->first < f->count && f->cells[m->first] >> 32 >> m->shift == m->bucket) {
        const uint64_t from = f->cells[m->first++];
        if (!reach_around(m, (uint32_t)(from >> 32), (uint32_t)from)) return false;
    }
    while (m->left > 0 && m->top[m->bucket & (BUCKETS - 1)] != NONE) {
        const item from = take_item(m);
        if (!reach_around(m, from.number, from.cell)) return false;
    }
    return true;
}

static bool spread(repair *m) {
    for (; m->left > 0 && (m->first < m->firsts.count || m->waiting > 0); m->bucket++) {
        if (m->waiting == 0) m->bucket = (uint32_t)(m->firsts.cells[m->first] >> 32) >> m->shift;
        if (!empty_bucket(m)) return false;
    }
    return true;
}

static bool lay_one_down(repair *m, uint32_t number, uint32_t cell) {
    if (!matters(m, number, cell)) return true;
    if (m->firsts.count == WEND_MAX_UNREPAIRED) return false;
    return add_first(m, number, cell);
}

/* Keep the cells left over in the queue. False: they are too many, or out of memory. */
static bool lay_down(repair *m, wend__repair_queue *rest) {
    const size_t count = m->firsts.count;
    m->firsts.count = 0;
    for (size_t i = m->first; i < count; i++)
        if (!lay_one_down(m, (uint32_t)(m->firsts.cells[i] >> 32), (uint32_t)m->firsts.cells[i])) return false;
    for (m->bucket = 0; m->bucket < BUCKETS; m->bucket++)
        while (m->top[m->bucket] != NONE) {
            const item one = take_item(m);
            if (!lay_one_down(m, one.number, one.cell)) return false;
        }
    if (m->firsts.count == 0) return true;
    *rest = m->firsts;
    m->firsts = (wend__repair_queue){0};
    return true;
}

/* False: a cell is too far away, too many cells are left over, or out of memory. */
static bool mend_one(repair *m, const wend__repair_queue *before, wend__repair_queue *rest) {
    forget(m);
    if (!take_up(m, before) || !reach_new(m)) return false;
    if (m->left > 0 && m->firsts.count > 0 && !sort_firsts(m)) return false;
    if (!spread(m)) return false;
    return (m->first == m->firsts.count && m->waiting == 0) || lay_down(m, rest);
}

wend_error wend__landmarks_repair(const wend__version *version, wend__landmarks *landmarks,
                                  const wend__new_steps *steps, size_t step_count, uint64_t most,
                                  wend__landmarks **out) {
    wend_map *map = version->map;
    wend__landmarks *l = wend__landmarks_repair_begin(map, landmarks);
    repair m = {.version = version, .landmarks = l, .steps = steps, .step_count = step_count};
    m.most_firsts = wend__landmarks_most_new(most);
    if (!l) return WEND_OUT_OF_MEMORY;
    m.shift = wend__landmark_bucket_shift(l);
    for (uint32_t alive = l->valid; alive && !m.full; alive &= alive - 1) {
        const unsigned i = m.landmark = wend__ctz32(alive);
        m.left = most;
        if (!mend_one(&m, &landmarks->repairs[i], &l->repairs[i]) || l->repairs[i].count > 0) l->valid &= ~(1u << i);
    }
    wend__map_free(map, m.firsts.cells, m.firsts.room * sizeof *m.firsts.cells);
    wend__map_free(map, m.items, m.item_room * sizeof *m.items);
    const bool keep = !m.full && (l->valid || wend__landmarks_in_repair(l));
    if (!keep) wend__landmarks_release(map, l);
    *out = keep ? l : NULL;
    return m.full ? WEND_OUT_OF_MEMORY : WEND_OK;
}
