/* SPDX-License-Identifier: MIT */
/* Plain Dijkstra: a cost for each cell and a binary heap that skips outdated entries. */
#include <stdlib.h>

#include "oracle/terrain_copy.h"
#include "shared/array.h"

typedef struct entry {
    uint64_t cost;
    uint32_t cell;
} entry;

struct dijkstra {
    const terrain_copy *land;
    uint64_t *costs;   /* cost + 1 for each cell; 0: not reached */
    uint32_t *reached; /* cells to clear after the call */
    size_t reached_count, reached_capacity;
    entry *heap;
    size_t heap_count, heap_capacity;
    uint64_t closed;
    bool backward; /* steps are taken against their direction */
};

dijkstra *dijkstra_create(const terrain_copy *land) {
    dijkstra *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    search->land = land;
    search->costs = land->cells <= SIZE_MAX / 8 ? calloc((size_t)land->cells, sizeof *search->costs) : NULL;
    if (search->costs) return search;
    free(search);
    return NULL;
}

void dijkstra_free(dijkstra *search) {
    if (!search) return;
    free(search->costs);
    free(search->reached);
    free(search->heap);
    free(search);
}

uint64_t dijkstra_closed(const dijkstra *search) {
    return search->closed;
}

static bool remember(dijkstra *search, uint32_t cell) {
    if (!ARRAY_ROOM(search->reached, search->reached_capacity, search->reached_count + 1)) return false;
    search->reached[search->reached_count++] = cell;
    return true;
}

static bool push(dijkstra *search, entry what) {
    if (!ARRAY_ROOM(search->heap, search->heap_capacity, search->heap_count + 1)) return false;
    size_t at = search->heap_count++;
    for (; at > 0 && search->heap[(at - 1) / 2].cost > what.cost; at = (at - 1) / 2)
        search->heap[at] = search->heap[(at - 1) / 2];
    search->heap[at] = what;
    return true;
}

static entry pop(dijkstra *search) {
    entry top = search->heap[0], last = search->heap[--search->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= search->heap_count) break;
        if (child + 1 < search->heap_count && search->heap[child + 1].cost < search->heap[child].cost) child++;
        if (search->heap[child].cost >= last.cost) break;
        search->heap[at] = search->heap[child];
        at = child;
    }
    search->heap[at] = last;
    return top;
}

/* Relax a cell: the cost is kept where it is the first or lower. */
static bool offer(dijkstra *search, uint32_t cell, uint64_t cost) {
    uint64_t *known = &search->costs[cell];
    if (*known != 0 && *known <= cost + 1) return true;
    if (*known == 0 && !remember(search, cell)) return false;
    *known = cost + 1;
    return push(search, (entry){cost, cell});
}

static bool expand(dijkstra *search, entry from) {
    const terrain_next *nexts;
    const size_t count = terrain_steps(search->land, from.cell, search->backward, &nexts);
    for (size_t i = 0; i < count; i++)
        if (!offer(search, nexts[i].place, from.cost + nexts[i].cost)) return false;
    return true;
}

static void clear(dijkstra *search) {
    for (size_t i = 0; i < search->reached_count; i++) search->costs[search->reached[i]] = 0;
    search->reached_count = search->heap_count = 0;
}

/* `goal` may be no cell at all: then all that can be reached is closed. */
static int64_t run(dijkstra *search, uint64_t goal) {
    while (search->heap_count > 0) {
        entry next = pop(search);
        if (next.cost + 1 != search->costs[next.cell]) continue;
        search->closed++;
        if (next.cell == goal) return (int64_t)next.cost;
        if (!expand(search, next)) return -2;
    }
    return -1;
}

int64_t dijkstra_cost(dijkstra *search, wend_cell start, wend_cell goal) {
    clear(search);
    search->backward = false;
    if (terrain_factor(search->land, start) == 0) return -1;
    if (!offer(search, terrain_index(search->land, start), 0)) return -2;
    return run(search, terrain_index(search->land, goal));
}

bool dijkstra_flood(dijkstra *search, wend_cell goal) {
    clear(search);
    search->backward = true;
    if (terrain_factor(search->land, goal) == 0) return true;
    return offer(search, terrain_index(search->land, goal), 0) && run(search, UINT64_MAX) == -1;
}

int64_t dijkstra_flooded(const dijkstra *search, wend_cell start) {
    return (int64_t)search->costs[terrain_index(search->land, start)] - 1;
}
