/* SPDX-License-Identifier: MIT */
/* An update of a crowd: steps under way advance, agents at rest choose steps, traffic decides, steps begin. */
#include "agents/orders/goal.h"
#include "agents/orders/march.h"
#include "agents/plan/path.h"
#include "agents/plan/window.h"
#include "agents/state/crowd_state.h"
#include "agents/state/flows.h"
#include "agents/update/agents.h"
#include "map/query/step_cost.h"
#include "map/version/version.h"
#include "mark/beside.h"
#include "motion/walk/points.h"
#include "recording/crowd/crowd_orders.h"
#include "service/frame_log/frame_log.h"
#include <wend/crowd_tuning.h>

enum { HAS_CHOSEN = 1 };
enum {
    SOME = 16,   ///< agents that choose between two reads of the clock
    UNIT = 1000, ///< thousandths of a unit of time
    HELD_FOR = 8 ///< updates for which a disc may hold up a step
};

/// The limits of an update, and its progress.
typedef struct update_limits {
    bool limited;
    bool stopped;      ///< some agents have yet to choose
    uint64_t choices;  ///< choices so far
    uint64_t most;     ///< most choices
    uint64_t deadline; ///< deadline by the service's clock; WEND_NO_LIMIT: none
} update_limits;

/* Ends the step. The time left over stays in crowd->remaining as a number below 0. */
static void end_step(wend_crowd *crowd, uint32_t index) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    WEND__DEBUG_ASSERT(crowd->phase[index] == WEND__PHASE_STEPPING && crowd->remaining[index] <= 0);
    if (!in_traffic->body) wend__travel_end_step(crowd, index);
    wend__traffic_end_step(in_traffic);
    crowd->phase[index] = WEND__PHASE_AWAKE;
}

/* Returns whether a disc goes past a place on a diagonal: it stops there, and so do all behind it, if an agent stands on
 * that place again. */
static bool is_passed(const wend_crowd *crowd, const wend__version *version, uint32_t i, wend_cell place) {
    const int32_t size = crowd->in_traffic[i].size;
    for (int32_t k = 0; k < size * size; k++) {
        const wend_cell cell = {place.x + k % size, place.y + k / size, place.z};
        if (wend__traffic_is_corner(crowd->traffic, version, i, wend__wrapped_cell(version, cell))) return true;
    }
    return false;
}

/* Takes back a step blocked by a disc for long, unless another agent has entered the cell before, or a disc goes past it
 * on a diagonal. */
static void take_back(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    const wend_cell before = in_traffic->from;
    if (in_traffic->steered) return; /* its host was informed that the step began */
    if (wend__traffic_is_held(crowd->traffic, before, in_traffic->size, (int32_t)i)) return;
    if (is_passed(crowd, version, i, before)) return;
    if (wend__cell_factor(wend__version_view(version, in_traffic->mover), before) == 0) return;
    if (wend__window_closes(crowd, before) && !wend__window_holds(crowd, i)) return; /* a member's window closes then */
    wend__agent_touch(crowd, i)->left_cell = in_traffic->at;
    wend__path_step_taken_back(crowd, i, in_traffic->at);
    wend__agent_touch(crowd, i)->stall.stood += HELD_FOR;
    wend__traffic_put(crowd->traffic, i, before);
    wend__traffic_end_step(in_traffic);
    in_traffic->ready = 0; /* the agent has acted in this update */
    crowd->phase[i] = WEND__PHASE_AWAKE;
    crowd->remaining[i] = 0;
}

/* Returns whether a step goes on: a body's once its disc is nearly there, a held one once no disc blocks it. */
static bool may_advance(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    if (in_traffic->body) {
        if (!wend__body_stepped(crowd, i)) return false;
        crowd->remaining[i] = 0; /* this update's time stays for the next step */
        return true;
    }
    if (!in_traffic->held) return true;
    in_traffic->held = wend__traffic_is_held_up(crowd->traffic, i);
    if (!in_traffic->held) return true;
    in_traffic->waited++;
    if ((uint64_t)in_traffic->waited * crowd->elapsed <= HELD_FOR * UNIT) return false;
    take_back(crowd, version, i);
    return false;
}

/// How many agents ahead of the current one its own data is prefetched, and where that leads.
enum { OWN = 12, PATH = 6, LINE = 64 };

/* Prefetches an agent that is to choose or to step, most lines of which are read, and where the data of one leads. */
WEND__INLINE void prefetch(const wend_crowd *crowd, uint32_t own, uint32_t other) {
    const wend__agent_path *path = &crowd->agents[other].path;
    for (uint32_t at = 0; at < sizeof(wend__agent); at += LINE) WEND__PREFETCH((char *)&crowd->agents[own] + at);
    WEND__PREFETCH(&crowd->in_traffic[own].at);
    WEND__PREFETCH(&crowd->in_traffic[own].root);
    if (path->stored.steps > 0) WEND__PREFETCH(&crowd->paths.blocks[path->stored.first]);
}

/* Advances all steps and lists the agents that are awake. Returns their number. */
static uint32_t advance_steps(wend_crowd *crowd, const wend__version *version) {
    const uint8_t *phase = crowd->phase;
    int64_t *left = crowd->remaining;
    uint32_t count = 0;
    for (uint32_t i = 0; i < crowd->used; i++) {
        if (phase[i] < WEND__PHASE_STEPPING) continue;
        const int64_t time = wend__agent_progress(crowd, i);
        if (phase[i] == WEND__PHASE_STEPPING) {
            if (time > 0) crowd->travel[i].progress = time;
            if (WEND__UNLIKELY(crowd->body_count > 0) && !may_advance(crowd, version, i)) {
                if (time > 0) crowd->travel[i].progress = 0;
                if (crowd->agents[i].goal.kind != WEND__GOAL_NONE) (void)wend__goal_end_stalled(crowd, i);
                continue;
            }
            if ((left[i] -= time) > 0) continue;
            end_step(crowd, i);
        } else {
            left[i] = -time;
        }
        crowd->awake[count++] = i;
    }
    return count;
}

/* Lets an agent choose after each step, else once an update. Without time left it begins no step and is not pushed. */
static void choose(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    if (wend__window_holds(crowd, i)) {
        in_traffic->next = in_traffic->at;
        in_traffic->ready = 0;
        return;
    }
    in_traffic->ready = crowd->remaining[i] < 0;
    if (crowd->remaining[i] == HAS_CHOSEN) return;
    if (in_traffic->body && !wend__body_stepped(crowd, i)) in_traffic->ready = 0;
    if (in_traffic->body && in_traffic->ready) wend__line_draw(crowd, version, i);
    wend__agent_choose_step(crowd, version, i);
    wend__agent_leave_box(crowd, version, i);
    if (WEND__UNLIKELY(crowd->body_count > 0)) wend__next_step_among_discs(crowd, version, i);
    if (crowd->remaining[i] == 0) crowd->remaining[i] = HAS_CHOSEN;
}

/* Lets some of the awake agents choose, from a place in the list on: those with a path, or those without one. */
static void choose_some(wend_crowd *crowd, const wend__version *version, uint32_t count, uint32_t first, uint32_t some,
                        bool path) {
    for (uint32_t k = 0; k < some; k++) {
        const uint32_t place = first + k < count ? first + k : first + k - count, i = crowd->awake[place];
        prefetch(crowd, crowd->awake[WEND__AHEAD(place, OWN, count)], crowd->awake[WEND__AHEAD(place, PATH, count)]);
        if (crowd->phase[i] == WEND__PHASE_AWAKE && (wend__path_steps(&crowd->agents[i].path) > 0) == path)
            choose(crowd, version, i);
    }
}

static bool is_to_choose(const wend_crowd *crowd, uint32_t index) {
    return crowd->phase[index] == WEND__PHASE_AWAKE && crowd->remaining[index] != HAS_CHOSEN;
}

/* Returns whether no more agents may choose: their steps have to be decided within the time, too. */
static bool is_over(const wend_crowd *crowd, const update_limits *limits, uint64_t in_round) {
    if (limits->choices == 0) return false;
    if (limits->choices >= limits->most) return true;
    if (limits->deadline == WEND_NO_LIMIT) return false;
    return wend__now(crowd->def.service) + in_round * crowd->choice_ns >= limits->deadline;
}

/* Agents left out by a limit stand, and may be pushed. The next update begins with the first of them. */
static void leave_out(wend_crowd *crowd, update_limits *limits, uint32_t count, uint32_t first, uint32_t done) {
    for (; done < count; done++) {
        const uint32_t place = first + done < count ? first + done : first + done - count, i = crowd->awake[place];
        wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
        if (crowd->phase[i] != WEND__PHASE_AWAKE || crowd->agents[i].step_slot > 0) continue;
        in_traffic->ready = 0;
        if (!is_to_choose(crowd, i)) continue;
        in_traffic->next = in_traffic->at;
        if (crowd->remaining[i] < 0 && !wend__window_holds(crowd, i)) in_traffic->ready = WEND__READY_UNASKED;
        limits->stopped = true;
        if (crowd->first_starved == WEND__NONE) crowd->first_starved = i;
    }
}

/* Lets agents at the end of their paths choose first: once one has arrived, its cell is occupied for all others. With
 * limits this order holds within each batch, and steered agents choose before all. Returns how many chose. */
static uint64_t choose_all(wend_crowd *crowd, const wend__version *version, update_limits *limits, uint32_t count,
                           uint32_t first) {
    const uint64_t before = limits->choices;
    const uint32_t most = limits->limited ? SOME : count;
    uint32_t done = 0;
    for (uint32_t k = 0; limits->limited && k < crowd->step_count; k++)
        if (crowd->phase[crowd->stepping[k]] == WEND__PHASE_AWAKE) choose(crowd, version, crowd->stepping[k]);
    for (uint32_t some; done < count && !is_over(crowd, limits, limits->choices - before); done += some) {
        const uint32_t from = first + done < count ? first + done : first + done - count;
        some = count - done < most ? count - done : most;
        for (uint32_t k = 0; k < some; k++) limits->choices += is_to_choose(crowd, crowd->awake[(from + k) % count]);
        choose_some(crowd, version, count, from, some, false);
        choose_some(crowd, version, count, from, some, true);
    }
    leave_out(crowd, limits, count, first, done);
    return limits->choices - before;
}

/* Measures the time to decide a choice and begin its step. The estimate rises at once, to at most twice its value, and
 * falls slowly. So few updates end late, and an interrupted one does not starve the next. */
static void measure_choices(wend_crowd *crowd, uint64_t choices, uint64_t ns) {
    const uint64_t each = ns / choices, before = crowd->choice_ns;
    crowd->choice_ns = each > 2 * before ? 2 * before : each > before ? each : (7 * before + each) / 8;
}

/* Returns the place in the list of the first agent for which the last update had no work left, else 0. */
static uint32_t find_first(wend_crowd *crowd, uint32_t count) {
    uint32_t first = 0;
    while (first < count && crowd->first_starved != WEND__NONE && crowd->awake[first] < crowd->first_starved) first++;
    crowd->first_starved = WEND__NONE;
    if (first == count) first = 0;
    crowd->work_exempt = count > 0 ? crowd->awake[first] : WEND__NONE;
    return first;
}

/* Remembers whether a pushed agent will come to rest: not before the goal of the agent that pushes has ended. */
static void remember_push(wend_crowd *crowd, uint32_t index) {
    const int32_t root = crowd->in_traffic[index].root;
    const wend__agent *by = &crowd->agents[root];
    if (root == (int32_t)index) return;
    const bool has_goal = by->goal.kind != WEND__GOAL_NONE;
    wend__agent *agent = wend__agent_touch(crowd, index);
    agent->pushed_by_endless = has_goal ? wend__goal_is_endless(crowd, &by->goal) : by->pushed_by_endless;
    const bool idle = agent->goal.kind == WEND__GOAL_NONE && !agent->keeps_goal;
    if (by->strays == WEND__STRAYS_OUT && idle) agent->home = crowd->in_traffic[index].at; /* others follow it out */
}

/* Sets the length of a step that begins, and what remains of it: movement left over counts, unless another agent's body
 * held the agent up. */
static void measure_step(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const uint64_t cost = wend__step_cost(version, in_traffic->mover, in_traffic->from, in_traffic->at);
    const int64_t length = (int64_t)cost * WEND__UNITS_OF_COST;
    WEND__DEBUG_ASSERT(cost != UINT64_MAX);
    if (crowd->phase[index] == WEND__PHASE_ASLEEP) /* a pushed agent that keeps pace does not block the next step */
        crowd->remaining[index] = crowd->in_traffic[in_traffic->root].steered ? -wend__agent_progress(crowd, index) : 0;
    in_traffic->held = WEND__UNLIKELY(crowd->body_count > 0) && wend__traffic_is_held_up(crowd->traffic, index);
    const bool from_rest = in_traffic->held || in_traffic->body;
    crowd->remaining[index] = from_rest ? length : crowd->remaining[index] + length;
    wend__agent_touch(crowd, index)->length = length;
    crowd->travel[index].progress = length - crowd->remaining[index];
}

/* Lets a pushed follower that had rested as near to its target as it got rest where it is now. Several that went back
 * would push each other for ever. */
static void rest_after_push(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    if (agent->goal.kind != WEND__GOAL_FOLLOW || agent->path.stored.steps > 0) return;
    if (agent->path.kind != WEND__PATH_BEFORE_UNITS) return;
    wend__path_clear(crowd, index);
    agent->path.kind = WEND__PATH_BEFORE_UNITS;
}

/* Updates the path of an agent that steps off it or along it. */
static void follow_with_path(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (in_traffic->pushed) remember_push(crowd, index);
    if (in_traffic->steered)
        wend__steer_step_began(crowd, index);
    else if (!wend__path_step_began(crowd, version, index, in_traffic->from))
        wend__path_clear(crowd, index);
    if (in_traffic->pushed) rest_after_push(crowd, index);
    wend__agent *agent = wend__agent_touch(crowd, index);
    if (WEND__UNLIKELY(in_traffic->body) && agent->goal.kind == WEND__GOAL_FOLLOW) /* its disc comes there for sure */
        agent->with_target = wend__goal_is_met(crowd, version, index);
}

/* Begins a step. Returns whether it ends in this update, too. */
static bool begin_step(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend__agent *agent = wend__agent_touch(crowd, index);
    WEND__DEBUG_ASSERT(!wend__same_cell(in_traffic->from, in_traffic->at));
    measure_step(crowd, version, index);
    crowd->phase[index] = WEND__PHASE_STEPPING;
    crowd->counts.steps++;
    agent->left_cell = in_traffic->from;
    wend__head_start_step_began(crowd, index);
    if (agent->first_fleer) wend__fleers_wake(crowd, index);
    follow_with_path(crowd, version, index);
    if (WEND__UNLIKELY(crowd->tuning.link_events > 0)) {
        wend__link_tell_begun(crowd, version, index, in_traffic->from, in_traffic->at);
        wend__link_tell_ahead(crowd, version, index);
    }
    if (crowd->remaining[index] > 0) return false;
    end_step(crowd, index);
    return true;
}

/* Begins the steps that traffic allows. Returns how many of these agents are at rest again. */
static uint32_t begin_steps(wend_crowd *crowd, const wend__version *version, uint32_t count) {
    uint32_t again = 0, moved;
    const int32_t *movers = wend__traffic_moved(crowd->traffic, &moved);
    for (uint32_t k = 0; k < moved; k++) {
        prefetch(crowd, (uint32_t)movers[WEND__AHEAD(k, OWN, moved)], (uint32_t)movers[WEND__AHEAD(k, PATH, moved)]);
        again += begin_step(crowd, version, (uint32_t)movers[k]);
    }
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = crowd->awake[k];
        if (crowd->phase[i] != WEND__PHASE_AWAKE) continue;
        if (!crowd->in_traffic[i].moved)
            crowd->remaining[i] = HAS_CHOSEN;
        else if (crowd->in_traffic[i].ghost)
            again += begin_step(crowd, version, i);
    }
    return again;
}

static void run_update(wend_crowd *crowd, uint32_t elapsed_milli, update_limits *limits) {
    wend__version *version = wend__map_newest(crowd->def.map);
    crowd->scale = (wend__walk_milli(version) / 1000) * elapsed_milli;
    if (crowd->bodies) wend__bodies_begin_update(crowd->bodies, version);
    crowd->has_version = true;
    wend__away_begin(crowd, version);
    wend__danger_wake(crowd, version);
    wend__boxes_begin_update(crowd);
    wend__marches_update(crowd, version);
    const uint32_t count = advance_steps(crowd, version);
    const uint32_t first = find_first(crowd, count);
    uint32_t again = count;
    crowd->work = wend__work_of(crowd->tuning.work);
    for (uint32_t round = 0; again > 0 && round < WEND__MOST_ROUNDS && !limits->stopped; round++) {
        const uint64_t choices = choose_all(crowd, version, limits, count, first);
        const uint64_t begun = limits->deadline != WEND_NO_LIMIT ? wend__now(crowd->def.service) : 0;
        wend__window_update(crowd, version, limits->limited);
        wend__traffic_decide(crowd->traffic, version, crowd->awake, count, &crowd->work, wend__path_next_cells,
                             wend__path_rank, crowd);
        wend__window_note_steps(crowd);
        again = begin_steps(crowd, version, count);
        if (begun > 0 && choices >= SOME) measure_choices(crowd, choices, wend__now(crowd->def.service) - begun);
    }
    if (count == 0 && crowd->body_count > 0) wend__window_update(crowd, version, limits->limited); /* it ends in time */
    if (crowd->bodies) wend__bodies_update_all(crowd->bodies, elapsed_milli);
    wend__away_update(crowd, version);
    wend__boxes_end_update(crowd);
    crowd->has_version = false;
    wend__map_release(version, false);
}

/* Returns how many agents wanted a step at the end and got none. */
static uint64_t count_standing(const wend_crowd *crowd) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < crowd->used; i++) {
        const wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
        count += crowd->phase[i] == WEND__PHASE_AWAKE && in_traffic->waited > 0 &&
                 !wend__same_cell(in_traffic->next, in_traffic->at);
    }
    return count;
}

/* Runs an update of a crowd whose service has figures, and records its time. Without figures no clock is read. */
static void run_noted(wend_crowd *crowd, uint32_t elapsed_milli, update_limits *limits) {
    const uint64_t steps = crowd->counts.steps, began = wend__now(crowd->def.service);
    run_update(crowd, elapsed_milli, limits);
    const wend_update_record record = {.update = crowd->counts.updates,
                                       .began_ns = began,
                                       .ended_ns = wend__now(crowd->def.service),
                                       .choices = limits->choices,
                                       .steps = crowd->counts.steps - steps,
                                       .stands = count_standing(crowd),
                                       .put_off = crowd->work.waited,
                                       .searches = crowd->pending};
    wend__frame_log_update(crowd->def.service, &record);
}

static wend_update_budget default_budget(void) {
    return (wend_update_budget){
        .struct_bytes = sizeof(wend_update_budget), .us = WEND_NO_LIMIT, .choices = WEND_NO_LIMIT};
}

void wend_update_budget_init(wend_update_budget *budget, size_t bytes) {
    const wend_update_budget own = default_budget();
    wend__sized_init(budget, bytes, &own, sizeof own);
}

static update_limits limits_of(const wend_crowd *crowd, const wend_update_budget *budget) {
    update_limits limits = {.most = budget->choices, .deadline = WEND_NO_LIMIT};
    limits.limited = budget->us != WEND_NO_LIMIT || budget->choices != WEND_NO_LIMIT;
    if (budget->us < WEND_NO_LIMIT / 2000) limits.deadline = wend__now(crowd->def.service) + 1000 * budget->us;
    return limits;
}

wend_error wend_crowd_update(wend_crowd *crowd, uint32_t elapsed_milli, const wend_update_budget *budget,
                             uint64_t *choices) {
    WEND__CROWD_CALL(crowd);
    wend_update_budget own = default_budget();
    if (wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    if (budget && !WEND__READ_STRUCT(wend_update_budget, choices, &own, budget)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_range("elapsed_milli", elapsed_milli, 0, WEND_MAX_ELAPSED_MILLI);
    if (!error) error = wend__check_range("reserved", own.reserved, 0, 0);
    if (error) return error;
    update_limits limits = limits_of(crowd, &own);
    const bool recorded = wend__crowd_record_begin(crowd);
    crowd->updating = true;
    crowd->def.service->updating++;
    wend__arena_enter(crowd->def.map->arena);
    crowd->counts.updates++;
    crowd->elapsed = elapsed_milli;
    if (elapsed_milli > 0) crowd->timed = (uint32_t)crowd->counts.updates, crowd->timed_milli = elapsed_milli;
    wend__flows_update(crowd);
    if (crowd->def.service->noted)
        run_noted(crowd, elapsed_milli, &limits);
    else
        run_update(crowd, elapsed_milli, &limits);
    if (elapsed_milli > 0) wend__steer_end_update(crowd);
    if (recorded) wend__crowd_record_update(crowd, elapsed_milli, limits.limited ? limits.choices : WEND_NO_LIMIT);
    wend__crowd_record_end(crowd, recorded);
    wend__crowd_validate(crowd);
    wend__events_deliver(crowd);
    wend__arena_leave(crowd->def.map->arena);
    crowd->updating = false;
    crowd->def.service->updating--;
    if (choices) *choices = limits.choices;
    return WEND_OK;
}
