/* SPDX-License-Identifier: MIT */
/* Your own memory, clock and assertion handler: the defaults that wend uses without them. */
#ifndef WEND_HOST_H
#define WEND_HOST_H

#include <wend/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Get the C library's allocator.
/// Threads: any. Cost: O(1).
WEND_API wend_allocator wend_allocator_default(void);

/// Get the system's monotonic clock.
/// Threads: any. Cost: O(1).
WEND_API wend_clock wend_clock_default(void);

/// Called before abort() when the library finds an error of its own or a broken documented precondition. When the
/// handler returns, the library calls abort().
///
/// A debug build (configure --enable-debug) also finds mistakes of the host that would crash or worse: an object that
/// is used or destroyed after its end, a crowd that is used after its service, two threads in calls that only one at a
/// time may make. Then `condition` is a sentence that begins with the function, `file` is empty, and `line` is 0.
typedef void wend_assert_handler(const char *condition, const char *file, int line);

/// Set the assertion handler.
/// @param handler   NULL restores the default handler, which prints to stderr
/// Threads: before any other call. Cost: O(1).
WEND_API void wend_set_assert_handler(wend_assert_handler *handler);

#ifdef __cplusplus
}
#endif
#endif
