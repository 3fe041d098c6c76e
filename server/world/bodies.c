/* SPDX-License-Identifier: MIT */
/* Bodies of agents, and the names of agents that they never push. */
#include <string.h>

#include "world/rows.h"
#include <wend/agents.h>

/* ---- bodies ---- */

wend_error world_body_give(world_state *w, world_agent *agent) {
    if (agent->body.radius_milli == 0) return WEND_OK;
    agent->body.struct_bytes = sizeof agent->body;
    w->has_bodies = true;
    return wend_crowd_set_body(w->crowd, agent->id, &agent->body);
}

wend_error world_body_try(world_state *w, wend_agent_id id, const wend_body_def *body) {
    wend_body_def def = *body;
    def.struct_bytes = sizeof def;
    w->has_bodies = true;
    const wend_error error = wend_crowd_set_body(w->crowd, id, &def);
    return error ? error : wend_crowd_set_body(w->crowd, id, NULL);
}

/* ---- agents that are never pushed ---- */

bool world_is_players(wend_name name) {
    static const char word[] = "players";
    return name.length == sizeof word - 1 && memcmp(name.text, word, name.length) == 0;
}

void world_set_waits(world_state *w, world_agent *agent, world_agent *const *others, uint32_t count) {
    wend_agent_id ids[WEND_MAX_WAITED_FOR];
    for (uint32_t i = 0; i < count; i++) {
        others[i]->awaited = true;
        ids[i] = others[i]->id;
        agent->waits_for[i] = others[i];
    }
    agent->waits = count;
    if (w->crowd) (void)wend_crowd_wait_for(w->crowd, agent->id, ids, count);
}

void world_drop_waits(world_state *w, const world_agent *removed) {
    if (!removed->awaited) return;
    for (world_agent *agent = w->agents.first; agent; agent = agent->next) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < agent->waits; i++)
            if (agent->waits_for[i] != removed) agent->waits_for[kept++] = agent->waits_for[i];
        agent->waits = kept;
    }
}

wend_names world_agent_waits(const world_agent *agent, wend_name names[WEND_MAX_WAITED_FOR]) {
    for (uint32_t i = 0; i < agent->waits; i++) names[i] = world_agent_name(agent->waits_for[i]);
    return (wend_names){.items = names, .count = agent->waits};
}
