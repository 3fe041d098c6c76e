/* SPDX-License-Identifier: MIT */
/* Random requests: every field that changes the expected answer. */
#include "exact/exact.h"
#include "models/options.h"

static bool chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

/* Some windows end at the border of a chunk. */
static int32_t any_window(wend_cell start, oracle_random *random) {
    const int32_t border = (oracle_below(random, 2) ? start.x : start.y) & 63;
    if (chance(random, 30)) return border;
    if (chance(random, 30)) return 63 - border;
    return oracle_below(random, chance(random, 50) ? 8 : 80);
}

wend_request exact_begin(const world *w, oracle_random *random) {
    wend_request request = default_request();
    if (!w->even || chance(random, 40)) request.mover = oracle_below(random, w->mover_count);
    request.start = world_pick(w, random, request.mover);
    if (chance(random, w->even ? 35 : 50)) {
        static const int32_t tenths[] = {1, 5, 8, 10, 30, 200};
        const int64_t price = (int64_t)w->rules.cost_straight * tenths[oracle_below(random, 6)] / 10;
        options_of(&request)->occupied = price < 1 ? 1 : price > WEND_MAX_COST ? WEND_MAX_COST : (int32_t)price;
        if (chance(random, 60)) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
        if (chance(random, 35)) options_of(&request)->occupied_within = any_window(request.start, random);
    }
    if (chance(random, 10) && world_can_leave(w, request.mover)) options_of(&request)->leave_blocked_start = true;
    options_of(&request)->profile = exact_layers_profile(random);
    return request;
}

static void aim_goals(const world *w, oracle_random *random, wend_request *request, wend_cell *goals) {
    request->goal = world_pick(w, random, request->mover), request->reach = 0;
    options_of(request)->more_goal_count = 0;
    options_of(request)->more_goals = goals;
    if (chance(random, 30))
        request->reach = chance(random, 60) ? 1 + oracle_below(random, 3) : oracle_below(random, 20);
    if (chance(random, 25))
        options_of(request)->more_goal_count =
            1 + (uint32_t)oracle_below(random, chance(random, 50) ? 4 : WEND_MAX_GOALS - 1);
    const bool together = chance(random, 30);
    for (uint32_t i = 0; i < read_options(request).more_goal_count; i++) {
        goals[i] = world_pick(w, random, request->mover);
        const wend_cell near = {request->goal.x + oracle_below(random, 9) - 4,
                                request->goal.y + oracle_below(random, 9) - 4, 0};
        if (together && world_has(w, near)) goals[i] = near;
    }
}

void exact_aim(const world *w, oracle_random *random, wend_request *request, wend_cell *goals) {
    static const int32_t weights[] = {1001, 1100, 1200, 1500, 2000, 5000, 100000};
    const int heuristic = oracle_below(random, 20);
    const bool plain = chance(random, w->even ? 60 : 25);
    aim_goals(w, random, request, goals);
    request->mode = WEND_MODE_EXACT;
    options_of(request)->heuristic = WEND_HEURISTIC_EXACT;
    options_of(request)->weight_milli = 1000;
    options_of(request)->engine = oracle_below(random, 4) ? WEND_ENGINE_JUMP : WEND_ENGINE_AUTO;
    if (plain) request->reach = 0, options_of(request)->more_goal_count = 0;
    if (plain) return;
    if (!read_options(request).leave_blocked_start && chance(random, 25)) request->mode = WEND_MODE_NEAREST;
    options_of(request)->heuristic = heuristic == 0   ? WEND_HEURISTIC_EUCLID
                                     : heuristic == 1 ? WEND_HEURISTIC_ZERO
                                     : heuristic == 2 ? WEND_HEURISTIC_MANHATTAN
                                                      : WEND_HEURISTIC_EXACT;
    if (chance(random, 15)) options_of(request)->weight_milli = weights[oracle_below(random, 7)];
}
