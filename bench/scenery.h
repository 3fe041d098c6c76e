/* SPDX-License-Identifier: MIT */
/* Maps that benches make for themselves, the same on every machine. */
#ifndef WEND_BENCH_SCENERY_H
#define WEND_BENCH_SCENERY_H

#include <stdbool.h>
#include <wend/wend.h>

#ifdef __cplusplus
extern "C" {
#endif

wend_map *bench_map_open(int width, int height);
/// Rooms of `room` cells a side with a door in every wall, in a grid of side x side.
wend_map *bench_map_rooms(int side, int room);
/// Every cell open, but for a share of blocked and of slow cells (classes 2 to 9), in thousandths.
wend_map *bench_map_random(int width, int height, int blocked_milli, int slow_milli);

/// Numbers from 0 to below - 1. (Steele, Lea and Flood 2014: SplitMix.)
uint32_t bench_random(uint64_t *state, uint32_t below);

/// CPU time of this thread, in microseconds.
double bench_cpu_us(void);

#ifdef __cplusplus
}
#endif
#endif
