/* SPDX-License-Identifier: MIT */
/* Agents that become faster, more urgent or of another size. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/serve/serve.h"

/* The wish that it had, once more; those who follow it or flee from it go on, too. */
static void wish_again(serve *server, const serve_agent *agent, wend_agent_id before, const wend_agent_state *state) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (state->has_wish && agent->route[0] != '\0')
        serve_take_again(server, agent);
    else if (state->has_wish)
        wend_crowd_go(server->crowd, &agent->id, 1, &state->goal);
    if (wend_crowd_get_view(server->crowd, &view) != WEND_OK) return;
    for (uint32_t i = 0; i < view.count; i++) {
        wend_agent_state other = {.struct_bytes = sizeof other};
        if (server->agents[i] == NULL || wend_crowd_get_agent(server->crowd, view.ids[i], &other) != WEND_OK) continue;
        if (!other.has_wish || other.goal.kind == WEND_CROWD_CELL || other.goal.target.index != before.index ||
            other.goal.target.generation != before.generation)
            continue;
        other.goal.target = agent->id;
        wend_crowd_go(server->crowd, &server->agents[i]->id, 1, &other.goal);
    }
}

static bool set_mover(serve *server, serve_agent *agent, int32_t mover, wend_live_reply *reply) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    const wend_agent_id before = agent->id;
    wend_agent_def def;
    if (agent->mover == mover) return true;
    wend_crowd_get_agent(server->crowd, before, &state);
    wend_agent_def_init(&def, sizeof def);
    def.cell = state.cell;
    def.mover = mover;
    def.speed_milli = state.speed_milli;
    def.urgency = state.urgency;
    def.flags = state.flags;
    const bool good = serve_agent_replace(server, agent, &def, reply);
    wish_again(server, agent, before, &state);
    return good;
}

/* All of the agents, or none: those that have become larger become as they were. */
static bool set_movers(serve *server, serve_agent *const *agents, uint64_t count, int32_t mover,
                       wend_live_reply *reply) {
    int32_t *before = malloc((size_t)(count + 1) * sizeof *before);
    if (before == NULL) return serve_refuse(reply, WEND_LIVE_BUSY, "no memory"), false;
    uint64_t done = 0;
    for (; done < count; done++) {
        before[done] = agents[done]->mover;
        if (!set_mover(server, agents[done], mover, reply)) break;
    }
    const bool good = done == count;
    for (uint64_t i = good ? 0 : done; i-- > 0;) {
        wend_live_reply ignored = {.struct_bytes = sizeof ignored};
        set_mover(server, agents[i], before[i], &ignored);
    }
    free(before);
    return good;
}

static void set_numbers(serve *server, const serve_agent *agent, const wend_live_order *order) {
    if (order->speed_milli > 0) wend_crowd_set_speed(server->crowd, agent->id, order->speed_milli);
    if (order->has_urgency) wend_crowd_set_urgency(server->crowd, agent->id, order->urgency);
}

void serve_adjust(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    const int32_t mover =
        order->mover != NULL ? cli_world_mover(&server->world, order->mover, strlen(order->mover)) : -1;
    if (order->mover != NULL && mover < 0) {
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such mover");
        return;
    }
    wend_agent_id *ids = serve_agents_named(server, order, reply);
    serve_agent **agents = ids != NULL ? malloc((size_t)order->name_count * sizeof *agents) : NULL;
    if (ids != NULL && agents == NULL) serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    for (uint64_t i = 0; agents != NULL && i < order->name_count; i++) agents[i] = server->agents[ids[i].index];
    if (agents != NULL && (mover < 0 || set_movers(server, agents, order->name_count, mover, reply)))
        for (uint64_t i = 0; i < order->name_count; i++) set_numbers(server, agents[i], order);
    free(agents);
    free(ids);
}
