/* SPDX-License-Identifier: MIT */
/* Distances on a map with sheets: in the goal's sheet by the way between places; in another sheet at least the distance
 * of the seams on the way there. Sheets join in that order, as in Prim's algorithm (1957). */
#include "map/ground/ground.h"
#include "map/nearest/nearest.h"

/* Returns the way to a seam's farther end on an empty map; UINT64_MAX: an end is not within the radius. */
static uint64_t way_to_seam(const wend__version *v, wend_cell goal, int32_t radius, wend_cell from, wend_cell to) {
    const wend_cell ends[2] = {wend__place_difference(v, goal, from), wend__place_difference(v, goal, to)};
    uint64_t most = 0;
    for (int i = 0; i < 2; i++) {
        const uint32_t x = wend__distance(ends[i].x, 0), y = wend__distance(ends[i].y, 0);
        const uint64_t way = wend__empty_way(&v->rules, x, y, 0);
        if (x > (uint32_t)radius || y > (uint32_t)radius) return UINT64_MAX;
        if (way > most) most = way;
    }
    return most;
}

static bool has_joined(const wend__sheet_joining *j, uint32_t sheet) {
    return j->joined[sheet / 64] >> sheet % 64 & 1;
}

static void join_sheet(wend__sheet_joining *j, uint32_t sheet) {
    j->joined[sheet / 64] |= UINT64_C(1) << sheet % 64;
    j->sheet = sheet;
}

void wend__sheets_join_first(wend__sheet_joining *j, const wend__version *v, wend_cell goal) {
    memset(j, 0, sizeof *j);
    join_sheet(j, wend__sheet_part_of(v, goal)->sheet);
}

bool wend__sheets_join_next(wend__sheet_joining *j, const wend__version *v, wend_cell goal, int32_t radius) {
    uint64_t least = UINT64_MAX;
    uint32_t next = 0;
    for (uint32_t i = 0; !j->apart && v->links && i < v->links->count; i++) {
        const wend__link *link = &v->links->sorted[i];
        if (link->cost != WEND__SHEET_SEAM) continue;
        const wend_cell from = wend__cell_of_number(v, link->from), to = wend__cell_of_number(v, link->to);
        const uint32_t sheet = wend__sheet_part_of(v, from)->sheet;
        if (has_joined(j, sheet) || !has_joined(j, wend__sheet_part_of(v, to)->sheet)) continue;
        const uint64_t way = way_to_seam(v, goal, radius, from, to);
        if (way < least || (way == least && sheet < next)) least = way, next = sheet;
    }
    j->apart = least == UINT64_MAX;
    if (!j->apart) {
        j->floor = least > j->floor ? least : j->floor;
        join_sheet(j, next);
        return true;
    }
    if (radius < WEND__NEAREST_FAR) return false;
    while (next <= v->sheets->count && has_joined(j, next)) next++;
    if (next <= v->sheets->count) join_sheet(j, next);
    return next <= v->sheets->count;
}

wend__nearness wend__nearness_in_sheet(const wend__sheet_joining *j, uint64_t way) {
    if (j->apart) return (wend__nearness){WEND__NEARNESS_APART | way, way};
    return (wend__nearness){way > j->floor ? way : j->floor, way};
}

wend__nearness wend__nearness_on_sheets(const wend__version *v, wend_cell goal, wend_cell cell) {
    const wend_cell d = wend__place_difference(v, goal, cell);
    const uint32_t sheet = wend__sheet_part_of(v, cell)->sheet;
    wend__sheet_joining j;
    wend__sheets_join_first(&j, v, goal);
    while (!has_joined(&j, sheet) && wend__sheets_join_next(&j, v, goal, WEND__NEAREST_FAR)) continue;
    return wend__nearness_in_sheet(&j, wend__empty_way(&v->rules, wend__distance(d.x, 0), wend__distance(d.y, 0), 0));
}

bool wend__nearness_may_be(const wend__version *v, const wend_cell *goals, uint32_t count, wend_cell cell,
                           wend__nearness best) {
    for (uint32_t i = 0; i < count; i++) {
        const wend_cell d = wend__place_difference(v, goals[i], cell);
        const uint64_t way = wend__empty_way(&v->rules, wend__distance(d.x, 0), wend__distance(d.y, 0), 0);
        if (!wend__nearer(best, (wend__nearness){way, way})) return true;
    }
    return false;
}

/* ---- the search ---- */

bool wend__nearest_next_sheet(wend__nearest *n, const wend__nearest_query *query) {
    const wend__version *v = n->view;
    const wend_cell goal = query->goals[n->goal], place = wend__place_on_ground(v, goal);
    if (!n->joins)
        wend__sheets_join_first(&n->joining, v, goal);
    else if (n->points += v->links ? v->links->count : 0, !wend__sheets_join_next(&n->joining, v, goal, n->radius))
        return false;
    n->joins = true;
    if (n->found && wend__nearer(n->nearness, wend__nearness_in_sheet(&n->joining, 0))) return false;
    const uint32_t sheet = n->joining.sheet;
    const wend_box whole = {{0, 0, 0}, {v->width - 1, v->height - 1, 0}};
    const wend_sheet none = {whole, {0, 0, 0}}, *of = sheet > 0 ? &v->sheets->list[sheet - 1] : &none;
    n->part = of->box;
    n->image = (wend_cell){place.x - of->ground.x + of->box.min.x, place.y - of->ground.y + of->box.min.y, 0};
    return true;
}
