/* SPDX-License-Identifier: MIT */
/* A growing buffer in which a message to a client is written as JSON. */
#ifndef WEND_SERVER_LIVE_MESSAGE_TEXT_H
#define WEND_SERVER_LIVE_MESSAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wend/map.h>

/// If memory ran out, `starved` is set, and the text is useless.
typedef struct live_text {
    char *bytes; ///< not ended by a zero
    size_t used, capacity;
    bool starved;
} live_text;

/// Empties the text, and keeps its memory.
void live_text_begin(live_text *text);
/// The same, with the head of an unsolicited message: `{"type":"TYPE"`.
void live_unasked_begin(live_text *text, const char *type);
void live_text_free(live_text *text);
/// Returns room for this many bytes at the end, for many small pieces; the caller then sets `used`. NULL: no memory.
char *live_room(live_text *text, size_t count);
/// Writes the digits of a number, from `at` on; at most 21 bytes. @return the place behind them
char *live_digits(char *at, int64_t number);
/// Writes a cell as live_put_cell() does, from `at` on; at most this many bytes.
enum { LIVE_CELL_BYTES = 40 };
char *live_cell(char *at, int32_t kind, wend_cell cell);
void live_put(live_text *text, const char *bytes, size_t count);
void live_puts(live_text *text, const char *words);
/// live_put() for writers of the catalogue.
void live_put_to(void *text, const char *bytes, size_t count);
void live_put_number(live_text *text, uint64_t number);
void live_put_signed(live_text *text, int64_t number);
/// Writes a JSON string, quoted and escaped. Each invalid byte of UTF-8 becomes U+FFFD.
void live_put_string(live_text *text, const char *bytes, size_t count);
/// Writes arrays as in scripts: [x,y], in space [x,y,z], on a graph a plain number.
void live_put_cell(live_text *text, int32_t kind, wend_cell cell);
void live_put_cells(live_text *text, int32_t kind, const wend_cell *cells, size_t count);
/// `,"name":`
void live_put_key(live_text *text, const char *name);
void live_put_field(live_text *text, const char *name, uint64_t number);

#endif
