/* SPDX-License-Identifier: MIT */
/* A chunk of land by itself: its file, a flat map of the chunk's size, and the changes that load it. */
#include "cli/world/world.h"

#include <stdio.h>
#include <stdlib.h>

bool cli_chunk_path(const char *folder, wend_cell chunk, char out[CLI_PATH_BYTES]) {
    const int length = snprintf(out, CLI_PATH_BYTES, "%s/%d,%d.wend", folder, (int)chunk.x, (int)chunk.y);
    return length > 0 && length < CLI_PATH_BYTES;
}

wend_box cli_chunk_box(const wend_map *map, wend_cell chunk) {
    wend_map_info info = {.struct_bytes = sizeof info};
    const wend_cell first = {chunk.x * WEND_CHUNK_SIDE, chunk.y * WEND_CHUNK_SIDE, 0};
    wend_map_get_info(map, &info);
    return (wend_box){first,
                      {cli_least(first.x + WEND_CHUNK_SIDE, info.width) - 1,
                       cli_least(first.y + WEND_CHUNK_SIDE, info.height) - 1, 0}};
}

static wend_error fill(wend_map *map, wend_cell size, const uint8_t *classes) {
    wend_edit *edit = NULL;
    const wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {size.x - 1, size.y - 1, 0}}, classes, (size_t)size.x);
    return wend_edit_publish(edit, NULL);
}

wend_error cli_chunk_write(const wend_map *from, wend_cell chunk, const char *path, wend_file_error *where) {
    const wend_box box = cli_chunk_box(from, chunk);
    const wend_cell size = {box.max.x - box.min.x + 1, box.max.y - box.min.y + 1, 1};
    uint8_t classes[WEND_CHUNK_SIDE * WEND_CHUNK_SIDE];
    wend_map_def def;
    wend_map *map = NULL;
    wend_map_def_init(&def, sizeof def);
    def.width = size.x, def.height = size.y;
    wend_map_get_terrain_box(from, box, classes, (size_t)size.x);
    wend_error error = wend_map_create(&def, &map);
    if (!error) error = fill(map, size, classes);
    if (!error) error = wend_map_save(map, path, WEND_FORMAT_BAKED, NULL, where);
    wend_map_release(map);
    return error;
}

size_t cli_chunk_changes(const wend_map *from, wend_cell first, wend_cell chunk, wend_change_item **out) {
    uint8_t classes[WEND_CHUNK_SIDE];
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(from, &info);
    const int32_t width = cli_least(WEND_CHUNK_SIDE, info.width - first.x);
    const int32_t height = cli_least(WEND_CHUNK_SIDE, info.height - first.y);
    const size_t most = (size_t)width * (size_t)height + 1;
    wend_change_item *items = malloc(most * sizeof *items);
    size_t count = 0;
    *out = items;
    if (!items) return 0;
    items[count++] = (wend_change_item){WEND_ORDER_LOAD, {.from = chunk, .to = chunk, .value = WEND_CLASS_BLOCKED}};
    for (int32_t y = 0; y < height; y++) {
        const wend_box row = {{first.x, first.y + y, 0}, {first.x + width - 1, first.y + y, 0}};
        const wend_cell left = {chunk.x * WEND_CHUNK_SIDE, chunk.y * WEND_CHUNK_SIDE + y, 0};
        wend_map_get_terrain_box(from, row, classes, sizeof classes);
        for (int32_t x = 0, end; x < width; x = end) {
            for (end = x + 1; end < width && classes[end] == classes[x];) end++;
            if (classes[x] == WEND_CLASS_BLOCKED) continue;
            const wend_cell a = {left.x + x, left.y, 0}, b = {left.x + end - 1, left.y, 0};
            items[count++] = (wend_change_item){WEND_ORDER_FILL, {.from = a, .to = b, .value = classes[x]}};
        }
    }
    return count;
}
