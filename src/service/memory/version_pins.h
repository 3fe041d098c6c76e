/* SPDX-License-Identifier: MIT */
/* Internal: versions that a service holds. */
#ifndef WEND_SRC_SERVICE_VERSION_PINS_H
#define WEND_SRC_SERVICE_VERSION_PINS_H

#include "service/state/service_state.h"

/// Pins the newest version of a map, in place of the one pinned before. It stays valid until it is unpinned.
const wend__version *wend__version_pin(wend_service *service, wend_map *map);
void wend__version_unpin(wend_service *service);
/// A pin on the newest version; and it comes back.
wend__version *wend__pins_take(wend_service *service, wend_map *map);
void wend__pins_return(wend_service *service, wend__version *version);
/// Between frames, and while callbacks run, nothing is pinned that no search uses.
void wend__pins_drop(wend_service *service);

#endif
