/* SPDX-License-Identifier: MIT */
/* Internal: a buffer in front of the function that receives a text. */
#ifndef WEND_SRC_ORDERS_OUT_H
#define WEND_SRC_ORDERS_OUT_H

#include "base/phrase.h"
#include "orders/orders.h"

typedef struct wend__out {
    wend__put_fn *put;
    void *context;
    int32_t axes;
    size_t used;
    char buffer[256];
} wend__out;

static inline void wend__out_flush(wend__out *out) {
    if (out->used > 0) out->put(out->context, out->buffer, out->used);
    out->used = 0;
}

static inline void wend__out_bytes(wend__out *out, const char *bytes, size_t size) {
    while (size > 0) {
        const size_t room = sizeof out->buffer - out->used, part = size < room ? size : room;
        memcpy(out->buffer + out->used, bytes, part);
        out->used += part;
        bytes += part;
        size -= part;
        if (out->used == sizeof out->buffer) wend__out_flush(out);
    }
}

/// Returns room for `count` bytes, at most the buffer's size; `used` grows by what the caller writes.
static inline char *wend__out_room(wend__out *out, size_t count) {
    if (sizeof out->buffer - out->used < count) wend__out_flush(out);
    return out->buffer + out->used;
}

static inline void wend__out_text(wend__out *out, const char *text) {
    wend__out_bytes(out, text, strlen(text));
}

/// Writes a number; with `bits`, a negative one stands for an unsigned one of 64 bits.
static inline void wend__out_number(wend__out *out, int64_t number, bool bits) {
    char text[WEND__NUMBER_BYTES + 1];
    wend__phrase line = {text};
    if (bits)
        wend__phrase_number(&line, (uint64_t)number);
    else
        wend__phrase_signed(&line, number);
    wend__out_bytes(out, text, (size_t)(line.at - text));
}

/// Writes a number of a field, in thousandths: 1.250.
static inline void wend__out_milli(wend__out *out, int32_t milli) {
    char part[3] = {(char)('0' + milli / 100 % 10), (char)('0' + milli / 10 % 10), (char)('0' + milli % 10)};
    wend__out_number(out, milli / 1000, false);
    wend__out_text(out, ".");
    wend__out_bytes(out, part, sizeof part);
}

/// Writes a cell as JSON: [x,y], in space [x,y,z], on a graph a number.
static inline void wend__out_cell(wend__out *out, wend_cell cell) {
    wend__phrase line = {wend__out_room(out, WEND__CELL_TEXT_BYTES + 2)};
    if (out->axes > 1) *line.at++ = '[';
    wend__phrase_cell(&line, out->axes, cell);
    if (out->axes > 1) *line.at++ = ']';
    out->used = (size_t)(line.at - out->buffer);
}

static inline void wend__out_cells(wend__out *out, const wend_cell *cells, size_t count) {
    wend__out_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) wend__out_text(out, ",");
        wend__out_cell(out, cells[i]);
    }
    wend__out_text(out, "]");
}

/// Writes a JSON string (write_reply.c).
void wend__out_string(wend__out *out, const char *text, size_t length);

/// Returns whether a field's number has 64 bits without a sign.
static inline bool wend__value_bits(const wend__order_field *field) {
    return field->size == sizeof(uint64_t) && field->least >= 0;
}

#endif
