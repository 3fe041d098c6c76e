/* SPDX-License-Identifier: MIT */
/* Internal: requests with one goal, and the field that answers them all where that pays. */
#ifndef WEND_SRC_SERVICE_RALLY_H
#define WEND_SRC_SERVICE_RALLY_H

#include "service/state/service_state.h"

/// A request that begins to wait goes to the rally of its goal, if its search could be one from the goal, and a place
/// is free. Cost: O(rallies).
void wend__rally_enter(wend_service *service, uint32_t entry);
/// It leaves its rally, if it is in one.
void wend__rally_leave(wend_service *service, uint32_t entry);
/// Another request takes its place.
void wend__rally_replace(wend_service *service, uint32_t before, uint32_t after);
/// Note what the search of an entry has spent.
void wend__rally_note(wend_service *service, uint32_t entry);

/// Would one search from the goal take less than the lone ones that are left? Only where a field can be made now.
bool wend__rally_pays(wend_service *service, uint32_t entry);
/// Make the field for the goal of an entry. It has to be filled yet.
void wend__rally_begin(wend_service *service, uint32_t entry);
/// Is a field being made for the goal of a request, on the newest version?
bool wend__rally_has_field(wend_service *service, const wend_request *request);
/// No request is searched with the field any more. It stays until the last path in it is handed over.
void wend__rally_end(wend_service *service);
/// A path in the field is handed over, or dropped.
void wend__rally_drop_path(wend_service *service);

#endif
