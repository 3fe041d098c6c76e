/* SPDX-License-Identifier: MIT */
/* Internal: reading whole files into memory, and names of files. */
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

/// Returns whether the first bytes of a file show that it cannot be parsed. The parser then reports the error.
typedef bool wend__file_hopeless_fn(const void *bytes, size_t size);

/// Reads a whole file.
/// @param most       the largest size in bytes
/// @param hopeless   called once, with the first part of a larger file; NULL: read all
/// @return WEND_OK, WEND_IO, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED (too large); the error is filled in
wend_error wend__file_read(const char *path, wend_allocator allocator, uint64_t most, wend__file_hopeless_fn *hopeless,
                           wend__file_bytes *out, wend_file_error *error);
void wend__file_drop(wend__file_bytes *file);

/// Returns false only if there is no file of that name; a file that cannot be opened exists.
bool wend__file_exists(const char *path);

/// The name of a graph's coordinates file: ".co" replaces ".gr". False: the name ends otherwise, or is too long.
bool wend__coordinates_path(const char *path, char out[FILENAME_MAX]);

#define WEND__NAME_BYTES 80
/// A short, printable name of a file for messages, without its folders.
void wend__file_name(const char *path, char out[WEND__NAME_BYTES]);

#endif
