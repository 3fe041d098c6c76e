/* SPDX-License-Identifier: MIT */
/* Versions that a service holds: pins for its searches, 64 under one lock, and the newest for queries. */
#include "service/memory/memory.h"

#include "service/state/service_state.h"

enum { PINS = 64 };

/* ---- queries ---- */

static bool is_newest(const wend_map *map, const wend__version *version) {
    return version->serial == wend__map_serial(map);
}

void wend__version_unpin(wend_service *service) {
    wend__newest *newest = &service->newest;
    if (newest->version) wend__map_release(newest->version, false);
    *newest = (wend__newest){NULL, NULL};
}

const wend__version *wend__version_pin(wend_service *service, wend_map *map) {
    wend__newest *newest = &service->newest;
    if (newest->map == map && is_newest(map, newest->version)) return newest->version;
    wend__version_unpin(service);
    *newest = (wend__newest){map, wend__map_acquire(map, false)};
    return newest->version;
}

/* ---- pinning ---- */

void wend__pins_drop(wend_service *service) {
    wend__pins *pins = &service->pins;
    if (pins->spare > 0) wend__map_unpin(pins->version, pins->spare);
    *pins = (wend__pins){NULL, NULL, 0};
}

/* Pins of the same version are interchangeable, so any of them is returned. */
wend__version *wend__pins_take(wend_service *service, wend_map *map) {
    wend__pins *pins = &service->pins;
    if (pins->map != map || pins->spare == 0 || !is_newest(map, pins->version)) {
        wend__pins_drop(service);
        *pins = (wend__pins){map, wend__map_pin(map, PINS), PINS};
    }
    pins->spare--;
    return pins->version;
}

/* Releases a version at once if it is not the newest any more, so that only searches keep it alive. (Without a spare
 * pin `pins->version` may be freed, and another in its place.) */
void wend__pins_return(wend_service *service, wend__version *version) {
    WEND__DEBUG_ASSERT(version->pins > 0);
    wend__pins *pins = &service->pins;
    if (pins->version != version || !is_newest(version->map, version)) {
        wend__map_release(version, true);
        return;
    }
    pins->map = version->map;
    pins->spare++;
}
