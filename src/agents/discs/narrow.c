/* SPDX-License-Identifier: MIT */
/* Narrow ways: cells in which two bodies hardly pass each other. A body asks before it enters, and reserves the narrow
 * cells of its way, all or none. Bodies that go the same way through a cell share it. So ways without a common cell do
 * not wait for each other, and no two bodies meet head on. After some of one way, refused bodies of the other way get
 * their turn. A waiting body stands next to the mouth, out of the lane of those coming out. */
#include "agents/discs/state.h"

#include "map/store/directions.h"

enum {
    ONE = WEND__BODY_ONE,
    AHEAD = 6,        ///< cells before a narrow one at which a body requests entry
    BATCH = 20,       ///< bodies that go one way while others wait
    COMING = 2,       ///< most bodies on their way to one mouth
    SMALL_COMING = 6, ///< the same for small bodies
    LANE = 3 * ONE,   ///< before a mouth: waiting bodies keep this lane free
    NO_WAY = 15,      ///< the way ends in this cell
    GAP = 1           ///< cells between two narrow ways that are too few to wait there
};

/* Two small bodies fit past each other, but jam where many meet, or with larger ones. Tiny ones need no turns. */
static bool needs_turns(const wend__body *body) {
    const int32_t half = ONE / 2 + body->offset;
    return body->radius >= half / 4 && body->radius <= half;
}

static bool is_small(const wend__body *body) {
    return body->radius < (ONE / 2 + body->offset) / 2;
}

/* ---- reservations ---- */

static uint8_t direction(const wend__bodies *bodies, wend_cell from, wend_cell to) {
    const wend_cell step = wend__body_steps(bodies, from, to);
    const int32_t d = wend__flat_direction(step.x, step.y);
    return d < 0 ? NO_WAY : (uint8_t)d;
}

static wend_cell after(const wend__bodies *bodies, wend_cell cell, uint8_t way) {
    if (way == NO_WAY) return cell;
    if (WEND__UNLIKELY(bodies->sheets != NULL)) return wend__body_after_on_sheets(bodies, cell, way);
    return wend__body_on_map(bodies, (wend_cell){cell.x + wend__dx[way], cell.y + wend__dy[way], 0});
}

static void give_back(wend__bodies *bodies, const wend__body *body, wend_cell cell) {
    wend__flow_cell *flow = wend__floor_flow(wend__body_floor(bodies, body), cell);
    if (flow && flow->bodies > 0) flow->bodies--;
}

void wend__body_leave_narrow(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    if (body->pass >= WEND__PASS_LET) {
        wend_cell cell = body->first;
        for (uint32_t k = 0; k < body->reserved; cell = after(bodies, cell, body->ways[k]), k++)
            if (k >= body->passed) give_back(bodies, body, cell);
    }
    body->pass = WEND__PASS_NONE;
    body->reserved = body->passed = 0;
    body->asked = 0;
}

bool wend__bodies_goes_before(const wend__bodies *bodies, uint32_t index, uint32_t other) {
    const wend__body *body = &bodies->of[other];
    wend_cell cell = body->first;
    for (uint32_t k = 0; k < body->reserved; cell = after(bodies, cell, body->ways[k]), k++)
        if (k >= body->passed && wend__same_cell(cell, bodies->of[index].first)) return true;
    return false;
}

void wend__body_pass_narrow(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    const wend_cell at = wend__body_cell(body);
    wend_cell cell = body->first, behind = cell;
    uint32_t here = 0;
    for (; here < body->reserved && !wend__same_cell(cell, at); here++) cell = after(bodies, cell, body->ways[here]);
    if (here == body->reserved) return;
    for (uint32_t k = 0; k < here; behind = after(bodies, behind, body->ways[k]), k++)
        if (k >= body->passed) give_back(bodies, body, behind);
    body->passed = (uint8_t)wend__most(body->passed, (int32_t)here);
}

/* ---- finding ---- */

/// The narrow cells of a way, from the first on.
typedef struct narrow_way {
    wend_cell mouth, first;
    uint32_t count;
    uint8_t ways[WEND__NARROW_CELLS];
} narrow_way;

/* Finds the first narrow cells within some cells of a body's way, or those around it. A gap too short to wait in
 * belongs to them. Returns false if there are none.
 * @param whole   false: only the first of them */
static bool find(wend__bodies *bodies, uint32_t index, bool whole, narrow_way *found) {
    enum { LOOKS = AHEAD + 1, ROOM = AHEAD + WEND__NARROW_CELLS + 2 };
    wend__body_land *floor = wend__body_floor(bodies, &bodies->of[index]);
    wend_cell cells[ROOM + 1];
    cells[0] = wend__body_cell(&bodies->of[index]);
    const uint32_t look = bodies->world.way(bodies->world.context, index, 0, cells + 1, LOOKS);
    uint32_t first = 0, count = look + 1;
    while (first < count && first < LOOKS && !wend__floor_is_narrow(floor, cells[first])) first++;
    if (first == count || first == LOOKS) return false;
    if (look == LOOKS && whole)
        count += bodies->world.way(bodies->world.context, index, LOOKS, cells + count, ROOM - LOOKS);
    found->mouth = cells[first > 0 ? first - 1 : 0], found->first = cells[first];
    found->count = 0;
    uint32_t end = first;
    for (uint32_t k = first; k < count && k < first + WEND__NARROW_CELLS && k <= end + GAP + 1 && whole; k++)
        if (wend__floor_is_narrow(floor, cells[k])) end = k;
    for (uint32_t k = first; k <= end; k++)
        found->ways[found->count++] = k + 1 < count ? direction(bodies, cells[k], cells[k + 1]) : NO_WAY;
    return true;
}

/* Returns whether the flows of all cells let a body through. A cell that refuses remembers it. */
static bool may_reserve(wend__bodies *bodies, const wend__body *body, const narrow_way *way) {
    wend_cell cell = way->first;
    for (uint32_t k = 0; k < way->count; cell = after(bodies, cell, way->ways[k]), k++) {
        wend__flow_cell *flow = wend__floor_flow(wend__body_floor(bodies, body), cell);
        if (!flow || wend__joint_closes(bodies, cell)) return false;
        const bool same_way = flow->way == way->ways[k] || flow->served == 0;
        const bool others_wait = flow->refused > 0 && flow->refused + 2 >= bodies->updates;
        if (!same_way && flow->bodies > 0) {
            flow->refused = bodies->updates;
            return false;
        }
        if (same_way && flow->served >= BATCH && others_wait) return false;
    }
    return true;
}

static void reserve(wend__bodies *bodies, wend__body *body, const narrow_way *way) {
    wend_cell cell = way->first;
    for (uint32_t k = 0; k < way->count; cell = after(bodies, cell, way->ways[k]), k++) {
        wend__flow_cell *flow = wend__floor_flow(wend__body_floor(bodies, body), cell);
        if (!flow) continue; /* no memory: the body enters without asking */
        if (flow->bodies == 0 && flow->way != way->ways[k]) flow->served = 0, flow->refused = 0;
        if (flow->bodies == 0) flow->way = way->ways[k];
        flow->bodies++;
        flow->served = (uint8_t)(flow->served + (flow->served < UINT8_MAX));
    }
    body->mouth = way->mouth, body->first = way->first;
    body->reserved = (uint8_t)way->count;
    body->passed = 0;
    memcpy(body->ways, way->ways, way->count);
    body->let = bodies->lets++ & (WEND__RANK_LATER - 1);
    body->asked = 0;
}

/* Returns whether a body is still on the way that it reserved, at its narrow cells or before them. */
static bool keeps_way(const wend__bodies *bodies, const wend__body *body, const narrow_way *way, bool inside) {
    wend_cell cell = body->first;
    for (uint32_t k = 0; k < body->reserved; cell = after(bodies, cell, body->ways[k]), k++)
        if (wend__same_cell(cell, way->first)) return inside || body->ways[k] == way->ways[0];
    return false;
}

void wend__body_find_narrow(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    narrow_way way;
    if (!needs_turns(body)) return;
    const bool inside = wend__floor_is_narrow(wend__body_floor(bodies, body), wend__body_cell(body));
    const bool found = find(bodies, index, false, &way);
    if (!found && body->pass == WEND__PASS_IN && body->passed + 1 < body->reserved) return; /* in a gap */
    if (!found) {
        wend__body_leave_narrow(bodies, index);
        return;
    }
    if (body->pass >= WEND__PASS_LET && keeps_way(bodies, body, &way, inside)) {
        if (inside) body->pass = WEND__PASS_IN;
        return;
    }
    if (body->pass >= WEND__PASS_LET) wend__body_leave_narrow(bodies, index);
    if (inside) { /* the body was put or pushed there, or is inside a long narrow way */
        if (find(bodies, index, true, &way)) reserve(bodies, body, &way);
        body->pass = WEND__PASS_IN;
        return;
    }
    if (body->pass != WEND__PASS_ASKS || !wend__same_cell(body->first, way.first)) body->asked = 0;
    body->pass = WEND__PASS_ASKS;
    body->mouth = way.mouth, body->first = way.first;
}

/* ---- asking ---- */

void wend__body_ask_narrow(wend__bodies *bodies, uint32_t index) {
    bodies->of[index].asked++;
    bodies->asking[bodies->asking_count++] = index;
}

/* Compares by distance from the mouth, then by waiting time. */
static int64_t key_of(const wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    const int32_t far = wend__length(wend__body_off(bodies, wend__body_middle(body, body->mouth), body->at));
    const int64_t key = (int64_t)far - (int64_t)body->asked * (ONE / 256);
    return key * ((int64_t)1 << 21) + index;
}

/* Returns how many bodies are let in at a mouth and not there yet. Only neighbours can be. */
static uint32_t coming(wend__bodies *bodies, const wend__body *body, const wend__near_bodies *near) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < near->count; k++) {
        if (near->of[k].index < 0) continue;
        const wend__body *other = &bodies->of[near->of[k].index];
        count += other->pass == WEND__PASS_LET && wend__same_cell(other->first, body->first);
    }
    return count;
}

/* Counts the resting and the moving bodies in a cell. */
static void count_in(const wend__bodies *bodies, wend_cell cell, int32_t *resting, int32_t *going) {
    enum { IN_CELL = 4 };
    uint32_t there[IN_CELL];
    const uint32_t count = wend__bodies_list_cell(bodies, cell, there, IN_CELL);
    for (uint32_t k = 0; k < count; k++) {
        if (k < IN_CELL && bodies->of[there[k]].state == WEND__BODY_RESTS)
            ++*resting;
        else
            ++*going;
    }
}

/* Returns whether the room behind a narrow way takes one more body. The body goes for some cells in which none rests,
 * so that they still pass each other; a small one needs one cell. After a long wait one more body is allowed. A room of
 * MOST_ROOM cells counts as open ground. */
static bool has_room(wend__bodies *bodies, const wend__body *body, const narrow_way *way) {
    enum { MOST_ROOM = 192, SIDE = 32, PART = 3, MORE_AFTER = 64 };
    wend__body_land *floor = wend__body_map_floor(bodies, body);
    wend_cell cells[MOST_ROOM], out = way->first;
    uint32_t seen[SIDE] = {0};
    int32_t count = 0, resting = 0, going = 0;
    for (uint32_t k = 0; k < way->count; k++) out = after(bodies, out, way->ways[k]);
    if (body->offset > 0 || way->ways[way->count - 1] == NO_WAY || wend__floor_is_narrow(floor, out)) return true;
    cells[count++] = out;
    seen[SIDE / 2] |= 1U << SIDE / 2;
    for (int32_t k = 0; k < count; k++) {
        const wend_cell cell = wend__body_on_map(bodies, cells[k]);
        if (wend__same_cell(cell, body->mouth)) return true;                      /* the room where it is */
        if (bodies->sheets && wend__floor_is_near_seam(floor, cell)) return true; /* the way goes on over the seam */
        count_in(bodies, cell, &resting, &going);
        for (uint32_t d = 0; d < 4; d++) {
            const wend_cell to = {cells[k].x + wend__dx[d], cells[k].y + wend__dy[d], 0};
            const int32_t x = to.x - out.x + SIDE / 2, y = to.y - out.y + SIDE / 2;
            const bool near = x >= 0 && y >= 0 && x < SIDE && y < SIDE;
            if (near && seen[y] >> x & 1) continue;
            if (near) seen[y] |= 1U << x;
            if (!wend__floor_clear(floor, to.x, to.y) || wend__floor_is_narrow(floor, to)) continue;
            if (!near || count + 1 == MOST_ROOM) return true;
            cells[count++] = to;
        }
    }
    const int32_t part = is_small(body) ? 1 : PART;
    return going < wend__most(2 - resting, (count - resting) / part) + body->asked / MORE_AFTER;
}

static void let_in(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    const uint32_t most = is_small(body) ? SMALL_COMING : COMING;
    wend__near_bodies near;
    narrow_way way;
    if (!find(bodies, index, false, &way) || !wend__same_cell(way.first, body->first)) return;
    wend__body_gather(bodies, index, wend__body_middle(body, body->mouth), WEND__BODY_FAR, &near);
    if (coming(bodies, body, &near) >= most || !may_reserve(bodies, body, &way)) return;
    if (!find(bodies, index, true, &way) || !may_reserve(bodies, body, &way) || !has_room(bodies, body, &way)) return;
    reserve(bodies, body, &way);
    body->pass = WEND__PASS_LET;
    body->aim_age = 0;
}

void wend__bodies_let_in(wend__bodies *bodies) {
    uint32_t *list = bodies->asking;
    for (uint32_t k = 1; k < bodies->asking_count; k++) { /* few, and mostly in order */
        const uint32_t index = list[k];
        const int64_t key = key_of(bodies, index);
        uint32_t at = k;
        for (; at > 0 && key_of(bodies, list[at - 1]) > key; at--) list[at] = list[at - 1];
        list[at] = index;
    }
    for (uint32_t k = 0; k < bodies->asking_count; k++) let_in(bodies, list[k]);
    bodies->asking_count = 0;
}

int32_t wend__body_wait_at(wend__bodies *bodies, uint32_t index, wend__vec *aim) {
    const wend__body *body = &bodies->of[index];
    wend__body_land *floor = wend__body_floor(bodies, body);
    const int32_t size = wend__body_size(body);
    const wend__vec mouth = wend__body_seen(bodies, body->at, wend__body_middle(body, body->mouth));
    const wend__vec off = wend__minus(body->at, mouth);
    wend__vec outward = bodies->sheets ? wend__body_off(bodies, wend__body_middle(body, body->first),
                                                        wend__body_middle(body, body->mouth))
                                       : wend__body_off(bodies, wend__body_middle(body, body->first), mouth);
    if (wend__vec_dot(off, off) > (int64_t)16 * size * size * ONE * ONE) return 0;
    outward = wend__scaled(outward, ONE, wend__length(outward));
    const int32_t out = (int32_t)(wend__vec_dot(off, outward) / ONE),
                  across = (int32_t)(wend__vec_cross(outward, off) / ONE);
    const int32_t half = ONE / 2 + body->offset + body->radius + ONE / 8,
                  side = across > 0 || (across == 0 && body->side > 0) ? 1 : -1;
    const wend__vec aside = {-outward.y * side, outward.x * side};
    if (across * side < half && out < LANE * size) { /* out to the side, or, where there is a wall, outward */
        *aim = wend__along(body->at, aside, half - across * side + ONE / 8);
        if (!wend__floor_sees(floor, body->at, *aim, body->radius)) *aim = wend__plus(body->at, outward);
        return 2;
    }
    *aim = wend__along(mouth, aside, half + ONE / 4);
    if (!wend__floor_sees(floor, body->at, *aim, body->radius)) *aim = body->at;
    return 1;
}
