/* SPDX-License-Identifier: MIT */
/* Internal: the inbox: all that threads beside the ticking one touch. */
#ifndef WEND_SRC_SERVICE_INBOX_H
#define WEND_SRC_SERVICE_INBOX_H

#include "service/backlog/backlog.h"
#include "service/state/service_state.h"
#include <wend/service.h>

/// How a request enters.
typedef struct wend__entering {
    uint64_t number, frame;
    uint32_t generation, waiter, goals_first, goals_last;
    bool unrecorded;
} wend__entering;

/// A free entry; its state opens to its ticket. WEND__NONE: all are taken. The inbox is locked.
uint32_t wend__inbox_open_ticket(wend_service *service);
/// Write a request to an entry. Its further goals are in the store already. The inbox is locked.
void wend__inbox_enter(wend_service *service, uint32_t entry, const wend__request *request, wend__entering as);
/// Requests of the backlog get entries and go to `arrivals`, a few at a time. False where none does.
bool wend__inbox_promote(wend_service *service);
/// Open frame number service->frame: all that was submitted goes to `arrivals`, and
/// the owner reads the changes that threads wrote; but where it is `behind` it reads on where it was.
void wend__inbox_open_frame(wend_service *service);
/// The ticket goes stale. False where a thread has asked meanwhile to cancel or replace, which then comes first.
bool wend__inbox_shut(wend_service *service, uint32_t entry, bool always);
/// Returns whether a ticket is good. `*entry`: its entry; WEND__NONE: its request waits in the backlog.
bool wend__inbox_find(wend_service *service, wend_ticket ticket, uint32_t *entry);
/// Changes of a request that are not applied yet.
wend__asked wend__inbox_asked(wend_service *service, uint32_t entry);
/// Where the goal is to move that was asked for before this frame. It counts as applied.
wend_cell wend__inbox_take_goal(wend_service *service, uint32_t entry);
/// A request begins to rest until its map changes, or goes on.
void wend__inbox_rests(wend_service *service, bool rests);
/// Changes that were asked for are applied.
void wend__inbox_applied(wend_service *service, uint64_t count);
/// The entry is free for another request.
void wend__inbox_leave(wend_service *service, uint32_t entry);

/* ---- lock: what all of the inbox does under its lock ---- */

/// The record of a change, to be written; the inbox is locked, and the ticket is good.
wend__change *wend__inbox_change(wend__inbox *inbox, uint32_t index, uint8_t what);

/// Note that a ticket is stale. @return WEND_STALE_TICKET
static inline wend_error wend__refuse_ticket(void) {
    return wend__refuse(WEND_STALE_TICKET, "the ticket's request is delivered or replaced, or there never was one");
}

static inline bool wend__inbox_is_good(const wend__inbox *inbox, wend_ticket ticket) {
    const wend__backlog *backlog = &inbox->backlog;
    if (backlog->waiters) {
        if (ticket.index >= backlog->fresh) return false;
        const wend__waiter *waiter = &backlog->waiters[ticket.index];
        return waiter->open && waiter->generation == ticket.generation;
    }
    if (ticket.index >= inbox->fresh_ticket) return false;
    const wend__ticket_state *state = &inbox->tickets[ticket.index];
    return state->open && state->generation == ticket.generation;
}

/// Ticking would do nothing. The inbox is locked.
static inline bool wend__inbox_is_idle(const wend__inbox *inbox) {
    const bool resting = inbox->resting > 0 && inbox->closed;
    return inbox->work == 0 && inbox->asked == 0 && !inbox->fields_work && !resting;
}

/// Unlock the inbox, and wake the owner where there is work now.
/// @param idle   it was, before what was done under the lock
static inline void wend__inbox_unlock(wend__inbox *inbox, bool idle) {
    void (*wake)(void *) = idle && !wend__inbox_is_idle(inbox) ? inbox->wake : NULL;
    void *context = inbox->wake_context;
    wend__mutex_unlock(inbox->mutex);
    if (wake) wake(context);
}

/* ---- unrecorded ---- */

/* Calls of a crowd that a recording does not tell of, because it tells of the crowd's orders. None of them
 * waits for the recorder's gate: the crowd, or the frame under way, holds it. */

/// As wend_service_submit(), wend_service_cancel() and wend_service_set_urgency(). Threads: the ticking one.
wend_error wend__submit_unrecorded(wend_service *service, const wend__request *request, wend_ticket *out);
wend_error wend__cancel_unrecorded(wend_service *service, wend_ticket ticket);
wend_error wend__set_urgency_unrecorded(wend_service *service, wend_ticket ticket, int32_t urgency);

#endif
