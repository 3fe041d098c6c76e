/* SPDX-License-Identifier: MIT */
/* A draft's jump tables, brought up to date with what its batch changed. */
#include "map/jump_tables.h"

/* Masks of the chunk are not what they were: its table is made anew. */
static int32_t renew_table(wend__jump_draft *draft, unsigned column, unsigned row) {
    const wend__jump_table *from = draft->jumps->rows[row]->tables[column];
    wend__jump_table *table = wend__jump_table_create(draft->map);
    if (!table) return WEND_OUT_OF_MEMORY;
    wend__jump_planes planes;
    wend__jump_build(table, draft->block->chunks[row << WEND__BLOCK_SHIFT | column].masks->bytes, &planes);
    draft->jumps->unpruned += from->pruned;
    return wend__jump_draft_put(draft, column, row, table);
}

static int32_t mend_lanes(wend__jump_draft *draft, unsigned column, unsigned row) {
    int32_t error = WEND_OK;
    for (unsigned i = 0; i < 4 * WEND__CHUNK_SIDE && !error; i++) {
        bool changed;
        error = wend__lane_mend(draft, column, row, i >> 6, i & 63, &changed);
        if (!error) error = wend__lanes_mend_before(draft, column, row, i >> 6, i & 63);
    }
    return error;
}

static int32_t repair_block(wend_edit *edit, size_t index) {
    const wend__block *before = edit->base->blocks[index];
    wend__jump_draft draft = {.map = edit->map, .block = edit->draft->blocks[index]};
    draft.jumps = draft.block->jumps;
    uint8_t changed[WEND__BLOCK_CHUNKS];
    unsigned count = 0;
    uint32_t unpruned = draft.jumps->unpruned;
    int32_t error = WEND_OK;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && !error; i++) {
        if (draft.block->chunks[i].masks == before->chunks[i].masks) continue;
        error = renew_table(&draft, i % WEND__BLOCK_SIDE, i / WEND__BLOCK_SIDE);
        changed[count++] = (uint8_t)i;
    }
    for (unsigned i = 0; i < count && !error; i++)
        error = mend_lanes(&draft, changed[i] % WEND__BLOCK_SIDE, changed[i] / WEND__BLOCK_SIDE);
    edit->draft->jumps_unpruned += draft.jumps->unpruned - unpruned;
    return error;
}

int32_t wend__jumps_repair(wend_edit *edit) {
    size_t count = wend__version_blocks(edit->draft);
    int32_t error = WEND_OK;
    if (!edit->draft->jumps) return WEND_OK;
    for (size_t i = 0; i < count && !error; i++)
        if (edit->draft->blocks[i] != edit->base->blocks[i]) error = repair_block(edit, i);
    return error;
}
