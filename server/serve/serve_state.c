/* SPDX-License-Identifier: MIT */
/* A hash of what nodes of a cluster must agree on: terrain, links, closed steps, units, agents, routes, boxes and
 * numbers of orders. Where agents are, and whether they still walk, is the owner's to say, and not in it. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "base/hash.h"
#include "serve/serve_log.h"
#include <wend/versions.h>

static uint64_t hash_terrain(const wend_map *map, bool *good) {
    wend_map_info info = {.struct_bytes = sizeof info};
    uint64_t hash = WEND__HASH_START;
    wend_map_get_info(map, &info);
    uint8_t *row = malloc((size_t)info.width);
    *good = *good && row;
    for (int32_t z = 0; row && z < info.depth; z++)
        for (int32_t y = 0; y < info.height; y++) {
            wend_map_get_terrain_box(map, (wend_box){{0, y, z}, {info.width - 1, y, z}}, row, (size_t)info.width);
            hash = wend__hash_bytes(hash, row, (size_t)info.width);
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
    for (const world_agent *agent = server->world.agents.first; agent; agent = agent->next) {
        wend_order orders[2];
        (void)world_agent_orders(&server->world, agent, orders);
        orders[0].agent.def.cell = (wend_cell){0, 0, 0};
        orders[0].agent.def.flags &= ~(uint32_t)WEND_AGENT_STEERED;
        sum = sum_order(server, sum, &orders[0]);
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

bool serve_state_hash(const serve *server, uint64_t *out) {
    bool good = true;
    const wend_map *map = server->world.map;
    uint64_t hash = hash_terrain(map, &good);
    uint64_t sum = sum_links(map, 0, &good);
    sum = sum_units(server, sum, &good);
    sum = sum_routes_and_boxes(server, sum_agents(server, sum)) + serve_once_hash(&server->once);
    *out = wend__hash_u64(hash, sum);
    return good;
}
