/* SPDX-License-Identifier: MIT */
/* Internal: a string laid along a path and pulled tight, on plain ground. */
#ifndef WEND_SRC_MOTION_PULL_STRING_H
#define WEND_SRC_MOTION_PULL_STRING_H

#include "motion/pull/window.h"

/// Pulls a stretch of the path that lies in one sheet, all of whose cells are open. Its turns are those of the window.
/// @return false: there are too many turns, or the string bends where no line of sight leads: the window is empty
/// Cost: O(turns of the path + rows of the triangles that the string leaves + words of these rows)
bool wend__pull_string(wend__pull *pull, uint32_t begin, uint32_t end);

#endif
