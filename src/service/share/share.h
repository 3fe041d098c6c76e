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

/// Take the members whose way is known out of the group with many starts. Returns the first of a list through
/// `sibling`. *leader: its way is known too. Cost: O(members).
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

/* ---- members.c ---- */

/* The members of a group, the first in order of service on top: a pairing heap (Fredman, Sedgewick, Sleator,
 * Tarjan 1986) through their bonds. */

/// Returns whether a goes before b. What their searches did so far does not matter.
bool wend__members_before(const wend_service *service, uint32_t a, uint32_t b);
/// Cost: O(1).
void wend__members_add(wend_service *service, wend__group *group, uint32_t entry);
/// Cost: amortized O(log members).
void wend__members_remove(wend_service *service, wend__group *group, uint32_t entry);
/// Take all out. Returns the first of a list through `sibling`, in an order that depends on the calls alone.
/// Cost: O(members).
uint32_t wend__members_take_all(wend_service *service, wend__group *group);

/* ---- likes.c ---- */

/* A table of the requests that others may join, by what their searches depend on. The hashing is linear, as
 * that of agents (queue/agent_table.c): nothing is cleared when a service is made. */

/// Returns whether its search may be shared at all.
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

/* ---- rally.c: requests with one goal, and the field that answers them all where that pays ---- */

/// A request that begins to wait goes to the rally of its goal, if its search could be one from the goal, and a place
/// is free. Cost: O(rallies).
void wend__rally_enter(wend_service *service, uint32_t entry);
/// It leaves its rally, if it is in one.
void wend__rally_leave(wend_service *service, uint32_t entry);
/// Another request takes its place.
void wend__rally_replace(wend_service *service, uint32_t before, uint32_t after);
/// Note what the search of an entry has spent.
void wend__rally_note(wend_service *service, uint32_t entry);

/// Returns whether one search from the goal would take less than the lone ones that are left, and a field can be made
/// now.
bool wend__rally_pays(wend_service *service, uint32_t entry);
/// Make the field for the goal of an entry. It has to be filled yet.
void wend__rally_begin(wend_service *service, uint32_t entry);
/// Returns whether a field is being made for the goal of a request, on the newest version.
bool wend__rally_has_field(wend_service *service, const wend_request *request);
/// No request is searched with the field any more. It stays until the last path in it is handed over.
void wend__rally_end(wend_service *service);
/// A path in the field is handed over, or dropped.
void wend__rally_drop_path(wend_service *service);

#endif
