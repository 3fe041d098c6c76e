/* SPDX-License-Identifier: MIT */
/* A service begins and ends a recording: it forgets what it has learnt, which the one that plays back cannot know. */
#include "service/record/record.h"
#include "service/state/service_state.h"

static void forget(wend_service *service) {
    service->ended = (wend__ended){0};
    service->list_length = 1;
    service->lanes_scheduled = 0;
    service->fair_lack = 0;
    service->choices = 0;
    service->inherits = false;
}

wend_error wend_service_record(wend_service *service, wend_record_fn *write, void *context) {
    if (service->ticking) return WEND_IN_CALLBACK;
    if (!write) return wend__record_end(service);
    if (!service->recorder && (wend_service_get_pending(service) > 0 || service->behind)) return WEND_BUSY;
    if (service->fields.first) return WEND_UNSUPPORTED;
    const wend_error error = wend__record_begin(service, write, context);
    if (!error) forget(service);
    return error;
}

wend_error wend_service_record_map(wend_service *service, wend_map *map) {
    if (!map) return WEND_BAD_ARGUMENT;
    if (!service->recorder) return WEND_EMPTY;
    return service->ticking ? WEND_IN_CALLBACK : wend__record_see(service, map);
}
