/* SPDX-License-Identifier: MIT */
/* Measurements, and their exact percentiles. */
#ifndef WEND_SRC_LAB_SHARED_SERIES_H
#define WEND_SRC_LAB_SHARED_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wend/service.h>

/// Measurements in the order of their adding.
typedef struct series {
    uint64_t *values;
    size_t count, capacity;
    uint64_t sum;
} series;

/// @return false where memory ran out
bool series_add(series *values, uint64_t value);
/// Sorts the values, smallest first.
void series_sort(series *values);
/// The p-th permille is the smallest value that p of 1,000 values do not exceed; 0 where there are none. Sorts.
uint64_t series_permille(series *values, uint64_t permille);
wend_percentiles series_percentiles(series *values);
void series_free(series *values);

#endif
