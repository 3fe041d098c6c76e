/* SPDX-License-Identifier: MIT */
/* The places that bodies are granted, as agents without bodies are, and for how long a disc is blocked between them. */
#include "agents/discs/state.h"

enum { ONE = WEND__BODY_ONE };

void wend__bodies_set_place(wend__bodies *bodies, uint32_t index, wend__vec post) {
    wend__body *body = &bodies->of[index];
    body->at_via = 1;
    body->strict = body->swaps = 0;
    body->via = body->post = post;
    body->step = body->via_step = --bodies->posts;
    if (body->turning > 0) {
        body->at_via = wend__same_cell(wend__body_cell(body), wend__body_cell_at(body, post));
        wend__vehicle_rest(bodies, index);
    }
    body->blocked = 0;
}

void wend__bodies_set_going(wend__bodies *bodies, uint32_t index, bool goes) {
    bodies->of[index].state = goes ? WEND__BODY_GOES : WEND__BODY_RESTS;
}

void wend__bodies_grant(wend__bodies *bodies, uint32_t index, wend__vec post, uint32_t step) {
    wend__body *body = &bodies->of[index];
    const wend_cell place = wend__body_cell_at(body, post);
    if (wend__same_cell(place, wend__body_cell_at(body, body->post))) { /* another point of the same place */
        body->swaps = 0;
        body->post = post;
        if (wend__same_cell(wend__body_cell_at(body, body->via), place)) body->via = post;
        return;
    }
    body->via = body->post;
    body->via_step = body->step;
    body->post = post;
    body->at_via = body->strict = body->swaps = body->halted = 0;
    body->step = (int32_t)(step & INT32_MAX);
}

void wend__bodies_swap_places(wend__bodies *bodies, uint32_t index, wend_cell from, wend_cell to, wend_cell way,
                              uint32_t step) {
    wend__body *body = &bodies->of[index];
    const wend__vec right = {-way.y * ONE / 4, way.x * ONE / 4};
    if (body->swaps && wend__same_cell(wend__cell_at(body->post), to)) return;
    wend__bodies_grant(bodies, index, wend__plus(wend__middle_of(to), right), step);
    body->via = wend__plus(wend__middle_of(from), right);
    body->swaps = 1;
}

void wend__body_count_blocked(wend__bodies *bodies, uint32_t index, wend__vec wanted) {
    wend__body *body = &bodies->of[index];
    const int64_t now = wend__vec_dot(body->velocity, body->velocity), want = wend__vec_dot(wanted, wanted);
    const bool is_lost = body->turning > 0 && body->halted && !body->at_via; /* no arc leads on */
    if (!is_lost && (want == 0 || now * 16 > want)) {
        body->blocked = 0;
        return;
    }
    if (body->blocked < INT32_MAX / 2) body->blocked += (int32_t)bodies->elapsed;
    if (body->blocked >= WEND__BODY_BLOCKED && !body->swaps) {
        body->strict = 1;
        body->via = wend__body_middle(body, wend__body_cell_at(body, body->via));
        body->post = wend__body_middle(body, wend__body_cell_at(body, body->post));
    }
}

wend__vec wend__bodies_off(const wend__bodies *bodies, wend__vec from, wend__vec to) {
    return wend__body_off(bodies, from, to);
}

bool wend__bodies_sees(wend__bodies *bodies, uint32_t index, wend__vec way) {
    const wend__body *body = &bodies->of[index];
    return wend__floor_sees(wend__body_floor(bodies, body), body->at, wend__plus(body->at, way), body->radius);
}
