/* SPDX-License-Identifier: MIT */
/* Agents of the server: those of the world's file, those at random places, events, and where they are. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/game/serve.h"
#include "cli/output/messages.h"
#include <wend/agents.h>
#include <wend/query.h>

static const host_client itself = {.owner = true};

uint64_t serve_agents_scatter(host *h, uint64_t count, uint64_t seed) {
    enum { TRIES = 64 };
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_order order;
    wend_cell middle;
    int32_t found = 0;
    uint64_t added = 0, number = 0;
    char name[32];
    wend__order_init(&order, WEND_ORDER_AGENT);
    wend_map_get_info(h->map, &info);
    const int32_t mover = h->movers->standard;
    wend_cell centre = {info.width / 2, info.height / 2, info.depth / 2};
    wend_map_nearest_open(h->map, mover, centre, WEND_MAX_NEAREST, &found, &middle);
    for (uint64_t i = 0; found && i < count * TRIES && added < count; i++) {
        if (wend_map_random_cell(h->map, mover, middle, seed + i, &order.agent.def.cell)) break;
        do snprintf(name, sizeof name, "a%llu", (unsigned long long)++number);
        while (host_agent_find(h, name, strlen(name)));
        host_error error = {0};
        order.agent.name = wend__named(name);
        if (host_take(h, &itself, &order, &error))
            added++;
        else
            number--;
    }
    return added;
}

/* ---- orders of the world's file ---- */

/* Returns the agent of that name when the line was read; NULL: a later line removed it. */
static host_agent *find_of_line(const host *h, wend_name name, int line) {
    host_agent *agent = host_agent_find(h, name.text, name.length);
    return agent && agent->line <= line ? agent : NULL;
}

/* Leaves out agents that are gone. @return false: nobody is left to take the order */
static bool keep_present(const host *h, wend_order *order, int line) {
    const wend__row *row = &wend__order_rows[order->kind];
    if (row->fields[0].kind == WEND__CELLS) return true; /* a box */
    wend_names *names = (wend_names *)(void *)((char *)order + row->fields[0].offset);
    wend_name *items = (wend_name *)(uintptr_t)names->items; /* of the copy */
    if (row->fields[0].kind == WEND__NAME) {
        const bool to_agent = order->kind == WEND_ORDER_FOLLOW || order->kind == WEND_ORDER_FLEE;
        return find_of_line(h, *(wend_name *)(void *)names, line) &&
               (!to_agent || find_of_line(h, order->go.target, line));
    }
    const size_t count = names->count;
    names->count = 0;
    for (size_t i = 0; i < count; i++)
        if (find_of_line(h, items[i], line)) items[names->count++] = items[i];
    return names->count > 0;
}

/* One that is steered stands. */
static void note_agent(const host *h, const wend_order *order, int line) {
    host_agent *agent = host_agent_find(h, order->agent.name.text, order->agent.name.length);
    agent->of_file = true;
    agent->line = line;
    agent->stays = (order->agent.def.flags & WEND_AGENT_STEERED) != 0;
}

static bool bring(host *h, const struct host_kept_order *kept, host_error *error) {
    wend_order *order = wend__order_copy(kept->order);
    if (!order) return host_refuse(error, HOST_NO_MEMORY, NULL, "no memory");
    bool good = true;
    if (order->kind == WEND_ORDER_AGENT) {
        good = order->agent.name.length <= SERVE_NAME_BYTES ||
               host_refuse(error, HOST_BAD_ARGUMENT, NULL, "its name is longer than %d bytes", SERVE_NAME_BYTES);
        good = good && host_take(h, &itself, order, error);
        if (good) note_agent(h, order, kept->line);
    } else if (keep_present(h, order, kept->line)) {
        good = host_take(h, &itself, order, error);
    }
    free(order);
    return good;
}

bool serve_agents_bring(serve *server) {
    const host_kept *lists[] = {&server->world.agents, &server->world.orders};
    for (int list = 0; list < 2; list++)
        for (size_t i = 0; i < lists[list]->count; i++) {
            const struct host_kept_order *kept = &lists[list]->items[i];
            host_error error = {0};
            if (bring(&server->host, kept, &error)) continue;
            host_fail_at(server->options->world, kept->line, 1, "%s", error.text);
            return false;
        }
    return true;
}

/* ---- events and places ---- */

void serve_agents_event(void *context, const wend_agent_event *event) {
    serve *server = context;
    host_agent *agent = event->context;
    if (event->event == WEND_AGENT_EVENT_CLEAR) {
        const uint64_t session = host_box_orderer(&server->host, event->box);
        if (server->clients.live)
            wend_live_send_event(server->clients.live, session, server->clock.last.frame, NULL, event);
        return;
    }
    const bool replaced = event->event == WEND_AGENT_EVENT_REPLACED, unheard = replaced && agent->unheard;
    const bool goes_on = !wend_agent_event_ends_goal(event->event);
    if (unheard) agent->unheard = false;
    if (!replaced && !goes_on) serve_wander_ended(server, agent);
    if (!server->clients.live) return;
    wend_live_send_event(server->clients.live, unheard ? 0 : agent->orderer, server->clock.last.frame, agent->name,
                         event);
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
    wend_cell *list = realloc(server->clients.unit_list, (count + 1) * sizeof *list);
    if (!list) return;
    server->clients.unit_list = list;
    out->count = host_units_list(&server->units, list);
    out->cells = list;
}
