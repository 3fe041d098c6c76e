/* SPDX-License-Identifier: MIT */
/* Writing maps to a callback or a file. The map is checked first: nothing is written if the format cannot hold it. */
#include "base/system/replace.h"
#include "io/text/file.h"
#include "io/writers/write_map.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <wend/ways.h>
#include <wend/formats.h>

const char *wend__format_name(int32_t format) {
    return format == WEND_FORMAT_GRID_TEXT  ? "grid text"
           : format == WEND_FORMAT_MOVINGAI ? "a MovingAI map"
           : format == WEND_FORMAT_VOXEL    ? "a .3dmap"
           : format == WEND_FORMAT_BAKED    ? "a baked map"
                                            : "a DIMACS graph";
}

void wend__name_cell(const wend__map_writer *writer, wend_cell cell, char out[WEND__CELL_BYTES]) {
    if (writer->version->kind == WEND_KIND_GRID)
        snprintf(out, WEND__CELL_BYTES, "cell %d,%d", (int)cell.x, (int)cell.y);
    else if (writer->version->kind == WEND_KIND_VOXEL)
        snprintf(out, WEND__CELL_BYTES, "cell %d,%d,%d", (int)cell.x, (int)cell.y, (int)cell.z);
    else
        snprintf(out, WEND__CELL_BYTES, "node %d", (int)cell.x);
}

wend_error wend__refuse_class(const wend__map_writer *writer, wend_cell cell, uint8_t terrain) {
    char name[WEND__CELL_BYTES];
    wend__name_cell(writer, cell, name);
    return wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "%s is of class %d, which %s cannot hold", name,
                      (int)terrain, wend__format_name(writer->format));
}

/* ---- what can be written ---- */

static bool knows_kind(int32_t format, int32_t kind) {
    if (kind == WEND_KIND_GRAPH) return format == WEND_FORMAT_DIMACS;
    if (format == WEND_FORMAT_GRID_TEXT || format == WEND_FORMAT_BAKED) return true;
    return format == (kind == WEND_KIND_GRID ? WEND_FORMAT_MOVINGAI : WEND_FORMAT_VOXEL);
}

static wend_error check_kind(const wend__map_writer *writer) {
    int32_t kind = writer->version->kind;
    if (knows_kind(writer->format, kind)) return WEND_OK;
    const char *what = kind == WEND_KIND_GRID    ? "a flat grid"
                       : kind == WEND_KIND_VOXEL ? "a grid of voxels"
                                                 : "a graph";
    return wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "%s cannot be written as %s", what,
                      wend__format_name(writer->format));
}

static wend_error check_steps(const wend__map_writer *writer) {
    wend_step step;
    size_t count;
    char from[WEND__CELL_BYTES], to[WEND__CELL_BYTES];
    if (writer->version->closed_steps == 0) return WEND_OK;
    wend_map_get_closed_steps(writer->map, &step, 1, &count);
    wend__name_cell(writer, step.from, from);
    wend__name_cell(writer, step.to, to);
    return wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "the step from %s to %s is closed, which %s cannot hold",
                      from, to, wend__format_name(writer->format));
}

/* Returns whether the format can hold the whole map. */
static wend_error check(const wend__map_writer *writer) {
    bool graph = writer->version->kind == WEND_KIND_GRAPH;
    int32_t code = check_kind(writer);
    if (writer->format == WEND_FORMAT_BAKED) return code ? code : wend__check_baked(writer);
    if (!code) code = graph ? wend__check_graph(writer) : wend__check_cells(writer);
    if (!code && writer->map->wrap)
        code = wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "the map wraps, which %s cannot hold",
                          wend__format_name(writer->format));
    if (!code && writer->map->sheets)
        code = wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "the map has sheets, which %s cannot hold",
                          wend__format_name(writer->format));
    if (!code && !graph) code = wend__check_markers(writer);
    if (!code) code = check_steps(writer);
    return code ? code : wend__check_links(writer);
}

/* Markers off the map are bad arguments: no cell of a call is out of range. */
static wend_error check_markers(const wend__map_writer *writer) {
    const wend_map_markers *markers = &writer->markers;
    if (markers->has_start && !wend__map_has(writer->map, markers->start))
        return wend__refuse(WEND_BAD_ARGUMENT, "markers.start is off the map");
    if (markers->has_goal && !wend__map_has(writer->map, markers->goal))
        return wend__refuse(WEND_BAD_ARGUMENT, "markers.goal is off the map");
    return WEND_OK;
}

static wend_error read_markers(const wend_map_markers *theirs, wend_map_markers *out) {
    *out = (wend_map_markers){.struct_bytes = sizeof *out};
    return !theirs || WEND__READ_STRUCT(wend_map_markers, goal, out, theirs) ? WEND_OK : WEND_BAD_ARGUMENT;
}

/* On WEND_OK the caller has to call end(). */
static wend_error begin(wend__map_writer *writer, const wend_map *map, int32_t format, const wend_map_markers *markers,
                        wend_file_error *error) {
    wend_map_markers own;
    if (!wend__file_error_fits(error)) return WEND_BAD_ARGUMENT;
    wend_error bad = map ? WEND_OK : wend__refuse_null("map");
    if (!bad) bad = wend__check_range("format", format, WEND_FORMAT_GRID_TEXT, WEND_FORMAT_BAKED);
    if (!bad) bad = read_markers(markers, &own);
    if (bad) return wend__fail_as_noted(error, bad);
    *writer = (wend__map_writer){.map = map, .format = format, .error = error};
    if (format == WEND_FORMAT_GRID_TEXT) writer->markers = own;
    wend__fill_letters(format, writer->letters);
    if (check_markers(writer)) return wend__fail_as_noted(error, WEND_BAD_ARGUMENT);
    writer->version = wend__map_acquire((wend_map *)map, false);
    int32_t code = check(writer);
    if (code) wend__map_release(writer->version, false);
    return code;
}

static void end(wend__map_writer *writer) {
    wend__map_release(writer->version, false);
}

/* ---- to a callback ---- */

typedef void put_fn(wend__map_writer *writer, wend__sink *sink);

static void put_map(wend__map_writer *writer, wend__sink *sink) {
    if (writer->format == WEND_FORMAT_BAKED)
        wend__put_baked(writer, sink);
    else if (writer->version->kind == WEND_KIND_GRAPH)
        wend__put_graph(writer, sink);
    else
        wend__put_cells(writer, sink);
}

static void put_coordinates(wend__map_writer *writer, wend__sink *sink) {
    wend__put_coordinates(writer, sink);
}

static wend_error put_all(wend__map_writer *writer, put_fn *put, wend_write_fn *write, void *context) {
    wend__sink sink;
    wend__sink_init(&sink, write, context);
    put(writer, &sink);
    return wend__sink_flush(&sink);
}

wend_error wend_map_write(const wend_map *map, int32_t format, const wend_map_markers *markers, wend_write_fn *write,
                          void *context, wend_file_error *error) {
    wend__map_writer writer;
    if (!write) return wend__fail_as_noted(error, wend__refuse_null("write"));
    int32_t code = begin(&writer, map, format, markers, error);
    if (code) return code;
    code = put_all(&writer, put_map, write, context);
    end(&writer);
    return code ? wend__fail(error, code, NULL, "could not be written whole") : WEND_OK;
}

/* ---- to files ---- */

static wend_error write_stream(void *context, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? WEND_OK : WEND_IO;
}

/* `about`: the start of an error text. */
static wend_error fail_to_write(const wend__map_writer *writer, const char *about, wend_error code, int reason) {
    return wend__fail(writer->error, code, NULL, "%scannot be written: %s", about, wend__errno_text(reason));
}

/* On WEND_OK the caller has to call end_file(). */
static wend_error begin_file(wend__map_writer *writer, put_fn *put, const char *path, const char *about,
                             wend__replacement *file) {
    int reason = wend__replace_begin(file, path);
    if (reason)
        return wend__fail(writer->error, WEND_IO, NULL, "%scannot be opened for writing: %s", about,
                          wend__errno_text(reason));
    setvbuf(file->stream, NULL, _IONBF, 0); /* the sink has a buffer; and each error appears at its own write */
    errno = 0;
    const int32_t code = put_all(writer, put, write_stream, file->stream);
    if (!code) return WEND_OK;
    return fail_to_write(writer, about, code, wend__replace_end(file, errno ? errno : EIO));
}

static wend_error end_file(const wend__map_writer *writer, const char *about, wend__replacement *file) {
    const int reason = wend__replace_end(file, 0);
    return reason ? fail_to_write(writer, about, WEND_IO, reason) : WEND_OK;
}

static wend_error save_file(wend__map_writer *writer, const char *path) {
    wend__replacement file;
    const int32_t code = begin_file(writer, put_map, path, "", &file);
    return code ? code : end_file(writer, "", &file);
}

/* Checks that the coordinates file can be written. Without coordinates, it must not exist. */
static wend_error check_beside(const wend__map_writer *writer, const char *beside, const char *name) {
    if (wend__has_coordinates(writer)) return wend__check_coordinates(writer);
    if (!wend__file_exists(beside)) return WEND_OK;
    return wend__fail(writer->error, WEND_IO, NULL,
                      "%s is there already: it would be read with this graph, which has no "
                      "coordinates",
                      name);
}

/* Both files are written aside before one is put in its place. The graph's comes last: a graph without its coordinates
 * would be read as another one. */
static wend_error save_both(wend__map_writer *writer, const char *path, const char *beside, const char *name) {
    char about[WEND__NAME_BYTES + 2];
    wend__replacement graph, coordinates;
    snprintf(about, sizeof about, "%s: ", name);
    int32_t code = begin_file(writer, put_map, path, "", &graph);
    if (code) return code;
    code = begin_file(writer, put_coordinates, beside, about, &coordinates);
    if (!code) code = end_file(writer, about, &coordinates);
    if (!code) return end_file(writer, "", &graph);
    wend__replace_end(&graph, ECANCELED);
    return code;
}

static wend_error save_graph(wend__map_writer *writer, const char *path, const char *beside) {
    char name[WEND__NAME_BYTES];
    wend__file_name(beside, name);
    const int32_t code = check_beside(writer, beside, name);
    if (code) return code;
    return wend__has_coordinates(writer) ? save_both(writer, path, beside, name) : save_file(writer, path);
}

wend_error wend_map_save(const wend_map *map, const char *path, int32_t format, const wend_map_markers *markers,
                         wend_file_error *error) {
    wend__map_writer writer;
    char beside[FILENAME_MAX];
    if (!path) return wend__fail_as_noted(error, wend__refuse_null("path"));
    int32_t code = begin(&writer, map, format, markers, error);
    if (code) return code;
    if (format == WEND_FORMAT_DIMACS && wend__coordinates_path(path, beside))
        code = save_graph(&writer, path, beside);
    else
        code = save_file(&writer, path);
    end(&writer);
    return code;
}
