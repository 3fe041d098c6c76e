/* SPDX-License-Identifier: MIT */
/* Internal: exits: the steps of a cell that a search must follow, by the direction in which it arrived.
 *
 * A search arrives at x from p = x - d. It may omit the step from x to a neighbour n if another way from p to
 * n, of one step or two around x, costs less. The same holds if that way costs as much and is smaller in an order in
 * which no two ways to one end can replace each other: a way with a diagonal first step is smaller than a way with a
 * straight one. If a diagonal step costs as much as a straight one, fewer diagonals come first; if it costs as much as
 * two, more do. Then the smallest of all cheapest ways is never omitted: docs/design/stops.md. */
#ifndef WEND_SRC_FAST_STOPS_EXITS_H
#define WEND_SRC_FAST_STOPS_EXITS_H

#include "fast/tables/jumps.h"
#include "map/store/directions.h"

/// A cell and its 8 neighbours, by direction; 8: the cell.
typedef struct wend__nine {
    uint8_t factors[9]; ///< 0: blocked, or off the map
    uint8_t steps[9];   ///< legal steps out of each under the rules and the closed steps; of the neighbours only
                        ///< steps within the 3 x 3 count
} wend__nine;

/// The prices of steps under a map's rules, and each step's part in the order of equally expensive ways. Both add up.
typedef struct wend__step_prices {
    uint64_t each[2]; ///< straight, diagonal; for each unit of the factor
    int32_t first[2], second[2];
} wend__step_prices;

wend__step_prices wend__step_prices_of(const wend_map_rules *rules);

/// Returns the exits of the middle cell after an arrival in direction d, a bit each. 0 if there is no such arrival.
/// @param occupied   neighbours that hold units: ways may end there, but do not lead over them
uint32_t wend__nine_exits(const wend__nine *cells, const wend__step_prices *prices, unsigned d, unsigned occupied);

/// Returns true if there is an arrival in direction d.
static inline bool wend__nine_arrives(const wend__nine *cells, unsigned d) {
    const unsigned p = wend__opposite(d);
    return cells->factors[p] && cells->factors[8] && cells->steps[p] >> d & 1;
}

/// Returns straight directions and quadrants, as wend__jump_exits has them, as 8 directions.
static inline uint32_t wend__exit_directions(unsigned exits) {
    static const uint8_t diagonals[16] = {0,      1 << 7,          1 << 4,          1 << 7 | 1 << 4,
                                          1 << 6, 1 << 7 | 1 << 6, 1 << 4 | 1 << 6, 1 << 7 | 1 << 4 | 1 << 6,
                                          1 << 5, 1 << 7 | 1 << 5, 1 << 4 | 1 << 5, 1 << 7 | 1 << 4 | 1 << 5,
                                          3 << 5, 1 << 7 | 3 << 5, 1 << 4 | 3 << 5, 15 << 4};
    return (exits & 15) | diagonals[exits >> 4];
}

/// Returns the exits of a cell on even ground without closed steps, by its open neighbours. Only for possible arrivals.
static inline uint32_t wend__canonical_exits(unsigned open, unsigned d) {
    const uint32_t legal = wend__exit_directions(wend__jump_exits[15][open]);
    if (d < 4) return wend__exit_directions(wend__jump_exits[1u << d][open]);
    return legal & (1u << d | 1u << (d - 4) | 1u << ((d - 3) & 3));
}

/// The same if neighbours hold units: a unit next to a run or a diagonal's last step closes a diagonal's other way.
static inline uint32_t wend__even_exits(unsigned open, unsigned d, unsigned occupied) {
    const unsigned a = (d + 1) & 3, b = (d + 3) & 3; /* for straight d the sides, for a diagonal its straight parts */
    const uint32_t at_a = occupied >> (d < 4 ? a : (d + 2) & 3) & 1, at_b = occupied >> b & 1;
    const uint32_t more = d < 4 ? at_a << (4 + d) | at_b << (4 + b) : at_a << (4 + a) | at_b << (4 + b);
    if (!(occupied & 15)) return wend__canonical_exits(open, d);
    return wend__canonical_exits(open, d) | (more & wend__exit_directions(wend__jump_exits[15][open]));
}

#endif
