/* SPDX-License-Identifier: MIT */
/* Race test, a plain program: one thread edits worlds of every kind (cells, steps, links), another submits, cancels
 * and moves goals, and a third runs frames while its units walk about. Every path is walked on the version that it
 * was checked on, by an independent model. Build it with --enable-sanitizer=thread. Exits non-zero where a promise
 * is broken.
 *
 *   stress_worlds_threads [SECONDS [SEED]]     2 and 1 by default */
#define _POSIX_C_SOURCE 200809L
#define MORE_SLOTS 262144 /* requests wait while many thousands come */
#include "stress/soak.h"
#include "models/options.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <wend/service_tuning.h>
#include <wend/control.h>
#include <wend/units.h>

enum { WORLDS = 6, PLACES = 4096, RING = 64, ROUND_SECONDS = 1 };

/* A request. Its thread writes it before it is submitted, and again only after it was answered; only `moved` changes in
 * between. */
typedef struct asked {
    wend_request request;
    wend_cell goals[WORLD_GOALS];
    int world;
    atomic_bool pending, cancelled; ///< cancelled: cancel returned OK
    atomic_bool moved;              ///< the goal may be another by now
} asked;

static soak_world worlds[WORLDS];
static world shapes[WORLDS];                  ///< sizes and kinds for requests: they never change
static uint8_t standing[WORLDS][WORLD_CELLS]; ///< units; the owner's
static wend_service *service;
static wend_service_def limits;
static wend_service_tuning tuning;
static asked all[PLACES];
static atomic_bool stop;
static _Atomic uint64_t accepted, busy, cancels, moves, publishes;
static uint64_t completed, statuses[WEND_STATUS_COUNT], walked, refused, pieces, outlived, skipped, outdated,
    unit_moves;
static pthread_t owner;
static oracle_random dice; ///< the owner's

/* ---- the owner ---- */

static bool same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_goal(const wend_request *request, wend_cell cell) {
    for (uint32_t i = 0; i <= read_options(request).more_goal_count; i++) {
        wend_cell goal = i == 0 ? request->goal : read_options(request).more_goals[i - 1];
        if (abs(goal.x - cell.x) <= request->reach && abs(goal.y - cell.y) <= request->reach &&
            abs(goal.z - cell.z) <= request->reach)
            return true;
    }
    return false;
}

static void check_path(const asked *own, const world *then, const wend_completion *c) {
    wend_request plain = own->request;
    options_of(&plain)->occupied = WEND_OCCUPIED_IGNORE;
    int64_t ground = world_walk(then, &plain, c->cells, c->cell_count);
    PROMISE(ground >= 0 && same(c->cells[0], plain.start));
    PROMISE(read_options(&own->request).occupied > 0 ? c->cost >= ground : c->cost == ground);
    size_t near = c->cell_count <= tuning.horizon ? c->cell_count : tuning.horizon + 1;
    if (read_options(&own->request).occupied == WEND_OCCUPIED_BLOCK)
        PROMISE(world_walk(then, &own->request, c->cells, near) >= 0);
    if (c->status == WEND_STATUS_FOUND && !atomic_load(&own->moved))
        PROMISE(is_goal(&own->request, c->cells[c->cell_count - 1]));
    walked++;
    pieces += c->status == WEND_STATUS_STALE && c->cell_count > 1;
    outlived += c->status == WEND_STATUS_FOUND && c->epoch < c->checked;
}

static bool is_refusal(wend_status status) {
    return status == WEND_STATUS_NO_PATH || status == WEND_STATUS_START_BLOCKED || status == WEND_STATUS_GOAL_BLOCKED;
}

/* Checks a refusal, except where goals may have moved, or units may have been elsewhere. */
static void check_refusal(const asked *own, const world *then, const wend_completion *c) {
    bool units = read_options(&own->request).occupied == WEND_OCCUPIED_BLOCK || atomic_load(&own->moved);
    if (units && c->status != WEND_STATUS_START_BLOCKED) return;
    PROMISE(world_ask(then, &own->request).status == c->status);
    refused++;
}

static void on_done(void *context, const wend_completion *completion) {
    static world then;
    asked *own = context;
    PROMISE(pthread_equal(owner, pthread_self()));
    PROMISE(atomic_load(&own->pending));
    PROMISE(!atomic_load(&own->cancelled) || completion->status == WEND_STATUS_CANCELLED);
    completed++;
    statuses[completion->status]++;
    if (completion->cell_count > 0 || is_refusal(completion->status)) {
        if (soak_at(&worlds[own->world], completion->checked, &then)) {
            memcpy(then.occupants, standing[own->world], (size_t)then.cells);
            if (completion->cell_count > 0)
                check_path(own, &then, completion);
            else
                check_refusal(own, &then, completion);
        } else {
            skipped++;
        }
    }
    atomic_store(&own->pending, false);
}

/* In one of the worlds; never the last unit more than comes. */
static void move_units(void) {
    int at = oracle_below(&dice, WORLDS);
    for (int i = 0; i < 8; i++) {
        int cell = oracle_below(&dice, shapes[at].cells);
        bool leaves = standing[at][cell] > 0;
        if (!leaves && oracle_below(&dice, 10) > 0) continue;
        wend_cell place = world_cell(&shapes[at], cell);
        PROMISE((leaves ? wend_map_vacate : wend_map_occupy)(worlds[at].map, place) == WEND_OK);
        standing[at][cell] = leaves ? 0 : 1;
        unit_moves++;
    }
}

static void run_frame(void) {
    wend_budget budget = default_budget();
    budget.expansions = (uint64_t)oracle_below(&dice, 400);
    wend_frame frame = {.struct_bytes = sizeof frame};
    PROMISE(wend_service_tick(service, &budget, &frame) == WEND_OK);
    PROMISE(frame.expansions <= budget.expansions);
    outdated += frame.outdated;
    if (oracle_below(&dice, 4) == 0) move_units();
    if (wend_service_get_work(service) == 0) sched_yield();
}

/* ---- the other threads ---- */

static wend_request any_request(oracle_random *random, asked *own) {
    wend_request request = world_request(&shapes[own->world], random, oracle_below(random, 2), own->goals);
    request.map = worlds[own->world].map, request.urgency = oracle_below(random, 3);
    options_of(&request)->on_stale = oracle_below(random, 2);
    if (oracle_below(random, 5) == 0) request.deadline_frames = 1 + (uint64_t)oracle_below(random, 20);
    if (oracle_below(random, 5) == 0) options_of(&request)->weight_milli = 1500;
    request.on_done = on_done, request.context = own;
    return request;
}

static void meddle(oracle_random *random, wend_ticket ticket, asked *own) {
    if (oracle_below(random, 3) == 0) {
        wend_error error = wend_service_cancel(service, ticket);
        PROMISE(error == WEND_OK || error == WEND_STALE_TICKET);
        if (error) return;
        atomic_store(&own->cancelled, true);
        cancels++;
        return;
    }
    atomic_store(&own->moved, true);
    wend_cell goal = world_cell(&shapes[own->world], oracle_below(random, shapes[own->world].cells));
    wend_error error = wend_service_set_goal(service, ticket, goal);
    PROMISE(error == WEND_OK || error == WEND_STALE_TICKET || error == WEND_OUT_OF_RANGE);
    moves += error == WEND_OK;
}

static void ask(oracle_random *random, int place, wend_ticket *ticket) {
    asked *own = &all[place];
    if (atomic_load(&own->pending)) return;
    own->world = oracle_below(random, WORLDS), own->request = any_request(random, own);
    atomic_store(&own->cancelled, false);
    atomic_store(&own->moved, false);
    atomic_store(&own->pending, true);
    wend_error error = wend_service_submit(service, &own->request, ticket);
    PROMISE(error == WEND_OK || error == WEND_BUSY);
    if (error) atomic_store(&own->pending, false);
    (*(error ? &busy : &accepted))++;
    if (error) sched_yield();
}

static void *submitter(void *argument) {
    static wend_ticket tickets[PLACES];
    oracle_random random = {(uint64_t)(uintptr_t)argument};
    for (int place = 0; !atomic_load(&stop); place = (place + 1) % PLACES) {
        ask(&random, place, &tickets[place]);
        int other = (place + PLACES - oracle_below(&random, RING)) % PLACES;
        if (oracle_below(&random, 8) == 0 && atomic_load(&all[other].pending))
            meddle(&random, tickets[other], &all[other]);
    }
    return NULL;
}

/* At times as fast as it can, then pausing, so that some searches see no change. */
static void *editor(void *argument) {
    oracle_random random = {(uint64_t)(uintptr_t)argument};
    while (!atomic_load(&stop)) {
        int at = oracle_below(&random, WORLDS);
        soak_edit(&worlds[at], &random);
        publishes++;
        if (oracle_below(&random, 20) == 0)
            PROMISE(wend_map_set_max_versions(worlds[at].map, 1 + oracle_below(&random, 4)) == WEND_OK);
        struct timespec pause = {0, oracle_below(&random, 20) * 20000L};
        if (oracle_below(&random, 3) == 0) nanosleep(&pause, NULL);
    }
    return NULL;
}

/* ---- rounds ---- */

static void make_round(void) {
    const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    for (int i = 0; i < WORLDS; i++) {
        soak_open(&worlds[i], &dice, kinds[i % 3]);
        world_copy(&shapes[i], &worlds[i].now);
    }
    memset(standing, 0, sizeof standing);
    wend_service_def_init(&limits, sizeof limits);
    wend_service_tuning_init(&tuning, sizeof tuning);
    limits.tuning = &tuning, limits.workers = 2, limits.queue = 200;
    tuning.searches = 16;
    limits.nodes = 24 * WEND_PAGE_NODES;
    tuning.slice = 20, tuning.restarts = (uint32_t)oracle_below(&dice, 4), tuning.goals = 300;
    PROMISE(wend_service_create(&limits, &service) == WEND_OK);
    atomic_store(&stop, false);
}

static void end_round(void) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    while (wend_service_get_pending(service) > 0) run_frame();
    wend_service_get_stats(service, &stats);
    PROMISE(completed == accepted);
    PROMISE(wend_service_destroy(service) == WEND_OK);
    for (int i = 0; i < WORLDS; i++) soak_close(&worlds[i]);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run_round(double seconds) {
    pthread_t threads[2];
    double end = now() + seconds;
    make_round();
    uintptr_t seed = (uintptr_t)oracle_below(&dice, 1000000);
    PROMISE(pthread_create(&threads[0], NULL, submitter, (void *)(seed + 1)) == 0);
    PROMISE(pthread_create(&threads[1], NULL, editor, (void *)(seed + 2)) == 0);
    do run_frame();
    while (now() < end);
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    end_round();
}

/* A busy machine needs more rounds to see everything. */
enum { PATIENCE_SECONDS = 60 };
static bool all_seen(void) {
    return walked > 0 && refused > 0 && pieces > 0 && outlived > 0 && outdated > 0 && cancels > 0 && moves > 0 &&
           unit_moves > 0;
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 2, end = now() + seconds;
    dice.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    owner = pthread_self();
    do run_round(seconds < ROUND_SECONDS ? seconds : ROUND_SECONDS);
    while (now() < end || (!all_seen() && now() < end + PATIENCE_SECONDS));
    printf("%zu accepted, %zu busy, %zu cancels, %zu goals moved, %zu publishes, %zu units came or went\n",
           (size_t)accepted, (size_t)busy, (size_t)cancels, (size_t)moves, (size_t)publishes, (size_t)unit_moves);
    for (int i = 0; i < WEND_STATUS_COUNT; i++)
        if (statuses[i]) printf("%zu %s, ", (size_t)statuses[i], wend_status_name(i));
    printf("%zu paths walked (%zu pieces, %zu found on an older version), %zu refusals compared, %zu too old to be, "
           "%zu outdated\n",
           (size_t)walked, (size_t)pieces, (size_t)outlived, (size_t)refused, (size_t)skipped, (size_t)outdated);
    PROMISE(all_seen());
    return 0;
}
