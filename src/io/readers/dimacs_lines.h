/* SPDX-License-Identifier: MIT */
/* Internal: the lines of DIMACS files: a letter, then numbers. */
#ifndef WEND_SRC_IO_READERS_DIMACS_LINES_H
#define WEND_SRC_IO_READERS_DIMACS_LINES_H

#include "io/text/text.h"

/// The next line, if it is `letter` and three numbers of up to nine digits, each with a minus before it or not, with
/// one blank between all: nearly every line of such files. NULL: it is anything else, and has to be read word by word.
/// Else where the line after it begins, for wend__skip_line().
const unsigned char *wend__numbers_line(const wend__reader *reader, unsigned char letter, int32_t out[3]);

/// Go on behind a line that wend__numbers_line() has read.
static inline void wend__skip_line(wend__reader *reader, const unsigned char *next) {
    reader->line_begin = reader->at;
    reader->at = next;
    if (reader->line < INT32_MAX) reader->line++;
}

#endif
