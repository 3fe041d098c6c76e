/* SPDX-License-Identifier: MIT */
/* Orders about the bodies of agents that are there: an agent gets one or loses it, or the host has moved it. */
#include "world/rows.h"

bool world_do_body(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    world_agent *agent = world_named_agent(w, who, order, error);
    if (!agent) return false;
    const wend_body_def before = agent->body;
    const bool gets = order->body.def.radius_milli > 0;
    wend_error refused = WEND_OK;
    agent->body = order->body.def;
    if (w->crowd && gets) refused = world_body_give(w, agent);
    if (w->crowd && !gets && w->bodies) refused = wend_body_remove(w->bodies, agent->id);
    if (refused) agent->body = before;
    w->agents.names_revision++; /* it tells radii, too */
    return world_refuse_error(error, refused, &order->body.def.radius_milli);
}

bool world_do_place(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const world_agent *agent = world_named_agent(w, who, order, error);
    if (!agent) return false;
    if (!w->bodies)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->place.name, "the agent '%s' has no body", agent->name);
    return world_refuse_error(error, wend_body_set(w->bodies, agent->id, order->place.at, order->place.velocity),
                              &order->place.name);
}
