/* SPDX-License-Identifier: MIT */
/* An agent's searches. Other agents within some cells of the start cost something, more with each try, so that a path
 * leads round them where that is not much longer, and through them where there is no other way: they will move, or
 * step aside. Where units are in the way that do not, a search takes them as blocked. */
#include "crowd/paths/ask.h"

#include "crowd/paths/head_start.h"
#include "crowd/paths/legs.h"
#include "crowd/paths/trip.h"
#include "crowd/state/notes.h"
#include "crowd/state/release.h"
#include "crowd/state/told_orders.h"

enum {
    UNIT_COST = 3,       ///< straight steps that a way round an agent may be longer, at first
    MOST_DOUBLINGS = 6,  ///< of that
    AROUND_LIMIT = 8192, ///< expansions of a search for a way round
    FIRST_LATENCY = 8,   ///< eighths
    MOST_LEAD = 48       ///< steps; an answer is looked for among the next 64
};

void wend__ask_drop(wend_crowd *crowd, uint32_t index) {
    wend__quest *quest = &crowd->agents[index].quest;
    if (quest->ticket.generation) wend__crowd_cancel(crowd, quest->ticket);
    quest->ticket = (wend_ticket){0, 0};
    quest->wanted = quest->deferred = quest->pinned = quest->patient = false;
    quest->purpose = WEND__QUEST_NONE;
    quest->failed = WEND_WHY_NONE;
    quest->walked = 0;
}

/* The number of steps that an agent goes until an answer comes: the update in which it comes is not walked yet. */
static uint32_t steps_until_answer(const wend_crowd *crowd, uint32_t index) {
    uint64_t updates = crowd->latency > 8 ? crowd->latency - 8 : 0;
    uint64_t milli = updates * crowd->speed[index] / 8 * (crowd->elapsed ? crowd->elapsed : 1000) / 1000;
    uint64_t steps = milli / 1000;
    return steps < MOST_LEAD ? (uint32_t)steps : MOST_LEAD;
}

static uint32_t lead_of(const wend_crowd *crowd, uint32_t index, uint8_t purpose, uint32_t limit) {
    const wend__trip *trip = &crowd->agents[index].trip;
    if (purpose == WEND__QUEST_AROUND || purpose == WEND__QUEST_NEAREST || purpose == WEND__QUEST_HOME) return 0;
    const wend__wish *wish = &crowd->agents[index].wish;
    const bool walks_on = wish->kind == WEND__WISH_ROUTE && wish->placed && trip->ends == WEND__ENDS_AT_GOAL;
    if (walks_on) return trip->kept.steps; /* up to the gap it goes along its route */
    uint32_t lead = steps_until_answer(crowd, index);
    if (lead > limit) lead = limit;
    return lead < trip->kept.steps ? lead : trip->kept.steps;
}

static int32_t unit_cost(const wend__version *version, const wend__patience *patience) {
    bool graph = version->kind == WEND_KIND_GRAPH;
    uint32_t doublings = patience->backoff < MOST_DOUBLINGS ? patience->backoff : MOST_DOUBLINGS;
    int64_t straight = graph ? 1000 : version->rules.cost_straight, cost = straight * UNIT_COST << doublings;
    return cost < WEND_MAX_COST ? (int32_t)cost : WEND_MAX_COST;
}

/* Units cost something, or block. Ghosts walk through them. */
static void set_units(const wend_crowd *crowd, const wend__version *version, uint32_t index, uint8_t purpose,
                      wend_request *request) {
    if (crowd->travellers[index].ghost) return;
    request->occupied_within = crowd->def.units_within;
    if (version->kind == WEND_KIND_GRAPH) request->occupied_within = WEND_EVERYWHERE;
    if (purpose == WEND__QUEST_NEAREST)
        request->occupied = WEND_OCCUPIED_BLOCK;
    else if (version->kind != WEND_KIND_GRAPH || purpose == WEND__QUEST_AROUND)
        request->occupied = unit_cost(version, &crowd->agents[index].patience);
}

/* False: there is nowhere to go to. */
static bool set_goal(wend_crowd *crowd, const wend__version *version, uint32_t index, uint8_t purpose,
                     wend_request *request) {
    wend__agent *agent = &crowd->agents[index];
    wend__wish *wish = &agent->wish;
    request->goal = wish->kind == WEND__WISH_NONE || purpose == WEND__QUEST_HOME ? agent->home : wish->cell;
    if (wish->kind == WEND__WISH_CELL || wish->kind == WEND__WISH_FOLLOW) request->reach = wish->reach;
    if (version->kind == WEND_KIND_GRAPH) request->reach = 0;
    if (wish->kind == WEND__WISH_FOLLOW || wish->kind == WEND__WISH_FLEE) {
        wish->cell = crowd->travellers[wish->target.index].at;
        request->goal = wish->cell;
    }
    const bool way_round = purpose == WEND__QUEST_AROUND || purpose == WEND__QUEST_NEAREST;
    const bool joins = wish->kind == WEND__WISH_ROUTE && !way_round && purpose != WEND__QUEST_HOME;
    if (wish->kind == WEND__WISH_ROUTE && !joins && agent->trip.ends != WEND__ENDS_NOWHERE)
        request->goal = agent->trip.end; /* it may be on its way to a cell near the route */
    if (purpose == WEND__QUEST_AROUND && agent->trip.ends == WEND__ENDS_ON_FIELD)
        request->goal = agent->trip.end, request->reach = 0; /* the field leads on from there */
    if (wish->kind != WEND__WISH_FLEE && !joins) return true;
    const uint32_t goals = joins ? wend__route_goals(crowd, version, index, &request->goal)
                                 : wend__flee_goals(crowd, version, index, &request->goal);
    if (goals == 0) return false;
    request->more_goals = crowd->goals;
    request->more_goal_count = goals - 1;
    return true;
}

static bool make_request(wend_crowd *crowd, const wend__version *version, uint32_t index, uint8_t purpose,
                         uint32_t limit, wend_request *request) {
    wend__agent *agent = &crowd->agents[index];
    wend_request_init(request, sizeof *request);
    request->map = crowd->def.map;
    agent->quest.lead = lead_of(crowd, index, purpose, limit);
    request->start = wend__trip_ahead(crowd, index, agent->quest.lead);
    request->flags = WEND_REQUEST_LEAVE_BLOCKED_START;
    request->urgency = agent->urgency;
    request->mover = crowd->travellers[index].mover;
    bool measured = version->kind != WEND_KIND_GRAPH || version->graph->coordinates;
    if (measured && purpose != WEND__QUEST_HOME) request->mode = WEND_MODE_NEAREST;
    if (purpose == WEND__QUEST_AROUND) request->max_expansions = AROUND_LIMIT;
    request->on_done = wend__answer;
    request->context = agent;
    set_units(crowd, version, index, purpose, request);
    return set_goal(crowd, version, index, purpose, request);
}

/* The map leaves no way. True: the agent waits for one. */
static bool wait_for_way(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    if (crowd->def.patience_updates == 0) return false;
    if (agent->wish.kind != WEND__WISH_CELL && agent->wish.kind != WEND__WISH_ROUTE) return false;
    if (agent->patience.closed_at == 0) agent->patience.closed_at = crowd->counts.updates + 1;
    return wend__waits_for_way(crowd, index);
}

bool wend__asks_in_vain(const wend_crowd *crowd, uint32_t index) {
    return wend__waits_for_way(crowd, index) && crowd->agents[index].quest.serial == wend__map_serial(crowd->def.map);
}

void wend__ask(wend_crowd *crowd, uint32_t index, uint8_t purpose, uint32_t limit) {
    wend__agent *agent = &crowd->agents[index];
    wend__quest *quest = &agent->quest;
    bool pinned = quest->pinned;
    wend__ask_drop(crowd, index);
    quest->spent = WEND_NO_LIMIT;
    quest->pinned = pinned;
    quest->purpose = purpose;
    quest->wanted = true;
    if (crowd->busy_at == crowd->counts.updates + 1) return;
    quest->deferred = !wend__crowd_work(crowd, index, WEND__WORK_SEARCH);
    if (quest->deferred) return;
    wend_request request;
    wend__version *version = wend__map_newest(crowd->def.map);
    quest->serial = version->serial;
    bool anywhere = make_request(crowd, version, index, purpose, limit, &request);
    wend__map_release(version, false);
    wend_error error = anywhere ? wend__crowd_submit(crowd, &request, &quest->ticket) : WEND_EMPTY;
    quest->start = request.start;
    if (error == WEND_BUSY) {
        crowd->busy_at = crowd->counts.updates + 1;
        return;
    }
    quest->wanted = false;
    if (error == WEND_OK) {
        crowd->pending++;
        crowd->counts.searches_begun++;
        return;
    }
    quest->purpose = WEND__QUEST_NONE;
    if (error == WEND_EMPTY && wait_for_way(crowd, index)) return;
    quest->failed = error == WEND_EMPTY ? WEND_WHY_NO_PATH : WEND_WHY_LIMIT;
}

void wend__ask_again(wend_crowd *crowd, uint32_t index) {
    wend__ask(crowd, index, crowd->agents[index].quest.purpose, UINT32_MAX);
}

/* ---- answers ---- */

/* Where an answer leads; NOWHERE: it has no path, and `why`. */
static uint8_t read_answer(const wend_completion *done, uint8_t purpose, uint8_t *why) {
    *why = WEND_WHY_NO_PATH;
    bool path = done->cell_count > 0;
    switch (done->status) {
    case WEND_STATUS_FOUND: return WEND__ENDS_AT_GOAL;
    case WEND_STATUS_PARTIAL: return purpose == WEND__QUEST_NEAREST ? WEND__ENDS_BEFORE_UNITS : WEND__ENDS_NEAR_GOAL;
    case WEND_STATUS_NO_PATH:
    case WEND_STATUS_START_BLOCKED: return WEND__ENDS_NOWHERE;
    case WEND_STATUS_GOAL_BLOCKED:
        if (purpose == WEND__QUEST_NEAREST) *why = WEND_WHY_BLOCKED;
        return WEND__ENDS_NOWHERE;
    default: *why = WEND_WHY_LIMIT; return path ? WEND__ENDS_SHORT : WEND__ENDS_NOWHERE;
    }
}

static void note_latency(wend_crowd *crowd, const wend_completion *done) {
    uint64_t now = done->frames < 1000 ? done->frames * 8 : 8000;
    crowd->latency = (uint32_t)((crowd->latency * 7 + now + 4) / 8);
    if (crowd->latency < FIRST_LATENCY) crowd->latency = FIRST_LATENCY;
}

/* A new way: its length is the measure of getting nearer from now on, but not of tries. */
static void take_path(wend_crowd *crowd, uint32_t index, uint8_t purpose, wend_cell next_before) {
    wend__agent *agent = &crowd->agents[index];
    uint32_t steps = wend__trip_steps(&agent->trip);
    agent->patience.best = steps;
    agent->patience.stalled = 0;
    if (purpose == WEND__QUEST_REROUTE) agent->patience.record = steps;
    agent->wish.along = 0;
    if (purpose != WEND__QUEST_AROUND && purpose != WEND__QUEST_NEAREST) agent->wish.placed = false;
    bool other = purpose == WEND__QUEST_REROUTE || !wend__same_cell(next_before, wend__trip_next(crowd, index));
    bool again = purpose == WEND__QUEST_AROUND || purpose == WEND__QUEST_NEAREST || purpose == WEND__QUEST_REROUTE;
    if (again && other && steps > 0 && agent->wish.kind != WEND__WISH_NONE) wend__notes_rerouted(crowd, index);
}

/* An answer that begins elsewhere than where the agent is: it has gone on, or was pushed. A search for a way round is
 * not needed then; any other is made once more, and the agent waits for it. */
static void miss(wend_crowd *crowd, uint32_t index, uint8_t purpose) {
    if (purpose == WEND__QUEST_AROUND || purpose == WEND__QUEST_NEAREST) return;
    crowd->agents[index].quest.pinned = true;
    wend__ask(crowd, index, purpose, UINT32_MAX);
}

/* A path that had too little room is walked piece by piece. The agent walked one, and this is the next: it has come
 * nearer if the rest costs less than ever before on this map. Ways round others, and those of searches that were cut
 * short, may lead anywhere. */
static bool is_next_piece(wend_crowd *crowd, uint32_t index, uint8_t purpose, const wend_completion *done) {
    const wend__trip *trip = &crowd->agents[index].trip;
    wend__patience *patience = &crowd->agents[index].patience;
    const bool around = purpose == WEND__QUEST_AROUND || purpose == WEND__QUEST_NEAREST;
    if (trip->ends != WEND__ENDS_SHORT || wend__trip_steps(trip) > 0 || around || done->cell_count < 2) return false;
    if (done->status == WEND_STATUS_TOO_LONG) return true; /* nobody knows what the rest costs */
    if (done->status != WEND_STATUS_FOUND && done->status != WEND_STATUS_PARTIAL) return false;
    const uint64_t serial = wend__map_serial(crowd->def.map);
    if (patience->rest_serial == serial && (uint64_t)done->cost >= patience->rest) return false;
    patience->rest_serial = serial;
    patience->rest = (uint64_t)done->cost;
    return true;
}

/* Is the way that of a search of the agent's own, up to where its wish leads it? */
static bool ends_alone(uint8_t ends) {
    return ends != WEND__ENDS_ON_FIELD && ends != WEND__ENDS_SHORT && ends != WEND__ENDS_NOWHERE;
}

static void use_answer(wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    wend__agent *agent = &crowd->agents[index];
    wend__quest *quest = &agent->quest;
    const uint8_t purpose = quest->purpose;
    uint8_t why, ends = read_answer(done, purpose, &why);
    const bool around = purpose == WEND__QUEST_AROUND;
    if (around && ends != WEND__ENDS_AT_GOAL && ends != WEND__ENDS_NEAR_GOAL) return; /* the way stays as it is */
    if (quest->patient && purpose == WEND__QUEST_NEAREST && ends != WEND__ENDS_AT_GOAL) return;
    const bool on_field = around && agent->wish.flow && !ends_alone(agent->trip.ends);
    if (on_field && ends != WEND__ENDS_AT_GOAL) return;
    if (on_field) ends = WEND__ENDS_ON_FIELD;
    const bool elsewhere = agent->wish.kind == WEND__WISH_ROUTE && agent->trip.ends != WEND__ENDS_NOWHERE;
    const bool same_end = elsewhere && ends == WEND__ENDS_AT_GOAL && (around || purpose == WEND__QUEST_NEAREST);
    if (same_end) ends = agent->trip.ends;
    if (purpose == WEND__QUEST_NEAREST && ends == WEND__ENDS_SHORT) ends = WEND__ENDS_BEFORE_UNITS;
    if (ends == WEND__ENDS_NOWHERE) {
        const bool undone = wend__is_undone((wend_status)done->status);
        quest->wanted = undone;
        quest->purpose = undone ? purpose : WEND__QUEST_NONE;
        quest->due = undone ? crowd->counts.updates + crowd->def.retry_updates : quest->due;
        const bool closed = !undone && why == WEND_WHY_NO_PATH && purpose != WEND__QUEST_NEAREST;
        const bool waits = closed && wait_for_way(crowd, index);
        if (!undone && !waits) quest->failed = why;
        if (waits && agent->trip.ends == WEND__ENDS_NOWHERE) wend__trip_clear(crowd, index);
        if (quest->walked > 0) agent->wish.origin = crowd->travellers[index].at; /* it got nowhere */
        return;
    }
    if (ends == WEND__ENDS_NEAR_GOAL && wait_for_way(crowd, index) && purpose == WEND__QUEST_REROUTE) return;
    /* Another way to the same end does not tell whether the route's gap behind it is open. */
    const bool opened = ends == WEND__ENDS_AT_GOAL && !same_end && agent->patience.closed_at > 0;
    if (opened) agent->patience = wend__fresh_patience();
    wend_cell next = wend__trip_next(crowd, index);
    const bool goes_on = is_next_piece(crowd, index, purpose, done);
    if (!wend__head_join(crowd, index, done->cells, done->cell_count, ends) &&
        !wend__trip_splice(crowd, index, done->cells, done->cell_count, ends)) {
        miss(crowd, index, purpose);
        return;
    }
    if (on_field) agent->trip.ends = WEND__ENDS_ON_FIELD; /* also where there was too little room */
    quest->pinned = false;
    quest->purpose = WEND__QUEST_NONE;
    take_path(crowd, index, purpose, next);
    if (!goes_on) return;
    agent->patience.tries = agent->patience.jams = agent->patience.backoff = 0;
    agent->patience.record = agent->patience.best;
}

void wend__answer(void *context, const wend_completion *done) {
    wend__agent *agent = context;
    wend_crowd *crowd = agent->crowd;
    crowd->pending--;
    if (crowd->dead) {
        if (crowd->pending == 0) wend__crowd_free(crowd);
        return;
    }
    uint32_t index = (uint32_t)(agent - crowd->agents);
    const wend_ticket *ticket = &agent->quest.ticket;
    if (ticket->index != done->ticket.index || ticket->generation != done->ticket.generation) return;
    agent->quest.ticket = (wend_ticket){0, 0};
    note_latency(crowd, done);
    use_answer(crowd, index, done);
    if (!agent->quest.ticket.generation) agent->quest.walked = 0;
}
