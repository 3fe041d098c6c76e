/* SPDX-License-Identifier: MIT */
/* Internal: memory of a map and its forks, counted and refused beyond max_bytes; and reference counts. */
#ifndef WEND_SRC_MAP_STORE_MEMORY_H
#define WEND_SRC_MAP_STORE_MEMORY_H

#include "map/store/map_layout.h"

void *wend__family_alloc(wend__family *family, size_t bytes);
/// The same, aligned to a power of two up to 64.
void *wend__family_alloc_aligned(wend__family *family, size_t bytes, size_t alignment);
void wend__family_free(wend__family *family, void *pointer, size_t bytes);
void *wend__map_alloc(wend_map *map, size_t bytes);
void wend__map_free(wend_map *map, void *pointer, size_t bytes);
/// Make room for one more item in a list of `count`: returns the list, or one twice as long that replaces it; NULL: out
/// of memory, and the list stays.
void *wend__map_grown(wend_map *map, void *list, size_t count, size_t *room, size_t each);
/// Returns a new shared object of so many bytes with one reference, zeroed behind its first member; NULL: out of
/// memory.
void *wend__shared_create(wend_map *map, size_t bytes);
/// Adds a reference. Returns the object; NULL is passed through.
void *wend__shared_retain(wend_map *map, const void *object);
/// Removes a reference. Returns true if it was the last: the caller releases what the object holds, and frees it.
bool wend__shared_drop(wend_map *map, const void *object);
/// Frees an object without references.
void wend__shared_free(wend_map *map, const void *object);
/// Removes a reference of an object that holds no others, and frees it if it was the last. NULL is ignored.
void wend__shared_release(wend_map *map, const void *object);
/// Adds a reference, under the map's mutex: for objects that begin with something else.
void wend__reference_add(wend_map *map, uint32_t *references);
/// Removes one. Returns true if it was the last.
bool wend__reference_drop(wend_map *map, uint32_t *references);
/// Objects without references, to be freed once the mutex is not held. The list lies in their own memory.
typedef struct wend__garbage {
    struct wend__garbage *next;
    size_t bytes;
} wend__garbage;
/// Remove a reference; the mutex is held. True: it was the last, and the object is on the list.
bool wend__reference_drop_into(const void *thing, uint32_t *references, size_t bytes, wend__garbage **list);
/// wend__shared_retain() and wend__shared_release() while the mutex is held: an object without references goes on the
/// list.
void wend__shared_up(const void *object);
void wend__shared_down(const void *object, wend__garbage **list);
void wend__garbage_free(wend_map *map, wend__garbage *list);

#endif
