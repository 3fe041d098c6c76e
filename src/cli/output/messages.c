/* SPDX-License-Identifier: MIT */
/* Messages for people on stderr: errors, notes and the progress bar; and text as JSON. */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/output/messages.h"
#include "orders/orders.h"
#include <wend/host.h>

enum { BAR_WIDTH = 30, PAINT_EVERY_MS = 100 };

static struct {
    bool asked, terminal, painted;
    uint64_t began_ms, last_ms, done;
} progress;

static const char *shown_name(const char *file) {
    return strcmp(file, "-") == 0 ? "<stdin>" : file;
}

static bool dated;

void cli_date_messages(void) {
    dated = true;
}

/* @param file   NULL: "wend: " instead of a place */
static void print_message(const char *file, int line, int column, const char *format, va_list arguments) {
    const time_t now = time(NULL);
    char text[32];
    struct tm parts;
    cli_progress_end();
    fflush(stdout);
    flockfile(stderr);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ ", gmtime_r(&now, &parts));
    if (dated) fputs(text, stderr);
    fprintf(stderr, "%s:", file ? shown_name(file) : "wend");
    if (line > 0) fprintf(stderr, "%d:", line);
    if (line > 0 && column > 0) fprintf(stderr, "%d:", column);
    fputc(' ', stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
}

int cli_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message(NULL, 0, 0, format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

int cli_fail_at(const char *file, int line, int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message(file, line, column, format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

int cli_fail_file(const char *file, wend_error error, const wend_file_error *where) {
    bool told = where && where->text[0] != '\0';
    return cli_fail_at(file, told ? where->line : 0, told ? where->column : 0, "%s",
                       told ? where->text : wend_error_detail(error));
}

void cli_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message(NULL, 0, 0, format, arguments);
    va_end(arguments);
}

void cli_note_at(const char *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message(file, 0, 0, format, arguments);
    va_end(arguments);
}

static void print_log(void *none, int32_t level, wend_error error, const char *text) {
    static const char *const names[] = {NULL, "error", "warning", "info"};
    (void)none;
    cli_note("%s: %s%s%s", names[level], error ? wend_error_name(error) : "", error ? ": " : "", text);
}

void cli_print_log(int32_t level) {
    wend_set_log(print_log, NULL, level);
}

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Minutes and seconds; hours where there are any. */
static void print_time(const char *before, uint64_t ms, const char *behind) {
    uint64_t seconds = ms / 1000, minutes = seconds / 60;
    fputs(before, stderr);
    if (minutes >= 60) fprintf(stderr, "%llu:", (unsigned long long)(minutes / 60));
    fprintf(stderr, minutes >= 60 ? "%02u:%02u" : "%u:%02u", (unsigned)(minutes % 60), (unsigned)(seconds % 60));
    fputs(behind, stderr);
}

void cli_progress(const char *what, uint64_t done, uint64_t total) {
    if (!progress.asked) {
        progress.asked = true;
        progress.terminal = isatty(STDERR_FILENO) == 1;
        progress.began_ms = progress.last_ms = now_ms(); /* short work needs no bar */
        progress.done = 0;
    }
    if (!progress.terminal || total == 0) return;
    uint64_t now = now_ms();
    if (done < progress.done) progress.began_ms = now; /* a new pass over the same work */
    progress.done = done;
    if (now - progress.last_ms < PAINT_EVERY_MS) return;
    progress.last_ms = now;
    progress.painted = true;
    if (done > total) done = total;
    double part = (double)done / (double)total;
    int filled = (int)(part * BAR_WIDTH);
    fprintf(stderr, "\r%s [", what);
    for (int i = 0; i < BAR_WIDTH; i++) fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3d %%", (int)(part * 100));
    print_time(" ", now - progress.began_ms, " elapsed");
    if (done > 0) print_time(", ", (uint64_t)((double)(now - progress.began_ms) * (1 - part) / part), " left");
    fputs("\033[K", stderr);
    fflush(stderr);
}

void cli_progress_end(void) {
    if (progress.painted) fputs("\r\033[K", stderr);
    progress.painted = false;
    progress.asked = false;
}

void cli_json_string(FILE *out, const char *text) {
    wend__string_write_json(text, strlen(text), cli_put, out);
}
