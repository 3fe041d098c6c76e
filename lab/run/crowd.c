/* SPDX-License-Identifier: MIT */
/* Drives a run by agents that walk through a crowd: doors open and close, agents get goals, and each agent's place is
   checked in each frame. */
#include <stdlib.h>

#include "base/hash.h"
#include "run/lab.h"
#include "shared/array.h"
#include "shared/messages.h"
#include "shared/random.h"
#include <wend/agents.h>
#include <wend/crowd_tuning.h>

enum { TRIES = 64, NEAR_MIN = 8, NEAR_MAX = 48, FRAME_MILLI = 1000 };
/* Dijkstra looks for cheapest ways until it has closed this many cells, some seconds. Frames go on so long after the
 * last goal at least, and twice as long as a walk over all open cells takes: in a maze a way may have half of them. */
enum { SAMPLE_WORK = 60000000, REST_LEAST = 20000, FRAMES_A_CELL = 10 };
/* About a quarter of a straight step a frame: 5 cells a second at 20 Hz. */
enum { SPEED_MIN = 200, SPEED_MAX = 300, PATH_BLOCKS = 8, BLOCK = 64 };

/* ---- goals ---- */

/* A cell that it can reach and that is neither taken nor wanted. Most lie nearby. */
static bool choose_goal(lab_run *run, lab_agent *who, wend_cell *out) {
    const terrain_copy *land = &run->land;
    const uint32_t *parts = land->home.labels, part = parts[terrain_index(land, who->goal)];
    const bool far = random_below(&who->random, 100) < run->settings->scenario->far_percent;
    const int32_t wide = random_between(&who->random, NEAR_MIN, NEAR_MAX);
    for (int i = 0; i < TRIES; i++) {
        const wend_cell near = agents_near_cell(land, who->goal, wide, &who->random),
                        any = agents_random_cell(land, &who->random);
        const wend_cell cell = far ? any : near;
        if (terrain_factor(land, cell) == 0) continue;
        const uint32_t at = terrain_index(land, cell);
        if (parts[at] != part || run->wanted[at]) continue;
        *out = cell;
        return true;
    }
    return false;
}

static int64_t lone_cost(dijkstra *oracle, const lab_agent *who) {
    if (dijkstra_closed(oracle) > SAMPLE_WORK) return -1;
    return dijkstra_cost(oracle, who->start, who->goal);
}

/* The cost that an agent covers with a speed of 1: that of a straight step; 1,000 on a graph. */
static uint64_t straight_cost(const lab_run *run) {
    return run->land.kind == WEND_KIND_GRAPH ? 1000 : (uint64_t)run->land.rules.cost_straight;
}

/* Frames that a lone agent takes for a way of that cost. */
static uint64_t lone_frames(const lab_run *run, const lab_agent *who, int64_t cost) {
    const uint64_t each = straight_cost(run) * who->speed;
    return ((uint64_t)cost * 1000 + each - 1) / each;
}

/* Returns whether an agent is to have a body. Numbers alternate, so that all parts of the map have both kinds. */
static bool has_body(const lab_run *run, uint32_t index) {
    const uint64_t percent = run->settings->bodies_percent;
    return run->settings->radius_milli > 0 && (index + UINT64_C(1)) * percent / 100 > index * percent / 100;
}

/* Frames in which an agent is at its goal if it is alone; 0: not known, or a door that closes makes the way longer. A
 * disc goes past no blocked corner. */
static uint64_t lone_walk(lab_run *run, uint32_t index) {
    const lab_agent *who = &run->crowd_agents[index];
    if (run->doors) return 0;
    const int64_t cost = has_body(run, index) ? lone_cost(run->disc_oracle, who) : who->lone;
    return cost <= 0 ? 0 : lone_frames(run, who, cost);
}

/* An agent's place and goal are its `goal`, wanted by no other. */
static void want(lab_run *run, lab_agent *who, wend_cell goal) {
    run->wanted[terrain_index(&run->land, who->goal)] = 0;
    run->wanted[terrain_index(&run->land, goal)] = 1;
    who->goal = goal;
}

static bool give_goal(lab_run *run, uint32_t index) {
    lab_agent *who = &run->crowd_agents[index];
    wend_crowd_goal goal;
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_goal_init(&goal, sizeof goal);
    if (!choose_goal(run, who, &goal.cell)) {
        who->next = run->frame + 1;
        return true;
    }
    wend_crowd_get_agent(run->crowd, who->id, &state);
    want(run, who, goal.cell);
    who->start = state.cell;
    who->lone = lone_cost(run->oracle, who);
    who->asked = run->frame;
    who->next = 0;
    const wend_error error = wend_crowd_go(run->crowd, &who->id, 1, &goal);
    if (error != WEND_OK)
        return lab_fail("a wish in frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
    walk_checker_set_goal(run->walk_watch, index, goal.cell, lone_walk(run, index));
    lab_log_goal(run, index);
    run->goals++;
    run->open_goals++;
    return lab_track_add(run, index, &who->start, 1, true) || lab_fail("out of memory for the tracks");
}

/* ---- before a tick ---- */

static bool open_and_close(lab_run *run) {
    uint64_t changed = 0;
    if (!run->doors) return true;
    const uint64_t before = run->map_memory.allocations;
    const wend_error error = walk_doors_go(run->doors, run->map, run->frame, run->wanted, &changed);
    if (error != WEND_OK)
        return lab_fail("the doors before frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
    if (!lab_upkeep(run)) return false;
    run->allocations_edits += run->map_memory.allocations - before;
    run->edits += changed;
    run->epochs += changed > 0;
    return true;
}

static bool before_tick(lab_run *run, bool asking, lab_times *times) {
    (void)times; /* doors are not measured */
    bool good = open_and_close(run);
    for (uint32_t i = 0; good && asking && i < run->settings->agents; i++)
        if (run->crowd_agents[i].next == run->frame) good = give_goal(run, i);
    return good;
}

static wend_error step_crowd(lab_run *run) {
    return wend_crowd_update(run->crowd, FRAME_MILLI, NULL, NULL);
}

/* ---- events ---- */

static void queue_event(void *context, const wend_agent_event *event) {
    lab_run *run = context;
    const lab_agent *who = event->context;
    if (!ARRAY_ROOM(run->events, run->event_capacity, run->event_count + 1))
        run->out_of_memory = true;
    else
        run->events[run->event_count++] =
            (lab_event){(uint32_t)(who - run->crowd_agents), event->event, event->why, event->cell};
}

static bool count_arrival(lab_run *run, uint32_t index) {
    const lab_agent *who = &run->crowd_agents[index];
    if (who->lone <= 0) return true;
    const uint64_t frames = run->frame - who->asked + 1, lone = lone_frames(run, who, who->lone);
    return series_add(&run->times, frames * 1000 / lone) &&
           series_add(&run->ways, walk_checker_way(run->walk_watch, index) * 1000 / (uint64_t)who->lone);
}

static bool count_event(lab_run *run, const lab_event *event) {
    lab_agent *who = &run->crowd_agents[event->agent];
    const stress_scenario *scenario = run->settings->scenario;
    const bool arrived = event->event == WEND_AGENT_EVENT_ARRIVED;
    walk_checker_heard(run->walk_watch, event->agent, event->event, event->cell);
    lab_log_event(run, event);
    run->ends[event->event & 7]++;
    run->whys[event->why & 7]++;
    if (!wend_agent_event_ends_goal(event->event)) return true;
    if (who->next != 0) return true;
    run->open_goals--;
    who->next =
        run->frame + (uint64_t)random_between(&who->random, (int32_t)scenario->wait_min, (int32_t)scenario->wait_max);
    if (!arrived) want(run, who, event->cell); /* it stands elsewhere */
    return series_add(&run->stuck, walk_checker_stuck(run->walk_watch, event->agent)) &&
           (!arrived || count_arrival(run, event->agent));
}

/* ---- after a tick ---- */

static bool follow_track(lab_run *run, uint32_t agent, wend_cell cell) {
    if (agent >= run->track_count) return true;
    const lab_track *track = &run->tracks[agent];
    const wend_cell *last = track->count > 0 ? &track->cells[track->count - 1] : NULL;
    return (last && same_cell(*last, cell)) || lab_track_add(run, agent, &cell, 1, false);
}

/* Returns whether an agent waits for a search, or for room or work for one. */
static bool waits_for_search(const lab_run *run, uint32_t agent) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_get_agent(run->crowd, run->crowd_agents[agent].id, &state);
    return state.waits >= WEND_WAIT_SEARCH && state.waits <= WEND_WAIT_WORK;
}

static void see_agent(lab_run *run, uint32_t agent, wend_cell cell, wend_point point) {
    wend_body_state body = {.struct_bytes = sizeof body};
    const lab_agent *who = &run->crowd_agents[agent];
    if (waits_for_search(run, agent)) walk_checker_searches(run->walk_watch, agent);
    if (wend_crowd_get_body(run->crowd, who->id, &body)) {
        walk_checker_saw(run->walk_watch, agent, cell, point);
        if (run->disc_watch) disc_checker_saw_walker(run->disc_watch, agent, point);
        return;
    }
    walk_checker_saw_body(run->walk_watch, agent, cell);
    disc_checker_saw(run->disc_watch, agent, cell, &body, who->speed);
}

static bool after_tick(lab_run *run, const wend_frame *frame) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    bool good = !run->out_of_memory;
    (void)frame;
    wend_crowd_get_view(run->crowd, &view);
    for (uint32_t i = 0; i < run->settings->agents; i++) {
        const uint32_t slot = run->crowd_agents[i].id.index;
        const wend_point point = view.points[slot];
        see_agent(run, i, view.cells[slot], point);
        good = good && follow_track(run, i, view.cells[slot]);
        run->hash = wend__hash_u64(run->hash, (uint64_t)(uint32_t)point.x << 32 | (uint32_t)point.y);
        if (run->land.kind != WEND_KIND_GRID) run->hash = wend__hash_u64(run->hash, (uint32_t)point.z);
    }
    if (run->disc_watch) disc_checker_frame_ends(run->disc_watch);
    walk_checker_frame_ends(run->walk_watch, run->allocations_after);
    for (size_t i = 0; good && i < run->event_count; i++) good = count_event(run, &run->events[i]);
    run->event_count = 0;
    wend_crowd_get_stats(run->crowd, &counts);
    run->put_off += counts.put_off;
    const uint64_t asked = counts.searches_begun - run->asked_before;
    if (asked > run->asked_most) run->asked_most = asked;
    run->asked_before = counts.searches_begun;
    return good;
}

/* A way takes no link or edge twice. A seam costs what the cell does that it enters. */
static bool goes_on(const lab_run *run) {
    uint64_t cost = run->land.open * straight_cost(run);
    for (uint32_t i = 0; i < run->land.way_count; i++)
        if (run->land.ways[i].cost != TERRAIN_SEAM) cost += run->land.ways[i].cost;
    const uint64_t walk = cost / straight_cost(run) * FRAMES_A_CELL, rest = walk > REST_LEAST ? walk : REST_LEAST;
    return run->open_goals > 0 && run->frame < run->settings->frames + rest;
}

/* The crowd's requests are the service's to count. */
static void finish_walk(lab_run *run) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    walk_checker_finish(run->walk_watch, run->open_goals);
    wend_service_get_stats(run->service, &stats);
    for (int32_t i = 0; i < WEND_STATUS_COUNT; i++) run->statuses[i] = stats.statuses[i];
    run->accepted = stats.submitted;
    run->busy = stats.refused_busy;
    run->completed = stats.completed;
}

/* ---- life ---- */

static uint64_t queue_of(const lab_settings *settings) {
    return settings->agents / settings->scenario->queue_part;
}

static bool open_crowd(lab_run *run) {
    wend_crowd_def def;
    wend_crowd_tuning tuning;
    wend_crowd_def_init(&def, sizeof def);
    wend_crowd_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    def.agents = (uint32_t)run->settings->agents;
    def.service = run->service;
    def.map = run->map;
    def.path_bytes = (uint64_t)def.agents * PATH_BLOCKS * BLOCK;
    tuning.units_within = (int32_t)run->settings->units_within;
    def.on_event = queue_event;
    def.context = run;
    def.allocator = lab_counted(&run->crowd_memory);
    run->crowd_bytes = wend_crowd_bytes(&def);
    const wend_error error = wend_crowd_create(&def, &run->crowd);
    return error == WEND_OK || lab_fail("a crowd of %u agents: %s", (unsigned)def.agents, wend_error_detail(error));
}

/* Takes the next free cell from a random one on. Its part of the map does not matter: each agent's goals lie in its
 * own. */
static bool find_place(lab_run *run, uint64_t *random, wend_cell *out) {
    const terrain_copy *land = &run->land;
    const uint64_t first = random_below(random, land->cells);
    for (uint64_t i = 0; i < land->cells; i++) {
        const uint32_t cell = (uint32_t)((first + i) % land->cells);
        if (land->factors[cell] == 0 || run->wanted[cell]) continue;
        *out = terrain_cell(land, cell);
        run->wanted[cell] = 1;
        return true;
    }
    return false;
}

static bool give_body(lab_run *run, uint32_t index) {
    const lab_agent *who = &run->crowd_agents[index];
    wend_body_def def;
    if (!has_body(run, index)) return true;
    wend_body_def_init(&def, sizeof def);
    def.radius_milli = (uint32_t)run->settings->radius_milli;
    const wend_error error = wend_crowd_set_body(run->crowd, who->id, &def);
    return error == WEND_OK || lab_fail("a body: %s", wend_error_detail(error));
}

static bool add_agent(lab_run *run, uint32_t index) {
    lab_agent *who = &run->crowd_agents[index];
    uint64_t seed = run->settings->seed ^ (uint64_t)index << 32;
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    who->random = wend__random(&seed);
    if (!find_place(run, &who->random, &who->goal))
        return lab_fail("the map has no open cell for agent %u of %u", (unsigned)index + 1,
                        (unsigned)run->settings->agents);
    who->speed = (uint32_t)random_between(&who->random, SPEED_MIN, SPEED_MAX);
    who->next = 1 + random_below(&who->random, run->settings->scenario->wait_max);
    def.cell = who->goal;
    def.speed_milli = who->speed;
    def.context = who;
    const wend_error error = wend_crowd_add(run->crowd, &def, &who->id);
    if (error != WEND_OK)
        return lab_fail("agent %u on %s: %s", (unsigned)index, TERRAIN_NAME(&run->land, def.cell),
                        wend_error_detail(error));
    walk_checker_added(run->walk_watch, index, def.cell, who->speed);
    return give_body(run, index);
}

static bool open_run(lab_run *run) {
    const lab_settings *settings = run->settings;
    const uint32_t count = (uint32_t)settings->agents;
    run->crowd_agents = calloc(count, sizeof *run->crowd_agents);
    run->wanted = calloc((size_t)run->land.cells, 1);
    run->oracle = dijkstra_create(&run->land);
    run->disc_land = run->land;
    run->disc_land.rules.corners = WEND_CORNERS_NEVER;
    const bool needs_disc_oracle = settings->radius_milli > 0 && settings->edits == 0;
    if (needs_disc_oracle) run->disc_oracle = dijkstra_create(&run->disc_land);
    run->walk_watch = walk_checker_create(&run->land, count, &run->promises);
    if (settings->radius_milli > 0) run->disc_watch = disc_checker_create(&run->land, count, &run->promises);
    if (settings->edits > 0) run->doors = walk_doors_create(&run->land, settings->edits, settings->seed);
    if ((settings->radius_milli > 0 && !run->disc_watch) || (needs_disc_oracle && !run->disc_oracle))
        return lab_fail("out of memory for the bodies");
    if (!run->crowd_agents || !run->wanted || !run->oracle || !run->walk_watch || (settings->edits > 0 && !run->doors))
        return lab_fail("out of memory for the agents");
    bool good = open_crowd(run);
    for (uint32_t i = 0; good && i < count; i++) good = add_agent(run, i);
    return good;
}

static void close_run(lab_run *run) {
    walk_checker_free(run->walk_watch);
    disc_checker_free(run->disc_watch);
    walk_doors_free(run->doors);
    dijkstra_free(run->oracle);
    dijkstra_free(run->disc_oracle);
    free(run->crowd_agents);
    free(run->wanted);
    free(run->events);
}

const lab_driver lab_crowd = {.queue = queue_of,
                              .open = open_run,
                              .close = close_run,
                              .before = before_tick,
                              .step = step_crowd,
                              .after = after_tick,
                              .goes_on = goes_on,
                              .finish = finish_walk};
