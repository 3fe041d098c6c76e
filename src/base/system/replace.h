/* SPDX-License-Identifier: MIT */
/* The way to write a file whole: aside, synced, then renamed. The libraries and the program each have a copy of
 * replace.c, as libwend exports public names only. */
#ifndef WEND_SRC_BASE_SYSTEM_REPLACE_H
#define WEND_SRC_BASE_SYSTEM_REPLACE_H

#include <stdio.h>

enum { WEND__PATH_BYTES = 4096 };

/// A file that is written. Until it is whole and on the disk, the old file of its name stays as it is. Devices, pipes
/// and descriptors are written in place.
typedef struct wend__replacement {
    FILE *stream;                 ///< NULL once it has ended
    int descriptor;               ///< of the stream
    char path[WEND__PATH_BYTES];  ///< its name, with links followed
    char aside[WEND__PATH_BYTES]; ///< the name and ".new"; "": written in place
} wend__replacement;

/// Opens a file that shall replace `path`. A killed process leaves `path` with ".new", which the next one overwrites.
/// @return 0, with a stream for wend__replace_end(); or an errno, EAGAIN where another process writes the file
int wend__replace_begin(wend__replacement *file, const char *path);
/// Puts the file in its place, and closes it. The new name is on the disk then, too.
/// @param error   the reason of an earlier failure; not 0: the old file stays
/// @return 0, or the reason: the old file stays; or `aside` is "", and the new one is in its place, in a folder that
/// could not be synced
int wend__replace_end(wend__replacement *file, int error);

/// Returns the text of an errno, or of such a reason. The C library need not set errno, as when its allocator fails
/// without doing so: 0.
const char *wend__errno_text(int number);

#endif
