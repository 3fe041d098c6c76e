/* SPDX-License-Identifier: MIT */
/* Distances of all cells from landmarks: Dijkstra's algorithm from one landmark after another of each component. Its
 * buckets are no wider than a straight step, so no cell is expanded twice (Denardo and Fox 1979).
 *
 * The first landmark is the cell farthest from the component's first cell; each next one is farthest from all
 * before. */
#include "map/landmarks/landmark_tables.h"
#include "map/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"

enum { BUCKETS = WEND__LANDMARK_BUCKETS, NONE = WEND__LANDMARK_NONE };

/* In the list of a bucket. */
typedef struct entry {
    uint32_t next, before; ///< NONE: the end
} entry;

/* Cells count row by row here. */
typedef struct builder {
    const wend__version *version;
    wend__landmarks *landmarks;
    uint8_t *steps;    ///< that lead out of a cell: straight ones in bits 0 to 3, quadrants in 4 to 7
    uint32_t *numbers; ///< how far from the landmark; NONE: not reached
    uint32_t *least;   ///< how far from the nearest of the landmarks so far
    uint32_t *reached; ///< which cells were, the landmark first
    entry *entries;
    uint32_t count; ///< of reached cells
    uint32_t queued;
    uint32_t top[BUCKETS];
    uint32_t shift; ///< of a bucket
    bool too_far;
} builder;

/* ---- the view ---- */

static void read_ground(builder *b) {
    const wend__version *v = b->version;
    size_t cell = 0;
    for (int32_t y = 0; y < v->height; y++)
        for (int32_t x = 0; x < v->width; x++, cell++) {
            const bool open = wend__version_factor(v, x, y) > 0;
            b->steps[cell] = open ? (uint8_t)wend__steps_from(v, x, y) : 0;
            b->numbers[cell] = NONE;
        }
}

/* Where a step leads. */
WEND__INLINE uint32_t beside(const builder *b, uint32_t cell, unsigned step) {
    const wend_cell offset = wend__step_offset(step);
    return cell + (uint32_t)(offset.y * b->version->width + offset.x);
}

/* Where steps are closed one may lead one way only: here all lead both ways, so that a component is reached from any of
 * its cells. What holds for more steps than there are holds for those there are. */
static void make_symmetric(builder *b) {
    const uint32_t cells = (uint32_t)b->version->width * (uint32_t)b->version->height;
    for (uint32_t cell = 0; cell < cells; cell++)
        for (uint32_t left = b->steps[cell]; left; left &= left - 1) {
            const unsigned step = wend__ctz32(left);
            b->steps[beside(b, cell, step)] |= (uint8_t)(1u << wend__step_back(step));
        }
}

static uint32_t *stored(const builder *b, uint32_t cell) {
    const uint32_t width = (uint32_t)b->version->width;
    return (uint32_t *)wend__landmark_numbers(b->landmarks, (int32_t)(cell % width), (int32_t)(cell / width));
}

/* ---- the queue ---- */

static void link(builder *b, uint32_t cell, uint32_t bucket) {
    const uint32_t next = b->top[bucket];
    b->entries[cell] = (entry){next, NONE};
    if (next != NONE) b->entries[next].before = cell;
    b->top[bucket] = cell;
    b->queued++;
}

static void unlink_from(builder *b, uint32_t cell, uint32_t bucket) {
    const entry e = b->entries[cell];
    if (e.before == NONE)
        b->top[bucket] = e.next;
    else
        b->entries[e.before].next = e.next;
    if (e.next != NONE) b->entries[e.next].before = e.before;
    b->queued--;
}

/* There is a way to the cell that costs so much. */
WEND__INLINE void reach(builder *b, uint32_t cell, uint32_t cost) {
    const uint32_t old = b->numbers[cell];
    if (cost >= old) return;
    const uint32_t bucket = cost >> b->shift & (BUCKETS - 1), was = old >> b->shift & (BUCKETS - 1);
    b->numbers[cell] = cost;
    if (old == NONE)
        b->reached[b->count++] = cell;
    else if (bucket == was)
        return;
    else
        unlink_from(b, cell, was); /* it waits there: what was taken out is reached no more cheaply */
    link(b, cell, bucket);
}

static void reach_around(builder *b, uint32_t cell) {
    const uint32_t number = b->numbers[cell];
    if (number > WEND__LANDMARK_FAR) {
        b->too_far = true;
        return;
    }
    for (uint32_t left = b->steps[cell]; left; left &= left - 1) {
        const unsigned step = wend__ctz32(left);
        reach(b, beside(b, cell, step), number + (step < 4 ? b->landmarks->straight : b->landmarks->diagonal));
    }
}

static void spread(builder *b, uint32_t from) {
    b->count = 0;
    reach(b, from, 0);
    for (uint32_t bucket = 0; b->queued > 0; bucket = (bucket + 1) & (BUCKETS - 1))
        for (uint32_t cell; (cell = b->top[bucket]) != NONE;) {
            unlink_from(b, cell, bucket);
            reach_around(b, cell);
        }
}

/* ---- landmarks ---- */

/* The cell farthest from the landmarks so far, the newest of which has just been spread from; `first`: from that one
 * alone. What was reached is forgotten. */
static uint32_t farthest(builder *b, bool first) {
    uint32_t best = b->reached[0], most = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t cell = b->reached[i], number = b->numbers[cell];
        b->numbers[cell] = NONE;
        if (first || number < b->least[cell]) b->least[cell] = number;
        if (b->least[cell] > most) best = cell, most = b->least[cell];
    }
    return best;
}

static void store(builder *b, unsigned slot) {
    for (uint32_t i = 0; i < b->count; i++) stored(b, b->reached[i])[slot] = b->numbers[b->reached[i]];
}

static void do_component(builder *b, uint32_t first_cell) {
    spread(b, first_cell);
    uint32_t landmark = farthest(b, true);
    for (unsigned slot = 0; slot < b->landmarks->count && !b->too_far; slot++) {
        spread(b, landmark);
        store(b, slot);
        landmark = farthest(b, slot == 0);
    }
}

static void do_all(builder *b) {
    const wend__version *v = b->version;
    uint32_t cell = 0;
    for (int32_t y = 0; y < v->height; y++)
        for (int32_t x = 0; x < v->width && !b->too_far; x++, cell++)
            if ((b->steps[cell] || wend__version_factor(v, x, y) > 0) && *stored(b, cell) == NONE)
                do_component(b, cell);
}

/* ---- making them ---- */

static wend_error fill(builder *b) {
    for (unsigned i = 0; i < BUCKETS; i++) b->top[i] = NONE;
    b->shift = wend__landmark_bucket_shift(b->landmarks);
    read_ground(b);
    if (b->version->closed_steps > 0) make_symmetric(b);
    do_all(b);
    return b->too_far ? WEND_UNSUPPORTED : WEND_OK;
}

static wend_error make(const wend__version *v, wend__landmarks *landmarks) {
    wend_map *map = v->map;
    const size_t cells = (size_t)v->width * (size_t)v->height, list = cells * sizeof(uint32_t);
    builder b = {.version = v,
                 .landmarks = landmarks,
                 .steps = wend__map_alloc(map, cells * sizeof *b.steps),
                 .numbers = wend__map_alloc(map, list),
                 .least = wend__map_alloc(map, list),
                 .reached = wend__map_alloc(map, list),
                 .entries = wend__map_alloc(map, cells * sizeof *b.entries)};
    const bool room = b.steps && b.numbers && b.least && b.reached && b.entries;
    wend_error error = room ? fill(&b) : WEND_OUT_OF_MEMORY;
    wend__map_free(map, b.steps, cells * sizeof *b.steps);
    wend__map_free(map, b.numbers, list);
    wend__map_free(map, b.least, list);
    wend__map_free(map, b.reached, list);
    wend__map_free(map, b.entries, cells * sizeof *b.entries);
    return error;
}

wend_error wend__landmarks_build(const wend__version *v, uint32_t count, wend__landmarks **out) {
    const uint32_t straight = (uint32_t)v->rules.cost_straight, diagonal = (uint32_t)v->rules.cost_diagonal;
    if (straight >= diagonal || diagonal >= 2 * straight) return WEND_UNSUPPORTED;
    wend__landmarks *l = wend__landmarks_create(v, count);
    if (!l) return WEND_OUT_OF_MEMORY;
    const wend_error error = make(v, l);
    if (error)
        wend__landmarks_release(v->map, l);
    else
        *out = l;
    return error;
}
