/* SPDX-License-Identifier: MIT */
/* Arrays that grow by doubling; measurements, which are sorted for their percentiles. */
#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

bool array_room(void *array, size_t *capacity, size_t wanted, size_t element_bytes) {
    char *old;
    size_t larger = *capacity < 256 ? 256 : *capacity;
    if (wanted <= *capacity) return true;
    while (larger < wanted && larger <= SIZE_MAX / 2) larger *= 2;
    if (larger < wanted || larger > SIZE_MAX / element_bytes) return false;
    memcpy(&old, array, sizeof old); /* a pointer of any type */
    char *moved = realloc(old, larger * element_bytes);
    if (!moved) return false;
    memset(moved + *capacity * element_bytes, 0, (larger - *capacity) * element_bytes);
    memcpy(array, &moved, sizeof moved);
    *capacity = larger;
    return true;
}

bool series_add(series *values, uint64_t value) {
    if (!ARRAY_ROOM(values->values, values->capacity, values->count + 1)) return false;
    values->values[values->count++] = value;
    values->sum += value;
    return true;
}

static int compare_values(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void series_sort(series *values) {
    for (size_t i = 1; i < values->count; i++)
        if (values->values[i - 1] > values->values[i]) {
            qsort(values->values, values->count, sizeof *values->values, compare_values);
            return;
        }
}

uint64_t series_permille(series *values, uint64_t permille) {
    if (values->count == 0) return 0;
    series_sort(values);
    const uint64_t below = values->count / 1000 * permille + (values->count % 1000 * permille + 999) / 1000;
    return values->values[below > 0 ? below - 1 : 0];
}

wend_percentiles series_percentiles(series *values) {
    return (wend_percentiles){series_permille(values, 500), series_permille(values, 990),
                              series_permille(values, 1000)};
}

void series_free(series *values) {
    free(values->values);
    *values = (series){0};
}
