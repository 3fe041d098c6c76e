/* SPDX-License-Identifier: MIT */
/* Bodies of agents: the world makes them for the first agent that has one. */
#include "world/rows.h"

static wend_error make_bodies(world_state *w) {
    wend_bodies_def def;
    wend_bodies_def_init(&def, sizeof def);
    def.crowd = w->crowd;
    return w->bodies ? WEND_OK : wend_bodies_create(&def, &w->bodies);
}

wend_error world_body_give(world_state *w, world_agent *agent) {
    if (agent->body.radius_milli == 0) return WEND_OK;
    agent->body.struct_bytes = sizeof agent->body;
    const wend_error error = make_bodies(w);
    return error ? error : wend_body_add(w->bodies, agent->id, &agent->body);
}
