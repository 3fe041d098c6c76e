/* SPDX-License-Identifier: MIT */
/* World files: the scripts of MAP arguments, and `map FILE` in a script. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "script/script.h"

char *script_path_beside(const char *path, script_word file) {
    const char *slash = strrchr(path, '/');
    size_t folder = !slash || file.text[0] == '/' || script_word_is(file, "-") ? 0 : (size_t)(slash - path) + 1;
    char *all = malloc(folder + file.length + 1);
    if (!all) return NULL;
    memcpy(all, path, folder);
    memcpy(all + folder, file.text, file.length);
    all[folder + file.length] = '\0';
    return all;
}

static int load_script(const char *path, const char *bytes, size_t size, int32_t depth, const script_options *options,
                       cli_world *out) {
    static const script_options none = {0};
    script_state script;
    script_init(&script, path, bytes, size, options ? options : &none);
    script.depth = depth;
    script.is_world = true;
    int status = script_run(&script);
    script_free(&script);
    if (!status)
        *out = script.built;
    else
        cli_world_free(&script.built);
    return status;
}

const cli_world_files cli_world_files_read = {load_script};

int script_load_served(const char *path, cli_world *out) {
    static const script_options options = {.serves = true};
    size_t size;
    cli_world loaded = {0};
    char *bytes = cli_read_file(path, 0, &size);
    if (!bytes) return CLI_BAD_INPUT;
    const int status = cli_world_parse(path, bytes, size, 0, &options, &loaded);
    free(bytes);
    if (!status) *out = loaded;
    return status;
}

static int load_path(script_state *script, script_word file, const char *path) {
    size_t size;
    char why[80], *bytes = cli_read_map(path, &size, why);
    if (!bytes) return script_fail(script, file.column, "cannot read '%s': %s", path, why);
    cli_world loaded = {0};
    int status;
    if (script->depth == SCRIPT_MAX_DEPTH && cli_script_begins(bytes, size))
        status =
            script_fail(script, file.column, "'%s' is a world file in more than %d others", path, SCRIPT_MAX_DEPTH);
    else
        status = cli_world_parse(path, bytes, size, script->depth + 1, script->options, &loaded);
    free(bytes);
    for (size_t i = 0; i < loaded.agents.count; i++) loaded.agents.items[i].line = 0;
    if (!status) {
        /* a map has no limits, and a script for `wend run` has its own */
        if (!script->is_world || loaded.limits.def.struct_bytes == 0) loaded.limits = script->built.limits;
        script->built = loaded;
    }
    return status;
}

int script_load_from(script_state *script, script_word file) {
    if (script->options->no_files) return script_fail(script, file.column, "no map file may be opened here");
    if (script_word_is(file, "-") && strcmp(script->file, "-") == 0)
        return script_fail(script, file.column, "standard input is this script already");
    char *path = script_path_beside(script->file, file);
    if (!path) return script_no_memory(script);
    const char *const of_command = cli_reading.letters;
    if (script->letters) cli_reading.letters = script->letters;
    int status = load_path(script, file, path);
    cli_reading.letters = of_command;
    free(path);
    return status;
}

int script_act_letters(script_state *script, wend_order *order) {
    size_t bytes = 1;
    for (size_t i = 0; i < order->names.count; i++) bytes += order->names.items[i].length + 1;
    char *text = calloc(1, bytes), *at = text;
    if (!text) return script_no_memory(script);
    for (size_t i = 0; i < order->names.count; i++) {
        const wend_name *name = &order->names.items[i];
        if (i > 0) *at++ = ',';
        memcpy(at, name->text, name->length);
        at += name->length;
    }
    free(script->letters);
    script->letters = text;
    char table[256];
    if (cli_letters_read(text, table)) return CLI_DONE;
    return script_fail(script, script->reader.words[1].column, CLI_LETTERS_FORM, text);
}
