/* SPDX-License-Identifier: MIT */
/* The world as edited, as a script that `wend serve` takes: changes of the map, units, routes, agents. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/look/look.h"
#include "cli/serve/serve.h"
#include "cli/shared/cells.h"

/* ---- units ---- */

/* Units that the file has not, and those that it has and are gone. Each list is sorted. */
static void put_difference(const serve *server, FILE *out, const wend_live_units *now) {
    size_t i = 0, j = 0;
    while (i < now->count || j < server->unit_count) {
        const int order = i == now->count           ? 1
                          : j == server->unit_count ? -1
                                                    : cli_compare_cells(&now->cells[i], &server->units[j]);
        const wend__order line = {.kind = order < 0 ? WEND__ORDER_OCCUPY : WEND__ORDER_VACATE,
                                  .cells = {order < 0 ? &now->cells[i] : &server->units[j], 1}};
        if (order != 0) cli_put_order(out, server->host.kind, &line);
        i += order <= 0;
        j += order >= 0;
    }
}

/* The file's own units stand in the order of their cells. */
static bool put_units(const serve *server, FILE *out) {
    wend_live_units now = {.struct_bytes = sizeof now, .count = host_units_list(&server->host.units, NULL)};
    wend_cell *list = malloc((size_t)(now.count + 1) * sizeof *list);
    if (list == NULL) return false;
    host_units_list(&server->host.units, list);
    qsort(list, (size_t)now.count, sizeof *list, cli_compare_cells);
    now.cells = list;
    put_difference(server, out, &now);
    free(list);
    return true;
}

/* ---- routes and agents ---- */

/* The file's own routes are the first, and never change. */
static void put_routes(const serve *server, FILE *out) {
    for (size_t i = server->world.routes.count; i < server->routes.count; i++) {
        const host_route *route = &server->routes.items[i];
        const wend__order order = {.kind = WEND__ORDER_ROUTE,
                                   .route = {wend__named(route->name), route->mode, {route->cells, route->count}}};
        cli_put_order(out, server->host.kind, &order);
    }
}

static void put_agent(const serve *server, FILE *out, const host_agent *agent) {
    wend__order orders[2];
    const int count = host_agent_orders(&server->host, agent, orders);
    for (int i = 0; i < count; i++) cli_put_order(out, server->host.kind, &orders[i]);
}

/* Agents of the file are taken out first: each stands elsewhere by now, or is gone. */
static void put_agents(const serve *server, FILE *out) {
    for (size_t i = 0; i < server->world.agent_count; i++) {
        const wend__name name = wend__named(server->world.agents[i].name);
        const wend__order order = {.kind = WEND__ORDER_REMOVE, .names = {.items = &name, .count = 1}};
        cli_put_order(out, server->host.kind, &order);
    }
    for (uint64_t i = 0; i < server->options->most_agents; i++)
        if (server->host.agents.by_index[i] != NULL) put_agent(server, out, server->host.agents.by_index[i]);
}

int32_t serve_save(const serve *server, FILE *out) {
    const char *path = server->options->world, *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    if (strcmp(path, "-") == 0 || name[strcspn(name, " \t\r\n")] != '\0' || name[0] == '#')
        return WEND_LIVE_BAD_ARGUMENT;
    if (!cli_save_changes(out, name, server->host.map, server->world.map) || !put_units(server, out))
        return WEND_LIVE_BUSY;
    put_routes(server, out);
    put_agents(server, out);
    return WEND_LIVE_OK;
}
