/* SPDX-License-Identifier: MIT */
/* Details of io.h. Those of errors in files are the texts of their wend_file_error, with the place before them. */
#include "detail/refused.h"

#include <math.h>
#include <wend/formats.h>

static const char good[] = "Rows 1\nColumns 2\n0 0\n", bad[] = "Rows 1\nColumns 2\n0 x0\n";

static wend_error write_nothing(void *context, const void *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return WEND_OK;
}

static wend_error fail_to_write(void *context, const void *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return WEND_IO;
}

Test(detail, of_map_files) {
    wend_map_markers markers = {.struct_bytes = 1};
    wend_file_error error = {.struct_bytes = 1};
    OWNED_MAP *map = NULL;
    BAD("out is NULL", wend_map_parse(good, sizeof good - 1, NULL, NULL, NULL, NULL));
    BAD(ABSENT("bytes"), wend_map_parse(NULL, 5, NULL, &map, NULL, NULL));
    BAD(SIZED("wend_map_markers", 1), wend_map_parse(good, sizeof good - 1, NULL, &map, &markers, NULL));
    BAD(SIZED("wend_file_error", 1), wend_map_parse(good, sizeof good - 1, NULL, &map, NULL, &error));
    FAILS(BAD_FORMAT, "3:3: 'x0' stands here only...", wend_map_parse(bad, sizeof bad - 1, NULL, &map, NULL, NULL));
    BAD("path is NULL", wend_map_load(NULL, NULL, &map, NULL, NULL));
    FAILS(IO, "cannot be opened: No such file or directory", wend_map_load("none", NULL, &map, NULL, NULL));
    map = make_grid();
    BAD("map is NULL", wend_map_write(NULL, WEND_FORMAT_GRID_TEXT, NULL, write_nothing, NULL, NULL));
    BAD("write is NULL", wend_map_write(map, WEND_FORMAT_GRID_TEXT, NULL, NULL, NULL, NULL));
    BAD("format is 6, but must be from 1 to 5", wend_map_write(map, 6, NULL, write_nothing, NULL, NULL));
    BAD(SIZED("wend_map_markers", 1), wend_map_write(map, WEND_FORMAT_GRID_TEXT, &markers, write_nothing, NULL, NULL));
    markers = (wend_map_markers){.struct_bytes = sizeof markers, .has_start = 1, .start = CELL(10, 0)};
    BAD("markers.start is off the...", wend_map_write(map, WEND_FORMAT_GRID_TEXT, &markers, write_nothing, NULL, NULL));
    FAILS(UNSUPPORTED, "a flat grid...", wend_map_write(map, WEND_FORMAT_DIMACS, NULL, write_nothing, NULL, NULL));
    FAILS(IO, "could not be written...", wend_map_write(map, WEND_FORMAT_GRID_TEXT, NULL, fail_to_write, NULL, NULL));
    BAD("path is NULL", wend_map_save(map, NULL, WEND_FORMAT_GRID_TEXT, NULL, NULL));
    FAILS(IO, "cannot be opened for writing...", wend_map_save(map, "none/none", WEND_FORMAT_GRID_TEXT, NULL, NULL));
}
