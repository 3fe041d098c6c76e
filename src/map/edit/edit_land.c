/* SPDX-License-Identifier: MIT */
/* Streamed land: batches load chunks of a grid and unload them. A chunk that is not loaded is blocked everywhere, so
 * searches, components and all derived data treat its rim as a wall. */
#include "map/edit/edit.h"

#include "map/store/memory.h"
#include "map/store/terrain.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include <wend/stream.h>

/* ---- checks ---- */

static wend_error check_chunk(const wend_map *map, const wend__version *v, int32_t chunk_x, int32_t chunk_y) {
    if (!map->streamed) return wend__refuse(WEND_BAD_ARGUMENT, "the map is not streamed: all of it is there");
    if (wend__on_table(v, chunk_x, chunk_y)) return WEND_OK;
    return wend__refuse(WEND_OUT_OF_RANGE, "chunk %d,%d is off the map: x is 0 to %d, y 0 to %d", chunk_x, chunk_y,
                        v->chunk_columns - 1, v->chunk_rows - 1);
}

wend_error wend__edit_check_land(const wend_edit *edit, wend_box box) {
    if (!edit->map->streamed) return WEND_OK;
    for (int32_t y = box.min.y >> WEND__CHUNK_SHIFT; y <= box.max.y >> WEND__CHUNK_SHIFT; y++)
        for (int32_t x = box.min.x >> WEND__CHUNK_SHIFT; x <= box.max.x >> WEND__CHUNK_SHIFT; x++)
            if (wend__version_chunk(edit->draft, x, y)->land != WEND_LAND_LOADED)
                return wend__refuse(WEND_BAD_ARGUMENT, "chunk %d,%d is not loaded", x, y);
    return WEND_OK;
}

/* ---- the cells of a chunk ---- */

/* The cells of a chunk that are on the map. */
static wend_box box_of(const wend__version *v, int32_t chunk_x, int32_t chunk_y) {
    unsigned width, height;
    wend__chunk_extents(v, chunk_x, chunk_y, &width, &height);
    const wend_cell first = {chunk_x << WEND__CHUNK_SHIFT, chunk_y << WEND__CHUNK_SHIFT, 0};
    return (wend_box){first, {first.x + (int32_t)width - 1, first.y + (int32_t)height - 1, 0}};
}

static uint32_t *count_of(wend__version *v, int32_t land) {
    return land == WEND_LAND_LOADED ? &v->loaded : land == WEND_LAND_KNOWN ? &v->known : NULL;
}

/* Requires a block of the draft's own. */
static void become(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, int32_t land, uint32_t hash) {
    wend__chunk *chunk = wend__edit_chunk(edit, chunk_x, chunk_y);
    uint32_t *before = count_of(edit->draft, chunk->land), *after = count_of(edit->draft, land);
    uint16_t *row = &edit->draft->blocks[wend__block_index(edit->draft, chunk_x, chunk_y)]
                         ->lacking[chunk_y & (WEND__BLOCK_SIDE - 1)];
    const uint16_t bit = (uint16_t)(1u << (chunk_x & (WEND__BLOCK_SIDE - 1)));
    *row = land == WEND_LAND_LOADED ? *row & (uint16_t)~bit : *row | bit;
    if (before) --*before;
    if (after) ++*after;
    chunk->land = (uint8_t)land;
    chunk->hash = hash;
    wend__edit_dirty(edit, chunk_x, chunk_y)->rows[wend__chunk_index(chunk_x, chunk_y)] = UINT64_MAX;
}

static bool is_written(const wend_edit *edit, int32_t chunk_x, int32_t chunk_y) {
    const wend__dirty *dirty = edit->dirty[wend__block_index(edit->draft, chunk_x, chunk_y)];
    return dirty && dirty->rows[wend__chunk_index(chunk_x, chunk_y)] != 0;
}

/* Blocks all cells of a loaded chunk and opens its steps. */
static wend_error clear(wend_edit *edit, int32_t chunk_x, int32_t chunk_y) {
    wend_error error = wend__edit_open_steps(edit, chunk_x, chunk_y);
    return error ? error : wend__edit_fill(edit, box_of(edit->draft, chunk_x, chunk_y), WEND_CLASS_BLOCKED);
}

wend_error wend__edit_set_unloaded(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, int32_t land, uint32_t hash) {
    wend_error error = wend__edit_own_block(edit, chunk_x, chunk_y);
    const bool loaded = !error && wend__edit_chunk(edit, chunk_x, chunk_y)->land == WEND_LAND_LOADED;
    if (loaded) error = clear(edit, chunk_x, chunk_y);
    if (error) return error;
    become(edit, chunk_x, chunk_y, land, hash);
    const wend_change order = {.from = {chunk_x, chunk_y, 0}, .value = land == WEND_LAND_ABSENT};
    wend__log_change(edit->map, &edit->log, (wend_change_item){WEND_ORDER_UNLOAD, order});
    if (!loaded) edit->log.unsaid = true;
    return WEND_OK;
}

/* ---- functions for the host ---- */

static wend_error load(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, const uint8_t *terrain, size_t stride_bytes) {
    wend_error error = check_chunk(edit->map, edit->draft, chunk_x, chunk_y);
    if (error) return error;
    const wend_box box = box_of(edit->draft, chunk_x, chunk_y);
    if (terrain) error = wend__check_stride(box, stride_bytes);
    if (!error) error = wend__edit_own_block(edit, chunk_x, chunk_y);
    if (!error && wend__edit_chunk(edit, chunk_x, chunk_y)->land == WEND_LAND_LOADED)
        error = clear(edit, chunk_x, chunk_y);
    if (error) return error;
    const uint8_t ground = terrain ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
    become(edit, chunk_x, chunk_y, WEND_LAND_LOADED, 0);
    const wend_change order = {.from = {chunk_x, chunk_y, 0}, .value = ground};
    wend__log_change(edit->map, &edit->log, (wend_change_item){WEND_ORDER_LOAD, order});
    return terrain ? wend_edit_set_box(edit, box, terrain, stride_bytes) : wend__edit_fill(edit, box, ground);
}

wend_error wend_edit_load(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, const uint8_t *terrain,
                          size_t stride_bytes) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    return wend__edit_keep(edit, load(edit, chunk_x, chunk_y, terrain, stride_bytes));
}

static wend_error unload(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, int32_t land) {
    wend_error error = check_chunk(edit->map, edit->draft, chunk_x, chunk_y);
    if (!error) error = wend__check_range("land", land, WEND_LAND_KNOWN, WEND_LAND_ABSENT);
    if (error) return error;
    const wend__chunk *chunk = wend__version_chunk(edit->draft, chunk_x, chunk_y);
    if (chunk->land != WEND_LAND_LOADED)
        return wend__refuse(WEND_BAD_ARGUMENT, "chunk %d,%d is not loaded", chunk_x, chunk_y);
    const bool same = land == WEND_LAND_KNOWN && !is_written(edit, chunk_x, chunk_y);
    const uint32_t hash = same ? wend__chunk_hash(edit->draft, chunk_x, chunk_y) : 0;
    error = wend__edit_own_block(edit, chunk_x, chunk_y);
    if (!error) error = clear(edit, chunk_x, chunk_y);
    if (error) return error;
    become(edit, chunk_x, chunk_y, land, hash);
    const wend_change order = {.from = {chunk_x, chunk_y, 0}, .value = land == WEND_LAND_ABSENT};
    wend__log_change(edit->map, &edit->log, (wend_change_item){WEND_ORDER_UNLOAD, order});
    return WEND_OK;
}

wend_error wend_edit_unload(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, int32_t land) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    return wend__edit_keep(edit, unload(edit, chunk_x, chunk_y, land));
}

wend_error wend_map_get_land(const wend_map *map, int32_t chunk_x, int32_t chunk_y, int32_t *land) {
    WEND__ALIVE(map, "the map");
    wend__version *v = wend__map_newest(map);
    wend_error error = check_chunk(map, v, chunk_x, chunk_y);
    if (!error) *land = wend__version_chunk(v, chunk_x, chunk_y)->land;
    wend__map_release(v, false);
    return error;
}
