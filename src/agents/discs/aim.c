/* SPDX-License-Identifier: MIT */
/* The aim of a body: the farthest point of its way that its disc sees. So it walks straight lines from bend to bend,
 * and needs no search of its own. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    OFF_LINE = 8, ///< distance from the line between middles within which a disc counts as on it
    LOOK_AGAIN = 8,
    AHEAD = 32,
    BESIDE_SEAMS = 4 ///< cells of a straight way after which the sight is checked, as a seam may end it
};

/* Returns whether a disc sees the middle of a cell, and not of another one above or below that cell.
 * @param place   of the cell, as the body sees it */
static bool sees_cell(wend__body_land *floor, const wend__body *body, wend_cell place, wend_cell cell) {
    if (floor->ground->sheets && !wend__same_cell(wend__floor_cell(floor, place.x, place.y), cell)) return false;
    return wend__floor_sees(floor, body->at, wend__body_middle(body, place), body->radius);
}

int32_t wend__body_last_seen(wend__bodies *bodies, const wend__body *body, const wend_cell *cells, uint32_t count,
                             wend__vec *seen) {
    wend__body_land *floor = wend__body_floor(bodies, body);
    int32_t last = -1;
    wend_cell here = wend__body_cell(body), before = here, step = {0, 0, 0}; /* here: as the body sees it */
    wend_cell first = here;
    uint32_t k = 0;
    for (; k < count; k++) {
        const wend_cell next = wend__body_steps(bodies, before, cells[k]);
        const bool bends = k > 0 && !wend__same_cell(next, step);
        if (bends || (bodies->sheets && k > 0 && k % BESIDE_SEAMS == 0)) {
            if (!sees_cell(floor, body, here, before)) {
                if (last >= 0 || !bodies->sheets) return last;
                break;
            }
            last = (int32_t)k - 1, *seen = wend__body_middle(body, here);
        }
        step = next;
        here = (wend_cell){here.x + next.x, here.y + next.y, 0};
        before = cells[k];
        if (k == 0) first = here;
    }
    if (k == count && count > 0 && sees_cell(floor, body, here, before))
        last = (int32_t)count - 1, *seen = wend__body_middle(body, here);
    if (last < 0 && count > 0 && sees_cell(floor, body, first, cells[0]))
        last = 0, *seen = wend__body_middle(body, first);
    return last;
}

bool wend__body_aims_at_goal(wend__bodies *bodies, const wend__body *body) {
    const wend__vec goal = wend__body_goal(bodies, body);
    if (body->aim.x != goal.x || body->aim.y != goal.y) return false;
    if (WEND__LIKELY(!bodies->sheets)) return true;
    const wend_cell seen = wend__body_cell_seen(bodies, body, wend__body_cell_at(body, goal));
    return wend__same_cell(seen, wend__body_cell_at(body, body->goal));
}

/* ---- with hardly any slack ---- */

/* Returns whether walls are next to a cell, as a body sees it. */
static bool is_tight(wend__body_land *floor, wend_cell place) {
    return wend__floor_clear(floor, place.x, place.y) <= 1;
}

bool wend__body_stops_at_aim(wend__bodies *bodies, const wend__body *body) {
    wend__body_land *floor = wend__body_floor(bodies, body);
    const wend_cell aim = wend__cell_at(body->aim);
    return is_tight(floor, wend__body_cell(body)) || wend__floor_clear(floor, aim.x, aim.y) <= 2;
}

/* Returns how many of the first cells of a way lie in the open. UINT32_MAX: all for as long as it brakes.
 * @param last   the last of them as the body sees it, or its own */
static uint32_t count_open(wend__bodies *bodies, const wend__body *body, const wend_cell *cells, uint32_t count,
                           wend_cell *last) {
    wend__body_land *floor = wend__body_floor(bodies, body);
    const int64_t brakes_in = 2 + (int64_t)body->speed * body->speed / (2 * (int64_t)body->accel) / ONE;
    wend_cell before = *last;
    if (is_tight(floor, *last)) return 0;
    for (uint32_t k = 0; k < count && k < brakes_in; k++) {
        const wend_cell step = wend__body_steps(bodies, before, cells[k]);
        const wend_cell next = {last->x + step.x, last->y + step.y, 0};
        if (is_tight(floor, next)) return k;
        *last = next, before = cells[k];
    }
    return UINT32_MAX;
}

/* Returns the end of the straight piece with which a way begins, as a body sees it; its own cell if it is off that. */
static wend_cell end_of_piece(wend__bodies *bodies, const wend__body *body, const wend_cell *cells, uint32_t count) {
    const wend_cell own = wend__body_cell(body), step = wend__body_steps(bodies, own, cells[0]);
    const wend__vec off = wend__minus(body->at, wend__body_middle(body, own));
    const int64_t cross = wend__vec_cross(off, (wend__vec){step.x, step.y});
    const int32_t off_line = wend__most(OFF_LINE, (ONE / 2 - body->radius) / 2);
    wend_cell end = own;
    if (cross > off_line || cross < -off_line) return own;
    for (uint32_t k = 0; k < count; k++) {
        if (k > 0 && !wend__same_cell(wend__body_steps(bodies, cells[k - 1], cells[k]), step)) break;
        end = (wend_cell){end.x + step.x, end.y + step.y, 0};
    }
    return end;
}

/* Sets the aim of a disc that fills a lane and can't steer near walls. There the aim is the end of a straight piece of
 * the way, from middle to middle; in the open it is the last middle before walls. Returns whether it was set. */
static bool aim_at_middles(wend__bodies *bodies, wend__body *body, const wend_cell *cells, uint32_t count) {
    wend_cell last = wend__body_cell(body);
    if (count == 0) return false;
    const uint32_t open = count_open(bodies, body, cells, count, &last);
    if (open == UINT32_MAX) return false;
    const wend_cell end = open > 0 ? last : end_of_piece(bodies, body, cells, count);
    const wend__vec aim = wend__body_middle(body, end);
    if (open > 0 && !wend__floor_sees(wend__body_floor(bodies, body), body->at, aim, body->radius)) return false;
    body->aim = aim;
    return true;
}

void wend__body_take_aim(wend__bodies *bodies, uint32_t index, bool middles) {
    wend__body *body = &bodies->of[index];
    wend_cell cells[AHEAD];
    body->aim_age = LOOK_AGAIN + (int32_t)(index & 3);
    body->aim = wend__body_seen(bodies, body->at, body->goal);
    if (!bodies->sheets) body->goal = body->aim;
    uint32_t count = 0;
    if (WEND__UNLIKELY(middles)) {
        count = bodies->world.way(bodies->world.context, index, 0, cells, AHEAD);
        if (aim_at_middles(bodies, body, cells, count)) return;
    }
    if (wend__body_aims_at_goal(bodies, body) &&
        wend__floor_sees(wend__body_floor(bodies, body), body->at, body->aim, body->radius))
        return;
    if (count == 0) count = bodies->world.way(bodies->world.context, index, 0, cells, AHEAD);
    body->aim = wend__body_middle(body, wend__body_cell(body));
    (void)wend__body_last_seen(bodies, body, cells, count, &body->aim);
}
