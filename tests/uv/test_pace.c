/* SPDX-License-Identifier: MIT */
/* Frames come at their rate without drift; a late loop skips and says so. Machines may be busy: nothing here asks for a
   frame to be on time, only that every frame that was due is counted. */
#include "models/defaults.h"
#include "uv/uv_help.h"

TestSuite(uv_pace);

typedef struct pace {
    uint64_t until_ns;
    int64_t behind; ///< at the last frame
} pace;

/// A frame may be delayed between its count and this reading of the clock; so it repeats until one is not, or time is
/// over.
static void measure_pace(void *context, const wend_frame *frame, uint64_t skipped) {
    stage *s = context;
    pace *p = s->own;
    stage_count(s, skipped);
    cr_assert_eq(frame->frame, s->frames);
    cr_assert_geq(stage_behind(s, s->attaching_ns), 0, "no frame comes before its time");
    p->behind = stage_behind(s, s->attached_ns);
    uint64_t now_ns = uv_hrtime();
    if (now_ns >= p->until_ns && (p->behind <= 1 || now_ns >= p->until_ns + UINT64_C(600000000000))) stage_detach(s);
}

static void expect_pace(uint32_t rate_hz) {
    OWNED(stage_end) stage s;
    stage_init(&s, rate_hz, measure_pace);
    pace p = {.until_ns = uv_hrtime() + 1000000000};
    s.own = &p;
    stage_keep_busy(&s);
    stage_attach(&s);
    cr_assert_eq(uv_run(&s.loop, UV_RUN_DEFAULT), 0);
    cr_assert_leq(p.behind, 1, "every frame due is run or counted: %d behind", (int)p.behind);
    cr_assert_gt(s.frames, 10);
}

Test(uv_pace, comes_at_60_hz_without_drift) {
    expect_pace(60);
}

Test(uv_pace, comes_at_1000_hz_without_drift) {
    expect_pace(1000);
}

Test(uv_pace, comes_at_a_rate_that_divides_nothing) {
    expect_pace(7 * 11 * 13 - 2);
}

typedef struct phases {
    uint64_t early; ///< frames within 2 ms of their time
} phases;

static void take_3_ms(void *context, const wend_frame *frame, uint64_t skipped) {
    (void)frame;
    stage *s = context;
    phases *p = s->own;
    stage_count(s, skipped);
    p->early += (uv_hrtime() - s->attaching_ns) % 20000000 < 2000000;
    uv_sleep(3);
    if (s->frames == 30) stage_detach(s);
}

Test(uv_pace, what_a_frame_takes_makes_the_next_no_later) {
    uint64_t most = 0;
    for (int attempt = 0; attempt < 5 && most < 15; attempt++) { /* a busy machine gets five goes */
        stage s;
        stage_init(&s, 50, take_3_ms);
        phases p = {0};
        s.own = &p;
        stage_keep_busy(&s);
        stage_attach(&s);
        uv_run(&s.loop, UV_RUN_DEFAULT);
        if (p.early > most) most = p.early;
        stage_end(&s);
    }
    cr_assert_geq(most, 15, "only %d of 30 frames came at their time; 3 if each began 20 ms after the last", (int)most);
}

typedef struct jam {
    uint64_t jammed_ns; ///< how long on_frame held the loop
    uint64_t skipped;   ///< skipped frames of the next frame's report
    wend_uv_stats stats;
} jam;

static void jam_once(void *context, const wend_frame *frame, uint64_t skipped) {
    (void)frame;
    stage *s = context;
    jam *j = s->own;
    stage_count(s, skipped);
    if (s->frames == 5) {
        uint64_t before = uv_hrtime();
        uv_sleep(200);
        j->jammed_ns = uv_hrtime() - before;
    } else if (s->frames == 6) {
        j->skipped = skipped;
    } else if (s->frames == 8) {
        wend_uv_get_stats(s->adapter, &j->stats);
        stage_detach(s);
    }
}

Test(uv_pace, skips_what_was_due_while_the_loop_was_busy) {
    OWNED(stage_end) stage s;
    stage_init(&s, 60, jam_once);
    jam j = {.stats = {.struct_bytes = sizeof j.stats}};
    s.own = &j;
    stage_keep_busy(&s);
    stage_attach(&s);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    uint64_t periods = j.jammed_ns * 60 / 1000000000; /* 12 */
    cr_assert_geq(j.skipped, periods - 1, "all but the one that is run: %d", (int)j.skipped);
    cr_assert_eq(j.stats.frames, 8);
    cr_assert_eq(j.stats.skipped, s.skipped, "what on_frame was told adds up");
    cr_assert_gt(j.stats.late_ns_max, j.jammed_ns - 20000000, "the first frame due was late by the whole time");
    cr_assert_eq(j.stats.struct_bytes, sizeof j.stats);
}

static void slow_frame(void *context, const wend_frame *frame, uint64_t skipped) {
    (void)frame;
    stage *s = context;
    stage_count(s, skipped);
    uv_sleep(5);
    if (s->frames == 40) stage_detach(s);
}

Test(uv_pace, never_piles_up_frames_that_take_longer_than_their_time) {
    OWNED(stage_end) stage s;
    stage_init(&s, 1000, slow_frame);
    stage_keep_busy(&s);
    stage_attach(&s);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    cr_assert_eq(s.frames, 40);
    cr_assert_geq(s.skipped, 39 * 4, "each frame of 5 ms skips at least 4: %d", (int)s.skipped);
}

static void raise_budget(void *context, const wend_frame *frame, uint64_t skipped) {
    stage *s = context;
    stage_count(s, skipped);
    if (s->completions) return;
    cr_assert_eq(frame->expansions, s->frames == 1 ? 0 : 3);
    wend_budget budget = default_budget();
    budget.expansions = s->frames < 4 ? 3 : WEND_NO_LIMIT;
    cr_assert_eq(wend_uv_set_budget(s->adapter, &budget), 0);
}

Test(uv_pace, takes_another_budget_for_the_frames_to_come) {
    OWNED(stage_end) stage s;
    stage_init(&s, 200, raise_budget);
    stage_keep_busy(&s);
    stage_attach(&s);
    cr_assert_eq(uv_run(&s.loop, UV_RUN_DEFAULT), 0);
    cr_assert_eq(s.completions, 1);
    cr_assert_eq(s.last_status, WEND_STATUS_FOUND);
    cr_assert_eq(s.frames, 5);
}
