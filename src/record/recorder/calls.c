/* SPDX-License-Identifier: MIT */
/* Turns what happens to a service into orders of its recording: calls of hosts, with the inbox locked; frames and
 * callbacks, on the ticking thread. */
#include "record/recorder/record.h"
#include "record/recorder/recorder.h"

void wend__record_shut(wend_service *service) {
    wend__mutex_lock(service->recorder->gate);
}

void wend__record_open(wend_service *service) {
    wend__mutex_unlock(service->recorder->gate);
}

static wend_name name_of(const wend_service *service, uint64_t number) {
    return wend__numbered(0, (int64_t)(number - service->recorder->first_number));
}

void wend__record_submitted(wend_service *service, const wend__request *request, uint64_t number) {
    wend_order order = {.kind = WEND_ORDER_REQUEST,
                        .request = {.id = name_of(service, number),
                                    .mover = wend__numbered(request->mover ? 'm' : 0, request->mover),
                                    .goals = {request->more_goals, request->more_goal_count}}};
    wend__request_give(request, &order.request.def, &order.request.more);
    wend__tap_note(request->map, &order);
}

void wend__record_refused(wend_service *service) {
    wend__mutex_lock(service->recorder->mutex);
    service->recorder->refused++;
    wend__mutex_unlock(service->recorder->mutex);
}

/* ---- changes ---- */

/* `index`: of the ticket. Hosts have no tickets of unrecorded requests, but may cancel all of a map's. */
void wend__record_changed(wend_service *service, uint32_t index, const wend__change *change) {
    const wend__waiter *waiters = service->inbox.backlog.waiters;
    if (waiters ? waiters[index].unrecorded : service->entries[index].unrecorded) {
        wend__record_unsupported(service);
        return;
    }
    const uint64_t number = waiters ? waiters[index].number : service->entries[index].number;
    const wend_map *map = waiters ? waiters[index].map : service->entries[index].request.map;
    wend_order order = {.about = {.id = name_of(service, number)}};
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
    wend__tap_note(map, &order);
}

/* One script has it for all. */
void wend__record_closed(wend_service *service) {
    const wend_order order = {.kind = WEND_ORDER_CLOSE};
    wend__recorder *recorder = service->recorder;
    wend__mutex_lock(recorder->mutex);
    if (recorder->map_count > 0) wend__stream_order(&recorder->maps[0], &order);
    wend__mutex_unlock(recorder->mutex);
}

/* ---- frames ---- */

void wend__record_begin_frame(wend_service *service) {
    if (service->recorder) wend__mutex_lock(service->recorder->gate);
}

void wend__record_enter_callback(wend_service *service, uint64_t number) {
    wend__recorder *recorder = service->recorder;
    if (!recorder) return;
    wend__mutex_lock(recorder->mutex);
    recorder->in_callback = true;
    recorder->callback_name = number - recorder->first_number;
    recorder->callbacks++;
    wend__mutex_unlock(recorder->mutex);
    wend__mutex_unlock(recorder->gate);
}

void wend__record_leave_callback(wend_service *service) {
    if (service->recorder) wend__mutex_lock(service->recorder->gate);
}

/* A frame with a budget of time is repeated by its counts. Where it delivered all that it chose, its deliveries say how
 * many it chose. */
static wend_order frame_order(const wend_budget *budget, const wend_frame *did) {
    wend_order order = {.kind = WEND_ORDER_FRAME, .frame = {1, *budget}};
    wend_budget *own = &order.frame.budget;
    wend__order_give(&order, &own->expansions);
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

void wend__record_end_frame(wend_service *service, const wend_budget *budget, const wend_frame *did) {
    wend__recorder *recorder = service->recorder;
    char text[64];
    wend__phrase line = {text};
    if (!recorder) return;
    const wend_order order = frame_order(budget, did);
    wend__mutex_lock(recorder->mutex);
    if (recorder->refused > 0) wend__phrase_option(&line, " # refused: ", recorder->refused);
    wend__phrase_text(&line, "\n");
    wend__stream_end_frame(recorder);
    for (uint32_t i = 0; i < recorder->map_count; i++) {
        wend__stream_put_order(&recorder->maps[i], &order);
        wend__stream_put(recorder, recorder->maps[i].file, text, (size_t)(line.at - text));
    }
    recorder->refused = 0;
    recorder->frames++;
    recorder->in_callback = false;
    wend__stream_flush(recorder);
    wend__mutex_unlock(recorder->mutex);
    wend__mutex_unlock(recorder->gate);
}
