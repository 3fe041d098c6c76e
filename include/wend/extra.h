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

/// What to draw. Ground is shown by how it is walked: open '.', blocked '#', water '~', swamp 's', slow ground '2' to '9'
/// by its factor (9 and more). Each of up to 229 paths has a colour of its own; then they come round again.
typedef struct wend_picture {
    uint32_t struct_bytes;
    int32_t format; ///< WEND_PICTURE_…
    const wend_map *map;
    const wend_picture_path *paths; ///< the first is drawn last, on top; straight lines between cells that are apart
    size_t path_count;
    const wend_cell *starts; ///< marked in green (A)
    size_t start_count;
    const wend_cell *goals; ///< marked in red (B)
    size_t goal_count;
    int32_t cell_pixels; ///< PNG and SVG: size of a cell, 1 to 64; 0: chosen so that the longer side is about 1,000
    int32_t colours;     ///< ANSI: 1 with escape codes (256 colours, narrow maps two columns a cell), 0 plain letters
} wend_picture;

WEND_API wend_picture wend_picture_default(void);

/// Largest side of a PNG, in pixels. A map with more cells than that a side is refused for PNG.
#define WEND_PICTURE_MAX_SIDE 16384
/// Largest side of a map for ANSI and SVG, in cells.
#define WEND_PICTURE_MAX_TEXT_SIDE 2048

/// Draw. Takes up to 16 MiB from the C library meanwhile.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE (a cell off the map), WEND_UNSUPPORTED (the map, at that many
///         pixels a cell, is too large), WEND_OUT_OF_MEMORY, or what write returned; write is not called again after that
/// Threads: any, while nobody edits the map. Cost: O(pixels + cells of paths).
WEND_API int32_t wend_picture_write(const wend_picture *picture, wend_write_fn *write, void *context);

#ifdef __cplusplus
}
#endif
#endif
