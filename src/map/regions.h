/* SPDX-License-Identifier: MIT */
/* Internal: connected components of voxel maps and graphs. */
#ifndef WEND_SRC_REGIONS_H
#define WEND_SRC_REGIONS_H

#include "map/map_private.h"

/// The components of a version (or ground) whose terrain and closed steps are final; `old`: those of the one before, to
/// share what the batch did not touch (marks NULL: everything may have changed).
int32_t wend__regions_renew(const wend__version *version, const wend__regions *old, wend__marks *const *marks,
                            wend__regions **out);
wend__regions *wend__regions_retain(wend_map *map, wend__regions *regions); ///< NULL is passed through
void wend__regions_release(wend_map *map, wend__regions *regions);          ///< NULL is ignored
/// The component of an open cell, a number below wend__regions_count().
uint32_t wend__regions_of(const wend__version *version, wend_cell cell);
uint64_t wend__regions_count(const wend__regions *regions);

#endif
