/* SPDX-License-Identifier: MIT */
/* Pulling a path straight: lines of sight replace its cells from the start on, and turn at the corners that block them.
 *
 * The line and the cells still ahead form one way. Each change makes this way surely cheaper, or replaces a part of it
 * by the same line. So the result is never dearer than the cells. */
#include "map/ground/ground.h"
#include "map/kinds/walkers.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "motion/clear/clear_line.h"
#include "motion/pull/line.h"

#include <stdlib.h>
#include <string.h>
#include <wend/geometry.h>

/// Turns that are not final. When there are as many, the first half is final.
enum { PULL_WINDOW = 64 };

typedef struct pull_state {
    wend__clear_line *clear; ///< NULL: the line need not keep a distance
    const wend_map *map;
    const wend__version *version, *view; ///< view: what the mover sees
    int32_t size;                        ///< of the mover
    bool units;                          ///< pieces do not pass through occupied cells
    bool even;                           ///< all open cells have factor 1
    const wend_cell *cells;              ///< the path
    uint32_t cell_count;
    wend_turn *out;
    size_t capacity, given;
    uint32_t count; ///< turns in the window
    wend_turn turn[PULL_WINDOW];
    wend__price line[PULL_WINDOW]; ///< price of the line from a turn to the next
    bool settled[PULL_WINDOW];     ///< no change near this turn was found to help since its neighbours changed
} pull_state;

/// The best turn that was found between two cells.
typedef struct found_bend {
    wend_cell cell;
    wend__price in, out; ///< of the lines to and from it
    uint64_t limit;      ///< another one has to be surely less than that; rounded down
} found_bend;

/* Making a line taut: turns move to the corners that the line bends around, are dropped, or split in two. Each change
 * makes the line surely cheaper, so this ends. */

enum { MOST_PASSES = 16, AROUND = 9, AROUND_SPACE = 27, NEAR = 1 };

static bool units_between(const pull_state *pull, wend_cell a, wend_cell b) {
    return pull->units && wend__line_occupied(pull->version, pull->size, pull->cells[0], a, b);
}

/* Returns whether the mover can walk the line from a to b for less than `limit` (a rounded-down price).
 * @param price   the distance; receives the line's price where it can */
static bool pull_distance(const pull_state *pull, wend_cell a, wend_cell b, uint64_t limit, wend__price *price) {
    if (price->high >= limit) return false; /* no factor is below 1 */
    if (!wend__same_cell(wend__sight_end(pull->view, a, b), b)) return false;
    if (!pull->even) *price = wend__line_price(pull->view, a, b);
    if (price->high >= limit) return false;
    return !units_between(pull, a, b);
}

static bool pull_line(const pull_state *pull, wend_cell a, wend_cell b, uint64_t limit, wend__price *price) {
    *price = wend__cell_distance(pull->version, a, b);
    return pull_distance(pull, a, b, limit, price);
}

/* ---- one turn ---- */

/* Cell i of those around a cell and the cell itself; false: it is off the map. */
static bool cell_around(const pull_state *pull, wend_cell at, int32_t i, wend_cell *out) {
    *out = (wend_cell){at.x + i % 3 - 1, at.y + i / 3 % 3 - 1, at.z};
    if (pull->version->kind == WEND_KIND_VOXEL) out->z += i / 9 - 1;
    *out = wend__wrapped_cell(pull->version, *out);
    return wend__on_map(pull->version, out->x, out->y) && out->z >= 0 && out->z < pull->version->depth;
}

static int32_t around(const pull_state *pull) {
    return pull->version->kind == WEND_KIND_VOXEL ? AROUND_SPACE : AROUND;
}

static bool try_cell(const pull_state *pull, wend_cell a, wend_cell b, wend_cell c, found_bend *bend) {
    wend__price in = wend__cell_distance(pull->version, a, c), out = wend__cell_distance(pull->version, c, b);
    if (in.high + out.high >= bend->limit || !wend__cell_factor(pull->view, c)) return false;
    if (!pull_distance(pull, a, c, bend->limit - out.high, &in)) return false;
    if (!pull_distance(pull, c, b, bend->limit - in.high, &out)) return false;
    *bend = (found_bend){c, in, out, in.low + out.low};
    return true;
}

/* Look for a cheaper turn between a and b at a cell and all around it.
 * @return true: *bend is now such a turn */
static bool try_around_cell(const pull_state *pull, wend_cell a, wend_cell b, wend_cell at, found_bend *bend) {
    bool better = false;
    wend_cell c;
    for (int32_t i = 0; i < around(pull); i++)
        if (cell_around(pull, at, i, &c)) better |= try_cell(pull, a, b, c, bend);
    return better;
}

/* ---- the window ---- */

static void neighbours_unsettled(pull_state *pull, uint32_t i) {
    for (uint32_t k = i > 1 ? i - 1 : 1; k <= i + 1 && k < pull->count; k++) pull->settled[k] = false;
}

static void drop_turn(pull_state *pull, uint32_t i, wend__price line) {
    uint32_t after = pull->count - i - 1;
    memmove(&pull->turn[i], &pull->turn[i + 1], after * sizeof *pull->turn);
    memmove(&pull->line[i], &pull->line[i + 1], after * sizeof *pull->line);
    memmove(&pull->settled[i], &pull->settled[i + 1], after * sizeof *pull->settled);
    pull->line[i - 1] = line;
    pull->count--;
    neighbours_unsettled(pull, i - 1);
    pull->settled[i] = false;
}

static void move_turn(pull_state *pull, uint32_t i, const found_bend *bend) {
    pull->turn[i].cell = bend->cell;
    pull->line[i - 1] = bend->in;
    pull->line[i] = bend->out;
    neighbours_unsettled(pull, i);
}

/* The turn becomes two. */
static void split_turn(pull_state *pull, uint32_t i, wend_cell second, const wend__price lines[3]) {
    uint32_t after = pull->count - i - 1;
    memmove(&pull->turn[i + 2], &pull->turn[i + 1], after * sizeof *pull->turn);
    memmove(&pull->line[i + 2], &pull->line[i + 1], after * sizeof *pull->line);
    memmove(&pull->settled[i + 2], &pull->settled[i + 1], after * sizeof *pull->settled);
    pull->turn[i + 1] = (wend_turn){.cell = second, .index = pull->turn[i].index};
    memcpy(&pull->line[i - 1], lines, 3 * sizeof *lines);
    pull->count++;
    neighbours_unsettled(pull, i);
    neighbours_unsettled(pull, i + 1);
}

/* ---- changes ---- */

/* Cell k of the n + 1 that lie along the line from p to b. */
static wend_cell along(const wend__version *v, wend_cell p, wend_cell b, int64_t k, int64_t n) {
    const wend_cell way = wend__ground_difference(v, p, b);
    const int64_t x = way.x * k / n, y = way.y * k / n, z = way.z * k / n;
    return wend__wrapped_cell(v, (wend_cell){p.x + (int32_t)x, p.y + (int32_t)y, p.z + (int32_t)z});
}

/* How far the line from a could turn from p towards b. */
typedef struct swing {
    wend_cell reached; ///< the last cell between p and b that a sees; by bisection, so not always the last
    wend_cell corner;  ///< where the line from a to the next one is blocked
} swing;

static swing swing_from(const pull_state *pull, wend_cell a, wend_cell p, wend_cell b) {
    const wend_cell way = wend__ground_difference(pull->version, p, b);
    int64_t x = abs(way.x), y = abs(way.y), z = abs(way.z);
    int64_t n = x > y ? x : y, low = 0, high;
    if (z > n) n = z;
    for (high = n; high - low > 1;) {
        int64_t middle = low + (high - low) / 2;
        wend_cell cell = along(pull->version, p, b, middle, n);
        if (wend__same_cell(wend__sight_end(pull->view, a, cell), cell))
            low = middle;
        else
            high = middle;
    }
    return (swing){along(pull->version, p, b, low, n),
                   wend__sight_end(pull->view, a, along(pull->version, p, b, high, n))};
}

/* The cells around a corner that can be reached from one side for less than `limit`. */
typedef struct corner_cells {
    int32_t count;
    wend_cell cell[AROUND_SPACE];
    wend__price line[AROUND_SPACE];
} corner_cells;

static void cells_at_corner(const pull_state *pull, wend_cell corner, wend_cell a, wend_cell b, bool from_a,
                            uint64_t limit, corner_cells *out) {
    out->count = 0;
    for (int32_t i = 0; i < around(pull); i++) {
        wend_cell c;
        if (!cell_around(pull, corner, i, &c) || !wend__cell_factor(pull->view, c)) continue;
        uint64_t rest = wend__cell_distance(pull->version, c, from_a ? b : a).high;
        if (rest >= limit) continue;
        if (!pull_line(pull, from_a ? a : c, from_a ? c : b, limit - rest, &out->line[out->count])) continue;
        out->cell[out->count++] = c;
    }
}

/* Two turns instead of one, u at the corner near a, v at the corner near b. */
static bool try_split(pull_state *pull, uint32_t i, wend_cell near_a, wend_cell near_b) {
    wend_cell a = pull->turn[i - 1].cell, b = pull->turn[i + 1].cell;
    uint64_t limit = pull->line[i - 1].low + pull->line[i].low;
    corner_cells u, v;
    if (pull->count == PULL_WINDOW) return false;
    cells_at_corner(pull, near_a, a, b, true, limit, &u);
    cells_at_corner(pull, near_b, a, b, false, limit, &v);
    for (int32_t k = 0; k < u.count; k++)
        for (int32_t n = 0; n < v.count; n++) {
            uint64_t ends = u.line[k].high + v.line[n].high;
            wend__price middle;
            if (ends >= limit || !pull_line(pull, u.cell[k], v.cell[n], limit - ends, &middle)) continue;
            const wend__price lines[3] = {u.line[k], middle, v.line[n]};
            pull->turn[i].cell = u.cell[k];
            split_turn(pull, i, v.cell[n], lines);
            return true;
        }
    return false;
}

/* Over the rim both parts together may be longer than the other way round: then they are two lines. */
static bool on_the_way(const wend__version *v, wend_cell a, wend_cell p, wend_cell b) {
    const wend_cell u = wend__ground_difference(v, a, p), w = wend__ground_difference(v, p, b);
    const wend_cell whole = wend__ground_difference(v, a, b);
    const int64_t ux = u.x, uy = u.y, uz = u.z, vx = w.x, vy = w.y, vz = w.z;
    if (whole.x != u.x + w.x || whole.y != u.y + w.y) return false;
    bool parallel = ux * vy == uy * vx && uy * vz == uz * vy && ux * vz == uz * vx;
    return parallel && ux * vx + uy * vy + uz * vz >= 0;
}

static bool is_near(const wend__version *v, wend_cell a, wend_cell b) {
    const wend_cell d = wend__ground_difference(v, a, b);
    return abs(d.x) <= NEAR && abs(d.y) <= NEAR && abs(d.z) <= NEAR;
}

/* Returns whether the line from a is blocked next to p as soon as it turns from p towards b: it bends round a corner
 * there. */
static bool bends_round_corner(const pull_state *pull, wend_cell a, wend_cell p, wend_cell b) {
    const wend_cell way = wend__ground_difference(pull->version, p, b);
    const int64_t x = abs(way.x), y = abs(way.y), z = abs(way.z), longer = x > y ? x : y, n = z > longer ? z : longer;
    const wend_cell next = along(pull->version, p, b, 1, n), end = wend__sight_end(pull->view, a, next);
    return !wend__same_cell(end, next) && is_near(pull->version, p, end);
}

/* @return true: something changed at turn i */
static bool improve_turn(pull_state *pull, uint32_t i) {
    wend_cell a = pull->turn[i - 1].cell, p = pull->turn[i].cell, b = pull->turn[i + 1].cell;
    wend__price sum = wend__price_sum(pull->line[i - 1], pull->line[i]), straight;
    bool idle = wend__same_cell(a, p) || wend__same_cell(p, b);
    if (idle || (on_the_way(pull->version, a, p, b) && !units_between(pull, a, b))) {
        drop_turn(pull, i, sum);
        return true;
    }
    if (pull_line(pull, a, b, sum.low, &straight)) {
        drop_turn(pull, i, straight);
        return true;
    }
    found_bend bend = {p, pull->line[i - 1], pull->line[i], sum.low};
    bool better = try_around_cell(pull, a, b, p, &bend);
    if (bends_round_corner(pull, a, p, b) || bends_round_corner(pull, b, p, a)) {
        if (better) move_turn(pull, i, &bend);
        return better;
    }
    swing to_b = swing_from(pull, a, p, b), to_a = swing_from(pull, b, p, a);
    bool tight = is_near(pull->version, p, to_b.corner) || is_near(pull->version, p, to_a.corner);
    if (!tight) {
        better |= try_around_cell(pull, a, b, to_b.corner, &bend);
        better |= try_around_cell(pull, a, b, to_a.corner, &bend);
        better |= try_cell(pull, a, b, to_b.reached, &bend);
        better |= try_cell(pull, a, b, to_a.reached, &bend);
    }
    if (better) move_turn(pull, i, &bend);
    return better || (!tight && try_split(pull, i, to_b.corner, to_a.corner));
}

/* Move, drop and split the window's turns, its ends apart, until no such change makes the line cheaper. */
static void tighten(pull_state *pull) {
    bool changed = true;
    for (int32_t pass = 0; changed && pass < MOST_PASSES; pass++) {
        changed = false;
        for (uint32_t i = 1; i + 1 < pull->count; i++) {
            if (pull->settled[i]) continue;
            pull->settled[i] = !improve_turn(pull, i);
            changed |= !pull->settled[i];
        }
    }
}

void wend_pull_def_init(wend_pull_def *def, size_t bytes) {
    const wend_pull_def own = {.struct_bytes = sizeof own, .mover = WEND_MOVER_DEFAULT};
    wend__sized_init(def, bytes, &own, sizeof own);
}

/* ---- what is given out ---- */

/* The cell of the path nearest to a turn, not before the index of the turn before. */
static uint32_t nearest_index(const pull_state *pull, wend_turn turn, uint32_t low, uint32_t high) {
    uint32_t best = low;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = low; i <= high; i++) {
        const wend_cell d = wend__ground_difference(pull->version, turn.cell, pull->cells[i]);
        const int64_t x = d.x, y = d.y, z = d.z;
        uint64_t square = (uint64_t)(x * x + y * y + z * z);
        if (square < least) least = square, best = i;
    }
    return best;
}

static void give(pull_state *pull, uint32_t i) {
    wend_turn *turn = &pull->turn[i];
    uint32_t low = i > 0 ? pull->turn[i - 1].index : turn->index;
    uint32_t high = i + 1 < pull->count ? pull->turn[i + 1].index : turn->index;
    if (!wend__same_cell(turn->cell, pull->cells[turn->index])) turn->index = nearest_index(pull, *turn, low, high);
    if (pull->given < pull->capacity) pull->out[pull->given] = *turn;
    pull->given++;
}

/* The window is full: half of it is final. The turn that stays first is given with the next ones. */
static void give_half(pull_state *pull) {
    const uint32_t half = PULL_WINDOW / 2;
    tighten(pull);
    if (pull->count <= half) return;
    for (uint32_t i = 0; i < half; i++) give(pull, i);
    pull->count -= half;
    memmove(pull->turn, pull->turn + half, pull->count * sizeof *pull->turn);
    memmove(pull->line, pull->line + half, pull->count * sizeof *pull->line);
    memmove(pull->settled, pull->settled + half, pull->count * sizeof *pull->settled);
}

static void add_turn(pull_state *pull, wend_cell cell, uint32_t index, wend__price line_to_it) {
    if (pull->count == PULL_WINDOW) give_half(pull);
    if (pull->count > 0) pull->line[pull->count - 1] = line_to_it;
    pull->turn[pull->count] = (wend_turn){.cell = cell, .index = index};
    pull->settled[pull->count++] = false;
}

/* ---- one stretch without links ---- */

/* The line from the last turn to a cell of the path. */
typedef struct reach {
    uint32_t index; ///< of that cell
    wend__price price;
} reach;

static wend__price steps_price(const pull_state *pull, uint32_t from, uint32_t to) {
    wend__price sum = {0, 0};
    for (uint32_t i = from; i < to; i++)
        sum = wend__price_sum(sum, wend__step_price(pull->view, pull->cells[i], pull->cells[i + 1]));
    return sum;
}

static bool same_step(const wend_cell *a, const wend_cell *b) {
    return a[1].x - a[0].x == b[1].x - b[0].x && a[1].y - a[0].y == b[1].y - b[0].y &&
           a[1].z - a[0].z == b[1].z - b[0].z;
}

/* Returns whether the line between two cells of the path goes the way that the steps go. */
static bool is_short(const pull_state *pull, uint32_t from, uint32_t to) {
    const wend_cell a = pull->cells[from], b = pull->cells[to], d = wend__ground_difference(pull->version, a, b);
    return d.x == b.x - a.x && d.y == b.y - a.y;
}

/* From a turn on the path, the equal steps that follow are the line itself. Those over the rim end it. */
static reach straight_run(const pull_state *pull, uint32_t index, uint32_t end) {
    uint32_t to = index < end ? index + 1 : index;
    while (to < end && same_step(&pull->cells[index], &pull->cells[to]) && is_short(pull, index, to + 1)) to++;
    return (reach){to, steps_price(pull, index, to)};
}

/* Reach `stride` cells further along the path, where that is cheaper. */
static bool reach_further(const pull_state *pull, wend_cell from, uint32_t stride, uint32_t end, reach *r) {
    uint32_t to = end - r->index < stride ? end : r->index + stride;
    wend__price steps = steps_price(pull, r->index, to), price;
    if (!pull_line(pull, from, pull->cells[to], r->price.low + steps.low, &price)) return false;
    *r = (reach){to, price};
    return true;
}

/* The line cannot reach the next cell of the path: it turns near the corner that blocks it, or on the path. */
static void turn_at_corner(pull_state *pull, uint32_t end, reach *r) {
    wend_cell from = pull->turn[pull->count - 1].cell, next = pull->cells[r->index + 1];
    wend__price step = steps_price(pull, r->index, r->index + 1);
    found_bend bend = {pull->cells[r->index], r->price, step, r->price.low + step.low};
    wend_cell corner = wend__sight_end(pull->view, from, next);
    if (try_around_cell(pull, from, next, corner, &bend)) {
        add_turn(pull, bend.cell, r->index, bend.in);
        *r = (reach){r->index + 1, bend.out};
    } else {
        add_turn(pull, bend.cell, r->index, r->price);
        *r = straight_run(pull, r->index, end);
    }
}

static void pull_stretch(pull_state *pull, uint32_t begin, uint32_t end) {
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
    tighten(pull);
    for (uint32_t i = 0; i < pull->count; i++) give(pull, i);
    pull->count = 0;
}

/* ---- the whole path ---- */

/* Returns whether the path takes a link there, or a step that the map does not know. */
static bool leaps(const pull_state *pull, wend_cell a, wend_cell b) {
    const wend__version *v = pull->version;
    bool step = v->kind == WEND_KIND_VOXEL ? wend__space_direction(b.x - a.x, b.y - a.y, b.z - a.z) >= 0
                                           : wend__flat_direction(b.x - a.x, b.y - a.y) >= 0;
    if (wend__is_walker(pull->view) && a.z != b.z) return true;
    if (!pull->clear && wend__is_seam(v, a, b)) return false;
    return !step || wend__links_cost(v->links, wend__cell_number(v, a), wend__cell_number(v, b)) > 0;
}

/* Find the stretches without links. */
static void pull_all(pull_state *pull) {
    uint32_t begin = 0;
    for (uint32_t i = 0; i < pull->cell_count; i++) {
        bool last = i + 1 == pull->cell_count;
        if (!last && !leaps(pull, pull->cells[i], pull->cells[i + 1])) continue;
        if (pull->clear)
            wend__clear_line_pull(pull->clear, begin, i);
        else
            pull_stretch(pull, begin, i);
        begin = i + 1;
    }
}

static wend_error check_arguments(const wend_map *map, const wend_pull_def *def, const wend_cell *cells, size_t count) {
    wend_error error = wend__check_list("cells", cells, count);
    if (!error) error = wend__check_flags(def->flags, WEND_PULL_UNITS | WEND_PULL_SEARCH);
    if (!error) error = wend__check_range("radius_milli", def->radius_milli, 0, WEND_MAX_CLEARANCE);
    if (!error) error = wend__check_mover(map, def->mover);
    if (!error) error = wend__check_lines(map);
    if (!error && def->radius_milli > 0 && map->kind != WEND_KIND_GRID)
        error = wend__refuse(WEND_UNSUPPORTED, "radius_milli is %u, but lines keep a distance on flat grids only",
                             (unsigned)def->radius_milli);
    return error ? error : wend__check_each_cell(map, "cells", cells, count);
}

static size_t pull_clear(pull_state *pull, const wend_pull_def *def) {
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
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    if (theirs && !WEND__READ_STRUCT(wend_pull_def, radius_milli, &def, theirs)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_room("turns", turns, capacity);
    if (!error) error = check_arguments(map, &def, cells, cell_count);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    const wend__version *view = wend__version_view(v, def.mover);
    pull_state pull = {.map = map,
                       .version = v,
                       .view = view,
                       .size = wend__version_mover_size(v, def.mover),
                       .units = (def.flags & WEND_PULL_UNITS) != 0,
                       .even = view->max_factor <= 1,
                       .cells = cells,
                       .cell_count = (uint32_t)cell_count,
                       .out = turns,
                       .capacity = capacity};
    if (def.radius_milli > 0)
        pull.given = pull_clear(&pull, &def);
    else
        pull_all(&pull);
    wend__map_release(v, false);
    if (count) *count = pull.given;
    return WEND_OK;
}
