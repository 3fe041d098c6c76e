/* SPDX-License-Identifier: MIT */
/* Begins and ends a recording of a service, which resets its estimates, as a replay cannot have them. */
#include "mark/beside.h"
#include "recording/calls/recording.h"
#include "service/state/service_state.h"

static void forget(wend_service *service) {
    service->ended = (wend__ended){0};
    service->usual_spent = 0;
    service->list_length = 1;
    service->lanes_scheduled = 0;
    service->fair_lack = 0;
    service->choices = 0;
    service->inherits = false;
}

wend_error wend_service_record(wend_service *service, wend_record_fn *write, void *context) {
    WEND__ALONE(service, "the service");
    if (service->ticking) return wend__refuse_in_frame();
    if (!write) return wend__refuse_null("write");
    if (!service->recording && (wend_service_get_pending(service) > 0 || service->behind))
        return wend__refuse(WEND_BUSY,
                            "requests are pending, or work of the last frame: record when the service is idle");
    if (service->fields.first)
        return wend__refuse(WEND_UNSUPPORTED,
                            "a recording cannot hold flow fields: take them out of the service first");
    const wend_error error = wend__record_begin(service, write, context);
    if (!error) forget(service);
    return error;
}

wend_error wend_service_end_recording(wend_service *service) {
    WEND__ALONE(service, "the service");
    return service->ticking ? wend__refuse_in_frame() : wend__record_end(service);
}

wend_error wend_service_record_map(wend_service *service, wend_map *map) {
    WEND__ALONE(service, "the service");
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    if (!service->recording) return wend__refuse(WEND_EMPTY, "the service does not record");
    if (service->ticking) return wend__refuse_in_frame();
    return map->arena == service->arena ? wend__record_see(service, map) : wend__refuse_arenas();
}
