/* SPDX-License-Identifier: MIT */
/* Fills in errors: the place, the expected text, and the found text, short and printable. */
#include "io/text/text.h"

#include <stdarg.h>
#include <stdio.h>

enum { QUOTED_BYTES_MAX = 24 }; /* of a word; each takes up to 4 bytes when escaped, all fit in WEND__QUOTE_BYTES */

static void fill(wend_file_error *error, const wend__word *where) {
    wend__sized_clear(error, sizeof *error);
    error->line = where ? where->line : 0;
    error->column = where ? where->column : 0;
}

/* Fills the caller's struct, if there is one, and wend_error_detail(). */
static wend_error report_error(wend_file_error *error, wend_error code, const wend__word *where, const char *text) {
    if (error && wend__file_error_fits(error)) {
        fill(error, where);
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    if (!where) return wend__refuse(code, "%s", text);
    return wend__refuse(code, "%d:%d: %s", where->line, where->column, text);
}

wend_error wend__fail(wend_file_error *error, wend_error code, const wend__word *where, const char *format, ...) {
    char text[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return report_error(error, code, where, text);
}

wend_error wend__expected(wend_file_error *error, wend_error code, const wend__word *found, const char *format, ...) {
    char text[sizeof error->text], expected[120], quote[WEND__QUOTE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);
    wend__quote(found, quote);
    snprintf(text, sizeof text, "expected %s, found %s", expected, quote);
    return report_error(error, code, found, text);
}

wend_error wend__fail_as_noted(wend_file_error *error, wend_error code) {
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%s", wend_error_detail(code));
    return report_error(error, code, NULL, text);
}

void wend__quote(const wend__word *word, char out[WEND__QUOTE_BYTES]) {
    if (word->kind != WEND__WORD) {
        snprintf(out, WEND__QUOTE_BYTES, "the end of the %s", word->kind == WEND__LINE_END ? "line" : "file");
        return;
    }
    size_t size = (size_t)(word->end - word->begin), shown = size < QUOTED_BYTES_MAX ? size : QUOTED_BYTES_MAX;
    char *at = out;
    *at++ = '\'';
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = word->begin[i];
        if (c < 0x20 || c > 0x7E || c == '\'' || c == '\\') {
            *at++ = '\\', *at++ = 'x';
            *at++ = "0123456789abcdef"[c >> 4], *at++ = "0123456789abcdef"[c & 15];
        } else {
            *at++ = (char)c;
        }
    }
    snprintf(at, WEND__QUOTE_BYTES - (size_t)(at - out), "'%s", size > shown ? "..." : "");
}
