/* SPDX-License-Identifier: MIT */
/* MAP arguments and `map FILE`: map files and world files, told apart by what they hold. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

/* The whole of a file, with a zero behind it. NULL: errno says why. */
static char *read_whole(const char *path, size_t *size) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL) return NULL;
    size_t capacity = (size_t)1 << 16, used = 0;
    errno = 0;
    char *bytes = malloc(capacity);
    while (bytes != NULL) {
        used += fread(bytes + used, 1, capacity - 1 - used, file);
        if (used < capacity - 1) break;
        char *more = capacity > SIZE_MAX / 2 ? NULL : realloc(bytes, capacity * 2);
        if (more == NULL) free(bytes);
        bytes = more;
        capacity *= 2;
    }
    int error = bytes == NULL ? ENOMEM : ferror(file) ? (errno != 0 ? errno : EIO) : 0;
    if (!standard) fclose(file);
    if (error == 0) {
        bytes[used] = '\0';
        *size = used;
        return bytes;
    }
    free(bytes);
    errno = error;
    return NULL;
}

char *cli_read_file(const char *path, size_t *size) {
    char *bytes = read_whole(path, size);
    if (bytes == NULL) cli_fail_at(path, 0, 0, "%s", strerror(errno));
    return bytes;
}

static int load_map(const char *path, const char *bytes, size_t size, cli_world *out) {
    wend_map_def def = wend_map_default();
    wend_file_error where = {.struct_bytes = sizeof where};
    out->markers = (wend_map_markers){.struct_bytes = sizeof out->markers};
    int32_t error = wend_map_parse(bytes, size, &def, &out->map, &out->markers, &where);
    if (error == WEND_OK) return -1;
    if (error == WEND_BAD_FORMAT && wend_detect_format(bytes, size) == WEND_FORMAT_UNKNOWN)
        return cli_fail_at(path, where.line, where.column,
                           "%s; nor a script, which begins with map, grid, voxels or graph", where.text);
    return cli_fail_file(path, error, &where);
}

static int load_script(const char *path, const char *bytes, size_t size, int32_t depth, const cli_run_options *options,
                       cli_world *out) {
    cli_script script;
    cli_script_init(&script, path, bytes, size, options);
    script.depth = depth;
    script.world = true;
    int status = cli_script_run(&script);
    cli_script_free(&script);
    if (status == -1)
        *out = script.built;
    else
        cli_world_free(&script.built);
    return status;
}

static int load(const char *path, const char *bytes, size_t size, int32_t depth, const cli_run_options *options,
                cli_world *out) {
    if (cli_script_begins(bytes, size)) return load_script(path, bytes, size, depth, options, out);
    return load_map(path, bytes, size, out);
}

int cli_world_load(const char *path, cli_world *out) {
    static const cli_run_options options = {0};
    size_t size;
    cli_world world = {0};
    char *bytes = cli_read_file(path, &size);
    if (bytes == NULL) return CLI_BAD_INPUT;
    int status = load(path, bytes, size, 0, &options, &world);
    free(bytes);
    if (status == -1) *out = world;
    return status;
}

void cli_world_free(cli_world *world) {
    wend_map_release(world->map);
    world->map = NULL;
}

/* FILE as seen from the script's own folder. NULL: no memory. */
static char *resolve(const char *script, cli_word file) {
    const char *slash = strrchr(script, '/');
    size_t folder = slash == NULL || file.text[0] == '/' || cli_word_is(file, "-") ? 0 : (size_t)(slash - script) + 1;
    char *path = malloc(folder + file.length + 1);
    if (path == NULL) return NULL;
    memcpy(path, script, folder);
    memcpy(path + folder, file.text, file.length);
    path[folder + file.length] = '\0';
    return path;
}

static int load_path(cli_script *script, cli_word file, const char *path) {
    size_t size;
    char *bytes = read_whole(path, &size);
    if (bytes == NULL) return cli_script_fail(script, file.column, "cannot read '%s': %s", path, strerror(errno));
    cli_world world = {0};
    int status;
    if (script->depth == CLI_MAX_DEPTH && cli_script_begins(bytes, size))
        status =
            cli_script_fail(script, file.column, "'%s' is a world file in more than %d others", path, CLI_MAX_DEPTH);
    else
        status = load(path, bytes, size, script->depth + 1, script->options, &world);
    free(bytes);
    if (status == -1) script->built = world;
    return status;
}

int cli_world_load_from(cli_script *script, cli_word file) {
    if (script->options->no_files) return cli_script_fail(script, file.column, "map files are closed");
    if (cli_word_is(file, "-") && strcmp(script->file, "-") == 0)
        return cli_script_fail(script, file.column, "standard input is this script already");
    char *path = resolve(script->file, file);
    if (path == NULL) return cli_script_no_memory(script);
    int status = load_path(script, file, path);
    free(path);
    return status;
}
