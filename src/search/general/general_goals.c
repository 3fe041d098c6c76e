/* SPDX-License-Identifier: MIT */
/* The goals of the general engine: nodes that are goals, the nearest node, goals that move or are taken. */
#include "search/general/general_goals.h"

#include "map/movers/views.h"
#include "map/nearest/nearest.h"
#include "search/general/general_expand.h"
#include "search/general/general_queue.h"

void wend__general_note_goal(wend__search *s, uint32_t id, uint64_t g, uint64_t floor) {
    if (g >= s->best) return;
    s->best = g;
    wend__general_of(s)->goal_id = id;
    wend__general_of(s)->goal_floor = floor;
}

bool wend__general_goals_taken(const wend__search *s) {
    const wend__heuristic *heuristic = &wend__general_of(s)->heuristic;
    if (wend__general_of(s)->occupied != WEND_OCCUPIED_BLOCK || wend__general_of(s)->nearest || heuristic->reach > 0)
        return false;
    for (uint32_t i = 0; i < heuristic->goal_count; i++)
        if (wend__cell_factor(s->view, heuristic->goals[i]) > 0 && !wend__general_occupied(s, heuristic->goals[i]))
            return false;
    return true;
}

/* Note a goal among closed nodes. With a consistent estimate the g of a closed node is final, so
 * if it is the only goal the search is over. Else an open node may still lead to it, or be
 * another goal within reach, for less. */
static void look_for_goal(wend__search *s, wend_cell cell) {
    uint32_t page = wend__pages_find_part(s, wend__place_of(s->view, cell));
    if (page == WEND__NONE) return;
    uint32_t id = page << 12 | (wend__place_of(s->view, cell).local & 1023);
    const wend__general_node *node = wend__general_node_of(s->pool, id);
    if (node->open == 0 && wend__general_is_goal(s, id, cell))
        wend__general_note_goal(
            s, id, node->g, wend__general_is_consistent(s) && wend__general_of(s)->heuristic.reach == 0 ? 0 : node->g);
}

/* Look for goals among closed nodes: they were closed before they were goals. False where there
 * are too many cells to look at. */
static bool look_for_goals(wend__search *s) {
    const wend_cell goal = wend__general_of(s)->heuristic.goals[0];
    const int32_t reach = wend__general_of(s)->heuristic.reach, rise = s->view->depth > 1 ? reach : 0;
    if (wend__general_of(s)->heuristic.goal_count > 1 || reach > 8) return false;
    for (int32_t z = goal.z - rise; z <= goal.z + rise; z++)
        for (int32_t y = goal.y - reach; y <= goal.y + reach; y++)
            for (int32_t x = goal.x - reach; x <= goal.x + reach; x++)
                if (wend__map_has(s->version->map, (wend_cell){x, y, z})) look_for_goal(s, (wend_cell){x, y, z});
    return true;
}

/* A node's cost and parent do not depend on the goal; only the order of open nodes does. But a
 * search that has reached a goal has skipped nodes because of it. */
bool wend__general_move_goal(wend__search *s, const wend_request *request) {
    if (wend__general_of(s)->strict || s->best != UINT64_MAX) return false;
    s->goal = request->goal;
    wend__heuristic_set(&wend__general_of(s)->heuristic, s->version, request);
    wend__general_set_prices(s);
    if (!s->begun) return true;
    return wend__general_sort_again(s) && look_for_goals(s);
}
