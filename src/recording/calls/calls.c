/* SPDX-License-Identifier: MIT */
/* Turns the events of a service into orders of its recording: calls of hosts, with the inbox locked; frames and
 * callbacks, on the ticking thread. */
#include "recording/calls/recording.h"
#include "map/version/layers.h"
#include "service/backlog/backlog.h"
#include "recording/calls/recording_state.h"

void wend__record_shut(wend_service *service) {
    WEND__DEBUG_ASSERT(service->recording);
    wend__mutex_lock(service->recording->gate);
}

void wend__record_open(wend_service *service) {
    WEND__DEBUG_ASSERT(service->recording);
    wend__mutex_unlock(service->recording->gate);
}

static wend_name name_of(const wend_service *service, uint64_t number) {
    return wend__numbered(0, (int64_t)(number - service->recording->first_number));
}

void wend__record_submitted(wend_service *service, const wend__request *request, uint64_t number) {
    wend_order order = {.kind = WEND_ORDER_REQUEST,
                        .request = {.id = name_of(service, number),
                                    .mover = wend__numbered(request->mover ? 'm' : 0, request->mover),
                                    .goals = {request->more_goals, request->more_goal_count},
                                    .layers = wend__profile_weights(request->map, request->profile)}};
    wend__request_give(request, &order.request.def, &order.request.options);
    wend__tap_report(request->map, &order);
}

void wend__record_refused(wend_service *service) {
    wend__mutex_lock(service->recording->mutex);
    service->recording->refused++;
    wend__mutex_unlock(service->recording->mutex);
}

/* ---- changes ---- */

/* `index`: of the ticket. If a host changes an unrecorded request, which it finds in the state of an agent or by its
 * map, the recording ends. */
void wend__record_changed(wend_service *service, uint32_t index, const wend__change *change) {
    const wend__waiter *waiter = &service->inbox.backlog.waiters[index];
    if (waiter->unrecorded) {
        wend__record_unsupported(service);
        return;
    }
    wend_order order = {.about = {.id = name_of(service, wend__backlog_number(&service->inbox.backlog, index))}};
    switch (change->what) {
    case WEND__CHANGE_CANCEL: order.kind = WEND_ORDER_CANCEL; break;
    case WEND__CHANGE_URGENCY:
        order.kind = WEND_ORDER_URGENCY;
        order.about.urgency = change->urgency;
        break;
    default:
        order.kind = WEND_ORDER_GOAL;
        order.about.to = change->goal;
        break;
    }
    wend__tap_report(waiter->map, &order);
}

/* Reported once, as all maps share one script for this. */
void wend__record_closed(wend_service *service) {
    const wend_order order = {.kind = WEND_ORDER_CLOSE};
    wend__recording *recording = service->recording;
    wend__mutex_lock(recording->mutex);
    if (recording->map_count > 0) wend__stream_order(&recording->maps[0], &order);
    wend__mutex_unlock(recording->mutex);
}

/* ---- frames ---- */

void wend__record_begin_frame(wend_service *service) {
    if (service->recording) wend__mutex_lock(service->recording->gate);
}

void wend__record_enter_callback(wend_service *service, uint64_t number) {
    wend__recording *recording = service->recording;
    if (!recording) return;
    wend__mutex_lock(recording->mutex);
    recording->in_callback = true;
    recording->callback_name = number - recording->first_number;
    recording->callbacks++;
    wend__mutex_unlock(recording->mutex);
    wend__mutex_unlock(recording->gate);
}

void wend__record_leave_callback(wend_service *service) {
    if (service->recording) wend__mutex_lock(service->recording->gate);
}

/* A frame of time is repeated by its counts. If all chosen completions were delivered, deliveries are the choices. */
static wend_order frame_order(const wend__budget *budget, const wend_frame *did) {
    wend_order order = {.kind = WEND_ORDER_FRAME};
    wend_frame_limits *own = &order.frame.limits;
    order.frame.count = 1;
    order.frame.budget = (wend_budget){.expansions = budget->expansions, .us = budget->us};
    *own = (wend_frame_limits){.rounds = budget->rounds,
                               .intakes = budget->intakes,
                               .deliveries = budget->deliveries,
                               .cells = budget->cells,
                               .changes = budget->changes,
                               .checks = budget->checks,
                               .chosen = budget->chosen};
    wend__order_give(&order, &order.frame.budget.expansions);
    if (budget->us == WEND_NO_LIMIT) return order;
    const bool chose = budget->chosen != WEND_NO_LIMIT || did->chosen != did->deliveries;
    own->rounds = did->rounds;
    own->intakes = did->intakes;
    own->deliveries = did->deliveries;
    own->changes = did->changes;
    own->checks = did->checks;
    own->chosen = chose ? did->chosen : WEND_NO_LIMIT;
    return order;
}

void wend__record_end_frame(wend_service *service, const wend__budget *budget, const wend_frame *did) {
    wend__recording *recording = service->recording;
    char text[64];
    wend__phrase line = {text};
    if (!recording) return;
    const wend_order order = frame_order(budget, did);
    wend__mutex_lock(recording->mutex);
    if (recording->refused > 0) wend__phrase_option(&line, " # refused: ", recording->refused);
    wend__phrase_text(&line, "\n");
    WEND__DEBUG_ASSERT(line.at < text + sizeof text);
    wend__stream_end_frame(recording);
    for (uint32_t i = 0; i < recording->map_count; i++) {
        wend__stream_put_order(&recording->maps[i], &order);
        wend__stream_put(recording, recording->maps[i].file, text, (size_t)(line.at - text));
    }
    recording->refused = 0;
    recording->frames++;
    recording->in_callback = false;
    wend__stream_flush(recording);
    wend__mutex_unlock(recording->mutex);
    wend__mutex_unlock(recording->gate);
}
