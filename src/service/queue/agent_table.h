/* SPDX-License-Identifier: MIT */
/* Internal: the pending request of each agent, by linear hashing. The inbox is locked in each of these calls. */
#ifndef WEND_SRC_SERVICE_AGENT_TABLE_H
#define WEND_SRC_SERVICE_AGENT_TABLE_H

#include "service/state/service_state.h"

/// The count of tickets ever opened went up by one: the table has one more bucket. Cost: expected O(1).
void wend__agents_grow(wend_service *service);
/// A request with an agent is the agent's pending one from now on. Returns the one before, which leaves the table, or
/// WEND__NONE. Cost: expected O(1).
uint32_t wend__agents_put(wend_service *service, uint32_t entry);
/// A request with an agent leaves the table, if it is there. Cost: expected O(1).
void wend__agents_remove(wend_service *service, uint32_t entry);

#endif
