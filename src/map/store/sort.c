/* SPDX-License-Identifier: MIT */
/* Radix sort of 64-bit numbers: linear time, no memory of its own. */
#include "map/store/sort.h"

#include <string.h>

enum { FEW = 48, DIGITS = 256 };

static void insert_each(uint64_t *numbers, size_t count) {
    for (size_t i = 1; i < count; i++) {
        uint64_t number = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--) numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* Orders by one byte, keeping the order of equal ones. False: all have the same byte, and `to` is untouched. */
static bool deal(const uint64_t *from, uint64_t *to, size_t count, unsigned shift) {
    WEND__DEBUG_ASSERT(count > 0 && shift < 64);
    size_t starts[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++) starts[from[i] >> shift & 255]++;
    if (starts[from[0] >> shift & 255] == count) return false;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        size_t of_this = starts[digit];
        starts[digit] = sum;
        sum += of_this;
    }
    for (size_t i = 0; i < count; i++) to[starts[from[i] >> shift & 255]++] = from[i];
    return true;
}

void wend__sort_numbers(uint64_t *numbers, uint64_t *scratch, size_t count) {
    if (count <= FEW) {
        insert_each(numbers, count);
        return;
    }
    uint64_t *from = numbers, *to = scratch;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!deal(from, to, count, shift)) continue;
        uint64_t *dealt = to;
        to = from;
        from = dealt;
    }
    if (from != numbers) memcpy(numbers, from, count * sizeof *numbers);
}
