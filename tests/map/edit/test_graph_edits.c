/* SPDX-License-Identifier: MIT */
/* Edits of graphs: nodes and edges that come and go, against a graph made at once of the remaining ones. */
#include "map/map_support.h"

#include "map/components/components.h"
#include "map/kinds/graph.h"
#include "map/query/step_cost.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/query.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { NODES = 9000, SIDE = 100, EDGES = 30000, BATCHES = 60 };

/* ---- a plain model: at most one edge for each pair ---- */

typedef struct plain {
    uint8_t *present;
    wend_cell *places;
    wend_edge *edges;
    uint32_t count;
} plain;

static uint32_t find_edge(const plain *p, uint32_t from, uint32_t to) {
    uint32_t i = 0;
    while (i < p->count && (p->edges[i].from != from || p->edges[i].to != to)) i++;
    return i;
}

static void put_edge(plain *p, uint32_t from, uint32_t to, int32_t cost) {
    const uint32_t at = find_edge(p, from, to);
    p->count += at == p->count;
    p->edges[at] = (wend_edge){from, to, cost};
}

static uint32_t draw_node(const plain *p, uint64_t *seed) {
    uint32_t node;
    do node = draw(seed, NODES);
    while (!p->present[node]);
    return node;
}

/* Near one another, so that there are several components, and edges back. */
static plain plain_create(uint64_t *seed) {
    plain p = {malloc(NODES), calloc(NODES, sizeof *p.places), calloc(EDGES, sizeof *p.edges), 0};
    for (uint32_t i = 0; i < NODES; i++) {
        p.present[i] = draw(seed, 10) > 0;
        p.places[i] = at((int32_t)(i % SIDE) * 10, (int32_t)(i / SIDE) * 10);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        const uint32_t from = draw_node(&p, seed), to = (from + (draw(seed, 2) ? 1 : SIDE)) % NODES;
        if (p.present[to] && find_edge(&p, from, to) == p.count) put_edge(&p, from, to, (int32_t)draw(seed, 50) + 10);
    }
    return p;
}

static void plain_free(plain *p) {
    free(p->present), free(p->places), free(p->edges);
}

static wend_map *map_of_plain(const plain *p) {
    wend_graph_def def = default_graph();
    def.node_count = def.node_capacity = NODES;
    def.present = p->present, def.coordinates = p->places;
    def.edges = p->edges, def.edge_count = p->count;
    return made_graph(&def);
}

/* ---- comparing ---- */

static void same_graph(const wend__graph *a, const wend__graph *b) {
    cr_assert_eq(a->edges, b->edges);
    cr_assert_eq(a->present_count, b->present_count);
    cr_assert_eq(a->cost_sum, b->cost_sum);
    cr_assert_eq(a->uneven, b->uneven);
    cr_assert_eq(a->mean_cost, b->mean_cost);
    cr_assert_eq(a->cost_per_unit, b->cost_per_unit);
    for (uint32_t node = 0; node < NODES; node++) {
        const wend__arcs x = wend__graph_arcs(a, node), y = wend__graph_arcs(b, node);
        uint32_t m, n;
        const uint32_t *from = wend__graph_sources_of(a, node, &m), *other = wend__graph_sources_of(b, node, &n);
        cr_assert_eq(wend__graph_has(a, node), wend__graph_has(b, node), "node %u", node);
        cr_assert_eq(x.end - x.first, y.end - y.first, "node %u", node);
        cr_assert(x.first == x.end || memcmp(x.first, y.first, (size_t)(x.end - x.first) * sizeof *x.first) == 0);
        cr_assert_eq(m, n, "node %u", node);
        cr_assert(m == 0 || memcmp(from, other, m * sizeof *from) == 0, "node %u", node);
        if (wend__graph_has(a, node)) cr_assert(wend__same_cell(a->coordinates[node], b->coordinates[node]));
    }
    for (uint32_t word = 0; word < (NODES + 63) / 64; word++) {
        const wend_box *x = wend__graph_box(a, word), *y = wend__graph_box(b, word);
        if (a->blocks[word >> 6]->present[word & 63]) cr_assert(memcmp(x, y, sizeof *x) == 0);
    }
}

/* Checks that both have the same components, under any numbers. */
static void same_components(const wend__version *a, const wend__version *b) {
    uint64_t *name = malloc(NODES * sizeof *name);
    cr_assert_eq(wend__version_components(a), wend__version_components(b));
    for (uint32_t i = 0; i < NODES; i++) name[i] = UINT64_MAX;
    for (uint32_t i = 0; i < NODES; i++) {
        const wend_cell cell = at((int32_t)i, 0);
        cr_assert_eq(wend__cell_factor(a, cell), wend__cell_factor(b, cell));
        if (!wend__cell_factor(a, cell)) continue;
        const uint64_t number = wend__component_of(b, cell);
        if (name[number] == UINT64_MAX) name[number] = wend__component_of(a, cell);
        cr_assert_eq(name[number], wend__component_of(a, cell), "node %u", i);
    }
    free(name);
}

static void check_map(const plain *p, wend_map *map) {
    OWNED_MAP *fresh = map_of_plain(p);
    wend__version *now = wend__map_acquire(map, false), *want = wend__map_acquire(fresh, false);
    same_graph(now->graph, want->graph);
    same_components(now, want);
    wend__map_release(now, false), wend__map_release(want, false);
}

/* ---- random batches ---- */

static void change(plain *p, wend_edit *edit, uint64_t *seed) {
    const uint32_t what = draw(seed, 20), from = draw_node(p, seed);
    const int32_t cost = (int32_t)draw(seed, 50) + 1;
    if (what < 6) {
        const uint32_t to = draw(seed, 3) ? (from + 1) % NODES : draw_node(p, seed);
        if (!p->present[to]) return;
        put_edge(p, from, to, cost);
        cr_assert_eq(wend_edit_set_edge(edit, from, to, cost), WEND_OK);
    } else if (what < 18 && p->count > 0) {
        const uint32_t i = draw(seed, p->count);
        const wend_edge edge = p->edges[i];
        if (what < 12) {
            p->edges[i].cost = cost;
            cr_assert_eq(wend_edit_set_edge(edit, edge.from, edge.to, cost), WEND_OK);
        } else {
            p->edges[i] = p->edges[--p->count];
            cr_assert_eq(wend_edit_remove_edge(edit, edge.from, edge.to), WEND_OK);
            cr_assert_eq(wend_edit_remove_edge(edit, edge.from, edge.to), WEND_EMPTY);
        }
    } else if (what == 18) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < p->count; i++)
            if (p->edges[i].from != from && p->edges[i].to != from) p->edges[kept++] = p->edges[i];
        p->count = kept, p->present[from] = 0;
        cr_assert_eq(wend_edit_remove_node(edit, from), WEND_OK);
    } else {
        uint32_t node = WEND_ANY_NODE;
        const wend_cell place = at((int32_t)draw(seed, 1000), (int32_t)draw(seed, 1000));
        if (draw(seed, 2))
            for (node = draw(seed, NODES); p->present[node];) node = draw(seed, NODES);
        cr_assert_eq(wend_edit_add_node(edit, node, place, WEND_CLASS_OPEN, &node), WEND_OK);
        cr_assert(!p->present[node]);
        p->present[node] = 1, p->places[node] = place;
    }
}

Test(graph_edits, equal_a_graph_made_at_once, .timeout = 120) {
    uint64_t seed = 49;
    OWNED(plain_free) plain p = plain_create(&seed);
    wend_map *map = map_of_plain(&p);
    for (int i = 0; i < BATCHES; i++) {
        IN_BATCH(map, for (uint32_t k = i % 3 ? 1 + draw(&seed, 4) : 400; k > 0; k--) change(&p, edit, &seed));
        check_map(&p, map);
        if (i % 7 < 6) continue;
        wend_map *fork; /* go on with it, and with another place for a node that the other one has, too */
        cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
        wend_map_release(map);
        map = fork;
    }
    wend_map_release(map);
}

/* ---- versions and forks ---- */

/* Five nodes in a row, ids up to 7. */
static wend_map *row_of_five(void) {
    static const wend_cell places[5] = {{0, 0, 0}, {10, 0, 0}, {20, 0, 0}, {30, 0, 0}, {40, 0, 0}};
    static const wend_edge edges[] = {{0, 1, 10}, {1, 2, 10}, {2, 3, 10}, {3, 4, 10}};
    wend_graph_def def = default_graph();
    def.node_count = 5, def.node_capacity = 8, def.coordinates = places, def.edges = edges, def.edge_count = 4;
    return made_graph(&def);
}

static int64_t cost_of_way(wend_map *map, int32_t from, int32_t to) {
    wend_cell cells[NODES];
    size_t count, walked;
    uint64_t cost;
    cr_assert_eq(wend_find_path(map, at(from, 0), at(to, 0), cells, NODES, &count, NULL), WEND_OK);
    if (count == 0) return -1;
    cr_assert_eq(wend_map_path_cost(map, 0, cells, count, &walked, &cost), WEND_OK);
    return (int64_t)cost;
}

static void set_one(wend_map *map, uint32_t from, uint32_t to, int32_t cost) {
    IN_BATCH(map, cr_assert_eq(wend_edit_set_edge(edit, from, to, cost), WEND_OK));
}

Test(graph_edits, leave_older_versions_and_forks_as_they_are) {
    OWNED_MAP *map = row_of_five(), *fork = NULL;
    wend__version *old = wend__map_acquire(map, true);
    set_one(map, 0, 4, 25); /* cheaper for its length than any before: the estimate must follow */
    cr_assert_eq(cost_of_way(map, 0, 4), 25);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    set_one(fork, 0, 4, 7);
    set_one(map, 0, 1, 1000);
    cr_assert_eq(cost_of_way(fork, 0, 4), 7);
    cr_assert_eq(cost_of_way(map, 0, 4), 25);
    cr_assert_eq(cost_of_way(map, 0, 1), 1000);
    cr_assert_eq(cost_of_way(fork, 0, 1), 10);
    cr_assert(!wend__graph_leads(old->graph, 0, 4));
    cr_assert_eq(wend__graph_cost(old->graph, 0, 1), 10u);
    wend__map_release(old, true);
}

static uint32_t add_one(wend_map *map, uint32_t node, wend_cell place) {
    IN_BATCH(map, cr_assert_eq(wend_edit_add_node(edit, node, place, WEND_CLASS_OPEN, &node), WEND_OK));
    return node;
}

static void remove_one(wend_map *map, uint32_t node) {
    IN_BATCH(map, cr_assert_eq(wend_edit_remove_node(edit, node), WEND_OK));
}

static wend_cell place_of(wend_map *map, uint32_t node) {
    wend_cell place = {-1, -1, -1};
    (void)wend_map_get_coordinates(map, node, &place);
    return place;
}

Test(graph_edits, use_an_id_again_once_no_version_has_its_node) {
    OWNED_MAP *map = row_of_five();
    wend__version *old = wend__map_acquire(map, true);
    remove_one(map, 2);
    cr_assert_eq(cost_of_way(map, 0, 4), -1);
    cr_assert_eq(add_one(map, WEND_ANY_NODE, at(50, 0)), 5u);
    wend__map_release(old, true);
    cr_assert_eq(add_one(map, WEND_ANY_NODE, at(60, 0)), 2u);
    cr_assert_eq(place_of(map, 2).x, 60);
    cr_assert_eq(place_of(map, 5).x, 50);
}

Test(graph_edits, keep_the_places_of_nodes_that_an_older_version_or_a_fork_has) {
    OWNED_MAP *map = row_of_five(), *fork = NULL;
    wend__version *old = wend__map_acquire(map, true);
    remove_one(map, 2);
    add_one(map, 2, at(99, 9));
    cr_assert_eq(old->graph->coordinates[2].x, 20);
    cr_assert_eq(place_of(map, 2).x, 99);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    add_one(map, 6, at(6, 0)), add_one(fork, 6, at(66, 0));
    cr_assert_eq(place_of(map, 6).x, 6);
    cr_assert_eq(place_of(fork, 6).x, 66);
    cr_assert_eq(place_of(fork, 2).x, 99);
    wend__map_release(old, true);
}

/* ---- refusals ---- */

Test(graph_edits, end_at_the_capacity) {
    OWNED_MAP *map = row_of_five();
    uint32_t node;
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = 5; i < 8; i++) {
        cr_assert_eq(wend_edit_add_node(edit, WEND_ANY_NODE, at(0, 0), WEND_CLASS_OPEN, &node), WEND_OK);
        cr_assert_eq(node, i);
    }
    cr_assert_eq(wend_edit_add_node(edit, WEND_ANY_NODE, at(0, 0), WEND_CLASS_OPEN, &node), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_get_edges(map, 5, NULL, 0, NULL), WEND_OUT_OF_RANGE, "a batch that fails changes nothing");
}

Test(graph_edits, reach_links_and_units) {
    OWNED_MAP *map = row_of_five();
    cr_assert_eq(wend_map_occupy(map, at(2, 0)), WEND_OK);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(0, 0), at(2, 0), 3, 0}), WEND_OK);
    cr_assert_eq(wend_edit_remove_node(edit, 2), WEND_OK);
    cr_assert_eq(wend_edit_add_node(edit, 7, at(1, 1), WEND_CLASS_OPEN, NULL), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(0, 0), at(7, 0), 3, 0}), WEND_OK);
    cr_assert_eq(wend_edit_set_cell(edit, at(7, 0), 2), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(cost_of_way(map, 0, 7), 3, "a link costs the same whatever it leads to");
    size_t links;
    wend_map_get_links(map, NULL, 0, &links);
    cr_assert_eq(links, 1u, "a node goes with its links");
    cr_assert_eq(wend_map_vacate(map, at(2, 0)), WEND_OK, "its unit stays counted");
    cr_assert_eq(wend_map_vacate(map, at(2, 0)), WEND_OUT_OF_RANGE);
}

/* ---- memory ---- */

static int32_t act(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    error = wend_edit_set_edge(edit, 4, 0, 3);
    if (!error) error = wend_edit_add_node(edit, 7, at(3, 3), 2, NULL);
    if (!error) error = wend_edit_set_edge(edit, 7, 1, 9);
    if (!error) error = wend_edit_remove_node(edit, 3);
    if (!error) return wend_edit_publish(edit, NULL);
    wend_edit_discard(edit);
    return error;
}

static uint64_t sum_of(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    uint64_t sum = v->graph->edges << 32 ^ v->graph->cost_sum << 8 ^ v->graph->present_count;
    for (uint32_t i = 0; i < 5; i++) sum = sum * 31 + wend__graph_cost(v->graph, i, (i + 1) % 5);
    wend__map_release(v, false);
    return sum;
}

Test(graph_edits, change_nothing_where_memory_runs_out) {
    counting counts = {0};
    static const wend_cell places[5] = {{0, 0, 0}, {10, 0, 0}, {20, 0, 0}, {30, 0, 0}, {40, 0, 0}};
    static const wend_edge edges[] = {{0, 1, 10}, {1, 2, 10}, {2, 3, 10}, {3, 4, 10}, {1, 0, 10}};
    wend_graph_def def = default_graph();
    def.node_count = 5, def.node_capacity = 8, def.coordinates = places, def.edges = edges, def.edge_count = 5;
    def.allocator = counting_allocator(&counts);
    wend_map *map = made_graph(&def);
    fail_everywhere(map, &counts, act, sum_of);
    cr_assert_eq(wend__graph_cost(map->newest->graph, 7, 1), 9u);
    wend_map_release(map);
    cr_assert_eq(counts.bytes, 0u);
}
