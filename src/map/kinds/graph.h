/* SPDX-License-Identifier: MIT */
/* Internal: a graph's nodes and edges, which never change: all versions and forks share them. */
#ifndef WEND_SRC_MAP_KINDS_GRAPH_H
#define WEND_SRC_MAP_KINDS_GRAPH_H

#include "map/store/map_layout.h"

typedef struct wend__arc {
    uint32_t to, cost;
} wend__arc;

struct wend__graph {
    uint32_t references; ///< guarded by the map's mutex
    uint32_t nodes;      ///< highest id + 1
    uint32_t present_count;
    uint64_t edges;
    size_t bytes;
    const uint64_t *present;      ///< a bit for each node, and 0 for what is left of the last chunk
    const uint64_t *one_way;      ///< a bit for each node: an edge ends there that has none back
    const uint32_t *first;        ///< nodes + 1: where each node's arcs begin
    const wend__arc *arcs;        ///< of a node: by where they end, the cheapest of parallel ones first
    const wend_cell *coordinates; ///< NULL: none
    const wend_box *boxes;        ///< of each 64 nodes, of which there is one: of their coordinates; NULL: none
    uint32_t mean_cost;           ///< of an edge
    bool symmetric;               ///< each edge has one back that costs the same
    uint64_t cost_per_unit; ///< least cost of an edge for each unit of distance, x 2^32, rounded down; 0: no estimate
};

/// The least cost of a way between places with these coordinates, links not counted; 0: that is not known. It is
/// rounded down, so from one end of an edge to the other it may drop by more than that costs, by 1.
uint64_t wend__graph_estimate(const wend__graph *graph, wend_cell from, wend_cell to);
/// The cost of an edge for each unit of distance, x 2^32, rounded down (and the distance up, to 31 bits at least);
/// UINT64_MAX: its ends are in one place.
uint64_t wend__graph_rate(wend_cell from, wend_cell to, uint32_t cost);

/// The cheapest edge's cost; 0: there is none. Cost: O(log edges of the node).
uint32_t wend__graph_cost(const wend__graph *graph, uint32_t from, uint32_t to);
/// Is there an edge? Cost: O(log edges of the node).
static inline bool wend__graph_leads(const wend__graph *graph, uint32_t from, uint32_t to) {
    return wend__graph_cost(graph, from, to) > 0;
}

/// A chunk's 64 words of the nodes that are there.
static inline const uint64_t *wend__graph_chunk(const wend__graph *graph, int32_t column) {
    return graph->present + ((size_t)column << 6);
}

static inline bool wend__graph_has(const wend__graph *graph, int64_t node) {
    return node >= 0 && node < graph->nodes && (graph->present[node >> 6] >> (node & 63) & 1);
}

/// A graph's chunk: its largest factor, from its terrain, which is final.
void wend__graph_derive(const wend__version *version, wend__chunk *chunk, int32_t column);
/// Class 0 for the places of a new version's blocks where there is no node.
wend_error wend__graph_open(wend__version *version);
void wend__graph_retain(wend_map *map, const wend__graph *graph);
void wend__graph_release(wend_map *map, const wend__graph *graph); ///< NULL is ignored

/// Is an id below node_count a node, by the definition?
static inline bool wend__graph_def_has(const wend_graph_def *def, uint32_t id) {
    return id < def->node_count && (!def->present || def->present[id]);
}

/// Give a map without versions its graph, from a checked definition: map->width is its highest node + 1.
/// WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__graph_build(wend_map *map, const wend_graph_def *def);

#endif
