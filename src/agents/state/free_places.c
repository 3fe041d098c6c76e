/* SPDX-License-Identifier: MIT */
/* Free places around a goal: a plain Dijkstra (1959) with a binary heap and a hash table finds them by cost. */
#include "agents/state/free_places.h"

#include "agents/manners/traffic.h"
#include "base/heap.h"
#include "map/components/components.h"
#include "map/kinds/graph.h"
#include "map/kinds/walkers.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/nearest/nearest.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"
#include <wend/crowd.h>
#include <wend/host.h>

/// A cell in the open or closed list. Its place in the heap is UINT32_MAX once it is closed.
typedef struct reached {
    uint64_t cost;
    uint32_t number, place;
} reached;

struct wend__flood {
    uint32_t capacity, count, heap_count, hash_mask;
    reached *cells;
    uint32_t *heap;   ///< open cells, by cost, then number
    uint32_t *hashes; ///< index of the cell, plus 1; 0: none
    const wend__version *version;
    int32_t mover;
};

enum { LINE = 64 };

static uint32_t hash_slots(uint32_t cells) {
    uint32_t slots = 64;
    while (slots / 2 < cells) slots *= 2;
    return slots;
}

static size_t line_bytes(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

size_t wend__flood_bytes(uint32_t cells) {
    return line_bytes(sizeof(wend__flood)) + line_bytes((size_t)cells * sizeof(reached)) +
           line_bytes((size_t)cells * sizeof(uint32_t)) + line_bytes((size_t)hash_slots(cells) * sizeof(uint32_t));
}

wend__flood *wend__flood_init(void *memory, uint32_t cells) {
    uint8_t *at = memory;
    wend__flood *flood = memory;
    *flood = (wend__flood){.capacity = cells, .hash_mask = hash_slots(cells) - 1};
    flood->cells = (reached *)(void *)(at += line_bytes(sizeof *flood));
    flood->heap = (uint32_t *)(void *)(at += line_bytes((size_t)cells * sizeof(reached)));
    flood->hashes = (uint32_t *)(void *)(at + line_bytes((size_t)cells * sizeof(uint32_t)));
    memset(flood->hashes, 0, (size_t)hash_slots(cells) * sizeof *flood->hashes);
    return flood;
}

uint32_t wend__flood_reached(const wend__flood *flood) {
    return flood->count;
}

/* ---- the heap ---- */

static bool costs_less(const wend__flood *flood, uint32_t a, uint32_t b) {
    const reached *x = &flood->cells[a], *y = &flood->cells[b];
    return x->cost != y->cost ? x->cost < y->cost : x->number < y->number;
}

static void put_in_heap(wend__flood *flood, uint32_t *heap, size_t place, uint32_t cell) {
    heap[place] = cell;
    flood->cells[cell].place = (uint32_t)place;
}
WEND__HEAP(flood_open, wend__flood *, uint32_t, costs_less, put_in_heap)

static uint32_t pop_open(wend__flood *flood) {
    const uint32_t first = flood->heap[0], last = flood->heap[--flood->heap_count];
    if (flood->heap_count > 0) flood_open_down(flood, flood->heap, flood->heap_count, 0, last);
    flood->cells[first].place = UINT32_MAX;
    return first;
}

/* ---- cells ---- */

static uint32_t first_slot(const wend__flood *flood, uint32_t number) {
    return (uint32_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 32) & flood->hash_mask;
}

/* Forgets all cells. A cell lies behind its first slot without a gap, so all that is in the table goes. */
static void forget_cells(wend__flood *flood) {
    for (uint32_t i = 0; i < flood->count; i++)
        for (uint32_t slot = first_slot(flood, flood->cells[i].number); flood->hashes[slot];
             slot = (slot + 1) & flood->hash_mask)
            flood->hashes[slot] = 0;
    flood->count = flood->heap_count = 0;
}

static void relax(wend__flood *flood, uint32_t number, uint64_t cost) {
    uint32_t slot = first_slot(flood, number);
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
        flood->cells[cell].place = flood->heap_count++;
    }
    flood_open_up(flood, flood->heap, flood->cells[cell].place, cell);
}

static void relax_step(wend__flood *flood, wend_cell from, wend_cell to, uint64_t cost) {
    const wend__version *v = flood->version;
    bool on_map = to.x >= 0 && to.y >= 0 && to.z >= 0 && to.x < v->width && to.y < v->height && to.z < v->depth;
    uint64_t step = on_map ? wend__step_cost(v, flood->mover, from, to) : UINT64_MAX;
    if (step != UINT64_MAX) relax(flood, wend__cell_number(v, to), cost + step);
}

/* relax_neighbours() for a grid without links: reads the steps once. */
static void relax_flat(wend__flood *flood, wend_cell from, uint64_t cost) {
    static const uint8_t order[] = {WEND__NW, WEND__N, WEND__NE, WEND__W, WEND__E, WEND__SW, WEND__S, WEND__SE};
    const wend__version *view = wend__version_view(flood->version, flood->mover);
    const uint32_t steps = wend__version_steps(view, from.x, from.y);
    for (unsigned k = 0; k < WEND__DIRECTIONS; k++) {
        const unsigned d = order[k];
        const wend_cell to = {from.x + wend__dx[d], from.y + wend__dy[d], 0};
        if (!(steps >> d & 1) || !wend__on_map(view, to.x, to.y)) continue;
        const int64_t step = d < WEND__NE ? view->rules.cost_straight : view->rules.cost_diagonal;
        relax(flood, wend__cell_number(view, to), cost + (uint64_t)step * wend__cell_factor(view, to));
    }
}

static void relax_neighbours(wend__flood *flood, wend_cell from, uint64_t cost) {
    const int32_t layers = flood->version->kind == WEND_KIND_VOXEL;
    for (int32_t z = -layers; z <= layers; z++)
        for (int32_t y = -1; y <= 1; y++)
            for (int32_t x = -1; x <= 1; x++)
                if (x || y || z) relax_step(flood, from, (wend_cell){from.x + x, from.y + y, from.z + z}, cost);
    wend__level_step levels[WEND__LEVEL_STEPS];
    const uint32_t count = wend__level_steps(wend__version_view(flood->version, flood->mover), from, false, levels);
    for (uint32_t i = 0; i < count; i++) relax_step(flood, from, levels[i].cell, cost);
}

static void relax_arcs(wend__flood *flood, wend_cell from, uint64_t cost) {
    const wend__arcs arcs = wend__graph_arcs(flood->version->graph, (uint32_t)from.x);
    for (const wend__arc *arc = arcs.first; arc != arcs.end; arc++)
        relax_step(flood, from, (wend_cell){(int32_t)arc->to, 0, 0}, cost);
}

static void relax_links(wend__flood *flood, wend_cell from, uint64_t cost) {
    uint32_t count;
    const wend__links *links = flood->version->links;
    if (!links) return;
    const wend__link *link = wend__links_from(links, wend__cell_number(flood->version, from), &count);
    for (uint32_t i = 0; i < count; i++)
        relax_step(flood, from, wend__cell_of_number(flood->version, link[i].to), cost);
}

static void flood_begin(wend__flood *flood, const wend__version *version, int32_t mover, wend_cell start) {
    flood->version = version;
    flood->mover = mover;
    forget_cells(flood);
    relax(flood, wend__cell_number(version, start), 0);
}

static bool flood_next(wend__flood *flood, const wend__places_search *search, wend_cell *out) {
    if (flood->heap_count == 0) return false;
    const reached *cell = &flood->cells[pop_open(flood)];
    *out = wend__cell_of_number(flood->version, cell->number);
    const uint64_t cost = cell->cost;
    if (cost > 0 && search->ends && search->ends(search->context, *out)) return true;
    if (flood->version->kind == WEND_KIND_GRAPH)
        relax_arcs(flood, *out, cost);
    else if (flood->version->kind == WEND_KIND_GRID && !flood->version->links)
        relax_flat(flood, *out, cost);
    else
        relax_neighbours(flood, *out, cost);
    relax_links(flood, *out, cost);
    return true;
}

/* ---- places ---- */

static bool is_connected(const wend__places_search *search, wend_cell cell) {
    const wend__version *view = wend__version_view(search->version, search->mover);
    if (!wend__cell_factor(view, cell)) return false;
    if (!wend__cell_factor(view, search->from)) return true; /* an agent inside a wall has no component */
    return wend__version_connected(search->version, search->mover, search->from, cell);
}

bool wend__places_centre(const wend__places_search *search, wend_cell *centre) {
    *centre = search->goal;
    if (is_connected(search, search->goal)) return true;
    const wend__version *view = wend__version_view(search->version, search->mover);
    if (view->kind == WEND_KIND_GRAPH || !wend__cell_factor(view, search->from)) return false;
    return wend__nearest_connected(view, search->from, search->goal, centre);
}

static bool overlaps_any(const wend_cell *places, size_t count, wend_cell cell, int32_t size) {
    for (size_t i = 0; i < count; i++)
        if (wend__places_overlap(places[i], size, cell, size)) return true;
    return false;
}

size_t wend__places_find(const wend__places_search *search, wend_cell centre, wend_cell *out, size_t capacity) {
    const int32_t size = wend__version_mover_size(search->version, search->mover);
    wend_cell cell;
    size_t count = 0;
    flood_begin(search->flood, search->version, search->mover, centre);
    while (count < capacity && flood_next(search->flood, search, &cell)) {
        if (search->taken && search->taken(search->context, cell)) continue;
        if (size > 1 && !search->give && overlaps_any(out, count, cell, size)) continue;
        if (search->give) search->give(search->context, cell, count);
        out[count++] = cell;
    }
    return count;
}

/* ---- in public ---- */

static wend_places_def default_def(void) {
    return (wend_places_def){.struct_bytes = sizeof(wend_places_def), .occupied = 1, .max_cells = 65536};
}

void wend_places_def_init(wend_places_def *def, size_t bytes) {
    const wend_places_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

typedef struct units {
    const wend_map *map;
    int32_t size;
} units;

static bool is_occupied(void *context, wend_cell cell) {
    const units *u = context;
    return wend__map_occupied(u->map, cell, u->size, (wend_cell){-WEND_MAX_MOVER_SIZE, 0, 0});
}

static wend_error check(const wend_map *map, const wend_places_def *def) {
    wend_error error = wend__check_mover(map, def->mover);
    if (!error) error = wend__check_range("max_cells", def->max_cells, 1, INT64_C(1) << 28);
    if (!error) error = wend__check_cell(map, "goal", def->goal);
    return error ? error : wend__check_cell(map, "from", def->from);
}

wend_error wend_map_free_places(wend_map *map, const wend_places_def *def, wend_cell *out, size_t capacity,
                                size_t *count) {
    WEND__ALIVE(map, "the map");
    wend_places_def own = default_def();
    if (!WEND__READ_STRUCT(wend_places_def, max_cells, &own, def)) return WEND_BAD_ARGUMENT;
    wend_error error = check(map, &own);
    if (!error) error = wend__check_room("out", out, capacity);
    if (error) return error;
    const wend_allocator allocator = wend_allocator_default();
    const size_t bytes = wend__flood_bytes(own.max_cells);
    void *memory = wend__allocate(&allocator, bytes, 64);
    if (!memory) return WEND_OUT_OF_MEMORY;
    wend__version *version = wend__map_newest(map);
    units u = {map, wend__version_mover_size(version, own.mover)};
    const wend__places_search search = {.flood = wend__flood_init(memory, own.max_cells),
                                        .version = version,
                                        .mover = own.mover,
                                        .goal = own.goal,
                                        .from = own.from,
                                        .taken = own.occupied ? is_occupied : NULL,
                                        .context = &u};
    wend_cell centre;
    size_t found = wend__places_centre(&search, &centre) ? wend__places_find(&search, centre, out, capacity) : 0;
    wend__map_release(version, false);
    allocator.free(allocator.context, memory, bytes);
    if (count) *count = found;
    return WEND_OK;
}
