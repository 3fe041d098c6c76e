/* SPDX-License-Identifier: MIT */
/* Connected components of a graph. Edges connect whichever way they lead. */
#include "map/edit/edit.h"
#include "map/kinds/graph.h"
#include "map/regions/regions.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/store/terrain.h"
#include "map/store/union_find.h"

/* Which nodes of 64 are open. */
static uint64_t open_nodes(const wend__version *v, size_t word) {
    const wend__chunk *chunk = wend__version_chunk(v, (int32_t)(word >> 6), 0);
    return v->graph->present[word] & wend__open_row(v->rules.factors, chunk, (unsigned)(word & 63));
}

static bool is_open(const uint64_t *open, uint32_t node) {
    return open[node >> 6] >> (node & 63) & 1;
}

static void unite_edges(const wend__graph *graph, const uint64_t *open, uint32_t *parents) {
    for (uint32_t node = 0; node < graph->nodes; node++) {
        if (!is_open(open, node)) continue;
        for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++)
            if (is_open(open, graph->arcs[i].to)) wend__set_unite(parents, node, graph->arcs[i].to);
    }
}

/* Parents lie below, and so have their number already. */
static uint64_t number_components(const wend__graph *graph, const uint64_t *open, uint32_t *parents) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < graph->nodes; node++)
        if (is_open(open, node)) parents[node] = parents[node] == node ? count++ : parents[parents[node]];
    return count;
}

wend_error wend__node_regions_create(const wend__version *version, wend__node_regions **out) {
    const wend__graph *graph = version->graph;
    size_t words = (size_t)version->chunk_columns * WEND__CHUNK_SIDE;
    size_t bytes = sizeof(wend__node_regions) + words * sizeof(uint64_t) + graph->nodes * sizeof(uint32_t);
    wend__node_regions *regions = wend__map_alloc(version->map, bytes);
    if (!regions) return WEND_OUT_OF_MEMORY;
    uint64_t *open = (uint64_t *)(regions + 1);
    uint32_t *component = (uint32_t *)(open + words);
    for (size_t word = 0; word < words; word++) open[word] = open_nodes(version, word);
    for (uint32_t node = 0; node < graph->nodes; node++) component[node] = node;
    unite_edges(graph, open, component);
    *regions = (wend__node_regions){.bytes = bytes, .open = open, .component = component};
    regions->count = number_components(graph, open, component);
    *out = regions;
    return WEND_OK;
}

bool wend__node_regions_hold(const wend__version *version, const wend__node_regions *regions,
                             wend__dirty *const *dirty) {
    for (int32_t column = 0; column < version->chunk_columns; column++) {
        if (dirty && !wend__dirty_rows(version, dirty, column, 0)) continue;
        for (size_t word = (size_t)column << 6; word < ((size_t)column + 1) << 6; word++)
            if (open_nodes(version, word) != regions->open[word]) return false;
    }
    return true;
}
