/* SPDX-License-Identifier: MIT */
/* Internal: the objects of graphs, for the files that write to them. */
#ifndef WEND_SRC_MAP_KINDS_GRAPH_PAGES_H
#define WEND_SRC_MAP_KINDS_GRAPH_PAGES_H

#include "map/kinds/graph.h"
#include "map/store/memory.h"

/// Each has one reference and no content; NULL: out of memory.
wend__graph *wend__graph_create(wend_map *map, uint32_t nodes);
wend__graph_block *wend__graph_block_create(wend_map *map);
wend__graph_page *wend__graph_page_create(wend_map *map, uint32_t room);
wend__graph_sources *wend__graph_sources_create(wend_map *map, uint32_t room);
wend__graph_places *wend__graph_places_create(wend_map *map, uint32_t nodes);

/// Finds the box of a page's nodes; the least rate of its edges. The page's block may be written to.
void wend__graph_find_box(wend__graph *graph, size_t word);
void wend__graph_find_rate(wend__graph *graph, size_t word);

#endif
