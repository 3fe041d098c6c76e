/* SPDX-License-Identifier: MIT */
/* The directions of grids and of voxels. */
#include "map/store/directions.h"

const int8_t wend__dx[WEND__DIRECTIONS] = {0, 1, 0, -1, 1, 1, -1, -1};
const int8_t wend__dy[WEND__DIRECTIONS] = {-1, 0, 1, 0, -1, 1, 1, -1};

const int8_t wend__sx[WEND__SPACE_DIRECTIONS] = {0, 1, 0,  -1, 0, 0,  0, -1, 1, 0,  -1, 1,  -1,
                                                 1, 0, -1, 1,  0, -1, 1, -1, 1, -1, 1,  -1, 1};
const int8_t wend__sy[WEND__SPACE_DIRECTIONS] = {-1, 0,  1, 0, 0, 0,  -1, 0, 0, 1,  -1, -1, 1,
                                                 1,  -1, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1,  1};
const int8_t wend__sz[WEND__SPACE_DIRECTIONS] = {0, 0, 0, 0, 1, -1, -1, -1, -1, -1, 0, 0, 0,
                                                 0, 1, 1, 1, 1, -1, -1, -1, -1, 1,  1, 1, 1};

const int8_t wend__flat_directions[9] = {WEND__NW, WEND__N,  WEND__NE, WEND__W, -1,
                                         WEND__E,  WEND__SW, WEND__S,  WEND__SE};
const int8_t wend__space_directions[27] = {18, 6,  19, 7,  5,  8,  20, 9,  21, 10, 0,  11, 3, -1,
                                           1,  12, 2,  13, 22, 14, 23, 15, 4,  16, 24, 17, 25};
