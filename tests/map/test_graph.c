/* SPDX-License-Identifier: MIT */
/* Graphs: refusals, reading back, classes of nodes, components, and estimates. */
#include "map/map_support.h"
#include "models/few_or_many.h"

#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/kinds/graph.h"
#include "map/query/step_cost.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* ---- a plain model ---- */

typedef struct net {
    uint32_t nodes, edge_count;
    uint8_t *present, *classes;
    wend_cell *coordinates;
    wend_edge *edges;
    uint8_t factors[256];
} net;

static net net_create(uint32_t nodes, uint32_t edge_count) {
    net n = {.nodes = nodes, .edge_count = edge_count};
    n.present = malloc(nodes), n.classes = malloc(nodes);
    memset(n.present, 1, nodes), memset(n.classes, 1, nodes);
    n.coordinates = calloc(nodes, sizeof *n.coordinates);
    n.edges = calloc(edge_count ? edge_count : 1, sizeof *n.edges);
    wend_map_rules rules = default_rules();
    memcpy(n.factors, rules.factors, sizeof n.factors);
    return n;
}

static void net_free(net *n) {
    free(n->present), free(n->classes), free(n->coordinates), free(n->edges);
}

static wend_graph_def def_of(const net *n) {
    wend_graph_def def = default_graph();
    def.node_count = n->nodes, def.present = n->present, def.coordinates = n->coordinates;
    def.edges = n->edges, def.edge_count = n->edge_count;
    memcpy(def.factors, n->factors, sizeof def.factors);
    return def;
}

static wend_map *map_of_net(const net *n) {
    wend_graph_def def = def_of(n);
    return made_graph(&def);
}

/* Some nodes are not there; edges as they come, also parallel ones and loops. */
static net any_net(uint32_t nodes, uint32_t edges, uint32_t absent_percent, uint64_t *seed) {
    net n = net_create(nodes, edges);
    for (uint32_t i = 0; i < nodes; i++) {
        n.present[i] = draw(seed, 100) >= absent_percent;
        n.coordinates[i] = (wend_cell){(int32_t)draw(seed, 1000), (int32_t)draw(seed, 1000), 0};
    }
    n.present[nodes / 2] = 7; /* any byte but 0 */
    n.present[nodes - 1] = 1;
    for (uint32_t i = 0; i < edges; i++) {
        wend_edge *e = &n.edges[i];
        do e->from = draw(seed, nodes);
        while (!n.present[e->from]);
        do e->to = draw(seed, 4) ? draw(seed, nodes) : (e->from + draw(seed, 3)) % nodes;
        while (!n.present[e->to]);
        e->cost = (int32_t)draw(seed, 50) + 1;
    }
    return n;
}

static bool net_open(const net *n, uint32_t node) {
    return n->present[node] && n->factors[n->classes[node]];
}

/* Lowest node of each one's component, by going over all edges until nothing changes. */
static uint32_t net_components(const net *n, uint32_t *lowest) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->nodes; i++) lowest[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < n->edge_count; i++) {
            uint32_t a = n->edges[i].from, b = n->edges[i].to;
            if (!net_open(n, a) || !net_open(n, b) || lowest[a] == lowest[b]) continue;
            lowest[a] = lowest[b] = lowest[a] < lowest[b] ? lowest[a] : lowest[b];
            changed = true;
        }
    }
    for (uint32_t i = 0; i < n->nodes; i++) count += net_open(n, i) && lowest[i] == i;
    return count;
}

static void check_version(const net *n, const wend__version *v) {
    uint32_t *lowest = malloc(n->nodes * sizeof *lowest), components = net_components(n, lowest);
    bool *used = calloc(components, sizeof *used);
    uint8_t most = 0;
    cr_assert_eq(wend__version_components(v), components);
    for (uint32_t i = 0; i < n->nodes; i++) {
        wend_cell cell = {(int32_t)i, 0, 0}, first = {(int32_t)lowest[i], 0, 0};
        if (!n->present[i]) continue;
        uint8_t factor = n->factors[n->classes[i]];
        cr_assert_eq(wend__cell_factor(v, cell), factor, "node %u", i);
        if (factor > most) most = factor;
        if (!factor) continue;
        uint64_t number = wend__component_of(v, cell);
        cr_assert_lt(number, components);
        cr_assert_eq(number, wend__component_of(v, first), "node %u", i);
        if (lowest[i] != i) continue;
        cr_assert(!used[number]);
        used[number] = true;
    }
    cr_assert_eq(v->max_factor, most);
    free(used);
    free(lowest);
}

static void check_net(const net *n, wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    check_version(n, v);
}

/* ---- refusals ---- */

static wend_error try_def(const wend_graph_def *def) {
    wend_map *map = NULL;
    wend_error error = wend_graph_create(def, &map);
    cr_assert_eq(map == NULL, error != WEND_OK);
    wend_map_release(map);
    return error;
}

Test(map_graph, refuses_bad_counts_costs_and_ends) {
    wend_edge edges[2] = {{0, 1, 1}, {1, 0, WEND_MAX_COST}};
    uint8_t present[3] = {1, 1, 0}, none[3] = {0};
    wend_graph_def def;
    wend_graph_def good = default_graph();
    cr_assert_eq(try_def(&good), WEND_BAD_ARGUMENT, "no nodes");
    cr_assert_eq(try_def(NULL), WEND_BAD_ARGUMENT);
    good.node_count = 3, good.present = present, good.edges = edges, good.edge_count = 2;
    cr_assert_eq(try_def(&good), WEND_OK);
#define REFUSED(field, value, error)                                                                                   \
    do {                                                                                                               \
        def = good;                                                                                                    \
        def.field = value;                                                                                             \
        cr_assert_eq(try_def(&def), error, #field " " #value);                                                         \
    } while (0)
    REFUSED(struct_bytes, 0, WEND_BAD_ARGUMENT);
    REFUSED(node_capacity, WEND_MAX_NODES + 1, WEND_BAD_ARGUMENT);
    REFUSED(node_count, 0, WEND_BAD_ARGUMENT);
    REFUSED(node_count, WEND_MAX_NODES + 1, WEND_BAD_ARGUMENT);
    REFUSED(node_count, UINT32_MAX, WEND_BAD_ARGUMENT);
    REFUSED(present, none, WEND_BAD_ARGUMENT);
    REFUSED(edges, NULL, WEND_BAD_ARGUMENT);
    REFUSED(edge_count, (uint64_t)WEND_MAX_EDGES + 1, WEND_BAD_ARGUMENT);
    REFUSED(edge_count, UINT64_MAX, WEND_BAD_ARGUMENT);
    REFUSED(max_versions, 0, WEND_BAD_ARGUMENT);
    REFUSED(max_versions, WEND_MAX_VERSIONS + 1, WEND_BAD_ARGUMENT);
    REFUSED(max_bytes, 100, WEND_OUT_OF_MEMORY);
    const int32_t costs[] = {0, -1, INT32_MIN, WEND_MAX_COST + 1, INT32_MAX};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        edges[1].cost = costs[i];
        cr_assert_eq(try_def(&good), WEND_BAD_ARGUMENT);
    }
    edges[1].cost = 1;
    const uint32_t ends[] = {2, 3, UINT32_MAX};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        edges[1] = (wend_edge){ends[i], 0, 1};
        cr_assert_eq(try_def(&good), WEND_OUT_OF_RANGE);
        edges[1] = (wend_edge){0, ends[i], 1};
        cr_assert_eq(try_def(&good), WEND_OUT_OF_RANGE);
    }
    good.edge_count = 1;
    cr_assert_eq(try_def(&good), WEND_OK);
}

/* More nodes than there is room for must not wrap around. */
Test(map_graph, of_the_most_nodes_needs_its_memory) {
    wend_graph_def def = default_graph();
    wend_map *map;
    def.node_count = WEND_MAX_NODES, def.max_bytes = 1 << 20;
    cr_assert_eq(wend_graph_create(&def, &map), WEND_OUT_OF_MEMORY);
}

/* ---- reading back ---- */

static int by_end(const void *a, const void *b) {
    const wend_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

static void check_edges(net *n, wend_map *map) {
    wend_edge *out = malloc((n->edge_count + (size_t)1) * sizeof *out);
    size_t next = 0, count = 77;
    qsort(n->edges, n->edge_count, sizeof *n->edges, by_end);
    for (uint32_t node = 0; node < n->nodes; node++) {
        if (!n->present[node]) {
            cr_assert_eq(wend_map_get_edges(map, node, NULL, 0, &count), WEND_OUT_OF_RANGE);
            continue;
        }
        cr_assert_eq(wend_map_get_edges(map, node, NULL, 0, &count), WEND_OK);
        size_t all = count;
        memset(out, 0xEE, (all + 1) * sizeof *out);
        cr_assert_eq(wend_map_get_edges(map, node, out, all, &count), WEND_OK);
        cr_assert_eq(count, all);
        cr_assert_eq(memcmp(out, n->edges + next, all * sizeof *out), 0, "node %u", node);
        cr_assert_eq(out[all].cost, (int32_t)0xEEEEEEEE);
        next += all;
    }
    cr_assert_eq(next, n->edge_count);
    free(out);
}

Test(map_graph, gives_back_its_edges_in_order_and_its_coordinates) {
    uint64_t seed = 1;
    const uint32_t nodes[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 70000};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        OWNED(net_free) net n = any_net(nodes[i], nodes[i] * 3, i % 2 ? 20 : 0, &seed);
        OWNED_MAP *map = map_of_net(&n);
        uint64_t present = 0;
        check_edges(&n, map);
        for (uint32_t node = 0; node < n.nodes; node++) {
            wend_cell c = {7, 7, 7};
            present += n.present[node] != 0;
            cr_assert_eq(wend_map_get_coordinates(map, node, &c), n.present[node] ? WEND_OK : WEND_OUT_OF_RANGE);
            if (n.present[node]) cr_assert_eq(memcmp(&c, &n.coordinates[node], sizeof c), 0);
        }
        wend_map_info info = info_now(map);
        cr_assert_eq(info.kind, WEND_KIND_GRAPH);
        cr_assert_eq(info.width, (int32_t)n.nodes);
        cr_assert(info.height == 1 && info.depth == 1 && info.has_coordinates == 1 && info.epoch == 0);
        cr_assert_eq(info.cells, present);
        cr_assert_eq(info.edges, n.edge_count);
    }
}

Test(map_graph, sorts_a_node_of_very_many_edges_in_time) {
    OWNED(net_free) net n = net_create(300000, 600000);
    uint64_t seed = 4;
    for (uint32_t i = 0; i < n.edge_count; i++)
        n.edges[i] = (wend_edge){7, draw(&seed, n.nodes), (int32_t)draw(&seed, 9) + 1};
    OWNED_MAP *map = map_of_net(&n);
    check_edges(&n, map);
}

Test(map_graph, ends_at_its_last_node_that_is_there) {
    uint8_t present[9000] = {0};
    present[5] = present[4100] = 1;
    wend_graph_def def = default_graph();
    def.node_count = 9000, def.present = present;
    wend_cell c;
    size_t count;
    wend_map *map = made_graph(&def);
    wend_map_info info = info_now(map);
    cr_assert_eq(info.width, 4101);
    cr_assert(info.cells == 2 && info.components == 2 && info.edges == 0);
    cr_assert(info.has_coordinates == 0 && info.cost_per_unit == 0);
    cr_assert_eq(wend_map_get_coordinates(map, 5, &c), WEND_EMPTY);
    cr_assert_eq(wend_map_get_coordinates(map, 6, &c), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_get_coordinates(map, UINT32_MAX, &c), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_get_edges(map, 4101, NULL, 0, &count), WEND_OUT_OF_RANGE);
    wend_map_release(map);
    map = map_of_size(3, 3);
    cr_assert_eq(wend_map_get_coordinates(map, 0, &c), WEND_UNSUPPORTED);
    cr_assert_eq(wend_map_get_edges(map, 0, NULL, 0, &count), WEND_UNSUPPORTED);
    wend_map_release(map);
}

/* ---- classes ---- */

Test(map_graph, has_no_node_to_open_where_there_is_none) {
    uint8_t present[5000], out[5000], classes[5000];
    memset(present, 1, sizeof present);
    memset(classes, 3, sizeof classes);
    present[0] = present[70] = present[4999] = 0;
    wend_graph_def def = default_graph();
    def.node_count = 5000, def.present = present;
    wend_edit *edit;
    uint8_t class = 77;
    OWNED_MAP *map = made_graph(&def);
    const wend_cell off[] = {{0, 0, 0}, {70, 0, 0}, {4999, 0, 0}, {-1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {INT32_MAX, 0, 0}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        cr_assert_eq(wend_map_get_terrain(map, off[i], &class), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        cr_assert_eq(wend_edit_set_cell(edit, off[i], 1), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OUT_OF_RANGE);
    }
    cr_assert_eq(class, 77);
    /* Boxes may have absent nodes. */
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_fill_box(edit, box_of(0, 0, 4998, 0), 5), WEND_OK);
    cr_assert_eq(wend_edit_set_box(edit, box_of(60, 0, 80, 0), classes, 21), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_get_terrain_box(map, box_of(0, 0, 4998, 0), out, 4999), WEND_OK);
    for (int i = 0; i < 4999; i++)
        cr_assert_eq(out[i], !present[i] ? 0 : i >= 60 && i <= 80 ? 3 : 5, "node %d is %d", i, out[i]);
    const wend_box outside[] = {
        {{0, 0, 0}, {4999, 0, 0}}, {{-1, 0, 0}, {5, 0, 0}}, {{1, 0, 0}, {5, 1, 0}}, {{1, 0, 0}, {5, 0, 1}}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        cr_assert_eq(wend_map_get_terrain_box(map, outside[i], out, 5000), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        cr_assert_eq(wend_edit_fill_box(edit, outside[i], 1), WEND_OUT_OF_RANGE);
        wend_edit_discard(edit);
    }
}

static void change(net *n, wend_edit *edit, uint64_t *seed) {
    uint32_t count = draw(seed, 3) ? 1 + draw(seed, 5) : n->nodes / 10;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = draw(seed, n->nodes);
        if (!n->present[node]) continue;
        n->classes[node] = (uint8_t)draw(seed, draw(seed, 2) ? 2 : 200);
        cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){(int32_t)node, 0, 0}, n->classes[node]), WEND_OK);
    }
}

static void check_questions(const net *n, wend_map *map, wend_edit *edit, uint64_t *seed) {
    enum { PAIRS = 3 };
    wend_cell a[PAIRS], b[PAIRS];
    bool before[PAIRS], parts[PAIRS], after;
    for (int i = 0; i < PAIRS; i++) {
        do a[i] = at((int32_t)draw(seed, n->nodes), 0);
        while (!n->present[a[i].x]);
        do b[i] = at((int32_t)draw(seed, n->nodes), 0);
        while (!n->present[b[i].x]);
        cr_assert_eq(wend_map_reachable(map, 0, a[i], b[i], &before[i]), WEND_OK);
        cr_assert_eq(wend_edit_would_disconnect(edit, 0, a[i], b[i], &parts[i]), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    for (int i = 0; i < PAIRS; i++) {
        cr_assert_eq(wend_map_reachable(map, 0, a[i], b[i], &after), WEND_OK);
        cr_assert_eq(parts[i], before[i] && !after);
    }
}

Test(map_graph, has_the_components_of_its_open_nodes_through_many_batches) {
    uint64_t seed = 2;
    const uint32_t nodes[] = {2, 60, 500, 4096, 9001, 70000};
    for (size_t size = 0; size < sizeof nodes / sizeof *nodes; size++) {
        OWNED(net_free) net n = any_net(nodes[size], nodes[size] * 6 / 5, 10, &seed);
        n.factors[0] = size == 2 ? 9 : 0; /* class 0 may be open: but not where no node is */
        wend_map *map = map_of_net(&n), *fork;
        check_net(&n, map);
        cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
        net as_before = n;
        as_before.classes = malloc(n.nodes);
        memcpy(as_before.classes, n.classes, n.nodes);
        for (int i = few_or_many(2, 30); i > 0; i--) {
            wend_edit *edit = begin_edit(map);
            change(&n, edit, &seed);
            check_questions(&n, map, edit, &seed);
            check_net(&n, map);
        }
        check_net(&as_before, fork);
        wend_map_rules rules = default_rules();
        rules.factors[1] = 0, rules.factors[0] = 40, rules.neighbours = 77;
        cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK, "of the rules only factors matter");
        memcpy(n.factors, rules.factors, sizeof n.factors);
        check_net(&n, map);
        wend_map_release(map);
        check_net(&as_before, fork);
        wend_map_release(fork);
        free(as_before.classes);
    }
}

Test(map_graph, shares_its_components_where_no_node_opens_or_closes) {
    uint64_t seed = 3;
    OWNED(net_free) net n = any_net(50000, 100000, 0, &seed);
    OWNED_MAP *map = map_of_net(&n), *fork = NULL;
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    uint64_t bytes = map_bytes(map);
    cr_assert_eq(wend_map_set_cell(fork, at(777, 0), 9, NULL), WEND_OK);
    cr_assert_lt(map_bytes(map) - bytes, 40000u, "a block and a plane, no labels: those are 200,000");
    cr_assert_eq(map->newest->regions, fork->newest->regions);
}

/* ---- estimates ---- */

static long double straight(wend_cell a, wend_cell b) {
    long double x = (long double)a.x - b.x, y = (long double)a.y - b.y, z = (long double)a.z - b.z;
    return sqrtl(x * x + y * y + z * z);
}

static int32_t anywhere(uint64_t *seed, int spread) {
    const int32_t rims[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
    if (draw(seed, 4) == 0 && spread > 28) return rims[draw(seed, 7)];
    int64_t wide = (int64_t)((uint64_t)draw(seed, UINT32_C(1) << 30) << 2 | draw(seed, 4)) + INT32_MIN;
    return (int32_t)(wide >> (32 - spread));
}

static wend_cell any_place(uint64_t *seed, int spread) {
    return (wend_cell){anywhere(seed, spread), anywhere(seed, spread), anywhere(seed, spread)};
}

/* Roots at squares, next to squares, and where the table's lines meet. */
Test(map_graph, finds_roots_rounded_down) {
    uint64_t seed = 7;
    for (int i = 0; i < 400000; i++) {
        const uint64_t r = (UINT64_C(1) << 31) + ((uint64_t)draw(&seed, UINT32_C(1) << 30) << 1 | draw(&seed, 2));
        cr_assert_eq(wend__graph_root(r * r), r);
        cr_assert_eq(wend__graph_root(r * r + 2 * r), r);
        if (r > UINT64_C(1) << 31) cr_assert_eq(wend__graph_root(r * r - 1), r - 1);
    }
    for (uint64_t i = 64; i <= 256; i++)
        for (uint64_t beside = 0; beside < 3; beside++) {
            const uint64_t n = (i << 56) - 1 + beside;
            if ((i == 64 && beside == 0) || (i == 256 && beside > 0)) continue;
            const uint64_t r = wend__graph_root(n);
            cr_assert(r * r <= n && (r == UINT32_MAX || (r + 1) * (r + 1) > n), "%llu", (unsigned long long)n);
        }
}

/* An estimate is at most the straight line's cost at the rate, and not much less. */
Test(map_graph, estimates_from_below_and_closely_at_any_distance) {
    uint64_t seed = 5;
    for (int i = 0; i < 400000; i++) {
        int spread = 1 + (int)draw(&seed, 32);
        wend_cell a = any_place(&seed, spread), b = any_place(&seed, spread);
        wend__graph graph = {.cost_per_unit =
                                 UINT64_C(1) + ((uint64_t)draw(&seed, UINT32_C(1) << 30) << draw(&seed, 22))};
        long double exact = (long double)graph.cost_per_unit * straight(a, b) / 4294967296.0L;
        uint64_t estimate = wend__graph_estimate(&graph, a, b);
        cr_assert((long double)estimate <= exact * (1 + 1e-15L), "%.3Lf but %llu", exact, (unsigned long long)estimate);
        cr_assert((long double)estimate + 1 > exact * (1 - 1e-15L), "%.3Lf but %llu", exact,
                  (unsigned long long)estimate);
        cr_assert_eq(estimate, wend__graph_estimate(&graph, b, a));
        const uint64_t quick = wend__graph_estimate_at(&graph, graph.cost_per_unit, a, b);
        cr_assert(quick <= estimate && (long double)quick + 2 > exact * (1 - 1e-9L));
    }
}

/* Between any three places: by an edge that costs the least that the rate allows. */
Test(map_graph, estimates_are_consistent) {
    uint64_t seed = 9;
    int rounded = 0;
    const int cases = few_or_many(100000, 400000);
    for (int i = 0; i < cases; i++) {
        const int spread = 1 + (int)draw(&seed, 28);
        const wend_cell a = any_place(&seed, spread), b = any_place(&seed, 1 + (int)draw(&seed, (uint32_t)spread));
        const wend_cell goal = any_place(&seed, spread);
        wend__graph graph = {.cost_per_unit =
                                 UINT64_C(1) + ((uint64_t)draw(&seed, UINT32_C(1) << 30) << draw(&seed, 22))};
        const uint64_t rate = graph.cost_per_unit, far = wend__graph_estimate(&graph, a, goal);
        const uint64_t edge = (uint64_t)ceill((long double)rate * straight(a, b) / 4294967296.0L * (1 + 1e-18L));
        cr_assert_leq(far, edge + wend__graph_estimate(&graph, b, goal));
        rounded += far != wend__graph_estimate_at(&graph, rate, a, goal);
    }
    cr_assert_gt(rounded, cases / 4000, "only %d were settled exactly", rounded);
}

/* A rate is at most the edge's cost a unit, and not much less; equal where the distance is a whole number. */
Test(map_graph, knows_what_an_edge_costs_a_unit) {
    uint64_t seed = 6;
    for (int i = 0; i < 400000; i++) {
        int spread = 1 + (int)draw(&seed, 32);
        wend_cell a = any_place(&seed, spread), b = any_place(&seed, spread);
        uint32_t cost = draw(&seed, 5) ? 1 + draw(&seed, WEND_MAX_COST) : WEND_MAX_COST;
        uint64_t rate = wend__graph_rate(a, b, cost);
        long double distance = straight(a, b);
        if (distance == 0) {
            cr_assert_eq(rate, UINT64_MAX);
            continue;
        }
        long double exact = cost * 4294967296.0L / distance;
        cr_assert((long double)rate <= exact * (1 + 1e-15L));
        cr_assert((long double)rate + 1.001L > exact * (1 - 1e-9L));
        wend__graph graph = {.cost_per_unit = rate};
        cr_assert_leq(wend__graph_estimate(&graph, a, b), cost);
        cr_assert_geq(wend__graph_estimate(&graph, a, b) + (distance > 4e9L ? 4 : 2), cost);
        b = (wend_cell){a.x, b.y, a.z};
        uint64_t along = (uint64_t)(a.y < b.y ? (int64_t)b.y - a.y : (int64_t)a.y - b.y);
        if (along) cr_assert_eq(wend__graph_rate(a, b, cost), ((uint64_t)cost << 32) / along);
        if (along < INT32_MAX / 2 && along && a.x < INT32_MAX / 5 && a.x >= 0 && b.y >= 0 &&
            a.y >= 0) { /* 3, 4 and 5 */
            wend_cell c = {0, 0, a.z}, d = {(int32_t)(along / 5 * 3), (int32_t)(along / 5 * 4), a.z};
            if (along >= 5) cr_assert_eq(wend__graph_rate(c, d, cost), ((uint64_t)cost << 32) / (along / 5 * 5));
        }
    }
}

/* Checks all pairs of a small net: no way is cheaper than its estimate. */
static void check_all_ways(const net *n) {
    uint64_t *cost = malloc((size_t)n->nodes * n->nodes * sizeof *cost);
    wend_map *map = map_of_net(n);
    wend_map_info info = info_now(map);
    for (size_t i = 0; i < (size_t)n->nodes * n->nodes; i++) cost[i] = i % (n->nodes + 1) ? UINT64_MAX / 4 : 0;
    for (uint32_t i = 0; i < n->edge_count; i++) {
        uint64_t *way = &cost[(size_t)n->edges[i].from * n->nodes + n->edges[i].to];
        if ((uint32_t)n->edges[i].cost < *way) *way = (uint32_t)n->edges[i].cost;
    }
    for (uint32_t k = 0; k < n->nodes; k++)
        for (uint32_t i = 0; i < n->nodes; i++)
            for (uint32_t j = 0; j < n->nodes; j++) {
                uint64_t way = cost[(size_t)i * n->nodes + k] + cost[(size_t)k * n->nodes + j];
                if (way < cost[(size_t)i * n->nodes + j]) cost[(size_t)i * n->nodes + j] = way;
            }
    for (uint32_t i = 0; i < n->nodes; i++)
        for (uint32_t j = 0; j < n->nodes; j++)
            cr_assert_leq(wend__graph_estimate(map->newest->graph, n->coordinates[i], n->coordinates[j]),
                          cost[(size_t)i * n->nodes + j]);
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < n->edge_count; i++) {
        const wend_edge *e = &n->edges[i];
        uint64_t rate = wend__graph_rate(n->coordinates[e->from], n->coordinates[e->to], (uint32_t)e->cost);
        least = rate < least ? rate : least;
    }
    cr_assert_eq(info.cost_per_unit, least == UINT64_MAX ? 0 : least);
    wend_map_release(map);
    free(cost);
}

Test(map_graph, never_estimates_more_than_any_way_costs) {
    uint64_t seed = 8;
    for (int i = 0; i < 60; i++) {
        int spread = 1 + (int)draw(&seed, 32);
        OWNED(net_free) net n = any_net(30, 90, 0, &seed);
        memset(n.present, 1, n.nodes);
        for (uint32_t node = 0; node < n.nodes; node++) n.coordinates[node] = any_place(&seed, spread);
        for (uint32_t e = 0; e < n.edge_count; e++) { /* cost about proportional to length */
            long double d =
                straight(n.coordinates[n.edges[e].from], n.coordinates[n.edges[e].to]) / (spread > 18 ? 8000 : 1);
            n.edges[e].cost = d < 1 ? 1 : d > WEND_MAX_COST ? WEND_MAX_COST : (int32_t)d;
        }
        check_all_ways(&n);
    }
}

Test(map_graph, has_no_estimate_from_edges_without_length) {
    OWNED(net_free) net n = net_create(3, 2);
    n.edges[0] = (wend_edge){0, 1, 5}, n.edges[1] = (wend_edge){2, 2, 1};
    n.coordinates[2] = (wend_cell){9, 9, 9};
    OWNED_MAP *map = map_of_net(&n);
    wend_map_info info = info_now(map);
    cr_assert_eq(info.cost_per_unit, 0u);
    cr_assert_eq(wend__graph_estimate(map->newest->graph, n.coordinates[0], n.coordinates[2]), 0u);
}

/* ---- no memory ---- */

Test(map_graph, is_made_or_not_made_and_changed_or_not_changed_when_allocations_fail) {
    uint64_t seed = 9;
    OWNED(net_free)
    net n = any_net(13000, 17000, 3, &seed); /* four blocks: each site fails in first, middle, last ones */
    size_t made = 0, changed = 0;
    const size_t next = (size_t)few_or_many(4, 1);
    for (int for_good = 0; for_good < 2; for_good++) {
        counting c = {0};
        wend_graph_def def = def_of(&n);
        wend_map *map;
        def.allocator = counting_allocator(&c);
        for (size_t fail = 1;; fail += next, made += next) {
            c.calls = 0, c.fail_at = for_good ? 0 : fail, c.fail_from = for_good ? fail : 0;
            wend_error error = wend_graph_create(&def, &map);
            if (!error) break;
            cr_assert_eq(error, WEND_OUT_OF_MEMORY);
            cr_assert_eq(c.blocks, 0u);
        }
        uint64_t bytes = map_bytes(map);
        for (size_t fail = 1;; fail++, changed++) {
            wend_edit *edit;
            c.calls = 0, c.fail_at = for_good ? 0 : fail, c.fail_from = for_good ? fail : 0;
            wend_error error = wend_edit_begin(map, &edit);
            if (!error) {
                for (int32_t x = 100; x < 13000; x += 560)
                    if (n.present[x]) wend_edit_set_cell(edit, at(x, 0), 0);
                error = wend_edit_publish(edit, NULL);
            }
            c.fail_at = c.fail_from = 0;
            if (!error) break;
            cr_assert_eq(error, WEND_OUT_OF_MEMORY);
            cr_assert_eq(map_bytes(map), bytes);
            if (fail % 8 == 0) check_net(&n, map);
        }
        wend_map_release(map);
        cr_assert_eq(c.blocks, 0u);
    }
    cr_assert_gt(made, 800u);
    cr_assert_gt(changed, 25u);
}
