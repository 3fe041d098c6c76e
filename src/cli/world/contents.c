/* SPDX-License-Identifier: MIT */
/* The contents of a world besides its map: names of movers and layers, routes, units, orders that wait for a crowd. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/world/heap.h"
#include "cli/world/world.h"

/* ---- movers ---- */

bool cli_movers_add(cli_movers *movers, int32_t mover, const char *name, size_t length) {
    char **names = cli_grow(movers->names, (size_t)mover * sizeof *names);
    if (!names) return false;
    movers->names = names;
    while (movers->count < (size_t)mover) {
        const bool own = movers->count + 1 == (size_t)mover;
        names[movers->count] = cli_copy_text(own ? name : "", own ? length : 0);
        if (!names[movers->count]) return false;
        movers->count++;
    }
    return true;
}

const char *cli_movers_name(const cli_movers *movers, int32_t mover) {
    if (mover == WEND_MOVER_DEFAULT) return "default";
    const char *name = (size_t)mover <= movers->count ? movers->names[mover - 1] : "";
    return name[0] == '\0' ? NULL : name;
}

int32_t cli_movers_find(const cli_movers *movers, const char *name, size_t length) {
    static const char first[] = "default";
    if (length == sizeof first - 1 && memcmp(name, first, length) == 0) return movers->standard;
    if (length == 0) return -1; /* movers that orders made have no name */
    for (size_t i = 0; i < movers->count; i++) {
        const char *other = movers->names[i];
        if (strlen(other) == length && memcmp(other, name, length) == 0) return (int32_t)i + 1;
    }
    return -1;
}

void cli_movers_free(cli_movers *movers) {
    for (size_t i = 0; i < movers->count; i++) cli_free(movers->names[i]);
    cli_free(movers->names);
    *movers = (cli_movers){0};
}

/* ---- layers ---- */

bool cli_layers_add(cli_layers *layers, const char *name, size_t length) {
    char *own = cli_copy_text(name, length);
    if (own) layers->names[layers->count++] = own;
    return own;
}

int32_t cli_layers_find(const cli_layers *layers, const char *name, size_t length) {
    for (uint32_t i = 0; i < layers->count; i++)
        if (strlen(layers->names[i]) == length && memcmp(layers->names[i], name, length) == 0) return (int32_t)i;
    return -1;
}

void cli_layers_drop(cli_layers *layers) {
    cli_free(layers->names[--layers->count]);
}

bool cli_layers_copy(cli_layers *to, const cli_layers *from) {
    for (uint32_t i = 0; i < from->count; i++)
        if (!cli_layers_add(to, from->names[i], strlen(from->names[i]))) return false;
    return true;
}

void cli_layers_free(cli_layers *layers) {
    while (layers->count > 0) cli_layers_drop(layers);
}

/* ---- routes ---- */

void cli_route_drop(cli_routes *routes) {
    const cli_route *last = &routes->items[--routes->count];
    cli_free(last->name);
    cli_free(last->cells);
}

cli_route *cli_route_keep(cli_routes *routes, const char *name, size_t length, int32_t mode, const wend_cell *cells,
                          size_t count) {
    cli_route *items = cli_grow(routes->items, (routes->count + 1) * sizeof *items);
    if (!items) return NULL;
    routes->items = items;
    cli_route *route = &items[routes->count++];
    *route = (cli_route){.name = cli_copy_text(name, length), .mode = mode, .count = count};
    route->cells = cli_alloc(count * sizeof *cells);
    if (!route->name || !route->cells) {
        cli_route_drop(routes);
        return NULL;
    }
    memcpy(route->cells, cells, count * sizeof *cells);
    return route;
}

cli_route *cli_route_find(const cli_routes *routes, const char *name, size_t length) {
    for (size_t i = 0; i < routes->count; i++) {
        const char *other = routes->items[i].name;
        if (strlen(other) == length && memcmp(other, name, length) == 0) return &routes->items[i];
    }
    return NULL;
}

void cli_routes_free(cli_routes *routes) {
    while (routes->count > 0) cli_route_drop(routes);
    cli_free(routes->items);
    routes->items = NULL;
}

/* ---- units, and orders that wait ---- */

void cli_units_free(cli_units *units) {
    cli_free(units->places);
    *units = (cli_units){0};
}

bool cli_keep_order(cli_kept *kept, const wend_order *order, int line) {
    if (!CLI_ARRAY_ROOM(kept->items, kept->capacity, kept->count + 1)) return false;
    wend_order *copy = wend__order_copy_into(order, cli_alloc);
    if (!copy) return false;
    kept->items[kept->count++] = (struct cli_kept_order){copy, line};
    return true;
}

void cli_kept_free(cli_kept *kept) {
    for (size_t i = 0; i < kept->count; i++) cli_free(kept->items[i].order);
    cli_free(kept->items);
    *kept = (cli_kept){0};
}
