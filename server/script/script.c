/* SPDX-License-Identifier: MIT */
/* Reads a script's lines, checks names and cells of an order, and reports errors with their place. */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"
#include "cli/output/messages.h"

void script_begin_world(script_state *script) {
    script->built = (cli_world){0};
    script->world = (world_state){.movers = &script->built.movers,
                                  .routes = &script->built.routes,
                                  .units = &script->built.units,
                                  .layers = &script->built.layers};
    wend_service_def_init(&script->built.limits.def, sizeof script->built.limits.def);
    wend_service_tuning_init(&script->built.limits.tuning, sizeof script->built.limits.tuning);
}

void script_init(script_state *script, const char *file, const char *text, size_t size, const script_options *options) {
    memset(script, 0, sizeof *script);
    script->file = file;
    script->text = text;
    script->size = size;
    script->options = options;
    script_begin_world(script);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        script->text += 3;
        script->size -= 3;
    }
}

int script_fail(script_state *script, size_t column, const char *format, ...) {
    char text[512];
    va_list arguments;
    if (script->quiet) return CLI_BAD_INPUT;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    script->failed = true;
    if (script->options->out) fflush(script->options->out);
    return cli_fail_at(script->file, script->line, column > INT_MAX ? INT_MAX : (int)column, "%s", text);
}

int script_no_memory(script_state *script) {
    script->starved = true;
    return script_fail(script, script->reader.word_count > 0 ? script->reader.words[0].column : 1, "out of memory");
}

/* Handles an error of the reader. */
static int fail_reader(script_state *script) {
    if (script->reader.why[0] == '\0') return script_no_memory(script);
    return script_fail(script, script->reader.wrong, "%s", script->reader.why);
}

bool script_next_line(script_state *script, int *status) {
    *status = CLI_DONE;
    script->reader.word_count = 0;
    script->reader.end_column = 1;
    if (script->next >= script->size) return false;
    if (script->line == INT_MAX) {
        *status = script_fail(script, 1, "more lines than can be counted");
        return false;
    }
    script->line++;
    const char *line = script->text + script->next;
    size_t left = script->size - script->next;
    const char *end = memchr(line, '\n', left);
    size_t length = end ? (size_t)(end - line) : left;
    script->next += end ? length + 1 : length;
    if (!wend__order_split(&script->reader, line, length)) *status = fail_reader(script);
    return !*status;
}

int script_read(script_state *script, wend_order *out) {
    script->reader.axes = wend__kind_axes(script->kind);
    script->reader.where = WEND__SCRIPT;
    return wend__order_read_words(&script->reader, out) ? CLI_DONE : fail_reader(script);
}

script_place script_mark(script_state *script) {
    const script_place place = {script->next, script->line, script->reader};
    script->reader = (wend__order_reader){0};
    script->quiet = true;
    return place;
}

bool script_return(script_state *script, script_place *place) {
    wend__order_reader_free(&script->reader);
    script->reader = place->reader;
    script->next = place->next;
    script->line = place->line;
    script->quiet = false;
    return !script->starved;
}

bool script_word_is(script_word word, const char *text) {
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

script_word script_word_of(const script_state *script, const wend_order *order, const void *member) {
    return wend__order_word(&script->reader, order, member, 0);
}

script_word script_name_of(const script_state *script, const wend_order *order, const wend_name *name) {
    return (script_word){name->text, name->length, script_word_of(script, order, name).column};
}

int script_refused(script_state *script, const wend_order *order, const world_error *error) {
    const bool goal = (wend__order_rows[order->kind].where & WEND__GIVES_GOAL) != 0;
    const bool off_map = error->refusal == WORLD_OUT_OF_RANGE && error->member;
    script_word word = script->reader.words[0];
    if (error->refusal == WORLD_NO_MEMORY) return script_no_memory(script);
    if (error->member) word = wend__order_word(&script->reader, order, error->member, error->index);
    const char *equals = off_map ? memchr(word.text, '=', word.length) : NULL;
    if (equals) word.length -= (size_t)(equals + 1 - word.text), word.text = equals + 1;
    const size_t column = word.column;
    world_error said = *error; /* a number may be too large for a cell: report the script's word */
    if (off_map) world_refuse_cell(&script->world, wend__show_word(word).text, error->member, &said);
    if (goal && error->error == WEND_BUSY)
        return script_fail(script, column, "more goals between two frames than there is room for: run a frame before");
    return script_fail(script, column, "%s", said.text);
}
