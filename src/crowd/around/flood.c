/* SPDX-License-Identifier: MIT */
/* Cells around a cell, by the cost of the way to them: a plain Dijkstra with a binary heap and a hash table. */
#include "crowd/around/flood.h"

#include "map/kinds/graph.h"
#include "map/links/links.h"
#include "map/query/step_cost.h"

/// A cell that was reached. Its place in the heap is UINT32_MAX once it is done.
typedef struct reached {
    uint64_t cost;
    uint32_t number, place;
} reached;

struct wend__flood {
    uint32_t capacity, count, heap_count, hash_mask;
    reached *cells;
    uint32_t *heap;   ///< cells that are not done, by cost, then number
    uint32_t *hashes; ///< cell + 1; 0: none
    const wend__version *version;
    int32_t mover;
};

enum { LINE = 64 };

static uint32_t hash_slots(uint32_t cells) {
    uint32_t slots = 64;
    while (slots / 2 < cells) slots *= 2;
    return slots;
}

static size_t lines(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

size_t wend__flood_bytes(uint32_t cells) {
    return lines(sizeof(wend__flood)) + lines((size_t)cells * sizeof(reached)) +
           lines((size_t)cells * sizeof(uint32_t)) + lines((size_t)hash_slots(cells) * sizeof(uint32_t));
}

wend__flood *wend__flood_init(void *memory, uint32_t cells) {
    uint8_t *at = memory;
    wend__flood *flood = memory;
    *flood = (wend__flood){.capacity = cells, .hash_mask = hash_slots(cells) - 1};
    flood->cells = (reached *)(void *)(at += lines(sizeof *flood));
    flood->heap = (uint32_t *)(void *)(at += lines((size_t)cells * sizeof(reached)));
    flood->hashes = (uint32_t *)(void *)(at + lines((size_t)cells * sizeof(uint32_t)));
    return flood;
}

/* ---- the heap ---- */

static bool before(const wend__flood *flood, uint32_t a, uint32_t b) {
    const reached *x = &flood->cells[a], *y = &flood->cells[b];
    return x->cost != y->cost ? x->cost < y->cost : x->number < y->number;
}

static void put(wend__flood *flood, uint32_t place, uint32_t cell) {
    flood->heap[place] = cell;
    flood->cells[cell].place = place;
}

static void rise(wend__flood *flood, uint32_t place) {
    const uint32_t cell = flood->heap[place];
    for (; place > 0 && before(flood, cell, flood->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put(flood, place, flood->heap[(place - 1) / 2]);
    put(flood, place, cell);
}

static uint32_t take_first(wend__flood *flood) {
    const uint32_t first = flood->heap[0], cell = flood->heap[--flood->heap_count], count = flood->heap_count;
    uint32_t place = 0;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && before(flood, flood->heap[child + 1], flood->heap[child])) child++;
        if (!before(flood, flood->heap[child], cell)) break;
        put(flood, place, flood->heap[child]);
    }
    if (count > 0) put(flood, place, cell);
    flood->cells[first].place = UINT32_MAX;
    return first;
}

/* ---- cells ---- */

static void reach(wend__flood *flood, uint32_t number, uint64_t cost) {
    uint32_t slot = (uint32_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 32) & flood->hash_mask;
    while (flood->hashes[slot] && flood->cells[flood->hashes[slot] - 1].number != number)
        slot = (slot + 1) & flood->hash_mask;
    uint32_t cell = flood->hashes[slot] - 1;
    if (flood->hashes[slot]) {
        if (flood->cells[cell].place == UINT32_MAX || flood->cells[cell].cost <= cost) return;
        flood->cells[cell].cost = cost;
    } else {
        if (flood->count == flood->capacity) return;
        cell = flood->count++;
        flood->hashes[slot] = cell + 1;
        flood->cells[cell] = (reached){cost, number, 0};
        put(flood, flood->heap_count++, cell);
    }
    rise(flood, flood->cells[cell].place);
}

static void reach_step(wend__flood *flood, wend_cell from, wend_cell to, uint64_t cost) {
    const wend__version *v = flood->version;
    bool on_map = to.x >= 0 && to.y >= 0 && to.z >= 0 && to.x < v->width && to.y < v->height && to.z < v->depth;
    uint64_t step = on_map ? wend__step_cost(v, flood->mover, from, to) : UINT64_MAX;
    if (step != UINT64_MAX) reach(flood, wend__cell_number(v, to), cost + step);
}

static void reach_neighbours(wend__flood *flood, wend_cell from, uint64_t cost) {
    const int32_t layers = flood->version->kind == WEND_KIND_VOXEL;
    for (int32_t z = -layers; z <= layers; z++)
        for (int32_t y = -1; y <= 1; y++)
            for (int32_t x = -1; x <= 1; x++)
                if (x || y || z) reach_step(flood, from, (wend_cell){from.x + x, from.y + y, from.z + z}, cost);
}

static void reach_arcs(wend__flood *flood, wend_cell from, uint64_t cost) {
    const wend__graph *graph = flood->version->graph;
    for (uint32_t i = graph->first[from.x]; i < graph->first[from.x + 1]; i++)
        reach_step(flood, from, (wend_cell){(int32_t)graph->arcs[i].to, 0, 0}, cost);
}

static void reach_links(wend__flood *flood, wend_cell from, uint64_t cost) {
    uint32_t count;
    const wend__links *links = flood->version->links;
    if (!links) return;
    const wend__link *link = wend__links_from(links, wend__cell_number(flood->version, from), &count);
    for (uint32_t i = 0; i < count; i++)
        reach_step(flood, from, wend__cell_of_number(flood->version, link[i].to), cost);
}

void wend__flood_begin(wend__flood *flood, const wend__version *version, int32_t mover, wend_cell start) {
    flood->version = version;
    flood->mover = mover;
    flood->count = flood->heap_count = 0;
    memset(flood->hashes, 0, ((size_t)flood->hash_mask + 1) * sizeof *flood->hashes);
    reach(flood, wend__cell_number(version, start), 0);
}

bool wend__flood_next(wend__flood *flood, wend_cell *out) {
    if (flood->heap_count == 0) return false;
    const reached *cell = &flood->cells[take_first(flood)];
    *out = wend__cell_of_number(flood->version, cell->number);
    const uint64_t cost = cell->cost;
    if (flood->version->kind == WEND_KIND_GRAPH)
        reach_arcs(flood, *out, cost);
    else
        reach_neighbours(flood, *out, cost);
    reach_links(flood, *out, cost);
    return true;
}
