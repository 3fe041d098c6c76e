/* SPDX-License-Identifier: MIT */
/* Details of io.h. Those of errors in files are the texts of their wend_file_error, with the place before them. */
#include "detail/refused.h"

#include <math.h>
#include <wend/scen.h>
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

Test(detail, of_scenario_files) {
    static const char line[] = "version 1\n0 a.map 10 8 0 0 11 1 5\n";
    wend_file_error error = {.struct_bytes = 1};
    wend_scen_query query = {.map = "a.map", .width = 10, .height = 8, .depth = 1, .length = NAN};
    wend_scen *scen;
    BAD("out is NULL", wend_scen_parse(line, sizeof line - 1, NULL, NULL));
    BAD(ABSENT("bytes"), wend_scen_parse(NULL, 5, &scen, NULL));
    BAD(SIZED("wend_file_error", 1), wend_scen_parse(line, sizeof line - 1, &scen, &error));
    FAILS(BAD_FORMAT, "2:18: expected the goal's x...", wend_scen_parse(line, sizeof line - 1, &scen, NULL));
    BAD("path is NULL", wend_scen_load(NULL, &scen, NULL));
    BAD("out is NULL", wend_scen_load("none", NULL, NULL));
    FAILS(IO, "cannot be opened: No such file or directory", wend_scen_load("none", &scen, NULL));
    BAD("write is NULL", wend_scen_write(&query, 1, NULL, NULL));
    BAD(ABSENT("queries"), wend_scen_write(NULL, 1, write_nothing, NULL));
    BAD("queries[0] is none that a scenario file can hold", wend_scen_write(&query, 1, write_nothing, NULL));
    query.length = 1;
    FAILS(IO, "the callback that writes returned an error", wend_scen_write(&query, 1, fail_to_write, NULL));
}
