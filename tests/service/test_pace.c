/* SPDX-License-Identifier: MIT */
/* Timed frames: how they learn the time of expansions, and when they begin no other round. */
#include "service/service_support.h"

#include <criterion/criterion.h>

enum { SLICE = 1000, EACH_NS = 40 };

typedef struct paced {
    wend_service *service;
    fake_clock clock; ///< does not go on by itself
    wend_frame frame;
    wend__tick tick;
} paced;

/* Opens a frame that has this long, at time 0. */
static void open_frame(paced *p, uint64_t ns) {
    wend_service_def def = small_def();
    p->clock = (fake_clock){.now = 0, .step = 0};
    def.clock = clock_of(&p->clock);
    p->service = service_of(&def);
    p->service->slice = p->service->last_slice = SLICE;
    p->tick = (wend__tick){.frame = &p->frame, .end_ns = ns};
    wend__pace_begin(p->service, &p->tick);
}

/* A round of one kind of work, with this time for an expansion. */
static bool is_over_after(paced *p, uint32_t work, uint64_t expansions, uint64_t each_ns) {
    p->clock.now += expansions * each_ns;
    wend__pace_note(p->service, &p->tick, work, expansions);
    return wend__pace_is_over(p->service, &p->tick);
}

Test(pace, another_round_begins_if_one_like_the_last_fits) {
    const uint64_t round = SLICE * EACH_NS;
    for (uint64_t rest = 0; rest <= 2 * round; rest += round / 4) {
        paced p = {0};
        open_frame(&p, round + rest);
        cr_assert_eq(is_over_after(&p, 0, SLICE, EACH_NS), rest < round, "%zu ns are left", (size_t)rest);
        end_service(p.service, NULL, NULL);
    }
}

Test(pace, a_shorter_round_takes_less) {
    const uint64_t round = SLICE * EACH_NS;
    for (uint64_t slice = SLICE / 4; slice <= SLICE; slice += SLICE / 4) {
        paced p = {0};
        open_frame(&p, round + round / 2);
        p.service->slice = slice;
        cr_assert_eq(is_over_after(&p, 0, SLICE, EACH_NS), slice > SLICE / 2, "a slice of %zu", (size_t)slice);
        end_service(p.service, NULL, NULL);
    }
}

/* A new measurement counts an eighth. */
Test(pace, rounds_that_get_faster_are_learnt_slowly) {
    paced p = {0};
    open_frame(&p, UINT32_MAX);
    is_over_after(&p, 0, SLICE, 800);
    cr_assert_eq(p.service->pace.picoseconds[0], 800000);
    is_over_after(&p, 0, SLICE, 400);
    cr_assert_eq(p.service->pace.picoseconds[0], 750000);
    cr_assert_eq(p.service->pace.round_ns, SLICE * UINT64_C(750));
    cr_assert_eq(p.frame.work_ns[0], SLICE * UINT64_C(1200));
    cr_assert_eq(p.frame.work_expansions[0], 2 * SLICE);
    is_over_after(&p, 0, 1, UINT64_C(1) << 31); /* as when the process stood still */
    cr_assert_eq(p.service->pace.picoseconds[0], 750000 - 750000 / 8 + (1 << 30) / 8, "it is bounded");
    end_service(p.service, NULL, NULL);
}

/* In a round with two kinds of work, each gets its share of time by the known rates: here one takes three times as long
 * as the other. */
Test(pace, time_is_divided_by_what_is_known) {
    paced p = {0};
    open_frame(&p, UINT32_MAX);
    is_over_after(&p, 0, SLICE, 100);
    is_over_after(&p, 1, SLICE, 300);
    wend__pace_note(p.service, &p.tick, 0, SLICE);
    is_over_after(&p, 1, SLICE, 800); /* twice as long as was expected of both */
    cr_assert_eq(p.frame.work_ns[0], SLICE * (100 + 200));
    cr_assert_eq(p.frame.work_ns[1], SLICE * (300 + 600));
    cr_assert_eq(p.service->pace.picoseconds[0], 100000 - 100000 / 8 + 200000 / 8);
    cr_assert_eq(p.service->pace.round_ns, SLICE * UINT64_C(450), "both kinds");
    end_service(p.service, NULL, NULL);
}

Test(pace, the_end_of_a_frame_counts_what_no_round_did) {
    paced p = {0};
    open_frame(&p, UINT32_MAX);
    is_over_after(&p, 0, SLICE, 100);
    p.clock.now += 5000;
    wend__pace_end(p.service, &p.tick);
    cr_assert_eq(p.frame.work_ns[0], SLICE * 100, "nothing was expanded since");
    wend__pace_note(p.service, &p.tick, 0, 50);
    wend__pace_end(p.service, &p.tick);
    cr_assert_eq(p.frame.work_ns[0], SLICE * 100 + 5000);
    end_service(p.service, NULL, NULL);
}

Test(pace, a_frame_without_a_limit_of_time_reads_no_clock) {
    paced p = {0};
    open_frame(&p, WEND_NO_LIMIT);
    p.clock.reads = 0;
    cr_assert_not(is_over_after(&p, 0, SLICE, 100));
    wend__pace_end(p.service, &p.tick);
    cr_assert_eq(p.clock.reads, 0);
    cr_assert_eq(p.frame.work_expansions[0], SLICE);
    end_service(p.service, NULL, NULL);
}
