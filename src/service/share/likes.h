/* SPDX-License-Identifier: MIT */
/* Internal: a table of the requests that others may join, by what their searches depend on. The hashing is linear, as
 * that of agents (queue/agent_table.c): nothing is cleared when a service is made. */
#ifndef WEND_SRC_SERVICE_LIKES_H
#define WEND_SRC_SERVICE_LIKES_H

#include "service/state/service_state.h"

/// May its search be shared at all?
bool wend__likes_may_share(const wend__entry *entry);
/// The entry in the table with the same map, mover, start, goal and options, or WEND__NONE. Notes the entry's hash.
/// Cost: expected O(1).
uint32_t wend__likes_find(wend_service *service, uint32_t entry);
/// Put it into the table, after wend__likes_find().
void wend__likes_add(wend_service *service, uint32_t entry);
/// Take it out, if it is there. Cost: expected O(1).
void wend__likes_remove(wend_service *service, uint32_t entry);
/// An entry takes the place of one that is like it.
void wend__likes_replace(wend_service *service, uint32_t before, uint32_t after);

#endif
