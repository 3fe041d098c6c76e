/* SPDX-License-Identifier: MIT */
/* A hash of the state that nodes of a cluster agree on: terrain, nodes and edges of graphs, layers, links, closed
 * steps, units, agents, routes, boxes and numbers of orders. The hash omits places of agents, and whether they walk, as
 * the owner decides these; and values of layers that fade, as only the owner's frames pass time. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "serve/serve_log.h"
#include <wend/graph.h>
#include <wend/versions.h>

/* Parts of the map that are hashed by rows: its terrain, the values of each layer, and 64 nodes a row with their
 * edges. */
enum { TERRAIN, LAYERS, NODES = LAYERS + WEND_MAX_LAYERS, PARTS, ROW_NODES = 64 };

/// Hashes of rows. They, and those of agents, are kept from one count to the next; 0: to be computed.
struct serve_state {
    uint64_t *rows[PARTS]; ///< NULL: none computed
    wend_map_info info;    ///< info of the map
};

/* ---- changes since the last count ---- */

static size_t count_rows(const wend_map_info *info, int part) {
    if (part == NODES) return ((size_t)info->width + ROW_NODES - 1) / ROW_NODES;
    return (size_t)info->height * (size_t)info->depth;
}

/* A box may reach over the rim. */
static void forget_rows(const struct serve_state *kept, int part, wend_box box) {
    const int32_t height = kept->info.height, depth = kept->info.depth;
    for (int32_t z = box.min.z > 0 ? box.min.z : 0; kept->rows[part] && z <= box.max.z && z < depth; z++)
        for (int32_t y = box.min.y > 0 ? box.min.y : 0; y <= box.max.y && y < height; y++)
            kept->rows[part][(size_t)z * (size_t)height + (size_t)y] = 0;
}

static void note_change(const struct serve_state *kept, const wend_change_item *item) {
    const int32_t kind = item->kind, y = item->change.from.y * WEND_CHUNK_SIDE;
    const bool of_node = kind == WEND_ORDER_NODE || kind == WEND_ORDER_EDGE || kind == WEND_ORDER_UNLINK;
    if (kind == WEND_ORDER_NODE) forget_rows(kept, TERRAIN, (wend_box){{0, 0, 0}, {0, 0, 0}});
    if (of_node && kept->rows[NODES]) kept->rows[NODES][item->change.from.x / ROW_NODES] = 0;
    if (kind == WEND_ORDER_SET || kind == WEND_ORDER_FILL) forget_rows(kept, TERRAIN, world_box(item));
    if (kind == WEND_ORDER_LOAD || kind == WEND_ORDER_UNLOAD)
        forget_rows(kept, TERRAIN, (wend_box){{0, y, 0}, {0, y + WEND_CHUNK_SIDE - 1, 0}});
}

static void note_paint(const serve *server, const wend_order *order) {
    const wend_cell *cells = order->paint.cells.items, from = cells[0];
    const int32_t layer = cli_layers_find(&server->layers, order->paint.layer.text, order->paint.layer.length),
                  r = order->paint.radius;
    const wend_change_item item = {WEND_ORDER_FILL, {.from = from, .to = cells[order->paint.cells.count - 1]}};
    wend_box box = world_box(&item);
    if (order->paint.cells.count == 1) box = (wend_box){{0, from.y - r, from.z - r}, {0, from.y + r, from.z + r}};
    if (layer >= 0) forget_rows(server->state, LAYERS + layer, box);
}

static void note_agent(const serve *server, wend_name name) {
    world_agent *agent = world_agent_find(&server->world, name.text, name.length);
    if (agent) agent->state_hash = 0;
}

void serve_state_note(const serve *server, const wend_order *order) {
    const struct serve_state *kept = server->state;
    if (kept && order->kind == WEND_ORDER_EDIT)
        for (size_t i = 0; i < order->changes.count; i++) note_change(kept, &order->changes.items[i]);
    if (kept && order->kind == WEND_ORDER_PAINT) note_paint(server, order);
    if (order->kind == WEND_ORDER_BODY) note_agent(server, order->body.name);
    for (size_t i = 0; order->kind == WEND_ORDER_ADJUST && i < order->adjust.names.count; i++)
        note_agent(server, wend__names_at(&order->adjust.names, i));
}

void serve_state_forget(serve *server) {
    for (world_agent *agent = server->world.agents.first; agent; agent = agent->next) agent->state_hash = 0;
    for (int part = 0; server->state && part < PARTS; part++) free(server->state->rows[part]);
    free(server->state);
    server->state = NULL;
}

/* ---- counting ---- */

static void hash_text(void *hash, const char *bytes, size_t size) {
    *(uint64_t *)hash = wend__hash_bytes(*(uint64_t *)hash, bytes, size);
}

static uint64_t sum_order(const serve *server, uint64_t sum, const wend_order *order) {
    uint64_t hash = WEND__HASH_START;
    wend__order_write(order, wend__kind_axes(server->world.kind), hash_text, &hash);
    return sum + wend__mix64(hash);
}

/* Returns the sum of the hashes of objects, in any order. They are mixed: with FNV-1a alone, sums of very similar
 * objects, such as two edges with swapped costs, can be equal. */
static uint64_t sum_cells(uint64_t sum, uint32_t kind, wend_cell from, wend_cell to, uint32_t value) {
    const uint32_t numbers[] = {kind,           (uint32_t)from.x, (uint32_t)from.y, (uint32_t)from.z,
                                (uint32_t)to.x, (uint32_t)to.y,   (uint32_t)to.z,   value};
    return sum + wend__mix64(wend__hash_bytes(WEND__HASH_START, numbers, sizeof numbers));
}

/* Nodes with their coordinates, and the edges that leave them. */
static uint64_t hash_nodes(const wend_map *map, uint32_t first, uint32_t end, bool *good) {
    uint64_t sum = 0;
    for (uint32_t node = first; node < end; node++) {
        const wend_cell from = {(int32_t)node, 0, 0};
        wend_cell at = {0, 0, 0};
        size_t count;
        if (wend_map_get_edges(map, node, NULL, 0, &count)) continue;
        const bool known = !wend_map_get_coordinates(map, node, &at);
        wend_edge *edges = malloc((count + 1) * sizeof *edges);
        *good = *good && edges;
        if (edges) wend_map_get_edges(map, node, edges, count, &count);
        sum = sum_cells(sum, 5, from, at, known);
        for (size_t i = 0; edges && i < count; i++)
            sum = sum_cells(sum, 6, from, (wend_cell){(int32_t)edges[i].to, 0, 0}, (uint32_t)edges[i].cost);
        free(edges);
    }
    return sum;
}

static uint64_t hash_row(const serve *server, int part, size_t row, uint8_t *bytes, bool *good) {
    const wend_map_info *info = &server->state->info;
    const size_t width = (size_t)info->width, height = (size_t)info->height, first = row * ROW_NODES;
    const int32_t y = (int32_t)(row % height), z = (int32_t)(row / height);
    const wend_box box = {{0, y, z}, {info->width - 1, y, z}};
    if (part == NODES)
        return hash_nodes(server->world.map, (uint32_t)first,
                          (uint32_t)(first + ROW_NODES < width ? first + ROW_NODES : width), good);
    memset(bytes, 0, width);
    if (part == TERRAIN)
        wend_map_get_terrain_box(server->world.map, box, bytes, width);
    else
        wend_map_get_layer_box(server->world.map, part - LAYERS, box, bytes, width);
    return wend__hash_bytes(WEND__HASH_START, bytes, width);
}

static uint64_t hash_part(const serve *server, int part, uint64_t hash, bool *good) {
    const size_t count = count_rows(&server->state->info, part);
    uint64_t **rows = &server->state->rows[part];
    uint8_t *bytes = malloc((size_t)server->state->info.width);
    if (!*rows) *rows = calloc(count, sizeof **rows);
    *good = *good && bytes && *rows;
    for (size_t row = 0; *good && row < count; row++) {
        if ((*rows)[row] == 0) (*rows)[row] = hash_row(server, part, row, bytes, good) | 1;
        hash = wend__hash_u64(hash, (*rows)[row]);
    }
    free(bytes);
    return hash;
}

/* Adds the definition of each layer, and the values of those that do not fade. */
static uint64_t hash_layers(const serve *server, uint64_t hash, bool *good) {
    for (int32_t i = 0; i < (int32_t)server->layers.count; i++) {
        wend_layer_info info = {.struct_bytes = sizeof info};
        if (wend_map_get_layer(server->world.map, i, &info)) break; /* the layer has a pending order */
        hash_text(&hash, server->layers.names[i], strlen(server->layers.names[i]) + 1);
        hash = wend__hash_u64(hash, (uint64_t)info.half_life << 32 | (uint32_t)info.within);
        if (info.half_life == 0 && info.within == 0) hash = hash_part(server, LAYERS + i, hash, good);
    }
    return hash;
}

/* Begins to keep hashes, without any. */
static bool begin_state(serve *server) {
    if (server->state) return true;
    serve_state_forget(server);
    server->state = calloc(1, sizeof *server->state);
    if (!server->state) return false;
    server->state->info.struct_bytes = sizeof server->state->info;
    wend_map_get_info(server->world.map, &server->state->info);
    return true;
}

static uint64_t sum_links(const wend_map *map, uint64_t sum, bool *good) {
    size_t links = 0, steps = 0;
    wend_map_get_links(map, NULL, 0, &links);
    wend_map_get_closed_steps(map, NULL, 0, &steps);
    wend_link *link = malloc((links + 1) * sizeof *link);
    wend_step *closed = malloc((steps + 1) * sizeof *closed);
    *good = *good && link && closed;
    if (*good) {
        wend_map_get_links(map, link, links, &links);
        wend_map_get_closed_steps(map, closed, steps, &steps);
        for (size_t i = 0; i < links; i++) {
            sum = sum_cells(sum, 1, link[i].from, link[i].to, (uint32_t)link[i].cost);
            if (link[i].movers != 0) sum = sum_cells(sum, 7, link[i].from, link[i].to, link[i].movers);
        }
        for (size_t i = 0; i < steps; i++) sum = sum_cells(sum, 2, closed[i].from, closed[i].to, 0);
    }
    free(link);
    free(closed);
    return sum;
}

static uint64_t sum_units(const serve *server, uint64_t sum, bool *good) {
    const size_t count = world_units_list(&server->units, NULL);
    wend_cell *cells = malloc((count + 1) * sizeof *cells);
    *good = *good && cells;
    if (cells) world_units_list(&server->units, cells);
    for (size_t i = 0; cells && i < count; i++) sum = sum_cells(sum, 3, cells[i], cells[i], 0);
    free(cells);
    return sum;
}

static uint64_t sum_agents(const serve *server, uint64_t sum) {
    for (world_agent *agent = server->world.agents.first; agent; sum += agent->state_hash, agent = agent->next) {
        wend_order orders[2];
        if (agent->state_hash != 0) continue;
        (void)world_agent_orders(&server->world, agent, orders);
        orders[0].agent.def.cell = (wend_cell){0, 0, 0};
        orders[0].agent.def.steered = false;
        agent->state_hash = sum_order(server, 0, &orders[0]) | 1;
    }
    return sum;
}

static uint64_t sum_routes_and_boxes(const serve *server, uint64_t sum) {
    wend_box boxes[WEND_MAX_CLEARED_BOXES];
    size_t count = 0;
    for (size_t i = 0; i < server->routes.count; i++) {
        const cli_route *route = &server->routes.items[i];
        const wend_order order = {.kind = WEND_ORDER_ROUTE,
                                  .route = {wend__named(route->name), route->mode, {route->cells, route->count}}};
        if (!route->coming) sum = sum_order(server, sum, &order);
    }
    wend_crowd_get_boxes(server->world.crowd, boxes, WEND_MAX_CLEARED_BOXES, &count);
    for (size_t i = 0; i < count; i++) sum = sum_cells(sum, 4, boxes[i].min, boxes[i].max, 0);
    return sum;
}

bool serve_state_hash(serve *server, uint64_t *out) {
    bool good = begin_state(server);
    if (!good) return false;
    uint64_t hash = hash_part(server, TERRAIN, WEND__HASH_START, &good);
    if (server->world.kind == WEND_KIND_GRAPH) hash = hash_part(server, NODES, hash, &good);
    hash = hash_layers(server, hash, &good);
    uint64_t sum = sum_links(server->world.map, 0, &good);
    sum = sum_units(server, sum, &good);
    sum = sum_routes_and_boxes(server, sum_agents(server, sum)) + serve_once_hash(&server->once);
    *out = wend__hash_u64(hash, sum);
    return good;
}
