/* SPDX-License-Identifier: MIT */
/* Writing maps as grid text and MovingAI .map. The map is read twice: first to refuse what the format cannot hold, so
 * that nothing is written then. */
#include "io/file.h"
#include "io/formats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PART_CELLS = 4096 }; /* of a row, read at a time: no memory is asked for */

typedef struct map_writer {
    const wend_map *map;
    int32_t format, width, height;
    wend_map_markers markers;
    char letters[256]; /* the byte that stands for each class; 0: none does */
} map_writer;

static void fill_letters(int32_t format, char letters[256]) {
    memset(letters, 0, 256);
    if (format == WEND_FORMAT_MOVINGAI) {
        letters[WEND_CLASS_BLOCKED] = '@';
        letters[WEND_CLASS_OPEN] = '.';
        letters[WEND_CLASS_SWAMP] = 'S';
        letters[WEND_CLASS_WATER] = 'W';
        return;
    }
    letters[WEND_CLASS_BLOCKED] = '1';
    letters[WEND_CLASS_OPEN] = '0';
    for (int i = 2; i <= 9; i++) letters[i] = (char)('0' + i);
}

static bool on_map(const map_writer *writer, wend_cell cell) {
    return cell.x >= 0 && cell.x < writer->width && cell.y >= 0 && cell.y < writer->height && cell.z == 0;
}

static int32_t begin(map_writer *writer, const wend_map *map, int32_t format, const wend_map_markers *markers) {
    wend_map_info info;
    bool known = format == WEND_FORMAT_GRID_TEXT || format == WEND_FORMAT_MOVINGAI;
    if (!map || !known || (markers && markers->struct_bytes != sizeof *markers)) return WEND_BAD_ARGUMENT;
    info.struct_bytes = sizeof info;
    wend_map_describe(map, &info);
    *writer = (map_writer){.map = map, .format = format, .width = info.width, .height = info.height};
    if (markers && format == WEND_FORMAT_GRID_TEXT) writer->markers = *markers;
    fill_letters(format, writer->letters);
    if (writer->markers.has_start && !on_map(writer, writer->markers.start)) return WEND_BAD_ARGUMENT;
    if (writer->markers.has_goal && !on_map(writer, writer->markers.goal)) return WEND_BAD_ARGUMENT;
    return WEND_OK;
}

/* Part of row y from x on; returns how many cells. */
static int32_t read_part(const map_writer *writer, int32_t x, int32_t y, uint8_t *classes) {
    int32_t count = writer->width - x < PART_CELLS ? writer->width - x : PART_CELLS;
    wend_box box = {{x, y, 0}, {x + count - 1, y, 0}};
    int32_t error = wend_map_read(writer->map, box, classes, PART_CELLS);
    WEND__ASSERT(error == WEND_OK);
    return count;
}

static int32_t refuse_class(int32_t x, int32_t y, uint8_t terrain, int32_t format, wend_file_error *error) {
    return wend__fail(error, WEND_UNSUPPORTED, NULL, "cell %d,%d is of class %d, which %s cannot hold", (int)x, (int)y,
                      (int)terrain, format == WEND_FORMAT_MOVINGAI ? "a MovingAI map" : "grid text");
}

static int32_t check_marker(const map_writer *writer, char letter, wend_cell cell, wend_file_error *error) {
    uint8_t terrain = 0;
    wend_map_terrain(writer->map, cell, &terrain);
    if (terrain == WEND_CLASS_OPEN) return WEND_OK;
    return wend__fail(error, WEND_UNSUPPORTED, NULL, "cell %d,%d is of class %d; in grid text '%c' stands on class 1",
                      (int)cell.x, (int)cell.y, (int)terrain, letter);
}

static int32_t check_markers(const map_writer *writer, wend_file_error *error) {
    const wend_map_markers *markers = &writer->markers;
    wend_cell a = markers->start, b = markers->goal;
    if (markers->has_start && markers->has_goal && a.x == b.x && a.y == b.y) {
        return wend__fail(error, WEND_UNSUPPORTED, NULL,
                          "cell %d,%d is both start and goal, which grid text cannot hold", (int)a.x, (int)a.y);
    }
    int32_t code = markers->has_start ? check_marker(writer, 'A', a, error) : WEND_OK;
    if (!code && markers->has_goal) code = check_marker(writer, 'B', b, error);
    return code;
}

/* Can the format hold all of it? */
static int32_t check(const map_writer *writer, wend_file_error *error) {
    uint8_t classes[PART_CELLS];
    for (int32_t y = 0; y < writer->height; y++) {
        for (int32_t x = 0, count; x < writer->width; x += count) {
            count = read_part(writer, x, y, classes);
            for (int32_t i = 0; i < count; i++)
                if (!writer->letters[classes[i]]) return refuse_class(x + i, y, classes[i], writer->format, error);
        }
    }
    return check_markers(writer, error);
}

static bool is_at(int32_t has, wend_cell cell, int32_t x, int32_t y) {
    return has && cell.x == x && cell.y == y;
}

static void put_grid_part(const map_writer *writer, wend__sink *sink, int32_t x, int32_t y, const uint8_t *classes,
                          int32_t count) {
    const wend_map_markers *markers = &writer->markers;
    char text[2 * PART_CELLS];
    for (int32_t i = 0; i < count; i++) {
        char letter = writer->letters[classes[i]];
        if (is_at(markers->has_start, markers->start, x + i, y)) letter = 'A';
        if (is_at(markers->has_goal, markers->goal, x + i, y)) letter = 'B';
        text[2 * i] = letter;
        text[2 * i + 1] = x + i + 1 < writer->width ? ' ' : '\n';
    }
    wend__sink_put(sink, text, 2 * (size_t)count);
}

static void put_movingai_part(const map_writer *writer, wend__sink *sink, int32_t x, const uint8_t *classes,
                              int32_t count) {
    char text[PART_CELLS];
    for (int32_t i = 0; i < count; i++) text[i] = writer->letters[classes[i]];
    wend__sink_put(sink, text, (size_t)count);
    if (x + count == writer->width) wend__sink_put(sink, "\n", 1);
}

static int32_t put_all(const map_writer *writer, wend_write_fn *write, void *context) {
    wend__sink sink;
    uint8_t classes[PART_CELLS];
    int width = (int)writer->width, height = (int)writer->height;
    wend__sink_init(&sink, write, context);
    if (writer->format == WEND_FORMAT_GRID_TEXT)
        wend__sink_print(&sink, "Rows %d\nColumns %d\n", height, width);
    else
        wend__sink_print(&sink, "type octile\nheight %d\nwidth %d\nmap\n", height, width);
    for (int32_t y = 0; y < writer->height && !sink.error; y++) {
        for (int32_t x = 0, count; x < writer->width; x += count) {
            count = read_part(writer, x, y, classes);
            if (writer->format == WEND_FORMAT_GRID_TEXT)
                put_grid_part(writer, &sink, x, y, classes, count);
            else
                put_movingai_part(writer, &sink, x, classes, count);
        }
    }
    return wend__sink_flush(&sink);
}

int32_t wend_map_write(const wend_map *map, int32_t format, const wend_map_markers *markers, wend_write_fn *write,
                       void *context, wend_file_error *error) {
    map_writer writer;
    int32_t code = write ? begin(&writer, map, format, markers) : WEND_BAD_ARGUMENT;
    if (code) return wend__fail_code(error, code);
    code = check(&writer, error);
    if (code) return code;
    code = put_all(&writer, write, context);
    return code ? wend__fail(error, code, NULL, "could not be written whole") : WEND_OK;
}

static int32_t write_stream(void *context, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? WEND_OK : WEND_IO;
}

int32_t wend_map_save(const wend_map *map, const char *path, int32_t format, const wend_map_markers *markers,
                      wend_file_error *error) {
    map_writer writer;
    int32_t code = path ? begin(&writer, map, format, markers) : WEND_BAD_ARGUMENT;
    if (code) return wend__fail_code(error, code);
    code = check(&writer, error);
    if (code) return code;
    errno = 0;
    FILE *stream = fopen(path, "wb");
    if (!stream) return wend__fail(error, WEND_IO, NULL, "cannot be opened for writing: %s", strerror(errno));
    setvbuf(stream, NULL, _IONBF, 0); /* the sink collects already; and so each failure shows at its own write */
    code = put_all(&writer, write_stream, stream);
    int reason = errno;
    if (fclose(stream) != 0 && !code) reason = errno, code = WEND_IO;
    if (!code) return WEND_OK;
    if (strncmp(path, "/dev/", 5) != 0) wend__remove_file(path);
    return wend__fail(error, code, NULL, "cannot be written: %s", strerror(reason));
}
