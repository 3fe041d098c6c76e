/* SPDX-License-Identifier: MIT */
/* Corners of the cells of a flat grid, and all obstacles around each. */
#include "motion/clear/ground.h"
#include "map/kinds/walls.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/store/terrain.h"
#include "map/version/occupancy.h"

wend__obstacles wend__ground_of(const wend_map *map, const wend__version *version, int32_t mover, bool units,
                                wend_cell start) {
    const wend__version *view = wend__version_view(version, mover);
    wend__obstacles ground = {.cells = view, .factors = view->rules.factors, .start = start};
    ground.size = wend__version_mover_size(version, mover);
    ground.shift = (ground.size - 1) * WEND__HALF_CELL;
    ground.units = units && map->occupancy ? map : NULL;
    if (ground.size == 1) return ground;
    WEND__DEBUG_ASSERT(mover > 0 && version->views);
    ground.cells = version;
    ground.factors = version->views->of[mover - 1].mover.factors;
    return ground;
}

static bool occupied(const wend__obstacles *ground, int32_t x, int32_t y) {
    const int32_t dx = x - ground->start.x, dy = y - ground->start.y;
    const bool own = dx >= 0 && dy >= 0 && dx < ground->size && dy < ground->size;
    return !own && wend__occupancy_at(ground->units->occupancy, (wend_cell){x, y, 0}) > 0;
}

bool wend__ground_blocked(const wend__obstacles *ground, int32_t x, int32_t y) {
    if (!wend__on_map(ground->cells, x, y)) return true;
    if (ground->factors[wend__version_class(ground->cells, x, y)] == 0) return true;
    return ground->units && occupied(ground, x, y);
}

/* Closed steps out of a cell; none where it is off the map. */
static uint32_t closed_out_of(const wend__version *v, int32_t x, int32_t y) {
    return wend__on_map(v, x, y) ? wend__closed_at(v, (wend_cell){x, y, 0}) : 0;
}

static uint32_t walls_at(const wend__version *v, int32_t x, int32_t y) {
    const uint32_t nw = closed_out_of(v, x, y), ne = closed_out_of(v, x + 1, y);
    const uint32_t sw = closed_out_of(v, x, y + 1), se = closed_out_of(v, x + 1, y + 1);
    uint32_t around = 0;
    if ((nw >> WEND__E | ne >> WEND__W) & 1) around |= WEND__WALL_N;
    if ((ne >> WEND__S | se >> WEND__N) & 1) around |= WEND__WALL_E;
    if ((sw >> WEND__E | se >> WEND__W) & 1) around |= WEND__WALL_S;
    if ((nw >> WEND__S | sw >> WEND__N) & 1) around |= WEND__WALL_W;
    if ((nw >> WEND__SE | se >> WEND__NW | ne >> WEND__SW | sw >> WEND__NE) & 1) around |= WEND__WALL_DIAGONAL;
    return around;
}

uint32_t wend__corner_at(const wend__obstacles *ground, int32_t x, int32_t y) {
    uint32_t around = 0;
    for (int32_t i = 0; i < 4; i++)
        if (wend__ground_blocked(ground, x + (i & 1), y + (i >> 1))) around |= 1u << i;
    return ground->cells->closed_steps ? around | walls_at(ground->cells, x, y) : around;
}

/* A single cell, or two that only touch there. Flat sides, inner corners and the inside of walls bend no line. */
static bool bends_line(uint32_t around) {
    const uint32_t bending = 1u << WEND__CORNER_NW | 1u << WEND__CORNER_NE | 1u << WEND__CORNER_SW |
                             1u << WEND__CORNER_SE | 1u << (WEND__CORNER_NW | WEND__CORNER_SE) |
                             1u << (WEND__CORNER_NE | WEND__CORNER_SW);
    return (around & WEND__CORNER_CELLS) != around || (bending >> around & 1) != 0;
}

/* The blocked cells of a row of the chunk of x. @return false: steps are closed there */
static bool blocked_row(const wend__version *v, const uint8_t *factors, int32_t x, int32_t y, uint64_t *out) {
    const int32_t columns = v->width - (x & ~63);
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    if (chunk->closed_near) return false;
    *out = ~wend__open_row(factors, chunk, (unsigned)y & 63);
    if (columns < WEND__CHUNK_SIDE) *out |= ~wend__low_bits((unsigned)columns);
    return true;
}

/* Finds the corners of a row of a chunk with an obstacle, or those that bend a line; bit 63, the corner between it and
 * the next chunk, is not set. @return false: there are obstacles other than blocked cells, or the rim */
static bool corner_row(const wend__obstacles *ground, int32_t x, int32_t y, bool bends, uint64_t *out) {
    const wend__version *v = ground->cells;
    uint64_t above, below;
    if (ground->units || x < 0 || y < 0 || x >= v->width || y + 1 >= v->height) return false;
    if (!blocked_row(v, ground->factors, x, y, &above)) return false;
    if (!blocked_row(v, ground->factors, x, y + 1, &below)) return false;
    const uint64_t falling = above | below >> 1, rising = above >> 1 | below; /* diagonals: NW and SE, NE and SW */
    *out = (bends ? falling ^ rising : falling | rising) & ~(UINT64_C(1) << 63);
    return true;
}

int32_t wend__corner_next(const wend__obstacles *ground, int32_t x, int32_t y, int32_t last, bool bends) {
    while (x <= last) {
        uint64_t corners;
        if ((x & 63) < 63 && corner_row(ground, x, y, bends, &corners)) {
            corners >>= x & 63;
            if (corners) return x + (int32_t)wend__ctz64(corners);
            x |= 63;
        } else {
            const uint32_t around = wend__corner_at(ground, x, y);
            if (bends ? bends_line(around) : around != 0) break;
            x++;
        }
    }
    return x;
}

/* ---- the corners near a piece, row by row ---- */

static void span_take(wend__row_span *s, int64_t x) {
    if (x < s->low) s->low = x;
    if (x > s->high) s->high = x;
}

/* Returns the x of the line from p to q at height y, which lies between them; within a thousandth. */
static int64_t x_at(wend__milli_point p, wend__milli_point q, int64_t y) {
    WEND__DEBUG_ASSERT(p.y < q.y && y >= p.y && y <= q.y);
    return p.x + ((int64_t)q.x - p.x) * (y - p.y) / ((int64_t)q.y - p.y);
}

void wend__row_span_add(wend__row_span *s, wend__milli_point p, wend__milli_point q, int64_t low, int64_t high) {
    if (p.y > q.y) {
        const wend__milli_point r = p;
        p = q, q = r;
    }
    if (q.y < low || p.y > high) return;
    span_take(s, p.y >= low ? p.x : x_at(p, q, low));
    span_take(s, q.y <= high ? q.x : x_at(p, q, high));
}
