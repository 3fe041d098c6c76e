/* SPDX-License-Identifier: MIT */
/* Internal: a new map filled row by row from the top, layer by layer from the bottom, a band of rows at a time, so that
 * little is held twice. */
#ifndef WEND_SRC_IO_BANDS_H
#define WEND_SRC_IO_BANDS_H

#include "base/base.h"
#include <wend/edit.h>
#include <wend/map.h>

typedef struct wend__bands {
    wend_allocator allocator;
    wend_map *map;   ///< NULL: rows are only checked
    wend_edit *edit; ///< likewise
    uint8_t *bytes;  ///< the band: its rows one after another
    size_t byte_count;
    int32_t width, height, depth;
    int32_t band_y; ///< first row of the band
    int32_t y, z;   ///< row being filled, and its layer
} wend__bands;

/// @param def            kind and size of the map, too
/// @param bytes_left     of the file, behind its header
/// @param bytes_needed   by all rows, at least. With fewer left the file is wrong somewhere: no map is made then, and
///                       the rows are parsed only to find out where.
/// On error there is nothing to drop.
wend_error wend__bands_begin(wend__bands *bands, const wend_map_def *def, uint64_t bytes_left, uint64_t bytes_needed);

/// Are all rows of all layers filled?
static inline bool wend__bands_full(const wend__bands *bands) {
    return bands->z == bands->depth;
}

/// Where the classes of the next row go: room for `width`, or for as many as the file can hold.
uint8_t *wend__bands_row(wend__bands *bands);

/// The row is filled.
wend_error wend__bands_push(wend__bands *bands);

/// All rows are pushed: hand the map over. Nothing is left to drop, on error too.
wend_error wend__bands_finish(wend__bands *bands, wend_map **out);

/// Give up.
void wend__bands_drop(wend__bands *bands);

#endif
