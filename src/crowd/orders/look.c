/* SPDX-License-Identifier: MIT */
/* An agent at rest finds that its wish is met, or wants a step, or waits for a search. */
#include "crowd/orders/look.h"

#include "crowd/flow/flows.h"
#include "crowd/orders/route_end.h"
#include "crowd/orders/steer.h"
#include "crowd/orders/wish.h"
#include "crowd/paths/ask.h"
#include "crowd/paths/head_start.h"
#include "crowd/paths/trip.h"
#include "map/query/step_cost.h"

enum { NEAR_END = 8 }; ///< steps before the end of a path from which on the agent sees that its end is taken

WEND__INLINE bool is_near(wend_cell at, const wend__wish *wish) {
    if (wish->reach == 0) return wend__same_cell(at, wish->cell);
    return wend__cells_apart(at, wish->cell) <= (uint32_t)wish->reach;
}

bool wend__wish_is_met(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__wish *wish = &crowd->agents[index].wish;
    wend_cell at = crowd->travellers[index].at;
    if (wish->kind == WEND__WISH_CELL) return is_near(at, wish);
    if (wish->kind != WEND__WISH_FOLLOW && wish->kind != WEND__WISH_FLEE) return false;
    wend_cell target = crowd->travellers[wish->target.index].at;
    if (wish->kind == WEND__WISH_FLEE) return wend__cells_apart(at, target) >= (uint32_t)wish->distance;
    if (version->kind != WEND_KIND_GRAPH) return wend__cells_apart(at, target) <= (uint32_t)wish->reach;
    return wend__same_cell(at, target) ||
           wend__step_cost(version, crowd->travellers[index].mover, at, target) != UINT64_MAX;
}

static bool has_moved(const wend_crowd *crowd, uint32_t index) {
    return !wend__same_cell(crowd->travellers[index].at, crowd->agents[index].wish.origin);
}

/* A wish that lasts does not end: its agent stays, and searches again later. */
static void end_wish(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why) {
    wend__agent *agent = &crowd->agents[index];
    if (!agent->wish.keeps) {
        wend__wish_end(crowd, index, event, why);
        return;
    }
    wend__ask_drop(crowd, index);
    wend__trip_clear(crowd, index);
    agent->patience = wend__fresh_patience();
    agent->quest.due = crowd->counts.updates + crowd->def.retry_updates;
}

/* The agent stands as near as it gets. */
static void stay_near(wend_crowd *crowd, uint32_t index, int32_t why) {
    if (wend__route_end_place(crowd, index)) return;
    bool moved = has_moved(crowd, index);
    end_wish(crowd, index, moved ? WEND_AGENT_EVENT_PARTIAL : WEND_AGENT_EVENT_GAVE_UP, moved ? WEND_WHY_NONE : why);
}

/* ---- trying again ---- */

/// Obstacles on the cells that an agent would cover.
typedef struct cover {
    int32_t holder; ///< one of the other agents there; WEND__NO_TRAVELLER: there is none
    bool stands;    ///< one of them stands and will not step aside
    bool foreign;   ///< a unit of the host, or a steered agent that stands: nobody can push it aside
} cover;

static cover look_under(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const int32_t size = crowd->travellers[index].size;
    const int32_t layers = crowd->def.map->kind == WEND_KIND_VOXEL ? size : 1;
    cover under = {.holder = WEND__NO_TRAVELLER};
    for (int32_t z = cell.z; z < cell.z + layers; z++)
        for (int32_t y = cell.y; y < cell.y + size; y++)
            for (int32_t x = cell.x; x < cell.x + size; x++) {
                const wend_cell covered = {x, y, z};
                const int32_t holder = wend__traffic_holder(crowd->traffic, covered);
                if (holder == (int32_t)index) continue;
                if (holder == WEND__NO_TRAVELLER)
                    under.foreign |= wend__map_occupants(crowd->def.map, covered) > 0;
                else if (under.holder == WEND__NO_TRAVELLER)
                    under.holder = holder;
                if (holder == WEND__NO_TRAVELLER || crowd->phase[holder] != WEND__STANDS) continue;
                if (crowd->travellers[holder].has_wish) continue; /* it flees when it has to */
                under.stands = true;
                under.foreign |= crowd->travellers[holder].steered;
            }
    return under;
}

bool wend__is_taken(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const wend__traveller *own = &crowd->travellers[index];
    if (own->ghost || !wend__traffic_is_held(crowd->traffic, cell, own->size, (int32_t)index)) return false;
    const cover under = look_under(crowd, index, cell);
    return under.stands || under.foreign;
}

/* Does the one at the head of those who wait for each other, from `cell` on, go on? */
static bool queue_moves(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    enum { LONGEST = 256 };
    uint32_t who = index;
    for (uint32_t k = 0; k < LONGEST; k++) {
        const cover under = look_under(crowd, who, cell);
        wend__work_spend(&crowd->work, WEND__WORK_WAY);
        if (under.foreign || under.stands || under.holder == (int32_t)index) return false;
        if (under.holder == WEND__NO_TRAVELLER) return true;
        const wend__traveller *other = &crowd->travellers[under.holder];
        if (crowd->phase[under.holder] == WEND__STEPS) return true;
        if (wend__same_cell(other->next, other->at)) return wend__searches(&crowd->agents[under.holder].quest);
        who = (uint32_t)under.holder;
        cell = other->next;
    }
    return true;
}

/* Where others move ahead it is worth waiting: then only every eighth try counts. */
static void count_try(wend_crowd *crowd, uint32_t index, wend_cell ahead, bool taken) {
    enum { JAMS = 8 };
    wend__patience *patience = &crowd->agents[index].patience;
    if (!taken && queue_moves(crowd, index, ahead) && ++patience->jams < JAMS) return;
    patience->tries++;
    patience->jams = 0;
}

static uint64_t next_try(const wend_crowd *crowd, const wend__patience *patience) {
    const uint32_t doublings = patience->backoff < 6 ? patience->backoff : 6;
    return crowd->counts.updates + ((uint64_t)crowd->def.retry_updates << doublings);
}

void wend__try_again(wend_crowd *crowd, uint32_t index, wend_cell ahead, bool taken) {
    enum { PATIENT = 2 }; /* tries in which an agent does not go for the second best yet */
    wend__agent *agent = &crowd->agents[index];
    wend__patience *patience = &agent->patience;
    if (wend__searches(&agent->quest) || crowd->counts.updates < agent->quest.due) return;
    if (patience->tries >= crowd->def.tries) {
        if (taken)
            stay_near(crowd, index, WEND_WHY_BLOCKED);
        else if (!wend__route_end_place(crowd, index))
            end_wish(crowd, index, WEND_AGENT_EVENT_GAVE_UP, WEND_WHY_BLOCKED);
        return;
    }
    if (!wend__crowd_work(crowd, index, WEND__WORK_WAY)) return;
    count_try(crowd, index, ahead, taken);
    agent->quest.due = next_try(crowd, patience);
    patience->stalled = 0;
    const bool foreign = look_under(crowd, index, ahead).foreign;
    wend__ask(crowd, index, taken || foreign ? WEND__QUEST_NEAREST : WEND__QUEST_AROUND, 0);
    agent->quest.patient = !taken && patience->tries <= PATIENT;
    patience->backoff++;
}

/* ---- the next step ---- */

static void measure(wend__agent *agent) {
    wend__patience *patience = &agent->patience;
    uint32_t steps = wend__trip_steps(&agent->trip);
    patience->stalled++;
    if (agent->trip.ends == WEND__ENDS_NOWHERE) return;
    if (steps < patience->best) {
        patience->best = steps;
        patience->stalled = 0;
    }
    if (steps >= patience->record) return;
    patience->record = steps;
    patience->tries = patience->jams = 0;
    patience->backoff /= 2;
}

/* No way is left, and the wish is not met. */
static void look_at_end(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const uint8_t ends = agent->trip.ends;
    if (wend__searches(&agent->quest)) return;
    bool pursues = agent->wish.kind == WEND__WISH_FOLLOW || agent->wish.kind == WEND__WISH_FLEE;
    if (!pursues && ends == WEND__ENDS_NEAR_GOAL) {
        stay_near(crowd, index, WEND_WHY_NO_PATH);
    } else if (!pursues && ends == WEND__ENDS_BEFORE_UNITS) {
        stay_near(crowd, index, WEND_WHY_BLOCKED);
    } else if (ends == WEND__ENDS_NOWHERE || (ends == WEND__ENDS_SHORT && agent->patience.tries == 0)) {
        agent->patience.tries += ends == WEND__ENDS_SHORT;
        wend__ask(crowd, index, WEND__QUEST_PLAN, UINT32_MAX);
    } else if (crowd->counts.updates >= agent->quest.due) {
        if (agent->patience.tries >= crowd->def.tries) {
            stay_near(crowd, index, ends == WEND__ENDS_SHORT ? WEND_WHY_LIMIT : WEND_WHY_NO_PATH);
            return;
        }
        agent->patience.tries++;
        agent->quest.due = next_try(crowd, &agent->patience);
        agent->patience.backoff++;
        wend__ask(crowd, index, pursues ? WEND__QUEST_AIM : WEND__QUEST_PLAN, UINT32_MAX);
    }
}

/* No way led to the goal: the agent searches again when the map has changed. True: it waits for a way. */
static bool look_for_way(wend_crowd *crowd, uint32_t index) {
    wend__quest *quest = &crowd->agents[index].quest;
    if (!wend__waits_for_way(crowd, index)) return false;
    if (wend__searches(quest) || crowd->counts.updates < quest->due || wend__asks_in_vain(crowd, index)) return true;
    quest->due = crowd->counts.updates + crowd->def.retry_updates;
    wend__ask(crowd, index, WEND__QUEST_PLAN, UINT32_MAX);
    return true;
}

/* The path is broken ahead: a search begins at once, and the agent goes on until the gap. True: it is there. */
static bool look_at_gap(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    uint32_t open = wend__trip_check(crowd, version, index);
    if (open == UINT32_MAX) {
        const bool opened = agent->wish.kind == WEND__WISH_CELL && agent->trip.ends != WEND__ENDS_NEAR_GOAL;
        if (opened) agent->patience.closed_at = 0; /* a route's gap is behind its path's end */
        return false;
    }
    if (agent->trip.ends == WEND__ENDS_NOWHERE) { /* a path of the wish before */
        wend__kept_cut(&crowd->keep, &agent->trip.kept, open);
        return open == 0;
    }
    if (agent->trip.ends == WEND__ENDS_ON_FIELD) return wend__flow_break(crowd, version, index, open);
    bool asked = wend__searches(&agent->quest) && agent->quest.purpose != WEND__QUEST_AROUND;
    if (!asked && crowd->counts.updates >= agent->quest.due && !wend__asks_in_vain(crowd, index)) {
        agent->quest.due = crowd->counts.updates + crowd->def.retry_updates;
        wend__ask(crowd, index, WEND__QUEST_REROUTE, open);
    }
    if (open == 0) agent->patience.stalled = 0; /* nobody is in its way */
    return open == 0;
}

/* The trail leads back to the path step by step; where a step is closed by now, the path is lost. */
static bool keeps_trail(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traveller *traveller = &crowd->travellers[index];
    wend__trip_rejoin(crowd, version, index);
    if (crowd->agents[index].trip.trail_count == 0) return true;
    wend_cell next = wend__trip_next(crowd, index);
    if (wend__step_cost(version, traveller->mover, traveller->at, next) != UINT64_MAX) return true;
    wend__trip_clear(crowd, index);
    return false;
}

/* It lost its way, and was pushed once more: its trail leads back to nothing. */
static bool has_bare_trail(const wend__agent *agent) {
    const wend__trip *trip = &agent->trip;
    return trip->trail_count > 0 && trip->kept.steps == 0 && trip->ends == WEND__ENDS_NOWHERE &&
           !wend__searches(&agent->quest);
}

/* Is the path's end taken? On a graph a follower's path leads to its target, and it stops beside it. */
static bool end_is_taken(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__trip *trip = &agent->trip;
    const bool follows = agent->wish.kind == WEND__WISH_FOLLOW && crowd->def.map->kind == WEND_KIND_GRAPH;
    const bool leads_on = trip->ends == WEND__ENDS_SHORT || trip->ends == WEND__ENDS_ON_FIELD;
    if (trip->ends == WEND__ENDS_NOWHERE || leads_on || trip->kept.steps > NEAR_END) return false;
    if (follows && wend__same_cell(trip->end, crowd->travellers[agent->wish.target.index].at)) return false;
    return wend__is_taken(crowd, index, trip->end);
}

static void choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__traveller *traveller = &crowd->travellers[index];
    const wend__trip *trip = &agent->trip;
    if (has_bare_trail(agent)) wend__trip_clear(crowd, index);
    if (trip->trail_count > 0 && !keeps_trail(crowd, version, index)) return;
    wend__head_start(crowd, index);
    const bool ends = wend__trip_steps(trip) == 0;
    const bool hopes = (ends || trip->ends == WEND__ENDS_NEAR_GOAL) && look_for_way(crowd, index);
    if (ends) {
        if (!hopes) look_at_end(crowd, index);
        return;
    }
    if (trip->trail_count == 0) {
        bool waits = agent->quest.pinned && wend__same_cell(trip->base, agent->quest.start);
        if (waits && wend__searches(&agent->quest)) return;
        if (look_at_gap(crowd, version, index)) return;
    }
    if (agent->quest.ticket.generation && agent->quest.purpose == WEND__QUEST_NEAREST) return;
    wend_cell next = wend__trip_next(crowd, index);
    if (end_is_taken(crowd, index)) {
        if (wend__route_end_place(crowd, index)) return;
        wend__try_again(crowd, index, trip->end, true);
        if (wend__trip_steps(trip) <= 1 || wend__searches(&agent->quest)) return;
    } else if (agent->patience.stalled >= crowd->def.retry_updates && trip->ends != WEND__ENDS_NOWHERE) {
        wend__try_again(crowd, index, next, false);
        if (wend__trip_steps(trip) == 0) return; /* the wish has ended */
    }
    traveller->next = next;
}

void wend__agent_look(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__traveller *traveller = &crowd->travellers[index];
    traveller->next = traveller->at;
    if (traveller->steered) {
        wend__steer_look(crowd, version, index);
        return;
    }
    if (agent->wish.kind == WEND__WISH_NONE) {
        wend__go_home(crowd, version, index);
        return;
    }
    bool pursues = agent->wish.kind == WEND__WISH_FOLLOW || agent->wish.kind == WEND__WISH_FLEE;
    if (pursues && wend__pursue(crowd, version, index)) return;
    if (agent->wish.kind == WEND__WISH_ROUTE && wend__patrol_look(crowd, version, index)) return;
    if (agent->wish.kind == WEND__WISH_CELL && is_near(traveller->at, &agent->wish)) {
        bool best = !agent->wish.second_best;
        wend__wish_end(crowd, index, best ? WEND_AGENT_EVENT_ARRIVED : WEND_AGENT_EVENT_PARTIAL, WEND_WHY_NONE);
        return;
    }
    wend__quest *quest = &agent->quest;
    if (quest->wanted && (quest->deferred || crowd->counts.updates >= quest->due)) wend__ask_again(crowd, index);
    if (quest->failed != WEND_WHY_NONE) {
        stay_near(crowd, index, quest->failed);
        return;
    }
    if (wend__flow_lead(crowd, version, index)) return;
    measure(agent);
    choose_step(crowd, version, index);
}
