/* SPDX-License-Identifier: MIT */
/* Writes JSON into a growing buffer. */
#include "live/message/text.h"

#include <stdlib.h>
#include <string.h>

#include "orders/orders.h"

void live_text_begin(live_text *text) {
    text->used = 0;
    text->starved = false;
}

void live_unasked_begin(live_text *text, const char *type) {
    live_text_begin(text);
    live_puts(text, "{\"type\":\"");
    live_puts(text, type);
    live_puts(text, "\"");
}

void live_text_free(live_text *text) {
    free(text->bytes);
    *text = (live_text){0};
}

static bool make_room(live_text *text, size_t count) {
    if (text->starved || text->capacity - text->used >= count) return !text->starved;
    size_t capacity = text->capacity < 512 ? 512 : text->capacity * 2;
    while (capacity - text->used < count) capacity *= 2;
    char *bytes = realloc(text->bytes, capacity);
    text->starved = !bytes;
    if (text->starved) return false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void live_put(live_text *text, const char *bytes, size_t count) {
    if (count == 0 || !make_room(text, count)) return;
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
}

void live_puts(live_text *text, const char *words) {
    live_put(text, words, strlen(words));
}

char *live_room(live_text *text, size_t count) {
    return make_room(text, count) ? text->bytes + text->used : NULL;
}

/* Coordinates and most figures are short: their digits are written in place, without a copy of unknown length. */
static char *short_digits(char *at, uint32_t number) {
    const int count = 1 + (number >= 10) + (number >= 100) + (number >= 1000);
    for (int i = count; i-- > 0; number /= 10) at[i] = (char)('0' + number % 10);
    return at + count;
}

static char *unsigned_digits(char *at, uint64_t number) {
    enum { DIGITS = 20, SHORT = 10000 };
    char digits[DIGITS];
    int first = DIGITS;
    if (number < SHORT) return short_digits(at, (uint32_t)number);
    do digits[--first] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    memcpy(at, digits + first, (size_t)(DIGITS - first));
    return at + DIGITS - first;
}

char *live_digits(char *at, int64_t number) {
    if (number < 0) *at++ = '-';
    return unsigned_digits(at, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void live_put_number(live_text *text, uint64_t number) {
    char digits[24];
    live_put(text, digits, (size_t)(unsigned_digits(digits, number) - digits));
}

void live_put_signed(live_text *text, int64_t number) {
    char digits[24];
    live_put(text, digits, (size_t)(live_digits(digits, number) - digits));
}

void live_put_to(void *text, const char *bytes, size_t count) {
    live_put(text, bytes, count);
}

void live_put_string(live_text *text, const char *bytes, size_t count) {
    wend__string_write_json(bytes, count, live_put_to, text);
}

char *live_cell(char *at, int32_t kind, wend_cell cell) {
    if (kind == WEND_KIND_GRAPH) return live_digits(at, cell.x);
    *at++ = '[';
    at = live_digits(at, cell.x);
    *at++ = ',';
    at = live_digits(at, cell.y);
    if (kind == WEND_KIND_VOXEL) {
        *at++ = ',';
        at = live_digits(at, cell.z);
    }
    *at++ = ']';
    return at;
}

void live_put_cell(live_text *text, int32_t kind, wend_cell cell) {
    char bytes[LIVE_CELL_BYTES];
    live_put(text, bytes, (size_t)(live_cell(bytes, kind, cell) - bytes));
}

void live_put_cells(live_text *text, int32_t kind, const wend_cell *cells, size_t count) {
    enum { PIECE = 64 };
    live_put(text, "[", 1);
    for (size_t i = 0; i < count;) {
        char *at = live_room(text, PIECE * (LIVE_CELL_BYTES + 1));
        if (!at) return;
        for (size_t end = count - i < PIECE ? count : i + PIECE; i < end; i++) {
            if (i > 0) *at++ = ',';
            at = live_cell(at, kind, cells[i]);
        }
        text->used = (size_t)(at - text->bytes);
    }
    live_put(text, "]", 1);
}

void live_put_key(live_text *text, const char *name) {
    live_put(text, ",\"", 2);
    live_puts(text, name);
    live_put(text, "\":", 2);
}

void live_put_field(live_text *text, const char *name, uint64_t number) {
    live_put_key(text, name);
    live_put_number(text, number);
}
