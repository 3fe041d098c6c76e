/* SPDX-License-Identifier: MIT */
/* Arrays that grow, and measurements with their exact percentiles. */
#ifndef WEND_LAB_SHARED_ARRAY_H
#define WEND_LAB_SHARED_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wend/service.h>

/// Makes room for `wanted` elements: a larger array has at least twice the elements, the new ones 0.
/// @param array   the address of the pointer to the first element
/// @return false where memory ran out: nothing changes then
bool array_room(void *array, size_t *capacity, size_t wanted, size_t element_bytes);

/// The same for a pointer and the variable of its capacity.
#define ARRAY_ROOM(array, capacity, wanted)                                                                            \
    ((wanted) <= (capacity) || array_room(&(array), &(capacity), (wanted), sizeof *(array)))

/// Measurements in the order of their adding.
typedef struct series {
    uint64_t *values;
    size_t count, capacity;
    uint64_t sum;
} series;

/// @return false where memory ran out
bool series_add(series *values, uint64_t value);
/// The p-th permille is the smallest value that p of 1,000 values do not exceed; 0 where there are none. Sorts.
uint64_t series_permille(series *values, uint64_t permille);
wend_percentiles series_percentiles(series *values);
void series_free(series *values);

#endif
