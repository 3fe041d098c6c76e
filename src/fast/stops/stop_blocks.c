/* SPDX-License-Identifier: MIT */
/* Stops of chunks, blocks and versions: their memory, and the construction of all of a version's. */
#include "fast/stops/stop_tables.h"
#include "map/store/memory.h"

/* ---- bytes ---- */

static size_t chunk_bytes(uint32_t count, bool open) {
    const size_t cells = count * (sizeof(uint64_t) + 1), masks = open ? WEND__CHUNK_CELLS : 0;
    return sizeof(wend__stop_chunk) + (cells + 7) / 8 * 8 + masks;
}

wend__stop_chunk *wend__stop_chunk_create(wend_map *map, uint32_t count, bool open) {
    const size_t bytes = chunk_bytes(count, open);
    wend__stop_chunk *chunk = wend__table_create(map, bytes, 0);
    if (!chunk) return NULL;
    chunk->count = count;
    if (open) chunk->open = (const uint8_t *)chunk + bytes - WEND__CHUNK_CELLS;
    return chunk;
}

wend__stop_block *wend__stop_block_create(wend_map *map) {
    return wend__table_create(map, sizeof(wend__stop_block), WEND__BLOCK_CHUNKS);
}

wend__stops *wend__stops_create(const wend__version *version) {
    const uint32_t count = (uint32_t)wend__version_blocks(version);
    wend__stops *stops = wend__table_create(version->map, sizeof *stops + count * sizeof(void *), (uint16_t)count);
    if (stops) stops->count = count;
    return stops;
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
        wend__shared_release(version->map, chunk);
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
        wend__shared_release(version->map, block);
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
    wend__shared_release(version->map, block);
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
    version->stops = wend__shared_retain(version->map, from->stops);
}

void wend__stops_drop(wend__version *version) {
    wend__shared_release(version->map, version->stops);
    version->stops = NULL;
}
