/* SPDX-License-Identifier: MIT */
/* Makes and prunes the jump tables of a draft, and tracks which versions have tables. */
#include "fast/tables/jump_tables.h"
#include "map/store/planes.h"

/* ---- which versions have tables; a block keeps its own as long as such a version holds it ---- */

static void copy_sums(wend__version *version, const wend__version *from) {
    version->jumps = true;
    version->jumps_unpruned = from->jumps_unpruned;
    memcpy(version->jump_counts, from->jump_counts, sizeof version->jump_counts);
}

void wend__jumps_share(wend__version *version, const wend__version *from) {
    wend_map *map = version->map;
    size_t count = wend__version_blocks(version);
    if (!from->jumps) return;
    copy_sums(version, from);
    wend__mutex_lock(map->mutex);
    for (size_t i = 0; i < count; i++) version->blocks[i]->jump_users++;
    wend__mutex_unlock(map->mutex);
}

void wend__jumps_drop_first(wend__version *version, size_t count) {
    wend_map *map = version->map;
    wend__mutex_lock(map->mutex);
    for (size_t i = 0; i < count; i++) wend__block_release_jumps(map->family, version->blocks[i]);
    wend__mutex_unlock(map->mutex);
}

void wend__jumps_drop(wend__version *version) {
    if (version->jumps) wend__jumps_drop_first(version, wend__version_blocks(version));
    version->jumps = false;
    version->jumps_unpruned = 0;
    memset(version->jump_counts, 0, sizeof version->jump_counts);
}

/* Gives a draft's own block a copy of the tables of its original block. */
static wend_error copy_tables(wend_map *map, const wend__block *from, wend__block *to) {
    to->jumps = wend__shared_copy(map, from->jumps);
    if (!to->jumps) return WEND_OUT_OF_MEMORY;
    to->jump_users = 1;
    return WEND_OK;
}

wend_error wend__jumps_inherit(wend_edit *edit) {
    wend__version *draft = edit->draft;
    const wend__version *base = edit->base;
    const size_t count = wend__version_blocks(draft);
    wend_error error = WEND_OK;
    copy_sums(draft, base);
    wend__mutex_lock(edit->map->mutex);
    for (size_t i = 0; i < count; i++)
        if (draft->blocks[i] == base->blocks[i]) draft->blocks[i]->jump_users++;
    wend__mutex_unlock(edit->map->mutex);
    for (size_t i = 0; i < count && !error; i++)
        if (draft->blocks[i] != base->blocks[i]) error = copy_tables(edit->map, base->blocks[i], draft->blocks[i]);
    return error;
}

/* Makes a block with tables the draft's own. The draft has tables. */
static wend_error own_block(wend_edit *edit, size_t index) {
    const wend__place first = wend__chunk_place(edit->draft, index, 0);
    wend__block *shared = edit->draft->blocks[index]; /* the base holds it, too */
    if (edit->dirty[index]) return WEND_OK;
    if (wend__edit_own_block(edit, first.column, first.row)) return WEND_OUT_OF_MEMORY;
    wend_error error = copy_tables(edit->map, shared, edit->draft->blocks[index]);
    wend__mutex_lock(edit->map->mutex);
    wend__block_release_jumps(edit->map->family, shared);
    wend__mutex_unlock(edit->map->mutex);
    return error;
}

/* ---- making them ---- */

/* Become a user of the block's tables, if they are usable. */
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

wend_error wend__jumps_join(wend_edit *edit, size_t index, bool *joined) {
    const wend__place p = wend__chunk_place(edit->draft, index, 0);
    *joined = join_block(edit->map, edit->draft->blocks[index]);
    if (*joined || !has_unpruned(edit->map, edit->draft->blocks[index])) return WEND_OK;
    return wend__edit_own_block(edit, p.column, p.row);
}

void wend__jumps_attach(wend_edit *edit, size_t index, wend__jump_block *jumps) {
    wend__block *block = edit->draft->blocks[index];
    wend__mutex_lock(edit->map->mutex);
    if (!block->jumps) block->jumps = jumps, jumps = NULL;
    block->jump_users++;
    wend__mutex_unlock(edit->map->mutex);
    wend__shared_release(edit->map, jumps);
}

void wend__jumps_complete(wend__version *draft) {
    const size_t count = wend__version_blocks(draft);
    draft->jumps = true;
    for (size_t i = 0; i < count; i++)
        for (unsigned n = 0; n < WEND__JUMP_COUNTS; n++) draft->jump_counts[n] += draft->blocks[i]->jumps->counts[n];
}

static wend_error make_block(wend_edit *edit, size_t index) {
    wend__jump_block *jumps;
    bool joined;
    wend_error error = wend__jumps_join(edit, index, &joined);
    if (error || joined) return error;
    error = wend__jump_block_create(edit->draft, index, &jumps);
    if (!error) wend__jumps_attach(edit, index, jumps);
    return error;
}

wend_error wend__jumps_make(wend_edit *edit) {
    size_t count = wend__version_blocks(edit->draft);
    for (size_t i = 0; i < count; i++)
        if (make_block(edit, i)) {
            wend__jumps_drop_first(edit->draft, i);
            return WEND_OUT_OF_MEMORY;
        }
    wend__jumps_complete(edit->draft);
    return WEND_OK;
}

/* ---- pruning ---- */

static wend_error prune_chunk(wend__jump_draft *draft, unsigned column, unsigned row) {
    wend__jump_table *table = wend__jump_draft_table(draft, column, row);
    if (!table) return WEND_OUT_OF_MEMORY;
    uint8_t room[WEND__CHUNK_CELLS];
    const uint8_t *masks = wend__jump_masks(&draft->ground, column, row, room);
    wend__jump_planes planes;
    wend__jump_planes_of(masks, &planes);
    wend__jump_prune(table, masks, &planes, true, NULL);
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
    wend_error error = own_block(edit, index);
    if (error) return error;
    wend__jump_draft draft = {.map = edit->map, .ground = wend__jump_ground_of(edit->draft, index)};
    draft.jumps = edit->draft->blocks[index]->jumps;
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

wend_error wend__jumps_prune(wend_edit *edit, uint32_t room) {
    size_t count = wend__version_blocks(edit->draft);
    wend_error error = WEND_OK;
    for (size_t i = 0; i < count && room && edit->draft->jumps_unpruned && !error; i++)
        if (edit->draft->blocks[i]->jumps->unpruned) error = prune_block(edit, i, &room);
    return error;
}
