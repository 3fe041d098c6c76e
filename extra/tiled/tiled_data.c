/* SPDX-License-Identifier: MIT */
/* Reads the tiles of a layer or chunk: a JSON list of numbers, or base64, compressed or not. */
#include "tiled/tiled.h"

#include <stdlib.h>
#include <string.h>

#include "unpack/unpack.h"

/// Bytes that are decompressed at a time: whole tiles.
enum { WINDOW_BYTES = 1 << 16 };

static uint64_t tiles_of(const wend__tile_block *b) {
    return (uint64_t)b->width * (uint64_t)b->height;
}

static bool is(const char *text, const char *word) {
    return text && strcmp(text, word) == 0;
}

static wend_error check_names(const wend__tiled *t, const wend__tile_block *b) {
    char quote[WEND__NAME_BYTES];
    if (b->encoding && !is(b->encoding, "csv") && !is(b->encoding, "base64")) {
        wend__tiled_quote(b->encoding, quote);
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "%s: encoding %s is not known: choose CSV or Base64 in Tiled",
                                b->what, quote);
    }
    if (wend__packing_of(b->compression) >= 0) return WEND_OK;
    wend__tiled_quote(b->compression, quote);
    return wend__tiled_fail(t, WEND_UNSUPPORTED,
                            "%s: compression %s is not known: choose %s or none in Tiled "
                            "(Map Properties, Tile Layer Format)",
                            b->what, quote, wend__packings());
}

wend_error wend__tile_block_check(const wend__tiled *t, const wend__tile_block *b) {
    wend_error error = check_names(t, b);
    if (error) return error;
    uint64_t tiles = tiles_of(b);
    if (!is(b->encoding, "base64")) {
        if (!json_is_array(b->data))
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: expected 'data', a list of numbers", b->what);
        if (json_array_size(b->data) == tiles) return WEND_OK;
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: expected %llu tiles (%d x %d), found %zu", b->what,
                                (unsigned long long)tiles, (int)b->width, (int)b->height, json_array_size(b->data));
    }
    if (!json_is_string(b->data))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: expected 'data', a string of base64", b->what);
    uint64_t bytes = ((uint64_t)json_string_length(b->data) + 3) / 4 * 3;
    const int32_t packing = wend__packing_of(b->compression);
    if (packing != WEND__PACKED_NOT) bytes = (bytes + 1) * wend__packing_most(packing);
    if (bytes / 4 >= tiles) return WEND_OK;
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its data is too short for %llu tiles (%d x %d)", b->what,
                            (unsigned long long)tiles, (int)b->width, (int)b->height);
}

static wend_error read_list(wend__tiled *t, const wend__tile_block *b, wend__tile_fn *put) {
    size_t count = json_array_size(b->data);
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(b->data, i);
        if (!json_is_integer(number) || json_integer_value(number) < 0 || json_integer_value(number) > UINT32_MAX)
            return wend__tiled_fail(t, WEND_BAD_FORMAT,
                                    "%s: tile %zu of its data is not a whole number from 0 to 4294967295", b->what, i);
        wend_error error = put(t, b, i, (uint32_t)json_integer_value(number));
        if (error) return error;
    }
    return WEND_OK;
}

static int32_t digit(unsigned char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Skips blanks. `out` has room for three bytes for each four characters. @return false: this is not base64
static bool unpack_base64(const char *text, size_t length, unsigned char *out, size_t *size) {
    uint32_t bits = 0;
    size_t digits = 0, pads = 0, used = 0;
    for (size_t i = 0; i < length; i++) {
        if (is_blank(text[i])) continue;
        int32_t value = digit((unsigned char)text[i]);
        if (text[i] == '=')
            pads++, value = 0;
        else if (value < 0 || pads)
            return false;
        bits = bits << 6 | (uint32_t)value;
        if (++digits % 4) continue;
        for (int32_t shift = 16; shift >= 0; shift -= 8) out[used++] = (unsigned char)(bits >> shift);
    }
    if (digits % 4 || pads > 2) return false;
    *size = used - pads;
    return true;
}

static wend_error put_bytes(wend__tiled *t, const wend__tile_block *b, const unsigned char *bytes, size_t size,
                            size_t *index, wend__tile_fn *put) {
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t number =
            bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24;
        wend_error error = put(t, b, (*index)++, number);
        if (error) return error;
    }
    return WEND_OK;
}

static wend_error fail_size(const wend__tiled *t, const wend__tile_block *b, const char *found) {
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: expected %llu tiles (%d x %d), found %s", b->what,
                            (unsigned long long)tiles_of(b), (int)b->width, (int)b->height, found);
}

static wend_error fail_packed(const wend__tiled *t, const wend__tile_block *b) {
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its data is not %s, or not whole", b->what, b->compression);
}

/// Decompress a window at a time: a few bytes that become very many never take memory as a whole.
static wend_error unpack_all(wend__tiled *t, const wend__tile_block *b, wend__unpacker *u, unsigned char *window,
                             wend__tile_fn *put) {
    uint64_t left = tiles_of(b) * 4;
    size_t index = 0;
    for (wend__unpack_status status = WEND__UNPACK_MORE; status != WEND__UNPACK_END;) {
        uint32_t got;
        status = wend__unpack(u, window, WINDOW_BYTES, &got);
        if (status == WEND__UNPACK_NO_MEMORY) return wend__tiled_no_memory(t);
        if (status == WEND__UNPACK_BAD) return got > left ? fail_size(t, b, "more") : fail_packed(t, b);
        if (got > left) return fail_size(t, b, "more");
        if (got % 4) return fail_size(t, b, "less");
        left -= got;
        wend_error error = put_bytes(t, b, window, got, &index, put);
        if (error) return error;
    }
    if (left) return fail_size(t, b, "less");
    if (wend__unpacker_left(u) > 0)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: something follows its packed data", b->what);
    return WEND_OK;
}

static wend_error read_packed(wend__tiled *t, const wend__tile_block *b, const unsigned char *bytes, size_t size,
                              wend__tile_fn *put) {
    if (size > UINT32_MAX) return wend__tiled_fail(t, WEND_UNSUPPORTED, "%s: more than 4 GiB of data", b->what);
    unsigned char *window = malloc(WINDOW_BYTES);
    wend__unpacker *u = wend__unpacker_new(wend__packing_of(b->compression), bytes, (uint32_t)size, tiles_of(b) * 4);
    const wend_error error = window && u ? unpack_all(t, b, u, window, put) : wend__tiled_no_memory(t);
    wend__unpacker_free(u);
    free(window);
    return error;
}

static wend_error read_base64(wend__tiled *t, const wend__tile_block *b, wend__tile_fn *put) {
    size_t length = json_string_length(b->data), size = 0, index = 0;
    unsigned char *bytes = malloc(length / 4 * 3 + 3);
    if (!bytes) return wend__tiled_no_memory(t);
    wend_error error;
    if (!unpack_base64(json_string_value(b->data), length, bytes, &size))
        error = wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its data is not base64", b->what);
    else if (wend__packing_of(b->compression) != WEND__PACKED_NOT)
        error = read_packed(t, b, bytes, size, put);
    else if (size != tiles_of(b) * 4)
        error = fail_size(t, b, size < tiles_of(b) * 4 ? "less" : "more");
    else
        error = put_bytes(t, b, bytes, size, &index, put);
    free(bytes);
    return error;
}

wend_error wend__tile_block_read(wend__tiled *t, const wend__tile_block *b, wend__tile_fn *put) {
    return is(b->encoding, "base64") ? read_base64(t, b, put) : read_list(t, b, put);
}
