/* SPDX-License-Identifier: MIT */
/* Routes that orders add, and who takes them. */
#include "world/rows.h"
#include <wend/routes.h>

wend_error host_route_add(host_route *route, wend_crowd *crowd) {
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

static host_route *find_route(const host *h, wend_name name) {
    return host_route_find(h->routes, name.text, name.length);
}

static bool has_room(const host *h, size_t corners) {
    enum { MOST_ROUTES = 4096, MOST_CORNERS = 1 << 22 };
    if (!h->has_clients) return true;
    for (size_t i = 0; i < h->routes->count; i++) corners += h->routes->items[i].count;
    return h->routes->count < MOST_ROUTES && corners <= MOST_CORNERS;
}

bool host_check_route(host *h, const host_client *who, const wend_order *order, host_error *error) {
    const wend_name name = order->route.name;
    const wend_cells *cells = &order->route.cells;
    (void)who;
    if (find_route(h, name))
        return host_refuse(error, HOST_BAD_ARGUMENT, &order->route.name, "there is a route '%s' already",
                           wend__show_word((wend__span){name.text, name.length, 0}).text);
    if (!has_room(h, cells->count))
        return host_refuse(error, HOST_BUSY, NULL, "there are too many routes, or corners of routes");
    host_route *route =
        host_route_keep(h->routes, name.text, name.length, order->route.mode, cells->items, cells->count);
    if (!route) return host_no_memory(error);
    return route->coming = true;
}

/* It is the last one, as those after it were forgotten before. */
void host_forget_route(host *h, const wend_order *order) {
    const host_route *route = find_route(h, order->route.name);
    if (route && route->coming) host_route_drop(h->routes);
}

bool host_do_route(host *h, const host_client *who, const wend_order *order, host_error *error) {
    host_route *route = find_route(h, order->route.name);
    (void)who;
    if (!route) return host_refuse(error, HOST_BUSY, NULL, "the route was forgotten");
    route->coming = false;
    return !h->recorded || !h->crowd || host_refuse_error(error, host_route_add(route, h->crowd), NULL);
}

static bool refuse_route(const wend_order *order, host_error *error) {
    const wend_name name = order->take.route;
    return host_refuse(error, HOST_UNKNOWN, &order->take.route, "there is no route '%s'",
                       wend__show_word((wend__span){name.text, name.length, 0}).text);
}

bool host_names_route(const host *h, const wend_order *order, host_error *error) {
    return find_route(h, order->take.route) || refuse_route(order, error);
}

bool host_has_route(const host *h, const wend_order *order, host_error *error) {
    const host_route *route = find_route(h, order->take.route);
    return (route && !route->coming) || refuse_route(order, error);
}
