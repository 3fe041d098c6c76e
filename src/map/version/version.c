/* SPDX-License-Identifier: MIT */
/* Versions of a map: their tables of blocks, their references, and the chain of live versions. */
#include "map/links/links.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/store/planes.h"
#include "map/store/rules.h"
#include "map/version/derivation.h"
#include "map/version/version.h"

static size_t version_bytes(size_t blocks) {
    return sizeof(wend__version) + blocks * sizeof(wend__block *);
}

static int32_t shift_up(int32_t count, int shift) {
    return (int32_t)(((int64_t)count + (1 << shift) - 1) >> shift);
}

void wend__version_set_rules(wend__version *version, const wend_map_rules *rules) {
    version->rules = *rules;
    wend__legal_table(rules, version->legal);
}

/* Chunks of a map: columns, rows in all, and rows in a layer. */
static void size_table(wend__version *v) {
    if (v->kind == WEND_KIND_GRID) {
        v->chunk_columns = shift_up(v->width, WEND__CHUNK_SHIFT);
        v->chunk_rows = v->chunk_y = shift_up(v->height, WEND__CHUNK_SHIFT);
    } else if (v->kind == WEND_KIND_VOXEL) {
        v->chunk_columns = shift_up(v->width, WEND__VOXEL_SHIFT);
        v->chunk_y = shift_up(v->height, WEND__VOXEL_SHIFT);
        v->chunk_rows = v->chunk_y * shift_up(v->depth, WEND__VOXEL_SHIFT);
    } else {
        v->chunk_columns = shift_up(v->width, 2 * WEND__CHUNK_SHIFT);
        v->chunk_rows = v->chunk_y = 1;
    }
    v->block_columns = shift_up(v->chunk_columns, WEND__BLOCK_SHIFT);
    v->block_rows = shift_up(v->chunk_rows, WEND__BLOCK_SHIFT);
}

wend__version *wend__version_create(wend_map *map) {
    wend__version size = {.kind = map->kind, .width = map->width, .height = map->height, .depth = map->depth};
    size_table(&size);
    size_t bytes = version_bytes((size_t)size.block_columns * (size_t)size.block_rows);
    wend__version *v = wend__map_alloc(map, bytes);
    if (!v) return NULL;
    memset(v, 0, bytes);
    *v = size;
    v->map = map;
    v->references = 1;
    v->graph = map->graph;
    return v;
}

wend__version *wend__version_copy(const wend__version *from, wend_map *map, wend__rows rows) {
    wend__version *v = wend__version_create(map);
    if (!v) return NULL;
    v->epoch = from->epoch;
    v->rules = from->rules;
    v->max_factor = from->max_factor;
    v->closed_steps = from->closed_steps;
    memcpy(v->legal, from->legal, sizeof v->legal);
    size_t count = wend__version_blocks(from);
    wend__mutex_lock(map->mutex); /* the family's, whatever map it is of */
    for (size_t i = 0; i < count; i++) {
        v->blocks[i] = from->blocks[i];
        v->blocks[i]->references++;
    }
    wend__mutex_unlock(map->mutex);
    v->links = wend__links_retain(map, from->links);
    wend__derivations_share(v, from, rows);
    return v;
}

void wend__version_free(wend__version *version) {
    wend_map *map = version->map;
    size_t count = wend__version_blocks(version);
    wend__derivations_drop(version);
    for (size_t i = 0; i < count; i++)
        if (version->blocks[i]) wend__block_release(map, version->blocks[i]);
    wend__links_release(map, version->links);
    wend__map_free(map, version, version_bytes(count));
}

void wend__version_sum(wend__version *version) {
    size_t count = wend__version_blocks(version);
    version->max_factor = 0;
    for (size_t i = 0; i < count; i++)
        if (version->blocks[i]->max_factor > version->max_factor) version->max_factor = version->blocks[i]->max_factor;
}

/* The mutex is held. */
static void leave_chain(wend__version *version) {
    if (version->older) version->older->newer = version->newer;
    if (version->newer) version->newer->older = version->older;
}

static wend__version *acquire(wend_map *map, uint32_t references, uint32_t pins) {
    wend__mutex_lock(map->mutex);
    wend__version *version = map->newest;
    version->references += references;
    version->pins += pins;
    wend__mutex_unlock(map->mutex);
    return version;
}

static void release(wend__version *version, uint32_t references, uint32_t pins) {
    wend_map *map = version->map;
    wend__mutex_lock(map->mutex);
    WEND__ASSERT(version->references >= references && version->pins >= pins);
    version->pins -= pins;
    version->references -= references;
    bool last = version->references == 0;
    if (last) leave_chain(version);
    wend__mutex_unlock(map->mutex);
    if (last) wend__version_free(version);
}

wend__version *wend__map_acquire(wend_map *map, bool pin) {
    return acquire(map, 1, pin);
}

void wend__map_release(wend__version *version, bool pinned) {
    release(version, 1, pinned);
}

wend__version *wend__map_pin(wend_map *map, uint32_t count) {
    return acquire(map, count, count);
}

void wend__map_unpin(wend__version *version, uint32_t count) {
    release(version, count, count);
}

bool wend__map_any_pinned(const wend_map *map) {
    for (const wend__version *v = map->newest; v; v = v->older)
        if (v->pins > 0) return true;
    return false;
}

uint64_t wend__map_serial(const wend_map *map) {
    return atomic_load_explicit(&map->serial, memory_order_acquire);
}

bool wend__version_retired(const wend__version *version) {
    wend__mutex_lock(version->map->mutex);
    bool retired = version->retired;
    wend__mutex_unlock(version->map->mutex);
    return retired;
}

/* The newest counts, pinned or not: it may be at any moment. */
void wend__map_retire_excess(wend_map *map) {
    uint32_t live = 1;
    for (wend__version *v = map->newest->older; v; v = v->older) {
        if (v->pins == 0) continue;
        if (++live > map->max_versions) v->retired = true;
    }
}
