/* SPDX-License-Identifier: MIT */
/* A string laid along a path and pulled tight, on plain ground: a turn of the path at a time. A pin that the string no
 * longer presses on is taken out, and the string catches on the blocked corners in the triangle that it sweeps. The
 * turns of the line are the cells next to these corners. */
#include "motion/pull/string.h"
#include "map/query/step_cost.h"
#include "map/store/terrain.h"
#include "motion/clear/hull.h"

#include <string.h>

enum { MOST_PINS = WEND__PULL_WINDOW };

/* A point that the string goes by, in half cells: the centre of cell x is 2x + 1, its borders are 2x and 2x + 2. */
typedef struct pin {
    wend__milli_point at;
    int32_t side;   ///< how the string bends there: 1 clockwise, -1; 0: an end, or a turn of the path
    uint32_t index; ///< of a cell of the path near it
} pin;

typedef struct string {
    const wend__pull *pull;
    uint32_t count;
    pin pins[MOST_PINS];
} string;

static wend__milli_point half_spot(wend_cell c) {
    return (wend__milli_point){2 * c.x + 1, 2 * c.y + 1};
}

static int32_t sign_of(int64_t value) {
    return (value > 0) - (value < 0);
}

/* ---- the blocked corners in a triangle ---- */

/* A side of a triangle, from its upper end on: where it enters a row, and where it crosses the border below. */
typedef struct slope {
    int32_t top, bottom, last; ///< heights of its ends, column of the lower
    int64_t at, at_rest, whole, rest, step_whole, step_rest, parts;
} slope;

static int64_t floor_of(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

static slope slope_of(wend__milli_point a, wend__milli_point b) {
    const wend__milli_point top = a.y <= b.y ? a : b, bottom = a.y <= b.y ? b : a;
    const int64_t dx = (int64_t)bottom.x - top.x, down = top.y & 1 ? 1 : 2;
    slope s = {.top = top.y, .bottom = bottom.y, .last = bottom.x, .at = top.x, .parts = bottom.y - top.y};
    if (s.parts == 0) return s;
    s.whole = floor_of(dx * down, s.parts), s.rest = dx * down - s.whole * s.parts, s.whole += top.x;
    s.step_whole = floor_of(2 * dx, s.parts), s.step_rest = 2 * dx - s.step_whole * s.parts;
    return s;
}

typedef struct columns {
    int32_t low, high;
} columns;

/* Adds the cells with insides left and right of a point. */
static void reach(columns *row, int64_t whole, int64_t rest) {
    const int32_t low = (int32_t)(whole >> 1), high = low - !(rest > 0 || whole & 1);
    if (low < row->low) row->low = low;
    if (high > row->high) row->high = high;
}

/* Adds the part of a side in row y. Rows are passed in order. */
static void add_side(slope *s, int32_t y, columns *row) {
    const int32_t lower = 2 * y + 2;
    if (s->parts == 0 || s->top >= lower || s->bottom <= lower - 2) return;
    reach(row, s->at, s->at_rest);
    if (s->bottom <= lower) {
        reach(row, s->last, 0);
        return;
    }
    reach(row, s->whole, s->rest);
    s->at = s->whole, s->at_rest = s->rest;
    s->whole += s->step_whole, s->rest += s->step_rest;
    if (s->rest >= s->parts) s->rest -= s->parts, s->whole++;
}

/* Finds the first and last blocked cell of a range of row y. @return false: there is none */
static bool blocked_columns(const wend__version *v, int32_t y, columns range, columns *out) {
    bool any = false;
    for (int32_t x = range.low; x <= range.high; x = (x | 63) + 1) {
        const int32_t last = wend__least(range.high, x | 63);
        const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        const uint64_t wanted = wend__low_bits((unsigned)(last - x) + 1) << (x & 63);
        const uint64_t word = ~wend__open_row(v->rules.factors, chunk, (unsigned)y & 63) & wanted;
        if (!word) continue;
        if (!any) out->low = (x & ~63) + (int32_t)wend__ctz64(word);
        out->high = (x & ~63) + (int32_t)wend__top64(word);
        any = true;
    }
    return any;
}

static void add_corner(wend__hull *hull, int32_t x, int32_t y) {
    const wend__milli_point point = {2 * x, 2 * y};
    const int32_t side = wend__hull_side(hull, point);
    if (side >= 0) wend__hull_widen(hull, side, point);
}

/* Finds the shortest line from a to b within the triangle of a, p, b. Both sides at p are free: what blocks comes in over
 * the third side, and the hull of its corners there is that line. */
static void sweep(const wend__version *v, wend__milli_point a, wend__milli_point p, wend__milli_point b,
                  wend__hull *hull) {
    slope sides[3] = {slope_of(a, p), slope_of(p, b), slope_of(a, b)};
    const int32_t top = wend__least(a.y, wend__least(p.y, b.y)), bottom = wend__most(a.y, wend__most(p.y, b.y));
    wend__hull_begin(hull, a, p, b);
    if (hull->side == 0) return;
    for (int32_t y = top >> 1; 2 * y < bottom; y++) {
        columns row = {INT32_MAX, INT32_MIN}, blocked;
        for (int32_t i = 0; i < 3; i++) add_side(&sides[i], y, &row);
        if (!blocked_columns(v, y, row, &blocked)) continue;
        for (int32_t below = 0; below < 2; below++) {
            add_corner(hull, blocked.low, y + below);
            add_corner(hull, blocked.high + 1, y + below);
        }
    }
}

/* ---- the string ---- */

/* Takes pin i out: the string catches on corners of the triangle. @return how many pins there are now; -1: too many */
static int32_t take_out(string *s, uint32_t i) {
    wend__hull hull;
    const uint32_t index = s->pins[i].index;
    sweep(s->pull->view, s->pins[i - 1].at, s->pins[i].at, s->pins[i + 1].at, &hull);
    const uint32_t caught = (uint32_t)hull.count - 2;
    if (hull.full || s->count - 1 + caught > MOST_PINS) return -1;
    memmove(&s->pins[i + caught], &s->pins[i + 1], (s->count - i - 1) * sizeof *s->pins);
    for (uint32_t k = 0; k < caught; k++) s->pins[i + k] = (pin){hull.point[k + 1], (int32_t)hull.side, index};
    s->count += caught, s->count--;
    return (int32_t)caught;
}

/* Returns whether the string presses on a pin. */
static bool presses(const string *s, uint32_t i) {
    const int32_t turn = sign_of(wend__cross(s->pins[i - 1].at, s->pins[i].at, s->pins[i + 1].at));
    return turn != 0 && turn == s->pins[i].side;
}

/* Pulls the string tight after a pin was added at its end. @return false: too many pins */
static bool tighten(string *s) {
    int32_t at = (int32_t)s->count - 2, low = at;
    while (at >= low && at > 0) {
        if (presses(s, (uint32_t)at)) {
            at--;
            continue;
        }
        const int32_t caught = take_out(s, (uint32_t)at);
        if (caught < 0) return false;
        low = wend__least(low, at - 1);
        at = wend__least(at + caught, (int32_t)s->count - 2);
    }
    return true;
}

static bool same_step(const wend_cell *a, const wend_cell *b) {
    return a[1].x - a[0].x == b[1].x - b[0].x && a[1].y - a[0].y == b[1].y - b[0].y;
}

static bool lay(string *s, uint32_t begin, uint32_t end) {
    const wend_cell *cells = s->pull->cells;
    s->pins[0] = (pin){half_spot(cells[begin]), 0, begin};
    s->count = 1;
    for (uint32_t i = begin + 1; i <= end; i++) {
        if (i < end && same_step(&cells[i - 1], &cells[i])) continue;
        if (s->count == MOST_PINS) return false;
        s->pins[s->count++] = (pin){half_spot(cells[i]), 0, i};
        if (!tighten(s)) return false;
    }
    return true;
}

/* ---- cells ---- */

/* Finds the open cell at a corner where the line from a cell to the next pin is the straightest. @return false: none */
static bool cell_at(const string *s, uint32_t i, wend_cell from, wend_cell *out) {
    const wend__milli_point corner = s->pins[i].at, a = half_spot(from), next = s->pins[i + 1].at;
    const int64_t side = s->pins[i].side, least_turn = !s->pull->touches;
    int64_t least = INT64_MAX;
    for (int32_t n = 0; n < 4; n++) {
        const wend_cell c = {corner.x / 2 - 1 + (n & 1), corner.y / 2 - 1 + (n >> 1), 0};
        const wend__milli_point spot = half_spot(c);
        if (!wend__on_map(s->pull->view, c.x, c.y) || !wend__cell_factor(s->pull->view, c)) continue;
        if (side * wend__cross(a, spot, corner) < least_turn || side * wend__cross(spot, next, corner) < least_turn)
            continue;
        const int64_t aside = -side * wend__cross(a, next, spot);
        if (aside < least) least = aside, *out = c;
    }
    return least < INT64_MAX;
}

static bool is_in_sight(const wend__pull *pull, wend_cell a, wend_cell b) {
    return wend__same_cell(wend__sight_end(pull->view, a, b), b);
}

/* Makes the pins turns of the window. @return false: a line between two of them is blocked */
static bool turn_cells(wend__pull *pull, const string *s) {
    pull->turn[0] = (wend_turn){.cell = pull->cells[s->pins[0].index], .index = s->pins[0].index};
    pull->count = 1;
    for (uint32_t i = 1; i < s->count; i++) {
        wend_cell cell = pull->cells[s->pins[i].index];
        const wend_cell from = pull->turn[pull->count - 1].cell;
        if (i + 1 < s->count && !cell_at(s, i, from, &cell)) return false;
        if (wend__same_cell(from, cell)) continue;
        if (!is_in_sight(pull, from, cell)) return false;
        pull->line[pull->count - 1] = wend__cell_distance(pull->version, from, cell);
        pull->settled[pull->count] = false;
        pull->turn[pull->count++] = (wend_turn){.cell = cell, .index = s->pins[i].index};
    }
    return true;
}

bool wend__pull_string(wend__pull *pull, uint32_t begin, uint32_t end) {
    string s;
    s.pull = pull;
    WEND__DEBUG_ASSERT(pull->count == 0);
    if (lay(&s, begin, end) && turn_cells(pull, &s)) return true;
    pull->count = 0;
    return false;
}
