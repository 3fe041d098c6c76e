/* SPDX-License-Identifier: MIT */
/* The first phase of a frame: cancellations, replacements, urgencies and goals that moved, then new requests in order
 * of submission. */
#include "service/scheduling/scheduling.h"
#include "service/backlog/backlog.h"
#include "service/delivery/delivery.h"
#include "service/queue/queue.h"
#include "service/inbox/inbox.h"
#include "service/share/share.h"
#include "service/state/service_state.h"
#include <string.h>

/* The clock is read after so many plain requests, or what takes about as long. */
enum { CLOCK_EVERY = 8 };

static bool time_is_up(const wend_service *service, wend__turn *turn) {
    if (turn->since_clock < CLOCK_EVERY) return false;
    turn->since_clock = 0;
    return wend__passed(service, turn->half_ns);
}

/* Time to answer a request, in plain requests: cells around its goals may have to be visited at. */
static uint32_t effort_of(const wend_request *request) {
    return request->reach > 0 ? CLOCK_EVERY : 1 + request->more_goal_count / 8;
}

static void set_urgency(wend_service *service, uint32_t index, int32_t urgency) {
    wend__entry *entry = &service->entries[index];
    bool waiting = entry->state == WEND__WAITING;
    if (entry->slot == WEND__NONE && entry->state != WEND__FINISHED && entry->state != WEND__JOINED) {
        wend__full_count(service, entry->request.urgency, -1);
        wend__full_count(service, urgency, 1);
    }
    if (entry->state < WEND__FINISHED) { /* else it went with the urgency that it had, and returns with the new one */
        service->went[wend__rank(entry->request.urgency)]++;
        service->went[wend__rank(urgency)]--;
    }
    if (entry->state == WEND__SHELVED) {
        wend__polls_set_urgency(service, index, urgency);
        return;
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
    const uint32_t search = entry->slot != WEND__NONE ? CLOCK_EVERY : 0; /* it may hold many pages */
    if (change->what & WEND__CHANGE_END) {
        withdraw(service, index, wend__change_status(change->what));
        return 1 + search;
    }
    if (change->what & WEND__CHANGE_URGENCY) set_urgency(service, index, change->urgency);
    if (!(change->what & WEND__CHANGE_GOAL)) return 1;
    wend__retarget(service, index, change->goal);
    return effort_of(&entry->request) + search;
}

static bool may_change(const wend_service *service, wend__turn *turn) {
    if (turn->frame->changes == 0) return true;
    return turn->frame->changes < turn->budget->changes && !time_is_up(service, turn);
}

/* The side is ours until it is read to its end: threads write the other one. False where some are left. */
static bool apply_changes(wend_service *service, wend__turn *turn) {
    wend__inbox *inbox = &service->inbox;
    const unsigned side = 1 - inbox->side;
    uint64_t applied = 0;
    while (inbox->changed[side] != WEND__NONE && may_change(service, turn)) {
        const uint32_t index = inbox->changed[side];
        wend__change *change = &inbox->tickets[index].change[side];
        inbox->changed[side] = change->next;
        turn->since_clock += change->what ? apply(service, index, change) : 1; /* else its request has gone */
        applied += change->what != 0;
        change->what = 0;
        change->listed = false;
        turn->frame->changes++;
    }
    if (applied > 0) wend__inbox_applied(service, applied);
    return inbox->changed[side] == WEND__NONE;
}

/* Finished requests become cancelled as they are delivered. False where some are left. */
static bool cancel_all(wend_service *service, wend__turn *turn) {
    for (;;) {
        const wend__heap *shelf = &service->polls.shelf;
        const uint32_t shelved = shelf->count > 0 ? shelf->items[0].id : WEND__NONE,
                       oldest = wend__ages_oldest(service);
        const uint32_t in = oldest != WEND__NONE ? oldest : shelved;
        const uint32_t index = in != WEND__NONE ? in : service->arrivals.first;
        if (index == WEND__NONE && wend__inbox_promote(service)) continue;
        if (index == WEND__NONE) return true;
        if (!may_change(service, turn)) return false;
        turn->since_clock += service->entries[index].slot != WEND__NONE ? CLOCK_EVERY : 1;
        const uint8_t ends = service->entries[index].ends;
        withdraw(service, index, ends ? ends : WEND_STATUS_CANCELLED);
        turn->frame->changes++;
    }
}

static void take_in(wend_service *service, uint32_t index) {
    if (service->entries[index].ends) {
        wend__complete(service, index, service->entries[index].ends);
        return;
    }
    if (wend__complete_early(service, index)) return;
    wend__chain_remove(service, &service->arrivals, index);
    wend__ages_add(service, index);
    if (!service->def.share || !wend__share_enter(service, index)) wend__order_push(service, index);
}

void wend__intake_leftovers(wend_service *service, wend__turn *turn) {
    service->behind = !apply_changes(service, turn);
}

/* A frame that is out of time leaves the backlog alone, as one does that may take no more in: so it can be repeated. */
static bool promote_more(wend_service *service, wend__turn *turn) {
    if (!wend__has_backlog(service) || (turn->frame->intakes > 0 && time_is_up(service, turn))) return false;
    return wend__inbox_promote(service);
}

static void take_all_in(wend_service *service, wend__turn *turn) {
    const uint64_t limit = wend__at_least_one(turn->budget->intakes);
    turn->since_clock = 0;
    while (turn->frame->intakes < limit) {
        if (service->arrivals.first == WEND__NONE && !promote_more(service, turn)) break;
        if (turn->frame->intakes > 0 && time_is_up(service, turn)) break;
        const uint32_t index = service->arrivals.first;
        turn->since_clock += effort_of(&service->entries[index].request);
        take_in(service, index);
        turn->frame->intakes++;
    }
}

bool wend__intake_more(wend_service *service, wend__turn *turn) {
    const uint64_t before = turn->frame->intakes;
    if (turn->end_ns == WEND_NO_LIMIT && wend__has_backlog(service)) take_all_in(service, turn);
    return turn->frame->intakes > before;
}

/* ---- requests that gave their places in a full queue ---- */

/* Places are still lacking for a request of such an urgency, as far as requests that waited when the frame began had
 * them. */
static bool is_crowded(const wend_service *service, int32_t urgency, uint64_t displaced) {
    const uint64_t places = service->def.queue - (urgency > 0 ? 0 : service->def.reserve);
    return service->opened > places + service->withdrawn + displaced;
}

/* Where many requests are in no line, a frame displaces some and the next one goes on. */
enum { MOST_VISITED = 1 << 18 };

/* Returns how many of those that were owed are settled. */
static uint32_t displace_some(wend_service *service, wend__turn *turn) {
    const uint32_t owed = service->owed;
    uint64_t displaced = 0, visited = 0;
    for (uint32_t i = 0; i < owed; i++) {
        if (!is_crowded(service, service->inbox.takers[i], displaced)) continue;
        if (visited > MOST_VISITED) return i;
        const uint32_t victim = wend__order_last(service, &visited);
        if (victim == WEND__NONE) break;
        if (service->entries[victim].request.urgency >= service->inbox.takers[i]) continue;
        wend__complete(service, victim, WEND_STATUS_DISPLACED);
        turn->frame->changes++;
        displaced++;
    }
    return owed;
}

/* Completes requests evicted from a full queue by more urgent ones, one for each whose place was taken. */
static void displace(wend_service *service, wend__turn *turn) {
    wend__inbox *inbox = &service->inbox;
    if (service->owed == 0 || service->behind || service->closing) return;
    const uint32_t owed = displace_some(service, turn);
    wend__mutex_lock(inbox->mutex);
    inbox->owed -= owed;
    memmove(inbox->takers, inbox->takers + owed, inbox->owed * sizeof *inbox->takers);
    wend__mutex_unlock(inbox->mutex);
    service->owed = 0;
}

/* ---- the phase ---- */

void wend__intake(wend_service *service, wend__turn *turn) {
    if (!service->behind) service->behind = !apply_changes(service, turn);
    if (service->closing && !service->behind) service->behind = !cancel_all(service, turn);
    wend__revalidate_retire(service);
    if (!service->closing) take_all_in(service, turn);
    displace(service, turn);
}
