/* SPDX-License-Identifier: MIT */
/* Computes the exits of a cell from its 3 x 3: the least way around the cell, from the previous one to each neighbour,
 * is compared with the way over the cell. */
#include "fast/stops/exits.h"

enum { NONE = 15 };

/* Neighbour to which a step from a neighbour leads, if any. */
static const uint8_t next[8][8] = {
    [WEND__N] = {NONE, WEND__NE, NONE, WEND__NW, NONE, WEND__E, WEND__W, NONE},
    [WEND__E] = {WEND__NE, NONE, WEND__SE, NONE, NONE, NONE, WEND__S, WEND__N},
    [WEND__S] = {NONE, WEND__SE, NONE, WEND__SW, WEND__E, NONE, NONE, WEND__W},
    [WEND__W] = {WEND__NW, NONE, WEND__SW, NONE, WEND__N, WEND__S, NONE, NONE},
    [WEND__NE] = {NONE, NONE, WEND__E, WEND__N, NONE, NONE, NONE, NONE},
    [WEND__SE] = {WEND__E, NONE, NONE, WEND__S, NONE, NONE, NONE, NONE},
    [WEND__SW] = {WEND__W, WEND__S, NONE, NONE, NONE, NONE, NONE, NONE},
    [WEND__NW] = {NONE, WEND__N, WEND__W, NONE, NONE, NONE, NONE, NONE},
};
#define BIT(d) (1 << WEND__##d)
static const uint8_t stays[8] = {BIT(E) | BIT(W) | BIT(SE) | BIT(SW),
                                 BIT(N) | BIT(S) | BIT(SW) | BIT(NW),
                                 BIT(E) | BIT(W) | BIT(NE) | BIT(NW),
                                 BIT(N) | BIT(S) | BIT(NE) | BIT(SE),
                                 BIT(S) | BIT(W),
                                 BIT(N) | BIT(W),
                                 BIT(N) | BIT(E),
                                 BIT(E) | BIT(S)};

/* Costs are multiplied by 8, so that the order of equally expensive ways fits below them. A way with a straight first
   step gets 1. If the prices of one or two straight steps equal a diagonal's, each step of the kind that comes later
   in the order gets 2: no two ways differ by 8 there. */
wend__step_prices wend__step_prices_of(const wend_map_rules *rules) {
    const uint64_t straight = (uint64_t)rules->cost_straight, diagonal = (uint64_t)rules->cost_diagonal;
    const int32_t few = diagonal == straight ? 2 : 0, many = diagonal == 2 * straight ? 2 : 0;
    wend__step_prices prices = {.each = {8 * straight, 8 * diagonal}};
    prices.first[0] = 1 + 4, prices.first[1] = 4 + few - many;
    prices.second[0] = 0, prices.second[1] = few - many;
    return prices;
}

typedef uint64_t way;

static way first_step(const wend__step_prices *prices, unsigned d, unsigned factor) {
    return prices->each[d >= 4] * factor + (way)prices->first[d >= 4];
}

static way second_step(const wend__step_prices *prices, way so_far, unsigned d, unsigned factor) {
    return so_far + prices->each[d >= 4] * factor + (way)prices->second[d >= 4];
}

/* Computes the least ways around the cell, from the neighbour p, of one step or two. */
static void ways_around(const wend__nine *nine, const wend__step_prices *prices, unsigned p, unsigned occupied,
                        way least[9]) {
    for (unsigned i = 0; i < 8; i++) least[i] = UINT64_MAX;
    for (unsigned a = nine->steps[p] & stays[p]; a; a &= a - 1) {
        const unsigned da = wend__ctz32(a), y = next[p][da];
        const way one = first_step(prices, da, nine->factors[y]);
        if (one < least[y]) least[y] = one;
        if (occupied >> y & 1) continue;
        for (unsigned b = nine->steps[y] & stays[y]; b; b &= b - 1) {
            const unsigned db = wend__ctz32(b), n = next[y][db];
            const way two = second_step(prices, one, db, nine->factors[n]);
            if (two < least[n]) least[n] = two;
        }
    }
}

uint32_t wend__nine_exits(const wend__nine *nine, const wend__step_prices *prices, unsigned d, unsigned occupied) {
    const unsigned p = wend__opposite(d);
    uint32_t exits = 0;
    if (!wend__nine_arrives(nine, d)) return 0;
    way least[9];
    ways_around(nine, prices, p, occupied, least);
    const way here = first_step(prices, d, nine->factors[8]);
    for (unsigned e = nine->steps[8] & ~(1u << p); e; e &= e - 1) {
        const unsigned de = wend__ctz32(e);
        if (least[de] >= second_step(prices, here, de, nine->factors[de])) exits |= 1u << de;
    }
    return exits;
}
