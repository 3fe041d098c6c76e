/* SPDX-License-Identifier: MIT */
/* Internal: functions on a request that need no search: is it valid, is it answered, and the quality of its answer. */
#ifndef WEND_SRC_SEARCH_REQUEST_REQUEST_H
#define WEND_SRC_SEARCH_REQUEST_REQUEST_H

#include "map/version/version.h"
#include "search/store/request_fields.h"

/// A flag of requests with a moved goal: they get an engine that can go on when the goal moves
/// again.
#define WEND__REQUEST_GOAL_MOVED (UINT32_C(1) << 31)
/// Flags of a request, as those of wend_search_options.
enum { WEND__REQUEST_LEAVES_START = 1u << 0, WEND__REQUEST_FAR_BEGIN = 1u << 1 };

/// The defaults that wend_request_init() and wend_search_options_init() write.
wend__request wend__request_default(void);
/// Copies a request of any size from a caller, with its `more`. @return false: NULL, or a struct_bytes is wrong
bool wend__request_take(const wend_request *theirs, wend__request *out);
/// Writes a request as the two structs of the interface.
void wend__request_give(const wend__request *request, wend_request *common, wend_search_options *options);

/// Checks a request: each value in its range, cells on the map, a mover of the map.
wend_error wend__request_check(const wend__request *request);
/// The same without its cells: nodes of a graph may be removed by now.
wend_error wend__request_check_form(const wend__request *request);

/// Answers a request without a search if possible: start_blocked, goal_blocked, found
/// (the start is within reach), no_path; else pending.
wend_status wend__request_answer(const wend__version *version, const wend__request *request);

/// Returns whether a search may reach a goal of the request. True if components cannot decide.
bool wend__request_may_arrive(const wend__version *version, const wend__request *request);

/// Returns the mover as which a request is searched: its own or, where that shuns classes and components tell that no way
/// round them leads to a goal, the bolder one if that may arrive.
int32_t wend__request_mover(const wend__version *version, const wend__request *request);
/// Returns whether a request of a mover that shuns classes may arrive as the bolder one.
bool wend__request_may_dare(const wend__version *version, const wend__request *request);

/// Returns whether the bound of a request depends on the map's rules.
static inline bool wend__request_bound_asks(const wend__request *request) {
    return request->heuristic == WEND_HEURISTIC_MANHATTAN;
}

/// Computes the quality of an answer: 1 and 1000, or 0 and the bound x 1000. `version` may be NULL if
/// wend__request_bound_asks() is false.
void wend__request_bound(const wend__version *version, const wend__request *request, bool *exact, int32_t *bound_milli);

#endif
