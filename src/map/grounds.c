/* SPDX-License-Identifier: MIT */
/* What other movers see of a version. */
#include "map/grounds.h"

const wend__version *wend__version_ground(const wend__version *version, int32_t mover) {
    return mover == WEND_MOVER_DEFAULT ? version : version->grounds->of[mover - 1].ground;
}

int32_t wend__version_movers(const wend__version *version) {
    return 1 + (version->grounds ? version->grounds->count : 0);
}

int32_t wend__version_mover_size(const wend__version *version, int32_t mover) {
    return mover == WEND_MOVER_DEFAULT ? 1 : version->grounds->of[mover - 1].mover.size;
}

int32_t wend__map_movers(wend_map *map) {
    wend__mutex_lock(map->mutex);
    int32_t movers = wend__version_movers(map->newest);
    wend__mutex_unlock(map->mutex);
    return movers;
}

int32_t wend__grounds_renew(wend_edit *edit, bool everywhere) {
    (void)edit, (void)everywhere;
    return WEND_OK;
}

wend__grounds *wend__grounds_copy(wend_map *map, const wend__grounds *grounds, bool *failed) {
    (void)map, (void)failed;
    return (wend__grounds *)grounds;
}

void wend__grounds_release(wend_map *map, wend__grounds *grounds) {
    (void)map, (void)grounds;
}
