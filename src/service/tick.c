/* SPDX-License-Identifier: MIT */
/* A frame: intake, rounds, delivery; and destroying a service. */
#include "service/delivery/delivery.h"
#include "mark/beside.h"
#include "service/fields/service_fields.h"
#include "service/memory/memory.h"
#include "service/inbox/inbox.h"
#include "recording/calls/recording.h"
#include "service/frame_log/frame_log.h"
#include "service/scheduling/scheduling.h"
#include "service/state/service_state.h"
#include "service/validate.h"

static const wend_frame_limits no_limits = {.struct_bytes = sizeof(wend_frame_limits),
                                            .rounds = WEND_NO_LIMIT,
                                            .intakes = WEND_NO_LIMIT,
                                            .deliveries = WEND_NO_LIMIT,
                                            .cells = WEND_NO_LIMIT,
                                            .changes = WEND_NO_LIMIT,
                                            .checks = WEND_NO_LIMIT,
                                            .chosen = WEND_NO_LIMIT};
static const wend_budget unlimited = {
    .struct_bytes = sizeof(wend_budget), .expansions = WEND_NO_LIMIT, .us = WEND_NO_LIMIT};

void wend_frame_limits_init(wend_frame_limits *limits, size_t bytes) {
    wend__sized_init(limits, bytes, &no_limits, sizeof no_limits);
}

void wend_budget_init(wend_budget *budget, size_t bytes) {
    wend__sized_init(budget, bytes, &unlimited, sizeof unlimited);
}

/* Reads a budget, NULL: an unlimited one. */
static wend_error read_budget(const wend_budget *theirs, wend__budget *out) {
    wend_budget budget = unlimited;
    wend_frame_limits limits = no_limits;
    if (theirs && !WEND__READ_STRUCT(wend_budget, us, &budget, theirs)) return WEND_BAD_ARGUMENT;
    if (budget.reserved != 0) return wend__refuse_range("budget.reserved", budget.reserved, 0, 0);
    if (budget.limits && !WEND__READ_STRUCT(wend_frame_limits, chosen, &limits, budget.limits))
        return WEND_BAD_ARGUMENT;
    if (limits.reserved != 0) return wend__refuse_range("limits.reserved", limits.reserved, 0, 0);
    *out = (wend__budget){.expansions = budget.expansions,
                          .us = budget.us,
                          .rounds = limits.rounds,
                          .intakes = limits.intakes,
                          .deliveries = limits.deliveries,
                          .cells = limits.cells,
                          .changes = limits.changes,
                          .checks = limits.checks,
                          .chosen = limits.chosen};
    return WEND_OK;
}

/* Sets the end of the frame's time, and half of it: the intake gets at most half. A frame without time only takes in
 * and delivers, whatever that costs. */
static void set_times(wend__tick *tick) {
    uint64_t us = tick->budget->us, room = (WEND_NO_LIMIT - 1 - tick->begun_ns) / 1000;
    tick->half_ns = tick->end_ns = WEND_NO_LIMIT;
    if (us == 0 || us > room) return;
    tick->end_ns = tick->begun_ns + us * 1000;
    tick->half_ns = tick->begun_ns + us * 500;
}

static void run_frame(wend_service *service, wend__tick *tick) {
    tick->frame->frame = ++service->frame;
    service->frame_evictions = service->frame_checks = service->frame_outdated = 0;
    wend__wanted_begin_frame(service);
    wend__land_settle(service, tick);
    wend__land_begin_frame(service);
    wend__intake_leftovers(service, tick);
    wend__inbox_open_frame(service);
    wend__intake(service, tick);
    wend__land_settle(service, tick);
    wend__frame_log_phase(service, WEND__PHASE_INTAKE);
    wend__rounds(service, tick);
    wend__frame_log_phase(service, WEND__PHASE_ROUNDS);
    wend__service_validate_rounds(service, tick);
    wend__complete_due(service, tick);
    wend__version_unpin(service);
    wend__deliver(service, tick);
    wend__land_settle(service, tick);
}

wend_error wend_service_tick(wend_service *service, const wend_budget *budget, wend_frame *frame) {
    WEND__ALONE(service, "the service");
    wend__budget own;
    const wend_error error = read_budget(budget, &own);
    if (error) return error;
    if (frame && !WEND__FITS(wend_frame, work_ns, frame)) return WEND_BAD_ARGUMENT;
    if (wend__service_in_callback(service)) return wend__refuse_in_frame();
    wend_frame did = {.struct_bytes = sizeof did};
    wend__tick tick = {.budget = &own, .frame = &did, .begun_ns = wend__now(service)};
    tick.left = tick.budget->expansions;
    set_times(&tick);
    service->ticking = true;
    wend__arena_enter(service->arena);
    wend__record_begin_frame(service);
    run_frame(service, &tick);
    wend__arena_leave(service->arena);
    service->ticking = false;
    wend__figures_frame(service, &did);
    wend__record_end_frame(service, &own, &did);
    uint64_t ns = wend__now(service) - tick.begun_ns;
    service->figures.ns += ns;
    did.us = ns / 1000;
    wend__frame_log_frame(service, &own, &did, tick.begun_ns, tick.begun_ns + ns);
    wend__service_validate(service);
    if (frame) (void)WEND__GIVE(wend_frame, work_ns, frame, &did);
    return WEND_OK;
}

/* Delivers everything pending as cancelled; that is no frame of its own. */
static void deliver_the_rest(wend_service *service) {
    wend_frame did = {.struct_bytes = sizeof did};
    wend__budget all;
    (void)read_budget(NULL, &all);
    wend__tick tick = {.budget = &all, .frame = &did, .half_ns = WEND_NO_LIMIT, .end_ns = WEND_NO_LIMIT};
    service->ticking = true;
    wend__arena_enter(service->arena);
    service->frame_checks = 0;
    wend__intake_leftovers(service, &tick);
    wend__inbox_open_frame(service);
    wend__intake(service, &tick);
    wend__version_unpin(service);
    wend__deliver(service, &tick);
    wend__arena_leave(service->arena);
    service->ticking = false;
}

wend_error wend_service_destroy(wend_service *service) {
    if (!service) return WEND_OK;
    WEND__ALONE(service, "the service");
    if (wend__service_in_callback(service)) return wend__refuse_in_frame();
    if (service->crowds > 0)
        return wend__refuse(WEND_IN_USE, "%u crowds use the service: destroy them first", service->crowds);
    service->ending = true;
    if (service->recording) (void)wend__record_end(service);
    wend_service_close(service);
    wend__service_fields_release(service);
    wend__figures_leave(service);
    do deliver_the_rest(service);
    while (service->inbox.backlog.count > 0);
    wend__workers_stop(service);
    wend__mutex_destroy(service->inbox.mutex);
    wend_allocator allocator = service->def.allocator;
    WEND__GONE(service, "the service");
    allocator.free(allocator.context, service, service->bytes);
    return WEND_OK;
}
