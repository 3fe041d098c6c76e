/* SPDX-License-Identifier: MIT */
/* An agent's searches. With 8 neighbours, the first search for a purpose does not see units: most units have gone when
 * the agent comes there. If an agent stands on the first cells of its answer, another search among units follows. In
 * that search agents near the start cost extra, more with each try. So a path leads around agents if that is not much
 * longer, and otherwise through them: they will move or step aside. Units that do not move block a search with purpose
 * NEAREST. */

/* Tried: paths that pay for counter-flow and crowded cells (Chen, Harabor, Li, Stuckey 2024). It cannot be a jump
 * search: +2 to +11 % of tasks, steps take 1.2 to 1.5 times as long, and 8 bytes a cell. */
#include "agents/plan/path_request.h"

#include "agents/plan/path.h"
#include "agents/plan/strays.h"
#include "agents/state/crowd_state.h"
#include "map/version/occupancy.h"
#include "recording/crowd/crowd_orders.h"

enum {
    UNIT_COST = 3,       ///< straight steps that a way around an agent may cost at first
    AROUND_LIMIT = 8192, ///< expansions of a search around agents
    FIRST_LATENCY = 8,   ///< eighths of an update
    MOST_AHEAD = 48,     ///< steps; the first cell of an answer is searched among the next 64
    LOOKED_AT = 8 ///< first steps of a plain answer that must be free of agents that have stood for as many updates
};

void wend__path_request_drop(wend_crowd *crowd, uint32_t index) {
    wend__path_request *request = &wend__agent_touch(crowd, index)->request;
    if (request->ticket.generation) wend__crowd_cancel(crowd, request->ticket);
    request->ticket = (wend_ticket){0, 0};
    request->wanted = request->deferred = request->stops_at_start = request->led = request->goal_only = false;
    request->purpose = WEND__PURPOSE_NONE;
    request->failure = WEND_WHY_NONE;
    request->walked_count = 0;
    request->among_units = false;
}

/* Returns the number of steps that an agent walks until the answer arrives. */
static uint32_t steps_until_answer(const wend_crowd *crowd, uint32_t index) {
    uint64_t updates = crowd->latency > 8 ? crowd->latency - 8 : 0;
    uint64_t milli = updates * crowd->speed[index] / 8 * (crowd->elapsed ? crowd->elapsed : 1000) / 1000;
    uint64_t steps = milli / 1000;
    return steps < MOST_AHEAD ? (uint32_t)steps : MOST_AHEAD;
}

/* Returns how far ahead on the path the search starts. Behind the gap that it closes, the answer would leave the gap in
 * the path. */
static uint32_t steps_ahead(const wend_crowd *crowd, const wend__version *version, uint32_t index, uint8_t purpose) {
    const wend__agent_path *path = &crowd->agents[index].path;
    if (purpose == WEND__PURPOSE_AROUND || purpose == WEND__PURPOSE_NEAREST || purpose == WEND__PURPOSE_HOME) return 0;
    if (purpose == WEND__PURPOSE_LEG) return wend__far_way_steps(crowd, index, steps_until_answer(crowd, index));
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    const bool walks_on = goal->kind == WEND__GOAL_ROUTE && goal->position_known && path->kind == WEND__PATH_TO_GOAL;
    if (walks_on) return path->stored.steps; /* the agent follows its route up to the gap */
    uint32_t steps = crowd->agents[index].request.led ? path->stored.steps : steps_until_answer(crowd, index);
    if (purpose == WEND__PURPOSE_REROUTE) return wend__path_open_steps(crowd, version, index, steps);
    return steps < path->stored.steps ? steps : path->stored.steps;
}

static int32_t unit_cost(const wend__version *version, const wend__stall *stall) {
    bool graph = version->kind == WEND_KIND_GRAPH;
    uint32_t doublings = stall->backoff < WEND__MOST_DOUBLINGS ? stall->backoff : WEND__MOST_DOUBLINGS;
    int64_t straight = graph ? 1000 : version->rules.cost_straight, cost = straight * UNIT_COST << doublings;
    return cost < WEND_MAX_COST ? (int32_t)cost : WEND_MAX_COST;
}

/* Returns whether a search ignores units. With 4 neighbours ways round a jam are few, and worth planning. */
static bool goes_plain(const wend_crowd *crowd, const wend__version *version, uint32_t index, uint8_t purpose) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (version->kind != WEND_KIND_GRID || version->rules.neighbours != 8) return false;
    if (crowd->agents[index].request.among_units || in_traffic->size > 1 || in_traffic->ghost) return false;
    return purpose != WEND__PURPOSE_AROUND && purpose != WEND__PURPOSE_NEAREST;
}

/* Sets the cost of units, or that they block. Ghosts ignore units. */
static void set_units(wend_crowd *crowd, const wend__version *version, uint32_t index, uint8_t purpose,
                      wend__request *submission) {
    if (crowd->in_traffic[index].ghost || goes_plain(crowd, version, index, purpose)) return;
    submission->occupied_within = crowd->tuning.units_within;
    if (version->kind == WEND_KIND_GRAPH) submission->occupied_within = WEND_EVERYWHERE;
    if (purpose == WEND__PURPOSE_NEAREST)
        submission->occupied = WEND_OCCUPIED_BLOCK;
    else if (version->kind != WEND_KIND_GRAPH || purpose == WEND__PURPOSE_AROUND)
        submission->occupied = unit_cost(version, &crowd->agents[index].stall);
}

/* Returns whether a field or a far route leads on from the path's end. */
static bool is_led_on(const wend__agent_path *path) {
    return path->kind == WEND__PATH_FIELD_PIECE || path->kind == WEND__PATH_LEG;
}

/* Sets the goal cells. Returns false if there are none. */
static bool set_goal(wend_crowd *crowd, const wend__version *version, uint32_t index, uint8_t purpose,
                     wend__request *submission) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__agent_goal *goal = &agent->goal;
    if (purpose == WEND__PURPOSE_HOME) {
        submission->goal = agent->home;
        return true;
    }
    submission->goal = goal->kind == WEND__GOAL_NONE ? agent->home : goal->cell;
    if (goal->kind == WEND__GOAL_CELL || goal->kind == WEND__GOAL_FOLLOW) submission->reach = goal->reach;
    if (version->kind == WEND_KIND_GRAPH) submission->reach = 0;
    if (goal->kind == WEND__GOAL_FOLLOW || goal->kind == WEND__GOAL_FLEE) {
        goal->cell = crowd->in_traffic[goal->target.index].at;
        submission->goal = goal->cell;
    }
    const bool way_round = purpose == WEND__PURPOSE_AROUND || purpose == WEND__PURPOSE_NEAREST;
    const bool joins = goal->kind == WEND__GOAL_ROUTE && !way_round;
    if (goal->kind == WEND__GOAL_ROUTE && !joins && agent->path.kind != WEND__PATH_NONE)
        submission->goal = agent->path.end; /* the agent may be on its way to a cell near the route */
    if (purpose == WEND__PURPOSE_AROUND && is_led_on(&agent->path))
        submission->goal = agent->path.end, submission->reach = 0;
    if (goal->kind != WEND__GOAL_FLEE && !joins) return true;
    const uint32_t goals = joins ? wend__route_goals(crowd, version, index, &submission->goal)
                                 : wend__flee_goals(crowd, version, index, &submission->goal);
    if (goals == 0) return false;
    submission->more_goals = crowd->more_goals;
    submission->more_goal_count = goals - 1;
    return true;
}

static bool make_request(wend_crowd *crowd, const wend__version *version, uint32_t index, uint8_t purpose,
                         wend__request *submission) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    *submission = wend__request_default();
    submission->map = crowd->def.map;
    agent->request.steps_to_start = steps_ahead(crowd, version, index, purpose);
    submission->start = wend__path_cell_ahead(crowd, index, agent->request.steps_to_start);
    const bool off_path =
        version->kind == WEND_KIND_GRID && (agent->path.recent_count > 0 || crowd->in_traffic[index].body);
    if (off_path && agent->request.steps_to_start == 0) submission->start = crowd->in_traffic[index].at;
    submission->flags = WEND__REQUEST_LEAVES_START;
    submission->urgency = agent->urgency;
    submission->mover = agent->strays == WEND__STRAYS_ON ? agent->own_mover : crowd->in_traffic[index].mover;
    submission->profile = agent->profile;
    bool measured = version->kind != WEND_KIND_GRAPH || version->graph->coordinates;
    if (measured && purpose != WEND__PURPOSE_HOME) submission->mode = WEND_MODE_NEAREST;
    if (purpose == WEND__PURPOSE_AROUND) submission->max_expansions = AROUND_LIMIT;
    submission->on_done = wend__path_request_done;
    submission->context = agent;
    set_units(crowd, version, index, purpose, submission);
    const bool anywhere = set_goal(crowd, version, index, purpose, submission);
    wend__far_way_aim(crowd, version, index, submission);
    return anywhere;
}

/* Records that no way leads to the goal. Returns whether the agent waits for one. */
static bool wait_for_way(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    if (crowd->tuning.patience_updates == 0) return false;
    if (agent->goal.kind != WEND__GOAL_CELL && agent->goal.kind != WEND__GOAL_ROUTE) return false;
    if (agent->stall.no_way_since == 0) agent->stall.no_way_since = crowd->counts.updates + 1;
    return wend__waits_for_way(crowd, index);
}

bool wend__path_request_is_outdated(const wend_crowd *crowd, uint32_t index) {
    return crowd->agents[index].request.map_revision != wend__map_revision(crowd->def.map);
}

bool wend__path_request_is_futile(const wend_crowd *crowd, uint32_t index) {
    return wend__waits_for_way(crowd, index) && !wend__path_request_is_outdated(crowd, index);
}

void wend__path_request_begin(wend_crowd *crowd, uint32_t index, uint8_t purpose) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__path_request *request = &agent->request;
    const bool pinned = request->stops_at_start, led = request->led, among_units = request->among_units;
    wend__path_request_drop(crowd, index);
    request->among_units = among_units;
    request->prefix_expansions = WEND_NO_LIMIT;
    if (agent->strays == WEND__STRAYS_OUT && purpose != WEND__PURPOSE_HOME) return; /* once it is out, it plans */
    request->stops_at_start = pinned;
    request->led = led;
    request->purpose = purpose;
    request->wanted = true;
    if (crowd->busy_at == crowd->counts.updates + 1) return;
    request->deferred = !wend__crowd_work_begin(crowd, index, WEND__WORK_SEARCH);
    if (request->deferred) return;
    wend__request submission;
    wend__version *version = wend__map_newest(crowd->def.map);
    request->map_revision = version->revision;
    bool anywhere = make_request(crowd, version, index, purpose, &submission);
    wend__map_release(version, false);
    wend_error error = anywhere ? wend__crowd_submit(crowd, &submission, &request->ticket) : WEND_EMPTY;
    request->start = submission.start;
    if (error == WEND_BUSY) {
        crowd->busy_at = crowd->counts.updates + 1;
        return;
    }
    request->wanted = false;
    if (error == WEND_OK) {
        crowd->pending++;
        crowd->counts.searches_begun++;
        return;
    }
    request->purpose = WEND__PURPOSE_NONE;
    if (error == WEND_EMPTY && wait_for_way(crowd, index)) return;
    request->failure = error == WEND_EMPTY ? WEND_WHY_NO_PATH : WEND_WHY_LIMIT;
}

void wend__path_request_retry(wend_crowd *crowd, uint32_t index) {
    wend__path_request_begin(crowd, index, crowd->agents[index].request.purpose);
}

/* ---- answers ---- */

/* Returns where an answer leads. NONE: the answer has no path, and *why is the reason. */
static uint8_t read_answer(const wend_completion *done, uint8_t purpose, uint8_t *why) {
    *why = WEND_WHY_NO_PATH;
    bool path = done->cell_count > 0;
    switch (done->status) {
    case WEND_STATUS_FOUND: return WEND__PATH_TO_GOAL;
    case WEND_STATUS_PARTIAL: return purpose == WEND__PURPOSE_NEAREST ? WEND__PATH_BEFORE_UNITS : WEND__PATH_NEAR_GOAL;
    case WEND_STATUS_NO_PATH:
    case WEND_STATUS_START_BLOCKED: return WEND__PATH_NONE;
    case WEND_STATUS_GOAL_BLOCKED:
        if (purpose == WEND__PURPOSE_NEAREST) *why = WEND_WHY_BLOCKED;
        return WEND__PATH_NONE;
    default: *why = WEND_WHY_LIMIT; return path ? WEND__PATH_PIECE : WEND__PATH_NONE;
    }
}

static void update_latency(wend_crowd *crowd, const wend_completion *done) {
    uint64_t now = done->frames < 1000 ? done->frames * 8 : 8000;
    crowd->latency = (uint32_t)((crowd->latency * 7 + now + 4) / 8);
    if (crowd->latency < FIRST_LATENCY) crowd->latency = FIRST_LATENCY;
}

/* Measures progress from the length of the new path on. Tries stay counted. */
static void restart_measures(wend_crowd *crowd, uint32_t index, uint8_t purpose, wend_cell next_before) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    uint32_t steps = wend__path_steps(&agent->path);
    agent->stall.stood = 0;
    if (purpose == WEND__PURPOSE_REROUTE) agent->stall.best = steps;
    agent->goal.route_steps = 0;
    if (purpose != WEND__PURPOSE_AROUND && purpose != WEND__PURPOSE_NEAREST) agent->goal.position_known = false;
    bool other = purpose == WEND__PURPOSE_REROUTE || !wend__same_cell(next_before, wend__path_next(crowd, index));
    bool again =
        purpose == WEND__PURPOSE_AROUND || purpose == WEND__PURPOSE_NEAREST || purpose == WEND__PURPOSE_REROUTE;
    if (again && other && steps > 0 && agent->goal.kind != WEND__GOAL_NONE) wend__events_add_reroute(crowd, index);
}

/* Handles an answer that does not meet the path, because the agent has walked on or was pushed. A search around
 * agents is dropped; any other is repeated, and the agent waits for it. */
static void handle_missed(wend_crowd *crowd, uint32_t index, uint8_t purpose) {
    if (purpose == WEND__PURPOSE_AROUND || purpose == WEND__PURPOSE_NEAREST) return;
    wend__agent_touch(crowd, index)->request.stops_at_start = true;
    wend__path_request_begin(crowd, index, purpose);
}

/* Returns whether the remaining way costs less than before, or the map has changed. Pieces and legs that lead to and
 * fro between blocking agents would restart the tries for ever. */
static bool costs_less(wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    wend__stall *stall = &wend__agent_touch(crowd, index)->stall;
    const uint64_t revision = wend__map_revision(crowd->def.map);
    if (stall->remaining_revision == revision && (uint64_t)done->cost >= stall->remaining_cost) return false;
    stall->remaining_revision = revision;
    stall->remaining_cost = (uint64_t)done->cost;
    return true;
}

/* Returns whether the answer leads on from the end of a path that had too little room, or that ended at the nearest
 * cell, and the agent made progress: its remaining cost is the least so far on this map. Ways around agents and
 * cancelled searches do not count. */
static bool leads_on_from_end(wend_crowd *crowd, uint32_t index, uint8_t purpose, const wend_completion *done) {
    const wend__agent_path *path = &crowd->agents[index].path;
    const bool around = purpose == WEND__PURPOSE_AROUND || purpose == WEND__PURPOSE_NEAREST;
    const bool opened = path->kind == WEND__PATH_NEAR_GOAL && purpose == WEND__PURPOSE_PLAN;
    if (wend__path_steps(path) > 0 || around || done->cell_count < 2) return false;
    if (path->kind != WEND__PATH_PIECE && !opened) return false;
    if (done->status == WEND_STATUS_TOO_LONG) return true; /* the remaining cost is unknown */
    if (done->status != WEND_STATUS_FOUND && done->status != WEND_STATUS_PARTIAL) return false;
    return costs_less(crowd, index, done);
}

/* Returns whether the agent's own search found the path, up to its end. */
static bool is_found_by_search(uint8_t ends) {
    return ends != WEND__PATH_FIELD_PIECE && ends != WEND__PATH_PIECE && ends != WEND__PATH_NONE;
}

/* Returns false for an answer that leads a follower no nearer to its target than it stands: it rests. */
static bool is_nearer_to_target(const wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    const wend__agent *agent = &crowd->agents[index];
    if (agent->goal.kind != WEND__GOAL_FOLLOW || agent->path.kind != WEND__PATH_BEFORE_UNITS) return true;
    const wend_cell at = crowd->in_traffic[index].at, target = crowd->in_traffic[agent->goal.target.index].at;
    return wend__cells_apart(crowd->def.map, done->cells[done->cell_count - 1], target) <
           wend__cells_apart(crowd->def.map, at, target);
}

/* Lets a wary agent walk as the mover as which its way was searched. */
static void follow_as(wend_crowd *crowd, uint32_t index, int32_t mover) {
    wend__version *version = wend__map_newest(crowd->def.map);
    wend__strays_follow(crowd, version, index, mover);
    wend__map_release(version, false);
}

static void use_answer(wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__path_request *request = &agent->request;
    const uint8_t purpose = request->purpose;
    uint8_t why, ends = read_answer(done, purpose, &why);
    const bool around = purpose == WEND__PURPOSE_AROUND;
    if (around && ends != WEND__PATH_TO_GOAL && ends != WEND__PATH_NEAR_GOAL) return; /* the path stays as it is */
    const bool again = wend__head_start_leads(crowd, index, done);
    if (again || wend__far_way_fails(crowd, index, done)) {
        const bool plans = !again && purpose == WEND__PURPOSE_LEG;
        wend__path_request_begin(crowd, index, plans ? WEND__PURPOSE_PLAN : purpose);
        return;
    }
    const bool leads_on = ends == WEND__PATH_TO_GOAL && wend__far_way_leads_on(crowd, index, done);
    if (leads_on) ends = WEND__PATH_LEG;
    if (request->goal_only && purpose == WEND__PURPOSE_NEAREST && ends != WEND__PATH_TO_GOAL) return;
    if (purpose == WEND__PURPOSE_NEAREST && ends == WEND__PATH_BEFORE_UNITS && !is_nearer_to_target(crowd, index, done))
        return;
    const bool on_field = around && agent->goal.flow && !is_found_by_search(agent->path.kind);
    const bool on_leg = around && agent->path.kind == WEND__PATH_LEG;
    if ((on_field || on_leg) && ends != WEND__PATH_TO_GOAL) return;
    if (on_field || on_leg) ends = on_field ? WEND__PATH_FIELD_PIECE : WEND__PATH_LEG;
    const bool elsewhere = agent->goal.kind == WEND__GOAL_ROUTE && agent->path.kind != WEND__PATH_NONE;
    const bool same_end = elsewhere && ends == WEND__PATH_TO_GOAL && (around || purpose == WEND__PURPOSE_NEAREST);
    if (same_end) ends = agent->path.kind;
    if (purpose == WEND__PURPOSE_NEAREST && ends == WEND__PATH_PIECE) ends = WEND__PATH_BEFORE_UNITS;
    if (ends == WEND__PATH_NONE) {
        const bool undone = wend__is_discarded((wend_status)done->status);
        request->wanted = undone;
        request->purpose = undone ? purpose : WEND__PURPOSE_NONE;
        request->due = undone ? crowd->counts.updates + crowd->tuning.retry_updates : request->due;
        const bool closed = !undone && why == WEND_WHY_NO_PATH && purpose != WEND__PURPOSE_NEAREST;
        const bool waits = closed && wait_for_way(crowd, index);
        if (!undone && !waits) request->failure = why;
        if (waits && agent->path.kind == WEND__PATH_NONE) wend__path_clear(crowd, index);
        if (request->walked_count > 0) /* the agent made no progress */
            agent->goal.origin = wend__path_number(&crowd->paths, crowd->in_traffic[index].at);
        return;
    }
    if (ends == WEND__PATH_NEAR_GOAL && wait_for_way(crowd, index) && purpose == WEND__PURPOSE_REROUTE) return;
    /* another path to the same end does not show whether the gap of the route is open */
    const bool opened = (leads_on || ends == WEND__PATH_TO_GOAL) && !same_end && agent->stall.no_way_since > 0;
    const uint64_t revision = wend__map_revision(crowd->def.map);
    /* once a revision, as ways past units open and close for ever */
    if (opened && agent->stall.remaining_revision != revision) {
        agent->stall = wend__stall_from(crowd->counts.updates);
        agent->stall.remaining_revision = revision;
    }
    if (opened) agent->stall.no_way_since = 0;
    wend_cell next = wend__path_next(crowd, index);
    const bool is_progress =
        purpose == WEND__PURPOSE_LEG ? costs_less(crowd, index, done) : leads_on_from_end(crowd, index, purpose, done);
    if (agent->wary && purpose != WEND__PURPOSE_HOME) follow_as(crowd, index, done->mover);
    if (!wend__head_start_join(crowd, index, done->cells, done->cell_count, ends) &&
        !wend__path_splice(crowd, index, done->cells, done->cell_count, ends)) {
        handle_missed(crowd, index, purpose);
        return;
    }
    if (on_field) agent->path.kind = WEND__PATH_FIELD_PIECE; /* also if the piece had too little room */
    if (leads_on) wend__far_way_keep(crowd, index, done);
    request->stops_at_start = false;
    request->purpose = WEND__PURPOSE_NONE;
    restart_measures(crowd, index, purpose, next);
    if (!is_progress) return;
    agent->stall.tries = agent->stall.backoff = 0;
    agent->stall.best = wend__path_steps(&agent->path);
    agent->stall.since = crowd->counts.updates;
}

/* Returns whether an agent or unit on a cell is not about to leave it. */
static bool stands_at(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    if (wend__map_occupants(crowd->def.map, cell) == 0) return false;
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    if (holder == (int32_t)index) return false;
    if (holder == WEND__NO_AGENT || crowd->phase[holder] == WEND__PHASE_ASLEEP) return true;
    return crowd->phase[holder] == WEND__PHASE_AWAKE && crowd->agents[holder].stall.stood > LOOKED_AT;
}

/* Returns whether an agent stands on the first cells of an answer to a plain search. An agent that has set out along
 * them takes the answer as it is. */
static bool leads_through_units(const wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    const wend__path_request *request = &crowd->agents[index].request;
    wend__version *version = wend__map_newest(crowd->def.map);
    const bool plain = goes_plain(crowd, version, index, request->purpose);
    wend__map_release(version, false);
    if (!plain || request->walked_count > 0) return false;
    for (size_t i = 1; i <= LOOKED_AT && i < done->cell_count; i++)
        if (stands_at(crowd, index, done->cells[i])) return true;
    return false;
}

void wend__path_request_done(void *context, const wend_completion *done) {
    const wend__agent *asked = context;
    wend_crowd *crowd = asked->crowd;
    if (!wend__crowd_answered(crowd)) return;
    const uint32_t index = (uint32_t)(asked - crowd->agents);
    wend__agent *agent = wend__agent_touch(crowd, index);
    const wend_ticket *ticket = &agent->request.ticket;
    if (ticket->index != done->ticket.index || ticket->generation != done->ticket.generation) return;
    agent->request.ticket = (wend_ticket){0, 0};
    update_latency(crowd, done);
    if (done->epoch == wend_map_get_epoch(crowd->def.map))
        agent->request.map_revision = wend__map_revision(crowd->def.map);
    if (leads_through_units(crowd, index, done)) {
        agent->request.among_units = true;
        wend__path_request_begin(crowd, index, agent->request.purpose);
    } else {
        agent->request.among_units = false;
        use_answer(crowd, index, done);
    }
    if (agent->request.ticket.generation) return;
    agent->request.walked_count = 0;
    agent->request.led = false;
}
