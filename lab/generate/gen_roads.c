/* SPDX-License-Identifier: MIT */
/* Roads: a bent grid of crossings. A spanning tree of two-way streets connects them; others are added by chance, some
   of them one-way. A cost is a time: length divided by speed, and some directions are slower. */
#include <stdlib.h>

#include "generate/gen.h"

enum { SPACING = 1000, BEND = 350, FAST_EVERY = 32, MAIN_EVERY = 8, ONE_WAY_MILLI = 150, TIME_SCALE = 10 };

/* Crossings count from 0 here. */
typedef struct raster {
    gen_roads *roads;
    gen_random *random;
    uint32_t columns;
} raster;

static void place_nodes(const raster *r) {
    for (uint32_t i = 0; i < r->roads->nodes; i++) {
        int32_t x = (int32_t)(i % r->columns) * SPACING + SPACING / 2 + gen_between(r->random, -BEND, BEND);
        int32_t y = (int32_t)(i / r->columns) * SPACING + SPACING / 2 + gen_between(r->random, -BEND, BEND);
        r->roads->at[i + 1] = (wend_cell){x, y, 0};
    }
}

static uint32_t whole_root(uint64_t square) {
    uint64_t low = 0, high = UINT64_C(1) << 32;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static int32_t length(const raster *r, uint32_t a, uint32_t b) {
    int64_t dx = r->roads->at[a + 1].x - r->roads->at[b + 1].x, dy = r->roads->at[a + 1].y - r->roads->at[b + 1].y;
    return (int32_t)whole_root((uint64_t)(dx * dx + dy * dy)) +
           1; /* rounded up: at speed 10 the time is the straight distance */
}

/* The speed from a crossing to the next, by the row or column of the street. */
static int32_t speed_of(const raster *r, uint32_t from, bool down) {
    uint32_t along = down ? from % r->columns : from / r->columns;
    if (along % FAST_EVERY == FAST_EVERY / 2) return 10;
    if (along % MAIN_EVERY == MAIN_EVERY / 2) return 5;
    return gen_chance(r->random, 250) ? 2 : 3;
}

static void add_edge(const raster *r, uint32_t from, uint32_t to, int32_t time) {
    int32_t slower = time + time * gen_between(r->random, 0, 20) / 100;
    r->roads->edges[r->roads->edge_count++] = (wend_edge){from + 1, to + 1, slower};
}

static void add_street(const raster *r, uint32_t from, uint32_t to, bool down, bool needed) {
    int32_t speed = speed_of(r, from, down), time = (length(r, from, to) * TIME_SCALE + speed - 1) / speed;
    bool one_way = !needed && speed < 10 && gen_chance(r->random, ONE_WAY_MILLI);
    bool forth = !one_way || gen_chance(r->random, 500);
    if (forth) add_edge(r, from, to, time);
    if (!one_way || !forth) add_edge(r, to, from, time);
}

static uint32_t root(uint32_t *parent, uint32_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
}

static bool has_street(const raster *r, uint32_t from, bool down) {
    if (down) return (uint64_t)from + r->columns < r->roads->nodes;
    return (from + 1) % r->columns != 0 && from + 1 < r->roads->nodes;
}

/* Kruskal (1956) on streets in random order; each crossing owns the street to the right and the one below. */
static bool lay_streets(const raster *r, int32_t left_out_milli) {
    uint32_t nodes = r->roads->nodes, *parent = malloc((size_t)nodes * 3 * sizeof *parent);
    if (!parent) return false;
    uint32_t *order = parent + nodes;
    for (uint32_t i = 0; i < nodes; i++) parent[i] = i;
    for (uint32_t i = 0; i < 2 * nodes; i++) {
        uint32_t other = gen_below(r->random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (uint32_t i = 0; i < 2 * nodes; i++) {
        uint32_t from = order[i] / 2, to;
        bool down = order[i] % 2 == 1;
        if (!has_street(r, from, down)) continue;
        to = from + (down ? r->columns : 1);
        uint32_t a = root(parent, from), b = root(parent, to);
        if (a == b && gen_chance(r->random, left_out_milli)) continue;
        parent[b] = a;
        add_street(r, from, to, down, a != b);
    }
    free(parent);
    return true;
}

bool gen_roads_make(gen_roads *roads, gen_random *random, int32_t density_milli) {
    raster r = {roads, random, whole_root(roads->nodes)};
    if ((uint64_t)r.columns * r.columns < roads->nodes) r.columns++;
    roads->edge_count = 0;
    roads->at = calloc((size_t)roads->nodes + 1, sizeof *roads->at);
    roads->edges = malloc((size_t)roads->nodes * 4 * sizeof *roads->edges);
    if (!roads->at || !roads->edges) return false;
    place_nodes(&r);
    return lay_streets(&r, density_milli);
}
