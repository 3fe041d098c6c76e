/* SPDX-License-Identifier: MIT */
/* libwend-extra: pictures of maps, paths and tracks. */
#ifndef WEND_EXTRA_H
#define WEND_EXTRA_H

#include <wend/wend.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WEND_PICTURE_ANSI = 1, WEND_PICTURE_SVG = 2, WEND_PICTURE_PNG = 3 };

/// A path to draw: its cells in order.
typedef struct wend_picture_path {
    const wend_cell *cells;
    size_t cell_count;
} wend_picture_path;

typedef struct wend_picture {
    uint32_t struct_bytes;
    int32_t format; ///< WEND_PICTURE_…
    const wend_map *map;
    const wend_picture_path *paths; ///< the first is drawn last, on top
    size_t path_count;
    const wend_cell *starts; ///< marked in green (A)
    size_t start_count;
    const wend_cell *goals; ///< marked in red (B)
    size_t goal_count;
    int32_t cell_pixels; ///< PNG and SVG: size of a cell, 1 to 64; 0: chosen so that the picture is about 1,000 wide
    int32_t colours;     ///< ANSI: 1 with escape codes, 0 plain characters only
} wend_picture;

WEND_API wend_picture wend_picture_default(void);

/// Largest side of a PNG, in pixels. A map with more cells than that a side is refused for PNG.
#define WEND_PICTURE_MAX_SIDE 16384
/// Largest side of a map for ANSI and SVG, in cells.
#define WEND_PICTURE_MAX_TEXT_SIDE 2048

/// Draw. @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE (a cell off the map), WEND_UNSUPPORTED (map too large),
///         WEND_OUT_OF_MEMORY, or what write returned. Threads: any, while nobody edits the map.
WEND_API int32_t wend_picture_write(const wend_picture *picture, wend_write_fn *write, void *context);

#ifdef __cplusplus
}
#endif
#endif
