/* SPDX-License-Identifier: MIT */
/* Prints errors on standard error, after the progress bar is gone, and passes progress on. */
#include "shared/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static lab_program around;

void lab_set_program(lab_program program) {
    around = program;
}

void lab_progress(const char *what, uint64_t done, uint64_t total) {
    if (around.progress) around.progress(what, done, total);
}

void lab_progress_end(void) {
    if (around.progress_end) around.progress_end();
}

static void print_message(const char *prefix, const char *format, va_list arguments) {
    lab_progress_end();
    fflush(stdout);
    fprintf(stderr, "%s: ", prefix);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

bool lab_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("wend", format, arguments);
    va_end(arguments);
    return false;
}

bool lab_fail_at(const char *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message(strcmp(file, "-") == 0 ? "<stdin>" : file, format, arguments);
    va_end(arguments);
    return false;
}
