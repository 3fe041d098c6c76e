/* SPDX-License-Identifier: MIT */
/* Vehicles in traffic: they step where an arc leads, and arcs reach beyond places. So no step is granted whose way comes
 * too near to the place of another agent, if one of the two is a vehicle. */
#include "agents/manners/traffic_state.h"

enum { ONE = WEND__BODY_ONE, SLACK = ONE / 32, FAR = 2, POINTS = WEND__WAY_POINTS };

/// The way of a step, as points, and the radius of the disc that goes it.
typedef struct disc_way {
    wend__vec of[POINTS];
    int32_t radius;
} disc_way;

static bool is_vehicle(const wend__traffic *t, int32_t i) {
    return t->agents[i].body && wend__bodies_is_vehicle(t->discs, (uint32_t)i);
}

static int32_t radius_of(const wend__traffic *t, int32_t i) {
    return t->agents[i].body ? wend__bodies_get(t->discs, (uint32_t)i)->radius : t->agents[i].size * ONE / 2;
}

static wend__vec middle_of(const wend__traffic *t, int32_t i, wend_cell cell) {
    const int32_t half = t->agents[i].size * (ONE / 2);
    return (wend__vec){cell.x * ONE + half, cell.y * ONE + half};
}

static disc_way way_of(const wend__traffic *t, int32_t i, wend_cell from, wend_cell to) {
    disc_way way = {.radius = radius_of(t, i)};
    const wend__vec end = middle_of(t, i, to);
    for (uint32_t k = 0; k < POINTS; k++) way.of[k] = end;
    way.of[0] = middle_of(t, i, from);
    if (is_vehicle(t, i)) wend__vehicle_way(t->discs, (uint32_t)i, to, way.of);
    return way;
}

/* Returns the squared distance of a point from a way. */
static int64_t apart(const disc_way *way, wend__vec point) {
    int64_t least = INT64_MAX;
    for (uint32_t k = 1; k < POINTS; k++) {
        const int64_t there = wend__from_line(point, way->of[k - 1], way->of[k]);
        least = there < least ? there : least;
    }
    return least;
}

/* Returns whether a way comes too near to another one, and nearer than it is at its beginning. */
static bool comes_near(const disc_way *own, const disc_way *other) {
    const int64_t reach = own->radius + other->radius - SLACK, now = apart(other, own->of[0]);
    int64_t least = INT64_MAX;
    for (uint32_t k = 0; k < POINTS; k++) {
        const int64_t there = apart(own, other->of[k]), here = k > 0 ? apart(other, own->of[k]) : there;
        least = there < least ? there : least;
        least = here < least ? here : least;
    }
    return least < reach * reach && least < now;
}

/* Returns whether a step comes near to the place of an agent in a cell, or to the one that it has claimed. */
static bool meets(const wend__traffic *t, int32_t i, const disc_way *own, int32_t j) {
    if (j < 0 || j == i || t->agents[j].ghost) return false;
    const bool moves = wend__traffic_moves(t, j);
    const wend_cell to = moves ? wend__places_claimed(&t->places, j)->cell : t->agents[j].at;
    if (!is_vehicle(t, j)) {
        const disc_way stands = way_of(t, j, to, to);
        return comes_near(own, &stands);
    }
    const disc_way other = way_of(t, j, t->agents[j].at, to);
    return comes_near(own, &other);
}

bool wend__traffic_meets_vehicle(const wend__traffic *t, int32_t i, wend_cell to) {
    const wend__traffic_agent *agent = &t->agents[i];
    const bool drives = is_vehicle(t, i);
    if (!drives && !wend__bodies_any_vehicle(t->discs)) return false;
    const disc_way own = way_of(t, i, agent->at, to);
    const int32_t far = FAR + agent->size - 1;
    const wend_cell low = {wend__least(agent->at.x, to.x) - FAR, wend__least(agent->at.y, to.y) - FAR, 0},
                    high = {wend__most(agent->at.x, to.x) + far, wend__most(agent->at.y, to.y) + far, 0};
    wend_cell c;
    WEND__EACH_CELL(c, low, high) {
        const wend__cell_owners cover = wend__places_at(&t->places, c);
        const int32_t both[2] = {cover.holder, cover.claimer};
        for (uint32_t k = 0; k < 2; k++)
            if (both[k] >= 0 && (drives || is_vehicle(t, both[k])) && meets(t, i, &own, both[k])) return true;
    }
    return false;
}

bool wend__traffic_vehicle_leads(const wend__traffic *t, int32_t i, wend_cell to) {
    const wend__traffic_agent *agent = &t->agents[i];
    if (!is_vehicle(t, i) || wend__same_cell(agent->next, to)) return true;
    return wend__vehicle_leads(t->discs, (uint32_t)i, to);
}
