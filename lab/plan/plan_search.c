/* SPDX-License-Identifier: MIT */
/* Finds the smallest budget, lanes, pool and queue that hold a load, by running it: doubling, then bisection. */
#include <stdio.h>
#include <stdlib.h>

#include "plan/plan.h"
#include "shared/messages.h"

/* Expansions of a load, after which it is cut short. */
#define LOAD_EXPANSIONS UINT64_C(50000000)

/* Budgets are found to one part in this many; the pool meanwhile has room for this many complete searches. */
enum { PRECISION = 128, POOL_SEARCHES = 16, POOL_NODES_MAX = 1 << 26, RUNS_EXPECTED = 36, CHECK_RUNS = 3 };
/* Room for the requests of a script in its first run, which measures how much it takes. */
enum { PLAYED_QUEUE = 65536 };

static const uint32_t lane_counts[] = {1, 2, 4, 8};
enum { LANE_COUNTS = sizeof lane_counts / sizeof lane_counts[0], LANES_AT_FIRST = 4 };

static bool run_load(plan_answer *answer, const plan_setup *setup, plan_depth depth, plan_result *out) {
    answer->runs++;
    lab_progress("planning", answer->runs, answer->runs < RUNS_EXPECTED ? RUNS_EXPECTED : answer->runs + 1);
    if (answer->load.played) return answer->load.played->play(&answer->load, setup, out);
    const plan_trial how = {.walk = answer->load.walk, .depth = depth, .most_expansions = UINT64_MAX};
    return plan_run(&answer->load, setup, &how, out);
}

/* Sets whether the load holds. @return false: a run failed, after a message */
static bool try_setup(plan_answer *answer, const plan_setup *setup, bool *holds) {
    plan_result result;
    const bool good = run_load(answer, setup, PLAN_VERDICT, &result);
    *holds = good && result.holds;
    return good;
}

/* ---- the first run ---- */

/* A complete search takes up to four pages a chunk, of 64 x 64 cells, 16 x 16 x 16 voxels or 4,096 nodes. */
static uint64_t search_nodes(const wend_map_info *info) {
    const int32_t side = info->kind == WEND_KIND_GRID ? 64 : info->kind == WEND_KIND_VOXEL ? 16 : 4096;
    const uint64_t columns = ((uint64_t)info->width + (uint64_t)side - 1) / (uint64_t)side;
    const uint64_t rows = ((uint64_t)info->height + (uint64_t)side - 1) / (uint64_t)side;
    const uint64_t layers = ((uint64_t)info->depth + (uint64_t)side - 1) / (uint64_t)side;
    return 4 * WEND_PAGE_NODES * columns * rows * layers;
}

static uint64_t pool_at_first(const wend_map_info *info) {
    const uint64_t largest = search_nodes(info);
    uint64_t nodes = largest / 4 * POOL_SEARCHES;
    if (nodes > POOL_NODES_MAX) nodes = POOL_NODES_MAX;
    return nodes < 2 * largest ? 2 * largest : nodes;
}

static uint64_t rounded_up(uint64_t number) {
    uint64_t power = 256;
    while (power < number) power *= 2;
    return power;
}

/* Paths may have any length: the longest allowed is doubled until none is too long. */
static bool play_first(plan_load *load, plan_setup *setup, plan_result *result) {
    const uint64_t sides = (uint64_t)load->info.width + (uint64_t)load->info.height + (uint64_t)load->info.depth;
    bool good = true;
    setup->max_path_cells = 256;
    while (setup->max_path_cells < 2 * sides && setup->max_path_cells < load->info.cells) setup->max_path_cells *= 2;
    do {
        load->frames = 0;
        good = load->played->play(load, setup, result);
        if (!good || result->unserved == 0 || setup->max_path_cells >= load->info.cells) break;
        setup->max_path_cells *= 2;
    } while (true);
    load->frames = result->frames > load->within ? result->frames - load->within + 1 : 1;
    load->count = result->requests;
    load->agents = load->played->crowd.agents;
    return good;
}

/* With this budget nearly each request is answered by the next frame. The run tells what the requests take, which spots
 * of the map are hard, and how long the paths are. A load that is too long is cut short here, by expansions. */
static bool first_run(plan_answer *answer, plan_setup *setup, plan_result *result) {
    plan_load *load = &answer->load;
    setup->budget = LOAD_EXPANSIONS;
    setup->lanes = LANES_AT_FIRST;
    setup->queue = load->count < 1u << 24 ? (uint32_t)load->count : 1u << 24;
    setup->nodes = pool_at_first(&load->info);
    setup->max_path_cells = load->info.cells < UINT32_MAX ? load->info.cells : UINT32_MAX;
    answer->runs++;
    if (load->played) {
        setup->queue = PLAYED_QUEUE;
        return play_first(load, setup, result);
    }
    const plan_trial how = {.depth = PLAN_FIGURES, .most_expansions = LOAD_EXPANSIONS, .spots = answer->spots};
    const bool good = plan_run(load, setup, &how, result);
    if (!good) return good;
    if (result->frames < load->frames) plan_load_cut(load, result->frames);
    setup->max_path_cells = rounded_up(2 * result->longest_path);
    setup->queue = (uint32_t)(load->count < 1u << 24 ? load->count : 1u << 24);
    if (load->walk) setup->queue = load->agents < 1u << 20 ? 2 * load->agents + 16 : 1u << 24;
    return true;
}

/* ---- the budget ---- */

static uint64_t mean_demand(const plan_answer *answer, const plan_result *first) {
    const uint64_t mean = first->expansions / answer->load.frames;
    return mean > 0 ? mean : 1;
}

/* Bisects between a failing budget and a sufficient one. */
static bool bisect_budget(plan_answer *answer, plan_setup *setup, uint64_t fails) {
    bool good = true;
    while (good && setup->budget - fails > 1 + setup->budget / PRECISION) {
        plan_setup middle = *setup;
        bool holds;
        middle.budget = fails + (setup->budget - fails) / 2;
        good = try_setup(answer, &middle, &holds);
        if (good && holds)
            setup->budget = middle.budget;
        else
            fails = middle.budget;
    }
    return good;
}

/* Doubles a budget up to a sufficient one, or halves it down to a failing one; then bisects. found: some budget up to
 * `most` suffices */
static bool smallest_budget(plan_answer *answer, plan_setup *setup, uint64_t most, bool *found) {
    plan_setup trial = *setup;
    uint64_t fails = 0;
    bool holds;
    bool good = try_setup(answer, &trial, &holds);
    while (good && !holds && trial.budget < most) {
        fails = trial.budget;
        trial.budget = trial.budget < most / 2 ? trial.budget * 2 : most;
        good = try_setup(answer, &trial, &holds);
    }
    *found = good && holds;
    if (!*found) return good;
    setup->budget = trial.budget;
    while (good && fails == 0 && holds && trial.budget > 1) {
        trial.budget /= 2;
        good = try_setup(answer, &trial, &holds);
        if (holds) setup->budget = trial.budget;
    }
    if (fails == 0 && !holds) fails = trial.budget;
    return good && bisect_budget(answer, setup, fails);
}

/* ---- lanes ---- */

/* Other numbers of lanes: one with which a budget smaller by a thirty-second holds takes over. */
static bool best_lanes(plan_answer *answer, plan_setup *setup) {
    bool good = true;
    for (size_t i = 0; good && i < LANE_COUNTS; i++) {
        if (lane_counts[i] == setup->lanes) continue;
        plan_setup trial = *setup;
        bool holds, found;
        trial.lanes = lane_counts[i];
        trial.budget -= trial.budget / 32;
        if (trial.budget == setup->budget) continue;
        good = try_setup(answer, &trial, &holds);
        if (!good || !holds) continue;
        good = smallest_budget(answer, &trial, trial.budget, &found);
        if (good && found) *setup = trial;
    }
    return good;
}

/* The fewest lanes with which the budget holds. */
static bool fewest_lanes(plan_answer *answer, plan_setup *setup) {
    bool good = true;
    for (size_t i = 0; good && lane_counts[i] < setup->lanes; i++) {
        plan_setup trial = *setup;
        bool holds;
        trial.lanes = lane_counts[i];
        good = try_setup(answer, &trial, &holds);
        if (good && holds) *setup = trial;
    }
    return good;
}

/* ---- the pool ---- */

/* Finds the fewest pages for the budget, between a page a lane and the most that it held. */
static bool smallest_pool(plan_answer *answer, plan_setup *setup) {
    plan_result result;
    bool good = run_load(answer, setup, PLAN_VERDICT, &result);
    uint64_t holds_pages = setup->nodes / WEND_PAGE_NODES, fails_pages = setup->lanes - 1;
    const uint64_t peak = (result.nodes_peak + WEND_PAGE_NODES - 1) / WEND_PAGE_NODES;
    uint64_t middle = peak > fails_pages ? peak : fails_pages + 1;
    while (good && middle < holds_pages) {
        plan_setup trial = *setup;
        bool holds;
        trial.nodes = middle * WEND_PAGE_NODES;
        good = try_setup(answer, &trial, &holds);
        if (good && holds)
            holds_pages = middle;
        else
            fails_pages = middle;
        if (holds_pages - fails_pages <= 1 + holds_pages / PRECISION) break;
        middle = fails_pages + (holds_pages - fails_pages) / 2;
    }
    setup->nodes = holds_pages * WEND_PAGE_NODES;
    return good;
}

/* ---- the check ---- */

/* Fewer expansions must not do: nine tenths of the budget are run, and where they hold, the search goes on below. */
static bool check_less(plan_answer *answer) {
    for (;;) {
        bool found;
        answer->less = answer->setup;
        answer->less.budget = answer->setup.budget / 10 * 9 + answer->setup.budget % 10 * 9 / 10;
        bool good = run_load(answer, &answer->less, PLAN_FIGURES, &answer->less_run);
        if (!good || !answer->less_run.holds || answer->less.budget == 0) return good;
        answer->setup = answer->less;
        good = smallest_budget(answer, &answer->setup, answer->setup.budget, &found);
        if (!good) return good;
    }
}

/* The smallest queue has room for the most requests that were pending at once. The last runs use it, and measure. */
static bool check_found(plan_answer *answer) {
    uint64_t tick_ns = UINT64_MAX, crowd_ns = UINT64_MAX;
    plan_result *last = &answer->last;
    bool good = run_load(answer, &answer->setup, PLAN_FIGURES, last);
    if (!good) return good;
    answer->setup.queue = (uint32_t)(last->queue_peak > 0 ? last->queue_peak : 1);
    for (int i = 0; good && i < CHECK_RUNS; i++) {
        good = run_load(answer, &answer->setup, PLAN_FIGURES, last);
        while (good && last->refused > 0) {
            answer->setup.queue += 1 + answer->setup.queue / 16;
            good = run_load(answer, &answer->setup, PLAN_FIGURES, last);
        }
        if (last->tick_ns < tick_ns) tick_ns = last->tick_ns;
        if (last->crowd_ns < crowd_ns) crowd_ns = last->crowd_ns;
    }
    last->tick_ns = tick_ns;
    last->crowd_ns = crowd_ns;
    return good;
}

static size_t bytes_less(const plan_answer *answer, const plan_setup *smaller) {
    wend_service_def def;
    wend_service_tuning tuning;
    plan_service_def(smaller, &def, &tuning);
    return answer->service_bytes - wend_service_bytes(&def);
}

/* Finds the bytes that each setting takes beyond its smallest value. */
static void price_settings(plan_answer *answer) {
    const plan_setup *setup = &answer->setup;
    wend_service_def def;
    wend_service_tuning tuning;
    plan_service_def(setup, &def, &tuning);
    answer->service_bytes = wend_service_bytes(&def);
    plan_setup smaller = *setup;
    smaller.queue = 1;
    answer->queue_bytes = bytes_less(answer, &smaller);
    smaller = *setup;
    smaller.nodes = (uint64_t)setup->lanes * WEND_PAGE_NODES;
    answer->nodes_bytes = bytes_less(answer, &smaller);
    smaller = *setup;
    smaller.lanes = 1;
    answer->lanes_bytes = bytes_less(answer, &smaller);
    smaller = *setup;
    smaller.max_path_cells = 1;
    answer->paths_bytes = bytes_less(answer, &smaller);
    answer->crowd_bytes = plan_crowd_bytes(&answer->load);
}

static void set_reason(plan_answer *answer, const char *why) {
    snprintf(answer->why, sizeof answer->why, "%s", why);
}

/* A budget that holds in expansions may still take longer than a frame. */
static void judge_time(plan_answer *answer) {
    const uint64_t frame_ns = 1000000000 / answer->load.hz, took = answer->last.tick_ns + answer->last.crowd_ns;
    answer->in_time = took <= frame_ns;
    if (!answer->in_time)
        snprintf(answer->why, sizeof answer->why, "it takes %llu us a frame on this machine, and a frame has %llu us",
                 (unsigned long long)took / 1000, (unsigned long long)frame_ns / 1000);
}

bool plan_search(plan_answer *answer) {
    plan_result first;
    plan_setup setup;
    bool good = first_run(answer, &setup, &first);
    if (!good) return good;
    if (first.expansions / PLAN_HOPELESS_TIMES > LOAD_EXPANSIONS) {
        snprintf(answer->why, sizeof answer->why, "its first %llu frames alone take %llu expansions",
                 (unsigned long long)first.frames, (unsigned long long)first.expansions);
        return true;
    }
    if (first.unserved > 0) {
        set_reason(answer, "a request needs more nodes than the largest pool has");
        return true;
    }
    const uint64_t frame_ns = 1000000000 / answer->load.hz, mean_ns = first.all_ns / answer->load.frames;
    if (mean_ns > frame_ns) {
        snprintf(answer->why, sizeof answer->why,
                 "the requests of a frame take %llu us on this machine, and a frame has %llu us",
                 (unsigned long long)mean_ns / 1000, (unsigned long long)frame_ns / 1000);
        return true;
    }
    setup.budget = mean_demand(answer, &first);
    uint64_t most = first.max_frame_expansions > setup.budget ? first.max_frame_expansions : setup.budget;
    if (answer->load.walk && most < LOAD_EXPANSIONS) most = LOAD_EXPANSIONS;
    bool found;
    good = smallest_budget(answer, &setup, most, &found);
    if (good && found) good = best_lanes(answer, &setup);
    if (good && found) good = fewest_lanes(answer, &setup);
    if (good && found) good = smallest_pool(answer, &setup);
    if (!good) return good;
    answer->setup = setup;
    if (!found) {
        plan_result result;
        setup.budget = most;
        good = run_load(answer, &setup, PLAN_FIGURES, &result);
        set_reason(answer, result.why != NULL ? result.why : "no budget was found");
        return good;
    }
    good = check_less(answer);
    good = good && check_found(answer);
    if (!good) return good;
    answer->found = true;
    price_settings(answer);
    judge_time(answer);
    return true;
}
