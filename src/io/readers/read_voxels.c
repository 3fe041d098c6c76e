/* SPDX-License-Identifier: MIT */
/* Reading MovingAI .3dmap files: the size, then a line for each voxel that is blocked. */
#include "io/readers/map_readers.h"
#include "io/text/text.h"
#include "map/edit/edit.h"

static wend_error parse_header(wend__reader *reader, int32_t size[3], wend_file_error *error) {
    static const char *const names[] = {"the width", "the height", "the depth"};
    wend__line line;
    wend__word name;
    int32_t code = WEND_OK;
    uint64_t cells = 1;
    if (!wend__next_full_line(reader, &line, &name) || !wend__word_is(&name, "voxel"))
        return wend__expected(error, WEND_BAD_FORMAT, &name, "voxel and the map's size");
    line.at = name.end;
    for (int i = 0; i < 3 && !code; i++) {
        code = wend__expect_number(&line, names[i], 1, WEND_MAX_SIDE, &size[i], error);
        if (!code) cells *= (uint64_t)size[i];
    }
    if (!code) code = wend__expect_line_end(&line, error);
    if (code || cells <= WEND_MAX_CELLS) return code;
    return wend__fail(error, WEND_BAD_FORMAT, &name, "%d x %d x %d are more than %llu voxels", (int)size[0],
                      (int)size[1], (int)size[2], (unsigned long long)WEND_MAX_CELLS);
}

static wend_error parse_voxel(wend__line *line, const int32_t size[3], wend_cell *out, wend_file_error *error) {
    int32_t code = wend__expect_number(line, "a blocked voxel's x", 0, size[0] - 1, &out->x, error);
    if (!code) code = wend__expect_number(line, "a blocked voxel's y", 0, size[1] - 1, &out->y, error);
    if (!code) code = wend__expect_number(line, "a blocked voxel's z", 0, size[2] - 1, &out->z, error);
    return code ? code : wend__expect_line_end(line, error);
}

/* A voxel may be listed twice. */
static wend_error parse_voxels(wend__reader *reader, const int32_t size[3], wend_edit *edit, wend_file_error *error) {
    wend__line line;
    wend__word word;
    while (wend__next_full_line(reader, &line, &word)) {
        wend_cell cell = {0, 0, 0};
        int32_t code = parse_voxel(&line, size, &cell, error);
        if (!code) code = wend_edit_set_cell(edit, cell, WEND_CLASS_BLOCKED);
        if (code) return code;
    }
    return WEND_OK;
}

wend_error wend__voxel_parse(wend__map_source *source, wend_map **out) {
    int32_t size[3] = {0, 0, 0};
    wend_map *map;
    wend_edit *edit;
    wend__reader reader;
    wend__reader_init(&reader, source->bytes, source->size);
    int32_t code = parse_header(&reader, size, source->error);
    if (code) return code;
    wend_map_def def = wend__source_def(source, WEND_KIND_VOXEL, size[0], size[1], size[2]);
    code = wend_map_create(&def, &map);
    if (code) return code;
    code = wend_edit_begin(map, &edit);
    if (!code) {
        code = parse_voxels(&reader, size, edit, source->error);
        if (code)
            wend_edit_discard(edit);
        else
            code = wend__edit_publish_first(edit); /* frees the batch, on error too */
    }
    if (code)
        wend_map_release(map);
    else
        *out = map;
    return code;
}
