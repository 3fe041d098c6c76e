/* SPDX-License-Identifier: MIT */
/* Lookup tables of jump tables: quadrants; the ends and successors of a step, by a cell's mask; and the tables of
 * chunks with only open neighbours, or none. Macros write out all constants. */
#include "fast/tables/jump_tables.h"

const uint8_t wend__flip_x[WEND__QUADRANTS] = {63, 0, 63, 0}, wend__flip_y[WEND__QUADRANTS] = {63, 63, 0, 0};
const uint8_t wend__quadrant_h[WEND__QUADRANTS] = {WEND__W, WEND__E, WEND__W, WEND__E};
const uint8_t wend__quadrant_v[WEND__QUADRANTS] = {WEND__N, WEND__N, WEND__S, WEND__S};
const uint8_t wend__quadrants_of[4][2] = {{WEND__QUADRANT_NW, WEND__QUADRANT_NE},
                                          {WEND__QUADRANT_NE, WEND__QUADRANT_SE},
                                          {WEND__QUADRANT_SW, WEND__QUADRANT_SE},
                                          {WEND__QUADRANT_NW, WEND__QUADRANT_SW}};

/* f(from) … f(from + count - 1), behind other arguments. */
#define TIMES_4(f, a, i) f(a, (i)), f(a, (i) + 1), f(a, (i) + 2), f(a, (i) + 3)
#define TIMES_16(f, a, i) TIMES_4(f, a, i), TIMES_4(f, a, (i) + 4), TIMES_4(f, a, (i) + 8), TIMES_4(f, a, (i) + 12)
#define TIMES_64(f, a, i)                                                                                              \
    TIMES_16(f, a, i), TIMES_16(f, a, (i) + 16), TIMES_16(f, a, (i) + 32), TIMES_16(f, a, (i) + 48)
#define TIMES_256(f, a) TIMES_64(f, a, 0), TIMES_64(f, a, 64), TIMES_64(f, a, 128), TIMES_64(f, a, 192)

/* ---- by a cell's mask ---- */

#define HAS(m, d) ((m) >> WEND__##d & 1)

/* The step in direction d passes a corner on one side: the cell next to it is blocked, and the next is open. */
#define STEP(m, d, side, after, side_2, after_2)                                                                       \
    (!HAS(m, d) ? 0 : (!HAS(m, side) && HAS(m, after)) || (!HAS(m, side_2) && HAS(m, after_2)) ? 1 : 2)
#define STEP_N(a, m) STEP(m, N, W, NW, E, NE)
#define STEP_E(a, m) STEP(m, E, N, NE, S, SE)
#define STEP_S(a, m) STEP(m, S, W, SW, E, SE)
#define STEP_W(a, m) STEP(m, W, N, NW, S, SW)

const uint8_t wend__jump_class[4][256] = {
    {TIMES_256(STEP_N, 0)}, {TIMES_256(STEP_E, 0)}, {TIMES_256(STEP_S, 0)}, {TIMES_256(STEP_W, 0)}};

/* A side is forced if it is open and the cell behind it blocked: straight there, and between there and on. */
#define SIDE(m, back, side, diagonal) (!HAS(m, back) && HAS(m, side) ? 1 << WEND__##side | 16 << WEND__##diagonal : 0)
#define FROM_N(m) (1 << WEND__N | SIDE(m, SW, W, QUADRANT_NW) | SIDE(m, SE, E, QUADRANT_NE))
#define FROM_E(m) (1 << WEND__E | SIDE(m, NW, N, QUADRANT_NE) | SIDE(m, SW, S, QUADRANT_SE))
#define FROM_S(m) (1 << WEND__S | SIDE(m, NW, W, QUADRANT_SW) | SIDE(m, NE, E, QUADRANT_SE))
#define FROM_W(m) (1 << WEND__W | SIDE(m, NE, N, QUADRANT_NW) | SIDE(m, SE, S, QUADRANT_SW))
#define FROM(set, m)                                                                                                   \
    (((set) == 15 ? 255 : 0) | ((set)&1 ? FROM_N(m) : 0) | ((set)&2 ? FROM_E(m) : 0) | ((set)&4 ? FROM_S(m) : 0) |     \
     ((set)&8 ? FROM_W(m) : 0))

/* The possible straight steps, and the diagonals past no corner. */
#define CLEAR(m, a, b, diagonal) (HAS(m, a) && HAS(m, b) && HAS(m, diagonal) ? 16 << WEND__QUADRANT_##diagonal : 0)
#define LEGAL(m) (((m)&15) | CLEAR(m, N, W, NW) | CLEAR(m, N, E, NE) | CLEAR(m, S, W, SW) | CLEAR(m, S, E, SE))
#define EXITS(set, m) (FROM(set, m) & LEGAL(m))

const uint8_t wend__jump_exits[16][256] = {
    {TIMES_256(EXITS, 0)},  {TIMES_256(EXITS, 1)},  {TIMES_256(EXITS, 2)},  {TIMES_256(EXITS, 3)},
    {TIMES_256(EXITS, 4)},  {TIMES_256(EXITS, 5)},  {TIMES_256(EXITS, 6)},  {TIMES_256(EXITS, 7)},
    {TIMES_256(EXITS, 8)},  {TIMES_256(EXITS, 9)},  {TIMES_256(EXITS, 10)}, {TIMES_256(EXITS, 11)},
    {TIMES_256(EXITS, 12)}, {TIMES_256(EXITS, 13)}, {TIMES_256(EXITS, 14)}, {TIMES_256(EXITS, 15)}};

/* ---- chunks of open or of blocked cells ---- */

#define BORDER(a, lane) UINT64_C(1) << 63
#define EACH_STEP(a, lane) UINT64_MAX
#define ENDS(f)                                                                                                        \
    {                                                                                                                  \
        {TIMES_64(f, 0, 0)}, {TIMES_64(f, 0, 0)}, {TIMES_64(f, 0, 0)}, {                                               \
            TIMES_64(f, 0, 0)                                                                                          \
        }                                                                                                              \
    }

/* The border cells of a quadrant have p = 63 or q = 63: one of each in a line, and the same one in line 0. */
#define FREE_LINE(a, line)                                                                                             \
    { .legal = UINT64_MAX, .rim_h = UINT64_MAX, .rim_v = UINT64_MAX }
#define SHUT_LINE(a, line)                                                                                             \
    { .rim_h = UINT64_C(1) << 63, .rim_v = UINT64_C(1) << (((line) + 63) & 63) }
#define LINES(f)                                                                                                       \
    {                                                                                                                  \
        {TIMES_64(f, 0, 0)}, {TIMES_64(f, 0, 0)}, {TIMES_64(f, 0, 0)}, {                                               \
            TIMES_64(f, 0, 0)                                                                                          \
        }                                                                                                              \
    }

const wend__jump_table wend__jumps_open = {.lines = LINES(FREE_LINE),
                                           .ends = ENDS(BORDER),
                                           .leaves = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
                                           .counts = {[WEND__JUMP_DIAGONALS] = 4 * WEND__CHUNK_CELLS},
                                           .pruned = true};
const wend__jump_table wend__jumps_closed = {.lines = LINES(SHUT_LINE), .ends = ENDS(EACH_STEP), .pruned = true};
