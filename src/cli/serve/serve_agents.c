/* SPDX-License-Identifier: MIT */
/* Agents of the server: names, wishes, events, and where they are. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/serve/serve.h"

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
    server->buckets = calloc(server->bucket_count, sizeof *server->buckets);
    return server->agents != NULL && server->names != NULL && server->buckets != NULL;
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
    free(server->buckets);
    server->agents = NULL;
    server->names = NULL;
    server->names_revision++;
    server->buckets = NULL;
    free_removed(server);
}

/* ---- adding and removing ---- */

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
    server->agents[agent->id.index] = agent;
    server->names[agent->id.index] = agent->name;
    server->names_revision++;
    return WEND_OK;
}

uint64_t serve_agents_scatter(serve *server, uint64_t count, uint64_t seed) {
    enum { TRIES = 64 };
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_agent_def def;
    wend_cell middle;
    int32_t found = 0;
    uint64_t added = 0;
    char name[32];
    wend_agent_def_init(&def, sizeof def);
    wend_map_get_info(server->map, &info);
    def.mover = server->world.default_mover;
    wend_cell centre = {info.width / 2, info.height / 2, info.depth / 2};
    wend_map_nearest_open(server->map, def.mover, centre, WEND_MAX_NEAREST, &found, &middle);
    for (uint64_t i = 0; found && i < count * TRIES && added < count; i++) {
        if (wend_map_random_cell(server->map, def.mover, middle, seed + i, &def.cell) != WEND_OK) break;
        snprintf(name, sizeof name, "a%llu", (unsigned long long)(added + 1));
        added += add_agent(server, &def, name, 0) == WEND_OK;
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

/* The agents that an order names, each once. @return ids that the caller frees; NULL: refused */
static wend_agent_id *find_agents(serve *server, const wend_live_order *order, wend_live_reply *reply) {
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

static void note_orderer(serve *server, const wend_agent_id *ids, const wend_live_order *order) {
    for (uint64_t i = 0; i < order->name_count; i++) server->agents[ids[i].index]->orderer = order->session;
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
    }
    wend_agent_id *ids = find_agents(server, order, reply);
    if (ids == NULL) return;
    const wend_error error = wend_crowd_go(server->crowd, ids, (size_t)order->name_count, &goal);
    serve_refuse_error(reply, error);
    if (error == WEND_OK) note_orderer(server, ids, order);
    free(ids);
}

void serve_halt(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_agent_id *ids = find_agents(server, order, reply);
    if (ids == NULL) return;
    serve_refuse_error(reply, wend_crowd_halt(server->crowd, ids, (size_t)order->name_count));
    free(ids);
}

void serve_remove(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_agent_id *ids = find_agents(server, order, reply);
    if (ids == NULL) return;
    for (uint64_t i = 0; i < order->name_count; i++) remove_agent(server, server->agents[ids[i].index]);
    free(ids);
}

/* ---- events and places ---- */

void serve_agents_event(void *context, const wend_agent_event *event) {
    serve *server = context;
    const serve_agent *agent = event->context;
    if (server->live != NULL) wend_live_event(server->live, agent->orderer, server->last.frame, agent->name, event);
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
}
