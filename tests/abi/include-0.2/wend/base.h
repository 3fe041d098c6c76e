/* SPDX-License-Identifier: MIT */
/* What every other header needs: errors, outcomes, cells, the allocator and the clock.
 *
 * In all headers: functions say which threads may call them and what they cost. Where nothing is said of threads, any
 * may, but only one at a time may use the same object; where nothing is said of cost, it is O(1). Functions that end in
 * _init, _default or _bytes may be called by any thread at any time.
 *
 * Structs that may grow begin with struct_bytes, the size that the caller was built with. Inputs get it, and defaults, from
 * their _init function: wend_request_init(&request, sizeof request). For outputs the caller sets it:
 * wend_frame frame = {.struct_bytes = sizeof frame}. The library reads and writes no byte beyond that size. A smaller struct
 * of an older caller is fine: missing inputs take their defaults. A larger input is fine where its surplus bytes are zero;
 * of a larger output the surplus is set to zero. WEND_BAD_ARGUMENT: less than the first version of the struct, more than
 * 4,096 bytes, or a surplus that is not zero. What callbacks receive is the library's own, of full size. An array of such
 * structs steps by the struct_bytes of its first element, which all others share.
 *
 * Structs without struct_bytes (cells, boxes, links, edges, steps, tickets, allocators, clocks, jobs, percentiles, scenario
 * queries, paths of pictures, placements) never change.
 *
 * NULL is fine for every out-parameter, unless it receives an object or is said to be needed; the function then writes the
 * others. NULL is a broken precondition wherever else nothing is said of it. */
#ifndef WEND_BASE_H
#define WEND_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WEND_API __attribute__((visibility("default")))
#else
#define WEND_API
#endif

#define WEND_VERSION_MAJOR 0
#define WEND_VERSION_MINOR 1
#define WEND_VERSION_PATCH 0

/// "No limit" for every field that says so.
#define WEND_NO_LIMIT UINT64_MAX

/// What functions return: 0 or negative. X(name, number, text). Outcomes of a search are not errors; see WEND_STATUSES.
#define WEND_ERRORS(X)                                                                                                 \
    X(OK, 0, "no error")                                                                                               \
    X(BAD_ARGUMENT, -1, "an argument is outside its range, or a structure has the wrong size")                         \
    X(OUT_OF_RANGE, -2, "a cell is not on the map")                                                                    \
    X(OUT_OF_MEMORY, -3, "the allocator, or the map's max_bytes, has no room")                                         \
    X(BUSY, -4, "the queue is full")                                                                                   \
    X(STALE_TICKET, -5, "the ticket's request is already delivered, or never was")                                     \
    X(IN_CALLBACK, -6, "not allowed inside a callback or while a frame runs")                                          \
    X(CLOSED, -7, "the service is closed")                                                                             \
    X(BAD_FORMAT, -8, "the bytes are not a valid file of their format")                                                \
    X(IO, -9, "a file could not be read or written")                                                                   \
    X(UNSUPPORTED, -10, "not available in this version, or the format cannot hold it")                                 \
    X(IN_USE, -11, "a search or a pending request is using the map")                                                   \
    X(EMPTY, -12, "there is nothing to collect")

/// An error: WEND_OK or one of WEND_ERRORS.
typedef int32_t wend_error;

/// How a search or request ended: one of WEND_STATUSES. No error.
typedef int32_t wend_status;

/// The endings. X(name, number, text as in JSON). PENDING is not an ending.
#define WEND_STATUSES(X)                                                                                               \
    X(PENDING, 0, "pending")                                                                                           \
    X(FOUND, 1, "found")                                                                                               \
    X(PARTIAL, 2, "partial")                                                                                           \
    X(NO_PATH, 3, "no_path")                                                                                           \
    X(START_BLOCKED, 4, "start_blocked")                                                                               \
    X(GOAL_BLOCKED, 5, "goal_blocked")                                                                                 \
    X(CANCELLED, 6, "cancelled")                                                                                       \
    X(EXPIRED, 7, "expired")                                                                                           \
    X(LIMIT, 8, "limit")                                                                                               \
    X(OUT_OF_NODES, 9, "out_of_nodes")                                                                                 \
    X(STALE, 10, "stale")                                                                                              \
    X(TOO_LONG, 11, "too_long")                                                                                        \
    X(REPLACED, 12, "replaced")                                                                                        \
    X(DISPLACED, 13, "displaced")

enum {
#define WEND_X(name, number, text) WEND_##name = number,
    WEND_ERRORS(WEND_X)
#undef WEND_X
};

enum {
#define WEND_X(name, number, text) WEND_STATUS_##name = number,
    WEND_STATUSES(WEND_X)
#undef WEND_X
        WEND_STATUS_COUNT = 14
};

/// A cell of a map, 0-based: x to the right, y down, z up (0 on flat grids).
typedef struct wend_cell {
    int32_t x, y, z;
} wend_cell;

/// All cells from min to max, both in.
typedef struct wend_box {
    wend_cell min, max;
} wend_box;

/// Where an object takes its memory from. alloc returns NULL when there is none; alignment is a power of two up to 64.
/// free gets the same bytes as alloc did. Both may be called from any thread that calls into the object.
typedef struct wend_allocator {
    void *context;
    void *(*alloc)(void *context, size_t bytes, size_t alignment);
    void (*free)(void *context, void *pointer, size_t bytes);
} wend_allocator;

/// A clock that never goes back; nanoseconds from any fixed point. Replaceable for tests and replays.
typedef struct wend_clock {
    void *context;
    uint64_t (*now_ns)(void *context);
} wend_clock;

/// The C library's allocator. Threads: any.
WEND_API wend_allocator wend_allocator_default(void);

/// The system's monotonic clock. Threads: any.
WEND_API wend_clock wend_clock_default(void);

/// "WEND_BUSY" for WEND_BUSY; "unknown" for a number that is no error. Threads: any.
WEND_API const char *wend_error_name(wend_error error);

/// One line for people. Threads: any.
WEND_API const char *wend_error_text(wend_error error);

/// "found", "no_path" … as in JSON; "unknown" for a number that is no status. Threads: any.
WEND_API const char *wend_status_name(wend_status status);

/// "0.1.0". Threads: any.
WEND_API const char *wend_version(void);

/// Called when the library finds its own mistake or a broken documented precondition, before abort().
/// A handler that returns lets the program go on to abort(). NULL restores the default, which prints to stderr.
/// Threads: set it before any other call.
typedef void wend_assert_handler(const char *condition, const char *file, int line);
WEND_API void wend_set_assert_handler(wend_assert_handler *handler);

#ifdef __cplusplus
}
#endif
#endif
