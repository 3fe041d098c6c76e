/* SPDX-License-Identifier: MIT */
/* Making room: a search over the agents in the way finds the cheapest chain of steps that frees a place. */
#include "agents/manners/traffic_state.h"
#include "map/ground/ground.h"
#include "map/kinds/graph.h"
#include "map/kinds/voxels.h"
#include "map/kinds/walkers.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/store/directions.h"

/// Costs of the steps that a push considers.
enum { COST_WANTED = 0, COST_IDLE = 2, COST_UNWANTED = 3, COST_ON_PATH = 3 };

/* Writes the ends of the seams to other sheets. Returns the new count. */
static uint32_t add_seams(const wend__version *view, wend_cell at, wend_cell *out, uint32_t count) {
    uint32_t links = 0;
    const wend__link *link = view->links ? wend__links_from(view->links, wend__cell_number(view, at), &links) : NULL;
    for (uint32_t k = 0; k < links && count < WEND__MOST_STEPS - 2; k++) {
        if (link[k].cost != WEND__SHEET_SEAM) continue;
        const wend_cell end = wend__cell_of_number(view, link[k].to);
        if (wend__seam_cost(view, at, end)) out[count++] = end;
    }
    return count;
}

static uint32_t steps_of_grid(const wend__version *view, wend_cell at, wend_cell *out) {
    uint32_t count = 0;
    for (uint32_t mask = wend__version_steps(view, at.x, at.y); mask; mask &= mask - 1) {
        unsigned d = wend__ctz32(mask);
        out[count++] = (wend_cell){at.x + wend__dx[d], at.y + wend__dy[d], 0};
    }
    for (unsigned d = 0; wend__wraps(view) && d < WEND__DIRECTIONS; d++) {
        const wend_cell to = {at.x + wend__dx[d], at.y + wend__dy[d], 0}, end = wend__wrapped_cell(view, to);
        if (wend__on_map(view, to.x, to.y) || !wend__on_map(view, end.x, end.y)) continue;
        if (wend__seam_cost(view, at, end)) out[count++] = end;
    }
    return view->sheets ? add_seams(view, at, out, count) : count;
}

static uint32_t steps_of_voxel(const wend__version *view, wend_cell at, wend_cell *out) {
    uint32_t count = 0;
    for (uint32_t mask = wend__voxel_steps(view, at); mask; mask &= mask - 1) {
        unsigned d = wend__ctz32(mask);
        out[count++] = (wend_cell){at.x + wend__sx[d], at.y + wend__sy[d], at.z + wend__sz[d]};
    }
    wend__level_step levels[WEND__LEVEL_STEPS];
    const uint32_t level_count = wend__level_steps(view, at, false, levels);
    for (uint32_t i = 0; i < level_count && count < WEND__MOST_STEPS - 2; i++) out[count++] = levels[i].cell;
    return count;
}

static uint32_t steps_of_node(const wend__version *view, wend_cell at, wend_cell *out) {
    const wend__arcs arcs = wend__graph_arcs(view->graph, (uint32_t)at.x);
    uint32_t count = 0;
    for (const wend__arc *arc = arcs.first; arc != arcs.end && count < WEND__MOST_STEPS - 2; arc++) {
        wend_cell to = {(int32_t)arc->to, 0, 0};
        bool again = count && out[count - 1].x == to.x;
        if (!again && to.x != at.x && wend__cell_factor(view, to)) out[count++] = to;
    }
    return count;
}

uint32_t wend__traffic_steps(const wend__traffic *t, const wend__traffic_agent *agent, wend_cell *out) {
    const wend__version *view = wend__version_view(t->version, agent->mover);
    if (t->kind == WEND_KIND_GRID) return steps_of_grid(view, agent->at, out);
    if (t->kind == WEND_KIND_VOXEL) return steps_of_voxel(view, agent->at, out);
    return steps_of_node(view, agent->at, out);
}

static bool is_on_path_ahead(const wend__traffic *t, wend_cell cell) {
    for (uint32_t k = 0; k < t->path_ahead_count; k++)
        if (wend__same_cell(t->path_ahead[k], cell)) return true;
    return false;
}

static void open_node(wend__traffic *t, uint32_t cost, const wend__push_node *node) {
    if (t->push_count == t->push_capacity) {
        t->push_deferred = true;
        return;
    }
    int32_t *head = &t->push_costs[cost % WEND__PUSH_COSTS], n = (int32_t)t->push_count++;
    t->push_nodes[n] = *node;
    t->push_nodes[n].next = *head;
    *head = n;
}

/* Takes the open node of the lowest cost. Returns -1 if there is none. */
static int32_t pop_node(wend__traffic *t, uint32_t *cost) {
    for (int tries = 0; tries < WEND__PUSH_COSTS; tries++, ++*cost) {
        int32_t *head = &t->push_costs[*cost % WEND__PUSH_COSTS], n = *head;
        if (n < 0) continue;
        *head = t->push_nodes[n].next;
        return n;
    }
    return -1;
}

/* Returns whether a step would cross one of the chain that it extends. */
static bool crosses_chain(const wend__traffic *t, int32_t m, wend_cell to, int32_t node) {
    for (; node >= 0; node = t->push_nodes[node].parent) {
        const wend__push_node *step = &t->push_nodes[node];
        if (wend__steps_cross(t, m, to, step->agent, t->agents[step->agent].at, step->to)) return true;
    }
    return false;
}

bool wend__moves_same_way(const wend__traffic *t, int32_t pusher, wend_cell to, int32_t blocker) {
    const wend__traffic_agent *a = &t->agents[pusher], *b = &t->agents[blocker];
    const wend_cell u = wend__map_apart(t->map, a->at, to), w = wend__map_apart(t->map, b->at, b->next);
    const int64_t dx = (int64_t)u.x * w.x, dy = (int64_t)u.y * w.y, dz = (int64_t)u.z * w.z;
    return t->kind != WEND_KIND_GRAPH && dx + dy + dz > 0;
}

/* Opens the steps by which the blocker of a node could make room. */
static void expand(wend__traffic *t, int32_t parent, uint32_t cost) {
    const wend__push_node *pusher = &t->push_nodes[parent];
    int32_t m = pusher->blocker;
    const wend__traffic_agent *agent = &t->agents[m], *before = &t->agents[pusher->agent];
    bool wants = !wend__same_cell(agent->next, agent->at);
    wend_cell ways[WEND__MOST_STEPS] = {agent->next};
    uint32_t count = 1;
    const bool only_on = wants && !t->impatient && wend__moves_same_way(t, pusher->agent, pusher->to, m);
    if (!only_on && !agent->steered) count = wend__traffic_steps(t, agent, ways);
    if (wants && wend__traffic_jumps(t, agent->at, agent->next)) ways[count++] = agent->next;
    wend__work_spend(t->work, WEND__WORK_CHECK * count);
    for (uint32_t k = 0; k < count; k++) {
        if (wend__places_overlap(ways[k], agent->size, pusher->to, before->size)) continue;
        if (crosses_chain(t, m, ways[k], parent)) continue;
        int32_t blocker = wend__traffic_blocker(t, m, ways[k]);
        if (blocker == WEND__BLOCKER_LATER) t->push_deferred = true;
        if (blocker < WEND__BLOCKER_NONE || (blocker >= 0 && t->priorities[blocker].reached_by == t->pushes)) continue;
        uint32_t more = !wants ? COST_IDLE : wend__same_cell(ways[k], agent->next) ? COST_WANTED : COST_UNWANTED;
        if (is_on_path_ahead(t, ways[k])) more += COST_ON_PATH;
        open_node(t, cost + more, &(wend__push_node){ways[k], m, blocker, parent, -1});
    }
}

/* Claims the steps of a chain, last first. Returns false if two of them cross; then none is claimed. */
static bool claim_chain(wend__traffic *t, int32_t node) {
    uint32_t before = t->claimed_count;
    for (; t->push_nodes[node].parent >= 0; node = t->push_nodes[node].parent) {
        const wend__push_node *step = &t->push_nodes[node];
        if (wend__traffic_blocker(t, step->agent, step->to) != WEND__BLOCKER_NONE) {
            wend__traffic_unclaim(t, before);
            return false;
        }
        wend__traffic_claim(t, step->agent, step->to);
    }
    return true;
}

bool wend__traffic_push(wend__traffic *t, int32_t i, wend_cell to, int32_t blocker) {
    t->push_count = 0;
    t->push_deferred = !t->foremost && !wend__work_begin(t->work, t->agents[i].urgency > 0, WEND__WORK_CHECK);
    if (t->push_deferred) return false;
    t->path_ahead_count = t->ahead(t->context, (uint32_t)i, t->path_ahead, WEND__AHEAD_CELLS);
    for (int k = 0; k < WEND__PUSH_COSTS; k++) t->push_costs[k] = -1;
    t->pushes++;
    for (uint32_t k = t->chain_begin; k < t->claimed_count; k++) t->priorities[t->claimed[k]].reached_by = t->pushes;
    open_node(t, 0, &(wend__push_node){to, i, blocker, -1, -1});
    uint32_t cost = 0;
    for (int32_t node; (node = pop_node(t, &cost)) >= 0;) {
        int32_t m = t->push_nodes[node].blocker;
        if (m < 0 && claim_chain(t, node)) return true;
        if (m < 0) continue;
        if (t->priorities[m].reached_by == t->pushes) continue;
        t->priorities[m].reached_by = t->pushes;
        expand(t, node, cost);
    }
    return false;
}
