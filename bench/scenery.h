/* SPDX-License-Identifier: MIT */
/* Maps that benches make for themselves, the same on every machine. */
#ifndef WEND_BENCH_SCENERY_H
#define WEND_BENCH_SCENERY_H

#include "harness.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void ground_fn(uint8_t *cells, int32_t side);

void fill_open(uint8_t *cells, int32_t side);
void fill_noise_20(uint8_t *cells, int32_t side); ///< blocks every fifth cell
/// Rooms of 100 to 228 cells a side with walls one cell thick and doors in them.
void fill_rooms(uint8_t *cells, int32_t side);
/// Noise of 45 %, smoothed five times: each cell does as most of the nine around it do.
void fill_caves(uint8_t *cells, int32_t side);
/// Blocks of houses, 40 to 103 cells a side, solid, between streets 8 cells wide.
void fill_city(uint8_t *cells, int32_t side);

/// Makes a square grid of one of these grounds, not accelerated.
wend_map *make_ground(ground_fn *fill, int32_t side);
/// Makes caves, accelerated.
wend_map *make_caves(int32_t side);
/// Rooms of `room` cells a side with a door in every wall, in a grid of side x side.
wend_map *bench_map_rooms(int side, int room);
/// Every cell open, except a share of blocked and of slow cells (classes 2 to 9), in thousandths.
wend_map *bench_map_random(int width, int height, int blocked_milli, int slow_milli);

#ifdef __cplusplus
}
#endif
#endif
