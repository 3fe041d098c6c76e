/* SPDX-License-Identifier: MIT */
/* Turns around corners of blocked cells, on plain ground. The shortest line within the triangle of a turn and its
 * neighbours is the hull of the blocked corners there; turns are the cells next to its corners. */
#include "map/query/step_cost.h"
#include "motion/pull/corners.h"
#include "motion/pull/window.h"

#include <stdlib.h>

enum {
    MOST_CORNERS = 4,    ///< most corners of a bend
    LEAST_GAIN = 1 << 14 ///< least gain of a change: 1/64 of a cell
};

/* Returns cell i of the four around a corner. */
static wend_cell cell_at_corner(wend__milli_point corner, int32_t i) {
    return (wend_cell){wend__corner_before(corner.x) + (i & 1), wend__corner_before(corner.y) + (i >> 1), 0};
}

/* The least wend__hull_turn() of a corner that a piece may pass. */
static int64_t least_turn(const wend__pull *pull) {
    return pull->touches ? 0 : 1;
}

/* Returns whether all corners lie inside of a line, or on it if a line may touch a corner. */
static bool keeps_corners(const wend__pull *pull, const wend__hull *hull, wend_cell a, wend_cell b) {
    for (int32_t i = 1; i + 1 < hull->count; i++)
        if (wend__hull_turn(hull, wend__cell_spot(a), wend__cell_spot(b), hull->point[i]) < least_turn(pull))
            return false;
    return true;
}

/* Finds the cells around one from which the line to an end keeps the corners. */
static void cells_beside(const wend__pull *pull, const wend__hull *hull, wend_cell centre, wend_cell end, bool from_a,
                         wend__pull_cells *out) {
    out->count = 0;
    for (int32_t i = 0; i < WEND__AROUND; i++) {
        wend_cell c;
        if (!wend__pull_cell_around(pull, centre, i, &c) || !wend__cell_factor(pull->view, c)) continue;
        if (!(from_a ? keeps_corners(pull, hull, end, c) : keeps_corners(pull, hull, c, end))) continue;
        out->line[out->count] = wend__cell_distance(pull->version, end, c);
        out->cell[out->count++] = c;
    }
}

static void drop_cell(wend__pull_cells *of, int32_t i) {
    WEND__DEBUG_ASSERT(i >= 0 && i < of->count);
    of->cell[i] = of->cell[--of->count];
    of->line[i] = of->line[of->count];
}

/* Finds the cheapest one or two turns among these cells that are surely cheaper than the present turn. */
static bool cheapest_turns(const wend__pull *pull, const wend__hull *hull, const wend__pull_cells *u,
                           const wend__pull_cells *v, uint64_t limit, int32_t best[2], wend__price *middle) {
    bool found = false;
    for (int32_t k = 0; k < u->count; k++)
        for (int32_t n = 0; n < v->count; n++) {
            const uint64_t ends = u->line[k].high + v->line[n].high;
            if (ends >= limit || !keeps_corners(pull, hull, u->cell[k], v->cell[n])) continue;
            const wend__price line = wend__cell_distance(pull->version, u->cell[k], v->cell[n]);
            if (ends + line.high >= limit) continue;
            limit = ends + line.high, best[0] = k, best[1] = n, *middle = line, found = true;
        }
    return found;
}

/* A candidate: one turn or two, next to a cell, instead of the turn. */
static bool turn_beside(wend__pull *pull, uint32_t i, const wend__hull *hull, wend_cell centre) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < pull->count);
    const wend_cell a = pull->turn[i - 1].cell, b = pull->turn[i + 1].cell;
    const uint64_t now = pull->line[i - 1].low + pull->line[i].low, limit = now - (now < LEAST_GAIN ? now : LEAST_GAIN);
    wend__pull_cells u, v;
    int32_t best[2];
    wend__price middle;
    if (pull->count == WEND__PULL_WINDOW) return false;
    cells_beside(pull, hull, centre, a, true, &u);
    cells_beside(pull, hull, centre, b, false, &v);
    while (cheapest_turns(pull, hull, &u, &v, limit, best, &middle)) {
        const wend_cell first = u.cell[best[0]], second = v.cell[best[1]];
        wend__price lines[3] = {u.line[best[0]], middle, v.line[best[1]]};
        if (!wend__pull_distance(pull, a, first, limit, &lines[0])) {
            drop_cell(&u, best[0]);
        } else if (!wend__pull_distance(pull, second, b, limit, &lines[2])) {
            drop_cell(&v, best[1]);
        } else if (wend__same_cell(first, second)) {
            wend__pull_move_turn(pull, i, &(wend__pull_bend){first, lines[0], lines[2], 0});
            return true;
        } else {
            if (!wend__pull_distance(pull, first, second, limit, &lines[1])) return false;
            pull->turn[i].cell = first;
            wend__pull_split_turn(pull, i, second, lines);
            return true;
        }
    }
    return false;
}

/* Finds the cell at a corner where the line from a cell to a point is the straightest. @return false: none */
static bool turn_at_corner_of(const wend__pull *pull, const wend__hull *hull, wend_cell from, wend__milli_point corner,
                              wend__milli_point next, wend_cell *out) {
    const wend__milli_point a = wend__cell_spot(from);
    int64_t least = INT64_MAX;
    for (int32_t n = 0; n < 4; n++) {
        const wend_cell c = cell_at_corner(corner, n);
        const wend__milli_point spot = wend__cell_spot(c);
        if (!wend__on_map(pull->view, c.x, c.y) || !wend__cell_factor(pull->view, c)) continue;
        if (wend__hull_turn(hull, a, spot, corner) < least_turn(pull)) continue;
        if (wend__hull_turn(hull, spot, next, corner) < least_turn(pull)) continue;
        const int64_t aside = -wend__hull_turn(hull, a, next, spot);
        if (aside < least) least = aside, *out = c;
    }
    return least < INT64_MAX;
}

/* A turn for each corner. */
static bool turns_at_corners(wend__pull *pull, uint32_t i, const wend__hull *hull) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < pull->count && hull->count <= MOST_CORNERS + 2);
    const wend_cell b = pull->turn[i + 1].cell;
    const uint64_t limit = pull->line[i - 1].low + pull->line[i].low;
    wend_cell cells[MOST_CORNERS + 2] = {pull->turn[i - 1].cell};
    wend__price lines[MOST_CORNERS + 1];
    uint64_t spent = 0;
    uint32_t count = 1;
    if (pull->count + MOST_CORNERS > WEND__PULL_WINDOW) return false;
    for (int32_t k = 1; k + 1 < hull->count; k++) {
        if (!turn_at_corner_of(pull, hull, cells[count - 1], hull->point[k], hull->point[k + 1], &cells[count]))
            return false;
        count += !wend__same_cell(cells[count - 1], cells[count]);
    }
    if (wend__same_cell(cells[count - 1], b)) count--;
    if (count < 2) return false;
    cells[count] = b;
    for (uint32_t k = 0; k < count; k++) {
        lines[k] = wend__cell_distance(pull->version, cells[k], cells[k + 1]);
        spent += lines[k].high;
    }
    if (spent >= limit) return false;
    for (uint32_t k = 0; k < count; k++)
        if (!wend__pull_distance(pull, cells[k], cells[k + 1], limit - (spent - lines[k].high), &lines[k]))
            return false;
    pull->turn[i].cell = cells[1];
    if (count == 2) wend__pull_move_turn(pull, i, &(wend__pull_bend){cells[1], lines[0], lines[1], 0});
    for (uint32_t k = 0; k + 2 < count; k++) wend__pull_split_turn(pull, i + k, cells[k + 2], &lines[k]);
    return true;
}

/* Finds a corner next to the turn that its line bends around. */
static bool corner_at_turn(const wend__pull *pull, wend__hull *hull, wend_cell p) {
    for (int32_t n = 0; n < 4; n++) {
        const wend_cell around = {p.x - (n & 1), p.y - (n >> 1), 0};
        const wend__milli_point corner = wend__corner_spot(around.x, around.y);
        if (wend__hull_turn(hull, hull->a, hull->bend, corner) < 0) continue;
        if (wend__hull_turn(hull, hull->bend, hull->b, corner) < 0) continue;
        if (wend__hull_side(hull, corner) < 0 || !wend__corner_blocked(pull->view, around)) continue;
        wend__hull_widen(hull, 0, corner);
        return true;
    }
    return false;
}

static bool is_near_corner(wend_cell p, const wend__hull *hull) {
    const wend__milli_point spot = wend__cell_spot(p);
    for (int32_t k = 1; k + 1 < hull->count; k++)
        if (abs(spot.x - hull->point[k].x) < 2 * WEND__THOUSAND && abs(spot.y - hull->point[k].y) < 2 * WEND__THOUSAND)
            return true;
    return false;
}

/* Returns whether a turn is within about two cells of the line between its neighbours. */
static bool is_near_line(const wend__hull *hull) {
    const int64_t x = labs((long)hull->b.x - hull->a.x), y = labs((long)hull->b.y - hull->a.y);
    return -wend__hull_turn(hull, hull->a, hull->b, hull->bend) <= 2 * WEND__THOUSAND * (x > y ? x : y);
}

/* Returns whether a line with a bend costs so much more than a straight one that a way round the other side may be
 * cheaper. */
static bool is_far_round(const wend__pull *pull, uint32_t i) {
    const uint64_t now = pull->line[i - 1].low + pull->line[i].low;
    const uint64_t straight = wend__cell_distance(pull->version, pull->turn[i - 1].cell, pull->turn[i + 1].cell).high;
    return now > straight + straight / 16;
}

/* Makes the turn bend around the corners of obstacles within its triangle. If nothing blocks there, the line between
 * its neighbours touches a corner, or closed steps are in the way. */
wend__bend_state wend__pull_around_corners(wend__pull *pull, uint32_t i) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < pull->count);
    const wend_cell a = pull->turn[i - 1].cell, p = pull->turn[i].cell, b = pull->turn[i + 1].cell;
    wend__hull hull;
    wend_cell centre = p;
    wend__hull_begin(&hull, wend__cell_spot(a), wend__cell_spot(p), wend__cell_spot(b));
    if (!corner_at_turn(pull, &hull, p)) wend__bend_corners(pull->view, a, p, b, &hull);
    if (hull.count > MOST_CORNERS + 2) return WEND__BEND_UNKNOWN;
    const bool near = is_near_corner(p, &hull);
    if (hull.count == 2) centre = wend__sight_end(pull->view, a, b);
    const bool one = hull.count == 3 && !near;
    if (one && !turn_at_corner_of(pull, &hull, a, hull.point[1], hull.b, &centre)) return WEND__BEND_UNKNOWN;
    if ((near || hull.count <= 3) && turn_beside(pull, i, &hull, centre)) return WEND__BEND_CHANGED;
    if (hull.count > 3 && turns_at_corners(pull, i, &hull)) return WEND__BEND_CHANGED;
    const bool tight = (near && !is_far_round(pull, i)) || is_near_line(&hull);
    return tight ? WEND__BEND_TIGHT : WEND__BEND_UNKNOWN;
}
