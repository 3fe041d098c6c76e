/* SPDX-License-Identifier: MIT */
/* Which versions have jump tables. A block keeps its tables as long as a version with tables holds the block. */
#include "map/edit/edit.h"
#include "map/jumps/jump_tables.h"
#include "map/jumps/jumps.h"
#include "map/store/map_layout.h"

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

/* One user less. What the block's tables were if it was the last one; else NULL. A draft that found no room has blocks
   without tables. The mutex is held. */
static wend__jump_block *abandon(wend__block *block) {
    wend__jump_block *jumps = block->jumps;
    if (!jumps || --block->jump_users) return NULL;
    block->jumps = NULL;
    return jumps;
}

void wend__jumps_drop_first(wend__version *version, size_t count) {
    wend_map *map = version->map;
    size_t i = 0;
    while (i < count) {
        wend__jump_block *jumps = NULL;
        wend__mutex_lock(map->mutex);
        while (i < count && !jumps) jumps = abandon(version->blocks[i++]);
        wend__mutex_unlock(map->mutex);
        wend__jump_block_free(map, jumps);
    }
}

void wend__jumps_drop(wend__version *version) {
    if (version->jumps) wend__jumps_drop_first(version, wend__version_blocks(version));
    version->jumps = false;
    version->jumps_unpruned = 0;
    memset(version->jump_counts, 0, sizeof version->jump_counts);
}

/* A draft's own block gets a copy of the tables of the block that it is a copy of. */
static wend_error copy_tables(wend_map *map, const wend__block *from, wend__block *to) {
    to->jumps = wend__jump_block_copy(map, from->jumps);
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

wend_error wend__jumps_own_block(wend_edit *edit, size_t index) {
    const wend__place first = wend__chunk_place(edit->draft, index, 0);
    wend__block *shared = edit->draft->blocks[index]; /* the base holds it, too */
    if (edit->dirty[index]) return WEND_OK;
    if (wend__edit_own_block(edit, first.column, first.row)) return WEND_OUT_OF_MEMORY;
    wend_error error = copy_tables(edit->map, shared, edit->draft->blocks[index]);
    wend__mutex_lock(edit->map->mutex);
    wend__jump_block *old = abandon(shared);
    wend__mutex_unlock(edit->map->mutex);
    wend__jump_block_free(edit->map, old);
    return error;
}
