/* SPDX-License-Identifier: MIT */
/* TEMPORARY, removed when the tables are there. */
#include "map/jumps.h"
__attribute__((weak)) const uint8_t wend__flip_x[4] = {63, 0, 63, 0}, wend__flip_y[4] = {63, 63, 0, 0};
__attribute__((weak)) const int8_t wend__frame_x[4] = {-1, 1, -1, 1}, wend__frame_y[4] = {-1, -1, 1, 1};
__attribute__((weak)) const uint8_t wend__frame_h[4] = {3, 1, 3, 1}, wend__frame_v[4] = {0, 0, 2, 2};
__attribute__((weak)) const uint8_t wend__jump_class[4][256] = {0};
__attribute__((weak)) const uint8_t wend__jump_exits[16][256] = {0};
