/* SPDX-License-Identifier: MIT */
/* Reading a map from memory or a file: find the format, hand over to its parser. */
#include "io/file.h"
#include "io/formats.h"

static int32_t refuse(int32_t looks, const wend__word *first, wend_file_error *error) {
    const char *what = looks == WEND__LOOKS_VOXELS   ? "voxel maps"
                       : looks == WEND__LOOKS_DIMACS ? "DIMACS graphs"
                                                     : "Tiled maps";
    char quote[WEND__QUOTE_BYTES];
    wend__quote(first, quote);
    if (looks == WEND__LOOKS_SCENARIO) return wend__fail(error, WEND_BAD_FORMAT, first, "not a map file: a scenario");
    if (looks != WEND__LOOKS_UNKNOWN)
        return wend__fail(error, WEND_UNSUPPORTED, first, "%s are not available in this version", what);
    return wend__fail(error, WEND_BAD_FORMAT, first,
                      "not a map file: expected 'Rows', 'Columns' (grid text) or 'type' (MovingAI), found %s", quote);
}

static int32_t check_arguments(const void *bytes, size_t size, const wend_map_def *def, wend_map **out) {
    if (!out || (!bytes && size) || def->struct_bytes != sizeof *def || def->kind != WEND_KIND_GRID)
        return WEND_BAD_ARGUMENT;
    return WEND_OK;
}

int32_t wend_map_parse(const void *bytes, size_t size, const wend_map_def *def, wend_map **out,
                       wend_map_markers *markers, wend_file_error *error) {
    wend_map_def standard = wend_map_default();
    wend__map_source source = {.bytes = bytes, .size = size, .def = def ? def : &standard, .error = error};
    wend__word first;
    int32_t code = check_arguments(bytes, size, source.def, out);
    if (code) return wend__fail_code(error, code);
    int32_t looks = wend__looks_like(bytes, size, &first);
    if (looks == WEND__LOOKS_GRID_TEXT)
        code = wend__grid_text_parse(&source, out);
    else if (looks == WEND__LOOKS_MOVINGAI)
        code = wend__movingai_parse(&source, out);
    else
        code = refuse(looks, &first, error);
    /* what the map room refuses has no place in the file */
    if (code && code != WEND_BAD_FORMAT && code != WEND_UNSUPPORTED) wend__fail_code(error, code);
    if (code || !markers) return code;
    source.markers.struct_bytes = sizeof source.markers;
    source.markers.format = looks;
    *markers = source.markers;
    return WEND_OK;
}

int32_t wend_map_load(const char *path, const wend_map_def *def, wend_map **out, wend_map_markers *markers,
                      wend_file_error *error) {
    wend_map_def standard = wend_map_default();
    wend__file_bytes file;
    if (!path) return wend__fail_code(error, WEND_BAD_ARGUMENT);
    int32_t code = check_arguments(path, 0, def ? def : &standard, out);
    if (code) return wend__fail_code(error, code);
    code = wend__file_read(path, def ? def->allocator : standard.allocator, &file, error);
    if (code) return code;
    code = wend_map_parse(file.bytes, file.size, def, out, markers, error);
    wend__file_drop(&file);
    return code;
}
