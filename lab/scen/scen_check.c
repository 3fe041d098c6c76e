/* SPDX-License-Identifier: MIT */
/* Compares the answers of wend scen with the file's lengths and with the map. Every path is walked again, cell by
   cell, by an own implementation of the rules: the library is no witness of its own paths. */
#include <math.h>
#include <stdlib.h>

#include "scen/scen.h"
#include "cli/output/cells.h"

/* Published lengths are rounded to two or more decimals. */
static const double length_slack = 0.0051;

static bool is_open(const scen_map *map, wend_cell cell, uint8_t *factor) {
    uint8_t terrain;
    if (wend_map_get_terrain(map->world.map, cell, &terrain)) return false;
    *factor = map->rules.factors[terrain];
    return *factor > 0;
}

/* The cells of a step's box, by the axes used: bit 0 x, bit 1 y, bit 2 z. */
static bool is_open_by(const scen_map *map, wend_cell from, wend_cell to, unsigned axes) {
    uint8_t unused;
    return is_open(map, (wend_cell){axes & 1 ? to.x : from.x, axes & 2 ? to.y : from.y, axes & 4 ? to.z : from.z},
                   &unused);
}

/* Returns whether all cells of the box are open, or those of one way that takes one axis after another. */
static bool corner_allows(const scen_map *map, wend_cell from, wend_cell to) {
    unsigned moved = (from.x != to.x ? 1u : 0) | (from.y != to.y ? 2u : 0) | (from.z != to.z ? 4u : 0);
    bool all = true, way[8] = {true};
    for (unsigned axes = 1; axes < 8; axes++) {
        if ((axes & ~moved) != 0) continue;
        bool open = is_open_by(map, from, to, axes);
        all = all && open;
        for (unsigned axis = 1; axis < 8 && open; axis *= 2)
            if ((axes & axis) != 0 && way[axes & ~axis]) way[axes] = true;
    }
    switch (map->rules.corners) {
    case WEND_CORNERS_NEVER: return all;
    case WEND_CORNERS_ONE: return way[moved];
    default: return true;
    }
}

/* Returns the number of axes that a step may use. */
static int most_axes(int32_t neighbours) {
    return neighbours == 26 ? 3 : neighbours == 18 || neighbours == 8 ? 2 : 1;
}

/* Returns true if a step leads across a side of a hexagon, in axial coordinates, but along no axis of the map. */
static bool is_oblique(const scen_map *map, wend_cell from, wend_cell to) {
    return map->info.kind == WEND_KIND_GRID && map->rules.neighbours == 6 && to.x - from.x == from.y - to.y;
}

/* Checks one step; adds to the counts and the cost. */
static bool walk_step(const scen_map *map, wend_cell from, wend_cell to, scen_result *result, uint64_t *cost) {
    const wend_map_rules *rules = &map->rules;
    int32_t dx = abs(to.x - from.x), dy = abs(to.y - from.y), dz = abs(to.z - from.z), axes = dx + dy + dz;
    const int32_t costs[3] = {rules->cost_straight, rules->cost_diagonal, rules->cost_space};
    uint8_t factor;
    if (dx > 1 || dy > 1 || dz > 1 || axes == 0 || !is_open(map, to, &factor)) return false;
    if (axes > most_axes(rules->neighbours) && !is_oblique(map, from, to)) return false;
    result->steps[axes - 1]++;
    *cost += (uint64_t)costs[axes - 1] * factor;
    return axes == 1 || corner_allows(map, from, to);
}

/* @return the difference from the file, or NULL */
static const char *walk(const scen_map *map, const scenario_query *query, const wend_cell *cells, scen_result *result) {
    uint64_t cost = 0;
    uint8_t unused;
    for (int i = 0; i < 3; i++) result->steps[i] = 0;
    if (result->count == 0) return "a path without cells";
    if (!cli_same_cell(cells[0], query->start) || !cli_same_cell(cells[result->count - 1], query->goal))
        return "a path with wrong ends";
    if (!is_open(map, query->start, &unused)) return "a path from a blocked start";
    for (size_t i = 1; i < result->count; i++) {
        if (!walk_step(map, cells[i - 1], cells[i], result, &cost)) return "a path that cannot be walked";
    }
    return (int64_t)cost == result->cost ? NULL : "a path that does not cost what it says";
}

static bool is_no(wend_status status) {
    return status == WEND_STATUS_NO_PATH || status == WEND_STATUS_START_BLOCKED || status == WEND_STATUS_GOAL_BLOCKED;
}

double scen_length(const scen_result *result) {
    if (result->status != WEND_STATUS_FOUND) return -1;
    const uint64_t *steps = result->steps;
    return (double)steps[0] + (double)steps[1] * sqrt(2.0) + (double)steps[2] * sqrt(3.0);
}

static const char *judge(const scen_set *set, size_t i, scen_figures *figures) {
    const scenario_query *query = &set->queries[i];
    scen_result *result = &set->results[i];
    bool unreachable = query->length <= 0 && !cli_same_cell(query->start, query->goal);
    if (unreachable && is_no(result->status)) {
        figures->unreachable++;
        return NULL;
    }
    if (result->status != WEND_STATUS_FOUND) return "no path";
    const char *wrong = walk(set->map_of[i], query, set->cells + result->first, result);
    if (wrong) return wrong;
    if (unreachable) return "a path where there is none";
    return fabs(scen_length(result) - query->length) <= length_slack ? NULL : "another length";
}

void scen_check(scen_set *set, scen_figures *figures) {
    figures->mismatches = figures->unreachable = 0;
    for (size_t i = 0; i < set->count; i++) {
        const char *wrong = judge(set, i, figures);
        if (wrong) set->results[i].wrong = wrong; /* a later repetition does not clear it */
        if (set->results[i].wrong) figures->mismatches++;
    }
}
