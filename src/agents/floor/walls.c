/* SPDX-License-Identifier: MIT */
/* Discs and walls: blocked cells are squares, closed steps are the edges between two cells. */
#include "agents/floor/floor.h"

enum { ONE = WEND__BODY_ONE, STEP = ONE / 8, ROOM = ONE / 160 };

/// The nearest point of a rectangle of no or some size, and whether a disc comes nearer than its radius.
static bool is_near(wend__vec p, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t radius,
                    wend__vec *off) {
    off->x = p.x < left ? p.x - left : p.x > right ? p.x - right : 0;
    off->y = p.y < top ? p.y - top : p.y > bottom ? p.y - bottom : 0;
    return wend__vec_dot(*off, *off) < (int64_t)radius * radius;
}

/* Calls for each wall in reach of a disc; stops where the visitor returns true. @return whether one did */
typedef bool visit_fn(void *context, wend__vec off);

/* Visits the walls of a cell. `of` NULL: it is off the map, or lacks a table. */
WEND__INLINE bool visit_cell(const wend__body_land *floor, const wend__floor_chunk *of, int32_t local, int32_t x,
                             int32_t y, wend__vec p, int32_t radius, visit_fn *visit, void *context) {
    const int32_t left = x * ONE, top = y * ONE;
    wend__vec off;
    if (!of || !of->clear[local])
        return is_near(p, left, top, left + ONE, top + ONE, radius, &off) && visit(context, off);
    if (!floor->sight && (!of->has_walls || !of->walls[local])) return false;
    const uint8_t walls = floor->sight ? wend__unfolded_walls(floor->sight, x, y) : of->walls[local];
    if (walls & WEND__WALL_EAST && is_near(p, left + ONE, top, left + ONE, top + ONE, radius, &off) &&
        visit(context, off))
        return true;
    return walls & WEND__WALL_SOUTH && is_near(p, left, top + ONE, left + ONE, top + ONE, radius, &off) &&
           visit(context, off);
}

WEND__INLINE bool visit_walls(wend__body_land *floor, wend__vec p, int32_t radius, visit_fn *visit, void *context) {
    const int32_t x0 = wend__cell_along(p.x - radius), x1 = wend__cell_along(p.x + radius);
    const int32_t y0 = wend__cell_along(p.y - radius), y1 = wend__cell_along(p.y + radius);
    const bool one = !floor->sight && x0 >= 0 && y0 >= 0 && x1 < floor->width && y1 < floor->height &&
                     x0 >> 6 == x1 >> 6 && y0 >> 6 == y1 >> 6; /* all in one chunk of the map */
    const wend__floor_chunk *chunk = one ? wend__floor_of(floor, x0, y0) : NULL;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            const wend_cell at = one ? (wend_cell){x, y, 0} : wend__floor_cell(floor, x, y);
            const wend__floor_chunk *of = one ? chunk : wend__floor_of(floor, at.x, at.y);
            if (visit_cell(floor, of, (at.y & 63) << 6 | (at.x & 63), x, y, p, radius, visit, context)) return true;
        }
    return false;
}

static bool any(void *context, wend__vec off) {
    (void)context, (void)off;
    return true;
}

/* Returns whether the mover can stand where a disc is, which may be smaller than what it covers. */
static bool stands(wend__body_land *floor, wend__vec p) {
    const wend__vec own = {p.x - floor->offset, p.y - floor->offset};
    return floor->size == 1 || wend__floor_stands(floor, wend__cell_at(own));
}

/* Returns the chunk of a cell; NULL: discs of a radius meet more there than the blocked cells round their own. */
static inline const wend__floor_chunk *plain_chunk(wend__body_land *floor, wend_cell cell, int32_t radius) {
    if (floor->sight || floor->around_x || floor->around_y || floor->size > 1 || radius > ONE / 2) return NULL;
    const wend__floor_chunk *chunk = wend__floor_of(floor, cell.x, cell.y);
    return chunk && !chunk->has_walls ? chunk : NULL;
}

/* Returns whether a disc covers no wall of a plain chunk; below 0: it reaches into another chunk. */
WEND__INLINE int32_t fits_in_chunk(const wend__floor_chunk *chunk, wend__vec p, int32_t radius) {
    const int32_t fx = p.x & (ONE - 1), fy = p.y & (ONE - 1), far = ONE - radius;
    const int32_t to_x = fx < radius ? -1 : fx > far, to_y = fy < radius ? -1 : fy > far; /* the cells in reach */
    if (!to_x && !to_y) return 1;
    const int32_t x = wend__cell_along(p.x) & 63, y = wend__cell_along(p.y) & 63;
    if ((x + to_x) >> 6 || (y + to_y) >> 6) return -1;
    const uint8_t *clear = &chunk->clear[y << 6 | x];
    const int32_t dx = to_x < 0 ? fx : ONE - fx, dy = to_y < 0 ? fy : ONE - fy;
    return (!to_x || clear[to_x]) && (!to_y || clear[to_y * 64]) &&
           (!to_x || !to_y || clear[to_y * 64 + to_x] || dx * dx + dy * dy >= radius * radius);
}

bool wend__floor_fits(wend__body_land *floor, wend__vec p, int32_t radius) {
    const wend_cell cell = wend__cell_at(p);
    const int32_t clear = wend__floor_clear(floor, cell.x, cell.y);
    if (clear == 0) return false;
    if ((clear - 1) * ONE >= wend__most(radius, floor->offset)) return true;
    const wend__floor_chunk *chunk = plain_chunk(floor, cell, radius);
    const int32_t fits = chunk ? fits_in_chunk(chunk, p, radius) : -1;
    return fits >= 0 ? fits : !visit_walls(floor, p, radius, any, NULL) && stands(floor, p);
}

static bool note_wall(void *context, wend__vec off) {
    wend__vec *at = context;
    *at = wend__minus(*at, off);
    at->x -= (off.x > 0) - (off.x < 0), at->y -= (off.y > 0) - (off.y < 0); /* not the cell that it bounds */
    return true;
}

wend_cell wend__floor_wall(wend__body_land *floor, wend__vec p, int32_t radius) {
    visit_walls(floor, p, radius, note_wall, &p);
    return wend__floor_cell(floor, wend__cell_along(p.x), wend__cell_along(p.y));
}

/* Returns whether the middle of a disc goes straight over a ledge in its closed direction. Its rim may lean over that.
 * The points are less than a cell apart; through a corner exactly it goes along x first. */
static bool climbs(wend__body_land *floor, wend__vec from, wend__vec to) {
    const int32_t x = wend__cell_along(from.x), y = wend__cell_along(from.y);
    const int32_t dx = wend__cell_along(to.x) - x, dy = wend__cell_along(to.y) - y;
    if (WEND__LIKELY(!dx && !dy) || floor->size > 1) return false;
    const int64_t to_x = (int64_t)(dx > 0 ? (x + 1) * ONE - from.x : from.x - x * ONE) * wend__distance(from.y, to.y);
    const int64_t to_y = (int64_t)(dy > 0 ? (y + 1) * ONE - from.y : from.y - y * ONE) * wend__distance(from.x, to.x);
    const bool x_first = dx && (!dy || to_x <= to_y);
    if (dx && wend__floor_holds_up(floor, x, y + (x_first ? 0 : dy), dx, 0) & WEND__LEDGES) return true;
    return dy && wend__floor_holds_up(floor, x + (x_first ? dx : 0), y, 0, dy) & WEND__LEDGES;
}

/* Returns whether two points that see each other are on one floor: another floor may be nearer there. */
static bool same_floor(const wend__body_land *floor, wend__vec from, wend__vec to) {
    return wend__unfolded_shift(floor->sight, wend__cell_along(from.x), wend__cell_along(from.y)) ==
           wend__unfolded_shift(floor->sight, wend__cell_along(to.x), wend__cell_along(to.y));
}

/* Returns what free_way() does, in a plain chunk; below 0: the way leads out of it. */
static int32_t free_in_chunk(wend__body_land *floor, wend__vec p, wend__vec unit, int32_t radius, int32_t most) {
    const wend_cell from = wend__cell_at(p);
    const wend__floor_chunk *chunk = plain_chunk(floor, from, radius);
    int32_t clear = chunk ? chunk->clear[(from.y & 63) << 6 | (from.x & 63)] : 0;
    for (int32_t far = 0, next; far < most; far = next) {
        const int32_t hop = wend__most((clear - 1) * ONE - radius, STEP);
        next = wend__least(far + hop, most);
        const wend__vec there = wend__along(p, unit, next);
        const wend_cell cell = wend__cell_at(there);
        if (!chunk || (cell.x ^ from.x) >> 6 || (cell.y ^ from.y) >> 6) return -1;
        clear = chunk->clear[(cell.y & 63) << 6 | (cell.x & 63)];
        const int32_t fits = clear == 1 ? fits_in_chunk(chunk, there, radius) : clear > 0;
        if (fits <= 0) return fits < 0 ? -1 : wend__most(0, next - hop);
    }
    return most;
}

/* Returns how far a disc gets from a point along a unit vector, up to `most`. */
static int32_t free_way(wend__body_land *floor, wend__vec p, wend__vec unit, int32_t radius, int32_t most) {
    const int32_t free = free_in_chunk(floor, p, unit, radius, most);
    if (WEND__LIKELY(free >= 0)) return free;
    for (int32_t far = 0; far < most;) {
        const wend__vec at = wend__along(p, unit, far);
        int32_t hop = (wend__floor_clear(floor, wend__cell_along(at.x), wend__cell_along(at.y)) - 1) * ONE -
                      wend__most(radius, floor->offset);
        if (hop < STEP) hop = STEP;
        const int32_t next = wend__least(far + hop, most);
        if (WEND__UNLIKELY(floor->sight != NULL) && hop > STEP && !same_floor(floor, at, wend__along(p, unit, next)))
            return far;
        const wend__vec there = wend__along(p, unit, next);
        if (!wend__floor_fits(floor, there, radius) || (hop == STEP && climbs(floor, at, there)))
            return wend__most(0, next - hop);
        far = next;
    }
    return most;
}

bool wend__floor_sees(wend__body_land *floor, wend__vec from, wend__vec to, int32_t radius) {
    const wend__vec way = wend__minus(to, from);
    const int32_t length = wend__length(way);
    const bool roomy = wend__floor_fits(floor, from, radius + ROOM) && wend__floor_fits(floor, to, radius + ROOM);
    if (roomy) radius += ROOM; /* the samples miss up to this */
    if (length < 8) return true;
    return free_way(floor, from, wend__scaled(way, ONE, length), radius, length) >= length;
}

static wend__vec part_of_way(wend__vec p, wend__vec v, int32_t part, int32_t parts) {
    return (wend__vec){p.x + (int32_t)((int64_t)v.x * part / parts), p.y + (int32_t)((int64_t)v.y * part / parts)};
}

bool wend__floor_hits(wend__body_land *floor, wend__vec p, wend__vec v, int32_t radius) {
    const int32_t parts = 1 + wend__length(v) / (radius + 1);
    for (int32_t k = parts; k > 0; k--) {
        const wend__vec at = part_of_way(p, v, k, parts);
        if (!wend__floor_fits(floor, at, radius) || climbs(floor, part_of_way(p, v, k - 1, parts), at)) return true;
    }
    return false;
}

static bool note_nearest(void *context, wend__vec off) {
    int64_t *nearest = context;
    if (wend__vec_dot(off, off) < *nearest) *nearest = wend__vec_dot(off, off);
    return false;
}

/* Returns the squared distance from a point to the nearest wall, at most that of the radius. */
static int64_t nearest_wall(wend__body_land *floor, wend__vec p, int32_t radius) {
    int64_t nearest = (int64_t)radius * radius;
    visit_walls(floor, p, radius, note_nearest, &nearest);
    return nearest;
}

bool wend__floor_hits_more(wend__body_land *floor, wend__vec p, wend__vec v, int32_t radius) {
    const int32_t parts = 1 + wend__length(v) * 8 / (radius + 1);
    const int64_t before = nearest_wall(floor, p, radius);
    for (int32_t k = parts; k > 0; k--) {
        const wend__vec at = part_of_way(p, v, k, parts);
        if (before > 0 && nearest_wall(floor, at, radius) < before) return true;
        if (climbs(floor, part_of_way(p, v, k - 1, parts), at)) return true;
    }
    return false;
}

/// The centre of a disc that walls push away, and its radius.
typedef struct pushed {
    wend__vec at;
    int32_t radius;
} pushed;

static bool push(void *context, wend__vec off) {
    pushed *p = context;
    const int32_t length = wend__length(off);
    if (length > 0 && length <= p->radius) p->at = wend__plus(p->at, wend__scaled(off, p->radius + 2 - length, length));
    return false;
}

wend__vec wend__floor_slide(wend__body_land *floor, wend__vec p, wend__vec v, int32_t radius) {
    pushed end = {wend__plus(p, v), radius};
    visit_walls(floor, end.at, radius, push, &end);
    return wend__minus(end.at, p);
}
