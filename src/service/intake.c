/* SPDX-License-Identifier: MIT */
/* The first phase of a frame: cancellations, urgencies and goals that moved, then new requests in order of submission. */
#include "service/service_internal.h"

enum { CLOCK_EVERY = 8 };

static void set_urgency(wend_service *service, uint32_t index, int32_t urgency) {
    wend__entry *entry = &service->entries[index];
    bool waiting = entry->state == WEND__WAITING;
    if (waiting) wend__order_remove(service, index);
    entry->request.urgency = urgency;
    if (waiting) wend__order_push(service, index);
}

static void cancel(wend_service *service, uint32_t index) {
    if (service->entries[index].state == WEND__FINISHED)
        wend__finish_anew_cancelled(service, index);
    else
        wend__finish(service, index, WEND_STATUS_CANCELLED);
}

/* The side is ours until the next frame: threads write the other one. */
static void apply_changes(wend_service *service, unsigned side) {
    wend__gate *gate = &service->gate;
    uint32_t index = gate->changed[side];
    gate->changed[side] = WEND__NONE;
    while (index != WEND__NONE) {
        wend__change *change = &gate->doors[index].change[side];
        uint8_t what = change->what;
        uint32_t next = change->next;
        change->what = 0;
        change->listed = false;
        if (what & WEND__CHANGE_CANCEL) {
            cancel(service, index);
        } else {
            if (what & WEND__CHANGE_URGENCY) set_urgency(service, index, change->urgency);
            if (what & WEND__CHANGE_GOAL) wend__goal_move(service, index, change->goal);
        }
        index = next;
    }
}

static void cancel_all(wend_service *service) {
    while (service->ages.first != WEND__NONE) cancel(service, service->ages.first);
    while (service->arrivals.first != WEND__NONE) cancel(service, service->arrivals.first);
    wend__chain finished = {WEND__NONE, WEND__NONE};
    while (service->finished.count > 0) {
        uint32_t index = wend__numbers_first(&service->finished);
        wend__numbers_remove(&service->finished, service->entries[index].number, index);
        cancel(service, index);
        wend__chain_append(service, &finished, index);
    }
    wend__finish_wait_all(service, &finished);
}

bool wend__intake_answers(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    const wend__version *newest = wend__look_at(service, entry->request.map);
    int32_t answer = wend__request_answer(newest, wend__goals_ready(service, entry));
    if (answer == WEND_STATUS_PENDING && entry->spent >= entry->request.max_expansions) answer = WEND_STATUS_LIMIT;
    if (answer == WEND_STATUS_PENDING) {
        entry->asked = newest->serial;
        return false;
    }
    entry->dated = true;
    entry->searched = false;
    entry->epoch = entry->checked = newest->epoch;
    entry->serial = newest->serial;
    wend__finish(service, index, answer);
    return true;
}

static void take_in(wend_service *service, uint32_t index) {
    if (wend__intake_answers(service, index)) return;
    wend__chain_remove(service, &service->arrivals, index);
    wend__chain_append(service, &service->ages, index);
    wend__order_push(service, index);
}

void wend__intake(wend_service *service, wend__turn *turn, unsigned side) {
    apply_changes(service, side);
    if (service->closing) cancel_all(service);
    wend__outdated_retire(service);
    uint64_t limit = turn->budget->intakes > 0 ? turn->budget->intakes : 1, taken = 0;
    while (service->arrivals.first != WEND__NONE && taken < limit) {
        if (taken > 0 && taken % CLOCK_EVERY == 0 && wend__passed(service, turn->half_ns)) break;
        take_in(service, service->arrivals.first);
        taken++;
    }
    turn->frame->intakes = taken;
}
