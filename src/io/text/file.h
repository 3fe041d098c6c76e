/* SPDX-License-Identifier: MIT */
/* Internal: whole files into memory, and what files are called. */
#ifndef WEND_SRC_IO_TEXT_FILE_H
#define WEND_SRC_IO_TEXT_FILE_H

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

#endif
