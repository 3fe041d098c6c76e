/* SPDX-License-Identifier: MIT */
/* Plain searches on graphs of many pages, against plain Dijkstra: in slices, with pages that
 * come one by one, with expensive edges, costs beyond 32 bits and nodes whose numbers lie far apart. */
#include "models/few_or_many.h"
#include "models/dijkstra.h"
#include "models/oracle.h"
#include "models/options.h"
#include "models/kept.h"
#include "search/search_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6000, EDGES = 8 * MOST, POOL_PAGES = 4096 };

/* ---- a graph, and its rules ---- */

typedef struct net {
    int nodes, edges;
    uint32_t spread; ///< between the numbers of neighbours
    bool placed;
    wend_cell places[MOST];
    uint8_t classes[MOST];
    wend_edge from_to[EDGES]; ///< by node; sorted by where they begin
    int first[MOST + 1];
} net;

/* -1: there is no way. */
static int64_t cost_between(const net *n, int start, int goal) {
    static int64_t costs[MOST];
    int node;
    dijkstra open;
    dijkstra_begin(&open, costs, MOST);
    dijkstra_reach(&open, start, 0);
    while (dijkstra_next(&open, &node) && node != goal)
        for (int i = n->first[node]; i < n->first[node + 1]; i++) {
            const int to = (int)n->from_to[i].to;
            if (n->classes[to] == 0) continue;
            dijkstra_reach(&open, to, costs[node] + (int64_t)n->from_to[i].cost * n->classes[to]);
        }
    dijkstra_end(&open);
    return costs[goal];
}

/* ---- random ones ---- */

static int by_start(const void *a, const void *b) {
    const wend_edge *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void add(net *n, int from, int to, int32_t cost) {
    if (n->edges < EDGES) n->from_to[n->edges++] = (wend_edge){(uint32_t)from, (uint32_t)to, cost};
}

/* Streets in rows, some of them missing or one-way, with shortcuts now and then. */
static void fill(net *n, oracle_random *random) {
    const int side = 2 + oracle_below(random, 70), kind = oracle_below(random, 4);
    const int dearest[4] = {1, 60, 4000, WEND_MAX_COST};
    n->nodes = side * side, n->edges = 0, n->spread = oracle_below(random, 3) == 0 ? 400 : 1;
    n->placed = oracle_below(random, 4) > 0;
    const int blocked = oracle_below(random, 3) * 6, slow = oracle_below(random, 3) * 10;
    for (int i = 0; i < n->nodes; i++) {
        n->places[i] = (wend_cell){i % side * 100 + oracle_below(random, 90), i / side * 100 + oracle_below(random, 90),
                                   oracle_below(random, 40)};
        const int roll = oracle_below(random, 100);
        n->classes[i] = roll < blocked ? 0 : roll < blocked + slow ? (uint8_t)(2 + oracle_below(random, 200)) : 1;
    }
    for (int i = 0; i < n->nodes; i++)
        for (int way = 0; way < 2; way++) {
            const int to = way ? i + side : i + 1;
            if ((way == 0 && to % side == 0) || to >= n->nodes || oracle_below(random, 10) == 0) continue;
            const int32_t cost = 1 + oracle_below(random, dearest[kind]);
            add(n, i, to, cost);
            if (oracle_below(random, 8) > 0) add(n, to, i, cost);
            if (oracle_below(random, 100) == 0) add(n, i, oracle_below(random, n->nodes), WEND_MAX_COST);
        }
    qsort(n->from_to, (size_t)n->edges, sizeof *n->from_to, by_start);
    for (int i = 0, node = 0; node <= n->nodes; node++) {
        while (i < n->edges && (int)n->from_to[i].from < node) i++;
        n->first[node] = i;
    }
}

static wend_map *map_of(const net *n) {
    const uint32_t numbers = (uint32_t)(n->nodes - 1) * n->spread + 1;
    wend_edge *edges = malloc(sizeof *edges * (size_t)(n->edges + 1));
    wend_cell *places = calloc(numbers, sizeof *places);
    uint8_t *present = calloc(numbers, 1);
    cr_assert(edges && places && present);
    for (int i = 0; i < n->edges; i++)
        edges[i] = (wend_edge){n->from_to[i].from * n->spread, n->from_to[i].to * n->spread, n->from_to[i].cost};
    for (int i = 0; i < n->nodes; i++)
        places[(uint32_t)i * n->spread] = n->places[i], present[(uint32_t)i * n->spread] = 1;
    wend_graph_def def = default_graph();
    def.node_count = numbers, def.present = present, def.coordinates = n->placed ? places : NULL;
    def.edges = edges, def.edge_count = (uint64_t)n->edges;
    wend_map *map = made_graph(&def);
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < n->nodes; i++)
        if (n->classes[i] != 1)
            wend_edit_set_cell(edit, (wend_cell){(int32_t)((uint32_t)i * n->spread), 0, 0}, n->classes[i]);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    free(edges);
    free(places);
    free(present);
    return map;
}

/* ---- searches ---- */

typedef struct outcome {
    wend_status status;
    bool outgrown;
    uint64_t cost, expansions, count;
    wend_cell cells[MOST];
} outcome;

typedef struct drive {
    uint64_t slice; ///< 0: any
    bool sparing;   ///< requests the least budget that the search needs
    bool sifts;     ///< the open list runs full at any moment, and is sifted
} drive;

static void feed(rig *r, oracle_random *random, const drive *how) {
    wend__search *s = r->search;
    if (s->wants_open > 0 && how->sifts && s->begun && oracle_below(random, 3) > 0 && wend__search_compact(s)) return;
    const uint32_t before = r->stock.page_count + r->stock.open_count;
    const uint32_t pages = how->sparing ? s->wants_pages : WEND__STOCK,
                   open = how->sparing ? s->wants_open : WEND__STOCK;
    wend__pool_grant(&r->pool, &r->stock, pages, open);
    cr_assert_gt(r->stock.page_count + r->stock.open_count, before);
}

static void solve(rig *r, const wend_request *request, oracle_random *random, const drive *how, outcome *out) {
    wend__search *s = r->search;
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search_begin(s, version, KEPT(request));
    cr_assert(s->engine == &wend__graph_astar);
    while (s->status == WEND_STATUS_PENDING) {
        const uint64_t slice = how->slice > 0 ? how->slice : 1 + (uint64_t)oracle_below(random, 300);
        const uint64_t used = wend__search_step(s, &r->stock, slice);
        cr_assert_leq(used, slice);
        if (s->status != WEND_STATUS_PENDING) break;
        if (!s->starved) cr_assert_eq(used, slice, "a step that is not the last spends all");
        if (how->sifts && !s->starved)
            while (s->open.spare > WEND__DIRECTIONS) wend__open_take_block(&s->open);
        if (s->starved) feed(r, random, how);
    }
    out->status = s->status, out->cost = s->cost, out->expansions = s->expansions;
    out->outgrown = s->engine == &wend__general_astar;
    out->count = s->status == WEND_STATUS_FOUND ? s->steps + 1 : 0;
    wend__map_release(version, true);
    wend__search_cells(s, out->cells, out->count);
    wend__search_drop(s);
    wend__pool_return(&r->pool, &r->stock);
}

static int64_t edge_cost(const net *n, int from, int to) {
    int64_t least = INT64_MAX;
    for (int i = n->first[from]; i < n->first[from + 1]; i++)
        if ((int)n->from_to[i].to == to && n->from_to[i].cost < least) least = n->from_to[i].cost;
    cr_assert(least < INT64_MAX && n->classes[to] > 0, "there is no such edge");
    return least * n->classes[to];
}

static void check_path(const net *n, const wend_request *request, const outcome *out) {
    int64_t sum = 0;
    cr_assert_eq(out->cells[0].x, request->start.x);
    cr_assert_eq(out->cells[out->count - 1].x, request->goal.x);
    for (uint64_t i = 1; i < out->count; i++)
        sum += edge_cost(n, out->cells[i - 1].x / (int)n->spread, out->cells[i].x / (int)n->spread);
    cr_assert_eq((uint64_t)sum, out->cost);
}

static void same(const outcome *a, const outcome *b) {
    cr_assert_eq(a->status, b->status);
    cr_assert_eq(a->cost, b->cost);
    cr_assert_eq(a->expansions, b->expansions);
    cr_assert_eq(a->count, b->count);
    cr_assert(memcmp(a->cells, b->cells, a->count * sizeof *a->cells) == 0);
}

static net n;
static outcome first, other;

Test(graph_astar, agrees_with_dijkstra_in_any_slices_and_however_pages_come) {
    oracle_random random = {61};
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0xa5);
    const drive whole = {.slice = 1u << 30}, bits = {.sparing = true}, single = {.slice = 1},
                sifting = {.sparing = true, .sifts = true};
    int found = 0, none = 0, scattered = 0;
    const int rounds = enough_or_many(6, 250);
    for (int round = 0; round < rounds; round++) {
        fill(&n, &random);
        OWNED_MAP *map = map_of(&n);
        for (int query = 0; query < 4; query++) {
            const int start = oracle_below(&random, n.nodes), goal = oracle_below(&random, n.nodes);
            wend_request request = default_request();
            request.map = map;
            request.start.x = start * (int)n.spread, request.goal.x = goal * (int)n.spread;
            options_of(&request)->leave_blocked_start = true;
            if (oracle_below(&random, 4) == 0) options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
            if (n.classes[goal] == 0) continue;
            solve(&r, &request, &random, &whole, &first);
            const int64_t cost = cost_between(&n, start, goal);
            cr_assert_eq(first.status, cost < 0 ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND, "round %d", round);
            found += cost >= 0, none += cost<0, scattered += n.spread> 1;
            if (cost >= 0) cr_assert_eq(first.cost, (uint64_t)cost, "round %d", round);
            if (cost >= 0) check_path(&n, &request, &first);
            solve(&r, &request, &random, &bits, &other);
            same(&first, &other);
            solve(&r, &request, &random, &single, &other);
            same(&first, &other);
            solve(&r, &request, &random, &sifting, &other);
            cr_assert_eq(other.status, first.status);
            cr_assert_eq(other.cost, first.cost);
        }
    }
    cr_assert(5 * found > 8 * rounds && none > 0 && 5 * scattered > 2 * rounds, "%d found, %d not, %d scattered", found,
              none, scattered);
}

/* A line of the most expensive edges, over the slowest ground: 32 bits hold 16 of them. */
Test(graph_astar, goes_on_with_the_general_engine_where_32_bits_are_too_few) {
    oracle_random random = {67};
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0xa5);
    const drive whole = {.slice = 1u << 30}, single = {.slice = 1}, bits = {.sparing = true};
    for (int length = 14; length < 20; length++) {
        n = (net){.nodes = length + 1, .edges = length, .spread = 1};
        for (int i = 0; i <= length; i++) n.classes[i] = 253, n.first[i] = i;
        n.first[length + 1] = length;
        for (int i = 0; i < length; i++) n.from_to[i] = (wend_edge){(uint32_t)i, (uint32_t)i + 1, WEND_MAX_COST};
        OWNED_MAP *map = map_of(&n);
        wend_request request = default_request();
        request.map = map, request.goal.x = length;
        solve(&r, &request, &random, &whole, &first);
        cr_assert_eq(first.status, WEND_STATUS_FOUND);
        cr_assert_eq(first.cost, (uint64_t)length * 253 * WEND_MAX_COST);
        cr_assert_eq(first.outgrown, (uint64_t)length * 253 * WEND_MAX_COST >= UINT32_MAX);
        check_path(&n, &request, &first);
        solve(&r, &request, &random, &single, &other);
        same(&first, &other);
        solve(&r, &request, &random, &bits, &other);
        same(&first, &other);
    }
}

/* Two nodes a million apart: a page each, and an open page each for where they are. */
Test(graph_astar, takes_pages_where_nodes_are) {
    oracle_random random = {71};
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0xa5);
    const drive bits = {.sparing = true};
    n = (net){.nodes = 3, .edges = 2, .spread = 1 << 20, .classes = {1, 1, 1}, .first = {0, 1, 2, 2}};
    n.from_to[0] = (wend_edge){0, 1, 5}, n.from_to[1] = (wend_edge){1, 2, 7};
    wend_map *map = map_of(&n);
    wend_request request = default_request();
    request.map = map, request.goal.x = 2 << 20;
    solve(&r, &request, &random, &bits, &first);
    cr_assert_eq(first.cost, 12);
    cr_assert_eq(r.search->active_pages, 3);
    wend_map_release(map);
}

/* Two nodes: the last one of a graph whose directory is one open page, and the first one of a graph with two. */
Test(graph_astar, knows_nodes_on_either_side_of_what_an_open_page_covers) {
    oracle_random random = {72};
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0xa5);
    const drive bits = {.sparing = true};
    for (uint32_t past = 0; past < 2; past++) {
        n = (net){.nodes = 2, .edges = 2, .spread = (1 << 20) - 1 + past, .classes = {1, 1}, .first = {0, 1, 2}};
        n.from_to[0] = (wend_edge){0, 1, 5}, n.from_to[1] = (wend_edge){1, 0, 7};
        OWNED_MAP *map = map_of(&n);
        wend_request request = default_request();
        request.map = map, request.goal.x = (int32_t)n.spread;
        solve(&r, &request, &random, &bits, &first);
        cr_assert_eq(first.cost, 5);
        cr_assert_neq(r.search->first_directory[0], WEND__NONE);
        cr_assert_eq(r.search->first_directory[1] != WEND__NONE, past == 1);
    }
}
