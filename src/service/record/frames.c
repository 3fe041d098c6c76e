/* SPDX-License-Identifier: MIT */
/* Frames of a recording: where in them calls come, and their line. */
#include "service/record/record.h"

#include "service/record/recorder.h"

void wend__record_begin_frame(wend_service *service) {
    if (service->recorder) wend__mutex_lock(service->recorder->gate);
}

void wend__record_enter_callback(wend_service *service, uint64_t number) {
    wend__recorder *recorder = service->recorder;
    if (!recorder) return;
    wend__mutex_lock(recorder->mutex);
    recorder->in_callback = true;
    recorder->callback_name = number - recorder->first_number;
    recorder->callbacks++;
    wend__mutex_unlock(recorder->mutex);
    wend__mutex_unlock(recorder->gate);
}

void wend__record_leave_callback(wend_service *service) {
    if (service->recorder) wend__mutex_lock(service->recorder->gate);
}

/* A frame with a budget of time is repeated by its counts. Where it delivered all that it chose, its deliveries say how
 * many it chose. */
static wend__order frame_order(const wend_budget *budget, const wend_frame *did) {
    wend__order order = {.kind = WEND__ORDER_FRAME, .frame = {1, *budget}};
    wend_budget *own = &order.frame.budget;
    wend__order_give(&order, &own->expansions);
    if (budget->us == WEND_NO_LIMIT) return order;
    const bool chose = budget->chosen != WEND_NO_LIMIT || did->chosen != did->deliveries;
    own->rounds = did->rounds;
    own->intakes = did->intakes;
    own->deliveries = did->deliveries;
    own->changes = did->changes;
    own->checks = did->checks;
    own->chosen = chose ? did->chosen : WEND_NO_LIMIT;
    return order;
}

void wend__record_end_frame(wend_service *service, const wend_budget *budget, const wend_frame *did) {
    wend__recorder *recorder = service->recorder;
    char text[64];
    wend__phrase line = {text};
    if (!recorder) return;
    const wend__order order = frame_order(budget, did);
    wend__mutex_lock(recorder->mutex);
    if (recorder->refused > 0) wend__phrase_option(&line, " # refused: ", recorder->refused);
    wend__phrase_text(&line, "\n");
    wend__stream_end_turn(recorder);
    for (uint32_t i = 0; i < recorder->map_count; i++) {
        wend__stream_put_order(&recorder->maps[i], &order);
        wend__stream_put(recorder, recorder->maps[i].file, text, (size_t)(line.at - text));
    }
    recorder->refused = 0;
    recorder->frames++;
    recorder->in_callback = false;
    wend__stream_flush(recorder);
    wend__mutex_unlock(recorder->mutex);
    wend__mutex_unlock(recorder->gate);
}
