/* SPDX-License-Identifier: MIT */
/* Writes map files in the format of the name's ending. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output/messages.h"
#include "cli/world/world.h"
#include "cli/shared/save.h"

int cli_format_of(const char *path, int32_t *format) {
    static const struct {
        const char *ending;
        int32_t format;
    } known[] = {{".txt", WEND_FORMAT_GRID_TEXT},
                 {".map", WEND_FORMAT_MOVINGAI},
                 {".3dmap", WEND_FORMAT_VOXEL},
                 {".gr", WEND_FORMAT_DIMACS},
                 {".tmj", CLI_FORMAT_TILED}};
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (slash && slash[1] == 0) {
        *format = CLI_FORMAT_CHUNKS;
        return CLI_DONE;
    }
    if (!dot || (slash && dot < slash)) dot = "";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(dot, known[i].ending) != 0) continue;
        *format = known[i].format;
        return CLI_DONE;
    }
    if (strcmp(dot, ".co") == 0)
        return cli_fail("%s: coordinates are written with their graph: name that, as .gr", path);
    return cli_fail("%s: the name's ending says the format: .txt (grid text), .map (MovingAI), .3dmap (voxels), .gr "
                    "(DIMACS), .tmj (Tiled), or / for a folder of chunks",
                    path);
}

static wend_error save_tiled(const wend_map *map, const wend_map_markers *markers, const wend_tiled *tiled,
                             const char *path, wend_file_error *where) {
    const bool any = markers && (markers->has_start || markers->has_goal);
    wend_tiled extras = {.struct_bytes = sizeof extras};
    if (tiled) extras = *tiled;
    extras.markers = any ? markers : NULL;
    return wend_tiled_save(map, path, &extras, where);
}

/* Refuses data that the files have no place for. */
static int save_chunks(const wend_map *map, const char *folder) {
    wend_map_info info = {.struct_bytes = sizeof info};
    char path[CLI_PATH_BYTES];
    wend_map_get_info(map, &info);
    if (info.kind != WEND_KIND_GRID) return cli_fail("%s: only flat grids are kept as chunks", folder);
    if (info.links > 0 || info.closed_steps > 0)
        return cli_fail("%s: %s, which the files of chunks cannot hold", folder,
                        info.links > 0 ? "the map has links" : "the map has closed steps");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return cli_fail("%s: %s", folder, strerror(errno));
    for (int32_t y = 0; y * WEND_CHUNK_SIDE < info.height; y++)
        for (int32_t x = 0; x * WEND_CHUNK_SIDE < info.width; x++) {
            wend_file_error where = {.struct_bytes = sizeof where};
            if (!cli_chunk_path(folder, (wend_cell){x, y, 0}, path)) return cli_fail("%s: a long name", folder);
            const wend_error error = cli_chunk_write(map, (wend_cell){x, y, 0}, path, &where);
            if (error) return cli_fail_file(path, error, &where);
        }
    return CLI_DONE;
}

int cli_save(const wend_map *map, const wend_map_markers *markers, const wend_tiled *tiled, const char *path,
             int32_t format) {
    wend_file_error where = {.struct_bytes = sizeof where};
    if (format == CLI_FORMAT_CHUNKS) return save_chunks(map, path);
    bool ends = markers && (markers->has_start || markers->has_goal);
    wend_error error = format == CLI_FORMAT_TILED ? save_tiled(map, markers, tiled, path, &where)
                                                  : wend_map_save(map, path, format, ends ? markers : NULL, &where);
    return !error ? CLI_DONE : cli_fail_file(path, error, &where);
}
