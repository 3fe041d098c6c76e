/* SPDX-License-Identifier: MIT */
/* Free places around a goal. */
#include "crowd/around/free_places.h"

#include "map/components/components.h"
#include "map/movers/views.h"
#include "map/nearest/nearest.h"
#include "map/query/reachable.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"
#include <wend/crowd.h>

static bool is_connected(const wend__places_search *search, wend_cell cell) {
    const wend__version *view = wend__version_view(search->version, search->mover);
    if (!wend__cell_factor(view, cell)) return false;
    if (!wend__cell_factor(view, search->from)) return true; /* it walks out of a wall: nobody knows where to */
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
    wend__flood_begin(search->flood, search->version, search->mover, centre);
    while (count < capacity && wend__flood_next(search->flood, &cell)) {
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
    return wend__map_occupied(u->map, cell, u->size, (wend_cell){-WEND_MAX_MOVER_SIZE, 0, 0}, -1);
}

static wend_error check(const wend_map *map, const wend_places_def *def) {
    wend_error error = wend__check_mover(map, def->mover);
    if (!error) error = wend__check_range("occupied", def->occupied, 0, 1);
    if (!error) error = wend__check_range("max_cells", def->max_cells, 1, INT64_C(1) << 28);
    if (!error) error = wend__check_cell(map, "goal", def->goal);
    return error ? error : wend__check_cell(map, "from", def->from);
}

wend_error wend_map_free_places(wend_map *map, const wend_places_def *def, wend_cell *out, size_t capacity,
                                size_t *count) {
    wend_places_def own = default_def();
    if (!WEND__TAKE(wend_places_def, max_cells, &own, def)) return WEND_BAD_ARGUMENT;
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
