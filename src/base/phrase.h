/* SPDX-License-Identifier: MIT */
/* Internal: the text of numbers and words, without formats or allocation: for recordings. */
#ifndef WEND_SRC_PHRASE_H
#define WEND_SRC_PHRASE_H

#include <stdint.h>
#include <string.h>

#include <wend/base.h>

/// A text that grows in a buffer. The caller makes sure that the buffer has room.
typedef struct wend__phrase {
    char *at;
} wend__phrase;

/// The longest number, and the longest cell.
enum { WEND__NUMBER_BYTES = 20, WEND__CELL_TEXT_BYTES = 36 };

static inline void wend__phrase_text(wend__phrase *line, const char *text) {
    const size_t size = strlen(text);
    memcpy(line->at, text, size);
    line->at += size;
}

static inline void wend__phrase_number(wend__phrase *line, uint64_t number) {
    char digits[WEND__NUMBER_BYTES];
    size_t count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count > 0) *line->at++ = digits[--count];
}

static inline void wend__phrase_signed(wend__phrase *line, int64_t number) {
    if (number < 0) *line->at++ = '-';
    wend__phrase_number(line, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

/// " key=number".
static inline void wend__phrase_option(wend__phrase *line, const char *key, uint64_t number) {
    wend__phrase_text(line, key);
    wend__phrase_number(line, number);
}

/// A cell in the form of scripts: a number on graphs, X,Y on a plane, X,Y,Z in space.
/// @param axes   1, 2 or 3
static inline void wend__phrase_cell(wend__phrase *line, int32_t axes, wend_cell cell) {
    wend__phrase_signed(line, cell.x);
    if (axes == 1) return;
    *line->at++ = ',';
    wend__phrase_signed(line, cell.y);
    if (axes == 2) return;
    *line->at++ = ',';
    wend__phrase_signed(line, cell.z);
}

#endif
