/* SPDX-License-Identifier: MIT */
/* Internal: requests that are alike share one search. All calls are the owner's, and need share.members. */
#ifndef WEND_SRC_SERVICE_SHARE_H
#define WEND_SRC_SERVICE_SHARE_H

#include "service/state/service_state.h"

/// Lets a request that is not in the order join another one. Returns false if there is none: then the request has to
/// wait in the order, and others may join it. Cost: expected O(1).
bool wend__share_enter(wend_service *service, uint32_t entry);

/// Groups all requests with the goal of `entry`, if one search from that goal costs less than the lone ones. Returns
/// the request to search: `entry`, or the leader of the new group. Its members leave the order.
/// Cost: O(1); O(requests with that goal) if they become a group.
uint32_t wend__share_group_starts(wend_service *service, uint32_t entry);

/// Takes the members with a known way out of the group with many starts. Returns the first of a list through
/// `sibling`. *leader: whether the way of the leader is known too. Cost: O(members).
uint32_t wend__share_take_known(wend_service *service, wend__group *group, bool *leader);

/// Dissolves the group with many starts and drops its search. Returns the first of a list of all its requests through
/// `sibling`; they are in no list but the ages. Cost: O(members).
uint32_t wend__share_ungroup_starts(wend_service *service);

/// Takes a member or a leader out of its group, as it ends or gets another goal. A leader leaves its search to the
/// first member. A member is then in no list but the ages. Cost: amortized O(log members).
void wend__share_quit(wend_service *service, uint32_t entry);

/// Returns the first member of a leader's group; WEND__NONE: there is none.
uint32_t wend__share_next(wend_service *service, uint32_t leader);

/// Takes a finished leader out of its group. The leader keeps its slot if it has one. Members that are left wait
/// without a search.
void wend__share_resign(wend_service *service, uint32_t leader);

/// Restores the order of a group after the urgency of a member or the leader has changed: the first in order leads.
void wend__share_reorder(wend_service *service, uint32_t entry);

/// Takes the members at their limit out of a group, which is dissolved if it has none left. Returns the first
/// of a list through `sibling`. Cost: O(members).
uint32_t wend__share_take_limited(wend_service *service, wend__group *group);

/* ---- member_heap.c ---- */

/* The members of a group, the first in order of service on top: a pairing heap (Fredman, Sedgewick, Sleator,
 * Tarjan 1986), linked through share.members. */

/// Returns whether a comes before b in the order of service, by urgency and number alone.
bool wend__member_heap_before(const wend_service *service, uint32_t a, uint32_t b);
/// Cost: O(1).
void wend__member_heap_add(wend_service *service, wend__group *group, uint32_t entry);
/// Cost: amortized O(log members).
void wend__member_heap_remove(wend_service *service, wend__group *group, uint32_t entry);
/// Takes out all members. Returns the first of a list through `sibling`, in an order that depends on the calls alone.
/// Cost: O(members).
uint32_t wend__member_heap_take_all(wend_service *service, wend__group *group);

/* ---- share_table.c ---- */

/* A table of the requests that others may join, by what their searches depend on. The hashing is linear, as
 * that of agents (queue/agent_table.c): nothing is cleared when a service is made. */

/// Returns whether the search of an entry may be shared at all.
bool wend__may_share(const wend__entry *entry);
/// Returns the entry in the table with the same map, mover, start, goal and options, or WEND__NONE. Stores the hash of
/// `entry`.
/// Cost: expected O(1).
uint32_t wend__share_table_find(wend_service *service, uint32_t entry);
/// Puts an entry into the table, after wend__share_table_find().
void wend__share_table_add(wend_service *service, uint32_t entry);
/// Takes out an entry, if it is in the table. Cost: expected O(1).
void wend__share_table_remove(wend_service *service, uint32_t entry);
/// Puts `after` in the place of `before`, which is alike.
void wend__share_table_replace(wend_service *service, uint32_t before, uint32_t after);

/* ---- goal_group.c: requests with one goal, and the field that answers them all if that costs less ---- */

/// Adds a request that begins to wait to the goal group of its goal, if a field could answer it, and a place is free.
/// Cost: O(WEND__GOAL_GROUPS).
void wend__goal_group_enter(wend_service *service, uint32_t entry);
/// Takes an entry out of its goal group, if it is in one.
void wend__goal_group_leave(wend_service *service, uint32_t entry);
/// Puts `after` in the place of `before`.
void wend__goal_group_replace(wend_service *service, uint32_t before, uint32_t after);
/// Counts what the search of an entry has spent since the last call.
void wend__goal_group_note(wend_service *service, uint32_t entry);

/// Returns whether one search from the goal is expected to take less than the lone ones that are left, and a field can
/// be made now.
bool wend__goal_group_pays(wend_service *service, uint32_t entry);
/// Creates the field for the goal of an entry. No cell of it is settled.
void wend__goal_group_begin(wend_service *service, uint32_t entry);
/// Returns whether a field is being made for the goal of a request, on the newest version.
bool wend__goal_group_has_field(wend_service *service, const wend__request *request);
/// Ends the search with the field. The field stays until its last path is delivered.
void wend__goal_group_end(wend_service *service);
/// Drops one reference to the field: a path in it was delivered, or is not wanted any more.
void wend__goal_group_drop_path(wend_service *service);

#endif
