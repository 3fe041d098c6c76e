/* SPDX-License-Identifier: MIT */
/* A map's first version: all cells are open, and equal blocks are shared. */
#include "map/kinds/derive_chunk.h"
#include "map/kinds/graph.h"
#include "map/kinds/masks.h"
#include "map/store/map_layout.h"
#include "map/store/planes.h"
#include "map/version/derivation.h"
#include "map/version/version.h"

/* On which of the table's four sides a block lies: on an empty grid blocks with equal sides are equal. */
static uint64_t block_side(const wend__version *v, int32_t column, int32_t row) {
    return (unsigned)(column == 0) | (unsigned)(column == v->block_columns - 1) << 1 | (unsigned)(row == 0) << 2 |
           (unsigned)(row == v->block_rows - 1) << 3;
}

/* On voxels: which of the block's rows of chunks end in y or z inside their chunks, or are not there; and does its last
   column in x? */
static uint64_t block_rim(const wend__version *v, int32_t column, int32_t row) {
    uint64_t rim = column == v->block_columns - 1;
    for (int32_t r = row * WEND__BLOCK_SIDE; r < (row + 1) * WEND__BLOCK_SIDE; r++) {
        bool there = r < v->chunk_rows;
        bool south = there && v->height % WEND__VOXEL_SIDE && r % v->chunk_y == v->chunk_y - 1;
        bool top = there && v->depth % WEND__VOXEL_SIDE && r >= v->chunk_rows - v->chunk_y;
        rim = rim << 2 | (there ? (unsigned)south << 1 | (unsigned)top : 0);
        if (!there) rim |= UINT64_C(1) << 63;
    }
    return rim;
}

/* Kinds of blocks in the order in which they are met. There are fewer than 100: along y the rim lies in one of 16 rows
   of a block, in none, or (where a layer is narrower) in several that begin at one of 15. */
enum { BLOCK_KINDS = 128 };
typedef struct block_kinds {
    unsigned count;
    struct {
        uint64_t key;
        size_t index; ///< of the first
        wend__block *block;
    } of[BLOCK_KINDS];
} block_kinds;

/* Its place in the list, which may be the one behind the last. */
static unsigned find_kind(const wend__version *v, const block_kinds *kinds, int32_t column, int32_t row,
                          uint64_t *key) {
    unsigned i = 0;
    *key = v->kind == WEND_KIND_VOXEL ? block_rim(v, column, row) : block_side(v, column, row);
    while (i < kinds->count && kinds->of[i].key != *key) i++;
    WEND__ASSERT(i < BLOCK_KINDS);
    return i;
}

static void open_chunks(const wend__version *v, wend__block *block, size_t index) {
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__place p = wend__chunk_place(v, index, i);
        bool inside = wend__on_table(v, p.column, p.row);
        block->chunks[i] = (wend__chunk){.masks = &wend__masks_closed, .uniform = inside ? WEND_CLASS_OPEN : 0};
        if (v->kind == WEND_KIND_VOXEL) block->chunks[i].open = &wend__voxels_blocked;
    }
}

static wend_error share_blocks(wend__version *v, block_kinds *kinds) {
    for (int32_t row = 0; row < v->block_rows; row++)
        for (int32_t column = 0; column < v->block_columns; column++) {
            uint64_t key;
            unsigned i = find_kind(v, kinds, column, row, &key);
            wend__block *block = i < kinds->count ? kinds->of[i].block : wend__block_create(v->map);
            if (!block) return WEND_OUT_OF_MEMORY;
            size_t index = (size_t)row * (size_t)v->block_columns + (size_t)column;
            v->blocks[index] = block;
            if (i < kinds->count) {
                block->references++; /* no other thread knows it yet */
                continue;
            }
            open_chunks(v, block, index);
            kinds->of[i].key = key, kinds->of[i].block = block, kinds->of[i].index = index;
            kinds->count++;
        }
    return WEND_OK;
}

static wend_error derive_block(wend__mask_deriver *deriver, wend__block *block, size_t index) {
    const wend__version *v = deriver->version;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__place p = wend__chunk_place(v, index, i);
        if (!wend__on_table(v, p.column, p.row)) continue;
        wend_error error = wend__chunk_derive(deriver, &block->chunks[i], p.column, p.row);
        if (error) return error;
    }
    wend__block_sum(block);
    return WEND_OK;
}

wend_error wend__version_open(wend__version *version) {
    block_kinds kinds;
    kinds.count = 0;
    wend_error error = share_blocks(version, &kinds);
    wend__mask_deriver deriver;
    wend__mask_deriver_init(&deriver, version);
    for (unsigned i = 0; i < kinds.count && !error; i++)
        error = derive_block(&deriver, kinds.of[i].block, kinds.of[i].index);
    if (error) return error;
    if (version->kind == WEND_KIND_GRAPH && wend__graph_open(version)) return WEND_OUT_OF_MEMORY;
    wend__version_sum(version);
    return wend__derivations_create(version);
}
