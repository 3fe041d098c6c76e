/* SPDX-License-Identifier: MIT */
/* One spread. Over a grid or voxels it goes chunk by chunk: numbers, steps and buckets of a chunk fit in the first
 * cache.
 *
 * A round covers the numbers below `until`, some straight steps more than the round before. It visits each chunk with
 * such cells waiting, and relaxes them there in order of their numbers, with buckets no wider than a straight step.
 * Cells reached in other chunks wait there, so a chunk may be visited again in the same round. Numbers below the round
 * are final (compare delta stepping: Meyer and Sanders 2003). The result is the least numbers, whatever the order. */
#include "fast/landmarks/landmark_make.h"
#include "map/store/memory.h"

enum { BUCKETS = WEND__SPREAD_BUCKETS, WORDS = WEND__SPREAD_WORDS };
/* The work of a visit of a chunk, in cells, and the edges examined that count as one cell. */
enum { VISIT_WORK = 6, LOOKS = 16 };

/* ---- memory ---- */

static size_t waiting_bytes(const wend__ground *g) {
    return g->cells / 64 * sizeof(uint64_t);
}

wend_error wend__spread_open(wend__spread *s, const wend__ground *g) {
    const size_t cells = g->cells * sizeof(uint32_t), chunks = g->chunks * sizeof(uint32_t);
    wend_map *map = g->map;
    memset(s, 0, sizeof *s);
    s->ground = g;
    s->numbers = wend__map_alloc(map, cells);
    bool room = s->numbers != NULL;
    if (g->directions) {
        s->waiting = wend__map_alloc(map, waiting_bytes(g));
        s->least = wend__map_alloc(map, chunks);
        s->active = wend__map_alloc(map, chunks);
        s->is_active = wend__map_alloc(map, g->chunks);
        room = room && s->waiting && s->least && s->active && s->is_active;
    } else {
        s->heap = wend__map_alloc(map, cells);
        s->place = wend__map_alloc(map, cells);
        room = room && s->heap && s->place;
    }
    if (!room) return WEND_OUT_OF_MEMORY;
    if (g->directions) memset(s->is_active, 0, g->chunks);
    if (g->directions) memset(s->least, 0xff, chunks);
    return WEND_OK;
}

void wend__spread_clear(wend__spread *s, uint32_t chunk) {
    const size_t first = (size_t)chunk * WEND__CHUNK_CELLS, left = s->ground->cells - first;
    memset(s->numbers + first, 0xff, (left < WEND__CHUNK_CELLS ? left : WEND__CHUNK_CELLS) * sizeof *s->numbers);
    if (s->waiting) memset(s->waiting + first / 64, 0, WORDS * sizeof *s->waiting);
}

void wend__spread_free(wend__spread *s) {
    const wend__ground *g = s->ground;
    if (!g) return;
    const size_t cells = g->cells * sizeof(uint32_t), chunks = g->chunks * sizeof(uint32_t);
    wend__map_free(g->map, s->numbers, cells);
    wend__map_free(g->map, s->waiting, waiting_bytes(g));
    wend__map_free(g->map, s->least, chunks);
    wend__map_free(g->map, s->active, chunks);
    wend__map_free(g->map, s->is_active, g->chunks);
    wend__map_free(g->map, s->heap, cells);
    wend__map_free(g->map, s->place, cells);
}

void wend__spread_scale(wend__spread *s, const wend__landmark_scale *scale) {
    s->scale = *scale;
    s->shift = 0;
    while (UINT32_C(2) << s->shift <= scale->weights[0]) s->shift++;
    for (unsigned d = 0; d < s->ground->directions; d++) {
        const unsigned last_straight = s->ground->space ? WEND__SPACE_FLAT : WEND__NE;
        const unsigned kind = d < last_straight ? 0 : d < WEND__SPACE_SPACE ? 1 : 2;
        s->weights[d] = scale->weights[kind];
    }
}

/* ---- cells ---- */

static void list_reached(wend__spread *s, uint32_t cell) {
    if (s->reached && s->numbers[cell] == WEND__UNREACHED) s->reached[s->count++] = cell;
}

/* Makes a cell wait for its chunk's next visit. */
static void let_wait(wend__spread *s, uint32_t cell, uint32_t number) {
    const uint32_t chunk = cell >> 12;
    s->waiting[cell >> 6] |= UINT64_C(1) << (cell & 63);
    if (number < s->least[chunk]) s->least[chunk] = number;
    if (s->is_active[chunk]) return;
    s->is_active[chunk] = 1;
    s->active[s->active_count++] = chunk;
}

static void lower_outside(wend__spread *s, uint32_t cell, uint32_t number) {
    if (number >= s->numbers[cell]) return;
    list_reached(s, cell);
    s->numbers[cell] = number;
    let_wait(s, cell, number);
}

/* Returns the bucket of a number of this round. */
WEND__INLINE uint32_t bucket_of(const wend__spread *s, uint32_t number) {
    const uint32_t below = (s->until - 1 - number) >> s->shift;
    return below < BUCKETS ? BUCKETS - 1 - below : 0;
}

WEND__INLINE void put_in(wend__spread *s, uint32_t local, uint32_t number) {
    const uint32_t bucket = bucket_of(s, number);
    s->buckets[bucket][local >> 6] |= UINT64_C(1) << (local & 63);
    s->filled[bucket] |= UINT64_C(1) << (local >> 6);
}

/* Lowers a cell of the visited chunk, and removes its entry that waits, or lies in a later bucket: a cell is expanded
   once for each number with which it is taken out. */
WEND__INLINE void lower_inside(wend__spread *s, uint32_t base, uint32_t local, uint32_t number) {
    uint32_t *const at = &s->numbers[base + local], old = *at;
    if (number >= old) return;
    list_reached(s, base + local);
    *at = number;
    if (number >= s->until) {
        let_wait(s, base + local, number);
        return;
    }
    if (old < s->until)
        s->buckets[bucket_of(s, old)][local >> 6] &= ~(UINT64_C(1) << (local & 63));
    else
        s->waiting[(base + local) >> 6] &= ~(UINT64_C(1) << (local & 63));
    put_in(s, local, number);
}

/* ---- steps ---- */

static const int32_t flat_offset[WEND__DIRECTIONS] = {-64, 1, 64, -1, -63, 65, 63, -65};
static const int32_t space_offset[WEND__SPACE_DIRECTIONS] = {
    -16, 1,   16,  -1,  256, -256, -272, -257, -255, -240, -17, -15, 15,
    17,  240, 255, 257, 272, -273, -271, -241, -239, 239,  241, 271, 273,
};

static bool is_inside(const wend__ground *g, uint32_t local) {
    const uint32_t edge = g->flat ? 63 : 15, shift = g->flat ? 6 : 4;
    const uint32_t x = local & edge, y = local >> shift & edge, z = local >> 8;
    return x - 1 < edge - 1 && y - 1 < edge - 1 && (g->flat || z - 1 < 14);
}

/* The cell that a step over a chunk's rim leads to. */
static uint32_t beyond(const wend__ground *g, uint32_t cell, unsigned d) {
    const uint32_t columns = (uint32_t)g->view->chunk_columns, chunk = cell >> 12, local = cell & 4095;
    const int32_t column = (int32_t)(chunk % columns), row = (int32_t)(chunk / columns);
    if (g->flat) {
        const int32_t x = (column << 6 | (int32_t)(local & 63)) + wend__dx[d];
        const int32_t y = (row << 6 | (int32_t)(local >> 6)) + wend__dy[d];
        return ((uint32_t)(y >> 6) * columns + (uint32_t)(x >> 6)) << 12 | (uint32_t)((y & 63) << 6 | (x & 63));
    }
    const int32_t layer = row / g->view->chunk_y;
    const wend_cell to = {(column << 4 | (int32_t)(local & 15)) + wend__sx[d],
                          ((row - layer * g->view->chunk_y) << 4 | (int32_t)(local >> 4 & 15)) + wend__sy[d],
                          (layer << 4 | (int32_t)(local >> 8)) + wend__sz[d]};
    const wend__place p = wend__place_of(g->view, to);
    return ((uint32_t)p.row * columns + (uint32_t)p.column) << 12 | p.local;
}

WEND__INLINE uint32_t weight_of(const wend__spread *s, unsigned d, uint32_t from, uint32_t to) {
    const uint8_t *factors = s->ground->factors;
    if (WEND__LIKELY(!factors)) return s->weights[d];
    return s->weights[d] * (factors[from] < factors[to] ? factors[from] : factors[to]);
}

static void relax_rim(wend__spread *s, uint32_t cell, uint32_t steps, uint32_t number) {
    const uint32_t base = cell & ~UINT32_C(4095);
    for (; steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const uint32_t to = beyond(s->ground, cell, d), reach = number + weight_of(s, d, cell, to);
        if (to >> 12 == cell >> 12)
            lower_inside(s, base, to & 4095, reach);
        else
            lower_outside(s, to, reach);
    }
}

static void relax_ways(wend__spread *s, uint32_t cell, uint32_t number, const wend__way *ways, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t reach = number + wend__landmark_weight(&s->scale, ways[i].cost);
        if (ways[i].to >> 12 == cell >> 12)
            lower_inside(s, cell & ~UINT32_C(4095), ways[i].to & 4095, reach);
        else
            lower_outside(s, ways[i].to, reach);
    }
}

static void relax_links(wend__spread *s, uint32_t cell, uint32_t number) {
    uint32_t count;
    const wend__way *ways = wend__ground_ways(s->ground, cell, &count);
    relax_ways(s, cell, number, ways, count);
}

static void relax_levels(wend__spread *s, uint32_t cell, uint32_t number) {
    wend__way ways[WEND__LANDMARK_LEVELS];
    relax_ways(s, cell, number, ways, wend__ground_levels(s->ground, cell, ways));
}

WEND__INLINE void expand_cell(wend__spread *s, uint32_t base, uint32_t local, const int32_t *offsets) {
    const wend__ground *g = s->ground;
    const uint32_t cell = base + local, known = s->numbers[cell],
                   number = known < WEND__LANDMARK_FAR ? known : WEND__LANDMARK_FAR;
    uint32_t steps = g->flat ? g->flat[cell] : g->space[cell];
    if (WEND__UNLIKELY(g->linked != NULL) && (g->linked[cell >> 6] >> (cell & 63) & 1)) relax_links(s, cell, number);
    if (WEND__UNLIKELY(g->levels)) relax_levels(s, cell, number);
    if (WEND__UNLIKELY(!is_inside(g, local))) {
        relax_rim(s, cell, steps, number);
        return;
    }
    for (; steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const uint32_t to = local + (uint32_t)offsets[d];
        lower_inside(s, base, to, number + weight_of(s, d, cell, base + to));
    }
}

/* ---- a visit ---- */

/* Puts the waiting cells of this round into buckets. */
static void queue_waiting(wend__spread *s, uint32_t chunk) {
    const uint32_t base = chunk << 12;
    uint64_t *waiting = s->waiting + (size_t)chunk * WORDS;
    uint32_t least = WEND__UNREACHED;
    for (uint32_t word = 0; word < WORDS; word++)
        for (uint64_t left = waiting[word]; left; left &= left - 1) {
            const uint32_t local = word << 6 | wend__ctz64(left), number = s->numbers[base + local];
            if (number < s->until) {
                waiting[word] &= ~(left & -left);
                put_in(s, local, number);
            } else if (number < least) {
                least = number;
            }
        }
    s->least[chunk] = least;
}

static void visit_chunk(wend__spread *s, uint32_t chunk) {
    const int32_t *offsets = s->ground->flat ? flat_offset : space_offset;
    const uint32_t base = chunk << 12;
    queue_waiting(s, chunk);
    for (uint32_t bucket = 0; bucket < BUCKETS; bucket++)
        while (s->filled[bucket]) {
            const uint32_t word = wend__ctz64(s->filled[bucket]);
            s->filled[bucket] &= s->filled[bucket] - 1;
            for (uint64_t *at = &s->buckets[bucket][word]; *at;) {
                const uint32_t local = word << 6 | wend__ctz64(*at);
                *at &= *at - 1;
                s->work++;
                expand_cell(s, base, local, offsets);
            }
        }
}

/* Begins the next round. False: no cell waits any more. */
static bool next_round(wend__spread *s) {
    uint32_t least = WEND__UNREACHED, kept = 0;
    for (uint32_t i = 0; i < s->active_count; i++) {
        const uint32_t chunk = s->active[i];
        if (s->least[chunk] == WEND__UNREACHED) {
            s->is_active[chunk] = 0;
            continue;
        }
        s->active[kept++] = chunk;
        if (s->least[chunk] < least) least = s->least[chunk];
    }
    s->work += s->active_count / LOOKS;
    s->active_count = kept;
    s->until = least + ((uint32_t)BUCKETS << s->shift);
    return kept > 0;
}

/* ---- graphs: Dijkstra's algorithm with a heap of nodes, four children each ---- */

enum { CHILDREN = 4 };

static void put_at(wend__spread *s, uint32_t place, uint32_t node) {
    s->heap[place] = node;
    s->place[node] = place;
}

static void move_up(wend__spread *s, uint32_t place, uint32_t node) {
    const uint32_t number = s->numbers[node];
    while (place > 0) {
        const uint32_t parent = (place - 1) / CHILDREN;
        if (s->numbers[s->heap[parent]] <= number) break;
        put_at(s, place, s->heap[parent]);
        place = parent;
    }
    put_at(s, place, node);
}

static void move_down(wend__spread *s, uint32_t node) {
    const uint32_t number = s->numbers[node];
    uint32_t place = 0;
    for (uint32_t first; (first = CHILDREN * place + 1) < s->heap_count;) {
        const uint32_t end = first + CHILDREN < s->heap_count ? first + CHILDREN : s->heap_count;
        uint32_t best = first;
        for (uint32_t child = first + 1; child < end; child++)
            if (s->numbers[s->heap[child]] < s->numbers[s->heap[best]]) best = child;
        if (s->numbers[s->heap[best]] >= number) break;
        put_at(s, place, s->heap[best]);
        place = best;
    }
    put_at(s, place, node);
}

static void lower_node(wend__spread *s, uint32_t node, uint32_t number) {
    const uint32_t old = s->numbers[node];
    if (number >= old) return;
    s->numbers[node] = number;
    if (old == WEND__UNREACHED) {
        if (s->reached) s->reached[s->count++] = node;
        move_up(s, s->heap_count++, node);
    } else {
        move_up(s, s->place[node], node); /* the node is in the heap, as a node that was taken out is never lowered */
    }
}

static bool run_heap(wend__spread *s, uint64_t effort) {
    const uint32_t skipped = s->towards == WEND__SPREAD_ALONG ? 1 : s->towards == WEND__SPREAD_AGAINST ? 0 : 2;
    for (; effort > 0 && s->heap_count > 0; effort--, s->work++) {
        const uint32_t node = s->heap[0], number = s->numbers[node];
        s->farthest = number; /* nodes come off in order */
        if (--s->heap_count > 0) move_down(s, s->heap[s->heap_count]);
        uint32_t count;
        const wend__way *ways = wend__ground_ways(s->ground, node, &count);
        for (uint32_t i = 0; i < count; i++) {
            if (ways[i].entering == skipped) continue;
            const uint64_t reach = number + (uint64_t)ways[i].cost;
            lower_node(s, ways[i].to, reach < WEND__LANDMARK_FAR ? (uint32_t)reach : WEND__LANDMARK_FAR);
        }
    }
    return s->heap_count == 0;
}

/* ---- both ---- */

void wend__spread_from(wend__spread *s, uint32_t cell) {
    if (!s->ground->directions) {
        lower_node(s, cell, 0);
        return;
    }
    s->until = 0, s->cursor = 0, s->visited = false;
    lower_outside(s, cell, 0);
}

bool wend__spread_run(wend__spread *s, uint64_t effort) {
    if (!s->ground->directions) return run_heap(s, effort);
    const uint64_t end = effort < UINT64_MAX - s->work ? s->work + effort : UINT64_MAX;
    while (s->work < end) {
        if (s->cursor == s->active_count) {
            if (!s->visited && !next_round(s)) return true;
            s->cursor = 0, s->visited = false;
            continue;
        }
        const uint32_t chunk = s->active[s->cursor++];
        if (s->least[chunk] >= s->until) continue;
        s->work += VISIT_WORK;
        visit_chunk(s, chunk);
        s->visited = true;
    }
    return false;
}
