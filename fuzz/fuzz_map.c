/* SPDX-License-Identifier: MIT */
/* Map files: any bytes give a map or an error with its cause and place. A map that is written reads back as the same
 * map, and a map that was read can be written in its own format. */
#include "fuzz_bytes.h"
#include "io/readers/map_readers.h"

#include <wend/wend.h>
#include <wend/formats.h>
#include <wend/graph.h>
#include <wend/ways.h>

static wend_map_def small_map(void) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.max_bytes = 8u << 20;
    return def;
}

static void check_same_node(const wend_map *a, const wend_map *b, uint32_t node) {
    wend_edge one[8], two[8];
    size_t count = 0, other = 0;
    FUZZ_CHECK(wend_map_get_edges(a, node, one, 8, &count) == wend_map_get_edges(b, node, two, 8, &other));
    FUZZ_CHECK(count == other && memcmp(one, two, (count < 8 ? count : 8) * sizeof *one) == 0);
}

static void check_same_links(const wend_map *a, const wend_map *b, size_t count) {
    size_t other;
    wend_link *links = calloc(2 * count + 1, sizeof *links);
    FUZZ_CHECK(links);
    wend_map_get_links(a, links, count, &other);
    FUZZ_CHECK(other == count);
    wend_map_get_links(b, links + count, count, &other);
    FUZZ_CHECK(memcmp(links, links + count, count * sizeof *links) == 0);
    free(links);
}

static void check_same_cells(const wend_map *a, const wend_map *b, const wend_map_info *info) {
    if (info->cells > 1 << 20) return;
    size_t cells = (size_t)info->cells;
    wend_box all = {{0, 0, 0}, {info->width - 1, info->height - 1, info->depth - 1}};
    uint8_t *classes = malloc(2 * cells);
    FUZZ_CHECK(classes);
    FUZZ_CHECK(wend_map_get_terrain_box(a, all, classes, (size_t)info->width) == WEND_OK);
    FUZZ_CHECK(wend_map_get_terrain_box(b, all, classes + cells, (size_t)info->width) == WEND_OK);
    FUZZ_CHECK(memcmp(classes, classes + cells, cells) == 0);
    free(classes);
}

static void check_same(const wend_map *a, const wend_map *b) {
    wend_map_info one = {.struct_bytes = sizeof one}, two = {.struct_bytes = sizeof two};
    wend_map_get_info(a, &one);
    wend_map_get_info(b, &two);
    FUZZ_CHECK(one.kind == two.kind && one.width == two.width && one.height == two.height && one.depth == two.depth);
    FUZZ_CHECK(one.cells == two.cells && one.edges == two.edges && one.links == two.links);
    check_same_links(a, b, (size_t)one.links);
    if (one.kind != WEND_KIND_GRAPH) check_same_cells(a, b, &one);
    for (uint32_t node = 0; one.kind == WEND_KIND_GRAPH && node < (uint32_t)one.width; node++)
        check_same_node(a, b, node);
}

static int same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_markers(const wend_map_markers *a, const wend_map_markers *b) {
    FUZZ_CHECK(a->format == b->format && a->has_start == b->has_start && a->has_goal == b->has_goal);
    FUZZ_CHECK(!a->has_start || same_cell(a->start, b->start));
    FUZZ_CHECK(!a->has_goal || same_cell(a->goal, b->goal));
}

static void write_and_read_back(const wend_map *map, const wend_map_markers *markers, int32_t format) {
    fuzz_bytes file = {0};
    wend_file_error error = {.struct_bytes = sizeof error};
    int32_t result = wend_map_write(map, format, markers, fuzz_append, &file, &error);
    FUZZ_CHECK(result == WEND_OK || (result == WEND_UNSUPPORTED && error.text[0] && file.size == 0));
    FUZZ_CHECK(result == WEND_OK || !markers || markers->format != format);
    if (result == WEND_OK) {
        FUZZ_CHECK(wend_format_detect(file.bytes, file.size) == format);
        wend_map_def def = small_map();
        def.max_bytes = WEND_NO_LIMIT;
        wend_map *again;
        wend_map_markers same = {.struct_bytes = sizeof same};
        FUZZ_CHECK(wend_map_parse(file.bytes, file.size, &def, &again, &same, &error) == WEND_OK);
        check_same(map, again);
        if (markers && markers->format == format) check_markers(markers, &same);
        wend_map_release(again);
    }
    free(file.bytes);
}

/* The same bytes as the coordinates of a graph of four nodes. */
static void try_coordinates(const uint8_t *data, size_t size) {
    wend__coordinates_file file = {.bytes = data, .size = size, .name = "x.co"};
    wend_cell at[5];
    wend_file_error error = {.struct_bytes = sizeof error};
    int32_t result = wend__coordinates_parse(&file, 4, at, &error);
    for (int i = 0; i <= 4 && result == WEND_OK; i++) FUZZ_CHECK(at[i].z == 0);
    if (result == WEND_OK) return;
    FUZZ_CHECK(result == WEND_BAD_FORMAT && strncmp(error.text, "x.co:", 5) == 0);
    fuzz_check_error(&error, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    wend_map_def def = small_map();
    wend_map *map = NULL;
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    wend_file_error error = {.struct_bytes = sizeof error};
    try_coordinates(data, size);
    /* a header alone may claim billions of voxels, and the map then takes seconds and no bytes of the file to make */
    if (wend_format_detect(data, size) == WEND_FORMAT_VOXEL) def.max_bytes = 1u << 20;
    int32_t result = wend_map_parse(data, size, &def, &map, &markers, &error);
    if (result != WEND_OK) {
        int in_file = result == WEND_BAD_FORMAT || result == WEND_UNSUPPORTED;
        FUZZ_CHECK(map == NULL && (in_file || result == WEND_OUT_OF_MEMORY));
        fuzz_check_error(&error, in_file);
        return 0;
    }
    FUZZ_CHECK(wend_format_detect(data, size) == markers.format);
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    for (int32_t format = WEND_FORMAT_GRID_TEXT; format <= WEND_FORMAT_BAKED; format++)
        if (info.cells <= 1 << 22) write_and_read_back(map, &markers, format);
    wend_map_release(map);
    return 0;
}
