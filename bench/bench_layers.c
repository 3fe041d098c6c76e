/* SPDX-License-Identifier: MIT */
/* Costs by place: nanoseconds a closed cell of A* without them and with 1 to 8 layers, empty and full, in one run by
 * turns; and what a disc takes. CSV.
 *
 * Full layers make a search close many times the cells, which no longer fit in the caches. The last rows are of
 * searches without an estimate: they close the same cells with layers and without, and compare with the first of
 * them. */
#include "harness.h"
#include "../tests/models/options.h"
#include <string.h>
#include <wend/units.h>

enum { SIDE = 512, QUERIES = 12, ROUNDS = 5, DISCS = 20000, KINDS = 14, UNITS = 10, ZERO = 11 };

static wend_cell starts[QUERIES], goals[QUERIES];
static const char *const names[KINDS] = {"plain A*",         "general A*",      "1 layer, empty", "8 layers, empty",
                                         "1 layer, local",   "8 layers, local", "1 layer, full",  "2 layers, full",
                                         "4 layers, full",   "8 layers, full",  "4 full, units",  "no estimate",
                                         "the same, 1 full", "the same, 8 full"};
static const uint32_t layer_counts[KINDS] = {0, 0, 1, 8, 1, 8, 1, 2, 4, 8, 4, 0, 1, 8};

static int32_t profiles[KINDS];

/* Layers 0 to 7 are empty, 8 to 15 have some discs, 16 to 23 are full of values. */
static void make_layers(wend_map *map, uint64_t *seed) {
    static uint8_t values[SIDE * SIDE];
    const wend_box all = {{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}};
    wend_layer_def def = default_layer();
    for (int i = 0; i < 24; i++) check(wend_map_add_layer(map, &def, NULL));
    for (int layer = 8; layer < 16; layer++)
        check(wend_map_add_layer_disc(map, layer, draw_cell(SIDE, SIDE, seed), 8, 200));
    for (int layer = 16; layer < 24; layer++) {
        for (size_t i = 0; i < sizeof values; i++) values[i] = (uint8_t)(1 + draw(seed, 32));
        check(wend_map_set_layer_box(map, layer, all, values, SIDE));
    }
    for (int kind = 2; kind < KINDS; kind++) {
        if (kind == ZERO) continue;
        wend_layer_weight weights[WEND_MAX_PROFILE_LAYERS];
        const int32_t first = kind < 4 ? 0 : kind < 6 ? 8 : 16;
        for (uint32_t i = 0; i < layer_counts[kind]; i++) weights[i] = (wend_layer_weight){first + (int32_t)i, 2};
        check(wend_map_add_profile(map, weights, layer_counts[kind], &profiles[kind]));
    }
}

/* Nanoseconds a closed cell of all queries; the sum of their costs, and of closed cells. */
static double search_all(wend_search *search, wend_map *map, int kind, int64_t *cost, size_t *closed) {
    double spent = 0;
    *closed = 0;
    for (int i = 0; i < QUERIES; i++) {
        wend_request request = path_request(map, starts[i], goals[i]);
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        options_of(&request)->profile = profiles[kind];
        if (kind == UNITS) options_of(&request)->occupied = 30;
        if (kind >= ZERO) options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
        if (kind == 1) { /* a second goal, the same: only the general A* serves it */
            options_of(&request)->more_goals = &goals[i];
            options_of(&request)->more_goal_count = 1;
        }
        const double begun = cpu_us();
        check(wend_search_begin(search, &request));
        wend_search_step(search, WEND_NO_LIMIT, NULL);
        spent += cpu_us() - begun;
        size_t count;
        check(wend_search_get_expanded(search, NULL, 0, &count));
        *closed += count;
        *cost += result_now(search).cost;
    }
    return spent * 1e3 / (double)*closed;
}

static double disc_ns(wend_map *map, uint64_t *seed, bool fading) {
    const double begun = cpu_us();
    for (int i = 0; i < DISCS; i++) {
        check(wend_map_add_layer_disc(map, 24, draw_cell(SIDE, SIDE, seed), 8, 9));
        if (fading && i % 20 == 0) check(wend_map_update_layers(map, 1));
    }
    return (cpu_us() - begun) * 1e3 / DISCS;
}

int main(void) {
    uint64_t seed = 3;
    wend_map *map = grid_of(NULL, SIDE, SIDE);
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < SIDE * SIDE * 15 / 100; i++)
        check(wend_edit_set_cell(edit, draw_cell(SIDE, SIDE, &seed), WEND_CLASS_BLOCKED));
    for (int i = 0; i < QUERIES; i++) {
        starts[i] = draw_cell(SIDE / 4, SIDE, &seed), goals[i] = draw_cell(SIDE / 4, SIDE, &seed);
        goals[i].x += 3 * SIDE / 4;
        check(wend_edit_set_cell(edit, starts[i], WEND_CLASS_OPEN));
        check(wend_edit_set_cell(edit, goals[i], WEND_CLASS_OPEN));
    }
    check(wend_edit_publish(edit, NULL));
    make_layers(map, &seed);
    for (int i = 0; i < 1000; i++) check(wend_map_occupy(map, draw_cell(SIDE, SIDE, &seed)));
    wend_search_def def = default_search();
    wend_search *search;
    def.nodes = 8 * SIDE * SIDE;
    check(wend_search_create(&def, &search));
    double ns[KINDS][ROUNDS];
    int64_t costs[KINDS] = {0};
    size_t cells[KINDS];
    for (int round = -1; round < ROUNDS; round++) /* the first warms up */
        for (int kind = 0; kind < KINDS; kind++) {
            const double each = search_all(search, map, kind, &costs[kind], &cells[kind]);
            if (round >= 0) ns[kind][round] = each;
        }
    printf("search,ns_a_cell,to_plain,to_general,cost,cells\n");
    const double plain = median(ns[0], ROUNDS), general = median(ns[1], ROUNDS), zero = median(ns[ZERO], ROUNDS);
    for (int kind = 0; kind < KINDS; kind++) {
        const double each = median(ns[kind], ROUNDS);
        printf("%s,%.1f,%.2f,%.2f,%lld,%zu\n", names[kind], each, each / (kind < ZERO ? plain : zero), each / general,
               (long long)(costs[kind] / (ROUNDS + 1)), cells[kind]);
    }
    wend_layer_def layer = default_layer();
    layer.half_life = 3;
    check(wend_map_add_layer(map, &layer, NULL));
    printf("a disc of radius 8,%.0f,,,,\nthe same while values fade,%.0f,,,,\n", disc_ns(map, &seed, false),
           disc_ns(map, &seed, true));
    wend_search_destroy(search);
    wend_map_release(map);
    return 0;
}
