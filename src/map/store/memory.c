/* SPDX-License-Identifier: MIT */
/* Memory of maps: from the allocator, counted, refused beyond max_bytes; and reference counts. */
#include "map/store/memory.h"

#include <inttypes.h>

static bool reserve(wend__family *family, size_t bytes) {
    wend__mutex_lock(family->mutex);
    bool fits = family->bytes <= family->max_bytes && bytes <= family->max_bytes - family->bytes;
    if (fits) family->bytes += bytes;
    wend__mutex_unlock(family->mutex);
    return fits;
}

static void give_back(wend__family *family, size_t bytes) {
    wend__mutex_lock(family->mutex);
    family->bytes -= bytes;
    wend__mutex_unlock(family->mutex);
}

static void note_peak(wend__family *family) {
    wend__mutex_lock(family->mutex);
    if (family->bytes > family->bytes_peak) family->bytes_peak = family->bytes;
    wend__mutex_unlock(family->mutex);
}

/* The host's allocator is never called under a lock: a reader need not wait for it. */
void *wend__family_alloc_aligned(wend__family *family, size_t bytes, size_t alignment) {
    if (!reserve(family, bytes)) {
        wend__refuse(WEND_OUT_OF_MEMORY, "max_bytes of the map and its forks, %" PRIu64 ", has no room for %zu more",
                     family->max_bytes, bytes);
        return NULL;
    }
    void *pointer = wend__allocate(&family->allocator, bytes, alignment);
    if (pointer)
        note_peak(family);
    else
        give_back(family, bytes);
    return pointer;
}

void *wend__family_alloc(wend__family *family, size_t bytes) {
    return wend__family_alloc_aligned(family, bytes, _Alignof(max_align_t));
}

void wend__family_free(wend__family *family, void *pointer, size_t bytes) {
    if (!pointer) return;
    family->allocator.free(family->allocator.context, pointer, bytes);
    give_back(family, bytes);
}

void *wend__map_alloc(wend_map *map, size_t bytes) {
    return wend__family_alloc(map->family, bytes);
}

void wend__map_free(wend_map *map, void *pointer, size_t bytes) {
    wend__family_free(map->family, pointer, bytes);
}

void *wend__map_grown(wend_map *map, void *list, size_t count, size_t *room, size_t each) {
    if (count < *room) return list;
    const size_t more = *room ? 2 * *room : 64;
    void *longer = wend__map_alloc(map, more * each);
    if (!longer) return NULL;
    if (count > 0) memcpy(longer, list, count * each);
    wend__map_free(map, list, *room * each);
    *room = more;
    return longer;
}

/* ---- shared objects ---- */

void *wend__shared_create(wend_map *map, size_t bytes) {
    wend__shared *shared = wend__map_alloc(map, bytes);
    if (!shared) return NULL;
    memset(shared, 0, bytes);
    *shared = (wend__shared){.bytes = bytes, .references = 1};
    return shared;
}

static bool is_counted(const wend__shared *shared) {
    return shared && shared->bytes > 0;
}

void wend__shared_up(const void *object) {
    if (is_counted(object)) ((wend__shared *)object)->references++;
}

void *wend__shared_retain(wend_map *map, const void *object) {
    wend__mutex_lock(map->mutex);
    wend__shared_up(object);
    wend__mutex_unlock(map->mutex);
    return (void *)object;
}

void wend__shared_down(const void *object, wend__garbage **list) {
    wend__shared *shared = (wend__shared *)object;
    if (is_counted(shared)) wend__reference_drop_into(shared, &shared->references, shared->bytes, list);
}

bool wend__shared_drop(wend_map *map, const void *object) {
    wend__shared *shared = (wend__shared *)object;
    return is_counted(shared) && wend__reference_drop(map, &shared->references);
}

void wend__shared_free(wend_map *map, const void *object) {
    if (object) wend__map_free(map, (void *)object, ((const wend__shared *)object)->bytes);
}

void wend__shared_release(wend_map *map, const void *object) {
    if (wend__shared_drop(map, object)) wend__shared_free(map, object);
}

void wend__reference_add(wend_map *map, uint32_t *references) {
    wend__mutex_lock(map->mutex);
    ++*references;
    wend__mutex_unlock(map->mutex);
}

bool wend__reference_drop(wend_map *map, uint32_t *references) {
    wend__mutex_lock(map->mutex);
    bool last = --*references == 0;
    wend__mutex_unlock(map->mutex);
    return last;
}

bool wend__reference_drop_into(const void *thing, uint32_t *references, size_t bytes, wend__garbage **list) {
    if (--*references) return false;
    wend__garbage *first = (wend__garbage *)thing;
    *first = (wend__garbage){*list, bytes};
    *list = first;
    return true;
}

void wend__garbage_free(wend_map *map, wend__garbage *list) {
    while (list) {
        wend__garbage *next = list->next;
        wend__map_free(map, list, list->bytes);
        list = next;
    }
}
