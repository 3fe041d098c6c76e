/* SPDX-License-Identifier: MIT */
/* Messages of the program, counted and checked, in place of src/cli/output/messages.c, which prints. */
#include "fuzz_messages.h"
#include "fuzz_bytes.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/output/messages.h"

size_t fuzz_messages;

static void check_text(const char *text) {
    FUZZ_CHECK(text[0] != '\0');
    for (; *text != '\0'; text++) FUZZ_CHECK((unsigned char)*text >= 0x20 && *text != 0x7F);
}

int cli_fail(const char *format, ...) {
    FUZZ_CHECK(format == NULL); /* a script's error has a place */
    return CLI_BAD_INPUT;
}

int cli_fail_at(const char *file, int line, int column, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    FUZZ_CHECK(file[0] != '\0' && line >= 1 && column >= 1 && length > 0);
    check_text(text);
    fuzz_messages++;
    return CLI_BAD_INPUT;
}

int cli_fail_file(const char *file, wend_error error, const wend_file_error *where) {
    (void)error, (void)where;
    return cli_fail_at(file, 1, 1, "no file is opened here");
}

void cli_note_at(const char *file, const char *format, ...) {
    FUZZ_CHECK(file == NULL && format == NULL); /* only films have notes */
}

void cli_json_string(FILE *out, const char *text) {
    fprintf(out, "\"%zu\"", strlen(text));
}
