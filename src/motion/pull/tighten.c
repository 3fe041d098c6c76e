/* SPDX-License-Identifier: MIT */
/* Making a line taut: turns move to the corners that the line bends around, are dropped, or split in two. Each change
 * makes the line surely cheaper, so this ends. */
#include "map/query/step_cost.h"
#include "motion/pull/pull.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 16, AROUND = 9, AROUND_SPACE = 27, NEAR = 1 };

static bool units_between(const wend__pull *pull, wend_cell a, wend_cell b) {
    return pull->units && wend__line_occupied(pull->map, pull->size, pull->cells[0], a, b);
}

bool wend__pull_line(const wend__pull *pull, wend_cell a, wend_cell b, uint64_t limit, wend__price *price) {
    *price = wend__cell_distance(a, b);
    if (price->high >= limit) return false; /* no factor is below 1 */
    if (!wend__same_cell(wend__sight_end(pull->view, a, b), b)) return false;
    if (!pull->even) *price = wend__line_price(pull->view, a, b);
    if (price->high >= limit) return false;
    return !units_between(pull, a, b);
}

/* ---- one turn ---- */

/* Cell i of those around a cell and the cell itself; false: it is off the map. */
static bool cell_around(const wend__pull *pull, wend_cell at, int32_t i, wend_cell *out) {
    *out = (wend_cell){at.x + i % 3 - 1, at.y + i / 3 % 3 - 1, at.z};
    if (pull->version->kind == WEND_KIND_VOXEL) out->z += i / 9 - 1;
    return wend__on_map(pull->version, out->x, out->y) && out->z >= 0 && out->z < pull->version->depth;
}

static int32_t around(const wend__pull *pull) {
    return pull->version->kind == WEND_KIND_VOXEL ? AROUND_SPACE : AROUND;
}

static bool try_cell(const wend__pull *pull, wend_cell a, wend_cell b, wend_cell c, wend__bend *bend) {
    wend__price in = wend__cell_distance(a, c), out = wend__cell_distance(c, b);
    if (in.high + out.high >= bend->limit) return false;
    if (!wend__pull_line(pull, a, c, bend->limit - out.high, &in)) return false;
    if (!wend__pull_line(pull, c, b, bend->limit - in.high, &out)) return false;
    *bend = (wend__bend){c, in, out, in.low + out.low};
    return true;
}

bool wend__pull_try_around(const wend__pull *pull, wend_cell a, wend_cell b, wend_cell at, wend__bend *bend) {
    bool better = false;
    wend_cell c;
    for (int32_t i = 0; i < around(pull); i++)
        if (cell_around(pull, at, i, &c)) better |= try_cell(pull, a, b, c, bend);
    return better;
}

/* ---- the window ---- */

static void neighbours_unsettled(wend__pull *pull, uint32_t i) {
    for (uint32_t k = i > 1 ? i - 1 : 1; k <= i + 1 && k < pull->count; k++) pull->settled[k] = false;
}

static void drop_turn(wend__pull *pull, uint32_t i, wend__price line) {
    uint32_t after = pull->count - i - 1;
    memmove(&pull->turn[i], &pull->turn[i + 1], after * sizeof *pull->turn);
    memmove(&pull->line[i], &pull->line[i + 1], after * sizeof *pull->line);
    memmove(&pull->settled[i], &pull->settled[i + 1], after * sizeof *pull->settled);
    pull->line[i - 1] = line;
    pull->count--;
    neighbours_unsettled(pull, i - 1);
    pull->settled[i] = false;
}

static void move_turn(wend__pull *pull, uint32_t i, const wend__bend *bend) {
    pull->turn[i].cell = bend->cell;
    pull->line[i - 1] = bend->in;
    pull->line[i] = bend->out;
    neighbours_unsettled(pull, i);
}

/* The turn becomes two. */
static void split_turn(wend__pull *pull, uint32_t i, wend_cell second, const wend__price lines[3]) {
    uint32_t after = pull->count - i - 1;
    memmove(&pull->turn[i + 2], &pull->turn[i + 1], after * sizeof *pull->turn);
    memmove(&pull->line[i + 2], &pull->line[i + 1], after * sizeof *pull->line);
    memmove(&pull->settled[i + 2], &pull->settled[i + 1], after * sizeof *pull->settled);
    pull->turn[i + 1] = (wend_turn){second, pull->turn[i].index};
    memcpy(&pull->line[i - 1], lines, 3 * sizeof *lines);
    pull->count++;
    neighbours_unsettled(pull, i);
    neighbours_unsettled(pull, i + 1);
}

/* ---- changes ---- */

/* Cell k of the n + 1 that lie along the line from p to b. */
static wend_cell along(wend_cell p, wend_cell b, int64_t k, int64_t n) {
    int64_t x = (int64_t)b.x - p.x, y = (int64_t)b.y - p.y, z = (int64_t)b.z - p.z;
    return (wend_cell){p.x + (int32_t)(x * k / n), p.y + (int32_t)(y * k / n), p.z + (int32_t)(z * k / n)};
}

/* How far the line from a could turn from p towards b. */
typedef struct swing {
    wend_cell reached; ///< the last cell between p and b that a sees; by bisection, so not always the last
    wend_cell corner;  ///< where the line from a to the next one is blocked
} swing;

static swing swing_from(const wend__pull *pull, wend_cell a, wend_cell p, wend_cell b) {
    int64_t x = llabs((int64_t)b.x - p.x), y = llabs((int64_t)b.y - p.y), z = llabs((int64_t)b.z - p.z);
    int64_t n = x > y ? x : y, low = 0, high;
    if (z > n) n = z;
    for (high = n; high - low > 1;) {
        int64_t middle = low + (high - low) / 2;
        wend_cell cell = along(p, b, middle, n);
        if (wend__same_cell(wend__sight_end(pull->view, a, cell), cell))
            low = middle;
        else
            high = middle;
    }
    return (swing){along(p, b, low, n), wend__sight_end(pull->view, a, along(p, b, high, n))};
}

/* The cells around a corner that can be reached from one side for less than `limit`. */
typedef struct corner_cells {
    int32_t count;
    wend_cell cell[AROUND_SPACE];
    wend__price line[AROUND_SPACE];
} corner_cells;

static void cells_at_corner(const wend__pull *pull, wend_cell corner, wend_cell a, wend_cell b, bool from_a,
                            uint64_t limit, corner_cells *out) {
    out->count = 0;
    for (int32_t i = 0; i < around(pull); i++) {
        wend_cell c;
        if (!cell_around(pull, corner, i, &c)) continue;
        uint64_t rest = wend__cell_distance(c, from_a ? b : a).high;
        if (rest >= limit) continue;
        if (!wend__pull_line(pull, from_a ? a : c, from_a ? c : b, limit - rest, &out->line[out->count])) continue;
        out->cell[out->count++] = c;
    }
}

/* Two turns instead of one, u at the corner near a, v at the corner near b. */
static bool try_split(wend__pull *pull, uint32_t i, wend_cell near_a, wend_cell near_b) {
    wend_cell a = pull->turn[i - 1].cell, b = pull->turn[i + 1].cell;
    uint64_t limit = pull->line[i - 1].low + pull->line[i].low;
    corner_cells u, v;
    if (pull->count == WEND__PULL_WINDOW) return false;
    cells_at_corner(pull, near_a, a, b, true, limit, &u);
    cells_at_corner(pull, near_b, a, b, false, limit, &v);
    for (int32_t k = 0; k < u.count; k++)
        for (int32_t n = 0; n < v.count; n++) {
            uint64_t ends = u.line[k].high + v.line[n].high;
            wend__price middle;
            if (ends >= limit || !wend__pull_line(pull, u.cell[k], v.cell[n], limit - ends, &middle)) continue;
            const wend__price lines[3] = {u.line[k], middle, v.line[n]};
            pull->turn[i].cell = u.cell[k];
            split_turn(pull, i, v.cell[n], lines);
            return true;
        }
    return false;
}

static bool on_the_way(wend_cell a, wend_cell p, wend_cell b) {
    int64_t ux = (int64_t)p.x - a.x, uy = (int64_t)p.y - a.y, uz = (int64_t)p.z - a.z;
    int64_t vx = (int64_t)b.x - p.x, vy = (int64_t)b.y - p.y, vz = (int64_t)b.z - p.z;
    bool parallel = ux * vy == uy * vx && uy * vz == uz * vy && ux * vz == uz * vx;
    return parallel && ux * vx + uy * vy + uz * vz >= 0;
}

static bool is_near(wend_cell a, wend_cell b) {
    return abs(a.x - b.x) <= NEAR && abs(a.y - b.y) <= NEAR && abs(a.z - b.z) <= NEAR;
}

/* @return true: something changed at turn i */
static bool improve_turn(wend__pull *pull, uint32_t i) {
    wend_cell a = pull->turn[i - 1].cell, p = pull->turn[i].cell, b = pull->turn[i + 1].cell;
    wend__price sum = wend__price_sum(pull->line[i - 1], pull->line[i]), straight;
    bool idle = wend__same_cell(a, p) || wend__same_cell(p, b);
    if (idle || (on_the_way(a, p, b) && !units_between(pull, a, b))) {
        drop_turn(pull, i, sum);
        return true;
    }
    if (wend__pull_line(pull, a, b, sum.low, &straight)) {
        drop_turn(pull, i, straight);
        return true;
    }
    wend__bend bend = {p, pull->line[i - 1], pull->line[i], sum.low};
    bool better = wend__pull_try_around(pull, a, b, p, &bend);
    swing to_b = swing_from(pull, a, p, b), to_a = swing_from(pull, b, p, a);
    bool tight = is_near(p, to_b.corner) || is_near(p, to_a.corner);
    if (!tight) {
        better |= wend__pull_try_around(pull, a, b, to_b.corner, &bend);
        better |= wend__pull_try_around(pull, a, b, to_a.corner, &bend);
        better |= try_cell(pull, a, b, to_b.reached, &bend);
        better |= try_cell(pull, a, b, to_a.reached, &bend);
    }
    if (better) move_turn(pull, i, &bend);
    return better || (!tight && try_split(pull, i, to_b.corner, to_a.corner));
}

void wend__pull_tighten(wend__pull *pull) {
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
