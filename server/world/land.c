/* SPDX-License-Identifier: MIT */
/* Which chunks of a streamed map are loaded, with all changes that wait: a byte for each. */
#include "world/rows.h"

#include <stdlib.h>
#include <wend/stream.h>

void host_land_free(host_land *land) {
    free(land->loaded);
    *land = (host_land){0};
}

/* Those of the map, then what waits. A map that is not streamed has none. */
static bool know(host *h, host_error *error) {
    host_land *land = &h->edits.land;
    wend_map_info info = {.struct_bytes = sizeof info};
    if (land->known) return true;
    wend_map_get_info(h->map, &info);
    land->known = true;
    if (!info.streamed) return true;
    land->columns = (info.width + WEND_CHUNK_SIDE - 1) / WEND_CHUNK_SIDE;
    land->rows = (info.height + WEND_CHUNK_SIDE - 1) / WEND_CHUNK_SIDE;
    land->loaded = calloc((size_t)land->columns * (size_t)land->rows, 1);
    land->known = land->loaded;
    if (!land->known) return host_no_memory(error);
    for (int32_t i = 0; info.loaded_chunks > 0 && i < land->columns * land->rows; i++) {
        int32_t state = WEND_LAND_ABSENT;
        wend_map_get_land(h->map, i % land->columns, i / land->columns, &state);
        land->loaded[i] = state == WEND_LAND_LOADED;
    }
    for (size_t i = 0; i < h->edits.count; i++) {
        const wend_change_item *item = &h->edits.items[i].item;
        if (host_is_land(item->kind)) *host_land_at(land, item->change.from) = item->kind == WEND_ORDER_LOAD;
    }
    return true;
}

bool host_check_loaded(host *h, wend_box box, const void *member, host_error *error) {
    const host_land *land = &h->edits.land;
    if (!know(h, error)) return false;
    for (int32_t y = box.min.y / WEND_CHUNK_SIDE; land->loaded && y <= box.max.y / WEND_CHUNK_SIDE; y++)
        for (int32_t x = box.min.x / WEND_CHUNK_SIDE; x <= box.max.x / WEND_CHUNK_SIDE; x++)
            if (!*host_land_at(land, (wend_cell){x, y, 0}))
                return host_refuse(error, HOST_BAD_ARGUMENT, member, "the chunk %d,%d is not loaded", (int)x, (int)y);
    return true;
}

bool host_check_chunk(host *h, int32_t kind, const wend_cell *chunk, host_error *error) {
    const host_land *land = &h->edits.land;
    if (!know(h, error)) return false;
    if (!land->loaded)
        return host_refuse(error, HOST_BAD_ARGUMENT, NULL, "the map is not streamed: all of it is there");
    if (chunk->x < 0 || chunk->y < 0 || chunk->x >= land->columns || chunk->y >= land->rows)
        return host_refuse(error, HOST_BAD_ARGUMENT, chunk, "the chunk %d,%d is not on the map of %d x %d chunks",
                           (int)chunk->x, (int)chunk->y, (int)land->columns, (int)land->rows);
    if (kind == WEND_ORDER_LOAD || *host_land_at(land, *chunk)) return true;
    return host_refuse(error, HOST_BAD_ARGUMENT, chunk, "the chunk %d,%d is not loaded", (int)chunk->x, (int)chunk->y);
}
