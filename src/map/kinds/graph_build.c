/* SPDX-License-Identifier: MIT */
/* Makes a graph from a host's definition: blocks, pages of edges, and the numbers that follow from them. */
#include "map/kinds/graph_pages.h"
#include "base/heap.h"

/* A graph in construction, and how many edges each page is to have. */
typedef struct build {
    wend_map *map;
    wend__graph *graph;
    const wend_graph_def *def;
    uint32_t *counts;
    size_t words;
} build;

static wend__graph_block *block_of(const build *b, uint32_t node) {
    return (wend__graph_block *)b->graph->blocks[node >> 12];
}

static wend__graph_page *page_of(const build *b, uint32_t node) {
    return (wend__graph_page *)block_of(b, node)->pages[node >> 6 & 63];
}

/* ---- nodes ---- */

static wend_error make_places(build *b) {
    wend__graph_places *places = wend__graph_places_create(b->map, b->graph->nodes);
    if (!places) return WEND_OUT_OF_MEMORY;
    b->graph->places = places, b->graph->coordinates = places->at;
    for (uint32_t i = 0; i < b->graph->nodes; i++)
        if (wend__graph_def_has(b->def, i)) places->at[i] = b->def->coordinates[i];
    return WEND_OK;
}

static wend_error make_blocks(build *b) {
    wend__graph *graph = b->graph;
    for (uint32_t i = 0; i < graph->block_count; i++) {
        wend__graph_block *block = wend__graph_block_create(b->map);
        if (!block) return WEND_OUT_OF_MEMORY;
        graph->blocks[i] = block;
    }
    if (b->def->coordinates && make_places(b)) return WEND_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < graph->nodes; i++) {
        if (!wend__graph_def_has(b->def, i)) continue;
        block_of(b, i)->present[i >> 6 & 63] |= UINT64_C(1) << (i & 63);
        graph->present_count++;
    }
    for (size_t word = 0; word < b->words; word++) wend__graph_find_box(graph, word);
    return WEND_OK;
}

/* ---- edges: counted to find where they begin, then each node's few sorted ---- */

static bool before(wend__arc a, wend__arc b) {
    return a.to != b.to ? a.to < b.to : a.cost < b.cost;
}

static void insertion_sort(wend__arc *arcs, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        wend__arc arc = arcs[i];
        uint32_t j = i;
        for (; j > 0 && before(arc, arcs[j - 1]); j--) arcs[j] = arcs[j - 1];
        arcs[j] = arc;
    }
}

/* For a node with very many edges, which must not take their square. */
WEND__HEAP_SORT(heap_sort, wend__arc, before)

enum { FEW = 32 };

static wend_error make_pages(build *b) {
    const wend_graph_def *def = b->def;
    for (uint64_t i = 0; i < def->edge_count; i++) b->counts[def->edges[i].from >> 6]++;
    for (size_t word = 0; word < b->words; word++) {
        if (b->counts[word] == 0) continue;
        wend__graph_page *page = wend__graph_page_create(b->map, b->counts[word]);
        if (!page) return WEND_OUT_OF_MEMORY;
        block_of(b, (uint32_t)(word << 6))->pages[word & 63] = page;
    }
    return WEND_OK;
}

static void sort_edges(build *b) {
    const wend_graph_def *def = b->def;
    for (uint64_t i = 0; i < def->edge_count; i++) page_of(b, def->edges[i].from)->first[def->edges[i].from & 63]++;
    for (size_t word = 0; word < b->words; word++) {
        wend__graph_page *page = page_of(b, (uint32_t)(word << 6));
        for (unsigned i = 1; b->counts[word] > 0 && i < 65; i++) page->first[i] += page->first[i - 1];
    }
    for (uint64_t i = 0; i < def->edge_count; i++) { /* from the end of a node's arcs down to their beginning */
        const wend_edge *edge = &def->edges[i];
        wend__graph_page *page = page_of(b, edge->from);
        page->arcs[--page->first[edge->from & 63]] = (wend__arc){edge->to, (uint32_t)edge->cost};
        b->graph->cost_sum += (uint64_t)edge->cost;
    }
    b->graph->edges = def->edge_count;
    for (uint32_t node = 0; node < b->graph->nodes; node++) {
        const wend__arcs arcs = wend__graph_arcs(b->graph, node);
        const uint32_t count = (uint32_t)(arcs.end - arcs.first);
        if (count <= FEW)
            insertion_sort((wend__arc *)arcs.first, count);
        else
            heap_sort((wend__arc *)arcs.first, count);
    }
}

/* ---- edges that have none back ---- */

typedef struct pair {
    uint32_t to, from;
} pair;

/* Lists edges without one back, by where they begin. An edge with a costlier parallel edge is the first of its node's
 * edges to that target. */
static wend_error list_one_ways(build *b, pair **list, size_t *count, size_t *room) {
    wend__graph *graph = b->graph;
    for (uint32_t node = 0; node < graph->nodes; node++) {
        const wend__arcs arcs = wend__graph_arcs(graph, node);
        for (const wend__arc *arc = arcs.first; arc != arcs.end; arc++) {
            if (arc != arcs.first && arc[-1].to == arc->to) continue;
            const uint32_t back = wend__graph_cost(graph, arc->to, node);
            graph->uneven += back != arc->cost && arc->to != node;
            if (back > 0) continue;
            pair *pairs = wend__map_grown(b->map, *list, *count, room, sizeof *pairs);
            if (!pairs) return WEND_OUT_OF_MEMORY;
            *list = pairs;
            pairs[(*count)++] = (pair){arc->to, node};
        }
    }
    return WEND_OK;
}

static wend_error place_one_ways(build *b, const pair *list, size_t count) {
    memset(b->counts, 0, b->words * sizeof *b->counts);
    for (size_t i = 0; i < count; i++) b->counts[list[i].to >> 6]++;
    for (size_t word = 0; word < b->words; word++) {
        if (b->counts[word] == 0) continue;
        wend__graph_sources *sources = wend__graph_sources_create(b->map, b->counts[word]);
        if (!sources) return WEND_OUT_OF_MEMORY;
        block_of(b, (uint32_t)(word << 6))->sources[word & 63] = sources;
    }
    for (size_t i = 0; i < count; i++)
        ((wend__graph_sources *)block_of(b, list[i].to)->sources[list[i].to >> 6 & 63])->first[list[i].to & 63]++;
    for (size_t word = 0; word < b->words; word++) {
        wend__graph_sources *sources = (wend__graph_sources *)block_of(b, (uint32_t)(word << 6))->sources[word & 63];
        for (unsigned i = 1; sources && i < 65; i++) sources->first[i] += sources->first[i - 1];
    }
    for (size_t i = count; i-- > 0;) { /* backwards, so that the edges of a node are in order */
        wend__graph_sources *sources = (wend__graph_sources *)block_of(b, list[i].to)->sources[list[i].to >> 6 & 63];
        sources->from[--sources->first[list[i].to & 63]] = list[i].from;
    }
    return WEND_OK;
}

static wend_error find_one_ways(build *b) {
    pair *list = NULL;
    size_t count = 0, room = 0;
    wend_error error = list_one_ways(b, &list, &count, &room);
    if (!error && count > 0) error = place_one_ways(b, list, count);
    wend__map_free(b->map, list, room * sizeof *list);
    return error;
}

static wend_error fill(build *b) {
    wend_error error = make_blocks(b);
    if (!error) error = make_pages(b);
    if (error) return error;
    sort_edges(b);
    error = find_one_ways(b);
    for (size_t word = 0; word < b->words; word++) wend__graph_find_rate(b->graph, word);
    wend__graph_sum(b->graph);
    return error;
}

wend__graph *wend__graph_build(wend_map *map, const wend_graph_def *def) {
    build b = {.map = map, .def = def, .words = ((size_t)map->width + 63) / 64};
    b.graph = wend__graph_create(map, (uint32_t)map->width);
    b.counts = b.graph ? wend__map_alloc(map, b.words * sizeof *b.counts) : NULL;
    wend_error error = b.counts ? WEND_OK : WEND_OUT_OF_MEMORY;
    if (b.counts) memset(b.counts, 0, b.words * sizeof *b.counts);
    if (!error) error = fill(&b);
    wend__map_free(map, b.counts, b.counts ? b.words * sizeof *b.counts : 0);
    if (!error) return b.graph;
    wend__graph_release(map, b.graph);
    return NULL;
}
