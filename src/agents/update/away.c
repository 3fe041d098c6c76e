/* SPDX-License-Identifier: MIT */
/* Agents that are away: the chunk of their cell is not loaded. They hold no cell and block no one. They move along
 * their paths by time alone, since the land there is unknown, and search again once they are back. */
#include "agents/update/agents.h"

#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "map/components/components.h"
#include "map/ground/ground.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"
#include "recording/crowd/crowd_orders.h"

enum { MOST_RINGS = 16 }; /* cells around its own within which a returning agent finds a place */

static bool is_loaded(const wend__version *version, wend_cell cell) {
    return wend__version_chunk(version, cell.x >> WEND__CHUNK_SHIFT, cell.y >> WEND__CHUNK_SHIFT)->land ==
           WEND_LAND_LOADED;
}

/* ---- going ---- */

static void leave(wend_crowd *crowd, uint32_t index) {
    WEND__DEBUG_ASSERT(crowd->phase[index] > WEND__PHASE_AWAY);
    const wend__agent *agent = &crowd->agents[index];
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index], before = *in_traffic;
    wend__traffic_leave(crowd->traffic, index);
    if (before.body) wend__bodies_take_off(crowd->bodies, index, false);
    *in_traffic = before;
    wend__traffic_end_step(in_traffic);
    in_traffic->next = in_traffic->at;
    in_traffic->present = in_traffic->ready = in_traffic->moved = 0;
    in_traffic->waited = 0;
    wend__path_request_drop(crowd, index);
    if (agent->path.recent_count > 0) wend__path_clear(crowd, index);
    if (crowd->phase[index] != WEND__PHASE_STEPPING) crowd->remaining[index] = 0;
    crowd->phase[index] = WEND__PHASE_AWAY;
    crowd->away_count++;
    wend__events_add_extra(crowd, index, WEND_AGENT_EVENT_AWAY);
}

void wend__away_begin(wend_crowd *crowd, const wend__version *version) {
    if (!crowd->def.map->streamed || crowd->land_revision == version->revision) return;
    crowd->land_revision = version->revision;
    for (uint32_t i = 0; i < crowd->used; i++)
        if (crowd->phase[i] > WEND__PHASE_AWAY && !is_loaded(version, crowd->in_traffic[i].at)) leave(crowd, i);
    if (wend__crowd_is_repeated(crowd)) wend__occupancy_trim(crowd->def.map, version);
}

/* ---- on the way ---- */

/* Returns the cost of a step on even ground. A link takes as long as a straight step. */
static int64_t length_of(const wend__version *version, wend_cell a, wend_cell b) {
    const wend_map_rules *rules = &version->rules;
    const bool diagonal = wend__cells_apart(version->map, a, b) == 1 && a.x != b.x && a.y != b.y;
    return (int64_t)(diagonal ? rules->cost_diagonal : rules->cost_straight) * WEND__UNITS_OF_COST;
}

static void go_on(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent_path *path = &crowd->agents[index].path;
    int64_t left = crowd->remaining[index] - wend__agent_progress(crowd, index);
    for (uint32_t steps = 0; left < 0 && path->stored.steps > 0 && steps < WEND__MOST_ROUNDS; steps++) {
        const wend_cell before = crowd->in_traffic[index].at;
        wend__path_follow(crowd, index);
        left += length_of(version, before, crowd->in_traffic[index].at);
    }
    crowd->remaining[index] = left > 0 ? left : 0;
}

/* ---- coming back ---- */

static bool may_stand(const wend_crowd *crowd, const wend__version *view, uint32_t index, wend_cell cell) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (!wend__on_map(view, cell.x, cell.y) || !wend__version_factor(view, cell.x, cell.y)) return false;
    if (in_traffic->body && !wend__bodies_fits(crowd->bodies, index, cell)) return false;
    if (in_traffic->ghost) return true;
    return !wend__traffic_is_held(crowd->traffic, cell, in_traffic->size, WEND__NO_AGENT) &&
           !wend__traffic_is_touched(crowd->traffic, index, in_traffic->size, cell);
}

/* Finds the first free cell, ring by ring, from which the agent's own cell can be reached if that is open. */
static bool find_place(const wend_crowd *crowd, const wend__version *view, uint32_t index, wend_cell *out) {
    const wend_cell at = crowd->in_traffic[index].at;
    const bool open = wend__version_factor(view, at.x, at.y) > 0;
    const uint64_t name = open ? wend__component_name(view, at) : 0;
    for (int32_t ring = 0; ring <= MOST_RINGS; ring++)
        for (int32_t y = at.y - ring; y <= at.y + ring; y++) {
            const bool whole = y == at.y - ring || y == at.y + ring;
            for (int32_t x = at.x - ring; x <= at.x + ring; x += whole || ring == 0 ? 1 : 2 * ring) {
                *out = wend__wrapped_cell(view, (wend_cell){x, y, 0});
                if (!may_stand(crowd, view, index, *out)) continue;
                if (!open || wend__component_name(view, *out) == name) return true;
            }
        }
    return false;
}

static void come_back(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    WEND__DEBUG_ASSERT(crowd->phase[index] == WEND__PHASE_AWAY);
    const wend__traffic_agent before = crowd->in_traffic[index];
    wend_cell cell;
    if (!wend__crowd_work_begin(crowd, index, WEND__WORK_NEAR_FIELD)) return;
    if (!find_place(crowd, wend__version_view(version, before.mover), index, &cell)) return;
    if (wend__traffic_enter(crowd->traffic, version, index, cell, before.mover, before.ghost)) {
        crowd->in_traffic[index] = before; /* no memory for the count: later */
        return;
    }
    if (before.body) wend__bodies_put_back(crowd->bodies, index);
    const bool on_path = wend__same_cell(cell, before.at) && crowd->agents[index].path.stored.steps > 0;
    crowd->away_count--;
    crowd->phase[index] = WEND__PHASE_ASLEEP;
    wend__agent_touch(crowd, index)->stall = wend__stall_from(crowd->counts.updates);
    wend__agent_settle(crowd, index, before.steered, on_path && crowd->agents[index].path.kind != WEND__PATH_NONE);
    wend__events_add_extra(crowd, index, WEND_AGENT_EVENT_BACK);
}

/* An agent that was pushed aside meanwhile stays. */
static void leave_some(wend_crowd *crowd) {
    for (uint32_t i = 0; crowd->leaving_count > 0 && i < crowd->used; i++) {
        if (crowd->phase[i] == WEND__PHASE_ABSENT || !crowd->agents[i].leaves) continue;
        wend__agent_touch(crowd, i)->leaves = false;
        crowd->leaving_count--;
        if (crowd->phase[i] == WEND__PHASE_AWAKE && crowd->agents[i].path.stored.steps > 0) leave(crowd, i);
    }
}

void wend__away_update(wend_crowd *crowd, const wend__version *version) {
    leave_some(crowd);
    for (uint32_t i = 0; crowd->away_count > 0 && i < crowd->used; i++) {
        if (crowd->phase[i] != WEND__PHASE_AWAY) continue;
        go_on(crowd, version, i);
        if (is_loaded(version, crowd->in_traffic[i].at)) come_back(crowd, version, i);
    }
}
