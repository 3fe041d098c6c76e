/* SPDX-License-Identifier: MIT */
/* Counting a map's cells by terrain class, chunk by chunk. */
#include "map/kinds/graph.h"
#include "map/kinds/voxels.h"
#include "map/store/map_layout.h"
#include "map/store/terrain.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <string.h>

/* Which of a chunk's 64 rows of 64 places are cells of the map. */
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

/* A chunk of more than one class. */
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

/* How many cells of the map a chunk has. */
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
