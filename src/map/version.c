/* SPDX-License-Identifier: MIT */
/* Versions of a map: their tables of blocks, and who holds them. */
#include "map/map_private.h"

static size_t version_bytes(size_t blocks) {
    return sizeof(wend__version) + blocks * sizeof(wend__block *);
}

static int32_t shift_up(int32_t count, int shift) {
    return (int32_t)(((int64_t)count + (1 << shift) - 1) >> shift);
}

void wend__version_set_rules(wend__version *version, const wend_map_rules *rules) {
    version->rules = *rules;
    wend__legal_table(rules, version->legal);
}

wend__version *wend__version_create(wend_map *map) {
    int32_t columns = shift_up(map->width, WEND__CHUNK_SHIFT), rows = shift_up(map->height, WEND__CHUNK_SHIFT);
    int32_t block_columns = shift_up(columns, WEND__BLOCK_SHIFT), block_rows = shift_up(rows, WEND__BLOCK_SHIFT);
    size_t bytes = version_bytes((size_t)block_columns * (size_t)block_rows);
    wend__version *v = wend__map_alloc(map, bytes);
    if (!v) return NULL;
    memset(v, 0, bytes);
    v->map = map;
    v->references = 1;
    v->width = map->width, v->height = map->height;
    v->chunk_columns = columns, v->chunk_rows = rows;
    v->block_columns = block_columns, v->block_rows = block_rows;
    return v;
}

wend__version *wend__version_copy(const wend__version *from, wend_map *map) {
    wend__version *v = wend__version_create(map);
    if (!v) return NULL;
    v->epoch = from->epoch;
    v->rules = from->rules;
    v->max_factor = from->max_factor;
    memcpy(v->legal, from->legal, sizeof v->legal);
    size_t count = wend__version_blocks(from);
    wend__mutex_lock(from->map->mutex);
    for (size_t i = 0; i < count; i++) {
        v->blocks[i] = from->blocks[i];
        v->blocks[i]->references++;
    }
    wend__mutex_unlock(from->map->mutex);
    v->labels = wend__area_retain(map, from->labels);
    return v;
}

void wend__version_free(wend__version *version) {
    size_t count = wend__version_blocks(version);
    for (size_t i = 0; i < count; i++)
        if (version->blocks[i]) wend__block_release(version->map, version->blocks[i]);
    wend__area_release(version->map, version->labels);
    wend__map_free(version->map, version, version_bytes(count));
}

void wend__block_sum(wend__block *block) {
    block->max_factor = 0;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++)
        if (block->chunks[i].max_factor > block->max_factor) block->max_factor = block->chunks[i].max_factor;
}

void wend__version_sum(wend__version *version) {
    size_t count = wend__version_blocks(version);
    version->max_factor = 0;
    for (size_t i = 0; i < count; i++)
        if (version->blocks[i]->max_factor > version->max_factor) version->max_factor = version->blocks[i]->max_factor;
}

/* The mutex is held. */
static void leave_chain(wend__version *version) {
    if (version->older) version->older->newer = version->newer;
    if (version->newer) version->newer->older = version->older;
}

wend__version *wend__map_acquire(wend_map *map, bool pin) {
    wend__mutex_lock(map->mutex);
    wend__version *version = map->newest;
    version->references++;
    version->pins += pin;
    wend__mutex_unlock(map->mutex);
    return version;
}

void wend__map_release(wend__version *version, bool pinned) {
    wend_map *map = version->map;
    wend__mutex_lock(map->mutex);
    WEND__ASSERT(version->references > 0 && version->pins >= pinned);
    version->pins -= pinned;
    bool last = --version->references == 0;
    if (last) leave_chain(version);
    wend__mutex_unlock(map->mutex);
    if (last) wend__version_free(version);
}

bool wend__version_retired(const wend__version *version) {
    wend__mutex_lock(version->map->mutex);
    bool retired = version->retired;
    wend__mutex_unlock(version->map->mutex);
    return retired;
}

void wend__map_size(const wend_map *map, int32_t *width, int32_t *height) {
    *width = map->width;
    *height = map->height;
}

/* ---- the first version ---- */

/* Which of the table's four sides a block lies on: blocks of one kind are alike on an empty map. */
static unsigned block_kind(const wend__version *v, int32_t column, int32_t row) {
    return (unsigned)(column == 0) | (unsigned)(column == v->block_columns - 1) << 1 | (unsigned)(row == 0) << 2 |
           (unsigned)(row == v->block_rows - 1) << 3;
}

static void open_chunks(const wend__version *v, wend__block *block, int32_t block_column, int32_t block_row) {
    for (int32_t i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        int32_t column = block_column * WEND__BLOCK_SIDE + i % WEND__BLOCK_SIDE;
        int32_t row = block_row * WEND__BLOCK_SIDE + i / WEND__BLOCK_SIDE;
        bool inside = column < v->chunk_columns && row < v->chunk_rows;
        block->chunks[i] = (wend__chunk){.masks = &wend__masks_closed, .uniform = inside ? WEND_CLASS_OPEN : 0};
    }
}

static int32_t share_blocks(wend__version *v) {
    wend__block *kinds[16] = {NULL};
    for (int32_t row = 0; row < v->block_rows; row++)
        for (int32_t column = 0; column < v->block_columns; column++) {
            wend__block **kind = &kinds[block_kind(v, column, row)];
            if (*kind) {
                (*kind)->references++; /* nobody else knows it yet */
            } else {
                *kind = wend__block_create(v->map);
                if (!*kind) return WEND_OUT_OF_MEMORY;
                open_chunks(v, *kind, column, row);
            }
            v->blocks[(size_t)row * (size_t)v->block_columns + (size_t)column] = *kind;
        }
    return WEND_OK;
}

static int32_t derive_block(wend__deriver *deriver, wend__block *block, int32_t block_column, int32_t block_row) {
    const wend__version *v = deriver->version;
    for (int32_t i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        int32_t column = block_column * WEND__BLOCK_SIDE + i % WEND__BLOCK_SIDE;
        int32_t row = block_row * WEND__BLOCK_SIDE + i / WEND__BLOCK_SIDE;
        if (column >= v->chunk_columns || row >= v->chunk_rows) continue;
        uint8_t max_factor;
        int32_t key;
        const wend__plane *masks = wend__derive(deriver, column, row, UINT64_MAX, &max_factor, &key);
        int32_t error = wend__derive_store(deriver, &block->chunks[i], masks, max_factor, key);
        if (error) return error;
    }
    wend__block_sum(block);
    return WEND_OK;
}

int32_t wend__version_open(wend__version *version) {
    int32_t error = share_blocks(version);
    if (error) return error;
    wend__deriver deriver;
    wend__deriver_init(&deriver, version);
    bool derived[16] = {false};
    for (int32_t row = 0; row < version->block_rows; row++)
        for (int32_t column = 0; column < version->block_columns; column++) {
            unsigned kind = block_kind(version, column, row);
            if (derived[kind]) continue;
            derived[kind] = true;
            size_t index = (size_t)row * (size_t)version->block_columns + (size_t)column;
            error = derive_block(&deriver, version->blocks[index], column, row);
            if (error) return error;
        }
    wend__version_sum(version);
    return wend__labels_create(version, &version->labels);
}
