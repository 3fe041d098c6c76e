/* SPDX-License-Identifier: MIT */
/* Recordings of far requests, of journeys that go by them, and of agents with far goals play back byte for byte: with
 * edits that make the layer stale, and with repairs in slices between them. */
#include "models/few_or_many.h"
#include "recording/live.h"
#include "models/options.h"
#include "cli/shared/legs.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <wend/record.h>
#include <wend/control.h>
#include <wend/units.h>

enum { WIDTH = 640, HEIGHT = 260, FRAMES = 60, TRAVELS = 6, AGENTS = 8, CROSSINGS = 256 };

/* A unit on a journey: the callback of a leg requests the next one, or a new route if the leg failed. */
typedef struct travel {
    struct run *r;
    wend_request request;
    cli_legs way;
    wend_cell crossings[CROSSINGS];
    bool far; ///< a route is requested, not a leg
} travel;

typedef struct run {
    wend_map *map;
    wend_service *service;
    oracle_random random;
    live_text script, expected;
    uint64_t frame, first_epoch, clock;
    bool done;
    unsigned far, legs, stale, walked, led;
    wend_crowd *crowd;
    wend_agent_id agents[AGENTS];
    travel travels[TRAVELS];
} run;

static wend_error write_script(void *context, uint32_t file, const void *bytes, size_t size) {
    run *r = context;
    if (file == 1) fwrite(bytes, 1, size, r->script.out);
    return WEND_OK;
}

static void print_cells(FILE *out, const wend_cell *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        live_print_cell(out, WEND_KIND_GRID, cells[i]);
    }
}

static uint64_t since_first(const run *r, uint64_t epoch) {
    return epoch > r->first_epoch ? epoch - r->first_epoch : 0;
}

static void print(run *r, const wend_completion *done) {
    FILE *out = r->expected.out;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"id\":\"%" PRIu64 "\",\"status\":\"%s\",\"cost\":%" PRId64 ",\"cells\":[",
            r->frame, done->number, wend_status_name(done->status), done->cost);
    print_cells(out, done->cells, done->cell_count);
    if (done->crossing_count > 0) {
        fputs("],\"crossings\":[", out);
        print_cells(out, done->crossings, done->crossing_count);
        r->far++;
    }
    fprintf(out,
            "],\"expansions\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"epoch\":%" PRIu64 ",\"checked\":%" PRIu64
            ",\"exact\":%s,\"engine\":\"%s\"}\n",
            done->expansions, done->frames, since_first(r, done->epoch), since_first(r, done->checked),
            done->exact ? "true" : "false", done->engine == WEND_ENGINE_JUMP ? "jump" : "astar");
}

static bool chance(run *r, int percent) {
    return oracle_below(&r->random, 100) < percent;
}

static wend_cell some_cell(run *r) {
    return (wend_cell){oracle_below(&r->random, WIDTH), oracle_below(&r->random, HEIGHT), 0};
}

static void on_done(void *context, const wend_completion *done) {
    print(context, done);
}

static void submit(run *r) {
    wend_request request = default_request();
    request.map = r->map, request.start = some_cell(r), request.goal = some_cell(r);
    request.mode = chance(r, 70) ? WEND_MODE_FAR : oracle_below(&r->random, 2);
    request.urgency = oracle_below(&r->random, 5) - 2;
    if (chance(r, 20)) options_of(&request)->far_begin = true;
    if (chance(r, 20)) request.reach = oracle_below(&r->random, 5);
    if (chance(r, 10)) options_of(&request)->max_expansions = (uint64_t)oracle_below(&r->random, 3000);
    if (chance(r, 10)) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    if (chance(r, 10)) options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    request.on_done = on_done, request.context = r;
    wend_ticket ticket;
    cr_assert_eq(wend_service_submit(r->service, &request, &ticket), WEND_OK);
    if (chance(r, 10)) (void)wend_service_set_goal(r->service, ticket, some_cell(r));
    if (chance(r, 5)) (void)wend_service_cancel(r->service, ticket);
}

static void travel_done(void *context, const wend_completion *done);

static void set_out(run *r, travel *t, wend_cell from, wend_cell to) {
    wend_request request = default_request();
    request.map = r->map, request.start = from, request.goal = to, request.mode = WEND_MODE_FAR;
    request.on_done = travel_done, request.context = t;
    t->r = r, t->request = request, t->far = true;
    cr_assert_eq(wend_service_submit(r->service, &request, NULL), WEND_OK);
}

/* Starts a new journey where no way is left, or the goal is met. */
static void travel_done(void *context, const wend_completion *done) {
    travel *t = context;
    run *r = t->r;
    print(r, done);
    if (r->done) return;
    if (done->status != WEND_STATUS_FOUND) {
        set_out(r, t, some_cell(r), some_cell(r));
        return;
    }
    if (t->far) {
        cr_assert_leq(done->crossing_count, CROSSINGS);
        for (size_t i = 0; i < done->crossing_count; i++) t->crossings[i] = done->crossings[i];
        t->way = (cli_legs){.far = &t->request,
                            .crossings = t->crossings,
                            .count = done->crossing_count,
                            .last = done->crossing_count == 0};
    }
    t->far = false;
    const wend_cell at = done->cells[cli_legs_walk(&t->way, done->cells, done->cell_count) - 1];
    wend_request leg;
    wend_search_options options;
    if (!cli_legs_next(&t->way, at, &leg, &options)) {
        set_out(r, t, at, some_cell(r));
        return;
    }
    r->legs++;
    cr_assert_eq(wend_service_submit(r->service, &leg, NULL), WEND_OK);
}

/* ---- agents ---- */

static void on_event(void *context, const wend_agent_event *event) {
    run *r = context;
    FILE *out = r->expected.out;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"agent\":\"a%" PRIu32 "\",\"event\":\"%s\"", r->frame, event->agent.index,
            wend_constant_name(WEND_NAME_AGENT_EVENT, event->event));
    if (event->event == WEND_AGENT_EVENT_GAVE_UP)
        fprintf(out, ",\"why\":\"%s\"", wend_constant_name(WEND_NAME_WHY, event->why));
    fputs(",\"cell\":", out);
    live_print_cell(out, WEND_KIND_GRID, event->cell);
    fputs("}\n", out);
}

static void make_crowd(run *r) {
    wend_crowd_def def = default_crowd();
    def.service = r->service, def.map = r->map, def.agents = AGENTS, tuning_of(&def)->fields = 0;
    tuning_of(&def)->far_beyond = chance(r, 20) ? 0 : 100;
    tuning_of(&def)->head_start = chance(r, 50) ? 20 : 0;
    def.on_event = on_event, def.context = r;
    cr_assert_eq(wend_crowd_create(&def, &r->crowd), WEND_OK);
    for (int i = 0; i < AGENTS; i++) {
        wend_agent_def agent = default_agent();
        agent.speed_milli = (uint32_t)(2000 + oracle_below(&r->random, 8000));
        do agent.cell = some_cell(r);
        while (wend_crowd_add(r->crowd, &agent, &r->agents[i]) != WEND_OK);
    }
}

static void send(run *r) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = some_cell(r);
    cr_assert_eq(wend_crowd_go(r->crowd, &r->agents[oracle_below(&r->random, AGENTS)], 1, &goal), WEND_OK);
}

static void end_crowd(run *r) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    cr_assert_eq(wend_crowd_get_stats(r->crowd, &counts), WEND_OK);
    r->walked = (unsigned)counts.far_routes, r->led = (unsigned)counts.head_starts;
    cr_assert_eq(wend_crowd_destroy(r->crowd), WEND_OK);
}

/* ---- frames ---- */

static void edit(run *r) {
    wend_edit *batch = begin_edit(r->map);
    for (int n = 1 + oracle_below(&r->random, 3); n > 0; n--) {
        const wend_cell a = some_cell(r);
        const wend_cell b = {a.x + 3 < WIDTH ? a.x + 3 : a.x, a.y + 20 < HEIGHT ? a.y + 20 : a.y, 0};
        wend_edit_fill_box(batch, (wend_box){a, b}, (uint8_t)(chance(r, 60) ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN));
    }
    cr_assert_eq(wend_edit_publish(batch, NULL), WEND_OK);
}

static void act(run *r) {
    const int what = oracle_below(&r->random, 100);
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(r->map, &info);
    r->stale += info.far_stale > 0;
    if (what < 25)
        send(r);
    else if (what < 55)
        submit(r);
    else if (what < 62)
        edit(r);
    else if (what < 67)
        (void)wend_map_occupy(r->map, some_cell(r));
    else if (what < 85)
        (void)wend_map_maintain(r->map, chance(r, 50) ? WEND_MAINTAIN_ALL : WEND_MAINTAIN_FAR,
                                (uint64_t)oracle_below(&r->random, 200000), NULL);
    else
        (void)wend_map_maintain(r->map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, NULL);
}

static uint64_t now_ns(void *context) {
    run *r = context;
    return r->clock += (uint64_t)oracle_below(&r->random, 2000);
}

static void make_map(run *r) {
    wend_map_def def = default_map();
    def.width = WIDTH, def.height = HEIGHT;
    cr_assert_eq(wend_map_create(&def, &r->map), WEND_OK);
    wend_edit *batch = begin_edit(r->map);
    for (int32_t x = 45; x < WIDTH; x += 83)
        wend_edit_fill_box(batch, (wend_box){{x, x % 2 ? 12 : 0, 0}, {x, HEIGHT - 1 - (x % 2 ? 0 : 12), 0}}, 0);
    for (int i = 0; i < 9000; i++) wend_edit_set_cell(batch, some_cell(r), WEND_CLASS_BLOCKED);
    for (int i = 0; i < 400; i++) wend_edit_set_cell(batch, some_cell(r), 3);
    cr_assert_eq(wend_edit_publish(batch, NULL), WEND_OK);
    wend_acceleration fast = default_acceleration();
    fast.far = 1, fast.later = chance(r, 30), fast.landmarks = oracle_below(&r->random, 3);
    cr_assert_eq(wend_map_accelerate(r->map, &fast), WEND_OK);
    if (chance(r, 50)) edit(r); /* stale where the recording begins */
}

static void frames(run *r, bool timed) {
    for (r->frame = 0; r->frame < FRAMES;) {
        wend_budget budget = default_budget();
        for (int n = oracle_below(&r->random, 6); n > 0; n--) act(r);
        budget.expansions = (uint64_t)oracle_below(&r->random, 20000);
        if (timed) budget.us = (uint64_t)oracle_below(&r->random, 100);
        if (chance(r, 20)) limits_of(&budget)->deliveries = (uint64_t)oracle_below(&r->random, 4);
        if (r->frame == 0) r->first_epoch = wend_map_get_epoch(r->map);
        r->frame++;
        cr_assert_eq(wend_service_tick(r->service, &budget, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(r->crowd, 1000, NULL, NULL), WEND_OK);
    }
    end_crowd(r);
    for (r->done = true; wend_service_get_pending(r->service) > 0;) {
        r->frame++;
        cr_assert_eq(wend_service_tick(r->service, NULL, NULL), WEND_OK);
    }
}

static void record(run *r, uint64_t seed, bool timed) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    r->random = (oracle_random){seed};
    make_map(r);
    tuning.slice = (uint64_t)(50 + oracle_below(&r->random, 3000));
    tuning.lanes = (uint32_t)(1 + oracle_below(&r->random, 4)), def.workers = (uint32_t)oracle_below(&r->random, 3);
    def.nodes = UINT64_C(1) << 20, def.tuning = &tuning, def.clock = (wend_clock){r, now_ns};
    live_text_open(&r->script);
    live_text_open(&r->expected);
    cr_assert_eq(wend_service_create(&def, &r->service), WEND_OK);
    cr_assert_eq(wend_service_record(r->service, write_script, r), WEND_OK);
    make_crowd(r);
    for (int i = 0; i < TRAVELS; i++) set_out(r, &r->travels[i], some_cell(r), some_cell(r));
    frames(r, timed);
    wend_service_destroy(r->service);
    live_text_close(&r->script);
    live_text_close(&r->expected);
    wend_map_release(r->map);
}

static void replay(uint64_t first, bool timed) {
    unsigned far = 0, legs = 0, stale = 0, walked = 0, led = 0;
    const unsigned seeds = (unsigned)enough_or_many(4, 6);
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        run *r = calloc(1, sizeof *r);
        int status;
        record(r, seed, timed);
        char *printed = live_play(r->script.bytes, r->script.size, &status);
        cr_assert_eq(status, 0, "seed %d: exit status %d", (int)seed, status);
        size_t at = 0, line = 0;
        for (; printed[at] && printed[at] == r->expected.bytes[at]; at++)
            if (printed[at] == '\n') line = at + 1;
        cr_assert(printed[at] == r->expected.bytes[at], "seed %d:\nplayed   %.300s\nexpected %.300s", (int)seed,
                  printed + line, r->expected.bytes + line);
        far += r->far, legs += r->legs, stale += r->stale, walked += r->walked, led += r->led;
        free(printed);
        live_text_free(&r->script);
        live_text_free(&r->expected);
        free(r);
    }
    cr_assert(far > seeds * 10 && legs > seeds * 4 && stale > seeds * 10 && walked > 0 && led > seeds,
              "%u far, %u legs, %u stale, %u walked, %u led", far, legs, stale, walked, led);
}

Test(replay_far, gives_the_same_routes_and_legs) {
    replay(3, false);
}

Test(replay_far, gives_them_in_frames_of_microseconds) {
    replay(9, true);
}
