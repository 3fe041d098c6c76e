/* SPDX-License-Identifier: MIT */
/* `load CX,CY FROM FILE`: reads a chunk's cells from a map file of the same size, as changes that name each run of
 * cells. So recordings and journals need no file. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "script/script.h"
#include "cli/world/world.h"

void script_land_file_free(script_land_file *file) {
    wend_map_release(file->map);
    free(file->path);
    *file = (script_land_file){0};
}

/* Takes the path. */
static int open_file(script_state *script, script_word word, char *path) {
    script_land_file *file = &script->land_file;
    wend_file_error where = {.struct_bytes = sizeof where};
    wend_map_info info = {.struct_bytes = sizeof info};
    if (file->map && strcmp(file->path, path) == 0) {
        free(path);
        return CLI_DONE;
    }
    script_land_file_free(file);
    file->path = path;
    const wend_error error = wend_map_load(path, NULL, &file->map, NULL, &where);
    if (error) {
        file->map = NULL;
        return cli_fail_file(path, error, &where);
    }
    wend_map_get_info(file->map, &info);
    if (info.kind == WEND_KIND_GRID && info.width == script->width && info.height == script->height) return CLI_DONE;
    script_land_file_free(file);
    if (info.kind != WEND_KIND_GRID) return script_fail(script, word.column, "its map is not flat");
    return script_fail(script, word.column, "its map has %d x %d cells, this one %d x %d", (int)info.width,
                       (int)info.height, (int)script->width, (int)script->height);
}

/* Requires a chunk on the map. */
static int fill(script_state *script, wend_cell chunk) {
    const wend_cell first = {chunk.x * WEND_CHUNK_SIDE, chunk.y * WEND_CHUNK_SIDE, 0};
    wend_change_item *items;
    const size_t count = cli_chunk_changes(script->land_file.map, first, chunk, &items);
    int status = count ? CLI_DONE : script_no_memory(script);
    for (size_t i = 1; i < count && !status; i++) {
        wend_order order = {.kind = items[i].kind, .change = items[i].change};
        status = script_act_change(script, &order);
    }
    free(items);
    return status;
}

int script_act_load(script_state *script, wend_order *order) {
    const wend_cell chunk = order->load.change.from;
    const script_word word = script_word_of(script, order, &order->load.file);
    const bool named = wend_order_gave(order, &order->load.file);
    if (named != (order->load.change.value == WEND_FROM_FILE))
        return script_fail(script, named ? word.column : script->reader.end_column,
                           named ? "a file stands behind FROM" : "which file?");
    if (!named) return script_act_change(script, order);
    if (script->options->no_files) return script_fail(script, word.column, "no map file may be opened here");
    order->load.change.value = WEND_CLASS_BLOCKED;
    int status = script_act_change(script, order);
    if (status) return status;
    char *path = script_path_beside(script->file, word);
    if (!path) return script_no_memory(script);
    status = open_file(script, word, path);
    return status ? status : fill(script, chunk);
}
