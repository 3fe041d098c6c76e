/* SPDX-License-Identifier: MIT */
/* Internal: the lines of DIMACS files: a letter, then numbers. */
#ifndef WEND_SRC_IO_READERS_DIMACS_LINES_H
#define WEND_SRC_IO_READERS_DIMACS_LINES_H

#include "io/text/text.h"

/// Parse the next line if it is `letter` and three numbers of up to nine digits, with one blank between them. A
/// minus may stand before a number. Nearly every line of a DIMACS file has this form.
/// @return the start of the line after it, for wend__skip_line(); NULL: the line has another form
const unsigned char *wend__numbers_line(const wend__reader *reader, unsigned char letter, int32_t out[3]);

/// Move past a line that wend__numbers_line() parsed.
static inline void wend__skip_line(wend__reader *reader, const unsigned char *next) {
    reader->line_begin = reader->at;
    reader->at = next;
    if (reader->line < INT32_MAX) reader->line++;
}

#endif
