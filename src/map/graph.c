/* SPDX-License-Identifier: MIT */
/* Graphs: nodes and directed edges, laid out once. */
#include "map/graph.h"
#include "map/map_private.h"

void wend__graph_derive(const wend__version *version, wend__chunk *chunk, int32_t column) {
    (void)version, (void)column;
    chunk->max_factor = 1;
}

void wend__graph_retain(wend_map *map, const wend__graph *graph) {
    (void)map, (void)graph;
}

void wend__graph_release(wend_map *map, const wend__graph *graph) {
    (void)map, (void)graph;
}
