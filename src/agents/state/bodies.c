/* SPDX-License-Identifier: MIT */
/* Queries of agents about their bodies: where each body is, and whether it rests. */
#include "agents/state/bodies.h"

#include "map/version/version.h"

enum { ONE = WEND_BODY_UNITS, HALF = ONE / 2, MILLI = 1000 };

bool wend__body_rests(const wend_crowd *crowd, uint32_t index) {
    return crowd->phase[index] != WEND__PHASE_STEPPING && wend__bodies_stand(crowd->bodies->engine, index);
}

/* Returns whether the disc of a body is on its way to its agent's cell, and not before a link that leads
 * there. */
static bool has_leapt(const wend_crowd *crowd, uint32_t index) {
    const wend__body *body = wend__bodies_get(crowd->bodies->engine, index);
    return wend__same_cell(wend__body_cell_at(body, body->post), crowd->in_traffic[index].at);
}

bool wend__body_stepped(const wend_crowd *crowd, uint32_t index) {
    const wend_bodies *bodies = crowd->bodies;
    if (!has_leapt(crowd, index)) return false;
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    const bool ends =
        goal->kind == WEND__GOAL_CELL && goal->reach == 0 && wend__same_cell(goal->cell, crowd->in_traffic[index].at);
    return ends ? wend__bodies_stand(bodies->engine, index) : wend__bodies_stepped(bodies->engine, index);
}

/* Returns −1, 0 or 1 for the part of a vector along an axis: the nearest of eight directions. */
static int32_t eighth(int32_t along, int32_t across) {
    const int64_t a = along < 0 ? -(int64_t)along : along, b = across < 0 ? -(int64_t)across : across;
    return 2 * a > b ? along < 0 ? -1 : 1 : 0;
}

wend_point wend__body_point(const wend_crowd *crowd, uint32_t index, wend_cell *facing) {
    const wend_bodies *bodies = crowd->bodies;
    const wend__body *body = wend__bodies_get(bodies->engine, index);
    const wend__vec to = body->facing;
    const bool faces = to.x || to.y;
    *facing = (wend_cell){faces ? eighth(to.x, to.y) : 0, faces ? eighth(to.y, to.x) : 0, 0};
    return (wend_point){(int32_t)((int64_t)(body->at.x - HALF - body->offset) * MILLI / ONE),
                        (int32_t)((int64_t)(body->at.y - HALF - body->offset) * MILLI / ONE), 0};
}

/* Rounds to the nearest thousandth, so that a velocity that the host gave is read as it was. */
static int32_t nearest_milli(int32_t units) {
    return (int32_t)(((int64_t)units * MILLI + (units < 0 ? -HALF : HALF)) / ONE);
}

wend_point wend__body_velocity(const wend_crowd *crowd, uint32_t index) {
    const wend__vec velocity = wend__bodies_get(crowd->bodies->engine, index)->velocity;
    return (wend_point){nearest_milli(velocity.x), nearest_milli(velocity.y), 0};
}

/* A radius was rounded up, the other numbers down, each by less than a thousandth. */
wend_body_def wend__body_def_of(const wend__body *body) {
    const wend_body_def def = {.struct_bytes = sizeof def,
                               .radius_milli = (uint32_t)((int64_t)body->radius * MILLI / ONE),
                               .accel_milli = (uint32_t)(((int64_t)body->accel * MILLI + ONE - 1) / ONE),
                               .turn_degrees = (uint32_t)body->turn,
                               .turning_radius_milli = (uint32_t)(((int64_t)body->turning * MILLI + ONE - 1) / ONE)};
    return def;
}

uint32_t wend__body_radius_milli(const wend_crowd *crowd, uint32_t index) {
    return wend__body_def_of(wend__bodies_get(crowd->bodies->engine, index)).radius_milli;
}

/* Only discs count here; the ground counts only over seams. */
bool wend__bodies_are_clear(const wend_crowd *crowd, wend_cell low, wend_cell high) {
    const wend_map *map = crowd->def.map;
    wend__bodies *engine = crowd->bodies->engine;
    wend__version *version = WEND__LIKELY(!map->sheets) ? NULL : wend__bodies_follow_newest(engine, map);
    const bool reached = wend__bodies_reach(engine, low, high);
    if (version) wend__map_release(version, false);
    return !reached;
}
