/* SPDX-License-Identifier: MIT */
/* Reading terrain classes back. */
#include "map/map_private.h"

int32_t wend__box_check(const wend_map *map, wend_box box) {
    if (box.max.x < box.min.x || box.max.y < box.min.y || box.max.z < box.min.z) return WEND_BAD_ARGUMENT;
    if (!wend__cell_on_map(map, box.min) || !wend__cell_on_map(map, box.max)) return WEND_OUT_OF_RANGE;
    return WEND_OK;
}

int32_t wend_map_terrain(const wend_map *map, wend_cell cell, uint8_t *out) {
    if (!wend__cell_on_map(map, cell)) return WEND_OUT_OF_RANGE;
    wend__version *v = wend__map_look(map);
    *out = wend__version_class(v, cell.x, cell.y);
    wend__map_release(v, false);
    return WEND_OK;
}

/* Cells x to end - 1 of a row, chunk by chunk. */
static void read_row(const wend__version *v, int32_t y, int32_t x, int32_t end, uint8_t *out) {
    while (x < end) {
        int32_t next = (x | (WEND__CHUNK_SIDE - 1)) + 1;
        size_t count = (size_t)((next < end ? next : end) - x);
        const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        uint8_t cells[WEND__CHUNK_SIDE];
        wend__chunk_row(chunk, (unsigned)(y & 63), cells);
        memcpy(out, cells + (x & 63), count);
        out += count;
        x = next;
    }
}

int32_t wend_map_read(const wend_map *map, wend_box box, uint8_t *out, size_t stride_bytes) {
    int32_t error = wend__box_check(map, box);
    if (error) return error;
    if (stride_bytes < (size_t)(box.max.x - box.min.x) + 1) return WEND_BAD_ARGUMENT;
    wend__version *v = wend__map_look(map);
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        read_row(v, y, box.min.x, box.max.x + 1, out + (size_t)(y - box.min.y) * stride_bytes);
    wend__map_release(v, false);
    return WEND_OK;
}
