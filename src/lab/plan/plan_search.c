/* SPDX-License-Identifier: MIT */
/* Finds the smallest budget, lanes, pool and queue that hold a load, by running it: doubling, then bisection. */
#include <stdlib.h>

#include "lab/plan/plan.h"
#include "cli/shared/engine.h"
#include "cli/shared/messages.h"

/* Expansions of a load, after which it is cut short. */
#define LOAD_EXPANSIONS UINT64_C(50000000)

/* Budgets are found to one part in so many; the pool while it is looked for has room for so many complete searches. */
enum { PRECISION = 128, POOL_SEARCHES = 16, POOL_NODES_MAX = 1 << 26, RUNS_EXPECTED = 36, CHECK_RUNS = 3 };
/* Room for the requests of a script in its first run, which says how much it takes. */
enum { PLAYED_QUEUE = 65536 };

static const uint32_t lane_counts[] = {1, 2, 4, 8};
enum { LANE_COUNTS = sizeof lane_counts / sizeof lane_counts[0], LANES_AT_FIRST = 4 };

static int run_load(plan_answer *answer, const plan_setup *setup, plan_depth depth, plan_result *out) {
    answer->runs++;
    cli_progress("planning", answer->runs, answer->runs < RUNS_EXPECTED ? RUNS_EXPECTED : answer->runs + 1);
    if (answer->load.played) return plan_play(&answer->load, setup, out);
    if (answer->load.walk) return plan_walk(&answer->load, setup, out);
    return plan_run(&answer->load, setup, depth, UINT64_MAX, NULL, out);
}

/* Does the load hold? @return −1 to go on, else the exit status */
static int try_setup(plan_answer *answer, const plan_setup *setup, bool *holds) {
    plan_result result;
    const int status = run_load(answer, setup, PLAN_VERDICT, &result);
    *holds = status == -1 && result.holds;
    return status;
}

/* ---- the first run ---- */

static uint64_t pool_at_first(const wend_map_info *info) {
    const uint64_t largest = cli_search_nodes(info);
    uint64_t nodes = largest / 4 * POOL_SEARCHES;
    if (nodes > POOL_NODES_MAX) nodes = POOL_NODES_MAX;
    return nodes < 2 * largest ? 2 * largest : nodes;
}

static uint64_t rounded_up(uint64_t number) {
    uint64_t power = 256;
    while (power < number) power *= 2;
    return power;
}

/* With this budget nearly each request is answered by the next frame. The run tells what the requests take, which spots
 * of the map are hard, and how long the paths are. A load that is too long is cut short here, by expansions. */
static int first_run(plan_answer *answer, plan_setup *setup, plan_result *result) {
    plan_load *load = &answer->load;
    setup->budget = LOAD_EXPANSIONS;
    setup->lanes = LANES_AT_FIRST;
    setup->queue = load->count < 1u << 24 ? (uint32_t)load->count : 1u << 24;
    setup->nodes = pool_at_first(&load->info);
    setup->max_path_cells = load->info.cells < UINT32_MAX ? load->info.cells : UINT32_MAX;
    answer->runs++;
    if (load->played) {
        setup->queue = PLAYED_QUEUE;
        return plan_play_first(load, setup, result);
    }
    const int status = plan_run(load, setup, PLAN_FIGURES, LOAD_EXPANSIONS, answer->spots, result);
    if (status != -1) return status;
    if (result->frames < load->frames) plan_load_cut(load, result->frames);
    setup->max_path_cells = rounded_up(2 * result->longest_path);
    setup->queue = (uint32_t)(load->count < 1u << 24 ? load->count : 1u << 24);
    if (load->walk) setup->queue = load->agents < 1u << 20 ? 2 * load->agents + 16 : 1u << 24;
    return -1;
}

/* ---- the budget ---- */

static uint64_t mean_demand(const plan_answer *answer, const plan_result *first) {
    const uint64_t mean = first->expansions / answer->load.frames;
    return mean > 0 ? mean : 1;
}

/* Bisects between a budget that fails and one that holds. */
static int bisect_budget(plan_answer *answer, plan_setup *setup, uint64_t fails) {
    int status = -1;
    while (status == -1 && setup->budget - fails > 1 + setup->budget / PRECISION) {
        plan_setup middle = *setup;
        bool holds;
        middle.budget = fails + (setup->budget - fails) / 2;
        status = try_setup(answer, &middle, &holds);
        if (status == -1 && holds)
            setup->budget = middle.budget;
        else
            fails = middle.budget;
    }
    return status;
}

/* From a budget up, by doubling, to one that holds, or down from it to one that fails; then between both.
 * found: some budget up to `most` holds */
static int smallest_budget(plan_answer *answer, plan_setup *setup, uint64_t most, bool *found) {
    plan_setup trial = *setup;
    uint64_t fails = 0;
    bool holds;
    int status = try_setup(answer, &trial, &holds);
    while (status == -1 && !holds && trial.budget < most) {
        fails = trial.budget;
        trial.budget = trial.budget < most / 2 ? trial.budget * 2 : most;
        status = try_setup(answer, &trial, &holds);
    }
    *found = status == -1 && holds;
    if (!*found) return status;
    setup->budget = trial.budget;
    while (status == -1 && fails == 0 && holds && trial.budget > 1) {
        trial.budget /= 2;
        status = try_setup(answer, &trial, &holds);
        if (holds) setup->budget = trial.budget;
    }
    if (fails == 0 && !holds) fails = trial.budget;
    return status == -1 ? bisect_budget(answer, setup, fails) : status;
}

/* ---- lanes ---- */

/* Other numbers of lanes: one with which a budget smaller by a thirty-second holds takes over. */
static int best_lanes(plan_answer *answer, plan_setup *setup) {
    int status = -1;
    for (size_t i = 0; status == -1 && i < LANE_COUNTS; i++) {
        if (lane_counts[i] == setup->lanes) continue;
        plan_setup trial = *setup;
        bool holds, found;
        trial.lanes = lane_counts[i];
        trial.budget -= trial.budget / 32;
        if (trial.budget == setup->budget) continue;
        status = try_setup(answer, &trial, &holds);
        if (status != -1 || !holds) continue;
        status = smallest_budget(answer, &trial, trial.budget, &found);
        if (status == -1 && found) *setup = trial;
    }
    return status;
}

/* The fewest lanes with which the budget holds. */
static int fewest_lanes(plan_answer *answer, plan_setup *setup) {
    int status = -1;
    for (size_t i = 0; status == -1 && lane_counts[i] < setup->lanes; i++) {
        plan_setup trial = *setup;
        bool holds;
        trial.lanes = lane_counts[i];
        status = try_setup(answer, &trial, &holds);
        if (status == -1 && holds) *setup = trial;
    }
    return status;
}

/* ---- the pool ---- */

/* The fewest pages with which the budget holds, between a page a lane and those that it held at most. */
static int smallest_pool(plan_answer *answer, plan_setup *setup) {
    plan_result result;
    int status = run_load(answer, setup, PLAN_VERDICT, &result);
    uint64_t holds_pages = setup->nodes / WEND_PAGE_NODES, fails_pages = setup->lanes - 1;
    const uint64_t peak = (result.nodes_peak + WEND_PAGE_NODES - 1) / WEND_PAGE_NODES;
    uint64_t middle = peak > fails_pages ? peak : fails_pages + 1;
    while (status == -1 && middle < holds_pages) {
        plan_setup trial = *setup;
        bool holds;
        trial.nodes = middle * WEND_PAGE_NODES;
        status = try_setup(answer, &trial, &holds);
        if (status == -1 && holds)
            holds_pages = middle;
        else
            fails_pages = middle;
        if (holds_pages - fails_pages <= 1 + holds_pages / PRECISION) break;
        middle = fails_pages + (holds_pages - fails_pages) / 2;
    }
    setup->nodes = holds_pages * WEND_PAGE_NODES;
    return status;
}

/* ---- the check ---- */

/* Fewer expansions must not do: nine tenths of the budget are run, and where they hold, the search goes on below. */
static int check_less(plan_answer *answer) {
    for (;;) {
        bool found;
        answer->less = answer->setup;
        answer->less.budget = answer->setup.budget / 10 * 9 + answer->setup.budget % 10 * 9 / 10;
        int status = run_load(answer, &answer->less, PLAN_FIGURES, &answer->less_run);
        if (status != -1 || !answer->less_run.holds || answer->less.budget == 0) return status;
        answer->setup = answer->less;
        status = smallest_budget(answer, &answer->setup, answer->setup.budget, &found);
        if (status != -1) return status;
    }
}

/* The smallest queue has room for the most requests that were pending at once. The last runs use it, and measure. */
static int check_found(plan_answer *answer) {
    uint64_t tick_ns = UINT64_MAX, crowd_ns = UINT64_MAX;
    plan_result *last = &answer->last;
    int status = run_load(answer, &answer->setup, PLAN_FIGURES, last);
    if (status != -1) return status;
    answer->setup.queue = (uint32_t)(last->queue_peak > 0 ? last->queue_peak : 1);
    for (int i = 0; status == -1 && i < CHECK_RUNS; i++) {
        status = run_load(answer, &answer->setup, PLAN_FIGURES, last);
        while (status == -1 && last->refused > 0) {
            answer->setup.queue += 1 + answer->setup.queue / 16;
            status = run_load(answer, &answer->setup, PLAN_FIGURES, last);
        }
        if (last->tick_ns < tick_ns) tick_ns = last->tick_ns;
        if (last->crowd_ns < crowd_ns) crowd_ns = last->crowd_ns;
    }
    last->tick_ns = tick_ns;
    last->crowd_ns = crowd_ns;
    return status;
}

static size_t bytes_less(const plan_answer *answer, const plan_setup *smaller) {
    wend_service_def def;
    plan_service_def(smaller, &def);
    return answer->service_bytes - wend_service_bytes(&def);
}

/* Finds the bytes that each setting takes beyond its smallest value. */
static void price_settings(plan_answer *answer) {
    const plan_setup *setup = &answer->setup;
    wend_service_def def;
    plan_service_def(setup, &def);
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

static void say_no(plan_answer *answer, const char *why) {
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

int plan_search(plan_answer *answer) {
    plan_result first;
    plan_setup setup;
    int status = first_run(answer, &setup, &first);
    if (status != -1) return status;
    if (first.expansions / PLAN_HOPELESS_TIMES > LOAD_EXPANSIONS) {
        snprintf(answer->why, sizeof answer->why, "its first %llu frames alone take %llu expansions",
                 (unsigned long long)first.frames, (unsigned long long)first.expansions);
        return -1;
    }
    if (first.unserved > 0) {
        say_no(answer, "a request needs more nodes than the largest pool has");
        return -1;
    }
    const uint64_t frame_ns = 1000000000 / answer->load.hz, mean_ns = first.all_ns / answer->load.frames;
    if (mean_ns > frame_ns) {
        snprintf(answer->why, sizeof answer->why,
                 "the requests of a frame take %llu us on this machine, and a frame has %llu us",
                 (unsigned long long)mean_ns / 1000, (unsigned long long)frame_ns / 1000);
        return -1;
    }
    setup.budget = mean_demand(answer, &first);
    uint64_t most = first.max_frame_expansions > setup.budget ? first.max_frame_expansions : setup.budget;
    if (answer->load.walk && most < LOAD_EXPANSIONS) most = LOAD_EXPANSIONS;
    bool found;
    status = smallest_budget(answer, &setup, most, &found);
    if (status == -1 && found) status = best_lanes(answer, &setup);
    if (status == -1 && found) status = fewest_lanes(answer, &setup);
    if (status == -1 && found) status = smallest_pool(answer, &setup);
    if (status != -1) return status;
    answer->setup = setup;
    if (!found) {
        plan_result result;
        setup.budget = most;
        status = run_load(answer, &setup, PLAN_FIGURES, &result);
        say_no(answer, result.why != NULL ? result.why : "no budget was found");
        return status;
    }
    status = check_less(answer);
    if (status == -1) status = check_found(answer);
    if (status != -1) return status;
    answer->found = true;
    price_settings(answer);
    judge_time(answer);
    return -1;
}
