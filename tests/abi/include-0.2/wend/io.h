/* SPDX-License-Identifier: MIT */
/* Map and scenario files, told apart by content: grid text, MovingAI .map, .3dmap, .scen, .3dscen, DIMACS .gr, .co. */
#ifndef WEND_IO_H
#define WEND_IO_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WEND_FORMAT_UNKNOWN = 0,
    WEND_FORMAT_GRID_TEXT = 1, ///< a grid; with a `Layers` line one of voxels, with teleports
    WEND_FORMAT_MOVINGAI = 2,  ///< .map: a flat grid
    WEND_FORMAT_VOXEL = 3,     ///< .3dmap: voxels, open or blocked
    WEND_FORMAT_DIMACS = 4     ///< .gr: a graph; its nodes are 1 to N, as there. Coordinates are in a .co file
};

/// The most bytes of a file that are read: of a map, and of the .co file beside a graph; of a scenario. A larger file is
/// refused (WEND_UNSUPPORTED), and the error says the limit.
#define WEND_MAX_MAP_BYTES (UINT64_C(1) << 34)
#define WEND_MAX_SCEN_BYTES (UINT64_C(1) << 28)

/// What is wrong with a file, and where. Filled on error only. Lines and columns count from 1; 0: not tied to one.
/// Columns count bytes. Show it as "file:line:column: text".
typedef struct wend_file_error {
    uint32_t struct_bytes;
    int32_t line, column;
    char text[244];
} wend_file_error;

/// What a map file says beside the map.
typedef struct wend_map_markers {
    uint32_t struct_bytes;
    int32_t format;              ///< WEND_FORMAT_…
    int32_t has_start, has_goal; ///< grid text's A and B
    wend_cell start, goal;
} wend_map_markers;

/// Take in bytes: all or an error. @return 0, or an error that the caller gets back.
typedef wend_error wend_write_fn(void *context, const void *bytes, size_t size);

/// Which format these bytes look like; WEND_FORMAT_UNKNOWN if none. Threads: any. Cost: O(size).
WEND_API int32_t wend_format_detect(const void *bytes, size_t size);

/// Read a map from memory. A teleport of grid text becomes two links at def's cost_straight. A graph's coordinates are
/// in another file: only wend_map_load() finds them.
/// @param def      rules (whose neighbours must suit the kind of map: 0 suits all), max_versions, max_bytes, allocator;
///                 its kind and size are ignored. A graph takes the rules' factors. NULL: the defaults
/// @param markers  may be NULL
/// @param error    may be NULL
/// @return WEND_OK, WEND_BAD_FORMAT, WEND_UNSUPPORTED (Tiled maps are libwend-extra's), WEND_OUT_OF_MEMORY,
///         WEND_BAD_ARGUMENT
/// Threads: any. Cost: O(size), and what wend_map_create() or wend_graph_create() cost. Memory for reading is taken in
/// proportion to the bytes there are, never to a size that a header claims; what an empty grid of voxels takes, its
/// header alone may claim (max_bytes bounds it), but no graph has more than 65,536 nodes and one for each byte.
WEND_API wend_error wend_map_parse(const void *bytes, size_t size, const wend_map_def *def, wend_map **out,
                                   wend_map_markers *markers, wend_file_error *error);

/// Read a map from a file. As wend_map_parse(), and WEND_IO. A graph whose file's name ends in ".gr" gets its
/// coordinates from the file beside it whose name ends in ".co" instead, where there is one; what is wrong with that is
/// said with line and column 0 and "name.co:line:column: …" as the text.
WEND_API wend_error wend_map_load(const char *path, const wend_map_def *def, wend_map **out, wend_map_markers *markers,
                                  wend_file_error *error);

/// Write a map. Refused (WEND_UNSUPPORTED, naming the first cell, step, link or node) is what the format cannot hold:
/// grid text holds grids with classes 0 to 9 and teleports (two links, one each way, that cost one straight step,
/// between cells of class 1 that have no others); MovingAI .map flat grids with classes 0, 1, 254 and 255; .3dmap
/// voxels with classes 0 and 1; .gr graphs of class 1 whose nodes are 1 to their number. No format holds closed steps,
/// movers or units, only grid text links; rules are in none. Of a graph this writes the .gr file only, without
/// coordinates.
/// @param markers   start and goal for grid text, on cells of class 1; may be NULL; format is ignored
/// @return WEND_OK, WEND_UNSUPPORTED, WEND_BAD_ARGUMENT, or what write returned. Nothing is written where it refuses.
/// Threads: any, while nobody edits the map. Cost: O(cells + edges), O(links) for each teleport; no memory is taken.
WEND_API wend_error wend_map_write(const wend_map *map, int32_t format, const wend_map_markers *markers,
                                   wend_write_fn *write, void *context, wend_file_error *error);

/// Write a map to a file. As wend_map_write(), and WEND_IO. A graph with coordinates, where the name ends in ".gr", is
/// written as two files: the second's name ends in ".co" instead. Coordinates with z other than 0 are refused then; and
/// so is a graph without coordinates where a .co file stands, which would be read with it.
/// A file that could not be written whole is removed (but not under /dev, nor what is no plain file: a device, a pipe,
/// a link); one that stands there already is left alone where the map is refused.
WEND_API wend_error wend_map_save(const wend_map *map, const char *path, int32_t format,
                                  const wend_map_markers *markers, wend_file_error *error);

/// One query of a MovingAI scenario file, flat or of voxels.
typedef struct wend_scen_query {
    int32_t bucket;               ///< 0 in voxel scenarios, which have none
    int32_t width, height, depth; ///< of the map, as the file says: depth 1. Voxel scenarios say nothing: all three 0
    wend_cell start, goal;
    const char *map; ///< the map's name as the file gives it; lives as long as the scenario
    double length;   ///< published length of the shortest path; 0 with start ≠ goal: none
} wend_scen_query;

typedef struct wend_scen wend_scen;

/// Read a scenario from memory or from a file: columns parted by blanks or tabs, the line `version 1` may be missing.
/// One of voxels (.3dscen) names its map first, alone on a line that ends in ".3dmap"; then start and goal, the length,
/// and that over the distance on empty ground, which is not kept.
/// Memory comes from the C library. Errors as for maps. Threads: any. Cost: O(size).
WEND_API wend_error wend_scen_parse(const void *bytes, size_t size, wend_scen **out, wend_file_error *error);
WEND_API wend_error wend_scen_load(const char *path, wend_scen **out, wend_file_error *error);

/// Its queries, in the file's order; they live as long as the scenario.
WEND_API const wend_scen_query *wend_scen_get_queries(const wend_scen *scen, size_t *count);

/// NULL is ignored.
WEND_API void wend_scen_free(wend_scen *scen);

/// Write queries as a scenario file: numbers in the ranges that reading asks for; map names not empty, without control
/// characters, and without blanks at their ends. All are flat, or all are of one voxel map whose name ends in ".3dmap".
/// @return WEND_OK, WEND_BAD_ARGUMENT (nothing is written), or what write returned. Threads: any. Cost: O(count).
WEND_API wend_error wend_scen_write(const wend_scen_query *queries, size_t count, wend_write_fn *write, void *context);

#ifdef __cplusplus
}
#endif
#endif
