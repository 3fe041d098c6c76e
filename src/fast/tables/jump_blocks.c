/* SPDX-License-Identifier: MIT */
/* Makes the jump tables of a block, in rows and columns of chunks. */
#include "fast/tables/jump_tables.h"
#include "map/kinds/masks.h"
#include "map/store/planes.h"

wend__jump_ground wend__jump_ground_of(const wend__version *version, size_t index) {
    return (wend__jump_ground){version, version->blocks[index], wend__chunk_place(version, index, 0)};
}

/* Returns the masks that jump tables are made from: the open neighbours. If closed steps change a chunk's own masks,
 * they are computed from the cells. */
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

enum { SIDE = WEND__BLOCK_SIDE };

/* A chunk with the masks of the chunk to the left, or above, shares its table: along the map's rim. */
static const wend__jump_table *alike(const wend__block *block, const wend__jump_block *jumps, unsigned column,
                                     unsigned row, const uint8_t *masks) {
    const wend__chunk *chunk = &block->chunks[row << WEND__BLOCK_SHIFT | column];
    if (masks == wend__masks_open.bytes) return &wend__jumps_open;
    if (masks == wend__masks_closed.bytes) return &wend__jumps_closed;
    if (chunk->closed_near) return NULL;
    if (column > 0 && chunk[-1].masks == chunk->masks && !chunk[-1].closed_near)
        return jumps->rows[row]->tables[column - 1];
    if (row > 0 && chunk[-SIDE].masks == chunk->masks && !chunk[-SIDE].closed_near)
        return jumps->rows[row - 1]->tables[column];
    return NULL;
}

static wend_error create_table(wend_map *map, const wend__jump_ground *ground, wend__jump_block *jumps, unsigned column,
                               unsigned row) {
    wend__jump_row *to = (wend__jump_row *)jumps->rows[row];
    uint8_t room[WEND__CHUNK_CELLS];
    const uint8_t *masks = wend__jump_masks(ground, column, row, room);
    to->tables[column] = alike(ground->block, jumps, column, row, masks);
    if (wend__shared_retain(map, to->tables[column])) return WEND_OK;
    wend__jump_table *table = wend__shared_alloc(map, sizeof *table, true);
    if (!table) return WEND_OUT_OF_MEMORY;
    wend__jump_planes planes;
    wend__jump_planes_of(masks, &planes);
    wend__jump_fill(table, &planes);
    wend__jump_prune(table, masks, &planes, true, NULL);
    to->tables[column] = table;
    return WEND_OK;
}

static void sum_counts(wend__jump_block *jumps, int32_t columns, int32_t rows) {
    for (int32_t i = 0; i < rows * columns; i++) {
        const wend__jump_table *table = jumps->rows[i / columns]->tables[i % columns];
        for (unsigned n = 0; n < WEND__JUMP_COUNTS; n++) jumps->counts[n] += table->counts[n];
    }
}

static int32_t columns_of(const wend__version *version, const wend__jump_ground *ground) {
    return wend__least(version->chunk_columns - ground->first.column, SIDE);
}

static int32_t rows_of(const wend__version *version, const wend__jump_ground *ground) {
    return wend__least(version->chunk_rows - ground->first.row, SIDE);
}

wend_error wend__jump_block_begin(const wend__version *version, size_t index, wend__jump_block **out) {
    wend_map *map = version->map;
    const wend__jump_ground ground = wend__jump_ground_of(version, index);
    const int32_t columns = columns_of(version, &ground), rows = rows_of(version, &ground);
    wend__jump_block *jumps = wend__table_create(map, sizeof *jumps, 2 * SIDE);
    if (!jumps) return WEND_OUT_OF_MEMORY;
    bool room = true;
    for (int32_t i = 0; i < rows && room; i++)
        room = (jumps->rows[i] = wend__table_create(map, sizeof(wend__jump_row), SIDE)) != NULL;
    for (int32_t i = 0; i < columns && room; i++)
        room = (jumps->columns[i] = wend__table_create(map, sizeof(wend__jump_column), 0)) != NULL;
    if (!room) {
        wend__shared_release(map, jumps);
        return WEND_OUT_OF_MEMORY;
    }
    *out = jumps;
    return WEND_OK;
}

wend_error wend__jump_block_continue(const wend__version *version, size_t index, wend__jump_block *jumps, uint32_t step,
                                     bool *done) {
    const wend__jump_ground ground = wend__jump_ground_of(version, index);
    const int32_t columns = columns_of(version, &ground), rows = rows_of(version, &ground);
    const uint32_t chunks = (uint32_t)(columns * rows), width = (uint32_t)columns;
    *done = step == chunks + SIDE;
    if (step < chunks) return create_table(version->map, &ground, jumps, step % width, step / width);
    if (step < chunks + SIDE)
        wend__jump_lanes_build(&ground, jumps, step - chunks);
    else
        sum_counts(jumps, columns, rows);
    return WEND_OK;
}

wend_error wend__jump_block_create(const wend__version *version, size_t index, wend__jump_block **out) {
    wend__jump_block *jumps;
    bool done = false;
    wend_error error = wend__jump_block_begin(version, index, &jumps);
    if (error) return error;
    for (uint32_t step = 0; !done && !error; step++)
        error = wend__jump_block_continue(version, index, jumps, step, &done);
    if (error)
        wend__shared_release(version->map, jumps);
    else
        *out = jumps;
    return error;
}
