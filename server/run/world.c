/* SPDX-License-Identifier: MIT */
/* World files: the scripts behind MAP arguments, and `map FILE` in a script. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "script/script.h"

char *host_path_beside(const char *path, host_word file) {
    const char *slash = strrchr(path, '/');
    size_t folder = !slash || file.text[0] == '/' || host_word_is(file, "-") ? 0 : (size_t)(slash - path) + 1;
    char *all = malloc(folder + file.length + 1);
    if (!all) return NULL;
    memcpy(all, path, folder);
    memcpy(all + folder, file.text, file.length);
    all[folder + file.length] = '\0';
    return all;
}

static int load_script(const char *path, const char *bytes, size_t size, int32_t depth, const host_run_options *options,
                       host_world *out) {
    static const host_run_options none = {0};
    host_script script;
    host_script_init(&script, path, bytes, size, options ? options : &none);
    script.depth = depth;
    script.world = true;
    int status = host_script_run(&script);
    host_script_free(&script);
    if (!status)
        *out = script.built;
    else
        host_world_free(&script.built);
    return status;
}

const host_world_files host_world_files_read = {load_script};

int host_world_load_served(const char *path, host_world *out) {
    static const host_run_options options = {.serves = true};
    size_t size;
    host_world world = {0};
    char *bytes = host_read_file(path, 0, &size);
    if (!bytes) return HOST_BAD_INPUT;
    const int status = host_world_parse(path, bytes, size, 0, &options, &world);
    free(bytes);
    if (!status) *out = world;
    return status;
}

static int load_path(host_script *script, host_word file, const char *path) {
    size_t size;
    char why[80], *bytes = host_read_map(path, &size, why);
    if (!bytes) return host_script_fail(script, file.column, "cannot read '%s': %s", path, why);
    host_world world = {0};
    int status;
    if (script->depth == HOST_MAX_DEPTH && host_script_begins(bytes, size))
        status =
            host_script_fail(script, file.column, "'%s' is a world file in more than %d others", path, HOST_MAX_DEPTH);
    else
        status = host_world_parse(path, bytes, size, script->depth + 1, script->options, &world);
    free(bytes);
    for (size_t i = 0; i < world.agents.count; i++) world.agents.items[i].line = 0;
    if (!status) {
        /* a map has no limits, and a script for `wend run` has its own */
        if (!script->world || world.limits.def.struct_bytes == 0) world.limits = script->built.limits;
        script->built = world;
    }
    return status;
}

int host_world_load_from(host_script *script, host_word file) {
    if (script->options->no_files) return host_script_fail(script, file.column, "no map file may be opened here");
    if (host_word_is(file, "-") && strcmp(script->file, "-") == 0)
        return host_script_fail(script, file.column, "standard input is this script already");
    char *path = host_path_beside(script->file, file);
    if (!path) return host_script_no_memory(script);
    int status = load_path(script, file, path);
    free(path);
    return status;
}
