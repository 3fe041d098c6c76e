/* SPDX-License-Identifier: MIT */
/* Pulling a path straight: lines of sight replace its cells from the start on, and turn at the corners that block them.
 *
 * The line and the cells still ahead form one way. Each change makes this way surely cheaper, or replaces a part of it
 * by the same line. So the result never costs more than the cells. */
#include "map/ground/ground.h"
#include "map/kinds/walkers.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "motion/pull/string.h"

#include <stdlib.h>
#include <string.h>
#include <wend/geometry.h>

void wend_pull_def_init(wend_pull_def *def, size_t bytes) {
    const wend_pull_def own = {.struct_bytes = sizeof own, .mover = WEND_MOVER_DEFAULT};
    wend__sized_init(def, bytes, &own, sizeof own);
}

/* ---- output of turns ---- */

static uint64_t square_apart(const wend__pull *pull, wend_cell a, wend_cell b) {
    const wend_cell plain = {b.x - a.x, b.y - a.y, b.z - a.z};
    const wend_cell d = pull->flat && pull->plain ? plain : wend__place_difference(pull->version, a, b);
    const int64_t x = d.x, y = d.y, z = d.z;
    return (uint64_t)(x * x + y * y + z * z);
}

/* Returns how many cells of the path may be passed over, as they lie no nearer than `reach`: in one sheet each is at
 * most a column and a row from the one before. */
static uint32_t cells_beyond(const wend__pull *pull, wend_cell a, wend_cell b, uint32_t reach) {
    const uint32_t x = (uint32_t)abs(b.x - a.x), y = (uint32_t)abs(b.y - a.y), far = x > y ? x : y;
    return pull->flat && pull->plain && far > reach ? far - reach : 1;
}

/* Returns the cell of the path nearest to a turn, the first of these, not before the index of the previous turn. */
static uint32_t nearest_index(const wend__pull *pull, wend_turn turn, uint32_t low, uint32_t high) {
    uint32_t best = turn.index, reach = 0;
    uint64_t least = square_apart(pull, turn.cell, pull->cells[best]);
    while ((uint64_t)reach * reach < least) reach++;
    for (uint32_t i = low; i <= high; i += cells_beyond(pull, turn.cell, pull->cells[i], reach)) {
        const uint64_t square = square_apart(pull, turn.cell, pull->cells[i]);
        if (square < least || (square == least && i < best)) least = square, best = i;
    }
    return best;
}

static void output_held(wend__pull *pull, uint32_t count) {
    for (uint32_t k = 0; k < count; k++, pull->given++)
        if (pull->given < pull->capacity) pull->out[pull->given] = pull->held[k];
    pull->held_count -= count;
    memmove(pull->held, pull->held + count, pull->held_count * sizeof *pull->held);
    memmove(pull->held_line, pull->held_line + count, pull->held_count * sizeof *pull->held_line);
}

/* Turns between two parts, or two halves of a window, get their neighbours only here. */
static void hold_turn(wend__pull *pull, wend_turn turn, wend__price line) {
    bool dropped = false;
    for (uint32_t n; pull->loose && (n = pull->held_count) >= 2; dropped = true) {
        const wend__price sum = wend__price_sum(pull->held_line[n - 1], line);
        wend__price straight;
        if (!wend__pull_shortcut(pull, pull->held[n - 2].cell, turn.cell, sum, &straight)) break;
        line = straight, pull->held_count--;
    }
    pull->loose = dropped;
    if (pull->held_count == WEND__PULL_HELD) output_held(pull, WEND__PULL_HELD / 2);
    pull->held_line[pull->held_count] = line;
    pull->held[pull->held_count++] = turn;
}

static void give(wend__pull *pull, uint32_t i) {
    WEND__DEBUG_ASSERT(i < pull->count);
    wend_turn *turn = &pull->turn[i];
    uint32_t low = i > 0 ? pull->turn[i - 1].index : turn->index;
    uint32_t high = i + 1 < pull->count ? pull->turn[i + 1].index : turn->index;
    if (!wend__same_cell(turn->cell, pull->cells[turn->index])) turn->index = nearest_index(pull, *turn, low, high);
    if (!pull->skip) hold_turn(pull, *turn, i > 0 ? pull->line[i - 1] : pull->line_in);
    pull->skip = false;
    pull->loose |= i == 0;
}

/* The window is full: half of it is final. The turn that stays first is output with the next ones. */
static void give_half(wend__pull *pull) {
    const uint32_t half = WEND__PULL_WINDOW / 2;
    wend__pull_tighten(pull);
    if (pull->count <= half) return;
    for (uint32_t i = 0; i < half; i++) give(pull, i);
    pull->line_in = pull->line[half - 1];
    pull->count -= half;
    memmove(pull->turn, pull->turn + half, pull->count * sizeof *pull->turn);
    memmove(pull->line, pull->line + half, pull->count * sizeof *pull->line);
    memmove(pull->settled, pull->settled + half, pull->count * sizeof *pull->settled);
}

static void add_turn(wend__pull *pull, wend_cell cell, uint32_t index, wend__price line_to_it) {
    if (pull->count == WEND__PULL_WINDOW) give_half(pull);
    WEND__DEBUG_ASSERT(pull->count < WEND__PULL_WINDOW);
    if (pull->count > 0) pull->line[pull->count - 1] = line_to_it;
    pull->turn[pull->count] = (wend_turn){.cell = cell, .index = index};
    pull->settled[pull->count++] = false;
}

/* ---- a single stretch without links ---- */

/* The line from the last turn to a cell of the path. */
typedef struct reach {
    uint32_t index; ///< path index of that cell
    wend__price price;
} reach;

static wend__price steps_price(const wend__pull *pull, uint32_t from, uint32_t to) {
    wend__price sum = {0, 0};
    if (pull->all_open) {
        uint32_t steps[3] = {0};
        for (uint32_t i = from; i < to; i++)
            steps[wend__step_axes(pull->version, pull->cells[i], pull->cells[i + 1]) - 1]++;
        return wend__steps_price(steps);
    }
    for (uint32_t i = from; i < to; i++)
        sum = wend__price_sum(sum, wend__step_price(pull->view, pull->cells[i], pull->cells[i + 1]));
    return sum;
}

/* Returns whether the line between two cells of the path goes the same way as the steps. */
static bool is_short(const wend__pull *pull, uint32_t from, uint32_t to) {
    const wend_cell a = pull->cells[from], b = pull->cells[to], d = wend__place_difference(pull->version, a, b);
    return d.x == b.x - a.x && d.y == b.y - a.y;
}

/* From a turn on the path, the equal steps that follow are the line itself. Steps over the rim end it. */
static reach straight_run(const wend__pull *pull, uint32_t index, uint32_t end) {
    WEND__DEBUG_ASSERT(index <= end && end < pull->cell_count);
    uint32_t to = index < end ? index + 1 : index;
    while (to < end && wend__pull_same_step(&pull->cells[index], &pull->cells[to]) && is_short(pull, index, to + 1))
        to++;
    return (reach){to, steps_price(pull, index, to)};
}

/* Reaches `stride` cells further along the path, if that is cheaper. */
static bool reach_further(const wend__pull *pull, wend_cell from, uint32_t stride, uint32_t end, reach *r) {
    WEND__DEBUG_ASSERT(r->index < end && stride > 0);
    uint32_t to = end - r->index < stride ? end : r->index + stride;
    wend__price steps = steps_price(pull, r->index, to), price;
    if (!wend__pull_line(pull, from, pull->cells[to], r->price.low + steps.low, &price)) return false;
    *r = (reach){to, price};
    return true;
}

/* The line cannot reach the next cell of the path: it turns near the corner that blocks it, or on the path. */
static void turn_at_corner(wend__pull *pull, uint32_t end, reach *r) {
    WEND__DEBUG_ASSERT(pull->count > 0 && r->index < end);
    wend_cell from = pull->turn[pull->count - 1].cell, next = pull->cells[r->index + 1];
    wend__price step = steps_price(pull, r->index, r->index + 1);
    wend__pull_bend bend = {pull->cells[r->index], r->price, step, r->price.low + step.low};
    if (!pull->plain && wend__pull_try_around(pull, from, next, wend__sight_end(pull->view, from, next), &bend)) {
        add_turn(pull, bend.cell, r->index, bend.in);
        *r = (reach){r->index + 1, bend.out};
    } else {
        add_turn(pull, bend.cell, r->index, r->price);
        *r = straight_run(pull, r->index, end);
    }
}

/* A part of the path without links. */
typedef struct stretch {
    uint32_t begin, end; ///< its first and last cell
    bool is_flat;        ///< on a flat grid, in one sheet
    bool goes_on;        ///< the next stretch begins with its last cell
} stretch;

/* Returns whether the path takes a link there, or a step that the map does not know. */
static bool leaps(const wend__pull *pull, wend_cell a, wend_cell b) {
    const wend__version *v = pull->version;
    bool step = v->kind == WEND_KIND_VOXEL ? wend__space_direction(b.x - a.x, b.y - a.y, b.z - a.z) >= 0
                                           : wend__flat_direction(b.x - a.x, b.y - a.y) >= 0;
    if (wend__is_walker(pull->view) && a.z != b.z) return true;
    if (!pull->clear && wend__is_seam(v, a, b)) return false;
    const wend__link *way = wend__links_find(v->links, wend__cell_number(v, a), wend__cell_number(v, b));
    const uint32_t link = way && wend__link_serves(pull->view, way) ? way->cost : 0;
    return (!step || link > 0) && (pull->clear || link != WEND__SHEET_SEAM);
}

/* Returns whether a step leads to a neighbour as places on the map have it, and no link begins there. */
static inline bool is_plain_step(const wend__version *v, wend_cell a, wend_cell b) {
    const uint32_t x = (uint32_t)(b.x - a.x + 1), y = (uint32_t)(b.y - a.y + 1);
    if (x > 2 || y > 2 || (x == 1 && y == 1) || a.z != b.z) return false;
    return !v->links || !wend__links_maybe(v->links, wend__cell_number(v, a));
}

/* Finds the stretch that begins with a cell of the path. On plain ground only cells near a seam between sheets are
 * pulled in the slow way: they are a stretch of their own. */
static stretch stretch_from(const wend__pull *pull, uint32_t begin) {
    enum { NEAR_SEAM = 16 };
    const wend__version *v = pull->version;
    const bool is_grid = v->kind == WEND_KIND_GRID, in_parts = v->sheets && pull->plain && !pull->clear;
    stretch s = {begin, begin, is_grid, false};
    uint32_t seam = begin;
    wend_cell a = pull->cells[begin];
    for (; s.end + 1 < pull->cell_count; s.end++) {
        const wend_cell b = pull->cells[s.end + 1];
        if (!(is_grid && is_plain_step(v, a, b)) && leaps(pull, a, b)) return s;
        const bool leaves_chunk = ((a.x ^ b.x) | (a.y ^ b.y)) >> WEND__CHUNK_SHIFT != 0;
        const bool crosses = leaves_chunk && !wend__one_sheet(v, a, b);
        s.goes_on = in_parts && s.end - seam > NEAR_SEAM && (crosses || !s.is_flat);
        if (s.goes_on && s.is_flat) s.end -= NEAR_SEAM;
        if (s.goes_on) return s;
        if (crosses) s.is_flat = false, seam = s.end;
        a = b;
    }
    return s;
}

/* Returns whether the mover can stand on a part of the path. */
static bool is_open(const wend__pull *pull, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i <= end; i++)
        if (!wend__cell_factor(pull->view, pull->cells[i])) return false;
    return true;
}

/* Returns the price of steps among cells of factor 1 in one sheet. */
static wend__price flat_price(const wend__pull *pull, uint32_t begin, uint32_t end) {
    uint32_t steps[3] = {0};
    for (uint32_t i = begin; i < end; i++) {
        const wend_cell a = pull->cells[i], b = pull->cells[i + 1];
        steps[(a.x != b.x) & (a.y != b.y)]++;
    }
    return wend__steps_price(steps);
}

static void give_window(wend__pull *pull) {
    for (uint32_t i = 0; i < pull->count; i++) give(pull, i);
    pull->count = 0;
}

/* Pulls a part of plain ground as a string.
 * @param end   receives where it ends
 * @return false: it needs more than that */
static bool pull_as_string(wend__pull *pull, uint32_t begin, uint32_t *end) {
    wend__price sum = {0, 0};
    if (!wend__pull_string(pull, begin, end)) return false;
    for (uint32_t i = 0; i + 1 < pull->count; i++) sum = wend__price_sum(sum, pull->line[i]);
    const bool is_cheap = sum.high <= flat_price(pull, begin, *end).high;
    if (!is_cheap) pull->count = 0;
    return is_cheap;
}

static void pull_cells(wend__pull *pull, uint32_t begin, uint32_t end) {
    pull->all_open = pull->even && is_open(pull, begin, end);
    add_turn(pull, pull->cells[begin], begin, (wend__price){0, 0});
    reach r = straight_run(pull, begin, end);
    for (uint32_t stride = 1; r.index < end;) {
        wend_cell from = pull->turn[pull->count - 1].cell;
        if (reach_further(pull, from, stride, end, &r)) {
            stride *= 2;
        } else if (stride > 1) {
            stride /= 2;
        } else {
            turn_at_corner(pull, end, &r);
        }
    }
    if (end > begin) add_turn(pull, pull->cells[end], end, r.price);
    wend__pull_tighten(pull);
}

/* Pulls a stretch in parts: each begins where the one before ends, and that turn is given once.
 * @param goes_on   the first one begins where the stretch before ended */
static void pull_stretch(wend__pull *pull, const stretch *of, bool goes_on) {
    uint32_t begin = of->begin, end;
    pull->flat = of->is_flat;
    do {
        end = of->end;
        pull->skip = goes_on || begin > of->begin;
        if (!pull->plain || !of->is_flat || !pull_as_string(pull, begin, &end)) pull_cells(pull, begin, end);
        give_window(pull);
        begin = end;
    } while (end < of->end);
}

/* ---- the whole path ---- */

/* Finds the stretches without links. */
static void pull_all(wend__pull *pull) {
    stretch s;
    bool goes_on = false;
    for (uint32_t begin = 0; begin < pull->cell_count; begin = s.end + !goes_on) {
        s = stretch_from(pull, begin);
        if (pull->clear)
            wend__clear_line_pull(pull->clear, begin, s.end);
        else
            pull_stretch(pull, &s, goes_on);
        goes_on = s.goes_on;
        if (!goes_on) output_held(pull, pull->held_count);
    }
}

static wend_error check_arguments(const wend_map *map, const wend_pull_def *def, const wend_cell *cells, size_t count) {
    wend_error error = wend__check_list("cells", cells, count);
    if (!error) error = wend__check_range("radius_milli", def->radius_milli, 0, WEND_MAX_CLEARANCE);
    if (!error) error = wend__check_mover(map, def->mover);
    if (!error) error = wend__check_lines(map);
    if (!error && def->radius_milli > 0 && map->kind != WEND_KIND_GRID)
        error = wend__refuse(WEND_UNSUPPORTED, "radius_milli is %u, but lines keep a distance on flat grids only",
                             (unsigned)def->radius_milli);
    return error ? error : wend__check_each_cell(map, "cells", cells, count);
}

static size_t pull_clear(wend__pull *pull, const wend_pull_def *def) {
    wend__clear_line line;
    wend__clear_line_begin(&line, pull->map, pull->version, def, pull->cells);
    line.out = pull->out, line.capacity = pull->capacity;
    pull->clear = &line;
    pull_all(pull);
    pull->clear = NULL;
    return line.given;
}

wend_error wend_path_pull(const wend_map *map, const wend_pull_def *theirs, const wend_cell *cells, size_t cell_count,
                          wend_turn *turns, size_t capacity, size_t *count) {
    WEND__ALIVE(map, "the map");
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    if (theirs && !WEND__READ_STRUCT(wend_pull_def, radius_milli, &def, theirs)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_room("turns", turns, capacity);
    if (!error) error = check_arguments(map, &def, cells, cell_count);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    const wend__version *view = wend__version_view(v, def.mover);
    wend__pull pull = {.map = map,
                       .version = v,
                       .view = view,
                       .size = wend__version_mover_size(v, def.mover),
                       .units = def.units,
                       .even = view->max_factor <= 1,
                       .cells = cells,
                       .cell_count = (uint32_t)cell_count,
                       .out = turns,
                       .capacity = capacity};
    pull.touches = v->rules.neighbours == 8 && v->rules.corners != WEND_CORNERS_NEVER;
    pull.plain = pull.even && v->kind == WEND_KIND_GRID && !pull.units && !wend__wraps(v);
    if (def.radius_milli > 0)
        pull.given = pull_clear(&pull, &def);
    else
        pull_all(&pull);
    wend__map_release(v, false);
    if (count) *count = pull.given;
    return WEND_OK;
}
