/* SPDX-License-Identifier: MIT */
/* Map files written by name: the ending of the name says the format. */
#ifndef WEND_SRC_CLI_SHARED_SAVE_H
#define WEND_SRC_CLI_SHARED_SAVE_H

#include <wend/extra.h>

/// Beside WEND_FORMAT_…: what libwend-extra writes.
enum { CLI_FORMAT_TILED = 100 };

/// The format that a file's name asks for. Prints what is wrong. @return −1 to go on, else the exit status.
int cli_format_of(const char *path, int32_t *format);

/// Write a map to a file. Prints what is wrong; what the format has no place for is for the caller to say.
/// @param markers   start and goal, or NULL
/// @param tiled     routes and what else came from Tiled, or NULL
/// @return −1 to go on, else the exit status
int cli_save(const wend_map *map, const wend_map_markers *markers, const wend_tiled *tiled, const char *path,
             int32_t format);

#endif
