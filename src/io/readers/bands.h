/* SPDX-License-Identifier: MIT */
/* Internal: filling a new map in bands of rows, so that only one band is in memory twice. Rows go down, layers up. */
#ifndef WEND_SRC_IO_READERS_BANDS_H
#define WEND_SRC_IO_READERS_BANDS_H

#include "base/base.h"
#include <wend/edit.h>

typedef struct wend__bands {
    wend_allocator allocator;
    wend_map *map;   ///< NULL: rows are only checked
    wend_edit *edit; ///< NULL: rows are only checked
    uint8_t *bytes;  ///< the band: its rows one after another
    size_t byte_count;
    int32_t width, height, depth;
    int32_t band_y; ///< first row of the band
    int32_t y, z;   ///< row being filled, and its layer
} wend__bands;

/// Begins a map. On error there is nothing to discard.
/// @param def            with kind and size
/// @param bytes_left     bytes of the file after its header
/// @param bytes_needed   the least that all rows take. With fewer left the file has an error somewhere: then no map is
///                       made, and parsing the rows only finds the error's place.
wend_error wend__bands_begin(wend__bands *bands, const wend_map_def *def, uint64_t bytes_left, uint64_t bytes_needed);

/// Returns whether all rows of all layers are filled.
static inline bool wend__bands_full(const wend__bands *bands) {
    return bands->z == bands->depth;
}

/// The buffer for the classes of the next row: `width` bytes, or as many as the file can hold.
uint8_t *wend__bands_row(wend__bands *bands);

/// Accept the row in the buffer.
wend_error wend__bands_push(wend__bands *bands);

/// Publishes the map after its last row. Nothing is left to discard, even on error.
wend_error wend__bands_finish(wend__bands *bands, wend_map **out);

/// Discard the map.
void wend__bands_drop(wend__bands *bands);

#endif
