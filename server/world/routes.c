/* SPDX-License-Identifier: MIT */
/* Routes by name: those of the world's file, and those that orders add. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "world/rows.h"

static void drop_last(host_routes *routes) {
    const host_route *last = &routes->items[--routes->count];
    free(last->name);
    free(last->cells);
}

host_route *host_route_keep(host_routes *routes, const char *name, size_t length, int32_t mode, const wend_cell *cells,
                            size_t count) {
    host_route *items = realloc(routes->items, (routes->count + 1) * sizeof *items);
    if (!items) return NULL;
    routes->items = items;
    host_route *route = &items[routes->count++];
    *route = (host_route){.name = strndup(name, length), .mode = mode, .count = count};
    route->cells = malloc(count * sizeof *cells);
    if (!route->name || !route->cells) {
        drop_last(routes);
        return NULL;
    }
    memcpy(route->cells, cells, count * sizeof *cells);
    return route;
}

host_route *host_route_find(const host_routes *routes, const char *name, size_t length) {
    for (size_t i = 0; i < routes->count; i++) {
        const char *other = routes->items[i].name;
        if (strlen(other) == length && memcmp(other, name, length) == 0) return &routes->items[i];
    }
    return NULL;
}

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

void host_routes_free(host_routes *routes) {
    while (routes->count > 0) drop_last(routes);
    free(routes->items);
    routes->items = NULL;
}

/* ---- orders ---- */

static host_route *find_route(const host *h, wend__name name) {
    return host_route_find(h->routes, name.text, name.length);
}

static bool has_room(const host *h, size_t corners) {
    enum { MOST_ROUTES = 4096, MOST_CORNERS = 1 << 22 };
    if (!h->has_clients) return true;
    for (size_t i = 0; i < h->routes->count; i++) corners += h->routes->items[i].count;
    return h->routes->count < MOST_ROUTES && corners <= MOST_CORNERS;
}

bool host_check_route(host *h, const host_client *who, const wend__order *order, host_error *error) {
    const wend__name name = order->route.name;
    const wend__cells *cells = &order->route.cells;
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
void host_forget_route(host *h, const wend__order *order) {
    const host_route *route = find_route(h, order->route.name);
    if (route && route->coming) drop_last(h->routes);
}

bool host_do_route(host *h, const host_client *who, const wend__order *order, host_error *error) {
    host_route *route = find_route(h, order->route.name);
    (void)who;
    if (!route) return host_refuse(error, HOST_BUSY, NULL, "the route was forgotten");
    route->coming = false;
    return !h->recorded || !h->crowd || host_refuse_error(error, host_route_add(route, h->crowd), NULL);
}

static bool refuse_route(const wend__order *order, host_error *error) {
    const wend__name name = order->take.route;
    return host_refuse(error, HOST_UNKNOWN, &order->take.route, "there is no route '%s'",
                       wend__show_word((wend__span){name.text, name.length, 0}).text);
}

bool host_check_take(host *h, const host_client *who, const wend__order *order, host_error *error) {
    if (!host_check_named(h, who, order, error)) return false;
    return find_route(h, order->take.route) || refuse_route(order, error);
}

bool host_has_route(const host *h, const wend__order *order, host_error *error) {
    const host_route *route = find_route(h, order->take.route);
    return (route && !route->coming) || refuse_route(order, error);
}
