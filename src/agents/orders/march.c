/* SPDX-License-Identifier: MIT */
/* Groups that keep their formation on the way. One member, the leader, goes to its place at the end. The formation is
 * drawn up some way ahead on its path, in the direction of the path there, and the others go to those places. When the
 * leader has come half of that way, they get the next ones. The leader waits if many are behind. Through a narrow place
 * all go one after another, as the next places lie beyond it. */
#include "agents/orders/march.h"

#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/plan/stations.h"
#include "agents/state/free_places.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/sort.h"
#include "map/version/version.h"

enum {
    LEG = 24,       ///< steps from the leader to the next places
    TURN = 8,       ///< steps of its path that give the direction there
    STRIDE = 8,     ///< if those places are too narrow: steps farther along for the next try
    STRIDES = 6,    ///< most such tries
    SAMPLES = 32,   ///< stations tested for room
    LOOK_EVERY = 2, ///< updates between two counts of members behind
    AHEAD = 0,      ///< most steps of a member ahead of the leader
    SLACK = 2,      ///< most steps of a member behind the leader
    MOUTH = 6,      ///< steps behind a narrow place where no member waits
    BEHIND = 4,     ///< the leader waits if more than one in this many members is behind
    PATIENCE = 16,  ///< updates, plus the time of as many steps, without progress of members behind
    PATIENT_STEPS = 8
};

/* ---- joining ---- */

uint8_t wend__march_claim(wend_crowd *crowd, const wend__formation *formation, int32_t mover) {
    if (formation->members > WEND_MAX_MARCHING) return 0;
    for (uint32_t k = 0; k < WEND_MAX_MARCHES; k++) {
        if (crowd->marches[k].used) continue;
        crowd->marches[k] = (wend__march){
            .used = true, .leader = WEND__NONE, .mover = mover, .formation = *formation, .open_from = UINT32_MAX};
        return (uint8_t)(k + 1);
    }
    return 0;
}

void wend__march_prepare(const wend_crowd *crowd, uint32_t index, uint8_t march, uint32_t station,
                         wend__agent_goal *goal) {
    goal->march = march;
    goal->station = station;
    goal->last_cell = goal->cell;
    goal->last_partial = goal->ends_partial;
    if (station == 0) return;
    goal->on_leg = true;
    goal->cell = crowd->in_traffic[index].at;
}

void wend__march_join(wend_crowd *crowd, uint32_t index) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    wend__march *march = &crowd->marches[goal->march - 1];
    wend__members_join(crowd, &march->first, index);
    if (goal->station == 0) march->leader = index;
}

/* ---- members ---- */

/* Sends a member to a cell. The member uses its old path until the new one is found. */
static void send_agent(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    agent->goal.end_places = 0;
    if (wend__same_cell(agent->goal.cell, cell)) return;
    agent->goal.cell = cell;
    agent->stall = wend__stall_from(crowd->counts.updates);
    agent->request.due = 0;
    agent->path.kind = WEND__PATH_NONE;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN);
}

/* Sends a member to a place on the way. */
static void send_on_leg(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    wend__agent_goal *goal = &wend__agent_touch(crowd, index)->goal;
    goal->on_leg = true;
    goal->ends_partial = false;
    send_agent(crowd, index, cell);
}

/* Sends a member to its place at the end of the way. */
static void send_to_last(wend_crowd *crowd, uint32_t index) {
    wend__agent_goal *goal = &wend__agent_touch(crowd, index)->goal;
    if (!goal->on_leg) return;
    goal->on_leg = false;
    goal->ends_partial = goal->last_partial;
    send_agent(crowd, index, goal->last_cell);
}

void wend__march_rest(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    agent->goal.cell = crowd->in_traffic[index].at;
    agent->stall = wend__stall_from(crowd->counts.updates);
    if (wend__is_searching(&agent->request)) wend__path_request_drop(crowd, index);
    if (agent->path.kind != WEND__PATH_NONE || wend__path_steps(&agent->path) > 0) wend__path_clear(crowd, index);
}

/* Ends a march: each member goes to its last place by itself. */
static void disband(wend_crowd *crowd, wend__march *march) {
    while (march->first) {
        const uint32_t index = march->first - 1;
        wend__members_leave(crowd, index);
        wend__agent_touch(crowd, index)->goal.march = 0;
        send_to_last(crowd, index);
    }
    march->used = false;
}

/* Makes the member of the lowest station the leader, if the leader has another goal or is gone. */
static void elect(wend_crowd *crowd, wend__march *march) {
    uint32_t best = march->first - 1;
    for (uint32_t next = march->first; next; next = crowd->agents[next - 1].goal.next)
        if (crowd->agents[next - 1].goal.station < crowd->agents[best].goal.station) best = next - 1;
    march->leader = best;
    send_to_last(crowd, best);
}

static bool has_leader(const wend_crowd *crowd, const wend__march *march) {
    return march->leader != WEND__NONE && crowd->agents[march->leader].goal.list == &march->first;
}

/* Writes keys of the members but the leader, by station, to crowd->group.keys[0]: the low 32 bits are the slot. */
static uint32_t list_members(wend_crowd *crowd, const wend__march *march) {
    uint64_t *keys = crowd->group.keys[0];
    uint32_t count = 0;
    for (uint32_t next = march->first; next; next = crowd->agents[next - 1].goal.next)
        if (next - 1 != march->leader)
            keys[count++] = (uint64_t)crowd->agents[next - 1].goal.station << 32 | (next - 1);
    wend__sort_numbers(keys, crowd->group.scratch, count);
    return count;
}

/* ---- the next place of the formation ---- */

/* Returns the free end of the straight line from the first station to another. */
static wend_cell clipped(const wend__version *view, wend_cell front, wend_cell station) {
    const wend_cell place = wend__wrapped_cell(view, station);
    const wend_cell on_map = {wend__least(wend__most(place.x, 0), view->width - 1),
                              wend__least(wend__most(place.y, 0), view->height - 1), front.z};
    return wend__sight_end(view, front, on_map);
}

/* Returns how many of some stations have room and are in sight of the first one. */
static uint32_t count_room(const wend__version *view, const wend__formation *formation, wend_cell front) {
    const uint32_t step = 1 + formation->members / SAMPLES;
    uint32_t count = 0;
    for (uint32_t i = 0; i < formation->members; i += step) {
        const wend_cell station = wend__formation_cell(formation, front, i);
        count += wend__same_cell(clipped(view, front, station), wend__wrapped_cell(view, station));
    }
    return count;
}

/* Sets the next place and direction of the formation: a leg ahead of the leader, or farther, where three quarters of it
 * has room, or where most of it has. Returns false if the way ends before. */
static bool choose_front(wend_crowd *crowd, const wend__version *view, wend__march *march) {
    const wend__agent_path *path = &crowd->agents[march->leader].path;
    const uint32_t samples = 1 + (march->formation.members - 1) / (1 + march->formation.members / SAMPLES);
    uint32_t best = 0;
    bool found = false;
    for (uint32_t k = 0; k < STRIDES && LEG + STRIDE * k < path->stored.steps; k++) {
        const uint32_t steps = LEG + STRIDE * k;
        wend__formation turned = march->formation;
        const wend_cell front = wend__path_cell_ahead(crowd, march->leader, steps);
        const wend_cell before = wend__path_cell_ahead(crowd, march->leader, steps - TURN);
        const wend_cell way = wend__ground_difference(view, before, front);
        wend__formation_turn(&turned, way.x, way.y);
        const uint32_t room = count_room(view, &turned, front);
        if (found && room <= best) continue;
        best = room;
        found = true;
        march->formation = turned;
        march->ahead = front;
        march->steps_ahead = path->stored.steps - steps;
        if (4 * room >= 3 * samples) break;
    }
    march->has_room = 2 * best >= samples;
    march->changes = path->changes;
    return found;
}

/* Returns whether a cell has so few open neighbours that an agent standing there blocks others. */
static bool is_narrow(const wend__version *view, wend_cell cell) {
    return 2 * (int32_t)wend__popcount64(wend__version_steps(view, cell.x, cell.y)) <= view->rules.neighbours;
}

/* Sets how many steps the leader has left a little behind the last narrow place on its way to the front, or behind one
 * that it is about to leave. An agent that waits in or before a narrow place blocks it. */
static void set_open(const wend_crowd *crowd, const wend__version *view, wend__march *march) {
    const uint32_t left = crowd->agents[march->leader].path.stored.steps;
    uint32_t steps = left - march->steps_ahead;
    while (steps > 0 && !is_narrow(view, wend__path_cell_ahead(crowd, march->leader, steps))) steps--;
    if (steps > 0)
        march->open_from = left > steps + MOUTH ? left - steps - MOUTH : 0;
    else if (left <= march->open_from)
        march->open_from = UINT32_MAX;
}

/* Returns whether a place lies behind a member: the member waits until the others have passed. */
static bool lies_behind(const wend__version *view, const wend__formation *formation, wend_cell at, wend_cell place) {
    const wend_cell way = wend__ground_difference(view, at, place);
    const int64_t x = way.x, y = way.y;
    const int64_t along = x * formation->dx + y * formation->dy, across = x * formation->dy - y * formation->dx;
    return along < 0 && -along >= (across < 0 ? -across : across);
}

/* Assigns places to members without one, from the first station on, each to the nearest member. */
static void give_nearest(wend_crowd *crowd, const wend__version *version, const wend__march *march,
                         wend__member_place *place, uint32_t count) {
    wend_cell *places = crowd->group.places;
    const wend__places_search search = {.flood = crowd->group.flood,
                                        .version = version,
                                        .mover = march->mover,
                                        .goal = march->ahead,
                                        .from = march->ahead,
                                        .taken = wend__member_place_taken,
                                        .context = place};
    const size_t found = wend__places_find(&search, march->ahead, places, count);
    for (uint32_t k = 0; k < found; k++) send_on_leg(crowd, crowd->group.members[k], places[k]);
}

/* Restarts the time for which others wait for members without progress, as the waiting ones may be in their way. */
static void restart_patience(const wend_crowd *crowd, wend__march *march) {
    march->waits_until = crowd->counts.updates + PATIENCE + PATIENT_STEPS * 1000 / crowd->speed[march->leader];
}

/* Gives all members but the leader their places at the front that was chosen. */
static void give_places(wend_crowd *crowd, const wend__version *version, wend__march *march) {
    const wend__version *view = wend__version_view(version, march->mover);
    wend__member_place place = {crowd, wend__version_mover_size(version, march->mover), 1};
    const uint32_t count = list_members(crowd, march), number = ++crowd->group.order_number;
    const uint64_t *keys = crowd->group.keys[0];
    uint32_t left = 0, given = 0;
    for (uint32_t k = 0; k < count; k++) wend__agent_touch(crowd, (uint32_t)keys[k])->group_order = number;
    wend__agent_touch(crowd, march->leader)->group_order = number;
    wend__traffic_reserve(crowd->traffic, march->leader, march->ahead);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t index = (uint32_t)keys[k];
        if (crowd->phase[index] == WEND__PHASE_AWAY) continue;
        const wend_cell station = wend__formation_cell(&march->formation, march->ahead, (uint32_t)(keys[k] >> 32));
        const wend_cell cell = clipped(view, march->ahead, station), at = crowd->in_traffic[index].at;
        if (lies_behind(view, &march->formation, at, cell)) {
            send_on_leg(crowd, index, at);
            continue;
        }
        if (wend__member_place_taken(&place, cell)) {
            crowd->group.members[left++] = index;
            continue;
        }
        wend__traffic_reserve(crowd->traffic, index, cell);
        crowd->group.starts[given] = cell;
        crowd->group.place_of[given++] = index;
    }
    if (left > 0) give_nearest(crowd, version, march, &place, left);
    wend__traffic_unreserve(crowd->traffic, march->leader);
    for (uint32_t k = 0; k < given; k++) wend__traffic_unreserve(crowd->traffic, crowd->group.place_of[k]);
    for (uint32_t k = 0; k < given; k++) send_on_leg(crowd, crowd->group.place_of[k], crowd->group.starts[k]);
}

/* Draws the formation up at the chosen front. If half of it has no room, each member goes on by itself. */
static void draw_up(wend_crowd *crowd, const wend__version *version, wend__march *march) {
    const wend__version *view = wend__version_view(version, march->mover);
    if (march->has_room) give_places(crowd, version, march);
    for (uint32_t next = march->first; !march->has_room && next; next = crowd->agents[next - 1].goal.next)
        send_to_last(crowd, next - 1);
    march->begun = true;
    march->waits = false;
    set_open(crowd, view, march);
    march->left = crowd->agents[march->leader].path.stored.steps - march->steps_ahead;
    march->holds = false;
    march->least_behind = UINT64_MAX;
    restart_patience(crowd, march);
}

/* ---- the leader ---- */

/* Returns the steps of a member to its place, as far as they are known. */
static uint32_t steps_left(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    if (agent->path.kind == WEND__PATH_TO_GOAL) return wend__path_steps(&agent->path);
    return wend__cells_apart(crowd->def.map, crowd->in_traffic[index].at, agent->goal.cell);
}

/* Returns whether the leader waits: so many members are farther from their places than it is from its own. */
static bool are_behind(const wend_crowd *crowd, wend__march *march) {
    uint32_t count = 0, behind = 0;
    uint64_t sum = 0;
    for (uint32_t next = march->first; next; next = crowd->agents[next - 1].goal.next) {
        if (next - 1 == march->leader) continue;
        const uint32_t steps = steps_left(crowd, next - 1), slack = march->left + SLACK;
        count++;
        behind += steps > slack;
        sum += steps > slack ? steps - slack : 0;
    }
    if (sum < march->least_behind || sum == 0) restart_patience(crowd, march);
    if (sum < march->least_behind) march->least_behind = sum;
    return BEHIND * behind > count;
}

static void update_hold(wend_crowd *crowd, wend__march *march) {
    const uint32_t steps = crowd->agents[march->leader].path.stored.steps;
    march->left = steps > march->steps_ahead ? steps - march->steps_ahead : 0;
    if (crowd->counts.updates % LOOK_EVERY != 0) return;
    const bool behind = are_behind(crowd, march);
    march->waits = march->has_room && steps <= march->open_from && crowd->counts.updates < march->waits_until;
    march->holds = march->waits && behind;
}

bool wend__march_holds(const wend_crowd *crowd, uint32_t index) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    if (goal->march == 0) return false;
    const wend__march *march = &crowd->marches[goal->march - 1];
    if (march->leader == index) return march->holds;
    if (!goal->on_leg || !march->waits || crowd->agents[index].path.kind != WEND__PATH_TO_GOAL) return false;
    return wend__path_steps(&crowd->agents[index].path) + AHEAD < march->left;
}

/* Returns whether the leader's path ends where its way does. */
static bool is_whole(const wend__agent_path *path) {
    return path->kind == WEND__PATH_TO_GOAL || path->kind == WEND__PATH_NEAR_GOAL ||
           path->kind == WEND__PATH_BEFORE_UNITS;
}

static void update_march(wend_crowd *crowd, const wend__version *version, wend__march *march) {
    if (march->first && !has_leader(crowd, march)) elect(crowd, march);
    if (!march->first || crowd->phase[march->leader] == WEND__PHASE_AWAY ||
        crowd->in_traffic[march->leader].mover != march->mover) {
        disband(crowd, march);
        return;
    }
    const wend__version *view = wend__version_view(version, march->mover);
    const wend__agent_path *path = &crowd->agents[march->leader].path;
    if (path->kind == WEND__PATH_NONE) { /* a search has its path, or begins at the end of the old one */
        if (!wend__is_searching(&crowd->agents[march->leader].request)) march->waits = march->holds = false;
        return;
    }
    const bool same = march->begun && path->changes == march->changes;
    const bool near = !same || path->stored.steps <= march->steps_ahead + LEG / 2;
    if (!near) {
        update_hold(crowd, march);
        return;
    }
    if (choose_front(crowd, view, march))
        draw_up(crowd, version, march);
    else if (is_whole(path))
        disband(crowd, march);
    else
        march->waits = march->holds = false; /* the leader gets the next piece of its way at the end of this one */
}

void wend__marches_update(wend_crowd *crowd, const wend__version *version) {
    for (uint32_t k = 0; k < WEND_MAX_MARCHES; k++)
        if (crowd->marches[k].used) update_march(crowd, version, &crowd->marches[k]);
}
