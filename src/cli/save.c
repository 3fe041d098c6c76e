/* SPDX-License-Identifier: MIT */
/* Map files written by name: the ending says the format. */
#include <string.h>

#include "save.h"

int cli_format_of(const char *path, int32_t *format) {
    static const char *const later[] = {".3dmap", ".gr", ".co", ".tmj"};
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (dot == NULL || (slash != NULL && dot < slash)) dot = "";
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (strcmp(dot, later[i]) == 0)
            return cli_fail("%s: %s files are not available in this version", path, later[i]);
    }
    if (strcmp(dot, ".txt") == 0)
        *format = WEND_FORMAT_GRID_TEXT;
    else if (strcmp(dot, ".map") == 0)
        *format = WEND_FORMAT_MOVINGAI;
    else
        return cli_fail("%s: the name's ending says the format: .txt (grid text) or .map (MovingAI)", path);
    return -1;
}

int cli_save(const wend_map *map, const char *path, int32_t format, const wend_map_markers *markers) {
    wend_file_error where = {.struct_bytes = sizeof where};
    int32_t error = wend_map_save(map, path, format, markers, &where);
    return error == WEND_OK ? -1 : cli_fail_file(path, error, &where);
}
