/* SPDX-License-Identifier: MIT */
/* The nearest cell among voxels: visits the chunks around the goal's, the nearer ones first. */
#include "map/components/components.h"
#include "map/nearest/nearest.h"
#include "map/regions/regions.h"
#include "map/store/planes.h"

/* Prices, in points. */
enum { PLACE = 6, CHUNK = 40, ROW = 7, RUN = 16 };

enum { SIDE = WEND__VOXEL_SIDE };

/* ---- a chunk ---- */

/* The last region that was compared, and whether its component is wanted. */
typedef struct region_known {
    uint32_t region;
    bool wanted;
} region_known;

static bool is_wanted(wend__nearest *n, const wend__chunk_regions *regions, region_known *known, wend_cell cell) {
    const uint32_t region = wend__chunk_region_of(regions, wend__place_of(n->view, cell).local);
    if (region != known->region)
        *known = (region_known){region, wend__nearest_wants(n, wend__regions_of(n->view, cell))};
    return known->wanted;
}

static void scan_row(wend__nearest *n, const wend__nearest_query *query, const wend__chunk_regions *regions,
                     region_known *known, wend_cell first) {
    const unsigned word = (unsigned)(first.z & 15) << 2 | (unsigned)(first.y & 15) >> 2;
    const unsigned shift = (unsigned)(first.y & 3) << 4;
    const uint32_t open = (uint32_t)(regions->open->rows[word] >> shift) & 0xffff;
    const uint32_t split = regions->split ? (uint32_t)(regions->split[word] >> shift) & 0xffff : 0;
    uint32_t begins = open & (~(open << 1) | split), ends = open & (~(open >> 1) | split >> 1);
    for (; begins; begins &= begins - 1, ends &= ends - 1) {
        const wend_cell from = {first.x + (int32_t)wend__ctz32(begins), first.y, first.z};
        const wend_box box = {from, {first.x + (int32_t)wend__ctz32(ends), first.y, first.z}};
        n->points += RUN;
        if (wend__nearest_may_hold(n, query, &box) && is_wanted(n, regions, known, from))
            wend__nearest_try_run(n, query, from, box.max.x);
    }
}

static void scan_chunk(wend__nearest *n, const wend__nearest_query *query, wend_cell chunk) {
    const wend__version *v = n->view;
    const wend_cell low = {chunk.x * SIDE, chunk.y * SIDE, chunk.z * SIDE};
    const int32_t row = chunk.z * v->chunk_y + chunk.y;
    const wend__block_regions *block = v->regions->of[wend__block_index(v, chunk.x, row)].regions;
    const wend__chunk_regions *regions = block->chunks[wend__chunk_index(chunk.x, row)];
    const wend_box all = {low, {low.x + SIDE - 1, low.y + SIDE - 1, low.z + SIDE - 1}};
    region_known known = {UINT32_MAX, false};
    if (regions->count == 0 || !wend__nearest_may_hold(n, query, &all)) return;
    n->points += CHUNK;
    for (int32_t z = low.z; z < low.z + SIDE; z++)
        for (int32_t y = low.y; y < low.y + SIDE; y++) {
            const wend_box box = {{low.x, y, z}, {low.x + SIDE - 1, y, z}};
            n->points += ROW;
            if (wend__nearest_may_hold(n, query, &box)) scan_row(n, query, regions, &known, box.min);
        }
}

/* ---- the chunks around ---- */

/* The chunks that the map has along each axis. */
static wend_cell chunks_of(const wend__version *v) {
    return (wend_cell){v->chunk_columns, v->chunk_y, v->chunk_rows / v->chunk_y};
}

static int32_t farther(int32_t at, int32_t count) {
    return wend__most(at, count - 1 - at);
}

/* Goes to the first chunk of the ring. */
static void begin_ring(wend__nearest *n, wend_cell middle) {
    n->at = (wend_cell){wend__most(middle.x - n->ring, 0), wend__most(middle.y - n->ring, 0),
                        wend__most(middle.z - n->ring, 0)};
}

/* Goes to the next chunk of the ring, inner ones too. False: it was the last. */
static bool advance(wend__nearest *n, wend_cell middle, wend_cell count) {
    const int32_t ring = n->ring;
    const bool inside =
        wend__distance(n->at.y, middle.y) < (uint32_t)ring && wend__distance(n->at.z, middle.z) < (uint32_t)ring;
    n->at.x = inside && n->at.x < middle.x + ring ? middle.x + ring : n->at.x + 1;
    if (n->at.x <= wend__least(middle.x + ring, count.x - 1)) return true;
    n->at.x = wend__most(middle.x - ring, 0);
    if (++n->at.y <= wend__least(middle.y + ring, count.y - 1)) return true;
    n->at.y = wend__most(middle.y - ring, 0);
    return ++n->at.z <= wend__least(middle.z + ring, count.z - 1);
}

static bool is_on_ring(const wend__nearest *n, wend_cell middle) {
    const uint32_t ring = (uint32_t)n->ring;
    return wend__distance(n->at.x, middle.x) == ring || wend__distance(n->at.y, middle.y) == ring ||
           wend__distance(n->at.z, middle.z) == ring;
}

/* Returns true if a ring's chunks, or later ones, may hold a nearer cell: as many straight steps away at least. */
static bool may_hold(const wend__nearest *n, wend_cell middle, wend_cell count) {
    const int32_t last =
        wend__most(wend__most(farther(middle.x, count.x), farther(middle.y, count.y)), farther(middle.z, count.z));
    if (n->ring > last) return false;
    if (n->ring == 0) return true;
    const uint64_t steps = (uint64_t)(n->ring - 1) * SIDE + 1;
    return steps <= (uint64_t)n->radius &&
           (!n->found || steps * (uint32_t)n->view->rules.cost_straight <= n->nearness.low);
}

bool wend__nearest_in_space(wend__nearest *n, const wend__nearest_query *query, uint64_t points) {
    const wend_cell goal = query->goals[n->goal], count = chunks_of(n->view);
    const wend_cell middle = {goal.x / SIDE, goal.y / SIDE, goal.z / SIDE};
    if (!n->begun) {
        n->begun = true, n->ring = 0;
        begin_ring(n, middle);
    }
    while (may_hold(n, middle, count)) {
        if (n->points >= points) return false;
        n->points += PLACE;
        if (is_on_ring(n, middle)) scan_chunk(n, query, n->at);
        if (advance(n, middle, count)) continue;
        n->ring++;
        begin_ring(n, middle);
    }
    return true;
}
