/* SPDX-License-Identifier: MIT */
/* The commands of the package `lab` in a build without it: each prints that it is missing. */
#include "cli/shared/missing.h"

MISSING(scen, "FILE.scen...", "answer scenarios (not in this build)")
MISSING(stress, "MAP", "a load that checks what the library promises (not in this build)")
MISSING(plan, "MAP", "find which budget and service a load needs (not in this build)")
MISSING(generate, "KIND", "make a map (not in this build)")
