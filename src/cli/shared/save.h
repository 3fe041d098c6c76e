/* SPDX-License-Identifier: MIT */
/* Map files, written in the format of the name's ending. */
#ifndef WEND_SRC_CLI_SHARED_SAVE_H
#define WEND_SRC_CLI_SHARED_SAVE_H

#include <wend/extra.h>

/// Formats other than WEND_FORMAT_…: Tiled, written by libwend-extra; a folder with a file for each chunk.
enum { CLI_FORMAT_TILED = 100, CLI_FORMAT_CHUNKS };

/// The format of a file's name. Prints errors. @return CLI_DONE, or the exit status
int cli_format_of(const char *path, int32_t *format);

/// Writes a map to a file. Prints errors; the caller reports data that the format has no place for.
/// @param markers   start and goal, or NULL
/// @param tiled     routes and other data from Tiled, or NULL
/// @return CLI_DONE, or the exit status
int cli_save(const wend_map *map, const wend_map_markers *markers, const wend_tiled *tiled, const char *path,
             int32_t format);

#endif
