/* SPDX-License-Identifier: MIT */
/* The jump tables of a block, in rows and columns of chunks: making, copying and freeing them, reference counts. */
#include "map/jumps/jump_tables.h"
#include "map/kinds/masks.h"
#include "map/store/planes.h"

/* The masks that jump tables follow from: which neighbours are open. Where closed steps change a chunk's own masks,
 * they are worked out from the cells. */

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

enum { SIDE = WEND__BLOCK_SIDE, CACHE_LINE = 64 };

/* ---- memory ---- */

static void count_bytes(wend_map *map, size_t bytes, bool more) {
    wend__mutex_lock(map->mutex);
    map->family->jump_bytes = more ? map->family->jump_bytes + bytes : map->family->jump_bytes - bytes;
    wend__mutex_unlock(map->mutex);
}

void *wend__jump_alloc(wend_map *map, size_t bytes) {
    void *pointer = wend__family_alloc_aligned(map->family, bytes, CACHE_LINE);
    if (pointer) count_bytes(map, bytes, true);
    return pointer;
}

static void jump_free(wend_map *map, void *pointer, size_t bytes) {
    if (!pointer) return;
    count_bytes(map, bytes, false);
    wend__map_free(map, pointer, bytes);
}

/* ---- references: the mutex is held ---- */

static bool counted(const wend__jump_table *table) {
    return table && table != &wend__jumps_open && table != &wend__jumps_closed;
}

static void table_up(const wend__jump_table *table) {
    if (counted(table)) ((wend__jump_table *)table)->references++;
}

static void table_down(const wend__jump_table *table, wend__garbage **list) {
    if (counted(table)) wend__reference_drop_into(table, &((wend__jump_table *)table)->references, sizeof *table, list);
}

static void row_down(const wend__jump_row *row, wend__garbage **list) {
    const wend__jump_table *tables[SIDE];
    if (!row) return;
    memcpy(tables, row->tables, sizeof tables);
    if (!wend__reference_drop_into(row, &((wend__jump_row *)row)->references, sizeof *row, list)) return;
    for (unsigned i = 0; i < SIDE; i++) table_down(tables[i], list);
}

static void column_down(const wend__jump_column *column, wend__garbage **list) {
    if (column) wend__reference_drop_into(column, &((wend__jump_column *)column)->references, sizeof *column, list);
}

void wend__jump_garbage_free(wend_map *map, wend__garbage *list) {
    size_t bytes = 0;
    for (const wend__garbage *one = list; one; one = one->next) bytes += one->bytes;
    if (bytes > 0) count_bytes(map, bytes, false);
    wend__garbage_free(map, list);
}

/* ---- one ---- */

wend__jump_table *wend__jump_table_create(wend_map *map) {
    wend__jump_table *table = wend__jump_alloc(map, sizeof *table);
    if (table) table->references = 1;
    return table;
}

void wend__jump_table_release(wend_map *map, const wend__jump_table *table) {
    wend__garbage *list = NULL;
    wend__mutex_lock(map->mutex);
    table_down(table, &list);
    wend__mutex_unlock(map->mutex);
    wend__jump_garbage_free(map, list);
}

static wend__jump_row *create_row(wend_map *map) {
    wend__jump_row *row = wend__jump_alloc(map, sizeof *row);
    if (!row) return NULL;
    memset(row, 0, sizeof *row);
    row->references = 1;
    return row;
}

static wend__jump_column *create_column(wend_map *map) {
    wend__jump_column *column = wend__jump_alloc(map, sizeof *column);
    if (!column) return NULL;
    memset(column, 0, sizeof *column);
    column->references = 1;
    return column;
}

wend__jump_row *wend__jump_row_copy(wend_map *map, const wend__jump_row *from) {
    wend__jump_row *row = wend__jump_alloc(map, sizeof *row);
    if (!row) return NULL;
    memcpy(row->lanes, from->lanes, sizeof row->lanes);
    memcpy(row->tables, from->tables, sizeof row->tables);
    row->references = 1;
    wend__mutex_lock(map->mutex);
    for (unsigned i = 0; i < SIDE; i++) table_up(row->tables[i]);
    wend__mutex_unlock(map->mutex);
    return row;
}

wend__jump_column *wend__jump_column_copy(wend_map *map, const wend__jump_column *from) {
    wend__jump_column *column = wend__jump_alloc(map, sizeof *column);
    if (!column) return NULL;
    memcpy(column->lanes, from->lanes, sizeof column->lanes);
    column->references = 1;
    return column;
}

void wend__jump_row_release(wend_map *map, const wend__jump_row *row) {
    wend__garbage *list = NULL;
    wend__mutex_lock(map->mutex);
    row_down(row, &list);
    wend__mutex_unlock(map->mutex);
    wend__jump_garbage_free(map, list);
}

void wend__jump_column_release(wend_map *map, const wend__jump_column *column) {
    wend__garbage *list = NULL;
    wend__mutex_lock(map->mutex);
    column_down(column, &list);
    wend__mutex_unlock(map->mutex);
    wend__jump_garbage_free(map, list);
}

/* ---- a block's ---- */

wend__jump_block *wend__jump_block_copy(wend_map *map, const wend__jump_block *from) {
    wend__jump_block *jumps = wend__jump_alloc(map, sizeof *jumps);
    if (!jumps) return NULL;
    *jumps = *from;
    wend__mutex_lock(map->mutex);
    for (unsigned i = 0; i < SIDE; i++) {
        if (jumps->rows[i]) ((wend__jump_row *)jumps->rows[i])->references++;
        if (jumps->columns[i]) ((wend__jump_column *)jumps->columns[i])->references++;
    }
    wend__mutex_unlock(map->mutex);
    return jumps;
}

void wend__jump_block_free(wend_map *map, wend__jump_block *jumps) {
    wend__garbage *list = NULL;
    if (!jumps) return;
    wend__mutex_lock(map->mutex);
    for (unsigned i = 0; i < SIDE; i++) {
        row_down(jumps->rows[i], &list);
        column_down(jumps->columns[i], &list);
    }
    wend__mutex_unlock(map->mutex);
    wend__jump_garbage_free(map, list);
    jump_free(map, jumps, sizeof *jumps);
}

/* A chunk whose masks are those of the chunk to the left, or above, shares that one's table: along the map's rim. */
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
    if (to->tables[column]) {
        wend__mutex_lock(map->mutex);
        table_up(to->tables[column]);
        wend__mutex_unlock(map->mutex);
        return WEND_OK;
    }
    wend__jump_table *table = wend__jump_table_create(map);
    if (!table) return WEND_OUT_OF_MEMORY;
    wend__jump_planes planes;
    wend__jump_build(table, masks, &planes);
    wend__jump_prune(table, masks, &planes, true);
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
    wend__jump_block *jumps = wend__jump_alloc(map, sizeof *jumps);
    if (!jumps) return WEND_OUT_OF_MEMORY;
    memset(jumps, 0, sizeof *jumps);
    bool room = true;
    for (int32_t i = 0; i < rows && room; i++) room = (jumps->rows[i] = create_row(map)) != NULL;
    for (int32_t i = 0; i < columns && room; i++) room = (jumps->columns[i] = create_column(map)) != NULL;
    if (!room) {
        wend__jump_block_free(map, jumps);
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
        wend__jump_block_free(version->map, jumps);
    else
        *out = jumps;
    return error;
}
