/* SPDX-License-Identifier: MIT */
/* Internal: filling in errors: the place, what was expected, and what was found. */
#ifndef WEND_SRC_IO_TEXT_FILE_ERROR_H
#define WEND_SRC_IO_TEXT_FILE_ERROR_H

#include "io/text/text.h"

/// Is the struct large enough? NULL is fine: the caller does not want the error.
static inline bool wend__file_error_fits(const wend_file_error *error) {
    return !error || WEND__FITS(wend_file_error, text, error);
}

/// Fill in the error, unless it is NULL, and note its text for wend_error_detail(). @return `code`
wend_error wend__fail(wend_file_error *error, wend_error code, const wend__word *where, const char *format, ...)
    WEND__PRINTF(4, 5);
/// wend__fail() with the text "expected <format …>, found <the word>".
wend_error wend__expected(wend_file_error *error, wend_error code, const wend__word *found, const char *format, ...)
    WEND__PRINTF(4, 5);
/// wend__fail() without a place, with the detail that is noted already.
wend_error wend__fail_as_noted(wend_file_error *error, wend_error code);

/// The size of the buffer for wend__quote().
#define WEND__QUOTE_BYTES 104
/// Write the word in quotes, printable and short; or "the end of the line" or "the end of the file".
void wend__quote(const wend__word *word, char out[WEND__QUOTE_BYTES]);

#endif
