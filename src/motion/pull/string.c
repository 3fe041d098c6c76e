/* SPDX-License-Identifier: MIT */
/* A string laid along a path and pulled tight, on plain ground: a turn of the path at a time. A pin that the string no
 * longer presses on is taken out, and the string catches on the blocked corners in the triangle that it sweeps. The
 * turns of the line are the cells next to these corners. */
#include "motion/pull/string.h"
#include "map/query/step_cost.h"
#include "map/store/terrain.h"
#include "motion/clear/hull.h"

#include <string.h>

/* Parts of a string have fewer pins where the one before went wrong. */
enum { MOST_PINS = WEND__PULL_WINDOW, LEAST_PINS = 4 };

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

static wend_cell cell_of(wend__milli_point spot) {
    return (wend_cell){spot.x >> 1, spot.y >> 1, 0};
}

static int32_t sign_of(int64_t value) {
    return (value > 0) - (value < 0);
}

/* ---- the blocked corners in a triangle ---- */

typedef struct columns {
    int32_t low, high;
} columns;

/* The rows of a triangle, from the upper one on: its long side, and the two others one after the other. */
typedef struct rows {
    wend__milli_point top, middle, bottom;
    double along, upper, lower; ///< columns for each half cell down
    double on_long, on_others;  ///< columns at the border above the next row
} rows;

static double per_row(wend__milli_point a, wend__milli_point b) {
    return a.y == b.y ? 0 : (double)(b.x - a.x) / (b.y - a.y);
}

static void put_in_order(wend__milli_point *a, wend__milli_point *b) {
    const wend__milli_point c = *a;
    if (a->y > b->y) *a = *b, *b = c;
}

static rows rows_of(wend__milli_point a, wend__milli_point b, wend__milli_point c) {
    put_in_order(&a, &b), put_in_order(&b, &c), put_in_order(&a, &b);
    return (rows){a, b, c, per_row(a, c), per_row(a, b), per_row(b, c), a.x, a.y == b.y ? b.x : a.x};
}

static inline double lesser(double a, double b) {
    return a < b ? a : b;
}

static inline double greater(double a, double b) {
    return a > b ? a : b;
}

/* Returns the cells of the next row, y, with a part in the triangle. Sides cross rows at fractions with the height of a
 * side, at most 2^17 half cells, below. So a side that passes a border of cells does it by 2^-17 at least, and what is
 * less than LITTLE is rounding: the result is exact. */
static columns next_row(rows *r, int32_t y) {
    static const double LITTLE = 1e-7;
    const int32_t end = wend__least(2 * y + 2, r->bottom.y);
    const double on_long = r->top.x + r->along * (end - r->top.y);
    const double on_others =
        end <= r->middle.y ? r->top.x + r->upper * (end - r->top.y) : r->middle.x + r->lower * (end - r->middle.y);
    double low = lesser(lesser(r->on_long, on_long), lesser(r->on_others, on_others));
    double high = greater(greater(r->on_long, on_long), greater(r->on_others, on_others));
    if (r->middle.y > 2 * y && r->middle.y < end) low = lesser(low, r->middle.x), high = greater(high, r->middle.x);
    r->on_long = on_long, r->on_others = on_others;
    return (columns){(int32_t)((low + LITTLE) / 2), (int32_t)((high - LITTLE) / 2)};
}

/* The chunk that the rows of a triangle are in. */
typedef struct ground {
    const wend__version *version;
    const wend__chunk *chunk;
    int32_t column, row;
    bool in_bits;
    wend__open_rows open;
} ground;

static uint64_t blocked_word(ground *g, int32_t x, int32_t y) {
    const int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    if (!g->chunk || column != g->column || row != g->row) {
        g->chunk = wend__version_chunk(g->version, column, row), g->column = column, g->row = row;
        g->in_bits = wend__open_rows_of(g->version->rules.factors, g->chunk, &g->open);
    }
    if (WEND__LIKELY(g->in_bits)) return ~wend__row_of(&g->open, y);
    return ~wend__open_row(g->version->rules.factors, g->chunk, (unsigned)y & 63);
}

/* Finds the first and last blocked cell of a range of row y. @return false: there is none */
static bool blocked_columns(ground *g, int32_t y, columns range, columns *out) {
    bool any = false;
    for (int32_t x = range.low; x <= range.high; x = (x | 63) + 1) {
        const int32_t last = wend__least(range.high, x | 63);
        const uint64_t word = blocked_word(g, x, y) & (wend__low_bits((unsigned)(last - x) + 1) << (x & 63));
        if (!word) continue;
        if (!any) out->low = (x & ~63) + (int32_t)wend__ctz64(word);
        out->high = (x & ~63) + (int32_t)wend__top64(word);
        any = true;
    }
    return any;
}

static void add_corner(wend__hull *hull, int32_t x, int32_t y) {
    const wend__milli_point point = {2 * x, 2 * y};
    if (wend__hull_turn(hull, hull->a, hull->b, point) >= 0) return;
    const int32_t side = wend__hull_side(hull, point);
    if (side >= 0) wend__hull_widen(hull, side, point, point);
}

/* The outer sides of cells: where the sides of a bend, and so all parts of its hull, face outwards. */
typedef struct facing {
    bool left, right, up, down;
} facing;

static void face_outwards(const wend__hull *hull, wend__milli_point a, wend__milli_point b, facing *out) {
    const int64_t x = hull->side * (b.y - a.y), y = -hull->side * (b.x - a.x);
    out->right |= x > 0, out->left |= x < 0;
    out->down |= y > 0, out->up |= y < 0;
}

static void add_corners(wend__hull *hull, const facing *to, int32_t y, columns blocked) {
    for (int32_t below = !to->up; below <= to->down; below++) {
        if (to->left) add_corner(hull, blocked.low, y + below);
        if (to->right) add_corner(hull, blocked.high + 1, y + below);
    }
}

/* Finds the shortest line from a to b within the triangle of a, p, b. Both sides at p are free: what blocks comes in
 * over the third side, and the hull of its corners there is that line. */
static void sweep(const wend__version *v, wend__milli_point a, wend__milli_point p, wend__milli_point b,
                  wend__hull *hull) {
    rows all = rows_of(a, p, b);
    facing to = {0};
    ground under = {.version = v};
    wend__hull_begin(hull, a, p, b);
    if (hull->side == 0) return;
    face_outwards(hull, a, p, &to), face_outwards(hull, p, b, &to);
    for (int32_t y = all.top.y >> 1; 2 * y < all.bottom.y; y++) {
        columns blocked = {0, 0};
        if (blocked_columns(&under, y, next_row(&all, y), &blocked)) add_corners(hull, &to, y, blocked);
    }
}

/* ---- the string ---- */

/* Takes pin i out: the string catches on corners of the triangle. @return how many these are; -1: too many */
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

/* ---- laying it along the path ---- */

static bool is_in_sight(const wend__pull *pull, wend_cell a, wend_cell b) {
    return wend__same_cell(wend__sight_end(pull->view, a, b), b);
}

/* Returns a cell of the path that is seen from another one, far ahead: the end, or by strides that double, then halve.
 * Nearer than FINE it need not be: the string is pulled tight all the same. */
static uint32_t see_ahead(const wend__pull *pull, uint32_t from, uint32_t end) {
    enum { FIRST = 16, FINE = 8 };
    const wend_cell *cells = pull->cells;
    uint32_t seen = from + 1, stride = FIRST;
    while (seen < end && wend__pull_same_step(&cells[from], &cells[seen])) seen++;
    if (seen < end && is_in_sight(pull, cells[from], cells[end])) return end;
    for (bool grows = true; stride >= FINE && seen < end;) {
        const uint32_t to = end - seen < stride ? end : seen + stride;
        const bool sees = to < end && is_in_sight(pull, cells[from], cells[to]);
        if (sees) seen = to;
        grows = grows && sees;
        stride = grows ? 2 * stride : stride / 2;
    }
    return seen;
}

/* Lays the string up to a cell of the path, or with so many pins. Returns where it ends. */
static uint32_t lay(string *s, uint32_t begin, uint32_t end, uint32_t pins) {
    const wend_cell *cells = s->pull->cells;
    uint32_t at = begin;
    s->pins[0] = (pin){half_spot(cells[begin]), 0, begin};
    s->count = 1;
    while (at < end && s->count < pins) {
        at = see_ahead(s->pull, at, end);
        s->pins[s->count++] = (pin){half_spot(cells[at]), 0, at};
        if (!tighten(s)) return begin;
    }
    return at;
}

/* ---- cells ---- */

/* Returns whether the string turns by 45 degrees or more there. */
static bool is_sharp(const string *s, uint32_t i) {
    const wend__milli_point a = s->pins[i - 1].at, p = s->pins[i].at, b = s->pins[i + 1].at;
    const int64_t along = (int64_t)(p.x - a.x) * (b.x - p.x) + (int64_t)(p.y - a.y) * (b.y - p.y);
    return along <= s->pins[i].side * wend__cross(a, p, b);
}

enum { CORNER_CELLS = 4, MOST_CHOICES = CORNER_CELLS + 2 };

/* The cells that a pin may become, one or two, and from which of the pin before the cheapest line leads to each. */
typedef struct choice {
    uint32_t count;
    wend__milli_point first[MOST_CHOICES], last[MOST_CHOICES]; ///< middles of cells
    uint8_t before[MOST_CHOICES];
} choice;

/* Costs of the cheapest lines to these cells. */
typedef struct costs {
    uint64_t of[MOST_CHOICES];
} costs;

static wend_cell cell_at_pin(const pin *p, int32_t n) {
    return (wend_cell){p->at.x / 2 - 1 + (n & 1), p->at.y / 2 - 1 + (n >> 1), 0};
}

static bool is_open(const string *s, wend_cell c) {
    return wend__on_map(s->pull->view, c.x, c.y) && wend__cell_factor(s->pull->view, c);
}

static void add_choice(choice *out, wend_cell first, wend_cell last) {
    const uint32_t k = out->count++;
    WEND__DEBUG_ASSERT(k < MOST_CHOICES);
    out->first[k] = half_spot(first), out->last[k] = half_spot(last);
}

/* The line may also turn twice at a sharp bend: in the open cells that share a side with the blocked one. Where a line
 * may not touch the corner, it turns a cell further away in one of them: two choices. */
static void add_pairs(const string *s, uint32_t i, int32_t blocked, choice *out) {
    const pin *p = &s->pins[i];
    const int32_t x = blocked & 1 ? -1 : 1, y = blocked & 2 ? -1 : 1;
    const wend_cell in_row = cell_at_pin(p, blocked ^ 1), in_column = cell_at_pin(p, blocked ^ 2);
    for (int32_t k = 0; k <= !s->pull->touches; k++) {
        wend_cell a = in_row, b = in_column;
        if (!s->pull->touches && k == 0) a.x += x;
        if (!s->pull->touches && k == 1) b.y += y;
        const wend_cell first = p->side * x * y > 0 ? a : b, second = p->side * x * y > 0 ? b : a;
        if (is_open(s, a) && is_open(s, b)) add_choice(out, first, second);
    }
}

static void choices_of(const string *s, uint32_t i, choice *out) {
    int32_t blocked = 0, closed = 0;
    out->count = 0;
    if (i == 0 || i + 1 == s->count) {
        const wend_cell end = s->pull->cells[s->pins[i].index];
        add_choice(out, end, end);
        return;
    }
    for (int32_t n = 0; n < CORNER_CELLS; n++) {
        const wend_cell c = cell_at_pin(&s->pins[i], n);
        if (is_open(s, c))
            add_choice(out, c, c);
        else
            blocked = n, closed++;
    }
    if (closed == 1 && s->pins[i].side != 0 && is_sharp(s, i)) add_pairs(s, i, blocked, out);
}

/* Returns whether a pin stays on the inner side of the line from a to b. */
static bool keeps_pin(const string *s, uint32_t i, wend__milli_point a, wend__milli_point b) {
    const pin *p = &s->pins[i];
    return p->side == 0 || p->side * wend__cross(a, b, p->at) >= !s->pull->touches;
}

static uint64_t length_of(const string *s, wend__milli_point a, wend__milli_point b) {
    return wend__same_spot(a, b) ? 0 : wend__cell_distance(s->pull->version, cell_of(a), cell_of(b)).high;
}

/* Finds the cheapest way to choice k of pin i. @return its cost; UINT64_MAX: none keeps the pins */
static uint64_t reach_cell(const string *s, uint32_t i, const choice *from, const costs *before, choice *to,
                           uint32_t k) {
    const wend__milli_point b = to->first[k];
    const uint64_t inside = length_of(s, b, to->last[k]);
    uint64_t least = UINT64_MAX;
    for (uint32_t n = 0; n < from->count; n++) {
        const wend__milli_point a = from->last[n];
        if (!wend__same_spot(a, b) && (!keeps_pin(s, i - 1, a, b) || !keeps_pin(s, i, a, b))) continue;
        const uint64_t cost = before->of[n] + length_of(s, a, b) + inside;
        if (cost < least) least = cost, to->before[k] = (uint8_t)n;
    }
    return least;
}

static bool choose(const string *s, choice *of) {
    costs before = {{0}}, now;
    choices_of(s, 0, &of[0]);
    for (uint32_t i = 1; i < s->count; i++) {
        uint32_t kept = 0;
        choices_of(s, i, &of[i]);
        for (uint32_t k = 0; k < of[i].count; k++) {
            of[i].first[kept] = of[i].first[k], of[i].last[kept] = of[i].last[k];
            now.of[kept] = reach_cell(s, i, &of[i - 1], &before, &of[i], kept);
            kept += now.of[kept] < UINT64_MAX;
        }
        of[i].count = kept;
        if (kept == 0) return false;
        before = now;
    }
    return true;
}

/* Adds a turn to the window. @return false: no line leads there */
static bool turn_at(wend__pull *pull, wend_cell cell, uint32_t index) {
    const wend_cell from = pull->turn[pull->count - 1].cell;
    if (wend__same_cell(from, cell)) return true;
    if (pull->count == WEND__PULL_WINDOW || !is_in_sight(pull, from, cell)) return false;
    pull->line[pull->count - 1] = wend__cell_distance(pull->version, from, cell);
    pull->settled[pull->count] = false;
    pull->turn[pull->count++] = (wend_turn){.cell = cell, .index = index};
    return true;
}

/* The window's last turn is the end of the string, and may be its only one, if the path comes back there. */
static void end_string(wend__pull *pull, uint32_t index) {
    const bool is_only = pull->count == 1 && index > pull->turn[0].index;
    const wend_turn end = {.cell = pull->turn[pull->count - 1].cell, .index = index};
    if (is_only) pull->line[0] = (wend__price){0, 0}, pull->count = 2;
    pull->turn[pull->count - 1] = end;
}

/* Makes the pins turns of the window. @return the first pin to which no line leads; else their number */
static uint32_t turn_cells(wend__pull *pull, const string *s) {
    choice of[MOST_PINS];
    uint8_t chosen[MOST_PINS];
    if (!choose(s, of)) return s->count - 1;
    chosen[s->count - 1] = 0;
    for (uint32_t i = s->count - 1; i > 0; i--) chosen[i - 1] = of[i].before[chosen[i]];
    pull->turn[0] = (wend_turn){.cell = cell_of(of[0].last[0]), .index = s->pins[0].index};
    pull->count = 1;
    for (uint32_t i = 1; i < s->count; i++) {
        const uint32_t k = chosen[i], index = s->pins[i].index;
        if (!turn_at(pull, cell_of(of[i].first[k]), index)) return i;
        if (!turn_at(pull, cell_of(of[i].last[k]), index)) return i;
    }
    end_string(pull, s->pins[s->count - 1].index);
    return s->count;
}

bool wend__pull_string(wend__pull *pull, uint32_t begin, uint32_t *end) {
    string s;
    s.pull = pull;
    WEND__DEBUG_ASSERT(pull->count == 0);
    if (pull->pins < LEAST_PINS || pull->pins > MOST_PINS / 2) pull->pins = MOST_PINS / 2;
    const uint32_t last = lay(&s, begin, *end, pull->pins);
    const bool is_laid = last > begin || begin == *end;
    const uint32_t good = is_laid ? turn_cells(pull, &s) : 0;
    if (is_laid && good == s.count && pull->count <= last - begin + 1) {
        wend__pull_drop_needless(pull);
        pull->pins *= 2;
        *end = last;
        return true;
    }
    pull->pins = LEAST_PINS;
    if (good > 0 && good < s.count && s.pins[good].index > begin) *end = s.pins[good].index;
    pull->count = 0;
    return false;
}
