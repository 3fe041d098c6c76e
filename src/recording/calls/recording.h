/* SPDX-License-Identifier: MIT */
/* Internal: the calls and frames that a service reports to its recording. Without a recording this costs a branch. */
#ifndef WEND_SRC_RECORDING_CALLS_RECORDING_H
#define WEND_SRC_RECORDING_CALLS_RECORDING_H

#include "service/state/service_state.h"
#include <wend/record.h>

/// Shuts the gate before the inbox is locked for a call of a host, and opens it after. So calls come between two frames
/// or in a callback, and a playback repeats them there.
void wend__record_shut(wend_service *service);
void wend__record_open(wend_service *service);
/// Shut the gate for a request, after its map is written if it is new.
void wend__record_shut_for(wend_service *service, const wend_request *request);

/* Called with the inbox locked. */
void wend__record_submitted(wend_service *service, const wend__request *request, uint64_t number);
void wend__record_refused(wend_service *service);
void wend__record_changed(wend_service *service, uint32_t index, const wend__change *change);
void wend__record_closed(wend_service *service);

/* Called by the ticking thread. */
void wend__record_begin_frame(wend_service *service);
void wend__record_end_frame(wend_service *service, const wend__budget *budget, const wend_frame *did);
void wend__record_enter_callback(wend_service *service, uint64_t number);
void wend__record_leave_callback(wend_service *service);
/// As wend_service_record(), but without resetting the service's estimates.
wend_error wend__record_begin(wend_service *service, wend_record_fn *write, void *context);
wend_error wend__record_end(wend_service *service);
/// Ends the recording, because no script can express a call.
void wend__record_unsupported(wend_service *service);
/// Writes a map that is new. @return the recording's error
wend_error wend__record_see(wend_service *service, wend_map *map);

/* ---- crowds that are recorded by their orders ---- */

/// Records a crowd on the map by its orders from now on; a new map is written first.
/// @return the number of the recording; 0: there is none, or the map has such a crowd already
/// Threads: the ticking one.
uint64_t wend__record_orders(wend_service *service, wend_map *map);
/// Records that the crowd was destroyed.
void wend__record_orders_end(wend_service *service, const wend_map *map);

static inline bool wend__record_goes_on(const wend_service *service, uint64_t number) {
    return number != 0 && service->recording && service->recordings == number;
}

#endif
