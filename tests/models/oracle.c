/* SPDX-License-Identifier: MIT */
/* Plain Dijkstra with a binary heap and nothing clever: everything else is compared with it. */
#include "models/oracle.h"

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

typedef struct entry {
    uint64_t cost;
    int cell;
} entry;

typedef struct heap {
    entry *entries;
    size_t count, capacity;
} heap;

static void heap_push(heap *h, entry e) {
    if (h->count == h->capacity) {
        h->capacity = h->capacity ? 2 * h->capacity : 1024;
        h->entries = realloc(h->entries, h->capacity * sizeof *h->entries);
    }
    size_t i = h->count++;
    for (; i > 0 && h->entries[(i - 1) / 2].cost > e.cost; i = (i - 1) / 2) h->entries[i] = h->entries[(i - 1) / 2];
    h->entries[i] = e;
}

static entry heap_pop(heap *h) {
    entry top = h->entries[0], last = h->entries[--h->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && h->entries[child + 1].cost < h->entries[child].cost) child++;
        if (h->entries[child].cost >= last.cost) break;
        h->entries[i] = h->entries[child];
    }
    h->entries[i] = last;
    return top;
}

int64_t oracle_cost(const oracle_grid *g, wend_cell start, wend_cell goal) {
    size_t cells = (size_t)g->width * (size_t)g->height;
    uint64_t *costs = malloc(cells * sizeof *costs);
    memset(costs, 0xff, cells * sizeof *costs);
    heap open = {0};
    int first = start.y * g->width + start.x, last = goal.y * g->width + goal.x;
    costs[first] = 0;
    heap_push(&open, (entry){0, first});
    while (open.count > 0) {
        entry e = heap_pop(&open);
        if (e.cost > costs[e.cell]) continue;
        if (e.cell == last) break;
        wend_cell at = {e.cell % g->width, e.cell / g->width, 0};
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                wend_cell to = {at.x + dx, at.y + dy, 0};
                uint64_t cost;
                if (!oracle_step(g, at, to, &cost)) continue;
                int cell = to.y * g->width + to.x;
                if (e.cost + cost >= costs[cell]) continue;
                costs[cell] = e.cost + cost;
                heap_push(&open, (entry){costs[cell], cell});
            }
    }
    int64_t result = costs[last] == UINT64_MAX ? -1 : (int64_t)costs[last];
    free(open.entries);
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
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = g->width, def.height = g->height;
    def.rules = &g->rules;
    wend_map *map;
    wend_edit *edit;
    wend_box all = {{0, 0, 0}, {g->width - 1, g->height - 1, 0}};
    if (wend_map_create(&def, &map) != WEND_OK || wend_edit_begin(map, &edit) != WEND_OK) abort();
    wend_edit_set_box(edit, all, g->terrain, (size_t)g->width);
    if (wend_edit_publish(edit, NULL) != WEND_OK) abort();
    return map;
}

uint64_t oracle_next(oracle_random *random) {
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
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
