/* SPDX-License-Identifier: MIT */
/* Internal: a flow field as the search of a service's slot: one search from a goal for requests from many starts. */
#ifndef WEND_SRC_FIELD_FIELD_SEARCH_H
#define WEND_SRC_FIELD_FIELD_SEARCH_H

#include "field/field_state.h"
#include "search/engines.h"

/// Bytes of a field of one goal on a grid or voxels of so many cells in whole chunks; 0: too many, or less than one.
size_t wend__field_room(uint64_t cells);
/// Does a field of one goal on a map fit? Not on graphs whose edges do not all lead both ways at one cost.
bool wend__field_fits(const wend_map *map, size_t bytes);
/// Make a field on a version, in memory in which one fits. The caller keeps the version pinned and the memory, and
/// never destroys or repairs the field. Cost: O(chunks + links).
wend_field *wend__field_place(void *memory, wend__version *version, int32_t mover, wend_cell goal);

/// A search that makes a field. It ends as no_path when the field is complete, whatever its cells lead to, so the caller
/// asks the field about starts. It takes no pages.
typedef struct wend__field_search {
    wend__search search;
    wend_field *field;
} wend__field_search;

/// Begin such a search in memory for a search of any engine.
void wend__field_search_begin(wend__search *search, wend_field *field);
/// Is it one?
bool wend__field_search_is(const wend__search *search);

/// Follow the field from a cell that is known to have a way: its first cells go to `out`, start first, where that is not
/// NULL. Returns the steps to the goal, `most` at most.
uint64_t wend__field_walk(const wend_field *field, wend_cell start, uint64_t most, wend_cell *out);

#endif
