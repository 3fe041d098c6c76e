/* SPDX-License-Identifier: MIT */
/* Internal: a bounded backward look from the goals of a search that units block.
 *
 * Components know nothing of units. Where units close a goal in, the search itself would expand all that the start
 * reaches. So after WEND__ENCLOSURE_AFTER expansions without an answer it looks back: which cells lead to a goal? If
 * they are at most WEND__ENCLOSURE_CELLS and the start is none of them, no path exists. A nearest search goes to the
 * nearest of the other cells then. Each cell from which the look goes back is an expansion, and so are each eight cells
 * near the goals that it looks at. */
#ifndef WEND_SRC_SEARCH_ENCLOSED_ENCLOSURE_H
#define WEND_SRC_SEARCH_ENCLOSED_ENCLOSURE_H

#include "search/store/search_state.h"

/// Prepare the look for a search that begins, or whose goal has moved. Cost: O(goals) for a request that units block,
/// else O(1).
void wend__enclosure_begin(wend__search *search, const wend_request *request);

/// Go on with it: spend up to `budget` expansions, at least 1. It may set the status, or `aimed`; then the caller sends
/// the search to the target, with wend__enclosure_request(). Takes no pages.
/// @return the expansions spent
uint64_t wend__enclosure_step(wend__search *search, uint64_t budget);

/// The request of an aimed search; its goals are in the state.
wend_request wend__enclosure_request(const wend__search *search);

#endif
