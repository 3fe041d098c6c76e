/* SPDX-License-Identifier: MIT */
/* Planes and blocks, shared by counting who holds them. */
#include "map/map_private.h"

#define FULL_4 0xFF, 0xFF, 0xFF, 0xFF
#define FULL_16 FULL_4, FULL_4, FULL_4, FULL_4
#define FULL_64 FULL_16, FULL_16, FULL_16, FULL_16
#define FULL_256 FULL_64, FULL_64, FULL_64, FULL_64
#define FULL_1024 FULL_256, FULL_256, FULL_256, FULL_256

/* These two belong to all maps, and nobody counts them. */
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

wend__plane *wend__plane_create(wend_map *map) {
    wend__plane *plane = wend__map_alloc(map, sizeof *plane);
    if (plane) plane->references = 1;
    return plane;
}

/* The map's mutex is held. */
static void count_up(const wend__plane *plane) {
    if (counted(plane)) ((wend__plane *)plane)->references++;
}

/* The map's mutex is held. A plane that nobody holds any more goes to the front of the list `dead`, linked through its
   bytes, so that it can be freed when the mutex is not held. */
static void count_down(const wend__plane *plane, wend__plane **dead) {
    if (!counted(plane)) return;
    wend__plane *mine = (wend__plane *)plane;
    if (--mine->references) return;
    memcpy(mine->bytes, dead, sizeof *dead);
    *dead = mine;
}

/* As count_down(), linked through the rows. */
static void count_bits_down(const wend__bits *bits, wend__bits **dead) {
    if (!counted_bits(bits)) return;
    wend__bits *mine = (wend__bits *)bits;
    if (--mine->references) return;
    memcpy(mine->rows, dead, sizeof *dead);
    *dead = mine;
}

/* The map's mutex is held. */
static void count_bits_up(const wend__bits *bits) {
    if (counted_bits(bits)) ((wend__bits *)bits)->references++;
}

/* As count_down(), linked through the steps. */
static void count_closed_down(const wend__closed *closed, wend__closed **dead) {
    if (!closed) return;
    wend__closed *mine = (wend__closed *)closed;
    if (--mine->references) return;
    memcpy(mine->steps, dead, sizeof *dead);
    *dead = mine;
}

static void free_dead_closed(wend_map *map, wend__closed *dead) {
    while (dead) {
        wend__closed *next;
        memcpy(&next, dead->steps, sizeof next);
        wend__map_free(map, dead, sizeof *dead);
        dead = next;
    }
}

static void free_dead_bits(wend_map *map, wend__bits *dead) {
    while (dead) {
        wend__bits *next;
        memcpy(&next, dead->rows, sizeof next);
        wend__map_free(map, dead, sizeof *dead);
        dead = next;
    }
}

static void free_dead(wend_map *map, wend__plane *dead) {
    while (dead) {
        wend__plane *next;
        memcpy(&next, dead->bytes, sizeof next);
        wend__map_free(map, dead, sizeof *dead);
        dead = next;
    }
}

void wend__plane_retain(wend_map *map, const wend__plane *plane) {
    wend__mutex_lock(map->mutex);
    count_up(plane);
    wend__mutex_unlock(map->mutex);
}

void wend__plane_release(wend_map *map, const wend__plane *plane) {
    wend__plane *dead = NULL;
    if (!counted(plane)) return;
    wend__mutex_lock(map->mutex);
    count_down(plane, &dead);
    wend__mutex_unlock(map->mutex);
    free_dead(map, dead);
}

wend__bits *wend__bits_create(wend_map *map) {
    wend__bits *bits = wend__map_alloc(map, sizeof *bits);
    if (bits) bits->references = 1;
    return bits;
}

void wend__bits_retain(wend_map *map, const wend__bits *bits) {
    wend__mutex_lock(map->mutex);
    count_bits_up(bits);
    wend__mutex_unlock(map->mutex);
}

void wend__bits_release(wend_map *map, const wend__bits *bits) {
    wend__bits *dead = NULL;
    if (!counted_bits(bits)) return;
    wend__mutex_lock(map->mutex);
    count_bits_down(bits, &dead);
    wend__mutex_unlock(map->mutex);
    free_dead_bits(map, dead);
}

wend__closed *wend__closed_create(wend_map *map) {
    wend__closed *closed = wend__map_alloc(map, sizeof *closed);
    if (!closed) return NULL;
    memset(closed, 0, sizeof *closed);
    closed->references = 1;
    return closed;
}

void wend__closed_retain(wend_map *map, const wend__closed *closed) {
    wend__mutex_lock(map->mutex);
    if (closed) ((wend__closed *)closed)->references++;
    wend__mutex_unlock(map->mutex);
}

void wend__closed_release(wend_map *map, const wend__closed *closed) {
    wend__closed *dead = NULL;
    if (!closed) return;
    wend__mutex_lock(map->mutex);
    count_closed_down(closed, &dead);
    wend__mutex_unlock(map->mutex);
    free_dead_closed(map, dead);
}

wend__block *wend__block_create(wend_map *map) {
    wend__block *block = wend__map_alloc(map, sizeof *block);
    if (block) block->references = 1;
    return block;
}

wend__block *wend__block_copy(wend_map *map, const wend__block *from) {
    wend__block *block = wend__block_create(map);
    if (!block) return NULL;
    memcpy(block->chunks, from->chunks, sizeof block->chunks);
    bool voxels = map->kind == WEND_KIND_VOXEL;
    wend__mutex_lock(map->mutex);
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__chunk *chunk = &block->chunks[i];
        count_up(chunk->terrain);
        count_bits_up(chunk->bits);
        if (voxels)
            count_bits_up(chunk->open);
        else
            count_up(chunk->masks);
        if (chunk->closed) ((wend__closed *)chunk->closed)->references++;
    }
    wend__mutex_unlock(map->mutex);
    return block;
}

void wend__block_release(wend_map *map, wend__block *block) {
    wend__plane *dead = NULL;
    wend__bits *dead_bits = NULL;
    wend__closed *dead_closed = NULL;
    bool voxels = map->kind == WEND_KIND_VOXEL;
    wend__mutex_lock(map->mutex);
    bool last = --block->references == 0;
    for (unsigned i = 0; last && i < WEND__BLOCK_CHUNKS; i++) {
        const wend__chunk *chunk = &block->chunks[i];
        count_down(chunk->terrain, &dead);
        count_bits_down(chunk->bits, &dead_bits);
        if (voxels)
            count_bits_down(chunk->open, &dead_bits);
        else
            count_down(chunk->masks, &dead);
        count_closed_down(chunk->closed, &dead_closed);
    }
    wend__mutex_unlock(map->mutex);
    free_dead(map, dead);
    free_dead_bits(map, dead_bits);
    free_dead_closed(map, dead_closed);
    if (last) wend__map_free(map, block, sizeof *block);
}
