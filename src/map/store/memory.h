/* SPDX-License-Identifier: MIT */
/* Internal: the memory of a map and its forks: allocated, counted and refused beyond max_bytes; reference counts. */
#ifndef WEND_SRC_MAP_STORE_MEMORY_H
#define WEND_SRC_MAP_STORE_MEMORY_H

#include "map/store/map_layout.h"

void *wend__family_alloc(wend__family *family, size_t bytes);
/// The same for a power of two up to 64.
void *wend__family_alloc_aligned(wend__family *family, size_t bytes, size_t alignment);
void wend__family_free(wend__family *family, void *pointer, size_t bytes);
void *wend__map_alloc(wend_map *map, size_t bytes);
void wend__map_free(wend_map *map, void *pointer, size_t bytes);
/// Room for one more in a list of `count`: the list, or one twice as long in its place; NULL: no room, the list stays.
void *wend__map_grown(wend_map *map, void *list, size_t count, size_t *room, size_t each);
/// Count one more who holds a thing, or one less (true: nobody does any more), under the map's mutex.
void wend__reference_add(wend_map *map, uint32_t *references);
bool wend__reference_drop(wend_map *map, uint32_t *references);
/// What nobody holds any more, to be freed when the mutex is not held: it lies where the thing did.
typedef struct wend__garbage {
    struct wend__garbage *next;
    size_t bytes;
} wend__garbage;
/// One less holds a thing; true: nobody does any more, and it is on the list. The mutex is held.
bool wend__reference_drop_into(const void *thing, uint32_t *references, size_t bytes, wend__garbage **list);
void wend__garbage_free(wend_map *map, wend__garbage *list);

#endif
