/* SPDX-License-Identifier: MIT */
/* Messages for people on standard error: errors, notes and the progress bar; and text as JSON. */
#ifndef WEND_SRC_CLI_SHARED_MESSAGES_H
#define WEND_SRC_CLI_SHARED_MESSAGES_H

#include <stdint.h>
#include <stdio.h>

#include <wend/io.h>

#include "cli/shared/options.h"

/// Print "wend: …" and a line end. @return CLI_BAD_INPUT
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Print "file:line:column: …"; line and column are left out where 0. @return CLI_BAD_INPUT
int cli_fail_at(const char *file, int line, int column, const char *format, ...) __attribute__((format(printf, 4, 5)));
/// Print a file's error, or wend_error_detail() where `where` has no text. @return CLI_BAD_INPUT
int cli_fail_file(const char *file, wend_error error, const wend_file_error *where);

/// Print a note, which is no error: "wend: …", or "file: …".
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_note_at(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// A progress bar with the time taken and the time left, on stderr where that is a terminal; nothing elsewhere. Call
/// often, it paints rarely.
void cli_progress(const char *what, uint64_t done, uint64_t total);
void cli_progress_end(void);

/// Let the laboratory show its progress, too. Before its first call.
void cli_enter_lab(void);

/// Print text as a JSON string, quoted and escaped.
void cli_json_string(FILE *out, const char *text);

#endif
