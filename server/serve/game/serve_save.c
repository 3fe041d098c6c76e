/* SPDX-License-Identifier: MIT */
/* The edited world, as a script that `wend serve` takes: the differences from the file of the world. Mutable state is
 * copied between two frames; a fork keeps the old map. So the script can be written while frames go on. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include "serve/game/serve.h"
#include <wend/versions.h>

/* ---- orders as lines ---- */

static void put_order(FILE *out, int32_t kind, const wend_order *order) {
    wend__order_write(order, wend__kind_axes(kind), cli_put, out);
    fputc('\n', out);
}

static void put_change(FILE *out, int32_t kind, int32_t what, const wend_change *change) {
    const wend_change_item item = {what, *change};
    wend_order order = wend__change_order(&item);
    if (what == WEND_ORDER_OCCUPY || what == WEND_ORDER_VACATE) order.cells = (wend_cells){&change->from, 1};
    put_order(out, kind, &order);
}

/* Writes a link, with the names of its movers. */
static void put_link(FILE *out, int32_t kind, const cli_movers *movers, const wend_change *link) {
    wend_name names[WEND_LINK_MOVERS];
    wend_change change = *link;
    change.movers = (wend_names){.items = names};
    for (int32_t i = 0; i < WEND_LINK_MOVERS; i++) {
        if (!(link->movers.bits >> i & 1)) continue;
        names[change.movers.count] = wend__named(cli_movers_name(movers, i));
        change.movers.count += names[change.movers.count].text != NULL;
    }
    if (change.movers.count > 0 || link->movers.bits == 0) put_change(out, kind, WEND_ORDER_LINK, &change);
}

/* ---- nodes and edges ---- */

static size_t read_edges(const wend_map *map, uint32_t node, wend_edge **out) {
    size_t count = 0;
    *out = NULL;
    if (wend_map_get_edges(map, node, NULL, 0, &count)) return 0;
    *out = malloc((count + 1) * sizeof **out);
    if (*out) wend_map_get_edges(map, node, *out, count, &count);
    return *out ? count : 0;
}

static size_t count_alike(const wend_edge *edges, size_t count, const wend_edge *edge, bool cost) {
    size_t alike = 0;
    for (size_t i = 0; i < count; i++) alike += edges[i].to == edge->to && (!cost || edges[i].cost == edge->cost);
    return alike;
}

/* Returns whether all edges from a node to another are the same in both lists. */
static bool same_ways(const wend_edge *now, size_t count, const wend_edge *file, size_t before, const wend_edge *edge) {
    return count_alike(now, count, edge, false) == count_alike(file, before, edge, false) &&
           count_alike(now, count, edge, true) == count_alike(file, before, edge, true);
}

static wend_cell cell_of(uint32_t node) {
    return (wend_cell){(int32_t)node, 0, 0};
}

/* Writes the edges out of a node that differ from the file. `unlink` would remove a link first: none exists then. */
static void put_edges(FILE *out, const wend_map *now_map, const wend_map *file_map, uint32_t node, bool gone) {
    wend_edge *now, *file;
    const size_t count = read_edges(now_map, node, &now), before = read_edges(file_map, node, &file);
    const bool same = count == before && (count == 0 || memcmp(now, file, count * sizeof *now) == 0);
    for (size_t i = 0; gone && !same && i < before; i++) {
        const wend_change change = {.from = cell_of(node), .to = cell_of(file[i].to)};
        if (count_alike(now, count, &file[i], false) > 0 || (i > 0 && file[i - 1].to == file[i].to)) continue;
        put_change(out, WEND_KIND_GRAPH, WEND_ORDER_UNLINK, &change);
    }
    for (size_t i = 0; !gone && !same && i < count; i++) {
        const wend_change change = {.from = cell_of(node), .to = cell_of(now[i].to), .value = now[i].cost};
        if (!same_ways(now, count, file, before, &now[i])) put_change(out, WEND_KIND_GRAPH, WEND_ORDER_EDGE, &change);
    }
    free(now);
    free(file);
}

/* Writes nodes that the file lacks, or differing edges. */
static void put_graph(FILE *out, const wend_map *now_map, const wend_map *file_map, bool edges, bool gone) {
    wend_map_info info = {.struct_bytes = sizeof info};
    uint8_t terrain;
    wend_map_get_info(now_map, &info);
    for (int32_t node = 0; info.kind == WEND_KIND_GRAPH && node < info.width; node++) {
        wend_change change = {.from = {node, 0, 0}, .value = info.has_coordinates};
        if (edges) put_edges(out, now_map, file_map, (uint32_t)node, gone);
        if (edges || wend_map_get_terrain(now_map, change.from, &terrain)) continue;
        if (!wend_map_get_terrain(file_map, change.from, &terrain)) continue;
        if (info.has_coordinates) wend_map_get_coordinates(now_map, (uint32_t)node, &change.to);
        put_change(out, WEND_KIND_GRAPH, WEND_ORDER_NODE, &change);
    }
}

/* ---- terrain ---- */

/* Runs of cells of a row that differ from the file. */
static bool put_rows(FILE *out, const wend_map *now_map, const wend_map *file_map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(now_map, &info);
    const size_t width = (size_t)info.width;
    uint8_t *now = malloc(width), *file = malloc(width);
    const bool good = now && file;
    for (int32_t z = 0; good && z < info.depth; z++)
        for (int32_t y = 0; y < info.height; y++) {
            const wend_box row = {{0, y, z}, {info.width - 1, y, z}};
            wend_map_get_terrain_box(now_map, row, now, width);
            wend_map_get_terrain_box(file_map, row, file, width);
            if (memcmp(now, file, width) == 0) continue;
            for (size_t x = 0, end; x < width; x = end) {
                end = x + 1;
                if (now[x] == file[x]) continue;
                while (info.kind != WEND_KIND_GRAPH && end < width && now[end] == now[x] && now[end] != file[end])
                    end++;
                const wend_change change = {
                    .from = {(int32_t)x, y, z}, .to = {(int32_t)end - 1, y, z}, .value = now[x]};
                put_change(out, info.kind, end - x > 1 ? WEND_ORDER_FILL : WEND_ORDER_SET, &change);
            }
        }
    free(now);
    free(file);
    return good;
}

/* ---- links, closed steps, units ---- */

/// A world: the present one, or that of its file.
typedef struct state {
    const wend_map *map;
    const cli_movers *movers; ///< of both
    const wend_cell *units;
    size_t unit_count;
} state;

/// Objects of a world, as the orders that add them. NULL: no memory.
typedef struct listed {
    wend_change *items;
    size_t count;
} listed;

static int compare_items(const void *a, const void *b) {
    const wend_change *one = a, *two = b;
    const int order = cli_compare_cells(&one->from, &two->from);
    return order ? order : cli_compare_cells(&one->to, &two->to);
}

/* Returns the number of links, closed steps or units, and fills a list of that many; NULL: only counts. */
static size_t read_things(const state *of, int32_t adds, void *out, size_t capacity) {
    size_t count = 0;
    if (adds == WEND_ORDER_LINK) wend_map_get_links(of->map, out, capacity, &count);
    if (adds == WEND_ORDER_STEP) wend_map_get_closed_steps(of->map, out, capacity, &count);
    if (adds != WEND_ORDER_OCCUPY) return count;
    if (out) memcpy(out, of->units, of->unit_count * sizeof *of->units);
    return of->unit_count;
}

static wend_change link_change(const wend_link *link) {
    return (wend_change){link->from, link->to, link->cost, wend__movers_of(link->movers)};
}

static bool same_value(const wend_change *one, const wend_change *two) {
    return one->value == two->value && one->movers.bits == two->movers.bits;
}

static listed list_things(const state *of, int32_t adds) {
    listed list = {NULL, read_things(of, adds, NULL, 0)};
    wend_link *links = malloc((list.count + 1) * sizeof *links); /* the largest of the three */
    const wend_step *steps = (const void *)links;
    const wend_cell *cells = (const void *)links;
    if (links) list.items = malloc((list.count + 1) * sizeof *list.items);
    if (list.items) read_things(of, adds, links, list.count);
    for (size_t i = 0; list.items && i < list.count; i++)
        list.items[i] = adds == WEND_ORDER_LINK   ? link_change(&links[i])
                        : adds == WEND_ORDER_STEP ? (wend_change){.from = steps[i].from, .to = steps[i].to}
                                                  : (wend_change){.from = cells[i], .to = cells[i]};
    free(links);
    return list;
}

/// The orders that add and remove a kind of objects.
static const struct {
    int32_t adds, removes;
} things[] = {
    {WEND_ORDER_LINK, WEND_ORDER_UNLINK}, {WEND_ORDER_STEP, WEND_ORDER_STEP}, {WEND_ORDER_OCCUPY, WEND_ORDER_VACATE}};
enum { LINKS, STEPS, UNITS };

/* Writes removed objects of the file, or else those that the file lacks, or has with other values. All links of a graph
 * are removed and added again, as `unlink` takes a link where it should take an edge. */
static bool put_difference(FILE *out, int32_t kind, const state *states, int thing, bool gone) {
    const int32_t adds = things[thing].adds, removes = things[thing].removes;
    const listed now = list_things(&states[0], adds), file = list_things(&states[1], adds);
    const bool good = now.items && file.items, all = kind == WEND_KIND_GRAPH && adds == WEND_ORDER_LINK;
    if (good) qsort(now.items, now.count, sizeof *now.items, compare_items);
    if (good) qsort(file.items, file.count, sizeof *file.items, compare_items);
    for (size_t i = 0, j = 0; good && (i < now.count || j < file.count);) {
        const int order = i == now.count ? 1 : j == file.count ? -1 : compare_items(&now.items[i], &file.items[j]);
        const bool put = !gone && (order < 0 || (order == 0 && (all || !same_value(&now.items[i], &file.items[j]))));
        if (put && adds == WEND_ORDER_LINK) put_link(out, kind, states[0].movers, &now.items[i]);
        if (put && adds != WEND_ORDER_LINK) put_change(out, kind, adds, &now.items[i]);
        if (order > 0) file.items[j].value = 1; /* for a step: it is open */
        if (gone && (order > 0 || (order == 0 && all))) put_change(out, kind, removes, &file.items[j]);
        i += order <= 0;
        j += order >= 0;
    }
    free(now.items);
    free(file.items);
    return good;
}

/* ---- routes and agents ---- */

/* Routes of the file come first, and never change. */
static void put_routes(const serve *server, FILE *out) {
    for (size_t i = server->original.routes.count; i < server->routes.count; i++) {
        const cli_route *route = &server->routes.items[i];
        const wend_order order = {.kind = WEND_ORDER_ROUTE,
                                  .route = {wend__named(route->name), route->mode, {route->cells, route->count}}};
        if (!route->coming) put_order(out, server->world.kind, &order);
    }
}

static void put_agent(const serve *server, FILE *out, const world_agent *agent) {
    wend_order orders[2];
    const int count = world_agent_orders(&server->world, agent, orders);
    for (int i = 0; i < count; i++) put_order(out, server->world.kind, &orders[i]);
}

/* An agent may wait for another that was added later. */
static void put_waits(const serve *server, FILE *out) {
    wend_name names[WEND_MAX_WAITED_FOR];
    for (uint64_t i = 0; i < server->world.agents.most; i++) {
        const world_agent *agent = server->world.agents.by_index[i];
        if (!agent || agent->waits == 0) continue;
        const wend_name name = world_agent_name(agent);
        wend_order order = {
            .kind = WEND_ORDER_ADJUST,
            .adjust = {.names = {.items = &name, .count = 1}, .waits_for = world_agent_waits(agent, names)}};
        wend__order_give(&order, &order.adjust.waits_for);
        put_order(out, server->world.kind, &order);
    }
}

/* An agent may follow another that was added later. */
static void put_goals(const serve *server, FILE *out) {
    wend_name name;
    wend_order order;
    for (uint64_t i = 0; i < server->world.agents.most; i++) {
        const world_agent *agent = server->world.agents.by_index[i];
        if (agent && world_agent_goal(&server->world, agent, &name, &order)) put_order(out, server->world.kind, &order);
    }
}

/* Removes agents of the file first, as they stand elsewhere by now or were removed. */
static void put_agents(const serve *server, FILE *out) {
    for (size_t i = 0; i < server->original.agents.count; i++) {
        const wend_name name = server->original.agents.items[i].order->agent.name;
        const wend_order order = {.kind = WEND_ORDER_REMOVE, .names = {.items = &name, .count = 1}};
        put_order(out, server->world.kind, &order);
    }
    for (uint64_t i = 0; i < server->world.agents.most; i++)
        if (server->world.agents.by_index[i]) put_agent(server, out, server->world.agents.by_index[i]);
    put_waits(server, out);
}

static void put_boxes(const serve *server, FILE *out) {
    wend_box boxes[WEND_MAX_CLEARED_BOXES];
    size_t count = 0;
    wend_crowd_get_boxes(server->world.crowd, boxes, WEND_MAX_CLEARED_BOXES, &count);
    for (size_t i = 0; i < count; i++) {
        const wend_cell corners[] = {boxes[i].min, boxes[i].max};
        const wend_order order = {.kind = WEND_ORDER_CLEAR, .cells = {corners, 2}};
        put_order(out, server->world.kind, &order);
    }
}

/* ---- layers ---- */

/* Layers of the file come first. */
static void put_layers(const serve *server, FILE *out) {
    for (uint32_t i = server->original.layers.count; i < server->layers.count; i++) {
        wend_layer_info info = {.struct_bytes = sizeof info};
        if (wend_map_get_layer(server->world.map, (int32_t)i, &info)) return; /* the layer has a pending order */
        const wend_order order = {.kind = WEND_ORDER_LAYER,
                                  .layer = {.name = wend__named(server->layers.names[i]),
                                            .kind = info.within > 0,
                                            .half_life = info.half_life,
                                            .within = info.within}};
        put_order(out, server->world.kind, &order);
    }
}

static uint64_t updates_of(const wend_map *map) {
    wend_layer_info info = {.struct_bytes = sizeof info};
    return wend_map_get_layer(map, 0, &info) ? 0 : info.updates;
}

/* Writes a box for each run of cells of a row whose value differs from that of the file's map at that time. */
static void put_values(FILE *out, const wend_map_info *info, const char *name, wend_cell first, const uint8_t *now,
                       const uint8_t *file) {
    for (int32_t x = 0, end; x < info->width; x = end) {
        end = x + 1;
        if (now[x] == file[x]) continue;
        while (end < info->width && now[end] == now[x] && now[end] != file[end]) end++;
        const wend_cell corners[] = {{x, first.y, first.z}, {end - 1, first.y, first.z}};
        wend_order order = {.kind = WEND_ORDER_PAINT,
                            .paint = {.layer = wend__named(name), .cells = {corners, 2}, .value = now[x]}};
        wend__order_give(&order, &order.paint.value);
        put_order(out, info->kind, &order);
    }
}

static bool is_walls(const wend_map *map, uint32_t layer) {
    wend_layer_info info = {.struct_bytes = sizeof info};
    return !wend_map_get_layer(map, (int32_t)layer, &info) && info.within > 0;
}

/* Writes first the passed time, then the remaining differences. */
static bool put_painted(const serve_saved *saved, FILE *out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map *aged;
    wend_map_get_info(saved->map, &info);
    const uint64_t passed = updates_of(saved->map) - updates_of(saved->world->map);
    if (wend_map_fork(saved->world->map, &aged)) return false;
    const world_state file = {.map = aged, .layers = (cli_layers *)&saved->world->layers};
    uint8_t *row = calloc(2, (size_t)info.width);
    const bool good = row && !world_layers_pass(&file, passed);
    const wend_order order = {.kind = WEND_ORDER_FADE, .fade = {passed}};
    if (good && passed > 0) put_order(out, saved->kind, &order);
    for (uint32_t i = 0; good && i < saved->layers.count; i++)
        for (int32_t z = 0; z < info.depth && !is_walls(saved->map, i); z++)
            for (int32_t y = 0; y < info.height; y++) {
                const wend_box box = {{0, y, z}, {info.width - 1, y, z}};
                const size_t width = (size_t)info.width;
                if (wend_map_get_layer_box(saved->map, (int32_t)i, box, row, width)) break; /* not added so far */
                memset(row + width, 0, width);
                if (i < saved->world->layers.count) wend_map_get_layer_box(aged, (int32_t)i, box, row + width, width);
                put_values(out, &info, saved->layers.names[i], box.min, row, row + width);
            }
    free(row);
    wend_map_release(aged);
    return good;
}

/* ---- the whole ---- */

static wend_cell *list_units(const cli_units *units, size_t *count) {
    *count = world_units_list(units, NULL);
    wend_cell *cells = malloc((*count + 1) * sizeof *cells);
    if (cells) world_units_list(units, cells);
    return cells;
}

bool serve_save_begin(const serve *server, bool goals, serve_saved *out) {
    *out = (serve_saved){.kind = server->world.kind, .world = &server->original};
    FILE *agents = open_memstream(&out->agents, &out->agents_bytes);
    if (agents) {
        put_layers(server, agents);
        put_routes(server, agents);
        put_agents(server, agents);
        put_boxes(server, agents);
        if (goals) put_goals(server, agents);
    }
    const bool written = agents && fclose(agents) == 0;
    out->units = list_units(&server->units, &out->unit_count);
    if (written && out->units && cli_layers_copy(&out->layers, &server->layers) &&
        !wend_map_fork(server->world.map, &out->map))
        return true;
    serve_save_end(out);
    return false;
}

/* Removals come first: they make room for links, whose number is limited, and for agents. */
bool serve_save_write(const serve_saved *saved, FILE *out) {
    state states[2] = {{saved->map, &saved->world->movers, saved->units, saved->unit_count},
                       {.map = saved->world->map}};
    wend_cell *units = list_units(&saved->world->units, &states[1].unit_count);
    const int32_t kind = saved->kind;
    states[1].units = units;
    const wend_map *file_map = saved->world->map;
    put_graph(out, saved->map, file_map, false, false);
    bool good = units && put_rows(out, saved->map, saved->world->map);
    for (int thing = LINKS; good && thing <= UNITS; thing++) good = put_difference(out, kind, states, thing, true);
    if (good) put_graph(out, saved->map, file_map, true, true);
    if (good) put_graph(out, saved->map, file_map, true, false);
    good = good && put_difference(out, kind, states, LINKS, false) && put_difference(out, kind, states, STEPS, false);
    if (good) fwrite(saved->agents, 1, saved->agents_bytes, out);
    good = good && put_difference(out, kind, states, UNITS, false) && put_painted(saved, out);
    free(units);
    return good;
}

void serve_save_end(serve_saved *saved) {
    wend_map_release(saved->map);
    free(saved->units);
    free(saved->agents);
    cli_layers_free(&saved->layers);
    *saved = (serve_saved){0};
}

int32_t serve_save(const serve *server, FILE *out) {
    const char *path = server->options->world, *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    serve_saved saved;
    if (strcmp(path, "-") == 0 || name[strcspn(name, " \t\r\n")] != '\0' || name[0] == '#')
        return WEND_LIVE_BAD_ARGUMENT;
    fprintf(out, "# What was edited: keep it beside the file of the map.\nmap %s\n", name);
    if (!serve_save_begin(server, false, &saved)) return WEND_LIVE_BUSY;
    const bool good = serve_save_write(&saved, out);
    serve_save_end(&saved);
    return good ? WEND_LIVE_OK : WEND_LIVE_BUSY;
}
