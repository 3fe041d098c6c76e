/* SPDX-License-Identifier: MIT */
/* Writes pictures as PNG with 256 colours, some rows at a time: memory stays small for any map. */
#include "drawing/colours.h"
#include "pictures/canvas.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

/// Pixels in memory at a time: at the largest side and scale still 16 rows of cells.
enum { BAND_BYTES = 16 << 20 };

static void on_error(png_structp png, png_const_charp text) {
    (void)text;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void on_bytes(png_structp png, png_bytep bytes, size_t size) {
    wend__outlet *outlet = png_get_io_ptr(png);
    wend__outlet_put(outlet, bytes, size);
    if (outlet->error) png_error(png, "the caller's write failed");
}

static void on_flush(png_structp png) {
    (void)png;
}

static void put_header(png_structp png, png_infop info, int32_t width, int32_t height) {
    png_color palette[WEND__INK_COUNT];
    for (int32_t i = 0; i < WEND__INK_COUNT; i++) {
        wend__rgb c = wend__ink_colour(i);
        palette[i] = (png_color){c.r, c.g, c.b};
    }
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, WEND__INK_COUNT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
}

/// How many pixel rows a band has: whole rows of cells.
static int32_t band_rows(const wend__drawing *d, int32_t width) {
    int32_t cells = BAND_BYTES / (width * d->scale);
    return (cells < 1 ? 1 : cells < d->height ? cells : d->height) * d->scale;
}

static void write_rows(png_structp png, const wend__raster *raster) {
    for (int32_t y = raster->top; y < raster->bottom; y++)
        png_write_row(png, raster->pixels + (size_t)(y - raster->top) * (size_t)raster->width);
}

/// Writes all between creation and destruction. libpng's errors jump back into this function.
static wend_error write_all(png_structp png, png_infop info, const wend__drawing *d, const wend__legend *legend,
                            wend__raster *raster) {
    if (setjmp(png_jmpbuf(png))) {
        wend__outlet *outlet = png_get_io_ptr(png);
        return outlet->error ? outlet->error : WEND_OUT_OF_MEMORY; /* all else that can go wrong is checked before */
    }
    int32_t map_height = d->height * d->scale, height = map_height + legend->height, rows = band_rows(d, raster->width);
    put_header(png, info, raster->width, height);
    for (raster->top = 0; raster->top < map_height; raster->top = raster->bottom) {
        raster->bottom = raster->top + rows < map_height ? raster->top + rows : map_height;
        wend_error error = wend__canvas_map(d, raster);
        if (error) return error;
        write_rows(png, raster);
    }
    for (raster->top = map_height; raster->top < height; raster->top = raster->bottom) {
        raster->bottom = raster->top + rows < height ? raster->top + rows : height;
        wend__canvas_legend(d, legend, raster);
        write_rows(png, raster);
    }
    png_write_end(png, info);
    return WEND_OK;
}

wend_error wend__png_write(const wend__drawing *d, const wend__legend *legend, wend__outlet *outlet) {
    wend__raster raster = {.width = legend->width};
    raster.pixels = malloc((size_t)band_rows(d, raster.width) * (size_t)raster.width);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    wend_error error = WEND_OUT_OF_MEMORY;
    if (raster.pixels && info) {
        png_set_write_fn(png, outlet, on_bytes, on_flush);
        error = write_all(png, info, d, legend, &raster);
    }
    png_destroy_write_struct(&png, &info);
    free(raster.pixels);
    if (error) return error;
    wend__outlet_flush(outlet);
    return outlet->error;
}
