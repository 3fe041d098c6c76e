/* SPDX-License-Identifier: MIT */
/* Internal: versions that a service holds. */
#ifndef WEND_SRC_SERVICE_VERSION_PINS_H
#define WEND_SRC_SERVICE_VERSION_PINS_H

#include "service/state/service_state.h"

/// The newest version, to ask about it before delivery begins; it is the service's for as long.
const wend__version *wend__look_at(wend_service *service, wend_map *map);
void wend__look_away(wend_service *service);
/// A pin on the newest version; and it comes back.
wend__version *wend__pins_take(wend_service *service, wend_map *map);
void wend__pins_return(wend_service *service, wend__version *version);
/// Between frames, and while callbacks run, nothing is pinned that no search uses.
void wend__pins_drop(wend_service *service);

#endif
