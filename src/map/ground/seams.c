/* SPDX-License-Identifier: MIT */
/* Seams: steps in the set of links, as the arrays of the map do not show them. The set contains all seams of the
 * ground, whatever the terrain: the cost of a seam, and whether it can be crossed, is read from the cells on demand. So
 * an edit leaves seams unchanged, and each mover sees its own costs. */
#include "map/ground/ground.h"
#include "map/store/directions.h"
#include "map/store/memory.h"

/* Returns whether an edit closed the step in direction d out of a cell. Steps over the rim are never closed. */
static bool step_is_closed(const wend__version *view, wend_cell cell, int32_t d) {
    const wend__place p = wend__place_of(view, cell);
    const wend__closed *closed = wend__version_chunk(view, p.column, p.row)->closed;
    return closed && closed->steps[p.local] >> d & 1;
}

/* Returns whether a corner can be passed on one side: a step by `first`, then one by `second`. */
static bool goes_round(const wend__version *view, wend_cell from, wend_cell first, wend_cell second) {
    const wend_cell side = wend__wrapped_cell(view, (wend_cell){from.x + first.x, from.y + first.y, 0});
    if (!wend__cell_factor(view, side)) return false;
    return !step_is_closed(view, from, wend__flat_direction(first.x, first.y)) &&
           !step_is_closed(view, side, wend__flat_direction(second.x, second.y));
}

/* The same by steps of the map and by seams, to a given cell. */
static bool steps_to(const wend__version *view, wend_cell from, wend_cell to) {
    const int32_t d = wend__flat_direction(to.x - from.x, to.y - from.y);
    if (d >= 0 && wend__lie_together(view, from, to))
        return wend__cell_factor(view, to) && !step_is_closed(view, from, d);
    return wend__cell_factor(view, to) && wend__links_cost(view->links, wend__cell_number(view, from),
                                                           wend__cell_number(view, to)) == WEND__SHEET_SEAM;
}

/* Returns whether a corner can be passed on one side, also between sheets: straight by `first` to any cell that lies
 * there, then straight to `to`. */
static bool goes_round_to(const wend__version *view, wend_cell from, wend_cell first, wend_cell to) {
    const wend_cell side = {from.x + first.x, from.y + first.y, 0};
    uint32_t count = 0;
    if (wend__on_map(view, side.x, side.y) && steps_to(view, from, side) && steps_to(view, side, to)) return true;
    const uint32_t number = wend__cell_number(view, from);
    const wend__link *links = view->links ? wend__links_from(view->links, number, &count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (links[i].cost != WEND__SHEET_SEAM) continue;
        const wend_cell at = wend__cell_of_number(view, links[i].to), d = wend__place_difference(view, from, at);
        if (d.x == first.x && d.y == first.y && wend__cell_factor(view, at) && steps_to(view, at, to)) return true;
    }
    return false;
}

static bool allows_corner(const wend__version *view, wend_cell from, wend_cell to, wend_cell d) {
    if (view->rules.neighbours == 4) return false;
    if (view->rules.corners == WEND_CORNERS_ALWAYS) return true;
    const wend_cell across = {d.x, 0, 0}, down = {0, d.y, 0};
    const int32_t ways = view->sheets ? goes_round_to(view, from, across, to) + goes_round_to(view, from, down, to)
                                      : goes_round(view, from, across, down) + goes_round(view, from, down, across);
    return ways >= (view->rules.corners == WEND_CORNERS_NEVER ? 2 : 1);
}

uint32_t wend__seam_cost(const wend__version *view, wend_cell from, wend_cell to) {
    const uint32_t factor = wend__cell_factor(view, to);
    const wend_cell d = wend__place_difference(view, from, to);
    if (d.x == 0 || d.y == 0) return factor * (uint32_t)view->rules.cost_straight;
    return factor && allows_corner(view, from, to, d) ? factor * (uint32_t)view->rules.cost_diagonal : 0;
}

/* Adds the steps over seams to other sheets. A step of the map in the same direction takes precedence. */
static uint32_t add_sheet_seams(const wend__version *view, wend_cell cell, uint32_t steps,
                                wend_cell ends[WEND__DIRECTIONS]) {
    uint32_t count = 0;
    const wend__link *links = view->links ? wend__links_from(view->links, wend__cell_number(view, cell), &count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (links[i].cost != WEND__SHEET_SEAM) continue;
        const wend_cell end = wend__cell_of_number(view, links[i].to), way = wend__place_difference(view, cell, end);
        const int32_t d = wend__flat_direction(way.x, way.y);
        if (d < 0 || steps >> d & 1 || !wend__seam_cost(view, cell, end)) continue;
        steps |= 1u << d;
        ends[d] = end;
    }
    return steps;
}

uint32_t wend__steps_round(const wend__version *view, wend_cell cell, wend_cell ends[WEND__DIRECTIONS]) {
    uint32_t steps = wend__version_steps(view, cell.x, cell.y);
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const wend_cell to = {cell.x + wend__dx[d], cell.y + wend__dy[d], 0};
        ends[d] = wend__wrapped_cell(view, to);
        if (!wend__wraps(view) || wend__on_map(view, to.x, to.y) || !wend__on_map(view, ends[d].x, ends[d].y)) continue;
        if (wend__seam_cost(view, cell, ends[d])) steps |= 1u << d;
    }
    return view->sheets ? add_sheet_seams(view, cell, steps, ends) : steps;
}

static bool seam_over(const wend__version *view, wend_cell from, int32_t dx, int32_t dy, wend_cell *to) {
    const uint32_t number = wend__cell_number(view, from);
    uint32_t count = 0;
    if (!view->links || !wend__links_maybe(view->links, number)) return false;
    const wend__link *links = wend__links_from(view->links, number, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (links[i].cost != WEND__SHEET_SEAM) continue;
        const wend_cell end = wend__cell_of_number(view, links[i].to), d = wend__place_difference(view, from, end);
        if (d.x != dx || d.y != dy || !wend__seam_cost(view, from, end)) continue;
        *to = end;
        return true;
    }
    return false;
}

bool wend__step_over(const wend__version *view, wend_cell from, int32_t dx, int32_t dy, wend_cell *to) {
    const wend_cell beside = {from.x + dx, from.y + dy, 0};
    const bool near = wend__on_map(view, beside.x, beside.y) && wend__lie_together(view, from, beside);
    wend_cell a, b, other;
    if (dx && dy && view->rules.neighbours == 4)
        return wend__step_over(view, from, dx, 0, &a) && wend__step_over(view, a, 0, dy, to) &&
               wend__step_over(view, from, 0, dy, &b) && wend__step_over(view, b, dx, 0, &other) && to->x == other.x &&
               to->y == other.y;
    *to = beside;
    if (near && wend__version_steps(view, from.x, from.y) >> wend__flat_direction(dx, dy) & 1) return true;
    return seam_over(view, from, dx, dy, to);
}

bool wend__seam_connects(const wend__version *view, wend_cell from, wend_cell to) {
    const wend_cell d = wend__place_difference(view, from, to);
    const bool always = view->rules.neighbours != 4 && view->rules.corners == WEND_CORNERS_ALWAYS;
    return d.x == 0 || d.y == 0 || always;
}

void wend__seams_into(const wend__version *v, wend_cell to, wend__seam_taker *take, void *context) {
    if (!v->sheets || !v->links) return;
    const wend__place p = wend__place_of(v, to);
    const uint64_t chunk = (uint64_t)p.row * (uint64_t)v->chunk_columns + (uint64_t)p.column;
    const wend__link_list list = wend__links_of_chunks(v, v->links, true, chunk, 1);
    const uint32_t number = wend__cell_number(v, to);
    for (uint32_t i = 0; i < list.count; i++) {
        const wend__link *link = &v->links->sorted[list.links[i]];
        if (link->to == number && link->cost == WEND__SHEET_SEAM) take(context, wend__cell_of_number(v, link->from));
    }
}

/* ---- the rim ---- */

/* Counts the steps from a cell over the rim, and writes the numbers of the cells that they enter, in order; `out` NULL:
 * only counts. */
static uint32_t list_beyond(const wend__version *v, int32_t x, int32_t y, uint32_t *out) {
    uint32_t count = 0, found[WEND__DIRECTIONS];
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const wend_cell to = {x + wend__dx[d], y + wend__dy[d], 0}, end = wend__wrapped_cell(v, to);
        if (wend__on_map(v, to.x, to.y) || !wend__on_map(v, end.x, end.y)) continue;
        const uint32_t number = wend__cell_number(v, end);
        uint32_t at = count++;
        for (; at > 0 && found[at - 1] > number; at--) found[at] = found[at - 1];
        found[at] = number;
    }
    for (uint32_t i = 0; out && i < count; i++) out[i] = found[i];
    return count;
}

/* Writes the seams in the order of the cells; NULL: only counts them. */
static uint32_t list_rim(const wend__version *v, wend__link *out) {
    uint32_t count = 0;
    for (int32_t y = 0; y < v->height; y++) {
        const bool whole = v->around_y && (y == 0 || y == v->height - 1);
        for (int32_t x = 0; x < v->width; x += whole || x == v->width - 1 ? 1 : v->width - 1) {
            uint32_t ends[WEND__DIRECTIONS];
            const uint32_t beyond = list_beyond(v, x, y, ends);
            for (uint32_t i = 0; out && i < beyond; i++)
                out[count + i] = (wend__link){wend__cell_number(v, (wend_cell){x, y, 0}), ends[i], WEND__SEAM, 0};
            count += beyond;
        }
    }
    return count;
}

wend_error wend__rim_seams(wend__version *version) {
    wend__links *links = wend__links_create(version, list_rim(version, NULL));
    if (!links) return WEND_OUT_OF_MEMORY;
    list_rim(version, (wend__link *)links->sorted);
    const wend_error error = wend__links_index(version, links);
    if (error)
        wend__shared_release(version->map, links);
    else
        version->links = links;
    return error;
}
