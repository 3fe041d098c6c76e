/* SPDX-License-Identifier: MIT */
/* Wandering: agents without a goal get goals at random places, with --wander or when a client requests it.
 *
 * Such a goal is no order of a client: it is in no journal, and its events go only to watchers of agents. All goals
 * follow from the seed, the agents and the frames, so the same server without clients runs the same way again. */
#define _GNU_SOURCE

#include <wend/query.h>

#include "base/hash.h"
#include "serve/game/serve.h"

/// most frames that an agent rests before it sets off
enum { LONGEST_REST = 40 };

/* Draws a cell that the agent can reach. @return false: none was drawn, as few can be reached */
static bool draw_goal(serve *server, int32_t mover, wend_cell from, wend_cell *out) {
    enum { DRAWS = 64 };
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(server->world.map, &info);
    for (int i = 0; i < DRAWS; i++) {
        const uint64_t x = wend__random(&server->wander.random), y = wend__random(&server->wander.random),
                       z = wend__random(&server->wander.random);
        *out = (wend_cell){(int32_t)(x % (uint32_t)info.width), (int32_t)(y % (uint32_t)info.height),
                           (int32_t)(z % (uint32_t)info.depth)};
        bool reachable = false;
        if (!wend_map_reachable(server->world.map, mover, from, *out, &reachable) && reachable) return true;
    }
    return false;
}

static void rest(serve *server, world_agent *agent) {
    agent->sets_off = server->clock.last.frame + 1 + wend__random(&server->wander.random) % LONGEST_REST;
}

/* An agent that stays, as it finds no goal or the crowd has no room for its goal, tries again after a rest. */
static void send_somewhere(serve *server, world_agent *agent) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    rest(server, agent);
    if (wend_crowd_get_agent(server->world.crowd, agent->id, &state) || state.has_goal) return;
    if (!draw_goal(server, state.mover, state.cell, &goal.cell)) return;
    if (wend_crowd_go(server->world.crowd, &agent->id, 1, &goal)) return;
    agent->wanders = true;
    agent->orderer = 0;
}

static bool is_idle(uint8_t state) {
    return state == WEND_AGENT_IDLE || state == WEND_AGENT_ARRIVED || state == WEND_AGENT_ASIDE;
}

void serve_wander_begin(serve *server, bool wander) {
    server->wander.on = wander;
    server->wander.random = server->options->seed;
    for (uint64_t i = 0; wander && i < server->world.agents.most; i++)
        if (server->world.agents.by_index[i]) rest(server, server->world.agents.by_index[i]);
}

void serve_wander_frame(serve *server) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (!server->wander.on || wend_crowd_get_view(server->world.crowd, &view)) return;
    for (uint32_t i = 0; i < view.count; i++) {
        world_agent *agent = is_idle(view.states[i]) ? server->world.agents.by_index[i] : NULL;
        if (agent && !agent->stays && agent->sets_off <= server->clock.last.frame) send_somewhere(server, agent);
    }
}

void serve_wander_ended(serve *server, world_agent *agent) {
    agent->wanders = false;
    if (server->wander.on) rest(server, agent);
}
