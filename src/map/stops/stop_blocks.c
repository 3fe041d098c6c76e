/* SPDX-License-Identifier: MIT */
/* Stops of chunks, blocks and versions: their memory, references, and making all of a version's. */
#include "map/jumps/jump_tables.h"
#include "map/stops/stop_tables.h"

/* ---- bytes ---- */

static size_t chunk_bytes(uint32_t count, bool open) {
    const size_t cells = count * (sizeof(uint64_t) + 1), masks = open ? WEND__CHUNK_CELLS : 0;
    return sizeof(wend__stop_chunk) + (cells + 7) / 8 * 8 + masks;
}

wend__stop_chunk *wend__stop_chunk_create(wend_map *map, uint32_t count, bool open) {
    const size_t bytes = chunk_bytes(count, open);
    wend__stop_chunk *chunk = wend__jump_alloc(map, bytes);
    if (!chunk) return NULL;
    memset(chunk, 0, bytes - (open ? WEND__CHUNK_CELLS : 0));
    chunk->count = count;
    chunk->references = 1;
    if (open) chunk->open = (const uint8_t *)chunk + bytes - WEND__CHUNK_CELLS;
    return chunk;
}

wend__stop_block *wend__stop_block_create(wend_map *map) {
    wend__stop_block *block = wend__jump_alloc(map, sizeof *block);
    if (!block) return NULL;
    memset(block, 0, sizeof *block);
    block->references = 1;
    return block;
}

wend__stop_block *wend__stop_block_copy(wend_map *map, const wend__stop_block *from) {
    wend__stop_block *block = wend__jump_alloc(map, sizeof *block);
    if (!block) return NULL;
    memcpy(&block->marks, &from->marks, sizeof block->marks);
    memcpy(block->chunks, from->chunks, sizeof block->chunks);
    block->special = from->special;
    block->references = 1;
    wend__mutex_lock(map->mutex);
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++)
        if (block->chunks[i]) ((wend__stop_chunk *)block->chunks[i])->references++;
    wend__mutex_unlock(map->mutex);
    return block;
}

wend__stops *wend__stops_create(const wend__version *version) {
    const size_t count = wend__version_blocks(version), bytes = sizeof(wend__stops) + count * sizeof(void *);
    wend__stops *stops = wend__jump_alloc(version->map, bytes);
    if (!stops) return NULL;
    memset(stops, 0, bytes);
    stops->references = 1;
    stops->count = (uint32_t)count;
    stops->bytes = bytes;
    return stops;
}

/* ---- references: the mutex is held; what nothing refers to any more goes on the list ---- */

static void chunk_down(const wend__stop_chunk *chunk, wend__garbage **list) {
    if (!chunk) return;
    const size_t bytes = chunk_bytes(chunk->count, chunk->open);
    wend__reference_drop_into(chunk, &((wend__stop_chunk *)chunk)->references, bytes, list);
}

/* The list's link lies in the first two pointers of `marks`. */
static void block_down(const wend__stop_block *block, wend__garbage **list) {
    if (!block) return;
    if (!wend__reference_drop_into(block, &((wend__stop_block *)block)->references, sizeof *block, list)) return;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) chunk_down(block->chunks[i], list);
}

/* The list's link lies before `blocks`. */
static void stops_down(wend__stops *stops, wend__garbage **list) {
    const uint32_t count = stops->count;
    if (!wend__reference_drop_into(stops, &stops->references, stops->bytes, list)) return;
    for (uint32_t i = 0; i < count; i++) block_down(stops->blocks[i], list);
}

void wend__stop_chunk_release(wend_map *map, const wend__stop_chunk *chunk) {
    wend__garbage *list = NULL;
    wend__mutex_lock(map->mutex);
    chunk_down(chunk, &list);
    wend__mutex_unlock(map->mutex);
    wend__jump_garbage_free(map, list);
}

void wend__stop_block_release(wend_map *map, const wend__stop_block *block) {
    wend__garbage *list = NULL;
    wend__mutex_lock(map->mutex);
    block_down(block, &list);
    wend__mutex_unlock(map->mutex);
    wend__jump_garbage_free(map, list);
}

void wend__stops_release(wend_map *map, wend__stops *stops) {
    wend__garbage *list = NULL;
    if (!stops) return;
    wend__mutex_lock(map->mutex);
    stops_down(stops, &list);
    wend__mutex_unlock(map->mutex);
    wend__jump_garbage_free(map, list);
}

/* ---- a version's ---- */

void wend__stop_block_put(wend__stop_block *block, unsigned index, const wend__stop_chunk *chunk) {
    const bool special = chunk && chunk->count > 0;
    block->special += (chunk ? chunk->count : 0) - (block->chunks[index] ? block->chunks[index]->count : 0);
    block->chunks[index] = chunk;
    block->marks.chunks[index] = special ? &chunk->loose : NULL;
    wend__mark_block_special(&block->marks, index, chunk != NULL); /* also for masks alone, which searches must see */
}

wend_error wend__stop_block_continue(const wend__version *version, size_t index, unsigned i, wend__stop_block **block) {
    const wend__place p = wend__chunk_place(version, index, i);
    const wend__stop_chunk *chunk;
    if (!wend__on_table(version, p.column, p.row)) return WEND_OK;
    wend_error error = wend__stop_chunk_build(version, p.column, p.row, &chunk);
    if (error || !chunk) return error;
    if (!*block) *block = wend__stop_block_create(version->map);
    if (!*block) {
        wend__stop_chunk_release(version->map, chunk);
        return WEND_OUT_OF_MEMORY;
    }
    wend__stop_block_put(*block, i, chunk);
    return WEND_OK;
}

wend_error wend__stops_attach(wend__version *version, size_t index, wend__stop_block *block) {
    if (!block) return WEND_OK;
    wend__mark_block_sum(&block->marks);
    if (!version->stops) version->stops = wend__stops_create(version);
    if (!version->stops) {
        wend__stop_block_release(version->map, block);
        return WEND_OUT_OF_MEMORY;
    }
    version->stops->blocks[index] = block;
    return WEND_OK;
}

static wend_error make_block(wend__version *version, size_t index) {
    wend__stop_block *block = NULL;
    wend_error error = WEND_OK;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && !error; i++)
        error = wend__stop_block_continue(version, index, i, &block);
    if (!error) return wend__stops_attach(version, index, block);
    wend__stop_block_release(version->map, block);
    return error;
}

wend_error wend__stops_make(wend__version *version) {
    const size_t count = wend__version_blocks(version);
    wend_error error = WEND_OK;
    if (!wend__stops_serve(&version->rules)) return WEND_OK;
    for (size_t i = 0; i < count && !error; i++) error = make_block(version, i);
    if (error) wend__stops_drop(version);
    return error;
}

void wend__stops_share(wend__version *version, const wend__version *from) {
    if (from->stops) wend__reference_add(version->map, &from->stops->references);
    version->stops = from->stops;
}

void wend__stops_drop(wend__version *version) {
    wend__stops_release(version->map, version->stops);
    version->stops = NULL;
}
