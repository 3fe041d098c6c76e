/* SPDX-License-Identifier: MIT */
/* Compares A* on hexagons with A* on squares of the same cells.
 *
 *   bench_hex [QUERIES [SIDE]]
 *
 * Random pairs of connected cells, asked on both maps by turns. CSV, a line for each share of blocked cells: mean
 * processor time and expansions of a query, and the ratio of the times. Exits 1 where hexagons take more than 1.3
 * times as long. */
#include "harness.h"
#include "../tests/models/options.h"

enum { SHARES = 4, MOST_RATIO_PERCENT = 130, WARM_UP = 20 };
static const uint32_t shares[SHARES] = {0, 10, 20, 35};

typedef struct ground {
    wend_map *map;
    wend_search *search;
    double us;
    uint64_t expansions;
} ground;

static ground make_ground(int32_t side, int32_t neighbours, const uint8_t *classes) {
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours;
    wend_map_def def = default_map();
    def.width = def.height = side, def.rules = &rules;
    ground made = {0};
    check(wend_map_create(&def, &made.map));
    wend_edit *edit = begin_edit(made.map);
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, classes, (size_t)side));
    publish(edit);
    const wend_search_def search = default_search();
    check(wend_search_create(&search, &made.search));
    return made;
}

static void ask(ground *g, wend_cell start, wend_cell goal, bool counts) {
    wend_request request = default_request();
    request.map = g->map, request.start = start, request.goal = goal;
    options_of(&request)->engine = WEND_ENGINE_ASTAR;
    const double begun = cpu_us();
    check(wend_search_begin(g->search, &request));
    (void)wend_search_step(g->search, WEND_NO_LIMIT, NULL);
    const double us = cpu_us() - begun;
    wend_completion done = {.struct_bytes = sizeof done};
    check(wend_search_get_result(g->search, &done));
    need(done.status == WEND_STATUS_FOUND, "a connected pair has a path");
    if (counts) g->us += us, g->expansions += done.expansions;
}

static bool compare(int32_t side, uint32_t share, int queries) {
    uint64_t random = 49;
    uint8_t *classes = malloc((size_t)side * (size_t)side);
    need(classes != NULL, "memory");
    for (size_t i = 0; i < (size_t)side * (size_t)side; i++) classes[i] = draw(&random, 100) >= share;
    ground squares = make_ground(side, 8, classes), hexagons = make_ground(side, 6, classes);
    for (int i = -WARM_UP; i < queries;) {
        const wend_cell start = draw_cell(side, side, &random), goal = draw_cell(side, side, &random);
        if (!is_connected(squares.map, 0, start, goal) || !is_connected(hexagons.map, 0, start, goal)) continue;
        ask(i & 1 ? &squares : &hexagons, start, goal, i >= 0);
        ask(i & 1 ? &hexagons : &squares, start, goal, i >= 0);
        i++;
    }
    const double ratio = hexagons.us / squares.us;
    printf("%d,%u,%d,%.1f,%" PRIu64 ",%.1f,%" PRIu64 ",%.2f\n", (int)side, share, queries, squares.us / queries,
           squares.expansions / (uint64_t)queries, hexagons.us / queries, hexagons.expansions / (uint64_t)queries,
           ratio);
    wend_search_destroy(squares.search), wend_search_destroy(hexagons.search);
    wend_map_release(squares.map), wend_map_release(hexagons.map);
    free(classes);
    return ratio * 100 <= MOST_RATIO_PERCENT;
}

int main(int argc, char **argv) {
    const int queries = argc > 1 ? atoi(argv[1]) : 1000;
    const int32_t side = argc > 2 ? atoi(argv[2]) : 512;
    bool good = true;
    if (queries < 1 || side < 2) {
        fprintf(stderr, "usage: bench_hex [QUERIES [SIDE]]\n");
        return 2;
    }
    printf("side,blocked_percent,queries,square_us,square_expansions,hexagon_us,hexagon_expansions,ratio\n");
    for (int i = 0; i < SHARES; i++) good = compare(side, shares[i], queries) && good;
    return !good;
}
