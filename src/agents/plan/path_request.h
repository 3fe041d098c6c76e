/* SPDX-License-Identifier: MIT */
/* Internal: the path requests of agents: submitted to the service, and answered by it. */
#ifndef WEND_SRC_AGENTS_PLAN_PATH_REQUEST_H
#define WEND_SRC_AGENTS_PLAN_PATH_REQUEST_H

#include "agents/state/crowd_state.h"

/// Requests a path to the agent's goal. Replaces the pending request. If the service is full the request is marked as
/// wanted. The search starts where the agent will be when the answer arrives; a REROUTE starts before the first closed
/// step of its path.
void wend__path_request_begin(wend_crowd *crowd, uint32_t index, uint8_t purpose);
/// Submits the wanted request.
void wend__path_request_retry(wend_crowd *crowd, uint32_t index);
/// Cancels the pending or wanted request.
void wend__path_request_drop(wend_crowd *crowd, uint32_t index);
/// Handles the answer to a request; the service's callback.
void wend__path_request_done(void *context, const wend_completion *done);
/// The same for a leg of a route.
void wend__leg_answered(void *context, const wend_completion *done);

/// Finds the cells that a fleeing agent may run to. Writes the first to *first, the others to crowd->more_goals.
/// @return the number of all, up to WEND_MAX_GOALS
uint32_t wend__flee_goals(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *first);
/// The same for the cells at which an agent may join its route: the nearest ones, or those behind the gap.
uint32_t wend__route_goals(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *first);
/// Returns true if an agent on a route that is cut at goal.position may go on at another position. If both are the same
/// cell, the step from there must be open.
bool wend__route_resumes(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                         wend__route_position position);

/// Returns whether a search ended without an answer, so that it has to be repeated.
static inline bool wend__is_discarded(wend_status status) {
    return status == WEND_STATUS_CANCELLED || status == WEND_STATUS_REPLACED || status == WEND_STATUS_DISPLACED ||
           status == WEND_STATUS_STALE;
}

/// Returns whether the last search found no way and the agent still waits for one (wend_crowd_tuning.patience_updates).
static inline bool wend__waits_for_way(const wend_crowd *crowd, uint32_t index) {
    const uint64_t since = crowd->agents[index].stall.no_way_since;
    return since > 0 && crowd->counts.updates + 1 - since < crowd->tuning.patience_updates;
}

/// Returns whether the map has changed since the version of the last search.
bool wend__path_request_is_outdated(const wend_crowd *crowd, uint32_t index);
/// Returns whether the agent waits for a way and the map has not changed since: a search would find none.
bool wend__path_request_is_futile(const wend_crowd *crowd, uint32_t index);

#endif
