/* SPDX-License-Identifier: MIT */
/* Vehicles in traffic: they step where an arc leads, and arcs reach beyond places. So no step is granted whose way comes
 * too near to the place of another agent, if one of the two is a vehicle. */
#include "agents/manners/traffic_state.h"
#include "map/version/map.h"

enum { ONE = WEND__BODY_ONE, FAR = 2, POINTS = WEND__WAY_POINTS };

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

/* Returns a cell as seen from another one: maybe beyond a rim or a seam. */
static wend_cell seen_from(const wend__traffic *t, wend_cell from, wend_cell cell) {
    const wend_cell way = wend__map_apart(t->map, from, cell);
    return (wend_cell){from.x + way.x, from.y + way.y, 0};
}

/* Returns the way of an agent to a cell, as seen from another cell. */
static disc_way way_of(const wend__traffic *t, int32_t i, wend_cell root, wend_cell from, wend_cell to) {
    disc_way way = {.radius = radius_of(t, i)};
    const wend_cell begin = seen_from(t, root, from), step = wend__map_apart(t->map, from, to);
    const wend__vec middle = middle_of(t, i, begin);
    if (is_vehicle(t, i)) {
        wend__vec of[POINTS];
        wend__vehicle_way(t->discs, (uint32_t)i, to, of);
        const wend__vec off = wend__bodies_off(t->discs, middle_of(t, i, from), of[0]);
        for (uint32_t k = 0; k < POINTS; k++)
            way.of[k] = wend__plus(middle, wend__plus(off, wend__minus(of[k], of[0])));
        return way;
    }
    for (uint32_t k = 0; k < POINTS; k++) way.of[k] = wend__plus(middle, (wend__vec){step.x * ONE, step.y * ONE});
    way.of[0] = middle;
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
    const int64_t reach = own->radius + other->radius, now = apart(other, own->of[0]);
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
    const wend_cell root = t->agents[i].at;
    const bool moves = wend__traffic_moves(t, j);
    const wend_cell to = moves ? wend__places_claimed(&t->places, j)->cell : t->agents[j].at;
    if (!is_vehicle(t, j)) {
        const disc_way stands = way_of(t, j, root, to, to);
        return comes_near(own, &stands);
    }
    const disc_way other = way_of(t, j, root, t->agents[j].at, to);
    return comes_near(own, &other);
}

bool wend__traffic_meets_vehicle(const wend__traffic *t, int32_t i, wend_cell to) {
    const wend__traffic_agent *agent = &t->agents[i];
    const bool drives = is_vehicle(t, i);
    if (!drives && !wend__bodies_any_vehicle(t->discs)) return false;
    const disc_way own = way_of(t, i, agent->at, agent->at, to);
    const int32_t far = FAR + agent->size - 1;
    const wend_cell at = agent->at, end = seen_from(t, at, to);
    const wend_cell low = {wend__least(at.x, end.x) - FAR, wend__least(at.y, end.y) - FAR, 0},
                    high = {wend__most(at.x, end.x) + far, wend__most(at.y, end.y) + far, 0};
    wend_cell c;
    if (wend__traffic_leaps(t, at, to)) return false;
    WEND__EACH_CELL(c, low, high) {
        const wend_cell cell = {wend__wrapped(c.x, t->map->wrap & WEND_WRAP_X ? t->map->width : 0),
                                wend__wrapped(c.y, t->map->wrap & WEND_WRAP_Y ? t->map->height : 0), 0};
        const wend__cell_owners cover = wend__places_at(&t->places, cell);
        const int32_t both[2] = {cover.holder, cover.claimer};
        for (uint32_t k = 0; k < 2; k++)
            if (both[k] >= 0 && (drives || is_vehicle(t, both[k])) && meets(t, i, &own, both[k])) return true;
    }
    return false;
}

bool wend__traffic_vehicle_leads(const wend__traffic *t, int32_t i, wend_cell to) {
    const wend__traffic_agent *agent = &t->agents[i];
    if (!is_vehicle(t, i) || wend__same_cell(agent->next, to) || wend__traffic_leaps(t, agent->at, to)) return true;
    return wend__vehicle_leads(t->discs, (uint32_t)i, to);
}
