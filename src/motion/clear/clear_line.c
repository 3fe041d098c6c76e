/* SPDX-License-Identifier: MIT */
/* Pulling a path to a line that keeps a distance: each bend is made taut, until no bend becomes shorter. */
#include "motion/clear/clear_line.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "motion/clear/detour.h"
#include "motion/clear/point_line.h"

/// FILLED: the line is made taut when it has as many bends, and the first GIVEN of them are final.
enum { FILLED = WEND__CLEAR_WINDOW - 2 * WEND__TAUT_MOST, GIVEN = FILLED / 2, MOST_PASSES = 64 };

/// Searches: lengths of a window, 32 and 4 cells, in sixteenths of a thousandth; windows overlap by all but a part of
/// their bends; most pieces checked by a search for each step of the path.
enum { LARGEST_WINDOW = 32 * 16000, LEAST_WINDOW = 4 * 16000, OVERLAP = 16, EFFORT = 256, MOST_STEPS = 1 << 23 };

static bool cuts_no_corners(const wend__version *view) {
    return view->rules.neighbours == 4 || view->rules.corners == WEND_CORNERS_NEVER;
}

void wend__clear_line_begin(wend__clear_line *line, const wend_map *map, const wend__version *version,
                            const wend_pull_def *def, const wend_cell *cells) {
    line->ground = wend__ground_of(map, version, def->mover, def->units, cells[0]);
    line->view = wend__version_view(version, def->mover);
    line->searches = def->search;
    line->even = line->view->max_factor <= 1;
    line->fits = line->view->closed_steps == 0 && !line->ground.units && cuts_no_corners(line->view) &&
                 (int32_t)def->radius_milli <= line->ground.size * WEND__HALF_CELL;
    line->disc[WEND__WIDE] = wend__disc_of((int32_t)def->radius_milli);
    line->disc[WEND__HALF_WIDE] = wend__disc_of(line->ground.size * WEND__HALF_CELL);
    line->cells = cells;
    line->given = line->count = line->last_index = 0;
}

static wend__milli_point spot_of(const wend__clear_line *line, wend_cell cell) {
    return (wend__milli_point){cell.x * WEND__THOUSAND + line->ground.shift,
                               cell.y * WEND__THOUSAND + line->ground.shift};
}

/* ---- slow ground ---- */

/* Finds the least and the largest factor of the cells that a piece passes through. */
static void factors_between(const wend__clear_line *line, wend__milli_point a, wend__milli_point b, uint32_t *least,
                            uint32_t *most) {
    const int32_t shift = line->ground.shift;
    const wend_point from = {a.x - shift, a.y - shift, 0}, to = {b.x - shift, b.y - shift, 0};
    wend__point_line cells = wend__point_line_of(from, to);
    do {
        const wend_cell cell = wend__point_line_cell(&cells);
        const bool known = wend__on_map(line->view, cell.x, cell.y);
        const uint32_t factor = known ? wend__version_factor(line->view, cell.x, cell.y) : 0;
        if (factor < *least) *least = factor;
        if (factor > *most) *most = factor;
    } while (wend__point_line_next(&cells));
}

/* A shorter way is cheaper where no part of it costs more than the cheapest part of the other one. */
static bool is_cheaper(const wend__clear_line *line, uint32_t i, const wend__milli_point *bends, int32_t count) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < line->count && count >= 0);
    uint32_t least = UINT32_MAX, most = 0, ignored = 0, any = UINT32_MAX;
    wend__milli_point at = line->bend[i - 1];
    if (line->even) return true;
    factors_between(line, line->bend[i - 1], line->bend[i], &least, &ignored);
    factors_between(line, line->bend[i], line->bend[i + 1], &least, &ignored);
    for (int32_t k = 0; k <= count; k++) {
        const wend__milli_point next = k < count ? bends[k] : line->bend[i + 1];
        factors_between(line, at, next, &any, &most);
        at = next;
    }
    return most <= least;
}

/* ---- the window ---- */

/* Replaces bend i by `count` bends. */
static void replace_bend(wend__clear_line *line, uint32_t i, const wend__milli_point *bends,
                         const wend__milli_point *round, uint32_t count) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < line->count && line->count - 1 + count <= WEND__CLEAR_WINDOW);
    const uint32_t after = line->count - i - 1, index = line->index[i];
    memmove(&line->bend[i + count], &line->bend[i + 1], after * sizeof *line->bend);
    memmove(&line->round[i + count], &line->round[i + 1], after * sizeof *line->round);
    memmove(&line->index[i + count], &line->index[i + 1], after * sizeof *line->index);
    memmove(&line->settled[i + count], &line->settled[i + 1], after * sizeof *line->settled);
    for (uint32_t k = 0; k < count; k++)
        line->bend[i + k] = bends[k], line->round[i + k] = round[k], line->index[i + k] = index;
    line->count += count;
    line->count--;
    line->first -= i < line->first; /* there bends are only dropped */
    for (uint32_t k = i > 1 ? i - 1 : 1; k <= i + count && k < line->count; k++) line->settled[k] = false;
}

/* Makes bend i taut.
 * @return how many bends replace it; 1 if it stays */
static uint32_t settle_bend(wend__clear_line *line, uint32_t i, const wend__disc *disc) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < line->count && !line->settled[i]);
    wend__milli_point bends[WEND__TAUT_MOST], round[WEND__TAUT_MOST];
    const wend__milli_point a = line->bend[i - 1], at = line->bend[i], b = line->bend[i + 1];
    line->settled[i] = true;
    if (wend__taut_presses(a, at, b, line->round[i])) return 1;
    const int32_t count = wend__taut_bend(&line->ground, disc, a, at, b, bends, round);
    if (count < 0 || (count == 1 && wend__same_spot(bends[0], at))) return 1;
    if (line->count + (uint32_t)count > WEND__CLEAR_WINDOW || !is_cheaper(line, i, bends, count)) return 1;
    replace_bend(line, i, bends, round, (uint32_t)count);
    return (uint32_t)count;
}

/* Skips the bend after a removed one, so that stairs lose half of their bends in a pass. */
static void make_taut(wend__clear_line *line, const wend__disc *disc) {
    bool changed = true;
    for (int32_t pass = 0; changed && pass < MOST_PASSES; pass++) {
        changed = false;
        for (uint32_t i = line->first + 1; i + 1 < line->count;) {
            if (line->settled[i]) {
                i++;
                continue;
            }
            const uint32_t before = line->count, count = settle_bend(line, i, disc);
            changed |= before != line->count || !line->settled[i];
            i += count > 0 ? count : 1;
        }
    }
}

/* ---- other sides of obstacles ---- */

/* Replaces bends first + 1 to last - 1. */
static void replace_part(wend__clear_line *line, uint32_t first, uint32_t last, const wend__milli_point *bends,
                         uint32_t count) {
    WEND__DEBUG_ASSERT(first < last && last < line->count && line->count + count <= WEND__CLEAR_WINDOW);
    const uint32_t dropped = last - first - 1, after = line->count - last;
    memmove(&line->bend[first + 1 + count], &line->bend[last], after * sizeof *line->bend);
    memmove(&line->round[first + 1 + count], &line->round[last], after * sizeof *line->round);
    memmove(&line->index[first + 1 + count], &line->index[last], after * sizeof *line->index);
    for (uint32_t k = 0; k < count; k++) {
        line->bend[first + 1 + k] = line->round[first + 1 + k] = bends[k];
        line->index[first + 1 + k] = line->index[first];
    }
    line->count += count;
    line->count -= dropped;
    memset(line->settled, 0, sizeof line->settled);
}

/* Returns the last bend within a window, at least two bends on; or the last one there is. */
static uint32_t window_end(const wend__clear_line *line, uint32_t first, uint32_t window, uint32_t *length) {
    WEND__DEBUG_ASSERT(first < line->count);
    uint32_t last = first;
    *length = 0;
    while (last + 1 < line->count) {
        const uint32_t next = wend__piece_length(line->bend[last], line->bend[last + 1]);
        if (last >= first + 2 && (uint64_t)*length + next > window) break;
        *length += next;
        last++;
    }
    return last;
}

/* Looks for a shorter way between bends that are a window apart, or less if there are too many corners.
 * @return how many bends to go on; 0: the line has changed */
static uint32_t try_detour(wend__clear_line *line, uint32_t first, const wend__disc *disc) {
    wend__milli_point bends[WEND__TAUT_MOST];
    int32_t count = WEND__DETOUR_CROWDED;
    uint32_t length, last = first;
    for (uint32_t window = LARGEST_WINDOW; count == WEND__DETOUR_CROWDED && window >= LEAST_WINDOW; window /= 2) {
        last = window_end(line, first, window, &length);
        if (last < first + 2 || length > 4 * LARGEST_WINDOW) return 1;
        count = wend__detour(&line->ground, disc, line->bend[first], line->bend[last], length, &line->effort, bends);
    }
    if (count < 0 || line->count + (uint32_t)count > WEND__CLEAR_WINDOW) return 1 + (last - first) / OVERLAP;
    replace_part(line, first, last, bends, (uint32_t)count);
    return 0;
}

/* Only on even ground: elsewhere a shorter way may cost more. */
static void shorten(wend__clear_line *line, const wend__disc *disc) {
    bool changed = false;
    for (uint32_t i = line->first, step; line->even && i + 2 < line->count; i += step > 0 ? step : 1) {
        step = try_detour(line, i, disc);
        changed |= step == 0;
    }
    if (changed) make_taut(line, disc);
}

/* Drops the bend where two runs meet, if its neighbours see each other, and then the bends beside it. Bends within a
 * run are taut. */
static void drop_needless(wend__clear_line *line) {
    const wend__disc *disc = &line->disc[WEND__WIDE];
    const uint32_t meet = line->first;
    for (uint32_t i = meet; i > 0 && i <= meet && i + 1 < line->count;) {
        const bool sees = wend__piece_is_free(&line->ground, disc, line->bend[i - 1], line->bend[i + 1]);
        if (sees && is_cheaper(line, i, NULL, 0)) {
            replace_bend(line, i, NULL, NULL, 0);
            i -= i > 1;
        } else {
            i++;
        }
    }
}

static void settle_line(wend__clear_line *line, const wend__disc *disc) {
    make_taut(line, disc);
    if (line->searches) shorten(line, disc);
}

/* ---- output of turns ---- */

/* Returns the cell of the path nearest to a bend, not before that of the previous turn. */
static uint32_t nearest_index(const wend__clear_line *line, wend__milli_point at, uint32_t low, uint32_t high) {
    uint32_t best = low;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = low; i <= high; i++) {
        const wend__milli_point cell = spot_of(line, line->cells[i]);
        const int64_t x = (int64_t)cell.x - at.x, y = (int64_t)cell.y - at.y;
        const uint64_t square = (uint64_t)(x * x + y * y);
        if (square < least) least = square, best = i;
    }
    return best;
}

static void give(wend__clear_line *line, uint32_t i) {
    WEND__DEBUG_ASSERT(i < line->count);
    const wend__milli_point at = line->bend[i];
    const int32_t x = at.x - line->ground.shift, y = at.y - line->ground.shift;
    const uint32_t high = i + 1 < line->count ? line->index[i + 1] : line->index[i];
    wend_turn turn = {.index = line->index[i]};
    turn.cell = (wend_cell){wend__corner_before(x) + 1, wend__corner_before(y) + 1, 0};
    turn.offset_x = x - turn.cell.x * WEND__THOUSAND, turn.offset_y = y - turn.cell.y * WEND__THOUSAND;
    if (!wend__same_spot(at, spot_of(line, line->cells[turn.index])))
        turn.index = nearest_index(line, at, line->last_index, high);
    line->last_index = turn.index;
    if (line->given < line->capacity) line->out[line->given] = turn;
    line->given++;
}

static void give_first(wend__clear_line *line, uint32_t count) {
    WEND__DEBUG_ASSERT(count <= line->count);
    line->first -= line->first < count ? line->first : count;
    for (uint32_t i = 0; i < count; i++) give(line, i);
    line->count -= count;
    memmove(line->bend, line->bend + count, line->count * sizeof *line->bend);
    memmove(line->round, line->round + count, line->count * sizeof *line->round);
    memmove(line->index, line->index + count, line->count * sizeof *line->index);
    memmove(line->settled, line->settled + count, line->count * sizeof *line->settled);
}

/* ---- stretches of one width ---- */

/* Returns true if the map allows the step, links excluded. */
static bool is_allowed(const wend__clear_line *line, wend_cell a, wend_cell b) {
    const int32_t direction = wend__flat_direction(b.x - a.x, b.y - a.y);
    if (direction < 0 || wend__version_factor(line->view, a.x, a.y) == 0) return false;
    return (wend__version_steps(line->view, a.x, a.y) >> direction & 1) != 0;
}

/* Returns how wide the ground is at a step of the path: WEND__WIDE and so on. A step that is closed in one direction
 * leads through a wall. */
static int32_t width_at(const wend__clear_line *line, uint32_t step) {
    const wend_cell from = line->cells[step], to = line->cells[step + 1];
    const wend__milli_point a = spot_of(line, from), b = spot_of(line, to);
    if (!is_allowed(line, from, to)) return WEND__NARROW;
    if (line->view->closed_steps > 0 && !is_allowed(line, to, from)) return WEND__NARROW;
    if (line->fits || wend__piece_is_free(&line->ground, &line->disc[WEND__WIDE], a, b)) return WEND__WIDE;
    const bool half = line->disc[WEND__WIDE].radius > line->disc[WEND__HALF_WIDE].radius;
    return half && wend__piece_is_free(&line->ground, &line->disc[WEND__HALF_WIDE], a, b) ? WEND__HALF_WIDE
                                                                                          : WEND__NARROW;
}

static bool goes_on(const wend_cell *cell) {
    return cell[1].x - cell[0].x == cell[0].x - cell[-1].x && cell[1].y - cell[0].y == cell[0].y - cell[-1].y;
}

static void add_bend(wend__clear_line *line, uint32_t index) {
    WEND__DEBUG_ASSERT(line->count < WEND__CLEAR_WINDOW);
    line->bend[line->count] = line->round[line->count] = spot_of(line, line->cells[index]);
    line->index[line->count] = index;
    line->settled[line->count++] = false;
}

/* ---- laying the line along the path ---- */

static bool goes_straight(const wend__clear_line *line, const wend__disc *disc, uint32_t from, uint32_t to) {
    return wend__piece_is_free(&line->ground, disc, spot_of(line, line->cells[from]), spot_of(line, line->cells[to]));
}

/* Returns a cell of the path to which the disc can go straight from another one, far ahead: the end, or by strides that
 * double, then halve. Nearer than FINE it need not be: the line is made taut all the same. */
static uint32_t reach_ahead(const wend__clear_line *line, const wend__disc *disc, uint32_t from, uint32_t end) {
    enum { FIRST = 32, FINE = 16 };
    uint32_t to = from + 1, stride = FIRST;
    while (to < end && goes_on(&line->cells[to])) to++;
    if (!disc || !line->even || to == end) return to;
    if (goes_straight(line, disc, from, end)) return end;
    for (bool grows = true; stride >= FINE && to < end;) {
        const uint32_t next = end - to < stride ? end : to + stride;
        const bool reaches = next < end && goes_straight(line, disc, from, next);
        if (reaches) to = next;
        grows = grows && reaches;
        stride = grows ? 2 * stride : stride / 2;
    }
    return to;
}

/* Steps of one width. The first cell is in the window already, and the last one stays there. */
static void pull_run(wend__clear_line *line, uint32_t begin, uint32_t end, int32_t width) {
    const wend__disc *disc = width < WEND__NARROW ? &line->disc[width] : NULL;
    for (uint32_t i = begin; i < end;) {
        i = reach_ahead(line, disc, i, end);
        if (line->count >= FILLED) {
            if (disc) settle_line(line, disc);
            if (line->count >= GIVEN) give_first(line, GIVEN);
        }
        add_bend(line, i);
    }
    if (disc) settle_line(line, disc);
    WEND__DEBUG_ASSERT(line->count > 0);
    drop_needless(line);
    line->first = line->count - 1;
}

void wend__clear_line_pull(wend__clear_line *line, uint32_t begin, uint32_t end) {
    WEND__DEBUG_ASSERT(begin <= end);
    line->count = line->first = 0;
    line->effort = EFFORT * (end - begin < MOST_STEPS ? end - begin + 1 : MOST_STEPS);
    line->last_index = begin;
    add_bend(line, begin);
    for (uint32_t from = begin, to; from < end; from = to) {
        const int32_t width = width_at(line, from);
        for (to = from + 1; to < end && width_at(line, to) == width;) to++;
        pull_run(line, from, to, width);
    }
    give_first(line, line->count);
}
