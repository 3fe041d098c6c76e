/* SPDX-License-Identifier: MIT */
/* Flow fields share a frame with searches. A round belongs to a field or to the searches: to the more urgent of both,
 * alternately if they are equally urgent. One round in `fair` goes to the other, as one lane in `fair` serves the
 * oldest request. */
#include "service/fields/service_fields.h"
#include "field/field_state.h"

#include "field/field_service.h"
#include "mark/beside.h"
#include "service/inbox/inbox.h"
#include "service/queue/queue.h"
#include "recording/calls/recording.h"

static bool is_field_round(const wend_service *service, const wend_field *field, bool *shared) {
    const uint32_t first = wend__order_first(service);
    if (first == WEND__NONE) return true;
    const int32_t theirs = service->entries[first].request.urgency, own = field->def.urgency;
    const uint64_t number = service->shared_rounds + 1;
    *shared = true;
    if (own == theirs) return number % 2 != 0;
    const bool other = service->tuning.fair > 0 && number % service->tuning.fair == 0;
    return (own > theirs) != other;
}

void wend__service_fields_open(wend_service *service) {
    if (service->fields.first) wend__fields_repair(&service->fields);
}

static wend_field *first_field(const wend_service *service) {
    return service->fields.first ? wend__fields_first(&service->fields) : NULL;
}

static void run_round(const wend_service *service, wend__tick *tick, wend_field *field) {
    const uint64_t slice = service->slice, lanes = service->tuning.lanes;
    const uint64_t part = slice < tick->left / lanes ? slice * lanes : tick->left;
    uint64_t used;
    wend_field_step(field, part, &used);
    tick->left -= used;
    tick->frame->expansions += used;
    tick->frame->rounds++;
}

bool wend__service_fields_round(const wend_service *service, wend__tick *tick, bool *shared) {
    wend_field *field = first_field(service);
    *shared = false;
    if (!field || !is_field_round(service, field, shared)) return false;
    run_round(service, tick, field);
    return true;
}

bool wend__service_fields_go_on(const wend_service *service, wend__tick *tick) {
    wend_field *field = first_field(service);
    if (field) run_round(service, tick, field);
    return field != NULL;
}

static void note_work(wend_service *service, bool wakes) {
    wend__inbox *inbox = &service->inbox;
    const bool left = wend__fields_first(&service->fields) != NULL;
    wend__mutex_lock(inbox->mutex);
    const bool idle = wend__inbox_is_idle(inbox);
    inbox->fields_work = left;
    wend__inbox_unlock(inbox, wakes && idle);
}

void wend__service_fields_close(wend_service *service) {
    if (service->fields.first || service->inbox.fields_work) note_work(service, false);
}

void wend__service_fields_release(wend_service *service) {
    while (service->fields.first) wend__fields_remove(&service->fields, service->fields.first);
}

void wend__service_fields_restart(wend_service *service) {
    for (wend_field *field = service->fields.first; field; field = field->next) {
        if (!wend__field_is_complete(field)) {
            (void)wend_field_repair(field, true);
            field->owed = field->points = 0;
        } else if (!wend_field_repair(field, false)) {
            wend_field_step(field, WEND_NO_LIMIT, NULL);
        }
    }
    note_work(service, false);
}

void wend__service_fields_add(wend_service *service, wend_field *field) {
    wend__fields_add(&service->fields, field);
    note_work(service, true);
}

wend_error wend_service_add_field(wend_service *service, wend_field *field) {
    WEND__ALONE(service, "the service");
    WEND__ALIVE(field, "the field");
    if (service->ticking) return wend__refuse_in_frame();
    if (field->fields) return wend__refuse(WEND_IN_USE, "the field is in a service: wend_service_remove_field() first");
    if (!wend__arena_shares(service->arena, field)) return wend__refuse_arenas();
    if (service->recording) wend__record_unsupported(service);
    wend__service_fields_add(service, field);
    return WEND_OK;
}

wend_error wend_service_remove_field(wend_service *service, wend_field *field) {
    WEND__ALONE(service, "the service");
    WEND__ALIVE(field, "the field");
    if (service->ticking) return wend__refuse_in_frame();
    if (field->fields != &service->fields) return wend__refuse(WEND_BAD_ARGUMENT, "the field is not in this service");
    wend__fields_remove(&service->fields, field);
    note_work(service, false);
    return WEND_OK;
}
