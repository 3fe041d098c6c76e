/* SPDX-License-Identifier: MIT */
/* Changes that any thread may request: pending requests are cancelled, or get other urgencies and goals. */
#include "service/inbox/inbox.h"
#include "service/queue/queue.h"
#include "recording/calls/recording.h"

wend__change *wend__inbox_change(wend__inbox *inbox, uint32_t index, uint8_t what) {
    wend__change *change = &inbox->changes[index].side[inbox->side];
    if (change->what == 0) change->frame = (uint8_t)inbox->frame;
    if (change->what == 0) inbox->asked++;
    change->what |= what;
    if (!change->listed) {
        change->listed = true;
        change->next = inbox->changed[inbox->side];
        inbox->changed[inbox->side] = index;
    }
    return change;
}

static void change_entry(wend__inbox *inbox, uint32_t index, const wend__change *to) {
    wend__change *change = wend__inbox_change(inbox, index, to->what);
    if (to->what == WEND__CHANGE_URGENCY) change->urgency = to->urgency;
    if (to->what == WEND__CHANGE_GOAL) change->goal = to->goal;
}

/* Changes a request in the backlog at once: no frame handles it before its next intake. */
static void change_waiter(wend__inbox *inbox, uint32_t index, const wend__change *to) {
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    if (waiter->ends) return;
    if (to->what == WEND__CHANGE_CANCEL) wend__backlog_end(&inbox->backlog, index, WEND_STATUS_CANCELLED);
    if (to->what == WEND__CHANGE_URGENCY) {
        inbox->came[wend__rank(waiter->urgency)]--;
        inbox->came[wend__rank(to->urgency)]++;
        wend__full_move(inbox, waiter->urgency, to->urgency);
        wend__backlog_set_urgency(&inbox->backlog, index, to->urgency);
    }
    if (to->what == WEND__CHANGE_GOAL) {
        const uint32_t count = waiter->goal_count;
        wend__backlog_set_goal(waiter, to->goal);
        if (waiter->goal_count == 0)
            wend__goal_store_give(&inbox->goals, &waiter->goals_first, &waiter->goals_last, count);
    }
}

static void change_request(wend_service *service, uint32_t index, const wend__change *to, bool recorded) {
    wend__inbox *inbox = &service->inbox;
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    if (to->what == WEND__CHANGE_CANCEL) waiter->cancelled = 1;
    if (waiter->entry == WEND__NONE)
        change_waiter(inbox, index, to);
    else
        change_entry(inbox, waiter->entry, to);
    if (service->recording && recorded) wend__record_changed(service, index, to);
}

/* Records a change. A request that waits for land becomes work. While a ticket is valid its request's map exists, and
 * no thread changes which map that is. */
static wend_error ask(wend_service *service, wend_ticket ticket, const wend__change *to, bool recorded) {
    wend__inbox *inbox = &service->inbox;
    wend_error error = WEND_OK;
    const bool noted = service->recording && recorded;
    if (noted) wend__record_shut(service);
    wend__mutex_lock(inbox->mutex);
    const bool idle = wend__inbox_is_idle(inbox);
    const wend__waiter *waiter = wend__inbox_waiter(inbox, ticket);
    if (!waiter)
        error = wend__refuse_ticket();
    else if (to->what == WEND__CHANGE_GOAL)
        error = wend__check_cell(waiter->map, "goal", to->goal);
    if (!error) change_request(service, ticket.index, to, recorded);
    wend__inbox_unlock(inbox, idle);
    if (noted) wend__record_open(service);
    return error;
}

wend_error wend_service_cancel(wend_service *service, wend_ticket ticket) {
    WEND__ALIVE(service, "the service");
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_CANCEL}, true);
}

wend_error wend_service_set_urgency(wend_service *service, wend_ticket ticket, int32_t urgency) {
    WEND__ALIVE(service, "the service");
    wend_error error = wend__check_range("urgency", urgency, WEND_URGENCY_MIN, WEND_URGENCY_MAX);
    if (error) return error;
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_URGENCY, .urgency = urgency}, true);
}

wend_error wend__cancel_unrecorded(wend_service *service, wend_ticket ticket) {
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_CANCEL}, false);
}

wend_error wend__set_urgency_unrecorded(wend_service *service, wend_ticket ticket, int32_t urgency) {
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_URGENCY, .urgency = urgency}, false);
}

/* A thread that cancels many requests lets others in after this many. */
enum { AT_ONCE = 1024 };

static size_t end_of_part(size_t at, size_t count) {
    return count - at < AT_ONCE ? count : at + AT_ONCE;
}

/* Records from *at on, a part of all. While a ticket is good its request's map is there. False where
 * there are no more. */
static bool cancel_some(wend_service *service, const wend_map *map, size_t *at, size_t *cancelled) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    const bool idle = wend__inbox_is_idle(inbox);
    const uint32_t all = inbox->backlog.fresh;
    const size_t end = end_of_part(*at, all);
    for (; *at < end; ++*at) {
        const wend__waiter *waiter = &inbox->backlog.waiters[*at];
        if (!waiter->open || waiter->cancelled || waiter->map != map) continue;
        change_request(service, (uint32_t)*at, &(wend__change){.what = WEND__CHANGE_CANCEL}, true);
        ++*cancelled;
    }
    const bool more = *at < all;
    wend__inbox_unlock(inbox, idle);
    return more;
}

wend_error wend_service_cancel_map(wend_service *service, const wend_map *map, size_t *count) {
    WEND__ALIVE(service, "the service");
    size_t at = 0, cancelled = 0;
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    if (service->recording) wend__record_shut(service);
    while (cancel_some(service, map, &at, &cancelled)) continue;
    if (service->recording) wend__record_open(service);
    if (count) *count = cancelled;
    return WEND_OK;
}

wend_error wend_service_set_goal(wend_service *service, wend_ticket ticket, wend_cell goal) {
    WEND__ALIVE(service, "the service");
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_GOAL, .goal = goal}, true);
}
