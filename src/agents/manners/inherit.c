/* SPDX-License-Identifier: MIT */
/* Priority inheritance with backtracking (PIBT; Okumura, Machida, Défago, Tamura 2022): an agent takes the best step
 * that is free, and the holder of that cell chooses a step in turn, and so on. */
#include "agents/manners/traffic_state.h"
#include "base/hash.h"

enum { DEEPEST = 1024, RANDOM_BITS = 2, HINDRANCE_BITS = 4, MOST_OTHERS = 3 };

/// A step of an agent. Lower keys first.
typedef struct way {
    wend_cell to;
    uint32_t key;
} way;

/* Returns how much a step hinders others (hindrance; Okumura, Nagai 2025). First counts whether the cell's holder
 * wants the agent's cell, so that the two must pass each other; then whether there is a holder; then how many agents
 * want it. */
static uint32_t hindrance(const wend__traffic *t, int32_t i, wend_cell to) {
    const wend__traffic_agent *agent = &t->agents[i];
    const int32_t holder = wend__places_at(&t->places, to).holder;
    const bool head_on = holder >= 0 && wend__same_cell(t->agents[holder].next, agent->at);
    const uint32_t wanted = *wend__traffic_wanted(t, to), own = wanted > 0 && wend__same_cell(agent->next, to);
    const uint32_t others = wanted - own < MOST_OTHERS ? wanted - own : MOST_OTHERS;
    return (uint32_t)head_on << 3 | (uint32_t)(holder >= 0) << 2 | others;
}

/* Writes the steps of an agent, best first: all of them if it is pushed, else those that are better than to stay. Among
 * equal steps those that hinder least come first; then random bits decide, the same in each run, as a fixed choice
 * would send many agents the same way. Returns false if the agent cannot rank its steps. */
static bool list_ways(wend__traffic *t, int32_t i, bool pushed, way *ways, uint32_t *count) {
    const wend__traffic_agent *agent = &t->agents[i];
    wend_cell cells[WEND__MOST_STEPS];
    uint32_t ranks[WEND__MOST_STEPS];
    if (!t->rank || agent->steered || wend__same_cell(agent->next, agent->at)) return false;
    if (wend__traffic_jumps(t, agent->at, agent->next)) return false; /* ranks do not cross links */
    const uint32_t steps = wend__traffic_steps(t, agent, cells);
    cells[steps] = agent->at;
    if (!t->rank(t->context, t->version, (uint32_t)i, cells, steps + 1, ranks)) return false;
    uint64_t bits = wend__mix64((uint64_t)t->decision << 32 | (uint32_t)i);
    *count = 0;
    for (uint32_t k = 0; k < steps; k++, bits >>= RANDOM_BITS) {
        if (!pushed && ranks[k] >= ranks[steps]) continue;
        const uint32_t random = (uint32_t)(bits & ((1u << RANDOM_BITS) - 1));
        const uint32_t key = (ranks[k] << HINDRANCE_BITS | hindrance(t, i, cells[k])) << RANDOM_BITS | random;
        uint32_t at = (*count)++;
        for (; at > 0 && ways[at - 1].key > key; at--) ways[at] = ways[at - 1];
        ways[at] = (way){cells[k], key};
    }
    return true;
}

static bool claim_best_step(wend__traffic *t, int32_t i, const way *ways, uint32_t count, uint32_t depth);

/* Makes the holder of a place leave it for an agent that has claimed it. */
static bool make_leave(wend__traffic *t, int32_t pusher, wend_cell place, int32_t holder, uint32_t depth) {
    way ways[WEND__MOST_STEPS];
    uint32_t count;
    if (depth == DEEPEST) return false;
    if (!list_ways(t, holder, true, ways, &count)) return wend__traffic_push(t, pusher, place, holder);
    return claim_best_step(t, holder, ways, count, depth + 1);
}

/* Takes the best step that the agent can get. */
static bool claim_best_step(wend__traffic *t, int32_t i, const way *ways, uint32_t count, uint32_t depth) {
    const uint32_t before = t->claimed_count;
    wend__work_spend(t->work, WEND__WORK_CHECK);
    for (uint32_t k = 0; k < count; k++) {
        const int32_t blocker = wend__traffic_blocker(t, i, ways[k].to);
        if (blocker < WEND__BLOCKER_NONE) continue;
        wend__traffic_claim(t, i, ways[k].to);
        if (blocker == WEND__BLOCKER_NONE || make_leave(t, i, ways[k].to, blocker, depth)) return true;
        wend__traffic_unclaim(t, before);
    }
    t->priorities[i].refused_in = t->decision;
    return false;
}

bool wend__traffic_inherit(wend__traffic *t, int32_t root) {
    way ways[WEND__MOST_STEPS];
    uint32_t count;
    if (!list_ways(t, root, false, ways, &count)) return false;
    if (wend__work_begin(t->work, t->agents[root].urgency > 0, WEND__WORK_CHECK))
        (void)claim_best_step(t, root, ways, count, 0);
    return true;
}
