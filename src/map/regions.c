/* SPDX-License-Identifier: MIT */
/* Connected components of voxel maps and graphs. */
#include "map/regions.h"

int32_t wend__regions_renew(const wend__version *version, const wend__regions *old, wend__marks *const *marks,
                            wend__regions **out) {
    (void)version, (void)old, (void)marks;
    *out = NULL;
    return WEND_OK;
}

wend__regions *wend__regions_retain(wend_map *map, wend__regions *regions) {
    (void)map;
    return regions;
}

void wend__regions_release(wend_map *map, wend__regions *regions) {
    (void)map, (void)regions;
}

uint32_t wend__regions_of(const wend__version *version, wend_cell cell) {
    (void)version, (void)cell;
    return 0;
}

uint64_t wend__regions_count(const wend__regions *regions) {
    (void)regions;
    return 0;
}
