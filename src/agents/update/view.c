/* SPDX-License-Identifier: MIT */
/* The host reads agents: states, positions, paths, counts. */

/* Tried: agents fetched ahead, one division instead of three for a point: no clear gain. A view waits for memory, as
 * goal and step of an agent are in two lines of the cache. */
#include "agents/plan/path.h"
#include "agents/state/crowd_state.h"
#include "agents/update/agents.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "motion/walk/points.h"
#include <wend/agents.h>

int32_t wend__agent_state_of(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (crowd->phase[index] == WEND__PHASE_ABSENT) return WEND_AGENT_NONE;
    if (crowd->phase[index] == WEND__PHASE_AWAY) return WEND_AGENT_AWAY;
    if (agent->goal.kind == WEND__GOAL_NONE) {
        if (!wend__same_cell(in_traffic->at, agent->home)) return WEND_AGENT_ASIDE;
        if (crowd->phase[index] == WEND__PHASE_STEPPING) return WEND_AGENT_WALKING;
        return agent->arrived ? WEND_AGENT_ARRIVED : WEND_AGENT_IDLE;
    }
    if (crowd->phase[index] == WEND__PHASE_STEPPING) return WEND_AGENT_WALKING;
    if (in_traffic->waited > 0) return WEND_AGENT_BLOCKED;
    if (wend__path_steps(&agent->path) == 0) return WEND_AGENT_WAITING;
    return wend__same_cell(in_traffic->next, in_traffic->at) ? WEND_AGENT_WAITING : WEND_AGENT_WALKING;
}

static wend_point point_of(const wend_crowd *crowd, uint32_t index) {
    wend_cell facing;
    if (crowd->in_traffic[index].body && crowd->in_traffic[index].present)
        return wend__body_point(crowd, index, &facing);
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const int64_t length = crowd->phase[index] == WEND__PHASE_STEPPING ? crowd->agents[index].length : 0;
    const int64_t left = crowd->phase[index] == WEND__PHASE_AWAY ? 0 : crowd->remaining[index];
    return wend__point_between(crowd->def.map, in_traffic->from, in_traffic->at, length - left, length);
}

static wend_cell facing_of(const wend_crowd *crowd, uint32_t index) {
    wend_cell facing;
    if (crowd->in_traffic[index].body && crowd->in_traffic[index].present) {
        (void)wend__body_point(crowd, index, &facing);
        return facing;
    }
    return wend__facing(crowd->def.map, crowd->agents[index].left_cell, crowd->in_traffic[index].at);
}

/* Writes the cells by which an agent joins its path through a near field, and moves the reader to the cell where they
 * meet. If they never meet, nothing is left to read. */
static void copy_way_by_field(const wend_crowd *crowd, uint32_t index, wend_cell *cells, size_t capacity, size_t *count,
                              wend__path_reader *reader) {
    wend__version *version = wend__map_newest(crowd->def.map);
    const wend__version *view = wend__version_view(version, crowd->in_traffic[index].mover);
    wend_cell cell = crowd->in_traffic[index].at;
    wend__near_field room;
    const wend__near_field *near = wend__near_read(crowd, version, index, &room);
    for (bool met = false; !met;) {
        const wend_cell next = wend__near_next(near, view, cell);
        if (wend__same_cell(next, cell)) {
            reader->left = 0;
            break;
        }
        cell = next;
        if (*count < capacity) cells[*count] = cell;
        ++*count;
        wend__path_reader ahead = *reader;
        for (uint32_t k = 0; k <= WEND__NEAR_AHEAD; k++) {
            met = wend__same_cell(ahead.cell, cell);
            if (met || !wend__path_reader_next(&ahead)) break;
        }
        if (met) *reader = ahead;
    }
    wend__map_release(version, false);
}

/* Writes the rest of an agent's path, its own cell first. Returns the number of cells. */
static size_t copy_path(const wend_crowd *crowd, uint32_t index, wend_cell *cells, size_t capacity) {
    const wend__agent_path *path = &crowd->agents[index].path;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    size_t at = 0;
    if (at < capacity) cells[at] = crowd->in_traffic[index].at;
    at++;
    if (path->recent_count > WEND__RECENT_CELLS) {
        copy_way_by_field(crowd, index, cells, capacity, &at, &reader);
    } else {
        for (uint32_t k = path->recent_count; k-- > 0; at++)
            if (at < capacity) cells[at] = wend__path_cell(&crowd->paths, path->recent[k]);
    }
    const size_t count = at + reader.left;
    for (; at < capacity && wend__path_reader_next(&reader); at++) cells[at] = reader.cell;
    return count;
}

static int32_t kind_of(const wend__agent_goal *goal) {
    return goal->kind == WEND__GOAL_FOLLOW ? WEND_CROWD_FOLLOW
           : goal->kind == WEND__GOAL_FLEE ? WEND_CROWD_FLEE
                                           : WEND_CROWD_CELL;
}

/* Returns where a goal is; of one on a leg of a longer way, where that ends. */
static wend_cell cell_of(const wend__agent_goal *goal) {
    return goal->on_leg ? goal->last_cell : goal->cell;
}

/* Returns the route that an agent takes, also on its last steps to a place at the end; -1: none. */
static int32_t route_of(const wend_crowd *crowd, const wend__agent_goal *goal) {
    const bool takes = goal->kind == WEND__GOAL_ROUTE || (goal->kind == WEND__GOAL_CELL && goal->for_route);
    return takes ? (int32_t)crowd->routes.of[goal->route].base : -1;
}

static void add_waits(const wend_crowd *crowd, uint32_t index, wend_agent_state *state) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__agent_wait wait = wend__agent_wait_of(crowd, index);
    const uint64_t due = agent->goal.kind != WEND__GOAL_NONE ? agent->request.due : 0, now = crowd->counts.updates;
    state->waits = wait.kind;
    state->route = route_of(crowd, &agent->goal);
    state->blocked_cell = wait.cell;
    if (wait.blocker >= 0)
        state->blocker = (wend_agent_id){(uint32_t)wait.blocker, crowd->agents[wait.blocker].generation};
    state->path_end = wend__path_steps(&agent->path) > 0 ? agent->path.end : state->cell;
    state->next_try = due <= now ? 0 : due - now < UINT32_MAX ? (uint32_t)(due - now) : UINT32_MAX;
}

wend_error wend_crowd_get_agent(const wend_crowd *crowd, wend_agent_id id, wend_agent_state *out) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    const wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend_agent_state state = {.struct_bytes = sizeof state,
                              .state = wend__agent_state_of(crowd, index),
                              .cell = in_traffic->at,
                              .from = in_traffic->from,
                              .point = point_of(crowd, index),
                              .facing = facing_of(crowd, index),
                              .mover = agent->own_mover,
                              .speed_milli = agent->own_speed,
                              .urgency = agent->urgency,
                              .ghost = in_traffic->ghost,
                              .steered = in_traffic->steered,
                              .parked = in_traffic->parked,
                              .has_goal = agent->goal.kind != WEND__GOAL_NONE,
                              .goal_kind = kind_of(&agent->goal),
                              .goal_cell = cell_of(&agent->goal),
                              .goal_reach = agent->goal.reach,
                              .steps_left = (uint32_t)copy_path(crowd, index, NULL, 0) - 1,
                              .waited = in_traffic->waited,
                              .tries = agent->stall.tries,
                              .ticket = agent->request.ticket,
                              .context = agent->context,
                              .profile = agent->profile,
                              .danger = agent->strays};
    add_waits(crowd, index, &state);
    return WEND__GIVE(wend_agent_state, context, out, &state) ? WEND_OK : WEND_BAD_ARGUMENT;
}

wend_error wend_crowd_get_goal(const wend_crowd *crowd, wend_agent_id id, wend_crowd_goal *out) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    if (goal->kind == WEND__GOAL_NONE) return wend__refuse(WEND_EMPTY, "the agent has no goal");
    const wend_crowd_goal own = {.struct_bytes = sizeof own,
                                 .kind = kind_of(goal),
                                 .cell = cell_of(goal),
                                 .reach = goal->reach,
                                 .target = goal->target,
                                 .distance = goal->distance,
                                 .keep = goal->keep,
                                 .near_enough = goal->near_enough,
                                 .spacing = 1,
                                 .pace = goal->pace > 0};
    return WEND__GIVE(wend_crowd_goal, pace, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}

wend_error wend_crowd_get_path(const wend_crowd *crowd, wend_agent_id id, wend_cell *cells, size_t capacity,
                               size_t *count) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    wend_error error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    const size_t cell_count = copy_path(crowd, index, cells, capacity);
    if (count) *count = cell_count;
    return WEND_OK;
}

static int8_t sign_of(int32_t from, int32_t to) {
    return (int8_t)((to > from) - (to < from));
}

static int32_t milli_between(int32_t from, int32_t to, int64_t done, int64_t length) {
    enum { MILLI = 1000 };
    return length == 0 ? to * MILLI : wend__part_of_way(from * MILLI, to * MILLI, done, length);
}

/* Does what point_of() and facing_of() do, for cells whose coordinates are their place. Inlined, without structs by
 * value, which took most of a view's time. */
static void view_on_cells(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend_cell from = in_traffic->from, at = in_traffic->at, left = agent->left_cell;
    wend_point *const point = &crowd->points[index];
    int8_t *const facing = &crowd->facings[3 * (size_t)index];
    int64_t length = crowd->phase[index] == WEND__PHASE_STEPPING ? agent->length : 0,
            done = length - crowd->remaining[index];
    for (; length >= INT64_C(1) << 31; length >>= 1) done >>= 1;
    point->x = milli_between(from.x, at.x, done, length);
    point->y = milli_between(from.y, at.y, done, length);
    point->z = milli_between(from.z, at.z, done, length);
    facing[0] = sign_of(left.x, at.x), facing[1] = sign_of(left.y, at.y), facing[2] = sign_of(left.z, at.z);
}

static void view_by_places(wend_crowd *crowd, uint32_t index) {
    const wend_cell facing = facing_of(crowd, index);
    int8_t *const out = &crowd->facings[3 * (size_t)index];
    crowd->points[index] = point_of(crowd, index);
    out[0] = (int8_t)facing.x, out[1] = (int8_t)facing.y, out[2] = (int8_t)facing.z;
}

static void view_body(wend_crowd *crowd, uint32_t index) {
    wend_cell facing;
    int8_t *const out = &crowd->facings[3 * (size_t)index];
    crowd->points[index] = wend__body_point(crowd, index, &facing);
    out[0] = (int8_t)facing.x, out[1] = (int8_t)facing.y, out[2] = (int8_t)facing.z;
    crowd->velocities[index] = wend__body_velocity(crowd, index);
    crowd->radii[index] = wend__body_radius_milli(crowd, index);
}

static void view_absent(wend_crowd *crowd, uint32_t index) {
    int8_t *const facing = &crowd->facings[3 * (size_t)index];
    crowd->points[index] = crowd->velocities[index] = (wend_point){0, 0, 0};
    facing[0] = facing[1] = facing[2] = 0;
}

wend_error wend_crowd_get_view(wend_crowd *crowd, wend_crowd_view *out) {
    WEND__CROWD_CALL(crowd);
    const wend_map *map = crowd->def.map;
    const bool plain = map->kind != WEND_KIND_GRAPH && !map->wrap && !map->sheets;
    for (uint32_t i = 0; i < crowd->used; i++) {
        const wend__agent *agent = &crowd->agents[i];
        bool present = crowd->phase[i] != WEND__PHASE_ABSENT;
        crowd->states[i] = (uint8_t)wend__agent_state_of(crowd, i);
        crowd->ids[i] = present ? (wend_agent_id){i, agent->generation} : (wend_agent_id){0, 0};
        crowd->cells[i] = present ? crowd->in_traffic[i].at : (wend_cell){0, 0, 0};
        crowd->radii[i] = 0;
        if (!present) {
            view_absent(crowd, i);
            continue;
        }
        if (crowd->in_traffic[i].body && crowd->in_traffic[i].present) {
            view_body(crowd, i);
            continue;
        }
        crowd->velocities[i] = wend__travel_velocity(crowd, i);
        if (plain)
            view_on_cells(crowd, i);
        else
            view_by_places(crowd, i);
    }
    const wend_crowd_view view = {.struct_bytes = sizeof view,
                                  .count = crowd->used,
                                  .ids = crowd->ids,
                                  .states = crowd->states,
                                  .cells = crowd->cells,
                                  .points = crowd->points,
                                  .facings = crowd->facings,
                                  .velocities = crowd->velocities,
                                  .radii = crowd->radii};
    return WEND__GIVE(wend_crowd_view, facings, out, &view) ? WEND_OK : WEND_BAD_ARGUMENT;
}

/* Returns whether any agent has an endless goal. */
static bool anyone_endless(const wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->used; i++)
        if (crowd->phase[i] != WEND__PHASE_ABSENT && wend__goal_is_endless(crowd, &crowd->agents[i].goal)) return true;
    return false;
}

/* Returns true if the agent is off its goal or its home. Agents pushed around by endless goals do not count. */
static bool is_busy(const wend_crowd *crowd, uint32_t index, bool endless) {
    const wend__agent *agent = &crowd->agents[index];
    if (agent->goal.kind != WEND__GOAL_NONE) return !wend__goal_is_endless(crowd, &agent->goal);
    if (agent->pushed_by_endless && endless) return false;
    const bool away = !wend__same_cell(crowd->in_traffic[index].at, agent->home);
    return crowd->phase[index] == WEND__PHASE_STEPPING || agent->step_slot > 0 || (away && !agent->displaced);
}

wend_error wend_crowd_get_stats(const wend_crowd *crowd, wend_crowd_stats *out) {
    WEND__CROWD_CALL(crowd);
    wend_crowd_stats counts = crowd->counts;
    counts.agents = crowd->count;
    counts.searches = crowd->pending;
    counts.events = crowd->events.count - crowd->events.first;
    counts.put_off = crowd->work.waited;
    const bool endless = anyone_endless(crowd);
    for (uint32_t i = 0; i < crowd->used; i++) {
        if (crowd->phase[i] == WEND__PHASE_ABSENT) continue;
        counts.states[wend__agent_state_of(crowd, i)]++;
        counts.busy += is_busy(crowd, i, endless);
    }
    return WEND__GIVE(wend_crowd_stats, event_counts, out, &counts) ? WEND_OK : WEND_BAD_ARGUMENT;
}
