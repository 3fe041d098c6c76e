/* SPDX-License-Identifier: MIT */
/* The path that the general engine delivers, and the nodes that it closed. */
#include "search/general/general_astar.h"

#include "search/general/general_nodes.h"
#include "search/store/candidate.h"

/* Returns the cost of the path to a node. With an inconsistent estimate a node on the path may have become cheaper
 * without the nodes after it being relaxed, so the steps are added up, with the present occupants. */
static uint64_t cost_to(const wend__search *s, uint32_t id) {
    const bool once = wend__general_of(s)->strict && wend__general_of(s)->occupied == WEND_OCCUPIED_IGNORE;
    if (once || wend__general_is_consistent(s)) return wend__general_node_of(s->pool, id)->g;
    uint64_t cost = 0;
    for (uint32_t parent; (parent = wend__general_node_of(s->pool, id)->parent) != id; id = parent)
        cost += wend__search_price(s, wend__general_cell(s, parent), wend__general_cell(s, id));
    return cost;
}

static void measure_path(wend__search *s, uint32_t id) {
    wend__general_of(s)->end_id = id;
    s->cost = cost_to(s, id);
    s->steps = 0;
    for (uint32_t parent; (parent = wend__general_node_of(s->pool, id)->parent) != id; id = parent) s->steps++;
}

bool wend__general_take_nearest(wend__search *s) {
    if (!wend__general_of(s)->nearest || wend__general_of(s)->near_id == WEND__NONE) return false;
    measure_path(s, s->best != UINT64_MAX ? wend__general_of(s)->goal_id : wend__general_of(s)->near_id);
    return true;
}

void wend__general_finish(wend__search *s) {
    const bool arrived = s->best != UINT64_MAX,
               near = wend__general_of(s)->nearest && wend__general_of(s)->near_id != WEND__NONE;
    s->status = arrived ? WEND_STATUS_FOUND : near ? WEND_STATUS_PARTIAL : WEND_STATUS_NO_PATH;
    if (arrived || near) measure_path(s, arrived ? wend__general_of(s)->goal_id : wend__general_of(s)->near_id);
}

void wend__general_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    uint32_t id = wend__general_of(s)->end_id;
    if (s->steps == 0 && count > 0) *out = s->start; /* also if no search was needed */
    if (s->steps == 0) return;
    for (uint64_t i = s->steps;; i--) {
        if (i < count) out[i] = wend__general_cell(s, id);
        if (i == 0) break;
        id = wend__general_node_of(s->pool, id)->parent;
    }
}

void wend__general_expanded(const wend__search *s, wend__cell_list *list) {
    uint32_t page = s->pages.first;
    for (uint32_t i = 0; i < s->active_pages; i++, page = s->pool->pages[page].next) {
        if (s->pool->pages[page].part == WEND__TOLL_PART) continue;
        for (uint32_t id = page << 12; id < (page << 12) + 1024; id++)
            if (wend__general_node_of(s->pool, id)->open == 0) wend__cell_list_add(list, wend__general_cell(s, id));
    }
}

/* ---- the path of a running search ---- */

static bool read_candidate(const wend__search *s, uint32_t id, wend__candidate *out) {
    const wend__general_node *node = wend__general_node_of(s->pool, id);
    if (node->open != 1) return false;
    const wend_cell cell = wend__general_cell(s, id);
    *out = (wend__candidate){cell, id, node->g, wend__heuristic_left(&wend__general_of(s)->heuristic, cell)};
    return true;
}

void wend__general_leads(wend__search *s, wend__candidate_best *best) {
    best->read = read_candidate;
    if (wend__general_of(s)->strict)
        wend__candidate_offer_strict(best);
    else
        wend__candidate_offer_list(best);
    const uint32_t goal = wend__general_of(s)->goal_id;
    if (s->best != UINT64_MAX)
        wend__candidate_offer(best, &(wend__candidate){wend__general_cell(s, goal), goal, s->best, 0});
}

int wend__general_back(const wend__search *s, wend__candidate *at) {
    const uint32_t parent = wend__general_node_of(s->pool, at->node)->parent;
    if (parent == at->node) return WEND__HOP_NONE;
    at->node = parent;
    at->cell = wend__general_cell(s, parent);
    return WEND__HOP_STEP;
}
