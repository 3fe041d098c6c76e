/* SPDX-License-Identifier: MIT */
/* Taking bearings: which landmarks tell a search most, and how far its goals are from them. */
#include "map/landmarks/bearings.h"

#include "map/store/rules.h"

/* Distances of the goals from each landmark. */
typedef struct intervals {
    int32_t least[WEND_MAX_LANDMARKS], greatest[WEND_MAX_LANDMARKS];
    uint32_t looks; ///< that are left
    bool any;       ///< some goal cell has distances
} intervals;

static bool usable(const wend__version *v) {
    return wend__landmarks_usable(v) && v->rules.neighbours == 8 && v->rules.corners == WEND_CORNERS_NEVER &&
           v->closed_steps == 0 && !v->links;
}

static void add_cell(const wend__landmarks *l, intervals *found, int32_t x, int32_t y) {
    const uint32_t *numbers = wend__landmark_numbers(l, x, y);
    if (numbers[wend__ctz32(l->valid)] == WEND__LANDMARK_NONE) return;
    for (uint32_t left = l->valid; left; left &= left - 1) {
        const unsigned i = wend__ctz32(left);
        const int32_t at = (int32_t)numbers[i];
        if (!found->any || at < found->least[i]) found->least[i] = at;
        if (!found->any || at > found->greatest[i]) found->greatest[i] = at;
    }
    found->any = true;
}

/* The cells of the map within reach of a goal. False: they are too many. */
static bool add_box(const wend__version *v, intervals *found, wend_cell goal, int32_t reach) {
    const int64_t left = (int64_t)goal.x - reach, right = (int64_t)goal.x + reach;
    const int64_t top = (int64_t)goal.y - reach, bottom = (int64_t)goal.y + reach;
    const int32_t x0 = left > 0 ? (int32_t)left : 0, y0 = top > 0 ? (int32_t)top : 0;
    const int32_t x1 = right < v->width ? (int32_t)right : v->width - 1;
    const int32_t y1 = bottom < v->height ? (int32_t)bottom : v->height - 1;
    const uint64_t cells = (uint64_t)(uint32_t)(x1 - x0 + 1) * (uint32_t)(y1 - y0 + 1);
    if (cells > found->looks) return false;
    found->looks -= (uint32_t)cells;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            if (wend__version_factor(v, x, y) > 0) add_cell(v->landmarks, found, x, y);
    return true;
}

static bool measure_goals(const wend__version *v, intervals *found, const wend__bearings_goals *goals) {
    for (uint32_t i = 0; i < goals->count; i++)
        if (!add_box(v, found, goals->cells[i], goals->reach)) return false;
    return found->any;
}

/* Choose the landmarks by which the start is farthest from the goals. */
static void choose_landmarks(wend__bearings *b, const wend__landmarks *l, const intervals *goals,
                             const uint32_t *start) {
    int32_t best[WEND__BEARINGS] = {0};
    for (unsigned n = 0; n < WEND__BEARINGS; n++) b->slot[n] = wend__ctz32(l->valid);
    for (uint32_t left = l->valid; left; left &= left - 1) {
        uint32_t landmark = wend__ctz32(left);
        const int32_t beyond = (int32_t)start[landmark] - goals->greatest[landmark];
        const int32_t below = goals->least[landmark] - (int32_t)start[landmark];
        int32_t apart = beyond > below ? beyond : below;
        for (unsigned n = 0; n < WEND__BEARINGS; n++) {
            if (apart < best[n]) continue;
            const int32_t other = best[n];
            const uint32_t before = b->slot[n];
            best[n] = apart, b->slot[n] = landmark;
            apart = other, landmark = before;
        }
    }
    for (unsigned n = 0; n < WEND__BEARINGS; n++) {
        b->least[n] = goals->least[b->slot[n]];
        b->greatest[n] = goals->greatest[b->slot[n]];
    }
}

uint64_t wend__bearings_take(wend__bearings *b, const wend__version *view, wend_cell start,
                             const wend__bearings_goals *goals, uint32_t unit) {
    const wend__landmarks *l = view->landmarks;
    intervals found = {.looks = WEND__BEARINGS_LOOKS};
    b->landmarks = NULL;
    if (!usable(view) || wend__version_factor(view, start.x, start.y) == 0) return 0;
    if (!measure_goals(view, &found, goals)) return 0;
    const uint32_t *from = wend__landmark_numbers(l, start.x, start.y);
    choose_landmarks(b, l, &found, from);
    const uint64_t number =
        wend__common_divisor((uint32_t)view->rules.cost_straight, (uint32_t)view->rules.cost_diagonal);
    b->rate = (number << WEND__BEARINGS_FRACTION) / unit;
    b->landmarks = l;
    return wend__bearings_by(b, from);
}
