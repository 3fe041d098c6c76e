/* SPDX-License-Identifier: MIT */
/* Which map moves where: compared with a search over all moves. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/hash.h"
#include "cluster/balance.h"

enum { MAPS = 6, NODES = 4 };

static balance_row row(const char *map, const char *node, bool owns, uint64_t load) {
    balance_row r = {.owns = owns, .load = load};
    strcpy(r.map, map);
    strcpy(r.node, node);
    return r;
}

Test(balance, moves_what_helps_most) {
    const balance_row rows[] = {row("m", "a", true, 500),  row("m", "b", false, 100), row("n", "a", true, 300),
                                row("n", "b", false, 100), row("o", "b", true, 50),   row("n", "c", false, 100)};
    const balance_row *from, *to;
    cr_assert(cluster_balance_choose(rows, 6, &from, &to));
    cr_assert_eq(from, &rows[2]); /* a 600, c 300; with b it would be a 600, b 450; m to b: a 400, b 650 */
    cr_assert_eq(to, &rows[3]);
}

Test(balance, leaves_what_gains_little) {
    const balance_row even[] = {row("m", "a", true, 300), row("m", "b", false, 280)};
    const balance_row idle[] = {row("m", "a", true, 30), row("m", "b", false, 0)};
    const balance_row alone[] = {row("m", "a", true, 900), row("n", "b", true, 1)};
    const balance_row *from, *to;
    cr_assert_not(cluster_balance_choose(even, 2, &from, &to));
    cr_assert_not(cluster_balance_choose(idle, 2, &from, &to));
    cr_assert_not(cluster_balance_choose(alone, 2, &from, &to));
    cr_assert_not(cluster_balance_choose(NULL, 0, &from, &to));
}

/* ---- all moves ---- */

typedef struct fleet {
    uint64_t owner[MAPS], cost[MAPS][2]; ///< as owner and as follower; every node follows every map
} fleet;

static void add_loads(const fleet *f, uint64_t load[NODES]) {
    memset(load, 0, NODES * sizeof *load);
    for (int m = 0; m < MAPS; m++)
        for (uint64_t n = 0; n < NODES; n++) load[n] += f->cost[m][n != f->owner[m]];
}

static uint64_t greater(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* The greatest load of the two nodes after the best move from node `n`. */
static uint64_t best_move(const fleet *f, uint64_t n) {
    uint64_t load[NODES], best = UINT64_MAX;
    for (int m = 0; m < MAPS; m++)
        for (uint64_t to = 0; f->owner[m] == n && to < NODES; to++) {
            fleet other = *f;
            other.owner[m] = to;
            add_loads(&other, load);
            const uint64_t after = greater(load[n], load[to]);
            if (to != n && after < best) best = after;
        }
    return best;
}

/* Each move is the best one from the busiest node, and lowers the load of the two by what is asked for; and moves come
 * to an end. */
Test(balance, ends_and_is_as_good_as_any_move) {
    static const char *const maps[] = {"m0", "m1", "m2", "m3", "m4", "m5"}, *const nodes[] = {"a", "b", "c", "d"};
    unsigned total = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed, load[NODES];
        fleet f;
        for (int m = 0; m < MAPS; m++) {
            f.owner[m] = wend__random(&random) % NODES;
            f.cost[m][0] = wend__random(&random) % 1000;
            f.cost[m][1] = wend__random(&random) % (f.cost[m][0] + 1);
        }
        for (int moves = 0;; moves++, total++) {
            balance_row rows[MAPS * NODES];
            const balance_row *from, *to;
            uint64_t busiest = 0;
            cr_assert_lt(moves, 50, "seed %d", (int)seed);
            for (uint64_t at = 0; at < MAPS * NODES; at++) {
                const uint64_t m = at / NODES, n = at % NODES;
                rows[at] = row(maps[m], nodes[n], f.owner[m] == n, f.cost[m][f.owner[m] != n]);
            }
            add_loads(&f, load);
            for (uint64_t n = 1; n < NODES; n++)
                if (load[n] > load[busiest]) busiest = n;
            const uint64_t gain = greater(load[busiest] / 10, 50), best = best_move(&f, busiest);
            const bool pays = best != UINT64_MAX && best + gain <= load[busiest];
            cr_assert_eq(cluster_balance_choose(rows, MAPS * NODES, &from, &to), pays, "seed %d", (int)seed);
            if (!pays) break;
            const uint64_t here = (uint64_t)(from - rows) % NODES, there = (uint64_t)(to - rows) % NODES;
            cr_assert_eq(here, busiest);
            f.owner[(from - rows) / NODES] = there;
            add_loads(&f, load);
            cr_assert_eq(greater(load[here], load[there]), best, "seed %d", (int)seed);
        }
    }
    cr_assert_gt(total, 1000);
}
