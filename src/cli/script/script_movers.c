/* SPDX-License-Identifier: MIT */
/* The command mover: kinds of agents. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"
#include "cli/script/world.h"

static int read_factor(cli_script *script, cli_word word, uint8_t *out) {
    uint64_t factor;
    if (cli_word_is(word, "blocked")) {
        *out = 0;
        return -1;
    }
    int status = cli_read_range(script, word, "a factor is blocked or a number; that", 1, 255, &factor);
    if (status == -1) *out = (uint8_t)factor;
    return status;
}

static int read_class_factor(cli_script *script, cli_word key, cli_word value, bool given[256], uint8_t factors[256]) {
    uint64_t terrain;
    uint8_t factor = 0;
    int status = cli_read_range(script, key, "a class", 0, 255, &terrain);
    if (status == -1) status = read_factor(script, value, &factor);
    if (status != -1) return status;
    if (given[terrain]) return cli_script_fail(script, key.column, "class %" PRIu64 " is given twice", terrain);
    if (terrain == WEND_CLASS_BLOCKED && factor != 0)
        return cli_script_fail(script, key.column, "class 0 is blocked for every mover");
    given[terrain] = true;
    factors[terrain] = factor;
    return -1;
}

static int read_size(cli_script *script, cli_word word, cli_word value, bool *given, int32_t *out) {
    uint64_t size = 1;
    if (*given) return cli_script_fail(script, word.column, "size is given twice");
    *given = true;
    int status = cli_read_range(script, value, "size", 1, WEND_MAX_MOVER_SIZE, &size);
    if (status != -1) return status;
    if (script->kind == WEND_KIND_GRAPH && size > 1)
        return cli_script_fail(script, word.column, "on a graph every mover has size 1");
    *out = (int32_t)size;
    return -1;
}

/* The map's rules always have the classes of `default`: a class that is not named is as there. */
int cli_parse_mover(cli_script *script, cli_arguments *out) {
    bool given[256] = {false}, has_size = false;
    wend_mover_init(&out->mover, sizeof out->mover);
    out->name = script->words[1];
    cli_script_rules(script, &out->rules);
    for (size_t i = 2; i < script->word_count; i++) {
        cli_word word = script->words[i], key, value;
        int status;
        if (!cli_word_split(word, &key, &value))
            return cli_script_fail(script, word.column, "'%s' is neither size=N nor CLASS=FACTOR",
                                   cli_quoted(word).text);
        if (cli_word_is(key, "size"))
            status = read_size(script, word, value, &has_size, &out->mover.size);
        else
            status = read_class_factor(script, key, value, given, out->rules.factors);
        if (status != -1) return status;
    }
    memcpy(out->mover.factors, out->rules.factors, sizeof out->mover.factors);
    return -1;
}

#define MOST_MOVERS "a map has at most %d movers, `default` with each size it had"

static int fail_twice(cli_script *script, cli_word name) {
    return cli_script_fail(script, name.column, "there is a mover '%s' already", cli_quoted(name).text);
}

static int add_mover(cli_script *script, const cli_arguments *arguments, int32_t *id) {
    cli_word name = arguments->name;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    if (info.movers >= WEND_MAX_MOVERS) return cli_script_fail(script, name.column, MOST_MOVERS, WEND_MAX_MOVERS);
    wend_error error = wend_map_add_mover(script->built.map, &arguments->mover, id);
    if (error == WEND_OUT_OF_MEMORY) return cli_script_no_memory(script);
    if (error != WEND_OK) return cli_script_fail(script, name.column, "mover: %s", wend_error_detail(error));
    return cli_world_name_mover(&script->built, name.text, name.length) ? -1 : cli_script_no_memory(script);
}

/* The map's first mover has size 1: a larger `default` is a mover of its own. */
static int set_default(cli_script *script, const cli_arguments *arguments) {
    int32_t id = WEND_MOVER_DEFAULT;
    if (script->requested)
        return cli_script_fail(script, script->words[0].column, "mover default comes before the first request");
    int status = cli_act_rules(script, arguments);
    if (status == -1 && arguments->mover.size > 1) status = add_mover(script, arguments, &id);
    if (status == -1) script->built.default_mover = id;
    return status;
}

/* ---- movers after the first request ---- */

/* A map takes no mover while it is searched. So the movers of all later lines are added at the first request: nothing
   that defines them changes after it. They get their names when their lines are read, in the same order. */
static int add_ahead(cli_script *script) {
    static const char nobody[] = "";
    cli_arguments said;
    int32_t id;
    memset(&said, 0, sizeof said);
    if (!cli_word_is(script->words[0], "mover") || script->word_count < 2) return -1;
    if (cli_word_is(script->words[1], "default") || cli_parse_mover(script, &said) != -1) return -1;
    said.name = (cli_word){nobody, 0, 1};
    return add_mover(script, &said, &id);
}

int cli_script_movers_ahead(cli_script *script) {
    int status;
    cli_place place = cli_script_mark(script);
    size_t named = script->built.mover_count;
    while (cli_script_next_line(script, &status))
        if (script->word_count > 0 && add_ahead(script) != -1) break;
    script->unnamed = named;
    return cli_script_return(script, place) ? -1 : cli_script_no_memory(script);
}

static int name_mover(cli_script *script, const cli_arguments *arguments) {
    cli_word name = arguments->name;
    if (cli_world_mover(&script->built, name.text, name.length) >= 0) return fail_twice(script, name);
    if (script->unnamed == script->built.mover_count)
        return cli_script_fail(script, name.column, MOST_MOVERS, WEND_MAX_MOVERS);
    char *text = malloc(name.length + 1);
    if (text == NULL) return cli_script_no_memory(script);
    memcpy(text, name.text, name.length);
    text[name.length] = '\0';
    free(script->built.movers[script->unnamed]);
    script->built.movers[script->unnamed++] = text;
    return -1;
}

int cli_act_mover(cli_script *script, const cli_arguments *arguments) {
    int32_t id;
    cli_word name = arguments->name;
    if (cli_word_is(name, "default")) return set_default(script, arguments);
    if (script->requested) return name_mover(script, arguments);
    if (cli_world_mover(&script->built, name.text, name.length) >= 0) return fail_twice(script, name);
    return add_mover(script, arguments, &id);
}
