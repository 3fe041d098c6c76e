/* SPDX-License-Identifier: MIT */
/* Internal: acceleration as a file has it; and its parts, one by one, for tests of each. */
#ifndef WEND_SRC_FAST_ACCELERATION_H
#define WEND_SRC_FAST_ACCELERATION_H

#include "fast/landmarks/landmark_tables.h"
#include "fast/stops/stop_tables.h"

/// Let a map have the acceleration that a file says, and make its tables now. Its landmarks are restored before; where
/// the file has none, wend_map_maintain() makes them.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY (nothing changed)
wend_error wend__map_restore_acceleration(wend_map *map, uint32_t tables, uint32_t landmarks, uint64_t publish_effort);

#endif
