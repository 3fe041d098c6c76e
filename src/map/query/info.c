/* SPDX-License-Identifier: MIT */
/* The description of a map: size, rules, derived data, memory; its cells by class; terrain and links read back. */
#include "map/components/components.h"
#include "map/ground/ground.h"
#include "map/kinds/voxels.h"
#include "map/movers/views.h"
#include "map/store/terrain.h"
#include "map/version/accelerator.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <string.h>
#include <wend/ways.h>

/* ---- cells by terrain class ---- */

/* Finds which of a chunk's 64 rows of 64 places are cells of the map. */
static void fill_places(const wend__version *v, wend__place p, uint64_t places[WEND__CHUNK_SIDE]) {
    if (v->kind == WEND_KIND_GRAPH) {
        memcpy(places, wend__graph_chunk(v->graph, p.column), WEND__CHUNK_SIDE * sizeof *places);
    } else if (v->kind == WEND_KIND_VOXEL) {
        wend__extent extent = wend__voxels_extent(v, p.column, p.row);
        for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) places[y] = wend__voxels_on_map(&extent, y);
    } else {
        uint64_t row = wend__low_bits(wend__chunk_extent(v->width, p.column));
        unsigned height = wend__chunk_extent(v->height, p.row);
        for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) places[y] = y < height ? row : 0;
    }
}

/* Counts a chunk of more than one class. */
static void count_places(const wend__chunk *chunk, const uint64_t places[WEND__CHUNK_SIDE], uint64_t counts[256]) {
    for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) {
        if (chunk->bits) {
            unsigned ones = wend__popcount64(chunk->bits->rows[y] & places[y]);
            counts[chunk->bits->classes[1]] += ones;
            counts[chunk->bits->classes[0]] += wend__popcount64(places[y]) - ones;
            continue;
        }
        for (uint64_t left = places[y]; left; left &= left - 1)
            counts[chunk->terrain->bytes[y << WEND__CHUNK_SHIFT | wend__ctz64(left)]]++;
    }
}

/* Returns how many cells of the map a chunk has. */
static uint64_t cells_of(const wend__version *v, wend__place p) {
    if (v->kind == WEND_KIND_VOXEL) {
        wend__extent extent = wend__voxels_extent(v, p.column, p.row);
        return (uint64_t)extent.width * extent.height * extent.depth;
    }
    if (v->kind == WEND_KIND_GRID)
        return (uint64_t)wend__chunk_extent(v->width, p.column) * wend__chunk_extent(v->height, p.row);
    uint64_t nodes = 0;
    for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) nodes += wend__popcount64(wend__graph_chunk(v->graph, p.column)[y]);
    return nodes;
}

void wend_map_get_class_counts(const wend_map *map, uint64_t counts[256]) {
    WEND__ALIVE(map, "the map");
    wend__version *v = wend__map_newest(map);
    memset(counts, 0, 256 * sizeof *counts);
    for (int32_t row = 0; row < v->chunk_rows; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++) {
            const wend__chunk *chunk = wend__version_chunk(v, column, row);
            const wend__place p = {column, row, 0};
            uint64_t places[WEND__CHUNK_SIDE];
            if (!chunk->terrain && !chunk->bits) {
                counts[chunk->uniform] += cells_of(v, p);
                continue;
            }
            fill_places(v, p, places);
            count_places(chunk, places, counts);
        }
    wend__map_release(v, false);
}

static void describe(const wend__version *v, wend_map_info *out) {
    out->epoch = v->epoch;
    out->components = wend__version_components(v);
    out->links = wend__links_of_host(v->links);
    out->closed_steps = v->closed_steps;
    out->loaded_chunks = v->loaded;
    out->known_chunks = v->known;
    out->movers = wend__version_movers(v);
    out->jumps = v->jumps;
    out->jump_unpruned = 0;
    for (int32_t i = 0; i < out->movers; i++) out->jump_unpruned += wend__version_view(v, i)->jumps_unpruned;
    wend__accelerator.describe(v, out);
}

static void describe_graph(const wend__graph *graph, wend_map_info *out) {
    out->cells = graph->present_count;
    out->edges = graph->edges;
    out->has_coordinates = graph->coordinates != NULL;
    out->cost_per_unit = graph->cost_per_unit;
}

wend_error wend_map_get_info(const wend_map *map, wend_map_info *out) {
    WEND__ALIVE(map, "the map");
    wend_map_info info = {.kind = map->kind,
                          .width = map->width,
                          .height = map->height,
                          .depth = map->depth,
                          .streamed = map->streamed,
                          .wrap = map->wrap,
                          .sheets = map->sheets ? map->sheets->count : 0,
                          .cells = (uint64_t)map->width * (uint64_t)map->height * (uint64_t)map->depth};
    info.landmark_effort = map->landmark_effort;
    info.marks_units = atomic_load_explicit(&map->unit_state, memory_order_acquire) == WEND__UNITS_KEPT;
    info.unit_bytes = map->unit_bytes;
    info.landmark_left = wend__accelerator.landmarks_left((wend_map *)map);
    wend__mutex_lock(map->mutex);
    describe(map->newest, &info);
    if (map->newest->graph) describe_graph(map->newest->graph, &info);
    info.bytes = map->family->bytes;
    info.bytes_peak = map->family->bytes_peak;
    info.jump_bytes = map->family->jump_bytes;
    wend__mutex_unlock(map->mutex);
    return WEND__GIVE(wend_map_info, landmark_effort, out, &info) ? WEND_OK : WEND_BAD_ARGUMENT;
}

uint64_t wend_map_get_epoch(const wend_map *map) {
    WEND__ALIVE(map, "the map");
    wend__mutex_lock(map->mutex);
    const uint64_t epoch = map->newest->epoch;
    wend__mutex_unlock(map->mutex);
    return epoch;
}

wend_error wend_map_get_rules(const wend_map *map, wend_map_rules *out) {
    WEND__ALIVE(map, "the map");
    wend__mutex_lock(map->mutex);
    const wend_map_rules rules = map->newest->rules;
    wend__mutex_unlock(map->mutex);
    return WEND__GIVE(wend_map_rules, factors, out, &rules) ? WEND_OK : WEND_BAD_ARGUMENT;
}

/* ---- terrain classes and links ---- */

wend_error wend_map_get_terrain(const wend_map *map, wend_cell cell, uint8_t *out) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_cell(map, "cell", cell);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    wend__place p = wend__place_of(v, cell);
    if (out) *out = wend__chunk_class(wend__version_chunk(v, p.column, p.row), p.local);
    wend__map_release(v, false);
    return WEND_OK;
}

/* Reads cells from..to of a row, chunk by chunk. */
static void read_row(const wend__version *v, wend_cell from, int32_t to, uint8_t *out) {
    while (from.x <= to) {
        wend__place p = wend__place_of(v, from);
        /* up to the chunk's end: a row of places is 64, 16 or 4,096 cells */
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
    WEND__ALIVE(map, "the map");
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
    WEND__ALIVE(map, "the map");
    wend__version *v = wend__map_newest(map);
    size_t links = 0;
    for (size_t i = 0; v->links && i < v->links->count; i++) {
        const wend__link *way = &v->links->sorted[i];
        if (way->cost == WEND__SEAM || links++ >= capacity) continue;
        out[links - 1] = (wend_link){.from = wend__cell_of_number(v, way->from),
                                     .to = wend__cell_of_number(v, way->to),
                                     .cost = wend__link_cost_said(way),
                                     .movers = way->movers};
    }
    wend__map_release(v, false);
    if (count) *count = links;
}
