/* SPDX-License-Identifier: MIT */
/* Frames of a recording: where in them calls come, and their line. */
#include "service/record/record.h"

#include "service/record/recorder.h"

static void set_place(wend__recorder *recorder, int32_t place, uint64_t name) {
    wend__mutex_lock(recorder->mutex);
    recorder->place = place;
    recorder->place_name = name;
    recorder->place_serial++;
    wend__mutex_unlock(recorder->mutex);
}

void wend__record_begin_frame(wend_service *service) {
    if (service->recorder) wend__mutex_lock(service->recorder->gate);
}

void wend__record_opened(wend_service *service) {
    if (service->recorder) set_place(service->recorder, WEND__PLACE_INSIDE, 0);
}

void wend__record_enter_callback(wend_service *service, uint64_t number) {
    wend__recorder *recorder = service->recorder;
    if (!recorder) return;
    set_place(recorder, WEND__PLACE_CALLBACK, number - recorder->first_number);
    wend__mutex_unlock(recorder->gate);
}

void wend__record_leave_callback(wend_service *service) {
    if (service->recorder) wend__mutex_lock(service->recorder->gate);
}

static void put_limit(wend__phrase *line, const char *key, uint64_t limit) {
    if (limit != WEND_NO_LIMIT) wend__phrase_option(line, key, limit);
}

/* A frame with a budget of time is repeated by its counts. Where it delivered all that it chose, its deliveries say how
 * many it chose. */
static void put_frame(wend__phrase *line, const wend_budget *budget, const wend_frame *did) {
    const bool timed = budget->us != WEND_NO_LIMIT;
    const bool chose = timed && (budget->chosen != WEND_NO_LIMIT || did->chosen != did->deliveries);
    wend__phrase_option(line, "frame budget=", budget->expansions);
    put_limit(line, " rounds=", timed ? did->rounds : budget->rounds);
    put_limit(line, " intakes=", timed ? did->intakes : budget->intakes);
    put_limit(line, " deliveries=", timed ? did->deliveries : budget->deliveries);
    put_limit(line, " chosen=", chose ? did->chosen : budget->chosen);
    put_limit(line, " cells=", budget->cells);
    put_limit(line, " changes=", timed ? did->changes : budget->changes);
    put_limit(line, " checks=", timed ? did->checks : budget->checks);
}

void wend__record_end_frame(wend_service *service, const wend_budget *budget, const wend_frame *did) {
    wend__recorder *recorder = service->recorder;
    char text[256];
    wend__phrase line = {text};
    if (!recorder) return;
    put_frame(&line, budget, did);
    wend__mutex_lock(recorder->mutex);
    if (recorder->refused > 0) wend__phrase_option(&line, " # refused: ", recorder->refused);
    wend__phrase_text(&line, "\n");
    wend__stream_end_turn(recorder);
    for (uint32_t i = 0; i < recorder->map_count; i++)
        wend__stream_put(recorder, recorder->maps[i].file, text, (size_t)(line.at - text));
    recorder->refused = 0;
    recorder->frames++;
    recorder->place = WEND__PLACE_BETWEEN;
    wend__stream_flush(recorder);
    wend__mutex_unlock(recorder->mutex);
    wend__mutex_unlock(recorder->gate);
}
