/* SPDX-License-Identifier: MIT */
/* Where a walk is: cells as points, points between two cells, and facing. */
#include "map/version/map.h"
#include "motion/walk/walk.h"

/* The difference of two points fits into 32 bits. */
enum { MILLI = 1000, LARGEST = WEND_MAX_POINT / MILLI };

static bool fits(int32_t coordinate) {
    return coordinate >= -LARGEST && coordinate <= LARGEST;
}

/* The point of a cell. False: on a graph whose node has no coordinates that fit. */
static bool cell_point(const wend_map *map, wend_cell cell, wend_point *out) {
    if (map->kind != WEND_KIND_GRAPH) {
        *out = (wend_point){cell.x * MILLI, cell.y * MILLI, cell.z * MILLI};
        return true;
    }
    const wend_cell *coordinates = map->graph->coordinates;
    if (coordinates && wend__map_has(map, cell)) {
        wend_cell at = coordinates[cell.x];
        if (fits(at.x) && fits(at.y) && fits(at.z)) {
            *out = (wend_point){at.x * MILLI, at.y * MILLI, at.z * MILLI};
            return true;
        }
    }
    *out = (wend_point){fits(cell.x) ? cell.x * MILLI : INT32_MAX, 0, 0};
    return false;
}

wend_point wend__point_between(const wend_map *map, wend_cell from, wend_cell to, int64_t done, int64_t length) {
    wend_point a, b;
    bool placed = cell_point(map, from, &a), both = cell_point(map, to, &b) && placed;
    if (length == 0) return b;
    if (!both) return a;
    for (; length >= INT64_C(1) << 31; length >>= 1) done >>= 1;
    return (wend_point){wend__part_of_way(a.x, b.x, done, length), wend__part_of_way(a.y, b.y, done, length),
                        wend__part_of_way(a.z, b.z, done, length)};
}

static int32_t sign_of(int32_t from, int32_t to) {
    return (to > from) - (to < from);
}

wend_cell wend__facing(const wend_map *map, wend_cell from, wend_cell to) {
    wend_point a, b;
    if (!cell_point(map, from, &a) || !cell_point(map, to, &b)) return (wend_cell){0, 0, 0};
    return (wend_cell){sign_of(a.x, b.x), sign_of(a.y, b.y), sign_of(a.z, b.z)};
}

wend_error wend_walk_get_place(const wend_map *map, const wend_walk *walk, wend_walk_place *out) {
    wend_cell held = walk->cells[walk->index], from = walk->from, to = held;
    bool stands_at_start = held.x == from.x && held.y == from.y && held.z == from.z;
    if (stands_at_start && walk->index + 1 < walk->cell_count) to = walk->cells[walk->index + 1];
    if (!wend__map_has(map, to)) to = held; /* that step is broken */
    wend_walk_place place = {.struct_bytes = sizeof place, .cell = held, .facing = wend__facing(map, from, to)};
    place.steps_left = walk->cell_count - 1 - walk->index;
    place.point = wend__point_between(map, from, held, walk->done, walk->length);
    wend_point centre;
    cell_point(map, held, &centre);
    place.offset = (wend_point){place.point.x - centre.x, place.point.y - centre.y, place.point.z - centre.z};
    return WEND__GIVE(wend_walk_place, facing, out, &place) ? WEND_OK : WEND_BAD_ARGUMENT;
}
