/* SPDX-License-Identifier: MIT */
/* Worst times of single calls, compared with their budgets. CSV, in microseconds of this thread's processor
 * time: the budget of each call, or its header's bound (0: neither); the median, the 99th percentile,
 * the longest call, the bar, and whether the longest keeps to it: 2 x the budget + 500, or 5,000 without a budget. With
 * an argument: only the loads with it in their names. The exit status is 1 where a load fails. */
#include "bounds.h"
#include "../tests/models/options.h"
#include <wend/agents.h>
#include <wend/control.h>
#include <wend/crowd_tuning.h>
#include <wend/query.h>

enum { SIDE = 512, BUDGET = 20000, FRAME_US = 1000 };

static bool failed;

void report(const char *what, const char *call, uint32_t size, double budget_us, samples *all) {
    const double bar = budget_us > 0 ? 2 * budget_us + 500 : UNBOUNDED_US;
    const double most = percentile(all->values, all->count, 1000);
    printf("%s,%s,%u,%zu,%.0f,%.0f,%.0f,%.0f,%.0f,%s\n", what, call, size, all->count, budget_us,
           percentile(all->values, all->count, 500), percentile(all->values, all->count, 990), most, bar,
           most <= bar ? "pass" : "fail");
    fflush(stdout);
    failed = failed || most > bar;
    clear(all);
}

/* ---- crowds ---- */

typedef struct world {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id *ids;
    uint32_t agents;
    uint64_t seed;
    uint64_t update_us; ///< budget of an update; 0: none
    uint64_t tick_us;   ///< budget of a tick; 0: BUDGET expansions
    samples updates, ticks, orders;
} world;

static wend_cell centre_of(const wend_map *map) {
    return open_near(map, (wend_cell){SIDE / 2, SIDE / 2, 0});
}

static void add_agents(world *w) {
    wend_agent_def def = default_agent();
    const wend_cell centre = centre_of(w->map);
    for (uint32_t i = 0; i < w->agents;) {
        check(wend_map_random_cell(w->map, WEND_MOVER_DEFAULT, centre, w->seed++, &def.cell));
        i += wend_crowd_add(w->crowd, &def, &w->ids[i]) == WEND_OK;
    }
}

static void open_world(world *w, ground_fn *fill, uint32_t agents, uint32_t head_start, uint32_t work) {
    *w = (world){.map = make_ground(fill, SIDE), .agents = agents, .seed = 1};
    check(wend_map_accelerate(w->map, NULL));
    w->ids = malloc(agents * sizeof *w->ids);
    w->service = open_service(NULL);
    wend_crowd_def def = default_crowd();
    def.agents = agents, def.service = w->service, def.map = w->map, tuning_of(&def)->head_start = head_start,
    tuning_of(&def)->work = work;
    w->crowd = open_crowd(&def);
    add_agents(w);
}

static void close_world(world *w) {
    check(wend_crowd_destroy(w->crowd));
    check(wend_service_destroy(w->service));
    wend_map_release(w->map);
    free(w->ids);
}

static void run_frame(world *w) {
    wend_budget budget = budget_of(w->tick_us > 0 ? WEND_NO_LIMIT : BUDGET);
    if (w->tick_us > 0) budget.us = w->tick_us;
    const double begun = cpu_us();
    check(wend_service_tick(w->service, &budget, NULL));
    const double ticked = cpu_us();
    wend_update_budget within;
    wend_update_budget_init(&within, sizeof within);
    if (w->update_us > 0) within.us = w->update_us;
    check(wend_crowd_update(w->crowd, 1000, &within, NULL));
    note(&w->ticks, ticked - begun);
    note(&w->updates, cpu_us() - ticked);
    wend_agent_event event = {.struct_bytes = sizeof event};
    while (wend_crowd_poll(w->crowd, &event) == WEND_OK) {
    }
}

static uint32_t busy(const world *w) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    check(wend_crowd_get_stats(w->crowd, &counts));
    return counts.busy;
}

static void report_world(const char *what, world *w) {
    report(what, "go", w->agents, 0, &w->orders);
    report(what, "tick", w->agents, (double)w->tick_us, &w->ticks);
    report(what, "update", w->agents, (double)w->update_us, &w->updates);
}

static void order_all(world *w, wend_cell cell) {
    const double begun = cpu_us();
    send_to(w->crowd, w->ids, w->agents, cell);
    note(&w->orders, cpu_us() - begun);
}

/* All go to the middle, then to a corner.
 * @param update_us   budget of an update; 0: none */
static void bench_group(const char *what, ground_fn *fill, uint32_t agents, uint32_t frames, uint64_t update_us) {
    world *w = malloc(sizeof *w);
    open_world(w, fill, agents, 0, 0);
    w->update_us = update_us;
    const wend_cell goals[] = {centre_of(w->map), open_near(w->map, (wend_cell){SIDE / 8, SIDE / 8, 0})};
    for (int i = 0; i < 2; i++) {
        order_all(w, goals[i]);
        for (uint32_t frame = 0; frame < frames && busy(w) > 0; frame++) run_frame(w);
    }
    report_world(what, w);
    close_world(w);
    free(w);
}

/* The same order to agents of two kinds, a few times. */
static void bench_kinds(const char *what, ground_fn *fill, uint32_t agents, int32_t size) {
    world *w = malloc(sizeof *w);
    open_world(w, fill, agents, 0, 0);
    wend_mover mover = default_mover();
    mover.size = size;
    int32_t kind;
    check(wend_map_add_mover(w->map, &mover, &kind));
    for (uint32_t i = 0; i < agents; i += 2) (void)wend_crowd_set_mover(w->crowd, &w->ids[i], 1, kind);
    for (int turn = 0; turn < 8; turn++) {
        order_all(w, open_near(w->map, (wend_cell){SIDE / 3 + turn, SIDE / 3, 0}));
        run_frame(w);
    }
    report(what, "go", agents, 0, &w->orders);
    close_world(w);
    free(w);
}

/* Each goes to a cell of its own, and a wall falls or rises in every fourth frame.
 * @param tick_us   budget of a tick; 0: BUDGET expansions */
static void bench_alone(const char *what, ground_fn *fill, uint32_t agents, uint32_t frames, uint64_t tick_us) {
    world *w = malloc(sizeof *w);
    open_world(w, fill, agents, 0, 0);
    w->tick_us = tick_us;
    for (uint32_t i = 0; i < agents; i++) {
        wend_cell goal;
        check(wend_map_random_cell(w->map, WEND_MOVER_DEFAULT, centre_of(w->map), w->seed++, &goal));
        const double begun = cpu_us();
        send_to(w->crowd, &w->ids[i], 1, goal);
        note(&w->orders, cpu_us() - begun);
    }
    for (uint32_t frame = 0; frame < frames; frame++) {
        wend_edit *edit = begin_edit(w->map);
        if (frame % 4 == 0) check(wend_edit_set_cell(edit, (wend_cell){3, 3, 0}, (uint8_t)(frame / 4 % 2)));
        publish(edit);
        run_frame(w);
    }
    report_world(what, w);
    close_world(w);
    free(w);
}

/* All follow an agent that walks about. */
static void bench_followers(const char *what, ground_fn *fill, uint32_t agents, uint32_t work) {
    world *w = malloc(sizeof *w);
    open_world(w, fill, agents, 0, work);
    wend_crowd_goal goal = default_crowd_goal();
    wend_crowd_goal way = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = w->ids[0], goal.reach = 3;
    for (uint32_t turn = 0; turn < 4; turn++) {
        check(wend_map_random_cell(w->map, WEND_MOVER_DEFAULT, centre_of(w->map), w->seed++, &way.cell));
        check(wend_crowd_go(w->crowd, w->ids, 1, &way));
        const double begun = cpu_us();
        check(wend_crowd_go(w->crowd, w->ids + 1, agents - 1, &goal));
        note(&w->orders, cpu_us() - begun);
        for (uint32_t frame = 0; frame < 100; frame++) run_frame(w);
    }
    report_world(what, w);
    close_world(w);
    free(w);
}

/* Agents on patrol, and as many that ask for far goals again and again. */
static void bench_patrols(const char *what, uint32_t patrols, uint32_t head_start) {
    world *w = malloc(sizeof *w);
    open_world(w, fill_caves, patrols, head_start, 0);
    for (uint32_t i = 0; i < patrols; i++) {
        wend_cell corners[3];
        for (int k = 0; k < 3; k++)
            check(wend_map_random_cell(w->map, WEND_MOVER_DEFAULT, centre_of(w->map), w->seed++, &corners[k]));
        wend_route_def def = default_route();
        def.mode = WEND_ROUTE_LOOP, def.corners = corners, def.corner_count = 3;
        uint32_t route;
        if (wend_crowd_add_route(w->crowd, &def, &route)) route = i % 60;
        const double begun = cpu_us();
        check(wend_crowd_patrol(w->crowd, w->ids[i], route));
        note(&w->orders, cpu_us() - begun);
    }
    for (uint32_t frame = 0; frame < 1000; frame++) run_frame(w);
    report_world(what, w);
    close_world(w);
    free(w);
}

/* ---- searches of all engines ---- */

/* A request on one of two maps. Its kind, and so the time of an expansion, changes every few frames. */
static wend_request any_request(wend_map *const *maps, const int32_t *sides, uint32_t turn, uint64_t *seed) {
    const uint32_t kind = turn * 7 % 12, map = kind % 2;
    wend_request request = default_request();
    request.map = maps[map];
    request.start = random_place(sides[map], sides[map], seed);
    request.goal = random_place(sides[map], sides[map], seed);
    request.on_done = ignore;
    if (kind / 2 == 1) options_of(&request)->engine = WEND_ENGINE_ASTAR;
    if (kind / 2 == 2) options_of(&request)->engine = WEND_ENGINE_ASTAR, options_of(&request)->weight_milli = 1500;
    if (kind / 2 == 3) options_of(&request)->heuristic = WEND_HEURISTIC_EUCLID;
    if (kind / 2 == 4) options_of(&request)->occupied = 50;
    if (kind / 2 == 5) options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
    return request;
}

/* Keeps enough requests waiting for the frame. */
static void bench_mix(const char *what, uint32_t frames, uint64_t tick_us) {
    const int32_t sides[] = {SIDE / 2, SIDE * 4};
    wend_map *maps[] = {make_ground(fill_noise_20, sides[0]), make_ground(fill_caves, sides[1])};
    for (int i = 0; i < 2; i++) check(wend_map_accelerate(maps[i], NULL));
    wend_service *service = open_service(NULL);
    wend_budget budget = budget_of(WEND_NO_LIMIT);
    uint64_t seed = 3;
    samples *ticks = calloc(1, sizeof *ticks);
    budget.us = tick_us;
    for (uint32_t frame = 0; frame < frames; frame++) {
        while (wend_service_get_pending(service) < 200) {
            const wend_request request = any_request(maps, sides, frame / 5, &seed);
            check(wend_service_submit(service, &request, NULL));
        }
        const double begun = cpu_us();
        check(wend_service_tick(service, &budget, NULL));
        note(ticks, cpu_us() - begun);
    }
    report(what, "tick", 200, (double)tick_us, ticks);
    check(wend_service_destroy(service));
    for (int i = 0; i < 2; i++) wend_map_release(maps[i]);
    free(ticks);
}

/* ---- queues ---- */

typedef struct queue {
    wend_map *maps[2];
    wend_service *service;
    wend_ticket *tickets;
    int32_t *urgencies;
    uint32_t waiting;
    uint64_t seed;
    samples changes, frames;
} queue;

static void fill_queue(queue *q) {
    wend_request request = default_request();
    request.on_done = ignore;
    for (uint32_t i = 0; i < q->waiting; i++) {
        request.map = q->maps[i % 2];
        request.start = random_place(SIDE, SIDE, &q->seed);
        request.goal = random_place(SIDE, SIDE, &q->seed);
        check(wend_service_submit(q->service, &request, &q->tickets[i]));
    }
}

static void open_queue(queue *q, uint32_t waiting) {
    *q = (queue){.waiting = waiting, .seed = 5};
    for (int i = 0; i < 2; i++) q->maps[i] = grid_of(NULL, SIDE, SIDE);
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    tuning.prefault = 1;
    def.queue = waiting, def.tuning = &tuning;
    q->service = open_service(&def);
    q->tickets = malloc(waiting * sizeof *q->tickets);
    q->urgencies = malloc(waiting * sizeof *q->urgencies);
    fill_queue(q);
}

static void close_queue(queue *q) {
    check(wend_service_destroy(q->service));
    for (int i = 0; i < 2; i++) wend_map_release(q->maps[i]);
    free(q->tickets);
    free(q->urgencies);
}

/* Frames of a millisecond. */
static void run_timed(queue *q, uint32_t frames) {
    wend_budget budget = default_budget();
    budget.us = FRAME_US;
    for (uint32_t i = 0; i < frames; i++) {
        const double begun = cpu_us();
        check(wend_service_tick(q->service, &budget, NULL));
        note(&q->frames, cpu_us() - begun);
    }
}

/* New urgencies for all. Returns how long the calls took. */
static double set_urgencies(queue *q) {
    for (uint32_t i = 0; i < q->waiting; i++) q->urgencies[i] = (int32_t)bench_random(&q->seed, 2001) - 1000;
    const double begun = cpu_us();
    for (uint32_t i = 0; i < q->waiting; i++)
        (void)wend_service_set_urgency(q->service, q->tickets[i], q->urgencies[i]);
    return cpu_us() - begun;
}

static void bench_urgencies(const char *what, uint32_t waiting) {
    queue *q = malloc(sizeof *q);
    open_queue(q, waiting);
    for (uint32_t turn = 0; turn < 8; turn++) {
        run_timed(q, 8);
        note(&q->changes, set_urgencies(q));
    }
    run_timed(q, 64);
    report(what, "set_urgencies", waiting, 0, &q->changes);
    report(what, "tick of 1 ms", waiting, FRAME_US, &q->frames);
    close_queue(q);
    free(q);
}

static void bench_cancel(const char *what, uint32_t waiting) {
    queue *q = malloc(sizeof *q);
    open_queue(q, waiting);
    (void)set_urgencies(q);
    run_timed(q, 8);
    for (int i = 0; i < 2; i++) {
        size_t count;
        const double begun = cpu_us();
        check(wend_service_cancel_map(q->service, q->maps[i], &count));
        note(&q->changes, cpu_us() - begun);
        need(count > 0, "nothing was cancelled");
        run_timed(q, 32);
    }
    report(what, "cancel_map", waiting, 0, &q->changes);
    report(what, "tick of 1 ms", waiting, FRAME_US, &q->frames);
    close_queue(q);
    free(q);
}

int main(int argc, char **argv) {
#define CASE(run, what, ...)                                                                                           \
    if (argc < 2 || strstr(what, argv[1])) run(what, __VA_ARGS__)
    puts("what,call,size,calls,budget_us,p50_us,p99_us,worst_us,bar_us,verdict");
    CASE(bench_group, "a group in the open", fill_open, 10000, 2000, 0);
    CASE(bench_group, "a group in the open, updates of 1 ms", fill_open, 10000, 2000, 1000);
    CASE(bench_group, "a group in caves", fill_caves, 10000, 2000, 0);
    CASE(bench_group, "a group in caves, updates of 1 ms", fill_caves, 10000, 2000, 1000);
    CASE(bench_kinds, "a group of two kinds", fill_open, 10000, 1);
    CASE(bench_kinds, "a group of two sizes", fill_open, 10000, 2);
    CASE(bench_alone, "agents alone while the map changes", fill_caves, 10000, 1000, 0);
    CASE(bench_alone, "agents alone in ticks of 1 ms", fill_caves, 10000, 1000, FRAME_US);
    CASE(bench_alone, "agents alone in the open in ticks of 1 ms", fill_open, 10000, 1000, FRAME_US);
    CASE(bench_mix, "searches of all engines in ticks of 1 ms", 2000, FRAME_US);
    CASE(bench_followers, "followers", fill_caves, 10000, 0);
    CASE(bench_followers, "followers with work without end", fill_caves, 10000, UINT32_MAX);
    CASE(bench_patrols, "patrols", 120, 0);
    CASE(bench_patrols, "patrols with a head start", 120, 16);
    CASE(bench_urgencies, "a queue of two maps", 65536);
    CASE(bench_urgencies, "a queue of two maps", 1000000);
    CASE(bench_cancel, "a queue of two maps", 65536);
    CASE(bench_cancel, "a queue of two maps", 1000000);
    CASE(bench_maintain, "slices of a far layer", fill_caves, 2048, 33333);
    CASE(bench_maintain, "slices of a far layer", fill_caves, 4096, 33333);
    CASE(bench_maintain, "slices of a far layer in noise", fill_noise_20, 4096, 33333);
    CASE(bench_maintain, "slices of a far layer with three levels", fill_rooms, 8256, 33333);
    CASE(bench_waits, "requests that wait for land", fill_open, 8192, 20000, WEND_UNLOADED_WAIT);
    CASE(bench_waits, "requests that wait for caves", fill_caves, 8192, 20000, WEND_UNLOADED_WAIT);
    CASE(bench_waits, "requests that land blocks", fill_open, 8192, 20000, WEND_UNLOADED_BLOCK);
    CASE(bench_waits, "requests that caves block", fill_caves, 8192, 20000, WEND_UNLOADED_BLOCK);
    CASE(bench_rim, "refusals of a component without a rim", 8192, 200);
    CASE(bench_rim, "refusals of a component without a rim", 16384, 200);
    CASE(bench_links, "a cell of many links", 1500, 1000000, 0);
    CASE(bench_links, "a cell with a link to each other one", 1000, 999000, 0);
    CASE(bench_links, "a cell with a link to each other one, with tables", 1000, 999000, 1);
    CASE(bench_links, "a cell of many links with tables", 1500, 1000000, 1);
    CASE(bench_first_links, "links on a map with tables", 4096, 4096, 55000);
    return failed;
}
