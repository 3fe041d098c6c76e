/* SPDX-License-Identifier: MIT */
/* Making, pruning and dropping jump tables at the host's request. */
#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/jumps/jump_tables.h"
#include "map/jumps/jumps.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "map/jumps/jump_prepare.h"

/* ---- making them ---- */

/* Be a user of the block's tables, if it has any that will do. */
static bool join_block(wend_map *map, wend__block *block) {
    wend__mutex_lock(map->mutex);
    bool done = block->jumps && !block->jumps->unpruned;
    block->jump_users += done;
    wend__mutex_unlock(map->mutex);
    return done;
}

static bool has_unpruned(wend_map *map, const wend__block *block) {
    wend__mutex_lock(map->mutex);
    bool unpruned = block->jumps && block->jumps->unpruned;
    wend__mutex_unlock(map->mutex);
    return unpruned;
}

/* Another thread may be at it for a fork that shares the block: the first one's tables are taken, which are the same. A
   block with tables that edits left unpruned is of a fork's versions: it is theirs. */
static wend_error make_block(wend_edit *edit, size_t index) {
    wend_map *map = edit->map;
    wend__version *draft = edit->draft;
    if (join_block(map, draft->blocks[index])) return WEND_OK;
    const wend__place p = wend__chunk_place(draft, index, 0);
    if (has_unpruned(map, draft->blocks[index]) && wend__edit_own_block(edit, p.column, p.row))
        return WEND_OUT_OF_MEMORY;
    wend__jump_block *jumps;
    if (wend__jump_block_create(draft, index, &jumps)) return WEND_OUT_OF_MEMORY;
    wend__block *block = draft->blocks[index];
    wend__mutex_lock(map->mutex);
    if (!block->jumps) block->jumps = jumps, jumps = NULL;
    block->jump_users++;
    wend__mutex_unlock(map->mutex);
    wend__jump_block_free(map, jumps);
    return WEND_OK;
}

static void sum_counts(wend__version *version) {
    const size_t count = wend__version_blocks(version);
    for (size_t i = 0; i < count; i++)
        for (unsigned n = 0; n < WEND__JUMP_COUNTS; n++)
            version->jump_counts[n] += version->blocks[i]->jumps->counts[n];
}

static wend_error make_all(wend_edit *edit) {
    size_t count = wend__version_blocks(edit->draft);
    for (size_t i = 0; i < count; i++)
        if (make_block(edit, i)) {
            wend__jumps_drop_first(edit->draft, i);
            return WEND_OUT_OF_MEMORY;
        }
    edit->draft->jumps = true;
    sum_counts(edit->draft);
    return WEND_OK;
}

/* ---- pruning ---- */

static wend_error prune_chunk(wend__jump_draft *draft, unsigned column, unsigned row) {
    wend__jump_table *table = wend__jump_draft_table(draft, column, row);
    if (!table) return WEND_OUT_OF_MEMORY;
    const uint8_t *masks = draft->block->chunks[row << WEND__BLOCK_SHIFT | column].masks->bytes;
    wend__jump_planes planes;
    wend__jump_planes_of(masks, &planes);
    wend__jump_prune(table, masks, &planes);
    draft->jumps->unpruned--;
    return WEND_OK;
}

/* The lanes that end in the chunk. */
static wend_error mend_around(wend__jump_draft *draft, unsigned column, unsigned row) {
    wend_error error = WEND_OK;
    for (unsigned i = 0; i < 4 * WEND__CHUNK_SIDE && !error; i++)
        error = wend__jump_lanes_update_before(draft, column, row, i >> 6, i & 63);
    return error;
}

static wend_error prune_block(wend_edit *edit, size_t index, uint32_t *room) {
    enum { SIDE = WEND__BLOCK_SIDE };
    wend_error error = wend__jumps_own_block(edit, index);
    if (error) return error;
    wend__jump_draft draft = {.map = edit->map, .block = edit->draft->blocks[index]};
    draft.jumps = draft.block->jumps;
    uint8_t pruned[WEND__BLOCK_CHUNKS];
    unsigned count = 0;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && *room && draft.jumps->unpruned && !error; i++) {
        const wend__jump_row *row = draft.jumps->rows[i / SIDE];
        if (!row || !row->tables[i % SIDE] || row->tables[i % SIDE]->pruned) continue;
        error = prune_chunk(&draft, i % SIDE, i / SIDE);
        pruned[count++] = (uint8_t)i;
        edit->draft->jumps_unpruned--;
        --*room;
    }
    for (unsigned i = 0; i < count && !error; i++) error = mend_around(&draft, pruned[i] % SIDE, pruned[i] / SIDE);
    return error;
}

static wend_error prune(wend_edit *edit, uint32_t room) {
    size_t count = wend__version_blocks(edit->draft);
    wend_error error = WEND_OK;
    for (size_t i = 0; i < count && room && edit->draft->jumps_unpruned && !error; i++)
        if (edit->draft->blocks[i]->jumps->unpruned) error = prune_block(edit, i, &room);
    return error;
}

/* ---- what the host calls ---- */

static void look(const wend_map *map, bool *jumps, uint64_t *unpruned) {
    wend__version *now = wend__map_newest(map);
    *jumps = now->jumps;
    *unpruned = now->jumps_unpruned;
    wend__map_release(now, false);
}

/* How much is to be pruned; and what is left then. */
typedef struct pruning {
    uint32_t room, left;
} pruning;

static uint32_t few(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static wend_error prune_some(wend_edit *edit, void *context) {
    pruning *p = context;
    wend_error error = prune(edit, p->room);
    p->left = few(edit->draft->jumps_unpruned);
    return error;
}

static wend_error prepare(wend_edit *edit, void *context) {
    (void)context;
    if (edit->draft->jumps) return prune(edit, UINT32_MAX);
    return make_all(edit);
}

static wend_error drop(wend_edit *edit, void *context) {
    (void)context;
    wend__jumps_drop(edit->draft);
    return WEND_OK;
}

wend_error wend__map_prepare_jumps(wend_map *map) {
    bool jumps;
    uint64_t unpruned;
    if (map->kind != WEND_KIND_GRID || map->width > 65535 || map->height > 65535) return WEND_UNSUPPORTED;
    look(map, &jumps, &unpruned);
    return jumps && !unpruned ? WEND_OK : wend__map_change(map, true, prepare, NULL);
}

wend_error wend__map_drop_jumps(wend_map *map) {
    bool jumps;
    uint64_t unpruned;
    look(map, &jumps, &unpruned);
    return jumps ? wend__map_change(map, true, drop, NULL) : WEND_OK;
}

wend_error wend__map_prune_jumps(wend_map *map, uint32_t max_chunks, uint32_t *left) {
    bool jumps;
    uint64_t unpruned;
    look(map, &jumps, &unpruned);
    pruning p = {.room = max_chunks, .left = few(unpruned)};
    wend_error error = unpruned && max_chunks ? wend__map_change(map, true, prune_some, &p) : WEND_OK;
    if (!error && left) *left = p.left;
    return error;
}
