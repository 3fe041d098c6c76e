/* SPDX-License-Identifier: MIT */
/* Internal: errors in files: where, what was expected, and what was found. */
#ifndef WEND_SRC_IO_TEXT_FILE_ERROR_H
#define WEND_SRC_IO_TEXT_FILE_ERROR_H

#include "base/sized.h"
#include "io/text/text.h"

/// NULL fits: the caller does not want to know.
static inline bool wend__file_error_fits(const wend_file_error *error) {
    return !error || wend__sized_fits(error, WEND__FIRST_BYTES(wend_file_error, text));
}

#if defined(__GNUC__)
#define WEND__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define WEND__PRINTF(text, first)
#endif

/// Fill in the error (NULL: do not) and return `code`.
wend_error wend__fail(wend_file_error *error, int32_t code, const wend__word *where, const char *format, ...)
    WEND__PRINTF(4, 5);
/// "expected <format …>, found <the word>".
wend_error wend__expected(wend_file_error *error, int32_t code, const wend__word *found, const char *format, ...)
    WEND__PRINTF(4, 5);
/// An error without a place; the text is the code's.
wend_error wend__fail_code(wend_file_error *error, int32_t code);

/// Room for what wend__quote() writes.
#define WEND__QUOTE_BYTES 104
/// The word in quotes, printable and short, or "the end of the line" or "the end of the file".
void wend__quote(const wend__word *word, char out[WEND__QUOTE_BYTES]);

#endif
