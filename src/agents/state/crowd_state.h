/* SPDX-License-Identifier: MIT */
/* Internal: the crowd and its agents. Everything lies in one allocation. */
#ifndef WEND_SRC_AGENTS_STATE_CROWD_STATE_H
#define WEND_SRC_AGENTS_STATE_CROWD_STATE_H

#include "agents/manners/traffic.h"
#include "agents/state/near_field.h"
#include "agents/state/routes.h"
#include "agents/state/stored_path.h"
#include "map/ground/ground.h"
#include "recording/calls/recording.h"
#include "service/state/service_state.h"
#include <wend/body.h>
#include <wend/crowd_tuning.h>
#include <wend/field.h>
#include <wend/routes.h>

/// Phases of a slot. An agent in a step only counts down. An agent at rest is skipped by updates (ASLEEP), or chooses
/// its next step in each of them (AWAKE). An AWAY agent is on unloaded land and holds no cell.
enum { WEND__PHASE_ABSENT, WEND__PHASE_AWAY, WEND__PHASE_ASLEEP, WEND__PHASE_STEPPING, WEND__PHASE_AWAKE };

typedef struct wend_bodies wend_bodies; ///< see bodies.h

enum { WEND__GOAL_NONE, WEND__GOAL_CELL, WEND__GOAL_FOLLOW, WEND__GOAL_FLEE, WEND__GOAL_ROUTE };

typedef struct wend__agent_goal {
    uint8_t kind;
    bool keep;                     ///< FLEE: the goal does not end when it is met
    uint8_t end_places;            ///< CELL: how many places near a taken end the agent has been given
    bool for_route;                ///< CELL: a place at the end of `route`
    bool ends_partial;             ///< CELL: another cell was asked for and cannot be reached; ends as PARTIAL
    bool on_route;                 ///< ROUTE: the agent has found a path to the route
    bool position_known;           ///< ROUTE: `position` is the end of the present path
    uint8_t flow;                  ///< CELL: number of the flow field that the agent follows, plus 1; 0: none
    uint8_t march;                 ///< CELL: number of the march that the agent is in, plus 1; 0: none
    bool on_leg;                   ///< the same: `cell` is a place on the way; the goal does not end there
    bool last_partial;             ///< the same: `ends_partial` at the end of the way
    uint8_t counter;               ///< CELL: number of the counter that counts this goal, plus 1; 0: none
    bool off_path;                 ///< an edit closed a step of the piece taken from the field
    wend_cell asked;               ///< CELL with end_places or ends_partial: the requested end
    int32_t asked_reach;           ///< the same: cells within which a place meets the goal; -1: none does
    int32_t reach;                 ///< CELL, FOLLOW: cells
    int32_t near_enough;           ///< CELL: cells within which a place meets the goal where its cell is taken
    uint32_t pace;                 ///< CELL: the agent's top speed; 0: its own
    int32_t distance;              ///< FLEE: cells
    wend_cell cell;                ///< CELL: the cell. FOLLOW, FLEE: the target's cell at the last path request
    uint32_t origin;               ///< number of the agent's cell when the goal began: wend__path_number()
    wend_agent_id target;          ///< FOLLOW, FLEE
    uint32_t *list;                ///< head of the list of members that the agent is in; NULL: none
    uint32_t previous, next;       ///< neighbours in that list, as index + 1; 0: none
    uint32_t route;                ///< ROUTE: number of the copy for the agent's mover
    wend__route_position position; ///< ROUTE: where the path ends; `cell` is the cell there
    uint32_t route_steps;          ///< ROUTE: last steps of the path that belong to the route
    uint32_t station;              ///< CELL with `march`: its number in the formation
    wend_cell last_cell;           ///< the same: `cell` at the end of the way
    uint32_t counter_serial;       ///< serial of the counter
    uint64_t no_route_revision;    ///< CELL: revision of the map on which no far route comes nearer; 0: none
} wend__agent_goal;

/// Where a path leads.
enum {
    WEND__PATH_NONE,         ///< there is no path
    WEND__PATH_TO_GOAL,      ///< the path ends at a cell that meets the goal
    WEND__PATH_NEAR_GOAL,    ///< the path ends at the nearest cell that can be reached
    WEND__PATH_BEFORE_UNITS, ///< the path ends at the nearest cell that can be reached while units block
    WEND__PATH_PIECE,        ///< the first piece of a path; a search finds the next one
    WEND__PATH_FIELD_PIECE,  ///< a piece read from a flow field; the field has the next one
    WEND__PATH_LEG           ///< a leg of a far route; wend__far_way has the rest of the route
};

enum { WEND__RECENT_CELLS = 8 };

/// The steps before an agent: back over its recent cells if it was pushed off its path, then along the path.
typedef struct wend__agent_path {
    wend__stored_path stored;
    wend_cell base;                      ///< where `stored` begins; the agent's cell unless it was pushed off
    wend_cell end;                       ///< where `stored` ends
    uint8_t kind;                        ///< WEND__PATH_…
    uint8_t recent_count;                ///< WEND__RECENT_CELLS + 1: too many, and only the near field leads back
    uint64_t revision;                   ///< revision of the map on which the next `verified` steps are legal
    uint32_t verified;                   ///< UINT32_MAX: all steps
    uint32_t changes;                    ///< counts replacements of the cells ahead
    uint32_t recent[WEND__RECENT_CELLS]; ///< numbers of the cells since it was pushed off its path, `base` first
} wend__agent_path;

enum { WEND__FAR_KEPT = 32 };

/// The crossings behind the leg that an agent walks: the first ones of its far route.
typedef struct wend__far_way {
    uint32_t tail; ///< steps at the end of the leg that the next leg replaces
    uint8_t count;
    bool more;                                 ///< the route has crossings behind these
    uint16_t x, y;                             ///< the first crossing
    int8_t differences[WEND__FAR_KEPT - 1][2]; ///< differences from each crossing to the next
} wend__far_way;

/// Kinds of path requests: a whole path, a far route with its first leg, a further leg, or a far route with a first leg
/// that leads the agent during the search for the whole path.
enum { WEND__ASKS_PATH, WEND__ASKS_ROUTE, WEND__ASKS_LEG, WEND__ASKS_LEAD };

/// The purpose of a path request.
enum {
    WEND__PURPOSE_NONE,
    WEND__PURPOSE_PLAN,     ///< a path for a new goal, or its next piece
    WEND__PURPOSE_REROUTE,  ///< an edit closed a step of the path
    WEND__PURPOSE_AROUND,   ///< a path around agents, which cost extra
    WEND__PURPOSE_NEAREST,  ///< the nearest cell that can be reached; units block
    WEND__PURPOSE_RETARGET, ///< the target has moved
    WEND__PURPOSE_HOME,     ///< back to the agent's home
    WEND__PURPOSE_LEG       ///< the next leg of a far route
};

/// The path request of an agent: at most one is pending.
typedef struct wend__path_request {
    wend_ticket ticket;         ///< ticket of the pending search; all zero: none
    wend_cell start;            ///< start of the search
    uint32_t steps_to_start;    ///< steps of the path before `start`, if `start` is on the path
    uint64_t prefix_expansions; ///< expansions of the search when its prefix was read last; WEND_NO_LIMIT: never
    uint64_t due;               ///< first update in which the next search for the same goal may begin
    uint64_t map_revision;      ///< revision of the map when the last search began
    uint32_t walked_count;      ///< cells of the head start, `start` included; 0: the agent has not set out
    uint8_t purpose;            ///< purpose of the pending or wanted search
    uint8_t asks;               ///< WEND__ASKS_…: kind of the latest search
    bool wanted;                ///< a search is to be submitted as soon as the service accepts it
    bool deferred;              ///< wanted, and put off only for lack of work; ignores `due`
    bool stops_at_start;        ///< the agent stops at `start` until the answer arrives
    bool led;                   ///< the search may have a lead, and then begins at the end of that lead
    bool goal_only;             ///< NEAREST: an answer that does not reach the goal is ignored
    bool among_units;           ///< the pending or wanted search sees units, as an agent blocks a plain answer
    uint8_t failure;            ///< WEND_WHY_… of an answer without a path
} wend__path_request;

static inline bool wend__is_searching(const wend__path_request *request) {
    return request->ticket.generation || request->wanted;
}

/// Most doublings of a wait and of a cost, and last steps of a path on which an agent looks whether its end is taken.
enum { WEND__MOST_DOUBLINGS = 6, WEND__NEAR_END = 8 };

/// The clock of an agent that comes no nearer to its goal, or to its home. docs/design/agents.md has the table of what
/// happens after how long.
typedef struct wend__stall {
    uint32_t best;           ///< fewest steps left so far
    uint32_t stood;          ///< choices since the last step along the path
    uint32_t tries;          ///< searches since `best` decreased
    uint64_t remaining_cost; ///< least cost from the end of a piece to the goal, on `remaining_revision` of the map
    uint64_t remaining_revision;
    uint32_t backoff;      ///< how often the wait between searches, or that of a try to get home, was doubled
    uint64_t since;        ///< update in which `best` decreased; off its home: in which it first stood there
    bool before_player;    ///< an obstacle that cannot be pushed was in the way at the last try
    uint64_t no_way_since; ///< update of the first search that found no way, plus 1; 0: the last one found a way
} wend__stall;

/// Returns the clock of an agent, begun in an update.
static inline wend__stall wend__stall_from(uint64_t update) {
    return (wend__stall){.best = UINT32_MAX, .remaining_cost = UINT64_MAX, .since = update};
}

/// The part of an agent that is not read while it is in a step.
/// Whether an agent walks as another mover than its own: OUT of what that avoids or shuns, or ON through what it shuns.
enum { WEND__STRAYS_NOT, WEND__STRAYS_OUT, WEND__STRAYS_ON }; /* as WEND_DANGER_… */

typedef struct wend__agent {
    wend_crowd *crowd;
    void *context;
    uint64_t serial; ///< number in the order of added agents
    uint32_t generation, next_free;
    uint32_t first_fleer; ///< head of the list of agents that keep fleeing from this one
    uint32_t group_order; ///< number of the last order to several agents that named this one
    int32_t urgency;
    int32_t profile;        ///< costs by place that its searches mind; 0: none
    uint32_t own_speed;     ///< thousandths of a straight step, where no goal slows it down
    uint32_t step_slot;     ///< index in wend_crowd.stepping, plus 1; 0: no step is ordered
    uint64_t window_due;    ///< first update in which it may open a window: local/window.h
    int64_t length;         ///< length of the step under way
    wend_cell left_cell;    ///< where the last step began, for the facing; the agent's own cell before the first step
    wend_cell home;         ///< where the agent stands without a goal
    wend_cell step;         ///< steered: the step that the host ordered
    bool arrived;           ///< the last goal ended as ARRIVED or PARTIAL
    bool rerouted;          ///< this update has a REROUTED event already
    uint8_t home_pushes;    ///< how often others made room on the way home, since the last goal
    bool home_pushed;       ///< others made room on the present way home
    bool pushed_by_endless; ///< without a goal: pushed off home by an agent with an endless goal
    bool keeps_goal;        ///< the last goal was a cell and ended there; `home` is that cell
    bool displaced;         ///< DISPLACED was reported since the last goal began
    bool with_target;       ///< FOLLOW: it rests near enough, or as near as it gets
    bool leaves_box;        ///< the agent leaves a box that the host clears, and has priority
    bool leaves;            ///< its next step leads to land that is known, but not loaded
    uint8_t window_backoff; ///< how often the time until window_due was doubled
    uint8_t own_mover;      ///< the host's; while it strays it walks as wend__traffic_agent.mover
    uint8_t strays;         ///< WEND__STRAYS_…
    bool wary;              ///< there is a mover as which it leaves what its own avoids or shuns
    wend__agent_goal goal;
    wend__agent_path path;
    wend__path_request request;
    wend__stall stall;
} wend__agent;

/// Most steps that are added to a path from a field or a route at once, and steps left with which that is due.
enum { WEND__PATH_PIECE_STEPS = 64, WEND__PATH_LOW_STEPS = 16 };

/// An event that waits for delivery.
typedef struct wend__queued_event {
    union {
        uint64_t key;    ///< in its own update: order of delivery, by the agent's serial number
        uint64_t update; ///< afterwards
    };
    union {
        struct {
            void *context;
            wend_agent_id agent;
        };
        wend_cell corner; ///< CLEAR: the other corner of the box
    };
    wend_cell cell;     ///< LINK_AHEAD: as x and y the numbers of the link's cells, wend__path_number()
    uint8_t event, why; ///< LINK_AHEAD: `why` is wend_agent_event.ahead
} wend__queued_event;

/// Events: those of earlier updates for wend_crowd_poll(), then, from `fresh` on, the unsorted ones of this update.
/// Each goal reserves the room for its last event.
typedef struct wend__event_queue {
    wend__queued_event *of;
    uint32_t first, count, fresh, capacity, reserved;
    uint32_t order; ///< events of this update so far
} wend__event_queue;

/// Buffers for an order to several agents. Each array has one element for each agent of the crowd.
typedef struct wend__group_buffers {
    struct wend__flood *flood;   ///< finds places
    wend_cell *goals;            ///< place of each agent, by index in the order's ids
    bool *ends_partial;          ///< the same: wend__agent_goal.ends_partial
    uint8_t *flows;              ///< the same: wend__agent_goal.flow
    bool *placed;                ///< the same: whether the agent has its place
    uint8_t *marches;            ///< the same: wend__agent_goal.march
    uint32_t *stations;          ///< the same: wend__agent_goal.station
    uint32_t *members;           ///< connected agents of one mover, as indices in the order's ids
    wend_cell *starts;           ///< the cells of the members; where the points of the view lie
    wend_cell *places;           ///< the places found for the members
    uint32_t *place_of;          ///< index in `places`, for each member
    uint64_t *keys[2], *scratch; ///< the keys lie where traffic sorts
    uint32_t order_number;       ///< number of this order
} wend__group_buffers;

/// A flow field for groups. Its memory is the crowd's.
typedef struct wend__flow {
    wend_field *field; ///< NULL: not created
    void *memory;
    wend_cell goal;
    int32_t mover, urgency;
    uint32_t near_cells; ///< agents within this distance of the goal search for themselves
    uint32_t users;      ///< goals that use the field
    bool claimed;        ///< the current order uses the field
    bool stale;          ///< the goal is new: the field has to be created
    bool failed;         ///< the field could not be created
} wend__flow;

/// A formation of a number of members, and its direction: −1, 0 or 1 along each axis, never 0 along both.
typedef struct wend__formation {
    int32_t as; ///< WEND_AS_…
    uint32_t members;
    int32_t apart; ///< cells from one member to the next
    int32_t dx, dy;
} wend__formation;

/// A group that keeps its formation on the way. One member leads, the others have places round a cell ahead of it.
typedef struct wend__march {
    bool used;
    bool waits;         ///< members ahead wait
    bool holds;         ///< the leader waits
    uint32_t left;      ///< steps of the leader to `ahead`
    uint32_t open_from; ///< the members go on while the leader has more steps left, as a narrow place lies before it
    bool begun;         ///< the others have places
    bool has_room;      ///< their places belong to the formation; else they are at the end of the way
    uint32_t first;     ///< list of the members, the leader too
    uint32_t leader;    ///< slot of the leader; WEND__NONE: none so far
    int32_t mover;      ///< mover of all members
    wend__formation formation;
    wend_cell ahead;       ///< the cell of the first station
    uint32_t steps_ahead;  ///< steps left to the leader there
    uint32_t changes;      ///< value of `changes` of the leader's path when `ahead` was chosen
    uint64_t least_behind; ///< steps by which members were behind, in all, since the places were given
    uint64_t waits_until;  ///< update from which members go on until the next places, unless that decreases
} wend__march;

/// How far an agent without a body has gone in the last update in which time passed.
typedef struct wend__travel {
    int64_t progress;   ///< in the present step; units of progress
    wend_point earlier; ///< the way in the steps before, in thousandths of a cell; of another update it does not count
    uint32_t update;    ///< the update of `earlier`
} wend__travel;

/// Counts the agents that have one cell as their goal.
typedef struct wend__goal_counter {
    wend_cell goal;
    int32_t mover;
    uint32_t count;
    uint32_t serial; ///< number in the order of goals
} wend__goal_counter;

enum { WEND__GOAL_COUNTERS = 16, WEND__END_LISTS = 8, WEND__END_PLACES = 32 };

/// Places near an end that were free on that revision of the map, by cost from the end. Those from `next` on are
/// unassigned.
typedef struct wend__end_places {
    wend_cell end;
    int32_t mover;
    uint32_t next, count;
    uint64_t revision;
    uint64_t until; ///< update from which on they are searched again; 0: not searched
    wend_cell places[WEND__END_PLACES];
} wend__end_places;

/// Parts of the crowd's hash that are kept: those of an agent that was written since are taken again. An agent that
/// waits counts in its clock alone: that is a part of its own. See save_agents.c.
enum { WEND__KEPT_OWN, WEND__KEPT_STALL, WEND__KEPT_PARTS, WEND__KEPT_ALL = (1 << WEND__KEPT_PARTS) - 1 };
typedef struct wend__kept_hashes {
    uint64_t *of[WEND__KEPT_PARTS]; ///< by agent
    uint8_t *holds;                 ///< by agent: bits of the parts whose data was not written since
    uint64_t sum;                   ///< of all parts below `used`
    uint32_t used;                  ///< slots with parts
    uint64_t revision;              ///< of the map for which they hold
} wend__kept_hashes;

struct wend_crowd {
    wend_crowd_def def; ///< its tuning is the one below
    wend_crowd_tuning tuning;
    size_t bytes;
    uint64_t recording; ///< number of the recording that contains the crowd's orders; 0: none
    wend__traffic *traffic;
    wend__traffic_agent *in_traffic;
    const wend__agent *agents;     ///< written through wend__agent_touch() alone
    wend_bodies *bodies;           ///< NULL: no agent has a body
    uint32_t body_count;           ///< agents with bodies
    wend__near_pool near_fields;   ///< near fields on a grid; else none
    const wend__far_way *far_ways; ///< NULL: no goal is that far; written through wend__far_way_touch() alone
    /// In units of progress (motion/walk/points.h): what is left of a step; at rest minus the time left of the update.
    int64_t *remaining;
    wend__kept_hashes kept;
    uint32_t *speed;    ///< thousandths of a straight step, at the present speed; of traffic
    uint8_t *phase;     ///< WEND__PHASE_…
    uint32_t *awake;    ///< agents that are awake in this update, by index
    uint32_t *stepping; ///< steered agents with an order to step, in no order
    uint32_t step_count;
    wend__path_arena paths;
    wend__routes routes;
    wend__event_queue events;
    uint32_t free_first, used; ///< first free slot; slots from `used` on never had an agent
    uint32_t count;
    uint32_t away_count;      ///< agents that are away
    uint32_t leaving_count;   ///< agents that become AWAY at the end of this update
    uint64_t land_revision;   ///< revision of the map on which agents were last found to be away
    bool has_wary;            ///< an agent is wary, or was
    uint64_t danger_revision; ///< revision of the map on which agents at rest were last found in danger; or none
    bool updating, dead;
    bool has_version; ///< the part of an update is under way in which its bodies have a version
    uint64_t serial;
    uint32_t elapsed; ///< milliseconds of the last update
    uint32_t timed;   ///< the last update in which time passed, and its milliseconds
    uint32_t timed_milli;
    int64_t scale;        ///< units of progress in a thousandth of a straight step, times `elapsed`
    uint32_t pending;     ///< searches in the service
    uint32_t latency;     ///< moving average of the updates until an answer, in eighths
    uint64_t lead_effort; ///< moving average of the expansions of leads, and of their paths; 0: no lead
    uint64_t led_effort;
    uint64_t busy_at;        ///< update in which the service refused a search
    wend__work work;         ///< work of this update, and of orders until the next one
    uint64_t choice_ns;      ///< in an update with a limit of time: time of the work after a choice
    uint32_t first_starved;  ///< the first agent without any work left; WEND__NONE: none
    uint32_t work_exempt;    ///< the agent that the update began with; its work is never refused
    wend_cell *more_goals;   ///< goals of a request
    const wend_cell *walked; ///< cells of head starts: wend__head_start_cells() for each agent; written as `agents`
    wend_cell *prefix;       ///< cells of a prefix, as many as in `walked`
    wend_cell *joined;       ///< cells walked and a prefix
    wend_agent_id *ids;      ///< ids of the view; the next six belong to it, too
    uint8_t *states;
    wend_cell *cells;
    wend_point *points;
    int8_t *facings;
    wend_point *velocities;
    uint32_t *radii;
    wend__travel *travel;
    wend__group_buffers group;
    wend__flow *flows;
    struct wend__window *window; ///< NULL: none
    wend__march marches[WEND_MAX_MARCHES];
    uint32_t flow_count, next_counter;
    wend__goal_counter counters[WEND__GOAL_COUNTERS];
    wend__end_places end_lists[WEND__END_LISTS]; ///< by a hash of the end
    wend_crowd_stats counts;
};

/// Returns an agent to be written, or its path's blocks: its part of the crowd's hash is taken again.
static inline wend__agent *wend__agent_touch(wend_crowd *crowd, uint32_t index) {
    crowd->kept.holds[index] = 0;
    return (wend__agent *)(uintptr_t)&crowd->agents[index];
}

/// Returns its clock alone to be written.
static inline wend__stall *wend__stall_touch(wend_crowd *crowd, uint32_t index) {
    crowd->kept.holds[index] &= (uint8_t) ~(1 << WEND__KEPT_STALL);
    return (wend__stall *)(uintptr_t)&crowd->agents[index].stall;
}

/// Returns the far route of an agent to be written.
static inline wend__far_way *wend__far_way_touch(wend_crowd *crowd, uint32_t index) {
    crowd->kept.holds[index] = 0;
    return (wend__far_way *)(uintptr_t)&crowd->far_ways[index];
}

/// Returns whether only the host can end the goal, or it may never end.
static inline bool wend__goal_is_endless(const wend_crowd *crowd, const wend__agent_goal *goal) {
    if (goal->kind == WEND__GOAL_ROUTE) return crowd->routes.of[goal->route].mode != WEND_ROUTE_ONCE;
    return goal->kind == WEND__GOAL_FOLLOW || goal->kind == WEND__GOAL_FLEE;
}

/// Units of time without progress: after STALL_QUEUES an agent behind others that move searches, too; after STALL_ENDS,
/// and STALL_EACH for each agent of the crowd, its goal ends.
enum { WEND__STALL_QUEUES = 600, WEND__STALL_ENDS = 1200, WEND__STALL_EACH = 8 };

/// Returns whether an agent has come no nearer for so many units of time, at the pace of this update.
static inline bool wend__stalls_for(const wend_crowd *crowd, uint32_t index, uint64_t units) {
    const uint64_t updates = crowd->counts.updates - crowd->agents[index].stall.since;
    return updates * crowd->elapsed >= units * 1000;
}

/// Frees a crowd that no pending search refers to.
void wend__crowd_free(wend_crowd *crowd);
/// Drops all agents, routes and events without a call to the map or the service, which are restored, too. The crowd's
/// definition stays.
void wend__crowd_forget(wend_crowd *crowd);
/// Counts the answer to a search. Returns false if the crowd is destroyed: the last answer frees it.
bool wend__crowd_answered(wend_crowd *crowd);

/// Puts an agent that is in no list into a list of members: the agents that flee from one agent, or are on their way to
/// places at the end of one route.
/// @param first   head of the list: index of its first agent, plus 1; 0: none
void wend__members_join(wend_crowd *crowd, uint32_t *first, uint32_t index);
/// Takes an agent out of its list, if it is in one.
void wend__members_leave(wend_crowd *crowd, uint32_t index);

/// Begins deferrable work for an agent, as wend__work_begin(). Returns false if no work is left: the next update begins
/// with the first such agent, which is never refused. So no kind of work starves another.
static inline bool wend__crowd_work_begin(wend_crowd *crowd, uint32_t index, uint32_t pieces) {
    if (index == crowd->work_exempt) {
        wend__work_spend(&crowd->work, pieces);
        return true;
    }
    if (wend__work_begin(&crowd->work, crowd->agents[index].urgency > 0, pieces)) return true;
    if (crowd->first_starved == WEND__NONE) crowd->first_starved = index;
    return false;
}

/// Returns the largest distance along an axis, in cells, on the ground.
static inline uint32_t wend__cells_apart(const wend_map *map, wend_cell a, wend_cell b) {
    const wend_cell d = wend__map_difference(map, a, b);
    uint32_t x = wend__distance(d.x, 0), y = wend__distance(d.y, 0), z = wend__distance(d.z, 0);
    uint32_t most = x > y ? x : y;
    return z > most ? z : most;
}

bool wend__crowd_within_sheets(const wend_crowd *crowd, wend_cell centre, int64_t cells, wend_cell cell);

/// Returns whether a cell lies within `cells` of another on the ground, as `reach` of a request counts.
/// Cost: O(1); for two sheets that are so near, that of wend__parts_within().
static inline bool wend__crowd_within(const wend_crowd *crowd, wend_cell centre, int64_t cells, wend_cell cell) {
    if (WEND__UNLIKELY(crowd->def.map->sheets != NULL)) return wend__crowd_within_sheets(crowd, centre, cells, cell);
    return (int64_t)wend__cells_apart(crowd->def.map, centre, cell) <= cells;
}

/// Begins each public function. Debug builds check that the crowd exists and no other thread uses its service.
#define WEND__CROWD_CALL(crowd)                                                                                        \
    WEND__ALIVE(crowd, "the crowd");                                                                                   \
    WEND__ALONE((crowd)->def.service, "the service")

/// Returns whether a callback of the crowd or of its service is running.
static inline bool wend__crowd_in_callback(const wend_crowd *crowd) {
    return crowd->updating || crowd->def.service->ticking;
}

/// Refuses a call from inside a callback. @return WEND_IN_CALLBACK
static inline wend_error wend__crowd_refuse_callback(void) {
    return wend__refuse(WEND_IN_CALLBACK, "a callback of the crowd or of its service runs: call it after that");
}

/// Refuses the id of an agent that does not exist. @return WEND_STALE_TICKET
static inline wend_error wend__crowd_refuse_id(wend_agent_id id) {
    return wend__refuse(WEND_STALE_TICKET, "the agent %u,%u (index, generation) is removed, or was never there",
                        id.index, id.generation);
}

/// Refuses a goal without room for its event. @return WEND_BUSY
static inline wend_error wend__crowd_refuse_events(void) {
    return wend__refuse(WEND_BUSY, "no room for more events and goals: poll, update, or see wend_crowd_tuning.events");
}

/// Refuses a route for which there is no room. @return WEND_BUSY
static inline wend_error wend__crowd_refuse_route(void) {
    return wend__refuse(WEND_BUSY, "no room for another route: see routes and route_cells of wend_crowd_def");
}

/// Returns whether an id belongs to an agent that exists.
static inline bool wend__crowd_has(const wend_crowd *crowd, wend_agent_id id) {
    return id.index < crowd->used && crowd->phase[id.index] != WEND__PHASE_ABSENT &&
           crowd->agents[id.index].generation == id.generation;
}

/// Writes the slot of an agent to *index. Returns false if the id is stale.
static inline bool wend__crowd_find(const wend_crowd *crowd, wend_agent_id id, uint32_t *index) {
    *index = id.index;
    return wend__crowd_has(crowd, id);
}

/* ---- events.c: events on their way to the host ---- */

/// Returns whether there is room for the events of `goals` more goals. A replaced goal needs no more room.
bool wend__events_fit(const wend_crowd *crowd, size_t goals);
/// Reserves room for the event of a goal, or releases it if the goal ends without an event.
void wend__events_reserve(wend_crowd *crowd);
void wend__events_release(wend_crowd *crowd);
/// Adds the event of a goal that ends, in the reserved room.
void wend__events_add_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why);
/// Adds a REROUTED event, once an update. Left out if there is no room.
void wend__events_add_reroute(wend_crowd *crowd, uint32_t index);
/// Adds an event that does not end a goal: DISPLACED, AWAY, BACK. Returns false if there is no room.
bool wend__events_add_extra(wend_crowd *crowd, uint32_t index, int32_t event);
/// Adds a LINK_AHEAD event, unless there is no room.
void wend__events_add_link(wend_crowd *crowd, uint32_t index, wend_cell from, wend_cell to, int32_t ahead);
/// Adds the event of a box that is clear, in the reserved room.
void wend__events_add_box(wend_crowd *crowd, wend_box box);
/// Sorts the events of this update by the serial numbers of their agents, and calls the host back.
void wend__events_deliver(wend_crowd *crowd);

static inline bool wend__crowd_is_recorded(const wend_crowd *crowd) {
    return wend__record_goes_on(crowd->def.service, crowd->recording);
}

/// Returns whether each active recording repeats the actions of the crowd, except its searches and units.
static inline bool wend__crowd_is_repeated(const wend_crowd *crowd) {
    return !crowd->def.service->recording || wend__crowd_is_recorded(crowd);
}

#endif
