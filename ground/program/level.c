/* SPDX-License-Identifier: MIT */
/* Level files, by their names. */
#include "level.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "cli/world/world.h"
#include "obj.h"

static bool is_obj(const char *path) {
    static const char wanted[] = ".obj";
    const size_t length = strlen(path), size = sizeof wanted - 1;
    if (length < size) return false;
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)path[length - size + i]) != wanted[i]) return false;
    return true;
}

static int load_obj(const char *path, level_file *out) {
    size_t size;
    wend_file_error where = {.struct_bytes = sizeof where};
    char *bytes = cli_read_file(path, OBJ_MAX_BYTES, &size);
    if (!bytes) return CLI_BAD_INPUT;
    const wend_error error = obj_parse(bytes, size, &obj_default_limits, out, &where);
    free(bytes);
    return error ? cli_fail_file(path, error, &where) : CLI_DONE;
}

int level_load(const char *path, level_file *out) {
    *out = (level_file){0};
    return is_obj(path) ? load_obj(path, out) : level_load_other(path, out);
}
