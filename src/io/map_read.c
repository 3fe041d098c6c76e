/* SPDX-License-Identifier: MIT */
/* Reading a map from memory or a file: find the format, hand over to its parser. */
#include "io/file.h"
#include "io/formats.h"
#include "map/version/map.h"
#include <wend/acceleration.h>

static wend_error refuse(int32_t looks, const wend__word *first, wend_file_error *error) {
    char quote[WEND__QUOTE_BYTES];
    wend__quote(first, quote);
    if (looks == WEND__LOOKS_SCENARIO) return wend__fail(error, WEND_BAD_FORMAT, first, "not a map file: a scenario");
    if (looks == WEND__LOOKS_TILED)
        return wend__fail(error, WEND_UNSUPPORTED, first, "Tiled maps are read by libwend-extra");
    return wend__fail(error, WEND_BAD_FORMAT, first,
                      "not a map file: expected 'Rows', 'Columns', 'Layers' (grid text), 'type' (MovingAI), 'voxel' or "
                      "'p sp' (DIMACS), found %s",
                      quote);
}

static wend_error check_arguments(const wend_map_markers *markers, const wend_file_error *error, wend_map **out) {
    if (!out) return WEND_BAD_ARGUMENT;
    if (markers && !wend__sized_fits(markers, WEND__FIRST_BYTES(wend_map_markers, goal))) return WEND_BAD_ARGUMENT;
    return wend__file_error_fits(error) ? WEND_OK : WEND_BAD_ARGUMENT;
}

static wend_error accelerate(const wend__map_source *source, wend_map **out) {
    wend_error code = wend_map_accelerate(*out, source->def->acceleration);
    if (!code) return WEND_OK;
    wend_map_release(*out);
    *out = NULL;
    return wend__fail_code(source->error, code);
}

static wend_error parse(wend__map_source *source, wend_map **out, wend_map_markers *markers) {
    wend__word first;
    int32_t looks = wend__looks_like(source->bytes, source->size, &first), code;
    if (looks == WEND__LOOKS_GRID_TEXT)
        code = wend__grid_text_parse(source, out);
    else if (looks == WEND__LOOKS_MOVINGAI)
        code = wend__movingai_parse(source, out);
    else if (looks == WEND__LOOKS_VOXEL)
        code = wend__voxel_parse(source, out);
    else if (looks == WEND__LOOKS_DIMACS)
        code = wend__dimacs_parse(source, out);
    else
        code = refuse(looks, &first, source->error);
    /* what the map room refuses has no place in the file */
    if (code && code != WEND_BAD_FORMAT && code != WEND_UNSUPPORTED) wend__fail_code(source->error, code);
    if (!code && source->def->acceleration) code = accelerate(source, out);
    if (code || !markers) return code;
    source->markers.format = looks;
    wend__sized_give(markers, WEND__FIRST_BYTES(wend_map_markers, goal), &source->markers, sizeof source->markers);
    return WEND_OK;
}

wend_error wend_map_parse(const void *bytes, size_t size, const wend_map_def *def, wend_map **out,
                          wend_map_markers *markers, wend_file_error *error) {
    wend_map_def own;
    wend_map_rules rules;
    wend__map_source source = {.bytes = bytes, .size = size, .def = &own, .error = error};
    wend_error code = check_arguments(markers, error, out);
    if (code) return wend__fail_code(error, code);
    code = bytes || !size ? wend__map_def_take(def, &own, &rules) : WEND_BAD_ARGUMENT;
    return code ? wend__fail_code(error, code) : parse(&source, out, markers);
}

/* ---- files: a graph's coordinates are in a second one ---- */

/* The .co file beside a .gr file, where there is one; `bytes` stay empty where there is none. */
static wend_error read_coordinates(const char *path, wend_allocator allocator, wend__file_bytes *bytes,
                                   wend__coordinates_file *out, wend_file_error *error) {
    wend_file_error inside = {.struct_bytes = sizeof inside};
    char beside[FILENAME_MAX];
    if (!wend__coordinates_path(path, beside) || !wend__file_exists(beside)) return WEND_OK;
    wend__file_name(beside, out->name);
    int32_t code = wend__file_read(beside, allocator, bytes, &inside);
    out->bytes = bytes->bytes;
    out->size = bytes->size;
    if (code == WEND_OUT_OF_MEMORY) return wend__fail_code(error, code);
    return code ? wend__fail(error, code, NULL, "%s: %s", out->name, inside.text) : WEND_OK;
}

/* The file's bytes are those of a graph. */
static wend_error parse_graph(wend__map_source *source, const char *path, wend_map **out, wend_map_markers *markers) {
    wend__coordinates_file coordinates = {.bytes = NULL};
    wend__file_bytes bytes = {.bytes = NULL};
    int32_t code = read_coordinates(path, source->def->allocator, &bytes, &coordinates, source->error);
    if (code) return code;
    if (coordinates.bytes) source->coordinates = &coordinates;
    code = parse(source, out, markers);
    wend__file_drop(&bytes);
    return code;
}

wend_error wend_map_load(const char *path, const wend_map_def *def, wend_map **out, wend_map_markers *markers,
                         wend_file_error *error) {
    wend_map_def own;
    wend_map_rules rules;
    wend__file_bytes file;
    wend__word first;
    wend_error code = check_arguments(markers, error, out);
    if (code) return wend__fail_code(error, code);
    code = path ? wend__map_def_take(def, &own, &rules) : WEND_BAD_ARGUMENT;
    if (code) return wend__fail_code(error, code);
    code = wend__file_read(path, own.allocator, &file, error);
    if (code) return code;
    wend__map_source source = {.bytes = file.bytes, .size = file.size, .def = &own, .error = error};
    if (wend__looks_like(file.bytes, file.size, &first) == WEND__LOOKS_DIMACS)
        code = parse_graph(&source, path, out, markers);
    else
        code = parse(&source, out, markers);
    wend__file_drop(&file);
    return code;
}
