/* SPDX-License-Identifier: MIT */
/* Internal: an alarm on a libuv loop that rings once at an absolute time, and keeps the loop alive only until then. */
#ifndef WEND_SRC_UV_ALARM_H
#define WEND_SRC_UV_ALARM_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

/// libuv's own timers count whole milliseconds; a timerfd is exact. The other way can be built here too, for its tests.
#if defined(__linux__) && !defined(WEND_UV_PLAIN_TIMER)
#define WEND__ALARM_TIMERFD 1
#else
#define WEND__ALARM_TIMERFD 0
#endif

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

/// @param ring   called at the time, or shortly before or after: look at the clock
/// @return 0 or a libuv error code; then there is nothing to close
int wend__alarm_init(wend__alarm *alarm, uv_loop_t *loop, void (*ring)(wend__alarm *alarm));
/// Ring at that time of uv_hrtime() instead of any set before; at once if it has passed.
void wend__alarm_set(wend__alarm *alarm, uint64_t due_ns);
void wend__alarm_stop(wend__alarm *alarm);
void wend__alarm_close(wend__alarm *alarm, void (*closed)(wend__alarm *alarm));

#endif
