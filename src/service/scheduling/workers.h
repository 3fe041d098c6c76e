/* SPDX-License-Identifier: MIT */
/* Internal: threads that run the lanes. */
#ifndef WEND_SRC_SERVICE_WORKERS_H
#define WEND_SRC_SERVICE_WORKERS_H

#include "service/state/service_state.h"

/// Start def.workers threads. False where the system has no room for them; none is left behind then.
bool wend__workers_start(wend_service *service, void *memory);
void wend__workers_stop(wend_service *service);
/// Run the round's lanes, each once; all are done when it returns.
void wend__workers_run(wend_service *service);

#endif
