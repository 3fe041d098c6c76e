/* SPDX-License-Identifier: MIT */
/* Memory of maps: from the allocator, counted, limited by max_bytes; and reference counts. */
#include "map/store/memory.h"
#include "map/store/sweep.h"
#include "mark/beside.h"

#include <inttypes.h>

enum { BYTES_A_STEP = 64 }; /* such an object takes less to be freed: a block has 10,000 */

static bool reserve(wend__family *family, size_t bytes) {
    wend__mutex_lock(family->mutex);
    bool fits = family->bytes <= family->max_bytes && bytes <= family->max_bytes - family->bytes;
    if (fits) family->bytes += bytes, family->allocated_steps += 1 + bytes / BYTES_A_STEP;
    wend__mutex_unlock(family->mutex);
    return fits;
}

static void give_back(wend__family *family, size_t bytes) {
    wend__mutex_lock(family->mutex);
    family->bytes -= bytes;
    wend__mutex_unlock(family->mutex);
}

static void update_peak(wend__family *family) {
    wend__mutex_lock(family->mutex);
    if (family->bytes > family->bytes_peak) family->bytes_peak = family->bytes;
    wend__mutex_unlock(family->mutex);
}

static void refuse_bytes(const wend__family *family, size_t bytes) {
    wend__refuse(WEND_OUT_OF_MEMORY, "max_bytes of the map and its forks, %" PRIu64 ", has no room for %zu more",
                 family->max_bytes, bytes);
}

void wend__family_uncount(wend__family *family, size_t bytes) {
    give_back(family, bytes);
}

static bool has_large(const wend__family *family) {
    wend__mutex_lock(family->mutex);
    const bool has = family->dying;
    wend__mutex_unlock(family->mutex);
    return has;
}

/* The host's allocator is never called under a lock: a reader need not wait for it. */
void *wend__family_alloc_aligned(wend__family *family, size_t bytes, size_t alignment) {
    const bool fits = reserve(family, bytes);
    void *pointer = fits ? wend__allocate(&family->allocator, bytes, alignment) : NULL;
    if (pointer)
        update_peak(family);
    else if (fits)
        give_back(family, bytes);
    /* Garbage of an edit is too small to help an allocator without memory. */
    if (!pointer && (!fits || has_large(family)) && family->free_left_over(family))
        return wend__family_alloc_aligned(family, bytes, alignment);
    if (!fits) refuse_bytes(family, bytes);
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

const void *wend__family_keep_file(wend__family *family, const void *bytes, size_t size, bool mapped) {
    void *copy = NULL;
    WEND__ASSERT(!family->file);
    if (!mapped) {
        copy = wend__family_alloc_aligned(family, size, 64);
        if (copy) memcpy(copy, bytes, size);
    } else if (reserve(family, size)) {
        update_peak(family);
        wend__arena_bar(wend__arena_of(family));
    } else {
        refuse_bytes(family, size);
        return NULL;
    }
    family->file = mapped ? bytes : copy, family->file_bytes = size, family->file_mapped = mapped;
    return family->file;
}

void wend__family_forget_file(wend__family *family) {
    if (family->file && family->file_mapped) {
        wend__arena_bar(wend__arena_of(family));
        wend__mapped_close(family->file, family->file_bytes);
        give_back(family, family->file_bytes);
    } else {
        wend__family_free(family, (void *)family->file, family->file_bytes);
    }
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

enum { CACHE_LINE = 64 };

void *wend__shared_alloc(wend_map *map, size_t bytes, bool is_table) {
    wend__shared *shared =
        is_table ? wend__family_alloc_aligned(map->family, bytes, CACHE_LINE) : wend__map_alloc(map, bytes);
    if (!shared) return NULL;
    *shared = (wend__shared){.bytes = bytes, .references = 1, .is_table = is_table};
    if (!is_table) return shared;
    wend__mutex_lock(map->mutex);
    map->family->jump_bytes += bytes;
    wend__mutex_unlock(map->mutex);
    return shared;
}

static void *behind(wend__shared *shared) {
    return shared + 1;
}

void *wend__shared_create(wend_map *map, size_t bytes) {
    wend__shared *shared = wend__shared_alloc(map, bytes, false);
    if (shared) memset(behind(shared), 0, bytes - sizeof *shared);
    return shared;
}

void *wend__table_create(wend_map *map, size_t bytes, uint16_t held) {
    WEND__DEBUG_ASSERT(bytes >= sizeof(wend__shared) + held * sizeof(void *));
    wend__shared *table = wend__shared_alloc(map, bytes, true);
    if (!table) return NULL;
    memset(behind(table), 0, bytes - sizeof *table);
    table->held = held;
    return table;
}

/* Counts the references that an object has to others. */
static const void *const *held_by(const wend__shared *shared) {
    return (const void *const *)(const void *)((const char *)shared + shared->bytes) - shared->held;
}

void *wend__shared_copy(wend_map *map, const void *object) {
    const wend__shared *from = object;
    wend__shared *copy = wend__shared_alloc(map, from->bytes, from->is_table);
    if (!copy) return NULL;
    memcpy(behind(copy), from + 1, from->bytes - sizeof *copy);
    copy->held = from->held;
    if (!copy->held) return copy;
    wend__mutex_lock(map->mutex);
    for (uint32_t i = 0; i < copy->held; i++) wend__shared_up(held_by(copy)[i]);
    wend__mutex_unlock(map->mutex);
    return copy;
}

static bool is_counted(const wend__shared *shared) {
    return shared && shared->bytes > 0;
}

void wend__shared_up(const void *object) {
    WEND__DEBUG_ASSERT(!is_counted(object) || ((const wend__shared *)object)->references > 0);
    if (is_counted(object)) ((wend__shared *)object)->references++;
}

void *wend__shared_retain(wend_map *map, const void *object) {
    wend__mutex_lock(map->mutex);
    wend__shared_up(object);
    wend__mutex_unlock(map->mutex);
    return (void *)object;
}

/* The list's link takes the place of the object's first member. */
void wend__shared_down(wend__family *family, const void *object) {
    WEND__DEBUG_ASSERT(!is_counted(object) || ((const wend__shared *)object)->references > 0);
    wend__shared *shared = (wend__shared *)object;
    if (!is_counted(shared) || --shared->references) return;
    const wend__shared was = *shared;
    if (was.is_table) family->jump_bytes -= was.bytes;
    wend__garbage *first = (wend__garbage *)(void *)shared;
    *first = (wend__garbage){family->garbage, .bytes = was.bytes & WEND__GARBAGE_BYTES, .held = was.held,
                             .is_block = was.is_block};
    family->garbage = first;
}

bool wend__shared_drop(wend_map *map, const void *object) {
    WEND__DEBUG_ASSERT(!is_counted(object) || ((const wend__shared *)object)->references > 0);
    wend__shared *shared = (wend__shared *)object;
    if (!is_counted(shared)) return false;
    wend__mutex_lock(map->mutex);
    const bool last = --shared->references == 0;
    wend__mutex_unlock(map->mutex);
    return last;
}

void wend__shared_free(wend_map *map, const void *object) {
    if (object) wend__map_free(map, (void *)object, ((const wend__shared *)object)->bytes);
}

void wend__shared_release(wend_map *map, const void *object) {
    if (!object) return;
    wend__mutex_lock(map->mutex);
    wend__shared_down(map->family, object);
    wend__mutex_unlock(map->mutex);
}
