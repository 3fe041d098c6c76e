/* SPDX-License-Identifier: MIT */
/* libwend-uv: runs a service's frames on a libuv loop, at a given rate, without drift. */
/* uv.h itself needs POSIX: with -std=c11 define _GNU_SOURCE, or use -std=gnu11. */
#ifndef WEND_UV_H
#define WEND_UV_H

#include <uv.h>
#include <wend/wend.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_uv wend_uv;

/// Called after each frame, on the loop's thread. `skipped` is the number of frames that were due since the last one
/// but did not run, because the loop was late.
typedef void wend_uv_frame_fn(void *context, const wend_frame *frame, uint64_t skipped);

typedef struct wend_uv_def {
    uint32_t struct_bytes;
    uint32_t rate_hz;           ///< frames a second, 1 to 1,000. Default 60
    const wend_budget *budget;  ///< of each frame, copied with its limits. NULL: 20,000 expansions
    wend_uv_frame_fn *on_frame; ///< may be NULL
    void *context;              ///< for on_frame
} wend_uv_def;

typedef struct wend_uv_stats {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t frames;      ///< frames run
    uint64_t skipped;     ///< frames due, but not run because the loop was late
    uint64_t sleeps;      ///< times that the adapter stopped ticking because the service had no work
    uint64_t late_ns_max; ///< longest delay from a frame's due time to its start, in nanoseconds
} wend_uv_stats;

/// Set the defaults of a definition.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_uv_def_init(wend_uv_def *def, size_t bytes);

/// Attach a service to a loop. A service is attached to one loop at a time, and must outlive the adapter. The adapter
/// takes the service's wake hook.
/// - Times: frame n is due at start + n / rate, from 1, in absolute time: a late frame does not delay later frames.
///   When several frames become due while the loop is busy, the first one runs late and the others are skipped.
/// - Sleep: the adapter ticks only while the service has work. A submit wakes it, and the next frame is due at the same
///   times as before. Due times that pass while the adapter sleeps are not skipped frames.
/// - The loop: the adapter keeps it alive while it ticks, but not while it sleeps. A submit on the loop's thread wakes
///   it at once, also before uv_run(). A submit from another thread needs a loop that another handle keeps alive: a
///   socket, a timer of the host's.
/// @param def   copied
/// @param out   receives the adapter, for wend_uv_detach()
/// @return WEND_OK, WEND_BAD_ARGUMENT (a bad def), WEND_OUT_OF_MEMORY (also where the system has no handle left)
/// Threads: the loop's, while no other thread submits. Cost: O(1).
WEND_API wend_error wend_uv_attach(uv_loop_t *loop, wend_service *service, const wend_uv_def *def, wend_uv **out);

/// Change the budget of future frames.
/// @param budget   copied, with its limits
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: the loop's. Cost: O(1).
WEND_API wend_error wend_uv_set_budget(wend_uv *adapter, const wend_budget *budget);

/// Get the statistics of the adapter.
/// @param out   receives the statistics
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: the loop's. Cost: O(1).
WEND_API wend_error wend_uv_get_stats(const wend_uv *adapter, wend_uv_stats *out);

/// Detach a service: no frame runs afterwards. Allowed inside on_frame and inside a request's callback. That frame then
/// runs to its end without on_frame. The service stays as it is; it may be destroyed from the call of `closed` on.
/// @param closed    called from the loop when all handles are closed and the adapter is freed; may be NULL
/// @param context   for closed
/// Threads: the loop's, while no other thread submits. Cost: O(1).
WEND_API void wend_uv_detach(wend_uv *adapter, void (*closed)(void *context), void *context);

#ifdef __cplusplus
}
#endif
#endif
