/* SPDX-License-Identifier: MIT */
/* The messages of the program, counted, in place of src/cli/output/messages.c. For plain programs of one file. */
#ifndef TESTS_SERVER_RUN_STARVED_MESSAGES_H
#define TESTS_SERVER_RUN_STARVED_MESSAGES_H

#include <stdarg.h>
#include <stdio.h>

#include "cli/output/messages.h"

static char said[512]; ///< the last message
static int messages;

static int note(const char *format, va_list arguments) {
    vsnprintf(said, sizeof said, format, arguments);
    messages++;
    return CLI_BAD_INPUT;
}

int cli_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

int cli_fail_at(const char *file, int line, int column, const char *format, ...) {
    (void)file, (void)line, (void)column;
    va_list arguments;
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

int cli_fail_file(const char *file, wend_error error, const wend_file_error *where) {
    return cli_fail("%s: %s", file, where && where->text[0] ? where->text : wend_error_text(error));
}

void cli_note_at(const char *file, const char *format, ...) {
    (void)file, (void)format;
}

void cli_json_string(FILE *out, const char *text) {
    fprintf(out, "\"%s\"", text);
}

#endif
