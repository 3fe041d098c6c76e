/* SPDX-License-Identifier: MIT */
/* A hash of what nodes of a cluster must agree on: terrain, links, closed steps, units, agents, routes, boxes and
 * numbers of orders. Where agents are, and whether they still walk, is the owner's to say, and not in it. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "base/hash.h"
#include "serve/serve_log.h"
#include <wend/versions.h>

/// Hashes of rows of terrain. They, and those of agents, are kept from one count to the next; 0: it is to be counted.
struct serve_state {
    uint64_t *rows;
    int32_t height, depth;
};

/* ---- what changed since the last count ---- */

static void forget_rows(const struct serve_state *kept, wend_box box) {
    for (int32_t z = box.min.z; z <= box.max.z && z < kept->depth; z++)
        for (int32_t y = box.min.y; y <= box.max.y && y < kept->height; y++)
            kept->rows[(size_t)z * (size_t)kept->height + (size_t)y] = 0;
}

static void note_change(const struct serve_state *kept, const wend_change_item *item) {
    const int32_t y = item->change.from.y * WEND_CHUNK_SIDE;
    if (item->kind == WEND_ORDER_NODE) forget_rows(kept, (wend_box){{0, 0, 0}, {0, 0, 0}});
    if (item->kind == WEND_ORDER_SET || item->kind == WEND_ORDER_FILL) forget_rows(kept, world_box(item));
    if (item->kind == WEND_ORDER_LOAD || item->kind == WEND_ORDER_UNLOAD)
        forget_rows(kept, (wend_box){{0, y, 0}, {0, y + WEND_CHUNK_SIDE - 1, 0}});
}

static void note_agent(const serve *server, wend_name name) {
    world_agent *agent = world_agent_find(&server->world, name.text, name.length);
    if (agent) agent->state_hash = 0;
}

void serve_state_note(const serve *server, const wend_order *order) {
    const struct serve_state *kept = server->state;
    if (kept && order->kind == WEND_ORDER_EDIT)
        for (size_t i = 0; i < order->changes.count; i++) note_change(kept, &order->changes.items[i]);
    if (order->kind == WEND_ORDER_BODY) note_agent(server, order->body.name);
    for (size_t i = 0; order->kind == WEND_ORDER_ADJUST && i < order->adjust.names.count; i++)
        note_agent(server, wend__names_at(&order->adjust.names, i));
}

void serve_state_forget(serve *server) {
    for (world_agent *agent = server->world.agents.first; agent; agent = agent->next) agent->state_hash = 0;
    if (server->state) free(server->state->rows);
    free(server->state);
    server->state = NULL;
}

/* ---- counting ---- */

/* Rows of this map, none of them counted. */
static bool begin_rows(serve *server, const wend_map_info *info) {
    serve_state_forget(server);
    server->state = calloc(1, sizeof *server->state);
    if (!server->state) return false;
    *server->state =
        (struct serve_state){.rows = calloc((size_t)info->height * (size_t)info->depth, sizeof *server->state->rows),
                             .height = info->height,
                             .depth = info->depth};
    return server->state->rows != NULL;
}

static uint64_t hash_terrain(serve *server, bool *good) {
    const wend_map *map = server->world.map;
    wend_map_info info = {.struct_bytes = sizeof info};
    uint64_t hash = WEND__HASH_START;
    wend_map_get_info(map, &info);
    if (!server->state && !begin_rows(server, &info)) *good = false;
    uint8_t *row = malloc((size_t)info.width);
    *good = *good && row;
    uint64_t *kept = *good ? server->state->rows : NULL;
    for (int32_t z = 0; *good && z < info.depth; z++)
        for (int32_t y = 0; y < info.height; y++, kept++) {
            if (*kept == 0) {
                wend_map_get_terrain_box(map, (wend_box){{0, y, z}, {info.width - 1, y, z}}, row, (size_t)info.width);
                *kept = wend__hash_bytes(WEND__HASH_START, row, (size_t)info.width) | 1; /* 0 is none */
            }
            hash = wend__hash_u64(hash, *kept);
        }
    free(row);
    return hash;
}

/* The sum of the hashes of things: whatever their order. */
static uint64_t sum_cells(uint64_t sum, uint32_t kind, wend_cell from, wend_cell to, uint32_t value) {
    const uint32_t numbers[] = {kind,           (uint32_t)from.x, (uint32_t)from.y, (uint32_t)from.z,
                                (uint32_t)to.x, (uint32_t)to.y,   (uint32_t)to.z,   value};
    return sum + wend__hash_bytes(WEND__HASH_START, numbers, sizeof numbers);
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
        for (size_t i = 0; i < links; i++) sum = sum_cells(sum, 1, link[i].from, link[i].to, (uint32_t)link[i].cost);
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

static void hash_text(void *hash, const char *bytes, size_t size) {
    *(uint64_t *)hash = wend__hash_bytes(*(uint64_t *)hash, bytes, size);
}

static uint64_t sum_order(const serve *server, uint64_t sum, const wend_order *order) {
    uint64_t hash = WEND__HASH_START;
    wend__order_write(order, wend__kind_axes(server->world.kind), hash_text, &hash);
    return sum + hash;
}

static uint64_t sum_agents(const serve *server, uint64_t sum) {
    for (world_agent *agent = server->world.agents.first; agent; sum += agent->state_hash, agent = agent->next) {
        wend_order orders[2];
        if (agent->state_hash != 0) continue;
        (void)world_agent_orders(&server->world, agent, orders);
        orders[0].agent.def.cell = (wend_cell){0, 0, 0};
        orders[0].agent.def.flags &= ~(uint32_t)WEND_AGENT_STEERED;
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
    bool good = true;
    const wend_map *map = server->world.map;
    const uint64_t hash = hash_terrain(server, &good);
    uint64_t sum = sum_links(map, 0, &good);
    sum = sum_units(server, sum, &good);
    sum = sum_routes_and_boxes(server, sum_agents(server, sum)) + serve_once_hash(&server->once);
    *out = wend__hash_u64(hash, sum);
    return good;
}
