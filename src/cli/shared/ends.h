/* SPDX-License-Identifier: MIT */
/* The ends of a search as options name them, and a search with room for all of a map. */
#ifndef WEND_SRC_CLI_SHARED_ENDS_H
#define WEND_SRC_CLI_SHARED_ENDS_H

#include <wend/search.h>

/// Reads a cell of a map from an option. @return CLI_DONE, or the exit status after a message
int cli_read_end(const wend_map *map, const wend_map_info *info, const char *option, const char *text, wend_cell *out);

/// Memory for a complete search: untouched memory costs nothing. If that fails, less must be enough.
wend_error cli_search_create(const wend_map_info *info, bool far, wend_search **out);
wend_completion cli_result_of(const wend_search *search);

#endif
