/* SPDX-License-Identifier: MIT */
/* The map of a script's save: its shape, from which it is made again, the library's save of it, and its named
 * objects. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/world/heap.h"
#include "saves/saves.h"
#include <wend/acceleration.h>
#include <wend/graph.h>
#include <wend/movers.h>
#include <wend/save.h>

/* ---- grids ---- */

/* Sheets of `def` that are read belong to the caller. */
static void pass_sheets(saved *s, const wend_map *own, wend_map_def *def) {
    size_t count = 0;
    if (!s->reads) wend_map_get_sheets(own, NULL, 0, &count);
    count = saved_count(s, count);
    if (count == 0 || s->bad) return;
    wend_sheet *sheets = count <= WEND_MAX_SHEETS ? calloc(count, sizeof *sheets) : NULL;
    if (!sheets) {
        saved_spoil(s, "no memory, or sheets that no map has");
        return;
    }
    if (!s->reads) wend_map_get_sheets(own, sheets, count, NULL);
    for (size_t i = 0; i < count && !s->bad; i++) {
        sheets[i].box.min = saved_cell(s, sheets[i].box.min);
        sheets[i].box.max = saved_cell(s, sheets[i].box.max);
        sheets[i].ground = saved_cell(s, sheets[i].ground);
    }
    def->sheets = sheets, def->sheet_count = (uint32_t)count;
}

static void pass_grid(saved *s, const wend_map_info *own, wend_map **map, uint64_t most_cells) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.allocator = cli_heap_allocator();
    def.kind = own->kind;
    def.width = saved_int(s, own->width);
    def.height = saved_int(s, own->height);
    def.depth = saved_int(s, own->depth);
    def.wrap = saved_int(s, own->wrap);
    def.streamed = saved_flag(s, own->streamed);
    pass_sheets(s, *map, &def);
    const uint64_t cells = (uint64_t)(uint32_t)def.width * (uint32_t)def.height;
    if (!s->reads || s->bad)
        (void)cells;
    else if (most_cells > 0 && (def.depth < 1 || cells > most_cells / (uint32_t)def.depth))
        saved_spoil(s, "the save has more than %llu cells", (unsigned long long)most_cells);
    else
        saved_allows(s, wend_map_create(&def, map));
    free((void *)def.sheets);
}

/* ---- graphs ---- */

/// A graph as it is read.
typedef struct graph_lists {
    uint8_t *present;
    wend_cell *coordinates;
    wend_edge *edges;
    size_t edge_count, edge_capacity;
    uint32_t nodes; ///< highest + 1
} graph_lists;

static bool has_node(const wend_map *map, uint32_t id) {
    uint8_t terrain;
    return !wend_map_get_terrain(map, (wend_cell){(int32_t)id, 0, 0}, &terrain);
}

static void put_edges(saved *s, const wend_map *map, uint32_t node) {
    size_t count = 0;
    (void)wend_map_get_edges(map, node, NULL, 0, &count);
    wend_edge *edges = malloc((count + 1) * sizeof *edges);
    if (!edges) saved_spoil(s, "no memory");
    if (edges) (void)wend_map_get_edges(map, node, edges, count, &count);
    saved_count(s, count);
    for (size_t i = 0; i < count && !s->bad; i++) {
        saved_number(s, edges[i].to);
        saved_int(s, edges[i].cost);
    }
    free(edges);
}

/* 1 + the number of absent nodes before it, its coordinates and edges; at the end 0. */
static void put_nodes(saved *s, const wend_map *map, const wend_map_info *own) {
    uint32_t next = 0;
    for (uint32_t id = 0; id < (uint32_t)own->width && !s->bad; id++) {
        wend_cell at = {0, 0, 0};
        if (!has_node(map, id)) continue;
        saved_number(s, id - next + UINT64_C(1));
        if (own->has_coordinates) (void)wend_map_get_coordinates(map, id, &at), saved_cell(s, at);
        put_edges(s, map, id);
        next = id + 1;
    }
    saved_number(s, 0);
}

static void get_edges(saved *s, graph_lists *g, uint32_t node, uint32_t capacity) {
    const size_t count = saved_count(s, 0);
    if (!WEND__ARRAY_ROOM(g->edges, g->edge_capacity, g->edge_count + count + 1)) saved_spoil(s, "no memory");
    for (size_t i = 0; i < count && !s->bad; i++) {
        const uint32_t to = (uint32_t)saved_below(s, 0, capacity);
        g->edges[g->edge_count++] = (wend_edge){.from = node, .to = to, .cost = saved_int(s, 0)};
    }
}

static void get_nodes(saved *s, graph_lists *g, uint32_t capacity, bool has_coordinates) {
    uint64_t next = 0, gap;
    g->present = calloc(capacity, 1);
    if (has_coordinates) g->coordinates = calloc(capacity, sizeof *g->coordinates);
    if (!g->present || (has_coordinates && !g->coordinates)) saved_spoil(s, "no memory");
    while (!s->bad && (gap = saved_below(s, 0, capacity - next + 1)) > 0) {
        next += gap;
        g->nodes = (uint32_t)next;
        g->present[next - 1] = 1;
        if (has_coordinates) g->coordinates[next - 1] = saved_cell(s, (wend_cell){0, 0, 0});
        get_edges(s, g, (uint32_t)next - 1, capacity);
    }
}

static void pass_graph(saved *s, const wend_map_info *own, wend_map **map, uint64_t most_cells) {
    const uint64_t most = most_cells > 0 ? most_cells : WEND_MAX_NODES;
    const uint32_t capacity = (uint32_t)saved_below(s, (uint64_t)own->width, most + 1);
    const bool has_coordinates = saved_flag(s, own->has_coordinates);
    if (!s->reads) put_nodes(s, *map, own);
    if (!s->reads || s->bad) return;
    graph_lists g = {0};
    wend_graph_def def;
    wend_graph_def_init(&def, sizeof def);
    def.allocator = cli_heap_allocator();
    get_nodes(s, &g, capacity, has_coordinates);
    def.node_count = g.nodes;
    def.node_capacity = capacity;
    def.present = g.present, def.coordinates = g.coordinates;
    def.edges = g.edges, def.edge_count = g.edge_count;
    if (!s->bad) saved_allows(s, wend_graph_create(&def, map));
    free(g.present);
    free(g.coordinates);
    free(g.edges);
}

/* ---- the map ---- */

static void put_map(saved *s, wend_map *map) {
    size_t room, bytes = 0;
    uint8_t *part;
    do part = saved_part_begin(s, &room);
    while (saved_part_end(s, wend_map_save_state(map, part, room, &bytes), &bytes));
}

void saved_map(saved *s, wend_map **map, uint64_t most_cells) {
    wend_map_info own = {.struct_bytes = sizeof own};
    wend_map *made = NULL;
    size_t bytes = 0;
    if (!s->reads) wend_map_get_info(*map, &own);
    own.kind = (int32_t)saved_below(s, (uint64_t)own.kind, WEND_KIND_GRAPH + 1);
    if (s->bad) return;
    (own.kind == WEND_KIND_GRAPH ? pass_graph : pass_grid)(s, &own, s->reads ? &made : map, most_cells);
    if (s->reads && !*map)
        *map = made;
    else
        wend_map_release(made);
    if (s->bad) return;
    if (!s->reads) {
        put_map(s, *map);
        return;
    }
    const uint8_t *part = saved_part(s, &bytes);
    if (part) saved_allows(s, wend_map_restore_state(*map, part, bytes));
}

/* ---- names ---- */

static void pass_movers(saved *s, cli_world *world) {
    cli_movers *movers = &world->movers;
    const size_t count = saved_count(s, movers->count);
    movers->standard = (int32_t)saved_below(s, (uint64_t)movers->standard, count + 1);
    for (size_t i = 0; i < count && !s->bad; i++) {
        char *name = saved_text(s, s->reads ? NULL : movers->names[i], s->reads ? 0 : strlen(movers->names[i]));
        if (name && !cli_movers_add(movers, (int32_t)i + 1, name, strlen(name))) saved_spoil(s, "no memory");
        free(name);
    }
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(world->map, &info);
    if (s->reads && !s->bad && (size_t)info.movers < count + 1) saved_spoil(s, "the save names movers that it has not");
    for (int32_t i = 1; s->reads && !s->bad && i < info.movers; i++) {
        wend_mover mover = {.struct_bytes = sizeof mover};
        wend_map_get_mover(world->map, i, &mover);
        if (!cli_movers_name(movers, i) && mover.like < 0) saved_spoil(s, "the save has movers without a name");
    }
}

static void pass_layers(saved *s, cli_layers *layers) {
    const uint64_t count = saved_below(s, layers->count, WEND_MAX_LAYERS + 1);
    layers->walls = saved_number(s, layers->walls);
    for (uint64_t i = 0; i < count && !s->bad; i++) {
        char *name = saved_text(s, s->reads ? NULL : layers->names[i], s->reads ? 0 : strlen(layers->names[i]));
        if (name && !cli_layers_add(layers, name, strlen(name))) saved_spoil(s, "no memory");
        free(name);
    }
}

/* Reads the corners of a route into memory of its own. */
static void get_route(saved *s, cli_routes *routes) {
    char *name = saved_text(s, NULL, 0);
    const int32_t mode = saved_int(s, 0);
    const size_t count = saved_count(s, 0);
    wend_cell *cells = s->bad ? NULL : malloc((count + 1) * sizeof *cells);
    for (size_t i = 0; cells && i < count; i++) cells[i] = saved_cell(s, (wend_cell){0, 0, 0});
    cli_route *route = cells && !s->bad ? cli_route_keep(routes, name, strlen(name), mode, cells, count) : NULL;
    if (!route) saved_spoil(s, "no memory");
    if (route) route->added = saved_flag(s, false), route->number = (uint32_t)saved_number(s, 0);
    free(cells);
    free(name);
}

static void pass_routes(saved *s, cli_routes *routes) {
    const size_t count = saved_count(s, routes->count);
    for (size_t i = 0; i < count && !s->bad; i++) {
        if (s->reads) {
            get_route(s, routes);
            continue;
        }
        const cli_route *route = &routes->items[i];
        saved_text(s, route->name, strlen(route->name));
        saved_int(s, route->mode);
        saved_count(s, route->count);
        for (size_t k = 0; k < route->count; k++) saved_cell(s, route->cells[k]);
        saved_flag(s, route->added);
        saved_number(s, route->number);
    }
}

static void pass_teleports(saved *s, cli_world *world) {
    const size_t count = saved_count(s, world->teleport_count);
    if (s->reads && count > 0 && !s->bad) {
        world->teleports = cli_alloc_zero(count, sizeof *world->teleports);
        if (!world->teleports) saved_spoil(s, "no memory");
    }
    for (size_t i = 0; i < count && !s->bad; i++) {
        wend_link *link = &world->teleports[i];
        link->from = saved_cell(s, link->from);
        link->to = saved_cell(s, link->to);
        link->cost = saved_int(s, link->cost);
        world->teleport_count = s->reads ? i + 1 : count;
    }
}

void saved_names(saved *s, cli_world *world) {
    pass_movers(s, world);
    pass_layers(s, &world->layers);
    pass_routes(s, &world->routes);
    pass_teleports(s, world);
}

/* ---- limits, and the data of the fast engine ---- */

void saved_limits(saved *s, cli_limits *limits) {
    limits->given = (uint32_t)saved_below(s, limits->given, UINT64_C(1) << WEND__LIMIT_COUNT);
    limits->versions = (int32_t)saved_below(s, (uint64_t)limits->versions, WEND_MAX_VERSIONS + 1);
    for (int32_t what = 0; what < WEND__LIMIT_COUNT; what++)
        wend__limit_set(what, saved_number(s, wend__limit_get(what, &limits->def, &limits->tuning)), &limits->def,
                        &limits->tuning);
}

void saved_accelerations(saved *s, uint64_t *made, wend_acceleration of[WEND_MAX_MOVERS]) {
    *made = saved_number(s, *made);
    for (int32_t i = 0; i < WEND_MAX_MOVERS && !s->bad; i++) {
        wend_acceleration *def = &of[i];
        if ((*made >> i & 1) == 0) continue;
        if (s->reads) wend_acceleration_init(def, sizeof *def);
        def->mover = i;
        def->tables = saved_int(s, def->tables);
        def->landmarks = saved_int(s, def->landmarks);
        def->far = saved_int(s, def->far);
        def->later = saved_int(s, def->later);
        def->max_bytes = saved_number(s, def->max_bytes);
        def->publish_effort = saved_number(s, def->publish_effort);
    }
}
