/* SPDX-License-Identifier: MIT */
/* Bodies by position: bins of 2 x 2 cells, by place on small maps, by hash on large ones. */
#include "agents/discs/state.h"

#include "map/version/map.h"

enum { BIN_SHIFT = WEND__BODY_SHIFT + 1, BIN = 1 << BIN_SHIFT, MOST_PLACES = 1 << 20, OTHERS = 24, ROUNDING = 4 };
enum { MET_SHIFT = 20, MOST_BINS = 8 * WEND__BODY_FAR / BIN }; ///< bits of a number of neighbours met; bins of a ring

static int32_t bins_along(int32_t cells) {
    return (cells + 1) / 2;
}

uint32_t wend__body_bins(const wend_map *map, uint32_t capacity) {
    const uint64_t all = (uint64_t)bins_along(map->width) * (uint64_t)bins_along(map->height);
    if (all <= MOST_PLACES) return (uint32_t)all;
    uint32_t bins = 64;
    while (bins < 2 * capacity) bins *= 2;
    return bins;
}

static int32_t *first_of(const wend__bodies *bodies, int32_t x, int32_t y) {
    if (bodies->bin_mask == 0) return &bodies->bins[(size_t)y * (size_t)bodies->bin_columns + (size_t)x];
    const uint64_t hash = ((uint64_t)(uint32_t)y << 32 | (uint32_t)x) * UINT64_C(0x9E3779B97F4A7C15);
    return &bodies->bins[(uint32_t)(hash >> 32) & bodies->bin_mask];
}

/* Returns whether a body is in a bin, which others may share. */
static bool is_in(const wend__body *body, int32_t x, int32_t y) {
    return body->at.x >> BIN_SHIFT == x && body->at.y >> BIN_SHIFT == y;
}

/* Returns where the list of a body's bin goes on with that body, or with the first one of a higher index. */
static int32_t *place_in_bin(wend__bodies *bodies, uint32_t index) {
    const wend__vec at = bodies->of[index].at;
    int32_t *place = first_of(bodies, at.x >> BIN_SHIFT, at.y >> BIN_SHIFT);
    while (*place >= 0 && *place < (int32_t)index) place = &bodies->of[*place].next;
    return place;
}

void wend__body_enter_bin(wend__bodies *bodies, uint32_t index) {
    int32_t *place = place_in_bin(bodies, index);
    bodies->of[index].next = *place;
    *place = (int32_t)index;
}

void wend__body_leave_bin(wend__bodies *bodies, uint32_t index) {
    *place_in_bin(bodies, index) = bodies->of[index].next;
}

/* ---- over the rim ---- */

/// The views of a square: from its own place and, where the map wraps, from each place from which it
/// reaches over the rim.
typedef struct views {
    uint32_t count;
    wend__vec by[9];              ///< added to its place
    const wend__unfolded *sight;  ///< each of its shifts is a view; NULL: no seam is near
    const wend__sheet_part *part; ///< the sheet of its place; NULL: the map has none
} views;

static uint32_t views_along(int32_t low, int32_t high, int32_t around, int32_t by[3]) {
    uint32_t count = 1;
    by[0] = 0;
    if (around && low < 0) by[count++] = around;
    if (around && high >= around) by[count++] = -around;
    return count;
}

/* Returns the views from a cell of a map with sheets, over seams. */
static views views_on_sheets(const wend__bodies *bodies, wend_cell cell) {
    views of = {.count = 1, .sight = wend__body_sight(bodies, cell)};
    of.part = wend__sheets_part(bodies->sheets, cell);
    if (!of.sight) return of;
    for (of.count = 0; of.count < of.sight->shift_count; of.count++)
        of.by[of.count] =
            wend__scaled((wend__vec){of.sight->shifts[of.count].x, of.sight->shifts[of.count].y}, WEND__BODY_ONE, 1);
    return of;
}

/* Returns whether a point of the map, found in a view, is in sight there, and not above or below. */
static bool is_in_sight(const views *from, uint32_t view, wend__vec at) {
    if (WEND__LIKELY(!from->sight)) return true;
    const wend_cell cell = wend__cell_at(at), shift = from->sight->shifts[view];
    return wend__unfolded_shift(from->sight, cell.x - shift.x, cell.y - shift.y) == view;
}

/* The same for neighbours, which only the gait counts: with no seam near, points of other sheets are out of sight. */
static bool is_near_by(const wend__bodies *bodies, const views *from, uint32_t view, wend__vec at) {
    if (WEND__LIKELY(!from->part)) return true;
    if (from->sight) return is_in_sight(from, view, at);
    const wend__sheet_part *part = wend__sheets_part(bodies->sheets, wend__cell_at(at));
    return part->x == from->part->x && part->y == from->part->y;
}

/* @param at   the observer's point on the map */
static views views_of(const wend__bodies *bodies, wend__vec at, wend__vec low, wend__vec high) {
    views of = {.count = 1};
    int32_t x[3], y[3];
    if (WEND__UNLIKELY(bodies->sheets != NULL)) return views_on_sheets(bodies, wend__cell_at(at));
    if (WEND__LIKELY(!bodies->around.x && !bodies->around.y)) return of;
    const uint32_t columns = views_along(low.x, high.x, bodies->around.x, x);
    const uint32_t rows = views_along(low.y, high.y, bodies->around.y, y);
    for (of.count = 0; of.count < columns * rows; of.count++)
        of.by[of.count] = (wend__vec){x[of.count % columns], y[of.count / columns]};
    return of;
}

/* ---- the nearest ---- */

/// The nearest so far, in no order.
typedef struct near_list {
    wend__near_bodies *near;
    int64_t keys[WEND__BODY_NEAR]; ///< their ranks: squared distance << MET_SHIFT | number of those met before
    int64_t limit;                 ///< squared distance: only nearer ones are taken
    uint32_t met, last;            ///< last: once the list is full, the place of the farthest
} near_list;

/* Finds the farthest of a full list: only nearer ones are taken from now on. */
static void find_last(near_list *list) {
    uint32_t last = 0;
    for (uint32_t k = 1; k < WEND__BODY_NEAR; k++) last = list->keys[k] > list->keys[last] ? k : last;
    list->last = last;
    list->limit = list->keys[last] >> MET_SHIFT;
}

/* Adds one that is nearer than the limit, in place of the farthest if the list is full. Returns it, to be filled. */
static inline wend__near_body *add(near_list *list, int64_t apart) {
    wend__near_bodies *near = list->near;
    const uint32_t place = near->count < WEND__BODY_NEAR ? near->count++ : list->last;
    WEND__DEBUG_ASSERT(apart < list->limit && list->met < 1U << MET_SHIFT);
    near->of[place].apart = apart;
    near->of[place].rank = list->keys[place] = apart << MET_SHIFT | list->met++;
    if (near->count == WEND__BODY_NEAR) find_last(list);
    return &near->of[place];
}

static void add_bin(const wend__bodies *bodies, const views *from, uint32_t view, uint32_t self, wend__vec at,
                    wend_cell bin, near_list *list) {
    for (int32_t j = bin.z; j >= 0; j = bodies->of[j].next) {
        const wend__body *other = &bodies->of[j];
        if ((uint32_t)j == self || (bodies->bin_mask && !is_in(other, bin.x, bin.y))) continue;
        const wend__vec off = wend__minus(other->at, at);
        const int64_t apart = wend__vec_dot(off, off);
        if (apart >= list->limit || !is_near_by(bodies, from, view, other->at)) continue;
        wend__near_body *found = add(list, apart);
        found->off = off, found->velocity = other->velocity;
        found->radius = other->radius, found->index = j;
    }
}

/* A moving neighbour already occupies its whole step, so the nearest point of that step counts. */
static void add_others(const wend__bodies *bodies, const views *seen, uint32_t view, wend__vec at, near_list *list) {
    wend__other others[OTHERS];
    const uint32_t count = bodies->world.others(bodies->world.context, at.x, at.y, 3 * WEND__BODY_ONE, others, OTHERS);
    for (uint32_t k = 0; k < count; k++) {
        const wend__vec from = wend__minus((wend__vec){others[k].x, others[k].y}, at);
        const wend__vec way = {others[k].to_x - others[k].x, others[k].to_y - others[k].y};
        const int64_t length = wend__vec_dot(way, way), along = -wend__vec_dot(from, way);
        const wend__vec off = length == 0 || along <= 0 ? from
                              : along >= length         ? wend__plus(from, way)
                                                        : wend__plus(from, wend__scaled(way, along >> 8, length >> 8));
        const int64_t apart = wend__vec_dot(off, off);
        if (apart >= list->limit || !is_near_by(bodies, seen, view, (wend__vec){others[k].to_x, others[k].to_y}))
            continue;
        wend__near_body *found = add(list, apart);
        found->off = off, found->velocity = (wend__vec){0, 0};
        found->radius = others[k].radius, found->index = -1;
        found->from = from, found->goes = wend__minus((wend__vec){others[k].goes_x, others[k].goes_y}, at);
        found->step = others[k].step;
    }
}

/* Ring by ring: the bins of ring k are at least k - 1 bins and the distance to the edge of the own one away. The first
 * bodies of a ring's bins are fetched before any is read. */
static void gather(const wend__bodies *bodies, const views *from, uint32_t view, uint32_t self, wend__vec at,
                   near_list *list) {
    const int32_t bx = at.x >> BIN_SHIFT, by = at.y >> BIN_SHIFT, fx = at.x & (BIN - 1), fy = at.y & (BIN - 1);
    const int32_t edge = wend__least(wend__least(fx, BIN - fx), wend__least(fy, BIN - fy));
    if (bodies->world.others) add_others(bodies, from, view, at, list);
    for (int32_t k = 0;; k++) {
        const int64_t ring = edge + (int64_t)(k - 1) * BIN;
        wend_cell bins[MOST_BINS]; /* with their first body as z */
        uint32_t count = 0;
        if (k > 0 && ring * ring >= list->limit) return;
        for (int32_t y = wend__most(0, by - k); y <= wend__least(bodies->bin_rows - 1, by + k); y++) {
            const int32_t by_x = k == 0 || y == by - k || y == by + k ? 1 : 2 * k, *row = first_of(bodies, 0, y);
            for (int32_t x = bx - k; x <= bx + k; x += by_x) {
                if ((uint32_t)x >= (uint32_t)bodies->bin_columns) continue;
                const int32_t first = bodies->bin_mask ? *first_of(bodies, x, y) : row[x];
                if (first < 0) continue;
                WEND__PREFETCH(&bodies->of[first]);
                bins[count++] = (wend_cell){x, y, first};
            }
        }
        for (uint32_t b = 0; b < count; b++) add_bin(bodies, from, view, self, at, bins[b], list);
    }
}

void wend__body_gather(const wend__bodies *bodies, uint32_t self, wend__vec at, int32_t reach,
                       wend__near_bodies *near) {
    near_list list = {.near = near, .limit = (int64_t)reach * reach};
    const views from =
        views_of(bodies, at, (wend__vec){at.x - reach, at.y - reach}, (wend__vec){at.x + reach, at.y + reach});
    near->count = 0, near->by = INT32_MAX;
    for (uint32_t k = 0; k < from.count; k++) gather(bodies, &from, k, self, wend__plus(at, from.by[k]), &list);
}

/* ---- the nearest whose ground matters ---- */

enum { MOST_MET = 64, ALL_BINS = 4 * MOST_BINS }; ///< bodies within WEND__BODY_FAR that are met; bins of all its rings

/* Lists the first bodies of the bins round a point, ring by ring as gather() meets them. Returns their number. */
static uint32_t list_firsts(const wend__bodies *bodies, wend__vec at, int64_t reach, int32_t *firsts) {
    const int32_t bx = at.x >> BIN_SHIFT, by = at.y >> BIN_SHIFT, fx = at.x & (BIN - 1), fy = at.y & (BIN - 1);
    const int32_t edge = wend__least(wend__least(fx, BIN - fx), wend__least(fy, BIN - fy));
    uint32_t count = 0;
    for (int32_t k = 0; k <= 1 || edge + (int64_t)(k - 1) * BIN < reach; k++) {
        const int32_t bottom = wend__least(bodies->bin_rows - 1, by + k);
        for (int32_t y = wend__most(0, by - k); y <= bottom; y++) {
            const int32_t *row = &bodies->bins[(size_t)y * (size_t)bodies->bin_columns];
            const int32_t by_x = k == 0 || y == by - k || y == by + k ? 1 : 2 * k;
            for (int32_t x = bx - k; x <= bx + k; x += by_x) {
                if ((uint32_t)x >= (uint32_t)bodies->bin_columns || row[x] < 0) continue;
                WEND__PREFETCH(&bodies->of[row[x]]);
                firsts[count++] = row[x];
            }
        }
    }
    return count;
}

/* Takes out of a list those that are not among the WEND__BODY_NEAR nearest that were met. */
static void drop_far(wend__near_bodies *near, const int64_t *ranks, uint32_t met) {
    while (near->count > 0) {
        uint32_t last = 0, nearer = 0;
        for (uint32_t k = 1; k < near->count; k++) last = near->of[k].rank > near->of[last].rank ? k : last;
        for (uint32_t m = 0; m < met; m++) nearer += ranks[m] < near->of[last].rank;
        if (nearer < WEND__BODY_NEAR) return;
        near->of[last] = near->of[--near->count];
    }
}

/* Finds what wend__body_gather_ground() does on a map that does not wrap and is in one piece. Returns false where more
 * are met than it has room for. */
static bool gather_ground(const wend__bodies *bodies, const wend__body *body, int32_t reach, int32_t by,
                          wend__near_bodies *near) {
    int64_t ranks[MOST_MET];
    int32_t firsts[ALL_BINS];
    const int64_t limit = (int64_t)reach * reach, far = body->radius + (int64_t)by + WEND__GROUND_ROOM;
    near_list others = {.near = near, .limit = limit};
    const views from = {.count = 1};
    near->count = 0, near->by = by;
    if (bodies->world.others) add_others(bodies, &from, 0, body->at, &others);
    if (others.met >= WEND__BODY_NEAR) return false;
    uint32_t met = others.met;
    memcpy(ranks, others.keys, met * sizeof *ranks);
    const uint32_t count = list_firsts(bodies, body->at, reach, firsts);
    for (uint32_t b = 0; b < count; b++)
        for (int32_t j = firsts[b]; j >= 0; j = bodies->of[j].next) {
            const wend__body *other = &bodies->of[j];
            const wend__vec off = wend__minus(other->at, body->at), here = {0, 0};
            const wend__vec via = wend__minus(other->via, body->at), post = wend__minus(other->post, body->at);
            const int64_t apart = wend__vec_dot(off, off);
            if (apart >= limit || other == body) continue;
            if (met == MOST_MET) return false;
            ranks[met] = apart << MET_SHIFT | met;
            met++;
            if (other->turning == 0 && wend__box_is_far(here, off, via, post, far + other->radius)) continue;
            if (near->count == WEND__BODY_NEAR) return false;
            near->of[near->count++] = (wend__near_body){.off = off,
                                                        .velocity = other->velocity,
                                                        .radius = other->radius,
                                                        .index = j,
                                                        .apart = apart,
                                                        .rank = ranks[met - 1]};
        }
    if (met > WEND__BODY_NEAR) drop_far(near, ranks, met);
    return true;
}

void wend__body_gather_ground(const wend__bodies *bodies, uint32_t self, int32_t reach, int32_t by,
                              wend__near_bodies *near) {
    const wend__body *body = &bodies->of[self];
    const bool plain = !bodies->bin_mask && !bodies->sheets && !bodies->around.x && !bodies->around.y;
    if (!plain || !gather_ground(bodies, body, reach, by, near)) wend__body_gather(bodies, self, body->at, reach, near);
}

static bool covers(const wend__body *body, wend_cell cell) {
    const wend_cell own = wend__body_cell(body);
    const int32_t size = wend__body_size(body);
    return cell.x >= own.x && cell.y >= own.y && cell.x < own.x + size && cell.y < own.y + size;
}

uint32_t wend__bodies_on_cell(const wend__bodies *bodies, wend_cell cell) {
    const int32_t far = bodies->most_offset, left = cell.x * WEND__BODY_ONE - far, top = cell.y * WEND__BODY_ONE - far;
    const int32_t side = WEND__BODY_ONE + 2 * far - 1;
    uint32_t count = 0;
    for (int32_t y = wend__most(0, top) >> BIN_SHIFT; y <= (top + side) >> BIN_SHIFT && y < bodies->bin_rows; y++)
        for (int32_t x = wend__most(0, left) >> BIN_SHIFT; x <= (left + side) >> BIN_SHIFT && x < bodies->bin_columns;
             x++)
            for (int32_t j = *first_of(bodies, x, y); j >= 0; j = bodies->of[j].next)
                count += (!bodies->bin_mask || is_in(&bodies->of[j], x, y)) && covers(&bodies->of[j], cell);
    return count;
}

/* ---- all in reach ---- */

/* Returns whether a disc that goes from p by v comes nearer to a point than a squared distance, at the end or on the
 * way. Exact: on the way they come as near as |cross| ÷ |v|, if that is between the ends. */
static bool comes_near(wend__vec off, wend__vec v, int64_t length, int64_t near) {
    const wend__vec end = wend__minus(off, v);
    if (wend__vec_dot(end, end) < near) return true;
    const int64_t along = wend__vec_dot(off, v), cross = wend__vec_cross(v, off), most = INT64_C(3037000499);
    if (along <= 0 || along >= length || cross > most || cross < -most) return false; /* its square is above any here */
    return cross * cross < near * length;
}

/* Returns whether two segments come nearer than `reach`; for discs that no body is. A unit more than exact; and where
 * such a disc is drawn on its way is rounded, so that it is kept a few units farther off. */
static bool segments_come_near(wend__vec a, wend__vec u, wend__vec b, wend__vec w, int64_t reach) {
    const wend__vec a2 = wend__plus(a, u), b2 = wend__plus(b, w);
    const wend__vec ends[4] = {a, a2, b, b2}, starts[4] = {b, b, a, a}, ways[4] = {w, w, u, u};
    const wend__vec last = wend__minus(b2, a2);
    if (wend__vec_dot(last, last) < reach * reach) return true;
    for (int32_t k = 0; k < 4; k++) {
        const wend__vec off = wend__minus(ends[k], starts[k]);
        const int64_t length = wend__vec_dot(ways[k], ways[k]), along = wend__vec_dot(off, ways[k]);
        if (wend__vec_dot(off, off) < reach * reach) return true;
        if (along <= 0 || along >= length) continue; /* the other ends are among the four distances */
        const int64_t cross = wend__vec_cross(ways[k], off);
        /* the root in 1/256, so that short ways are as exact as long ones */
        const int64_t bound = (reach * ((int64_t)wend__root((uint64_t)length << 16) + 1)) >> 8;
        if ((cross < 0 ? -cross : cross) <= bound) return true;
    }
    const int64_t d1 = wend__vec_cross(u, wend__minus(b, a)), d2 = wend__vec_cross(u, wend__minus(b2, a));
    const int64_t d3 = wend__vec_cross(w, wend__minus(a, b)), d4 = wend__vec_cross(w, wend__minus(a2, b));
    return (d1 < 0) != (d2 < 0) && (d3 < 0) != (d4 < 0) && (u.x || u.y) && (w.x || w.y);
}

/* Returns whether a disc leaves another's way that it touches by rounding, or touched when a held step began. */
static bool leaves(wend__vec at, wend__vec v, wend__vec from, wend__vec way, int32_t reach) {
    if (!v.x && !v.y) return false;
    const int64_t length = wend__vec_dot(way, way), along = wend__vec_dot(wend__minus(at, from), way);
    const wend__vec nearest = length == 0 || along <= 0 ? from
                              : along >= length         ? wend__plus(from, way)
                                                        : wend__plus(from, wend__scaled(way, along >> 8, length >> 8));
    const wend__vec off = wend__minus(at, nearest);
    const int64_t touch = (int64_t)reach + ROUNDING;
    return wend__vec_dot(off, off) <= touch * touch && wend__vec_dot(off, v) >= 0;
}

/* @param in_way   receives the cell of the agent that is touched; may be NULL */
static bool touches_other(const wend__bodies *bodies, const views *seen, uint32_t view, wend__vec at, wend__vec v,
                          int32_t radius, wend_cell *in_way) {
    wend__other others[OTHERS];
    if (!bodies->world.others) return false;
    const int32_t reach = radius + wend__length(v) + 8;
    const uint32_t count = bodies->world.others(bodies->world.context, at.x, at.y, reach, others, OTHERS);
    for (uint32_t k = 0; k < count; k++) {
        const wend__vec from = {others[k].x, others[k].y}, way = {others[k].to_x - from.x, others[k].to_y - from.y};
        if (!is_in_sight(seen, view, wend__plus(from, way))) continue;
        if (!segments_come_near(at, v, from, way, (int64_t)radius + others[k].radius + ROUNDING)) continue;
        if (leaves(at, v, from, way, radius + others[k].radius)) continue;
        if (in_way) *in_way = wend__cell_at(wend__plus(from, way));
        return true;
    }
    if (in_way) *in_way = wend__cell_at(at);
    return count == OTHERS; /* more than this function checks */
}

/* Returns a body that a disc touches on its way, without the rim; −1: none. */
static int32_t touches_body(const wend__bodies *bodies, const views *from, uint32_t view, uint32_t self, wend__vec at,
                            wend__vec v, int32_t radius) {
    const int32_t far = radius + bodies->most_radius;
    const int32_t left = wend__least(at.x, at.x + v.x) - far, right = wend__most(at.x, at.x + v.x) + far;
    const int32_t top = wend__least(at.y, at.y + v.y) - far, bottom = wend__most(at.y, at.y + v.y) + far;
    const int64_t length = wend__vec_dot(v, v);
    for (int32_t y = wend__most(0, top >> BIN_SHIFT); y <= wend__least(bodies->bin_rows - 1, bottom >> BIN_SHIFT); y++)
        for (int32_t x = wend__most(0, left >> BIN_SHIFT);
             x <= wend__least(bodies->bin_columns - 1, right >> BIN_SHIFT); x++)
            for (int32_t j = *first_of(bodies, x, y); j >= 0; j = bodies->of[j].next) {
                if ((uint32_t)j == self) continue;
                const wend__vec off = wend__minus(bodies->of[j].at, at);
                if (bodies->bin_mask && !is_in(&bodies->of[j], x, y)) continue;
                const int64_t reach = (int64_t)radius + bodies->of[j].radius;
                int64_t near = reach * reach;
                if (bodies->of[j].pressed && self < bodies->used && bodies->of[self].pressed) /* both may part */
                    near = wend__vec_dot(off, off) < near ? wend__vec_dot(off, off) : near;
                if (comes_near(off, v, length, near) && is_in_sight(from, view, bodies->of[j].at)) return j;
            }
    return -1;
}

/* The views of all that a way's disc reaches, with others of some radius. */
static views views_of_way(const wend__bodies *bodies, wend__vec at, wend__vec v, int32_t far) {
    return views_of(bodies, at, (wend__vec){wend__least(at.x, at.x + v.x) - far, wend__least(at.y, at.y + v.y) - far},
                    (wend__vec){wend__most(at.x, at.x + v.x) + far, wend__most(at.y, at.y + v.y) + far});
}

int32_t wend__body_touches(const wend__bodies *bodies, uint32_t self, wend__vec at, wend__vec v, int32_t radius) {
    const views from = views_of_way(bodies, at, v, radius + wend__most(bodies->most_radius, WEND__BODY_FAR));
    for (uint32_t k = 0; k < from.count; k++) {
        const int32_t touched = touches_body(bodies, &from, k, self, wend__plus(at, from.by[k]), v, radius);
        if (touched >= 0) return touched;
    }
    for (uint32_t k = 0; k < from.count; k++)
        if (touches_other(bodies, &from, k, wend__plus(at, from.by[k]), v, radius, NULL)) return -2;
    return -1;
}

/* Finds the bodies that a disc of the host would overlap: at all, by more than a twentieth, or so as to press them. */
typedef enum overlap { ANY_OVERLAP, LARGE_OVERLAP, PRESS } overlap;

static bool overlaps_body(wend__bodies *bodies, const views *from, uint32_t view, uint32_t self, wend__vec at,
                          int32_t radius, overlap what) {
    const int32_t far = radius + bodies->most_radius, bottom = (at.y + far) >> BIN_SHIFT;
    const int32_t right = (at.x + far) >> BIN_SHIFT;
    for (int32_t y = wend__most(0, (at.y - far) >> BIN_SHIFT); y <= wend__least(bodies->bin_rows - 1, bottom); y++)
        for (int32_t x = wend__most(0, (at.x - far) >> BIN_SHIFT); x <= wend__least(bodies->bin_columns - 1, right);
             x++)
            for (int32_t j = *first_of(bodies, x, y); j >= 0; j = bodies->of[j].next) {
                if ((uint32_t)j == self || (bodies->bin_mask && !is_in(&bodies->of[j], x, y))) continue;
                const wend__vec off = wend__minus(bodies->of[j].at, at);
                const int64_t apart = wend__vec_dot(off, off), reach = (int64_t)radius + bodies->of[j].radius;
                if (apart >= reach * reach || !is_in_sight(from, view, bodies->of[j].at)) continue;
                if (what == PRESS)
                    bodies->of[j].pressed = bodies->of[self].pressed = 1;
                else if (what == ANY_OVERLAP || apart * 400 < reach * reach * 361) {
                    bodies->in_way = wend__body_cell(&bodies->of[j]);
                    return true;
                }
            }
    return false;
}

bool wend__body_overlaps(wend__bodies *bodies, uint32_t self, wend__vec at, int32_t radius, bool presses) {
    const wend__vec none = {0, 0};
    const overlap counts = presses ? LARGE_OVERLAP : ANY_OVERLAP;
    const views from = views_of_way(bodies, at, none, radius + wend__most(bodies->most_radius, WEND__BODY_FAR));
    for (uint32_t k = 0; k < from.count; k++) {
        const wend__vec seen = wend__plus(at, from.by[k]);
        if (overlaps_body(bodies, &from, k, self, seen, radius, counts)) return true;
        if (touches_other(bodies, &from, k, seen, none, radius, &bodies->in_way)) return true;
    }
    for (uint32_t k = 0; k < from.count && presses; k++)
        (void)overlaps_body(bodies, &from, k, self, wend__plus(at, from.by[k]), radius, PRESS);
    return false;
}

static bool touches_disc(const wend__bodies *bodies, const views *seen, uint32_t view, uint32_t self, wend__vec from,
                         wend__vec way, int32_t radius) {
    const int32_t far = radius + bodies->most_radius;
    const int32_t left = wend__least(from.x, from.x + way.x) - far, right = wend__most(from.x, from.x + way.x) + far;
    const int32_t top = wend__least(from.y, from.y + way.y) - far, bottom = wend__most(from.y, from.y + way.y) + far;
    for (int32_t y = wend__most(0, top >> BIN_SHIFT); y <= wend__least(bodies->bin_rows - 1, bottom >> BIN_SHIFT); y++)
        for (int32_t x = wend__most(0, left >> BIN_SHIFT);
             x <= wend__least(bodies->bin_columns - 1, right >> BIN_SHIFT); x++)
            for (int32_t j = *first_of(bodies, x, y); j >= 0; j = bodies->of[j].next) {
                const wend__body *body = &bodies->of[j];
                const int64_t reach = (int64_t)radius + body->radius + ROUNDING;
                if ((uint32_t)j != self && segments_come_near(from, way, body->at, (wend__vec){0, 0}, reach) &&
                    is_in_sight(seen, view, body->at))
                    return true;
            }
    return false;
}

bool wend__bodies_touch(const wend__bodies *bodies, uint32_t self, const wend__other *other) {
    const wend__vec at = {other->x, other->y}, way = {other->to_x - other->x, other->to_y - other->y};
    const views from = bodies->sheets ? views_on_sheets(bodies, wend__cell_at(wend__plus(at, way)))
                                      : views_of_way(bodies, at, way, other->radius + bodies->most_radius);
    for (uint32_t k = 0; k < from.count; k++)
        if (touches_disc(bodies, &from, k, self, wend__plus(at, from.by[k]), way, other->radius)) return true;
    return false;
}

/* Returns whether any body's disc reaches into a box. */
static bool reaches(const wend__bodies *bodies, int32_t left, int32_t top, int32_t right, int32_t bottom) {
    const int32_t far = bodies->most_radius;
    for (int32_t y = wend__most(0, (top - far) >> BIN_SHIFT);
         y <= wend__least(bodies->bin_rows - 1, (bottom + far) >> BIN_SHIFT); y++)
        for (int32_t x = wend__most(0, (left - far) >> BIN_SHIFT);
             x <= wend__least(bodies->bin_columns - 1, (right + far) >> BIN_SHIFT); x++)
            for (int32_t j = *first_of(bodies, x, y); j >= 0; j = bodies->of[j].next) {
                const wend__body *b = &bodies->of[j];
                const int32_t dx = b->at.x < left ? left - b->at.x : wend__most(0, b->at.x - right);
                const int32_t dy = b->at.y < top ? top - b->at.y : wend__most(0, b->at.y - bottom);
                if (wend__vec_dot((wend__vec){dx, dy}, (wend__vec){dx, dy}) < (int64_t)b->radius * b->radius)
                    return true;
            }
    return false;
}

bool wend__bodies_reach(const wend__bodies *bodies, wend_cell low, wend_cell high) {
    const int32_t far = bodies->most_radius, one = WEND__BODY_ONE;
    const wend__vec first = {low.x * one, low.y * one}, last = {(high.x + 1) * one, (high.y + 1) * one};
    if (bodies->sheets)
        return reaches(bodies, first.x, first.y, last.x, last.y) || wend__bodies_reach_over(bodies, low, high);
    const views from =
        views_of(bodies, first, (wend__vec){first.x - far, first.y - far}, (wend__vec){last.x + far, last.y + far});
    for (uint32_t k = 0; k < from.count; k++) {
        const wend__vec by = from.by[k];
        if (reaches(bodies, first.x + by.x, first.y + by.y, last.x + by.x, last.y + by.y)) return true;
    }
    return false;
}
