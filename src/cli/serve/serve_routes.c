/* SPDX-License-Identifier: MIT */
/* Routes: those of the world, and those that clients add. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_orders.h"
#include "cli/serve/serve.h"

enum { MOST_ROUTES = 4096, MOST_CORNERS = 1 << 22 };

static serve_route *find_route(const serve *server, const char *name) {
    for (size_t i = 0; i < server->route_count; i++)
        if (strcmp(server->routes[i].name, name) == 0) return &server->routes[i];
    return NULL;
}

/* A route that will be there. */
static serve_route *expect_route(serve *server, const char *name, int32_t mode, const wend_cell *cells, size_t count) {
    serve_route *routes = realloc(server->routes, (server->route_count + 1) * sizeof *routes);
    if (routes == NULL) return NULL;
    server->routes = routes;
    serve_route *route = &routes[server->route_count];
    *route = (serve_route){.mode = mode, .count = count, .cells = malloc(count * sizeof *cells)};
    if (route->cells == NULL) return NULL;
    snprintf(route->name, sizeof route->name, "%s", name);
    memcpy(route->cells, cells, count * sizeof *cells);
    server->route_count++;
    return route;
}

bool serve_routes_open(serve *server) {
    bool good = true;
    for (size_t i = 0; good && i < server->world.route_count; i++) {
        const cli_route *route = &server->world.routes[i];
        serve_route *kept = expect_route(server, route->name, route->mode, route->cells, route->count);
        good = kept != NULL;
        if (good) kept->here = true;
    }
    return good;
}

void serve_routes_close(serve *server) {
    for (size_t i = 0; i < server->route_count; i++) free(server->routes[i].cells);
    free(server->routes);
    server->routes = NULL;
    server->route_count = 0;
}

static bool has_room(const serve *server, uint64_t corners) {
    for (size_t i = 0; i < server->route_count; i++) corners += server->routes[i].count;
    return server->route_count < MOST_ROUTES && corners <= MOST_CORNERS;
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
    if (reply->error == WEND_LIVE_OK && expect_route(server, order->names[0], order->mode, order->cells, count) == NULL)
        serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    return reply->error == WEND_LIVE_OK;
}

/* It is the last one, as those after it were forgotten before. */
void serve_unexpect_route(serve *server, const wend_live_order *order) {
    const serve_route *route = find_route(server, order->names[0]);
    if (route == NULL || route->here) return;
    free(route->cells);
    server->route_count--;
}

void serve_route_add(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_route *route = find_route(server, order->names[0]);
    if (route == NULL)
        serve_refuse(reply, WEND_LIVE_BUSY, "the route was forgotten");
    else
        route->here = true;
}

/* The crowd gets a route when the first agent takes it. */
static wend_error add_to_crowd(serve *server, serve_route *route) {
    wend_route_def def;
    if (route->added) return WEND_OK;
    wend_route_def_init(&def, sizeof def);
    def.mode = route->mode;
    def.corners = route->cells;
    def.corner_count = (uint32_t)route->count;
    const wend_error error = wend_crowd_add_route(server->crowd, &def, &route->number);
    route->added = error == WEND_OK;
    return error;
}

bool serve_check_take(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    if (!serve_check_named(server, order, reply)) return false;
    if (find_route(server, order->target) == NULL) serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such route");
    return reply->error == WEND_LIVE_OK;
}

void serve_take(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    serve_route *route = find_route(server, order->target);
    serve_named named;
    if (route == NULL || !route->here) {
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such route");
        return;
    }
    if (!serve_agents_named(server, order, SERVE_NOW, &named, reply)) return;
    serve_agent *agent = named.agents[0];
    wend_error error = add_to_crowd(server, route);
    if (error == WEND_OK) error = wend_crowd_take(server->crowd, agent->id, route->number);
    if (serve_tell_events(server, error)) error = wend_crowd_take(server->crowd, agent->id, route->number);
    serve_refuse_error(reply, error);
    serve_named_free(&named);
    if (error != WEND_OK) return;
    serve_agent_ordered(agent, order->session, false);
    snprintf(agent->route, sizeof agent->route, "%s", route->name);
}
