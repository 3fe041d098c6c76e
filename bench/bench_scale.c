/* SPDX-License-Identifier: MIT */
/* How costs grow: one curve each, so that a bend is seen. CSV: curve, size, measure, value; processor time of one thread,
 * the medians of several turns.
 *
 *   agents     a crowd that wanders in caves, 84 cells an agent: an update and its searches an agent, ns; bytes an agent
 *   sides      caves of a side: a publish of one cell, a path within 128 cells, and one to anywhere, us; bytes a cell
 *   requests   that come in one frame, for paths within 64 cells: to submit one, and to serve one, ns
 *
 *   bench_scale [CURVE [MOST]]   all curves; sizes up to MOST */
#include "scenery.h"
#include "../tests/models/options.h"

#include <wend/agents.h>
#include <wend/control.h>

#include <math.h>

enum {
    CELLS_AN_AGENT = 84,
    NEAR = 48,
    WARM = 30,
    UPDATES = 40,
    PUBLISHES = 60,
    PATHS = 100,
    WITHIN = 128,
    REQUEST_SIDE = 2048,
    REQUESTED_WITHIN = 64,
    TURNS = 5
};

static void print(const char *curve, uint32_t size, const char *measure, double value) {
    printf("%s,%u,%s,%.*f\n", curve, (unsigned)size, measure, value < 100, value);
    fflush(stdout);
}

static int32_t clip(int32_t value, int32_t side) {
    return value < 0 ? 0 : value >= side ? side - 1 : value;
}

/* A cell that `from` reaches, at most this far in x and in y. */
static wend_cell goal_near(const wend_map *map, int32_t side, wend_cell from, int32_t within, uint64_t *seed) {
    for (;;) {
        const int32_t x = from.x - within + (int32_t)draw(seed, 2 * (uint32_t)within + 1),
                      y = from.y - within + (int32_t)draw(seed, 2 * (uint32_t)within + 1);
        const wend_cell to = {clip(x, side), clip(y, side), 0};
        if (is_connected(map, WEND_MOVER_DEFAULT, from, to)) return to;
    }
}

/* A cell of the large cave: one that reaches the map's middle. */
static wend_cell start_on(const wend_map *map, int32_t side, uint64_t *seed) {
    const wend_cell middle = open_near(map, (wend_cell){side / 2, side / 2, 0});
    for (;;) {
        const wend_cell cell = draw_cell(side, side, seed);
        if (is_connected(map, WEND_MOVER_DEFAULT, cell, middle)) return cell;
    }
}

/* ---- agents ---- */

typedef struct wanderers {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    int32_t side;
    uint64_t seed;
} wanderers;

static void on_event(void *context, const wend_agent_event *event) {
    wanderers *w = context;
    if (!wend_agent_event_ends_goal(event->event)) return;
    send_to(w->crowd, &event->agent, 1, goal_near(w->map, w->side, event->cell, NEAR, &w->seed));
}

static void add_wanderers(wanderers *w, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        wend_agent_def agent = default_agent();
        wend_agent_id id;
        do agent.cell = draw_cell(w->side, w->side, &w->seed);
        while (wend_crowd_add(w->crowd, &agent, &id));
        send_to(w->crowd, &id, 1, goal_near(w->map, w->side, agent.cell, NEAR, &w->seed));
    }
}

static void measure_agents(uint32_t count) {
    wanderers w = {.seed = 11, .side = (int32_t)sqrt((double)count * CELLS_AN_AGENT) / 64 * 64 + 64};
    double update_ns[UPDATES], search_ns[UPDATES];
    wend_service_def serves = default_service();
    serves.queue = 2 * count;
    w.map = make_caves(w.side);
    w.service = open_service(&serves);
    wend_crowd_def walks = default_crowd();
    walks.agents = count, walks.service = w.service, walks.map = w.map;
    walks.on_event = on_event, walks.context = &w;
    w.crowd = open_crowd(&walks);
    add_wanderers(&w, count);
    while (wend_service_get_work(w.service)) check(wend_service_tick(w.service, NULL, NULL));
    for (int t = 0; t < WARM + UPDATES; t++) {
        const double begun = cpu_us();
        check(wend_service_tick(w.service, NULL, NULL));
        const double ticked = cpu_us();
        check(wend_crowd_update(w.crowd, 1000, NULL, NULL));
        if (t < WARM) continue;
        search_ns[t - WARM] = (ticked - begun) * 1000 / count;
        update_ns[t - WARM] = (cpu_us() - ticked) * 1000 / count;
    }
    print("agents", count, "update_ns", median(update_ns, UPDATES));
    print("agents", count, "search_ns", median(search_ns, UPDATES));
    print("agents", count, "bytes", (double)wend_crowd_bytes(&walks) / count);
    check(wend_crowd_destroy(w.crowd));
    check(wend_service_destroy(w.service));
    wend_map_release(w.map);
}

/* ---- sides ---- */

static double time_publish(wend_map *map, int32_t side, uint64_t *seed) {
    double us[PUBLISHES];
    for (int i = 0; i < PUBLISHES; i++) {
        wend_edit *edit = begin_edit(map);
        flip_cell(edit, map, draw_cell(side, side, seed));
        const double begun = cpu_us();
        publish(edit);
        us[i] = cpu_us() - begun;
    }
    return median(us, PUBLISHES);
}

/* Paths within a number of cells, or, 0, to anywhere: the least time of each, and their mean. */
static double time_paths(wend_map *map, int32_t side, int32_t within, uint64_t *seed) {
    wend_search *search = open_search(0);
    double us[PATHS];
    for (int i = 0; i < PATHS; i++) {
        const wend_cell from = start_on(map, side, seed),
                        to = within ? goal_near(map, side, from, within, seed) : start_on(map, side, seed);
        const wend_request request = path_request(map, from, to);
        wend_completion result;
        us[i] = 1e18;
        for (int turn = 0; turn < 3; turn++) {
            const double now = solve(search, &request, &result);
            need(result.status == WEND_STATUS_FOUND, "a path");
            us[i] = fmin(us[i], now);
        }
    }
    wend_search_destroy(search);
    return mean(us, PATHS);
}

static void measure_side(uint32_t side) {
    uint64_t seed = 3;
    wend_map *map = make_caves((int32_t)side);
    const double bytes = (double)info_now(map).bytes;
    print("sides", side, "bytes_a_cell", bytes / side / side);
    print("sides", side, "near_us", time_paths(map, (int32_t)side, WITHIN, &seed));
    if (side <= 4096) print("sides", side, "anywhere_us", time_paths(map, (int32_t)side, 0, &seed));
    print("sides", side, "publish_us", time_publish(map, (int32_t)side, &seed));
    wend_map_release(map);
}

/* ---- requests ---- */

static void measure_requests(wend_map *map, uint32_t count) {
    wend_request *requests = malloc(count * sizeof *requests);
    need(requests, "out of memory");
    uint64_t seed = 5;
    for (uint32_t i = 0; i < count; i++) {
        const wend_cell from = start_on(map, REQUEST_SIDE, &seed);
        requests[i] = path_request(map, from, goal_near(map, REQUEST_SIDE, from, REQUESTED_WITHIN, &seed));
        requests[i].on_done = ignore;
        requests[i].urgency = (int32_t)draw(&seed, 2001) - 1000;
    }
    wend_service_def def = default_service();
    def.queue = count;
    wend_service *service = open_service(&def);
    double submit_ns[TURNS], serve_ns[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
        const double begun = cpu_us();
        for (uint32_t i = 0; i < count; i++) check(wend_service_submit(service, &requests[i], NULL));
        const double submitted = cpu_us();
        while (wend_service_get_work(service)) check(wend_service_tick(service, NULL, NULL));
        submit_ns[turn] = (submitted - begun) * 1000 / count;
        serve_ns[turn] = (cpu_us() - submitted) * 1000 / count;
    }
    print("requests", count, "submit_ns", median(submit_ns, TURNS));
    print("requests", count, "serve_ns", median(serve_ns, TURNS));
    check(wend_service_destroy(service));
    free(requests);
}

/* ---- all ---- */

int main(int argc, char **argv) {
    static const uint32_t agents[] = {1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000},
                          sides[] = {256, 512, 1024, 2048, 4096, 8192, 16384},
                          requests[] = {100, 300, 1000, 3000, 10000, 30000, 100000};
    const char *curve = argc > 1 ? argv[1] : "";
    const uint32_t most = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : UINT32_MAX;
    puts("curve,size,measure,value");
    for (size_t i = 0; i < sizeof agents / sizeof *agents && (!*curve || !strcmp(curve, "agents")); i++)
        if (agents[i] <= most) measure_agents(agents[i]);
    for (size_t i = 0; i < sizeof sides / sizeof *sides && (!*curve || !strcmp(curve, "sides")); i++)
        if (sides[i] <= most) measure_side(sides[i]);
    if (!*curve || !strcmp(curve, "requests")) {
        wend_map *map = make_caves(REQUEST_SIDE);
        for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
            if (requests[i] <= most) measure_requests(map, requests[i]);
        wend_map_release(map);
    }
    return 0;
}
