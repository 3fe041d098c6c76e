/* SPDX-License-Identifier: MIT */
/* Internal: the inbox: the only part that threads other than the ticking one touch. */
#ifndef WEND_SRC_SERVICE_INBOX_H
#define WEND_SRC_SERVICE_INBOX_H

#include "service/backlog/backlog.h"
#include "service/state/service_state.h"
#include <wend/service.h>

/* ---- promote.c: requests of the backlog get entries, and go to `arrivals` ---- */

/// Promotes the next requests, a few at a time. Returns false if there are none.
bool wend__inbox_promote(wend_service *service);
/// Promotes a request that ended before it had an entry. Returns its entry; WEND__NONE: no such request, or no entry.
/// @param status   receives its final status
uint32_t wend__inbox_promote_ended(wend_service *service, wend_status *status);
/// Promotes a request that is due by this frame. Returns its entry, or WEND__NONE.
uint32_t wend__inbox_promote_due(wend_service *service);
/// Counts that a request has got an entry (1), or lost it (-1). The inbox is locked.
void wend__inbox_count_promoted(wend__backlog *backlog, const wend__waiter *waiter, int32_t by);
/// Returns whether requests ended before they had entries.
bool wend__inbox_has_ended(wend_service *service);
/// Ends the least urgent request of the backlog, of several the newest, as displaced, if its urgency is below `below`
/// and it comes later than `than`, an entry or WEND__NONE. Returns whether there was one.
bool wend__inbox_displace_last(wend_service *service, uint32_t than, int32_t below);

/* ---- inbox.c ---- */

/// Opens frame number service->frame: the owner reads the changes that threads wrote; if it is `behind` it continues
/// where it was.
void wend__inbox_open_frame(wend_service *service);
/// Makes the ticket stale. False if a thread has meanwhile requested to cancel or replace, which then comes first.
bool wend__inbox_shut(wend_service *service, uint32_t entry, bool always);
/// Returns whether a ticket is valid. `*entry`: its entry; WEND__NONE: its request waits in the backlog.
bool wend__inbox_find(const wend_service *service, wend_ticket ticket, uint32_t *entry);
/// Returns the mover of a request as it was submitted.
int32_t wend__inbox_mover(const wend_service *service, uint32_t entry);
/// Returns changes of a request that are still to be applied.
wend__asked wend__inbox_asked(wend_service *service, uint32_t entry);
/// Returns the new goal that was requested before this frame, and counts it as applied.
wend_cell wend__inbox_take_goal(wend_service *service, uint32_t entry);
/// Records that a request begins to rest until its map changes, or goes on.
void wend__inbox_rests(wend_service *service, bool rests);
/// Records that requested changes are applied.
void wend__inbox_applied(wend_service *service, uint64_t count);
/// Makes the entry free for another request.
void wend__inbox_leave(wend_service *service, uint32_t entry);

/* ---- lock: common parts of calls with the inbox locked ---- */

/// Returns the record of a change, for writing; the inbox is locked, and the ticket is valid.
wend__change *wend__inbox_change(wend__inbox *inbox, uint32_t index, uint8_t what);

/// Sets the detail of a stale ticket. @return WEND_STALE_TICKET
static inline wend_error wend__refuse_ticket(void) {
    return wend__refuse(WEND_STALE_TICKET, "the ticket's request is delivered or replaced, or there never was one");
}

/// Returns the record of a ticket; NULL: the ticket is stale.
static inline wend__waiter *wend__inbox_waiter(const wend__inbox *inbox, wend_ticket ticket) {
    if (ticket.index >= inbox->backlog.fresh) return NULL;
    wend__waiter *waiter = &inbox->backlog.waiters[ticket.index];
    return waiter->open && waiter->generation == ticket.generation ? waiter : NULL;
}

/// Returns whether ticking would do nothing. The inbox is locked.
static inline bool wend__inbox_is_idle(const wend__inbox *inbox) {
    const bool resting = inbox->resting > 0 && inbox->closed;
    return inbox->work == 0 && inbox->asked == 0 && !inbox->fields_work && !resting;
}

/// Unlocks the inbox, and wakes the owner if there is work now.
/// @param idle   whether it was idle before the call
static inline void wend__inbox_unlock(wend__inbox *inbox, bool idle) {
    void (*wake)(void *) = idle && !wend__inbox_is_idle(inbox) ? inbox->wake : NULL;
    void *context = inbox->wake_context;
    wend__mutex_unlock(inbox->mutex);
    if (wake) wake(context);
}

/* ---- unrecorded ---- */

/* Calls of a crowd that a recording omits, because it contains the crowd's orders. None of them
 * waits for the recording's gate: the crowd, or the current frame, holds it. */

/// As wend_service_submit(), wend_service_cancel() and wend_service_set_urgency(). Threads: the ticking one.
wend_error wend__submit_unrecorded(wend_service *service, const wend__request *request, wend_ticket *out);
wend_error wend__cancel_unrecorded(wend_service *service, wend_ticket ticket);
wend_error wend__set_urgency_unrecorded(wend_service *service, wend_ticket ticket, int32_t urgency);

#endif
