/* SPDX-License-Identifier: MIT */
/* A disc on whose place a wall was built: its step ends, wherever the disc is, and the next one leads out. */
#include "agents/update/agents.h"

#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/version.h"

void wend__end_step_into_wall(wend_bodies *bodies, uint32_t i) {
    wend_crowd *crowd = bodies->crowd;
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    if (wend__cell_factor(wend__version_view(bodies->version, in_traffic->mover), in_traffic->at) > 0) return;
    wend__traffic_end_step(in_traffic);
    in_traffic->next = in_traffic->at;
    crowd->phase[i] = WEND__PHASE_AWAKE;
    crowd->remaining[i] = 0;
}

bool wend__leave_wall(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *own = &crowd->in_traffic[i];
    const wend__version *view = wend__version_view(version, own->mover);
    if (!own->body || WEND__LIKELY(wend__cell_factor(view, own->at) > 0) || own->steered) return false;
    if (own->parked && crowd->agents[i].goal.kind == WEND__GOAL_NONE) return false; /* the host moves it */
    const wend__body *body = wend__bodies_get(crowd->bodies->engine, i);
    int64_t least = INT64_MAX;
    own->ready = crowd->remaining[i] < 0;
    own->next = own->at;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        wend_cell to;
        if (!wend__find_beside(view, own->at, wend__dx[d], wend__dy[d], &to)) continue;
        if (wend__step_cost(version, own->mover, own->at, to) == UINT64_MAX) continue;
        const wend__vec off = wend__bodies_off(crowd->bodies->engine, body->at, wend__body_middle(body, to));
        const bool held = wend__traffic_is_held(crowd->traffic, to, own->size, (int32_t)i);
        const int64_t far = wend__vec_dot(off, off) + (held ? INT64_MAX / 2 : 0);
        if (far < least) least = far, own->next = to;
    }
    if (crowd->agents[i].goal.kind == WEND__GOAL_NONE) wend__agent_touch(crowd, i)->home = own->next;
    if (crowd->phase[i] == WEND__PHASE_ASLEEP) crowd->phase[i] = WEND__PHASE_AWAKE;
    return true;
}
