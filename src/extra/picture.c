/* SPDX-License-Identifier: MIT */
/* Pictures: checks what is to be drawn, takes its measures, and hands it to its format. */
#include "extra/picture.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PREFERRED_PIXELS = 1000, MAX_CELL_PIXELS = 64, GRID_FROM_PIXELS = 8 };

wend_picture wend_picture_default(void) {
    return (wend_picture){.struct_bytes = sizeof(wend_picture), .format = WEND_PICTURE_ANSI};
}

void wend__outlet_flush(wend__outlet *outlet) {
    if (!outlet->error && outlet->used) outlet->error = outlet->write(outlet->context, outlet->buffer, outlet->used);
    outlet->used = 0;
}

void wend__outlet_put(wend__outlet *outlet, const void *bytes, size_t size) {
    if (outlet->used + size > sizeof outlet->buffer) wend__outlet_flush(outlet);
    if (size > sizeof outlet->buffer) {
        if (!outlet->error) outlet->error = outlet->write(outlet->context, bytes, size);
        return;
    }
    memcpy(outlet->buffer + outlet->used, bytes, size);
    outlet->used += size;
}

void wend__outlet_print(wend__outlet *outlet, const char *format, ...) {
    char text[512]; /* every line the formats print is shorter */
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length > 0) wend__outlet_put(outlet, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static bool all_on_map(const wend_map_info *info, const wend_cell *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        wend_cell c = cells[i];
        if (c.x < 0 || c.y < 0 || c.z < 0 || c.x >= info->width || c.y >= info->height || c.z >= info->depth)
            return false;
    }
    return true;
}

static int32_t check_cells(const wend_picture *picture, const wend_map_info *info) {
    if (!all_on_map(info, picture->starts, picture->start_count)) return WEND_OUT_OF_RANGE;
    if (!all_on_map(info, picture->goals, picture->goal_count)) return WEND_OUT_OF_RANGE;
    for (size_t i = 0; i < picture->path_count; i++) {
        const wend_picture_path *path = &picture->paths[i];
        if (path->cell_count && !path->cells) return WEND_BAD_ARGUMENT;
        if (!all_on_map(info, path->cells, path->cell_count)) return WEND_OUT_OF_RANGE;
    }
    return WEND_OK;
}

static int32_t check_arguments(const wend_picture *picture) {
    if (!picture || picture->struct_bytes != sizeof *picture || !picture->map) return WEND_BAD_ARGUMENT;
    if (picture->format < WEND_PICTURE_ANSI || picture->format > WEND_PICTURE_PNG) return WEND_BAD_ARGUMENT;
    if (picture->cell_pixels < 0 || picture->cell_pixels > MAX_CELL_PIXELS) return WEND_BAD_ARGUMENT;
    if (picture->colours != 0 && picture->colours != 1) return WEND_BAD_ARGUMENT;
    if (picture->path_count && !picture->paths) return WEND_BAD_ARGUMENT;
    if (picture->start_count && !picture->starts) return WEND_BAD_ARGUMENT;
    if (picture->goal_count && !picture->goals) return WEND_BAD_ARGUMENT;
    return WEND_OK;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/// A thing of an odd width sits in the middle of a cell of an odd width, and even in even.
static int32_t same_parity(int32_t width, int32_t scale) {
    return scale > 3 && ((width ^ scale) & 1) ? width + 1 : width;
}

/// Lines and markers grow with the cells, but stay visible when cells are a pixel or two: the fewer there are, the
/// larger they may be without hiding the map.
static void measure(wend__drawing *d) {
    const wend_picture *picture = d->picture;
    int32_t cells = larger(d->width, d->height);
    d->scale = picture->cell_pixels;
    if (!d->scale) d->scale = larger(1, (PREFERRED_PIXELS + cells / 2) / cells);
    if (d->scale > MAX_CELL_PIXELS) d->scale = MAX_CELL_PIXELS;
    int32_t side = cells * d->scale;
    bool few_paths = picture->path_count <= 16, few_markers = picture->start_count + picture->goal_count <= 32;
    int32_t least_line = few_paths ? larger(1, side / 330) : larger(1, side / 500);
    d->line = same_parity(larger(larger(1, d->scale * (few_paths ? 28 : 18) / 100), least_line), d->scale);
    int32_t least_marker = few_markers ? larger(1, side / 70) : larger(1, side / 250);
    d->marker = same_parity(larger(larger(1, d->scale * 60 / 100), least_marker), d->scale);
    d->halo = d->marker < 3 ? 0 : larger(1, d->marker / 8);
    d->grid = d->scale >= GRID_FROM_PIXELS;
}

static bool fits(const wend__drawing *d) {
    int32_t cells = larger(d->width, d->height);
    if (d->picture->format == WEND_PICTURE_PNG) return (int64_t)cells * d->scale <= WEND_PICTURE_MAX_SIDE;
    return cells <= WEND_PICTURE_MAX_TEXT_SIDE;
}

int32_t wend_picture_write(const wend_picture *picture, wend_write_fn *write, void *context) {
    int32_t error = check_arguments(picture);
    if (error || !write) return WEND_BAD_ARGUMENT;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_describe(picture->map, &info);
    error = check_cells(picture, &info);
    if (error) return error;
    wend__drawing drawing = {.picture = picture, .width = info.width, .height = info.height};
    measure(&drawing);
    if (!fits(&drawing)) return WEND_UNSUPPORTED;
    wend__class_looks(&info.rules, drawing.looks);
    wend__outlet outlet = {.write = write, .context = context};
    if (picture->format == WEND_PICTURE_PNG) return wend__png_write(&drawing, &outlet);
    if (picture->format == WEND_PICTURE_SVG) return wend__svg_write(&drawing, &outlet);
    return wend__ansi_write(&drawing, &outlet);
}
