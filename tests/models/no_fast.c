/* SPDX-License-Identifier: MIT */
/* For tests of libwend-core: a map gets no tables and no landmarks, and its searches answer the same. */
#include "fast/acceleration.h"
#include "fast/stops/units.h"

wend_error wend__map_prepare_jumps(wend_map *map) {
    (void)map;
    return WEND_OK;
}

wend_error wend__map_prepare_landmarks(wend_map *map, int32_t count) {
    (void)map, (void)count;
    return WEND_OK;
}

void wend__units_want(wend_map *map) {
    (void)map;
}
