/* SPDX-License-Identifier: MIT */
/* Thousandths as text, which no locale changes. */
#ifndef WEND_BASE_TEXT_DECIMAL_H
#define WEND_BASE_TEXT_DECIMAL_H

#include <inttypes.h>
#include <stdio.h>

enum { WEND__DECIMAL_BYTES = 32 };

static inline const char *wend__decimal(int64_t milli, char text[WEND__DECIMAL_BYTES]) {
    const uint64_t size = milli < 0 ? 0 - (uint64_t)milli : (uint64_t)milli;
    int length = snprintf(text, WEND__DECIMAL_BYTES, "%s%" PRIu64 ".%03d", milli < 0 ? "-" : "", size / 1000,
                          (int)(size % 1000));
    while (text[length - 1] == '0') length--;
    if (text[length - 1] == '.') length--;
    text[length] = '\0';
    return text;
}

/// Returns thousandths as a decimal without needless digits. Each use in an expression has its own buffer.
#define WEND__DECIMAL(milli) wend__decimal(milli, (char[WEND__DECIMAL_BYTES]){0})

#endif
