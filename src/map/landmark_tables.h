/* SPDX-License-Identifier: MIT */
/* Internal to this room: how landmarks are made, and shared by versions. */
#ifndef WEND_SRC_LANDMARK_TABLES_H
#define WEND_SRC_LANDMARK_TABLES_H

#include "map/jumps.h"
#include "map/landmarks.h"
#include "map/map_private.h"

/* landmark_build.c */
/// WEND_OK, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED (a cell is too far away). Cost: O(cells x count).
int32_t wend__landmarks_build(const wend__version *version, uint32_t count, wend__landmarks **out);

/* landmarks.c */
/// Do landmarks that suit `before` suit `now` as well? `changed` is set where any cell's steps did.
/// Cost: O(blocks), O(chunk) for each that differs.
bool wend__landmarks_suit(const wend__landmarks *landmarks, const wend__version *before, const wend__version *now,
                          bool *changed);

#endif
