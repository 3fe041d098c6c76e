/* SPDX-License-Identifier: MIT */
/* How long short searches wait among long ones, and what it costs to let them overtake: frames until delivery, and
 * expansions over those of bare searches, with the default quantum, one of 32,768 and none, with many nodes and with as
 * many as a service has by itself. Nothing is timed: figures are the same on every machine. Prints CSV. */
#include "scenery.h"
#include "../tests/models/options.h"
#include <wend/control.h>

enum { SIDE = 1024, NEAR = 24, FAR = SIDE, MOST = 4096, FRAME = 20000, BRIEF = 1250 };

/* The requests: many at once in the first frame; later some in each frame, with goals near by. */
typedef struct crowd {
    const char *name;
    int least, most; ///< how far the first ones' goals are, across and down together
    int first;
    int after, each, frames;
} crowd;
static const crowd crowds[] = {
    {"40 long; 3 short a frame", FAR, 2 * SIDE, 40, 0, 3, 600},
    {"40 long; 1 short in each of 20 frames", FAR, 2 * SIDE, 40, 0, 1, 20},
    {"100 long; after 200 frames 1 short in each of 20", FAR, 2 * SIDE, 100, 200, 1, 20},
    {"200 of all lengths", 0, 2 * SIDE, 200, 0, 0, 0},
    {"400 of middle length", 500, 700, 400, 0, 0, 0},
    {"100 long", FAR, 2 * SIDE, 100, 0, 0, 0},
};

/* ---- requests ---- */

typedef struct errand {
    wend_request request;
    uint64_t bare; ///< expansions that it takes by itself
    uint64_t frames;
} errand;

static errand errands[MOST];
static int errand_count;

static int apart(wend_cell a, wend_cell b) {
    return abs(a.x - b.x) + abs(a.y - b.y);
}

/* Between cells that a way joins. */
static wend_request request_between(wend_map *map, int least, int most, uint64_t *state) {
    for (;;) {
        const wend_cell start = random_place(SIDE, SIDE, state), goal = random_place(SIDE, SIDE, state);
        const int distance = apart(start, goal);
        if (distance < least || distance > most || !is_connected(map, WEND_MOVER_DEFAULT, start, goal)) continue;
        wend_request request = path_request(map, start, goal);
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        return request;
    }
}

static void add(wend_search *search, wend_request request) {
    errand *e = &errands[errand_count++];
    *e = (errand){.request = request};
    check(wend_search_begin(search, &request));
    need(wend_search_step(search, WEND_NO_LIMIT, &e->bare) == WEND_STATUS_FOUND, "a search alone finds no way");
}

static uint64_t prepare(wend_map *map, const crowd *c) {
    uint64_t state = 17, bare = 0;
    wend_search *search = open_search(0);
    errand_count = 0;
    for (int i = 0; i < c->first; i++) add(search, request_between(map, c->least, c->most, &state));
    for (int i = 0; i < c->each * c->frames; i++) add(search, request_between(map, 1, NEAR, &state));
    for (int i = 0; i < errand_count; i++) bare += errands[i].bare;
    wend_search_destroy(search);
    return bare;
}

/* ---- frames ---- */

static void take(void *context, const wend_completion *completion) {
    need(completion->status == WEND_STATUS_FOUND, wend_status_name(completion->status));
    ((errand *)context)->frames = completion->frames;
}

static void submit_some(wend_service *service, int from, int count) {
    for (int i = from; i < from + count; i++) {
        errands[i].request.on_done = take;
        errands[i].request.context = &errands[i];
        submit(service, &errands[i].request);
    }
}

/* Returns the expansions spent. */
static uint64_t serve(const crowd *c, uint64_t nodes, uint64_t quantum) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    def.tuning = &tuning;
    const wend_budget budget = budget_of(FRAME);
    wend_frame frame = {.struct_bytes = sizeof frame};
    uint64_t spent = 0;
    def.nodes = nodes, tuning.quantum = quantum;
    wend_service *service = open_service(&def);
    submit_some(service, 0, c->first);
    for (int i = -c->after; i < c->frames || wend_service_get_work(service) > 0; i++) {
        if (i >= 0 && i < c->frames) submit_some(service, c->first + i * c->each, c->each);
        wend_service_tick(service, &budget, &frame);
        spent += frame.expansions;
    }
    wend_service_destroy(service);
    return spent;
}

/* ---- figures ---- */

/* Counts of requests that take less than the quantum of these frames, or of the others: how many, and frames until
 * delivery in the median, of 99 in 100, and at most. */
static void print_frames(bool brief) {
    static double frames[MOST];
    size_t count = 0;
    for (int i = 0; i < errand_count; i++)
        if ((errands[i].bare < BRIEF) == brief) frames[count++] = (double)errands[i].frames;
    if (count == 0)
        printf(",0,,,");
    else
        printf(",%zu,%.0f,%.0f,%.0f", count, median(frames, count), percentile(frames, count, 990),
               percentile(frames, count, 1000));
}

/* With four times the default nodes, and with these; with each quantum. */
static void rows(wend_map *map, const crowd *c) {
    static const struct {
        const char *name;
        uint64_t value;
    } quanta[] = {{"default", 0}, {"32768", 32768}, {"none", WEND_NO_LIMIT}};
    const wend_service_def def = default_service();
    const uint64_t bare = prepare(map, c);
    for (uint64_t times = 4; times > 0; times /= 4)
        for (size_t i = 0; i < sizeof quanta / sizeof *quanta; i++) {
            const uint64_t spent = serve(c, times * def.nodes, quanta[i].value);
            printf("%s,%llu,%s", c->name, (unsigned long long)(times * def.nodes), quanta[i].name);
            print_frames(true);
            print_frames(false);
            printf(",%.3f\n", (double)spent / (double)bare);
            fflush(stdout);
        }
}

int main(void) {
    wend_map *map = bench_map_rooms(SIDE, 16);
    puts("requests,nodes,quantum,short,short_frames_p50,short_frames_p99,short_frames_max,long,long_frames_p50,"
         "long_frames_p99,long_frames_max,expansions_over_bare");
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++) rows(map, &crowds[i]);
    wend_map_release(map);
    return 0;
}
