/* SPDX-License-Identifier: MIT */
/* Internal: growing arrays, for hosts and the program; the library allocates through its allocators only. */
#ifndef WEND_SRC_BASE_ARRAY_H
#define WEND_SRC_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Makes room for `wanted` elements: a larger array has at least twice the elements.
/// @param grow    as realloc()
/// @param array   the address of the pointer to the first element
/// @return false if out of memory: nothing changes then
static inline bool wend__array_grow(void *(*grow)(void *, size_t), void *array, size_t *capacity, size_t wanted,
                                    size_t element_bytes) {
    enum { LEAST = 16 };
    size_t more = *capacity > LEAST / 2 ? *capacity * 2 : LEAST;
    void *items;
    if (more < wanted) more = wanted;
    if (more > SIZE_MAX / 2 / element_bytes) return false;
    memcpy(&items, array, sizeof items);
    items = grow(items, more * element_bytes);
    if (!items) return false;
    memcpy(array, &items, sizeof items);
    *capacity = more;
    return true;
}

/// The same for a pointer and the variable of its capacity.
#define WEND__ARRAY_ROOM(array, capacity, wanted)                                                                      \
    ((wanted) <= (capacity) || wend__array_grow(realloc, &(array), &(capacity), (wanted), sizeof *(array)))

#endif
