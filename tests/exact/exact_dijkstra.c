/* SPDX-License-Identifier: MIT */
/* A Dijkstra over the rules: the expected answer of each request. */
#include "exact/exact.h"
#include "models/options.h"

#include <stdlib.h>

static void relax(const exact_world *w, const wend_request *request, exact_flood *flood, dijkstra *open, int to,
                  int64_t distance) {
    distance += w->tolls[read_options(request).profile][to];
    if (flood->crowded[to]) {
        if (read_options(request).occupied == WEND_OCCUPIED_BLOCK) return;
        distance += read_options(request).occupied;
    }
    dijkstra_reach(open, to, distance);
}

static void expand(const exact_world *w, const wend_request *request, exact_flood *flood, dijkstra *open, int from) {
    const uint8_t *factor = w->factor[request->mover];
    const int64_t distance = flood->distance[from];
    for (int d = 0; d < 8; d++) {
        if (!(w->legal[request->mover][from] >> d & 1)) continue;
        const int to = from + exact_dy[d] * w->width + exact_dx[d];
        const int64_t step = d < 4 || w->rules.neighbours == 6 ? w->rules.cost_straight : w->rules.cost_diagonal;
        relax(w, request, flood, open, to, distance + step * factor[to]);
    }
    for (int i = 0; w->entrance[from] && i < w->link_count; i++) {
        const int to = exact_number(w, w->links[i].to);
        if (exact_number(w, w->links[i].from) == from && factor[to] &&
            world_takes(w->movers, request->mover, &w->links[i]))
            relax(w, request, flood, open, to, distance + w->links[i].cost);
    }
}

void exact_measure(const exact_world *w, const wend_request *request, exact_flood *flood) {
    int cell;
    dijkstra open;
    for (int i = 0; i < w->cells; i++) flood->crowded[i] = exact_crowded(w, request, exact_cell(w, i));
    dijkstra_begin(&open, flood->distance, (size_t)w->cells);
    dijkstra_reach(&open, exact_number(w, request->start), 0);
    while (dijkstra_next(&open, &cell)) expand(w, request, flood, &open, cell);
    dijkstra_end(&open);
}

/* S5: the cost of the cheapest steps from a cell to the nearest goal on empty terrain. */
int64_t exact_nearness(const exact_world *w, const wend_request *request, wend_cell cell) {
    const int64_t s = w->rules.cost_straight, d = w->rules.neighbours == 4 ? 2 * s : w->rules.cost_diagonal;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i <= read_options(request).more_goal_count; i++) {
        const wend_cell goal = i == 0 ? request->goal : read_options(request).more_goals[i - 1];
        const int x = abs(cell.x - goal.x), y = abs(cell.y - goal.y), both = x < y ? x : y;
        const int z = abs(cell.x - goal.x + cell.y - goal.y); /* the third axis of hexagons */
        int64_t way = d * both + s * (x + y - 2 * both);
        if (w->rules.neighbours == 6) way = s * ((x + y + z) / 2);
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
        const int64_t way = exact_nearness(w, request, exact_cell(w, i));
        if (way < least) best = i, least = way;
    }
    return best;
}

exact_answer exact_ask(const exact_world *w, const wend_request *request, const exact_flood *flood) {
    exact_answer answer = {WEND_STATUS_START_BLOCKED, -1, {-1, -1, -1}};
    const bool leaves = read_options(request).leave_blocked_start;
    if (!w->factor[request->mover][exact_number(w, request->start)] && !leaves) return answer;
    answer.status = WEND_STATUS_GOAL_BLOCKED;
    for (int i = 0; i < w->cells; i++) {
        if (!exact_target(w, request, exact_cell(w, i))) continue;
        if (answer.status == WEND_STATUS_GOAL_BLOCKED) answer.status = WEND_STATUS_NO_PATH;
        if (flood->distance[i] < 0 || (answer.cost >= 0 && flood->distance[i] >= answer.cost)) continue;
        answer.status = WEND_STATUS_FOUND, answer.cost = flood->distance[i];
    }
    if (answer.status == WEND_STATUS_FOUND || request->mode == WEND_MODE_EXACT) return answer;
    const int end = nearest_reached(w, request, flood);
    return (exact_answer){WEND_STATUS_PARTIAL, flood->distance[end], exact_cell(w, end)};
}
