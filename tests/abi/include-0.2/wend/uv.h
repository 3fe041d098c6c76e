/* SPDX-License-Identifier: MIT */
/* libwend-uv: runs a service's frames on a libuv loop, at a given rate, without drift. */
/* uv.h itself asks for POSIX: with -std=c11 define _GNU_SOURCE, or use -std=gnu11. */
#ifndef WEND_UV_H
#define WEND_UV_H

#include <uv.h>
#include <wend/wend.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_uv wend_uv;

/// After each frame, on the loop's thread. `skipped` frames were due since the last one but not run: the loop
/// was late.
typedef void wend_uv_frame_fn(void *context, const wend_frame *frame, uint64_t skipped);

typedef struct wend_uv_def {
    uint32_t struct_bytes;
    uint32_t rate_hz;           ///< frames a second, 1 to 1,000. Default 60
    const wend_budget *budget;  ///< of each frame, copied. NULL: 20,000 expansions
    wend_uv_frame_fn *on_frame; ///< may be NULL
    void *context;
} wend_uv_def;

typedef struct wend_uv_stats {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t frames;      ///< run
    uint64_t skipped;     ///< due, but not run: the loop was late
    uint64_t sleeps;      ///< times it stopped ticking because there was nothing to do
    uint64_t late_ns_max; ///< the latest a frame that was run began after its time
} wend_uv_stats;

WEND_API void wend_uv_def_init(wend_uv_def *def, size_t bytes);

/// Attach a service to a loop. Frame n is due at start + n / rate, from 1, in absolute time: what is late makes
/// nothing after it later. Of the frames that came due while the loop was busy the first is run, late, and the
/// others are skipped, never piled up. Ticks only while the service has work; a submit from any thread wakes
/// it, and the next frame keeps to the same raster. Times that pass while it sleeps are not skipped frames.
/// While it ticks it keeps the loop alive; asleep it does not. A submit on the loop's thread wakes it at once,
/// also before uv_run(); one from another thread reaches a loop that something else keeps alive (a socket, a
/// timer of the host's). Takes the service's wake hook. A service is attached to one loop at a time, and must
/// outlive the adapter.
/// @param def   copied
/// @return 0 or a libuv error code (UV_EINVAL for a bad def)
/// Threads: the loop's, while no other thread submits.
WEND_API int wend_uv_attach(uv_loop_t *loop, wend_service *service, const wend_uv_def *def, wend_uv **out);

/// Change the budget of the frames to come. @return 0 or UV_EINVAL. Threads: the loop's.
WEND_API int wend_uv_set_budget(wend_uv *adapter, const wend_budget *budget);

/// @return 0 or UV_EINVAL (struct_bytes). Threads: the loop's.
WEND_API int wend_uv_get_stats(const wend_uv *adapter, wend_uv_stats *out);

/// Detach: no frame runs afterwards. Allowed inside on_frame and inside a request's callback; that frame then
/// goes on to its end without on_frame. `closed` is called from the loop once all handles are closed and the
/// adapter is freed; may be NULL. The service is left as it is; it may be destroyed from `closed` on.
/// Threads: the loop's, while no other thread submits.
WEND_API void wend_uv_detach(wend_uv *adapter, void (*closed)(void *context), void *context);

#ifdef __cplusplus
}
#endif
#endif
