/* SPDX-License-Identifier: MIT */
/* Internal: memory of a map and its forks, counted and limited by max_bytes; and reference counts. */
#ifndef WEND_SRC_MAP_STORE_MEMORY_H
#define WEND_SRC_MAP_STORE_MEMORY_H

#include "map/store/map_layout.h"

void *wend__family_alloc(wend__family *family, size_t bytes);
/// The same, aligned to a power of two up to 64.
void *wend__family_alloc_aligned(wend__family *family, size_t bytes, size_t alignment);
void wend__family_free(wend__family *family, void *pointer, size_t bytes);
/// Counts bytes as free that were returned to the allocator one by one.
void wend__family_uncount(wend__family *family, size_t bytes);
/// Keeps a file's bytes for as long as the family lives.
/// @param mapped   the bytes are a file's, mapped into memory, and the family unmaps them; else it makes a copy
/// @return the bytes, at a multiple of 64; NULL: out of memory
const void *wend__family_keep_file(wend__family *family, const void *bytes, size_t size, bool mapped);
void wend__family_forget_file(wend__family *family);
void *wend__map_alloc(wend_map *map, size_t bytes);
void wend__map_free(wend_map *map, void *pointer, size_t bytes);
/// Makes room for one more item in a list of `count`: returns the list, or one twice as long that replaces it; NULL:
/// out of memory, and the list is unchanged.
void *wend__map_grown(wend_map *map, void *list, size_t count, size_t *room, size_t each);
/// Returns a new shared object of `bytes` with one reference; NULL: out of memory. The caller fills in the fields after
/// its first member.
/// @param is_table   it makes searches faster: begins at a cache line, and counts in wend_map_info.jump_bytes
void *wend__shared_alloc(wend_map *map, size_t bytes, bool is_table);
/// The same, zeroed behind its first member: no table, or a table with `held` last words that will point to others.
void *wend__shared_create(wend_map *map, size_t bytes);
void *wend__table_create(wend_map *map, size_t bytes, uint16_t held);
/// Returns a copy of a counted object with one reference; it retains each object that it holds. NULL: out of memory.
void *wend__shared_copy(wend_map *map, const void *object);
/// Adds a reference. Returns the object; NULL is passed through.
void *wend__shared_retain(wend_map *map, const void *object);
/// Removes a reference of an object whose references to others `held` does not show. Returns true if it was the last:
/// the caller releases those, and frees the object.
bool wend__shared_drop(wend_map *map, const void *object);
/// Frees an object without references.
void wend__shared_free(wend_map *map, const void *object);
/// Removes a reference. After the last one the object is garbage: a sweep frees it, and releases the objects that it
/// holds (store/sweep.h). NULL is ignored.
void wend__shared_release(wend_map *map, const void *object);
/// wend__shared_retain() and wend__shared_release() with the mutex held.
void wend__shared_up(const void *object);
void wend__shared_down(wend__family *family, const void *object);

#endif
