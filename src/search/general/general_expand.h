/* SPDX-License-Identifier: MIT */
/* Internal: the successors of a node of the general engine. */
#ifndef WEND_SRC_SEARCH_GENERAL_GENERAL_EXPAND_H
#define WEND_SRC_SEARCH_GENERAL_GENERAL_EXPAND_H

#include "search/store/search_state.h"

/// Set what the work of this search counts as. The heuristic and all that the request asks are set.
void wend__general_set_prices(wend__search *search);

/// Grids: note whether canonical successors are valid in a page. Units may block the way round.
void wend__general_describe_page(wend__search *search, uint32_t page);

/// Expand the node `expanding`, or resume its expansion, and note what the search owes for it.
/// False where pages are lacking.
bool wend__general_expand(wend__search *search, wend__stock *stock);

#endif
