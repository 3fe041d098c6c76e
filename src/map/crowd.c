/* SPDX-License-Identifier: MIT */
/* Who stands where: counts beside the versions. */
#include "map/map_private.h"

void wend__crowd_free(wend_map *map) {
    (void)map;
}

uint32_t wend__map_occupants(const wend_map *map, wend_cell cell) {
    (void)map, (void)cell;
    return 0;
}

bool wend__map_crowded(const wend_map *map, wend_cell cell, int32_t size, wend_cell start) {
    (void)map, (void)cell, (void)size, (void)start;
    return false;
}
