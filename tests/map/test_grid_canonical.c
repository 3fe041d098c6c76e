/* SPDX-License-Identifier: MIT */
/* Canonical successors: each step left out can be reached as cheaply round the cell, for every pattern of open
 * cells. */
#include "map/canonical/canonical.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* The nine cells around x, which is the middle one. */
typedef struct around {
    bool open[3][3];
    int neighbours, corners, straight, diagonal;
} around;

static bool on(int x, int y) {
    return x >= 0 && y >= 0 && x < 3 && y < 3;
}

/* Returns the cost of a step; 0: it is not allowed. */
static int step_cost(const around *a, int x, int y, int dx, int dy) {
    if (!on(x + dx, y + dy) || !a->open[y + dy][x + dx]) return 0;
    if (dx == 0 || dy == 0) return a->straight;
    if (a->neighbours == 4 || (a->neighbours == 6 && dx == dy)) return 0;
    int sides = a->open[y][x + dx] + a->open[y + dy][x];
    bool allowed = a->corners == WEND_CORNERS_ALWAYS || sides == 2 || (sides == 1 && a->corners == WEND_CORNERS_ONE);
    return allowed ? a->diagonal : 0;
}

/* The cheapest way from a cell to another that keeps out of the middle, in at most `steps`. */
static int cheapest_round(const around *a, int x, int y, int to_x, int to_y, int steps) {
    if (x == to_x && y == to_y) return 0;
    int best = 1 << 20;
    for (int i = 0; i < 9 && steps > 0; i++) {
        int dx = i % 3 - 1, dy = i / 3 - 1, cost = i == 4 ? 0 : step_cost(a, x, y, dx, dy);
        if (cost == 0 || (x + dx == 1 && y + dy == 1)) continue;
        cost += cheapest_round(a, x + dx, y + dy, to_x, to_y, steps - 1);
        if (cost < best) best = cost;
    }
    return best;
}

static around make(int table, unsigned open, int straight, int diagonal) {
    static const int neighbours[WEND__GRID_CANONICAL_TABLES] = {8, 8, 8, 4, 6};
    const int corners = table < 3 ? table : WEND_CORNERS_ALWAYS;
    around a = {.neighbours = neighbours[table], .corners = corners, .straight = straight, .diagonal = diagonal};
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) a.open[1 + wend__dy[d]][1 + wend__dx[d]] = open >> d & 1;
    a.open[1][1] = true;
    return a;
}

static void check_pattern(int table, unsigned arrival, unsigned open, int straight, int diagonal, int left_out[2]) {
    const around a = make(table, open, straight, diagonal);
    const int px = 1 - wend__dx[arrival], py = 1 - wend__dy[arrival];
    const unsigned legal = (*wend__grid_canonical_of(table))[WEND__DIRECTIONS][open],
                   taken = (*wend__grid_canonical_of(table))[arrival][open];
    cr_assert_eq(taken & ~legal, 0u);
    const int arrived = arrival < WEND__NE ? straight : diagonal;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        if (!(legal >> d & 1)) continue;
        int through = arrived + (d < WEND__NE ? straight : diagonal);
        int round = cheapest_round(&a, px, py, 1 + wend__dx[d], 1 + wend__dy[d], 3);
        if (!(taken >> d & 1)) cr_assert_leq(round, through, "table %d, %u, mask %x, step %u", table, arrival, open, d);
        if (round < through) left_out[0]++, left_out[1] += !(taken >> d & 1);
    }
}

/* Returns whether a step leads to a cell in that direction. */
static bool has_step(int table, unsigned d) {
    if (table == WEND__GRID_CANONICAL_HEX) return WEND__HEX_STEPS >> d & 1;
    return table != WEND__GRID_CANONICAL_FOUR || d < WEND__NE;
}

/* And nearly all that can be reached for less is left out: the tables do prune. */
Test(grid_canonical, leaves_out_only_what_can_be_reached_as_cheaply) {
    const int costs[][2] = {{10, 14}, {100, 101}, {100, 199}, {1000, 1414}};
    for (int table = 0; table < WEND__GRID_CANONICAL_TABLES; table++) {
        int left_out[2] = {0, 0};
        for (unsigned arrival = 0; arrival < WEND__DIRECTIONS; arrival++)
            for (unsigned open = 0; open < 256; open++)
                for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
                    const bool hexagons = table == WEND__GRID_CANONICAL_HEX;
                    if (has_step(table, arrival))
                        check_pattern(table, arrival, open, costs[i][0], costs[i][!hexagons], left_out);
                }
        cr_assert_gt(left_out[0], 0);
        cr_assert_eq(left_out[0], left_out[1]);
    }
}

Test(grid_canonical, goes_straight_on_over_open_ground) {
    for (int table = 0; table < 3; table++) {
        cr_assert_eq((*wend__grid_canonical_of(table))[WEND__E][255], 1u << WEND__E);
        cr_assert_eq((*wend__grid_canonical_of(table))[WEND__NE][255], 1u << WEND__NE | 1u << WEND__N | 1u << WEND__E);
        cr_assert_eq((*wend__grid_canonical_of(table))[WEND__DIRECTIONS][255], 255u);
    }
    cr_assert_eq((*wend__grid_canonical_of(WEND__GRID_CANONICAL_HEX))[WEND__E][255], 1u << WEND__E);
    cr_assert_eq((*wend__grid_canonical_of(WEND__GRID_CANONICAL_HEX))[WEND__N][255], 1u << WEND__N);
    cr_assert_eq((*wend__grid_canonical_of(WEND__GRID_CANONICAL_HEX))[WEND__W][255], 1u << WEND__W | 1u << WEND__N);
    cr_assert_eq((*wend__grid_canonical_of(WEND__GRID_CANONICAL_HEX))[WEND__NE][255],
                 1u << WEND__NE | 1u << WEND__N | 1u << WEND__E);
    cr_assert_eq((*wend__grid_canonical_of(3))[WEND__E][255], 1u << WEND__E);
    cr_assert_eq((*wend__grid_canonical_of(3))[WEND__N][255], 1u << WEND__N | 1u << WEND__E | 1u << WEND__W);
}

Test(grid_canonical, serves_costs_between_s_and_2s_only) {
    wend_map_rules rules = {.neighbours = 8, .corners = WEND_CORNERS_ONE, .cost_straight = 10, .cost_diagonal = 14};
    cr_assert_eq(wend__grid_canonical_choose(&rules), WEND_CORNERS_ONE);
    rules.cost_diagonal = 10;
    cr_assert_eq(wend__grid_canonical_choose(&rules), -1);
    rules.cost_diagonal = 20;
    cr_assert_eq(wend__grid_canonical_choose(&rules), -1);
    rules.neighbours = 4;
    cr_assert_eq(wend__grid_canonical_choose(&rules), 3);
}

/* ---- cells with different tolls ---- */

/* Compares the tolls of the four cells next to x with x's own toll. */
static unsigned compare_tolls(const int tolls[3][3], int margin) {
    unsigned compared = 0;
    for (unsigned d = 0; d < WEND__NE; d++) {
        const int own = tolls[1][1], other = tolls[1 + wend__dy[d]][1 + wend__dx[d]];
        compared |= (unsigned)((other >= own) + (other > own) + (other > own + margin)) << 2 * d;
    }
    return compared;
}

/* The cheapest way of at most two steps that keeps out of the middle. *straight: one of them ends with a straight step,
 * or has one step. */
static int cheapest_in_two(const around *a, const int tolls[3][3], int px, int py, int nx, int ny, bool *straight) {
    int best = 1 << 20;
    for (int i = 0; i < 9; i++) {
        const int x = i % 3, y = i / 3, dx = nx - x, dy = ny - y;
        if (i == 4 || abs(dx) > 1 || abs(dy) > 1 || abs(x - px) > 1 || abs(y - py) > 1) continue;
        const bool is_start = x == px && y == py;
        const int first = is_start ? 0 : step_cost(a, px, py, x - px, y - py), last = step_cost(a, x, y, dx, dy);
        if ((!is_start && first == 0) || last == 0) continue;
        const int cost = first + last + (is_start ? 0 : tolls[y][x]) + tolls[ny][nx];
        if (cost < best) *straight = false;
        if (cost <= best) best = cost, *straight |= is_start || dx == 0 || dy == 0;
    }
    return best;
}

static void check_tolls(int table, unsigned arrival, unsigned open, const int costs[2], const int tolls[3][3],
                        int counts[2]) {
    const around a = make(table, open, costs[0], costs[1]);
    const unsigned compared = compare_tolls(tolls, 2 * (costs[1] - costs[0]));
    const unsigned legal = wend__grid_toll_steps_of(table)->always[WEND__DIRECTIONS][open];
    const unsigned taken = wend__grid_toll_steps_of(table)->always[arrival][open] |
                           (wend__grid_toll_steps_of(table)->asked[arrival][open] &
                            wend__grid_toll_steps_of(table)->kept[arrival][compared]);
    const int px = 1 - wend__dx[arrival], py = 1 - wend__dy[arrival], arrived = costs[arrival >= WEND__NE];
    cr_assert_eq(taken & ~legal, 0u);
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const int nx = 1 + wend__dx[d], ny = 1 + wend__dy[d];
        if (!(legal >> d & 1) || (nx == px && ny == py)) continue;
        const int through = arrived + tolls[1][1] + costs[d >= WEND__NE] + tolls[ny][nx];
        bool straight = false;
        const int round = cheapest_in_two(&a, tolls, px, py, nx, ny, &straight);
        if (!(taken >> d & 1)) cr_assert(round < through || (round == through && straight && d >= WEND__NE));
        if (d == arrival) continue; /* two diagonal steps may be cheaper; it is taken nevertheless */
        counts[0] += round < through, counts[1] += round < through && !(taken >> d & 1);
    }
}

/* And with 8 neighbours all cells reached for less are left out, except steps straight on. */
Test(grid_canonical, compares_what_cells_cost_more) {
    const int costs[][2] = {{10, 14}, {100, 101}, {100, 199}, {1000, 1414}};
    uint64_t seed = 5;
    for (int table = 0; table < WEND__GRID_CANONICAL_TABLES; table++) {
        int counts[2] = {0, 0};
        for (int i = 0; i < 60000; i++) {
            const unsigned arrival = (unsigned)(i % 8), open = (unsigned)(i / 8 % 256);
            const int hexagon_costs[2] = {costs[i % 4][0], costs[i % 4][0]};
            const bool hexagons = table == WEND__GRID_CANONICAL_HEX;
            int tolls[3][3];
            for (int k = 0; k < 9; k++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                const int range = (int)(seed >> 60) < 8 ? 3 : (int)(seed >> 60) < 12 ? 20 : 2000;
                tolls[k / 3][k % 3] = (int)(seed >> 33) % range;
            }
            if (has_step(table, arrival))
                check_tolls(table, arrival, open, hexagons ? hexagon_costs : costs[i % 4], tolls, counts);
        }
        if (table != WEND__GRID_CANONICAL_FOUR) cr_assert_gt(counts[1], 1000); /* four leaves out steps back only */
        if (table < WEND__GRID_CANONICAL_FOUR) cr_assert_eq(counts[0], counts[1]);
    }
}

/* Where all cost the same, only canonical steps are left. */
Test(grid_canonical, takes_canonical_steps_where_all_cells_cost_the_same) {
    for (int table = 0; table < 3; table++)
        for (unsigned arrival = 0; arrival <= WEND__DIRECTIONS; arrival++)
            for (unsigned open = 0; open < 256; open++)
                cr_assert_eq((*wend__grid_canonical_of(table))[arrival][open],
                             wend__grid_toll_steps_of(table)->always[arrival][open] |
                                 (wend__grid_toll_steps_of(table)->asked[arrival][open] &
                                  wend__grid_toll_steps_of(table)->kept[arrival][0x55]));
}
