/* SPDX-License-Identifier: MIT */
/* Internal: what can be said of a request before any search: whether it is valid, answered already, and how good its answer is. */
#ifndef WEND_SRC_SEARCH_REQUEST_REQUEST_H
#define WEND_SRC_SEARCH_REQUEST_REQUEST_H

#include "map/version/version.h"
#include <wend/search.h>

/// A flag of requests whose goal has moved: they get an engine that can go on when the goal moves again.
#define WEND__REQUEST_GOAL_MOVED (UINT32_C(1) << 31)

/// What wend_request_init() writes.
wend_request wend__request_default(void);
/// A caller's request, of any size. @return false: NULL, or struct_bytes is wrong
bool wend__request_take(const wend_request *theirs, wend_request *out);

/// What submit refuses: what is outside its range, cells off the map, a mover that the map does not know.
wend_error wend__request_check(const wend_request *request);

/// What can be said without searching: start_blocked, goal_blocked, found (the start will do), no_path, else pending.
wend_status wend__request_answer(const wend__version *version, const wend_request *request);

/// A nearest request whose goal cannot be reached: the cell that it will end at, where that can be said without a search,
/// so that the search can go there. Cost: O(cells within 32 of the goal) at most.
bool wend__request_substitute(const wend__version *version, const wend_request *request, wend_cell *out);

/// Does the promise of quality depend on the map's rules?
static inline bool wend__request_bound_asks(const wend_request *request) {
    return request->heuristic == WEND_HEURISTIC_MANHATTAN;
}

/// The promise of quality: 1 and 1000, or 0 and the bound x 1000. `version` may be NULL where that does not depend on it.
void wend__request_bound(const wend__version *version, const wend_request *request, int32_t *exact,
                         int32_t *bound_milli);

#endif
