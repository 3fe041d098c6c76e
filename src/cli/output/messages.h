/* SPDX-License-Identifier: MIT */
/* Messages for people on standard error: errors, notes and the progress bar; and text as JSON. */
#ifndef WEND_SRC_CLI_OUTPUT_MESSAGES_H
#define WEND_SRC_CLI_OUTPUT_MESSAGES_H

#include <stdint.h>
#include <stdio.h>

#include <wend/io.h>

/// Exit statuses: done and found; done, and the answer is no; bad usage or input. Functions that return one continue
/// after CLI_DONE; any other ends the program, and its reason was printed. CLI_ENDED: without an error, as --help does.
enum { CLI_DONE = 0, CLI_ANSWER_IS_NO = 1, CLI_BAD_INPUT = 2, CLI_ENDED = 3 };

/// Print "wend: …" and a line end. @return CLI_BAD_INPUT
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Print "file:line:column: …"; line and column are left out where 0. @return CLI_BAD_INPUT
int cli_fail_at(const char *file, int line, int column, const char *format, ...) __attribute__((format(printf, 4, 5)));
/// Print a file's error, or wend_error_detail() where `where` has no text. @return CLI_BAD_INPUT
int cli_fail_file(const char *file, wend_error error, const wend_file_error *where);

/// Print a note, which is no error: "wend: …", or "file: …".
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_note_at(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// All messages begin with the time from now on, as of a server: 2026-01-31T23:59:59Z.
void cli_date_messages(void);

/// Print the library's log, as notes, up to WEND_LOG_…; 0: none.
void cli_print_log(int32_t level);

/// A progress bar with the time taken and left, on stderr if that is a terminal. Call often, it paints rarely.
void cli_progress(const char *what, uint64_t done, uint64_t total);
void cli_progress_end(void);

/// A wend__put_fn for a FILE * as context.
static inline void cli_put(void *file, const char *bytes, size_t size) {
    fwrite(bytes, 1, size, file);
}
/// Print text as a JSON string, quoted and escaped.
void cli_json_string(FILE *out, const char *text);

#endif
