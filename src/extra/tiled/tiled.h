/* SPDX-License-Identifier: MIT */
/* A Tiled map while it is read: what the parts of the reader share. */
#ifndef WEND_SRC_EXTRA_TILED_TILED_H
#define WEND_SRC_EXTRA_TILED_TILED_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include <wend/extra.h>

typedef struct wend__tileset wend__tileset;

/// Returns what errno says. fopen() need not set it.
static inline const char *wend__tiled_errno_text(int number) {
    return number ? strerror(number) : "the system gives no reason";
}

/// The state of one call of the reader.
typedef struct wend__tiled {
    const char *folder; ///< where tileset files are looked up; may be NULL
    wend_map_def def;
    wend_map_rules rules;      ///< def points here
    wend_map_markers *markers; ///< where those of the file go
    wend_file_error *error;    ///< may be NULL
    json_t *root;
    bool infinite;
    bool isometric;
    int32_t tile_width, tile_height; ///< pixels
    int32_t cell_width, cell_height; ///< of a cell in the coordinates of objects
    wend__tileset *tilesets;         ///< by first number
    size_t tileset_count;
    int32_t left, top;     ///< of the map's box in Tiled's cells
    int32_t width, height; ///< of the box; of a finite map known from the start
    uint8_t *classes;      ///< of the box, row by row
} wend__tiled;

#endif
