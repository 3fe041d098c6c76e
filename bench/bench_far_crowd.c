/* SPDX-License-Identifier: MIT */
/* Agents of a crowd with far goals, in caves or a city made here: frames until an agent sets out, what it walks by the
 * optimum, processor time of a frame, and how many arrive. One line for each far_beyond; 0: exact searches. Those have
 * an eighth of the frames, but with a head start all: along leads of the far layer or, without that, along prefixes.
 * Frames have 20,000 expansions, agents walk a cell in each.
 *
 *   bench_far_crowd [SIDE [AGENTS [caves|city [FAR_BEYOND[:HEAD_START[:plain|:one]] ...]]]]
 *
 * Default 4096, 1000, caves, 0 and 512. "plain" is for a head start without the layer; such lines stand last. "one"
 * sends all agents to the goal of the first. Floods are those of the routes' ends. */
#include "scenery.h"

#include "fast/routes/far_route.h"
#include "service/state/service_state.h"
#include "../tests/models/options.h"
#include <wend/agents.h>

enum { MOST_AGENTS = 10000, MEASURED = 40, BUDGET = 20000, FRAMES_A_CELL = 4, NEVER = INT32_MAX };

typedef struct trip {
    wend_agent_id id;
    wend_cell from, to, at;
    uint64_t walked;
    int32_t began, ended; ///< frames
    int32_t stood;        ///< frames without a step on its way, the rest of a diagonal step aside
    bool arrived;
} trip;

static trip trips[MOST_AGENTS];

static void on_event(void *context, const wend_agent_event *event) {
    trip *t = event->context;
    if (!wend_agent_event_ends_goal(event->event)) return;
    t->arrived = event->event == WEND_AGENT_EVENT_ARRIVED;
    t->ended = *(const int32_t *)context;
}

static void draw_trips(const wend_map *map, int32_t side, int agents) {
    uint64_t seed = 5;
    for (int i = 0; i < agents; i++) {
        trip *t = &trips[i];
        do t->from = draw_cell(side, side, &seed), t->to = draw_cell(side, side, &seed);
        while (abs(t->from.x - t->to.x) + abs(t->from.y - t->to.y) < side * 6 / 10 ||
               !is_connected(map, WEND_MOVER_DEFAULT, t->from, t->to));
    }
}

/* The agents' cells after a frame. */
static void note_steps(wend_crowd *crowd, int agents, int32_t frame) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    check(wend_crowd_get_view(crowd, &view));
    for (int i = 0; i < agents; i++) {
        trip *t = &trips[i];
        const wend_cell now = view.cells[t->id.index];
        const int moved = abs(now.x - t->at.x) + abs(now.y - t->at.y);
        t->walked += (uint64_t)(moved == 2 ? 14 : 10 * moved);
        if (moved > 0 && t->began == NEVER) t->began = frame;
        t->stood += t->began < frame && t->ended == NEVER && view.states[t->id.index] == WEND_AGENT_WAITING;
        t->at = now;
    }
}

/// A line.
typedef struct kind {
    uint32_t far_beyond, head_start;
    bool plain; ///< without the layer
    bool one;   ///< goal for all
} kind;

static kind kind_of(const char *text) {
    char *rest;
    kind k = {.far_beyond = (uint32_t)strtoul(text, &rest, 10)};
    if (*rest == ':') k.head_start = (uint32_t)strtoul(rest + 1, &rest, 10);
    k.plain = strcmp(rest, ":plain") == 0, k.one = strcmp(rest, ":one") == 0;
    return k;
}

static wend_crowd *begin(wend_map *map, wend_service *service, int agents, const kind *k, int32_t *frame) {
    wend_crowd_def def = default_crowd();
    def.agents = (uint32_t)agents, def.service = service, def.map = map, tuning_of(&def)->far_beyond = k->far_beyond;
    tuning_of(&def)->head_start = k->head_start;
    tuning_of(&def)->fields = 0, def.path_bytes = k->far_beyond > 0 ? 0 : UINT64_C(1) << 27;
    def.on_event = on_event, def.context = frame;
    wend_crowd *crowd = open_crowd(&def);
    for (int i = 0; i < agents; i++) {
        trip *t = &trips[i];
        wend_agent_def agent = default_agent();
        agent.cell = t->from, agent.speed_milli = 1000, agent.context = t;
        *t = (trip){.from = t->from, .to = t->to, .at = t->from, .began = NEVER, .ended = NEVER};
        while (wend_crowd_add(crowd, &agent, &t->id)) agent.cell.x++; /* two on one cell, or a rock */
        t->from = t->at = agent.cell;
        send_to(crowd, &t->id, 1, k->one ? trips[0].to : t->to);
    }
    return crowd;
}

static void report(wend_map *map, int agents, const kind *k, const samples *us, uint64_t routes, uint64_t floods) {
    samples first = {0}, ratio = {0};
    wend_search *search = open_search(UINT64_C(1) << 25);
    int arrived = 0;
    uint64_t stood = 0;
    for (int i = 0; i < agents; i++) {
        const trip *t = &trips[i];
        wend_completion best = {.struct_bytes = sizeof best};
        arrived += t->arrived, stood += (uint64_t)t->stood;
        if (t->began != NEVER) note(&first, t->began);
        if (!t->arrived || ratio.count == MEASURED) continue;
        wend_request request = default_request();
        request.map = map, request.start = t->from, request.goal = k->one ? trips[0].to : t->to;
        (void)solve(search, &request, &best);
        note(&ratio, (double)t->walked / (double)best.cost);
    }
    wend_search_destroy(search);
    printf("%" PRIu32 ",%" PRIu32 "%s,%zu,%d,%zu,%.0f,%.0f,%.1f,%.0f,%.0f,%.0f,%.2f,%.4f,%.4f\n", k->far_beyond,
           k->head_start,
           k->plain ? " plain"
           : k->one ? " one"
                    : "",
           us->count, agents, first.count, percentile(first.values, first.count, 500),
           percentile(first.values, first.count, 1000), mean(us->values, us->count),
           percentile(us->values, us->count, 990), percentile(us->values, us->count, 1000), (double)routes,
           (double)stood / agents, ratio.count > 0 ? mean(ratio.values, ratio.count) : 0,
           percentile(ratio.values, ratio.count, 1000));
    printf("# arrived %d, floods %" PRIu64 "\n", arrived, floods);
    clear(&first), clear(&ratio);
}

static void run(wend_map *map, int32_t side, int agents, const kind *k) {
    const int32_t frames = k->far_beyond + k->head_start > 0 ? FRAMES_A_CELL * side : FRAMES_A_CELL * side / 8;
    const wend_budget budget = budget_of(BUDGET);
    wend_service_def def = default_service();
    int32_t frame = 0;
    samples us = {0};
    def.nodes = UINT64_C(1) << 24, def.max_path_cells = UINT64_C(1) << 20, def.path_bytes = UINT64_C(1) << 24;
    wend_service *service = open_service(&def);
    wend_crowd *crowd = begin(map, service, agents, k, &frame);
    wend_crowd_stats counts = {.struct_bytes = sizeof counts, .busy = 1};
    while (frame++ < frames && counts.busy > 0) {
        const double begun = cpu_us();
        check(wend_service_tick(service, &budget, NULL));
        check(wend_crowd_update(crowd, 1000, NULL, NULL));
        note(&us, cpu_us() - begun);
        note_steps(crowd, agents, frame);
        check(wend_crowd_get_stats(crowd, &counts));
    }
    report(map, agents, k, &us, counts.far_routes, service->lanes[0].stock.finder->floods);
    check(wend_crowd_destroy(crowd));
    check(wend_service_destroy(service));
    clear(&us);
}

int main(int argc, char **argv) {
    const int32_t side = argc > 1 ? atoi(argv[1]) : 4096;
    const int agents = argc > 2 ? atoi(argv[2]) : 1000;
    need(agents > 0 && agents <= MOST_AGENTS, "agents");
    wend_map *map = make_ground(argc > 3 && strcmp(argv[3], "city") == 0 ? fill_city : fill_caves, side);
    wend_acceleration fast = default_acceleration();
    setvbuf(stdout, NULL, _IOLBF, 0);
    fast.far = 1, fast.landmarks = 4;
    check(wend_map_accelerate(map, &fast));
    draw_trips(map, side, agents);
    puts("far_beyond,head_start,frames,agents,set_out,first_step_p50,first_step_most,frame_us_mean,p99,most,routes,"
         "stood,"
         "walked_mean,walked_most");
    for (int i = 4; i < argc; i++) {
        const kind k = kind_of(argv[i]);
        fast.far = !k.plain;
        if (k.plain) check(wend_map_accelerate(map, &fast));
        run(map, side, agents, &k);
    }
    if (argc <= 4) run(map, side, agents, &(kind){.far_beyond = 0}), run(map, side, agents, &(kind){.far_beyond = 512});
    wend_map_release(map);
    return 0;
}
