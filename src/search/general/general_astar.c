/* SPDX-License-Identifier: MIT */
/* The general engine: resumable A* (Hart, Nilsson and Raphael 1968) on grids, voxels and graphs,
 * for all that a request may ask.
 *
 * A closed node that becomes cheaper is opened again, as units move. With a weight or `manhattan`
 * nodes are expanded in strict order, once each: docs/design/weights.md. A node has its parent
 * by id, so a path may lead anywhere. Successors are generated in the order of directions (or of
 * a node's edges), then links. */
#include "search/general/general_astar.h"
#include "map/ground/ground.h"
#include "map/version/layers.h"
#include "map/movers/views.h"
#include "map/nearest/nearest.h"
#include "search/general/collect.h"
#include "search/general/general_nodes.h"
#include "search/request/request.h"

/* ---- goals ---- */

/* Records a goal. The search ends when the floor is above `floor`: at once if the estimate is
 * consistent, and in strict order. */
static void note_goal(wend__search *s, uint32_t id, uint64_t g, uint64_t floor) {
    if (g >= s->best) return;
    s->best = g;
    wend__general_of(s)->goal_id = id;
    wend__general_of(s)->goal_floor = floor;
}

/* Records a goal among closed nodes. With a consistent estimate the g of a closed node is final, so
 * if it is the only goal the search is over. Else an open node may still lead to it, or be
 * another goal within reach, for less. */
static void note_if_closed_goal(wend__search *s, wend_cell cell) {
    uint32_t page = wend__pages_find_part(s, wend__place_of(s->view, cell));
    if (page == WEND__NONE) return;
    uint32_t id = page << 12 | (wend__place_of(s->view, cell).local & 1023);
    const wend__general_node *node = wend__general_node_of(s->pool, id);
    if (node->open == 0 && wend__general_is_goal(s, id, cell))
        note_goal(s, id, node->g,
                  wend__general_is_consistent(s) && wend__general_of(s)->heuristic.reach == 0 ? 0 : node->g);
}

/* Finds goals among closed nodes, which were closed before they were goals. Returns false if there are too many cells
 * to check. */
static bool find_closed_goals(wend__search *s) {
    const wend_cell goal = wend__general_of(s)->heuristic.goals[0];
    const int32_t reach = wend__general_of(s)->heuristic.reach, rise = s->view->depth > 1 ? reach : 0;
    if (wend__general_of(s)->heuristic.goal_count > 1 || reach > 8) return false;
    if (reach > 0 && wend__wraps(s->version)) return false;
    for (int32_t z = goal.z - rise; z <= goal.z + rise; z++)
        for (int32_t y = goal.y - reach; y <= goal.y + reach; y++)
            for (int32_t x = goal.x - reach; x <= goal.x + reach; x++)
                if (wend__map_has(s->version->map, (wend_cell){x, y, z})) note_if_closed_goal(s, (wend_cell){x, y, z});
    return true;
}

/* A node's cost and parent do not depend on the goal; only the order of open nodes does. But a
 * search that has reached a goal has skipped nodes because of it. */
static bool move_goal(wend__search *s, const wend__request *request) {
    if (wend__general_of(s)->strict || s->best != UINT64_MAX) return false;
    s->goal = request->goal;
    wend__heuristic_set(&wend__general_of(s)->heuristic, s->version, request);
    wend__general_set_prices(s);
    if (!s->begun) return true;
    return wend__general_sort_again(s) && find_closed_goals(s);
}

static bool serves_request(const wend__version *version, const wend__request *request) {
    (void)version, (void)request;
    return true;
}

/* ---- the loop ---- */

static void note_nearest(wend__search *s, uint32_t id, wend_cell cell) {
    wend__general_astar_search *general = wend__general_of(s);
    const uint32_t goals = s->request.more_goal_count + 1;
    const wend__nearness best = general->nearness;
    if (WEND__UNLIKELY(s->version->sheets != NULL) && general->near_id != WEND__NONE &&
        !wend__nearness_may_be(s->version, s->goals, goals, cell, best))
        return;
    const wend__nearness now = wend__nearness_to(s->version, s->goals, goals, cell);
    if (general->near_id != WEND__NONE) {
        if (wend__nearer(best, now)) return;
        if (!wend__nearer(now, best) && !wend__earlier(cell, wend__general_cell(s, general->near_id))) return;
    }
    general->near_id = id;
    general->nearness = now;
}

static void look_at(wend__search *s, uint32_t id, wend_cell cell) {
    wend__collector *collect = wend__general_of(s)->collect;
    if (collect)
        wend__collect(collect, s, cell, wend__general_node_of(s->pool, id)->g);
    else
        note_nearest(s, id, cell);
}

/* Pops the node with the lowest key. Returns true if it counts: it will be expanded, or is a goal. */
static bool take_next(wend__search *s) {
    const uint32_t id = wend__general_pop(s);
    wend__general_node *node = wend__general_node_of(s->pool, id);
    if (node->open != 1) return false; /* closed since it was pushed */
    const wend_cell cell = wend__general_cell(s, id);
    node->open = 0;
    if (s->best != UINT64_MAX && wend__general_key(s, node->g, cell) >= s->best) return false;
    if (wend__general_of(s)->looks) look_at(s, id, cell);
    if (wend__general_is_goal(s, id, cell)) {
        note_goal(s, id, node->g, wend__general_of(s)->strict || wend__general_is_consistent(s) ? 0 : s->floor_f);
    } else {
        wend__general_of(s)->expanding = id;
        wend__general_of(s)->successor = 0;
    }
    return true;
}

static bool push_start(wend__search *s, wend__stock *stock) {
    if (!wend__general_spare(s, stock)) return false;
    const uint32_t id = wend__general_node_at(s, stock, WEND__NONE, wend__place_of(s->view, s->start));
    if (id == WEND__NONE) return false;
    *wend__general_node_of(s->pool, id) = (wend__general_node){0, id, 1};
    s->floor_f = wend__general_key(s, 0, s->start);
    if (wend__general_of(s)->strict) {
        s->floor_f = 1; /* above the floor of any goal */
        wend__general_push_strict(s, 0, s->start, id);
    } else {
        wend__general_push(s, s->floor_f, id);
    }
    s->begun = true;
    return true;
}

static bool is_over(const wend__search *s) {
    return s->best != UINT64_MAX && s->floor_f > wend__general_of(s)->goal_floor;
}

static uint64_t step_slice(wend__search *s, wend__stock *stock, uint64_t budget) {
    uint64_t used = 0;
    if (!s->begun && !push_start(s, stock)) return 0;
    for (;;) {
        if (wend__general_of(s)->expanding != WEND__NONE && !wend__general_expand(s, stock)) break;
        if (WEND__UNLIKELY(is_over(s))) {
            wend__general_finish(s);
            break;
        }
        if (used + s->owed >= budget) break;
        if (!wend__general_advance(s, stock)) {
            if (!s->starved) wend__general_finish(s);
            break;
        }
        if (!is_over(s)) used += take_next(s);
    }
    return used;
}

/* A step without a budget completes an interrupted expansion, and ends the search if that was
 * the last one. */
static void conclude_search(wend__search *s, wend__stock *stock) {
    if (!s->begun) return;
    do (void)step_slice(s, stock, 0);
    while (wend__general_of(s)->expanding != WEND__NONE && !s->starved); /* links of a node come in pieces */
    if (s->status == WEND_STATUS_PENDING && !s->starved && !wend__general_any_live(s)) wend__general_finish(s);
}

/* ---- beginning ---- */

/* Sets the weights, and the first bucket at about the least key. */
static void begin_strict(wend__search *s) {
    wend__general_astar_search *general = wend__general_of(s);
    const uint64_t layers = s->layers ? WEND_MAX_PROFILE_LAYERS * UINT8_MAX / 16 + 1 : 0;
    const uint64_t dearest = (uint64_t)WEND_MAX_COST * (UINT8_MAX + 1 + layers); /* of a step, with its occupants */
    const uint64_t estimate = wend__heuristic_estimate(&general->heuristic, s->start);
    const uint64_t cells = (uint64_t)s->view->width * (uint64_t)s->view->height * (uint64_t)s->view->depth;
    general->weights = wend__weights_of(s->weight_milli, cells * dearest);
    wend__strict_begin(&s->open, estimate, wend__general_weighted_key(s, 0, estimate));
}

static void begin_search(wend__search *s, const wend__request *request) {
    wend__general_astar_search *general = wend__general_of(s);
    s->part_shift = 10;
    general->kind = s->view->kind;
    general->layer_rows = s->view->chunk_y;
    general->mover_size = wend__version_mover_size(s->version, request->mover);
    general->occupied = request->occupied;
    general->nearest = general->looks = request->mode == WEND_MODE_NEAREST;
    general->pays = s->layers || request->occupied != WEND_OCCUPIED_IGNORE;
    general->moving = general->strict = false;
    general->points = 0;
    general->collect = NULL;
    general->goal_id = general->near_id = general->expanding = general->end_id = WEND__NONE;
    s->weight_milli = request->heuristic == WEND_HEURISTIC_ZERO ? 1000 : request->weight_milli;
    s->begun = false;
    s->best = UINT64_MAX;
    s->describe_page = wend__general_describe_page;
    wend__pages_reset(s);
    wend__open_reset(&s->open, s->pool->open_entries, 0);
    if (s->status != WEND_STATUS_PENDING) return;
    wend__heuristic_set(&general->heuristic, s->version, request);
    general->strict = s->weight_milli != 1000 || general->heuristic.kind == WEND_HEURISTIC_MANHATTAN;
    if (general->strict) begin_strict(s);
    wend__general_set_prices(s);
}

const wend__engine wend__general_astar = {
    .name = WEND_ENGINE_ASTAR,
    .work = WEND_WORK_GENERAL_ASTAR,
    .serves = serves_request,
    .begin = begin_search,
    .step = step_slice,
    .conclude = conclude_search,
    .compact = wend__general_compact,
    .cells = wend__general_cells,
    .expanded = wend__general_expanded,
    .take_nearest = wend__general_take_nearest,
    .move_goal = move_goal,
    .candidates = wend__general_leads,
    .back = wend__general_back,
};
