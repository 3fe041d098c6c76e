/* SPDX-License-Identifier: MIT */
/* Threads that submit while a loop runs the frames: for ThreadSanitizer, and against lost wakes. */
#define _GNU_SOURCE 1 /* uv.h asks for POSIX, which -std=c11 alone hides */
#include "models/defaults.h"

#include <stdio.h>
#include <wend/uv.h>

enum { THREADS = 3, REQUESTS = 300 };

static wend_map *map;
static wend_service *service;
static int completions;

static void count_completion(void *context, const wend_completion *done) {
    (void)context;
    completions += done->status == WEND_STATUS_FOUND;
}

static void submit_requests(void *context) {
    (void)context;
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){20, 10, 0}, request.on_done = count_completion;
    for (int i = 0; i < REQUESTS; i++) {
        while (wend_service_submit(service, &request, NULL) != WEND_OK) uv_sleep(1);
        if (i % 16 == 0) uv_sleep(3); /* lets the loop fall asleep, to be woken */
    }
}

static void do_nothing(uv_timer_t *timer) {
    (void)timer;
}

int main(void) {
    wend_map_def map_def = default_map();
    map_def.width = map_def.height = 32;
    wend_service_def service_def = default_service();
    wend_uv_def def;
    wend_uv_def_init(&def, sizeof def);
    def.rate_hz = 1000;
    wend_uv *adapter;
    uv_loop_t *loop = uv_default_loop();
    if (wend_map_create(&map_def, &map) || wend_service_create(&service_def, &service)) return 1;
    if (wend_uv_attach(loop, service, &def, &adapter)) return 1;

    uv_timer_t host;
    uv_timer_init(loop, &host);
    uv_timer_start(&host, do_nothing, 1, 1);
    uv_thread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) uv_thread_create(&threads[i], submit_requests, NULL);
    uint64_t begun_ns = uv_hrtime();
    while (completions < THREADS * REQUESTS && uv_hrtime() - begun_ns < UINT64_C(60000000000))
        uv_run(loop, UV_RUN_ONCE);
    for (int i = 0; i < THREADS; i++) uv_thread_join(&threads[i]);

    wend_uv_stats stats = {.struct_bytes = sizeof stats};
    wend_uv_get_stats(adapter, &stats);
    printf("%d paths in %llu frames, slept %llu times\n", completions, (unsigned long long)stats.frames,
           (unsigned long long)stats.sleeps);
    uv_close((uv_handle_t *)&host, NULL);
    wend_uv_detach(adapter, NULL, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    wend_service_destroy(service);
    wend_map_release(map);
    return completions == THREADS * REQUESTS && stats.sleeps > 0 && uv_loop_close(loop) == 0 ? 0 : 1;
}
