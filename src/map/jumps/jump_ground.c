/* SPDX-License-Identifier: MIT */
/* The masks that jump tables follow from: which neighbours are open. Where closed steps change a chunk's own masks,
 * they are worked out from the cells. */
#include "map/jumps/jump_tables.h"
#include "map/kinds/masks.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/store/planes.h"

wend__jump_ground wend__jump_ground_of(const wend__version *version, size_t index) {
    return (wend__jump_ground){version, version->blocks[index], wend__chunk_place(version, index, 0)};
}

const uint8_t *wend__jump_masks(const wend__jump_ground *ground, unsigned column, unsigned row,
                                uint8_t room[WEND__CHUNK_CELLS]) {
    const wend__chunk *chunk = &ground->block->chunks[row << WEND__BLOCK_SHIFT | column];
    if (!chunk->closed_near) return chunk->masks->bytes;
    wend__masks_of_open(ground->version, ground->first.column + (int32_t)column, ground->first.row + (int32_t)row,
                        room);
    if (memcmp(room, wend__masks_open.bytes, WEND__CHUNK_CELLS) == 0) return wend__masks_open.bytes;
    if (memcmp(room, wend__masks_closed.bytes, WEND__CHUNK_CELLS) == 0) return wend__masks_closed.bytes;
    return room;
}

uint8_t wend__jump_mask(const wend__jump_ground *ground, unsigned column, unsigned row, unsigned cell) {
    const wend__chunk *chunk = &ground->block->chunks[row << WEND__BLOCK_SHIFT | column];
    if (!chunk->closed_near) return chunk->masks->bytes[cell];
    const int32_t x = (ground->first.column + (int32_t)column) << WEND__CHUNK_SHIFT | (int32_t)(cell & 63);
    const int32_t y = (ground->first.row + (int32_t)row) << WEND__CHUNK_SHIFT | (int32_t)(cell >> 6);
    unsigned mask = 0;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const int32_t to_x = x + wend__dx[d], to_y = y + wend__dy[d];
        const bool open =
            wend__on_map(ground->version, to_x, to_y) && wend__version_factor(ground->version, to_x, to_y);
        mask |= (unsigned)open << d;
    }
    return (uint8_t)mask;
}

bool wend__jump_ground_stays(const wend_edit *edit, int32_t column, int32_t row) {
    const wend__version *draft = edit->draft;
    const uint8_t *before = edit->base->rules.factors;
    if (memcmp(before, draft->rules.factors, sizeof draft->rules.factors) != 0) return false;
    if (wend__dirty_rows(draft, edit->dirty, column, row)) return false;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const int32_t x = column + wend__dx[d], y = row + wend__dy[d];
        if (!wend__on_table(draft, x, y) || !wend__dirty_rows(draft, edit->dirty, x, y)) continue;
        if (wend__edit_dirty(edit, x, y)->around[wend__chunk_index(x, y)] >> wend__opposite(d) & 1) return false;
    }
    return true;
}
