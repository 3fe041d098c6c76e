/* SPDX-License-Identifier: MIT */
/* Internal: jobs that make derived data of a map in slices. One thread at a time runs them. */
#ifndef WEND_SRC_MAP_VERSION_JOB_H
#define WEND_SRC_MAP_VERSION_JOB_H

#include "map/store/map_layout.h"

/// Take the map's jobs: only this thread uses map->table_job and map->landmark_job until it puts them back.
/// @return false: another thread has them
static inline bool wend__map_jobs_take(wend_map *map) {
    wend__mutex_lock(map->mutex);
    const bool taken = !map->jobs_taken;
    map->jobs_taken = true;
    wend__mutex_unlock(map->mutex);
    return taken;
}

static inline void wend__map_jobs_put(wend_map *map) {
    wend__mutex_lock(map->mutex);
    map->jobs_taken = false;
    wend__mutex_unlock(map->mutex);
}

#endif
