/* SPDX-License-Identifier: MIT */
/* The first phase of a frame: cancellations, replacements, urgencies and moved goals, then new requests in order of
 * submission. */
#include "service/scheduling/scheduling.h"
#include "service/delivery/delivery.h"
#include "service/queue/queue.h"
#include "service/inbox/inbox.h"
#include "service/share/share.h"
#include "service/state/service_state.h"
#include <string.h>

/* The clock is read after this many plain requests, or work that takes about as long. */
enum { CLOCK_EVERY = 8 };

static bool time_is_up(const wend_service *service, wend__tick *tick) {
    if (tick->since_clock < CLOCK_EVERY) return false;
    tick->since_clock = 0;
    return wend__passed(service, tick->half_ns);
}

/* Returns the time to answer a request, in plain requests: cells around its goals may have to be visited. */
static uint32_t effort_of(const wend__request *request) {
    return request->reach > 0 ? CLOCK_EVERY : 1 + request->more_goal_count / 8;
}

static void set_urgency(wend_service *service, uint32_t index, int32_t urgency) {
    wend__entry *entry = &service->entries[index];
    bool waiting = entry->state == WEND__WAITING;
    if (entry->slot == WEND__NONE && entry->state != WEND__FINISHED && entry->state != WEND__JOINED) {
        wend__full_count(service, entry->request.urgency, -1);
        wend__full_count(service, urgency, 1);
    }
    if (entry->state < WEND__FINISHED) { /* finished ones keep their old urgency here, and return with the new one */
        service->went[wend__rank(entry->request.urgency)]++;
        service->went[wend__rank(urgency)]--;
    }
    if (entry->state == WEND__FINISHED) {
        wend__choose_set_urgency(service, index, urgency);
        return;
    }
    if (waiting) wend__order_remove(service, index);
    entry->request.urgency = urgency;
    if (waiting) wend__order_push(service, index);
    wend__share_reorder(service, index);
}

static void withdraw(wend_service *service, uint32_t index, wend_status status) {
    if (service->entries[index].state == WEND__FINISHED)
        wend__complete_withdraw(service, index, status);
    else
        wend__complete(service, index, status);
}

static uint32_t apply(wend_service *service, uint32_t index, const wend__change *change) {
    const wend__entry *entry = &service->entries[index];
    const uint32_t search = entry->slot != WEND__NONE ? CLOCK_EVERY : 0; /* the search may hold many pages */
    if (change->what & WEND__CHANGE_END) {
        withdraw(service, index, wend__change_status(change->what));
        return 1 + search;
    }
    if (change->what & WEND__CHANGE_URGENCY) set_urgency(service, index, change->urgency);
    if (!(change->what & WEND__CHANGE_GOAL)) return 1;
    wend__retarget(service, index, change->goal);
    return effort_of(&entry->request) + search;
}

static bool may_change(const wend_service *service, wend__tick *tick) {
    if (tick->frame->changes == 0) return true;
    return tick->frame->changes < tick->budget->changes && !time_is_up(service, tick);
}

/* Applies changes of our side until its end: threads write the other one. Returns false if some are left. */
static bool apply_changes(wend_service *service, wend__tick *tick) {
    wend__inbox *inbox = &service->inbox;
    const unsigned side = 1 - inbox->side;
    uint64_t applied = 0;
    while (inbox->changed[side] != WEND__NONE && may_change(service, tick)) {
        const uint32_t index = inbox->changed[side];
        wend__change *change = &inbox->changes[index].side[side];
        inbox->changed[side] = change->next;
        tick->since_clock += change->what ? apply(service, index, change) : 1; /* else the request has ended */
        applied += change->what != 0;
        change->what = 0;
        change->listed = false;
        tick->frame->changes++;
    }
    if (applied > 0) wend__inbox_applied(service, applied);
    return inbox->changed[side] == WEND__NONE;
}

/* Completes requests that ended in the backlog. Returns false if the frame may not change more. */
static bool end_some(wend_service *service, wend__tick *tick) {
    while (wend__inbox_has_ended(service)) {
        wend_status status;
        if (!may_change(service, tick)) return false;
        const uint32_t index = wend__inbox_promote_ended(service, &status);
        if (index == WEND__NONE) break;
        wend__complete(service, index, status);
        tick->since_clock++;
        tick->frame->changes++;
    }
    return true;
}

/* Finished requests become cancelled as they are delivered. Returns false if some are left. */
static bool cancel_all(wend_service *service, wend__tick *tick) {
    for (;;) {
        const uint32_t oldest = wend__ages_oldest(service);
        const uint32_t in = oldest != WEND__NONE ? oldest : service->land_waits.first;
        const uint32_t index = in != WEND__NONE ? in : service->arrivals.first;
        if (index == WEND__NONE && wend__inbox_promote(service)) continue;
        if (index == WEND__NONE) return true;
        if (!may_change(service, tick)) return false;
        tick->since_clock += service->entries[index].slot != WEND__NONE ? CLOCK_EVERY : 1;
        withdraw(service, index, WEND_STATUS_CANCELLED);
        tick->frame->changes++;
    }
}

/* Checking land may have spent the frame's budget. */
static bool is_spent(const wend_service *service, const wend__tick *tick) {
    return service->land_owed > 0 && service->land_owed >= tick->left;
}

static void take_in(wend_service *service, uint32_t index) {
    if (wend__complete_early(service, index)) return;
    wend__chain_remove(service, &service->arrivals, index);
    wend__ages_add(service, index);
    if (!service->def.share || !wend__share_enter(service, index)) wend__order_push(service, index);
}

void wend__intake_leftovers(wend_service *service, wend__tick *tick) {
    service->behind = !apply_changes(service, tick);
}

/* A frame out of time leaves the backlog alone, like one that may take no more in: so it can be repeated. */
static bool promote_more(wend_service *service, wend__tick *tick) {
    if (tick->frame->intakes > 0 && time_is_up(service, tick)) return false;
    return wend__inbox_promote(service);
}

static void take_all_in(wend_service *service, wend__tick *tick) {
    const uint64_t limit = wend__at_least_one(tick->budget->intakes);
    tick->since_clock = 0;
    while (tick->frame->intakes < limit) {
        if (service->arrivals.first == WEND__NONE && !promote_more(service, tick)) break;
        if (tick->frame->intakes > 0 && (is_spent(service, tick) || time_is_up(service, tick))) break;
        const uint32_t index = service->arrivals.first;
        const uint64_t owed = service->land_owed;
        tick->since_clock += effort_of(&service->entries[index].request);
        take_in(service, index);
        tick->since_clock += (uint32_t)((service->land_owed - owed) / 16);
        tick->frame->intakes++;
    }
}

bool wend__intake_more(wend_service *service, wend__tick *tick) {
    const uint64_t before = tick->frame->intakes;
    if (tick->end_ns == WEND_NO_LIMIT) take_all_in(service, tick);
    return tick->frame->intakes > before;
}

/* ---- displaced requests of a full queue ---- */

/* Returns whether requests of such an urgency still lack places, up to the number that waited when the frame began. */
static bool is_crowded(const wend_service *service, int32_t urgency, uint64_t displaced) {
    const uint64_t places = service->def.queue - (urgency > 0 ? 0 : service->def.reserve);
    return service->opened > places + service->withdrawn + displaced;
}

/* If many requests are in no line, a frame displaces some and the next one goes on. */
enum { MOST_VISITED = 1 << 18 };

/* Returns how many of the owed places are settled. */
static uint32_t displace_some(wend_service *service, wend__tick *tick) {
    const uint32_t owed = service->owed;
    uint64_t displaced = 0, visited = 0;
    for (uint32_t i = 0; i < owed; i++) {
        if (!is_crowded(service, service->inbox.takers[i], displaced)) continue;
        if (visited > MOST_VISITED) return i;
        const int32_t taker = service->inbox.takers[i];
        const uint32_t last = wend__order_last(service, &visited);
        if (wend__inbox_displace_last(service, last, taker)) {
            displaced++;
        } else if (last != WEND__NONE && service->entries[last].request.urgency < taker) {
            wend__complete(service, last, WEND_STATUS_DISPLACED);
            tick->frame->changes++;
            displaced++;
        }
    }
    return owed;
}

/* Completes requests evicted from a full queue by more urgent ones, one for each place that was taken. */
static void displace(wend_service *service, wend__tick *tick) {
    wend__inbox *inbox = &service->inbox;
    if (service->owed == 0 || service->behind || service->closing || wend__inbox_has_ended(service)) return;
    const uint32_t owed = displace_some(service, tick);
    wend__mutex_lock(inbox->mutex);
    inbox->owed -= owed;
    memmove(inbox->takers, inbox->takers + owed, inbox->owed * sizeof *inbox->takers);
    wend__mutex_unlock(inbox->mutex);
    service->owed = 0;
    service->behind = !end_some(service, tick);
}

/* ---- the phase ---- */

void wend__intake(wend_service *service, wend__tick *tick) {
    if (!service->behind) service->behind = !apply_changes(service, tick);
    if (service->ends && !service->behind) service->behind = !end_some(service, tick);
    if (service->closing && !service->behind) service->behind = !cancel_all(service, tick);
    wend__retire(service);
    if (!service->closing) take_all_in(service, tick);
    displace(service, tick);
}
