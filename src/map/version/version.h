/* SPDX-License-Identifier: MIT */
/* Internal: versions of a map: creation, copies, release, and references to the newest. */
#ifndef WEND_SRC_MAP_VERSION_VERSION_H
#define WEND_SRC_MAP_VERSION_VERSION_H

#include "map/version/derivation.h"

/// Makes a version of the map's size, with one reference, without rules and blocks; NULL: out of memory.
wend__version *wend__version_create(wend_map *map);
/// Sum up a version's largest factor from its blocks.
void wend__version_sum(wend__version *version);
/// Makes a version with the same blocks, links and derived data: for a batch to change, or for a fork of the map.
/// @param rows   of the derived data
wend__version *wend__version_copy(const wend__version *from, wend_map *map, wend__rows rows);
void wend__version_free(wend__version *version);
void wend__version_set_rules(wend__version *version, const wend_map_rules *rules);
/// Gives an empty version that has rules its first blocks and derived data: every cell is of class WEND_CLASS_OPEN.
wend_error wend__version_open(wend__version *version);

/// Returns the newest version, with a reference.
/// @param pin   the reference outlives the call, as a search's does
wend__version *wend__map_acquire(wend_map *map, bool pin);
void wend__map_release(wend__version *version, bool pinned);

/// The same with several pins at once.
wend__version *wend__map_pin(wend_map *map, uint32_t count);
void wend__map_unpin(wend__version *version, uint32_t count);

/// Returns true if any version of the map is pinned. The mutex is held.
bool wend__map_any_pinned(const wend_map *map);

/// Returns the serial of the newest version. An answer from an earlier one may be stale. Threads: any, without a lock.
uint64_t wend__map_serial(const wend_map *map);

/// The same for its revision. What depends on the cells and not on derived data compares this one.
uint64_t wend__map_revision(const wend_map *map);

/// Returns true if a search on this version should start again on the newest.
bool wend__version_retired(const wend__version *version);

/// Returns the newest version with a reference, for a query that does not change the map.
static inline wend__version *wend__map_newest(const wend_map *map) {
    return wend__map_acquire((wend_map *)map, false);
}

/// Marks the oldest pinned versions as retired if there are more than max_versions. The mutex is held.
void wend__map_retire_excess(wend_map *map);

/* ---- jobs that make derived data of a map in slices; one thread at a time runs them ---- */

/// Takes the map's jobs: only this thread uses map->table_job and map->landmark_job until it puts them back.
/// @return false: another thread has them
static inline bool wend__map_jobs_claim(wend_map *map) {
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
