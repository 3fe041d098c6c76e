/* SPDX-License-Identifier: MIT */
/* Internal: finished requests go to callbacks, or wait for a poll. */
#ifndef WEND_SRC_SERVICE_DELIVER_H
#define WEND_SRC_SERVICE_DELIVER_H

#include "service/state/service_state.h"

/// A finished request's cells, the first steps + 1, from the arena or from the search that still holds them.
void wend__deliver_cells(wend_service *service, const wend__entry *entry, uint64_t steps, wend_cell *out);
/// Count the steps of a path in the shared field, if that was not needed before.
void wend__deliver_count(wend_service *service, wend__entry *entry);
void wend__deliver(wend_service *service, wend__turn *turn);
/// Nobody will poll any more.
void wend__deliver_drop(wend_service *service);

#endif
