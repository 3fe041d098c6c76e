/* SPDX-License-Identifier: MIT */
/* Exits: computed from a 3 x 3 of cells, against a model that tries all ways. */
#include "models/few_or_many.h"
#include "models/stops_model.h"

#include "fast/stops/exits.h"
#include "map/store/directions.h"

#include <criterion/criterion.h>

/* Prices of all three orders. */
static const int32_t prices_of[][2] = {{10, 14}, {1000, 1414}, {2, 3}, {7, 7}, {1, 1}, {5, 10}, {1, 2}};
enum { PRICES = sizeof prices_of / sizeof prices_of[0] };

static wend__step_prices step_prices(const nine *n) {
    wend_map_rules rules = default_rules();
    rules.cost_straight = n->straight, rules.cost_diagonal = n->diagonal;
    return wend__step_prices_of(&rules);
}

/* Even ground: the open neighbours of a mask, and their steps by the rule "no corner cut". */
static nine even_nine(unsigned open) {
    nine n = {.straight = 10, .diagonal = 14};
    n.factors[1][1] = 1;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
        n.factors[1 + wend__dy[d]][1 + wend__dx[d]] = (int32_t)(open >> d & 1);
    for (int32_t y = 0; y < 3; y++)
        for (int32_t x = 0; x < 3; x++)
            for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
                const int32_t to_x = x + wend__dx[d], to_y = y + wend__dy[d];
                if (to_x < 0 || to_y < 0 || to_x > 2 || to_y > 2) continue;
                n.steps[y][x][1 + wend__dy[d]][1 + wend__dx[d]] =
                    n.factors[y][x] && n.factors[to_y][to_x] && n.factors[y][to_x] && n.factors[to_y][x];
            }
    return n;
}

static void put_units(nine *n, unsigned occupied) {
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) n->units[1 + wend__dy[d]][1 + wend__dx[d]] = occupied >> d & 1;
}

static bool arrives(const nine *n, unsigned d) {
    return n->factors[1 - wend__dy[d]][1 - wend__dx[d]] &&
           n->steps[1 - wend__dy[d]][1 - wend__dx[d]][1 + wend__dy[d]][1 + wend__dx[d]];
}

Test(exits, of_even_ground_are_what_trying_all_ways_finds_whatever_units_stand_around) {
    static const unsigned sorts[] = {0, 3, 5}; /* rows of prices_of: one of each order */
    unsigned cases = 0, more = 0;
    for (unsigned i = 0; i < sizeof sorts / sizeof sorts[0]; i++)
        for (unsigned open = 0; open < 256; open++) {
            nine n = even_nine(open);
            n.straight = prices_of[sorts[i]][0], n.diagonal = prices_of[sorts[i]][1];
            for (unsigned occupied = 0; occupied < 256; occupied++) {
                put_units(&n, occupied);
                for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
                    if (!arrives(&n, d)) continue;
                    cr_assert_eq(wend__even_exits(open, d, occupied), nine_exits(&n, d), "%u %u %u", open, occupied, d);
                    cases++;
                    more += wend__even_exits(open, d, occupied) != wend__even_exits(open, d, 0);
                }
            }
        }
    cr_assert(cases > 300000 && more > cases / 20, "%u, %u", cases, more);
}

static wend__nine library_nine(const nine *n) {
    wend__nine own = {{0}, {0}};
    for (unsigned i = 0; i <= 8; i++) {
        const int32_t x = i < 8 ? 1 + wend__dx[i] : 1, y = i < 8 ? 1 + wend__dy[i] : 1;
        own.factors[i] = (uint8_t)n->factors[y][x];
        for (unsigned d = 0; d < WEND__DIRECTIONS && n->factors[y][x]; d++)
            own.steps[i] |= (uint8_t)((unsigned)n->steps[y][x][1 + wend__dy[d]][1 + wend__dx[d]] << d);
    }
    return own;
}

/* Blocked cells, several factors, closed steps. */
static nine any_nine(uint64_t *seed) {
    nine n = even_nine(draw(seed, 256) | draw(seed, 256));
    const unsigned sort = draw(seed, PRICES), most = 1 + draw(seed, 4), closed = draw(seed, 3) * 8;
    n.straight = prices_of[sort][0], n.diagonal = prices_of[sort][1];
    for (int32_t y = 0; y < 3; y++)
        for (int32_t x = 0; x < 3; x++) {
            if (n.factors[y][x]) n.factors[y][x] = draw(seed, 20) ? 1 + (int32_t)draw(seed, most) : 255;
            for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
                if (draw(seed, 100) < closed) n.steps[y][x][1 + wend__dy[d]][1 + wend__dx[d]] = false;
        }
    return n;
}

Test(exits, are_what_trying_all_ways_finds_on_uneven_ground_with_closed_steps_and_units) {
    uint64_t seed = 15;
    const unsigned cases = (unsigned)few_or_many(50000, 300000);
    unsigned some = 0;
    for (unsigned i = 0; i < cases; i++) {
        nine n = any_nine(&seed);
        const unsigned occupied = draw(&seed, 256) & draw(&seed, 256);
        put_units(&n, occupied);
        const wend__nine own = library_nine(&n);
        const wend__step_prices prices = step_prices(&n);
        for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
            const unsigned exits = nine_exits(&n, d);
            cr_assert_eq(wend__nine_exits(&own, &prices, d, occupied), exits, "case %u, direction %u", i, d);
            some += exits != 0;
        }
    }
    cr_assert_gt(some, cases);
}

Test(exits, of_open_cells_are_natural_ones_on_ground_without_units) {
    for (unsigned open = 0; open < 256; open++) {
        const nine n = even_nine(open);
        for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
            if (arrives(&n, d)) cr_assert_eq(wend__canonical_exits(open, d), nine_natural_exits(&n, d));
    }
}
