/* SPDX-License-Identifier: MIT */
/* A pulled line as cells, so that a test can walk it step by step. */
#ifndef WEND_TESTS_MOTION_UNPULL_H
#define WEND_TESTS_MOTION_UNPULL_H

#include <stdbool.h>
#include <wend/geometry.h>

/// Turns a pulled line back into cells: steps and links along it, as many as fit. Returns false where the mover cannot
/// walk from a turn to the next.
bool unpull(const wend_map *map, int32_t mover, const wend_turn *turns, size_t turn_count, wend_cell *out,
            size_t capacity, size_t *count);

#endif
