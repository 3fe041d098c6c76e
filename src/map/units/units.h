/* SPDX-License-Identifier: MIT */
/* stub */
#ifndef WEND_SRC_MAP_UNITS_UNITS_H
#define WEND_SRC_MAP_UNITS_UNITS_H
#include "map/marks/marks.h"
typedef struct wend__unit_chunk {
    wend__marks marks;
    uint8_t near[4096];
    uint32_t units;
} wend__unit_chunk;
static inline const wend__mark_block *wend__unit_block(const wend_map *map, size_t block) { (void)map; (void)block; return NULL; }
static inline bool wend__units_kept(const wend_map *map) { (void)map; return false; }
#endif
