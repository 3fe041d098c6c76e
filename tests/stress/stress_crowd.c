/* SPDX-License-Identifier: MIT */
/* Race test, a plain program: a crowd walks while one thread opens and closes walls and two others submit requests of
 * their own to its service, and cancel some. In each update no two share a cell, and each agent stands or takes one
 * step. At the end each goal has ended once, and each accepted request too. Build it with --enable-sanitizer=thread.
 *
 *   stress_crowd [SECONDS [SEED]]     2 and 1 by default */
#define _POSIX_C_SOURCE 200809L
#include "models/apart.h"
#include "models/oracle.h"
#include "models/options.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wend/wend.h>

#include "stress/promise.h"

enum { SIDE = 128, AGENTS = 200, SUBMITTERS = 2, MOST_FINISHING = 200000 };

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static wend_agent_id ids[AGENTS];
static wend_cell before[AGENTS];
static atomic_bool stop;
static _Atomic uint64_t accepted, cancels, publishes;
static uint64_t completed, begun, ended, steps;
static oracle_random dice; ///< the owner's

static wend_cell any_cell(oracle_random *random) {
    wend_cell cell = {oracle_below(random, SIDE), 0, 0};
    cell.y = oracle_below(random, SIDE);
    return cell;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- the owner ---- */

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    if (event->event != WEND_AGENT_EVENT_REROUTED && event->event != WEND_AGENT_EVENT_DISPLACED) ended++;
}

static void on_done(void *context, const wend_completion *completion) {
    (void)context, (void)completion;
    completed++;
}

static void add_agents(void) {
    wend_agent_def agent = default_agent();
    agent.speed_milli = 1000;
    for (int i = 0; i < AGENTS;) {
        agent.cell = any_cell(&dice), agent.urgency = i % 3;
        wend_error error = wend_crowd_add(crowd, &agent, &ids[i]);
        PROMISE(error == WEND_OK || error == WEND_BUSY);
        if (error) continue;
        before[i++] = agent.cell;
    }
}

static void send_some(void) {
    for (int i = 0; i < AGENTS; i++) {
        if (oracle_below(&dice, 40) > 0) continue;
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = any_cell(&dice);
        PROMISE(wend_crowd_go(crowd, &ids[i], 1, &goal) == WEND_OK);
        begun++;
    }
}

static void check_cells(void) {
    for (int i = 0; i < AGENTS; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        PROMISE(wend_crowd_get_agent(crowd, ids[i], &state) == WEND_OK);
        const int dx = abs(state.cell.x - before[i].x), dy = abs(state.cell.y - before[i].y);
        PROMISE(dx <= 1 && dy <= 1);
        steps += dx + dy > 0;
        before[i] = state.cell;
    }
    PROMISE(!crowd_fault(map, crowd));
}

static void run_frame(void) {
    wend_budget budget = default_budget();
    budget.expansions = 20000;
    wend_frame frame = {.struct_bytes = sizeof frame};
    PROMISE(wend_service_tick(service, &budget, &frame) == WEND_OK);
    PROMISE(wend_crowd_update(crowd, 1000, NULL, NULL) == WEND_OK);
    check_cells();
}

static void finish(void) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    int frames = 0;
    do {
        PROMISE(frames++ < MOST_FINISHING);
        run_frame();
        PROMISE(wend_crowd_get_stats(crowd, &counts) == WEND_OK);
    } while (counts.busy > 0);
    run_frame(); /* the last events */
    PROMISE(begun == ended);
    PROMISE(wend_crowd_destroy(crowd) == WEND_OK);
    PROMISE(wend_service_destroy(service) == WEND_OK);
    PROMISE(completed == atomic_load(&accepted));
    wend_map_release(map);
}

/* ---- the other threads ---- */

static void *submitter(void *argument) {
    oracle_random random = {(uint64_t)(uintptr_t)argument};
    while (!atomic_load(&stop)) {
        wend_request request = default_request();
        request.map = map, request.start = any_cell(&random), request.goal = any_cell(&random);
        request.urgency = oracle_below(&random, 5) - 2;
        options_of(&request)->occupied = oracle_below(&random, 2) ? WEND_OCCUPIED_BLOCK : WEND_OCCUPIED_IGNORE;
        request.on_done = on_done;
        wend_ticket ticket;
        wend_error error = wend_service_submit(service, &request, &ticket);
        PROMISE(error == WEND_OK || error == WEND_BUSY);
        if (error) sched_yield();
        if (error) continue;
        accepted++;
        if (oracle_below(&random, 4) == 0) cancels += wend_service_cancel(service, ticket) == WEND_OK;
    }
    return NULL;
}

/* Short walls come and go, also under agents. */
static void *editor(void *argument) {
    oracle_random random = {(uint64_t)(uintptr_t)argument};
    while (!atomic_load(&stop)) {
        wend_edit *edit;
        PROMISE(wend_edit_begin(map, &edit) == WEND_OK);
        for (int i = 0; i < 4; i++) {
            const wend_cell cell = any_cell(&random);
            const uint8_t terrain = oracle_below(&random, 3) > 0;
            PROMISE(wend_edit_set_cell(edit, cell, terrain) == WEND_OK);
        }
        wend_error error = wend_edit_publish(edit, NULL);
        PROMISE(error == WEND_OK || error == WEND_BUSY);
        publishes++;
        struct timespec pause = {0, 100000};
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static void open_all(void) {
    wend_map_def ground = default_map();
    ground.width = ground.height = SIDE;
    PROMISE(wend_map_create(&ground, &map) == WEND_OK);
    wend_service_def def = default_service();
    def.queue = 1024, def.workers = 2;
    PROMISE(wend_service_create(&def, &service) == WEND_OK);
    wend_crowd_def crowd_def = default_crowd();
    crowd_def.agents = AGENTS;
    tuning_of(&crowd_def)->events = 64 * AGENTS;
    crowd_def.service = service, crowd_def.map = map;
    tuning_of(&crowd_def)->head_start = 8;
    crowd_def.on_event = on_event;
    PROMISE(wend_crowd_create(&crowd_def, &crowd) == WEND_OK);
    add_agents();
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 2, end = now() + seconds;
    dice.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    open_all();
    pthread_t threads[SUBMITTERS + 1];
    for (uintptr_t i = 0; i <= SUBMITTERS; i++)
        PROMISE(pthread_create(&threads[i], NULL, i < SUBMITTERS ? submitter : editor, (void *)(i + 11)) == 0);
    do {
        send_some();
        run_frame();
    } while (now() < end || (steps < 1000 && now() < end + 60));
    atomic_store(&stop, true);
    for (int i = 0; i <= SUBMITTERS; i++) pthread_join(threads[i], NULL);
    finish();
    printf("%zu wishes, %zu steps; %zu requests of others, %zu cancelled; %zu publishes\n", (size_t)begun,
           (size_t)steps, (size_t)accepted, (size_t)cancels, (size_t)publishes);
    PROMISE(steps >= 1000 && cancels > 0 && publishes > 0);
    return 0;
}
