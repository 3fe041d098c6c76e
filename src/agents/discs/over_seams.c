/* SPDX-License-Identifier: MIT */
/* Bodies near seams: what each sees of the ground round it, relative positions of points, and how it goes over. */
#include "agents/discs/state.h"

enum { ONE = WEND__BODY_ONE };

/* Returns the floor of any mover: the seams are the same for all. */
static wend__body_land *any_floor(const wend__bodies *bodies) {
    for (int32_t mover = 0; mover < WEND_MAX_MOVERS; mover++)
        if (bodies->floors[mover].chunks) return (wend__body_land *)&bodies->floors[mover];
    return NULL;
}

const wend__unfolded *wend__body_sight(const wend__bodies *bodies, wend_cell cell) {
    if (!bodies->sights) return NULL;
    wend__body_land *floor = any_floor(bodies);
    if (!floor || !wend__floor_is_near_seam(floor, cell)) return NULL;
    const uint64_t hash = ((uint64_t)(uint32_t)cell.y << 32 | (uint32_t)cell.x) * UINT64_C(0x9E3779B97F4A7C15);
    wend__unfolded *sight = &bodies->sights[(hash >> 32) % WEND__UNFOLDED_KEPT];
    const bool is_there = sight->made && sight->serial == bodies->version->serial && wend__same_cell(sight->cell, cell);
    if (!is_there) wend__unfold(bodies->version, cell, sight);
    return sight;
}

static wend__vec place_of(const wend__bodies *bodies, wend__vec at) {
    const wend__sheet_part *part = wend__sheets_part(bodies->sheets, wend__cell_at(at));
    return (wend__vec){at.x + part->x * ONE, at.y + part->y * ONE};
}

wend__vec wend__body_off_on_sheets(const wend__bodies *bodies, wend__vec from, wend__vec to) {
    return wend__minus(place_of(bodies, to), place_of(bodies, from));
}

wend_cell wend__body_steps_on_sheets(const wend__bodies *bodies, wend_cell from, wend_cell to) {
    if (wend__is_seam_both_ways(bodies->version, from, to)) return wend__place_difference(bodies->version, from, to);
    return (wend_cell){to.x - from.x, to.y - from.y, 0};
}

void wend__body_go_over(wend__body *body, const wend__unfolded *sight) {
    const wend_cell seen = wend__body_cell(body), cell = wend__unfolded_cell(sight, seen.x, seen.y);
    const wend__vec way = {(cell.x - seen.x) * ONE, (cell.y - seen.y) * ONE};
    if (!way.x && !way.y) return;
    wend__vec *const points[] = {&body->at, &body->aim};
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) *points[k] = wend__plus(*points[k], way);
}

/* Returns whether a disc reaches into a place. */
static bool covers_place(const wend__body *body, int32_t x, int32_t y) {
    const int32_t left = x * ONE, top = y * ONE;
    const wend__vec nearest = {wend__least(wend__most(body->at.x, left), left + ONE),
                               wend__least(wend__most(body->at.y, top), top + ONE)};
    const wend__vec off = wend__minus(nearest, body->at);
    return wend__vec_dot(off, off) < (int64_t)body->radius * body->radius;
}

static bool reaches_over(const wend__body *body, const wend__unfolded *sight, wend_cell low, wend_cell high) {
    const wend_cell at = wend__cell_at(body->at);
    const int32_t far = 1 + body->radius / ONE, side = 2 * far + 1;
    for (int32_t k = 0; k < side * side; k++) {
        const int32_t x = at.x + k % side - far, y = at.y + k / side - far;
        const wend_cell cell = wend__unfolded_cell(sight, x, y);
        const bool inside = cell.x >= low.x && cell.y >= low.y && cell.x <= high.x && cell.y <= high.y;
        if (inside && covers_place(body, x, y)) return true;
    }
    return false;
}

bool wend__bodies_reach_over(const wend__bodies *bodies, wend_cell low, wend_cell high) {
    for (uint32_t i = 0; i < bodies->used && bodies->version; i++) {
        const wend__body *body = &bodies->of[i];
        if (body->state == WEND__BODY_NONE) continue;
        const wend__unfolded *sight = wend__body_sight(bodies, wend__cell_at(body->at));
        if (sight && reaches_over(body, sight, low, high)) return true;
    }
    return false;
}
