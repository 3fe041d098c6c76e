/* SPDX-License-Identifier: MIT */
/* The open cell nearest to a cell: rings around it, until no further ring can hold a cheaper one. */
#include "map/map_private.h"

typedef struct nearest {
    const wend__version *version;
    wend_cell from, best;
    uint64_t cost; ///< of best; UINT64_MAX: none yet
} nearest;

/* What the way costs on empty ground. */
static uint64_t empty_cost(const wend_map_rules *rules, uint32_t dx, uint32_t dy) {
    uint64_t straight = (uint32_t)rules->cost_straight, diagonal = (uint32_t)rules->cost_diagonal;
    if (rules->neighbours == 4) return straight * (dx + dy);
    uint32_t less = dx < dy ? dx : dy, more = dx < dy ? dy : dx;
    return diagonal * less + straight * (more - less);
}

static bool earlier(int32_t x, int32_t y, wend_cell than) {
    return y != than.y ? y < than.y : x < than.x;
}

static void look_at(nearest *n, int32_t x, int32_t y) {
    if (!wend__version_factor(n->version, x, y)) return;
    uint32_t dx = (uint32_t)(x < n->from.x ? n->from.x - x : x - n->from.x);
    uint32_t dy = (uint32_t)(y < n->from.y ? n->from.y - y : y - n->from.y);
    uint64_t cost = empty_cost(&n->version->rules, dx, dy);
    if (cost > n->cost || (cost == n->cost && !earlier(x, y, n->best))) return;
    n->cost = cost;
    n->best = (wend_cell){x, y, 0};
}

static int32_t at_least(int32_t a, int32_t b) {
    return a > b ? a : b;
}
static int32_t at_most(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* All cells whose larger distance, in x or y, is r. */
static void look_at_ring(nearest *n, int32_t r) {
    const wend__version *v = n->version;
    int32_t left = n->from.x - r, right = n->from.x + r, top = n->from.y - r, bottom = n->from.y + r;
    for (int32_t x = at_least(left, 0); x <= at_most(right, v->width - 1); x++) {
        if (top >= 0) look_at(n, x, top);
        if (bottom < v->height && r > 0) look_at(n, x, bottom);
    }
    for (int32_t y = at_least(top + 1, 0); y <= at_most(bottom - 1, v->height - 1); y++) {
        if (left >= 0) look_at(n, left, y);
        if (right < v->width) look_at(n, right, y);
    }
}

int32_t wend_map_nearest_open(const wend_map *map, int32_t mover, wend_cell cell, int32_t max_cells, int32_t *found, wend_cell *out) {
    if (max_cells < 0 || max_cells > WEND_MAX_NEAREST) return WEND_BAD_ARGUMENT;
    (void)mover;
    if (!wend__cell_on_map(map, cell)) return WEND_OUT_OF_RANGE;
    wend__version *v = wend__map_look(map);
    nearest n = {.version = v, .from = cell, .cost = UINT64_MAX};
    /* The cheapest cell of ring r costs r straight steps, while a corner of an earlier ring may cost up to twice that:
       go on as long as a ring may hold a cheaper cell, or one as cheap that comes first. */
    for (int32_t r = 0; r <= max_cells && (uint64_t)r * (uint32_t)v->rules.cost_straight <= n.cost; r++)
        look_at_ring(&n, r);
    wend__map_release(v, false);
    *found = n.cost != UINT64_MAX;
    if (*found) *out = n.best;
    return WEND_OK;
}
