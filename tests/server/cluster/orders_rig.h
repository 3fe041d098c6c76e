/* SPDX-License-Identifier: MIT */
/* A server's world without its network, for tests: a grid, or a graph of 100 nodes with room for 28 more, a service, a
 * crowd, a mover "cart" of 2 x 2 cells, and orders as lines. */
#ifndef WEND_TESTS_ORDERS_RIG_H
#define WEND_TESTS_ORDERS_RIG_H

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "serve/serve_log.h"
#include <wend/graph.h>
#include <wend/movers.h>

static const world_client rig_owner = {.owner = true};

typedef struct rig {
    serve server;
    cli_movers movers;
    wend__order_reader reader; ///< owns the memory of the last order that was read
    wend_order order;
    world_error error; ///< error of the last order
} rig;

static inline void rig_on_event(void *context, const wend_agent_event *event) {
    (void)context, (void)event;
}

static inline void rig_begin(rig *r, int32_t kind, int32_t side, uint32_t agents) {
    static char cart[] = "cart", *names[] = {cart};
    static wend_edge edges[202] = {{2, 3, 40}, {90, 1, 9}}; /* and a ring */
    static wend_cell places[128];
    static uint8_t present[128];
    wend_map_def grid;
    wend_graph_def graph;
    wend_service_def service;
    wend_crowd_def crowd;
    wend_mover mover;
    int32_t number;
    *r = (rig){.movers = {.names = names, .count = 1},
               .reader = {.where = WEND__JOURNAL, .axes = wend__kind_axes(kind)}};
    world_state *w = &r->server.world;
    *w = (world_state){
        .kind = kind, .movers = &r->movers, .units = &r->server.units, .has_clients = true, .tells_events = true};
    w->routes = &r->server.routes, w->layers = &r->server.layers;
    wend_map_def_init(&grid, sizeof grid);
    wend_graph_def_init(&graph, sizeof graph);
    grid.width = grid.height = side;
    for (uint32_t i = 0; i < 100; i++)
        edges[2 + 2 * i] = (wend_edge){i, (i + 1) % 100, 10}, edges[3 + 2 * i] = (wend_edge){(i + 1) % 100, i, 10};
    for (int32_t i = 0; i < 128; i++) places[i] = (wend_cell){i, i, 0}, present[i] = i < 100;
    graph.node_count = graph.node_capacity = sizeof present, graph.present = present, graph.coordinates = places;
    graph.edges = edges, graph.edge_count = sizeof edges / sizeof edges[0];
    cr_assert_eq(kind == WEND_KIND_GRAPH ? wend_graph_create(&graph, &w->map) : wend_map_create(&grid, &w->map), 0);
    wend_mover_init(&mover, sizeof mover);
    mover.size = kind == WEND_KIND_GRAPH ? 1 : 2;
    cr_assert_eq(wend_map_add_mover(w->map, &mover, &number), WEND_OK);
    wend_service_def_init(&service, sizeof service);
    cr_assert_eq(wend_service_create(&service, &w->service), WEND_OK);
    wend_crowd_def_init(&crowd, sizeof crowd);
    crowd.map = w->map, crowd.service = w->service, crowd.agents = agents;
    crowd.on_event = rig_on_event;
    cr_assert_eq(world_crowd_make(w, &crowd), WEND_OK);
}

static inline void rig_end(rig *r) {
    world_state *w = &r->server.world;
    serve_state_forget(&r->server);
    world_crowd_free(w);
    wend_service_destroy(w->service);
    world_edits_free(&w->edits);
    wend_map_release(w->map);
    cli_units_free(w->units);
    cli_routes_free(w->routes);
    cli_layers_free(w->layers);
    wend__order_reader_free(&r->reader);
}

/* Reads an order, which is valid until the next one. A change of the map is an edit of one. */
static inline const wend_order *rig_read(rig *r, const char *format, ...) {
    static wend_change_item item;
    static char line[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    cr_assert_eq(wend__order_read(&r->reader, line, (size_t)length, &r->order), 1, "%s: %s", line, r->reader.why);
    if (r->order.kind < WEND_ORDER_NODE || r->order.kind > WEND_ORDER_UNLOAD) return &r->order;
    item = (wend_change_item){r->order.kind, r->order.change};
    r->order = (wend_order){.kind = WEND_ORDER_EDIT, .changes = {&item, 1}};
    return &r->order;
}

/* Does an order, if it can be done. */
static inline bool rig_give(rig *r, const wend_order *order) {
    r->error = (world_error){0};
    if (!world_check_and_do(&r->server.world, &rig_owner, order, &r->error)) return false;
    serve_state_note(&r->server, order);
    return true;
}

#endif
