/* SPDX-License-Identifier: MIT */
/* Map files written by name: shared by convert and generate. */
#ifndef WEND_SRC_CLI_SAVE_H
#define WEND_SRC_CLI_SAVE_H

#include "cli.h"

/// The format that a file's name asks for. Prints what is wrong. @return −1 to go on, else the exit status.
int cli_format_of(const char *path, int32_t *format);

/// Write a map to a file. Prints what is wrong. @return −1 to go on, else the exit status.
int cli_save(const wend_map *map, const char *path, int32_t format, const wend_map_markers *markers);

#endif
