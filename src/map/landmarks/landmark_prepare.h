/* SPDX-License-Identifier: MIT */
/* Internal: making and discarding a map's landmarks, at once or in slices. */
#ifndef WEND_SRC_MAP_LANDMARKS_LANDMARK_PREPARE_H
#define WEND_SRC_MAP_LANDMARKS_LANDMARK_PREPARE_H

#include "map/edit/edit.h"

/// Can the map have so many landmarks? WEND_OK, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED.
wend_error wend__check_landmarks(wend_map *map, int32_t count);
/// Returns whether a view has so many landmarks, and no cell changed since.
bool wend__landmarks_fresh(const wend__version *view, uint32_t count);

/// Landmarks, and the version that they are made for. On a graph all movers share the default mover's.
typedef struct wend__landmark_job wend__landmark_job;
/// Make landmarks of a mover for the newest version, of which edits may be published meanwhile.
/// @param out   receives them, or NULL where the first allocation failed; end it in any case
/// @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__landmarks_make(wend_map *map, int32_t mover, uint32_t count, wend__landmark_job **out);
/// Give an edit's draft these landmarks. They are repaired where edits were published meanwhile. If none of them is
/// valid any more, and some of the old ones are, the draft keeps the old ones.
/// @param context   the job; NULL: discard the landmarks
wend_error wend__landmarks_adopt(wend_edit *edit, void *context);
void wend__landmark_job_end(wend_map *map, wend__landmark_job *job); ///< NULL is ignored

/// Make `count` landmarks of the default mover for the newest version; 0: discard them. From now on the map is to have
/// as many: wend__map_continue_landmarks() makes new ones where edits left fewer. For tests.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY
wend_error wend__map_prepare_landmarks(wend_map *map, int32_t count);
/// How many cells a publish relaxes for each landmark.
void wend__map_set_landmark_effort(wend_map *map, uint64_t cells);
/// Go on with making landmarks that are lacking, for about so many cells. One thread at a time does; another one that
/// calls meanwhile does nothing.
/// @return WEND_OK, WEND_OUT_OF_MEMORY (it begins again with the next call)
wend_error wend__map_continue_landmarks(wend_map *map, uint64_t cells);
/// About how many cells remain; 0: no landmarks are lacking.
uint64_t wend__map_landmarks_left(wend_map *map);

#endif
