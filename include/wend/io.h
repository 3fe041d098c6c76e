/* SPDX-License-Identifier: MIT */
/* Map and scenario files, recognised by content: grid text, MovingAI .map, .3dmap, .scen, .3dscen, DIMACS .gr, .co; and
 * baked maps, with rules and landmarks. */
#ifndef WEND_IO_H
#define WEND_IO_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WEND_FORMAT_UNKNOWN = 0,
    WEND_FORMAT_GRID_TEXT = 1, ///< a flat grid, or one of voxels with a `Layers` line; may have teleports
    WEND_FORMAT_MOVINGAI = 2,  ///< .map: a flat grid
    WEND_FORMAT_VOXEL = 3,     ///< .3dmap: voxels, open or blocked
    WEND_FORMAT_DIMACS = 4,    ///< .gr: a graph; nodes are 1 to N, as in the file. Coordinates are in a .co file
    WEND_FORMAT_BAKED = 5      ///< a grid or voxels, with rules, links, closed steps, landmarks; see wend_map_save()
};

/// Most bytes that are read of a map, and of the .co file next to a graph. A larger file is refused (WEND_UNSUPPORTED),
/// and the error text names the limit.
#define WEND_MAX_MAP_BYTES (UINT64_C(1) << 34)

/// An error in a file, and its place. Written on error only. Lines and columns count from 1; 0: the error has none.
/// Columns count bytes. Show it as "file:line:column: text".
typedef struct wend_file_error {
    uint32_t struct_bytes;
    int32_t line, column;
    char text[244];
} wend_file_error;

/// Data of a map file that are not part of the map.
typedef struct wend_map_markers {
    uint32_t struct_bytes;
    int32_t format;           ///< WEND_FORMAT_…
    bool has_start, has_goal; ///< grid text's A and B
    wend_cell start, goal;
    char assumed[200]; ///< what the reader took for granted, for a warning; "": nothing
} wend_map_markers;

/// Receives bytes to write. It takes all of them, or returns an error.
/// @return 0, or an error, which the caller of the writing function gets
typedef wend_error wend_write_fn(void *context, const void *bytes, size_t size);

/// Read a map from memory. A teleport of grid text becomes two links that cost def's cost_straight. A graph's
/// coordinates are in another file: only wend_map_load() reads them.
/// @param size     bytes
/// @param def      rules, max_versions, max_bytes and allocator; NULL: the defaults. Its neighbours must suit the kind
///                 of map; 0 suits all kinds. Its kind and size are ignored. A graph takes the rules' factors.
///                 Rules NULL are a baked map's own
/// @param out      receives the map; the caller holds one reference
/// @param markers  receives start, goal and format; may be NULL
/// @param error    receives the error; may be NULL
/// @return WEND_OK, WEND_BAD_FORMAT, WEND_UNSUPPORTED (libwend-extra reads Tiled maps; a map baked by another version,
///         or under other rules than those asked for), WEND_OUT_OF_MEMORY, WEND_BAD_ARGUMENT
/// Threads: any. Cost: O(size), and that of wend_map_create() or wend_graph_create(). Memory for reading is
/// proportional to the bytes given, never to a size that a header claims. The header of a voxel map alone can claim an
/// empty grid; max_bytes limits it. A graph has at most 65,536 nodes plus one for each byte.
WEND_API wend_error wend_map_parse(const void *bytes, size_t size, const wend_map_def *def, wend_map **out,
                                   wend_map_markers *markers, wend_file_error *error);

/// Read a map from a file. Where a graph's file name ends in ".gr", it also reads the coordinates of the nodes. They
/// are in a file next to it, if there is one, with a name that ends in ".co". For an error in that file, line and
/// column are 0 and the text is "name.co:line:column: …".
/// A baked map is used where it lies: the file stays mapped into memory while the map or a fork of it lives, and counts
/// towards max_bytes. Replace such a file, as wend_map_save() does, and never write into it.
/// @param def, out, markers, error   as in wend_map_parse()
/// @return as wend_map_parse(), and WEND_IO
/// Threads: any. Cost: as wend_map_parse(). Of a baked map: O(size) for its checksum, and that of making its tables.
WEND_API wend_error wend_map_load(const char *path, const wend_map_def *def, wend_map **out, wend_map_markers *markers,
                                  wend_file_error *error);

/// Write a map to a file. A graph with coordinates, where the name ends in ".gr", is written as two files; the second
/// file's name ends in ".co" instead. Then coordinates with z other than 0 are refused. A graph without coordinates is
/// refused where a .co file exists, because reading would combine the two.
/// A file is written to its name with ".new" behind it, synced, and renamed: an existing file stays until the new one
/// is whole and on the disk. Its rights stay, and a link at its name. A device, a pipe or a descriptor is written in
/// place. Both files of a graph are whole before one is renamed, the .co file first. A write beyond a limit of file
/// sizes is WEND_IO if the process ignores SIGXFSZ, which ends it otherwise.
/// @param format, markers, error   as in wend_map_write()
/// @return as wend_map_write(), and WEND_IO
/// Threads: any, while no thread edits the map. Cost: as wend_map_write(), and some ms of the disk.
WEND_API wend_error wend_map_save(const wend_map *map, const char *path, int32_t format,
                                  const wend_map_markers *markers, wend_file_error *error);

#ifdef __cplusplus
}
#endif
#endif
