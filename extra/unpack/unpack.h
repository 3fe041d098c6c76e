/* SPDX-License-Identifier: MIT */
/* Compressed tiles: zlib, gzip and, where libzstd was there for the build, zstd. */
#ifndef WEND_UNPACK_H
#define WEND_UNPACK_H

#include <stddef.h>
#include <stdint.h>

/// Ways to compress.
typedef enum wend__packing { WEND__PACKED_NOT, WEND__PACKED_ZLIB, WEND__PACKED_GZIP, WEND__PACKED_ZSTD } wend__packing;
/// The result of decompression.
typedef enum wend__unpack_status {
    WEND__UNPACK_MORE, // the window is full
    WEND__UNPACK_END,
    WEND__UNPACK_BAD, // the bytes have another format, or are incomplete
    WEND__UNPACK_NO_MEMORY
} wend__unpack_status;
typedef struct wend__unpacker wend__unpacker;

/// Returns the way of a name in a map. -1: there is none @param name   NULL or "": not compressed
int32_t wend__packing_of(const char *name);
/// Returns the names to choose from in Tiled.
const char *wend__packings(void);
/// Returns the most bytes that one byte can become.
uint64_t wend__packing_most(int32_t packing);

/// Begins. @param most   bytes that are expected: a zstd window is not much larger. @return NULL: no memory
wend__unpacker *wend__unpacker_new(int32_t packing, const unsigned char *bytes, uint32_t size, uint64_t most);
/// Ends. NULL: does nothing.
void wend__unpacker_free(wend__unpacker *u);
/// Fills a window. @param got   receives its bytes
wend__unpack_status wend__unpack(wend__unpacker *u, unsigned char *window, uint32_t size, uint32_t *got);
/// Returns how many bytes follow the end.
size_t wend__unpacker_left(const wend__unpacker *u);

#endif
