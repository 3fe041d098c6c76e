/* SPDX-License-Identifier: MIT */
/* Internal: what all of the inbox does under its lock. */
#ifndef WEND_SRC_SERVICE_INBOX_LOCK_H
#define WEND_SRC_SERVICE_INBOX_LOCK_H

#include "service/backlog/backlog.h"
#include "service/state/service_state.h"

/// The record of a change, to be written; the inbox is locked, and the ticket is good.
wend__change *wend__inbox_change(wend__inbox *inbox, uint32_t index, uint8_t what);

/// Is the ticket that of a pending request? The inbox is locked.
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
    const bool shelved = inbox->shelved > 0 && inbox->closed;
    return inbox->work == 0 && inbox->asked == 0 && !inbox->fields_work && !shelved;
}

/// Unlock the inbox, and wake the owner where there is work now.
/// @param idle   it was, before what was done under the lock
static inline void wend__inbox_unlock(wend__inbox *inbox, bool idle) {
    void (*wake)(void *) = idle && !wend__inbox_is_idle(inbox) ? inbox->wake : NULL;
    void *context = inbox->wake_context;
    wend__mutex_unlock(inbox->mutex);
    if (wake) wake(context);
}

#endif
