/* SPDX-License-Identifier: MIT */
/* Internal: in debug builds (--enable-debug), the invariants of every version that searches can see, as assertions. For
 * a large map they read a sample, different for each version. In other builds all of this is nothing. */
#ifndef WEND_SRC_MAP_VERSION_VALIDATE_H
#define WEND_SRC_MAP_VERSION_VALIDATE_H

#include "map/store/map_layout.h"

#ifdef WEND_DEBUG

/// Assert that a version is right, with all data derived from it, and its movers' views.
void wend__version_validate(const wend__version *version);
/// Before a version is seen: remember its cells. Afterwards: assert that they have not changed.
void wend__version_seal(wend__version *version);
void wend__version_check_seal(const wend__version *version);

/// Returns the cell of a sample with that number; on a graph it may be no node.
wend_cell wend__sample_cell(const wend__version *version, uint32_t number);

#else

#define wend__version_validate(version) ((void)0)
#define wend__version_seal(version) ((void)0)
#define wend__version_check_seal(version) ((void)0)

#endif
#endif
