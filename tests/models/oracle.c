/* SPDX-License-Identifier: MIT */
/* The rules of a grid, without tables: everything else is compared with them. */
#include "models/oracle.h"

#include "models/random.h"
#include <stdlib.h>
#include <string.h>

static int factor_at(const oracle_grid *g, int x, int y) {
    if (x < 0 || y < 0 || x >= g->width || y >= g->height) return 0;
    return g->rules.factors[g->terrain[y * g->width + x]];
}

bool oracle_step(const oracle_grid *g, wend_cell a, wend_cell b, uint64_t *cost) {
    int dx = b.x - a.x, dy = b.y - a.y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0) || b.z != a.z) return false;
    int factor = factor_at(g, b.x, b.y);
    if (factor == 0) return false;
    if (dx != 0 && dy != 0) {
        if (g->rules.neighbours == 4) return false;
        int open_sides = (factor_at(g, a.x + dx, a.y) != 0) + (factor_at(g, a.x, a.y + dy) != 0);
        if (g->rules.corners == WEND_CORNERS_NEVER && open_sides < 2) return false;
        if (g->rules.corners == WEND_CORNERS_ONE && open_sides < 1) return false;
    }
    *cost = (uint64_t)(dx != 0 && dy != 0 ? g->rules.cost_diagonal : g->rules.cost_straight) * (uint64_t)factor;
    return true;
}

void oracle_expand(const oracle_grid *g, dijkstra *open, int node) {
    const wend_cell at = {node % g->width, node / g->width, 0};
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const wend_cell to = {at.x + dx, at.y + dy, 0};
            uint64_t cost;
            if (oracle_step(g, at, to, &cost))
                dijkstra_reach(open, to.y * g->width + to.x, open->distances[node] + (int64_t)cost);
        }
}

int64_t oracle_cost(const oracle_grid *g, wend_cell start, wend_cell goal) {
    const size_t cells = (size_t)g->width * (size_t)g->height;
    int64_t *costs = malloc(cells * sizeof *costs);
    const int last = goal.y * g->width + goal.x;
    int node;
    dijkstra open;
    dijkstra_begin(&open, costs, cells);
    dijkstra_reach(&open, start.y * g->width + start.x, 0);
    while (dijkstra_next(&open, &node) && node != last) oracle_expand(g, &open, node);
    const int64_t result = costs[last];
    dijkstra_end(&open);
    free(costs);
    return result;
}

int64_t oracle_walk(const oracle_grid *g, wend_cell start, wend_cell goal, const wend_cell *cells, size_t count) {
    if (count == 0 || memcmp(&cells[0], &start, sizeof start) != 0 ||
        memcmp(&cells[count - 1], &goal, sizeof goal) != 0)
        return -1;
    int64_t total = 0;
    for (size_t i = 1; i < count; i++) {
        uint64_t cost;
        if (!oracle_step(g, cells[i - 1], cells[i], &cost)) return -1;
        total += (int64_t)cost;
    }
    return total;
}

wend_map *oracle_map(const oracle_grid *g) {
    wend_map_def def = default_map();
    def.width = g->width, def.height = g->height, def.rules = &g->rules;
    wend_map *map;
    wend_edit *edit;
    wend_box all = {{0, 0, 0}, {g->width - 1, g->height - 1, 0}};
    if (wend_map_create(&def, &map) != WEND_OK || wend_edit_begin(map, &edit) != WEND_OK) abort();
    wend_edit_set_box(edit, all, g->terrain, (size_t)g->width);
    if (wend_edit_publish(edit, NULL) != WEND_OK) abort();
    return map;
}

uint64_t oracle_next(oracle_random *random) {
    return split_bits(&random->state);
}

int oracle_below(oracle_random *random, int below) {
    return (int)(oracle_next(random) % (uint64_t)below);
}

void oracle_fill(oracle_grid *g, oracle_random *random, double blocked, double slow, int slow_classes) {
    for (int i = 0; i < g->width * g->height; i++) {
        double roll = (double)(oracle_next(random) >> 11) / 9007199254740992.0;
        g->terrain[i] = roll < blocked          ? WEND_CLASS_BLOCKED
                        : roll < blocked + slow ? (uint8_t)(2 + oracle_below(random, slow_classes))
                                                : WEND_CLASS_OPEN;
    }
}

wend_cell oracle_cell(const oracle_grid *g, oracle_random *random) {
    int x = oracle_below(random, g->width);
    return (wend_cell){x, oracle_below(random, g->height), 0};
}
