/* SPDX-License-Identifier: MIT */
/* Internal: requests that are alike share one search. All calls are the owner's, and need share.bonds. */
#ifndef WEND_SRC_SERVICE_SHARE_H
#define WEND_SRC_SERVICE_SHARE_H

#include "service/state/service_state.h"

/// A request was taken in and is not in the order. True: it joined another one. False: it is to wait in the order;
/// others may join it. Cost: expected O(1).
bool wend__share_enter(wend_service *service, uint32_t entry);

/// The request that is to be searched where the scheduler has come to one: itself; or, where one search from its goal
/// pays for all that have that goal, the first of them. They are a group then, and the others are not in the order.
/// Cost: O(1); O(requests with that goal) where they become a group.
uint32_t wend__share_gather(wend_service *service, uint32_t entry);

/// Take the members whose way is known out of the group with many starts. Returns the first of a list through `beside`.
/// *leader: its way is known too. Cost: O(members).
uint32_t wend__share_take_known(wend_service *service, wend__group *group, bool *leader);

/// Take the group with many starts apart: its search is lost. Returns the first of a list of all through `beside`, who
/// are in no list but the ages. Cost: O(members).
uint32_t wend__share_scatter(wend_service *service);

/// A member or a leader is on its own again, as it ends or gets another goal. A leader leaves its search to its first
/// member. A member is in no list but the ages then. Cost: amortized O(log members).
void wend__share_quit(wend_service *service, uint32_t entry);

/// The first member of a leader's group; WEND__NONE: it has none.
uint32_t wend__share_next(wend_service *service, uint32_t leader);

/// A leader is finished, and keeps its slot if it has one. Members that are left go on without a search.
void wend__share_resign(wend_service *service, uint32_t leader);

/// The urgency of a member or a leader has changed, and it is in the order if it waits. The first in order leads.
void wend__share_reorder(wend_service *service, uint32_t entry);

/// Take the members whose limit is reached out of a group, which may be none afterwards. Returns the first of a list
/// through `beside`. Cost: O(members).
uint32_t wend__share_take_limited(wend_service *service, wend__group *group);

#endif
