/* SPDX-License-Identifier: MIT */
/* Cells as points, points between two cells, and facing. Progress between them is counted in exact integers. */
#include "map/ground/ground.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "motion/walk/points.h"

/* The difference of two points fits into 32 bits. */
enum { MILLI = 1000, LARGEST = WEND_MAX_POINT / MILLI };

static bool fits(int32_t coordinate) {
    return coordinate >= -LARGEST && coordinate <= LARGEST;
}

/* The point of a cell. False: on a graph with a node without coordinates that fit. */
static bool cell_point(const wend_map *map, wend_cell cell, wend_point *out) {
    if (map->kind != WEND_KIND_GRAPH) {
        *out = (wend_point){cell.x * MILLI, cell.y * MILLI, cell.z * MILLI};
        return true;
    }
    wend_cell at;
    if (map->placed && wend__map_has(map, cell) && !wend_map_get_coordinates(map, (uint32_t)cell.x, &at)) {
        if (fits(at.x) && fits(at.y) && fits(at.z)) {
            *out = (wend_point){at.x * MILLI, at.y * MILLI, at.z * MILLI};
            return true;
        }
    }
    *out = (wend_point){fits(cell.x) ? cell.x * MILLI : INT32_MAX, 0, 0};
    return false;
}

/* A step over the rim of a map that wraps, or to another sheet: its first half goes on beyond the first cell, its
 * second half ends at the other. */
static void pass_rim(const wend_map *map, wend_cell *from, wend_cell *to, bool second) {
    if (!map->wrap && !map->sheets) return;
    const wend_cell d = wend__map_apart(map, *from, *to);
    if (d.x < -1 || d.x > 1 || d.y < -1 || d.y > 1) return;
    if (second)
        from->x = to->x - d.x, from->y = to->y - d.y;
    else
        to->x = from->x + d.x, to->y = from->y + d.y;
}

static wend_point point_on_line(const wend_map *map, wend_cell from, wend_cell to, int64_t done, int64_t length) {
    wend_point a, b;
    bool placed = cell_point(map, from, &a), both = cell_point(map, to, &b) && placed;
    if (length == 0) return b;
    if (!both) return a;
    for (; length >= INT64_C(1) << 31; length >>= 1) done >>= 1;
    return (wend_point){wend__part_of_way(a.x, b.x, done, length), wend__part_of_way(a.y, b.y, done, length),
                        wend__part_of_way(a.z, b.z, done, length)};
}

wend_point wend__point_between(const wend_map *map, wend_cell from, wend_cell to, int64_t done, int64_t length) {
    pass_rim(map, &from, &to, 2 * done >= length);
    return point_on_line(map, from, to, done, length);
}

wend_point wend__point_in_step(const wend_map *map, wend_cell from, wend_cell to, int64_t done, int64_t length) {
    pass_rim(map, &from, &to, false);
    return point_on_line(map, from, to, done, length);
}

static int32_t sign_of(int32_t from, int32_t to) {
    return (to > from) - (to < from);
}

wend_cell wend__facing(const wend_map *map, wend_cell from, wend_cell to) {
    wend_point a, b;
    pass_rim(map, &from, &to, false);
    if (!cell_point(map, from, &a) || !cell_point(map, to, &b)) return (wend_cell){0, 0, 0};
    return (wend_cell){sign_of(a.x, b.x), sign_of(a.y, b.y), sign_of(a.z, b.z)};
}

enum { UNITS_OF_COST = 1000000, GRAPH_STRAIGHT = 1000 };

int64_t wend__walk_milli(const wend__version *version) {
    int64_t straight = version->kind == WEND_KIND_GRAPH ? GRAPH_STRAIGHT : version->rules.cost_straight;
    return straight * (UNITS_OF_COST / 1000);
}
