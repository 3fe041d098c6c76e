/* SPDX-License-Identifier: MIT */
/* The nearest cell of a component against a look at every cell, on grids, voxels and graphs: with thin walls and links,
 * in slices, with several goals, and the next cell after that. */
#include "map/components/components.h"
#include "models/both.h"
#include "map/map_support.h"
#include "map/nearest/nearest.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <wend/wend.h>
#include <wend/ways.h>

enum { GOALS = 5, MOST_NODES = 3000 };

/* ---- worlds ---- */

typedef struct scene {
    wend_map *map;
    wend_map_info info;
    wend_map_rules rules;
    uint64_t seed;
    wend_cell places[MOST_NODES]; ///< places of a graph's nodes
} scene;

static wend_cell any_cell(scene *s) {
    return (wend_cell){(int32_t)draw(&s->seed, (uint32_t)s->info.width),
                       (int32_t)draw(&s->seed, (uint32_t)s->info.height),
                       (int32_t)draw(&s->seed, (uint32_t)s->info.depth)};
}

static bool connects(const scene *s, wend_cell a, wend_cell b) {
    bool reachable = false;
    return wend_map_reachable(s->map, WEND_MOVER_DEFAULT, a, b, &reachable) == WEND_OK && reachable;
}

/* Walls of one cell around boxes, noise, thin walls, and links between far parts. */
static void furnish(scene *s, uint32_t blocked_permille, int thin_walls, int links) {
    wend_edit *edit = begin_edit(s->map);
    const bool space = s->info.depth > 1;
    for (int i = 0; i < 12; i++) {
        const wend_cell low = any_cell(s);
        const int32_t side = 4 + (int32_t)draw(&s->seed, space ? 10 : 60);
        for (int32_t k = 0; k < side * side * (space ? side : 1); k++) {
            const wend_cell o = {k % side, k / side % side, k / side / side};
            const bool rim =
                o.x == 0 || o.y == 0 || o.x == side - 1 || o.y == side - 1 || (space && (o.z == 0 || o.z == side - 1));
            const wend_cell at = {low.x + o.x, low.y + o.y, low.z + o.z};
            if (rim && at.x < s->info.width && at.y < s->info.height && at.z < s->info.depth)
                cr_assert_eq(wend_edit_set_cell(edit, at, WEND_CLASS_BLOCKED), WEND_OK);
        }
    }
    for (uint64_t i = 0; i < s->info.cells * blocked_permille / 1000; i++)
        cr_assert_eq(wend_edit_set_cell(edit, any_cell(s), WEND_CLASS_BLOCKED), WEND_OK);
    for (int i = 0; i < thin_walls; i++) {
        const wend_cell a = any_cell(s), b = {a.x + (i % 2), a.y + !(i % 2), a.z};
        if (b.x < s->info.width && b.y < s->info.height) cr_assert_eq(set_step_both(edit, a, b, 0), WEND_OK);
    }
    for (int i = 0; i < links; i++) (void)wend_edit_add_link(edit, &(wend_link){any_cell(s), any_cell(s), 100, 0});
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void make_cells(scene *s, wend_cell size, int32_t neighbours, const int32_t costs[3]) {
    wend_map_rules rules = default_rules();
    wend_map_def def = default_map();
    def.kind = size.z > 1 ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    def.width = size.x, def.height = size.y, def.depth = size.z;
    rules.neighbours = neighbours;
    rules.cost_straight = costs[0], rules.cost_diagonal = costs[1], rules.cost_space = costs[2];
    def.rules = &rules;
    cr_assert_eq(wend_map_create(&def, &s->map), WEND_OK);
    s->info.struct_bytes = sizeof s->info;
    wend_map_get_info(s->map, &s->info);
    s->rules.struct_bytes = sizeof s->rules;
    wend_map_get_rules(s->map, &s->rules);
}

/* Many small components. Numbers follow places, or do not. */
static void make_graph(scene *s, bool scattered) {
    wend_edge edges[MOST_NODES];
    wend_graph_def def = default_graph();
    def.node_count = 100 + draw(&s->seed, MOST_NODES - 100);
    for (uint32_t i = 0; i < def.node_count; i++)
        s->places[i] = (wend_cell){(int32_t)(scattered ? draw(&s->seed, 900) : i % 60 * 15),
                                   (int32_t)(scattered ? draw(&s->seed, 900) : i / 60 * 15), 0};
    for (def.edge_count = 0; def.edge_count < def.node_count * 3 / 4; def.edge_count++)
        edges[def.edge_count] = (wend_edge){draw(&s->seed, def.node_count), draw(&s->seed, def.node_count), 10};
    def.coordinates = s->places, def.edges = edges;
    cr_assert_eq(wend_graph_create(&def, &s->map), WEND_OK);
    s->info.struct_bytes = sizeof s->info;
    wend_map_get_info(s->map, &s->info);
    s->rules.struct_bytes = sizeof s->rules;
    wend_map_get_rules(s->map, &s->rules);
}

/* ---- the model ---- */

static int64_t offset(int32_t a, int32_t b) {
    return a < b ? (int64_t)b - a : (int64_t)a - b;
}

/* Returns the distance by steps, those along most axes first; on graphs the square of the distance. */
static int64_t measure(const scene *s, wend_cell a, wend_cell b) {
    if (s->info.kind == WEND_KIND_GRAPH) {
        const int64_t x = offset(s->places[a.x].x, s->places[b.x].x), y = offset(s->places[a.x].y, s->places[b.x].y);
        return x * x + y * y;
    }
    const wend_map_rules *rules = &s->rules;
    int64_t left[3] = {offset(a.x, b.x), offset(a.y, b.y), offset(a.z, b.z)}, sum = 0;
    for (;;) {
        for (int i = 0; i < 3; i++) /* the longest first */
            if (left[i % 2] < left[i % 2 + 1]) {
                const int64_t more = left[i % 2 + 1];
                left[i % 2 + 1] = left[i % 2], left[i % 2] = more;
            }
        if (left[0] == 0) return sum;
        const bool flat = rules->neighbours == 4 || rules->neighbours == 6;
        const int axes = flat || left[1] == 0 ? 1 : rules->neighbours != 26 || left[2] == 0 ? 2 : 3;
        for (int i = 0; i < axes; i++) left[i]--;
        sum += axes == 3 ? rules->cost_space : axes == 2 ? rules->cost_diagonal : rules->cost_straight;
    }
}

static bool is_accepted(void *context, wend_cell cell) {
    const uint64_t mix = (uint64_t)(cell.x * 7 + cell.y * 13 + cell.z * 5) + *(const uint64_t *)context;
    return mix % 3 == 0;
}

/* The first cell, by measure and number, that comes after one with this measure and number. */
static bool model_nearest(const scene *s, const wend__nearest_query *query, wend_cell start, int64_t *after_way,
                          uint64_t *after, wend_cell *out) {
    int64_t best = INT64_MAX;
    uint64_t best_number = 0, number = 0;
    wend_cell c;
    for (c.z = 0; c.z < s->info.depth; c.z++)
        for (c.y = 0; c.y < s->info.height; c.y++)
            for (c.x = 0; c.x < s->info.width; c.x++, number++) {
                int64_t way = INT64_MAX;
                if (!connects(s, start, c) || (query->accept && !query->accept(query->context, c))) continue;
                for (uint32_t i = 0; i < query->goal_count; i++) {
                    const int64_t one = measure(s, c, query->goals[i]);
                    way = one < way ? one : way;
                }
                if (way < *after_way || (way == *after_way && number <= *after) || way >= best) continue;
                best = way, best_number = number, *out = c;
            }
    *after_way = best, *after = best_number;
    return best != INT64_MAX;
}

/* ---- both ---- */

static void check_step(scene *s, wend__nearest *n, const wend__nearest_query *query, bool found, wend_cell expected) {
    while (!n->done) (void)wend__nearest_step(n, query, 1 + draw(&s->seed, 3) * draw(&s->seed, 500));
    cr_assert_eq(n->found, found);
    if (found)
        cr_assert(n->best.x == expected.x && n->best.y == expected.y && n->best.z == expected.z,
                  "kind %d: %d,%d,%d, not %d,%d,%d", s->info.kind, n->best.x, n->best.y, n->best.z, expected.x,
                  expected.y, expected.z);
}

static int check_queries(scene *s, int queries) {
    int apart = 0;
    wend__version *version = wend__map_acquire(s->map, true);
    for (int i = 0; i < queries; i++) {
        wend_cell goals[GOALS], start, expected;
        do start = any_cell(s);
        while (!connects(s, start, start));
        for (int k = 0; k < GOALS; k++) goals[k] = any_cell(s);
        wend__nearest_query query = {goals, 1 + draw(&s->seed, 2) * draw(&s->seed, GOALS), NULL, &s->seed};
        uint64_t salt = s->seed;
        if (i % 3 == 0) query.accept = is_accepted, query.context = &salt;
        wend__nearest nearest;
        wend__nearest_begin(&nearest, version, WEND__NEAREST_FAR);
        cr_assert(wend__nearest_add(&nearest, wend__component_name(version, start)));
        int64_t way = -1;
        uint64_t number = 0;
        bool found = model_nearest(s, &query, start, &way, &number, &expected);
        check_step(s, &nearest, &query, found, expected);
        apart += found && way > 0;
        for (int again = 0; again < 2 && found; again++) {
            wend__nearest_again(&nearest);
            found = model_nearest(s, &query, start, &way, &number, &expected);
            check_step(s, &nearest, &query, found, expected);
        }
    }
    wend__map_release(version, true);
    wend_map_release(s->map);
    return apart;
}

Test(map_nearest_connected, agrees_with_a_look_at_every_cell_on_grids) {
    static const int32_t costs[][3] = {{1000, 1414, 1732}, {10, 14, 17}, {1, 1, 1}, {1, 2, 3}, {3, 4, 5}};
    scene s = {.seed = 1};
    int apart = 0;
    const int queries = enough_or_many(3, 12), worlds = enough_or_many(8, 20);
    for (int i = 0; i < worlds; i++) {
        const wend_cell size = {1 + (int32_t)draw(&s.seed, 200), 1 + (int32_t)draw(&s.seed, 150), 1};
        make_cells(&s, size, i % 4 ? 8 : 4, costs[i % 5]);
        furnish(&s, i % 3 ? 50 : 450, i % 2 ? 400 : 0, i % 5 == 1 ? 6 : 0);
        apart += check_queries(&s, queries);
    }
    cr_assert_gt(apart, worlds * queries * 2 / 5, "%d", apart);
}

Test(map_nearest_connected, agrees_with_a_look_at_every_cell_in_space) {
    static const int32_t costs[][3] = {{1000, 1414, 1732}, {1, 1, 1}, {2, 3, 3}};
    static const int32_t neighbours[] = {26, 18, 6};
    scene s = {.seed = 2};
    int apart = 0;
    const int queries = enough_or_many(2, 6);
    for (int i = 0; i < 12; i++) {
        const wend_cell size = {1 + (int32_t)draw(&s.seed, 50), 1 + (int32_t)draw(&s.seed, 40),
                                2 + (int32_t)draw(&s.seed, 30)};
        make_cells(&s, size, neighbours[i % 3], costs[i / 3 % 3]);
        furnish(&s, i % 2 ? 100 : 600, i % 2 ? 400 : 0, i % 4 == 1 ? 6 : 0);
        apart += check_queries(&s, queries);
    }
    cr_assert_gt(apart, 5 * queries, "%d", apart);
}

Test(map_nearest_connected, agrees_with_a_look_at_every_node) {
    static scene s = {.seed = 3};
    int apart = 0;
    for (int i = 0; i < 20; i++) {
        make_graph(&s, i % 2);
        apart += check_queries(&s, 12);
    }
    cr_assert_gt(apart, 100, "%d", apart);
}
