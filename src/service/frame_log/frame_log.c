/* SPDX-License-Identifier: MIT */
/* Records the events of frames. Nothing is allocated, and a service without figures does nothing here. */
#include "service/frame_log/frame_log.h"

#include <string.h>

void wend__frame_log_phase(wend_service *service, int phase) {
    if (service->noted) service->noted->phases[phase] = wend__now(service);
}

void wend__frame_log_frame(wend_service *service, const wend__budget *budget, const wend_frame *frame,
                           uint64_t began_ns, uint64_t ended_ns) {
    wend_figures *figures = service->noted;
    if (!figures) return;
    wend__histogram_add(&figures->of_frames[WEND_HISTOGRAM_FRAME_US], (ended_ns - began_ns) / 1000);
    wend__histogram_add(&figures->of_frames[WEND_HISTOGRAM_FRAME_EXPANSIONS], frame->expansions);
    wend__histogram_add(&figures->of_frames[WEND_HISTOGRAM_WAITING], frame->waiting);
    const uint64_t index = figures->counts.frames++;
    figures->last_frame = frame->frame;
    for (unsigned i = 0; i < WEND_WORK_COUNT; i++) {
        figures->counts.work_expansions[i] += frame->work_expansions[i];
        figures->counts.work_ns[i] += frame->work_ns[i];
    }
    if (figures->def.frames == 0) return;
    wend_frame_record *record = &figures->frames[index % figures->def.frames];
    *record = (wend_frame_record){.frame = frame->frame,
                                  .began_ns = began_ns,
                                  .intake_ns = figures->phases[WEND__PHASE_INTAKE],
                                  .rounds_ns = figures->phases[WEND__PHASE_ROUNDS],
                                  .ended_ns = ended_ns,
                                  .budget = budget->expansions,
                                  .budget_us = budget->us,
                                  .expansions = frame->expansions,
                                  .rounds = frame->rounds,
                                  .intakes = frame->intakes,
                                  .deliveries = frame->deliveries,
                                  .cells = frame->cells,
                                  .changes = frame->changes,
                                  .checks = frame->checks,
                                  .waiting = frame->waiting,
                                  .running = frame->running,
                                  .finished = frame->finished,
                                  .evictions = frame->evictions,
                                  .outdated = frame->outdated,
                                  .shared = frame->shared};
    memcpy(record->work_expansions, frame->work_expansions, sizeof record->work_expansions);
    memcpy(record->work_ns, frame->work_ns, sizeof record->work_ns);
}

bool wend__frame_log_keep_slices(const wend_service *service) {
    return service->noted && service->noted->def.slices > 0;
}

void wend__frame_log_slice_begins(const wend_service *service, wend__lane *lane, uint32_t thread) {
    if (!wend__frame_log_keep_slices(service)) return;
    lane->thread = thread;
    lane->began_ns = wend__now(service);
}

void wend__frame_log_slice_ends(const wend_service *service, wend__lane *lane) {
    if (wend__frame_log_keep_slices(service)) lane->ended_ns = wend__now(service);
}

void wend__frame_log_round(wend_service *service, uint64_t round) {
    wend_figures *figures = service->noted;
    if (!wend__frame_log_keep_slices(service)) return;
    for (uint32_t i = 0; i < service->scheduled; i++) {
        const wend__lane *lane = &service->lanes[i];
        const uint64_t index = figures->counts.slices++;
        figures->slices[index % figures->def.slices] =
            (wend_slice_record){.frame = service->frame,
                                .round = round,
                                .began_ns = lane->began_ns,
                                .ended_ns = lane->ended_ns,
                                .expansions = lane->used,
                                .number = service->entries[lane->list[0]].number,
                                .requests = lane->reached,
                                .lane = i,
                                .thread = lane->thread,
                                .fair = lane->fair};
    }
}

void wend__frame_log_completion(wend_service *service, const wend__entry *entry) {
    wend_figures *figures = service->noted;
    if (!figures) return;
    const uint64_t frames = entry->delivered_frame - entry->submitted_frame, expansions = entry->spent;
    const int32_t band = wend__urgency_band(entry->request.urgency), engine = entry->engine & 7;
    wend__histogram_add(&figures->of_requests[WEND_HISTOGRAM_WAIT][band], entry->wait_frames);
    wend__histogram_add(&figures->of_requests[WEND_HISTOGRAM_LATENCY][band], frames);
    wend__histogram_add(&figures->of_requests[WEND_HISTOGRAM_EXPANSIONS][band], expansions);
    figures->counts.engine_answers[engine]++;
    figures->counts.engine_expansions[engine] += expansions;
    figures->counts.general_answers[entry->general]++;
    figures->counts.shared += entry->shared;
    const uint64_t index = figures->counts.completions++;
    if (figures->def.completions == 0) return;
    figures->completions[index % figures->def.completions] = (wend_done_record){.frame = service->frame,
                                                                                .number = entry->number,
                                                                                .expansions = expansions,
                                                                                .frames = frames,
                                                                                .wait_frames = entry->wait_frames,
                                                                                .status = entry->status,
                                                                                .engine = entry->engine,
                                                                                .urgency = entry->request.urgency,
                                                                                .restarts = (int32_t)entry->restarts,
                                                                                .shared = entry->shared,
                                                                                .general = entry->general};
}

void wend__frame_log_update(wend_service *service, const wend_update_record *update) {
    wend_figures *figures = service->noted;
    if (!figures) return;
    wend__histogram_add(&figures->of_frames[WEND_HISTOGRAM_UPDATE_US], (update->ended_ns - update->began_ns) / 1000);
    wend__histogram_add(&figures->of_frames[WEND_HISTOGRAM_STANDS], update->stands);
    const uint64_t index = figures->counts.updates++;
    if (figures->def.updates > 0) figures->updates[index % figures->def.updates] = *update;
}
