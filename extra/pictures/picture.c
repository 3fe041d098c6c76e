/* SPDX-License-Identifier: MIT */
/* Checks a picture, sets its measures, and calls the writer of its format. */
#include <string.h>

#include "base/sized.h"
#include "drawing/colours.h"
#include "pictures/canvas.h"
#include <wend/versions.h>

enum { MAX_CELL_PIXELS = 64, GRID_FROM_PIXELS = 8, FEET_FROM_PIXELS = 24 };

static wend_picture default_picture(void) {
    return (wend_picture){.struct_bytes = sizeof(wend_picture), .format = WEND_PICTURE_ANSI};
}

void wend_picture_init(wend_picture *picture, size_t bytes) {
    const wend_picture own = default_picture();
    wend__sized_init(picture, bytes, &own, sizeof own);
}

static bool take_picture(const wend_picture *theirs, wend_picture *out) {
    *out = default_picture();
    return wend__sized_read(out, sizeof *out, WEND__FIRST_BYTES(wend_picture, expanded_count), theirs);
}

static bool all_on_map(const wend_picture *picture, const wend_map_info *info, const wend_cell *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        wend_cell c = cells[i];
        uint8_t class;
        if (info->kind == WEND_KIND_GRAPH && wend_map_get_terrain(picture->map, c, &class))
            return false; /* no such node */
        if (c.x < 0 || c.y < 0 || c.z < 0 || c.x >= info->width || c.y >= info->height || c.z >= info->depth)
            return false;
    }
    return true;
}

static bool in_milli(int32_t milli, int32_t cells) {
    return milli >= -500 && milli < (int64_t)cells * 1000 - 500;
}

static bool on_map(const wend_map_info *info, wend_point p) {
    return in_milli(p.x, info->width) && in_milli(p.y, info->height) && in_milli(p.z, info->depth);
}

static wend_error check_cells(const wend_picture *picture, const wend_map_info *info) {
    if (!all_on_map(picture, info, picture->starts, picture->start_count)) return WEND_OUT_OF_RANGE;
    if (!all_on_map(picture, info, picture->goals, picture->goal_count)) return WEND_OUT_OF_RANGE;
    if (!all_on_map(picture, info, picture->units, picture->unit_count)) return WEND_OUT_OF_RANGE;
    if (!all_on_map(picture, info, picture->expanded, picture->expanded_count)) return WEND_OUT_OF_RANGE;
    for (size_t i = 0; i < picture->path_count; i++) {
        const wend_picture_path *path = &picture->paths[i];
        if (path->cell_count && !path->cells) return WEND_BAD_ARGUMENT;
        if (!all_on_map(picture, info, path->cells, path->cell_count)) return WEND_OUT_OF_RANGE;
    }
    for (size_t i = 0; i < picture->line_count; i++) {
        const wend_picture_line *line = &picture->lines[i];
        if (line->point_count && !line->points) return WEND_BAD_ARGUMENT;
        for (size_t k = 0; k < line->point_count; k++)
            if (!on_map(info, line->points[k])) return WEND_OUT_OF_RANGE;
    }
    return WEND_OK;
}

static wend_error check_arguments(const wend_picture *picture) {
    if (!picture->map) return WEND_BAD_ARGUMENT;
    if (picture->format < WEND_PICTURE_ANSI || picture->format > WEND_PICTURE_PNG) return WEND_BAD_ARGUMENT;
    if (picture->cell_pixels < 0 || picture->cell_pixels > MAX_CELL_PIXELS) return WEND_BAD_ARGUMENT;
    if (picture->legend < WEND_LEGEND_NONE || picture->legend > WEND_LEGEND_ONLY) return WEND_BAD_ARGUMENT;
    if (picture->legend == WEND_LEGEND_ONLY && picture->format != WEND_PICTURE_ANSI) return WEND_BAD_ARGUMENT;
    if (picture->caption && strlen(picture->caption) > WEND_PICTURE_MAX_CAPTION) return WEND_BAD_ARGUMENT;
    if (picture->track != WEND_TRACK_LINE && picture->track != WEND_TRACK_FEET) return WEND_BAD_ARGUMENT;
    if (picture->path_count && !picture->paths) return WEND_BAD_ARGUMENT;
    if (picture->start_count && !picture->starts) return WEND_BAD_ARGUMENT;
    if (picture->goal_count && !picture->goals) return WEND_BAD_ARGUMENT;
    if (picture->unit_count && !picture->units) return WEND_BAD_ARGUMENT;
    if (picture->expanded_count && !picture->expanded) return WEND_BAD_ARGUMENT;
    if (picture->line_count && !picture->lines) return WEND_BAD_ARGUMENT;
    return WEND_OK;
}

/// An odd width has a middle pixel in a cell of odd width, an even width in a cell of even width.
static int32_t same_parity(int32_t width, int32_t scale) {
    return scale > 3 && ((width ^ scale) & 1) ? width + 1 : width;
}

/// Sets the widths of lines and markers. They grow with the cells, but stay visible where a cell is a pixel or two: the
/// fewer there are, the larger they may be without hiding the map.
static void measure(wend__drawing *d) {
    const wend_picture *picture = d->picture;
    wend__layout(d, picture->cell_pixels);
    const int32_t cell = d->hexagons ? 2 * d->scale : d->scale;
    int64_t whole = (int64_t)wend__larger(d->width, d->height) * d->scale;
    int32_t side = whole < WEND_PICTURE_MAX_SIDE ? (int32_t)whole : WEND_PICTURE_MAX_SIDE;
    bool few_paths = picture->path_count <= 16, few_markers = picture->start_count + picture->goal_count <= 32;
    int32_t least_line = few_paths ? wend__larger(1, side / 330) : wend__larger(1, side / 500);
    d->line = same_parity(wend__larger(wend__larger(1, cell * (few_paths ? 28 : 18) / 100), least_line), d->scale);
    int32_t least_marker = few_markers ? wend__larger(1, side / 70) : wend__larger(1, side / 250);
    d->marker = same_parity(wend__larger(wend__larger(1, cell * 60 / 100), least_marker), d->scale);
    int32_t least_unit = picture->unit_count <= 256 ? wend__larger(1, side / 160) : wend__larger(1, side / 500);
    d->unit = same_parity(wend__larger(wend__larger(1, cell * 45 / 100), least_unit), d->scale);
    /* Few squares, of jump points, are larger than a small cell, so that one sees them. */
    int32_t least_square = picture->expanded_count <= 4096 ? wend__larger(1, side / 250) : 1;
    d->expanded = wend__larger(cell < 5 ? cell : cell - 2 * (cell / 5), least_square);
    d->halo = d->marker < 3 ? 0 : wend__larger(1, d->marker / 8);
    d->grid = cell >= GRID_FROM_PIXELS;
    d->feet = picture->track == WEND_TRACK_FEET && (picture->format == WEND_PICTURE_ANSI || cell >= FEET_FROM_PIXELS);
}

static const char *graph_refusal(const wend__drawing *d) {
    if (d->picture->format == WEND_PICTURE_ANSI) return "a graph cannot be drawn in letters: choose svg or png";
    if (!d->info.has_coordinates && d->info.width > WEND_PICTURE_MAX_CIRCLE_NODES)
        return "a graph without coordinates is drawn up to 512 nodes only";
    if (d->picture->format == WEND_PICTURE_SVG && d->info.width > WEND_PICTURE_MAX_TEXT_NODES)
        return "a graph is drawn as svg up to 65536 nodes only: choose png";
    if (d->info.width > WEND_PICTURE_MAX_NODES) return "a graph is drawn up to 1048576 nodes only";
    return NULL;
}

static const char *refusal(const wend__drawing *d) {
    if (d->info.kind == WEND_KIND_GRAPH) return graph_refusal(d);
    int32_t cells = wend__larger(d->width, d->height);
    bool layers = d->layers > 1;
    if (d->picture->format == WEND_PICTURE_PNG) {
        if ((int64_t)cells * d->scale <= WEND_PICTURE_MAX_SIDE) return NULL;
        return layers ? "all layers together are too large for png: at most 16384 pixels a side"
                      : "the map is too large for png: at most 16384 pixels a side";
    }
    if (cells <= WEND_PICTURE_MAX_TEXT_SIDE) return NULL;
    return layers ? "all layers together are too large for ansi and svg: at most 2048 cells a side, try png"
                  : "the map is too large for ansi and svg: at most 2048 cells a side, try png";
}

static void describe(wend__drawing *d, const wend_picture *picture) {
    *d = (wend__drawing){
        .picture = picture, .info = {.struct_bytes = sizeof d->info}, .rules = {.struct_bytes = sizeof d->rules}};
    wend_map_get_info(picture->map, &d->info);
    wend_map_get_rules(picture->map, &d->rules);
    d->hexagons = d->info.kind == WEND_KIND_GRID && d->rules.neighbours == 6;
    if (d->info.kind != WEND_KIND_GRAPH) measure(d);
}

const char *wend_picture_refusal(const wend_picture *picture) {
    wend_picture own;
    wend__drawing drawing;
    if (!take_picture(picture, &own) || check_arguments(&own)) return NULL;
    describe(&drawing, &own);
    return refusal(&drawing);
}

static wend_error draw(wend__drawing *d, wend__outlet *outlet) {
    wend__legend legend;
    wend_error error = wend__roads_fetch(d);
    if (!error && d->info.kind == WEND_KIND_GRAPH) error = wend__nodes_place(d);
    if (!error) error = wend__legend_make(d, &legend);
    if (error) return error;
    if (d->picture->format == WEND_PICTURE_PNG) return wend__png_write(d, &legend, outlet);
    if (d->picture->format == WEND_PICTURE_SVG) return wend__svg_write(d, &legend, outlet);
    return wend__ansi_write(d, &legend, outlet);
}

wend_error wend_picture_write(const wend_picture *picture, wend_write_fn *write, void *context) {
    wend_picture own;
    wend__drawing drawing;
    if (!take_picture(picture, &own) || check_arguments(&own) || !write) return WEND_BAD_ARGUMENT;
    describe(&drawing, &own);
    wend_error error = check_cells(&own, &drawing.info);
    if (error) return error;
    if (refusal(&drawing)) return WEND_UNSUPPORTED;
    wend__class_inks(&drawing.rules, drawing.inks);
    wend__outlet outlet = {.write = write, .context = context};
    error = draw(&drawing, &outlet);
    wend__drawing_drop(&drawing);
    return error;
}
