/* SPDX-License-Identifier: MIT */
/* Sets up landmark bounds: the landmarks that help a search most, and the distances of its goals from them. */

/* Tried: all four landmarks for a search: two take the least time; one 1.13, three 1.02. Two of eight: 0.5 of the time
 * without, for twice the memory. */
#include "fast/landmarks/landmarks.h"
#include "map/ground/ground.h"

/* Distances of the goals from each landmark. */
typedef struct intervals {
    int32_t least[WEND__LANDMARK_SLOTS], greatest[WEND__LANDMARK_SLOTS];
    uint32_t left; ///< number of them left
    bool any;      ///< some goal cell has distances
} intervals;

static bool is_known(const wend__version *v, wend__landmark_cell numbers) {
    return wend__landmark_has(numbers, wend__ctz32(v->landmarks->valid));
}

/* Blocked cells do not count, as no search ends there. On a graph that depends on the mover, so all nodes count. */
static void add_cell(const wend__version *v, intervals *found, wend_cell cell) {
    const wend__landmark_cell numbers = wend__landmark_at(v->landmarks, wend__place_of(v, cell));
    if (!is_known(v, numbers) || (v->kind != WEND_KIND_GRAPH && wend__cell_factor(v, cell) == 0)) return;
    for (uint32_t left = v->landmarks->valid; left; left &= left - 1) {
        const unsigned i = wend__ctz32(left);
        const int32_t at = (int32_t)wend__landmark_number(numbers, i);
        if (!found->any || at < found->least[i]) found->least[i] = at;
        if (!found->any || at > found->greatest[i]) found->greatest[i] = at;
    }
    found->any = true;
}

static int32_t low_end(int32_t at, int32_t reach) {
    return at > reach ? at - reach : 0;
}

static int32_t high_end(int32_t at, int32_t reach, int32_t size) {
    return at < size - 1 - reach ? at + reach : size - 1;
}

/* The cells of a row of a goal's box: all, or its two ends. */
static void add_row(const wend__version *v, intervals *found, wend_cell goal, int32_t reach, wend_cell row, bool all) {
    const int32_t low = low_end(goal.x, reach), high = high_end(goal.x, reach, v->width);
    if (all) {
        for (row.x = low; row.x <= high; row.x++) add_cell(v, found, row);
        return;
    }
    if ((row.x = goal.x - reach) >= low) add_cell(v, found, row);
    if ((row.x = goal.x + reach) <= high) add_cell(v, found, row);
}

/* Returns whether no cell within reach lies over the rim. */
static bool lies_within(const wend__version *v, wend_cell goal, int32_t reach) {
    return goal.x >= reach && goal.x < v->width - reach && goal.y >= reach && goal.y < v->height - reach;
}

/* Adds the cells of the map within reach of a goal. If no link leads into their box, a search meets its rim first, and
 * ends there: the cells inside do not count. False: there are too many. */
static bool add_box(const wend__version *v, intervals *found, wend_cell goal, int32_t reach) {
    const wend_box box = {
        {low_end(goal.x, reach), low_end(goal.y, reach), low_end(goal.z, reach)},
        {high_end(goal.x, reach, v->width), high_end(goal.y, reach, v->height), high_end(goal.z, reach, v->depth)}};
    if (reach > 0 && (v->sheets || (wend__wraps(v) && !lies_within(v, goal, reach)))) return false;
    const uint64_t columns = (uint64_t)(uint32_t)(box.max.x - box.min.x + 1);
    const uint64_t rows = (uint64_t)(uint32_t)(box.max.y - box.min.y + 1) * (uint32_t)(box.max.z - box.min.z + 1);
    if (columns > found->left || rows > found->left || columns * rows > found->left) return false;
    found->left -= (uint32_t)(columns * rows);
    for (int32_t z = box.min.z; z <= box.max.z; z++)
        for (int32_t y = box.min.y; y <= box.max.y; y++) {
            const bool rim = y == goal.y - reach || y == goal.y + reach || z == goal.z - reach || z == goal.z + reach;
            add_row(v, found, goal, reach, (wend_cell){0, y, z}, rim || v->links);
        }
    return true;
}

/* With costs from a landmark, the goals' excess bounds the remaining cost; with costs to it, their shortfall does. */
static void open_intervals(intervals *found, uint32_t slots) {
    for (uint32_t i = 0; i < slots; i += 2) found->greatest[i] = INT32_MAX, found->least[i + 1] = -1;
}

static bool measure_goals(const wend__version *v, intervals *found, const wend__landmark_goals *goals) {
    if (v->kind == WEND_KIND_GRAPH && goals->reach > 0) return false;
    for (uint32_t i = 0; i < goals->count; i++)
        if (!add_box(v, found, goals->cells[i], goals->reach)) return false;
    if (v->landmarks->directed) open_intervals(found, v->landmarks->count);
    for (uint32_t i = 0; i < v->landmarks->count; i++) /* slots that do not fit give no bound */
        if (!(v->landmarks->valid >> i & 1)) found->greatest[i] = INT32_MAX, found->least[i] = -1;
    return found->any;
}

/* Choose the landmarks by which the start is farthest from the goals. */
static void choose_landmarks(wend__landmark_bounds *b, const wend__landmarks *l, const intervals *goals,
                             wend__landmark_cell start) {
    int32_t best[WEND__BOUND_LANDMARKS] = {0};
    for (unsigned n = 0; n < WEND__BOUND_LANDMARKS; n++) b->slot[n] = wend__ctz32(l->valid);
    for (uint32_t left = l->valid; left; left &= left - 1) {
        uint32_t landmark = wend__ctz32(left);
        const int32_t at = (int32_t)wend__landmark_number(start, landmark);
        const int32_t beyond = at - goals->greatest[landmark], below = goals->least[landmark] - at;
        int32_t apart = beyond > below ? beyond : below;
        for (unsigned n = 0; n < WEND__BOUND_LANDMARKS; n++) {
            if (apart < best[n]) continue;
            const int32_t other = best[n];
            const uint32_t before = b->slot[n];
            best[n] = apart, b->slot[n] = landmark;
            apart = other, landmark = before;
        }
    }
    for (unsigned n = 0; n < WEND__BOUND_LANDMARKS; n++) {
        b->least[n] = goals->least[b->slot[n]];
        b->greatest[n] = goals->greatest[b->slot[n]];
    }
}

static uint64_t set_up_bounds(wend__landmark_bounds *b, const wend__version *view, wend_cell start,
                              const wend__landmark_goals *goals, uint32_t unit) {
    const wend__landmarks *l = view->landmarks;
    intervals found = {.left = WEND__BOUND_GOAL_CELLS};
    const bool inside = view->kind == WEND_KIND_GRAPH || wend__cell_factor(view, start) > 0;
    const wend__landmark_cell numbers = wend__landmark_at(l, wend__place_of(view, start));
    if (!inside || !is_known(view, numbers) || !measure_goals(view, &found, goals)) return 0;
    choose_landmarks(b, l, &found, numbers);
    b->landmarks = l;
    b->strips = l->strips;
    b->columns = (size_t)l->columns;
    b->count = l->count;
    b->rate = l->scale.rate / unit;
    b->slack = (int32_t)l->scale.slack;
    return wend__landmark_bound_at(b, wend__place_of(view, start));
}

static uint64_t set_up_node_bounds(wend__node_bounds *b, const wend__version *version, uint32_t start, uint32_t goal) {
    const wend__landmarks *l = version->landmarks;
    const wend_cell from = {(int32_t)start, 0, 0}, to = {(int32_t)goal, 0, 0};
    const wend__landmark_goals goals = {&to, 1, 0};
    intervals found = {.left = 1};
    if (!is_known(version, wend__landmark_at(l, wend__place_of(version, from)))) return 0;
    if (!measure_goals(version, &found, &goals)) return 0;
    b->landmarks = l;
    b->strips = l->strips;
    b->count = l->count;
    b->rate = (uint32_t)(l->scale.rate >> WEND__LANDMARK_FRACTION);
    b->slack = (int32_t)l->scale.slack;
    memcpy(b->least, found.least, sizeof b->least);
    memcpy(b->greatest, found.greatest, sizeof b->greatest);
    return wend__node_bound(b, start);
}

const wend__bound_setup wend__bound_hooks = {.init = set_up_bounds, .init_node = set_up_node_bounds};
