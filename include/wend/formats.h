/* SPDX-License-Identifier: MIT */
/* Maps as bytes: which format they have, and writing them anywhere. */
#ifndef WEND_FORMATS_H
#define WEND_FORMATS_H

#include <wend/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Detect the format of bytes.
/// @return WEND_FORMAT_…; WEND_FORMAT_UNKNOWN if none fits
/// Threads: any. Cost: O(size).
WEND_API int32_t wend_format_detect(const void *bytes, size_t size);

/// Write a map. A map that the format cannot hold is refused (WEND_UNSUPPORTED), and the error text names the first
/// cell, step, link or node:
/// - Grid text holds grids with classes 0 to 9, and teleports. A teleport is two links, one each way, that cost one
///   straight step, between cells of class 1 that have no other links.
/// - MovingAI .map holds flat grids with classes 0, 1, 254 and 255.
/// - .3dmap holds voxels with classes 0 and 1.
/// - .gr holds graphs of class 1 with nodes from 1 to their number. The coordinates are not written.
/// - A baked map holds grids and voxels without movers: terrain, rules, links, closed steps, landmarks, and whether
///   there are jump tables, which are made again on loading. Its numbers are little-endian; it has a version and a
///   checksum.
/// No format holds movers or occupancy; only grid text and baked maps hold links, only these closed steps and rules.
/// @param format    WEND_FORMAT_…
/// @param markers   start and goal for grid text, on cells of class 1; may be NULL; format is ignored
/// @param write     receives the bytes
/// @param context   for write
/// @param error     receives the error; may be NULL
/// @return WEND_OK, WEND_UNSUPPORTED, WEND_BAD_ARGUMENT (all of these before the first byte), or what write returned
/// Threads: any, while no thread edits the map. Cost: O(cells + edges), and O(links) for each teleport; baked, two
/// passes over all it holds. Takes no memory.
WEND_API wend_error wend_map_write(const wend_map *map, int32_t format, const wend_map_markers *markers,
                                   wend_write_fn *write, void *context, wend_file_error *error);

#ifdef __cplusplus
}
#endif
#endif
