/* SPDX-License-Identifier: MIT */
/* Exact percentiles: small whole numbers are counted, measurements are kept and sorted. */
#include <stdlib.h>
#include <string.h>

#include "lab/shared/series.h"

/* Make room for index `needed`; new entries are 0. */
static bool grow(uint64_t **array, size_t *capacity, size_t needed) {
    if (needed < *capacity) return true;
    size_t wanted = *capacity < 256 ? 256 : *capacity;
    while (wanted <= needed) wanted *= 2;
    uint64_t *larger = realloc(*array, wanted * sizeof *larger);
    if (larger == NULL) return false;
    memset(larger + *capacity, 0, (wanted - *capacity) * sizeof *larger);
    *array = larger;
    *capacity = wanted;
    return true;
}

bool tally_add(tally *numbers, uint64_t value) {
    if (value > SIZE_MAX / 64 || !grow(&numbers->counts, &numbers->capacity, (size_t)value)) return false;
    numbers->counts[value]++;
    numbers->total++;
    return true;
}

/* The number of values up to the p-th percentile, rounded up. */
static uint64_t share(uint64_t total, uint64_t percent) {
    return total / 100 * percent + (total % 100 * percent + 99) / 100;
}

wend_percentiles tally_percentiles(const tally *numbers) {
    wend_percentiles result = {0, 0, 0};
    uint64_t half = share(numbers->total, 50), most = share(numbers->total, 99), seen = 0;
    for (size_t value = 0; value < numbers->capacity; value++) {
        uint64_t before = seen;
        if (numbers->counts[value] == 0) continue;
        seen += numbers->counts[value];
        if (before < half && seen >= half) result.p50 = value;
        if (before < most && seen >= most) result.p99 = value;
        result.max = value;
    }
    return result;
}

void tally_free(tally *numbers) {
    free(numbers->counts);
    *numbers = (tally){0};
}

bool series_add(series *values, uint64_t value) {
    if (!grow(&values->values, &values->capacity, values->count)) return false;
    values->values[values->count++] = value;
    values->sum += value;
    return true;
}

static int compare(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

wend_percentiles series_percentiles(series *values) {
    if (values->count == 0) return (wend_percentiles){0, 0, 0};
    qsort(values->values, values->count, sizeof *values->values, compare);
    return (wend_percentiles){values->values[share(values->count, 50) - 1],
                              values->values[share(values->count, 99) - 1], values->values[values->count - 1]};
}

uint64_t series_permille(series *values, uint64_t permille) {
    if (values->count == 0) return 0;
    qsort(values->values, values->count, sizeof *values->values, compare);
    const uint64_t below = values->count / 1000 * permille + (values->count % 1000 * permille + 999) / 1000;
    return values->values[below > 0 ? below - 1 : 0];
}

void series_free(series *values) {
    free(values->values);
    *values = (series){0};
}
