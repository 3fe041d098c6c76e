/* SPDX-License-Identifier: MIT */
/* Planes and bits that all maps share, and blocks. */
#include "map/store/memory.h"
#include "map/store/planes.h"

#define FULL_4 0xFF, 0xFF, 0xFF, 0xFF
#define FULL_16 FULL_4, FULL_4, FULL_4, FULL_4
#define FULL_64 FULL_16, FULL_16, FULL_16, FULL_16
#define FULL_256 FULL_64, FULL_64, FULL_64, FULL_64
#define FULL_1024 FULL_256, FULL_256, FULL_256, FULL_256

/* All maps share these two. */
const wend__plane wend__masks_open = {.bytes = {FULL_1024, FULL_1024, FULL_1024, FULL_1024}};
const wend__plane wend__masks_closed = {0};

/* And these, to all maps of voxels. */
#define ROWS_4 UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX
#define ROWS_16 ROWS_4, ROWS_4, ROWS_4, ROWS_4
const wend__bits wend__voxels_open = {.classes = {0, 1}, .rows = {ROWS_16, ROWS_16, ROWS_16, ROWS_16}};
const wend__bits wend__voxels_blocked = {.classes = {0, 1}};

bool wend__closed_alike(const wend__closed *a, const wend__closed *b) {
    return a == b || (a && b && memcmp(a->steps, b->steps, sizeof a->steps) == 0);
}

wend__block *wend__block_create(wend_map *map) {
    wend__block *block = wend__shared_create(map, sizeof *block);
    if (block) block->shared.is_block = true;
    return block;
}

/* Masks that all maps share are not counted. */
static bool has_static(const wend__chunk *chunk) {
    return chunk->masks == &wend__masks_closed || chunk->masks == &wend__masks_open;
}

wend__block *wend__block_copy(wend_map *map, const wend__block *from) {
    wend__block *block = wend__shared_alloc(map, sizeof *block, false);
    if (!block) return NULL;
    block->shared.is_block = true;
    memcpy(block->chunks, from->chunks, sizeof block->chunks);
    block->max_factor = from->max_factor;
    memcpy(block->lacking, from->lacking, sizeof block->lacking);
    block->jump_users = 0, block->jumps = NULL;
    bool voxels = map->kind == WEND_KIND_VOXEL;
    wend__mutex_lock(map->mutex);
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__chunk *chunk = &block->chunks[i];
        if (chunk->terrain) wend__shared_up(chunk->terrain);
        if (chunk->bits) wend__shared_up(chunk->bits);
        if (!has_static(chunk)) wend__shared_up(voxels ? (const void *)chunk->open : chunk->masks);
        if (chunk->closed) wend__shared_up(chunk->closed);
    }
    wend__mutex_unlock(map->mutex);
    return block;
}

void wend__block_release_chunks(wend__family *family, const wend__block *block) {
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__chunk *chunk = &block->chunks[i];
        if (chunk->terrain) wend__shared_down(family, chunk->terrain);
        if (chunk->bits) wend__shared_down(family, chunk->bits);
        if (!has_static(chunk)) wend__shared_down(family, chunk->masks);
        if (chunk->closed) wend__shared_down(family, chunk->closed);
    }
}

/* A draft that found no memory has blocks without tables. */
void wend__block_release_jumps(wend__family *family, wend__block *block) {
    WEND__DEBUG_ASSERT(!block->jumps || block->jump_users > 0);
    if (!block->jumps || --block->jump_users) return;
    wend__shared_down(family, block->jumps);
    block->jumps = NULL;
}

void wend__block_sum(wend__block *block) {
    block->max_factor = 0;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++)
        if (block->chunks[i].max_factor > block->max_factor) block->max_factor = block->chunks[i].max_factor;
}
