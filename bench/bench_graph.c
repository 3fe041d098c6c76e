/* SPDX-License-Identifier: MIT */
/* Measures edits of a large graph, and its queries before and after them.
 *
 *   bench_graph [NODES [BATCHES [QUERIES]]]
 *
 * A graph like a road map: nodes in rows with places that are shifted at random, and edges both ways to the nodes
 * with them, some of which are missing. CSV, a line for each kind of change: the median of microseconds an edge in
 * batches of 1,000, begin and publish included, and the same for batches of one. Then mean microseconds of a query on
 * the edited graph and on one made at once of the same edges, by turns, and their ratio; microseconds of a hash of the
 * world, the first of a version and the next. With 0 batches: queries of the graph as it was made. Exits 1 where costs
 * differ. */
#include "harness.h"
#include "../tests/models/options.h"

#include <math.h>
#include <wend/save.h>
#include <wend/ways.h>

enum { BATCH = 1000, SHIFT = 600, STEP = 1000, KINDS = 4 };
static const char *const kinds[KINDS] = {"cost", "remove", "add", "mixed"};

typedef struct roads {
    uint32_t nodes, side, edge_count;
    wend_cell *places;
    wend_edge *edges; ///< in pairs: there, and back
} roads;

static int32_t cost_of(const roads *r, uint32_t a, uint32_t b, uint64_t *random) {
    const double dx = r->places[a].x - r->places[b].x, dy = r->places[a].y - r->places[b].y;
    return (int32_t)(sqrt(dx * dx + dy * dy) * (1.0 + draw(random, 100) / 100.0)) + 1;
}

static void add_pair(roads *r, uint32_t a, uint32_t b, uint64_t *random) {
    if (b >= r->nodes || draw(random, 5) == 0) return;
    const int32_t cost = cost_of(r, a, b, random);
    r->edges[r->edge_count++] = (wend_edge){a, b, cost};
    r->edges[r->edge_count++] = (wend_edge){b, a, cost};
}

static roads make_roads(uint32_t nodes, uint64_t *random) {
    roads r = {.nodes = nodes, .side = (uint32_t)sqrt((double)nodes)};
    r.places = malloc(nodes * sizeof *r.places), r.edges = malloc(4 * (size_t)nodes * sizeof *r.edges);
    need(r.places && r.edges, "memory");
    for (uint32_t i = 0; i < nodes; i++)
        r.places[i] = (wend_cell){(int32_t)(i % r.side * STEP + draw(random, SHIFT)),
                                  (int32_t)(i / r.side * STEP + draw(random, SHIFT)), 0};
    for (uint32_t i = 0; i < nodes; i++) {
        if (i % r.side + 1 < r.side) add_pair(&r, i, i + 1, random);
        add_pair(&r, i, i + r.side, random);
    }
    return r;
}

static wend_map *make_map(const roads *r) {
    wend_graph_def def;
    wend_map *map;
    wend_graph_def_init(&def, sizeof def);
    def.node_count = r->nodes, def.coordinates = r->places, def.edges = r->edges, def.edge_count = r->edge_count;
    check(wend_graph_create(&def, &map));
    return map;
}

/* ---- edits ---- */

/* Changes a random edge; kind 2 restores a removed one, out of the edges from `gone` on. */
static void change_edge(roads *r, wend_edit *edit, int kind, uint32_t *gone, uint64_t *random) {
    if (kind == 3) kind = *gone < r->edge_count ? (int)draw(random, 3) : (int)draw(random, 2);
    if (kind == 2 && *gone == r->edge_count) kind = 0;
    const uint32_t at = kind == 2 ? *gone + draw(random, r->edge_count - *gone) : draw(random, *gone);
    wend_edge edge = r->edges[at];
    const uint32_t other = kind == 2 ? *gone : *gone - 1;
    if (kind != 1) edge.cost = cost_of(r, edge.from, edge.to, random);
    r->edges[at] = edge;
    check(kind == 1 ? wend_edit_remove_edge(edit, edge.from, edge.to)
                    : wend_edit_set_edge(edit, edge.from, edge.to, edge.cost));
    if (kind == 0) return;
    r->edges[at] = r->edges[other], r->edges[other] = edge;
    *gone = kind == 2 ? *gone + 1 : *gone - 1;
}

/* The median of microseconds an edge. */
static double run_batches(roads *r, wend_map *map, int kind, int batches, int size, uint32_t *gone, uint64_t *random) {
    double *times = malloc((size_t)batches * sizeof *times);
    need(times != NULL, "memory");
    for (int i = 0; i < batches; i++) {
        wend_edit *edit;
        const double begun = cpu_us();
        check(wend_edit_begin(map, &edit));
        for (int k = 0; k < size; k++) change_edge(r, edit, kind, gone, random);
        check(wend_edit_publish(edit, NULL));
        times[i] = (cpu_us() - begun) / size;
    }
    const double middle = median(times, (size_t)batches);
    free(times);
    return middle;
}

/* ---- queries ---- */

static int64_t ask(wend_map *map, wend_search *search, wend_cell start, wend_cell goal, double *us) {
    wend_request request = default_request();
    wend_completion done = {.struct_bytes = sizeof done};
    request.map = map, request.start = start, request.goal = goal;
    const double begun = cpu_us();
    check(wend_search_begin(search, &request));
    (void)wend_search_step(search, WEND_NO_LIMIT, NULL);
    *us += cpu_us() - begun;
    check(wend_search_get_result(search, &done));
    return done.cost;
}

static bool compare_queries(wend_map *edited, wend_map *made, uint32_t nodes, int queries, uint64_t *random) {
    wend_search_def def = default_search();
    wend_search *search[2];
    double us[2] = {0, 0};
    bool same = true;
    def.nodes = 2 * (uint64_t)nodes + 65536;
    check(wend_search_create(&def, &search[0])), check(wend_search_create(&def, &search[1]));
    for (int i = -2; i < queries; i++) {
        if (i == 0) us[0] = us[1] = 0;
        const wend_cell start = {(int32_t)draw(random, nodes), 0, 0}, goal = {(int32_t)draw(random, nodes), 0, 0};
        const int first = i & 1;
        int64_t cost[2];
        cost[first] = ask(first ? made : edited, search[first], start, goal, &us[first]);
        cost[!first] = ask(first ? edited : made, search[!first], start, goal, &us[!first]);
        same = same && cost[0] == cost[1];
    }
    printf("query_edited_us,%.1f\nquery_made_us,%.1f\nratio,%.3f\nsame_costs,%d\n", us[0] / queries, us[1] / queries,
           us[0] / us[1], same);
    wend_search_destroy(search[0]), wend_search_destroy(search[1]);
    return same;
}

static void time_hash(wend_map *map, const char *name) {
    uint64_t hash;
    const double begun = cpu_us();
    check(wend_world_hash(map, NULL, NULL, &hash));
    printf("%s,%.1f\n", name, cpu_us() - begun);
}

int main(int argc, char **argv) {
    const int nodes = argc > 1 ? atoi(argv[1]) : 1000000, batches = argc > 2 ? atoi(argv[2]) : 50;
    const int queries = argc > 3 ? atoi(argv[3]) : 20;
    uint64_t random = 49;
    if (nodes < 100 || batches < 0 || queries < 1) {
        fprintf(stderr, "usage: bench_graph [NODES [BATCHES [QUERIES]]]\n");
        return 2;
    }
    roads r = make_roads((uint32_t)nodes, &random);
    wend_map *map = make_map(&r);
    uint32_t gone = r.edge_count;
    printf("nodes,%d\nedges,%u\n", nodes, r.edge_count);
    for (int kind = 0; kind < KINDS && batches > 0; kind++) {
        const double many = run_batches(&r, map, kind, batches, BATCH, &gone, &random);
        const double one = run_batches(&r, map, kind, batches, 1, &gone, &random);
        printf("%s_us,%.2f\n%s_alone_us,%.1f\n", kinds[kind], many, kinds[kind], one);
    }
    r.edge_count = gone;
    wend_map *made = make_map(&r);
    const bool good = compare_queries(map, made, r.nodes, queries, &random);
    time_hash(map, "hash_first_us"), time_hash(map, "hash_next_us");
    wend_map_release(map), wend_map_release(made);
    free(r.places), free(r.edges);
    return !good;
}
