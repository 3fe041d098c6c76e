/* SPDX-License-Identifier: MIT */
/* Agents of the server: names, wishes, events, and where they are. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_orders.h"
#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

/* ---- names ---- */

static size_t bucket_of(const serve *server, const char *name) {
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32) & (server->bucket_count - 1);
}

serve_agent *serve_agent_find(const serve *server, const char *name) {
    serve_agent *agent = server->buckets[bucket_of(server, name)];
    while (agent != NULL && strcmp(agent->name, name) != 0) agent = agent->next_named;
    return agent;
}

bool serve_agents_open(serve *server) {
    const size_t most = (size_t)server->options->most_agents;
    for (server->bucket_count = 64; server->bucket_count < most;) server->bucket_count *= 2;
    server->agents = calloc(most, sizeof *server->agents);
    server->names = calloc(most, sizeof *server->names);
    server->sizes = calloc(most, sizeof *server->sizes);
    server->buckets = calloc(server->bucket_count, sizeof *server->buckets);
    return server->agents != NULL && server->names != NULL && server->sizes != NULL && server->buckets != NULL;
}

static void free_removed(serve *server) {
    for (serve_agent *agent = server->removed, *next; agent != NULL; agent = next) {
        next = agent->next_removed;
        free(agent);
    }
    server->removed = NULL;
}

void serve_agents_close(serve *server) {
    for (size_t i = 0; server->agents != NULL && i < server->options->most_agents; i++) free(server->agents[i]);
    free(server->agents);
    free(server->names);
    free(server->sizes);
    server->sizes = NULL;
    free(server->buckets);
    server->agents = NULL;
    server->names = NULL;
    server->names_revision++;
    server->buckets = NULL;
    free_removed(server);
}

/* ---- adding and removing ---- */

/* The arrays by the crowd's index have it. */
static void place_agent(serve *server, serve_agent *agent, int32_t mover) {
    wend_mover kind = {.struct_bytes = sizeof kind};
    const uint32_t index = agent->id.index;
    agent->mover = mover;
    server->agents[index] = agent;
    server->names[index] = agent->name;
    server->sizes[index] = wend_map_get_mover(server->map, mover, &kind) == WEND_OK ? (uint8_t)kind.size : 1;
    server->names_revision++;
}

static wend_error add_agent(serve *server, const wend_agent_def *def, const char *name, uint64_t session) {
    serve_agent *agent = calloc(1, sizeof *agent);
    if (agent == NULL) return WEND_OUT_OF_MEMORY;
    wend_agent_def own = *def;
    own.context = agent;
    const wend_error error = wend_crowd_add(server->crowd, &own, &agent->id);
    if (error != WEND_OK) {
        free(agent);
        return error;
    }
    snprintf(agent->name, sizeof agent->name, "%s", name);
    agent->owner = agent->orderer = session;
    serve_agent **bucket = &server->buckets[bucket_of(server, name)];
    agent->next_named = *bucket;
    *bucket = agent;
    place_agent(server, agent, own.mover);
    return WEND_OK;
}

bool serve_agent_replace(serve *server, serve_agent *agent, const wend_agent_def *def, wend_live_reply *reply) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    const wend_agent_id before = agent->id;
    wend_agent_def own = *def;
    wend_crowd_get_agent(server->crowd, before, &state);
    own.context = agent;
    wend_crowd_remove(server->crowd, before);
    server->agents[before.index] = NULL;
    server->names[before.index] = NULL;
    wend_error error = wend_crowd_add(server->crowd, &own, &agent->id);
    const bool good = error == WEND_OK;
    if (!good) { /* its old place is free */
        serve_refuse_error(reply, error);
        if (error == WEND_BUSY) reply->text = "an agent or a unit stands in the way";
        if (error == WEND_BAD_ARGUMENT) reply->text = "its mover cannot stand there";
        own.mover = state.mover;
        error = wend_crowd_add(server->crowd, &own, &agent->id);
    }
    if (error == WEND_OK) place_agent(server, agent, own.mover);
    return good;
}

/* Names of files stand as the journal writes them. */
bool serve_agents_bring(serve *server) {
    char name[sizeof server->agents[0]->name];
    for (size_t i = 0; i < server->world.agent_count; i++) {
        const cli_world_agent *listed = &server->world.agents[i];
        char *word = strdup(listed->name);
        if (word == NULL) return cli_fail("serve: no memory"), false;
        serve_name_read(word);
        const int length = snprintf(name, sizeof name, "%s", word);
        free(word);
        const bool fits = length > 0 && (size_t)length < sizeof name && serve_agent_find(server, name) == NULL;
        const wend_error error = fits ? add_agent(server, &listed->def, name, 0) : WEND_BAD_ARGUMENT;
        if (error == WEND_OK) {
            serve_agent *agent = serve_agent_find(server, name);
            agent->of_file = true;
            agent->stays = (listed->def.flags & WEND_AGENT_STEERED) != 0;
            continue;
        }
        cli_fail_at(server->options->world, listed->line, 1, "the agent '%s' cannot be there: %s", listed->name,
                    !fits                        ? "its name is too long, or another's"
                    : error == WEND_BUSY         ? "an agent or a unit stands there, or --max-agents is too low"
                    : error == WEND_BAD_ARGUMENT ? "its mover cannot stand there"
                                                 : wend_error_detail(error));
        return false;
    }
    return true;
}

void serve_agent_order(const serve *server, const serve_agent *agent, wend_cell *cell, wend_live_order *out) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_get_agent(server->crowd, agent->id, &state);
    *cell = state.cell;
    *out = (wend_live_order){.struct_bytes = sizeof *out,
                             .order = WEND_LIVE_ORDER_AGENT,
                             .names = &server->names[agent->id.index],
                             .name_count = 1,
                             .cells = cell,
                             .cell_count = 1,
                             .speed_milli = state.speed_milli,
                             .urgency = state.urgency,
                             .flags = state.flags};
    if (state.mover != server->world.default_mover && state.mover > 0)
        out->mover = server->world.movers[state.mover - 1];
}

uint64_t serve_agents_scatter(serve *server, uint64_t count, uint64_t seed) {
    enum { TRIES = 64 };
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_agent_def def;
    wend_cell middle;
    int32_t found = 0;
    uint64_t added = 0, number = 0;
    char name[32];
    wend_agent_def_init(&def, sizeof def);
    wend_map_get_info(server->map, &info);
    def.mover = server->world.default_mover;
    wend_cell centre = {info.width / 2, info.height / 2, info.depth / 2};
    wend_map_nearest_open(server->map, def.mover, centre, WEND_MAX_NEAREST, &found, &middle);
    for (uint64_t i = 0; found && i < count * TRIES && added < count; i++) {
        if (wend_map_random_cell(server->map, def.mover, middle, seed + i, &def.cell) != WEND_OK) break;
        do snprintf(name, sizeof name, "a%llu", (unsigned long long)++number);
        while (serve_agent_find(server, name) != NULL);
        if (add_agent(server, &def, name, 0) == WEND_OK)
            added++;
        else
            number--;
    }
    return added;
}

void serve_add(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    def.cell = order->cells[0];
    def.speed_milli = order->speed_milli;
    def.urgency = order->urgency;
    def.flags = order->flags;
    def.mover = order->mover != NULL ? cli_world_mover(&server->world, order->mover, strlen(order->mover))
                                     : server->world.default_mover;
    if (def.mover < 0) {
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such mover");
        return;
    }
    if (serve_agent_find(server, order->names[0]) != NULL) {
        serve_refuse(reply, WEND_LIVE_BAD_ARGUMENT, "there is an agent of that name already");
        return;
    }
    const wend_error error = add_agent(server, &def, order->names[0], order->session);
    serve_refuse_error(reply, error);
    if (error == WEND_BUSY) reply->text = "an agent or a unit stands there, or there are too many agents";
    if (error == WEND_BAD_ARGUMENT) reply->text = "its mover cannot stand there";
}

static void remove_agent(serve *server, serve_agent *agent) {
    serve_agent **at = &server->buckets[bucket_of(server, agent->name)];
    wend_crowd_remove(server->crowd, agent->id);
    while (*at != agent) at = &(*at)->next_named;
    *at = agent->next_named;
    server->agents[agent->id.index] = NULL;
    server->names[agent->id.index] = NULL;
    server->names_revision++;
    agent->next_removed = server->removed;
    server->removed = agent;
}

/* ---- wishes ---- */

bool serve_may_command(const serve *server, const wend_live_order *order, const serve_agent *agent,
                       wend_live_reply *reply) {
    (void)server;
    if (order->owner || agent->owner == order->session) return true;
    serve_refuse(reply, WEND_LIVE_DENIED, "the agent is another session's");
    return false;
}

wend_agent_id *serve_agents_named(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_agent_id *ids = malloc((size_t)order->name_count * sizeof *ids);
    uint64_t good = 0;
    if (ids == NULL) serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    for (; ids != NULL && good < order->name_count; good++) {
        serve_agent *agent = serve_agent_find(server, order->names[good]);
        if (agent == NULL) serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no agent of that name");
        if (agent == NULL || !serve_may_command(server, order, agent, reply)) break;
        if (agent->named) {
            serve_refuse(reply, WEND_LIVE_BAD_ARGUMENT, "an agent is named twice");
            break;
        }
        agent->named = true;
        ids[good] = agent->id;
    }
    for (uint64_t i = 0; i < good; i++) server->agents[ids[i].index]->named = false;
    if (good == order->name_count) return ids;
    free(ids);
    return NULL;
}

void serve_agent_ordered(serve_agent *agent, uint64_t session, bool stays) {
    agent->unheard = agent->unheard || agent->wanders;
    agent->wanders = false;
    agent->stays = stays;
    agent->orderer = session;
    agent->route[0] = '\0';
}

static void note_order(serve *server, const wend_agent_id *ids, const wend_live_order *order) {
    const bool halts = order->order == WEND_LIVE_ORDER_HALT, stays = halts || order->order == WEND_LIVE_ORDER_STEER;
    for (uint64_t i = 0; i < order->name_count; i++) {
        serve_agent *agent = server->agents[ids[i].index];
        serve_agent_ordered(agent, halts ? agent->orderer : order->session, stays);
    }
}

void serve_wish(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    if (order->order == WEND_LIVE_ORDER_GO) {
        goal.cell = order->cells[0];
        goal.reach = order->reach;
    } else {
        const serve_agent *target = serve_agent_find(server, order->target);
        if (target == NULL) {
            serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no agent of the target's name");
            return;
        }
        goal.kind = order->order == WEND_LIVE_ORDER_FOLLOW ? WEND_CROWD_FOLLOW : WEND_CROWD_FLEE;
        goal.target = target->id;
        goal.reach = order->reach;
        goal.distance = order->order == WEND_LIVE_ORDER_FLEE ? order->distance : goal.distance;
        goal.keep = order->keep;
    }
    wend_agent_id *ids = serve_agents_named(server, order, reply);
    if (ids == NULL) return;
    const wend_error error = wend_crowd_go(server->crowd, ids, (size_t)order->name_count, &goal);
    serve_refuse_error(reply, error);
    if (error == WEND_OK) note_order(server, ids, order);
    free(ids);
}

void serve_steer(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_agent_id *ids = serve_agents_named(server, order, reply);
    if (ids == NULL) return;
    const wend_error error = wend_crowd_step(server->crowd, ids[0], order->cells[0]);
    serve_refuse_error(reply, error);
    if (error == WEND_OK) note_order(server, ids, order);
    free(ids);
}

void serve_halt(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_agent_id *ids = serve_agents_named(server, order, reply);
    if (ids == NULL) return;
    const wend_error error = wend_crowd_halt(server->crowd, ids, (size_t)order->name_count);
    serve_refuse_error(reply, error);
    if (error == WEND_OK) note_order(server, ids, order);
    free(ids);
}

void serve_remove(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_agent_id *ids = serve_agents_named(server, order, reply);
    if (ids == NULL) return;
    for (uint64_t i = 0; i < order->name_count; i++) remove_agent(server, server->agents[ids[i].index]);
    free(ids);
}

/* ---- events and places ---- */

void serve_agents_event(void *context, const wend_agent_event *event) {
    serve *server = context;
    serve_agent *agent = event->context;
    const bool replaced = event->event == WEND_AGENT_EVENT_REPLACED, unheard = replaced && agent->unheard;
    if (unheard) agent->unheard = false;
    if (!replaced && event->event != WEND_AGENT_EVENT_REROUTED) serve_wander_ended(server, agent);
    if (server->live == NULL) return;
    wend_live_event(server->live, unheard ? 0 : agent->orderer, server->last.frame, agent->name, event);
}

void serve_agents_updated(serve *server) {
    free_removed(server);
}

void serve_agents_positions(void *context, wend_live_positions *out) {
    const serve *server = context;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (wend_crowd_get_view(server->crowd, &view) != WEND_OK) return;
    out->count = view.count;
    out->names = server->names;
    out->cells = view.cells;
    out->points = view.points;
    out->states = view.states;
    out->names_revision = server->names_revision;
    out->sizes = server->sizes;
}
