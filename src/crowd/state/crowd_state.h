/* SPDX-License-Identifier: MIT */
/* Internal: the crowd and its agents. Everything lies in one allocation. */
#ifndef WEND_SRC_CROWD_STATE_CROWD_STATE_H
#define WEND_SRC_CROWD_STATE_CROWD_STATE_H

#include "crowd/store/work.h"
#include "crowd/store/kept_path.h"
#include "crowd/store/routes.h"
#include "crowd/traffic/traffic.h"
#include "service/state/service_state.h"
#include <wend/crowd.h>
#include <wend/field.h>

/// Phases of a slot. In a step: the only work of a frame is to count down. At rest it wants nothing (STANDS), or is
/// looked at in each update (WANTS).
enum { WEND__ABSENT, WEND__STANDS, WEND__STEPS, WEND__WANTS };

enum { WEND__WISH_NONE, WEND__WISH_CELL, WEND__WISH_FOLLOW, WEND__WISH_FLEE, WEND__WISH_ROUTE };

/// The wish of an agent.
typedef struct wend__wish {
    uint8_t kind;
    bool keeps;              ///< FLEE: it lasts
    uint8_t places;          ///< CELL: places at the end of `route` that it was given
    bool second_best;        ///< CELL: the cell asked for cannot be reached, so its own one ends as partial
    int32_t reach;           ///< CELL, FOLLOW
    int32_t distance;        ///< FLEE
    wend_cell cell;          ///< CELL: where to. FOLLOW, FLEE: where the target was when the path was asked for
    wend_cell origin;        ///< the cell held when the wish began
    wend_agent_id target;    ///< FOLLOW, FLEE
    uint32_t *list;          ///< where the list that it is in begins (state/peers.h); NULL: it is in none
    uint32_t before, behind; ///< in that list, one more than an agent; 0: none
    uint32_t route;          ///< ROUTE, for the agent's mover
    wend__route_spot spot;   ///< ROUTE: where its path ends, or ended; `cell` is there
    uint32_t along;          ///< ROUTE: last steps of its path that are the route's
    bool joined;             ///< ROUTE: it has been on the route, or on its way there
    bool placed;             ///< ROUTE: `spot` is where its path ends
    bool hoped;              ///< ROUTE: its path grew at `hoped_at` last
    wend_cell hoped_at;
    uint8_t flow;          ///< CELL: one more than the number of the field that leads it; 0: none
    uint8_t tally;         ///< CELL: one more than the number of the count that it is in; 0: none
    bool astray;           ///< the field's way is broken ahead
    uint32_t tally_serial; ///< of that count
    uint32_t waits;        ///< updates without a step that it waits for the field
} wend__wish;

/// Where a path leads.
enum {
    WEND__ENDS_NOWHERE,      ///< there is no path
    WEND__ENDS_AT_GOAL,      ///< a cell that meets the wish
    WEND__ENDS_NEAR_GOAL,    ///< the nearest cell that can be reached
    WEND__ENDS_BEFORE_UNITS, ///< the nearest cell that can be reached while units block
    WEND__ENDS_SHORT,        ///< a piece: a search goes on from there
    WEND__ENDS_ON_FIELD      ///< a piece of a field's way: the field goes on from there
};

enum { WEND__TRAIL = 8 };

/// The way that an agent has before it: back along the trail, if it was pushed off its path, and then the path.
typedef struct wend__trip {
    wend__kept kept;
    wend_cell base; ///< where `kept` begins; the agent's cell where there is no trail
    wend_cell end;  ///< of the path
    uint8_t ends;   ///< WEND__ENDS_…
    uint8_t trail_count;
    wend_cell trail[WEND__TRAIL]; ///< the cells that it was pushed off, `base` first
    uint64_t serial;              ///< version on which the next `verified` steps can be walked
    uint32_t verified;
} wend__trip;

/// Why a search is made.
enum {
    WEND__QUEST_NONE,
    WEND__QUEST_PLAN,    ///< for a new wish, or the next piece of a path
    WEND__QUEST_REROUTE, ///< the path is broken
    WEND__QUEST_AROUND,  ///< agents are in the way, and cost something
    WEND__QUEST_NEAREST, ///< units are in the way, and block
    WEND__QUEST_AIM,     ///< the target has moved
    WEND__QUEST_HOME     ///< back to where it stood
};

/// The search of an agent: at most one is pending.
typedef struct wend__quest {
    wend_ticket ticket; ///< of the pending search; all zero: none
    wend_cell start;
    uint32_t walked; ///< cells walked from `start` on in the search's head start, `start` too; 0: none
    uint64_t spent;  ///< expansions of the search when its prefix was looked at; WEND_NO_LIMIT: it was not
    uint32_t lead;   ///< steps of the path until `start`, if it is on the path
    uint64_t due;    ///< update before which no further search for the same wish begins
    uint64_t serial; ///< version of the map when the last search began
    uint8_t purpose; ///< of the pending search, or the wanted one
    bool wanted;     ///< to be asked for as soon as the service takes it
    bool deferred;   ///< wanted, and put off only for lack of work: it is not due later
    bool pinned;     ///< the agent stops at `start` until the answer is there
    bool patient;    ///< NEAREST: an answer that does not reach the goal is not taken
    uint8_t failed;  ///< WEND_WHY_… of an answer without a path
} wend__quest;

/// Is a search pending or wanted?
static inline bool wend__searches(const wend__quest *quest) {
    return quest->ticket.generation || quest->wanted;
}

/// How long an agent gets nowhere. Counts are of looks at it, one in an update in which it is at rest.
typedef struct wend__patience {
    uint32_t best;              ///< fewest steps left on this path
    uint32_t record;            ///< fewest steps left of this wish
    uint32_t stalled;           ///< looks since `best` became less
    uint32_t tries;             ///< searches since `record` became less
    uint32_t jams;              ///< searches that do not count, as those in the way go on
    uint32_t backoff;           ///< the wait for the next search is doubled so often
    uint64_t rest, rest_serial; ///< least cost of a rest that was searched for at the end of a piece, and its version
    uint64_t closed_at; ///< one more than the update in which a search found no way first; 0: the last one found one
} wend__patience;

/// The patience of an agent that has come no nearer yet.
static inline wend__patience wend__fresh_patience(void) {
    return (wend__patience){.best = UINT32_MAX, .record = UINT32_MAX, .rest = UINT64_MAX};
}

/// The part of an agent that is not needed while it is in a step.
typedef struct wend__agent {
    wend_crowd *crowd;
    void *context;
    uint64_t serial; ///< one more for each agent added
    uint32_t generation, next_free;
    uint32_t fleer; ///< one more than the first of those that flee from it for good; 0: nobody does
    uint32_t named; ///< in the last order to several agents with this number
    int32_t urgency;
    bool arrived;        ///< it stands where its last wish led
    bool rerouted;       ///< an event of this update says so
    wend_cell left_cell; ///< where its last step began, of which its facing follows; its own cell before the first
    uint8_t asks;        ///< how often others made room for it on its way home, since its last wish
    bool asked;          ///< on the way home that it is on
    bool unsettled;      ///< without a wish: pushed aside by one whose wish has no end, which may do so again
    wend_cell home;      ///< where it stands without a wish
    wend_cell step;      ///< steered: the cell to which the host orders it
    uint32_t step_place; ///< one more than the place in wend_crowd.stepping; 0: no step is ordered
    int64_t length;      ///< of the step under way
    wend__wish wish;
    wend__trip trip;
    wend__quest quest;
    wend__patience patience;
} wend__agent;

/// An event that waits.
typedef struct wend__note {
    uint64_t serial; ///< of the agent
    uint64_t order;  ///< one more for each note
    wend_agent_event event;
} wend__note;

/// Notes wait in an array: first those of former updates, for a poll, then those since the last update, unsorted.
/// Each wish has a place reserved for its end.
typedef struct wend__notes {
    wend__note *of;
    uint32_t first, count, fresh, capacity, reserved;
    uint64_t order;
} wend__notes;

/// Room for an order to several agents; each array has an element an agent.
typedef struct wend__group_room {
    struct wend__flood *flood; ///< to find places
    wend_cell *goals;          ///< by the order of their ids: the place of each
    bool *second_best;         ///< the same: it is near another cell than the one asked for
    uint8_t *flows;            ///< the same: wend__wish.flow
    bool *turns;               ///< the same: whether it had its turn
    uint32_t *members;         ///< those of one mover: numbers in that order
    wend_cell *starts;         ///< where they are
    wend_cell *places;         ///< found for them
    uint32_t *place_of;        ///< the number of the place that each of them gets
    uint64_t *keys[2], *scratch;
    uint32_t orders; ///< so far
} wend__group_room;

/// A flow field for groups. Its memory is the crowd's.
typedef struct wend__flow {
    wend_field *field; ///< NULL: it is not made
    void *memory;
    wend_cell goal;
    int32_t mover, urgency;
    uint32_t near;  ///< cells from the goal within which agents search alone
    uint32_t users; ///< wishes
    bool held;      ///< by an order that begins
    bool stale;     ///< the goal is new: the field has to be made
    bool failed;    ///< it could not be made
} wend__flow;

/// How many wishes for one cell have a goal now; a few goals are counted.
typedef struct wend__tally {
    wend_cell goal;
    int32_t mover;
    uint32_t count;
    uint32_t serial; ///< one more for each goal
} wend__tally;

enum { WEND__TALLIES = 16 };

enum { WEND__ROUTE_ENDS = 8, WEND__END_PLACES = 32 };

/// Places at the end of a route that were free on a version of the map, by cost from the end; those from `next` on
/// nobody has got yet.
typedef struct wend__route_end {
    uint32_t route; ///< one more than its number; 0: none
    uint32_t next, count;
    uint64_t serial;
    wend_cell places[WEND__END_PLACES];
} wend__route_end;

struct wend_crowd {
    wend_crowd_def def;
    size_t bytes;
    uint64_t recording; ///< that is told of its orders; 0: none
    wend__traffic *traffic;
    wend__traveller *travellers;
    wend__agent *agents;
    /// In units of progress (motion/walk/walk.h). In a step: what is left of it. At rest: less than 0 what is left of
    /// the time of this update.
    int64_t *left;
    uint32_t *speed;    ///< thousandths of a straight step
    uint8_t *phase;     ///< WEND__STANDS, …
    uint32_t *wanting;  ///< agents at rest that want something in this update
    uint32_t *stepping; ///< steered agents with an order to step, in no order
    uint32_t step_count;
    wend__keep keep;
    wend__routes routes;
    wend__notes notes;
    uint32_t free_first, used; ///< slots; those from `used` on never had an agent
    uint32_t count;
    bool updating, calling, dead;
    uint64_t serial;
    uint32_t elapsed;      ///< of the last update
    int64_t scale;         ///< units of progress in a thousandth of a straight step, times that time
    uint32_t pending;      ///< searches in the service
    uint32_t latency;      ///< of an answer recently, in eighths of an update
    uint64_t busy_at;      ///< update in which the service took no more searches
    wend__work work;       ///< of this update, and of orders until the next one
    uint32_t short_of;     ///< the first agent for which there was too little; WEND__NONE: there was enough
    uint32_t served_first; ///< the agent with which the update began: it gets all the work that it needs
    wend_cell *goals;      ///< for a request's further goals
    wend_cell *walked;     ///< of head starts: wend__head_cells() for each agent
    wend_cell *prefix;     ///< as many
    wend_cell *joined;     ///< a way walked and a prefix
    wend_agent_id *ids;    ///< of the view, as the next four
    uint8_t *states;
    wend_cell *cells;
    wend_point *points;
    int8_t *facings;
    wend__group_room group;
    wend__flow *flows;
    uint32_t flow_count, tally_turn;
    wend__tally tallies[WEND__TALLIES];
    wend__route_end route_ends[WEND__ROUTE_ENDS]; ///< by route, modulo their number
    wend_crowd_counts counts;
};

/// Is it a wish that nothing ends but the host, or that may never end?
static inline bool wend__wish_is_endless(const wend_crowd *crowd, const wend__wish *wish) {
    if (wish->kind == WEND__WISH_ROUTE) return crowd->routes.of[wish->route].mode != WEND_ROUTE_ONCE;
    return wish->kind == WEND__WISH_FOLLOW || wish->kind == WEND__WISH_FLEE;
}

static inline bool wend__same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Begin work for an agent that can wait, as by wend__work_begin(). False: it waits, and is looked at first next time.
/// Then it gets all the work that it needs, so that one kind of its work never keeps another from it for ever.
static inline bool wend__crowd_work(wend_crowd *crowd, uint32_t index, uint32_t pieces) {
    if (index == crowd->served_first) {
        wend__work_spend(&crowd->work, pieces);
        return true;
    }
    if (wend__work_begin(&crowd->work, crowd->agents[index].urgency > 0, pieces)) return true;
    if (crowd->short_of == WEND__NONE) crowd->short_of = index;
    return false;
}

/// The largest distance along an axis.
static inline uint32_t wend__cells_apart(wend_cell a, wend_cell b) {
    uint32_t x = wend__distance(a.x, b.x), y = wend__distance(a.y, b.y), z = wend__distance(a.z, b.z);
    uint32_t most = x > y ? x : y;
    return z > most ? z : most;
}

/// The beginning of each public function: in debug builds, the crowd and its service are alive, and in no other thread.
#define WEND__CROWD_CALL(crowd)                                                                                        \
    WEND__ALIVE(crowd, "the crowd");                                                                                   \
    WEND__ALIVE_FOR((crowd)->def.service, "the crowd's service", ": destroy a crowd before its service");              \
    WEND__ALONE((crowd)->def.service, "the crowd's service")

/// Does the host call from a callback of the crowd or of its service?
static inline bool wend__crowd_in_callback(const wend_crowd *crowd) {
    return crowd->updating || crowd->def.service->ticking;
}

/// Note that a call came inside a callback. @return WEND_IN_CALLBACK
static inline wend_error wend__crowd_refuse_callback(void) {
    return wend__refuse(WEND_IN_CALLBACK, "a callback of the crowd or of its service runs: call it after that");
}

/// Note that an agent is gone. @return WEND_STALE_TICKET
static inline wend_error wend__crowd_refuse_id(wend_agent_id id) {
    return wend__refuse(WEND_STALE_TICKET, "the agent %u,%u (index, generation) is removed, or was never there",
                        id.index, id.generation);
}

/// Note that no event finds room. @return WEND_BUSY
static inline wend_error wend__crowd_refuse_events(void) {
    return wend__refuse(WEND_BUSY, "no room for more events and wishes: poll, update, or see wend_crowd_def.events");
}

/// Note that no route finds room. @return WEND_BUSY
static inline wend_error wend__crowd_refuse_route(void) {
    return wend__refuse(WEND_BUSY, "no room for another route: see routes and route_cells of wend_crowd_def");
}

/// The slot of an id; -1: it is stale.
static inline int32_t wend__crowd_slot(const wend_crowd *crowd, wend_agent_id id) {
    if (id.index >= crowd->used || crowd->phase[id.index] == WEND__ABSENT) return -1;
    return crowd->agents[id.index].generation == id.generation ? (int32_t)id.index : -1;
}

#endif
