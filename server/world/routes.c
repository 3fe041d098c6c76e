/* SPDX-License-Identifier: MIT */
/* Routes that orders add, and the agents that take them. */
#include "world/rows.h"
#include <wend/routes.h>

wend_error world_route_add(cli_route *route, wend_crowd *crowd) {
    wend_route_def def;
    if (route->added) return WEND_OK;
    wend_route_def_init(&def, sizeof def);
    def.mode = route->mode;
    def.corners = route->cells, def.corner_count = (uint32_t)route->count;
    const wend_error error = wend_crowd_add_route(crowd, &def, &route->number);
    route->added = !error;
    return error;
}

/* ---- orders ---- */

static cli_route *find_route(const world_state *w, wend_name name) {
    return cli_route_find(w->routes, name.text, name.length);
}

static bool has_room(const world_state *w, size_t corners) {
    enum { MOST_ROUTES = 4096, MOST_CORNERS = 1 << 22 };
    if (!w->has_clients) return true;
    for (size_t i = 0; i < w->routes->count; i++) corners += w->routes->items[i].count;
    return w->routes->count < MOST_ROUTES && corners <= MOST_CORNERS;
}

bool world_check_route(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_name name = order->route.name;
    const wend_cells *cells = &order->route.cells;
    (void)who;
    if (find_route(w, name))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->route.name, "there is a route '%s' already",
                            wend__show_word((wend__span){name.text, name.length, 0}).text);
    if (!has_room(w, cells->count))
        return world_refuse(error, WORLD_BUSY, NULL, "there are too many routes, or corners of routes");
    cli_route *route = cli_route_keep(w->routes, name.text, name.length, order->route.mode, cells->items, cells->count);
    if (!route) return world_no_memory(error);
    return route->coming = true;
}

/* The newest route, as later ones were forgotten before. */
void world_forget_route(world_state *w, const wend_order *order) {
    const cli_route *route = find_route(w, order->route.name);
    if (route && route->coming) cli_route_drop(w->routes);
}

bool world_do_route(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    cli_route *route = find_route(w, order->route.name);
    (void)who;
    if (!route) return world_refuse(error, WORLD_BUSY, NULL, "the route was forgotten");
    route->coming = false;
    if (!w->crowd || w->has_clients) return true;
    const wend_error refused = world_route_add(route, w->crowd);
    return !w->recorded || world_refuse_error(error, refused, NULL);
}

static bool refuse_route(const wend_order *order, world_error *error) {
    const wend_name name = order->take.route;
    return world_refuse(error, WORLD_UNKNOWN, &order->take.route, "there is no route '%s'",
                        wend__show_word((wend__span){name.text, name.length, 0}).text);
}

bool world_names_route(const world_state *w, const wend_order *order, world_error *error) {
    return find_route(w, order->take.route) || refuse_route(order, error);
}

bool world_has_route(const world_state *w, const wend_order *order, world_error *error) {
    const cli_route *route = find_route(w, order->take.route);
    return (route && !route->coming) || refuse_route(order, error);
}
