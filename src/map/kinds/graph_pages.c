/* SPDX-License-Identifier: MIT */
/* The objects of graphs: makes and releases them, updates numbers that follow from their edges, and compares them. */
#include "map/kinds/graph_pages.h"

enum { SPARE = 4 }; /* arcs that a search may read behind a page's last */

/* All pages without edges. */
static const union {
    wend__graph_page page;
    uint8_t bytes[sizeof(wend__graph_page) + SPARE * sizeof(wend__arc)];
} no_edges;

wend__graph_page *wend__graph_page_create(wend_map *map, uint32_t room) {
    wend__graph_page *page = wend__shared_alloc(map, sizeof *page + (room + (size_t)SPARE) * sizeof(wend__arc), false);
    if (!page) return NULL;
    page->room = room;
    memset(page->first, 0, sizeof page->first);
    memset(page->arcs + room, 0, SPARE * sizeof *page->arcs);
    return page;
}

wend__graph_sources *wend__graph_sources_create(wend_map *map, uint32_t room) {
    wend__graph_sources *sources = wend__shared_alloc(map, sizeof *sources + room * sizeof(uint32_t), false);
    if (!sources) return NULL;
    sources->room = room;
    memset(sources->first, 0, sizeof sources->first);
    return sources;
}

wend__graph_block *wend__graph_block_create(wend_map *map) {
    wend__graph_block *block = wend__shared_create(map, sizeof *block);
    if (!block) return NULL;
    block->shared.held = 2 * WEND__NODE_PAGES;
    block->least = UINT64_MAX;
    for (unsigned i = 0; i < WEND__NODE_PAGES; i++) block->pages[i] = &no_edges.page, block->rates[i] = UINT64_MAX;
    return block;
}

/* Entries without a node are not written: ids in reserve take no memory until then. */
wend__graph_places *wend__graph_places_create(wend_map *map, uint32_t nodes) {
    wend__graph_places *places = wend__shared_alloc(map, sizeof *places + nodes * sizeof *places->at, false);
    if (places) places->owner = map->identity + 1;
    return places;
}

wend__graph *wend__graph_create(wend_map *map, uint32_t nodes) {
    const uint32_t blocks = (uint32_t)(((uint64_t)nodes + WEND__CHUNK_CELLS - 1) / WEND__CHUNK_CELLS);
    wend__graph *graph = wend__shared_create(map, sizeof *graph + blocks * sizeof graph->blocks[0]);
    if (!graph) return NULL;
    graph->nodes = nodes, graph->block_count = blocks;
    return graph;
}

void wend__graph_release(wend_map *map, const wend__graph *graph) {
    if (!wend__shared_drop(map, graph)) return;
    wend__mutex_lock(map->mutex);
    for (uint32_t i = 0; i < graph->block_count; i++) wend__shared_down(map->family, graph->blocks[i]);
    wend__shared_down(map->family, graph->places);
    wend__mutex_unlock(map->mutex);
    wend__shared_free(map, graph);
}

/* ---- derived numbers ---- */

static void widen(wend_box *box, wend_cell place) {
    box->min = (wend_cell){wend__least(box->min.x, place.x), wend__least(box->min.y, place.y),
                           wend__least(box->min.z, place.z)};
    box->max =
        (wend_cell){wend__most(box->max.x, place.x), wend__most(box->max.y, place.y), wend__most(box->max.z, place.z)};
}

void wend__graph_find_box(wend__graph *graph, size_t word) {
    wend__graph_block *block = (wend__graph_block *)graph->blocks[word >> 6];
    uint64_t left = block->present[word & 63];
    if (!graph->coordinates || !left) return;
    const wend_cell *places = graph->coordinates + (word << 6);
    wend_box box = {places[wend__ctz64(left)], places[wend__ctz64(left)]};
    for (; left; left &= left - 1) widen(&box, places[wend__ctz64(left)]);
    block->boxes[word & 63] = box;
}

void wend__graph_find_rate(wend__graph *graph, size_t word) {
    wend__graph_block *block = (wend__graph_block *)graph->blocks[word >> 6];
    const wend__graph_page *page = block->pages[word & 63];
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; graph->coordinates && i < 64; i++)
        for (uint32_t k = page->first[i]; k < page->first[i + 1]; k++) {
            const uint64_t rate = wend__graph_rate(graph->coordinates[word << 6 | i],
                                                   graph->coordinates[page->arcs[k].to], page->arcs[k].cost);
            if (rate < least) least = rate;
        }
    block->rates[word & 63] = least;
    block->least = UINT64_MAX;
    for (unsigned i = 0; i < WEND__NODE_PAGES; i++)
        if (block->rates[i] < block->least) block->least = block->rates[i];
}

void wend__graph_sum(wend__graph *graph) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < graph->block_count; i++)
        if (graph->blocks[i]->least < least) least = graph->blocks[i]->least;
    graph->cost_per_unit = least == UINT64_MAX ? 0 : least;
    graph->mean_cost = graph->edges > 0 ? (uint32_t)(graph->cost_sum / graph->edges) : 0;
    graph->symmetric = graph->uneven == 0;
}

uint32_t wend__graph_cost(const wend__graph *graph, uint32_t from, uint32_t to) {
    const wend__arcs arcs = wend__graph_arcs(graph, from);
    const wend__arc *low = arcs.first, *high = arcs.end;
    while (low < high) {
        const wend__arc *middle = low + (high - low) / 2;
        if (middle->to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < arcs.end && low->to == to ? low->cost : 0;
}

/* ---- comparing ---- */

/* Returns the first edge to another node than `at` leads to. */
static const wend__arc *next_target(const wend__arc *at, const wend__arc *end) {
    const uint32_t to = at->to;
    while (at != end && at->to == to) at++;
    return at;
}

static bool compare_node(const wend__graph *before, const wend__graph *now, uint32_t node, wend__graph_change_fn *fn,
                         void *context) {
    wend__arcs a = wend__graph_arcs(before, node), b = wend__graph_arcs(now, node);
    const size_t count = (size_t)(a.end - a.first);
    if (count == (size_t)(b.end - b.first) && memcmp(a.first, b.first, count * sizeof *a.first) == 0) return true;
    while (a.first != a.end || b.first != b.end) {
        const bool old = a.first != a.end && (b.first == b.end || a.first->to <= b.first->to);
        const bool new = b.first != b.end && (a.first == a.end || b.first->to <= a.first->to);
        const uint32_t to = old ? a.first->to : b.first->to;
        const uint32_t was = old ? a.first->cost : 0, is = new ? b.first->cost : 0;
        if (was != is && !fn(context, node, to, was, is)) return false;
        if (old) a.first = next_target(a.first, a.end);
        if (new) b.first = next_target(b.first, b.end);
    }
    return true;
}

/* How many arcs of two pages are the same from the first on, and from the last back. */
typedef struct same_arcs {
    uint32_t ahead, back;
} same_arcs;

/* Counts roughly: by whole lines of AT_ONCE arcs. */
static same_arcs compare_arcs(const wend__graph_page *was, const wend__graph_page *is) {
    enum { AT_ONCE = 16, BYTES = AT_ONCE * sizeof(wend__arc) };
    const uint32_t old = was->first[64], new = is->first[64], most = old < new ? old : new;
    same_arcs same = {0, 0};
    while (same.ahead + AT_ONCE <= most && memcmp(was->arcs + same.ahead, is->arcs + same.ahead, BYTES) == 0)
        same.ahead += AT_ONCE;
    for (uint32_t next = AT_ONCE; next <= most; next += AT_ONCE) {
        if (memcmp(was->arcs + old - next, is->arcs + new - next, BYTES) != 0) break;
        same.back = next;
    }
    return same;
}

/* Compares the nodes of a page whose arcs are not all among those. */
static bool compare_page(const wend__graph *before, const wend__graph *now, uint32_t node, wend__graph_change_fn *fn,
                         void *context) {
    const wend__graph_page *was = before->blocks[node >> 12]->pages[node >> 6 & 63];
    const wend__graph_page *is = now->blocks[node >> 12]->pages[node >> 6 & 63];
    const same_arcs same = compare_arcs(was, is);
    const uint32_t more = is->first[64] - was->first[64], back = was->first[64] - same.back; /* from there on */
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t begin = was->first[i], end = was->first[i + 1];
        if (end <= same.ahead && is->first[i] == begin && is->first[i + 1] == end) continue;
        if (begin >= back && is->first[i] == begin + more && is->first[i + 1] == end + more) continue;
        if (!compare_node(before, now, node | i, fn, context)) return false;
    }
    return true;
}

/* Asserts that nodes of a page that were not written to have the same edges. */
static void validate_untouched(const wend__graph *before, const wend__graph *now, uint32_t page) {
#ifdef WEND_DEBUG
    const uint64_t touched = now->blocks[page >> 6]->touched[page & 63];
    for (uint32_t i = 0; i < 64; i++) {
        const wend__arcs a = wend__graph_arcs(before, page << 6 | i), b = wend__graph_arcs(now, page << 6 | i);
        const size_t count = (size_t)(a.end - a.first);
        if (touched >> i & 1) continue;
        WEND__ASSERT(count == (size_t)(b.end - b.first) && memcmp(a.first, b.first, count * sizeof *a.first) == 0);
    }
#else
    (void)before, (void)now, (void)page;
#endif
}

/* Compares the nodes of a block that was copied from the other's: the address is not another block's, as `before` was
 * there when it was copied. */
static bool compare_touched(const wend__graph *before, const wend__graph *now, uint32_t block,
                            wend__graph_change_fn *fn, void *context) {
    for (uint32_t p = 0; p < WEND__NODE_PAGES; p++) {
        const uint32_t page = block << 6 | p;
        validate_untouched(before, now, page);
        for (uint64_t left = now->blocks[block]->touched[p]; left; left &= left - 1)
            if (!compare_node(before, now, page << 6 | wend__ctz64(left), fn, context)) return false;
    }
    return true;
}

static bool compare_block(const wend__graph *before, const wend__graph *now, uint32_t block, wend__graph_change_fn *fn,
                          void *context) {
    const wend__graph_block *was = before->blocks[block], *is = now->blocks[block];
    if (is->origin == was) return compare_touched(before, now, block, fn, context);
    for (uint32_t p = 0; was != is && p < WEND__NODE_PAGES; p++)
        if (was->pages[p] != is->pages[p] && !compare_page(before, now, block << 12 | p << 6, fn, context))
            return false;
    return true;
}

bool wend__graph_compare(const wend__graph *before, const wend__graph *now, wend__graph_change_fn *fn, void *context) {
    for (uint32_t b = 0; before != now && b < now->block_count; b++)
        if (!compare_block(before, now, b, fn, context)) return false;
    return true;
}
