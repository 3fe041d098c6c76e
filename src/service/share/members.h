/* SPDX-License-Identifier: MIT */
/* Internal: the members of a group, the first in order of service on top: a pairing heap (Fredman, Sedgewick, Sleator,
 * Tarjan 1986) through their bonds. */
#ifndef WEND_SRC_SERVICE_MEMBERS_H
#define WEND_SRC_SERVICE_MEMBERS_H

#include "service/state/service_state.h"

/// Does a go before b? What their searches did so far does not matter.
bool wend__members_before(const wend_service *service, uint32_t a, uint32_t b);
/// Cost: O(1).
void wend__members_add(wend_service *service, wend__group *group, uint32_t entry);
/// Cost: amortized O(log members).
void wend__members_remove(wend_service *service, wend__group *group, uint32_t entry);
/// Take all out. Returns the first of a list through `beside`, in an order that depends on the calls alone.
/// Cost: O(members).
uint32_t wend__members_take_all(wend_service *service, wend__group *group);

#endif
