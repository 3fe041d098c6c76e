/* SPDX-License-Identifier: MIT */
/* Room for agents. A written order must not fail when it is executed. So a new agent's cells are occupied from its
 * check on. Other conditions that depend on where agents stand are tried at the check, and undone. */
#include "world/rows.h"
#include <wend/agents.h>

/* ---- cells of a new agent ---- */

/* Adds a unit, and removes it again. */
static wend_error try_agent(world_state *w, const wend_agent_def *def, const wend_body_def *body) {
    wend_agent_id id;
    wend_error error = wend_crowd_add(w->crowd, def, &id);
    if (error) return error;
    if (body->radius_milli > 0) error = world_body_try(w, id, body);
    (void)wend_crowd_remove(w->crowd, id);
    return error;
}

static bool reserve_agent(world_state *w, const wend_order *order, world_error *error) {
    wend_agent_def def = order->agent.def;
    const wend_body_def *body = &order->agent.body;
    def.mover = world_agent_mover(w, order, error);
    wend_error refused = try_agent(w, &def, body);
    if (!refused && !world_needs_standstill(w, order) && !def.ghost)
        refused =
            world_keep_place(w, world_agent_coming(w, order->agent.name), def.cell, world_mover_size(w, def.mover));
    const bool of_body = body->radius_milli > 0 && (refused == WEND_BAD_ARGUMENT || refused == WEND_UNSUPPORTED);
    const void *member = of_body ? (const void *)&body->radius_milli : &order->agent.def.cell;
    return world_refuse_place(w, error, refused, member, def.cell);
}

/* ---- existing agents ---- */

/* Removes the body of an agent at once: nothing else shows that its cell is free for it. */
static wend_error shed(const world_state *w, world_agent *agent) {
    const wend_error error = w->has_bodies ? wend_crowd_set_body(w->crowd, agent->id, NULL) : WEND_OK;
    agent->shed = !error;
    return error;
}

static bool try_body(world_state *w, const wend_order *order, world_error *error) {
    world_agent *agent = world_agent_find(w, order->body.name.text, order->body.name.length);
    const bool gets = order->body.def.radius_milli > 0;
    const wend_error refused = gets ? world_body_try(w, agent->id, &order->body.def) : shed(w, agent);
    return world_refuse_error(error, refused, &order->body.def.radius_milli);
}

/* Makes one agent after another the new mover, then restores all of them, which must fit, as nothing has moved. */
static bool try_mover(const world_state *w, const wend_order *order, world_error *error) {
    const wend_names *names = &order->adjust.names;
    wend_error refused = WEND_OK;
    int32_t mover = 0;
    size_t done = 0;
    for (; !refused && mover >= 0 && done < names->count; done++) {
        const wend_name name = wend__names_at(names, done);
        const world_agent *agent = world_agent_find(w, name.text, name.length);
        mover = world_adjusted_mover(w, order, agent, error);
        if (mover >= 0) refused = wend_crowd_set_mover(w->crowd, &agent->id, 1, mover);
    }
    if (!refused && mover >= 0) done++;
    for (done--; done-- > 0;) {
        const wend_name name = wend__names_at(names, done);
        const world_agent *agent = world_agent_find(w, name.text, name.length);
        (void)wend_crowd_set_mover(w->crowd, &agent->id, 1, agent->mover);
    }
    return mover >= 0 && world_refuse_error(error, refused, world_mover_member(order));
}

static bool try_adjust(const world_state *w, const wend_order *order, world_error *error) {
    const bool moves = wend_order_gave(order, &order->adjust.cell);
    const wend_name name = wend__names_at(&order->adjust.names, 0);
    const world_agent *agent = world_agent_find(w, name.text, name.length);
    wend_agent_state before = {.struct_bytes = sizeof before};
    wend_error refused = wend_crowd_get_agent(w->crowd, agent->id, &before);
    if (!refused && moves) refused = wend_crowd_move(w->crowd, agent->id, order->adjust.cell);
    if (!world_refuse_error(error, refused, &order->adjust.cell)) return false;
    const bool good = !world_becomes(order) || try_mover(w, order, error);
    if (moves) (void)wend_crowd_move(w->crowd, agent->id, before.cell);
    return good;
}

/* ---- orders ---- */

/* Discs may reach into cells that other agents would hold at any time. */
bool world_needs_standstill(const world_state *w, const wend_order *order) {
    switch (order->kind) {
    case WEND_ORDER_AGENT: return w->has_bodies || order->agent.body.radius_milli > 0;
    case WEND_ORDER_BODY: return true;
    case WEND_ORDER_ADJUST: return world_becomes(order) || wend_order_gave(order, &order->adjust.cell);
    default: return false;
    }
}

bool world_only_moves(int32_t kind) {
    switch (kind) {
    case WEND_ORDER_PLACE:
    case WEND_ORDER_GO:
    case WEND_ORDER_FOLLOW:
    case WEND_ORDER_FLEE:
    case WEND_ORDER_STEER:
    case WEND_ORDER_HALT:
    case WEND_ORDER_TAKE: return true;
    default: return false;
    }
}

/* Adds the profile to the map. A layer with a pending order has none so far. */
static bool reserve_profile(const world_state *w, const wend_order *order, world_error *error) {
    world_error own = {0};
    if (order->kind == WEND_ORDER_AGENT) (void)world_profile_of(w, &order->agent.layers, &own);
    if (order->kind == WEND_ORDER_ADJUST) (void)world_profile_of(w, &order->adjust.layers, &own);
    if (own.error == WEND_BUSY) *error = own;
    return own.error != WEND_BUSY;
}

bool world_reserve(world_state *w, const wend_order *order, world_error *error) {
    if (!reserve_profile(w, order, error)) return false;
    if (order->kind == WEND_ORDER_AGENT) return reserve_agent(w, order, error);
    if (!world_needs_standstill(w, order)) return true;
    return order->kind == WEND_ORDER_BODY ? try_body(w, order, error) : try_adjust(w, order, error);
}

/* ---- orders about bodies ---- */

bool world_do_body(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    world_agent *agent = world_named_agent(w, who, order, error);
    if (!agent) return false;
    const wend_body_def before = agent->body;
    const bool gets = order->body.def.radius_milli > 0;
    wend_error refused = WEND_OK;
    agent->body = order->body.def;
    if (w->crowd && gets) refused = world_body_give(w, agent);
    if (w->crowd && !gets && w->has_bodies && !agent->shed) refused = wend_crowd_set_body(w->crowd, agent->id, NULL);
    if (refused) agent->body = before;
    agent->shed = false;
    w->agents.names_revision++; /* names include radii */
    return world_refuse_error(error, refused, &order->body.def.radius_milli);
}

/* Restores its body, if others have left room. */
void world_forget_body(world_state *w, const wend_order *order) {
    world_agent *agent = world_agent_find(w, order->body.name.text, order->body.name.length);
    if (agent && agent->shed) (void)world_body_give(w, agent);
    if (agent) agent->shed = false;
}

/* Rounds what an order has to thousandths of a cell, towards 0: a velocity becomes no faster. */
static wend_point thousandths_of(wend_body_vector exact) {
    enum { MILLI = 1000 };
    return (wend_point){(int32_t)((int64_t)exact.x * MILLI / WEND_BODY_UNITS),
                        (int32_t)((int64_t)exact.y * MILLI / WEND_BODY_UNITS), 0};
}

bool world_do_place(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const world_agent *agent = world_named_agent(w, who, order, error);
    if (!agent) return false;
    if (!w->has_bodies)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->place.name, "the agent '%s' has no body", agent->name);
    const wend_point at = thousandths_of(order->place.at), velocity = thousandths_of(order->place.velocity);
    return world_refuse_error(error, wend_crowd_place_body(w->crowd, agent->id, at, velocity), &order->place.name);
}
