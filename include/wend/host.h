/* SPDX-License-Identifier: MIT */
/* Your own memory, clock, assertion handler and log: the defaults that wend uses without them. */
#ifndef WEND_HOST_H
#define WEND_HOST_H

#include <wend/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Get the C library's allocator.
/// Threads: any. Cost: O(1).
WEND_API wend_allocator wend_allocator_default(void);

/// Called before abort() when the library finds an error of its own or a broken documented precondition. When the
/// handler returns, the library calls abort().
///
/// A debug build (configure --enable-debug) also finds mistakes of the host that would crash or worse.
/// - A map, batch, search, service, crowd, field, arena, bodies or figures that are used or destroyed
///   after their end, that are NULL where this is not allowed, or an object of another kind. Of an arena that was
///   rewound it knows only the objects that were made or destroyed after that.
/// - Two threads in calls of a service and its crowds that only one at a time may make.
///
/// Then `condition` is a sentence that begins with the function, `file` is empty, and `line` is 0.
typedef void wend_assert_handler(const char *condition, const char *file, int line);

/// Set the assertion handler.
/// @param handler   NULL restores the default handler, which prints to stderr
/// Threads: before any other call. Cost: O(1).
WEND_API void wend_set_assert_handler(wend_assert_handler *handler);

/// Levels of the log.
enum {
    WEND_LOG_ERROR = 1,   ///< memory or a file that was lacking, a recording that ended
    WEND_LOG_WARNING = 2, ///< calls with arguments, or at a time, that can never work; what the library had to drop
    WEND_LOG_INFO = 3,    ///< calls that are refused in normal play: busy, stale, empty, blocked, off the map
};

/// Receives what the library logs: each refused call with its reason, as wend_error_detail() tells it, where the call
/// is refused; and what no call returns: memory lacking for data that only makes searches faster, landmarks that an
/// edit costs, the first search that a service evicts for lack of pages, the error that ends a recording. One refused
/// call may log two lines, the cause first, and a call that succeeds another way may log what was refused within it.
///
/// Any thread may call the function, by several at a time, in the middle of a call and with locks held: it must not
/// call wend, but for names and texts of errors.
/// @param level   WEND_LOG_…
/// @param error   the call's error; WEND_OK: no call returns this
/// @param text    one line of up to 255 bytes, without a line feed; valid until the function returns
typedef void wend_log_fn(void *context, int32_t level, wend_error error, const char *text);

/// Set the log of the process. Without one, nothing is logged, and nothing is paid for it. A call that succeeds costs
/// the same with a log.
/// @param log     NULL: none
/// @param level   the highest level that is logged: WEND_LOG_ERROR logs least, WEND_LOG_INFO all
/// Threads: while no other thread calls wend. Cost: O(1).
WEND_API void wend_set_log(wend_log_fn *log, void *context, int32_t level);

#ifdef __cplusplus
}
#endif
#endif
