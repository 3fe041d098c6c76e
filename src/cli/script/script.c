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

cli_quote cli_quoted(cli_word word) {
    enum { MOST = 48 };
    cli_quote quote;
    size_t length = word.length > MOST ? MOST : word.length;
    /* do not cut a UTF-8 character */
    while (length < word.length && length > 0 && ((unsigned char)word.text[length] & 0xC0) == 0x80) length--;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word.text[i];
        quote.text[i] = c < 0x20 || c == 0x7F ? '?' : word.text[i];
    }
    snprintf(quote.text + length, sizeof quote.text - length, "%s", length < word.length ? "..." : "");
    return quote;
}

cli_word cli_said(const cli_script *script, const wend__order *order, const void *member) {
    return wend__order_word(&script->reader, order, member, 0);
}

cli_word cli_named(const cli_script *script, const wend__order *order, const wend__name *name) {
    return (cli_word){name->text, name->length, cli_said(script, order, name).column};
}

static bool within(int32_t at, int32_t side) {
    return at >= 0 && at < side;
}

static int check_cell(cli_script *script, cli_word word, wend_cell cell) {
    char size[64];
    const char *equals = memchr(word.text, '=', word.length);
    if (equals != NULL) word.length -= (size_t)(equals + 1 - word.text), word.text = equals + 1;
    if (script->kind == WEND_KIND_GRAPH) {
        if (cli_node_there(script, cell.x)) return -1;
        return cli_script_fail(script, word.column, "there is no node %s", cli_quoted(word).text);
    }
    if (within(cell.x, script->width) && within(cell.y, script->height) && within(cell.z, script->layers)) return -1;
    snprintf(size, sizeof size, "%" PRId32 " x %" PRId32, script->width, script->height);
    if (script->kind == WEND_KIND_VOXEL)
        snprintf(size, sizeof size, "%" PRId32 " x %" PRId32 " x %" PRId32, script->width, script->height,
                 script->layers);
    return cli_script_fail(script, word.column, "the cell %s is not on the map of %s", cli_quoted(word).text, size);
}

int cli_check_cell(cli_script *script, const wend__order *order, const wend_cell *cell) {
    return check_cell(script, cli_said(script, order, cell), *cell);
}

int cli_check_cells(cli_script *script, const wend__order *order, const wend__cells *cells) {
    int status = -1;
    for (size_t i = 0; status == -1 && i < cells->count; i++)
        status = check_cell(script, wend__order_word(&script->reader, order, cells, i), cells->items[i]);
    return status;
}

int cli_check_mover(cli_script *script, const wend__order *order, const wend__name *name, int32_t *out) {
    *out = script->built.movers.standard;
    if (name->text == NULL) return -1;
    const cli_word word = cli_named(script, order, name);
    *out = host_movers_find(&script->built.movers, word.text, word.length);
    return *out >= 0 ? -1 : cli_script_fail(script, word.column, "there is no mover '%s'", cli_quoted(word).text);
}

int cli_check_reach(cli_script *script, const wend__order *order, const int32_t *reach, int32_t most) {
    if (script->kind != WEND_KIND_GRAPH || !wend__order_gave(order, reach) || *reach <= most) return -1;
    return cli_script_fail(script, cli_said(script, order, reach).column,
                           "reach is a whole number from 0 to %" PRId32 ", not '%" PRId32 "'", most, *reach);
}
