/* SPDX-License-Identifier: MIT */
/* Runs a service's frames on a libuv loop: awake while there is work, one frame at each of its times, none piled up. */
#define _GNU_SOURCE 1 /* uv.h needs POSIX, which -std=c11 alone hides */
#include <wend/uv.h>
#include <wend/control.h>
#include <wend/service_tuning.h>

#include "base/sized.h"
#include "base/system/frame_times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/// libuv's own timers count whole milliseconds; a timerfd is exact. The other way can be built here too, for its tests.
#if defined(__linux__) && !defined(WEND_UV_PLAIN_TIMER)
#define WEND__ALARM_TIMERFD 1
#else
#define WEND__ALARM_TIMERFD 0
#endif
#if WEND__ALARM_TIMERFD
#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>
#endif

/* ---- the alarm: it rings once at an absolute time, and keeps the loop alive only until then ---- */

typedef struct wend__alarm wend__alarm;

struct wend__alarm {
#if WEND__ALARM_TIMERFD
    uv_poll_t handle;
    int fd;
#else
    uv_timer_t handle;
#endif
    void (*ring)(wend__alarm *alarm);
    void (*closed)(wend__alarm *alarm);
};

#if WEND__ALARM_TIMERFD

static void on_readable(uv_poll_t *handle, int status, int events) {
    (void)status;
    (void)events;
    wend__alarm *alarm = handle->data;
    uint64_t rings;
    ssize_t got = read(alarm->fd, &rings, sizeof rings); /* empty: the timer was set again meanwhile */
    (void)got;
    alarm->ring(alarm);
}

/* Calls `ring` at the time, or shortly before or after: the callback checks the clock. Returns 0 or a libuv error code;
 * then there is nothing to close. */
static int alarm_init(wend__alarm *alarm, uv_loop_t *loop, void (*ring)(wend__alarm *alarm)) {
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

/* Ring at that time of uv_hrtime() instead of any set before; at once if it has passed. */
static void alarm_set(wend__alarm *alarm, uint64_t due_ns) {
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(due_ns / 1000000000), .tv_nsec = (long)(due_ns % 1000000000)}};
    timerfd_settime(alarm->fd, TFD_TIMER_ABSTIME, &when, NULL);
    if (!uv_is_active((uv_handle_t *)&alarm->handle)) uv_poll_start(&alarm->handle, UV_READABLE, on_readable);
}

static void alarm_stop(wend__alarm *alarm) {
    uv_poll_stop(&alarm->handle);
}

static void on_alarm_closed(uv_handle_t *handle) {
    wend__alarm *alarm = handle->data;
    close(alarm->fd);
    alarm->closed(alarm);
}

#else

static void on_timer(uv_timer_t *handle) {
    wend__alarm *alarm = handle->data;
    alarm->ring(alarm);
}

static int alarm_init(wend__alarm *alarm, uv_loop_t *loop, void (*ring)(wend__alarm *alarm)) {
    int error = uv_timer_init(loop, &alarm->handle);
    alarm->handle.data = alarm;
    alarm->ring = ring;
    return error;
}

/* Milliseconds rounded up; the loop's own time is rounded down, so it may ring early and be set once more. */
static void alarm_set(wend__alarm *alarm, uint64_t due_ns) {
    uv_update_time(alarm->handle.loop);
    uint64_t now_ns = uv_hrtime(), wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
    uv_timer_start(&alarm->handle, on_timer, (wait_ns + 999999) / 1000000, 0);
}

static void alarm_stop(wend__alarm *alarm) {
    uv_timer_stop(&alarm->handle);
}

static void on_alarm_closed(uv_handle_t *handle) {
    wend__alarm *alarm = handle->data;
    alarm->closed(alarm);
}

#endif

static void alarm_close(wend__alarm *alarm, void (*closed)(wend__alarm *alarm)) {
    alarm->closed = closed;
    uv_close((uv_handle_t *)&alarm->handle, on_alarm_closed);
}

/* ---- the adapter ---- */

enum { MAX_RATE_HZ = 1000 };

struct wend_uv {
    wend_service *service;
    wend_uv_def def;
    wend_budget budget;       ///< budget of each frame, with the limits that follow
    wend_frame_limits limits; ///< NO_LIMIT: none
    uv_thread_t thread;       ///< thread of the loop
    wend__alarm alarm;        ///< the next frame
    uv_async_t async;         ///< work came in from another thread
    wend__frame_times times;
    uint64_t next;   ///< the frame that the alarm is or will be set to, or a later one
    uint64_t missed; ///< frames due but not run since the last that was
    bool awake;      ///< the alarm is set, or a frame is being run
    bool closing;
    int open_handles;
    wend_uv_stats stats;
    void (*closed)(void *context);
    void *closed_context;
    uv_mutex_t lock;   ///< guards woken_ns
    uint64_t woken_ns; ///< time of the first work since the last frame's end; 0: none
};

static wend_uv_def default_def(void) {
    return (wend_uv_def){.struct_bytes = sizeof(wend_uv_def), .rate_hz = 60};
}

void wend_uv_def_init(wend_uv_def *def, size_t bytes) {
    const wend_uv_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

/* Copies a budget with its limits, to which it does not point so far. */
static bool read_budget(const wend_budget *theirs, wend_budget *out, wend_frame_limits *limits) {
    wend_budget_init(out, sizeof *out);
    wend_frame_limits_init(limits, sizeof *limits);
    const bool good = wend__sized_read(out, sizeof *out, WEND__FIRST_BYTES(wend_budget, us), theirs) &&
                      (!out->limits || wend__sized_read(limits, sizeof *limits,
                                                        WEND__FIRST_BYTES(wend_frame_limits, chosen), out->limits));
    out->limits = NULL;
    return good && out->reserved == 0 && limits->reserved == 0;
}

static bool read_def(const wend_uv_def *theirs, wend_uv_def *out, wend_budget *budget, wend_frame_limits *limits) {
    *out = default_def();
    if (!wend__sized_read(out, sizeof *out, WEND__FIRST_BYTES(wend_uv_def, context), theirs)) return false;
    wend_budget_init(budget, sizeof *budget);
    wend_frame_limits_init(limits, sizeof *limits);
    budget->expansions = 20000;
    if (out->budget && !read_budget(out->budget, budget, limits)) return false;
    out->budget = NULL; /* the caller's need not outlive the call */
    return out->rate_hz >= 1 && out->rate_hz <= MAX_RATE_HZ;
}

static uint64_t read_woken(wend_uv *adapter) {
    uv_mutex_lock(&adapter->lock);
    uint64_t woken_ns = adapter->woken_ns;
    adapter->woken_ns = 0;
    uv_mutex_unlock(&adapter->lock);
    return woken_ns;
}

/// Goes on at the first frame time after the work came in. If the loop was busy then, that time may have passed:
/// the frame is late, and those after it count as skipped.
static void wake_up(wend_uv *adapter) {
    uint64_t woken_ns = read_woken(adapter);
    if (adapter->awake || adapter->closing) return;
    uint64_t frame = wend__frame_last_due(&adapter->times, woken_ns ? woken_ns : uv_hrtime()) + 1;
    if (adapter->next < frame) adapter->next = frame;
    adapter->awake = true;
    alarm_set(&adapter->alarm, wend__frame_due(&adapter->times, adapter->next));
}

/// The service's wake hook, on any submitting thread. On the loop's own thread the alarm is set at once, so
/// that a loop which starts after a submit finds something to live for.
static void on_wake(void *context) {
    wend_uv *adapter = context;
    uint64_t now_ns = uv_hrtime();
    uv_mutex_lock(&adapter->lock);
    if (!adapter->woken_ns) adapter->woken_ns = now_ns;
    uv_mutex_unlock(&adapter->lock);
    uv_thread_t self = uv_thread_self();
    if (uv_thread_equal(&self, &adapter->thread))
        wake_up(adapter);
    else
        uv_async_send(&adapter->async);
}

static void on_async(uv_async_t *async) {
    wend_uv *adapter = async->data;
    if (wend_service_get_work(adapter->service)) wake_up(adapter); /* else a frame has handled it already */
}

/// Called after a frame. Times of waking are reset before the service is asked for work: later work finds
/// the adapter asleep and wakes it.
static void go_on_or_sleep(wend_uv *adapter) {
    read_woken(adapter);
    if (wend_service_get_work(adapter->service)) {
        alarm_set(&adapter->alarm, wend__frame_due(&adapter->times, adapter->next));
        return;
    }
    alarm_stop(&adapter->alarm);
    adapter->awake = false;
    adapter->stats.sleeps++;
}

/// The first due frame is run; later due ones are skipped.
static void count_times(wend_uv *adapter, uint64_t now_ns, uint64_t last) {
    uint64_t late_ns = now_ns - wend__frame_due(&adapter->times, adapter->next), skipped = last - adapter->next;
    if (late_ns > adapter->stats.late_ns_max) adapter->stats.late_ns_max = late_ns;
    adapter->stats.skipped += skipped;
    adapter->missed += skipped;
    adapter->next = last + 1;
}

static void on_ring(wend__alarm *alarm) {
    wend_uv *adapter = (wend_uv *)(void *)((char *)alarm - offsetof(wend_uv, alarm));
    uint64_t now_ns = uv_hrtime(), last = wend__frame_last_due(&adapter->times, now_ns);
    if (last < adapter->next) { /* rung early */
        alarm_set(alarm, wend__frame_due(&adapter->times, adapter->next));
        return;
    }
    count_times(adapter, now_ns, last);
    wend_frame frame = {.struct_bytes = sizeof frame};
    if (wend_service_tick(adapter->service, &adapter->budget, &frame) == WEND_OK) {
        uint64_t missed = adapter->missed;
        adapter->missed = 0;
        adapter->stats.frames++;
        if (!adapter->closing && adapter->def.on_frame) adapter->def.on_frame(adapter->def.context, &frame, missed);
    } else { /* only a loop run inside a callback comes here */
        adapter->stats.skipped++;
        adapter->missed++;
    }
    if (!adapter->closing) go_on_or_sleep(adapter);
}

static void handle_closed(wend_uv *adapter) {
    if (--adapter->open_handles > 0) return;
    void (*closed)(void *context) = adapter->closed;
    void *context = adapter->closed_context;
    uv_mutex_destroy(&adapter->lock);
    free(adapter);
    if (closed) closed(context);
}

static void alarm_closed(wend__alarm *alarm) {
    handle_closed((wend_uv *)(void *)((char *)alarm - offsetof(wend_uv, alarm)));
}

static void async_closed(uv_handle_t *async) {
    handle_closed(async->data);
}

/// Opens both handles. On error the loop closes the opened ones, and then frees the adapter.
static int open_handles(wend_uv *adapter, uv_loop_t *loop) {
    int error = uv_mutex_init(&adapter->lock);
    if (error) {
        free(adapter);
        return error;
    }
    adapter->open_handles = 1;
    error = alarm_init(&adapter->alarm, loop, on_ring);
    if (error) {
        handle_closed(adapter);
        return error;
    }
    error = uv_async_init(loop, &adapter->async, on_async);
    if (error) {
        alarm_close(&adapter->alarm, alarm_closed);
        return error;
    }
    adapter->open_handles = 2;
    adapter->async.data = adapter;
    uv_unref((uv_handle_t *)&adapter->async);
    return 0;
}

static void set_budget(wend_uv *adapter, const wend_budget *budget, const wend_frame_limits *limits) {
    adapter->limits = *limits;
    adapter->budget = *budget;
    adapter->budget.limits = &adapter->limits;
}

wend_error wend_uv_attach(uv_loop_t *loop, wend_service *service, const wend_uv_def *def, wend_uv **out) {
    wend_uv_def own;
    wend_budget budget;
    wend_frame_limits limits;
    if (!loop || !service || !out || !read_def(def, &own, &budget, &limits)) return WEND_BAD_ARGUMENT;
    wend_uv *adapter = calloc(1, sizeof *adapter);
    if (!adapter) return WEND_OUT_OF_MEMORY;
    if (open_handles(adapter, loop)) return WEND_OUT_OF_MEMORY;
    adapter->service = service;
    adapter->def = own;
    set_budget(adapter, &budget, &limits);
    adapter->thread = uv_thread_self();
    adapter->times = (wend__frame_times){.start_ns = uv_hrtime(), .rate_hz = own.rate_hz};
    adapter->next = 1;
    wend_service_set_wake(service, on_wake, adapter);
    if (wend_service_get_work(service)) wake_up(adapter);
    *out = adapter;
    return WEND_OK;
}

wend_error wend_uv_set_budget(wend_uv *adapter, const wend_budget *budget) {
    wend_budget own;
    wend_frame_limits limits;
    if (!adapter || !read_budget(budget, &own, &limits)) return WEND_BAD_ARGUMENT;
    set_budget(adapter, &own, &limits);
    return WEND_OK;
}

wend_error wend_uv_get_stats(const wend_uv *adapter, wend_uv_stats *out) {
    const size_t first = WEND__FIRST_BYTES(wend_uv_stats, late_ns_max);
    return wend__sized_give(out, first, &adapter->stats, sizeof adapter->stats) ? WEND_OK : WEND_BAD_ARGUMENT;
}

void wend_uv_detach(wend_uv *adapter, void (*closed)(void *context), void *context) {
    if (adapter->closing) return;
    adapter->closing = true;
    adapter->closed = closed;
    adapter->closed_context = context;
    wend_service_set_wake(adapter->service, NULL, NULL);
    uv_close((uv_handle_t *)&adapter->async, async_closed);
    alarm_close(&adapter->alarm, alarm_closed);
}
