/* SPDX-License-Identifier: MIT */
/* Decides which agents step, in which order they choose, and moves the agents in their way. */
#include "agents/manners/traffic_state.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"

/* ---- order ---- */

static int32_t urgency_of(const wend__traffic *t, int32_t i) {
    return wend__most(t->agents[i].urgency, t->priorities[i].inherited);
}

/// Bits of a sort key: the highest 11 are for the urgency.
enum {
    INDEX_BITS = 20,
    NEAR_BITS = 5,
    SINCE_BITS = 28,
    SINCE_MOST = (1 << SINCE_BITS) - 2, ///< the last decision's value plus 1 fits, as lend_priority() adds one
    FAR = (1 << NEAR_BITS) - 1          ///< steps left from which a goal is not near
};

/// How many agents ahead of the current one its own data is prefetched, and what lies at its cells.
enum { OWN = 16, CELLS = 8 };

static int32_t agent_of(uint64_t key) {
    return (int32_t)(key & ((1u << INDEX_BITS) - 1));
}

/* Returns the sort key, lower first: steered, urgency, the decision in which the goal began, how near it was, index.
 * Goals that began more than 2^28 decisions ago count as equally old. */
static uint64_t order_of(const wend__traffic *t, int32_t i) {
    const uint32_t oldest = t->decision > SINCE_MOST ? t->decision - SINCE_MOST : 0;
    const wend__traffic_priority *priority = &t->priorities[i];
    const uint64_t since = priority->since > oldest ? priority->since - oldest : 0;
    uint64_t key = t->agents[i].steered ? 0 : (uint64_t)(1 + WEND__URGENCY_MOST - urgency_of(t, i));
    key = key << SINCE_BITS | since;
    key = key << NEAR_BITS | priority->near;
    return key << INDEX_BITS | (uint64_t)i;
}

static void begin_step(wend__traffic *t, int32_t i, wend_cell to) {
    wend__traffic_agent *agent = &t->agents[i];
    agent->pushed = !wend__same_cell(to, agent->next);
    agent->moved = 1;
    agent->ready = 0;
    agent->waited = 0;
    agent->from = agent->at;
    agent->at = to;
}

void wend__traffic_end_goal(wend__traffic *t, uint32_t index) {
    t->priorities[index].since = 0;
    t->priorities[index].inherited = -WEND__URGENCY_MOST;
}

/* Begins the priority of an agent. Among goals begun together, the farthest go first: agents that arrive early block
 * the others (LaCAM; Okumura 2023). */
static void begin_goal(wend__traffic *t, int32_t i) {
    wend_cell ahead[FAR];
    t->priorities[i].since = t->decision;
    t->priorities[i].near = (uint8_t)(FAR - t->ahead(t->context, (uint32_t)i, ahead, FAR));
}

/* Returns whether an agent wants a step. Its priority begins with its goal. Ghosts step at once. */
static bool wants_step(wend__traffic *t, int32_t i) {
    wend__traffic_agent *agent = &t->agents[i];
    if (!agent->present) return false;
    if (agent->ready != WEND__READY) return false;
    if (wend__same_cell(agent->next, agent->at)) {
        if (!agent->has_goal) wend__traffic_end_goal(t, (uint32_t)i);
        agent->waited = 0;
        return false;
    }
    if (!t->priorities[i].since) begin_goal(t, i);
    if (!agent->ghost) return true;
    t->claimed[t->capacity - ++t->ghost_count] = i;
    begin_step(t, i, agent->next);
    return false;
}

/* Sorts by all bits but the index, as the input is in that order. One radix pass for each byte in which keys differ. */
static void sort_order(wend__traffic *t, uint32_t count) {
    uint64_t *from = t->order, *to = t->scratch, differ = 0;
    for (uint32_t k = 1; k < count; k++) differ |= from[k] ^ from[0];
    for (unsigned shift = INDEX_BITS; shift < 64; shift += 8) {
        uint32_t starts[256] = {0}, sum = 0;
        if (!(differ >> shift & 255)) continue;
        for (uint32_t k = 0; k < count; k++) starts[from[k] >> shift & 255]++;
        for (int digit = 0; digit < 256; digit++) {
            uint32_t of_this = starts[digit];
            starts[digit] = sum;
            sum += of_this;
        }
        for (uint32_t k = 0; k < count; k++) to[starts[from[k] >> shift & 255]++] = from[k];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    t->order = from;
    t->scratch = to;
}

/* Counts for each cell how many agents want to step there. */
static void count_wanted(wend__traffic *t, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        WEND__PREFETCH(&t->agents[agent_of(t->order[WEND__AHEAD(k, OWN, count)])].next);
        uint8_t *wanted = wend__traffic_wanted(t, t->agents[agent_of(t->order[k])].next);
        *wanted = (uint8_t)(*wanted + (*wanted < UINT8_MAX));
    }
}

/* Resets all counts; only counts that are not 0 are written. */
static void forget_wanted(wend__traffic *t, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) *wend__traffic_wanted(t, t->agents[agent_of(t->order[k])].next) = 0;
}

static uint32_t put_in_order(wend__traffic *t, const uint32_t *candidates, uint32_t candidate_count) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < candidate_count; k++)
        if (wants_step(t, (int32_t)candidates[k])) t->order[count++] = order_of(t, (int32_t)candidates[k]);
    sort_order(t, count);
    return count;
}

/* Clears the moves of the last decision. */
static void clear_moves(wend__traffic *t) {
    for (uint32_t k = 0; k < t->moved_count; k++) t->agents[t->claimed[k]].moved = 0;
    for (uint32_t k = 1; k <= t->ghost_count; k++) t->agents[t->claimed[t->capacity - k]].moved = 0;
    t->moved_count = t->ghost_count = 0;
}

/* Prefetches an agent, and what a step of another one reads at its cells. */
WEND__INLINE void prefetch(const wend__traffic *t, int32_t own, int32_t other) {
    const wend__traffic_agent *agent = &t->agents[other];
    const wend_cell at = agent->at, to = agent->next;
    WEND__PREFETCH(&t->agents[own].at);
    WEND__PREFETCH(&t->agents[own].root);
    WEND__PREFETCH(&t->priorities[own]);
    WEND__PREFETCH(wend__places_held(&t->places, own));
    wend__places_prefetch(&t->places, at);
    wend__places_prefetch(&t->places, to);
    wend__occupancy_prefetch(t->map->occupancy, at);
    wend__occupancy_prefetch(t->map->occupancy, to);
    if (at.x == to.x || at.y == to.y) return;
    wend__places_prefetch(&t->places, (wend_cell){at.x, to.y, to.z}); /* steps across a diagonal end there */
    wend__places_prefetch(&t->places, (wend_cell){to.x, at.y, to.z});
}

/* ---- claims ---- */

void wend__traffic_claim(wend__traffic *t, int32_t i, wend_cell to) {
    WEND__DEBUG_ASSERT(i == t->root || !wend__traffic_spares(t, t->root, i));
    wend__places_claim(&t->places, i, to);
    t->agents[i].root = t->root;
    t->claimed[t->claimed_count++] = i;
}

void wend__traffic_unclaim(wend__traffic *t, uint32_t count) {
    while (t->claimed_count > count) wend__places_unclaim(&t->places, t->claimed[--t->claimed_count]);
}

/* Pushes all agents out of the place that an agent has claimed. Large agents may cover several. */
static bool push_all(wend__traffic *t, int32_t i, wend_cell to) {
    wend_cell last = wend__traffic_last(t, to, t->agents[i].size), c;
    WEND__EACH_CELL(c, to, last) {
        int32_t j = wend__places_at(&t->places, c).holder;
        if (j < 0 || j == i || wend__traffic_moves(t, j)) continue;
        if (!wend__traffic_push(t, i, to, j)) return false;
    }
    return true;
}

/* Returns whether the blocker walks the same way. Then its step is decided first, with the priority of i. */
static bool is_in_front(const wend__traffic *t, int32_t i, int32_t blocker) {
    if (blocker < 0 || t->impatient) return false;
    const wend__traffic_agent *leader = &t->agents[blocker];
    return !wend__same_cell(leader->next, leader->at) && wend__moves_same_way(t, i, t->agents[i].next, blocker);
}

/* Rolls back all claims made after index `before`; they may not be pushed again in this decision. */
static void roll_back(wend__traffic *t, uint32_t before) {
    for (uint32_t k = before; k < t->claimed_count; k++) t->priorities[t->claimed[k]].refused_in = t->decision;
    wend__traffic_unclaim(t, before);
}

/* The push chain ended without a free cell, so every agent in it is blocked by root or by an agent that root
 * follows. The one with the highest priority among them inherits that of root, and goes first until its goal ends
 * (priority inheritance; Okumura et al. 2022). Returns false if none of them has a goal. */
static bool lend_priority(wend__traffic *t, int32_t root) {
    int32_t best = -1;
    for (uint32_t n = 0; n < t->push_count; n++) {
        int32_t j = t->push_nodes[n].blocker;
        if (j < 0 || !t->priorities[j].since || t->priorities[j].refused_in == t->decision) continue;
        if (order_of(t, j) > order_of(t, root) && (best < 0 || order_of(t, j) < order_of(t, best))) best = j;
    }
    if (best < 0) return false;
    wend__traffic_priority *low = &t->priorities[root], *high = &t->priorities[best];
    const uint32_t since = low->since;
    high->inherited = urgency_of(t, root);
    low->since = high->since + 1;
    high->since = since;
    high->near = low->near;
    return true;
}

/* Forbids steps to all agents that the last push reached, so that agents in the first one's way come to rest. */
static void hold_still(wend__traffic *t) {
    for (uint32_t n = 0; n < t->push_count; n++)
        if (t->push_nodes[n].blocker >= 0) t->priorities[t->push_nodes[n].blocker].refused_in = t->decision;
}

/* Returns whether a disc waits for a place that nobody else holds: an agent that claims it, or goes past it on a
 * diagonal, is soon gone. Followers do not wait, as those round their target stay. */
static bool waits_for_place(const wend__traffic *t, int32_t i, int32_t holder) {
    enum { WAITS_FOR = 6 }; /* decisions */
    const wend__traffic_agent *agent = &t->agents[i];
    return agent->body && !agent->follows && agent->waited < WAITS_FOR && holder < 0;
}

/* Returns whether a blocked agent looks for a better step than to wait: not behind an agent that moves at its pace. A
 * much slower one is passed, also by the first in order. */
static bool may_side_step(const wend__traffic *t, int32_t i) {
    bool several;
    const int32_t holder = wend__traffic_other_holder(t, (uint32_t)i, t->agents[i].next, &several);
    const bool rests = holder >= 0 && wend__same_cell(t->agents[holder].from, t->agents[holder].at);
    if (waits_for_place(t, i, holder)) return false;
    if (holder < 0 || rests) return !t->foremost;
    return 4 * (uint64_t)t->speeds[holder] <= 3 * (uint64_t)t->speeds[i];
}

/* Grants an agent its step, if no agent of higher priority is in the way. Either all agents in front of it that walk
 * the same way step, too, or no one does. */
static void grant(wend__traffic *t, int32_t root, bool is_first) {
    uint32_t before = t->claimed_count;
    int32_t i = root;
    t->root = root;
    t->chain_begin = before;
    const bool steered = t->agents[root].steered;
    t->foremost = steered || is_first;
    t->impatient = steered || (is_first && t->agents[root].waited >= WEND__IMPATIENT_AFTER);
    int32_t blocker = wend__traffic_blocker(t, root, t->agents[root].next);
    if (blocker != WEND__BLOCKER_NONE && wend__traffic_pass(t, root)) return;
    if (blocker != WEND__BLOCKER_NONE && may_side_step(t, root) && wend__traffic_inherit(t, root)) return;
    for (;; blocker = wend__traffic_blocker(t, i, t->agents[i].next)) {
        wend_cell to = t->agents[i].next;
        if (blocker <= WEND__BLOCKER_LATER) break;
        wend__traffic_claim(t, i, to);
        if (blocker == WEND__BLOCKER_NONE) return;
        if (!is_in_front(t, i, blocker)) {
            if (push_all(t, i, to)) return;
            if (!t->push_deferred && !steered && lend_priority(t, root)) {
                wend__traffic_unclaim(t, before);
                return;
            }
            if (t->push_deferred && t->impatient) hold_still(t);
            roll_back(t, before);
            return;
        }
        i = blocker;
    }
    t->priorities[i].refused_in = t->decision;
    roll_back(t, before);
}

/* ---- planned steps ---- */

void wend__traffic_set_window(wend__traffic *t, const wend__window_cells *cells) {
    t->window = cells;
    t->planned_count = 0;
}

void wend__traffic_plan(wend__traffic *t, const uint32_t *indices, uint32_t count) {
    t->planned = indices;
    t->planned_count = count;
}

/* Returns whether the place and the way of a planned step will be free. */
static bool is_free_for(const wend__traffic *t, int32_t i) {
    const wend_cell to = t->agents[i].next;
    const int32_t j = wend__places_at(&t->places, to).holder;
    const uint32_t own = j >= 0 && t->priorities[j].counted;
    if ((j >= 0 && !wend__traffic_moves(t, j)) || wend__map_occupants(t->map, to) > own) return false;
    if (t->discs && wend__traffic_is_corner(t, t->version, (uint32_t)i, to)) return false;
    return !wend__traffic_crosses_corner(t, i, to) && !wend__traffic_touches(t, i, to);
}

/* Grants the planned steps, apart from those that something is in the way of. No two lead to the same cell. */
static void grant_planned(wend__traffic *t) {
    bool again = true;
    for (uint32_t k = 0; k < t->planned_count; k++) {
        t->root = (int32_t)t->planned[k];
        wend__traffic_claim(t, t->root, t->agents[t->root].next);
    }
    while (again) {
        again = false;
        for (uint32_t k = t->claimed_count; k-- > 0;) {
            if (is_free_for(t, t->claimed[k])) continue;
            wend__places_unclaim(&t->places, t->claimed[k]);
            t->claimed[k] = t->claimed[--t->claimed_count];
            again = true;
        }
    }
    t->planned_count = 0;
}

/* Returns the holder of a cell of an agent's next place whose step has no number yet; -1: none.
 * @param k   the first of these cells to look at; receives the one after that */
static int32_t find_unnumbered(const wend__traffic *t, int32_t i, int32_t *k) {
    const wend__held_place *next = wend__places_claimed(&t->places, i);
    while (*k < next->size * next->size) {
        const wend_cell at = {next->cell.x + *k % next->size, next->cell.y + *k / next->size, next->cell.z};
        const int32_t holder = wend__places_at(&t->places, at).holder;
        ++*k;
        if (holder >= 0 && wend__traffic_moves(t, holder) && t->agents[holder].turn == 0) return holder;
    }
    return -1;
}

/* Numbers the steps: an agent that leaves a cell comes before the one that enters it. */
static void number_steps(wend__traffic *t) {
    enum { CELL = 32 }; /* bits below those of the next cell to look at */
    if (!t->discs || !wend__bodies_any(t->discs)) return;
    for (uint32_t k = 0; k < t->claimed_count; k++) t->agents[t->claimed[k]].turn = 0;
    for (uint32_t k = 0; k < t->claimed_count; k++) {
        uint32_t depth = 0;
        if (t->agents[t->claimed[k]].turn == 0) t->scratch[depth++] = (uint64_t)t->claimed[k];
        while (depth > 0) {
            const int32_t i = (int32_t)(uint32_t)t->scratch[depth - 1];
            int32_t cell = (int32_t)(t->scratch[depth - 1] >> CELL);
            t->agents[i].turn = UINT32_MAX; /* on the chain */
            const int32_t before = find_unnumbered(t, i, &cell);
            t->scratch[depth - 1] = (uint64_t)(uint32_t)i | (uint64_t)cell << CELL;
            if (before >= 0)
                t->scratch[depth++] = (uint64_t)before;
            else
                t->agents[t->scratch[--depth] & UINT32_MAX].turn = ++t->turns;
        }
    }
}

/* Begins the steps that were claimed. All units are uncounted before any is counted again. */
static void begin_claimed(wend__traffic *t) {
    const uint32_t count = t->claimed_count;
    number_steps(t);
    for (uint32_t k = 0; k < count; k++) {
        prefetch(t, t->claimed[WEND__AHEAD(k, OWN, count)], t->claimed[WEND__AHEAD(k, CELLS, count)]);
        wend__traffic_discount(t, t->claimed[k], t->agents[t->claimed[k]].at);
    }
    for (uint32_t k = 0; k < count; k++) {
        int32_t i = t->claimed[k];
        prefetch(t, t->claimed[WEND__AHEAD(k, OWN, count)], t->claimed[WEND__AHEAD(k, CELLS, count)]);
        wend__places_settle(&t->places, i);
        begin_step(t, i, wend__places_held(&t->places, i)->cell);
        wend__traffic_count(t, i, t->agents[i].at);
    }
    t->moved_count = t->claimed_count;
    t->claimed_count = 0;
}

const int32_t *wend__traffic_moved(const wend__traffic *t, uint32_t *count) {
    *count = t->moved_count;
    return t->claimed;
}

void wend__traffic_decide(wend__traffic *t, const wend__version *version, const uint32_t *candidates,
                          uint32_t candidate_count, wend__work *work, wend__ahead_fn *ahead, wend__rank_fn *rank,
                          void *context) {
    t->version = version;
    t->work = work;
    t->ahead = ahead;
    t->rank = rank;
    t->context = context;
    t->decision++;
    clear_moves(t);
    if (t->planned_count > 0) grant_planned(t);
    const uint32_t count = put_in_order(t, candidates, candidate_count);
    count_wanted(t, count);
    bool is_first = true; /* among the agents that are not steered */
    for (uint32_t k = 0; k < count; k++) {
        int32_t i = agent_of(t->order[k]);
        prefetch(t, agent_of(t->order[WEND__AHEAD(k, OWN, count)]), agent_of(t->order[WEND__AHEAD(k, CELLS, count)]));
        const bool steered = t->agents[i].steered, first = is_first && !steered;
        is_first = is_first && steered;
        if (wend__traffic_moves(t, i)) continue;
        t->agents[i].waited++;
        if (t->priorities[i].refused_in != t->decision) grant(t, i, first);
    }
    forget_wanted(t, count);
    begin_claimed(t);
    t->version = NULL;
}
