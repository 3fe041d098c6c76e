/* SPDX-License-Identifier: MIT */
/* What the map benches share: the clock, chance, and what lies on the maps. */
#ifndef WEND_BENCH_GROUNDS_H
#define WEND_BENCH_GROUNDS_H

#include <stdint.h>
#include <wend/map.h>

uint64_t now_ns(void);
uint32_t draw(uint64_t *state, uint32_t below);
/// Of `count` figures, which it sorts.
double median_us(uint64_t *ns, int count);
/// Ends the program where an error is one.
void check(wend_error error);

typedef void ground_fn(uint8_t *cells, int32_t side);

void fill_open(uint8_t *cells, int32_t side);
void fill_noise_20(uint8_t *cells, int32_t side); ///< one cell in five closed
/// Rooms of 100 to 228 cells a side with walls one cell thick and doors in them.
void fill_rooms(uint8_t *cells, int32_t side);
/// Noise of 45 %, smoothed five times: each cell does as most of the nine around it do.
void fill_caves(uint8_t *cells, int32_t side);
/// Blocks of houses, 40 to 103 cells a side, solid, between streets 8 cells wide.
void fill_city(uint8_t *cells, int32_t side);

/// Make a square grid of one of these grounds, not accelerated. Ends the program where that fails.
wend_map *make_ground(ground_fn *fill, int32_t side);

/// What changing worlds takes; CSV. In bench_changes.c.
void bench_changes(void);
/// Components; CSV. In bench_labels.c.
void bench_labels(void);
/// Movers; CSV. In bench_movers.c.
void bench_movers(void);

#endif
