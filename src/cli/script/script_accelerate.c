/* SPDX-License-Identifier: MIT */
/* The command accelerate: makes the data of the fast engine where the script says so. */
#include <wend/acceleration.h>

#include "cli/script/script.h"
#include "cli/script/world.h"
#include "cli/shared/engine.h"

/* Words of the command that were read already. */
enum { MOVER = 1u << 0, LANDMARKS = 1u << 1, UNITS = 1u << 2 };

static int note_word(cli_script *script, cli_word word, const char *name, unsigned bit, unsigned *given) {
    if (*given & bit) return cli_script_fail(script, word.column, "%s is given twice", name);
    *given |= bit;
    return -1;
}

static int read_mover(cli_script *script, cli_word value, cli_arguments *out) {
    out->value = cli_world_mover(&script->built, value.text, value.length);
    if (out->value >= 0) return -1;
    return cli_script_fail(script, value.column, "there is no mover '%s'", cli_quoted(value).text);
}

static int read_word(cli_script *script, cli_word word, unsigned *given, cli_arguments *out) {
    cli_word key, value;
    int status;
    if (cli_word_is(word, "units")) {
        out->numbers[1] = 1;
        return note_word(script, word, "units", UNITS, given);
    }
    const bool option = cli_word_split(word, &key, &value);
    if (option && cli_word_is(key, "mover")) {
        status = note_word(script, word, "mover", MOVER, given);
        return status == -1 ? read_mover(script, value, out) : status;
    }
    if (option && cli_word_is(key, "landmarks")) {
        status = note_word(script, word, "landmarks", LANDMARKS, given);
        if (status != -1) return status;
        return cli_read_range(script, value, "landmarks", 0, WEND_MAX_LANDMARKS, &out->numbers[0]);
    }
    return cli_script_fail(script, word.column, "'%s' is none of mover=NAME, landmarks=N and units",
                           cli_quoted(word).text);
}

/* value: the mover. numbers: the landmarks, and 1 where units are served. */
int cli_parse_accelerate(cli_script *script, cli_arguments *out) {
    unsigned given = 0;
    int status = -1;
    out->value = script->built.default_mover;
    out->numbers[0] = script->options->landmarks;
    for (size_t i = 1; status == -1 && i < script->word_count; i++)
        status = read_word(script, script->words[i], &given, out);
    return status;
}

int cli_script_accelerate_first(cli_script *script) {
    int status;
    cli_place place = cli_script_mark(script);
    while (!script->accelerated && cli_script_next_line(script, &status))
        script->accelerated = script->word_count > 0 && cli_word_is(script->words[0], "accelerate");
    if (!cli_script_return(script, place)) return cli_script_no_memory(script);
    if (script->accelerated) return -1;
    return cli_engine_prepare(script->built.map, script->options->engine, script->options->landmarks);
}

/* Before the first frame the map is epoch 0, whatever was published: the data is made for the map as built so far.
 * Later on it is made for the newest version, and edits that wait are applied to it when they are published. */
int cli_act_accelerate(cli_script *script, const cli_arguments *arguments) {
    int status = script->frames == 0 ? cli_script_publish(script) : -1;
    if (status != -1) return status;
    script->changed = script->accelerated = true;
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    def.mover = arguments->value;
    def.landmarks = (int32_t)arguments->numbers[0];
    def.units = (int32_t)arguments->numbers[1];
    wend_error error = wend_map_accelerate(script->built.map, &def);
    if (error == WEND_OK) return -1;
    if (error == WEND_OUT_OF_MEMORY) return cli_script_no_memory(script);
    return cli_script_fail(script, script->words[0].column, "accelerate: %s", wend_error_text(error));
}
