/* SPDX-License-Identifier: MIT */
/* Planes, bits, closed steps and blocks, with reference counts. */
#include "map/store/memory.h"
#include "map/store/planes.h"

#define FULL_4 0xFF, 0xFF, 0xFF, 0xFF
#define FULL_16 FULL_4, FULL_4, FULL_4, FULL_4
#define FULL_64 FULL_16, FULL_16, FULL_16, FULL_16
#define FULL_256 FULL_64, FULL_64, FULL_64, FULL_64
#define FULL_1024 FULL_256, FULL_256, FULL_256, FULL_256

/* All maps share these two; their references are not counted. */
const wend__plane wend__masks_open = {.bytes = {FULL_1024, FULL_1024, FULL_1024, FULL_1024}};
const wend__plane wend__masks_closed = {0};

/* And these, to all maps of voxels. */
#define ROWS_4 UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX
#define ROWS_16 ROWS_4, ROWS_4, ROWS_4, ROWS_4
const wend__bits wend__voxels_open = {.classes = {0, 1}, .rows = {ROWS_16, ROWS_16, ROWS_16, ROWS_16}};
const wend__bits wend__voxels_blocked = {.classes = {0, 1}};

static bool counted_bits(const wend__bits *bits) {
    return bits && bits != &wend__voxels_open && bits != &wend__voxels_blocked;
}

static bool counted(const wend__plane *plane) {
    return plane && plane != &wend__masks_open && plane != &wend__masks_closed;
}

/* ---- many at once: the map's mutex is held ---- */

static void plane_up(const wend__plane *plane) {
    if (counted(plane)) ((wend__plane *)plane)->references++;
}

static void bits_up(const wend__bits *bits) {
    if (counted_bits(bits)) ((wend__bits *)bits)->references++;
}

static void closed_up(const wend__closed *closed) {
    if (closed) ((wend__closed *)closed)->references++;
}

static void plane_down(const wend__plane *plane, wend__garbage **list) {
    wend__plane *mine = (wend__plane *)plane;
    if (counted(plane)) wend__reference_drop_into(mine, &mine->references, sizeof *mine, list);
}

static void bits_down(const wend__bits *bits, wend__garbage **list) {
    wend__bits *mine = (wend__bits *)bits;
    if (counted_bits(bits)) wend__reference_drop_into(mine, &mine->references, sizeof *mine, list);
}

static void closed_down(const wend__closed *closed, wend__garbage **list) {
    wend__closed *mine = (wend__closed *)closed;
    if (closed) wend__reference_drop_into(mine, &mine->references, sizeof *mine, list);
}

/* ---- one ---- */

wend__plane *wend__plane_create(wend_map *map) {
    wend__plane *plane = wend__map_alloc(map, sizeof *plane);
    if (plane) plane->references = 1;
    return plane;
}

void wend__plane_retain(wend_map *map, const wend__plane *plane) {
    if (counted(plane)) wend__reference_add(map, &((wend__plane *)plane)->references);
}

void wend__plane_release(wend_map *map, const wend__plane *plane) {
    wend__plane *mine = (wend__plane *)plane;
    if (counted(plane) && wend__reference_drop(map, &mine->references)) wend__map_free(map, mine, sizeof *mine);
}

wend__bits *wend__bits_create(wend_map *map) {
    wend__bits *bits = wend__map_alloc(map, sizeof *bits);
    if (bits) bits->references = 1;
    return bits;
}

void wend__bits_retain(wend_map *map, const wend__bits *bits) {
    if (counted_bits(bits)) wend__reference_add(map, &((wend__bits *)bits)->references);
}

void wend__bits_release(wend_map *map, const wend__bits *bits) {
    wend__bits *mine = (wend__bits *)bits;
    if (counted_bits(bits) && wend__reference_drop(map, &mine->references)) wend__map_free(map, mine, sizeof *mine);
}

wend__closed *wend__closed_create(wend_map *map) {
    wend__closed *closed = wend__map_alloc(map, sizeof *closed);
    if (!closed) return NULL;
    memset(closed, 0, sizeof *closed);
    closed->references = 1;
    return closed;
}

void wend__closed_retain(wend_map *map, const wend__closed *closed) {
    if (closed) wend__reference_add(map, &((wend__closed *)closed)->references);
}

void wend__closed_release(wend_map *map, const wend__closed *closed) {
    wend__closed *mine = (wend__closed *)closed;
    if (closed && wend__reference_drop(map, &mine->references)) wend__map_free(map, mine, sizeof *mine);
}

bool wend__closed_alike(const wend__closed *a, const wend__closed *b) {
    return a == b || (a && b && memcmp(a->steps, b->steps, sizeof a->steps) == 0);
}

/* ---- a block ---- */

wend__block *wend__block_create(wend_map *map) {
    wend__block *block = wend__map_alloc(map, sizeof *block);
    if (block) block->references = 1, block->jump_users = 0, block->jumps = NULL;
    return block;
}

wend__block *wend__block_copy(wend_map *map, const wend__block *from) {
    wend__block *block = wend__block_create(map);
    if (!block) return NULL;
    memcpy(block->chunks, from->chunks, sizeof block->chunks);
    block->max_factor = from->max_factor;
    bool voxels = map->kind == WEND_KIND_VOXEL;
    wend__mutex_lock(map->mutex);
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__chunk *chunk = &block->chunks[i];
        plane_up(chunk->terrain);
        bits_up(chunk->bits);
        if (voxels)
            bits_up(chunk->open);
        else
            plane_up(chunk->masks);
        closed_up(chunk->closed);
    }
    wend__mutex_unlock(map->mutex);
    return block;
}

void wend__block_release(wend_map *map, wend__block *block) {
    wend__garbage *list = NULL;
    bool voxels = map->kind == WEND_KIND_VOXEL;
    wend__mutex_lock(map->mutex);
    bool last = --block->references == 0;
    for (unsigned i = 0; last && i < WEND__BLOCK_CHUNKS; i++) {
        const wend__chunk *chunk = &block->chunks[i];
        plane_down(chunk->terrain, &list);
        bits_down(chunk->bits, &list);
        if (voxels)
            bits_down(chunk->open, &list);
        else
            plane_down(chunk->masks, &list);
        closed_down(chunk->closed, &list);
    }
    wend__mutex_unlock(map->mutex);
    wend__garbage_free(map, list);
    if (last) wend__map_free(map, block, sizeof *block);
}

void wend__block_sum(wend__block *block) {
    block->max_factor = 0;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++)
        if (block->chunks[i].max_factor > block->max_factor) block->max_factor = block->chunks[i].max_factor;
}
