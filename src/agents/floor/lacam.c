/* SPDX-License-Identifier: MIT */
/* The search goes depth first over nodes, which are the cells of all agents at once. PIBT (Okumura et al. 2022) makes
 * the first step from a node; each later try forces some agents to other steps, and PIBT moves the rest. */
#include "agents/floor/lacam.h"

#include "base/hash.h"

#include <string.h>

enum { STRAIGHT = 2, DIAGONAL = 3, FAR = UINT16_MAX, WAYS = WEND__DIRECTIONS + 1, MOST_TRIES = 4 * WEND__LACAM_NODES };

struct wend__lacam_node {
    wend__lacam_node *parent; ///< for a node of a solution: the previous one
    uint32_t depth;           ///< steps from the first node
    uint32_t tried;           ///< number of constraints tried
    int16_t next_in_bucket;   ///< next node of the bucket; -1: none
    uint8_t of[];             ///< the agents' cells; then the agents in the order of their priority
};

/* ---- memory ---- */

static size_t node_bytes(uint32_t agents) {
    return (sizeof(wend__lacam_node) + 2 * (size_t)agents + 7) & ~(size_t)7;
}

static size_t distance_bytes(uint32_t agents) {
    return ((size_t)agents * WEND__LACAM_CELLS * sizeof(uint16_t) + 7) & ~(size_t)7;
}

static size_t head_bytes(void) {
    return (sizeof(wend__lacam) + 7) & ~(size_t)7;
}

size_t wend__lacam_bytes(uint32_t agents) {
    return head_bytes() + distance_bytes(agents) + WEND__LACAM_NODES * node_bytes(agents) +
           MOST_TRIES * sizeof(uint16_t);
}

wend__lacam *wend__lacam_init(void *memory, uint32_t agents) {
    uint8_t *rest = memory;
    wend__lacam *l = memory;
    memset(l, 0, sizeof *l);
    l->most_agents = agents;
    l->distances = (uint16_t *)(void *)(rest + head_bytes());
    l->nodes = rest + head_bytes() + distance_bytes(agents);
    l->open = (uint16_t *)(void *)(l->nodes + WEND__LACAM_NODES * node_bytes(agents));
    return l;
}

static wend__lacam_node *node_at(const wend__lacam *l, uint32_t number) {
    return (wend__lacam_node *)(void *)(l->nodes + number * node_bytes(l->most_agents));
}

static uint8_t *order_of(const wend__lacam *l, wend__lacam_node *node) {
    return node->of + l->agent_count;
}

/* ---- distances ---- */

static uint16_t *distances_of(const wend__lacam *l, uint32_t agent) {
    return l->distances + (size_t)agent * WEND__LACAM_CELLS;
}

static bool leads(const wend__lacam *l, uint8_t cell, unsigned direction) {
    return l->cells[cell].steps >> direction & 1;
}

/* Computes the distances to a goal from all cells, against the steps, with a queue of cells with decreased distance. */
static void measure(const wend__lacam *l, uint8_t goal, uint16_t *distances) {
    uint8_t queue[WEND__LACAM_CELLS + 1];
    bool queued[WEND__LACAM_CELLS] = {false};
    uint32_t first = 0, count = 1;
    for (uint32_t c = 0; c < l->cell_count; c++) distances[c] = FAR;
    queue[0] = goal;
    distances[goal] = 0;
    while (count > 0) {
        const uint8_t cell = queue[first];
        first = (first + 1) % (WEND__LACAM_CELLS + 1);
        count--;
        queued[cell] = false;
        for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
            const uint8_t near = l->cells[cell].neighbours[d];
            if (near == WEND__LACAM_NONE || !leads(l, near, wend__opposite(d))) continue;
            if (l->cells[near].neighbours[wend__opposite(d)] != cell) continue; /* over a seam it leads elsewhere */
            const uint16_t sum = (uint16_t)(distances[cell] + (d < WEND__NE ? STRAIGHT : DIAGONAL));
            if (sum >= distances[near]) continue;
            distances[near] = sum;
            if (queued[near]) continue;
            queued[near] = true;
            queue[(first + count++) % (WEND__LACAM_CELLS + 1)] = near;
        }
    }
}

/* Returns how much it costs an agent to be on a cell, when it comes from `from`. */
static uint32_t cost_of(const wend__lacam *l, uint8_t agent, uint8_t from, uint8_t cell) {
    if (l->agents[agent].goal == WEND__LACAM_NONE) return from != cell;
    return distances_of(l, agent)[cell];
}

/* ---- nodes ---- */

static bool is_content(const wend__lacam *l, uint32_t agent, uint8_t cell) {
    return l->agents[agent].goal == WEND__LACAM_NONE || l->agents[agent].goal == cell;
}

static bool is_solution(const wend__lacam *l, const uint8_t *of) {
    for (uint32_t i = 0; i < l->agent_count; i++)
        if (l->agents[i].must && of[i] != l->agents[i].goal) return false;
    return true;
}

static int16_t *bucket_of(wend__lacam *l, const uint8_t *of) {
    return &l->buckets[wend__mix64(wend__hash_bytes(WEND__HASH_START, of, l->agent_count)) % WEND__LACAM_NODES];
}

/* Returns the number of the node with these cells; -1: there is none. */
static int32_t find_node(wend__lacam *l, const uint8_t *of) {
    int32_t n = *bucket_of(l, of);
    while (n >= 0 && memcmp(node_at(l, (uint32_t)n)->of, of, l->agent_count) != 0)
        n = node_at(l, (uint32_t)n)->next_in_bucket;
    return n;
}

/* Returns a new node without an order. */
static wend__lacam_node *add_node(wend__lacam *l, const uint8_t *of, wend__lacam_node *parent) {
    const uint32_t number = l->node_count++;
    wend__lacam_node *node = node_at(l, number);
    int16_t *bucket = bucket_of(l, of);
    node->parent = parent;
    node->depth = parent ? parent->depth + 1 : 0;
    node->tried = 0;
    node->next_in_bucket = *bucket;
    *bucket = (int16_t)number;
    memcpy(node->of, of, l->agent_count);
    l->open[l->open_count++] = (uint16_t)number;
    return node;
}

/* Writes the order of a node: its parent's, agents off their goals first, so their priority rises until they arrive. */
static void write_order(const wend__lacam *l, wend__lacam_node *node) {
    const uint8_t *before = order_of(l, node->parent);
    uint8_t *order = order_of(l, node);
    uint32_t count = 0;
    for (int content = 0; content < 2; content++)
        for (uint32_t k = 0; k < l->agent_count; k++)
            if (is_content(l, before[k], node->of[before[k]]) == content) order[count++] = before[k];
}

/* Writes the order of the first node: agents that must get to their goals first, farthest first, then the others. */
static void write_first_order(const wend__lacam *l, wend__lacam_node *node) {
    uint8_t *order = order_of(l, node);
    uint32_t keys[WEND__LACAM_AGENTS];
    for (uint32_t i = 0; i < l->agent_count; i++) {
        const wend__lacam_agent *agent = &l->agents[i];
        const uint32_t far = agent->goal == WEND__LACAM_NONE ? 0 : distances_of(l, i)[agent->start];
        const uint32_t key = (uint32_t)agent->must << 16 | far;
        uint32_t k = i;
        for (; k > 0 && keys[k - 1] < key; k--) keys[k] = keys[k - 1], order[k] = order[k - 1];
        keys[k] = key;
        order[k] = (uint8_t)i;
    }
}

/* ---- one step by all agents ---- */

/* Returns true if a step would close a circle of agents, each of which moves to the next one's cell. */
static bool closes_circle(const wend__lacam *l, uint8_t from, uint8_t to) {
    for (uint8_t other = l->holder[to]; other != WEND__LACAM_NONE; other = l->holder[to]) {
        if (l->next[other] == WEND__LACAM_NONE || l->next[other] == to) return false;
        to = l->next[other];
        if (to == from) return true;
    }
    return false;
}

/* Returns true if a step would swap with a claimed one, or cross one between two corners. */
static bool crosses(const wend__lacam *l, uint8_t from, uint8_t to, unsigned direction) {
    static const uint8_t corners[][2] = {
        {WEND__N, WEND__E}, {WEND__S, WEND__E}, {WEND__S, WEND__W}, {WEND__N, WEND__W}};
    const uint8_t other = l->holder[to];
    if (other != WEND__LACAM_NONE && l->next[other] == from) return true;
    if (direction < WEND__NE) return false;
    const uint8_t *neighbours = l->cells[from].neighbours, *pair = corners[direction - WEND__NE];
    const uint8_t a = neighbours[pair[0]], b = neighbours[pair[1]];
    if (a == WEND__LACAM_NONE || b == WEND__LACAM_NONE) return false;
    return (l->claimer[b] != WEND__LACAM_NONE && l->from[l->claimer[b]] == a) ||
           (l->claimer[a] != WEND__LACAM_NONE && l->from[l->claimer[a]] == b);
}

/// A choice of an agent in a step: to go in a direction, or to stay (WEND__DIRECTIONS).
typedef struct way {
    uint32_t key;
    uint8_t direction, to;
} way;

static bool claim(wend__lacam *l, uint8_t agent, const way *w) {
    const uint8_t from = l->from[agent];
    if (l->claimer[w->to] != WEND__LACAM_NONE) return false;
    if (w->direction < WEND__DIRECTIONS && crosses(l, from, w->to, w->direction)) return false;
    if (l->no_circles && closes_circle(l, from, w->to)) return false;
    l->next[agent] = w->to;
    l->claimer[w->to] = agent;
    return true;
}

/* Writes the ways of an agent, in the order of directions. Returns their number. */
static uint32_t list_ways(const wend__lacam *l, uint8_t from, way *ways) {
    uint32_t count = 0;
    for (uint32_t steps = l->cells[from].steps; steps; steps &= steps - 1) {
        const uint8_t d = (uint8_t)wend__ctz32(steps);
        ways[count++] = (way){0, d, l->cells[from].neighbours[d]};
    }
    ways[count++] = (way){0, WEND__DIRECTIONS, from};
    return count;
}

/* Returns random bits, others in each try of each search. */
static uint64_t draw_bits(const wend__lacam *l) {
    return wend__mix64((uint64_t)l->searches << 32 | l->tries);
}

/* Writes the steps of an agent, the best first: toward its goal, then onto empty cells, then by chance. */
static uint32_t rank_ways(const wend__lacam *l, uint8_t agent, way *ways) {
    const uint8_t from = l->from[agent];
    const uint32_t count = list_ways(l, from, ways);
    for (uint32_t k = 0; k < count; k++) {
        way w = ways[k];
        const bool held = w.to != from && l->holder[w.to] != WEND__LACAM_NONE;
        const uint64_t seed = draw_bits(l) ^ ((uint64_t)agent << 8 | w.to);
        w.key = cost_of(l, agent, from, w.to) << 9 | (uint32_t)held << 8 | (uint32_t)(wend__mix64(seed) & 0xFF);
        uint32_t j = k;
        for (; j > 0 && ways[j - 1].key > w.key; j--) ways[j] = ways[j - 1];
        ways[j] = w;
    }
    return count;
}

/* ---- swaps in corridors ---- */

/* PIBT alone cannot let two agents pass each other in a corridor, as neither may go away from its goal. So where two
 * have to swap, one pulls the other back to where the corridor widens (LaCAM2; Okumura 2023). */

static uint32_t distance_of(const wend__lacam *l, uint8_t agent, uint8_t cell) {
    return l->agents[agent].goal == WEND__LACAM_NONE ? 0 : distances_of(l, agent)[cell];
}

/* Returns whether a cell is a dead end in which an agent is on its goal. */
static bool is_settled_end(const wend__lacam *l, uint8_t cell) {
    const uint8_t steps = l->cells[cell].steps, agent = l->holder[cell];
    return agent != WEND__LACAM_NONE && l->agents[agent].goal == cell && (steps & (steps - 1)) == 0;
}

/* Counts the ways on from a cell to which one comes from `before`. *on: the last of them. */
static uint32_t count_ways_on(const wend__lacam *l, uint8_t before, uint8_t cell, uint8_t *on) {
    uint32_t count = 0;
    for (uint32_t steps = l->cells[cell].steps; steps; steps &= steps - 1) {
        const uint8_t to = l->cells[cell].neighbours[wend__ctz32(steps)];
        if (to == before || is_settled_end(l, to)) continue;
        *on = to;
        count++;
    }
    return count;
}

/* Returns whether two agents on neighbouring cells have to swap: where the pusher wants to go there is no room to pass
 * until behind its goal, and the pulled one wants to come the other way. */
static bool must_swap(const wend__lacam *l, uint8_t pusher, uint8_t pulled, uint8_t at, uint8_t ahead) {
    for (uint8_t on = ahead; distance_of(l, pusher, ahead) < distance_of(l, pusher, at); at = ahead, ahead = on) {
        const uint32_t ways = count_ways_on(l, at, ahead, &on);
        if (ways >= 2) return false;
        if (ways == 0) break;
    }
    if (distance_of(l, pulled, at) >= distance_of(l, pulled, ahead)) return false;
    return distance_of(l, pusher, at) == 0 || distance_of(l, pusher, ahead) < distance_of(l, pusher, at);
}

/* Returns whether a corridor that leads from a cell over the next one widens somewhere. */
static bool can_swap(const wend__lacam *l, uint8_t from, uint8_t over) {
    const uint8_t origin = from;
    for (uint32_t k = 0; k < l->cell_count && over != origin; k++) { /* one-way steps may form a circle */
        uint8_t on = over;
        const uint32_t ways = count_ways_on(l, from, over, &on);
        if (ways != 1) return ways > 1;
        from = over;
        over = on;
    }
    return false;
}

/* Returns the agent to pull back from its wanted cell: the one on it, or one behind it that would have to swap with it
 * next. WEND__LACAM_NONE: none. */
static uint8_t find_pulled(const wend__lacam *l, uint8_t agent, uint8_t wanted) {
    const uint8_t from = l->from[agent], there = l->holder[wanted];
    if (wanted == from) return WEND__LACAM_NONE;
    if (there != WEND__LACAM_NONE && l->next[there] == WEND__LACAM_NONE && must_swap(l, agent, there, from, wanted) &&
        can_swap(l, wanted, from))
        return there;
    for (uint32_t steps = l->cells[from].steps; steps; steps &= steps - 1) {
        const uint8_t behind = l->holder[l->cells[from].neighbours[wend__ctz32(steps)]];
        if (behind == WEND__LACAM_NONE || l->from[behind] == wanted) continue;
        if (must_swap(l, behind, agent, from, wanted) && can_swap(l, wanted, from)) return behind;
    }
    return WEND__LACAM_NONE;
}

/* Lets an agent follow onto the cell that another leaves, if it is free. */
static void pull(wend__lacam *l, uint8_t agent, uint8_t to) {
    way ways[WAYS];
    if (l->next[agent] != WEND__LACAM_NONE) return;
    for (uint32_t k = list_ways(l, l->from[agent], ways); k-- > 0;)
        if (ways[k].to == to && claim(l, agent, &ways[k])) return;
}

/* Finds a step for an agent, and for the agents that it pushes (PIBT). Returns false if it has to stay. */
static bool move(wend__lacam *l, uint8_t agent) {
    way ways[WAYS];
    const uint32_t count = rank_ways(l, agent, ways);
    const uint8_t pulled = find_pulled(l, agent, ways[0].to);
    for (uint32_t k = 0; k < count; k++) {
        const way *w = &ways[pulled == WEND__LACAM_NONE ? k : count - 1 - k];
        if (!claim(l, agent, w)) continue;
        const uint8_t other = l->holder[w->to];
        if (other != WEND__LACAM_NONE && l->next[other] == WEND__LACAM_NONE && !move(l, other)) continue;
        if (k == 0 && pulled != WEND__LACAM_NONE) pull(l, pulled, l->from[agent]);
        return true;
    }
    l->next[agent] = l->from[agent];
    l->claimer[l->from[agent]] = agent;
    return false;
}

/* Forces the first agents in a node's order to the steps that belong to the number of a try: none in try 0, then each
 * way of the first agent, each pair of ways of the first two, and so on.
 * Returns false if these steps exclude each other; *exhausted: there are no more. */
static bool force_steps(wend__lacam *l, wend__lacam_node *node, uint64_t number, bool *exhausted) {
    const uint8_t *order = order_of(l, node);
    uint64_t on_level = 1;
    uint32_t level = 0;
    way ways[WAYS];
    for (; number >= on_level; level++) {
        number -= on_level;
        *exhausted = level == l->agent_count;
        if (*exhausted) return false;
        on_level *= list_ways(l, node->of[order[level]], ways);
    }
    for (uint32_t k = 0; k < level; k++) {
        const uint32_t count = list_ways(l, node->of[order[k]], ways);
        if (!claim(l, order[k], &ways[number % count])) return false;
        number /= count;
    }
    return true;
}

/* Makes the next step from a node into l->next. Returns false if this try gives none. */
static bool make_step(wend__lacam *l, wend__lacam_node *node, bool *exhausted) {
    l->from = node->of;
    memset(l->next, WEND__LACAM_NONE, sizeof l->next);
    memset(l->holder, WEND__LACAM_NONE, sizeof l->holder);
    memset(l->claimer, WEND__LACAM_NONE, sizeof l->claimer);
    for (uint32_t i = 0; i < l->agent_count; i++) l->holder[node->of[i]] = (uint8_t)i;
    if (!force_steps(l, node, node->tried++, exhausted)) return false;
    const uint8_t *order = order_of(l, node);
    for (uint32_t k = 0; k < l->agent_count; k++)
        if (l->next[order[k]] == WEND__LACAM_NONE && !move(l, order[k])) return false;
    return true;
}

/* ---- the solution ---- */

/* Lists the nodes of the solution by step, where the open ones were. */
static void list_steps(wend__lacam *l) {
    for (const wend__lacam_node *node = l->solution; node; node = node->parent)
        l->open[node->depth] = (uint16_t)((size_t)((const uint8_t *)node - l->nodes) / node_bytes(l->most_agents));
}

static uint8_t *cells_after(const wend__lacam *l, uint32_t step) {
    return node_at(l, l->open[step])->of;
}

/* Lets an agent that comes back to a cell, where no other was in the meantime, stay there. Returns whether it moves less
 * than before. */
static bool shorten(wend__lacam *l, uint32_t agent) {
    uint32_t since[WEND__LACAM_CELLS]; /* the step from which on no other was on a cell where the agent was */
    bool less = false;
    memset(since, UINT8_MAX, sizeof since);
    for (uint32_t step = 0; step <= l->solution->depth; step++) {
        const uint8_t *cells = cells_after(l, step), own = cells[agent];
        for (uint32_t i = 0; i < l->agent_count; i++)
            if (i != agent) since[cells[i]] = UINT32_MAX;
        if (since[own] == UINT32_MAX) since[own] = step;
        for (uint32_t k = since[own] + 1; k < step; k++) {
            uint8_t *before = &cells_after(l, k)[agent];
            if (*before == own) continue;
            since[*before] = UINT32_MAX;
            *before = own;
            less = true;
        }
    }
    return less;
}

static int end_solved(wend__lacam *l, wend__lacam_node *last) {
    l->solution = last;
    list_steps(l);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < l->agent_count; i++) again |= shorten(l, i);
    }
    return WEND__LACAM_SOLVED;
}

/* ---- the search ---- */

void wend__lacam_begin(wend__lacam *l) {
    uint8_t starts[WEND__LACAM_AGENTS];
    for (uint32_t i = 0; i < l->agent_count; i++) {
        wend__lacam_agent *agent = &l->agents[i];
        starts[i] = agent->start;
        if (agent->goal == WEND__LACAM_NONE) continue;
        measure(l, agent->goal, distances_of(l, i));
        if (distances_of(l, i)[agent->start] == FAR) agent->goal = WEND__LACAM_NONE, agent->must = false;
    }
    for (uint32_t k = 0; k < WEND__LACAM_NODES; k++) l->buckets[k] = -1;
    l->node_count = l->open_count = l->tries = 0;
    l->searches++;
    l->solution = NULL;
    write_first_order(l, add_node(l, starts, NULL));
    if (is_solution(l, starts)) (void)end_solved(l, node_at(l, 0));
}

int wend__lacam_try(wend__lacam *l) {
    if (l->solution) return WEND__LACAM_SOLVED;
    if (l->open_count == 0 || l->node_count == WEND__LACAM_NODES || l->tries++ == MOST_TRIES - 1)
        return WEND__LACAM_FAILED;
    wend__lacam_node *node = node_at(l, l->open[l->open_count - 1]);
    bool exhausted = false;
    if (!make_step(l, node, &exhausted)) {
        l->open_count -= exhausted;
        return WEND__LACAM_RUNNING;
    }
    const int32_t known = find_node(l, l->next);
    if (known >= 0) {
        const uint64_t chance = draw_bits(l);
        l->open[l->open_count++] = (uint16_t)(chance & 1 ? (uint32_t)known : (uint32_t)(chance >> 32) % l->node_count);
        return WEND__LACAM_RUNNING;
    }
    node = add_node(l, l->next, node);
    write_order(l, node);
    if (!is_solution(l, node->of)) return WEND__LACAM_RUNNING;
    return end_solved(l, node);
}

uint32_t wend__lacam_steps(const wend__lacam *l) {
    return l->solution->depth;
}

const uint8_t *wend__lacam_after(const wend__lacam *l, uint32_t step) {
    return cells_after(l, step);
}
