/* SPDX-License-Identifier: MIT */
/* Internal: the path of a jump search with stops. */
#ifndef WEND_SRC_SEARCH_STOPS_STOP_PATH_H
#define WEND_SRC_SEARCH_STOPS_STOP_PATH_H

#include "search/stops/stop_search.h"

/// Keep the path to the goal reached in its nodes, as it may be read after the version is gone. Sets `steps`.
void wend__stop_path_keep(wend__search *search);

/// See wend__engine.
void wend__stop_path_cells(const wend__search *search, wend_cell *out, uint64_t count);
bool wend__stop_path_directions(const wend__search *search, uint8_t *out);

#endif
