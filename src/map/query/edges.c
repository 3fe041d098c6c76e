/* SPDX-License-Identifier: MIT */
/* The edges and coordinates of a graph's nodes, read back. */
#include "map/kinds/graph.h"
#include "map/version/version.h"

static wend_error refuse_node(const wend_map *map, uint32_t node) {
    return wend__refuse(WEND_OUT_OF_RANGE, "node is %u, but the graph has no such node: they are 0 to %d", node,
                        map->width - 1);
}

wend_error wend_map_get_edges(const wend_map *map, uint32_t node, wend_edge *out, size_t capacity, size_t *count) {
    WEND__ALIVE(map, "the map");
    if (map->kind != WEND_KIND_GRAPH) return wend__refuse(WEND_UNSUPPORTED, "the map is no graph");
    wend__version *version = wend__map_newest(map);
    const bool there = wend__graph_has(version->graph, node);
    if (there) {
        const wend__arcs arcs = wend__graph_arcs(version->graph, node);
        const size_t all = (size_t)(arcs.end - arcs.first);
        for (size_t i = 0; i < all && i < capacity; i++)
            out[i] = (wend_edge){.from = node, .to = arcs.first[i].to, .cost = (int32_t)arcs.first[i].cost};
        if (count) *count = all;
    }
    wend__map_release(version, false);
    return there ? WEND_OK : refuse_node(map, node);
}

wend_error wend_map_get_coordinates(const wend_map *map, uint32_t node, wend_cell *out) {
    WEND__ALIVE(map, "the map");
    if (map->kind != WEND_KIND_GRAPH) return wend__refuse(WEND_UNSUPPORTED, "the map is no graph");
    wend__version *version = wend__map_newest(map);
    const wend__graph *graph = version->graph;
    const bool there = wend__graph_has(graph, node), placed = there && graph->coordinates;
    if (placed && out) *out = graph->coordinates[node];
    wend__map_release(version, false);
    if (!there) return refuse_node(map, node);
    return placed ? WEND_OK : wend__refuse(WEND_EMPTY, "the graph's nodes have no coordinates");
}
