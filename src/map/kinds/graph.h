/* SPDX-License-Identifier: MIT */
/* Internal: a graph's nodes and edges, which never change: all versions and forks share them. */
#ifndef WEND_SRC_MAP_KINDS_GRAPH_H
#define WEND_SRC_MAP_KINDS_GRAPH_H

#include "map/store/map_layout.h"
#include <wend/graph.h>

typedef struct wend__arc {
    uint32_t to, cost;
} wend__arc;

struct wend__graph {
    wend__shared shared;
    uint32_t nodes; ///< highest id + 1
    uint32_t present_count;
    uint64_t edges;
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
/// Returns true if there is an edge. Cost: O(log edges of the node).
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

/// Returns true if an id below node_count is a node, by the definition.
static inline bool wend__graph_def_has(const wend_graph_def *def, uint32_t id) {
    return id < def->node_count && (!def->present || def->present[id]);
}

/// Give a map without versions its graph, from a checked definition: map->width is its highest node + 1.
/// WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__graph_build(wend_map *map, const wend_graph_def *def);

/* ---- distances ---- */

/// 4,096 times the root of i, for i from 64 to 256.
extern const uint16_t wend__graph_roots[193];

/// Returns the number of bits above the highest set one; n is not 0.
static inline unsigned wend__graph_free_bits(uint64_t n) {
#if defined(__GNUC__)
    return (unsigned)__builtin_clzll(n);
#else
    unsigned count = 0;
    while (!(n >> 63)) n <<= 1, count++;
    return count;
#endif
}

/// The root of a number of 63 or 64 bits, rounded down. A straight line between two of the table's roots is right to
/// about 16 bits, and Newton's step doubles that; it never ends below the root rounded down, whatever it began from, so
/// what is left is to go down: by 1 every now and then, without a branch, and hardly ever by more.
WEND__INLINE uint64_t wend__graph_root(uint64_t n) {
    const uint16_t *at = wend__graph_roots + ((n >> 56) - 64);
    uint64_t r = ((uint64_t)at[0] << 16) + ((uint64_t)(at[1] - at[0]) * (n >> 32 & 0xffffff) >> 8);
    r = (r + n / r) >> 1;
    if (r > UINT32_MAX) r = UINT32_MAX;
    r -= r * r > n;
    while (WEND__UNLIKELY(r * r > n)) r--;
    return r;
}

/// As wend__graph_estimate(), but 1 less where rounding the distance makes that difference. The rate is cost_per_unit.
WEND__INLINE uint64_t wend__graph_estimate_at(const wend__graph *graph, uint64_t rate, wend_cell from, wend_cell to) {
    const int64_t dx = (int64_t)from.x - to.x, dy = (int64_t)from.y - to.y, dz = (int64_t)from.z - to.z;
    const int64_t half = INT64_C(1) << 31;
    if (WEND__UNLIKELY((uint64_t)((dx + half) | (dy + half) | (dz + half)) >> 32)) /* the squares may outgrow 64 bits */
        return wend__graph_estimate(graph, from, to);
    const uint64_t sum = (uint64_t)(dx * dx) + (uint64_t)(dy * dy) + (uint64_t)(dz * dz);
    if (sum == 0) return 0;
    const unsigned shift = wend__graph_free_bits(sum) / 2;
    const uint64_t units = wend__graph_root(sum << 2 * shift);
    return ((rate >> 32) * units + ((rate & UINT32_MAX) * units >> 32)) >> shift;
}

#endif
