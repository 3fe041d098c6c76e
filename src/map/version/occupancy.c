/* SPDX-License-Identifier: MIT */
/* Counts the units on each cell, apart from the versions. */
#include "base/hash.h"
#include "map/ground/ground.h"
#include "map/store/memory.h"
#include "recording/tap/tap.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

#include <stdlib.h>
#include <wend/units.h>

/* ---- memory ---- */

static wend_error found(wend_map *map) {
    wend__version *v = wend__map_newest(map);
    int32_t columns = v->chunk_columns, chunk_y = v->chunk_y;
    size_t chunks = (size_t)v->chunk_columns * (size_t)v->chunk_rows;
    wend__map_release(v, false);
    size_t bytes = sizeof(wend__occupancy) + chunks * sizeof(uint8_t *);
    wend__occupancy *occupancy = wend__map_alloc(map, bytes);
    if (!occupancy) return WEND_OUT_OF_MEMORY;
    *occupancy = (wend__occupancy){map->kind, chunk_y, columns, chunks, bytes, 0};
    for (size_t i = 0; i < chunks; i++) occupancy->planes[i] = NULL;
    map->occupancy = occupancy;
    return WEND_OK;
}

void wend__occupancy_free(wend_map *map) {
    wend__occupancy *occupancy = map->occupancy;
    if (!occupancy) return;
    for (size_t i = 0; i < occupancy->chunks; i++) wend__map_free(map, occupancy->planes[i], WEND__CHUNK_CELLS);
    wend__map_free(map, occupancy, occupancy->bytes);
    map->occupancy = NULL;
}

static bool is_empty(const uint8_t *plane) {
    return plane[0] == 0 && memcmp(plane, plane + 1, WEND__CHUNK_CELLS - 1) == 0;
}

void wend__occupancy_trim(wend_map *map, const wend__version *version) {
    wend__occupancy *occupancy = map->occupancy;
    for (size_t i = 0; occupancy && i < occupancy->chunks; i++) {
        const int32_t column = (int32_t)i % occupancy->columns, row = (int32_t)i / occupancy->columns;
        if (!occupancy->planes[i] || wend__version_chunk(version, column, row)->land == WEND_LAND_LOADED) continue;
        if (!is_empty(occupancy->planes[i])) continue;
        wend__map_free(map, occupancy->planes[i], WEND__CHUNK_CELLS);
        occupancy->planes[i] = NULL;
    }
}

static uint8_t **plane_of(const wend_map *map, wend__place place) {
    WEND__DEBUG_ASSERT(place.column >= 0 && place.row >= 0 && place.column < map->occupancy->columns);
    return &map->occupancy->planes[(size_t)place.row * (size_t)map->occupancy->columns + (size_t)place.column];
}

/* Returns the count of a cell's units; NULL: its chunk never had one. */
static uint8_t *count_of(const wend_map *map, wend_cell cell) {
    if (!map->occupancy) return NULL;
    const wend__place place = wend__place_in(map->kind, map->occupancy->chunk_y, cell);
    uint8_t *plane = *plane_of(map, place);
    return plane ? plane + place.local : NULL;
}

/* A failing call changes nothing. */
static wend_error make_room(wend_map *map, wend_cell cell, uint8_t **count) {
    const bool is_first = !map->occupancy;
    if (is_first && found(map)) return WEND_OUT_OF_MEMORY;
    wend__place place = wend__place_in(map->kind, map->occupancy->chunk_y, cell);
    uint8_t **plane = plane_of(map, place);
    if (!*plane) {
        *plane = wend__map_alloc(map, WEND__CHUNK_CELLS);
        if (!*plane) {
            if (is_first) wend__occupancy_free(map);
            return WEND_OUT_OF_MEMORY;
        }
        memset(*plane, 0, WEND__CHUNK_CELLS);
    }
    *count = *plane + place.local;
    return WEND_OK;
}

/* ---- a hash of all units ---- */

/* Returns what a unit on a cell adds to the hash. */
static uint64_t hash_of_unit(wend_cell cell) {
    const uint64_t plane = (uint64_t)(uint32_t)cell.x << 32 | (uint32_t)cell.y;
    return wend__mix64(wend__mix64(plane + 1) + (uint32_t)cell.z);
}

#ifdef WEND_DEBUG
static uint64_t hash_all(const wend__occupancy *occupancy, const wend__version *version) {
    uint64_t hash = 0;
    for (size_t i = 0; i < occupancy->chunks; i++) {
        wend__place at = {(int32_t)i % occupancy->columns, (int32_t)i / occupancy->columns, 0};
        for (; occupancy->planes[i] && at.local < WEND__CHUNK_CELLS; at.local++)
            if (occupancy->planes[i][at.local] > 0)
                hash += occupancy->planes[i][at.local] * hash_of_unit(wend__cell_of_place(version, at));
    }
    return hash;
}
#endif

uint64_t wend__occupancy_hash(const wend_map *map, const wend__version *version) {
    (void)version;
    if (!map->occupancy) return 0;
    WEND__DEBUG_ASSERT(map->occupancy->hash == hash_all(map->occupancy, version));
    return map->occupancy->hash;
}

/* ---- functions for the host ---- */

wend_error wend__map_occupy(wend_map *map, wend_cell cell, bool told) {
    const wend_error error = wend__check_cell(map, "cell", cell);
    return error ? error : wend__map_restore_unit(map, cell, told);
}

wend_error wend__map_restore_unit(wend_map *map, wend_cell cell, bool told) {
    uint8_t *count;
    const wend_error error = make_room(map, cell, &count);
    if (error) return error;
    if (*count == WEND_MAX_OCCUPANTS)
        return wend__refuse(WEND_BUSY, "the cell has %d units, the most that it can have", WEND_MAX_OCCUPANTS);
    if (*count == 0) wend__derivations_moved(map, cell, true);
    ++*count;
    map->occupancy->hash += hash_of_unit(cell);
    if (told) wend__tap_moved(map, cell, true);
    return WEND_OK;
}

/* Units may still stand where a graph's node was removed. */
wend_error wend__map_vacate(wend_map *map, wend_cell cell, bool told) {
    uint8_t *count = wend__map_inside(map, cell) ? count_of(map, cell) : NULL;
    if (!count || *count == 0) {
        if (!wend__map_has(map, cell)) return wend__refuse_cell(map, "cell", cell);
        return wend__refuse(WEND_EMPTY, "no unit stands on the cell");
    }
    WEND__DEBUG_ASSERT(*count <= WEND_MAX_OCCUPANTS);
    if (told) wend__tap_moved(map, cell, false);
    if (--*count == 0) wend__derivations_moved(map, cell, false);
    map->occupancy->hash -= hash_of_unit(cell);
    return WEND_OK;
}

wend_error wend_map_occupy(wend_map *map, wend_cell cell) {
    WEND__ALIVE(map, "the map");
    return wend__map_occupy(map, cell, true);
}

wend_error wend_map_vacate(wend_map *map, wend_cell cell) {
    WEND__ALIVE(map, "the map");
    return wend__map_vacate(map, cell, true);
}

wend_error wend_map_get_occupants(const wend_map *map, wend_cell cell, uint32_t *count) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_cell(map, "cell", cell);
    if (!error && count) *count = wend__occupancy_at(map->occupancy, cell);
    return error;
}

/* ---- queries of searches and deliveries ---- */

uint32_t wend__map_occupants(const wend_map *map, wend_cell cell) {
    WEND__DEBUG_ASSERT(wend__map_inside(map, cell));
    return wend__occupancy_at(map->occupancy, cell);
}

static bool covers(wend_cell corner, int32_t size, int32_t depth, wend_cell cell) {
    int32_t x = cell.x - corner.x, y = cell.y - corner.y, z = cell.z - corner.z;
    return x >= 0 && x < size && y >= 0 && y < size && z >= 0 && z < depth;
}

/* Returns whether units on a cell count. */
static bool is_in_range(const wend_map *map, wend_cell cell, const wend__unit_range *range) {
    const wend_cell a = cell, b = range->start;
    if (range->within < 0) return true;
    if (map->sheets) return wend__sheets_in_range(map->sheets, range, cell);
    const uint32_t x = wend__way_round(wend__distance(a.x, b.x), map->wrap & WEND_WRAP_X ? map->width : 0);
    const uint32_t y = wend__way_round(wend__distance(a.y, b.y), map->wrap & WEND_WRAP_Y ? map->height : 0);
    return wend__most(wend__most((int32_t)x, (int32_t)y), abs(a.z - b.z)) <= range->within;
}

bool wend__map_occupied_in(const wend_map *map, wend_cell cell, int32_t size, const wend__unit_range *range) {
    const wend__occupancy *occupancy = map->occupancy;
    if (!occupancy) return false;
    int32_t layers = map->kind == WEND_KIND_VOXEL ? size : 1;
    for (int32_t z = cell.z; z < cell.z + layers && z < map->depth; z++)
        for (int32_t y = cell.y; y < cell.y + size && y < map->height; y++)
            for (int32_t x = cell.x; x < cell.x + size && x < map->width; x++) {
                wend_cell c = {x, y, z};
                if (wend__occupancy_at(occupancy, c) && !covers(range->start, size, layers, c) &&
                    is_in_range(map, c, range))
                    return true;
            }
    return false;
}

bool wend__map_occupied(const wend_map *map, wend_cell cell, int32_t size, wend_cell start) {
    wend__unit_range range;
    range.start = start, range.within = -1;
    return wend__map_occupied_in(map, cell, size, &range);
}
