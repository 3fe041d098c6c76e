/* SPDX-License-Identifier: MIT */
/* The loaded chunks of a streamed map, after all waiting changes: a byte for each. */
#include "cli/world/heap.h"
#include "world/rows.h"

#include <stdlib.h>
#include <wend/stream.h>

void world_land_free(world_land *land) {
    cli_free(land->loaded);
    *land = (world_land){0};
}

/* Reads the map first, then waiting changes. A map that is not streamed has none. */
static bool know(world_state *w, world_error *error) {
    world_land *land = &w->edits.land;
    wend_map_info info = {.struct_bytes = sizeof info};
    if (land->known) return true;
    wend_map_get_info(w->map, &info);
    land->known = true;
    if (!info.streamed) return true;
    land->columns = (info.width + WEND_CHUNK_SIDE - 1) / WEND_CHUNK_SIDE;
    land->rows = (info.height + WEND_CHUNK_SIDE - 1) / WEND_CHUNK_SIDE;
    land->loaded = cli_alloc_zero((size_t)land->columns * (size_t)land->rows, 1);
    land->known = land->loaded;
    if (!land->known) return world_no_memory(error);
    for (int32_t i = 0; info.loaded_chunks > 0 && i < land->columns * land->rows; i++) {
        int32_t state = WEND_LAND_ABSENT;
        wend_map_get_land(w->map, i % land->columns, i / land->columns, &state);
        land->loaded[i] = state == WEND_LAND_LOADED;
    }
    for (size_t i = 0; i < w->edits.count; i++) {
        const wend_change_item *item = &w->edits.items[i].item;
        if (world_is_land(item->kind)) *world_land_at(land, item->change.from) = item->kind == WEND_ORDER_LOAD;
    }
    return true;
}

bool world_check_loaded(world_state *w, wend_box box, const void *member, world_error *error) {
    const world_land *land = &w->edits.land;
    if (!know(w, error)) return false;
    for (int32_t y = box.min.y / WEND_CHUNK_SIDE; land->loaded && y <= box.max.y / WEND_CHUNK_SIDE; y++)
        for (int32_t x = box.min.x / WEND_CHUNK_SIDE; x <= box.max.x / WEND_CHUNK_SIDE; x++)
            if (!*world_land_at(land, (wend_cell){x, y, 0}))
                return world_refuse(error, WORLD_BAD_ARGUMENT, member, "the chunk %d,%d is not loaded", (int)x, (int)y);
    return true;
}

bool world_check_chunk(world_state *w, int32_t kind, const wend_cell *chunk, world_error *error) {
    const world_land *land = &w->edits.land;
    if (!know(w, error)) return false;
    if (!land->loaded)
        return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "the map is not streamed: all of it is there");
    if (chunk->x < 0 || chunk->y < 0 || chunk->x >= land->columns || chunk->y >= land->rows)
        return world_refuse(error, WORLD_BAD_ARGUMENT, chunk, "the chunk %d,%d is not on the map of %d x %d chunks",
                            (int)chunk->x, (int)chunk->y, (int)land->columns, (int)land->rows);
    if (kind == WEND_ORDER_LOAD || *world_land_at(land, *chunk)) return true;
    return world_refuse(error, WORLD_BAD_ARGUMENT, chunk, "the chunk %d,%d is not loaded", (int)chunk->x,
                        (int)chunk->y);
}
