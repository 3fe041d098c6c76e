/* SPDX-License-Identifier: MIT */
/* wend ground in a build without Recast: it refuses. */
#include "cli/shared/missing.h"

MISSING(ground, "LEVEL", "make a map of a level's triangles (not in this build)")
