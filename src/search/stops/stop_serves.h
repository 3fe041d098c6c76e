/* SPDX-License-Identifier: MIT */
/* Internal: which requests jump search with stops serves. */
#ifndef WEND_SRC_SEARCH_STOPS_STOP_SERVES_H
#define WEND_SRC_SEARCH_STOPS_STOP_SERVES_H

#include "map/version/version.h"
#include <wend/search.h>

/// The largest g of a node.
enum { WEND__STOP_G_MAX = 0x7fffffff };

/// An upper bound of what one jump or link costs.
uint64_t wend__stop_dearest(const wend__version *view);

/// See wend__engine.
bool wend__stop_serves(const wend__version *version, const wend_request *request);

#endif
