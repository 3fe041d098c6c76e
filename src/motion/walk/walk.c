/* SPDX-License-Identifier: MIT */
/* Walking a path: steps begin where the newest version allows them, and progress is counted in exact integers. */
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"
#include "motion/walk/walk.h"

/* Where a walk is: cells as points, points between two cells, and facing. */

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

wend_point wend__point_between(const wend_map *map, wend_cell from, wend_cell to, int64_t done, int64_t length) {
    wend_point a, b;
    pass_rim(map, &from, &to, 2 * done >= length);
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
    pass_rim(map, &from, &to, false);
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

enum { UNITS_OF_COST = 1000000, GRAPH_STRAIGHT = 1000 };

WEND__DEFINE_TEXT(wend_walk_event_name, WEND_WALK_EVENTS, "unknown")

int64_t wend__walk_milli(const wend__version *version) {
    int64_t straight = version->kind == WEND_KIND_GRAPH ? GRAPH_STRAIGHT : version->rules.cost_straight;
    return straight * (UNITS_OF_COST / 1000);
}

/* Speed × time in units of progress. A product that does not fit becomes INT64_MAX. */
static int64_t walk_units(const wend__version *version, uint32_t speed_milli, uint32_t elapsed_milli) {
    uint64_t product = (uint64_t)speed_milli * elapsed_milli, scale = (uint64_t)wend__walk_milli(version) / 1000;
    return product > INT64_MAX / scale ? INT64_MAX : (int64_t)(product * scale);
}

/* ---- begin, redirect ---- */

wend_error wend_walk_begin(const wend_map *map, const wend_cell *cells, size_t cell_count, int32_t mover,
                           uint32_t speed_milli, uint32_t flags, wend_walk *out) {
    wend_error error = wend__check_list("cells", cells, cell_count);
    if (!error) error = wend__check_mover(map, mover);
    if (!error) error = wend__check_flags(flags, WEND_WALK_PARTIAL | WEND_WALK_UNITS);
    if (!error) error = wend__check_cell(map, "cells[0]", cells[0]);
    if (error) return error;
    *out = (wend_walk){.cells = cells,
                       .cell_count = (uint32_t)cell_count,
                       .from = cells[0],
                       .mover = mover,
                       .speed_milli = speed_milli,
                       .flags = flags};
    return WEND_OK;
}

wend_error wend_walk_redirect(wend_walk *walk, const wend_cell *cells, size_t cell_count, int32_t partial) {
    wend_error error = wend__check_list("cells", cells, cell_count);
    if (!error) error = wend__check_range("partial", partial, 0, 1);
    if (error) return error;
    wend_cell held = walk->cells[walk->index];
    uint32_t index = 0;
    while (index < cell_count && !wend__same_cell(cells[index], held)) index++;
    if (index == cell_count)
        return wend__refuse(WEND_BAD_ARGUMENT, "cells lacks %d,%d,%d, which the walk holds", held.x, held.y, held.z);
    walk->cells = cells;
    walk->cell_count = (uint32_t)cell_count;
    walk->index = index;
    walk->flags = (walk->flags & ~(uint32_t)WEND_WALK_PARTIAL) | (partial ? WEND_WALK_PARTIAL : 0);
    return WEND_OK;
}

/* ---- advance ---- */

static int32_t last_cell(const wend_walk *walk) {
    return walk->flags & WEND_WALK_PARTIAL ? WEND_WALK_PATH_ENDED : WEND_WALK_ARRIVED;
}

/* Begin the next step of a walk that stands. Any other result than ON: it stays. */
static int32_t begin_step(const wend_map *map, const wend__version *version, wend_walk *walk) {
    if (walk->index + 1 >= walk->cell_count) return last_cell(walk);
    wend_cell here = walk->cells[walk->index], next = walk->cells[walk->index + 1];
    if (!wend__map_has(map, next)) return WEND_WALK_BROKEN;
    uint64_t cost = wend__step_cost(version, walk->mover, here, next);
    if (cost == UINT64_MAX) return WEND_WALK_BROKEN;
    if (walk->flags & WEND_WALK_UNITS &&
        wend__map_occupied(map, next, wend__version_mover_size(version, walk->mover), here))
        return WEND_WALK_UNIT_AHEAD;
    walk->from = here;
    walk->index++;
    walk->done = 0;
    walk->length = (int64_t)cost * UNITS_OF_COST;
    return WEND_WALK_ON;
}

/* Advance by that many units.
 * @return WEND_WALK_… */
static int32_t advance_walk(const wend_map *map, const wend__version *version, wend_walk *walk, int64_t units) {
    for (;;) {
        if (units < walk->length - walk->done) {
            walk->done += units;
            return WEND_WALK_ON;
        }
        units -= walk->length - walk->done;
        walk->done = walk->length = 0;
        if (walk->index + 1 >= walk->cell_count) return last_cell(walk);
        if (units == 0) return WEND_WALK_ON;
        int32_t event = begin_step(map, version, walk);
        if (event != WEND_WALK_ON) return event;
    }
}

wend_error wend_walk_advance(const wend_map *map, wend_walk *walk, uint32_t distance_milli, int32_t *event) {
    wend_error error = wend__check_mover(map, walk->mover);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    int32_t result = advance_walk(map, v, walk, distance_milli * wend__walk_milli(v));
    wend__map_release(v, false);
    if (event) *event = result;
    return WEND_OK;
}

wend_error wend_walk_advance_many(const wend_map *map, wend_walk *walks, size_t count, uint32_t elapsed_milli,
                                  int32_t *events) {
    int32_t movers = wend__map_movers((wend_map *)map);
    wend_error error = WEND_OK;
    for (size_t i = 0; i < count && !error; i++) error = wend__check_mover_below(movers, walks[i].mover);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    for (size_t i = 0; i < count; i++) {
        int64_t units = walk_units(v, walks[i].speed_milli, elapsed_milli);
        int32_t event = advance_walk(map, v, &walks[i], units);
        if (events) events[i] = event;
    }
    wend__map_release(v, false);
    return WEND_OK;
}

/* ---- what is left ---- */

wend_error wend_walk_get_left(const wend_map *map, const wend_walk *walk, uint64_t *left_milli, uint32_t *steps) {
    wend_error error = wend__check_mover(map, walk->mover);
    if (error) return error;
    const wend_cell *cells = walk->cells + walk->index;
    uint32_t count = 0, ahead = walk->cell_count - 1 - walk->index;
    while (count < ahead && wend__map_has(map, cells[count + 1])) count++;
    wend__version *v = wend__map_newest(map);
    uint64_t cost, milli = (uint64_t)wend__walk_milli(v);
    count = (uint32_t)wend__version_walk(v, walk->mover, cells, count, &cost);
    wend__map_release(v, false);
    uint64_t under_way = (uint64_t)(walk->length - walk->done);
    /* cost × UNITS_OF_COST may not fit, so whole straight steps are taken out first. */
    uint64_t straight = milli / (UNITS_OF_COST / 1000), part = cost % straight * UNITS_OF_COST + under_way;
    if (left_milli) *left_milli = cost / straight * 1000 + part / milli + (part % milli != 0);
    if (steps) *steps = count;
    return WEND_OK;
}
