/* SPDX-License-Identifier: MIT */
/* Internal: when a search goes behind its peers. */
#ifndef WEND_SRC_SERVICE_YIELD_H
#define WEND_SRC_SERVICE_YIELD_H

#include "service/state/service_state.h"

/// A search of an entry ended in a lane; the lanes' counts, in lane order.
void wend__yield_note(const wend_service *service, wend__ended *ended, const wend__entry *entry);
void wend__yield_learn(wend_service *service, const wend__ended *ended);
/// After a slice: does the quantum that a search has spent send it behind its peers?
void wend__yield_count(wend_service *service, wend__entry *entry);
/// Before anything is known.
void wend__yield_init(wend_service *service);

#endif
