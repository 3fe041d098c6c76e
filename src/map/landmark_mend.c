/* SPDX-License-Identifier: MIT */
/* Landmarks where steps are new: numbers that are too great are lowered, outwards from those steps until all fit, by
 * Dijkstra's algorithm begun from all of them at once. What comes of it are the greatest numbers that fit and are nowhere
 * greater than before. Landmark after landmark, each within a bound: one that would need more is given up. */
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
    uint64_t left; ///< how many numbers of the landmark may still be lowered
    /* Cells beside new steps, lowered to begin with: number << 32 | cell. */
    uint64_t *firsts;
    size_t first_count, first_room;
    /* Those lowered since wait in a ring of buckets no wider than a straight step (Denardo and Fox 1979). */
    item *items;
    size_t item_count, item_room;
    uint32_t free, waiting, bucket;
    uint32_t top[BUCKETS];
    uint32_t shift; ///< of a bucket
    int32_t error;
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
    uint64_t *firsts = wend__grown(m->version->map, m->firsts, m->first_count, &m->first_room, sizeof *firsts);
    if (!firsts) return false;
    m->firsts = firsts;
    firsts[m->first_count++] = (uint64_t)number << 32 | cell;
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
    m->first_count = m->item_count = m->waiting = 0;
}

/* ---- lowering ---- */

static uint32_t number_of(const mender *m, int32_t x, int32_t y) {
    return wend__landmark_numbers(m->landmarks, x, y)[m->landmark];
}

/* There is a step of that cost between a cell with `number` and this one. `first`: a new one. False: this cannot go on. */
static bool reach(mender *m, int32_t x, int32_t y, uint32_t number, uint32_t cost, bool first) {
    wend__landmarks *l = m->landmarks;
    if (number == WEND__LANDMARK_NONE || number + cost >= number_of(m, x, y)) return true;
    if (m->left == 0 || number + cost > WEND__LANDMARK_FAR) return false;
    const uint32_t cell = (uint32_t)y * (uint32_t)m->version->width + (uint32_t)x;
    const bool noted = first ? add_first(m, number + cost, cell) : add_item(m, number + cost, cell);
    uint32_t *strip = noted ? wend__landmark_write(m->version->map, l, wend__landmark_strip(l, x, y)) : NULL;
    if (!strip) {
        m->error = WEND_OUT_OF_MEMORY;
        return false;
    }
    strip[wend__landmark_place(l, x, y) + m->landmark] = number + cost;
    m->left--;
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
    for (unsigned left = steps_of(m->version, x, y); left; left &= left - 1) {
        const unsigned step = wend__ctz32(left);
        const wend_cell offset = wend__step_offset(step);
        const int32_t apart = (offset.y * WEND__CHUNK_SIDE + offset.x) * (int32_t)m->landmarks->count;
        if (amid && here[apart] <= number + cost_of(m, step)) continue; /* most are, and soon told */
        if (!reach(m, x + offset.x, y + offset.y, number, cost_of(m, step), false)) return false;
    }
    return true;
}

static bool begin(mender *m) {
    for (size_t i = 0; i < m->step_count; i++)
        for (unsigned left = m->steps[i].steps; left; left &= left - 1)
            if (!reach_both(m, &m->steps[i], wend__ctz32(left))) return false;
    return true;
}

/* What is in a bucket, the first cells that fall into it as well. */
static bool empty_bucket(mender *m, size_t *first) {
    for (; *first < m->first_count && m->firsts[*first] >> 32 >> m->shift == m->bucket; ++*first)
        if (!reach_around(m, (uint32_t)(m->firsts[*first] >> 32), (uint32_t)m->firsts[*first])) return false;
    while (m->top[m->bucket & (BUCKETS - 1)] != NONE) {
        const item from = take_item(m);
        if (!reach_around(m, from.number, from.cell)) return false;
    }
    return true;
}

static bool sort_firsts(mender *m) {
    const size_t bytes = m->first_count * sizeof *m->firsts;
    uint64_t *scratch = wend__map_alloc(m->version->map, bytes);
    if (!scratch) {
        m->error = WEND_OUT_OF_MEMORY;
        return false;
    }
    wend__sort_numbers(m->firsts, scratch, m->first_count);
    wend__map_free(m->version->map, scratch, bytes);
    return true;
}

/* False: it would take too much, or there is no room. */
static bool mend_one(mender *m) {
    forget(m);
    if (!begin(m)) return false;
    if (m->first_count > 0 && !sort_firsts(m)) return false;
    for (size_t first = 0; first < m->first_count || m->waiting > 0; m->bucket++) {
        if (m->waiting == 0) m->bucket = (uint32_t)(m->firsts[first] >> 32) >> m->shift;
        if (!empty_bucket(m, &first)) return false;
    }
    return true;
}

int32_t wend__landmarks_mend(const wend__version *version, wend__landmarks *landmarks, const wend__new_steps *steps,
                             size_t step_count, uint64_t most, wend__landmarks **out) {
    wend_map *map = version->map;
    mender m = {.version = version, .steps = steps, .step_count = step_count};
    m.landmarks = wend__landmarks_mend_begin(map, landmarks);
    if (!m.landmarks) return WEND_OUT_OF_MEMORY;
    while (UINT32_C(2) << m.shift <= landmarks->straight) m.shift++;
    for (; m.landmark < landmarks->count && !m.error; m.landmark++) {
        m.left = most;
        if (landmarks->standing >> m.landmark & 1 && !mend_one(&m)) m.landmarks->standing &= ~(1u << m.landmark);
    }
    wend__map_free(map, m.firsts, m.first_room * sizeof *m.firsts);
    wend__map_free(map, m.items, m.item_room * sizeof *m.items);
    const bool keep = !m.error && m.landmarks->standing;
    if (!keep) wend__landmarks_release(map, m.landmarks);
    *out = keep ? m.landmarks : NULL;
    return m.error;
}
