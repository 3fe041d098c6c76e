/* SPDX-License-Identifier: MIT */
/* Estimates the pace of rounds by kind of work, so that no round begins for which the frame has no time. Only the
 * number of rounds follows from the pace, so that a frame of as many rounds repeats a timed one. */
#include "service/scheduling/scheduling.h"

enum { UNKNOWN = 32000, SLOWEST = 1 << 30 }; /* picoseconds an expansion */

/* Without a limit of time the clock is read at the beginning and the end of all rounds, and only for figures. */
static bool is_timed(const wend_service *service, const wend__tick *tick) {
    return tick->end_ns != WEND_NO_LIMIT || service->noted;
}

void wend__pace_begin(wend_service *service, const wend__tick *tick) {
    if (!is_timed(service, tick)) return;
    for (unsigned i = 0; i < WEND_WORK_COUNT; i++) service->pace.used[i] = 0;
    service->pace.read_ns = wend__now(service);
}

void wend__pace_note(wend_service *service, wend__tick *tick, uint32_t work, uint64_t used) {
    tick->frame->work_expansions[work] += used;
    service->pace.used[work] += used;
}

/* Returns the nanoseconds of expansions by the estimate; saturates at UINT32_MAX. */
static uint64_t ns_of(const wend__pace *pace, unsigned work, uint64_t used) {
    const uint64_t each = pace->picoseconds[work] ? pace->picoseconds[work] : UNKNOWN;
    return used > UINT32_MAX ? UINT32_MAX : used * each / 1000;
}

/* Returns the moving average: an eighth of the new value; all of it the first time. */
static uint64_t learnt(uint64_t before, uint64_t now) {
    if (now > SLOWEST) now = SLOWEST;
    return before == 0 ? now : before - before / 8 + now / 8;
}

/* Divides the time since the clock was read among kinds of work by their estimates. A single kind gets all of it. */
static void learn(wend__pace *pace, wend_frame *frame, uint64_t ns) {
    uint64_t all = 0, expected[WEND_WORK_COUNT];
    for (unsigned i = 0; i < WEND_WORK_COUNT; i++) all += expected[i] = ns_of(pace, i, pace->used[i]);
    pace->round_ns = 0;
    if (ns > UINT32_MAX) ns = UINT32_MAX;
    for (unsigned i = 0; i < WEND_WORK_COUNT && all > 0; i++) {
        if (pace->used[i] == 0) continue;
        const uint64_t own = ns * expected[i] / all;
        frame->work_ns[i] += own;
        pace->picoseconds[i] = learnt(pace->picoseconds[i], own * 1000 / pace->used[i]);
        pace->round_ns += ns_of(pace, i, pace->used[i]);
        pace->used[i] = 0;
    }
}

static void read_clock(wend_service *service, wend__tick *tick) {
    const uint64_t now = wend__now(service), before = service->pace.read_ns;
    learn(&service->pace, tick->frame, now > before ? now - before : 0);
    service->pace.read_ns = now;
}

void wend__pace_end(wend_service *service, wend__tick *tick) {
    bool used = false;
    for (unsigned i = 0; i < WEND_WORK_COUNT; i++) used |= service->pace.used[i] > 0;
    if (used && is_timed(service, tick)) read_clock(service, tick);
}

bool wend__pace_is_over(wend_service *service, wend__tick *tick) {
    if (tick->end_ns == WEND_NO_LIMIT) return false;
    const uint64_t end_ns = wend__tick_delivers_ns(service, tick);
    read_clock(service, tick);
    const wend__pace *pace = &service->pace;
    if (pace->read_ns >= end_ns) return true;
    const uint64_t slice = service->slice, last = service->last_slice; /* if they differ, neither is above 32,768 */
    const uint64_t next_ns = slice < last ? pace->round_ns * slice / last : pace->round_ns;
    return next_ns > end_ns - pace->read_ns;
}
