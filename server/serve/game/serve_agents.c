/* SPDX-License-Identifier: MIT */
/* Agents of the server: those of the world's file, those at random places, events, and positions. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/game/serve.h"
#include "cli/output/messages.h"
#include <wend/agents.h>
#include <wend/query.h>
#include <wend/save.h>

static const world_client itself = {.owner = true};

int32_t serve_get_profile(void *context, const wend_weights *layers) {
    const serve *server = context;
    world_error error = {0};
    return world_read_profile(&server->world, layers, &error);
}

size_t serve_get_layers(void *context, const char *const **names) {
    const serve *server = context;
    *names = (const char *const *)server->world.layers->names;
    return (size_t)server->world.layers->count;
}

uint64_t serve_get_hash(void *context) {
    const serve *server = context;
    uint64_t hash = 0;
    (void)wend_world_hash(server->world.map, server->world.service, server->world.crowd, &hash);
    return hash;
}

uint64_t serve_agents_scatter(world_state *w, uint64_t count, uint64_t seed) {
    enum { TRIES = 64 };
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_order order;
    wend_cell middle;
    bool found = false;
    uint64_t added = 0, number = 0;
    char name[32];
    wend__order_init(&order, WEND_ORDER_AGENT);
    wend_map_get_info(w->map, &info);
    const int32_t mover = w->movers->standard;
    wend_cell centre = {info.width / 2, info.height / 2, info.depth / 2};
    wend_map_nearest_open(w->map, mover, centre, WEND_MAX_NEAREST, &found, &middle);
    for (uint64_t i = 0; found && i < count * TRIES && added < count; i++) {
        if (wend_map_random_cell(w->map, mover, middle, seed + i, &order.agent.def.cell)) break;
        do snprintf(name, sizeof name, "a%llu", (unsigned long long)++number);
        while (world_agent_find(w, name, strlen(name)));
        world_error error = {0};
        order.agent.name = wend__named(name);
        if (world_check_and_do(w, &itself, &order, &error))
            added++;
        else
            number--;
    }
    return added;
}

/* ---- orders of the world's file ---- */

/* Returns the agent of that name when the line was read; NULL: a later line removed it. */
static world_agent *find_of_line(const world_state *w, wend_name name, int line) {
    world_agent *agent = world_agent_find(w, name.text, name.length);
    return agent && agent->line <= line ? agent : NULL;
}

/* Drops removed agents. @return false: no agent is left for the order */
static bool keep_present(const world_state *w, wend_order *order, int line) {
    const wend__row *row = &wend__order_rows[order->kind];
    if (row->fields[0].kind == WEND__CELLS) return true; /* a box */
    wend_names *names = (wend_names *)(void *)((char *)order + row->fields[0].offset);
    wend_name *items = (wend_name *)(uintptr_t)names->items; /* items of the copy */
    if (row->fields[0].kind == WEND__NAME) {
        const bool to_agent = order->kind == WEND_ORDER_FOLLOW || order->kind == WEND_ORDER_FLEE;
        return find_of_line(w, *(wend_name *)(void *)names, line) &&
               (!to_agent || find_of_line(w, order->go.target, line));
    }
    const size_t count = names->count;
    names->count = 0;
    for (size_t i = 0; i < count; i++)
        if (find_of_line(w, items[i], line)) items[names->count++] = items[i];
    return names->count > 0;
}

/* A steered agent stands. */
static void mark_agent(const world_state *w, const wend_order *order, int line) {
    world_agent *agent = world_agent_find(w, order->agent.name.text, order->agent.name.length);
    agent->of_file = true;
    agent->line = line;
    agent->stays = order->agent.def.steered;
}

static bool bring(world_state *w, const struct cli_kept_order *kept, world_error *error) {
    wend_order *order = wend__order_copy(kept->order);
    if (!order) return world_refuse(error, WORLD_NO_MEMORY, NULL, "no memory");
    bool good = true;
    if (order->kind == WEND_ORDER_AGENT) {
        good = order->agent.name.length <= SERVE_NAME_BYTES ||
               world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "its name is longer than %d bytes", SERVE_NAME_BYTES);
        good = good && world_check_and_do(w, &itself, order, error);
        if (good) mark_agent(w, order, kept->line);
    } else if (keep_present(w, order, kept->line)) {
        good = world_check_and_do(w, &itself, order, error);
    }
    free(order);
    return good;
}

bool serve_agents_bring(serve *server) {
    const cli_kept *lists[] = {&server->original.agents, &server->original.orders};
    for (int list = 0; list < 2; list++)
        for (size_t i = 0; i < lists[list]->count; i++) {
            const struct cli_kept_order *kept = &lists[list]->items[i];
            world_error error = {0};
            if (bring(&server->world, kept, &error)) continue;
            cli_fail_at(server->options->world, kept->line, 1, "%s", error.text);
            return false;
        }
    return true;
}

/* ---- events and positions ---- */

void serve_agents_event(void *context, const wend_agent_event *event) {
    serve *server = context;
    world_agent *agent = event->context;
    if (event->event == WEND_AGENT_EVENT_CLEAR) {
        const uint64_t session = world_box_orderer(&server->world, event->box);
        if (server->clients.live) live_send_event(server->clients.live, session, server->clock.last.frame, NULL, event);
        return;
    }
    const bool replaced = event->event == WEND_AGENT_EVENT_REPLACED, unheard = replaced && agent->unheard;
    const bool goes_on = !wend_agent_event_ends_goal(event->event);
    if (unheard) agent->unheard = false;
    if (!replaced && !goes_on) serve_wander_ended(server, agent);
    if (!server->clients.live) return;
    live_send_event(server->clients.live, unheard ? 0 : agent->orderer, server->clock.last.frame, agent->name, event);
}

void serve_agents_positions(void *context, wend_live_positions *out) {
    const serve *server = context;
    const world_agents *agents = &server->world.agents;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (wend_crowd_get_view(server->world.crowd, &view)) return;
    out->count = view.count;
    out->names = agents->names;
    out->cells = view.cells;
    out->points = view.points;
    out->states = view.states;
    out->names_revision = agents->names_revision;
    out->sizes = agents->sizes;
    out->radii = view.radii;
}

void serve_units_list(void *context, wend_live_units *out) {
    serve *server = context;
    const size_t count = world_units_list(&server->units, NULL);
    wend_cell *list = realloc(server->clients.unit_list, (count + 1) * sizeof *list);
    if (!list) return;
    server->clients.unit_list = list;
    out->count = world_units_list(&server->units, list);
    out->cells = list;
}
