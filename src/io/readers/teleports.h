/* SPDX-License-Identifier: MIT */
/* Internal: the teleports of grid text, kept until the whole file has been read. */
#ifndef WEND_SRC_IO_READERS_TELEPORTS_H
#define WEND_SRC_IO_READERS_TELEPORTS_H

#include "io/text/text.h"
#include <wend/edit.h>

/// An end of a teleport; its name is a word of the file.
typedef struct wend__teleport {
    wend__word name;
    wend_cell cell;
} wend__teleport;

typedef struct wend__teleports {
    wend_allocator allocator;
    wend__teleport *ends;
    size_t count, capacity;
} wend__teleports;

/// Returns whether the word is a lower-case letter with digits.
bool wend__is_teleport(const wend__word *word);

/// @return WEND_OK, WEND_OUT_OF_MEMORY, WEND_BAD_FORMAT (more than a map can have; the error is filled in)
wend_error wend__teleports_add(wend__teleports *teleports, const wend__word *name, wend_cell cell,
                               wend_file_error *error);

/// Link the two ends of each name, both ways. A name that does not appear exactly twice is an error.
wend_error wend__teleports_link(wend__teleports *teleports, int32_t cost, wend_edit *edit, wend_file_error *error);

void wend__teleports_drop(wend__teleports *teleports);

#endif
