/* SPDX-License-Identifier: MIT */
/* Internal: room for completions that wait for a poll. */
#ifndef WEND_SRC_SERVICE_POLL_ROOM_H
#define WEND_SRC_SERVICE_POLL_ROOM_H

#include "service/state/service_state.h"

/// Only for these requests are the functions below called.
static inline bool wend__is_polled(const wend__entry *entry) {
    return entry->request.on_done == NULL;
}

/// May a waiting request's search begin? Then its path has room, as far as that is known.
bool wend__polls_admit(wend_service *service, uint32_t entry);
/// It has a slot: room for its path is reserved. Not before, or a round that comes to nothing would leave a trace.
void wend__polls_claimed(wend_service *service, uint32_t entry);
/// Put a waiting or scheduled request without a slot on the shelf.
void wend__polls_shelve(wend_service *service, uint32_t entry);
/// It leaves the shelf; the caller puts it where it belongs.
void wend__polls_take_off(wend_service *service, uint32_t entry);
void wend__polls_set_urgency(wend_service *service, uint32_t entry, int32_t urgency);
/// Requests on the shelf that find room wait to be scheduled.
void wend__polls_unshelve(wend_service *service);
/// Room for the path of a search that has ended is reserved. False where there is none.
bool wend__polls_make_room(wend_service *service, uint32_t entry);
/// Has the arena room for the path of a finished search that holds its slot? Paths that wait for callbacks may fill it.
bool wend__polls_fit(const wend_service *service, const wend__entry *entry);
/// Its search is dropped, to begin again when there is room.
void wend__polls_defer(wend_service *service, uint32_t entry);
/// Its path lies in the arena, and leaves it (or never came there).
void wend__polls_stored(wend_service *service, wend__entry *entry);
void wend__polls_drop(wend_service *service, wend__entry *entry);
/// Finished searches that held their slots hand their paths to the arena, where there is room by now.
void wend__polls_free_slots(wend_service *service);

#endif
