/* SPDX-License-Identifier: MIT */
/* Arrays that grow. */
#ifndef WEND_SRC_LAB_SHARED_ARRAY_H
#define WEND_SRC_LAB_SHARED_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/// Makes room for `wanted` elements: a larger array has at least twice the elements, the new ones 0.
/// @param array   the address of the pointer to the first element
/// @return false where memory ran out: nothing changes then
bool array_room(void *array, size_t *capacity, size_t wanted, size_t element_bytes);

/// The same for a pointer and the variable of its capacity.
#define ARRAY_ROOM(array, capacity, wanted)                                                                            \
    ((wanted) <= (capacity) || array_room(&(array), &(capacity), (wanted), sizeof *(array)))

#endif
