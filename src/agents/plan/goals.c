/* SPDX-License-Identifier: MIT */
/* The goal cells of path requests: where a fleeing agent may run to, and where an agent may join its route. */
#include "agents/plan/path_request.h"

#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"

/// The cells that an agent may go to.
typedef struct candidates {
    const wend_crowd *crowd;
    const wend__version *version;
    uint32_t index;
    wend_cell at; ///< the agent's cell
    uint32_t count, capacity;
    wend_cell cells[WEND_MAX_GOALS];    ///< the nearest to the agent first
    uint64_t distances[WEND_MAX_GOALS]; ///< squared
} candidates;

/* Returns whether the agent can reach the cell. An agent inside a wall has no component: it may reach all cells. */
static bool can_reach(const candidates *c, wend_cell cell) {
    const int32_t mover = c->crowd->in_traffic[c->index].mover;
    const wend__version *view = wend__version_view(c->version, mover);
    if (!wend__cell_factor(view, cell)) return false;
    return !wend__cell_factor(view, c->at) || wend__version_connected(c->version, mover, c->at, cell);
}

/* Returns true if no other agent holds the cell. Ghosts may share it. */
static bool is_free(const candidates *c, wend_cell cell) {
    const wend__traffic_agent *in_traffic = &c->crowd->in_traffic[c->index];
    return in_traffic->ghost || !wend__traffic_is_held(c->crowd->traffic, cell, in_traffic->size, (int32_t)c->index);
}

/* Inserts a cell by its distance, if it is among the nearest. Cells of equal distance keep their order. */
static void consider(candidates *c, wend_cell cell, uint64_t distance, bool must_be_free) {
    uint32_t place = c->count;
    while (place > 0 && c->distances[place - 1] > distance) place--;
    if (place == c->capacity || !can_reach(c, cell) || (must_be_free && !is_free(c, cell))) return;
    if (c->count < c->capacity) c->count++;
    for (uint32_t i = c->count - 1; i > place; i--)
        c->cells[i] = c->cells[i - 1], c->distances[i] = c->distances[i - 1];
    c->cells[place] = cell;
    c->distances[place] = distance;
}

/* Returns the squared distance from the agent. */
static uint64_t squared(const candidates *c, wend_cell cell) {
    const wend_cell d = wend__map_difference(c->crowd->def.map, c->at, cell);
    const int64_t x = d.x, y = d.y, z = d.z;
    return (uint64_t)(x * x + y * y + z * z);
}

/* Writes the first candidate to *first and the others to crowd->more_goals. Returns the number of all. */
static uint32_t write_goals(const candidates *c, wend_cell *first) {
    if (c->count == 0) return 0;
    *first = c->cells[0];
    memcpy(c->crowd->more_goals, c->cells + 1, (c->count - 1) * sizeof *c->cells);
    return c->count;
}

/* ---- fleeing ---- */

enum { FLEE_GOALS = 16, FLEE_LAYERS = 2 };

/* Considers a cell, with the distance along x and y only. */
static void consider_flight(candidates *c, int32_t x, int32_t y, int32_t z) {
    const wend_cell cell = wend__wrapped_cell(c->version, (wend_cell){x, y, z});
    if (!wend__map_has(c->crowd->def.map, cell)) return;
    consider(c, cell, squared(c, (wend_cell){cell.x, cell.y, c->at.z}), true);
}

/* Considers the ring of cells at a distance from the target, on the agent's layer and, in space, on those near it. */
static void consider_ring(candidates *c, wend_cell target, int32_t distance) {
    const int32_t layers = c->version->kind == WEND_KIND_VOXEL ? FLEE_LAYERS : 0;
    for (int32_t z = c->at.z - layers; z <= c->at.z + layers; z++)
        for (int32_t i = -distance; i < distance; i++) {
            consider_flight(c, target.x + i, target.y - distance, z);
            consider_flight(c, target.x + distance, target.y + i, z);
            consider_flight(c, target.x - i, target.y + distance, z);
            consider_flight(c, target.x - distance, target.y - i, z);
        }
}

/* Takes the largest ring with a cell to run to, if it is farther from the target than the agent. */
uint32_t wend__flee_goals(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *first) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    const wend_cell target = crowd->in_traffic[goal->target.index].at;
    candidates c = {.crowd = crowd, .version = version, .index = index, .capacity = FLEE_GOALS};
    c.at = crowd->in_traffic[index].at;
    const int32_t now = (int32_t)wend__cells_apart(crowd->def.map, c.at, target);
    for (int32_t distance = goal->distance; distance > now && c.count == 0; distance--)
        consider_ring(&c, target, distance);
    return write_goals(&c, first);
}

/* ---- joining a route ---- */

/* Considers all cells of a route. */
static void consider_route(candidates *c, uint32_t route) {
    const wend__routes *routes = &c->crowd->routes;
    wend__route_position position = {0, 0};
    for (uint32_t left = wend__route_length(routes, route); left > 0; left--) {
        const wend_cell cell = wend__route_cell(routes, c->version, route, position);
        consider(c, cell, squared(c, cell), false);
        if (!wend__route_next(routes, route, &position)) break;
    }
}

/* Returns whether the step from a position to the next cell of the route is open, or the route ends there. */
static bool leads_on(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                     wend__route_position position) {
    const wend__routes *routes = &crowd->routes;
    const uint32_t route = crowd->agents[index].goal.route;
    const wend_cell cell = wend__route_cell(routes, version, route, position);
    for (uint32_t tries = routes->of[route].leg_count + 2; tries > 0; tries--) { /* several legs of one cell */
        if (!wend__route_next(routes, route, &position)) return true;
        const wend_cell next = wend__route_cell(routes, version, route, position);
        if (wend__same_cell(cell, next)) continue;
        return wend__step_cost(version, crowd->in_traffic[index].mover, cell, next) != UINT64_MAX;
    }
    return false;
}

bool wend__route_resumes(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                         wend__route_position position) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    const wend_cell gap = wend__route_cell(&crowd->routes, version, goal->route, goal->position);
    const wend_cell cell = wend__route_cell(&crowd->routes, version, goal->route, position);
    return !wend__same_cell(cell, gap) || leads_on(crowd, version, index, position);
}

/* Takes the cells behind the gap in the order of the route: those of the same leg, or of the next leg that has some. */
static void add_behind_gap(candidates *c, uint32_t route, wend__route_position position) {
    const wend__routes *routes = &c->crowd->routes;
    for (uint32_t left = wend__route_length(routes, route); left > 0 && c->count < WEND_MAX_GOALS; left--) {
        const uint32_t leg = position.leg;
        if (!wend__route_next(routes, route, &position) || (position.leg != leg && c->count > 0)) break;
        const wend_cell cell = wend__route_cell(routes, c->version, route, position);
        if (can_reach(c, cell) && wend__route_resumes(c->crowd, c->version, c->index, position))
            c->cells[c->count++] = cell;
    }
}

uint32_t wend__route_goals(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *first) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    candidates c = {.crowd = crowd, .version = version, .index = index, .capacity = WEND_MAX_GOALS};
    c.at = crowd->in_traffic[index].at;
    if (goal->on_route)
        add_behind_gap(&c, goal->route, goal->position);
    else
        consider_route(&c, goal->route);
    return write_goals(&c, first);
}
