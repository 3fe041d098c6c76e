/* SPDX-License-Identifier: MIT */
/* Writing the cells of grids and voxels: as grid text, MovingAI .map and .3dmap. The map is read in parts of a
 * row, so no memory is allocated. */
#include "io/writers/write_map.h"

#include <string.h>

enum { PART_CELLS = 4096 };

void wend__fill_letters(int32_t format, char letters[256]) {
    bool grid = format == WEND_FORMAT_GRID_TEXT;
    memset(letters, 0, 256);
    letters[WEND_CLASS_BLOCKED] = grid ? '1' : '@';
    letters[WEND_CLASS_OPEN] = grid ? '0' : '.';
    if (format == WEND_FORMAT_MOVINGAI) letters[WEND_CLASS_SWAMP] = 'S', letters[WEND_CLASS_WATER] = 'W';
    for (int i = 2; i <= 9 && grid; i++) letters[i] = (char)('0' + i);
}

/* Reads a part of a row. @return how many cells */
static wend_error read_part(const wend__map_writer *writer, wend_cell from, uint8_t classes[PART_CELLS]) {
    int32_t width = writer->version->width, count = width - from.x < PART_CELLS ? width - from.x : PART_CELLS;
    wend_box box = {from, {from.x + count - 1, from.y, from.z}};
    wend_error error = wend_map_get_terrain_box(writer->map, box, classes, PART_CELLS);
    WEND__ASSERT(error == WEND_OK);
    return count;
}

/* Moves to the next part, in the order of the cells' numbers. False: that was the last. */
static bool next_part(const wend__map_writer *writer, wend_cell *at, int32_t count) {
    const wend__version *v = writer->version;
    at->x += count;
    if (at->x == v->width) at->x = 0, at->y++;
    if (at->y == v->height) at->y = 0, at->z++;
    return at->z < v->depth;
}

wend_error wend__check_cells(const wend__map_writer *writer) {
    uint8_t classes[PART_CELLS];
    wend_cell at = {0, 0, 0};
    int32_t count;
    do {
        count = read_part(writer, at, classes);
        for (int32_t i = 0; i < count; i++)
            if (!writer->letters[classes[i]])
                return wend__refuse_class(writer, (wend_cell){at.x + i, at.y, at.z}, classes[i]);
    } while (next_part(writer, &at, count));
    return WEND_OK;
}

/* ---- start and goal ---- */

static wend_error check_marker(const wend__map_writer *writer, char letter, wend_cell cell) {
    uint8_t terrain = 0;
    char name[WEND__CELL_BYTES];
    wend_map_get_terrain(writer->map, cell, &terrain);
    if (terrain == WEND_CLASS_OPEN) return WEND_OK;
    wend__name_cell(writer, cell, name);
    return wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "%s is of class %d; in grid text '%c' stands on class 1",
                      name, (int)terrain, letter);
}

wend_error wend__check_markers(const wend__map_writer *writer) {
    const wend_map_markers *markers = &writer->markers;
    wend_cell a = markers->start, b = markers->goal;
    char name[WEND__CELL_BYTES];
    if (markers->has_start && markers->has_goal && a.x == b.x && a.y == b.y && a.z == b.z) {
        wend__name_cell(writer, a, name);
        return wend__fail(writer->error, WEND_UNSUPPORTED, NULL,
                          "%s is both start and goal, which grid text cannot hold", name);
    }
    int32_t code = markers->has_start ? check_marker(writer, 'A', a) : WEND_OK;
    if (!code && markers->has_goal) code = check_marker(writer, 'B', b);
    return code;
}

static bool is_at(int32_t has, wend_cell marker, wend_cell part, int32_t i) {
    return has && marker.x == part.x + i && marker.y == part.y && marker.z == part.z;
}

/* ---- each format ---- */

static void put_grid_part(wend__map_writer *writer, wend__sink *sink, wend_cell at, const uint8_t *classes,
                          int32_t count) {
    const wend_map_markers *markers = &writer->markers;
    const wend__version *v = writer->version;
    uint32_t first = wend__cell_number(v, at);
    char text[2 * PART_CELLS];
    size_t used = 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t teleport = wend__teleport_number(writer, first + (uint32_t)i);
        char letter = writer->letters[classes[i]];
        if (is_at(markers->has_start, markers->start, at, i)) letter = 'A';
        if (is_at(markers->has_goal, markers->goal, at, i)) letter = 'B';
        if (teleport) {
            wend__sink_put(sink, text, used);
            wend__sink_print(sink, "t%lu", (unsigned long)teleport);
            used = 0;
        } else {
            text[used++] = letter;
        }
        text[used++] = at.x + i + 1 < v->width ? ' ' : '\n';
    }
    wend__sink_put(sink, text, used);
    /* a blank line between layers is easier to read */
    bool layer_ends = at.x + count == v->width && at.y + 1 == v->height;
    if (layer_ends && at.z + 1 < v->depth) wend__sink_put(sink, "\n", 1);
}

static void put_movingai_part(const wend__map_writer *writer, wend__sink *sink, wend_cell at, const uint8_t *classes,
                              int32_t count) {
    char text[PART_CELLS];
    for (int32_t i = 0; i < count; i++) text[i] = writer->letters[classes[i]];
    wend__sink_put(sink, text, (size_t)count);
    if (at.x + count == writer->version->width) wend__sink_put(sink, "\n", 1);
}

static void put_voxel_part(wend__sink *sink, wend_cell at, const uint8_t *classes, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (classes[i] == WEND_CLASS_BLOCKED)
            wend__sink_print(sink, "%d %d %d\n", (int)(at.x + i), (int)at.y, (int)at.z);
}

static void put_header(const wend__map_writer *writer, wend__sink *sink) {
    const wend__version *v = writer->version;
    int width = (int)v->width, height = (int)v->height, depth = (int)v->depth;
    if (writer->format == WEND_FORMAT_MOVINGAI) {
        wend__sink_print(sink, "type octile\nheight %d\nwidth %d\nmap\n", height, width);
    } else if (writer->format == WEND_FORMAT_VOXEL) {
        wend__sink_print(sink, "voxel %d %d %d\n", width, height, depth);
    } else {
        if (v->kind == WEND_KIND_VOXEL) wend__sink_print(sink, "Layers %d\n", depth);
        wend__sink_print(sink, "Rows %d\nColumns %d\n", height, width);
    }
}

wend_error wend__put_cells(wend__map_writer *writer, wend__sink *sink) {
    uint8_t classes[PART_CELLS];
    wend_cell at = {0, 0, 0};
    int32_t count;
    put_header(writer, sink);
    do {
        count = read_part(writer, at, classes);
        if (writer->format == WEND_FORMAT_GRID_TEXT)
            put_grid_part(writer, sink, at, classes, count);
        else if (writer->format == WEND_FORMAT_MOVINGAI)
            put_movingai_part(writer, sink, at, classes, count);
        else
            put_voxel_part(sink, at, classes, count);
    } while (!sink->error && next_part(writer, &at, count));
    return sink->error;
}
