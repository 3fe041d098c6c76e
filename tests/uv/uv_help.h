/* SPDX-License-Identifier: MIT */
/* For the tests of the libuv adapter: a service on an empty map, a loop, and the adapter's reports. */
#ifndef TESTS_UV_HELP_H
#define TESTS_UV_HELP_H

#include <wend/uv.h>

#include <criterion/criterion.h>

#include "models/defaults.h"

/// Frames that came, with the time as seen from outside.
typedef struct stage {
    uv_loop_t loop;
    wend_map *map;
    wend_service *service;
    wend_uv_def def;
    wend_budget budget;                 ///< def points here
    wend_uv *adapter;                   ///< NULL once detached
    uint64_t attaching_ns, attached_ns; ///< just before and just after: the adapter's frames count from a time between
    uint64_t frames, skipped;           ///< as reported to on_frame
    int completions, closed;
    int last_status;
    void *own; ///< for use by a test
} stage;

static inline void stage_init(stage *s, uint32_t rate_hz, wend_uv_frame_fn *on_frame) {
    *s = (stage){.closed = 0};
    wend_uv_def_init(&s->def, sizeof s->def);
    wend_budget_init(&s->budget, sizeof s->budget);
    s->budget.expansions = 20000, s->def.budget = &s->budget, s->def.rate_hz = rate_hz;
    s->def.on_frame = on_frame, s->def.context = s;
    wend_map_def map_def = default_map();
    map_def.width = map_def.height = 64;
    cr_assert_eq(wend_map_create(&map_def, &s->map), WEND_OK);
    wend_service_def service_def = default_service();
    cr_assert_eq(wend_service_create(&service_def, &s->service), WEND_OK);
    cr_assert_eq(uv_loop_init(&s->loop), 0);
}

static inline void stage_attach(stage *s) {
    s->attaching_ns = uv_hrtime();
    cr_assert_eq(wend_uv_attach(&s->loop, s->service, &s->def, &s->adapter), 0);
    s->attached_ns = uv_hrtime();
}

static inline void stage_closed(void *context) {
    stage *s = context;
    s->closed++;
}

static inline void stage_detach(stage *s) {
    wend_uv_detach(s->adapter, stage_closed, s);
    s->adapter = NULL;
}

static inline void stage_done(void *context, const wend_completion *completion) {
    stage *s = context;
    s->completions++;
    s->last_status = completion->status;
}

static inline wend_error stage_submit(stage *s) {
    wend_request request = default_request();
    request.map = s->map, request.goal = (wend_cell){60, 50, 0}, request.on_done = stage_done;
    request.context = s;
    return wend_service_submit(s->service, &request, NULL);
}

/// Submits a request that is never finished: frames take it in and spend nothing on it.
static inline void stage_keep_busy(stage *s) {
    s->budget.expansions = 0;
    cr_assert_eq(stage_submit(s), WEND_OK);
}

static inline void stage_count(stage *s, uint64_t skipped) {
    s->frames++;
    s->skipped += skipped;
}

/// Returns the frames that were due since a time, less the frames that were run or skipped.
static inline int64_t stage_behind(const stage *s, uint64_t since_ns) {
    uint64_t due = (uint64_t)((unsigned __int128)(uv_hrtime() - since_ns) * s->def.rate_hz / 1000000000);
    return (int64_t)due - (int64_t)(s->frames + s->skipped);
}

/// Everything must be given back: the loop has no handle left, and closed was called once if there was an adapter.
static inline void stage_end(stage *s) {
    if (s->adapter) stage_detach(s);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    cr_assert_eq(s->closed, 1);
    cr_assert_eq(uv_loop_close(&s->loop), 0);
    cr_assert_eq(wend_service_destroy(s->service), WEND_OK);
    wend_map_release(s->map);
}

#endif
