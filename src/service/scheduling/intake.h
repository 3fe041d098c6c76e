/* SPDX-License-Identifier: MIT */
/* Internal: changes and new requests are taken in. */
#ifndef WEND_SRC_SERVICE_INTAKE_H
#define WEND_SRC_SERVICE_INTAKE_H

#include "service/state/service_state.h"

/// Changes that an earlier frame left over, before the frame is opened. What is left of them is not added to: the
/// service is `behind` then, and what threads wrote since waits for a later frame.
void wend__intake_leftovers(wend_service *service, wend__turn *turn);
/// In the rounds, where none is left to search: requests of the backlog, in a frame without a budget of time. False
/// where none came.
bool wend__intake_more(wend_service *service, wend__turn *turn);
void wend__intake(wend_service *service, wend__turn *turn);

#endif
