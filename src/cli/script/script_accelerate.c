/* SPDX-License-Identifier: MIT */
/* The command accelerate: makes the data of the fast engine where the script says so. */
#include <wend/acceleration.h>

#include "cli/script/script.h"
#include "cli/script/world.h"
#include "cli/shared/engine.h"

/* Words of the command that were read already. */
enum { MOVER = 1u << 0, LANDMARKS = 1u << 1, UNITS = 1u << 2, LATER = 1u << 3, TABLES = 1u << 4 };
enum { EFFORT = 1u << 5, BYTES = 1u << 6 };

/* Where numbers[] has what was read. */
enum { AT_LANDMARKS, AT_TABLES, AT_EFFORT, AT_BYTES, AT_LATER };

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

typedef struct number_word {
    const char *name;
    unsigned bit;
    size_t at;
    uint64_t most;
} number_word;

static const number_word number_words[] = {
    {"landmarks", LANDMARKS, AT_LANDMARKS, WEND_MAX_LANDMARKS},
    {"tables", TABLES, AT_TABLES, 1},
    {"effort", EFFORT, AT_EFFORT, UINT64_MAX},
    {"bytes", BYTES, AT_BYTES, UINT64_MAX},
};

static int read_word(cli_script *script, cli_word word, unsigned *given, cli_arguments *out) {
    cli_word key, value;
    int status;
    const bool all = cli_word_is(script->words[0], "prepare"); /* the command of recordings has more words */
    if (cli_word_is(word, "units")) return note_word(script, word, "units", UNITS, given); /* they always are */
    if (all && cli_word_is(word, "later")) {
        out->numbers[AT_LATER] = 1;
        return note_word(script, word, "later", LATER, given);
    }
    const bool option = cli_word_split(word, &key, &value);
    if (option && cli_word_is(key, "mover")) {
        status = note_word(script, word, "mover", MOVER, given);
        return status == -1 ? read_mover(script, value, out) : status;
    }
    for (size_t i = 0; option && i < sizeof number_words / sizeof number_words[0]; i++) {
        const number_word *known = &number_words[i];
        if (!cli_word_is(key, known->name) || !(all || known->bit == LANDMARKS)) continue;
        status = note_word(script, word, known->name, known->bit, given);
        return status == -1 ? cli_read_range(script, value, known->name, 0, known->most, &out->numbers[known->at])
                            : status;
    }
    return cli_script_fail(script, word.column, "'%s' is none of mover=NAME, landmarks=N and units",
                           cli_quoted(word).text);
}

/* value: the mover. */
int cli_parse_accelerate(cli_script *script, cli_arguments *out) {
    unsigned given = 0;
    int status = -1;
    out->value = script->built.default_mover;
    out->numbers[AT_LANDMARKS] = script->options->landmarks;
    out->numbers[AT_TABLES] = 1;
    out->numbers[AT_EFFORT] = WEND_LANDMARK_EFFORT;
    out->numbers[AT_BYTES] = WEND_NO_LIMIT;
    for (size_t i = 1; status == -1 && i < script->word_count; i++)
        status = read_word(script, script->words[i], &given, out);
    return status;
}

int cli_script_accelerate_first(cli_script *script) {
    int status;
    if (script->recorded) return -1;
    cli_place place = cli_script_mark(script);
    while (!script->accelerated && cli_script_next_line(script, &status))
        script->accelerated = script->word_count > 0 && cli_word_is(script->words[0], "accelerate");
    if (!cli_script_return(script, place)) return cli_script_no_memory(script);
    if (script->accelerated) return -1;
    const uint64_t landmarks = script->options->trial ? 4 : script->options->landmarks;
    return cli_engine_prepare(script->built.map, script->options->engine, landmarks);
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
    const uint64_t *numbers = arguments->numbers;
    def.landmarks = (int32_t)numbers[AT_LANDMARKS];
    def.tables = (int32_t)numbers[AT_TABLES];
    def.publish_effort = numbers[AT_EFFORT];
    def.max_bytes = numbers[AT_BYTES];
    def.later = (int32_t)numbers[AT_LATER];
    wend_error error = wend_map_accelerate(script->built.map, &def);
    if (error == WEND_OK) return -1;
    if (error == WEND_OUT_OF_MEMORY) return cli_script_no_memory(script);
    return cli_script_fail(script, script->words[0].column, "accelerate: %s", wend_error_detail(error));
}
