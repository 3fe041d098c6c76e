/* SPDX-License-Identifier: MIT */
/* Canonical successors in space (after Sturtevant and Rabin 2016).
 *
 * Let p be the voxel before x, and n a voxel after it. The step from x to n is left out if the
 * 27 cells around x allow a path from p to n, in one step or in two by way of another cell y,
 * that is cheaper, or as cheap with a last step that is earlier in the order of directions
 * (straight ones, flat diagonals, diagonals in space). All 27 cells must cost the same to enter,
 * and no step among them may be closed; else all steps are taken.
 *
 * No cheapest path is lost. Let g(n) be the cost of n, and X the set of all cells from which one
 * step leads to n at that cost. They cost less than n. So by induction the search knows each
 * cell of X that it comes to at its cost before n matters, and it reached that cell from a cell
 * whose cost and step add up to it. Let x be the cell of X whose step to n is the first in the
 * order of directions. If x left the step out, there would be one of two paths from its p to n.
 * One is cheaper: that cannot be, as g(p) and the steps through x add up to g(n). The other is
 * as cheap, its last cell y is in X, and its last step is earlier in the order: that contradicts
 * the choice of x. So x takes the step.
 *
 * Which paths are cheaper follows from S < D < T and S > D - S > T - D alone, so one table
 * serves all such costs. (Compare paths with the same ends and at most two steps each: T + S
 * against 2 D is the close one.) With 6 neighbours any S will do.
 *
 * A path round x counts as open where all cells of its steps' boxes are open. Of several such
 * paths the table looks at the one with the fewest cells that are not known to be open. So a
 * step is left out unless one of certain cells is blocked, and the tables can say so for each
 * row of three cells by itself. */
#include "map/canonical/canonical.h"

#include <string.h>

typedef struct offset {
    int x, y, z;
} offset;

static const offset middle = {0, 0, 0};

static offset of_direction(unsigned d) {
    return (offset){wend__sx[d], wend__sy[d], wend__sz[d]};
}

static offset difference(offset a, offset b) {
    return (offset){a.x - b.x, a.y - b.y, a.z - b.z};
}

static int direction_of(offset o) {
    return wend__space_direction(o.x, o.y, o.z);
}

static bool is_around(offset o) {
    return wend__is_unit(o.x) && wend__is_unit(o.y) && wend__is_unit(o.z);
}

static uint32_t bit_of(offset o) {
    return UINT32_C(1) << ((o.z + 1) * 9 + (o.y + 1) * 3 + o.x + 1);
}

/* Returns a bit for each value from a to b in steps of `unit`, of -1, 0 and 1. */
static uint32_t span(int a, int b, unsigned unit) {
    return UINT32_C(1) << unit * (unsigned)(a + 1) | UINT32_C(1) << unit * (unsigned)(b + 1);
}

/* The cells that must be open for a step: its box without the first cell; or the last cell only. */
static uint32_t asked(int table, offset from, offset to) {
    if (table != WEND__VOXEL_CANONICAL_STRICT) return bit_of(to);
    const uint32_t x = span(from.x, to.x, 1), y = span(from.y, to.y, 3), z = span(from.z, to.z, 9);
    return x * y * z & ~bit_of(from); /* sums of powers of two that never meet */
}

/* Any costs with S > D - S > T - D. */
static unsigned price(int d) {
    return d < WEND__SPACE_FLAT ? 1000 : d < WEND__SPACE_SPACE ? 1414 : 1732;
}

static unsigned count(uint32_t bits) {
    unsigned n = 0;
    for (; bits; bits &= bits - 1) n++;
    return n;
}

static bool is_step(int table, int d) {
    return d >= 0 && (table != WEND__VOXEL_CANONICAL_SIX || d < WEND__SPACE_FLAT);
}

/* The cells that make step v after step u worthless if all are open; UINT32_MAX: v is always
 * worth taking. */
static uint32_t worthless_if(int table, int u, int v) {
    const offset p = difference(middle, of_direction((unsigned)u)), n = of_direction((unsigned)v);
    const uint32_t known = asked(table, p, middle) | asked(table, middle, n);
    const unsigned through = price(u) + price(v);
    const int direct = direction_of(difference(n, p));
    uint32_t best = UINT32_MAX;
    if (p.x == n.x && p.y == n.y && p.z == n.z) return 0;
    if (is_step(table, direct) && price(direct) < through) best = asked(table, p, n);
    for (int first = 0; first < WEND__SPACE_DIRECTIONS; first++) {
        const offset by = of_direction((unsigned)first), y = {p.x + by.x, p.y + by.y, p.z + by.z};
        if (!is_step(table, first) || first == u || !is_around(y)) continue;
        const int second = direction_of(difference(n, y));
        if (!is_step(table, second)) continue;
        const unsigned round = price(first) + price(second);
        if (round > through || (round == through && second > v)) continue;
        const uint32_t cells = asked(table, p, y) | asked(table, y, n);
        if (best == UINT32_MAX || count(cells & ~known) < count(best & ~known)) best = cells;
    }
    return best;
}

/* A row's pattern adds the effect of its blocked cells. */
static void fill_rows(uint32_t rows[9][8], const uint32_t by_cell[27]) {
    for (unsigned row = 0; row < 9; row++)
        for (unsigned pattern = 0; pattern < 8; pattern++) {
            rows[row][pattern] = 0;
            for (unsigned i = 0; i < 3; i++)
                if (!(pattern >> i & 1)) rows[row][pattern] |= by_cell[row * 3 + i];
        }
}

static void always(uint32_t rows[9][8], uint32_t steps) {
    for (unsigned pattern = 0; pattern < 8; pattern++) rows[0][pattern] |= steps;
}

static void note(uint32_t by_cell[27], uint32_t cells, int d) {
    for (; cells; cells &= cells - 1) by_cell[wend__ctz32(cells)] |= UINT32_C(1) << d;
}

static wend__voxel_canonical tables[WEND__VOXEL_CANONICAL_TABLES];

static void fill(int table) {
    wend__voxel_canonical *ways = &tables[table];
    const int directions = table == WEND__VOXEL_CANONICAL_SIX ? WEND__SPACE_FLAT : WEND__SPACE_DIRECTIONS;
    const uint32_t all = (UINT32_C(1) << directions) - 1;
    uint32_t by_cell[27] = {0};
    for (int v = 0; v < directions; v++) note(by_cell, asked(table, middle, of_direction((unsigned)v)), v);
    fill_rows(ways->illegal, by_cell);
    always(ways->illegal, ~all);
    always(ways->kept[WEND__SPACE_DIRECTIONS], all);
    for (int u = 0; u < directions; u++) {
        uint32_t worthwhile = 0;
        memset(by_cell, 0, sizeof by_cell);
        for (int v = 0; v < directions; v++) {
            const uint32_t cells = worthless_if(table, u, v);
            if (cells == UINT32_MAX)
                worthwhile |= UINT32_C(1) << v;
            else
                note(by_cell, cells, v);
        }
        fill_rows(ways->kept[u], by_cell);
        always(ways->kept[u], worthwhile);
    }
}

const wend__voxel_canonical *wend__voxel_canonical_of(int table) {
    static wend__once once[WEND__VOXEL_CANONICAL_TABLES];
    wend__once_run(&once[table], fill, table);
    return &tables[table];
}

int wend__voxel_canonical_choose(const wend_map_rules *rules) {
    if (rules->neighbours == 6) return WEND__VOXEL_CANONICAL_SIX;
    if (rules->neighbours != 26) return -1;
    return rules->corners == WEND_CORNERS_ALWAYS ? WEND__VOXEL_CANONICAL_ALWAYS : WEND__VOXEL_CANONICAL_STRICT;
}

bool wend__voxel_canonical_holds(const wend_map_rules *rules) {
    const int32_t s = rules->cost_straight, d = rules->cost_diagonal, t = rules->cost_space;
    return rules->neighbours == 6 || (d < t && d - s > t - d && s > d - s);
}
