/* SPDX-License-Identifier: MIT */
/* Internal: a crowd that is created while its service records. The recording contains its orders and updates, which
 * determine its searches and units. Any other crowd is recorded by its searches and units. */
#ifndef WEND_SRC_RECORDING_CROWD_CROWD_ORDERS_H
#define WEND_SRC_RECORDING_CROWD_CROWD_ORDERS_H

#include "agents/state/crowd_state.h"
#include "recording/calls/recording.h"
#include <wend/body.h>

/// Begins and ends an order: calls of other threads wait meanwhile. @return whether to record the order
bool wend__crowd_record_begin(wend_crowd *crowd);
void wend__crowd_record_end(wend_crowd *crowd, bool recorded);

/// Record that the crowd was created or destroyed.
void wend__crowd_record_created(wend_crowd *crowd);
void wend__crowd_record_destroyed(wend_crowd *crowd);

/* Record orders that were carried out, between begin and end. */
void wend__crowd_record_add(const wend_crowd *crowd, uint32_t index, const wend_agent_def *def);
/// @param def   radius_milli 0: the body is removed
void wend__crowd_record_place(const wend_crowd *crowd, uint32_t index, wend_point at, wend_point velocity);
void wend__crowd_record_body(const wend_crowd *crowd, uint32_t index, const wend_body_def *def);
void wend__crowd_record_go(const wend_crowd *crowd, const wend_agent_id *ids, size_t count,
                           const wend_crowd_goal *goal);
/// @param kind   WEND_ORDER_HALT or WEND_ORDER_REMOVE
void wend__crowd_record_names(const wend_crowd *crowd, int32_t kind, const wend_agent_id *ids, size_t count);
void wend__crowd_record_route(const wend_crowd *crowd, uint32_t number, const wend_route_def *def);
void wend__crowd_record_take_route(const wend_crowd *crowd, uint32_t index, uint32_t route);
void wend__crowd_record_step(const wend_crowd *crowd, uint32_t index, wend_cell cell);
void wend__crowd_record_move(const wend_crowd *crowd, uint32_t index, wend_cell cell);
void wend__crowd_record_speed(const wend_crowd *crowd, uint32_t index, uint32_t speed_milli);
void wend__crowd_record_urgency(const wend_crowd *crowd, uint32_t index, int32_t urgency);
void wend__crowd_record_waits(const wend_crowd *crowd, uint32_t index, const wend_agent_id *others, size_t count);
void wend__crowd_record_profile(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t profile);
void wend__crowd_record_mover(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover);
/// @param kind   WEND_ORDER_CLEAR or WEND_ORDER_RELEASE
void wend__crowd_record_box(const wend_crowd *crowd, int32_t kind, wend_box box);
/// @param choices   limit of the update, or the choices made; WEND_NO_LIMIT: no limit
void wend__crowd_record_update(const wend_crowd *crowd, uint32_t elapsed_milli, uint64_t choices);

/// As in service/inbox/inbox.h, unrecorded, if the crowd's orders are recorded; else as the host's own calls.
wend_error wend__crowd_submit(wend_crowd *crowd, const wend__request *request, wend_ticket *out);
void wend__crowd_cancel(wend_crowd *crowd, wend_ticket ticket);

#endif
