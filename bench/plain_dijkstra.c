/* SPDX-License-Identifier: MIT */
/* Dijkstra (1959) with a ring of 16 buckets (Dial 1969), rows of cells, and the steps of each cell in a byte made
 * beforehand. */
#include "plain_dijkstra.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 16, STRAIGHT = 10, DIAGONAL = 14 };

typedef struct bucket {
    uint32_t *cells;
    uint32_t count, room;
} bucket;

struct plain_dijkstra {
    int32_t width, height, stride;
    int32_t offsets[8];
    uint8_t *steps; /* straight first */
    uint32_t *costs;
    uint8_t *ways;
    bucket buckets[BUCKETS];
};

static const int32_t dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

static uint8_t steps_of(const uint8_t *open, const int32_t *offsets, int32_t at) {
    uint8_t steps = 0;
    if (!open[at]) return 0;
    for (int d = 0; d < 4; d++) steps |= (uint8_t)((open[at + offsets[d]] != 0) << d);
    for (int d = 4; d < 8; d++) {
        const int first = d - 4, second = (d - 3) % 4; /* the straight steps on both sides */
        const int sides = steps >> first & steps >> second & 1;
        steps |= (uint8_t)((sides && open[at + offsets[d]]) << d);
    }
    return steps;
}

plain_dijkstra *plain_dijkstra_create(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    plain_dijkstra *p = calloc(1, sizeof *p);
    p->width = info.width, p->height = info.height, p->stride = info.width + 2;
    const size_t cells = (size_t)p->stride * ((size_t)p->height + 2);
    uint8_t *open = calloc(cells, 1);
    p->steps = calloc(cells, 1);
    p->costs = malloc(cells * sizeof *p->costs);
    p->ways = malloc(cells);
    for (int d = 0; d < 8; d++) p->offsets[d] = dy[d] * p->stride + dx[d];
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++) {
            uint8_t class;
            wend_map_get_terrain(map, (wend_cell){x, y, 0}, &class);
            open[(y + 1) * p->stride + x + 1] = class != 0 && class != 255;
        }
    for (int32_t at = p->stride + 1; at < p->stride * (p->height + 1); at++)
        p->steps[at] = steps_of(open, p->offsets, at);
    free(open);
    return p;
}

void plain_dijkstra_free(plain_dijkstra *p) {
    for (int i = 0; i < BUCKETS; i++) free(p->buckets[i].cells);
    free(p->steps);
    free(p->costs);
    free(p->ways);
    free(p);
}

static inline void push_cell(bucket *b, uint32_t cell) {
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 1024;
        b->cells = realloc(b->cells, b->room * sizeof *b->cells);
    }
    b->cells[b->count++] = cell;
}

static inline void relax_cell(plain_dijkstra *p, uint32_t cell, uint32_t cost, int d) {
    if (cost >= p->costs[cell]) return;
    p->costs[cell] = cost;
    p->ways[cell] = (uint8_t)(d ^ 2);
    push_cell(&p->buckets[cost % BUCKETS], cell);
}

uint32_t plain_dijkstra_run(plain_dijkstra *p, wend_cell goal) {
    uint32_t reached = 0, empty = 0;
    memset(p->costs, 0xff, (size_t)p->stride * ((size_t)p->height + 2) * sizeof *p->costs);
    relax_cell(p, (uint32_t)((goal.y + 1) * p->stride + goal.x + 1), 0, 0);
    for (uint32_t cost = 0; empty < BUCKETS; cost++) {
        bucket *b = &p->buckets[cost % BUCKETS];
        empty = b->count > 0 ? 0 : empty + 1;
        while (b->count > 0) {
            const uint32_t cell = b->cells[--b->count];
            if (p->costs[cell] != cost) continue;
            reached++;
            for (uint32_t steps = p->steps[cell]; steps; steps &= steps - 1) {
                const int d = __builtin_ctz(steps);
                relax_cell(p, cell + (uint32_t)p->offsets[d], cost + (d < 4 ? STRAIGHT : DIAGONAL), d);
            }
        }
    }
    return reached;
}

uint32_t plain_dijkstra_cost(const plain_dijkstra *p, wend_cell cell) {
    return p->costs[(cell.y + 1) * p->stride + cell.x + 1];
}
