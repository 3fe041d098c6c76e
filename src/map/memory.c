/* SPDX-License-Identifier: MIT */
/* The memory of a map: taken from its allocator, counted, and refused beyond max_bytes. */
#include "map/map_private.h"

static bool reserve(wend_map *map, size_t bytes) {
    wend__mutex_lock(map->mutex);
    bool fits = map->bytes <= map->max_bytes && bytes <= map->max_bytes - map->bytes;
    if (fits) map->bytes += bytes;
    wend__mutex_unlock(map->mutex);
    return fits;
}

static void give_back(wend_map *map, size_t bytes) {
    wend__mutex_lock(map->mutex);
    map->bytes -= bytes;
    wend__mutex_unlock(map->mutex);
}

static void note_peak(wend_map *map) {
    wend__mutex_lock(map->mutex);
    if (map->bytes > map->bytes_peak) map->bytes_peak = map->bytes;
    wend__mutex_unlock(map->mutex);
}

/* The host's allocator is never called under a lock: a reader need not wait for it. */
void *wend__map_alloc(wend_map *map, size_t bytes) {
    if (!reserve(map, bytes)) return NULL;
    void *pointer = map->allocator.alloc(map->allocator.context, bytes, _Alignof(max_align_t));
    if (pointer)
        note_peak(map);
    else
        give_back(map, bytes);
    return pointer;
}

void wend__map_free(wend_map *map, void *pointer, size_t bytes) {
    if (!pointer) return;
    map->allocator.free(map->allocator.context, pointer, bytes);
    give_back(map, bytes);
}
