/* SPDX-License-Identifier: MIT */
/* Internal: the traffic object, and the parts of a decision that share it. */
#ifndef WEND_SRC_AGENTS_MANNERS_TRAFFIC_STATE_H
#define WEND_SRC_AGENTS_MANNERS_TRAFFIC_STATE_H

#include "agents/manners/boxes.h"
#include "agents/manners/narrow_ways.h"
#include "agents/manners/places.h"
#include "agents/manners/traffic.h"
#include "map/ground/ground.h"

enum { WEND__URGENCY_MOST = 1000 };

/// Most agents that one push moves, and the length of the path ahead that a push uses.
enum { WEND__PUSH_NODES = 4096, WEND__AHEAD_CELLS = 12, WEND__PUSH_COSTS = 8, WEND__IMPATIENT_AFTER = 64 };

/// The priority of an agent, and its marks of one decision.
typedef struct wend__traffic_priority {
    uint32_t since;      ///< the decision in which its goal began; 0: none
    int32_t inherited;   ///< the urgency of an agent that gave way to it, if above its own
    uint32_t refused_in; ///< the last decision in which the agent may not begin a step
    uint32_t reached_by; ///< the last push that reached it
    bool counted;        ///< the agent is counted as a unit on the map
    uint8_t near;        ///< higher with fewer steps left when the goal began; 0: many
} wend__traffic_priority;

/// A step that a push considers: `agent` to `to`, for which `blocker` has to make room.
typedef struct wend__push_node {
    wend_cell to;
    int32_t agent, blocker; ///< blocker -1: the place is free
    int32_t parent, next;   ///< nodes; -1: none
} wend__push_node;

struct wend__traffic {
    wend_map *map;
    uint32_t capacity;
    int32_t kind;
    bool unrecorded; ///< a recording contains the crowd's orders instead of its units
    wend__traffic_agent *agents;
    uint32_t *speeds; ///< of the slots
    wend__traffic_priority *priorities;
    uint32_t *waits; ///< WEND_MAX_WAITED_FOR slots for each agent; `waits` of them are set
    wend__places places;
    uint64_t *order, *scratch;
    uint8_t *wanted; ///< by hash of a cell: how many agents of this decision want to step there. Cells may share one
    uint32_t wanted_mask; ///< hash mask of `wanted`
    int32_t *claimed;     ///< agents with claims, in order; from the end on, ghosts that move
    uint32_t claimed_count;
    uint32_t moved_count; ///< number of agents in `claimed` after the decision
    uint32_t ghost_count; ///< number of ghosts at the end of `claimed`
    uint32_t decision, pushes;
    uint32_t turns; ///< number of the last step; without bodies none is counted
    wend__boxes boxes;
    wend__narrow_ways narrow_ways;
    wend__bodies *discs;              ///< NULL: there are no bodies
    const wend__window_cells *window; ///< NULL: none
    const uint32_t *planned;          ///< agents in the window that step in the next decision
    uint32_t planned_count;
    int32_t root;                 ///< the agent that is being decided
    uint32_t chain_begin;         ///< claims from here on belong to the current step, and to those in front of it
    const wend__version *version; ///< of this decision, NULL behind it; the next three belong to it, too
    wend__work *work;
    wend__ahead_fn *ahead;
    wend__rank_fn *rank;
    void *context;
    wend_cell path_ahead[WEND__AHEAD_CELLS]; ///< path of the pushing agent
    uint32_t path_ahead_count;
    uint32_t push_capacity, push_count;
    bool push_deferred; ///< an agent or the number of nodes stopped the push: a later one may succeed
    bool foremost;      ///< the pushing agent is steered or the first in order: it does not wait for work
    bool impatient;     ///< the pushing agent has waited long: it also pushes agents that walk its way
    wend__push_node *push_nodes;
    int32_t push_costs[WEND__PUSH_COSTS]; ///< open nodes, by cost modulo the number of costs
};

/// Results of wend__traffic_blocker() besides an agent. LATER: blocked by an agent that may move later.
/// CLOSED: blocked by a unit of the host or a parked agent; traffic never moves those.
enum { WEND__BLOCKER_NONE = -1, WEND__BLOCKER_SEVERAL = -2, WEND__BLOCKER_LATER = -3, WEND__BLOCKER_CLOSED = -4 };

/// Returns the count of agents that want a cell.
static inline uint8_t *wend__traffic_wanted(const wend__traffic *t, wend_cell cell) {
    const uint64_t place = (uint64_t)(uint32_t)cell.y << 32 | (uint32_t)cell.x;
    const uint64_t hash = (place ^ (uint64_t)(uint32_t)cell.z << 20) * UINT64_C(0x9E3779B97F4A7C15);
    return &t->wanted[(uint32_t)(hash >> 40) & t->wanted_mask];
}

/// Returns the last cell of a place.
static inline wend_cell wend__traffic_last(const wend__traffic *t, wend_cell cell, int32_t size) {
    return (wend_cell){cell.x + size - 1, cell.y + size - 1, t->kind == WEND_KIND_VOXEL ? cell.z + size - 1 : cell.z};
}

static inline bool wend__traffic_moves(const wend__traffic *t, int32_t i) {
    return wend__places_claimed(&t->places, i)->size != 0;
}

/// Returns whether an agent may not push another: it follows it, or waits for it.
static inline bool wend__traffic_spares(const wend__traffic *t, int32_t i, int32_t other) {
    const wend__traffic_agent *agent = &t->agents[i];
    return agent->follows == (uint32_t)other + 1 || (agent->waits > 0 && wend__traffic_waits_for(t, i, other));
}

/// Returns true if a step takes a link between cells that are not neighbours. Nothing stands between its ends.
static inline bool wend__traffic_jumps(const wend__traffic *t, wend_cell a, wend_cell b) {
    const wend_cell d = wend__map_difference(t->map, a, b);
    const uint32_t apart = wend__distance(d.x, 0) | wend__distance(d.y, 0) | wend__distance(d.z, 0);
    return t->kind != WEND_KIND_GRAPH && apart > 1;
}

/// Returns true if a step takes a link that is no seam.
bool wend__traffic_leaps(const wend__traffic *t, wend_cell a, wend_cell b);

/// Returns whether a body's disc touches the places or the way of a step.
/// @param index   the agent that steps, whose own body does not count
bool wend__traffic_discs_touch(const wend__traffic *t, uint32_t index, int32_t size, wend_cell from, wend_cell to);
/// Returns the obstacle of a step that is legal on the map: an agent that can be pushed, or one of the above. A step
/// that crosses one under way or claimed is LATER.
int32_t wend__traffic_blocker(const wend__traffic *t, int32_t i, wend_cell to);
/// Returns whether a step of an agent of size 1 crosses another between two corners, claimed or under way.
bool wend__traffic_crosses_corner(const wend__traffic *t, int32_t i, wend_cell to);
/// Returns whether a diagonal step would touch a body's disc. Straight steps and leaps are granted all the same: they are
/// held until the disc has made room.
static inline bool wend__traffic_touches(const wend__traffic *t, int32_t i, wend_cell to) {
    const wend__traffic_agent *agent = &t->agents[i];
    if (WEND__LIKELY(!t->discs) || agent->body) return false;
    const wend_cell way = wend__map_apart(t->map, agent->at, to);
    const bool diagonal = way.x && way.y && wend__is_unit(way.x) && wend__is_unit(way.y);
    return diagonal && wend__traffic_discs_touch(t, (uint32_t)i, agent->size, agent->at, to);
}

/* ---- vehicles.c ---- */

/// Returns whether a step comes too near to the place or the way of another agent, where one of them is a vehicle.
bool wend__traffic_meets_vehicle(const wend__traffic *t, int32_t i, wend_cell to);
/// Returns whether an agent can make a step: a vehicle one that it wants, or one to which an arc leads.
bool wend__traffic_vehicle_leads(const wend__traffic *t, int32_t i, wend_cell to);

/// Lets an agent pass one that it meets head on, if either is large. Returns whether a step of either begins.
bool wend__traffic_pass(wend__traffic *t, int32_t i);
/// Returns whether two steps would cross if they began at once.
bool wend__steps_cross(const wend__traffic *t, int32_t a, wend_cell a_to, int32_t b, wend_cell b_from, wend_cell b_to);

/// Returns whether the blocker wants to step the same way as its pusher. A push aside would only change the order.
bool wend__moves_same_way(const wend__traffic *t, int32_t pusher, wend_cell to, int32_t blocker);

void wend__traffic_claim(wend__traffic *t, int32_t i, wend_cell to);
/// Takes back the claims after the first `count`.
void wend__traffic_unclaim(wend__traffic *t, uint32_t count);
/// Pushes the blocker of agent i, which has claimed `to`. Returns false, without claims, if no chain frees the place.
bool wend__traffic_push(wend__traffic *t, int32_t i, wend_cell to, int32_t blocker);

/// Most steps of an agent, and its own cell.
enum { WEND__MOST_STEPS = 28 };
/// Writes the cells to which an agent can step, links excepted. Returns their number.
uint32_t wend__traffic_steps(const wend__traffic *t, const wend__traffic_agent *agent, wend_cell *out);
/// Grants an agent its best possible step, or refuses all. Returns false, undecided, if it cannot rank its steps.
bool wend__traffic_inherit(wend__traffic *t, int32_t root);

/// Counts an agent as a unit on a place, or uncounts it. Returns false without memory; nothing changed then.
bool wend__traffic_count(wend__traffic *t, int32_t i, wend_cell cell);
void wend__traffic_discount(wend__traffic *t, int32_t i, wend_cell cell);

#endif
