/* SPDX-License-Identifier: MIT */
/* The frames of agents that walk: doors, wishes, the tick, the crowd's step; then everything is checked and counted. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <time.h>

#include "lab/shared/hash.h"
#include "cli/shared/draw.h"
#include "cli/shared/engine.h"
#include "cli/shared/messages.h"
#include "lab/shared/random.h"
#include "lab/run/walk.h"

enum { TRIES = 64, NEAR_MIN = 8, NEAR_MAX = 48, FRAME_MILLI = 1000 };
/* Dijkstra looks for the cheapest ways until it has closed so many cells, some seconds. Frames go on so long after the
 * last wish at least, and twice as long as a walk over all open cells takes: in a maze a way may have half of them. */
enum { SAMPLE_WORK = 60000000, REST_LEAST = 20000, FRAMES_A_CELL = 10 };

static uint64_t now_ns(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- wishes ---- */

/* A cell that it can reach and that nobody stands on or wants. Most lie nearby. */
static bool choose_goal(walk_run *run, walk_agent *who, wend_cell *out) {
    const terrain_copy *land = &run->base.land;
    const uint32_t *parts = land->home.labels, part = parts[terrain_index(land, who->goal)];
    const bool far = random_below(&who->random, 100) < run->base.settings->scenario->far_percent;
    const int32_t wide = random_between(&who->random, NEAR_MIN, NEAR_MAX);
    for (int i = 0; i < TRIES; i++) {
        const wend_cell near = {who->goal.x + random_between(&who->random, -wide, wide),
                                who->goal.y + random_between(&who->random, -wide, wide), 0};
        const wend_cell any = {random_between(&who->random, 0, land->width - 1),
                               random_between(&who->random, 0, land->height - 1), 0};
        const wend_cell cell = far ? any : near;
        if (terrain_factor(land, cell.x, cell.y) == 0) continue;
        const uint32_t at = terrain_index(land, cell);
        if (parts[at] != part || run->wanted[at]) continue;
        *out = cell;
        return true;
    }
    return false;
}

static int64_t lone_cost(walk_run *run, const walk_agent *who) {
    if (dijkstra_closed(run->oracle) > SAMPLE_WORK) return -1;
    return dijkstra_cost(run->oracle, who->start, who->goal);
}

static int wish(walk_run *run, uint32_t index) {
    walk_agent *who = &run->agents[index];
    wend_crowd_goal goal;
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_goal_init(&goal, sizeof goal);
    if (!choose_goal(run, who, &goal.cell)) {
        who->next = run->frame + 1;
        return -1;
    }
    wend_crowd_get_agent(run->crowd, who->id, &state);
    run->wanted[terrain_index(&run->base.land, who->goal)] = 0;
    run->wanted[terrain_index(&run->base.land, goal.cell)] = 1;
    who->start = state.cell;
    who->goal = goal.cell;
    who->lone = lone_cost(run, who);
    who->asked = run->frame;
    who->next = 0;
    const wend_error error = wend_crowd_go(run->crowd, &who->id, 1, &goal);
    if (error != WEND_OK)
        return cli_fail("a wish in frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
    walk_checker_wished(run->watch, index, goal.cell);
    walk_log_wish(run, index);
    run->wishes++;
    run->open_wishes++;
    return walk_track(run, index, who->start, true) ? -1 : cli_fail("out of memory for the tracks");
}

static int all_wish(walk_run *run) {
    int status = -1;
    for (uint32_t i = 0; status == -1 && i < run->count; i++)
        if (run->agents[i].next == run->frame) status = wish(run, i);
    return status;
}

/* ---- events ---- */

void walk_take(void *context, const wend_agent_event *event) {
    walk_run *run = context;
    const walk_agent *who = event->context;
    if (run->event_count == run->event_capacity) {
        const uint32_t capacity = run->event_capacity == 0 ? 1024 : run->event_capacity * 2;
        walk_event *larger = realloc(run->events, capacity * sizeof *larger);
        run->out_of_memory = run->out_of_memory || larger == NULL;
        if (larger == NULL) return;
        run->events = larger;
        run->event_capacity = capacity;
    }
    run->events[run->event_count++] =
        (walk_event){(uint32_t)(who - run->agents), event->event, event->why, event->cell};
}

/* Frames that a lone walker takes for a way. */
static uint64_t lone_frames(const walk_run *run, const walk_agent *who) {
    const uint64_t each = (uint64_t)run->base.land.rules.cost_straight * who->speed;
    return ((uint64_t)who->lone * 1000 + each - 1) / each;
}

static bool count_arrival(walk_run *run, uint32_t index) {
    const walk_agent *who = &run->agents[index];
    if (who->lone <= 0) return true;
    const uint64_t frames = run->frame - who->asked + 1, lone = lone_frames(run, who);
    return tally_add(&run->times, frames * 1000 / lone) &&
           tally_add(&run->ways, walk_checker_way(run->watch, index) * 1000 / (uint64_t)who->lone);
}

static bool count_event(walk_run *run, const walk_event *event) {
    walk_agent *who = &run->agents[event->agent];
    const stress_scenario *scenario = run->base.settings->scenario;
    walk_checker_heard(run->watch, event->agent, event->event, event->cell);
    walk_log_event(run, event);
    run->ends[event->event & 7]++;
    run->whys[event->why & 7]++;
    if (event->event == WEND_AGENT_EVENT_REROUTED || who->next != 0) return true;
    bool good = tally_add(&run->stuck, walk_checker_stuck(run->watch, event->agent));
    if (event->event == WEND_AGENT_EVENT_ARRIVED) good = good && count_arrival(run, event->agent);
    run->open_wishes--;
    who->next =
        run->frame + (uint64_t)random_between(&who->random, (int32_t)scenario->wait_min, (int32_t)scenario->wait_max);
    if (event->event == WEND_AGENT_EVENT_ARRIVED) return good;
    run->wanted[terrain_index(&run->base.land, who->goal)] = 0; /* it stands elsewhere */
    who->goal = event->cell;
    run->wanted[terrain_index(&run->base.land, who->goal)] = 1;
    return good;
}

/* ---- a frame ---- */

static uint64_t allocations_of(const walk_run *run) {
    return run->base.service_memory.allocations + run->base.map_memory.allocations + run->memory.allocations -
           run->base.allocations_before - run->base.allocations_edits;
}

static int open_and_close(walk_run *run) {
    uint64_t changed = 0;
    if (run->doors == NULL) return -1;
    const uint64_t before = run->base.map_memory.allocations;
    const wend_error error = walk_doors_go(run->doors, run->base.map, run->frame, run->wanted, &changed);
    if (error != WEND_OK)
        return cli_fail("the doors before frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
    const int status = cli_engine_upkeep(run->base.map);
    run->base.allocations_edits += run->base.map_memory.allocations - before;
    run->doors_changed += changed;
    run->epochs += changed > 0;
    return status;
}

static bool judge(walk_run *run) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    bool good = !run->out_of_memory;
    wend_crowd_get_view(run->crowd, &view);
    for (uint32_t i = 0; i < run->count; i++) {
        const uint32_t slot = run->agents[i].id.index;
        walk_checker_saw(run->watch, i, view.cells[slot], view.points[slot]);
        good = good && walk_track(run, i, view.cells[slot], false);
        run->hash =
            hash64_u64(run->hash, (uint64_t)(uint32_t)view.points[slot].x << 32 | (uint32_t)view.points[slot].y);
    }
    run->allocations_after = allocations_of(run);
    walk_checker_frame_ends(run->watch, run->allocations_after);
    for (uint32_t i = 0; good && i < run->event_count; i++) good = count_event(run, &run->events[i]);
    run->event_count = 0;
    return good;
}

static bool count_frame(walk_run *run, const wend_frame *frame, const walk_times *times) {
    wend_crowd_counts counts = {.struct_bytes = sizeof counts};
    wend_crowd_get_counts(run->crowd, &counts);
    run->put_off += counts.put_off;
    run->expansions += frame->expansions;
    if (frame->expansions > run->max_frame_expansions) run->max_frame_expansions = frame->expansions;
    if (!series_add(&run->wishing, run->open_wishes) || !walk_log_frame(run, frame, times)) return false;
    if (!series_add(&run->base.frame_cpu_ns, times->cpu_ended - times->cpu_begun)) return false;
    if (run->frame > run->base.settings->frames) return true;
    return series_add(&run->frame_ns, times->ended - times->begun) &&
           series_add(&run->tick_ns, times->ticked - times->begun) &&
           series_add(&run->crowd_ns, times->ended - times->ticked) &&
           series_add(&run->frame_cpu_ns, times->cpu_ended - times->cpu_begun) &&
           series_add(&run->tick_cpu_ns, times->cpu_ticked - times->cpu_begun) &&
           series_add(&run->crowd_cpu_ns, times->cpu_ended - times->cpu_ticked);
}

static int one_frame(walk_run *run) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    walk_times times = {.begun = now_ns(CLOCK_MONOTONIC), .cpu_begun = now_ns(CLOCK_PROCESS_CPUTIME_ID)};
    wend_error error = wend_service_tick(run->base.service, &run->base.budget, &frame);
    times.ticked = now_ns(CLOCK_MONOTONIC);
    times.cpu_ticked = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    if (error == WEND_OK) error = wend_crowd_update(run->crowd, FRAME_MILLI);
    times.ended = now_ns(CLOCK_MONOTONIC);
    times.cpu_ended = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    if (error != WEND_OK) return cli_fail("frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
    return judge(run) && count_frame(run, &frame, &times) ? -1 : cli_fail("out of memory for the counts");
}

static uint64_t most_rest(const walk_run *run) {
    const uint64_t walk = (uint64_t)run->base.land.open * FRAMES_A_CELL;
    return walk > REST_LEAST ? walk : REST_LEAST;
}

int walk_go(walk_run *run) {
    const uint64_t asking = run->base.settings->frames, last = asking + most_rest(run);
    int status = -1;
    while (status == -1 && (run->frame < asking || (run->open_wishes > 0 && run->frame < last))) {
        run->frame++;
        status = open_and_close(run);
        if (status == -1 && run->frame <= asking) status = all_wish(run);
        if (status == -1) status = one_frame(run);
        cli_progress("frames", run->frame, asking);
    }
    cli_progress_end();
    if (status == -1) walk_checker_finish(run->watch, run->open_wishes);
    return status;
}
