/* SPDX-License-Identifier: MIT */
/* The default quantum follows the frame's budget: short requests among long ones are answered in their frame, whatever
 * the budget, the slice and the lanes. */
#include "models/few_or_many.h"
#include "service/service_support.h"

#include <criterion/criterion.h>

enum { LONG = 8, SIDE = 126 };

static wend_service_def auto_def(uint32_t lanes, uint64_t slice) {
    wend_service_def def = small_def();
    tuning.lanes = lanes, tuning.searches = 64;
    def.nodes = 1024 * WEND_PAGE_NODES;
    tuning.quantum = 0, tuning.slice = slice;
    return def;
}

/* Returns the quantum of a frame of `expansions` expansions. */
static uint64_t quantum_at(uint32_t lanes, uint64_t expansions) {
    wend_service_def def = auto_def(lanes, 1000);
    OWNED_SERVICE *service = service_of(&def);
    frame_of(service, expansions);
    return service->quantum;
}

Test(quantum, is_a_quarter_of_a_lanes_share_within_bounds) {
    cr_assert_eq(quantum_at(4, 0), 16);
    cr_assert_eq(quantum_at(4, 34 * 4 - 1), 16);
    cr_assert_eq(quantum_at(4, 34 * 4), 17);
    cr_assert_eq(quantum_at(4, 254 * 4), 127);
    cr_assert_eq(quantum_at(4, 256 * 4), 128);
    cr_assert_eq(quantum_at(4, 129 * 16 - 1), 128);
    cr_assert_eq(quantum_at(4, 129 * 16), 129);
    cr_assert_eq(quantum_at(4, 20000), 1250);
    cr_assert_eq(quantum_at(1, 20000), 5000);
    cr_assert_eq(quantum_at(4, 32767 * 16 + 15), 32767);
    cr_assert_eq(quantum_at(4, 32768 * 16), 32768);
    cr_assert_eq(quantum_at(4, WEND_NO_LIMIT), 32768);
}

Test(quantum, of_the_host_counts_whatever_the_budget) {
    wend_service_def def = auto_def(4, 1000);
    tuning.quantum = 7;
    OWNED_SERVICE *service = service_of(&def);
    frame_of(service, 20000);
    cr_assert_eq(service->quantum, 7);
    cr_assert_eq(service->slice, 1000);
}

/* Frames that the last of some short requests takes to its answer. Long ones came some frames earlier and fill all
 * lanes. */
static uint64_t frames_of_short(uint32_t lanes, uint64_t slice, uint64_t expansions, int shorts) {
    wend_service_def def = auto_def(lanes, slice);
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(SIDE), *open = open_map(30, 30);
    uint64_t most = 0;
    for (int i = 0; i < LONG; i++) submit_from_to(service, moat, at(i, 0), moat_goal(SIDE), 0);
    for (int i = 0; i < 3; i++) frame_of(service, expansions);
    for (int i = 0; i < shorts; i++) submit_from_to(service, open, at(3, i), at(17, i), 0);
    drain(service, expansions);
    for (int i = 0; i < shorts; i++) {
        const seen *one = seen_number((uint64_t)(LONG + i));
        cr_assert(one->completion.status == WEND_STATUS_FOUND);
        most = one->completion.frames > most ? one->completion.frames : most;
    }
    for (uint64_t i = 0; i < LONG; i++) cr_assert_gt(seen_number(i)->completion.frames, 3, "they are long");
    seen_clear();
    return most;
}

Test(quantum, lets_a_short_request_be_answered_in_its_frame) {
    const uint64_t slices[] = {1, 50, 1000, 100000, UINT64_MAX}, budgets[] = {500, 1000, 4000, 12000};
    const size_t next = (size_t)few_or_many(2, 1);
    for (uint32_t lanes = 1; lanes <= 8; lanes *= 2)
        for (size_t i = 0; i < sizeof slices / sizeof *slices; i += next)
            for (size_t k = (i + lanes / 2) % next; k < sizeof budgets / sizeof *budgets; k += next)
                cr_assert_eq(frames_of_short(lanes, slices[i], budgets[k], 5), 1, "%u lanes, slice %llu, budget %llu",
                             (unsigned)lanes, (unsigned long long)slices[i], (unsigned long long)budgets[k]);
}

/* A clock by which each expansion takes 100 ns. */
static wend_service *ticking;
static uint64_t now_by_expansions(void *context) {
    (void)context;
    uint64_t spent = 0;
    for (uint32_t i = 0; ticking && i < ticking->def.queue; i++) spent += ticking->entries[i].spent;
    return 1 + spent * 100;
}

/* In timed frames the quantum follows the spent expansions; and the last round ends close to the frame's end. */
Test(quantum, of_timed_frames_follows_what_they_spend) {
    wend_service_def def = auto_def(4, 1000);
    def.clock = (wend_clock){NULL, now_by_expansions};
    ticking = service_of(&def);
    OWNED_MAP *moat = moat_map(SIDE), *open = open_map(30, 30);
    wend_budget budget = default_budget();
    budget.us = 800; /* 8,000 expansions */
    for (int i = 0; i < 30; i++) submit_from_to(ticking, moat, at(i, 0), moat_goal(SIDE), 0);
    for (int i = 0; i < 40; i++) {
        const wend_frame frame = frame_with(ticking, &budget);
        if (i < 20) continue;
        cr_assert_leq(frame.us, 880, "frame %d: %d us", i, (int)frame.us);
        cr_assert_geq(frame.us, 720, "frame %d: %d us", i, (int)frame.us);
        cr_assert(ticking->quantum > 400 && ticking->quantum < 560, "%d", (int)ticking->quantum);
    }
    submit_from_to(ticking, open, at(3, 3), at(17, 3), 0);
    frame_with(ticking, &budget);
    cr_assert(seen_number(30) && wend_service_get_work(ticking) > 0);
    drain(ticking, WEND_NO_LIMIT);
    wend_service_destroy(ticking);
    ticking = NULL;
}
