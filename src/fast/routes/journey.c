/* SPDX-License-Identifier: MIT */
/* A far route that a host walks leg by leg. The targets of its legs only move forward along the crossings, and the rest
 * of a leg leads to its target: so the remaining way never costs more than reported. */
#include "fast/routes/far_leg.h"
#include "fast/routes/far_route.h"
#include "fast/routes/journey.h"
#include "search/request/request.h"

static bool same_chunk(wend_cell a, wend_cell b) {
    return a.x >> WEND__CHUNK_SHIFT == b.x >> WEND__CHUNK_SHIFT && a.y >> WEND__CHUNK_SHIFT == b.y >> WEND__CHUNK_SHIFT;
}

wend_error wend_journey_begin(const wend_request *request, const wend_completion *completion, wend_cell *crossings,
                              size_t capacity, wend_journey *out) {
    if (!request) return wend__refuse_null("request");
    wend__request far;
    if (!wend__request_take(request, &far)) return WEND_BAD_ARGUMENT;
    if (!completion) return wend__refuse_null("completion");
    if (completion->status != WEND_STATUS_FOUND)
        return wend__refuse(WEND_BAD_ARGUMENT, "completion->status is %s, but must be found",
                            wend_status_name(completion->status));
    if (completion->crossing_count > capacity || (completion->crossing_count > 0 && !crossings))
        return wend__refuse(WEND_BAD_ARGUMENT, "capacity is %zu, but the route has %zu crossings", capacity,
                            completion->crossing_count);
    if (!out) return wend__refuse_null("out");
    for (size_t i = 0; i < completion->crossing_count; i++) crossings[i] = completion->crossings[i];
    *out = (wend_journey){.struct_bytes = sizeof *out,
                          .last = completion->crossing_count == 0,
                          .request = request,
                          .crossings = crossings,
                          .count = completion->crossing_count,
                          .cost = completion->cost};
    return WEND_OK;
}

size_t wend_journey_walk(const wend_journey *journey, const wend_cell *cells, size_t count) {
    uint32_t borders = 0;
    for (size_t i = 1; i < count && !journey->last; i++) {
        borders += !same_chunk(cells[i - 1], cells[i]);
        if (borders == WEND__FAR_LEG_KEEP) return i + 1;
    }
    return count;
}

/* Passes the crossings that lead to the chunk where the unit stands. */
static void pass(wend_journey *j, wend_cell at) {
    const size_t end = j->count - j->next < WEND__FAR_LEG_AHEAD ? j->count : j->next + WEND__FAR_LEG_AHEAD;
    for (size_t i = end; i > j->next; i--)
        if (same_chunk(j->crossings[i - 1], at)) {
            j->next = i;
            return;
        }
}

bool wend__journey_aim(wend_journey *j, wend_cell at, wend_cell goal, wend_cell *end) {
    if (at.x == goal.x && at.y == goal.y && at.z == goal.z) return false;
    pass(j, at);
    j->last = j->count - j->next < WEND__FAR_LEG_AHEAD;
    *end = j->last ? goal : j->crossings[j->next + WEND__FAR_LEG_AHEAD - 1];
    return true;
}

wend_error wend_journey_next(wend_journey *j, wend_cell at, wend_request *out, wend_search_options *options) {
    if (!j) return wend__refuse_null("journey");
    if (!out) return wend__refuse_null("out");
    if (!options) return wend__refuse_null("options");
    wend__request leg;
    wend_cell end;
    if (!wend__request_take(j->request, &leg)) return WEND_BAD_ARGUMENT;
    if (!wend__journey_aim(j, at, leg.goal, &end)) return wend__refuse(WEND_EMPTY, "the unit is at the goal");
    const int32_t reach = leg.reach;
    leg.more_goal_count = 0;
    leg.more_goals = NULL;
    wend__leg_aim(&leg, end);
    leg.start = at;
    leg.reach = j->last ? reach : 0;
    wend__request_give(&leg, out, options);
    return WEND_OK;
}
