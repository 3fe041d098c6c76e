/* SPDX-License-Identifier: MIT */
/* Routes: those of the world, and those that clients add. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_orders.h"
#include "cli/serve/serve.h"

enum { MOST_ROUTES = 4096, MOST_CORNERS = 1 << 22 };

static cli_route *find_route(const serve *server, const char *name) {
    return cli_route_find(&server->routes, name, strlen(name));
}

static cli_route *keep_route(serve *server, const char *name, int32_t mode, const wend_cell *cells, size_t count) {
    return cli_route_keep(&server->routes, name, strlen(name), mode, cells, count);
}

bool serve_routes_open(serve *server) {
    for (size_t i = 0; i < server->world.routes.count; i++) {
        const cli_route *route = &server->world.routes.items[i];
        if (keep_route(server, route->name, route->mode, route->cells, route->count) == NULL) return false;
    }
    return true;
}

static bool has_room(const serve *server, uint64_t corners) {
    for (size_t i = 0; i < server->routes.count; i++) corners += server->routes.items[i].count;
    return server->routes.count < MOST_ROUTES && corners <= MOST_CORNERS;
}

bool serve_check_route(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    uint8_t terrain;
    const size_t count = (size_t)order->cell_count;
    if (find_route(server, order->names[0]) != NULL)
        serve_refuse(reply, WEND_LIVE_BAD_ARGUMENT, "there is a route of that name already");
    else if (!has_room(server, order->cell_count))
        serve_refuse(reply, WEND_LIVE_BUSY, "there are too many routes, or corners of routes");
    for (size_t i = 0; i < count && reply->error == WEND_LIVE_OK; i++)
        serve_refuse_error(reply, wend_map_get_terrain(server->map, order->cells[i], &terrain));
    if (reply->error != WEND_LIVE_OK) return false;
    cli_route *route = keep_route(server, order->names[0], order->mode, order->cells, count);
    if (route == NULL)
        serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    else
        route->coming = true;
    return route != NULL;
}

/* It is the last one, as those after it were forgotten before. */
void serve_unexpect_route(serve *server, const wend_live_order *order) {
    const cli_route *route = find_route(server, order->names[0]);
    if (route != NULL && route->coming) cli_routes_drop(&server->routes);
}

void serve_route_add(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    cli_route *route = find_route(server, order->names[0]);
    if (route == NULL)
        serve_refuse(reply, WEND_LIVE_BUSY, "the route was forgotten");
    else
        route->coming = false;
}

bool serve_check_take(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    if (!serve_check_named(server, order, reply)) return false;
    if (find_route(server, order->target) == NULL) serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such route");
    return reply->error == WEND_LIVE_OK;
}

void serve_take(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    cli_route *route = find_route(server, order->target);
    serve_named named;
    if (route == NULL || route->coming) {
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such route");
        return;
    }
    if (!serve_agents_named(server, order, SERVE_NOW, &named, reply)) return;
    serve_agent *agent = named.agents[0];
    wend_error error = cli_route_add(route, server->crowd);
    if (error == WEND_OK) error = wend_crowd_take(server->crowd, agent->id, route->number);
    if (serve_tell_events(server, error)) error = wend_crowd_take(server->crowd, agent->id, route->number);
    serve_refuse_error(reply, error);
    serve_named_free(&named);
    if (error != WEND_OK) return;
    serve_agent_ordered(agent, order->session, false);
    snprintf(agent->route, sizeof agent->route, "%s", route->name);
}
