/* SPDX-License-Identifier: MIT */
/* Internal: a map's log of where its last publishes changed it. */
#ifndef WEND_SRC_MAP_VERSION_CHANGE_LOG_H
#define WEND_SRC_MAP_VERSION_CHANGE_LOG_H

#include "map/store/map_layout.h"

/// A ring of boxes, oldest first, made when a host first asks.
typedef struct wend__change_log {
    uint64_t from;  ///< it has all changes of later epochs
    uint64_t noted; ///< the last epoch whose changes were noted
    uint32_t first, count;
    struct {
        uint64_t epoch; ///< of the version that has the change
        wend_box box;
    } of[WEND_MAX_CHANGES];
} wend__change_log;

/// Has any host asked for changes? The writer lock is held.
bool wend__change_log_wanted(wend_map *map);
/// Note changes of a version that is about to become the newest; the oldest give way. The writer lock is held.
void wend__change_log_add(wend_map *map, uint64_t epoch, const wend_box *boxes, uint32_t count);
/// A version was made the newest, after one of epoch `before`. The mutex is held.
/// @param anywhere   any cell may have changed, without a new epoch
void wend__change_log_turn(wend_map *map, uint64_t before, bool anywhere);
void wend__change_log_free(wend_map *map); ///< when its map is freed

#endif
