/* SPDX-License-Identifier: MIT */
/* Internal: a flow field as the search of a service's slot: one search from a goal for requests from many starts. */
#ifndef WEND_SRC_FIELD_MANY_FIELD_SEARCH_H
#define WEND_SRC_FIELD_MANY_FIELD_SEARCH_H

#include "field/field_service.h"
#include "search/engines.h"

/// A search that makes a field. It ends as no_path when the field, which has the answers, is complete, and takes no
/// pages.
typedef struct wend__field_search {
    wend__search search;
    wend_field *field;
} wend__field_search;

/// Begins such a search in memory for a search of any engine.
void wend__field_search_begin(wend__search *search, wend_field *field);
bool wend__field_search_is(const wend__search *search);

/// Follows the field from a cell that is known to have a way: its first cells go to `out`, start first, unless that is
/// NULL. Returns the steps to the goal, `most` at most.
uint64_t wend__field_walk(const wend_field *field, wend_cell start, uint64_t most, wend_cell *out);

#endif
