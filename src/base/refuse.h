/* SPDX-License-Identifier: MIT */
/* Internal: the reason of a failed call, in a sentence that names the argument and what to do: wend_error_detail().
 *
 * A successful call runs nothing here except the comparisons that it makes anyway. */
#ifndef WEND_SRC_BASE_REFUSE_H
#define WEND_SRC_BASE_REFUSE_H

#include "base/sized.h"
#include <wend/base.h>

#if defined(__GNUC__)
#if defined(__MINGW32__) && !defined(__clang__)
#define WEND__PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define WEND__PRINTF(text, first) __attribute__((format(printf, text, first)))
#endif
#define WEND__COLD __attribute__((cold, noinline))
#else
#define WEND__PRINTF(text, first)
#define WEND__COLD
#endif

/// Sets the detail of the calling thread's failed call. A text without a % is kept by reference, so it must be a
/// literal; any other is formatted into the thread's buffer. Allocates nothing.
/// @return `error`
WEND__COLD wend_error wend__refuse(wend_error error, const char *format, ...) WEND__PRINTF(2, 3);

/// Logs an event that no call returns, if the host has a log of that level.
/// @param error   WEND_OK if there is none
WEND__COLD void wend__log(int32_t level, wend_error error, const char *format, ...) WEND__PRINTF(3, 4);

/// Sets the detail of a NULL pointer. @return WEND_BAD_ARGUMENT
WEND__COLD wend_error wend__refuse_null(const char *name);

/// Sets the detail of a value outside its range. @return WEND_BAD_ARGUMENT
WEND__COLD wend_error wend__refuse_range(const char *name, int64_t value, int64_t least, int64_t most);

/// The same with values of 64 bits without a sign.
WEND__COLD wend_error wend__refuse_size(const char *name, uint64_t value, uint64_t least, uint64_t most);

/// Sets the detail of an allocator without `bytes`. @return WEND_OUT_OF_MEMORY
WEND__COLD wend_error wend__refuse_memory(uint64_t bytes);

/// Sets the detail of a bad sized struct of the caller's, for WEND_BAD_ARGUMENT.
/// @param own_bytes   size of the library's own
WEND__COLD void wend__refuse_struct(const char *type, const void *theirs, size_t own_bytes);

/// Returns WEND_OK, or WEND_BAD_ARGUMENT with its detail.
static inline wend_error wend__check_range(const char *name, int64_t value, int64_t least, int64_t most) {
    return value >= least && value <= most ? WEND_OK : wend__refuse_range(name, value, least, most);
}

static inline wend_error wend__check_size(const char *name, uint64_t value, uint64_t least, uint64_t most) {
    return value >= least && value <= most ? WEND_OK : wend__refuse_size(name, value, least, most);
}

/// A field and its range.
typedef struct wend__range {
    const char *name;
    uint64_t value, least, most;
} wend__range;

/// The first field outside its range decides.
wend_error wend__check_ranges(const wend__range *ranges, size_t count);

/// Checks that an allocator of the caller's has both functions or none.
static inline wend_error wend__check_allocator(const wend_allocator *allocator) {
    if (!allocator->alloc || allocator->free) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "allocator.alloc is given, but allocator.free is NULL: give both or none");
}

static inline wend_error wend__check_count(const char *name, uint64_t count) {
    return count > 0 ? WEND_OK : wend__refuse(WEND_BAD_ARGUMENT, "%s is 0, but must be at least 1", name);
}

/// Checks an array that a call reads, with at least one item.
static inline wend_error wend__check_list(const char *name, const void *list, size_t count) {
    if (!list) return wend__refuse_null(name);
    if (count > 0 && count <= UINT32_MAX) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "%s has %zu items, but must have from 1 to %u", name, count, UINT32_MAX);
}

/// Checks an array of up to `length` items that a call reads or writes: NULL with length 0 only.
static inline wend_error wend__check_room(const char *name, const void *room, size_t length) {
    if (room || length == 0) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "%s is NULL, but its length is %zu: with NULL it must be 0", name, length);
}

/// wend__sized_read(), wend__sized_fits() and wend__sized_give() with a detail on failure. `last` is the last
/// field of the struct's first version.
#define WEND__READ_STRUCT(type, last, own, theirs)                                                                     \
    (wend__sized_read(own, sizeof *(own), WEND__FIRST_BYTES(type, last), theirs) ||                                    \
     (wend__refuse_struct(#type, theirs, sizeof *(own)), false))
#define WEND__FITS(type, last, theirs)                                                                                 \
    (((theirs) && wend__sized_fits(theirs, WEND__FIRST_BYTES(type, last))) ||                                          \
     (wend__refuse_struct(#type, theirs, sizeof *(theirs)), false))
#define WEND__GIVE(type, last, theirs, own)                                                                            \
    (wend__sized_give(theirs, WEND__FIRST_BYTES(type, last), own, sizeof *(own)) ||                                    \
     (wend__refuse_struct(#type, theirs, sizeof *(own)), false))

#endif
