/* SPDX-License-Identifier: MIT */
/* Internal: splitting text in memory into lines and words with their places. */
#ifndef WEND_SRC_IO_TEXT_TEXT_H
#define WEND_SRC_IO_TEXT_TEXT_H

#include "base/base.h"
#include <wend/io.h>

typedef struct wend__reader {
    const unsigned char *at, *end;
    const unsigned char *line_begin; ///< beginning of the line read last
    int32_t line;                    ///< number of the line read last; 0 before the first
    bool comments;                   ///< a '#' at the start of a word ends the line
} wend__reader;

/// A line without its end (LF or CRLF). Words are taken from `at` on.
typedef struct wend__line {
    const unsigned char *begin, *end, *at;
    int32_t number;
    bool comments;
} wend__line;

enum { WEND__WORD, WEND__LINE_END, WEND__FILE_END };

/// A word and its place, or the place where one is missing.
typedef struct wend__word {
    const unsigned char *begin, *end;
    int32_t kind; ///< WEND__WORD, WEND__LINE_END, WEND__FILE_END
    int32_t line, column;
} wend__word;

static inline bool wend__is_blank(unsigned char c) {
    return c == ' ' || c == '\t';
}

/// Begins after the byte order mark, if there is one; columns count from there.
void wend__reader_init(wend__reader *reader, const void *bytes, size_t size);
/// Reads the next line. False: the file has ended. The last line may lack its line end.
bool wend__next_line(wend__reader *reader, wend__line *out);
/// Reads lines up to the next with a word. `first` receives that word, and wend__next_word() returns it again.
/// False: the file has ended, and `first` is the place of its end.
bool wend__next_full_line(wend__reader *reader, wend__line *line, wend__word *first);
/// Takes the next word of the line. False: the line has ended, and the word is the place of its end.
bool wend__next_word(wend__line *line, wend__word *out);
/// The bytes between two places of a line, as a word.
wend__word wend__word_at(const wend__line *line, const unsigned char *begin, const unsigned char *end);
/// The place after the last byte.
wend__word wend__file_end(const wend__reader *reader);

bool wend__word_is(const wend__word *word, const char *text);
/// The same without regard to case.
bool wend__word_is_like(const wend__word *word, const char *text);
/// Returns whether a line is two whole numbers and nothing else: the size of a grid.
bool wend__is_bare_size(wend__line line);

/// Takes a word that must be a number, or fails with "expected `what`, a whole number from … to …".
wend_error wend__expect_number(wend__line *line, const char *what, int32_t min, int32_t max, int32_t *out,
                               wend_file_error *error);
/// Fail unless the line has no more words.
wend_error wend__expect_line_end(wend__line *line, wend_file_error *error);

/* ---- numbers ---- */

/// A whole number of digits only, from min (≥ 0) to max. False: the word is no such number.
bool wend__word_number(const wend__word *word, int32_t min, int32_t max, int32_t *out);
/// A whole number of 32 bits with an optional minus. False: the word is no such number.
bool wend__word_signed(const wend__word *word, int32_t *out);

/* ---- errors ---- */

/// Returns whether the struct is large enough. NULL is fine: the caller does not want the error.
static inline bool wend__file_error_fits(const wend_file_error *error) {
    return !error || WEND__FITS(wend_file_error, text, error);
}

/// Fills in the error, unless it is NULL, and its text for wend_error_detail(). @return `code`
wend_error wend__fail(wend_file_error *error, wend_error code, const wend__word *where, const char *format, ...)
    WEND__PRINTF(4, 5);
/// wend__fail() with the text "expected <format …>, found <the word>".
wend_error wend__expected(wend_file_error *error, wend_error code, const wend__word *found, const char *format, ...)
    WEND__PRINTF(4, 5);
/// wend__fail() without a place, with the present detail.
wend_error wend__fail_as_noted(wend_file_error *error, wend_error code);

/// The size of the buffer for wend__quote().
#define WEND__QUOTE_BYTES 104
/// Writes the word in quotes, printable and short; or "the end of the line" or "the end of the file".
void wend__quote(const wend__word *word, char out[WEND__QUOTE_BYTES]);

#endif
