/* SPDX-License-Identifier: MIT */
/* Reading terrain classes back. */
#include "map/edit/edit.h"
#include "map/store/map_layout.h"
#include "map/store/terrain.h"
#include "map/version/map.h"
#include "map/version/version.h"

wend_error wend__box_check(const wend_map *map, wend_box box) {
    if (box.max.x < box.min.x || box.max.y < box.min.y || box.max.z < box.min.z) return WEND_BAD_ARGUMENT;
    bool inside = box.min.x >= 0 && box.min.y >= 0 && box.min.z >= 0 && box.max.x < map->width &&
                  box.max.y < map->height && box.max.z < map->depth;
    return inside ? WEND_OK : WEND_OUT_OF_RANGE;
}

wend_error wend_map_get_terrain(const wend_map *map, wend_cell cell, uint8_t *out) {
    if (!wend__cell_on_map(map, cell)) return WEND_OUT_OF_RANGE;
    wend__version *v = wend__map_newest(map);
    wend__place p = wend__place_of(v, cell);
    *out = wend__chunk_class(wend__version_chunk(v, p.column, p.row), p.local);
    wend__map_release(v, false);
    return WEND_OK;
}

/* Places of one row of 64. */
static void read_bits(const wend__bits *bits, unsigned place, unsigned count, uint8_t *out) {
    uint64_t word = bits->rows[place >> 6] >> (place & 63);
    uint8_t base = bits->classes[0], other = base ^ bits->classes[1], spread[WEND__CHUNK_SIDE];
    if (count > 16) {
        wend__spread_row(word, spread);
        for (unsigned i = 0; i < count; i++) out[i] = (uint8_t)((spread[i] & other) ^ base);
    } else {
        for (unsigned i = 0; i < count; i++) out[i] = (uint8_t)((word >> i & 1) * other ^ base);
    }
}

static void read_run(const wend__chunk *chunk, unsigned place, unsigned count, uint8_t *out) {
    if (chunk->terrain) {
        memcpy(out, &chunk->terrain->bytes[place], count);
    } else if (!chunk->bits) {
        memset(out, chunk->uniform, count);
    } else {
        for (unsigned end = place + count, next; place < end; place = next) {
            next = (place | 63) + 1 < end ? (place | 63) + 1 : end;
            read_bits(chunk->bits, place, next - place, out);
            out += next - place;
        }
    }
}

bool wend__chunk_run_is(const wend__chunk *chunk, unsigned place, unsigned count, const uint8_t *classes) {
    if (wend__chunk_class(chunk, place) != classes[0]) return false;
    if (chunk->terrain) return memcmp(&chunk->terrain->bytes[place], classes, count) == 0;
    for (unsigned end = place + count, next; place < end; place = next) {
        uint8_t run[WEND__CHUNK_SIDE];
        next = (place | 63) + 1 < end ? (place | 63) + 1 : end;
        read_run(chunk, place, next - place, run);
        if (memcmp(run, classes, next - place) != 0) return false;
        classes += next - place;
    }
    return true;
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
        read_run(wend__version_chunk(v, p.column, p.row), p.local, count, out);
        out += count;
        if (end == to) break;
        from.x = end + 1;
    }
}

wend_error wend_map_get_terrain_box(const wend_map *map, wend_box box, uint8_t *out, size_t stride_bytes) {
    wend_error error = wend__box_check(map, box);
    if (error) return error;
    if (stride_bytes < (size_t)(box.max.x - box.min.x) + 1) return WEND_BAD_ARGUMENT;
    wend__version *v = wend__map_newest(map);
    size_t row = 0; /* nothing points beyond the last row, whatever the stride */
    for (int32_t z = box.min.z; z <= box.max.z; z++)
        for (int32_t y = box.min.y; y <= box.max.y; y++)
            read_row(v, (wend_cell){box.min.x, y, z}, box.max.x, out + row++ * stride_bytes);
    wend__map_release(v, false);
    return WEND_OK;
}
