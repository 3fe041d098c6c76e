/* SPDX-License-Identifier: MIT */
/* Writes to an unpublished graph: copies blocks, pages and sources before the first write to each. */
#include "map/kinds/graph_pages.h"

enum { ROOM = 8 }; /* spare entries in a page that is copied */

wend__graph *wend__graph_copy(wend_map *map, const wend__graph *from) {
    wend__graph *graph = wend__shared_copy(map, from);
    if (!graph) return NULL;
    wend__mutex_lock(map->mutex);
    for (uint32_t i = 0; i < graph->block_count; i++) wend__shared_up(graph->blocks[i]);
    wend__shared_up(graph->places);
    wend__mutex_unlock(map->mutex);
    return graph;
}

/* Returns true if only the draft holds the object: objects shared with the batch's base have two holders. */
static bool is_own(wend_map *map, const void *object) {
    const wend__shared *shared = object;
    if (shared->bytes == 0) return false;
    wend__mutex_lock(map->mutex);
    const bool own = shared->references == 1;
    wend__mutex_unlock(map->mutex);
    return own;
}

static wend__graph_block *own_block(wend_map *map, wend__graph *graph, uint32_t node) {
    const wend__graph_block **at = &graph->blocks[node >> 12];
    if (is_own(map, *at)) return (wend__graph_block *)*at;
    wend__graph_block *copy = wend__shared_copy(map, *at);
    if (!copy) return NULL;
    copy->origin = *at;
    memset(copy->touched, 0, sizeof copy->touched);
    wend__shared_release(map, *at);
    *at = copy;
    return copy;
}

/* Returns a page with room for one more edge. */
static wend__graph_page *own_page(wend_map *map, wend__graph_block *block, uint32_t node) {
    const wend__graph_page **at = &block->pages[node >> 6 & 63], *old = *at;
    const uint32_t count = old->first[64];
    if (count < old->room && is_own(map, old)) return (wend__graph_page *)old;
    wend__graph_page *copy = wend__graph_page_create(map, count + ROOM + (count < old->room ? 0 : count / 4));
    if (!copy) return NULL;
    memcpy(copy->first, old->first, sizeof copy->first);
    memcpy(copy->arcs, old->arcs, count * sizeof *copy->arcs);
    wend__shared_release(map, old);
    *at = copy;
    return copy;
}

static wend__graph_sources *own_sources(wend_map *map, wend__graph_block *block, uint32_t node) {
    const wend__graph_sources **at = &block->sources[node >> 6 & 63], *old = *at;
    const uint32_t count = old ? old->first[64] : 0;
    if (old && count < old->room && is_own(map, old)) return (wend__graph_sources *)old;
    wend__graph_sources *copy = wend__graph_sources_create(map, count + ROOM + count / 4);
    if (!copy) return NULL;
    if (old) memcpy(copy->first, old->first, sizeof copy->first);
    if (old) memcpy(copy->from, old->from, count * sizeof *copy->from);
    wend__shared_release(map, old);
    *at = copy;
    return copy;
}

/* ---- edges ---- */

/* Puts `put` arcs (0 or 1) in place of `cut` ones, from arc `at` of the page on. */
static void replace_arcs(wend__graph_page *page, uint32_t node, uint32_t at, uint32_t cut, uint32_t put,
                         wend__arc arc) {
    memmove(page->arcs + at + put, page->arcs + at + cut, (page->first[64] - at - cut) * sizeof *page->arcs);
    if (put) page->arcs[at] = arc;
    for (unsigned i = (node & 63) + 1; i < 65; i++) page->first[i] = page->first[i] + put - cut;
}

/* Records, or removes, that an edge leads from a node into another and has none back. */
static wend_error set_source(wend_map *map, wend__graph *graph, uint32_t from, uint32_t to, bool there) {
    wend__graph_block *block = own_block(map, graph, to);
    wend__graph_sources *sources = block ? own_sources(map, block, to) : NULL;
    if (!sources) return WEND_OUT_OF_MEMORY;
    uint32_t at = sources->first[to & 63];
    while (at < sources->first[(to & 63) + 1] && sources->from[at] < from) at++;
    uint32_t *place = sources->from + at;
    const size_t behind = (size_t)(sources->first[64] - at);
    if (there)
        memmove(place + 1, place, behind * sizeof *place), *place = from;
    else
        memmove(place, place + 1, (behind - 1) * sizeof *place);
    for (unsigned i = (to & 63) + 1; i < 65; i++) sources->first[i] += there ? 1 : UINT32_MAX;
    return WEND_OK;
}

/* Updates the edges without one back after an edge was added or removed. */
static wend_error set_sources(wend_map *map, wend__graph *graph, uint32_t from, uint32_t to, bool came) {
    if (from == to) return WEND_OK;
    const bool back = wend__graph_leads(graph, to, from);
    return back ? set_source(map, graph, to, from, !came) : set_source(map, graph, from, to, came);
}

/* Updates the page's least rate, after an edge of cost `old` became one of cost `new`; 0: none. */
static void update_rate(wend__graph *graph, wend__graph_block *block, uint32_t from, uint32_t to, uint32_t old,
                        uint32_t new) {
    if (!graph->coordinates) return;
    const wend_cell a = graph->coordinates[from], b = graph->coordinates[to];
    const uint64_t rate = block->rates[from >> 6 & 63];
    const uint64_t was = old ? wend__graph_rate(a, b, old) : UINT64_MAX;
    const uint64_t is = new ? wend__graph_rate(a, b, new) : UINT64_MAX;
    if (is <= rate) {
        block->rates[from >> 6 & 63] = is;
        if (is < block->least) block->least = is;
    } else if (was == rate) {
        wend__graph_find_rate(graph, from >> 6);
    }
}

static uint64_t uneven_ways(uint32_t cost, uint32_t back) {
    return (uint64_t)(cost > 0 && cost != back) + (uint64_t)(back > 0 && cost != back);
}

/* Finds the place of the first edge to a node in its page, how many are parallel to it, and the sum of their costs. */
static uint32_t find_arcs(const wend__graph *graph, uint32_t from, uint32_t to, uint32_t *count, uint64_t *sum) {
    const wend__graph_page *page = graph->blocks[from >> 12]->pages[from >> 6 & 63];
    uint32_t at = page->first[from & 63], end = page->first[(from & 63) + 1], high = end;
    while (at < high) {
        const uint32_t middle = at + (high - at) / 2;
        if (page->arcs[middle].to < to)
            at = middle + 1;
        else
            high = middle;
    }
    *count = 0, *sum = 0;
    for (uint32_t i = at; i < end && page->arcs[i].to == to; i++) *sum += page->arcs[i].cost, ++*count;
    return at;
}

wend_error wend__graph_set_edge(wend_map *map, wend__graph *graph, uint32_t from, uint32_t to, uint32_t cost) {
    uint32_t count;
    uint64_t sum;
    const uint32_t at = find_arcs(graph, from, to, &count, &sum);
    const uint32_t old = wend__graph_cost(graph, from, to), back = wend__graph_cost(graph, to, from);
    if (old == cost && count <= 1) return WEND_OK;
    wend__graph_block *block = own_block(map, graph, from);
    wend__graph_page *page = block ? own_page(map, block, from) : NULL;
    if (!page) return WEND_OUT_OF_MEMORY;
    block->touched[from >> 6 & 63] |= UINT64_C(1) << (from & 63);
    replace_arcs(page, from, at, count, cost > 0, (wend__arc){to, cost});
    graph->edges = graph->edges + (cost > 0) - count;
    graph->cost_sum = graph->cost_sum + cost - sum;
    if (from != to) graph->uneven = graph->uneven + uneven_ways(cost, back) - uneven_ways(old, back);
    update_rate(graph, block, from, to, old, cost);
    return (old > 0) == (cost > 0) ? WEND_OK : set_sources(map, graph, from, to, cost > 0);
}

/* ---- nodes ---- */

/* Coordinates are written in place if no live version of this map, and no fork, has the node. */
static wend_error set_place(wend_map *map, wend__graph *graph, uint32_t node, wend_cell place) {
    wend__graph_places *places = graph->places;
    if (!places) return WEND_OK;
    wend__mutex_lock(map->mutex);
    bool free = places->owner == map->identity + 1;
    for (const wend__version *v = map->newest; v; v = v->older) free = free && !wend__graph_has(v->graph, node);
    wend__mutex_unlock(map->mutex);
    if (!free) {
        wend__graph_places *copy = wend__graph_places_create(map, graph->nodes);
        if (!copy) return WEND_OUT_OF_MEMORY;
        for (uint32_t i = 0; i < graph->nodes; i++)
            if (wend__graph_has(graph, i)) copy->at[i] = places->at[i];
        wend__shared_release(map, places);
        graph->places = copy, graph->coordinates = copy->at;
    }
    graph->places->at[node] = place;
    return WEND_OK;
}

static wend_error set_present(wend_map *map, wend__graph *graph, uint32_t node, bool there) {
    wend__graph_block *block = own_block(map, graph, node);
    if (!block) return WEND_OUT_OF_MEMORY;
    block->present[node >> 6 & 63] ^= UINT64_C(1) << (node & 63);
    graph->present_count += there ? 1 : UINT32_MAX;
    wend__graph_find_box(graph, node >> 6);
    return WEND_OK;
}

wend_error wend__graph_add_node(wend_map *map, wend__graph *graph, uint32_t node, wend_cell place) {
    const wend_error error = set_place(map, graph, node, place);
    return error ? error : set_present(map, graph, node, true);
}

wend_error wend__graph_remove_node(wend_map *map, wend__graph *graph, uint32_t node) {
    wend_error error = WEND_OK;
    for (;;) {
        const wend__arcs arcs = wend__graph_arcs(graph, node);
        if (error || arcs.first == arcs.end) break;
        const uint32_t to = arcs.end[-1].to;
        if (wend__graph_leads(graph, to, node)) error = wend__graph_set_edge(map, graph, to, node, 0);
        if (!error && to != node) error = wend__graph_set_edge(map, graph, node, to, 0);
    }
    for (;;) {
        uint32_t count;
        const uint32_t *sources = wend__graph_sources_of(graph, node, &count);
        if (error || count == 0) break;
        error = wend__graph_set_edge(map, graph, sources[count - 1], node, 0);
    }
    return error ? error : set_present(map, graph, node, false);
}
