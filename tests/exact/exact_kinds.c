/* SPDX-License-Identifier: MIT */
/* Voxels and graphs: small worlds of the model that they share with other tests, with landmarks, weights and edits. */
#include "exact/exact.h"
#include "models/worlds.h"
#include "models/options.h"

#include <stdio.h>
#include <string.h>
#include <wend/units.h>

enum { QUERIES = 30, EDITS = 6, LONGEST = 4096 };

static world w;
static wend_cell path[LONGEST];

static void accelerate(wend_map *map, oracle_random *random) {
    static const int32_t counts[] = {0, 1, 4, WEND_MAX_LANDMARKS};
    wend_acceleration def = default_acceleration();
    def.tables = oracle_below(random, 2), def.landmarks = counts[oracle_below(random, 4)];
    def.mover = oracle_below(random, w.mover_count);
    wend_error error = wend_map_accelerate(map, &def);
    if (error == WEND_UNSUPPORTED) def.tables = 0, error = wend_map_accelerate(map, &def);
    REQUIRE(error == WEND_OK || error == WEND_UNSUPPORTED);
    exact_total.marked += error == WEND_OK && def.landmarks > 0;
}

static void edit_link(wend_map *map, oracle_random *random) {
    wend_link link = {world_cell(&w, oracle_below(random, w.cells)), world_cell(&w, oracle_below(random, w.cells)),
                      1 + oracle_below(random, 200), 0};
    if (same_cell(link.from, link.to)) return;
    if (w.link_count > 0 && oracle_below(random, 2)) link = w.links[oracle_below(random, w.link_count)];
    const int at = world_find_link(&w, link.from, link.to);
    link.cost = at == w.link_count || oracle_below(random, 2) ? 1 + oracle_below(random, 200) : 0;
    link.movers = world_takers(link.cost);
    wend_edit *edit = begin_edit(map);
    if (link.cost)
        world_put_link(&w, edit, link);
    else
        world_drop_link(&w, edit, at);
    must_do(wend_edit_publish(edit, NULL), "wend_edit_publish");
}

static void edit_cells(wend_map *map, oracle_random *random) {
    for (int i = oracle_below(random, EDITS); i > 0; i--) {
        const wend_cell cell = world_cell(&w, oracle_below(random, w.cells));
        IN_BATCH(map, world_set_cell(&w, edit, cell, (uint8_t)oracle_below(random, 4)));
    }
    for (int i = oracle_below(random, EDITS); i > 0; i--) {
        const int cell = oracle_below(random, w.cells);
        if (w.occupants[cell] <= 100) world_occupy(&w, map, world_cell(&w, cell));
    }
    for (int i = oracle_below(random, 2 * EDITS) - EDITS; i > 0; i--) edit_link(map, random);
    if (oracle_below(random, 4) == 0) REQUIRE(wend_map_maintain(map, WEND_MAINTAIN_ALL, 200, NULL) == WEND_OK);
}

/* ---- nodes and edges of a graph, and of its model ---- */

static void forget_edges(uint32_t from, uint32_t to) {
    int kept = 0;
    for (int i = 0; i < w.edge_count; i++)
        if (w.edges[i].from != from || w.edges[i].to != to) w.edges[kept++] = w.edges[i];
    w.edge_count = kept;
}

static void set_edge(wend_edit *edit, oracle_random *random) {
    const uint32_t from = (uint32_t)oracle_below(random, w.cells), to = (uint32_t)oracle_below(random, w.cells);
    const int32_t cost = 1 + oracle_below(random, oracle_below(random, 5) ? 60 : WEND_MAX_COST);
    forget_edges(from, to);
    if (w.edge_count == WORLD_EDGES) return;
    w.edges[w.edge_count++] = (wend_edge){from, to, cost};
    REQUIRE(wend_edit_set_edge(edit, from, to, cost) == WEND_OK);
}

/* Another cost for an edge, or none. */
static void change_edge(wend_edit *edit, oracle_random *random, bool gone) {
    if (w.edge_count == 0) return;
    const wend_edge edge = w.edges[oracle_below(random, w.edge_count)];
    const int32_t cost = 1 + oracle_below(random, 2 * edge.cost < WEND_MAX_COST ? 2 * edge.cost : WEND_MAX_COST);
    forget_edges(edge.from, edge.to);
    if (!gone) w.edges[w.edge_count++] = (wend_edge){edge.from, edge.to, cost};
    REQUIRE((gone ? wend_edit_remove_edge(edit, edge.from, edge.to)
                  : wend_edit_set_edge(edit, edge.from, edge.to, cost)) == WEND_OK);
}

/* Removes a node with its edges and links, and adds it again elsewhere. */
static void move_node(wend_edit *edit, oracle_random *random) {
    const int node = oracle_below(random, w.cells);
    int edges = 0, links = 0;
    for (int i = 0; i < w.edge_count; i++)
        if ((int)w.edges[i].from != node && (int)w.edges[i].to != node) w.edges[edges++] = w.edges[i];
    for (int i = 0; i < w.link_count; i++)
        if (w.links[i].from.x != node && w.links[i].to.x != node) w.links[links++] = w.links[i];
    w.edge_count = edges, w.link_count = links;
    w.places[node] = (wend_cell){oracle_below(random, 20), oracle_below(random, 20), 0};
    w.terrain[node] = (uint8_t)oracle_below(random, 4);
    REQUIRE(wend_edit_remove_node(edit, (uint32_t)node) == WEND_OK);
    REQUIRE(wend_edit_add_node(edit, (uint32_t)node, w.places[node], w.terrain[node], NULL) == WEND_OK);
}

static void edit_graph(wend_map *map, oracle_random *random) {
    for (int batches = oracle_below(random, 4); batches > 0; batches--) {
        const int most = oracle_below(random, 2) ? 3 : 60;
        wend_edit *edit = begin_edit(map);
        for (int i = oracle_below(random, most) + 1; i > 0; i--) {
            const int what = oracle_below(random, 16);
            if (what < 6)
                set_edge(edit, random);
            else if (what < 15)
                change_edge(edit, random, what < 10);
            else
                move_node(edit, random);
        }
        REQUIRE(wend_edit_publish(edit, NULL) == WEND_OK);
        if (oracle_below(random, 3) == 0)
            REQUIRE(wend_map_maintain(map, WEND_MAINTAIN_ALL, (uint64_t)oracle_below(random, 5000), NULL) == WEND_OK);
    }
}

/* At times a batch that was begun under the old rules is published under the new ones. */
static void change_rules(wend_map *map, oracle_random *random) {
    static const int32_t neighbours[] = {26, 26, 18, 6};
    wend_map_rules *rules = &w.rules;
    wend_edit *edit = NULL;
    if (oracle_below(random, 3) == 0) REQUIRE(wend_edit_begin(map, &edit) == WEND_OK);
    rules->cost_straight = 1 + oracle_below(random, 1000);
    rules->cost_diagonal = rules->cost_straight + oracle_below(random, rules->cost_straight + 1);
    rules->cost_space = rules->cost_diagonal + oracle_below(random, rules->cost_diagonal - rules->cost_straight + 1);
    if (w.kind == WEND_KIND_VOXEL) rules->neighbours = neighbours[oracle_below(random, 4)];
    rules->corners = oracle_below(random, 3);
    if (oracle_below(random, 2)) rules->factors[2 + oracle_below(random, 4)] = (uint8_t)oracle_below(random, 9);
    memcpy(w.movers[0].factors, rules->factors, sizeof rules->factors);
    REQUIRE(wend_map_set_rules(map, rules) == WEND_OK);
    if (edit) REQUIRE(wend_edit_publish(edit, NULL) == WEND_OK);
    exact_total.ruled++;
}

static void ask(wend_map *map, wend_search *search, oracle_random *random) {
    static const int32_t weights[] = {1200, 2000, 10000};
    wend_cell goals[WORLD_GOALS];
    wend_completion got = {.struct_bytes = sizeof got};
    wend_request request = world_request(&w, random, oracle_below(random, 2), goals);
    request.map = map;
    options_of(&request)->engine = oracle_below(random, 3);
    if (oracle_below(random, 7) == 0) options_of(&request)->weight_milli = weights[oracle_below(random, 3)];
    const world_answer expected = world_ask(&w, &request);
    const uint64_t slice = 1 + (uint64_t)oracle_below(random, 60);
    REQUIRE(wend_search_begin(search, &request) == WEND_OK);
    while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING)
        ;
    REQUIRE(wend_search_get_result(search, &got) == WEND_OK);
    if (got.cost >= 0) REQUIRE(wend_search_get_path(search, path, LONGEST, &got.cell_count) == WEND_OK);
    exact_total.kinds++;
    exact_compare(&w, &request, &expected, &got, path, "a search");
}

void exact_other_kinds(oracle_random *random) {
    const int kind = oracle_below(random, 2) ? WEND_KIND_VOXEL : WEND_KIND_GRAPH;
    const world_options options = {kind,
                                   oracle_below(random, 2),
                                   oracle_below(random, 2),
                                   oracle_below(random, 2),
                                   oracle_below(random, 2),
                                   oracle_below(random, 2)};
    wend_search *search;
    wend_search_def def = default_search();
    def.nodes = 1 << 16;
    REQUIRE(wend_search_create(&def, &search) == WEND_OK);
    world_fill(&w, random, &options);
    snprintf(w.how, sizeof w.how, "kind %d, %d x %d x %d, neighbours %d, corners %d, %d links, %d edges", w.kind,
             w.width, w.height, w.depth, (int)w.rules.neighbours, (int)w.rules.corners, w.link_count, w.edge_count);
    exact_here.world = &w;
    OWNED_MAP *map = world_map(&w);
    for (int phase = 0; phase < 3; phase++) {
        if (phase == 0 || oracle_below(random, 3) == 0) accelerate(map, random);
        for (int i = 0; i < QUERIES; i++) ask(map, search, random);
        edit_cells(map, random);
        if (kind == WEND_KIND_GRAPH) edit_graph(map, random);
        wend_search_destroy(search); /* the map's rules can be changed from now on */
        if (oracle_below(random, 2)) change_rules(map, random);
        REQUIRE(wend_search_create(&def, &search) == WEND_OK);
    }
    wend_search_destroy(search);
}
