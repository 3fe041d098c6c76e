/* SPDX-License-Identifier: MIT */
/* Landmarks where steps are new: numbers that are too great are lowered, outwards from those steps until all fit, by
 * Dijkstra's algorithm begun from all of them at once. What comes of it are the greatest numbers that fit and are nowhere
 * greater than before. Landmark after landmark, each within a bound: one that needs more rests, and goes on where it was
 * when the next version is made.
 *
 * What holds of one that rests: where a step shows a number to be too great, the cell at its other end is on the list, with
 * the number that it has. So those that have been lowered again since, or blocked, are struck off. */
#include "map/landmark_tables.h"

enum { BUCKETS = 8, NONE = UINT32_MAX };

/* A cell whose number was lowered to this; it may have been lowered again since. */
typedef struct item {
    uint32_t number, cell;
    uint32_t next; ///< in its bucket, or among the free ones; NONE: the last
} item;

typedef struct mender {
    const wend__version *version;
    wend__landmarks *landmarks;
    const wend__new_steps *steps;
    size_t step_count;
    unsigned landmark;
    uint64_t left; ///< how many cells may still be held against those beside them
    wend__unmended firsts; ///< cells beside new steps, and those where the landmark rested
    size_t first;          ///< those below are done
    /* Those lowered since wait in a ring of buckets no wider than a straight step (Denardo and Fox 1979). */
    item *items;
    size_t item_count, item_room;
    uint32_t free, waiting, bucket;
    uint32_t top[BUCKETS];
    uint32_t shift; ///< of a bucket
    bool full; ///< there was no room
} mender;

void *wend__grown(wend_map *map, void *list, size_t count, size_t *room, size_t each) {
    if (count < *room) return list;
    const size_t more = *room ? 2 * *room : 64;
    void *longer = wend__map_alloc(map, more * each);
    if (!longer) return NULL;
    if (count > 0) memcpy(longer, list, count * each);
    wend__map_free(map, list, *room * each);
    *room = more;
    return longer;
}

/* ---- cells that were lowered ---- */

static bool add_first(mender *m, uint32_t number, uint32_t cell) {
    wend__unmended *f = &m->firsts;
    uint64_t *cells = wend__grown(m->version->map, f->cells, f->count, &f->room, sizeof *cells);
    if (!cells) return false;
    f->cells = cells;
    cells[f->count++] = (uint64_t)number << 32 | cell;
    return true;
}

static bool add_item(mender *m, uint32_t number, uint32_t cell) {
    uint32_t at = m->free;
    if (at == NONE) {
        item *items = wend__grown(m->version->map, m->items, m->item_count, &m->item_room, sizeof *items);
        if (!items) return false;
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
static item take_item(mender *m) {
    uint32_t *top = &m->top[m->bucket & (BUCKETS - 1)];
    const uint32_t at = *top;
    *top = m->items[at].next;
    m->items[at].next = m->free;
    m->free = at;
    m->waiting--;
    return m->items[at];
}

static void forget(mender *m) {
    for (unsigned i = 0; i < BUCKETS; i++) m->top[i] = NONE;
    m->free = NONE;
    m->firsts.count = m->first = m->item_count = m->waiting = 0;
}

/* ---- lowering ---- */

static uint32_t number_of(const mender *m, int32_t x, int32_t y) {
    return wend__landmark_numbers(m->landmarks, x, y)[m->landmark];
}

/* There is a step of that cost between a cell with `number` and this one. `first`: a new one. False: the landmark is too far
   away, or there is no room. */
static bool reach(mender *m, int32_t x, int32_t y, uint32_t number, uint32_t cost, bool first) {
    wend__landmarks *l = m->landmarks;
    if (number == WEND__LANDMARK_NONE || number + cost >= number_of(m, x, y)) return true;
    if (number + cost > WEND__LANDMARK_FAR) return false;
    const uint32_t cell = (uint32_t)y * (uint32_t)m->version->width + (uint32_t)x;
    const bool noted = first ? add_first(m, number + cost, cell) : add_item(m, number + cost, cell);
    uint32_t *strip = noted ? wend__landmark_write(m->version->map, l, wend__landmark_strip(l, x, y)) : NULL;
    if (!strip) return !(m->full = true);
    strip[wend__landmark_place(l, x, y) + m->landmark] = number + cost;
    return true;
}

static uint32_t cost_of(const mender *m, unsigned step) {
    return step < 4 ? m->landmarks->straight : m->landmarks->diagonal;
}

/* Both ends of a step that is new. */
static bool reach_both(mender *m, const wend__new_steps *from, unsigned step) {
    const wend_cell offset = wend__step_offset(step);
    const int32_t x = from->x + offset.x, y = from->y + offset.y;
    return reach(m, x, y, number_of(m, from->x, from->y), cost_of(m, step), true) &&
           reach(m, from->x, from->y, number_of(m, x, y), cost_of(m, step), true);
}

/* The steps out of an open cell. */
static unsigned steps_from(const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return wend__jump_exits[15][chunk->masks->bytes[(unsigned)(y & 63) << WEND__CHUNK_SHIFT | (unsigned)(x & 63)]];
}

/* Of an open cell, those into it as well: what is asked of numbers holds both ways. */
static unsigned steps_of(const wend__version *v, int32_t x, int32_t y) {
    unsigned steps = steps_from(v, x, y);
    for (unsigned step = 0; step < 8 && v->closed_steps > 0; step++) {
        const wend_cell offset = wend__step_offset(step), at = {x + offset.x, y + offset.y, 0};
        if (!wend__on_map(v, at.x, at.y) || !wend__version_factor(v, at.x, at.y)) continue;
        if (steps_from(v, at.x, at.y) >> wend__step_back(step) & 1) steps |= 1u << step;
    }
    return steps;
}

/* Are all cells around one in its strip? */
static bool is_amid(int32_t x, int32_t y) {
    const int32_t width = WEND__CHUNK_SIDE, height = 1 << WEND__STRIP_SHIFT;
    return (uint32_t)(x & (width - 1)) - 1 < (uint32_t)width - 2 && (uint32_t)(y & (height - 1)) - 1 < (uint32_t)height - 2;
}

/* Where a cell was lowered to `number`. */
static bool reach_around(mender *m, uint32_t number, uint32_t cell) {
    const uint32_t width = (uint32_t)m->version->width;
    const int32_t x = (int32_t)(cell % width), y = (int32_t)(cell / width);
    const uint32_t *here = &wend__landmark_numbers(m->landmarks, x, y)[m->landmark];
    const bool amid = is_amid(x, y);
    if (*here != number) return true; /* it was lowered again since */
    m->left--;
    for (unsigned left = steps_of(m->version, x, y); left; left &= left - 1) {
        const unsigned step = wend__ctz32(left);
        const wend_cell offset = wend__step_offset(step);
        const int32_t apart = (offset.y * WEND__CHUNK_SIDE + offset.x) * (int32_t)m->landmarks->count;
        if (amid && here[apart] <= number + cost_of(m, step)) continue; /* most are, and soon told */
        if (!reach(m, x + offset.x, y + offset.y, number, cost_of(m, step), false)) return false;
    }
    return true;
}

/* ---- one landmark ---- */

/* Cells where it rested. One that is blocked has no steps; where it opens again they are new. */
static bool take_up(mender *m, const wend__unmended *from) {
    const uint32_t width = (uint32_t)m->version->width;
    for (size_t i = 0; i < from->count; i++) {
        const uint32_t number = (uint32_t)(from->cells[i] >> 32), cell = (uint32_t)from->cells[i];
        const int32_t x = (int32_t)(cell % width), y = (int32_t)(cell / width);
        if (number_of(m, x, y) != number || !wend__version_factor(m->version, x, y)) continue;
        if (!add_first(m, number, cell)) return !(m->full = true);
    }
    return true;
}

static bool reach_new(mender *m) {
    for (size_t i = 0; i < m->step_count; i++)
        for (unsigned left = m->steps[i].steps; left; left &= left - 1)
            if (!reach_both(m, &m->steps[i], wend__ctz32(left))) return false;
    return true;
}

static bool sort_firsts(mender *m) {
    const size_t bytes = m->firsts.count * sizeof *m->firsts.cells;
    uint64_t *scratch = wend__map_alloc(m->version->map, bytes);
    if (!scratch) return !(m->full = true);
    wend__sort_numbers(m->firsts.cells, scratch, m->firsts.count);
    wend__map_free(m->version->map, scratch, bytes);
    return true;
}

/* Lowest first, as far as the bound allows: what is in a bucket, and the first cells that fall into it. */
static bool empty_bucket(mender *m) {
    const wend__unmended *f = &m->firsts;
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

static bool spread(mender *m) {
    for (; m->left > 0 && (m->first < m->firsts.count || m->waiting > 0); m->bucket++) {
        if (m->waiting == 0) m->bucket = (uint32_t)(m->firsts.cells[m->first] >> 32) >> m->shift;
        if (!empty_bucket(m)) return false;
    }
    return true;
}

/* What is left is kept for the next time. */
static bool lay_down(mender *m, wend__unmended *rest) {
    m->firsts.count -= m->first;
    memmove(m->firsts.cells, m->firsts.cells + m->first, m->firsts.count * sizeof *m->firsts.cells);
    for (m->bucket = 0; m->bucket < BUCKETS; m->bucket++)
        while (m->top[m->bucket] != NONE) {
            const item one = take_item(m);
            if (!add_first(m, one.number, one.cell)) return !(m->full = true);
        }
    *rest = m->firsts;
    m->firsts = (wend__unmended){0};
    return true;
}

/* False: it is too far away, or there is no room. */
static bool mend_one(mender *m, const wend__unmended *before, wend__unmended *rest) {
    forget(m);
    if (!take_up(m, before) || !reach_new(m)) return false;
    if (m->left > 0 && m->firsts.count > 0 && !sort_firsts(m)) return false;
    if (!spread(m)) return false;
    return (m->first == m->firsts.count && m->waiting == 0) || lay_down(m, rest);
}

int32_t wend__landmarks_mend(const wend__version *version, wend__landmarks *landmarks, const wend__new_steps *steps,
                             size_t step_count, uint64_t most, wend__landmarks **out) {
    wend_map *map = version->map;
    wend__landmarks *l = wend__landmarks_mend_begin(map, landmarks);
    mender m = {.version = version, .landmarks = l, .steps = steps, .step_count = step_count};
    if (!l) return WEND_OUT_OF_MEMORY;
    while (UINT32_C(2) << m.shift <= l->straight) m.shift++;
    for (uint32_t alive = l->standing; alive && !m.full; alive &= alive - 1) {
        const unsigned i = m.landmark = wend__ctz32(alive);
        m.left = most;
        if (!mend_one(&m, &landmarks->unmended[i], &l->unmended[i]) || l->unmended[i].count > 0)
            l->standing &= ~(1u << i);
    }
    wend__map_free(map, m.firsts.cells, m.firsts.room * sizeof *m.firsts.cells);
    wend__map_free(map, m.items, m.item_room * sizeof *m.items);
    const bool keep = !m.full && (l->standing || wend__landmarks_resting(l));
    if (!keep) wend__landmarks_release(map, l);
    *out = keep ? l : NULL;
    return m.full ? WEND_OUT_OF_MEMORY : WEND_OK;
}
