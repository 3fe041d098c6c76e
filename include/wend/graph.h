/* SPDX-License-Identifier: MIT */
/* Graphs: maps of nodes with directed edges, each with a cost of its own. */
#ifndef WEND_GRAPH_H
#define WEND_GRAPH_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A directed edge of a graph, with a cost of its own.
typedef struct wend_edge {
    uint32_t from, to;
    int32_t cost; ///< 1 to WEND_MAX_COST; multiplied by the factor of the class of `to`
} wend_edge;

typedef struct wend_graph_def {
    uint32_t struct_bytes;
    uint32_t node_count;          ///< ids are 0 to node_count − 1; 1 to WEND_MAX_NODES
    const uint8_t *present;       ///< one byte for each id, 0: no such node. NULL: all nodes exist
    const wend_cell *coordinates; ///< of each node, in any unit; NULL: none. Those of absent nodes are ignored
    const wend_edge *edges;       ///< in any order; parallel edges and loops are fine
    uint64_t edge_count;          ///< up to WEND_MAX_EDGES
    int32_t max_versions;         ///< as in wend_map_def
    uint32_t node_capacity;       ///< ids that edits may use are below it, or up to the highest node; 0: that one
    uint64_t max_bytes;           ///< as in wend_map_def
    uint8_t factors[256];         ///< as in wend_map_rules
    wend_allocator allocator;     ///< as in wend_map_def
} wend_graph_def;

/// Set the defaults: no nodes, and the factors of wend_map_rules_init().
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_graph_def_init(wend_graph_def *def, size_t bytes);

/// Make a graph. Copies the arrays. All nodes are of class WEND_CLASS_OPEN; the epoch is 0. Edits (ways.h) add, remove
/// and change nodes and edges.
/// @param out   receives the map; the caller holds one reference
/// @return WEND_OK, WEND_BAD_ARGUMENT (counts, a cost), WEND_OUT_OF_RANGE (an end of an edge is no node),
///         WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(nodes + edges).
WEND_API wend_error wend_graph_create(const wend_graph_def *def, wend_map **out);

/// Get the edges that leave a graph's node, sorted by their other end.
/// @param out     receives the first `capacity` edges; may be NULL with capacity 0, to count only
/// @param count   receives the number of edges, also when that is more than capacity
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such node), WEND_UNSUPPORTED (no graph)
/// Threads: any. Cost: O(count).
WEND_API wend_error wend_map_get_edges(const wend_map *map, uint32_t node, wend_edge *out, size_t capacity,
                                       size_t *count);

/// Get the coordinates of a graph's node.
/// @param out   receives the coordinates, in the unit of the definition
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such node), WEND_EMPTY (the node has none), WEND_UNSUPPORTED (no graph)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_coordinates(const wend_map *map, uint32_t node, wend_cell *out);

#ifdef __cplusplus
}
#endif
#endif
