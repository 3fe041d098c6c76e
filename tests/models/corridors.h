/* SPDX-License-Identifier: MIT */
/* Ground on which a publish leaves chunks unpruned. */
#ifndef WEND_TESTS_CORRIDORS_H
#define WEND_TESTS_CORRIDORS_H

#include <stdbool.h>
#include <stdint.h>

/// Returns true if a cell is a wall of corridors `wide` cells wide: in each chunk one winds from the first column to
/// the last. A publish leaves such a chunk unpruned, as pruning takes long.
static inline bool is_corridor_wall(int32_t x, int32_t y, int32_t wide) {
    const int32_t column = x % 64, row = y % 64, gap = column / (wide + 1) % 2 ? 2 : 60;
    if (row == 0) return column >= wide;
    return column % (wide + 1) == wide && (row < gap || row >= gap + wide);
}

#endif
