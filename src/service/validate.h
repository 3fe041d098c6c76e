/* SPDX-License-Identifier: MIT */
/* Internal: in debug builds (--enable-debug), the invariants of a service between two frames, as assertions. In other
 * builds all of this is nothing. */
#ifndef WEND_SRC_SERVICE_VALIDATE_H
#define WEND_SRC_SERVICE_VALIDATE_H

#include "service/state/service_state.h"

#ifdef WEND_DEBUG

/// Called after a frame: asserts all invariants between frames. With many requests, only in some frames.
void wend__service_validate(wend_service *service);
/// Called after its rounds: asserts that they spent the budget, or that nothing is left to search.
void wend__service_validate_rounds(const wend_service *service, const wend__tick *tick);

#else

#define wend__service_validate(service) ((void)0)
#define wend__service_validate_rounds(service, tick) ((void)0)

#endif
#endif
