/* SPDX-License-Identifier: MIT */
/* Details of io.h. Those of errors in files are the texts of their wend_file_error, with the place before them. */
#include "detail/refused.h"

#include <wend/formats.h>

static const char bad[] = "Rows 1\nColumns 2\n0 x0\n";

static wend_error write_nothing(void *context, const void *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return WEND_OK;
}

Test(detail, of_map_files) {
    OWNED_MAP *map = NULL;
    FAILS(BAD_FORMAT, "3:3: 'x0' stands here only...", wend_map_parse(bad, sizeof bad - 1, NULL, &map, NULL, NULL));
    FAILS(IO, "cannot be opened: No such file or directory", wend_map_load("none", NULL, &map, NULL, NULL));
    map = make_grid();
    BAD("format is 6, but must be from 1 to 5", wend_map_write(map, 6, NULL, write_nothing, NULL, NULL));
    FAILS(IO, "cannot be opened for writing...", wend_map_save(map, "none/none", WEND_FORMAT_GRID_TEXT, NULL, NULL));
}
