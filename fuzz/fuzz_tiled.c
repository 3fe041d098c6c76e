/* SPDX-License-Identifier: MIT */
/* Tiled maps, JSON and XML: any bytes give a map or an error with its cause. A map that was read can be written, and
 * reads back as the same. A strict reader refuses exactly the maps that come with a warning. */
#include "fuzz_bytes.h"

#include <stdbool.h>
#include <wend/extra.h>

static void check_same_ground(const wend_map *a, const wend_map *b) {
    wend_map_info one = {.struct_bytes = sizeof one}, two = one;
    wend_map_get_info(a, &one);
    wend_map_get_info(b, &two);
    FUZZ_CHECK(one.width == two.width && one.height == two.height && one.links == two.links);
    for (int32_t y = 0; y < one.height; y++)
        for (int32_t x = 0; x < one.width; x++) {
            uint8_t c, d;
            FUZZ_CHECK(wend_map_get_terrain(a, (wend_cell){x, y, 0}, &c) == WEND_OK);
            FUZZ_CHECK(wend_map_get_terrain(b, (wend_cell){x, y, 0}, &d) == WEND_OK);
            FUZZ_CHECK(c == d);
        }
}

static void check_same_beside(const wend_tiled *a, const wend_tiled *b) {
    FUZZ_CHECK(a->markers->has_start == b->markers->has_start && a->markers->has_goal == b->markers->has_goal);
    FUZZ_CHECK(memcmp(&a->markers->start, &b->markers->start, sizeof(wend_cell)) == 0);
    FUZZ_CHECK(memcmp(&a->markers->goal, &b->markers->goal, sizeof(wend_cell)) == 0);
    FUZZ_CHECK(a->route_count == b->route_count);
    for (size_t i = 0; i < a->route_count; i++) {
        FUZZ_CHECK(strcmp(a->routes[i].name, b->routes[i].name) == 0);
        FUZZ_CHECK(a->routes[i].cell_count == b->routes[i].cell_count);
        FUZZ_CHECK(memcmp(a->routes[i].cells, b->routes[i].cells, a->routes[i].cell_count * sizeof(wend_cell)) == 0);
    }
}

static void check_warnings(const uint8_t *data, size_t size, const wend_map_def *def, const wend_tiled *beside) {
    wend_map *map = NULL;
    wend_tiled_def how;
    wend_file_error error = {.struct_bytes = sizeof error};
    wend_tiled_def_init(&how, sizeof how);
    how.strict = 1;
    const wend_error code = wend_tiled_parse(data, size, NULL, &how, def, &map, NULL, &error);
    FUZZ_CHECK(code == (beside->warning_count ? WEND_BAD_FORMAT : WEND_OK));
    if (code) FUZZ_CHECK(strncmp(error.text, beside->warnings[0], sizeof error.text - 1) == 0);
    if (code) fuzz_check_error(&error, 0);
    wend_map_release(map);
}

/* Hexagons, staggered maps and storeys are only read. */
static bool is_written(const wend_map *map, const wend_tiled *beside) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info.kind == WEND_KIND_GRID && beside->orientation < WEND_TILED_HEXAGONAL;
}

static void check_written(const wend_map *map, const wend_tiled *beside) {
    wend_map *again = NULL;
    wend_tiled *other = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    fuzz_bytes file = {0};
    const bool good = is_written(map, beside);
    FUZZ_CHECK(wend_tiled_write(map, beside, fuzz_append, &file, &error) == (good ? WEND_OK : WEND_UNSUPPORTED));
    if (good) {
        FUZZ_CHECK(wend_tiled_parse(file.bytes, file.size, NULL, NULL, NULL, &again, &other, &error) == WEND_OK);
        check_same_ground(map, again);
        check_same_beside(beside, other);
    }
    wend_tiled_free(other);
    wend_map_release(again);
    free(file.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    wend_map *map = NULL;
    wend_tiled *beside = NULL;
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_file_error error = {.struct_bytes = sizeof error};
    def.max_bytes = 64 << 20;
    const wend_tiled_def how = {.struct_bytes = sizeof how, .scene = 1};
    int32_t result = wend_tiled_parse(data, size, NULL, &how, &def, &map, &beside, &error);
    if (result != WEND_OK) {
        FUZZ_CHECK(!map && !beside);
        FUZZ_CHECK(result == WEND_BAD_FORMAT || result == WEND_UNSUPPORTED || result == WEND_OUT_OF_MEMORY);
        fuzz_check_error(&error, error.line > 0);
        return 0;
    }
    check_warnings(data, size, &def, beside);
    FUZZ_CHECK(beside->scene && strlen(beside->scene) == beside->scene_bytes && beside->scene[0] == '{');
    for (size_t i = 0; i < beside->image_count; i++) FUZZ_CHECK(beside->images[i][0] != '\0');
    check_written(map, beside);
    wend_tiled_free(beside);
    wend_map_release(map);
    return 0;
}
