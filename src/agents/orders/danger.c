/* SPDX-License-Identifier: MIT */
/* Danger: an agent on ground that it avoids or shuns leaves it by the cheapest way out, with or without a goal. Until it
 * is out, it walks as the mover that its own is like there. An agent on its way through what it shuns, as nothing else
 * leads to its goal, goes on; it looks for a way round where one may have opened. */
#include "agents/orders/goal.h"

#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/plan/strays.h"
#include "agents/state/free_places.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/version.h"

/* Returns whether a wary agent stands on what its own mover does not enter, and the one as which it leaves does: on no
 * wall. */
static bool is_in_danger(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const int32_t own = crowd->agents[index].own_mover;
    const wend_cell at = crowd->in_traffic[index].at;
    if (WEND__LIKELY(wend__cell_factor(wend__version_view(version, own), at) > 0)) return false;
    return wend__cell_factor(wend__version_view(version, wend__version_way_out(version, own)), at) > 0;
}

/* ---- the way out ---- */

/// The context of the search for a way out.
typedef struct way_out {
    const wend_crowd *crowd;
    const wend__version *own; ///< what its own mover sees
    uint32_t index;
} way_out;

static bool is_no_exit(void *context, wend_cell cell) {
    const way_out *out = context;
    const wend__traffic_agent *agent = &out->crowd->in_traffic[out->index];
    if (wend__cell_factor(out->own, cell) == 0) return true;
    return !agent->ghost && wend__traffic_is_held(out->crowd->traffic, cell, agent->size, (int32_t)out->index);
}

static bool is_safe(void *context, wend_cell cell) {
    return wend__cell_factor(((const way_out *)context)->own, cell) > 0;
}

/* Finds the cell where the cheapest way out ends, or one beyond it, where all at the border are taken. */
static bool find_exit(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *exit) {
    const wend__traffic_agent *own = &crowd->in_traffic[index];
    way_out out = {crowd, wend__version_view(version, crowd->agents[index].own_mover), index};
    wend__places_search search = {.flood = crowd->group.flood,
                                  .version = version,
                                  .mover = own->mover,
                                  .goal = own->at,
                                  .from = own->at,
                                  .taken = is_no_exit,
                                  .ends = is_safe,
                                  .context = &out};
    if (wend__places_find(&search, own->at, exit, 1) > 0) return true;
    search.ends = NULL;
    return wend__places_find(&search, own->at, exit, 1) > 0;
}

enum {
    A_CELL = 3,     ///< units of work to reach a cell
    MOST_WAITS = 3, ///< doublings of retry_updates between two searches of an agent that cannot get out
    LOOKS = 16      ///< updates between two looks for a way round
};

/* Handles that there is no way out. One that shuns classes goes on through them, if its goal can be reached there; else a
 * goal ends after some searches. */
static void stay_in(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const int32_t bolder = wend__version_bolder(version, agent->own_mover);
    const wend_cell at = crowd->in_traffic[index].at, to = agent->goal.cell;
    if (agent->goal.kind == WEND__GOAL_NONE) return;
    if (agent->goal.kind == WEND__GOAL_CELL && bolder >= 0 && wend__mover_reaches(version, bolder, at, to)) {
        (void)wend__strays_begin(crowd, index, WEND__STRAYS_ON, bolder);
        wend__agent_touch(crowd, index)->request.due = 0;
    } else if (agent->stall.backoff == MOST_WAITS) {
        wend__agent_touch(crowd, index)->request.failure = WEND_WHY_NO_PATH; /* its goal ends */
    }
}

/* Searches the way to the nearest cell outside, and less and less often while the agent does not get there. */
static void search_exit(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__stall *stall = &agent->stall;
    const bool due = crowd->counts.updates >= agent->request.due;
    if (agent->request.wanted && agent->request.purpose == WEND__PURPOSE_HOME) { /* the exit is known */
        if (due || agent->request.deferred) wend__path_request_retry(crowd, index);
        return;
    }
    if (!due || !wend__crowd_work_begin(crowd, index, WEND__WORK_SEARCH)) return;
    agent->request.due = crowd->counts.updates + ((uint64_t)crowd->tuning.retry_updates << stall->backoff);
    wend__path_clear(crowd, index);
    if (find_exit(crowd, version, index, &agent->home))
        wend__path_request_begin(crowd, index, WEND__PURPOSE_HOME);
    else
        stay_in(crowd, version, index);
    wend__work_spend(&crowd->work, A_CELL * wend__flood_reached(crowd->group.flood));
    if (stall->backoff < MOST_WAITS) stall->backoff++;
}

/* Walks along the way out. Where another stands in it for long, or an edit closed it, another way is searched. */
static void walk_out(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend__stall *stall = wend__stall_touch(crowd, index);
    const wend__agent *agent = &crowd->agents[index];
    if (agent->request.ticket.generation) return;
    if (agent->path.recent_count > 0) wend__path_rejoin(crowd, version, index);
    const bool on_path = wend__path_steps(&agent->path) > 0 && !wend__is_taken(crowd, index, agent->path.end);
    const wend_cell next = on_path ? wend__path_next(crowd, index) : in_traffic->at;
    const bool open = on_path && wend__step_cost(version, in_traffic->mover, in_traffic->at, next) != UINT64_MAX;
    if (open && stall->stood++ <= crowd->tuning.retry_updates) {
        in_traffic->next = next;
        return;
    }
    stall->stood = 0;
    search_exit(crowd, version, index);
}

static void go_in(wend_crowd *crowd, uint32_t index, int32_t mover) {
    if (!wend__strays_begin(crowd, index, WEND__STRAYS_OUT, mover)) return;
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
    agent->request.due = 0;
    agent->stall = wend__stall_from(crowd->counts.updates);
    agent->keeps_goal = false;
    crowd->in_traffic[index].has_goal = 1; /* it keeps its priority until it is out */
}

/* An agent without a goal rests where it came out; another one plans from there. */
static void come_out(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__strays_end(crowd, index);
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
    agent->request.due = 0;
    agent->home = crowd->in_traffic[index].at;
    crowd->in_traffic[index].has_goal = agent->goal.kind != WEND__GOAL_NONE;
    agent->stall = wend__stall_from(crowd->counts.updates);
    if (agent->goal.kind != WEND__GOAL_NONE) wend__strays_decide_for(crowd, version, index, &agent->goal);
}

/* ---- through what it shuns ---- */

/* Lets an agent that is to go through what it shuns plan again, outside of that, where a way round has opened: the map has
 * changed since its search. Where components do not tell that steps lead one way, that may come to nothing. */
static void look_round(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend_cell at = crowd->in_traffic[index].at, to = agent->goal.cell;
    if (agent->goal.kind == WEND__GOAL_ROUTE) wend__strays_decide_for(crowd, version, index, &agent->goal);
    if (agent->goal.kind != WEND__GOAL_CELL || crowd->counts.updates % LOOKS != index % LOOKS) return;
    if (!wend__path_request_is_outdated(crowd, index)) return;
    if (wend__mover_reaches(version, agent->own_mover, at, to)) come_out(crowd, version, index);
}

/* The host moves it: as the mover that leads out, as long as it is in danger. */
static void steer_out(wend_crowd *crowd, const wend__version *version, uint32_t index, bool in_danger) {
    const uint8_t strays = crowd->agents[index].strays;
    if (!in_danger)
        wend__strays_end(crowd, index);
    else if (strays != WEND__STRAYS_OUT)
        (void)wend__strays_begin(crowd, index, WEND__STRAYS_OUT,
                                 wend__version_way_out(version, crowd->agents[index].own_mover));
}

bool wend__danger_leave(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const bool in_danger = is_in_danger(crowd, version, index), goal = agent->goal.kind != WEND__GOAL_NONE;
    if (in_traffic->steered || (in_traffic->parked && !goal)) {
        steer_out(crowd, version, index, in_danger && in_traffic->steered);
        return false;
    }
    if (agent->strays == WEND__STRAYS_NOT && !in_danger && agent->goal.kind == WEND__GOAL_ROUTE)
        wend__strays_decide_for(crowd, version, index, &agent->goal);
    if (agent->strays == WEND__STRAYS_ON && goal) {
        if (!in_danger) look_round(crowd, version, index);
        return false;
    }
    if (!in_danger) {
        if (agent->strays != WEND__STRAYS_NOT) come_out(crowd, version, index);
        return false;
    }
    if (agent->strays != WEND__STRAYS_OUT) go_in(crowd, index, wend__version_way_out(version, agent->own_mover));
    if (agent->strays == WEND__STRAYS_OUT) walk_out(crowd, version, index);
    return agent->strays == WEND__STRAYS_OUT;
}

void wend__danger_wake(wend_crowd *crowd, const wend__version *version) {
    if (!crowd->has_wary || crowd->danger_revision == version->revision) return;
    crowd->danger_revision = version->revision;
    for (uint32_t i = 0; i < crowd->used; i++) {
        if (crowd->phase[i] != WEND__PHASE_ASLEEP || !crowd->agents[i].wary) continue;
        if (crowd->in_traffic[i].steered || crowd->in_traffic[i].parked) continue; /* the host moves it */
        if (is_in_danger(crowd, version, i)) crowd->phase[i] = WEND__PHASE_AWAKE;
    }
}
