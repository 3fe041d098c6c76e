/* SPDX-License-Identifier: MIT */
/* The alarm: a timerfd that the loop polls on Linux, a libuv timer set again for each ring elsewhere. */
#define _GNU_SOURCE 1 /* uv.h asks for POSIX, which -std=c11 alone hides */
#include "uv/alarm.h"

#if WEND__ALARM_TIMERFD

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void on_readable(uv_poll_t *handle, int status, int events) {
    (void)status;
    (void)events;
    wend__alarm *alarm = handle->data;
    uint64_t rings;
    ssize_t got = read(alarm->fd, &rings, sizeof rings); /* nothing there: it was set again meanwhile */
    (void)got;
    alarm->ring(alarm);
}

int wend__alarm_init(wend__alarm *alarm, uv_loop_t *loop, void (*ring)(wend__alarm *alarm)) {
    alarm->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (alarm->fd < 0) return uv_translate_sys_error(errno);
    int error = uv_poll_init(loop, &alarm->handle, alarm->fd);
    if (error) {
        close(alarm->fd);
        return error;
    }
    alarm->handle.data = alarm;
    alarm->ring = ring;
    return 0;
}

void wend__alarm_set(wend__alarm *alarm, uint64_t due_ns) {
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(due_ns / 1000000000), .tv_nsec = (long)(due_ns % 1000000000)}};
    timerfd_settime(alarm->fd, TFD_TIMER_ABSTIME, &when, NULL);
    if (!uv_is_active((uv_handle_t *)&alarm->handle)) uv_poll_start(&alarm->handle, UV_READABLE, on_readable);
}

void wend__alarm_stop(wend__alarm *alarm) {
    uv_poll_stop(&alarm->handle);
}

static void on_closed(uv_handle_t *handle) {
    wend__alarm *alarm = handle->data;
    close(alarm->fd);
    alarm->closed(alarm);
}

#else

static void on_timer(uv_timer_t *handle) {
    wend__alarm *alarm = handle->data;
    alarm->ring(alarm);
}

int wend__alarm_init(wend__alarm *alarm, uv_loop_t *loop, void (*ring)(wend__alarm *alarm)) {
    int error = uv_timer_init(loop, &alarm->handle);
    alarm->handle.data = alarm;
    alarm->ring = ring;
    return error;
}

/// Milliseconds rounded up; the loop's own time is rounded down, so it may ring early and be set once more.
void wend__alarm_set(wend__alarm *alarm, uint64_t due_ns) {
    uv_update_time(alarm->handle.loop);
    uint64_t now_ns = uv_hrtime(), wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
    uv_timer_start(&alarm->handle, on_timer, (wait_ns + 999999) / 1000000, 0);
}

void wend__alarm_stop(wend__alarm *alarm) {
    uv_timer_stop(&alarm->handle);
}

static void on_closed(uv_handle_t *handle) {
    wend__alarm *alarm = handle->data;
    alarm->closed(alarm);
}

#endif

void wend__alarm_close(wend__alarm *alarm, void (*closed)(wend__alarm *alarm)) {
    alarm->closed = closed;
    uv_close((uv_handle_t *)&alarm->handle, on_closed);
}
