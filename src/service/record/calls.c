/* SPDX-License-Identifier: MIT */
/* Requests and what is asked of them, noted while the inbox is locked: their order is that of the
 * calls. */
#include "service/record/record.h"

#include "service/record/recorder.h"

void wend__record_shut(wend_service *service) {
    wend__mutex_lock(service->recorder->gate);
}

void wend__record_open(wend_service *service) {
    wend__mutex_unlock(service->recorder->gate);
}

static wend__name name_of(const wend_service *service, uint64_t number) {
    return wend__numbered(0, (int64_t)(number - service->recorder->first_number));
}

void wend__record_submitted(wend_service *service, const wend_request *request, uint64_t number) {
    const wend__order order = {.kind = WEND__ORDER_REQUEST,
                               .request = {.id = name_of(service, number),
                                           .mover = wend__numbered(request->mover ? 'm' : 0, request->mover),
                                           .goals = {request->more_goals, request->more_goal_count},
                                           .polled = !request->on_done,
                                           .def = *request}};
    wend__tap_note(request->map, &order);
}

void wend__record_refused(wend_service *service) {
    wend__mutex_lock(service->recorder->mutex);
    service->recorder->refused++;
    wend__mutex_unlock(service->recorder->mutex);
}

/* ---- changes ---- */

/* `index`: of the ticket. Hosts have no tickets of untold requests, but may cancel all of a map's. */
void wend__record_changed(wend_service *service, uint32_t index, const wend__change *change) {
    const wend__waiter *waiters = service->inbox.backlog.waiters;
    if (waiters ? waiters[index].untold : service->entries[index].untold) {
        wend__record_unsupported(service);
        return;
    }
    const uint64_t number = waiters ? waiters[index].number : service->entries[index].number;
    const wend_map *map = waiters ? waiters[index].map : service->entries[index].request.map;
    wend__order order = {.about = {.id = name_of(service, number)}};
    switch (change->what) {
    case WEND__CHANGE_CANCEL: order.kind = WEND__ORDER_CANCEL; break;
    case WEND__CHANGE_URGENCY:
        order.kind = WEND__ORDER_URGENCY;
        order.about.urgency = change->urgency;
        break;
    default:
        order.kind = WEND__ORDER_GOAL;
        order.about.to = change->goal;
        break;
    }
    wend__tap_note(map, &order);
}

/* One script says it for all. */
void wend__record_closed(wend_service *service) {
    const wend__order order = {.kind = WEND__ORDER_CLOSE};
    wend__recorder *recorder = service->recorder;
    wend__mutex_lock(recorder->mutex);
    if (recorder->map_count > 0) wend__stream_order(&recorder->maps[0], &order);
    wend__mutex_unlock(recorder->mutex);
}

void wend__record_polled(wend_service *service, const wend_map *map) {
    const wend__order order = {.kind = WEND__ORDER_POLL};
    if (service->recorder) wend__tap_note(map, &order);
}
