/* SPDX-License-Identifier: MIT */
/* Internal: structs that begin with their size, shared with callers built against older or newer headers.
 *
 * A field added to such a struct goes behind the last one and begins where the struct ended before: padding at the end
 * of the older struct has no defined value. */
#ifndef WEND_SRC_SIZED_H
#define WEND_SRC_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// No sized struct is longer. A larger number in struct_bytes is a mistake of the caller's.
enum { WEND__SIZED_MAX = 4096 };

/// The size of a struct's first version, named by the last field that this version had.
#define WEND__FIRST_BYTES(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

static inline uint32_t wend__sized_bytes(const void *theirs) {
    uint32_t bytes;
    memcpy(&bytes, theirs, sizeof bytes);
    return bytes;
}

/// Returns true if some version of the library can have asked for a struct of this size.
/// @param first   WEND__FIRST_BYTES() of its type
static inline bool wend__sized_fits(const void *theirs, size_t first) {
    const uint32_t bytes = wend__sized_bytes(theirs);
    return bytes >= first && bytes <= WEND__SIZED_MAX;
}

/// Copies an input of the caller's over the library's own, which holds the defaults and keeps its own size.
/// Fields that an older caller does not know keep their defaults. Bytes that this library does not know must be zero.
/// @return false: NULL, a size that does not fit, or a surplus that is not zero; *own is then undefined
static inline bool wend__sized_read(void *own, size_t own_bytes, size_t first, const void *theirs) {
    if (!theirs || !wend__sized_fits(theirs, first)) return false;
    const uint8_t *from = theirs;
    const size_t bytes = wend__sized_bytes(theirs);
    const uint32_t size = (uint32_t)own_bytes;
    for (size_t i = own_bytes; i < bytes; i++)
        if (from[i] != 0) return false;
    memcpy(own, from, bytes < own_bytes ? bytes : own_bytes);
    memcpy(own, &size, sizeof size);
    return true;
}

/// Sets an output of the caller's to zero behind the last field known to the library.
static inline void wend__sized_clear(void *theirs, size_t own_bytes) {
    const size_t bytes = wend__sized_bytes(theirs);
    if (bytes > own_bytes && bytes <= WEND__SIZED_MAX) memset((uint8_t *)theirs + own_bytes, 0, bytes - own_bytes);
}

/// Fills an output of the caller's up to its size; that size stays. On a bad size nothing is written.
/// @return false: NULL, or a size that does not fit
static inline bool wend__sized_give(void *theirs, size_t first, const void *own, size_t own_bytes) {
    if (!theirs || !wend__sized_fits(theirs, first)) return false;
    const size_t bytes = wend__sized_bytes(theirs), head = sizeof(uint32_t);
    memcpy((uint8_t *)theirs + head, (const uint8_t *)own + head, (bytes < own_bytes ? bytes : own_bytes) - head);
    wend__sized_clear(theirs, own_bytes);
    return true;
}

/// Writes defaults into an input of the caller's, which is `bytes` long, and that size. Never writes past it.
static inline void wend__sized_init(void *theirs, size_t bytes, const void *own, size_t own_bytes) {
    const uint32_t size = bytes > WEND__SIZED_MAX ? 0 : (uint32_t)bytes; /* 0 is refused by every function */
    const size_t room = bytes > WEND__SIZED_MAX ? WEND__SIZED_MAX : bytes;
    if (room < sizeof size) return;
    memset(theirs, 0, room);
    memcpy(theirs, own, room < own_bytes ? room : own_bytes);
    memcpy(theirs, &size, sizeof size);
}

#endif
