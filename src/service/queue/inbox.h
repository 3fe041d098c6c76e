/* SPDX-License-Identifier: MIT */
/* Internal: what the owner does at the inbox. */
#ifndef WEND_SRC_SERVICE_INBOX_H
#define WEND_SRC_SERVICE_INBOX_H

#include "service/state/service_state.h"

/// Open frame number service->frame: all that was submitted goes to `arrivals`, and
/// the owner reads the changes that threads wrote; but where it is `behind` it reads on where it was.
void wend__inbox_open_frame(wend_service *service);
/// The ticket goes stale. False where a thread has asked meanwhile to cancel or replace, which then comes first.
bool wend__inbox_shut(wend_service *service, uint32_t entry, bool always);
/// The entry of a ticket; WEND__NONE: the ticket is stale.
uint32_t wend__inbox_find(wend_service *service, wend_ticket ticket);
/// Changes of a request that are not applied yet.
wend__asked wend__inbox_asked(wend_service *service, uint32_t entry);
/// Where the goal is to move that was asked for before this frame. It counts as applied.
wend_cell wend__inbox_take_goal(wend_service *service, uint32_t entry);
/// A request goes to the shelf, or comes from there.
void wend__inbox_shelved(wend_service *service, bool shelved);
/// The owner does something between frames that may bring work.
void wend__inbox_wake_after(wend_service *service, void (*act)(wend_service *service));
/// Changes that were asked for are applied.
void wend__inbox_applied(wend_service *service, uint64_t count);
/// Nothing is left to do for a request (it may yet wait for a poll).
void wend__inbox_work_done(wend_service *service);
/// The entry is free for another request.
void wend__inbox_leave(wend_service *service, uint32_t entry, bool had_work);

#endif
