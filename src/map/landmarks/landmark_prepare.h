/* SPDX-License-Identifier: MIT */
/* Internal: making, discarding and repairing a map's landmarks. */
#ifndef WEND_SRC_MAP_LANDMARKS_LANDMARK_PREPARE_H
#define WEND_SRC_MAP_LANDMARKS_LANDMARK_PREPARE_H

#include <wend/map.h>

/// Make `count` landmarks for the newest version; 0: discard them.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY
wend_error wend__map_prepare_landmarks(wend_map *map, int32_t count);
/// How many cells a publish relaxes for each landmark.
void wend__map_set_landmark_effort(wend_map *map, uint64_t cells);
/// Relax up to `cells` cells for each landmark that is being repaired. @param left   receives the queued cells; may be
/// NULL
wend_error wend__map_mend_landmarks(wend_map *map, uint64_t cells, uint64_t *left);

#endif
