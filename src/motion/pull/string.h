/* SPDX-License-Identifier: MIT */
/* Internal: a string laid along a path and pulled tight, on plain ground. */
#ifndef WEND_SRC_MOTION_PULL_STRING_H
#define WEND_SRC_MOTION_PULL_STRING_H

#include "motion/pull/window.h"

/// Pulls a part of the path that lies in one sheet. Its turns are those of the window.
/// @param end   receives the cell of the path where the string ends, or up to where other ways have to be found
/// @return false: the string bends where no line of sight leads: the window is empty
/// Cost: O(cells + rows of the triangles that the string leaves x words of these rows)
bool wend__pull_string(wend__pull *pull, uint32_t begin, uint32_t *end);

#endif
