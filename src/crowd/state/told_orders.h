/* SPDX-License-Identifier: MIT */
/* Internal: a crowd that is made while its service records tells the recording of its orders and updates. Its searches
 * and units follow from them. Any other crowd is recorded by its searches and units. */
#ifndef WEND_SRC_CROWD_STATE_TOLD_ORDERS_H
#define WEND_SRC_CROWD_STATE_TOLD_ORDERS_H

#include "crowd/state/crowd_state.h"
#include "service/record/orders.h"

/// Does a recording of its orders go on?
static inline bool wend__crowd_tells(const wend_crowd *crowd) {
    return wend__record_goes_on(crowd->def.service, crowd->recording);
}

/// Does a recording go on that cannot repeat the fields of the crowd?
static inline bool wend__crowd_hides_fields(const wend_crowd *crowd) {
    return crowd->def.service->recorder && !wend__crowd_tells(crowd);
}

/// An order begins and ends: other threads' calls stay out meanwhile. @return tell of it, and end it
bool wend__told_begin(wend_crowd *crowd);
void wend__told_end(wend_crowd *crowd, bool told);

/// The crowd was made, and goes.
void wend__told_made(wend_crowd *crowd);
void wend__told_gone(wend_crowd *crowd);

/* Orders that were obeyed, between begin and end. */
void wend__told_add(const wend_crowd *crowd, uint32_t index, const wend_agent_def *def);
void wend__told_go(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, const wend_crowd_goal *goal);
/// @param kind   WEND__ORDER_HALT or WEND__ORDER_REMOVE
void wend__told_names(const wend_crowd *crowd, int32_t kind, const wend_agent_id *ids, size_t count);
void wend__told_route(const wend_crowd *crowd, uint32_t number, const wend_route_def *def);
void wend__told_take(const wend_crowd *crowd, uint32_t index, uint32_t route);
void wend__told_step(const wend_crowd *crowd, uint32_t index, wend_cell cell);
void wend__told_move(const wend_crowd *crowd, uint32_t index, wend_cell cell);
void wend__told_speed(const wend_crowd *crowd, uint32_t index, uint32_t speed_milli);
void wend__told_urgency(const wend_crowd *crowd, uint32_t index, int32_t urgency);
void wend__told_mover(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover);
void wend__told_update(const wend_crowd *crowd, uint32_t elapsed_milli);

/// As in service/inbox/untold.h where the crowd tells, else as the host does.
wend_error wend__crowd_submit(wend_crowd *crowd, const wend_request *request, wend_ticket *out);
void wend__crowd_cancel(wend_crowd *crowd, wend_ticket ticket);

#endif
