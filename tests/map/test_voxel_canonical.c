/* SPDX-License-Identifier: MIT */
/* Canonical successors in space: each step left out can be reached as cheaply round the voxel, the last step
 * of that way earlier in the order or the way cheaper; and which steps are legal, against the map's own rules. */
#include "map/kinds/voxels.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "models/oracle.h"
#include "map/canonical/canonical.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static wend__version rules_of; /* only its rules are used */

static void set_rules(int neighbours, int corners, const int price[3]) {
    memset(&rules_of, 0, sizeof rules_of);
    wend_map_rules_init(&rules_of.rules, sizeof rules_of.rules);
    rules_of.rules.neighbours = neighbours, rules_of.rules.corners = corners;
    rules_of.rules.cost_straight = price[0], rules_of.rules.cost_diagonal = price[1];
    rules_of.rules.cost_space = price[2];
}

/* Any share of open cells from few to nearly all; the middle one is open. */
static uint32_t random_near(oracle_random *random) {
    const int share = 1 + oracle_below(random, 20);
    uint32_t near = 1u << 13;
    for (int i = 0; i < 27; i++)
        if (oracle_below(random, 20) < share) near |= 1u << i;
    return near;
}

Test(voxel_canonical, knows_the_steps_that_the_rules_allow) {
    static const int price[3] = {10, 14, 17},
                     kinds[][2] = {{26, WEND_CORNERS_NEVER}, {26, WEND_CORNERS_ALWAYS}, {6, 0}};
    oracle_random random = {3};
    for (int kind = 0; kind < 3; kind++) {
        set_rules(kinds[kind][0], kinds[kind][1], price);
        const wend__voxel_canonical *ways = wend__voxel_canonical_of(wend__voxel_canonical_choose(&rules_of.rules));
        for (int round = 0; round < 200000; round++) {
            const uint32_t near = random_near(&random);
            const uint32_t legal = ~wend__voxel_canonical_rows(ways->illegal, near) & 0x3ffffff;
            cr_assert_eq(legal, wend__voxel_rule_steps(&rules_of, near), "%d: %x", kind, near);
        }
    }
}

static int bit_number(int x, int y, int z) {
    return (z + 1) * 9 + (y + 1) * 3 + x + 1;
}

/* The cells of the cube as seen from one of them: cells beyond are not open, so that no step looks out of it. */
static uint32_t seen_from(uint32_t near, int x, int y, int z) {
    uint32_t seen = 0;
    for (int i = 0; i < 27; i++) {
        const int to_x = x + i % 3 - 1, to_y = y + i / 3 % 3 - 1, to_z = z + i / 9 - 1;
        if (abs(to_x) <= 1 && abs(to_y) <= 1 && abs(to_z) <= 1 && (near >> bit_number(to_x, to_y, to_z) & 1))
            seen |= 1u << i;
    }
    return seen;
}

static int price_of(const int price[3], int d) {
    return price[d < 6 ? 0 : d < 18 ? 1 : 2];
}

/* Returns whether a way from p to n (bits of the cube) keeps out of the middle, for less than `through`, or for as much
 * with a last step before `last`. */
static bool way_round(uint32_t near, int p, int n, int through, int last, const int price[3]) {
    int cost[27];
    uint32_t steps[27];
    bool ended_early = false;
    for (int i = 0; i < 27; i++) {
        cost[i] = i == p ? 0 : 1 << 20;
        steps[i] = wend__voxel_rule_steps(&rules_of, seen_from(near, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
    }
    if (p == n) return true;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 27; i++) {
            if (i == 13 || cost[i] >= 1 << 20 || i == n) continue;
            for (uint32_t left = steps[i]; left; left &= left - 1) {
                const int d = (int)wend__ctz32(left);
                const int to = i + wend__sx[d] + 3 * wend__sy[d] + 9 * wend__sz[d], sum = cost[i] + price_of(price, d);
                if (to == 13) continue;
                if (sum < cost[to]) cost[to] = sum;
                if (to == n && (sum < through || (sum == through && d < last))) ended_early = true;
            }
        }
    return ended_early;
}

Test(voxel_canonical, leave_out_only_what_can_be_reached_as_cheaply) {
    static const int prices[][3] = {{10, 14, 17}, {1000, 1414, 1732}, {100, 199, 297}, {100, 102, 103}};
    static const int kinds[][2] = {{26, WEND_CORNERS_NEVER}, {26, WEND_CORNERS_ONE}, {26, WEND_CORNERS_ALWAYS}, {6, 0}};
    oracle_random random = {5};
    for (int kind = 0; kind < 4; kind++) {
        uint64_t could = 0, did = 0;
        for (int round = enough_or_many(300, 4000); round > 0; round--) {
            const int *price = prices[round & 3];
            set_rules(kinds[kind][0], kinds[kind][1], price);
            cr_assert(wend__voxel_canonical_holds(&rules_of.rules));
            const wend__voxel_canonical *ways = wend__voxel_canonical_of(wend__voxel_canonical_choose(&rules_of.rules));
            const uint32_t near = random_near(&random), legal = wend__voxel_rule_steps(&rules_of, near);
            const int u = oracle_below(&random, kinds[kind][0]);
            const int p = bit_number(-wend__sx[u], -wend__sy[u], -wend__sz[u]);
            const uint32_t seen = seen_from(near, -wend__sx[u], -wend__sy[u], -wend__sz[u]);
            if (!(wend__voxel_rule_steps(&rules_of, seen) >> u & 1)) continue; /* step u cannot lead here */
            const uint32_t kept = wend__voxel_canonical_rows(ways->kept[u], near);
            for (uint32_t left = legal; left; left &= left - 1) {
                const int v = (int)wend__ctz32(left), n = bit_number(wend__sx[v], wend__sy[v], wend__sz[v]);
                const int through = price_of(price, u) + price_of(price, v);
                const bool round_it = way_round(near, p, n, through, v, price);
                if (!(kept >> v & 1)) cr_assert(round_it, "kind %d, near %x, %d then %d", kind, near, u, v);
                could += round_it, did += !(kept >> v & 1);
            }
        }
        cr_assert_gt(did, could * 2 / 3, "kind %d: %llu of %llu", kind, (unsigned long long)did,
                     (unsigned long long)could);
    }
}

Test(voxel_canonical, go_straight_on_over_open_ground) {
    for (int table = 0; table < WEND__VOXEL_CANONICAL_SIX; table++)
        for (unsigned u = 0; u < WEND__SPACE_DIRECTIONS; u++) {
            uint32_t expected = 0; /* steps without another direction along any axis */
            for (unsigned v = 0; v < WEND__SPACE_DIRECTIONS; v++)
                if ((wend__sx[v] == wend__sx[u] || wend__sx[v] == 0) &&
                    (wend__sy[v] == wend__sy[u] || wend__sy[v] == 0) &&
                    (wend__sz[v] == wend__sz[u] || wend__sz[v] == 0))
                    expected |= 1u << v;
            cr_assert_eq(wend__voxel_canonical_rows(wend__voxel_canonical_of(table)->kept[u], WEND__VOXEL_ALL_NEAR),
                         expected);
        }
    for (int table = 0; table < WEND__VOXEL_CANONICAL_TABLES; table++)
        for (uint32_t near = 1u << 13; near != 0; near = near == 1u << 13 ? WEND__VOXEL_ALL_NEAR : 0)
            cr_assert_eq(
                wend__voxel_canonical_rows(wend__voxel_canonical_of(table)->kept[WEND__SPACE_DIRECTIONS], near),
                table == WEND__VOXEL_CANONICAL_SIX ? 0x3fu : 0x3ffffffu);
}

Test(voxel_canonical, serve_costs_that_rise_less_and_less) {
    static const int prices[][4] = {{10, 14, 17, 1}, {10, 14, 18, 0}, {10, 10, 10, 0},      {10, 14, 14, 0},
                                    {10, 20, 29, 0}, {10, 19, 27, 1}, {1000, 1414, 1732, 1}};
    for (size_t i = 0; i < sizeof prices / sizeof *prices; i++) {
        set_rules(26, 0, prices[i]);
        cr_assert_eq(wend__voxel_canonical_holds(&rules_of.rules), prices[i][3]);
        set_rules(6, 0, prices[i]);
        cr_assert(wend__voxel_canonical_holds(&rules_of.rules));
    }
    set_rules(18, 0, prices[0]);
    cr_assert_eq(wend__voxel_canonical_choose(&rules_of.rules), -1);
}
