/* SPDX-License-Identifier: MIT */
/* Filling a new map in bands of rows, so that only one band is in memory twice. */
#include "io/readers/bands.h"
#include "map/edit/edit.h"

enum { BAND_ROWS = WEND__CHUNK_SIDE }; /* a band fills whole chunks, so each is written once */

static wend_error make_map(wend__bands *bands, const wend_map_def *def) {
    wend_error error = wend_map_create(def, &bands->map);
    if (error) return error;
    error = wend_edit_begin(bands->map, &bands->edit);
    if (error) wend_map_release(bands->map);
    return error;
}

wend_error wend__bands_begin(wend__bands *bands, const wend_map_def *def, uint64_t bytes_left, uint64_t bytes_needed) {
    int32_t width = def->width, height = def->height;
    *bands = (wend__bands){
        .allocator = wend__allocator_or_default(def->allocator), .width = width, .height = height, .depth = def->depth};
    uint64_t rows = height < BAND_ROWS ? (uint64_t)height : BAND_ROWS, band = (uint64_t)width * rows;
    if (bytes_left < bytes_needed) band = bytes_left < (uint64_t)width ? bytes_left + 1 : (uint64_t)width;
    bands->byte_count = (size_t)band; /* at most 64 × 65,536 */
    bands->bytes = wend__allocate(&bands->allocator, bands->byte_count, 1);
    if (!bands->bytes) return WEND_OUT_OF_MEMORY;
    wend_error error = bytes_left < bytes_needed ? WEND_OK : make_map(bands, def);
    if (error) bands->allocator.free(bands->allocator.context, bands->bytes, bands->byte_count);
    return error;
}

uint8_t *wend__bands_row(wend__bands *bands) {
    WEND__DEBUG_ASSERT(bands->y >= bands->band_y && bands->y - bands->band_y < BAND_ROWS);
    return bands->bytes + (bands->edit ? (size_t)(bands->y - bands->band_y) * (size_t)bands->width : 0);
}

wend_error wend__bands_push(wend__bands *bands) {
    WEND__DEBUG_ASSERT(!wend__bands_full(bands) && bands->y < bands->height);
    int32_t first = bands->band_y, y = bands->y++, z = bands->z;
    bool layer_ends = bands->y == bands->height;
    if (!layer_ends && bands->y - first < BAND_ROWS) return WEND_OK;
    if (layer_ends) bands->y = 0, bands->z++;
    bands->band_y = bands->y;
    if (!bands->edit) return WEND_OK;
    wend_box box = {{0, first, z}, {bands->width - 1, y, z}};
    return wend_edit_set_box(bands->edit, box, bands->bytes, (size_t)bands->width);
}

wend_error wend__bands_finish(wend__bands *bands, wend_map **out) {
    WEND__ASSERT(bands->edit && wend__bands_full(bands));
    wend_error error = wend__edit_publish_first(bands->edit); /* frees the batch, on error too */
    bands->edit = NULL;
    if (!error) {
        *out = bands->map;
        bands->map = NULL;
    }
    wend__bands_drop(bands);
    return error;
}

void wend__bands_drop(wend__bands *bands) {
    wend_edit_discard(bands->edit);
    wend_map_release(bands->map);
    bands->allocator.free(bands->allocator.context, bands->bytes, bands->byte_count);
}
