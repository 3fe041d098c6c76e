/* SPDX-License-Identifier: MIT */
/* Plain Dijkstra (1959) with a binary heap over the rules: what each request's answer has to be. */
#include "exact/exact.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    int64_t distance;
    int cell;
} entry;

static entry heap[EXACT_CELLS * 9 + EXACT_LINKS];
static int heap_count;

static void push(int64_t distance, int cell) {
    int at = heap_count++;
    for (int up; at > 0 && heap[up = (at - 1) / 2].distance > distance; at = up) heap[at] = heap[up];
    heap[at] = (entry){distance, cell};
}

static entry pop(void) {
    const entry top = heap[0], last = heap[--heap_count];
    int at = 0;
    for (int child; (child = 2 * at + 1) < heap_count; at = child) {
        if (child + 1 < heap_count && heap[child + 1].distance < heap[child].distance) child++;
        if (heap[child].distance >= last.distance) break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

static void relax(const wend_request *request, exact_flood *flood, int to, int64_t distance) {
    if (flood->crowded[to]) {
        if (request->occupied == WEND_OCCUPIED_BLOCK) return;
        distance += request->occupied;
    }
    if (flood->distance[to] >= 0 && flood->distance[to] <= distance) return;
    flood->distance[to] = distance;
    push(distance, to);
}

static void expand(const exact_world *w, const wend_request *request, exact_flood *flood, int from, int64_t distance) {
    const uint8_t *factor = w->factor[request->mover];
    for (int d = 0; d < 8; d++) {
        if (!(w->legal[request->mover][from] >> d & 1)) continue;
        const int to = from + exact_dy[d] * w->width + exact_dx[d];
        const int64_t step = d < 4 ? w->rules.cost_straight : w->rules.cost_diagonal;
        relax(request, flood, to, distance + step * factor[to]);
    }
    for (int i = 0; w->entrance[from] && i < w->link_count; i++) {
        const int to = exact_number(w, w->links[i].to);
        if (exact_number(w, w->links[i].from) == from && factor[to])
            relax(request, flood, to, distance + w->links[i].cost);
    }
}

void exact_measure(const exact_world *w, const wend_request *request, exact_flood *flood) {
    for (int i = 0; i < w->cells; i++) flood->distance[i] = -1;
    for (int i = 0; i < w->cells; i++) flood->crowded[i] = exact_crowded(w, request, exact_cell(w, i));
    heap_count = 0;
    flood->distance[exact_number(w, request->start)] = 0;
    push(0, exact_number(w, request->start));
    while (heap_count > 0) {
        const entry top = pop();
        if (top.distance == flood->distance[top.cell]) expand(w, request, flood, top.cell, top.distance);
    }
}

/* S5: what the cheapest steps from a cell to the nearest goal cost on empty terrain. */
static int64_t nearness(const exact_world *w, const wend_request *request, wend_cell cell) {
    const int64_t s = w->rules.cost_straight, d = w->rules.neighbours == 4 ? 2 * s : w->rules.cost_diagonal;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i <= request->more_goal_count; i++) {
        const wend_cell goal = i == 0 ? request->goal : request->more_goals[i - 1];
        const int x = abs(cell.x - goal.x), y = abs(cell.y - goal.y), both = x < y ? x : y;
        const int64_t way = d * both + s * (x + y - 2 * both);
        if (way < least) least = way;
    }
    return least;
}

/* S5: ties by lower y, then x, which is by number. */
static int nearest_reached(const exact_world *w, const wend_request *request, const exact_flood *flood) {
    int best = -1;
    int64_t least = INT64_MAX;
    for (int i = 0; i < w->cells; i++) {
        if (flood->distance[i] < 0) continue;
        const int64_t way = nearness(w, request, exact_cell(w, i));
        if (way < least) best = i, least = way;
    }
    return best;
}

exact_answer exact_ask(const exact_world *w, const wend_request *request, const exact_flood *flood) {
    exact_answer answer = {WEND_STATUS_START_BLOCKED, -1, {-1, -1, -1}};
    const bool leaves = request->flags & WEND_REQUEST_LEAVE_BLOCKED_START;
    if (!w->factor[request->mover][exact_number(w, request->start)] && !leaves) return answer;
    answer.status = WEND_STATUS_GOAL_BLOCKED;
    for (int i = 0; i < w->cells; i++) {
        if (!exact_target(w, request, exact_cell(w, i))) continue;
        if (answer.status == WEND_STATUS_GOAL_BLOCKED) answer.status = WEND_STATUS_NO_PATH;
        if (flood->distance[i] < 0 || (answer.cost >= 0 && flood->distance[i] >= answer.cost)) continue;
        answer.status = WEND_STATUS_FOUND;
        answer.cost = flood->distance[i];
    }
    if (answer.status == WEND_STATUS_FOUND || request->mode == WEND_MODE_EXACT) return answer;
    const int end = nearest_reached(w, request, flood);
    return (exact_answer){WEND_STATUS_PARTIAL, flood->distance[end], exact_cell(w, end)};
}
