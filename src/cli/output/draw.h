/* SPDX-License-Identifier: MIT */
/* Pictures of --draw and --output, and the files that results are written to. */
#ifndef WEND_SRC_CLI_OUTPUT_DRAW_H
#define WEND_SRC_CLI_OUTPUT_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "base/system/replace.h"
#include <wend/extra.h>

#define CLI_DRAWS "ansi|svg|png"

enum { CLI_DRAW_NONE = -1, CLI_DRAW_ANSI = 0, CLI_DRAW_SVG = 1, CLI_DRAW_PNG = 2 };

/// Checks --draw, --output and --json together: without --draw the name decides the kind of picture.
/// @return CLI_DONE, or the exit status.
int cli_draw_check_options(int32_t *draw, const char *output, bool json);

/// Writes a picture with a legend to `output`, or to stdout if that is NULL. Prints errors.
/// @param apart  the legend of ANSI on stdout goes to stderr, for commands that print nothing else there
/// @return CLI_DONE, or the exit status.
int cli_draw(wend_picture *picture, int32_t draw, const char *output, bool apart);
/// The same in two steps, for a file that is opened before long work: refuses a picture that cannot be drawn and opens
/// the file; writes it later, and closes it.
int cli_draw_open(const wend_picture *picture, int32_t draw, const char *output, wend__replacement *file);
int cli_draw_to_file(wend_picture *picture, int32_t draw, const char *output, wend__replacement *file);

/// A line about a search for a picture's caption: its end, its path's cost, its expanded cells, and its expansions.
void cli_caption(const wend_completion *result, int32_t kind, uint64_t expanded,
                 char out[WEND_PICTURE_MAX_CAPTION + 1]);
/// Finds the occupied cells of a map, to be freed. Returns false if memory ran out.
bool cli_occupied_cells(const wend_map *map, wend_cell **cells, size_t *count);

/// A wend_write_fn for a FILE * as context.
wend_error cli_write_to_file(void *file, const void *bytes, size_t size);

/// Opens a file for a result; an old file of this name stays until the new one is closed. Prints errors.
/// @return CLI_DONE, or the exit status.
int cli_output_open(wend__replacement *file, const char *name);
/// Closes it. Prints errors, also those of earlier writes. @return CLI_DONE, or the exit status.
int cli_output_close(wend__replacement *file, const char *name);
/// Closes it, if it is open, after something else has failed: the old file stays.
void cli_output_drop(wend__replacement *file);

/// Returns true for a name with this ending.
bool cli_ends_with(const char *text, const char *end);

#endif
