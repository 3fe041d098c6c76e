/* SPDX-License-Identifier: MIT */
/* Agents of the server: those of the world's file, those at random places, events, and where they are. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/serve/serve.h"
#include "host/output/messages.h"

bool serve_agents_bring(serve *server) {
    for (size_t i = 0; i < server->world.agent_count; i++) {
        const host_world_agent *listed = &server->world.agents[i];
        const size_t length = strlen(listed->name);
        const bool fits =
            length > 0 && length <= SERVE_NAME_BYTES && !host_agent_find(&server->host, listed->name, length);
        const wend_error error =
            fits ? host_agent_add(&server->host, &listed->def, listed->name, length) : WEND_BAD_ARGUMENT;
        if (!error) {
            host_agent *agent = host_agent_find(&server->host, listed->name, length);
            agent->of_file = true;
            agent->line = listed->line;
            agent->stays = (listed->def.flags & WEND_AGENT_STEERED) != 0;
            continue;
        }
        host_fail_at(server->options->world, listed->line, 1, "the agent '%s' cannot be there: %s", listed->name,
                     !fits                        ? "its name is too long, or another's"
                     : error == WEND_BUSY         ? "an agent or a unit stands there, or --max-agents is too low"
                     : error == WEND_BAD_ARGUMENT ? "its mover cannot stand there"
                                                  : wend_error_detail(error));
        return false;
    }
    return true;
}

uint64_t serve_agents_scatter(serve *server, uint64_t count, uint64_t seed) {
    enum { TRIES = 64 };
    host *h = &server->host;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_agent_def def;
    wend_cell middle;
    int32_t found = 0;
    uint64_t added = 0, number = 0;
    char name[32];
    wend_agent_def_init(&def, sizeof def);
    wend_map_get_info(h->map, &info);
    def.mover = h->movers->standard;
    wend_cell centre = {info.width / 2, info.height / 2, info.depth / 2};
    wend_map_nearest_open(h->map, def.mover, centre, WEND_MAX_NEAREST, &found, &middle);
    for (uint64_t i = 0; found && i < count * TRIES && added < count; i++) {
        if (wend_map_random_cell(h->map, def.mover, middle, seed + i, &def.cell)) break;
        do snprintf(name, sizeof name, "a%llu", (unsigned long long)++number);
        while (host_agent_find(h, name, strlen(name)));
        if (!host_agent_add(h, &def, name, strlen(name)))
            added++;
        else
            number--;
    }
    return added;
}

/* ---- orders of the world's file ---- */

/* The agent of that name when the line was read; NULL: a later line removed it. */
static host_agent *find_of_line(const serve *server, wend__name name, int line) {
    host_agent *agent = host_agent_find(&server->host, name.text, name.length);
    return agent && agent->line <= line ? agent : NULL;
}

/* Leaves out agents that are gone. @return false: nobody is left to take the order */
static bool keep_present(const serve *server, wend__order *order, int line) {
    const wend__row *row = &wend__order_rows[order->kind];
    wend__names *names = (wend__names *)(void *)((char *)order + row->fields[0].offset);
    wend__name *items = (wend__name *)(uintptr_t)names->items; /* of the copy */
    if (row->fields[0].kind == WEND__NAME) {
        const bool to_agent = order->kind == WEND__ORDER_FOLLOW || order->kind == WEND__ORDER_FLEE;
        return find_of_line(server, *(wend__name *)(void *)names, line) &&
               (!to_agent || find_of_line(server, order->go.target, line));
    }
    const size_t count = names->count;
    names->count = 0;
    for (size_t i = 0; i < count; i++)
        if (find_of_line(server, items[i], line)) items[names->count++] = items[i];
    return names->count > 0;
}

bool serve_orders_bring(serve *server) {
    static const host_client itself = {.owner = true};
    for (size_t i = 0; i < server->world.order_count; i++) {
        const host_world_order *kept = &server->world.orders[i];
        host_error error = {0};
        wend__order *order = wend__order_copy(kept->order);
        bool good = order || host_refuse(&error, HOST_NO_MEMORY, NULL, "no memory");
        if (good && keep_present(server, order, kept->line)) good = host_take(&server->host, &itself, order, &error);
        free(order);
        if (good) continue;
        host_fail_at(server->options->world, kept->line, 1, "%s", error.text);
        return false;
    }
    return true;
}

/* ---- events and places ---- */

void serve_agents_event(void *context, const wend_agent_event *event) {
    serve *server = context;
    host_agent *agent = event->context;
    const bool replaced = event->event == WEND_AGENT_EVENT_REPLACED, unheard = replaced && agent->unheard;
    const bool goes_on = event->event == WEND_AGENT_EVENT_REROUTED || event->event == WEND_AGENT_EVENT_DISPLACED;
    if (unheard) agent->unheard = false;
    if (!replaced && !goes_on) serve_wander_ended(server, agent);
    if (!server->live) return;
    wend_live_send_event(server->live, unheard ? 0 : agent->orderer, server->last.frame, agent->name, event);
}

void serve_agents_positions(void *context, wend_live_positions *out) {
    const serve *server = context;
    const host_agents *agents = &server->host.agents;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (wend_crowd_get_view(server->host.crowd, &view)) return;
    out->count = view.count;
    out->names = agents->names;
    out->cells = view.cells;
    out->points = view.points;
    out->states = view.states;
    out->names_revision = agents->names_revision;
    out->sizes = agents->sizes;
}

void serve_units_list(void *context, wend_live_units *out) {
    serve *server = context;
    const size_t count = host_units_list(&server->units, NULL);
    wend_cell *list = realloc(server->unit_list, (count + 1) * sizeof *list);
    if (!list) return;
    server->unit_list = list;
    out->count = host_units_list(&server->units, list);
    out->cells = list;
}
