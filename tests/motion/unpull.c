/* SPDX-License-Identifier: MIT */
/* A pulled line as cells, for tests: steps from each cell that the line passes through to the next, two joined to a
 * diagonal one where that is allowed and cheaper. */
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "motion/clear/point_line.h"
#include "motion/pull/line.h"
#include "motion/unpull.h"

/* The last cell is not written, as the step to it may be joined with the next. */
typedef struct trail {
    const wend__version *version;
    int32_t mover;
    wend_cell *out;
    size_t capacity, count; ///< cells before `last`: room, and number
    wend_cell before, last; ///< `before`: the last one written
} trail;

static void write_last(trail *t) {
    WEND__DEBUG_ASSERT(t->out || t->capacity == 0);
    if (t->count < t->capacity) t->out[t->count] = t->last;
    t->count++;
    t->before = t->last;
}

static uint64_t cost_of(const trail *t, wend_cell a, wend_cell b) {
    return wend__step_cost(t->version, t->mover, a, b);
}

/* Takes one step more. */
static void add_cell(trail *t, wend_cell next) {
    uint64_t joined = t->count ? cost_of(t, t->before, next) : UINT64_MAX;
    if (joined == UINT64_MAX || joined >= cost_of(t, t->before, t->last) + cost_of(t, t->last, next)) write_last(t);
    t->last = next;
}

/* Goes from a cell of the line to the next. Without such a step all cells around are open for straight steps. */
static bool cross(trail *t, wend_cell to) {
    if (cost_of(t, t->last, to) != UINT64_MAX) {
        add_cell(t, to);
        return true;
    }
    const wend_cell from = t->last;
    wend_cell way[3] = {{to.x, from.y, from.z}, {to.x, to.y, from.z}, to};
    if (t->version->sheets) {
        const wend_cell d = wend__place_difference(t->version, from, to);
        if (d.x == 0 || d.y == 0) return false;
        if (!wend__step_over(wend__version_view(t->version, t->mover), from, d.x, 0, &way[0])) return false;
        way[1] = to;
    }
    for (int i = 0; i < 3; i++) {
        if (wend__same_cell(way[i], t->last)) continue;
        if (cost_of(t, t->last, way[i]) == UINT64_MAX) return false;
        add_cell(t, way[i]);
    }
    return true;
}

static wend_point point_of(const wend_turn *turn) {
    const wend_cell c = turn->cell;
    return (wend_point){1000 * c.x + turn->offset_x, 1000 * c.y + turn->offset_y, 1000 * c.z};
}

static bool is_centre(const wend_turn *turn) {
    return turn->offset_x == 0 && turn->offset_y == 0;
}

/* Follows a line that need not begin and end at centres of cells. */
static bool follow_points(trail *t, const wend_turn *from, const wend_turn *to) {
    wend__point_line line = wend__point_line_of(point_of(from), point_of(to));
    do {
        const wend_cell at = wend__point_line_cell(&line);
        if (!wend__on_map(t->version, at.x, at.y)) return false;
        if (!wend__same_cell(at, t->last) && !cross(t, at)) return false;
    } while (!wend__same_cell(t->last, to->cell) && wend__point_line_next(&line));
    return wend__same_cell(t->last, to->cell) || cross(t, to->cell);
}

/* Follows the line to a turn. False: it cannot be walked. A line that begins in a blocked cell can still be. */
static bool follow(trail *t, const wend__version *view, wend_cell to) {
    const wend__version *v = t->version;
    const wend__link *way = wend__links_find(v->links, wend__cell_number(v, t->last), wend__cell_number(v, to));
    const bool taken = way && wend__link_serves(view, way);
    const bool link = taken && way->cost != WEND__SHEET_SEAM && !wend__is_seam(v, t->last, to);
    bool seen = wend__same_cell(wend__sight_end(view, t->last, to), to);
    if (link || (!seen && cost_of(t, t->last, to) != UINT64_MAX)) {
        write_last(t); /* the step is not joined with others */
        t->last = to;
        return true;
    }
    wend__ray line;
    wend__ray_begin(&line, v->sheets ? view : v, t->last, to);
    while (wend__ray_next(&line), line.done < line.whole)
        if (!cross(t, line.at)) return false;
    return wend__same_cell(t->last, to);
}

static bool follow_turn(trail *t, const wend__version *view, const wend_turn *from, const wend_turn *to) {
    if (wend__same_cell(from->cell, to->cell)) return true;
    return is_centre(from) && is_centre(to) ? follow(t, view, to->cell) : follow_points(t, from, to);
}

bool unpull(const wend_map *map, int32_t mover, const wend_turn *turns, size_t turn_count, wend_cell *out,
            size_t capacity, size_t *count) {
    wend__version *v = wend__map_newest(map);
    trail t = {.version = v, .mover = mover, .out = out, .capacity = capacity, .last = turns[0].cell};
    bool good = true;
    for (size_t i = 1; i < turn_count && good; i++)
        good = follow_turn(&t, wend__version_view(v, mover), &turns[i - 1], &turns[i]);
    write_last(&t);
    wend__map_release(v, false);
    *count = t.count;
    return good;
}
