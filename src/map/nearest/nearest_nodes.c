/* SPDX-License-Identifier: MIT */
/* The nearest node of a graph, by straight distance: visits all nodes, 64 at a time, from those numbered like a goal
 * on. Nodes of similar numbers mostly lie close to each other, so few of the 64 are checked one by one. */
#include "map/kinds/graph.h"
#include "map/nearest/nearest.h"
#include "map/regions/regions.h"

/* Prices, in points. */
enum { WORD = 8, NODE = 3, GOAL = 6, BOX = 8 };

/* The last component that was compared. */
typedef struct component_known {
    uint32_t component;
    bool wanted;
} component_known;

static void try_node(wend__nearest *n, const wend__nearest_query *query, component_known *known, uint32_t node) {
    const uint32_t component = wend__node_component(n->view->regions->nodes, node);
    n->points += NODE;
    if (component != known->component) *known = (component_known){component, wend__nearest_wants(n, component)};
    if (!known->wanted) return;
    const wend_cell cell = {(int32_t)node, 0, 0};
    const wend__nearness nearness = wend__nearness_to(n->view, query->goals, query->goal_count, cell);
    n->points += (uint64_t)GOAL * query->goal_count;
    wend__nearest_consider(n, query, nearness, cell);
}

static int32_t clamp_to(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Returns true if one of 64 nodes may be as near as the best so far. */
static bool may_hold(wend__nearest *n, const wend__nearest_query *query, uint32_t word) {
    const wend__graph *graph = n->view->graph;
    const wend_box *box = wend__graph_box(graph, word);
    if (!n->found) return true;
    n->points += (uint64_t)BOX * query->goal_count;
    for (uint32_t i = 0; i < query->goal_count; i++) {
        const wend_cell goal = graph->coordinates[query->goals[i].x];
        const wend_cell place = {clamp_to(goal.x, box->min.x, box->max.x), clamp_to(goal.y, box->min.y, box->max.y),
                                 clamp_to(goal.z, box->min.z, box->max.z)};
        if (!wend__nearer(n->nearness, wend__square_distance(place, goal))) return true;
    }
    return false;
}

/* Returns the i-th word of nodes, to both sides of one. */
static uint32_t nth_word(uint32_t nth, uint32_t first, uint32_t words) {
    const uint32_t both = 2 * (first < words - 1 - first ? first : words - 1 - first), away = (nth + 1) / 2;
    if (nth <= both) return nth % 2 ? first + away : first - away;
    return first < words - 1 - first ? nth : words - 1 - nth;
}

bool wend__nearest_of_nodes(wend__nearest *n, const wend__nearest_query *query, uint64_t points) {
    const wend__node_regions *nodes = n->view->regions->nodes;
    const uint32_t words = (n->view->graph->nodes + 63) / 64, first = (uint32_t)query->goals[0].x / 64;
    component_known known = {UINT32_MAX, false};
    for (; n->words_done < words; n->words_done++) {
        if (n->points >= points) return false;
        const uint32_t word = nth_word(n->words_done, first, words);
        n->points += WORD;
        const uint64_t open = wend__nodes_open(nodes, word);
        if (open == 0 || !may_hold(n, query, word)) continue;
        for (uint64_t left = open; left; left &= left - 1) try_node(n, query, &known, word << 6 | wend__ctz64(left));
    }
    return true;
}
