/* SPDX-License-Identifier: MIT */
/* Reads a script's lines, checks names and cells of an order, and reports errors with their place. */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"
#include "cli/shared/messages.h"
#include "cli/shared/options.h"

void cli_script_init(cli_script *script, const char *file, const char *text, size_t size,
                     const cli_run_options *options) {
    memset(script, 0, sizeof *script);
    script->file = file;
    script->text = text;
    script->size = size;
    script->options = options;
    script->host.movers = &script->built.movers;
    script->host.routes = &script->built.routes;
    script->host.units = &script->built.units;
    wend_service_def_init(&script->built.limits.def, sizeof script->built.limits.def);
    wend_tuning_init(&script->built.limits.tuning, sizeof script->built.limits.tuning);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        script->text += 3;
        script->size -= 3;
    }
}

int cli_script_fail(cli_script *script, size_t column, const char *format, ...) {
    char text[512];
    va_list arguments;
    if (script->quiet) return CLI_BAD_INPUT;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    script->failed = true;
    if (script->options->out != NULL) fflush(script->options->out);
    return cli_fail_at(script->file, script->line, column > INT_MAX ? INT_MAX : (int)column, "%s", text);
}

int cli_script_no_memory(cli_script *script) {
    script->starved = true;
    return cli_script_fail(script, script->reader.word_count > 0 ? script->reader.words[0].column : 1, "out of memory");
}

/* The reader has found an error. */
static int fail_reader(cli_script *script) {
    if (script->reader.why[0] == '\0') return cli_script_no_memory(script);
    return cli_script_fail(script, script->reader.wrong, "%s", script->reader.why);
}

bool cli_script_next_line(cli_script *script, int *status) {
    *status = -1;
    script->reader.word_count = 0;
    script->reader.end_column = 1;
    if (script->next >= script->size) return false;
    if (script->line == INT_MAX) {
        *status = cli_script_fail(script, 1, "more lines than can be counted");
        return false;
    }
    script->line++;
    const char *line = script->text + script->next;
    size_t left = script->size - script->next;
    const char *end = memchr(line, '\n', left);
    size_t length = end != NULL ? (size_t)(end - line) : left;
    script->next += end != NULL ? length + 1 : length;
    if (!wend__order_split(&script->reader, line, length)) *status = fail_reader(script);
    return *status == -1;
}

int cli_script_read(cli_script *script, wend__order *out) {
    script->reader.axes = wend__kind_axes(script->kind);
    script->reader.where = WEND__SCRIPT;
    return wend__order_take(&script->reader, out) ? -1 : fail_reader(script);
}

cli_place cli_script_mark(cli_script *script) {
    const cli_place place = {script->next, script->line, script->reader};
    script->reader = (wend__order_reader){0};
    script->quiet = true;
    return place;
}

bool cli_script_return(cli_script *script, cli_place *place) {
    wend__order_reader_free(&script->reader);
    script->reader = place->reader;
    script->next = place->next;
    script->line = place->line;
    script->quiet = false;
    return !script->starved;
}

bool cli_word_is(cli_word word, const char *text) {
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

cli_word cli_said(const cli_script *script, const wend__order *order, const void *member) {
    return wend__order_word(&script->reader, order, member, 0);
}

cli_word cli_named(const cli_script *script, const wend__order *order, const wend__name *name) {
    return (cli_word){name->text, name->length, cli_said(script, order, name).column};
}

int cli_script_refused(cli_script *script, const wend__order *order, const host_error *error) {
    const bool goal = (wend__order_rows[order->kind].where & WEND__GIVES_GOAL) != 0;
    const bool off_map = error->refusal == HOST_OUT_OF_RANGE && error->member != NULL;
    cli_word word = script->reader.words[0];
    if (error->refusal == HOST_NO_MEMORY) return cli_script_no_memory(script);
    if (error->member != NULL) word = wend__order_word(&script->reader, order, error->member, error->index);
    const char *equals = off_map ? memchr(word.text, '=', word.length) : NULL;
    if (equals != NULL) word.length -= (size_t)(equals + 1 - word.text), word.text = equals + 1;
    const size_t column = word.column;
    host_error said = *error; /* a number may be too large for a cell: the script's own word is told */
    if (off_map) host_refuse_cell(&script->host, cli_quoted(word).text, error->member, &said);
    if (goal && error->error == WEND_BUSY)
        return cli_script_fail(script, column,
                               "more wishes between two frames than there is room for: run a frame before");
    return cli_script_fail(script, column, "%s", said.text);
}
