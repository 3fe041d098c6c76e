/* SPDX-License-Identifier: MIT */
/* Growing: fields may be added. See docs/stability.md. */
/* Scenario files of the MovingAI benchmarks: queries of a map, with their published lengths. */
#ifndef WEND_SCEN_H
#define WEND_SCEN_H

#include <wend/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A query of a MovingAI scenario file, flat or of voxels.
typedef struct wend_scen_query {
    int32_t bucket;               ///< 0 in voxel scenarios, which have none
    int32_t width, height, depth; ///< of the map, in cells, as in the file, depth 1. Voxel scenarios: all three 0
    wend_cell start, goal;
    const char *map; ///< the map's name as in the file; lives as long as the scenario
    double length;   ///< published length of the shortest path; 0 with start ≠ goal: no path
} wend_scen_query;

typedef struct wend_scen wend_scen;

/// Read a scenario from memory or from a file. Blanks or tabs separate the columns; the line `version 1` may be
/// missing. A voxel scenario (.3dscen) first names its map, alone on a line that ends in ".3dmap". Its queries have
/// start, goal, length, and the ratio of length to the distance without obstacles; the ratio is not kept.
/// @param size    bytes
/// @param out     receives the scenario, for wend_scen_free()
/// @param error   receives the error; may be NULL
/// @return as wend_map_parse(); wend_scen_load() also WEND_IO
/// Threads: any. Cost: O(size). Memory comes from the C library.
WEND_API wend_error wend_scen_parse(const void *bytes, size_t size, wend_scen **out, wend_file_error *error);
WEND_API wend_error wend_scen_load(const char *path, wend_scen **out, wend_file_error *error);

/// Get the queries of a scenario, in the file's order. They live as long as the scenario.
/// @param count   receives the number of queries
/// @return the first query
/// Threads: any. Cost: O(1).
WEND_API const wend_scen_query *wend_scen_get_queries(const wend_scen *scen, size_t *count);

/// Free a scenario. NULL is ignored.
/// Threads: any, one at a time. Cost: O(map names).
WEND_API void wend_scen_free(wend_scen *scen);

/// Write queries as a scenario file. Numbers must be in the ranges that reading accepts. Map names must not be empty,
/// and have neither control characters nor blanks at their ends. All queries are flat, or all are of one voxel map
/// with a name that ends in ".3dmap".
/// @param write     receives the bytes
/// @param context   for write
/// @return WEND_OK, WEND_BAD_ARGUMENT (nothing is written), or what write returned
/// Threads: any. Cost: O(count).
WEND_API wend_error wend_scen_write(const wend_scen_query *queries, size_t count, wend_write_fn *write, void *context);

#ifdef __cplusplus
}
#endif
#endif
