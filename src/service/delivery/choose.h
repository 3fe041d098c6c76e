/* SPDX-License-Identifier: MIT */
/* Internal: which finished requests a frame delivers. */
#ifndef WEND_SRC_SERVICE_CHOOSE_H
#define WEND_SRC_SERVICE_CHOOSE_H

#include "service/state/service_state.h"

/// Leave in `finished` what the frame is to deliver: all, or the most urgent where the budget has no room for all.
/// @param now_ns   only in a frame with a limit of time
/// Cost: O(1) where there was and is room, else O(finished since the last frame + chosen) x O(log finished).
void wend__choose(wend_service *service, wend__turn *turn, uint64_t now_ns);
/// Take a request out of those that are finished.
void wend__choose_remove(wend_service *service, uint32_t entry);
/// Give a finished request another urgency.
void wend__choose_set_urgency(wend_service *service, uint32_t entry, int32_t urgency);

#endif
