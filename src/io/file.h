/* SPDX-License-Identifier: MIT */
/* Internal: whole files into memory, and bytes out through a buffer. */
#ifndef WEND_SRC_IO_FILE_H
#define WEND_SRC_IO_FILE_H

#include "base/base.h"
#include <wend/io.h>

#include <stdio.h>

typedef struct wend__file_bytes {
    wend_allocator allocator;
    unsigned char *bytes;
    size_t size, capacity;
} wend__file_bytes;

/// Is it of no use to read on, by the first bytes of a file? (The parser then says what is wrong with them.)
typedef bool wend__file_hopeless_fn(const void *bytes, size_t size);

/// @param most       bytes that the file may have
/// @param hopeless   asked once, about the first part of a larger file; NULL: always read on
/// @return WEND_OK, WEND_IO, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED (too large); the error is filled in
wend_error wend__file_read(const char *path, wend_allocator allocator, uint64_t most, wend__file_hopeless_fn *hopeless,
                           wend__file_bytes *out, wend_file_error *error);
void wend__file_drop(wend__file_bytes *file);

/// Can the name be opened, or is it there without leave to?
bool wend__file_exists(const char *path);

/// The name of the file that holds a graph's coordinates, where the graph's own ends in ".gr": ".co" instead. false: it
/// ends in something else, or is longer than any file's.
bool wend__coordinates_path(const char *path, char out[FILENAME_MAX]);

#define WEND__NAME_BYTES 80
/// What to call a file in texts: without its folders, printable, and short.
void wend__file_name(const char *path, char out[WEND__NAME_BYTES]);

/// Collects small writes into few. The first error sticks, and is what flush returns.
typedef struct wend__sink {
    wend_write_fn *write;
    void *context;
    wend_error error;
    size_t used;
    char bytes[16384];
} wend__sink;

void wend__sink_init(wend__sink *sink, wend_write_fn *write, void *context);
void wend__sink_put(wend__sink *sink, const void *bytes, size_t size);
/// Formats at most 200 bytes.
void wend__sink_print(wend__sink *sink, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
wend_error wend__sink_flush(wend__sink *sink);

#endif
