/* SPDX-License-Identifier: MIT */
/* Internal: which searches of WEND_MODE_FAR find a route in their first step: see search/request/leg.h. */
#ifndef WEND_SRC_FAST_ROUTES_FAR_LEG_H
#define WEND_SRC_FAST_ROUTES_FAR_LEG_H

#include "search/request/leg.h"

/// Returns whether a search of a request looks for a route first: the view has a far layer that is up to date, start
/// and goal are open, and lie two chunks apart at least. With WEND_UNLOADED_KNOWN, on a map of which not all is loaded:
/// at any distance, to a goal in a chunk that is known, too, and exact requests also.
bool wend__far_leg_serves(const wend__version *view, const wend__request *request);

#endif
