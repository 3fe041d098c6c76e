/* SPDX-License-Identifier: MIT */
/* Crowds: agents that walk where they are sent, and never two in one cell.
 *
 * A crowd lives on a service and a map. Each agent has at most one goal: a cell, another agent to follow or to flee
 * from, or a route. The crowd searches through the service, walks, avoids and searches again. In each frame the host
 * calls wend_service_tick() and wend_crowd_update(), in either order.
 *
 * Lengths are in thousandths of a straight step (_milli): a step of cost c has the length 1000 × c / S, where S is the
 * map's cost of a straight step, 1000 on a graph. All positions are exact integers: the same
 * calls give the same positions and events, with any number of workers.
 *
 * Threads: all functions that take a crowd belong to the thread that ticks its service. In callbacks, of the service or
 * of the crowd, all of them may be called but wend_crowd_update(), wend_crowd_poll(), wend_crowd_destroy() and those of
 * save.h, which return WEND_IN_CALLBACK. In a callback of a crowd wend_service_tick() and wend_service_destroy() do so,
 * too. */
#ifndef WEND_CROWD_H
#define WEND_CROWD_H

#include <wend/service.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_crowd wend_crowd;
typedef struct wend_crowd_tuning wend_crowd_tuning;   ///< see crowd_tuning.h
typedef struct wend_update_budget wend_update_budget; ///< see crowd_tuning.h

/// Most agents of a crowd, the fastest speed, and the longest time of one update, in thousandths.
#define WEND_MAX_AGENTS 1048576
#define WEND_MAX_SPEED_MILLI 1000000
#define WEND_MAX_ELAPSED_MILLI 1000000

/// The id of an agent. All zero: none. `index` is below wend_crowd_def.agents; it is used again after a removal, with
/// another generation.
typedef struct wend_agent_id {
    uint32_t index, generation;
} wend_agent_id;

/// States of an agent; wend_constant_name() gives the word.
enum {
    WEND_AGENT_NONE = 0,    ///< no agent
    WEND_AGENT_IDLE = 1,    ///< the agent has no goal
    WEND_AGENT_WAITING = 2, ///< the agent stands without a path
    WEND_AGENT_WALKING = 3, ///< the agent is on its way
    WEND_AGENT_BLOCKED = 4, ///< the agent wants to step on, and something is in the way
    WEND_AGENT_ARRIVED = 5, ///< its goal was met, and it stands there
    /// The agent has no goal, stepped aside for another one, and comes back. One sent to a cell that arrived there
    /// tries until it is back, or another agent has come to keep that cell: then it is IDLE where it stands. Any other
    /// becomes IDLE if the way back is not free for 32 x retry_updates, or its place is taken.
    WEND_AGENT_ASIDE = 6,
    /// Its chunk is not loaded. It holds no cell, and goes on along its path by time alone, until that ends or leads to
    /// loaded land; there it takes the free cell that is nearest, within 16. A new goal waits for that. The host may
    /// put it elsewhere with wend_crowd_move().
    WEND_AGENT_AWAY = 7,
};

/// Events; wend_constant_name() gives the word. Each goal ends once. REROUTED, DISPLACED, AWAY, BACK and LINK_AHEAD
/// are left out where events not polled and the last events of goals have used up wend_crowd_tuning.events.
enum {
    WEND_AGENT_EVENT_ARRIVED = 1, ///< the agent stands where it was sent; ends the goal
    WEND_AGENT_EVENT_PARTIAL = 2, ///< the agent stands as near as it gets, and stays; ends the goal
    /// The agent goes another way than before, because an edit or another agent is in the way; at most one in an
    /// update.
    WEND_AGENT_EVENT_REROUTED = 3,
    WEND_AGENT_EVENT_GAVE_UP = 4,  ///< the agent stays where it is, see `why`; ends the goal
    WEND_AGENT_EVENT_REPLACED = 5, ///< another goal, a halt or a removal ended this one; ends the goal
    /// The agent arrived on its goal cell, was pushed off, and has not come back for patience_updates (64 where that is
    /// 0), or up to eight times as long in its first tries if others are only in its way; `cell` is where it stands. It
    /// goes on trying until another order, unless another agent keeps the cell; at most one for each goal.
    WEND_AGENT_EVENT_DISPLACED = 6,
    WEND_AGENT_EVENT_AWAY = 7,  ///< its chunk was unloaded
    WEND_AGENT_EVENT_BACK = 8,  ///< its land is loaded, and it stands on `cell`
    WEND_AGENT_EVENT_CLEAR = 9, ///< no body is in a box, see wend_crowd_clear_box(); of no agent
    /// An agent comes to a link that the host added, such as a drop, a jump or a teleport, or takes it, see `ahead`;
    /// for hosts that show a leap. Seams and the edges of graphs give none. Only with link_events of 1 in
    /// wend_crowd_tuning.
    WEND_AGENT_EVENT_LINK_AHEAD = 10,
};

/// Reasons of GAVE_UP (docs/semantics.md: when a goal ends as gave_up); wend_constant_name() gives the word.
enum {
    WEND_WHY_NONE = 0,     ///< of other events
    WEND_WHY_NO_PATH = 1,  ///< its own cell is the nearest that it can reach
    WEND_WHY_BLOCKED = 2,  ///< agents or units were in its way at the last try
    WEND_WHY_LIMIT = 3,    ///< the service had too little room for its search, or is closed
    WEND_WHY_GONE = 4,     ///< the agent that it followed or fled from was removed
    WEND_WHY_STEPPING = 5, ///< of wend_crowd_step(): the step before was still under way
};

/// Reasons for which an agent does not go on; wend_constant_name() gives the word.
enum {
    WEND_WAIT_NONE = 0,   ///< the agent walks, or wants to be where it stands
    WEND_WAIT_SEARCH = 1, ///< its search has no answer so far
    WEND_WAIT_QUEUE = 2,  ///< the service had no room for its search in the last update
    WEND_WAIT_WORK = 3,   ///< the update's budget or wend_crowd_tuning.work was used up
    WEND_WAIT_TIME = 4,   ///< its next try is not due, or the next update decides
    WEND_WAIT_FIELD = 5,  ///< the flow field of its group is not ready
    WEND_WAIT_GROUP = 6,  ///< the others of its formation come first
    /// The agent is near enough to the agent that it follows, or far enough from the one that it flees from
    WEND_WAIT_TARGET = 7,
    WEND_WAIT_WAY = 8,     ///< the map leaves no way on
    WEND_WAIT_LAND = 9,    ///< its chunk, or the next one, is not loaded
    WEND_WAIT_AGENT = 10,  ///< another agent is in its way, or a body's disc
    WEND_WAIT_PLAYER = 11, ///< a steered agent is in its way
    WEND_WAIT_PARKED = 12, ///< a parked agent is in its way
    WEND_WAIT_UNIT = 13,   ///< a unit of the host is in its way
    WEND_WAIT_BOX = 14,    ///< a box that is being cleared is in its way
    WEND_WAIT_WINDOW = 15, ///< agents around it are being sorted out of a jam
};

typedef struct wend_agent_event {
    uint32_t struct_bytes;
    int32_t event;       ///< WEND_AGENT_EVENT_…
    int32_t why;         ///< WEND_WHY_…
    wend_agent_id agent; ///< of CLEAR: none
    wend_cell cell;      ///< cell of the agent; of a removed one its last. Of CLEAR: the box's lowest corner.
                         ///< Of LINK_AHEAD: where the link begins
    void *context;       ///< of the agent; NULL for CLEAR
    uint64_t update;     ///< number of the update that reports it, the first being 1
    wend_box box;        ///< of CLEAR
    wend_cell to;        ///< of LINK_AHEAD: where the link ends
    int32_t ahead; ///< of LINK_AHEAD: 1: the step that begins leads to `cell`, and the path on through the link; a body
                   ///< has come to `cell`. Not of steered agents, nor where an agent gets its path on `cell`. Another
                   ///< agent, an edit or another path may come between. 0: the leap begins. It lasts the link's cost ÷
                   ///< the straight cost as steps; a body is at the end at once
} wend_agent_event;

/// Called by wend_crowd_update() at its end, for each event, in the order in which the agents were added; CLEAR last.
/// The event is valid until the callback returns; no exception may leave it: see wend_done_fn.
typedef void wend_agent_event_fn(void *context, const wend_agent_event *event);

/// Limits of a crowd; all its memory follows from them and from the tuning.
typedef struct wend_crowd_def {
    uint32_t struct_bytes;
    uint32_t agents;       ///< most agents, 1 to WEND_MAX_AGENTS. Default 1,024
    wend_service *service; ///< searches for the agents; needed; destroyed after the crowd
    wend_map *map;         ///< ground of the agents; needed. The crowd holds a reference
    uint64_t path_bytes;   ///< arena of the paths that agents keep, in blocks of 64 bytes: 112 steps to neighbours on a
                           ///< plane, or 14 other ones. An agent keeps as much of its path as finds room, and searches
                           ///< for the rest when it gets there. At least a block for each agent; 0: 4 for each
    wend_agent_event_fn *on_event;   ///< NULL: events wait for wend_crowd_poll()
    void *context;                   ///< passed to on_event
    wend_allocator allocator;        ///< alloc NULL: the C library's
    const wend_crowd_tuning *tuning; ///< NULL: defaults. Copied by wend_crowd_create()
} wend_crowd_def;

/// Set the defaults of a definition; service, map and tuning are NULL.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_crowd_def_init(wend_crowd_def *def, size_t bytes);

/// Set the limits of a preset of service.h, and the defaults of all else.
/// @param bytes    sizeof *def
/// @param preset   WEND_PRESET_…
/// @return WEND_OK, WEND_BAD_ARGUMENT (preset; *def has the defaults)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_crowd_def_preset(wend_crowd_def *def, size_t bytes, int32_t preset);

/// Get the number of bytes that wend_crowd_create() takes from the allocator, in one piece.
/// @return bytes; 0 for a bad def, or more bytes than a size_t holds
/// Threads: any. Cost: O(1).
WEND_API size_t wend_crowd_bytes(const wend_crowd_def *def);

/// Make a crowd without agents. Copies *def and *def->tuning. The crowd allocates here and, if agents get bodies, with
/// the first of them (wend_crowd_set_body()). The map's
/// occupancy is made for all its cells: a byte each, and two more where the map was accelerated before; where it is
/// accelerated later, the first unit that moves then makes the two. On a streamed map a chunk's is made when the first
/// agent comes there, and freed by an update once the chunk is not loaded.
/// @param out   receives the crowd, for wend_crowd_destroy()
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY (also the map's max_bytes), WEND_CLOSED (the service is being
///         destroyed)
/// Threads: owner of the service. Cost: O(agents + cells of the map).
WEND_API wend_error wend_crowd_create(const wend_crowd_def *def, wend_crowd **out);

/// Remove all agents, without events, and free the crowd. Its pending searches are cancelled; the crowd's memory is
/// freed when the service has delivered the last of them, in a tick or at its destruction. NULL is ignored.
/// @return WEND_OK, WEND_IN_CALLBACK
/// Threads: owner. Cost: O(agents).
WEND_API wend_error wend_crowd_destroy(wend_crowd *crowd);

typedef struct wend_agent_def {
    uint32_t struct_bytes;
    bool ghost;           ///< it holds no cell: it walks through agents and units, and they through it
    bool steered;         ///< the host moves it: as after wend_crowd_step() to its own cell
    bool parked;          ///< no other agent pushes it aside: they go round
    wend_cell cell;       ///< where it stands
    int32_t mover;        ///< WEND_MOVER_DEFAULT, or one added to the map
    uint32_t speed_milli; ///< thousandths of a straight step in a unit of time: 1 to WEND_MAX_SPEED_MILLI. Default 250
    int32_t urgency;      ///< of its searches, and who goes first: WEND_URGENCY_MIN to WEND_URGENCY_MAX. Default 0
    void *context;        ///< returned in its events
    int32_t profile;      ///< of wend_map_add_profile(): which costs by place its searches mind. Default 0: none
} wend_agent_def;

/// Set the defaults of an agent.
/// @param bytes   sizeof *agent
/// Threads: any. Cost: O(1).
WEND_API void wend_agent_def_init(wend_agent_def *agent, size_t bytes);

/// Add an agent. It holds the cells that its mover covers from now on, and occupies them (wend_map_occupy()), unless it
/// is a ghost.
/// @param agent   copied
/// @param id      receives its id
/// @return WEND_OK, WEND_BUSY (the crowd is full, or an agent or unit stands there), WEND_OUT_OF_RANGE (off the map),
///         WEND_BLOCKED (its mover cannot stand there), WEND_BAD_ARGUMENT (a number out of its range)
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_crowd_add(wend_crowd *crowd, const wend_agent_def *agent, wend_agent_id *id);

/// Kinds of goals.
enum {
    WEND_CROWD_CELL = 0,   ///< go there and stay
    WEND_CROWD_FOLLOW = 1, ///< stay near another agent, for ever
    WEND_CROWD_FLEE = 2    ///< get away from another agent, and with `keep` stay away for ever
};

/// How a group stands round its goal cell. All but CROWD are turned the way from the middle of the group to the cell,
/// in eighths of a circle. Instead of a place that is taken or cannot be reached it is the nearest free one.
/// - A formation is kept on the way, turned the way the group goes: by up to WEND_MAX_MARCHES groups of a crowd at a
///   time, of up to WEND_MAX_MARCHING agents of one mover each; others walk one by one, and form at the goal.
/// - One member leads. The others have places some 24 cells ahead of it, and wait where they come there early; the
///   leader waits where more than a quarter are behind.
/// - Through narrow places they go one after another, and form again behind them. Where half of them find no room they
///   walk one by one. The goal of a member is its place at the end throughout.
enum {
    WEND_AS_CROWD = 0,  ///< on the nearest cells
    WEND_AS_LINE = 1,   ///< side by side, the cell in the middle
    WEND_AS_COLUMN = 2, ///< one behind another, the first on the cell
    WEND_AS_WEDGE = 3,  ///< one on the cell, the others to both sides, each row a `spacing` farther back
    WEND_AS_BOX = 4     ///< as many rows as files, the first row on the cell
};

/// The greatest distance between neighbours of a formation; groups that keep a formation on the way at a time, and the
/// members of one.
#define WEND_MAX_SPACING 64
#define WEND_MAX_MARCHES 32
#define WEND_MAX_MARCHING 1024

typedef struct wend_crowd_goal {
    uint32_t struct_bytes;
    int32_t kind;         ///< WEND_CROWD_…
    wend_cell cell;       ///< CELL: where to
    int32_t reach;        ///< CELL, FOLLOW: near enough is this many cells off, by the most of |dx|, |dy|, |dz|: 0 to
                          ///< WEND_MAX_REACH; on a graph 0, or 1 of FOLLOW: a step. Default 0; FOLLOW counts 0 as 1
    wend_agent_id target; ///< FOLLOW, FLEE: the other agent
    int32_t distance; ///< FLEE: far enough is this many cells away, measured as reach: 1 to WEND_MAX_REACH. Default 10
    bool keep; ///< FLEE: true: the goal lasts until another order or until the target is removed, and the agent runs
               ///< whenever the target is nearer than `distance`. It searches only then; where it can get no
               ///< farther, it stays and tries again. false: it ends as ARRIVED. Default false
    int32_t near_enough; ///< CELL: cells, 0 to WEND_MAX_REACH: where the goal cell is taken, an agent that stands so
                         ///< near ends as ARRIVED, not PARTIAL. On a graph 0. Default 0
    int32_t formation;   ///< CELL, several agents: WEND_AS_…; on graphs and voxels CROWD
    uint32_t spacing; ///< of a formation: cells from one agent to the next, 0 to WEND_MAX_SPACING; at least the size of
                      ///< the largest. Default 1
    bool pace;        ///< CELL, several agents: true: none goes faster than the slowest, as long as they have this goal
} wend_crowd_goal;

/// Set the defaults of a goal: the cell 0,0,0.
/// @param bytes   sizeof *goal
/// Threads: any. Cost: O(1).
WEND_API void wend_crowd_goal_init(wend_crowd_goal *goal, size_t bytes);

/// Give agents a goal, in place of the one they have, which ends as REPLACED. Until its new path is there, an agent
/// walks on along the old one. Where the goal cannot be reached, it goes to the nearest cell that can (PARTIAL).
/// - Several agents with the kind CELL get a place each: the cells that are free, by cost from the cell, the cell
///   itself first, or those of a formation, assigned so that their ways cross little.
/// - A group of wend_crowd_tuning.field_agents goes by a flow field to the cell, if one is not in use. So does an agent
///   sent alone, if as many sent alone are on their way to its cell already.
/// - The way by a field is taken piece by piece. Within 16 cells of the group's places, or field_agents ÷ 4 where that
///   is less, an agent searches.
/// - The service makes and repairs the field in its frames, with the urgency of the most urgent member, while agents
///   use it. A crowd that was made before the recording of its service (wend/record.h) has none meanwhile.
/// @param ids     the agents
/// @param goal    copied
/// @return WEND_OK, WEND_STALE_TICKET (an agent, or the target, is removed), WEND_OUT_OF_RANGE (the cell is off the
///         map), WEND_BAD_ARGUMENT (a number out of its range; the target is among the agents), WEND_UNSUPPORTED (FLEE
///         on a graph), WEND_BUSY (events). On an error no agent has changed
/// Threads: owner. Cost: O(count), some 0.2 us for each; several agents with CELL: O((count + cells around the
/// goal) × log), 1 us for each, and O(count) for each mover and each part of the map among them. All have their goals
/// when it returns, so it does not wait for work; searches do.
WEND_API wend_error wend_crowd_go(wend_crowd *crowd, const wend_agent_id *ids, size_t count,
                                  const wend_crowd_goal *goal);

/// End the goals of agents (REPLACED), and steering. A step that has begun is finished.
/// @return WEND_OK, WEND_STALE_TICKET (no agent has changed)
/// Threads: owner. Cost: O(count).
WEND_API wend_error wend_crowd_halt(wend_crowd *crowd, const wend_agent_id *ids, size_t count);

/// Remove an agent at once. Its goal ends as REPLACED. Agents that follow it or flee from it stop (GAVE_UP, GONE).
/// @return WEND_OK, WEND_STALE_TICKET
/// Threads: owner. Cost: O(1); O(agents) where another waits for it (wend_crowd_wait_for()).
WEND_API wend_error wend_crowd_remove(wend_crowd *crowd, wend_agent_id id);

/// Run one step of the crowd: agents walk, steps begin, goals end. Then the events go to on_event. Allocates nothing,
/// but a chunk's occupancy on a streamed map; where memory is lacking, searches do not see the agents there.
/// An agent begins at most 64 steps in an update; the rest of its time is lost.
/// @param elapsed_milli   thousandths of a unit of time since the last update: 0 to WEND_MAX_ELAPSED_MILLI
/// @param budget    NULL: no limits
/// @param choices   receives how many choices of next steps there were; may be NULL. As the budget of the same update
///                  they repeat it, also where time stopped it; a recording has them
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_CALLBACK
/// Threads: owner. Cost: the budget; O(agents + steps that begin), and wend_crowd_tuning.work for what can wait: agents
/// at rest go on along the path that they have, and agents without a path or blocked stand for some updates.
WEND_API wend_error wend_crowd_update(wend_crowd *crowd, uint32_t elapsed_milli, const wend_update_budget *budget,
                                      uint64_t *choices);

/// Collect the next event, in the order of the updates, and in an update in the order of adding.
/// @param out   receives the event
/// @return WEND_OK, WEND_EMPTY, WEND_BAD_ARGUMENT (struct_bytes), WEND_IN_CALLBACK
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_crowd_poll(wend_crowd *crowd, wend_agent_event *out);

/// Whether an agent leaves ground that its mover avoids or shuns, or goes through it.
enum {
    WEND_DANGER_NONE = 0,
    WEND_DANGER_LEAVES = 1, ///< it stands on such ground, or did a moment ago, and is on its way out
    WEND_DANGER_THROUGH = 2 ///< it goes through what it shuns, or is about to: nothing else leads to its goal
};

typedef struct wend_agent_state {
    uint32_t struct_bytes;
    int32_t state;  ///< WEND_AGENT_…
    wend_cell cell; ///< the cell held: where the agent stands, or where its step leads
    wend_cell from; ///< where its step began; `cell` where it stands
    /// Its position; in a step, on the straight line between both cells; over a rim that wraps or a seam, half a step
    /// beyond the first cell and half a step to the other.
    wend_point point;
    wend_cell facing; ///< −1, 0 or 1 along each axis: of its last step; 0, 0, 0 before the first
    int32_t mover;
    uint32_t speed_milli;
    int32_t urgency;
    bool ghost, steered, parked; ///< as in wend_agent_def
    bool has_goal;
    int32_t goal_kind;   ///< WEND_CROWD_…
    wend_cell goal_cell; ///< of CELL; of a member of a group, its own place. A route's is its next cell there
    int32_t goal_reach;  ///< as given, in cells. wend_crowd_get_goal() has the rest
    uint32_t steps_left; ///< steps of its path that have not begun, as far as it keeps it
    uint32_t waited;     ///< updates that it has waited for its next cell
    uint32_t tries;      ///< searches for its goal without coming nearer
    void *context;
    wend_ticket ticket; ///< of its search that is pending in the service; all zero: none
    int32_t profile;
    int32_t danger;         ///< WEND_DANGER_…
    int32_t waits;          ///< WEND_WAIT_…, as of now
    int32_t route;          ///< its route, of wend_crowd_add_route(); -1: none
    wend_agent_id blocker;  ///< of AGENT, PLAYER, PARKED and TARGET; all zero: several want one cell, or a body's disc
    wend_cell blocked_cell; ///< the cell that it wants next and cannot enter; else its own
    wend_cell path_end;     ///< where its path ends, as far as it keeps it; its own cell where it has none
    uint32_t next_try;      ///< updates until it may search again for its goal; 0: now
} wend_agent_state;

/// Get the state of an agent.
/// @param out   receives the state
/// @return WEND_OK, WEND_STALE_TICKET, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner. Cost: O(1); of one on a grid that was pushed off its path, some 4 us to count its steps; of one
/// before a unit, in a crowd with bodies, O(agents).
WEND_API wend_error wend_crowd_get_agent(const wend_crowd *crowd, wend_agent_id id, wend_agent_state *out);

/// All agents, by index, for renderers: one call after each update has all that is needed, whatever the rate of the
/// screen.
/// - Between updates: at the part t (0 to 1) of the time from this update to the next, draw an agent at point − velocity
///   × (1 − t) × elapsed_milli ÷ 1000. With t = 0 that is its point before this update, with 1 its point.
/// - What the host put elsewhere, and a body's leap over a link, have no velocity: they are shown at once. On a map that
///   wraps, and at a seam, the point drawn may lie off the map, or beyond the sheet.
/// - The heading is that of the velocity; who stands keeps the last one.
/// - The point of an agent of n × n cells is that of its lowest cell: its centre is 500 × (n − 1) farther along each
///   axis.
typedef struct wend_crowd_view {
    uint32_t struct_bytes;
    uint32_t count;           ///< elements of each array; those without an agent have the state NONE
    const wend_agent_id *ids; ///< all zero: no agent
    const uint8_t *states;    ///< WEND_AGENT_…
    const wend_cell *cells;   ///< cells held
    const wend_point *points;
    const int8_t *facings; ///< three each: x, y, z
    /// In a unit of time, on the straight way from the point before the last update in which time passed.
    const wend_point *velocities;
    const uint32_t *radii; ///< of bodies (body.h), in thousandths of a cell; 0: no body, or it is away
} wend_crowd_view;

/// Get the positions, velocities, facings and states of all agents. The arrays belong to the crowd. They are valid until the next
/// call that changes it.
/// @param out   receives the view
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner. Cost: O(agents).
WEND_API wend_error wend_crowd_get_view(wend_crowd *crowd, wend_crowd_view *out);

/// Counts of a crowd, now, and totals since its creation.
typedef struct wend_crowd_stats {
    uint32_t struct_bytes;
    uint32_t agents;
    uint32_t busy;     ///< agents that are not where they want to stand: with a goal of the kind CELL, or for a
                       ///< route's end, or in a step (but not of FOLLOW, FLEE and endless routes), or ASIDE,
                       ///< unless for one of those goals or DISPLACED
    uint32_t searches; ///< of its own, pending in the service: part of wend_service_get_pending()
    uint32_t events;   ///< events that wait for a poll or the next update
    uint32_t put_off;  ///< what waits for the next update, as wend_crowd_tuning.work is used up: searches, steps of
                       ///< fields, and steps for which others would have to make room
    uint64_t updates;
    uint64_t goals_begun;
    uint64_t searches_begun;
    uint64_t steps;            ///< begun
    uint64_t head_starts;      ///< searches of agents that set out before the answer
    uint64_t field_goals;      ///< goals that began with a flow field
    uint64_t far_routes;       ///< far routes that agents took
    uint32_t states[16];       ///< agents by state
    uint64_t event_counts[32]; ///< reported, by event
} wend_crowd_stats;

/// Get the counts.
/// @param out   receives the counts
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner. Cost: O(agents).
WEND_API wend_error wend_crowd_get_stats(const wend_crowd *crowd, wend_crowd_stats *out);

#ifdef __cplusplus
}
#endif
#endif
