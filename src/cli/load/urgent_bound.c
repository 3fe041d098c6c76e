/* SPDX-License-Identifier: MIT */
/* Collects urgent requests until none is pending, then sums up what was pending beside each. */
#include <stdlib.h>

#include "cli/load/urgent_bound.h"

void urgent_bound_accept(urgent_bound *bound) {
    bound->pending++;
}

bool urgent_bound_end(urgent_bound *bound, const urgent_record *ended) {
    bound->pending -= bound->pending > 0;
    if (bound->count == bound->capacity) {
        const size_t capacity = bound->capacity == 0 ? 64 : bound->capacity * 2;
        urgent_record *larger = realloc(bound->list, capacity * sizeof *larger);
        if (larger == NULL) return false;
        bound->list = larger;
        bound->capacity = capacity;
    }
    bound->list[bound->count++] = *ended;
    return true;
}

const urgent_record *urgent_bound_judge(urgent_bound *bound, uint64_t *beside) {
    if (bound->pending > 0) return NULL;
    if (bound->judged == bound->count) {
        bound->judged = bound->count = 0;
        return NULL;
    }
    const urgent_record *record = &bound->list[bound->judged++];
    *beside = 0;
    for (size_t i = 0; i < bound->count; i++) {
        const urgent_record *other = &bound->list[i];
        if (other->asked <= record->ended && record->asked <= other->ended) *beside += other->spent;
    }
    return record;
}

void urgent_bound_free(urgent_bound *bound) {
    free(bound->list);
    *bound = (urgent_bound){0};
}
