/* SPDX-License-Identifier: MIT */
/* Attaching and detaching: refusals, and that nothing is left behind wherever it is detached. */
#include "limits/limits.h"
#include "uv/uv_help.h"

TestSuite(uv_close);

static void count_frame(void *context, const wend_frame *frame, uint64_t skipped) {
    (void)frame;
    stage_count(context, skipped);
}

static int attach_with(stage *s, const wend_uv_def *def) {
    wend_uv *out = (wend_uv *)s;
    int error = wend_uv_attach(&s->loop, s->service, def, &out);
    if (error)
        cr_assert_eq(out, (wend_uv *)s, "untouched on error");
    else
        s->adapter = out;
    return error;
}

static int attach_at(int64_t rate_hz) {
    OWNED(stage_end) stage s;
    stage_init(&s, 60, NULL);
    wend_uv_def def = s.def;
    def.rate_hz = (uint32_t)rate_hz;
    const int error = attach_with(&s, &def);
    if (error)
        s.closed = 1; /* no handle to close */
    else
        stage_detach(&s);
    return error;
}

Test(uv_close, takes_rates_of_1_to_1000) {
    enum { MIN_RATE_HZ = 1, MAX_RATE_HZ = 1000 };
    AT_LEAST_GIVES(MIN_RATE_HZ, 0, WEND_BAD_ARGUMENT, attach_at(value));
    AT_MOST_GIVES(MAX_RATE_HZ, 0, WEND_BAD_ARGUMENT, attach_at(value));
}

#define EXPECT_BAD(change)                                                                                             \
    do {                                                                                                               \
        wend_uv_def def = s.def;                                                                                       \
        change;                                                                                                        \
        cr_expect_eq(attach_with(&s, &def), WEND_BAD_ARGUMENT, #change);                                               \
    } while (0)

Test(uv_close, refuses_bad_definitions) {
    OWNED(stage_end) stage s;
    stage_init(&s, 60, NULL);
    EXPECT_BAD(def.rate_hz = 0);
    EXPECT_BAD(def.rate_hz = 1001);
    EXPECT_BAD(def.struct_bytes = 0);
    EXPECT_BAD(def.struct_bytes = 4097);
    wend_budget budget = s.budget;
    EXPECT_BAD((budget.struct_bytes = 0, def.budget = &budget));
    budget = s.budget;
    EXPECT_BAD((budget.reserved = 1, def.budget = &budget));
    cr_expect_eq(attach_with(&s, NULL), WEND_BAD_ARGUMENT);
    wend_uv *out;
    cr_expect_eq(wend_uv_attach(NULL, s.service, &s.def, &out), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_uv_attach(&s.loop, NULL, &s.def, &out), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_uv_attach(&s.loop, s.service, &s.def, NULL), WEND_BAD_ARGUMENT);
    cr_assert_not(uv_loop_alive(&s.loop));
    stage_attach(&s);
    wend_budget bad = {0};
    cr_expect_eq(wend_uv_set_budget(s.adapter, &bad), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_uv_set_budget(s.adapter, NULL), WEND_BAD_ARGUMENT);
}

Test(uv_close, goes_from_1_to_1000_frames_a_second) {
    static const uint32_t rates[2] = {1, 1000};
    for (int i = 0; i < 2; i++) {
        OWNED(stage_end) stage s;
        stage_init(&s, rates[i], NULL);
        stage_attach(&s);
    }
}

Test(uv_close, two_services_share_a_loop) {
    stage a, b;
    stage_init(&a, 100, count_frame);
    stage_init(&b, 250, count_frame);
    wend_uv *other;
    b.def.context = &b;
    stage_attach(&a);
    cr_assert_eq(wend_uv_attach(&a.loop, b.service, &b.def, &other), 0);
    for (int i = 0; i < 20; i++) cr_assert(stage_submit(&a) == WEND_OK && stage_submit(&b) == WEND_OK);
    cr_assert_eq(uv_run(&a.loop, UV_RUN_DEFAULT), 0);
    cr_assert_eq(a.completions, 20);
    cr_assert_eq(b.completions, 20);
    wend_uv_detach(other, stage_closed, &b);
    stage_end(&a);
    stage_end(&b);
}

Test(uv_close, a_service_can_be_attached_again) {
    OWNED(stage_end) stage s;
    stage_init(&s, 500, count_frame);
    for (int round = 1; round <= 3; round++) {
        stage_attach(&s);
        cr_assert_eq(stage_submit(&s), WEND_OK);
        uv_run(&s.loop, UV_RUN_DEFAULT);
        cr_assert_eq(s.completions, round);
        stage_detach(&s);
        cr_assert_eq(s.closed, 0, "not before the loop has run");
        uv_run(&s.loop, UV_RUN_DEFAULT);
        cr_assert_eq(s.closed, 1);
        s.closed = round == 3;
    }
}

Test(uv_close, detached_it_ticks_no_more_and_the_service_stays_as_it_is) {
    OWNED(stage_end) stage s;
    stage_init(&s, 1000, count_frame);
    stage_attach(&s);
    cr_assert_eq(stage_submit(&s), WEND_OK);
    stage_detach(&s);
    cr_assert_eq(stage_submit(&s), WEND_OK, "its wake hook is gone");
    uv_run(&s.loop, UV_RUN_DEFAULT);
    cr_assert_eq(s.frames, 0);
    cr_assert_eq(s.completions, 0);
    cr_assert_eq(wend_service_get_pending(s.service), 2);
    cr_assert_eq(wend_service_tick(s.service, NULL, NULL), WEND_OK);
    cr_assert_eq(s.completions, 2);
    cr_assert_eq(stage_submit(&s), WEND_OK, "nobody is woken who is gone");
    cr_assert_not(uv_loop_alive(&s.loop));
}

static void detach_in_frame(void *context, const wend_frame *frame, uint64_t skipped) {
    (void)frame;
    stage *s = context;
    stage_count(s, skipped);
    if (s->frames == 3) {
        wend_uv *adapter = s->adapter;
        stage_detach(s);
        wend_uv_detach(adapter, stage_closed, s); /* a second time: nothing happens */
    }
}

Test(uv_close, can_be_detached_inside_on_frame) {
    OWNED(stage_end) stage s;
    stage_init(&s, 1000, detach_in_frame);
    stage_keep_busy(&s);
    stage_attach(&s);
    cr_assert_eq(uv_run(&s.loop, UV_RUN_DEFAULT), 0);
    cr_assert_eq(s.frames, 3);
}

static void detach_in_completion(void *context, const wend_completion *completion) {
    stage *s = context;
    stage_done(s, completion);
    if (s->adapter) stage_detach(s);
}

Test(uv_close, can_be_detached_inside_a_completion) {
    OWNED(stage_end) stage s;
    stage_init(&s, 1000, count_frame);
    stage_attach(&s);
    wend_request request = default_request();
    request.map = s.map, request.goal = (wend_cell){9, 9, 0}, request.on_done = detach_in_completion,
    request.context = &s;
    for (int i = 0; i < 3; i++) cr_assert_eq(wend_service_submit(s.service, &request, NULL), WEND_OK);
    cr_assert_eq(uv_run(&s.loop, UV_RUN_DEFAULT), 0);
    cr_assert_eq(s.completions, 3, "the frame goes on to its end");
    cr_assert_eq(s.frames, 0, "without on_frame");
}

static void destroy_service(void *context) {
    stage *s = context;
    stage_closed(s);
    cr_assert_eq(wend_service_destroy(s->service), WEND_OK);
    s->service = NULL;
}

Test(uv_close, the_service_can_be_destroyed_in_closed) {
    stage s;
    stage_init(&s, 1000, NULL);
    stage_keep_busy(&s);
    stage_attach(&s);
    for (int i = 0; i < 5; i++) uv_run(&s.loop, UV_RUN_ONCE);
    wend_uv_detach(s.adapter, destroy_service, &s);
    s.adapter = NULL;
    uv_run(&s.loop, UV_RUN_DEFAULT);
    cr_assert_null(s.service);
    cr_assert_eq(s.last_status, WEND_STATUS_CANCELLED);
    stage_end(&s); /* NULL is ignored */
}

Test(uv_close, closed_may_be_null) {
    OWNED(stage_end) stage s;
    stage_init(&s, 60, NULL);
    stage_attach(&s);
    wend_uv_detach(s.adapter, NULL, NULL);
    s.adapter = NULL, s.closed = 1;
}
