/* SPDX-License-Identifier: MIT */
/* The world as edited, as a script that `wend serve` takes: changes of the map, units, routes, agents. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "host/serve/look.h"
#include "host/serve/serve.h"
#include "host/output/cells.h"

/* ---- units ---- */

/* The cells of units, sorted. @return NULL: no memory */
static wend_cell *sort_units(const host_units *units, size_t *count) {
    *count = host_units_list(units, NULL);
    wend_cell *list = malloc((*count + 1) * sizeof *list);
    if (list == NULL) return NULL;
    host_units_list(units, list);
    qsort(list, *count, sizeof *list, host_compare_cells);
    return list;
}

/* Units that the file has not, and those that it has and are gone. */
static bool put_units(const serve *server, FILE *out) {
    size_t i = 0, j = 0, count, file_count;
    wend_cell *now = sort_units(&server->units, &count), *file = sort_units(&server->world.units, &file_count);
    const bool good = now != NULL && file != NULL;
    while (good && (i < count || j < file_count)) {
        const int order = i == count ? 1 : j == file_count ? -1 : host_compare_cells(&now[i], &file[j]);
        const wend__order line = {.kind = order < 0 ? WEND__ORDER_OCCUPY : WEND__ORDER_VACATE,
                                  .cells = {order < 0 ? &now[i] : &file[j], 1}};
        if (order != 0) host_put_order(out, server->host.kind, &line);
        i += order <= 0;
        j += order >= 0;
    }
    free(now);
    free(file);
    return good;
}

/* ---- routes and agents ---- */

/* The file's own routes are the first, and never change. */
static void put_routes(const serve *server, FILE *out) {
    for (size_t i = server->world.routes.count; i < server->routes.count; i++) {
        const host_route *route = &server->routes.items[i];
        const wend__order order = {.kind = WEND__ORDER_ROUTE,
                                   .route = {wend__named(route->name), route->mode, {route->cells, route->count}}};
        host_put_order(out, server->host.kind, &order);
    }
}

static void put_agent(const serve *server, FILE *out, const host_agent *agent) {
    wend__order orders[2];
    const int count = host_agent_orders(&server->host, agent, orders);
    for (int i = 0; i < count; i++) host_put_order(out, server->host.kind, &orders[i]);
}

/* Agents of the file are taken out first: each stands elsewhere by now, or is gone. */
static void put_agents(const serve *server, FILE *out) {
    for (size_t i = 0; i < server->world.agent_count; i++) {
        const wend__name name = wend__named(server->world.agents[i].name);
        const wend__order order = {.kind = WEND__ORDER_REMOVE, .names = {.items = &name, .count = 1}};
        host_put_order(out, server->host.kind, &order);
    }
    for (uint64_t i = 0; i < server->options->most_agents; i++)
        if (server->host.agents.by_index[i] != NULL) put_agent(server, out, server->host.agents.by_index[i]);
}

int32_t serve_save(const serve *server, FILE *out) {
    const char *path = server->options->world, *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    if (strcmp(path, "-") == 0 || name[strcspn(name, " \t\r\n")] != '\0' || name[0] == '#')
        return WEND_LIVE_BAD_ARGUMENT;
    if (!serve_save_changes(out, name, server->host.map, server->world.map) || !put_units(server, out))
        return WEND_LIVE_BUSY;
    put_routes(server, out);
    put_agents(server, out);
    return WEND_LIVE_OK;
}
