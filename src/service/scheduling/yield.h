/* SPDX-License-Identifier: MIT */
/* Internal: when a search goes behind its peers. */
#ifndef WEND_SRC_SERVICE_YIELD_H
#define WEND_SRC_SERVICE_YIELD_H

#include "service/state/service_state.h"

/// A search ended in a lane; the lanes' counts, in lane order.
void wend__yield_note(wend__ended *ended, const wend__search *search);
void wend__yield_learn(wend_service *service, const wend__ended *ended);
/// After a slice: does it go behind its peers?
void wend__yield_decide(const wend_service *service, wend__entry *entry);

#endif
