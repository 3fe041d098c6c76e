/* SPDX-License-Identifier: MIT */
/* Internal: the rounds of a frame that flow fields get. */
#ifndef WEND_SRC_SERVICE_SERVICE_FIELDS_H
#define WEND_SRC_SERVICE_SERVICE_FIELDS_H

#include "service/state/service_state.h"

/// Bring all fields to the newest versions of their maps, before the frame's first round.
void wend__service_fields_open(wend_service *service);
/// Runs this round if it belongs to a field, and returns whether it does. It runs on the ticking thread, so nothing
/// depends on workers.
/// @param shared   receives whether searches had work, too: the round counts as shared, if it is run
bool wend__service_fields_round(const wend_service *service, wend__tick *tick, bool *shared);
/// Runs a round of a field, as no search can go on. Returns false if no field has work.
bool wend__service_fields_go_on(const wend_service *service, wend__tick *tick);
/// Informs threads that query idleness whether fields have any work left.
void wend__service_fields_close(wend_service *service);
/// As wend_service_add_field(), for a crowd: the field is not in the list, no callback calls it, and it is
/// unrecorded.
/// Fields that are not finished begin again; those that only lack edits get them.
void wend__service_fields_restart(wend_service *service);
void wend__service_fields_add(wend_service *service, wend_field *field);
/// Takes all fields out of the service.
void wend__service_fields_release(wend_service *service);

#endif
