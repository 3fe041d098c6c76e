/* SPDX-License-Identifier: MIT */
/* Internal: room for further goals. */
#ifndef WEND_SRC_SERVICE_GOAL_STORE_H
#define WEND_SRC_SERVICE_GOAL_STORE_H

#include "service/state/service_state.h"

/// Take room for some; the inbox is locked. False, and nothing is taken, where there is too little.
bool wend__goal_store_keep(wend__goal_store *goals, const wend_cell *cells, uint32_t count, uint32_t *first,
                           uint32_t *last);
/// A chain of so many goes back, and is none then; the inbox is locked.
void wend__goal_store_give(wend__goal_store *goals, uint32_t *first, uint32_t *last, uint32_t count);
/// An entry's go back; the inbox is locked.
void wend__goal_store_free(wend__goal_store *goals, wend__entry *entry);
/// The entry's request, with its further goals side by side: with its slot, for as long as it has that; without one
/// until the next call.
const wend_request *wend__goal_store_ready(wend_service *service, wend__entry *entry);

#endif
