/* SPDX-License-Identifier: MIT */
/* Shared by tests of the ground: grounds, costs on their maps, and Dijkstra over their spans as the oracle. */
#ifndef TESTS_GROUND_GROUND_RIG_H
#define TESTS_GROUND_GROUND_RIG_H

#include "levels.h"
#include "models/defaults.h"
#include "models/dijkstra.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ground/ground_state.h"

static inline wend_ground *make_ground(const wend_ground_def *def, wend_map **map) {
    wend_ground *ground = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_ground_create(def, &ground, map, &error), WEND_OK, "%s", error.text);
    return ground;
}

static inline wend_ground_info info_of(const wend_ground *ground) {
    wend_ground_info info = {.struct_bytes = sizeof info};
    cr_assert_eq(wend_ground_get_info(ground, &info), WEND_OK);
    return info;
}

static inline wend_cell cell_at(const wend_ground *ground, float x, float y, float z) {
    wend_cell cell = {-1, -1, -1};
    cr_assert_eq(wend_ground_get_cell(ground, (float[]){x, y, z}, .5f, &cell), WEND_OK, "%g,%g,%g", (double)x,
                 (double)y, (double)z);
    return cell;
}

static inline int64_t cost_between(wend_map *map, wend_cell from, wend_cell to) {
    const wend_request request = path_request(map, from, to);
    static wend_search *search; /* shared by all searches of a program */
    wend_search_def def = default_search();
    def.nodes = 1 << 20;
    if (!search) cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    const wend_status status = wend_search_step(search, UINT64_MAX / 2, NULL);
    const int64_t cost = status == WEND_STATUS_FOUND ? result_now(search).cost : -1;
    cr_assert(status == WEND_STATUS_FOUND || status == WEND_STATUS_NO_PATH);
    return cost;
}

/* A neighbour by steps of Recast's, worked out again: a diagonal needs both ways round to meet. */
static inline int32_t step_to(const ground_spans *g, int32_t from, int32_t dx, int32_t dy) {
    const int32_t across = dx < 0 ? 0 : 2, along = dy < 0 ? 3 : 1;
    const int32_t *next = g->spans[from].next;
    if (dy == 0) return next[across];
    if (dx == 0) return next[along];
    if (next[across] < 0 || next[along] < 0) return -1;
    const int32_t one = g->spans[next[across]].next[along], two = g->spans[next[along]].next[across];
    return one >= 0 && one == two ? one : -1;
}

static inline void measure_from(const ground_spans *g, const wend_map_rules *rules, int32_t start, int64_t *distances) {
    dijkstra d;
    int at;
    dijkstra_begin(&d, distances, g->span_end);
    dijkstra_reach(&d, start, 0);
    while (dijkstra_next(&d, &at)) {
        for (int32_t dy = -1; dy <= 1; dy++) {
            for (int32_t dx = -1; dx <= 1; dx++) {
                const int32_t to = dx || dy ? step_to(g, at, dx, dy) : -1;
                if (to < 0) continue;
                const int32_t factor = rules->factors[g->spans[to].terrain];
                if (factor > 0) dijkstra_reach(&d, to, distances[at] + factor * (dx && dy ? 14 : 10));
            }
        }
    }
    dijkstra_end(&d);
}

/* Tiles that were made again leave gaps among the spans. */
static inline int32_t draw_span(const ground_spans *g, uint64_t *seed) {
    for (;;) {
        const ground_tile *tile = &g->tiles[draw(seed, (uint32_t)(g->tiles_x * g->tiles_y))];
        if (tile->count > 0) return (int32_t)(tile->first + draw(seed, tile->count));
    }
}

static inline void check_costs(const wend_ground *ground, wend_map *map, uint64_t *seed) {
    const ground_spans *g = &ground->spans;
    const wend_map_rules rules = rules_now(map);
    int64_t *distances = malloc(g->span_end * sizeof *distances);
    for (int i = 0; i < 4; i++) {
        const int32_t from = draw_span(g, seed);
        measure_from(g, &rules, from, distances);
        for (int k = 0; k < 25; k++) {
            const int32_t to = draw_span(g, seed);
            if (to == from) continue;
            const wend_cell a = wend__ground_cell_of(&ground->layout, &g->spans[from]),
                            b = wend__ground_cell_of(&ground->layout, &g->spans[to]);
            cr_assert_eq(wend__ground_span_of(g, &ground->layout, b), to);
            const int64_t cost = cost_between(map, a, b);
            cr_assert_eq(cost, distances[to], "%d,%d to %d,%d: %lld, not %lld", a.x, a.y, b.x, b.y, (long long)cost,
                         (long long)distances[to]);
        }
    }
    free(distances);
}

#endif
