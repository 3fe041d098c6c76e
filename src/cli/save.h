/* SPDX-License-Identifier: MIT */
/* Map files written by name: shared by convert and generate. */
#ifndef WEND_SRC_CLI_SAVE_H
#define WEND_SRC_CLI_SAVE_H

#include "cli.h"

/// Beside WEND_FORMAT_…: what libwend-extra writes.
enum { CLI_FORMAT_TILED = 100 };

/// The format that a file's name asks for. Prints what is wrong. @return −1 to go on, else the exit status.
int cli_format_of(const char *path, int32_t *format);

/// Write a world's map, markers and routes to a file. Prints what is wrong; what is left out without being missed in the
/// file is for the caller to say. @return −1 to go on, else the exit status.
int cli_save(const cli_world *world, const char *path, int32_t format);

#endif
