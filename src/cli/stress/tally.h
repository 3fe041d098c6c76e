/* SPDX-License-Identifier: MIT */
/* Exact percentiles: small whole numbers are counted, measurements are kept and sorted. */
#ifndef WEND_SRC_CLI_STRESS_TALLY_H
#define WEND_SRC_CLI_STRESS_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wend/service.h>

/// How often each number came. Grows with the largest.
typedef struct tally {
    uint64_t *counts;
    size_t capacity;
    uint64_t total;
} tally;

/// False where there is no memory.
bool tally_add(tally *numbers, uint64_t value);
/// The p-th percentile is the smallest number that p % of all do not exceed; all 0 where there are none.
wend_percentiles tally_percentiles(const tally *numbers);
void tally_free(tally *numbers);

/// Measurements one after another.
typedef struct series {
    uint64_t *values;
    size_t count, capacity;
    uint64_t sum;
} series;

bool series_add(series *values, uint64_t value);
/// Sorts the series.
wend_percentiles series_percentiles(series *values);
void series_free(series *values);

#endif
