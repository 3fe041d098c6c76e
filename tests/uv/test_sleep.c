/* SPDX-License-Identifier: MIT */
/* It ticks only while there is work, and a submit from any thread wakes it. */
#include "models/defaults.h"
#include "uv/uv_help.h"

TestSuite(uv_sleep);

static void count_frame(void *context, const wend_frame *frame, uint64_t skipped) {
    (void)frame;
    stage_count(context, skipped);
}

Test(uv_sleep, an_idle_adapter_does_not_keep_the_loop_alive) {
    OWNED(stage_end) stage s;
    stage_init(&s, 60, count_frame);
    stage_attach(&s);
    cr_assert_eq(uv_run(&s.loop, UV_RUN_DEFAULT), 0);
    cr_assert_eq(s.frames, 0);
}

Test(uv_sleep, work_keeps_the_loop_alive_until_it_is_done) {
    OWNED(stage_end) stage s;
    stage_init(&s, 500, count_frame);
    stage_attach(&s);
    for (int round = 1; round <= 3; round++) {
        cr_assert_eq(stage_submit(&s), WEND_OK);
        cr_assert_eq(uv_run(&s.loop, UV_RUN_DEFAULT), 0);
        cr_assert_eq(s.completions, round);
        cr_assert_eq(s.last_status, WEND_STATUS_FOUND);
    }
    wend_uv_stats stats = {.struct_bytes = sizeof stats};
    wend_uv_get_stats(s.adapter, &stats);
    cr_assert_eq(stats.sleeps, 3);
    cr_assert_eq(stats.frames, s.frames);
}

Test(uv_sleep, work_that_was_there_before_it_was_attached_is_done) {
    OWNED(stage_end) stage s;
    stage_init(&s, 500, count_frame);
    cr_assert_eq(stage_submit(&s), WEND_OK);
    stage_attach(&s);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    cr_assert_eq(s.completions, 1);
}

static void submit_again(void *context, const wend_completion *completion) {
    stage *s = context;
    stage_done(s, completion);
    if (s->completions >= 5) return;
    wend_request request = default_request();
    request.map = s->map, request.goal = (wend_cell){3, s->completions, 0};
    request.on_done = submit_again, request.context = s;
    cr_assert_eq(wend_service_submit(s->service, &request, NULL), WEND_OK);
}

Test(uv_sleep, a_callback_that_submits_keeps_it_awake) {
    OWNED(stage_end) stage s;
    stage_init(&s, 500, count_frame);
    stage_attach(&s);
    wend_request request = default_request();
    request.map = s.map, request.goal = (wend_cell){3, 9, 0}, request.on_done = submit_again, request.context = &s;
    cr_assert_eq(wend_service_submit(s.service, &request, NULL), WEND_OK);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    cr_assert_eq(s.completions, 5);
    wend_uv_stats stats = {.struct_bytes = sizeof stats};
    wend_uv_get_stats(s.adapter, &stats);
    cr_assert_eq(stats.sleeps, 1);
}

static void do_nothing(uv_timer_t *timer) {
    (void)timer;
}

static void close_handle(uv_timer_t *timer) {
    uv_close((uv_handle_t *)timer, NULL);
}

static void submit_after_300_ms(void *context) {
    uv_sleep(300);
    cr_assert_eq(stage_submit(context), WEND_OK);
}

Test(uv_sleep, a_submit_from_another_thread_wakes_it) {
    OWNED(stage_end) stage s;
    stage_init(&s, 1000, count_frame);
    stage_attach(&s);
    uv_timer_t host; /* keeps the loop alive, as a server's sockets do */
    uv_timer_init(&s.loop, &host);
    uv_timer_start(&host, do_nothing, 1, 1);
    uv_thread_t thread;
    cr_assert_eq(uv_thread_create(&thread, submit_after_300_ms, &s), 0);
    while (!s.completions) uv_run(&s.loop, UV_RUN_ONCE);
    cr_assert_eq(s.last_status, WEND_STATUS_FOUND);
    uv_timer_start(&host, close_handle, 50, 0);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    wend_uv_stats stats = {.struct_bytes = sizeof stats};
    wend_uv_get_stats(s.adapter, &stats);
    cr_assert_eq(stats.sleeps, 1);
    cr_assert_lt(stats.frames + stats.skipped, 150, "the 300 times it slept through are no frames, run or skipped");
}

static void hold_the_loop(uv_timer_t *timer) {
    uv_thread_t thread;
    cr_assert_eq(uv_thread_create(&thread, submit_after_300_ms, timer->data), 0);
    uv_thread_join(&thread);
    uv_sleep(200);
    uv_close((uv_handle_t *)timer, NULL);
}

Test(uv_sleep, frames_due_after_another_threads_submit_are_counted_though_the_loop_was_busy) {
    OWNED(stage_end) stage s;
    stage_init(&s, 100, count_frame);
    stage_attach(&s);
    uv_timer_t host;
    uv_timer_init(&s.loop, &host);
    host.data = &s;
    uv_timer_start(&host, hold_the_loop, 0, 0);
    uv_run(&s.loop, UV_RUN_NOWAIT); /* closes the timer: the host keeps the loop alive no longer */
    for (int i = 0; i < 600000 && !s.completions; i++) {
        uv_run(&s.loop, UV_RUN_NOWAIT);
        uv_sleep(1);
    }
    cr_assert_eq(s.completions, 1);
    wend_uv_stats stats = {.struct_bytes = sizeof stats};
    wend_uv_get_stats(s.adapter, &stats);
    cr_assert_geq(stats.skipped, 18, "of the 20 that were due in 200 ms: %d", (int)stats.skipped);
    cr_assert_lt(stats.skipped, 100000);
}

enum { THREADS = 3, REQUESTS = 200 };

static void submit_many(void *context) {
    for (int i = 0; i < REQUESTS; i++) {
        while (stage_submit(context) != WEND_OK) uv_sleep(1);
        if (i % 20 == 0) uv_sleep(3); /* lets the loop fall asleep now and then */
    }
}

Test(uv_sleep, no_wake_is_lost_between_threads) {
    OWNED(stage_end) stage s;
    stage_init(&s, 1000, count_frame);
    s.budget.expansions = WEND_NO_LIMIT;
    stage_attach(&s);
    uv_timer_t host;
    uv_timer_init(&s.loop, &host);
    uv_timer_start(&host, do_nothing, 1, 1);
    uv_thread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) cr_assert_eq(uv_thread_create(&threads[i], submit_many, &s), 0);
    uint64_t begun_ns = uv_hrtime();
    while (s.completions < THREADS * REQUESTS && uv_hrtime() - begun_ns < UINT64_C(600000000000))
        uv_run(&s.loop, UV_RUN_ONCE);
    for (int i = 0; i < THREADS; i++) uv_thread_join(&threads[i]);
    cr_assert_eq(s.completions, THREADS * REQUESTS);
    uv_close((uv_handle_t *)&host, NULL);
}

typedef struct phases {
    uint64_t least_ns; ///< the smallest distance of a frame from the time before it in the raster
} phases;

static void measure_phase(void *context, const wend_frame *frame, uint64_t skipped) {
    (void)frame;
    stage *s = context;
    phases *p = s->own;
    stage_count(s, skipped);
    uint64_t phase_ns = (uv_hrtime() - s->attaching_ns) % 50000000;
    if (phase_ns < p->least_ns) p->least_ns = phase_ns;
}

Test(uv_sleep, wakes_to_the_same_raster) {
    OWNED(stage_end) stage s;
    stage_init(&s, 20, measure_phase);
    stage_attach(&s);
    for (int round = 0; round < 3; round++) {
        phases p = {.least_ns = UINT64_MAX};
        s.own = &p;
        for (int attempt = 0; attempt < 8 && p.least_ns > 10000000; attempt++) { /* a busy machine gets eight goes */
            uv_sleep(20 + 13 * (unsigned)round);
            cr_assert_eq(stage_submit(&s), WEND_OK);
            uv_run(&s.loop, UV_RUN_DEFAULT);
        }
        cr_assert_leq(p.least_ns, 10000000, "a frame comes at a multiple of 50 ms after attaching");
    }
}

Test(uv_sleep, a_frame_that_came_due_before_the_loop_ran_is_late) {
    OWNED(stage_end) stage s;
    stage_init(&s, 100, count_frame);
    stage_attach(&s);
    cr_assert_eq(stage_submit(&s), WEND_OK);
    uv_sleep(100);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    wend_uv_stats stats = {.struct_bytes = sizeof stats};
    wend_uv_get_stats(s.adapter, &stats);
    cr_assert_geq(stats.skipped, 8);
    cr_assert_geq(stats.late_ns_max, 80000000);
}
