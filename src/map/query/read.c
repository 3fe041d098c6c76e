/* SPDX-License-Identifier: MIT */
/* Reading terrain classes and links back. */
#include "map/links/links.h"
#include "map/store/map_layout.h"
#include "map/store/terrain.h"
#include "map/version/map.h"
#include "map/version/version.h"

wend_error wend_map_get_terrain(const wend_map *map, wend_cell cell, uint8_t *out) {
    wend_error error = wend__check_cell(map, "cell", cell);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    wend__place p = wend__place_of(v, cell);
    if (out) *out = wend__chunk_class(wend__version_chunk(v, p.column, p.row), p.local);
    wend__map_release(v, false);
    return WEND_OK;
}

/* Cells from..to of a row, chunk by chunk. */
static void read_row(const wend__version *v, wend_cell from, int32_t to, uint8_t *out) {
    while (from.x <= to) {
        wend__place p = wend__place_of(v, from);
        /* As far as the chunk goes: a row of places is 64, 16 or 4,096 cells. */
        int32_t side = v->kind == WEND_KIND_GRID    ? WEND__CHUNK_SIDE
                       : v->kind == WEND_KIND_VOXEL ? WEND__VOXEL_SIDE
                                                    : 4096;
        int32_t last = from.x | (side - 1), end = last < to ? last : to;
        unsigned count = (unsigned)(end - from.x) + 1;
        wend__chunk_read_run(wend__version_chunk(v, p.column, p.row), p.local, count, out);
        out += count;
        if (end == to) break;
        from.x = end + 1;
    }
}

wend_error wend_map_get_terrain_box(const wend_map *map, wend_box box, uint8_t *out, size_t stride_bytes) {
    wend_error error = wend__box_check(map, box);
    if (!error) error = wend__check_stride(box, stride_bytes);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    size_t row = 0; /* nothing points beyond the last row, whatever the stride */
    for (int32_t z = box.min.z; z <= box.max.z; z++)
        for (int32_t y = box.min.y; y <= box.max.y; y++)
            read_row(v, (wend_cell){box.min.x, y, z}, box.max.x, out + row++ * stride_bytes);
    wend__map_release(v, false);
    return WEND_OK;
}

void wend_map_get_links(const wend_map *map, wend_link *out, size_t capacity, size_t *count) {
    wend__version *v = wend__map_newest(map);
    size_t links = v->links ? v->links->count : 0;
    for (size_t i = 0; i < links && i < capacity; i++) {
        const wend__link *way = &v->links->sorted[i];
        out[i] = (wend_link){.from = wend__cell_of_number(v, way->from),
                             .to = wend__cell_of_number(v, way->to),
                             .cost = (int32_t)way->cost};
    }
    wend__map_release(v, false);
    if (count) *count = links;
}
