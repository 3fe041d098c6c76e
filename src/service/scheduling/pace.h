/* SPDX-License-Identifier: MIT */
/* Internal: what rounds take, so that a frame ends in time. */
#ifndef WEND_SRC_SERVICE_PACE_H
#define WEND_SRC_SERVICE_PACE_H

#include "service/state/service_state.h"

/// Before a frame's rounds, and after them.
void wend__pace_begin(wend_service *service, const wend__turn *turn);
void wend__pace_end(wend_service *service, wend__turn *turn);
/// A round spent expansions of a kind.
void wend__pace_note(wend_service *service, wend__turn *turn, uint32_t work, uint64_t used);
/// Has the frame no time for another round like the last one, but for delivering what has finished? It reads the clock.
bool wend__pace_is_over(wend_service *service, wend__turn *turn);

#endif
