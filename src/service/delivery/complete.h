/* SPDX-License-Identifier: MIT */
/* Internal: a request gets its status. */
#ifndef WEND_SRC_SERVICE_COMPLETE_H
#define WEND_SRC_SERVICE_COMPLETE_H

#include "service/state/service_state.h"

/// Give a request its status and drop what it held. A path that its search has (found, partial, or the piece of
/// a nearest search cut short) goes to the arena, or stays in its slot where there is no room.
void wend__complete(wend_service *service, uint32_t entry, wend_status status);
/// It is not to be searched for now: out of the order of service and `ages`.
void wend__complete_leave_order(wend_service *service, uint32_t entry);
/// It waits for its delivery, in its place.
/// Complete a request that is in no list but the ages with what the shared field knows of its start.
void wend__complete_in_field(wend_service *service, uint32_t entry);
void wend__complete_wait(wend_service *service, uint32_t entry);
/// All of a chain, which is empty then.
void wend__complete_wait_all(wend_service *service, wend__chain *chain);
/// Move a path from its search to the arena, if it fits; the slot is free then.
void wend__complete_store(wend_service *service, uint32_t entry);
/// A finished request loses its path.
void wend__complete_drop_path(wend_service *service, uint32_t entry);
/// A finished request, out of `finished` already, is to be searched again.
void wend__complete_undo(wend_service *service, uint32_t entry);
/// A finished request becomes cancelled or replaced.
void wend__complete_withdraw(wend_service *service, uint32_t entry, wend_status status);
/// Due by now, and not finished: expired. Not where changes are left over.
void wend__complete_due(wend_service *service, wend__turn *turn);
/// Finish a request that needs no search, or has no expansions left for one. False where it has to be searched.
bool wend__complete_early(wend_service *service, uint32_t entry);

#endif
