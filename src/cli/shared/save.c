/* SPDX-License-Identifier: MIT */
/* Writes map files in the format that the name's ending asks for. */
#include <stdbool.h>
#include <string.h>

#include "host/output/messages.h"
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
    if (!dot || (slash && dot < slash)) dot = "";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(dot, known[i].ending) != 0) continue;
        *format = known[i].format;
        return HOST_DONE;
    }
    if (strcmp(dot, ".co") == 0)
        return host_fail("%s: coordinates are written with their graph: name that, as .gr", path);
    return host_fail("%s: the name's ending says the format: .txt (grid text), .map (MovingAI), .3dmap (voxels), .gr "
                     "(DIMACS) or .tmj (Tiled)",
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

int cli_save(const wend_map *map, const wend_map_markers *markers, const wend_tiled *tiled, const char *path,
             int32_t format) {
    wend_file_error where = {.struct_bytes = sizeof where};
    bool ends = markers && (markers->has_start || markers->has_goal);
    wend_error error = format == CLI_FORMAT_TILED ? save_tiled(map, markers, tiled, path, &where)
                                                  : wend_map_save(map, path, format, ends ? markers : NULL, &where);
    return !error ? HOST_DONE : host_fail_file(path, error, &where);
}
