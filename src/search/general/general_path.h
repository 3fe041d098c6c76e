/* SPDX-License-Identifier: MIT */
/* Internal: the path that the general engine hands over. */
#ifndef WEND_SRC_SEARCH_GENERAL_GENERAL_PATH_H
#define WEND_SRC_SEARCH_GENERAL_GENERAL_PATH_H

#include "search/store/search_state.h"

/// End the search: with the best goal, the nearest node, or no path.
void wend__general_finish(wend__search *search);

/// See wend__search_take_nearest(), wend__search_cells() and wend__search_expanded().
bool wend__general_take_nearest(wend__search *search);
void wend__general_cells(const wend__search *search, wend_cell *out, uint64_t count);
void wend__general_expanded(const wend__search *search, wend__cell_list *list);

/// See wend__engine.
void wend__general_leads(wend__search *search, struct wend__lead_best *best);
int wend__general_back(const wend__search *search, struct wend__lead *at);

#endif
