/* SPDX-License-Identifier: MIT */
/* Threads that run the lanes of a round: the ticking thread, alone or with its workers, or the host's own. Lanes share
 * nothing in a round, and everything else waits for its end. So the results do not depend on which thread runs which
 * lane. */

/* Tried: lanes that any thread may run. A piece of 1,000 expansions whose search comes from another processor's caches
 * takes 23 to 28 µs, not 14: 1.60 times the speed of one thread, own lanes 1.75. */
#include "service/scheduling/scheduling.h"

#include "mark/beside.h"
#include "service/frame_log/frame_log.h"
#include "service/state/service_state.h"

/* A round that may spend less than this ends about when a sleeping worker has woken. */
enum { WORTH_WAKING = 512 };

bool wend__workers_start(wend_service *service, void *memory) {
    const uint32_t workers = service->def.workers;
    service->worth = WORTH_WAKING;
    if (workers == 0) return true;
    service->crew = service->arena ? wend__arena_crew_start(service->arena, &service->crew_use, workers)
                                   : wend__crew_start(memory, workers);
    return service->crew != NULL;
}

void wend__workers_stop(wend_service *service) {
    if (service->crew && service->arena)
        wend__arena_crew_stop(service->arena, &service->crew_use);
    else if (service->crew)
        wend__crew_stop(service->crew);
}

static bool run_noted(wend_service *service, uint32_t lane, uint32_t thread, uint64_t most) {
    wend__lane *own = &service->lanes[lane];
    if (own->reached == 0) wend__frame_log_slice_begins(service, own, thread);
    const bool goes_on = wend__lane_run(service, own, most);
    if (!goes_on) wend__frame_log_slice_ends(service, own);
    return goes_on;
}

/* Runs a piece of a lane's slice, so that threads share a round evenly. A recorded slice runs in one piece, on one
 * thread. */
static bool run_piece(void *context, uint32_t lane, uint32_t thread) {
    wend_service *service = context;
    const uint64_t piece = wend__frame_log_keep_slices(service) ? WEND_NO_LIMIT : service->tuning.slice;
    if (run_noted(service, lane, thread, piece)) return true;
    service->slices[thread]++;
    return false;
}

/* Runs lanes on the host's threads: their number is unknown, so nothing is counted here. */
static void run_host_lane(void *context, uint32_t lane) {
    run_noted(context, lane, UINT32_MAX, WEND_NO_LIMIT);
}

/* A grant may be 2^64 - 1, so they are not added up. */
static bool worth_waking(const wend_service *service) {
    uint64_t missing = service->worth;
    for (uint32_t i = 0; i < service->scheduled && missing > 0; i++)
        missing -= service->lanes[i].grant < missing ? service->lanes[i].grant : missing;
    return service->scheduled > 1 && missing == 0;
}

void wend__workers_run(wend_service *service) {
    const wend_jobs *jobs = &service->def.jobs;
    const bool worth = (service->crew || jobs->run) && worth_waking(service);
    for (uint32_t i = 0; i < service->scheduled; i++) wend__lane_begin(&service->lanes[i]);
    if (worth && service->crew) {
        wend__crew_run(service->crew, service->scheduled, run_piece, service);
        return;
    }
    if (worth)
        jobs->run(jobs->context, service->scheduled, run_host_lane, service);
    else
        for (uint32_t i = 0; i < service->scheduled; i++) run_noted(service, i, 0, WEND_NO_LIMIT);
    service->slices[0] += service->scheduled;
}

uint64_t wend_service_get_slices(const wend_service *service, uint32_t thread) {
    WEND__ALONE(service, "the service");
    return thread <= service->def.workers ? service->slices[thread] : 0;
}
