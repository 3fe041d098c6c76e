/* SPDX-License-Identifier: MIT */
/* Internal: where frames, slices and completions are noted, if the host gave its service figures. */
#ifndef WEND_SRC_SERVICE_RECORDS_RECORDS_H
#define WEND_SRC_SERVICE_RECORDS_RECORDS_H

#include <wend/figures.h>

#include "service/state/service_state.h"

/// Phases of a frame, in the order of their ends.
enum { WEND__PHASE_INTAKE, WEND__PHASE_ROUNDS };

void wend__records_phase(wend_service *service, int phase);
/// A frame is over. `began_ns` and `ended_ns` were read anyway.
void wend__records_frame(wend_service *service, const wend_budget *budget, const wend_frame *frame, uint64_t began_ns,
                         uint64_t ended_ns);
bool wend__records_keep_slices(const wend_service *service);
/// A lane's slice begins and ends, on the thread that runs it. It writes to the lane only.
void wend__records_slice_begins(const wend_service *service, wend__lane *lane, uint32_t thread);
void wend__records_slice_ends(const wend_service *service, wend__lane *lane);
/// A round's lanes have run: note their slices in lane order, before requests end.
void wend__records_round(wend_service *service, uint64_t round);
void wend__records_completion(wend_service *service, const wend__entry *entry);

#endif
