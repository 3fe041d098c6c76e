/* SPDX-License-Identifier: MIT */
/* Holds the answers of wend scen against the file's lengths and the map. Every path is walked here anew, by rules
   written down a second time, cell by cell: what the library says about its own paths is no evidence. */
#include <math.h>
#include <stdlib.h>

#include "scen.h"

/* Published lengths are rounded to two or more decimals. */
static const double length_slack = 0.0051;

static bool is_open(const scen_map *map, int32_t x, int32_t y, uint8_t *factor) {
    uint8_t terrain;
    if (wend_map_terrain(map->world.map, (wend_cell){x, y, 0}, &terrain) != WEND_OK) return false;
    *factor = map->info.rules.factors[terrain];
    return *factor > 0;
}

static bool corner_allows(const scen_map *map, wend_cell from, wend_cell to) {
    uint8_t unused;
    int sides = is_open(map, to.x, from.y, &unused) + is_open(map, from.x, to.y, &unused);
    switch (map->info.rules.corners) {
    case WEND_CORNERS_NEVER: return sides == 2;
    case WEND_CORNERS_ONE: return sides >= 1;
    default: return true;
    }
}

static bool same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* One step; adds to the counts and the cost. */
static bool walk_step(const scen_map *map, wend_cell from, wend_cell to, scen_result *result, uint64_t *cost) {
    int32_t dx = abs(to.x - from.x), dy = abs(to.y - from.y);
    uint8_t factor;
    if (dx > 1 || dy > 1 || dx + dy == 0 || to.z != 0 || !is_open(map, to.x, to.y, &factor)) return false;
    if (dx + dy == 1) {
        result->straight++;
        *cost += (uint64_t)map->info.rules.cost_straight * factor;
        return true;
    }
    result->diagonal++;
    *cost += (uint64_t)map->info.rules.cost_diagonal * factor;
    return map->info.rules.neighbours == 8 && corner_allows(map, from, to);
}

/* @return what is wrong, or NULL */
static const char *walk(const scen_map *map, const wend_scen_query *query, const wend_cell *cells,
                        scen_result *result) {
    uint64_t cost = 0;
    uint8_t unused;
    result->straight = result->diagonal = 0;
    if (result->count == 0) return "a path without cells";
    if (!same(cells[0], query->start) || !same(cells[result->count - 1], query->goal)) return "a path with wrong ends";
    if (!is_open(map, query->start.x, query->start.y, &unused)) return "a path from a blocked start";
    for (size_t i = 1; i < result->count; i++) {
        if (!walk_step(map, cells[i - 1], cells[i], result, &cost)) return "a path that cannot be walked";
    }
    return (int64_t)cost == result->cost ? NULL : "a path that does not cost what it says";
}

static bool is_no(int32_t status) {
    return status == WEND_STATUS_NO_PATH || status == WEND_STATUS_START_BLOCKED || status == WEND_STATUS_GOAL_BLOCKED;
}

double scen_length(const scen_result *result) {
    if (result->status != WEND_STATUS_FOUND) return -1;
    return (double)result->straight + (double)result->diagonal * sqrt(2.0);
}

static const char *judge(const scen_set *set, size_t i, scen_figures *figures) {
    const wend_scen_query *query = &set->queries[i];
    scen_result *result = &set->results[i];
    bool unreachable = query->length <= 0 && !same(query->start, query->goal);
    if (unreachable && is_no(result->status)) {
        figures->unreachable++;
        return NULL;
    }
    if (result->status != WEND_STATUS_FOUND) return "no path";
    const char *wrong = walk(set->map_of[i], query, set->cells + result->first, result);
    if (wrong != NULL) return wrong;
    if (unreachable) return "a path where there is none";
    return fabs(scen_length(result) - query->length) <= length_slack ? NULL : "another length";
}

void scen_check(scen_set *set, scen_figures *figures) {
    figures->mismatches = figures->unreachable = 0;
    for (size_t i = 0; i < set->count; i++) {
        const char *wrong = judge(set, i, figures);
        if (wrong != NULL) set->results[i].wrong = wrong; /* stays, whatever a repetition brings */
        if (set->results[i].wrong != NULL) figures->mismatches++;
    }
}
