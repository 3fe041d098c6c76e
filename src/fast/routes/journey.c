/* SPDX-License-Identifier: MIT */
/* A far route that is walked leg by leg. The targets of its legs only move forward along the crossings, and the rest
 * of a leg leads to its target: so the remaining way never costs more than reported. */
#include "fast/routes/far_route.h"
#include "fast/routes/journey.h"

static bool same_chunk(wend_cell a, wend_cell b) {
    return a.x >> WEND__CHUNK_SHIFT == b.x >> WEND__CHUNK_SHIFT && a.y >> WEND__CHUNK_SHIFT == b.y >> WEND__CHUNK_SHIFT;
}

size_t wend__journey_walk(const wend_cell *cells, size_t count) {
    uint32_t borders = 0;
    for (size_t i = 1; i < count; i++) {
        borders += !same_chunk(cells[i - 1], cells[i]);
        if (borders == WEND__FAR_LEG_KEEP) return i + 1;
    }
    return count;
}

/* Passes the crossings that lead to the chunk where the unit stands. */
static void pass(wend__journey *j, wend_cell at) {
    const size_t end = j->count - j->next < WEND__FAR_LEG_AHEAD ? j->count : j->next + WEND__FAR_LEG_AHEAD;
    for (size_t i = end; i > j->next; i--)
        if (same_chunk(j->crossings[i - 1], at)) {
            j->next = i;
            return;
        }
}

bool wend__journey_aim(wend__journey *j, wend_cell at, wend_cell goal, wend_cell *end) {
    if (at.x == goal.x && at.y == goal.y && at.z == goal.z) return false;
    pass(j, at);
    j->last = j->count - j->next < WEND__FAR_LEG_AHEAD;
    *end = j->last ? goal : j->crossings[j->next + WEND__FAR_LEG_AHEAD - 1];
    return true;
}
