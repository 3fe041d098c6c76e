/* SPDX-License-Identifier: MIT */
/* Keeps and reads the path of a jump search with stops: from the goal back, a jump or a link at a time. */
#include "fast/jump_stops/stop_search.h"
#include "map/ground/ground.h"
#include "map/store/directions.h"
#include "search/rules/distance.h"
#include "fast/jump_stops/stop_nodes.h"
#include "fast/jump_stops/stop_heuristic.h"
#include "search/store/candidate.h"

static uint32_t start_of(const wend__search *s) {
    return wend__jump_cell(s->start.x, s->start.y);
}

/* The steps from one node to the next: a link is one, a jump goes diagonally and then straight; with 4 neighbours
 * vertically and then horizontally. */
static uint32_t steps_between(const wend__search *s, uint32_t from, uint32_t to, uint8_t flags) {
    const wend__heuristic *h = &wend__stop_of(s)->heuristic;
    const bool round = flags & WEND__STOP_ROUND;
    const uint32_t dx = wend__way_round(wend__distance(wend__jump_x(from), wend__jump_x(to)), round ? h->around_x : 0);
    const uint32_t dy = wend__way_round(wend__distance(wend__jump_y(from), wend__jump_y(to)), round ? h->around_y : 0);
    if (wend__stop_of(s)->four) return dx + dy;
    return flags & WEND__STOP_BY_LINK ? 1 : dx > dy ? dx : dy;
}

static uint64_t cost_between(const wend__search *s, uint32_t from, uint32_t to, uint8_t flags) {
    const wend_cell end = {wend__jump_x(to), wend__jump_y(to), 0};
    wend_cell at = {wend__jump_x(from), wend__jump_y(from), 0};
    if (flags & WEND__STOP_BY_LINK) return wend__search_price(s, at, end);
    uint64_t cost = 0;
    while (at.x != end.x || at.y != end.y) {
        const wend_cell next = {at.x + (end.x > at.x) - (end.x < at.x), at.y + (end.y > at.y) - (end.y < at.y), 0};
        cost += wend__search_price(s, at, next);
        at = next;
    }
    return cost;
}

/* Stores in a node's parent the previous cell, and in its g the place of that cell's node. */
void wend__stop_path_keep(wend__search *s) {
    uint32_t cell = wend__jump_of(s)->goal_cell;
    const bool stirred = wend__search_stirred(s);
    if (stirred) s->cost = 0;
    s->steps = 0;
    for (wend__stop_node *node = &wend__stop_of(s)->goal; cell != start_of(s);) {
        const uint32_t before = node->parent;
        s->steps += steps_between(s, before, cell, node->flags);
        if (WEND__UNLIKELY(stirred)) s->cost += cost_between(s, before, cell, node->flags);
        node->g = before == start_of(s) ? 0 : wend__stop_place_find(s, before); /* the start's node is never read */
        if (before == start_of(s)) break;
        cell = before;
        node = wend__stop_node_at(s, node->g);
    }
}

static void walk_back(const wend__search *s, wend__jump_walk *walk) {
    const wend__stop_node *node = walk->node;
    node = node ? wend__stop_node_at(s, node->g) : &wend__stop_of(s)->goal;
    *walk = (wend__jump_walk){node, node->parent, node->flags & WEND__STOP_BY_LINK, 0, 0};
    if (!(node->flags & WEND__STOP_ROUND)) return;
    walk->around_x = wend__stop_of(s)->heuristic.around_x, walk->around_y = wend__stop_of(s)->heuristic.around_y;
}

/* Returns whether the map has 4 neighbours. A search that was answered at once has not begun, and has no answer. */
static bool has_four(const wend__search *s) {
    return s->steps > 0 && wend__stop_of(s)->four;
}

void wend__stop_path_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    wend__jump_read_cells(s, has_four(s), walk_back, out, count);
}

static bool leads_over_links(const wend__search *s) {
    uint64_t i = s->steps;
    const wend__stop_node *node = &wend__stop_of(s)->goal;
    for (uint32_t cell = wend__jump_of(s)->goal_cell; i > 0;
         cell = node->parent, node = wend__stop_node_at(s, node->g)) {
        if (node->flags & (WEND__STOP_BY_LINK | WEND__STOP_ROUND)) return true;
        i -= steps_between(s, node->parent, cell, 0);
    }
    return false;
}

bool wend__stop_path_directions(const wend__search *s, uint8_t *out) {
    if (s->steps > 0 && wend__stop_of(s)->links && leads_over_links(s)) return false; /* as in has_four() */
    wend__jump_read_directions(s, has_four(s), walk_back, out);
    return true;
}

/* ---- the path of a running search ---- */

static bool read_candidate(const wend__search *s, uint32_t cell, wend__candidate *out) {
    const wend__stop_node *node = wend__stop_node_at(s, wend__stop_place_find(s, cell));
    if (node->flags & WEND__STOP_CLOSED) return false;
    const wend_cell at = {wend__jump_x(cell), wend__jump_y(cell), 0};
    *out = (wend__candidate){at, cell, node->g, wend__stop_estimate(s, at.x, at.y)};
    return true;
}

void wend__stop_path_leads(wend__search *s, wend__candidate_best *best) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    wend__candidate candidate;
    best->read = read_candidate;
    wend__candidate_offer_chains(best, j->jump.far);
    if (j->jump.has_next && read_candidate(s, wend__jump_cell_of(j->jump.next), &candidate))
        wend__candidate_offer(best, &candidate);
    if (s->best == UINT64_MAX) return;
    const wend_cell goal = {wend__jump_x(j->jump.goal_cell), wend__jump_y(j->jump.goal_cell), 0};
    wend__candidate_offer(best, &(wend__candidate){goal, j->jump.goal_cell, s->best, 0});
}

int wend__stop_path_back(const wend__search *s, wend__candidate *at) {
    if (at->node == start_of(s)) return WEND__HOP_NONE;
    const wend__stop_jump_search *j = wend__stop_of(s);
    const bool goal = s->best != UINT64_MAX && at->node == j->jump.goal_cell;
    const wend__stop_node *node = goal ? &j->goal : wend__stop_node_at(s, wend__stop_place_find(s, at->node));
    at->node = node->parent;
    at->cell = (wend_cell){wend__jump_x(at->node), wend__jump_y(at->node), 0};
    if (node->flags & WEND__STOP_BY_LINK) return WEND__HOP_STEP;
    if (node->flags & WEND__STOP_ROUND) return WEND__HOP_ROUND;
    return j->four ? WEND__HOP_TURN : WEND__HOP_JUMP;
}
