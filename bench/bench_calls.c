/* SPDX-License-Identifier: MIT */
/* Times common public calls on accelerated caves of 512 x 512 cells with 2,000 agents under way. CSV: the median and
 * the 99th percentile of a call in nanoseconds of processor time. A sample is the mean of a batch of calls, as one
 * reading of the clock takes as long as the fastest of them. */
#include "harness.h"
#include "scenery.h"

#include <wend/agents.h>
#include <wend/edit.h>
#include <wend/figures.h>
#include <wend/geometry.h>
#include <wend/query.h>
#include <wend/units.h>

enum { SIDE = 512, AGENTS = 2000, WARM = 1100, SAMPLES = 201, BATCH = 100, FEW = 4, SENT = 20, SIGHT = 64, LINES = 50 };

typedef struct calls {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_figures *figures;
    wend_agent_id ids[AGENTS];
    wend_ticket tickets[BATCH];
    wend_cell places[AGENTS];
    uint64_t seed;
    wend_cell ends[AGENTS]; ///< an open cell SIGHT columns or rows from each place, and fewer of the others
    uint32_t next;          ///< next of the agents and places, which take turns
} calls;

typedef void call_fn(calls *c, uint32_t k);

static wend_cell place(calls *c) {
    return c->places[c->next++ % AGENTS];
}

static wend_agent_id agent(calls *c) {
    return c->ids[c->next++ % AGENTS];
}

/* ---- the calls ---- */

static void get_occupants(calls *c, uint32_t k) {
    uint32_t units;
    (void)k;
    check(wend_map_get_occupants(c->map, place(c), &units));
}

static void ask_reachable(calls *c, uint32_t k) {
    bool reachable;
    (void)k;
    check(wend_map_reachable(c->map, WEND_MOVER_DEFAULT, place(c), place(c), &reachable));
}

static void see_64(calls *c, uint32_t k) {
    const uint32_t i = c->next++ % AGENTS;
    bool visible;
    (void)k;
    check(wend_map_line_of_sight(c->map, WEND_MOVER_DEFAULT, c->places[i], c->ends[i], &visible, NULL));
}

/* The same lines, LINES in a call: each k is a line. */
static void see_many(calls *c, uint32_t k) {
    const uint32_t first = c->next % AGENTS;
    bool visible[LINES];
    if (k % LINES > 0) return;
    check(wend_map_see_many(c->map, WEND_MOVER_DEFAULT, &c->places[first], &c->ends[first], LINES, visible, NULL));
    c->next = first + LINES;
}

static void occupy_and_vacate(calls *c, uint32_t k) {
    const wend_cell cell = place(c);
    (void)k;
    check(wend_map_occupy(c->map, cell));
    check(wend_map_vacate(c->map, cell));
}

static void edit_cell(calls *c, uint32_t k) {
    (void)k;
    flip_one(c->map, (wend_cell){0, 0, 0});
}

static void submit_one(calls *c, uint32_t k) {
    wend_request request = default_request();
    request.map = c->map, request.start = place(c), request.goal = place(c), request.on_done = ignore;
    check(wend_service_submit(c->service, &request, &c->tickets[k]));
}

static void cancel_one(calls *c, uint32_t k) {
    check(wend_service_cancel(c->service, c->tickets[k]));
}

static void send_one(calls *c, uint32_t k) {
    const wend_agent_id id = agent(c);
    (void)k;
    send_to(c->crowd, &id, 1, place(c));
}

static void get_agent(calls *c, uint32_t k) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    (void)k;
    check(wend_crowd_get_agent(c->crowd, agent(c), &state));
}

static void get_path(calls *c, uint32_t k) {
    wend_cell cells[64];
    size_t count;
    (void)k;
    check(wend_crowd_get_path(c->crowd, agent(c), cells, 64, &count));
}

static void get_view(calls *c, uint32_t k) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    (void)k;
    check(wend_crowd_get_view(c->crowd, &view));
}

static void get_crowd_stats(calls *c, uint32_t k) {
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    (void)k;
    check(wend_crowd_get_stats(c->crowd, &stats));
}

static void get_stats(calls *c, uint32_t k) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    (void)k;
    check(wend_service_get_stats(c->service, &stats));
}

static void get_recent(calls *c, uint32_t k) {
    wend_histogram recent = {.struct_bytes = sizeof recent};
    (void)k;
    check(wend_figures_get_recent(c->figures, WEND_HISTOGRAM_UPDATE_US, WEND_BAND_ALL, 1024, &recent));
}

static void tick(calls *c, uint32_t k) {
    wend_budget budget = default_budget();
    (void)k;
    budget.expansions = 10 * AGENTS;
    check(wend_service_tick(c->service, &budget, NULL));
}

static void update(calls *c, uint32_t k) {
    (void)k;
    check(wend_crowd_update(c->crowd, 1000, NULL, NULL));
}

/* ---- measuring ---- */

static bool is_open_place(wend_map *map, wend_cell cell) {
    uint8_t class;
    if (cell.x < 0 || cell.y < 0 || cell.x >= SIDE || cell.y >= SIDE) return false;
    check(wend_map_get_terrain(map, cell, &class));
    return class != WEND_CLASS_BLOCKED;
}

static wend_cell end_of_sight(calls *c, wend_cell from) {
    for (;;) {
        const int32_t far = (int32_t)draw(&c->seed, 2) * 2 * SIGHT - SIGHT;
        const int32_t other = (int32_t)draw(&c->seed, 2 * SIGHT + 1) - SIGHT;
        const bool wide = draw(&c->seed, 2) == 1;
        const wend_cell cell = {from.x + (wide ? far : other), from.y + (wide ? other : far), 0};
        if (is_open_place(c->map, cell)) return cell;
    }
}

static void open_calls(calls *c) {
    wend_crowd_def def = default_crowd();
    const wend_figures_def of_figures = default_figures();
    c->seed = 7;
    c->map = make_caves(SIDE);
    c->service = open_service(NULL);
    def.map = c->map, def.service = c->service, def.agents = AGENTS;
    c->crowd = open_crowd(&def);
    check(wend_figures_create(&of_figures, &c->figures));
    check(wend_service_set_figures(c->service, c->figures));
    for (uint32_t i = 0; i < AGENTS; i++) {
        wend_agent_def one = default_agent();
        do {
            one.cell = c->places[i] = open_near(c->map, draw_cell(SIDE, SIDE, &c->seed));
        } while (wend_crowd_add(c->crowd, &one, &c->ids[i]));
    }
    for (uint32_t i = 0; i < AGENTS; i++) c->ends[i] = end_of_sight(c, c->places[i]);
    for (uint32_t i = 0; i < AGENTS; i++) send_to(c->crowd, &c->ids[i], 1, c->places[(i + AGENTS / 2) % AGENTS]);
    for (int frame = 0; frame < WARM; frame++) tick(c, 0), update(c, 0);
}

static void print_row(const char *name, samples *all) {
    printf("%s,%.0f,%.0f\n", name, 1000 * percentile(all->values, all->count, 500),
           1000 * percentile(all->values, all->count, 990));
    clear(all);
}

static void measure(calls *c, const char *name, call_fn *call, uint32_t batch) {
    samples all = {0};
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double began = cpu_us();
        for (uint32_t k = 0; k < batch; k++) call(c, k);
        note(&all, (cpu_us() - began) / batch);
    }
    print_row(name, &all);
}

/* Each batch of requests is cancelled, and a frame, which is not timed, takes it out. */
static void measure_requests(calls *c) {
    samples submits = {0}, cancels = {0};
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double began = cpu_us();
        for (uint32_t k = 0; k < BATCH; k++) submit_one(c, k);
        const double submitted = cpu_us();
        for (uint32_t k = 0; k < BATCH; k++) cancel_one(c, k);
        note(&cancels, (cpu_us() - submitted) / BATCH);
        note(&submits, (submitted - began) / BATCH);
        tick(c, 0);
    }
    print_row("wend_service_submit", &submits);
    print_row("wend_service_cancel", &cancels);
}

/* Frames in which one agent in a hundred gets another goal, so that there is something to search. */
static void measure_frames(calls *c) {
    samples sends = {0}, ticks = {0}, updates = {0};
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double began = cpu_us();
        for (uint32_t k = 0; k < SENT; k++) send_one(c, k);
        const double sent = cpu_us();
        tick(c, 0);
        const double ticked = cpu_us();
        update(c, 0);
        note(&updates, cpu_us() - ticked);
        note(&ticks, ticked - sent);
        note(&sends, (sent - began) / SENT);
    }
    print_row("wend_crowd_go of one", &sends);
    print_row("wend_service_tick with 20 new searches", &ticks);
    print_row("wend_crowd_update of 2000", &updates);
}

int main(void) {
    static calls c;
    open_calls(&c);
    printf("call,median_ns,p99_ns\n");
    measure(&c, "wend_map_get_occupants", get_occupants, BATCH);
    measure(&c, "wend_map_reachable", ask_reachable, BATCH);
    measure(&c, "wend_map_line_of_sight of 64 cells", see_64, BATCH);
    c.next = 0;
    measure(&c, "wend_map_see_many: a line of 64 cells", see_many, BATCH);
    measure(&c, "wend_map_occupy and _vacate", occupy_and_vacate, BATCH);
    measure(&c, "wend_edit_begin to _publish of a cell", edit_cell, FEW);
    measure_requests(&c);
    measure(&c, "wend_crowd_get_agent", get_agent, BATCH);
    measure(&c, "wend_crowd_get_path", get_path, BATCH);
    measure(&c, "wend_crowd_get_view of 2000", get_view, FEW);
    measure(&c, "wend_crowd_get_stats of 2000", get_crowd_stats, FEW);
    measure(&c, "wend_service_get_stats", get_stats, BATCH);
    measure(&c, "wend_figures_get_recent of 1024", get_recent, FEW);
    measure_frames(&c);
    check(wend_service_set_figures(c.service, NULL));
    check(wend_crowd_destroy(c.crowd));
    wend_service_destroy(c.service);
    wend_figures_destroy(c.figures);
    wend_map_release(c.map);
    return 0;
}
