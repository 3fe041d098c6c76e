/* SPDX-License-Identifier: MIT */
/* Agents of the server: names, wishes, events, and where they are. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/journal/journal_orders.h"
#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

/* ---- names ---- */

static size_t bucket_of(const serve *server, const char *name) {
    return (size_t)wend__hash_name(WEND__HASH_START, name, strlen(name)) & (server->bucket_count - 1);
}

static bool has_name(const serve_agent *agent, const char *name) {
    return strcmp(agent->name, name) == 0;
}

serve_agent *serve_agent_find(const serve *server, const char *name) {
    serve_agent *agent = server->buckets[bucket_of(server, name)];
    while (agent != NULL && !(agent->here && has_name(agent, name))) agent = agent->next_named;
    return agent;
}

/* The agent that will have the name when the orders on their way to the disk are done. The newest are first. */
static serve_agent *find_expected(const serve *server, const char *name) {
    serve_agent *agent = server->buckets[bucket_of(server, name)];
    while (agent != NULL && !(agent->will && has_name(agent, name))) agent = agent->next_named;
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
    for (size_t i = 0; server->buckets != NULL && i < server->bucket_count; i++)
        for (serve_agent *agent = server->buckets[i], *next; agent != NULL; agent = next) {
            next = agent->next_named;
            free(agent);
        }
    free(server->agents);
    free(server->names);
    free(server->sizes);
    free(server->buckets);
    server->agents = NULL;
    server->names = NULL;
    server->sizes = NULL;
    server->buckets = NULL;
    server->agent_count = 0;
    server->names_revision++;
    free_removed(server);
}

/* ---- adding and removing ---- */

static uint8_t size_of(const serve *server, int32_t mover) {
    wend_mover kind = {.struct_bytes = sizeof kind};
    return wend_map_get_mover(server->map, mover, &kind) == WEND_OK ? (uint8_t)kind.size : 1;
}

/* An agent that will come. */
static serve_agent *expect_agent(serve *server, const char *name, uint64_t session) {
    serve_agent *agent = calloc(1, sizeof *agent);
    if (agent == NULL) return NULL;
    snprintf(agent->name, sizeof agent->name, "%s", name);
    agent->owner = agent->orderer = session;
    agent->will = true;
    serve_agent **bucket = &server->buckets[bucket_of(server, name)];
    agent->next_named = *bucket;
    *bucket = agent;
    server->agent_count++;
    return agent;
}

static void unlink_agent(serve *server, serve_agent *agent) {
    serve_agent **at = &server->buckets[bucket_of(server, agent->name)];
    while (*at != agent) at = &(*at)->next_named;
    *at = agent->next_named;
    server->agent_count -= agent->will;
}

/* It comes, or does not. */
static wend_error enter(serve *server, serve_agent *agent, const wend_agent_def *def) {
    wend_agent_def own = *def;
    own.context = agent;
    const wend_error error = wend_crowd_add(server->crowd, &own, &agent->id);
    if (error != WEND_OK) {
        unlink_agent(server, agent);
        free(agent);
        return error;
    }
    const uint32_t index = agent->id.index;
    agent->here = true;
    agent->mover = own.mover;
    server->agents[index] = agent;
    server->names[index] = agent->name;
    server->sizes[index] = size_of(server, own.mover);
    server->names_revision++;
    return WEND_OK;
}

static wend_error add_agent(serve *server, const wend_agent_def *def, const char *name, uint64_t session) {
    serve_agent *agent = expect_agent(server, name, session);
    return agent == NULL ? WEND_OUT_OF_MEMORY : enter(server, agent, def);
}

bool serve_agents_bring(serve *server) {
    char name[sizeof server->agents[0]->name];
    for (size_t i = 0; i < server->world.agent_count; i++) {
        const cli_world_agent *listed = &server->world.agents[i];
        const int length = snprintf(name, sizeof name, "%s", listed->name);
        const bool fits = length > 0 && (size_t)length < sizeof name && serve_agent_find(server, name) == NULL;
        const wend_error error = fits ? add_agent(server, &listed->def, name, 0) : WEND_BAD_ARGUMENT;
        if (error == WEND_OK) {
            serve_agent *agent = serve_agent_find(server, name);
            agent->of_file = true;
            agent->line = listed->line;
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

int32_t serve_mover_of(const serve *server, const wend_live_order *order) {
    if (order->mover == NULL) return server->world.default_mover;
    return cli_world_mover(&server->world, order->mover, strlen(order->mover));
}

bool serve_check_agent(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    if (serve_mover_of(server, order) < 0)
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such mover");
    else if (find_expected(server, order->names[0]) != NULL)
        serve_refuse(reply, WEND_LIVE_BAD_ARGUMENT, "there is an agent of that name already");
    else if (server->agent_count == server->options->most_agents)
        serve_refuse(reply, WEND_LIVE_BUSY, "there are too many agents");
    else if (expect_agent(server, order->names[0], order->session) == NULL)
        serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    return reply->error == WEND_LIVE_OK;
}

/* The one of that name that is not there yet: the oldest, or the newest. */
static serve_agent *find_coming(const serve *server, const char *name, bool oldest) {
    serve_agent *found = NULL;
    for (serve_agent *agent = server->buckets[bucket_of(server, name)]; agent != NULL; agent = agent->next_named) {
        if (agent->here || !has_name(agent, name)) continue;
        found = agent;
        if (!oldest) break;
    }
    return found;
}

void serve_unexpect_agent(serve *server, const wend_live_order *order) {
    serve_agent *agent = find_coming(server, order->names[0], false);
    if (agent == NULL) return;
    unlink_agent(server, agent);
    free(agent);
}

/* Words for what the library says of a place, which stay: the answer may wait for the disk. */
static void refuse_place(wend_live_reply *reply, wend_error error) {
    serve_refuse_error(reply, error);
    if (error != WEND_OK) reply->text = wend_error_text(error);
    if (error == WEND_BUSY) reply->text = "an agent or a unit stands there";
    if (error == WEND_BAD_ARGUMENT) reply->text = "its mover cannot stand there";
}

void serve_add(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_agent *agent = find_coming(server, order->names[0], true);
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    def.cell = order->cells[0];
    def.speed_milli = order->speed_milli;
    def.urgency = order->urgency;
    def.flags = order->flags;
    def.mover = serve_mover_of(server, order);
    refuse_place(reply, agent == NULL ? WEND_BUSY : enter(server, agent, &def));
}

/* ---- the agents that an order names ---- */

static bool may_command(const wend_live_order *order, const serve_agent *agent, wend_live_reply *reply) {
    if (order->owner || agent->owner == order->session) return true;
    serve_refuse(reply, WEND_LIVE_DENIED, "the agent is another session's");
    return false;
}

/* Does the crowd have it, or will it? */
static bool is_known(const serve *server, const serve_agent *agent, serve_when when) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    if (agent == NULL || when == SERVE_EXPECTED) return agent != NULL;
    return wend_crowd_get_agent(server->crowd, agent->id, &state) == WEND_OK;
}

/* One name after another. @return how many are good */
static size_t find_named(const serve *server, const wend_live_order *order, serve_when when, serve_named *out,
                         wend_live_reply *reply) {
    for (size_t i = 0; i < order->name_count; i++) {
        const char *name = order->names[i];
        serve_agent *agent = when == SERVE_NOW ? serve_agent_find(server, name) : find_expected(server, name);
        if (!is_known(server, agent, when)) {
            serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no agent of that name");
            return i;
        }
        if (!may_command(order, agent, reply)) return i;
        if (agent->named) {
            serve_refuse(reply, WEND_LIVE_BAD_ARGUMENT, "an agent is named twice");
            return i;
        }
        agent->named = true;
        out->agents[i] = agent;
        out->ids[i] = agent->id;
    }
    return order->name_count;
}

bool serve_agents_named(const serve *server, const wend_live_order *order, serve_when when, serve_named *out,
                        wend_live_reply *reply) {
    const size_t count = (size_t)order->name_count;
    *out = (serve_named){.agents = malloc(count * sizeof *out->agents), .ids = malloc(count * sizeof *out->ids)};
    if (out->agents != NULL && out->ids != NULL)
        out->count = find_named(server, order, when, out, reply);
    else
        serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    for (size_t i = 0; i < out->count; i++) out->agents[i]->named = false;
    if (reply->error == WEND_LIVE_OK) return true;
    serve_named_free(out);
    return false;
}

void serve_named_free(serve_named *named) {
    free(named->agents);
    free(named->ids);
    *named = (serve_named){0};
}

bool serve_check_named(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_named named;
    if (!serve_agents_named(server, order, SERVE_EXPECTED, &named, reply)) return false;
    serve_named_free(&named);
    return true;
}

/* ---- removing ---- */

bool serve_check_remove(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_named named;
    if (!serve_agents_named(server, order, SERVE_EXPECTED, &named, reply)) return false;
    for (size_t i = 0; i < named.count; i++) named.agents[i]->will = false;
    server->agent_count -= named.count;
    serve_named_free(&named);
    return true;
}

/* The newest of each name that will not be there. */
void serve_unexpect_remove(serve *server, const wend_live_order *order) {
    for (uint64_t i = 0; i < order->name_count; i++) {
        const char *name = order->names[i];
        serve_agent *agent = server->buckets[bucket_of(server, name)];
        while (agent != NULL && (agent->will || !has_name(agent, name))) agent = agent->next_named;
        if (agent == NULL) continue;
        agent->will = true;
        server->agent_count++;
    }
}

void serve_remove(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_named named;
    if (!serve_agents_named(server, order, SERVE_NOW, &named, reply)) return;
    for (size_t i = 0; i < named.count; i++) {
        serve_agent *agent = named.agents[i];
        wend_crowd_remove(server->crowd, agent->id);
        unlink_agent(server, agent);
        server->agents[agent->id.index] = NULL;
        server->names[agent->id.index] = NULL;
        server->names_revision++;
        agent->here = false;
        agent->next_removed = server->removed;
        server->removed = agent;
    }
    serve_named_free(&named);
}

/* ---- wishes ---- */

void serve_agent_ordered(serve_agent *agent, uint64_t session, bool stays) {
    agent->unheard = agent->unheard || agent->wanders;
    agent->wanders = false;
    agent->stays = stays;
    agent->orderer = session;
    agent->route[0] = '\0';
}

static void note_order(const serve_named *named, const wend_live_order *order) {
    const bool halts = order->order == WEND_LIVE_ORDER_HALT, stays = halts || order->order == WEND_LIVE_ORDER_STEER;
    for (size_t i = 0; i < named->count; i++)
        serve_agent_ordered(named->agents[i], halts ? named->agents[i]->orderer : order->session, stays);
}

bool serve_check_wish(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    uint8_t terrain;
    if (order->order == WEND_LIVE_ORDER_GO)
        serve_refuse_error(reply, wend_map_get_terrain(server->map, order->cells[0], &terrain));
    else if (order->order == WEND_LIVE_ORDER_FLEE && server->kind == WEND_KIND_GRAPH)
        serve_refuse_error(reply, WEND_UNSUPPORTED);
    else if (find_expected(server, order->target) == NULL)
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no agent of the target's name");
    for (uint64_t i = 0; order->target != NULL && reply->error == WEND_LIVE_OK && i < order->name_count; i++)
        if (strcmp(order->names[i], order->target) == 0)
            serve_refuse(reply, WEND_LIVE_BAD_ARGUMENT, "an agent cannot be its own target");
    return reply->error == WEND_LIVE_OK && serve_check_named(server, order, reply);
}

/* Events of wishes that ended wait for the next update, which may be far: the world may be paused. One of no time tells
 * of them. */
bool serve_tell_events(serve *server, wend_error error) {
    return error == WEND_BUSY && wend_crowd_update(server->crowd, 0) == WEND_OK;
}

void serve_wish(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_named named;
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.reach = order->reach;
    if (order->order == WEND_LIVE_ORDER_GO) {
        goal.cell = order->cells[0];
    } else {
        const serve_agent *target = serve_agent_find(server, order->target);
        if (target == NULL) {
            serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no agent of the target's name");
            return;
        }
        goal.kind = order->order == WEND_LIVE_ORDER_FOLLOW ? WEND_CROWD_FOLLOW : WEND_CROWD_FLEE;
        goal.target = target->id;
        goal.distance = order->order == WEND_LIVE_ORDER_FLEE ? order->distance : goal.distance;
        goal.keep = order->keep;
    }
    if (!serve_agents_named(server, order, SERVE_NOW, &named, reply)) return;
    wend_error error = wend_crowd_go(server->crowd, named.ids, named.count, &goal);
    if (serve_tell_events(server, error)) error = wend_crowd_go(server->crowd, named.ids, named.count, &goal);
    serve_refuse_error(reply, error);
    if (error == WEND_OK) note_order(&named, order);
    serve_named_free(&named);
}

bool serve_check_steer(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    uint8_t terrain;
    serve_refuse_error(reply, wend_map_get_terrain(server->map, order->cells[0], &terrain));
    return reply->error == WEND_LIVE_OK && serve_check_named(server, order, reply);
}

void serve_steer(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_named named;
    if (!serve_agents_named(server, order, SERVE_NOW, &named, reply)) return;
    wend_error error = wend_crowd_step(server->crowd, named.ids[0], order->cells[0]);
    if (serve_tell_events(server, error)) error = wend_crowd_step(server->crowd, named.ids[0], order->cells[0]);
    serve_refuse_error(reply, error);
    if (error == WEND_OK) note_order(&named, order);
    serve_named_free(&named);
}

void serve_halt(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_named named;
    if (!serve_agents_named(server, order, SERVE_NOW, &named, reply)) return;
    serve_refuse_error(reply, wend_crowd_halt(server->crowd, named.ids, named.count));
    if (reply->error == WEND_LIVE_OK) note_order(&named, order);
    serve_named_free(&named);
}

/* ---- becoming faster, more urgent, or of another kind ---- */

bool serve_check_adjust(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    if (order->mover != NULL && serve_mover_of(server, order) < 0)
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such mover");
    return reply->error == WEND_LIVE_OK && serve_check_named(server, order, reply);
}

void serve_adjust(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    const int32_t mover = serve_mover_of(server, order);
    serve_named named;
    if (!serve_agents_named(server, order, SERVE_NOW, &named, reply)) return;
    if (order->mover != NULL) refuse_place(reply, wend_crowd_set_mover(server->crowd, named.ids, named.count, mover));
    for (size_t i = 0; reply->error == WEND_LIVE_OK && i < named.count; i++) {
        serve_agent *agent = named.agents[i];
        if (order->speed_milli > 0) wend_crowd_set_speed(server->crowd, agent->id, order->speed_milli);
        if (order->has_urgency) wend_crowd_set_urgency(server->crowd, agent->id, order->urgency);
        if (order->mover == NULL) continue;
        agent->mover = mover;
        server->sizes[agent->id.index] = size_of(server, mover);
        server->names_revision++; /* it tells sizes, too */
    }
    serve_named_free(&named);
}

/* ---- is there room? ---- */

static bool covers(const serve *server, wend_cell at, int32_t size, wend_cell cell) {
    const int32_t x = cell.x - at.x, y = cell.y - at.y, z = cell.z - at.z;
    const int32_t deep = server->kind == WEND_KIND_VOXEL ? size : 1;
    return x >= 0 && y >= 0 && z >= 0 && x < size && y < size && z < deep;
}

/* Could an agent of a mover be on a cell, as things are? @param own   cells along a side that it holds there already */
static wend_error check_place(const serve *server, int32_t mover, wend_cell at, int32_t own, bool ghost) {
    const int32_t size = size_of(server, mover), deep = server->kind == WEND_KIND_VOXEL ? size : 1;
    wend_cell cell;
    int32_t found = 1;
    const wend_error error = wend_map_nearest_open(server->map, mover, at, 0, &found, &cell);
    if (error != WEND_OK && error != WEND_UNSUPPORTED) return error;
    if (!found) return WEND_BAD_ARGUMENT;
    for (cell.z = at.z; !ghost && cell.z < at.z + deep; cell.z++)
        for (cell.y = at.y; cell.y < at.y + size; cell.y++)
            for (cell.x = at.x; cell.x < at.x + size; cell.x++) {
                uint32_t units = 0;
                wend_map_get_occupants(server->map, cell, &units);
                if (units > 0 && !covers(server, at, own, cell)) return WEND_BUSY;
            }
    return WEND_OK;
}

bool serve_has_room(const serve *server, const wend_live_order *order, wend_live_reply *reply) {
    const int32_t mover = serve_mover_of(server, order);
    wend_agent_state state = {.struct_bytes = sizeof state};
    if (order->order == WEND_LIVE_ORDER_AGENT)
        refuse_place(reply, check_place(server, mover, order->cells[0], 0, order->flags & WEND_AGENT_GHOST));
    if (order->order != WEND_LIVE_ORDER_ADJUST || order->mover == NULL) return reply->error == WEND_LIVE_OK;
    for (uint64_t i = 0; reply->error == WEND_LIVE_OK && i < order->name_count; i++) {
        const serve_agent *agent = serve_agent_find(server, order->names[i]);
        if (agent == NULL || agent->mover == mover) continue;
        wend_crowd_get_agent(server->crowd, agent->id, &state);
        refuse_place(reply, check_place(server, mover, state.cell, size_of(server, agent->mover),
                                        state.flags & WEND_AGENT_GHOST));
    }
    return reply->error == WEND_LIVE_OK;
}

/* ---- events and places ---- */

void serve_agents_event(void *context, const wend_agent_event *event) {
    serve *server = context;
    serve_agent *agent = event->context;
    const bool replaced = event->event == WEND_AGENT_EVENT_REPLACED, unheard = replaced && agent->unheard;
    if (unheard) agent->unheard = false;
    if (!replaced && event->event != WEND_AGENT_EVENT_REROUTED) serve_wander_ended(server, agent);
    if (server->live == NULL) return;
    wend_live_send_event(server->live, unheard ? 0 : agent->orderer, server->last.frame, agent->name, event);
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
