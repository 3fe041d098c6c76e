/* SPDX-License-Identifier: MIT */
/* The end of a crowd: its memory is freed when the service has answered its last search. */
#include "crowd/state/release.h"

void wend__crowd_free(wend_crowd *crowd) {
    wend_allocator allocator = crowd->def.allocator;
    wend_map_release(crowd->def.map);
    allocator.free(allocator.context, crowd, crowd->bytes);
}
