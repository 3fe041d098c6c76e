/* SPDX-License-Identifier: MIT */
/* The program `wend` without memory: its allocation number STARVED_AT fails, and all later ones with STARVED_FOR_GOOD;
 * those of shared libraries do not. At the end it writes to the file STARVED_COUNT how many there were. It is driven by
 * starving.py. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* The linker leads the program's own allocations here. */
static _Atomic size_t made;
static size_t fails_at;
static bool fails_for_good;

static void write_count(void) {
    const char *path = getenv("STARVED_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%zu\n", made);
    fclose(file);
}

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("STARVED_AT");
    fails_at = at ? strtoull(at, NULL, 10) : 0;
    fails_for_good = getenv("STARVED_FOR_GOOD") != NULL;
    if (atexit(write_count) != 0) abort();
}

static bool fails(void) {
    const size_t call = ++made;
    if (fails_at == 0 || (fails_for_good ? call < fails_at : call != fails_at)) return false;
    errno = ENOMEM;
    return true;
}

#include "wrapped.h"

char *__real_strndup(const char *text, size_t most);
FOR_LINKER char *__wrap_strndup(const char *text, size_t most);
char *__wrap_strndup(const char *text, size_t most) {
    return fails() ? NULL : __real_strndup(text, most);
}

FOR_LINKER int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = fails() ? -1 : vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

FILE *__real_open_memstream(char **memory, size_t *bytes);
FOR_LINKER FILE *__wrap_open_memstream(char **memory, size_t *bytes);
FILE *__wrap_open_memstream(char **memory, size_t *bytes) {
    return fails() ? NULL : __real_open_memstream(memory, bytes);
}

char *__real_realpath(const char *path, char *out);
FOR_LINKER char *__wrap_realpath(const char *path, char *out);
char *__wrap_realpath(const char *path, char *out) {
    return fails() ? NULL : __real_realpath(path, out);
}
