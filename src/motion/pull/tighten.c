/* SPDX-License-Identifier: MIT */
/* Makes a line taut: turns move to the corners that the line bends around, are dropped, or split in two. Each change
 * makes the line surely cheaper, so this ends. */
#include "map/ground/ground.h"
#include "map/query/step_cost.h"
#include "motion/pull/window.h"

#include <stdlib.h>

enum { MOST_PASSES = 16, NEAR = 1 };

/* ---- a single turn ---- */

static int32_t around(const wend__pull *pull) {
    return pull->version->kind == WEND_KIND_VOXEL ? WEND__AROUND_SPACE : WEND__AROUND;
}

static bool try_cell(const wend__pull *pull, wend_cell a, wend_cell b, wend_cell c, wend__pull_bend *bend) {
    wend__price in = wend__cell_distance(pull->version, a, c), out = wend__cell_distance(pull->version, c, b);
    if (in.high + out.high >= bend->limit || !wend__cell_factor(pull->view, c)) return false;
    if (!wend__pull_distance(pull, a, c, bend->limit - out.high, &in)) return false;
    if (!wend__pull_distance(pull, c, b, bend->limit - in.high, &out)) return false;
    *bend = (wend__pull_bend){c, in, out, in.low + out.low};
    return true;
}

bool wend__pull_try_around(const wend__pull *pull, wend_cell a, wend_cell b, wend_cell at, wend__pull_bend *bend) {
    bool better = false;
    wend_cell c;
    for (int32_t i = 0; i < around(pull); i++)
        if (wend__pull_cell_around(pull, at, i, &c)) better |= try_cell(pull, a, b, c, bend);
    return better;
}

/* ---- changes ---- */

/* Finds the cell at an offset, if it is open and lies in the same sheet. */
static bool cell_in_sheet(const wend__version *v, wend_cell at, int32_t x, int32_t y, wend_cell *out) {
    *out = (wend_cell){at.x + x, at.y + y, 0};
    return wend__on_map(v, out->x, out->y) && wend__lie_together(v, at, *out) && wend__cell_factor(v, *out);
}

/* Returns the cell at an offset from p, in its sheet or in that of b; else p. */
static wend_cell along_sheets(const wend__version *v, wend_cell p, wend_cell b, wend_cell way, wend_cell gone) {
    wend_cell out;
    if (cell_in_sheet(v, p, gone.x, gone.y, &out)) return out;
    return cell_in_sheet(v, b, gone.x - way.x, gone.y - way.y, &out) ? out : p;
}

/* Returns cell k of the n + 1 that lie along the line from p to b. */
static wend_cell along(const wend__version *v, wend_cell p, wend_cell b, int64_t k, int64_t n) {
    WEND__DEBUG_ASSERT(n > 0 && k >= 0 && k <= n);
    const wend_cell way = wend__place_difference(v, p, b);
    const int64_t x = way.x * k / n, y = way.y * k / n, z = way.z * k / n;
    if (WEND__UNLIKELY(v->sheets)) return along_sheets(v, p, b, way, (wend_cell){(int32_t)x, (int32_t)y, 0});
    return wend__wrapped_cell(v, (wend_cell){p.x + (int32_t)x, p.y + (int32_t)y, p.z + (int32_t)z});
}

/* Finds how far the line from a could turn from p towards b. */
typedef struct swing {
    wend_cell reached; ///< the last cell between p and b that a sees; by bisection, so not always the last
    wend_cell corner;  ///< where the line from a to the next one is blocked
} swing;

static swing swing_from(const wend__pull *pull, wend_cell a, wend_cell p, wend_cell b) {
    const wend_cell way = wend__place_difference(pull->version, p, b);
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

static void cells_at_corner(const wend__pull *pull, wend_cell corner, wend_cell a, wend_cell b, bool from_a,
                            uint64_t limit, wend__pull_cells *out) {
    out->count = 0;
    for (int32_t i = 0; i < around(pull); i++) {
        wend_cell c;
        if (!wend__pull_cell_around(pull, corner, i, &c) || !wend__cell_factor(pull->view, c)) continue;
        uint64_t rest = wend__cell_distance(pull->version, c, from_a ? b : a).high;
        if (rest >= limit) continue;
        if (!wend__pull_line(pull, from_a ? a : c, from_a ? c : b, limit - rest, &out->line[out->count])) continue;
        out->cell[out->count++] = c;
    }
}

/* Two turns instead of one, u at the corner near a, v at the corner near b. */
static bool try_split(wend__pull *pull, uint32_t i, wend_cell near_a, wend_cell near_b) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < pull->count);
    wend_cell a = pull->turn[i - 1].cell, b = pull->turn[i + 1].cell;
    uint64_t limit = pull->line[i - 1].low + pull->line[i].low;
    wend__pull_cells u, v;
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
            wend__pull_split_turn(pull, i, v.cell[n], lines);
            return true;
        }
    return false;
}

/* Over the rim both parts together may be longer than the other way round: then they are two lines. */
static bool on_the_way(const wend__version *v, wend_cell a, wend_cell p, wend_cell b) {
    const wend_cell u = wend__place_difference(v, a, p), w = wend__place_difference(v, p, b);
    const wend_cell whole = wend__place_difference(v, a, b);
    const int64_t ux = u.x, uy = u.y, uz = u.z, vx = w.x, vy = w.y, vz = w.z;
    if (whole.x != u.x + w.x || whole.y != u.y + w.y) return false;
    bool parallel = ux * vy == uy * vx && uy * vz == uz * vy && ux * vz == uz * vx;
    return parallel && ux * vx + uy * vy + uz * vz >= 0;
}

static bool is_near(const wend__version *v, wend_cell a, wend_cell b) {
    const wend_cell d = wend__place_difference(v, a, b);
    return abs(d.x) <= NEAR && abs(d.y) <= NEAR && abs(d.z) <= NEAR;
}

/* Returns whether the line from a is blocked next to p as soon as it turns from p towards b, that is, bends round a
 * corner there. */
static bool bends_round_corner(const wend__pull *pull, wend_cell a, wend_cell p, wend_cell b) {
    const wend_cell way = wend__place_difference(pull->version, p, b);
    const int64_t x = abs(way.x), y = abs(way.y), z = abs(way.z), longer = x > y ? x : y, n = z > longer ? z : longer;
    const wend_cell next = along(pull->version, p, b, 1, n), end = wend__sight_end(pull->view, a, next);
    return !wend__same_cell(end, next) && is_near(pull->version, p, end);
}

/* @return true: something changed at turn i */
static bool improve_turn(wend__pull *pull, uint32_t i) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < pull->count);
    wend_cell a = pull->turn[i - 1].cell, p = pull->turn[i].cell, b = pull->turn[i + 1].cell;
    wend__price sum = wend__price_sum(pull->line[i - 1], pull->line[i]), straight;
    bool idle = wend__same_cell(a, p) || wend__same_cell(p, b);
    if (idle || (on_the_way(pull->version, a, p, b) && !wend__pull_units_between(pull, a, b))) {
        wend__pull_drop_turn(pull, i, sum);
        return true;
    }
    if (wend__pull_shortcut(pull, a, b, sum, &straight)) {
        wend__pull_drop_turn(pull, i, straight);
        return true;
    }
    wend__pull_bend bend = {p, pull->line[i - 1], pull->line[i], sum.low};
    bool better = wend__pull_try_around(pull, a, b, p, &bend);
    const bool cheap = pull->plain && pull->version->sheets; /* lines over seams take several times as long */
    if (cheap || bends_round_corner(pull, a, p, b) || bends_round_corner(pull, b, p, a)) {
        if (better) wend__pull_move_turn(pull, i, &bend);
        return better;
    }
    swing to_b = swing_from(pull, a, p, b), to_a = swing_from(pull, b, p, a);
    bool tight = is_near(pull->version, p, to_b.corner) || is_near(pull->version, p, to_a.corner);
    if (!tight) {
        better |= wend__pull_try_around(pull, a, b, to_b.corner, &bend);
        better |= wend__pull_try_around(pull, a, b, to_a.corner, &bend);
        better |= try_cell(pull, a, b, to_b.reached, &bend);
        better |= try_cell(pull, a, b, to_a.reached, &bend);
    }
    if (better) wend__pull_move_turn(pull, i, &bend);
    return better || (!tight && try_split(pull, i, to_b.corner, to_a.corner));
}

/* Returns whether the line from a to b passes through a blocked cell next to p, in two dimensions: mostly it does, and
 * that takes less time to see than the whole line. */
static bool is_blocked_near(const wend__version *view, wend_cell a, wend_cell p, wend_cell b) {
    const bool upright = abs(b.y - a.y) > abs(b.x - a.x);
    const int64_t along = upright ? b.y - a.y : b.x - a.x, across = upright ? b.x - a.x : b.y - a.y;
    for (int32_t by = -NEAR; by <= NEAR && along != 0; by++) {
        const int64_t gone = (upright ? p.y - a.y : p.x - a.x) + by, length = llabs(along);
        if (along > 0 ? gone <= 0 || gone >= along : gone >= 0 || gone <= along) continue;
        const int64_t half = 2 * llabs(gone) * llabs(across) + length, side = half / (2 * length);
        if (half % (2 * length) == 0) continue; /* on the border of two cells */
        const int32_t aside = (int32_t)(across < 0 ? -side : side), ahead = (int32_t)gone;
        if (!wend__version_factor(view, a.x + (upright ? aside : ahead), a.y + (upright ? ahead : aside))) return true;
    }
    return false;
}

void wend__pull_drop_needless(wend__pull *pull) {
    for (uint32_t i = 1; i + 1 < pull->count;) {
        const wend_cell a = pull->turn[i - 1].cell, p = pull->turn[i].cell, b = pull->turn[i + 1].cell;
        const wend__price sum = wend__price_sum(pull->line[i - 1], pull->line[i]);
        wend__price straight;
        const bool blocked = pull->plain && pull->flat && is_blocked_near(pull->view, a, p, b);
        if (!blocked && wend__pull_shortcut(pull, a, b, sum, &straight)) {
            wend__pull_drop_turn(pull, i, straight);
            i -= i > 1;
        } else {
            i++;
        }
    }
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
    if (changed) wend__pull_drop_needless(pull);
}
