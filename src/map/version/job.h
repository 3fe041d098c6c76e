/* SPDX-License-Identifier: MIT */
/* Internal: work for a map that goes on in slices, by one thread at a time. */
#ifndef WEND_SRC_MAP_VERSION_JOB_H
#define WEND_SRC_MAP_VERSION_JOB_H

#include "map/store/map_layout.h"

/// Take the work, NULL where none was begun. False: another thread has it. Whoever has taken it puts it back.
static inline bool wend__map_job_take(wend_map *map, wend__map_job *job, void **work) {
    wend__mutex_lock(map->mutex);
    const bool taken = !job->busy;
    if (taken) *work = job->work, job->work = NULL, job->busy = true;
    wend__mutex_unlock(map->mutex);
    return taken;
}

/// Put it back; NULL: it is done, or discarded.
static inline void wend__map_job_put(wend_map *map, wend__map_job *job, void *work) {
    wend__mutex_lock(map->mutex);
    job->work = work, job->busy = false;
    wend__mutex_unlock(map->mutex);
}

#endif
