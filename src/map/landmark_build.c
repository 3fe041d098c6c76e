/* SPDX-License-Identifier: MIT */
/* How far all cells are from landmarks: Dijkstra's algorithm in buckets, from landmark after landmark of each component.
 *
 * The first landmark is the cell farthest from the component's first cell, each next one that farthest from those there are.
 * Blocked cells are reached from open ones, and from blocked ones straight, but nothing open is reached from them. */
#include "map/landmark_tables.h"

enum { BUCKETS = 64, NONE = UINT32_MAX, OUT = UINT32_MAX - 1 };

/* What is known of a cell while the queue has it, or could have it. */
typedef struct entry {
    uint32_t next, before; ///< in its bucket's list; OUT: in none. NONE: the end
} entry;

typedef struct builder {
    const wend__version *version;
    wend__landmarks *landmarks;
    entry *entries;
    uint32_t *least;   ///< how far a cell is from the nearest landmark so far
    uint32_t *reached; ///< open cells of the component
    uint32_t reached_count;
    uint32_t queued;
    uint32_t top[BUCKETS];
    uint32_t shift; ///< of a bucket
    unsigned slot;  ///< the landmark's number
    bool first;     ///< of the component: only to find the first landmark
    bool too_far;
} builder;

/* ---- cells ---- */

static uint32_t *number_of(const builder *b, uint32_t cell) {
    return &b->landmarks->from[(size_t)cell * b->landmarks->count + b->slot];
}

static uint32_t cell_at(const builder *b, int32_t x, int32_t y) {
    return (uint32_t)(wend__landmark_index(b->landmarks, x, y) / b->landmarks->count);
}

static wend_cell place_of(const builder *b, uint32_t cell) {
    const uint32_t chunk = cell >> 2 * WEND__CHUNK_SHIFT, columns = (uint32_t)b->landmarks->columns;
    return (wend_cell){(int32_t)((chunk % columns) << WEND__CHUNK_SHIFT | (cell & 63)),
                       (int32_t)((chunk / columns) << WEND__CHUNK_SHIFT | (cell >> WEND__CHUNK_SHIFT & 63)), 0};
}

/* ---- the queue ---- */

static uint32_t bucket_of(const builder *b, uint32_t number) {
    return number >> b->shift & (BUCKETS - 1);
}

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
    b->entries[cell].before = OUT;
    b->queued--;
}

/* There is a way to the cell that costs so much. */
static void reach(builder *b, int32_t x, int32_t y, uint32_t cost, bool open) {
    const uint32_t cell = cell_at(b, x, y);
    uint32_t *number = number_of(b, cell);
    if (cost >= *number) return;
    if (cost > WEND__LANDMARK_FAR) {
        b->too_far |= open;
        return;
    }
    if (b->entries[cell].before != OUT)
        unlink_from(b, cell, bucket_of(b, *number));
    else if (open && *number == NONE)
        b->reached[b->reached_count++] = cell;
    *number = cost;
    link(b, cell, bucket_of(b, cost));
}

/* ---- steps ---- */

static void reach_around(builder *b, uint32_t cell) {
    const wend__version *v = b->version;
    const wend_cell at = place_of(b, cell);
    const uint32_t number = *number_of(b, cell);
    const bool open = wend__version_factor(v, at.x, at.y) > 0;
    const wend__chunk *chunk = wend__version_chunk(v, at.x >> WEND__CHUNK_SHIFT, at.y >> WEND__CHUNK_SHIFT);
    const unsigned mask = chunk->masks->bytes[cell & (WEND__CHUNK_CELLS - 1)];
    for (unsigned d = 0; d < 4; d++) {
        const int32_t x = at.x + wend__dx[d], y = at.y + wend__dy[d];
        const bool leads = mask >> d & 1;
        if (leads ? open : !b->first && wend__on_map(v, x, y)) reach(b, x, y, number + b->landmarks->straight, leads);
    }
    for (unsigned k = 0; k < WEND__FRAMES && open; k++) {
        const unsigned h = wend__frame_h[k], across = wend__frame_v[k];
        const int32_t x = at.x + wend__dx[h], y = at.y + wend__dy[across];
        if (!(mask >> h & mask >> across & 1)) continue;
        const bool leads = wend__jump_exits[15][mask] >> (4 + k) & 1;
        if (leads || !b->first) reach(b, x, y, number + b->landmarks->diagonal, leads);
    }
}

static void spread(builder *b, uint32_t from) {
    const wend_cell at = place_of(b, from);
    b->reached_count = 0;
    reach(b, at.x, at.y, 0, true);
    for (uint32_t bucket = 0; b->queued > 0; bucket = (bucket + 1) & (BUCKETS - 1))
        for (uint32_t cell; (cell = b->top[bucket]) != NONE;) {
            unlink_from(b, cell, bucket);
            reach_around(b, cell);
        }
}

/* ---- landmarks ---- */

static uint32_t farthest(const builder *b, bool of_first) {
    uint32_t best = b->reached[0], most = 0;
    for (uint32_t i = 0; i < b->reached_count; i++) {
        const uint32_t cell = b->reached[i], number = *number_of(b, cell);
        if (!of_first && (b->slot == 0 || number < b->least[cell])) b->least[cell] = number;
        const uint32_t far = of_first ? number : b->least[cell];
        if (far > most) best = cell, most = far;
    }
    return best;
}

static void do_component(builder *b, uint32_t first_cell) {
    b->slot = 0, b->first = true;
    spread(b, first_cell);
    uint32_t landmark = farthest(b, true);
    for (uint32_t i = 0; i < b->reached_count; i++) *number_of(b, b->reached[i]) = NONE;
    b->first = false;
    for (b->slot = 0; b->slot < b->landmarks->count && !b->too_far; b->slot++) {
        spread(b, landmark);
        landmark = farthest(b, false);
    }
}

static void do_all(builder *b) {
    const wend__version *v = b->version;
    for (int32_t y = 0; y < v->height && !b->too_far; y++)
        for (int32_t x = 0; x < v->width && !b->too_far; x++) {
            b->slot = 0;
            const uint32_t cell = cell_at(b, x, y);
            if (wend__version_factor(v, x, y) > 0 && *number_of(b, cell) == NONE) do_component(b, cell);
        }
}

/* ---- making them ---- */

static int32_t fill(builder *b, uint32_t cells) {
    const wend__landmarks *l = b->landmarks;
    memset(b->landmarks->from, 0xff, (size_t)cells * l->count * sizeof *l->from);
    for (uint32_t i = 0; i < cells; i++) b->entries[i].before = OUT;
    for (unsigned i = 0; i < BUCKETS; i++) b->top[i] = NONE;
    while (l->diagonal >> b->shift >= BUCKETS - 1) b->shift++;
    do_all(b);
    return b->too_far ? WEND_UNSUPPORTED : WEND_OK;
}

int32_t wend__landmarks_build(const wend__version *v, uint32_t count, wend__landmarks **out) {
    wend_map *map = v->map;
    const uint32_t cells = (uint32_t)v->chunk_columns * (uint32_t)v->chunk_rows * WEND__CHUNK_CELLS;
    const uint64_t bytes = sizeof(wend__landmarks) + (uint64_t)cells * count * sizeof(uint32_t);
    if (bytes > SIZE_MAX) return WEND_OUT_OF_MEMORY;
    const size_t list = cells * sizeof(uint32_t), queue = cells * sizeof(entry);
    builder b = {.version = v,
                 .landmarks = wend__map_alloc(map, (size_t)bytes),
                 .entries = wend__map_alloc(map, queue),
                 .least = wend__map_alloc(map, list),
                 .reached = wend__map_alloc(map, list)};
    int32_t error = WEND_OUT_OF_MEMORY;
    if (b.landmarks && b.entries && b.least && b.reached) {
        const uint32_t straight = (uint32_t)v->rules.cost_straight, diagonal = (uint32_t)v->rules.cost_diagonal;
        const uint32_t unit = wend__common_divisor(straight, diagonal);
        *b.landmarks = (wend__landmarks){.references = 1,
                                         .count = count,
                                         .bytes = (size_t)bytes,
                                         .straight = straight / unit,
                                         .diagonal = diagonal / unit,
                                         .columns = v->chunk_columns};
        error = fill(&b, cells);
    }
    wend__map_free(map, b.entries, queue);
    wend__map_free(map, b.least, list);
    wend__map_free(map, b.reached, list);
    if (error)
        wend__map_free(map, b.landmarks, (size_t)bytes);
    else
        *out = b.landmarks;
    return error;
}
