/* SPDX-License-Identifier: MIT */
/* Landmarks where steps are new: numbers that are too great are lowered, outwards from those steps until all fit, by
 * Dijkstra's algorithm begun from all of them at once. What comes of it are the greatest numbers that fit and are nowhere
 * greater than before. Landmark after landmark, each within a bound: one that would need more is given up. */
#include "map/landmark_tables.h"

/* A cell whose number was lowered to this; it may have been lowered again since. */
typedef struct item {
    uint32_t number, cell;
} item;

/* Least number first. */
typedef struct queue {
    item *items;
    size_t count, room;
} queue;

typedef struct mender {
    const wend__version *version;
    wend__landmarks *landmarks;
    const wend__new_steps *steps;
    size_t step_count;
    queue queue;
    unsigned landmark;
    uint64_t left; ///< how many numbers of the landmark may still be lowered
    int32_t error;
} mender;

/* ---- the queue ---- */

static bool make_room(mender *m) {
    queue *q = &m->queue;
    if (q->count < q->room) return true;
    const size_t room = q->room ? 2 * q->room : 256;
    item *items = wend__map_alloc(m->version->map, room * sizeof *items);
    if (!items) return false;
    if (q->count > 0) memcpy(items, q->items, q->count * sizeof *items);
    wend__map_free(m->version->map, q->items, q->room * sizeof *items);
    q->items = items, q->room = room;
    return true;
}

static void push(queue *q, item what) {
    size_t place = q->count++;
    for (size_t above; place > 0 && q->items[above = (place - 1) / 2].number > what.number; place = above)
        q->items[place] = q->items[above];
    q->items[place] = what;
}

static item pop(queue *q) {
    const item least = q->items[0], last = q->items[--q->count];
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < q->count; place = child) {
        if (child + 1 < q->count && q->items[child + 1].number < q->items[child].number) child++;
        if (q->items[child].number >= last.number) break;
        q->items[place] = q->items[child];
    }
    q->items[place] = last;
    return least;
}

/* ---- lowering ---- */

static uint32_t number_of(const mender *m, int32_t x, int32_t y) {
    return wend__landmark_numbers(m->landmarks, x, y)[m->landmark];
}

/* There is a step of that cost between a cell with `number` and this one. False: this cannot go on. */
static bool reach(mender *m, int32_t x, int32_t y, uint32_t number, uint32_t cost) {
    wend__landmarks *l = m->landmarks;
    if (number == WEND__LANDMARK_NONE || number + cost >= number_of(m, x, y)) return true;
    if (m->left == 0 || number + cost > WEND__LANDMARK_FAR) return false;
    uint32_t *strip = make_room(m) ? wend__landmark_write(m->version->map, l, wend__landmark_strip(l, x, y)) : NULL;
    if (!strip) {
        m->error = WEND_OUT_OF_MEMORY;
        return false;
    }
    strip[wend__landmark_place(l, x, y) + m->landmark] = number + cost;
    push(&m->queue, (item){number + cost, (uint32_t)y * (uint32_t)m->version->width + (uint32_t)x});
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
    return reach(m, x, y, number_of(m, from->x, from->y), cost_of(m, step)) &&
           reach(m, from->x, from->y, number_of(m, x, y), cost_of(m, step));
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

static bool reach_around(mender *m, item from) {
    const uint32_t width = (uint32_t)m->version->width;
    const int32_t x = (int32_t)(from.cell % width), y = (int32_t)(from.cell / width);
    if (number_of(m, x, y) != from.number) return true; /* lower still, by another item */
    for (unsigned left = steps_of(m->version, x, y); left; left &= left - 1) {
        const unsigned step = wend__ctz32(left);
        const wend_cell offset = wend__step_offset(step);
        if (!reach(m, x + offset.x, y + offset.y, from.number, cost_of(m, step))) return false;
    }
    return true;
}

/* False: it would take too much. */
static bool mend_one(mender *m) {
    m->queue.count = 0;
    for (size_t i = 0; i < m->step_count; i++)
        for (unsigned left = m->steps[i].steps; left; left &= left - 1)
            if (!reach_both(m, &m->steps[i], wend__ctz32(left))) return false;
    while (m->queue.count > 0)
        if (!reach_around(m, pop(&m->queue))) return false;
    return true;
}

int32_t wend__landmarks_mend(const wend__version *version, wend__landmarks *landmarks, const wend__new_steps *steps,
                             size_t step_count, uint64_t most, wend__landmarks **out) {
    wend_map *map = version->map;
    mender m = {.version = version, .steps = steps, .step_count = step_count};
    m.landmarks = wend__landmarks_mend_begin(map, landmarks);
    if (!m.landmarks) return WEND_OUT_OF_MEMORY;
    for (; m.landmark < landmarks->count && !m.error; m.landmark++) {
        m.left = most;
        if (landmarks->standing >> m.landmark & 1 && !mend_one(&m)) m.landmarks->standing &= ~(1u << m.landmark);
    }
    wend__map_free(map, m.queue.items, m.queue.room * sizeof *m.queue.items);
    const bool keep = !m.error && m.landmarks->standing;
    if (!keep) wend__landmarks_release(map, m.landmarks);
    *out = keep ? m.landmarks : NULL;
    return m.error;
}
