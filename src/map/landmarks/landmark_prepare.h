/* SPDX-License-Identifier: MIT */
/* Internal: making and discarding a map's landmarks, at once or in slices. */
#ifndef WEND_SRC_MAP_LANDMARKS_LANDMARK_PREPARE_H
#define WEND_SRC_MAP_LANDMARKS_LANDMARK_PREPARE_H

#include <wend/map.h>

/// Make `count` landmarks of a mover for the newest version; 0: discard them. From now on the map is to have as many:
/// wend__map_continue_landmarks() makes new ones where edits left fewer.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY
wend_error wend__map_prepare_landmarks_of(wend_map *map, int32_t mover, int32_t count);
/// The same for the default mover.
wend_error wend__map_prepare_landmarks(wend_map *map, int32_t count);
/// How many cells a publish relaxes for each landmark.
void wend__map_set_landmark_effort(wend_map *map, uint64_t cells);
/// Ask for landmarks without making them: wend__map_continue_landmarks() does.
wend_error wend__map_want_landmarks(wend_map *map, int32_t mover, int32_t count);
/// Go on with making landmarks that are lacking, for about so many cells. One thread at a time does; another one that
/// calls meanwhile does nothing.
/// @return WEND_OK, WEND_OUT_OF_MEMORY (it begins again with the next call)
wend_error wend__map_continue_landmarks(wend_map *map, uint64_t cells);
/// About how many cells remain; 0: no landmarks are lacking.
uint64_t wend__map_landmarks_left(wend_map *map);

#endif
