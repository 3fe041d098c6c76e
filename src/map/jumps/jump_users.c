/* SPDX-License-Identifier: MIT */
/* Which versions have jump tables. A block's tables are there as long as any version that has them holds the block. */
#include "map/jumps/jump_tables.h"
#include "map/jumps/jumps.h"
#include "map/store/map_layout.h"

void wend__jumps_share(wend__version *version, const wend__version *from) {
    wend_map *map = version->map;
    size_t count = wend__version_blocks(version);
    if (!from->jumps) return;
    version->jumps = true;
    version->jumps_unpruned = from->jumps_unpruned;
    memcpy(version->jump_counts, from->jump_counts, sizeof version->jump_counts);
    wend__mutex_lock(map->mutex);
    for (size_t i = 0; i < count; i++) version->blocks[i]->jump_users++;
    wend__mutex_unlock(map->mutex);
}

/* One user less. What the block's tables were if it was the last one; else NULL. The mutex is held. */
static wend__jump_block *forsake(wend__block *block) {
    wend__jump_block *jumps = block->jumps;
    WEND__ASSERT(block->jump_users > 0);
    if (--block->jump_users) return NULL;
    block->jumps = NULL;
    return jumps;
}

void wend__jumps_drop_first(wend__version *version, size_t count) {
    wend_map *map = version->map;
    size_t i = 0;
    while (i < count) {
        wend__jump_block *jumps = NULL;
        wend__mutex_lock(map->mutex);
        while (i < count && !jumps) jumps = forsake(version->blocks[i++]);
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

wend_error wend__jumps_move(wend_map *map, wend__block *from, wend__block *to) {
    to->jumps = wend__jump_block_copy(map, from->jumps);
    if (!to->jumps) return WEND_OUT_OF_MEMORY;
    to->jump_users = 1;
    wend__mutex_lock(map->mutex);
    wend__jump_block *old = forsake(from);
    wend__mutex_unlock(map->mutex);
    wend__jump_block_free(map, old);
    return WEND_OK;
}
