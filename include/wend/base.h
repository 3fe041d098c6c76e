/* SPDX-License-Identifier: MIT */
/* Basic types of all other headers: errors, outcomes, cells, the allocator and the clock.
 *
 * The host is the program that links the library: a game server, as a rule.
 *
 * Each function states its threads and its cost. The default for threads: any thread, but only one at a time may use
 * the same object. The default for cost: O(1). Any thread may call functions that end in _init, _default or _bytes at
 * any time.
 *
 * Structs that may grow begin with struct_bytes, the size of the struct when the caller was compiled.
 * - Inputs get it, and their defaults, from their _init function: wend_request_init(&request, sizeof request).
 * - Outputs get it from the caller: wend_frame frame = {.struct_bytes = sizeof frame}.
 * The library reads and writes no byte beyond that size. An older caller's struct may be smaller: missing inputs take
 * their defaults. An input may be larger if its surplus bytes are zero. The surplus bytes of a larger output are set to
 * zero. WEND_BAD_ARGUMENT: a size below the first version of the struct, or above 4,096 bytes, or a surplus that is not
 * zero. Structs that callbacks receive belong to the library and have full size. In an array, all elements have the
 * struct_bytes of the first element, and that is the distance between them.
 *
 * Structs without struct_bytes (cells, boxes, links, edges, steps, tickets, allocators, clocks, jobs, percentiles,
 * paths of pictures) never change.
 *
 * Out-parameters may be NULL, and the function then writes the others. Exceptions are parameters for an object, and
 * those the comment calls needed. Every other pointer must not be NULL unless its comment allows it. */
#ifndef WEND_BASE_H
#define WEND_BASE_H

#include <stdbool.h>
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

#define WEND_VERSION_MAJOR 1
#define WEND_VERSION_MINOR 0
#define WEND_VERSION_PATCH 0
/// Follows the numbers before a release; "" in a release.
#define WEND_VERSION_SUFFIX "-rc1"

/// The value for "no limit" in every field that allows it.
#define WEND_NO_LIMIT UINT64_MAX

/// An error, as functions return it. wend_error_name() gives its name, wend_error_text() the sentence behind it here,
/// and wend_error_detail() what was wrong in the last call. Outcomes of a search are no errors, see wend_status.
typedef int32_t wend_error;

/// Errors: 0 or negative.
enum {
    WEND_OK = 0,             ///< no error
    WEND_BAD_ARGUMENT = -1,  ///< an argument is outside its range, does not fit the object, or has the wrong size
    WEND_OUT_OF_RANGE = -2,  ///< a cell is off the map, or an index is behind the end
    WEND_OUT_OF_MEMORY = -3, ///< the allocator, a limit of bytes, or the system has no room
    WEND_BUSY = -4,          ///< there is no room now, or work is pending
    WEND_STALE_TICKET = -5,  ///< the ticket or id names nothing any more, or never did
    WEND_IN_CALLBACK = -6,   ///< not allowed inside a callback or while a frame runs
    WEND_CLOSED = -7,        ///< the service is closed
    WEND_BAD_FORMAT = -8,    ///< the bytes are not a valid file of their format
    WEND_IO = -9,            ///< a file could not be read or written
    WEND_UNSUPPORTED = -10,  ///< this kind of map, this format or this version does not have it
    WEND_IN_USE = -11,       ///< an open batch, a search, a field or a service is using it
    WEND_EMPTY = -12,        ///< there is nothing to return or remove
    WEND_BLOCKED = -13,      ///< the mover cannot stand there
};

/// The outcome of a search or request, WEND_STATUS_…. It is no error.
typedef int32_t wend_status;

/// Outcomes of a search or request; docs/semantics.md has each case. wend_status_name() gives the word of JSON.
enum {
    WEND_STATUS_PENDING = 0,       ///< there is no outcome so far
    WEND_STATUS_FOUND = 1,         ///< the path leads to the goal
    WEND_STATUS_PARTIAL = 2,       ///< the path ends as near to the goal as the search got
    WEND_STATUS_NO_PATH = 3,       ///< the search found that no path leads there
    WEND_STATUS_START_BLOCKED = 4, ///< the mover cannot stand at the start
    WEND_STATUS_GOAL_BLOCKED = 5,  ///< the mover cannot stand at the goal
    WEND_STATUS_CANCELLED = 6,     ///< the host cancelled it
    WEND_STATUS_EXPIRED = 7,       ///< its deadline passed
    WEND_STATUS_LIMIT = 8,         ///< its own limit of expansions was used up
    WEND_STATUS_OUT_OF_NODES = 9,  ///< the pool of nodes was used up
    WEND_STATUS_STALE = 10,        ///< edits changed the map under it more often than it may begin again
    WEND_STATUS_TOO_LONG = 11,     ///< the path has more cells than the service may deliver
    WEND_STATUS_REPLACED = 12,     ///< a later request of its agent took its place
    WEND_STATUS_DISPLACED = 13,    ///< a more urgent request took its place in a full queue
    WEND_STATUS_COUNT = 14
};

/// A cell of a map, 0-based: x to the right, y down, z up (0 on flat grids).
typedef struct wend_cell {
    int32_t x, y, z;
} wend_cell;

/// Largest coordinate of a point, and the smallest with a minus sign; about 2^30.
#define WEND_MAX_POINT 1073741000

/// A point, in thousandths of a cell: the centre of the cell x,y,z is 1000 x, 1000 y, 1000 z. On a graph it is the
/// node's coordinates × 1000. Where there are none, or they exceed WEND_MAX_POINT, it is the node's number × 1000 in x,
/// and INT32_MAX where that exceeds it.
typedef struct wend_point {
    int32_t x, y, z;
} wend_point;

/// All cells from min to max, including both.
typedef struct wend_box {
    wend_cell min, max;
} wend_box;

/// The source of an object's memory. alloc returns NULL when it has none. The alignment is a power of two up to 64.
/// free gets the same number of bytes as alloc got. Any thread that calls into the object may call both.
typedef struct wend_allocator {
    void *context;
    void *(*alloc)(void *context, size_t bytes, size_t alignment);
    void (*free)(void *context, void *pointer, size_t bytes);
} wend_allocator;

/// A monotonic clock: nanoseconds since any fixed point. Tests and replays can replace it.
typedef struct wend_clock {
    void *context;
    uint64_t (*now_ns)(void *context);
} wend_clock;

/// Get the name of an error.
/// @return "WEND_BUSY" for WEND_BUSY, …; "unknown" for a number that is no error
/// Threads: any. Cost: O(1).
WEND_API const char *wend_error_name(wend_error error);

/// Get the description of an error, in general.
/// @return one line of text
/// Threads: any. Cost: O(1).
WEND_API const char *wend_error_text(wend_error error);

/// Get the reason of an error that a function has just returned to the calling thread: which argument, its value, its
/// range, and what to do.
/// @param error   as the function returned it
/// @return one line of up to 255 bytes, valid until the next call of a function on this thread; wend_error_text() where
///         the function gave no other reason
/// Threads: any; each has its own reason. Cost: O(1); a function that succeeds pays nothing for it.
WEND_API const char *wend_error_detail(wend_error error);

/// Get the name of a status, as in JSON.
/// @return "found", "no_path", …; "unknown" for a number that is no status
/// Threads: any. Cost: O(1).
WEND_API const char *wend_status_name(wend_status status);

/// Lists of constants: for wend_constant_name().
enum {
    WEND_NAME_AGENT_STATE = 0,  ///< WEND_AGENT_…: "walking", "arrived", …
    WEND_NAME_AGENT_EVENT = 1,  ///< WEND_AGENT_EVENT_…: "arrived", "gave_up", …
    WEND_NAME_WHY = 2,          ///< WEND_WHY_…: "no_path", …
    WEND_NAME_WAIT = 3,         ///< WEND_WAIT_…: "search", "agent", …
    WEND_NAME_PROGRESS = 4,     ///< WEND_PROGRESS_…: "running", …
    WEND_NAME_GENERAL = 5,      ///< WEND_GENERAL_…: "tables", …
    WEND_NAME_GENERAL_TEXT = 6, ///< the sentence behind each WEND_GENERAL_…
};

/// Get the name of a constant, as in JSON.
/// @param list    WEND_NAME_…
/// @param value   one of its constants
/// @return "unknown" for another list or value
/// Threads: any. Cost: O(1).
WEND_API const char *wend_constant_name(int32_t list, int32_t value);

/// Get the version of the library.
/// @return "1.0.0", with WEND_VERSION_SUFFIX
/// Threads: any. Cost: O(1).
WEND_API const char *wend_version(void);

#ifdef __cplusplus
}
#endif
#endif
