/* SPDX-License-Identifier: MIT */
/* Exact percentiles: small whole numbers are counted, measurements are kept and sorted. */
#ifndef WEND_SRC_LAB_SHARED_SERIES_H
#define WEND_SRC_LAB_SHARED_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wend/service.h>

/// How often each number was added. Memory grows with the largest number.
typedef struct tally {
    uint64_t *counts;
    size_t capacity;
    uint64_t total;
} tally;

/// @return false where memory ran out
bool tally_add(tally *numbers, uint64_t value);
/// The p-th percentile is the smallest number that p % of all numbers do not exceed; 0 where there are no numbers.
wend_percentiles tally_percentiles(const tally *numbers);
void tally_free(tally *numbers);

/// Measurements in the order of their adding.
typedef struct series {
    uint64_t *values;
    size_t count, capacity;
    uint64_t sum;
} series;

bool series_add(series *values, uint64_t value);
/// Sorts the series.
wend_percentiles series_percentiles(series *values);
/// The p-th permille; 0 where there are no numbers. Sorts the series.
uint64_t series_permille(series *values, uint64_t permille);
void series_free(series *values);

#endif
