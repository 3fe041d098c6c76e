/* SPDX-License-Identifier: MIT */
/* Internal: a graph's nodes and edges, which never change: all versions and forks share them. */
#ifndef WEND_SRC_GRAPH_H
#define WEND_SRC_GRAPH_H

#include "map/map_internal.h"

typedef struct wend__arc {
    uint32_t to, cost;
} wend__arc;

struct wend__graph {
    uint32_t references; ///< guarded by the map's mutex
    uint32_t nodes;      ///< highest id + 1
    uint32_t present_count;
    uint64_t edges;
    size_t bytes;
    const uint64_t *present;      ///< a bit for each node
    const uint32_t *first;        ///< nodes + 1: where each node's arcs begin
    const wend__arc *arcs;        ///< of a node: by where they end, the cheapest of parallel ones first
    const wend_cell *coordinates; ///< NULL: none
    uint64_t cost_per_unit;       ///< least cost of an edge for each unit of distance, x 2^32, rounded down; 0: no estimate
};

static inline bool wend__graph_has(const wend__graph *graph, int64_t node) {
    return node >= 0 && node < graph->nodes && (graph->present[node >> 6] >> (node & 63) & 1);
}

#endif
