/* SPDX-License-Identifier: MIT */
/* Internal: a graph's nodes and edges in a version.
 *
 * Edges lie in *pages* of 64 nodes, pages in *blocks* of 4,096, a block a chunk. Versions and forks share pages and
 * blocks; a batch copies those that it writes to. Coordinates lie in one array for all versions: an entry is written
 * only if no live version has the node. All numbers of a graph follow from its nodes and edges alone, not from
 * earlier edits, so a recording or a saved world that begins later searches alike. */
#ifndef WEND_SRC_MAP_KINDS_GRAPH_H
#define WEND_SRC_MAP_KINDS_GRAPH_H

#include "map/store/map_layout.h"
#include <wend/graph.h>

enum { WEND__NODE_PAGES = WEND__CHUNK_CELLS / 64 };

typedef struct wend__arc {
    uint32_t to, cost;
} wend__arc;

/// The edges out of 64 nodes. `first` has one more entry: the end of the last node's edges.
typedef struct wend__graph_page {
    wend__shared shared;
    uint32_t room; ///< number of arcs that the memory holds
    uint32_t first[65];
    wend__arc arcs[]; ///< arcs of a node: by their ends, the cheapest of parallel ones first. Four more are readable
} wend__graph_page;

/// The edges into 64 nodes that have no edge back, by where they begin.
typedef struct wend__graph_sources {
    wend__shared shared;
    uint32_t room;
    uint32_t first[65];
    uint32_t from[];
} wend__graph_sources;

typedef struct wend__graph_block {
    wend__shared shared;                ///< references; the block holds the pages and sources
    uint64_t least;                     ///< least of the rates
    const void *origin;                 ///< the block that it was copied from: only its address. NULL: none
    uint64_t touched[WEND__NODE_PAGES]; ///< a bit for each node whose edges were written to since
    uint64_t present[WEND__NODE_PAGES]; ///< a bit for each node
    uint64_t rates[WEND__NODE_PAGES];   ///< least wend__graph_rate() of a page's edges; UINT64_MAX: the page has none
    wend_box boxes[WEND__NODE_PAGES];   ///< boxes of the coordinates of pages with nodes
    const wend__graph_page *pages[WEND__NODE_PAGES];      ///< never NULL
    const wend__graph_sources *sources[WEND__NODE_PAGES]; ///< NULL: no such edges
} wend__graph_block;

/// Coordinates, for all versions of a map.
typedef struct wend__graph_places {
    wend__shared shared;
    uint64_t owner; ///< identity of the one map that may write; 0: none, as forks share them. Guarded by the mutex
    wend_cell at[];
} wend__graph_places;

struct wend__graph {
    wend__shared shared;
    uint32_t nodes; ///< upper bound of all ids: the map's width
    uint32_t present_count;
    uint64_t edges;
    uint64_t cost_sum;            ///< sum of the costs of all edges
    uint64_t uneven;              ///< pairs (from, to) with an edge that has none back at the same cost
    wend__graph_places *places;   ///< a reference; NULL: none
    const wend_cell *coordinates; ///< coordinates of `places`; NULL: none
    uint32_t mean_cost;           ///< mean cost of an edge
    bool symmetric;               ///< each edge has one back that costs the same
    uint64_t cost_per_unit; ///< least cost of an edge for each unit of distance, x 2^32, rounded down; 0: no estimate
    uint32_t block_count;
    const wend__graph_block *blocks[]; ///< references
};

/// The edges out of a node.
typedef struct wend__arcs {
    const wend__arc *first, *end;
} wend__arcs;

static inline wend__arcs wend__graph_arcs(const wend__graph *graph, uint32_t node) {
    WEND__DEBUG_ASSERT(node >> 12 < graph->block_count);
    const wend__graph_page *page = graph->blocks[node >> 12]->pages[node >> 6 & 63];
    const uint32_t *first = page->first + (node & 63);
    return (wend__arcs){page->arcs + first[0], page->arcs + first[1]};
}

/// Returns the nodes with an edge into one that has none back. @param count   receives their number
static inline const uint32_t *wend__graph_sources_of(const wend__graph *graph, uint32_t node, uint32_t *count) {
    WEND__DEBUG_ASSERT(node >> 12 < graph->block_count);
    const wend__graph_sources *sources = graph->blocks[node >> 12]->sources[node >> 6 & 63];
    *count = sources ? sources->first[(node & 63) + 1] - sources->first[node & 63] : 0;
    return *count > 0 ? sources->from + sources->first[node & 63] : NULL;
}

static inline const wend_box *wend__graph_box(const wend__graph *graph, size_t word) {
    return &graph->blocks[word >> 6]->boxes[word & 63];
}

/// Returns the least cost of a way between places with these coordinates, without links; 0: unknown. The cost is
/// rounded down, so along an edge it may drop by 1 more than the edge costs.
uint64_t wend__graph_estimate(const wend__graph *graph, wend_cell from, wend_cell to);
/// Returns the cost of an edge for each unit of distance, x 2^32, rounded down (and the distance up, to 31 bits at
/// least); UINT64_MAX: its ends are in one place.
uint64_t wend__graph_rate(wend_cell from, wend_cell to, uint32_t cost);

/// Returns the cheapest edge's cost; 0: there is none. Cost: O(log edges of the node).
uint32_t wend__graph_cost(const wend__graph *graph, uint32_t from, uint32_t to);
/// Returns true if there is an edge. Cost: O(log edges of the node).
static inline bool wend__graph_leads(const wend__graph *graph, uint32_t from, uint32_t to) {
    return wend__graph_cost(graph, from, to) > 0;
}

/// Returns a chunk's 64 words of the existing nodes.
static inline const uint64_t *wend__graph_chunk(const wend__graph *graph, int32_t column) {
    return graph->blocks[column]->present;
}

static inline bool wend__graph_has(const wend__graph *graph, int64_t node) {
    return node >= 0 && node < graph->nodes && (graph->blocks[node >> 12]->present[node >> 6 & 63] >> (node & 63) & 1);
}

/// Finishes a graph's chunk: its largest factor, from its terrain, which is final.
void wend__graph_derive(const wend__version *version, wend__chunk *chunk, int32_t column);
/// Writes class 0 to the places of a new version's blocks without a node.
wend_error wend__graph_open(wend__version *version);

/// Returns true if an id below node_count is a node, by the definition.
static inline bool wend__graph_def_has(const wend_graph_def *def, uint32_t id) {
    return id < def->node_count && (!def->present || def->present[id]);
}

/// Makes the graph of a checked definition, with one reference: its ids are below map->width. NULL: out of memory.
wend__graph *wend__graph_build(wend_map *map, const wend_graph_def *def);
void wend__graph_release(wend_map *map, const wend__graph *graph); ///< NULL is ignored

/* ---- writing to an unpublished graph: graph_edit.c. WEND_OK, WEND_OUT_OF_MEMORY ---- */

/// Makes a copy with one reference, to be written to, which shares all blocks. NULL: out of memory.
wend__graph *wend__graph_copy(wend_map *map, const wend__graph *from);
/// Puts one edge in place of all from a node to another; cost 0: no edge.
wend_error wend__graph_set_edge(wend_map *map, wend__graph *graph, uint32_t from, uint32_t to, uint32_t cost);
wend_error wend__graph_add_node(wend_map *map, wend__graph *graph, uint32_t node, wend_cell place);
/// Removes a node and all its edges.
wend_error wend__graph_remove_node(wend_map *map, wend__graph *graph, uint32_t node);
/// Updates the numbers that follow from all edges: the mean, the rate, whether they are symmetric.
void wend__graph_sum(wend__graph *graph);

/// A pair of nodes between which the cheapest edge differs between two graphs; cost 0: there is none.
typedef bool wend__graph_change_fn(void *context, uint32_t from, uint32_t to, uint32_t before, uint32_t now);
/// Calls for each such pair, by `from`, then `to`, until it returns false. Returns whether it never did.
/// Cost: O(blocks + edges of nodes that the last batch wrote to, and of pages that differ by earlier batches).
/// @param before   not made later than `now`
bool wend__graph_compare(const wend__graph *before, const wend__graph *now, wend__graph_change_fn *fn, void *context);

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
/// about 16 bits, and Newton's step doubles that. The step never ends below the root rounded down, whatever its start,
/// so the rest is to go down: by 1 at times, without a branch, and hardly ever by more.
WEND__INLINE uint64_t wend__graph_root(uint64_t n) {
    const uint16_t *at = wend__graph_roots + ((n >> 56) - 64);
    uint64_t r = ((uint64_t)at[0] << 16) + ((uint64_t)(at[1] - at[0]) * (n >> 32 & 0xffffff) >> 8);
    r = (r + n / r) >> 1;
    if (r > UINT32_MAX) r = UINT32_MAX;
    r -= r * r > n;
    while (WEND__UNLIKELY(r * r > n)) r--;
    return r;
}

/// As wend__graph_estimate(), but 1 less if rounding the distance makes that difference. The rate is cost_per_unit.
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
