/* SPDX-License-Identifier: MIT */
/* Measures the service's overhead over bare searches, how evenly frames cost, and waiting requests. Prints CSV. */
#include "scenery.h"
#include "fast/acceleration.h"
#include "../tests/models/options.h"
#include <wend/control.h>

enum { SIDE = 512, QUERIES = 200, REPEATS = 5, WAITING = 100000 };

static wend_request random_request(wend_map *map, uint64_t *state) {
    const wend_cell start = random_place(SIDE, SIDE, state), goal = random_place(SIDE, SIDE, state);
    wend_request request = path_request(map, start, goal);
    request.on_done = ignore;
    return request;
}

static double bare(wend_map *map, uint64_t seed) {
    wend_search *search = open_search(0);
    static wend_cell cells[SIDE * SIDE];
    size_t count;
    double begun = cpu_us();
    for (int i = 0; i < QUERIES; i++) {
        wend_request request = random_request(map, &seed);
        check(wend_search_begin(search, &request));
        while (wend_search_step(search, WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
        wend_search_get_path(search, cells, SIDE * SIDE, &count);
    }
    double us = cpu_us() - begun;
    wend_search_destroy(search);
    return us;
}

static wend_service *service_of(uint32_t lanes, uint64_t slice) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    def.tuning = &tuning;
    tuning.lanes = lanes, tuning.slice = slice;
    def.max_path_cells = SIDE * SIDE;
    wend_service *service = open_service(&def);
    return service;
}

static double through_service(wend_map *map, uint64_t seed, uint32_t lanes, uint64_t slice, uint64_t frame_expansions) {
    wend_service *service = service_of(lanes, slice);
    double begun = cpu_us();
    for (int i = 0; i < QUERIES; i++) {
        wend_request request = random_request(map, &seed);
        submit(service, &request);
    }
    const wend_budget budget = budget_of(frame_expansions);
    while (wend_service_get_work(service) > 0) wend_service_tick(service, &budget, NULL);
    double us = cpu_us() - begun;
    wend_service_destroy(service);
    return us;
}

static double least(double a, double b) {
    return a < b ? a : b;
}

/* Each setting against bare searches of the same queries, turn by turn, best of REPEATS. */
static void overhead(wend_map *map) {
    static const struct {
        uint32_t lanes;
        uint64_t slice, frame;
    } rows[] = {{1, 1000, WEND_NO_LIMIT}, {4, 1000, WEND_NO_LIMIT}, {4, 1000, 20000},
                {4, 250, 20000},          {8, 1000, 20000},         {16, 1000, 20000}};
    puts("lanes,slice,frame_expansions,us_a_query,ratio_to_bare");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double alone = 1e18, served = 1e18;
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            alone = least(alone, bare(map, 7));
            served = least(served, through_service(map, 7, rows[i].lanes, rows[i].slice, rows[i].frame));
        }
        printf("%u,%llu,%lld,%.1f,%.3f\n", rows[i].lanes, (unsigned long long)rows[i].slice, (long long)rows[i].frame,
               served / QUERIES, served / alone);
    }
}

/* ---- 100,000 requests waiting ---- */

enum { LONG_WAY = 200, LONG_DONE = 400 };

typedef enum errand { HERE, STEP, WAY, ERRANDS } errand;
static const char *const errand_names[ERRANDS] = {"start_is_goal", "one_step", "straight_200"};

static wend_cell open_cell(const uint8_t *open, uint64_t *state, int width) {
    for (;;) {
        wend_cell cell = {(int)bench_random(state, (uint32_t)width), (int)bench_random(state, SIDE), 0};
        if (open[cell.y * SIDE + cell.x]) return cell;
    }
}

static wend_request errand_of(wend_map *map, const uint8_t *open, errand what, uint64_t *state) {
    wend_request request = default_request();
    request.map = map;
    request.on_done = ignore;
    request.start = open_cell(open, state, what == WAY ? SIDE - LONG_WAY : SIDE - 1);
    request.goal = request.start;
    if (what == STEP) request.goal.x += open[request.start.y * SIDE + request.start.x + 1] ? 1 : -1;
    if (what == WAY) request.goal.x += LONG_WAY;
    if (!open[request.goal.y * SIDE + request.goal.x]) request.goal = request.start;
    return request;
}

static uint8_t *open_cells(wend_map *map) {
    uint8_t *open = malloc(SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
        check(wend_map_get_terrain(map, (wend_cell){i % SIDE, i / SIDE, 0}, &open[i]));
    }
    return open;
}

static double bare_errands(const wend_request *requests) {
    wend_search *search = open_search(0);
    static wend_cell cells[LONG_WAY + 1];
    size_t count;
    double begun = cpu_us();
    for (int i = 0; i < WAITING; i++) {
        check(wend_search_begin(search, &requests[i]));
        while (wend_search_step(search, WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
        wend_search_get_path(search, cells, LONG_WAY + 1, &count);
    }
    double us = cpu_us() - begun;
    wend_search_destroy(search);
    return us;
}

typedef struct phases {
    double submit, intake, rounds, delivery;
} phases;

/* Each phase in a frame of its own, except the one delivery that every frame may have. */
static void queue_errands(wend_service *service, const wend_request *requests, phases *best) {
    wend_budget intake = default_budget();
    wend_budget rounds = default_budget();
    limits_of(&intake)->rounds = 0, limits_of(&intake)->deliveries = 1;
    limits_of(&rounds)->deliveries = 1;
    double at[5] = {cpu_us()};
    for (int i = 0; i < WAITING; i++) check(wend_service_submit(service, &requests[i], NULL));
    at[1] = cpu_us();
    wend_service_tick(service, &intake, NULL);
    at[2] = cpu_us();
    wend_service_tick(service, &rounds, NULL);
    at[3] = cpu_us();
    wend_service_tick(service, NULL, NULL);
    at[4] = cpu_us();
    if (wend_service_get_work(service) > 0) exit(3);
    best->submit = least(best->submit, at[1] - at[0]);
    best->intake = least(best->intake, at[2] - at[1]);
    best->rounds = least(best->rounds, at[3] - at[2]);
    best->delivery = least(best->delivery, at[4] - at[3]);
}

static wend_service *waiting_room(uint64_t path_bytes) {
    wend_service_def def = default_service();
    def.queue = WAITING + LONG_DONE;
    def.path_bytes = path_bytes;
    wend_service *service = open_service(&def);
    return service;
}

static double total(const phases *p) {
    return p->submit + p->intake + p->rounds + p->delivery;
}

/* The limit is printed, not enforced: times on a shared machine decide nothing. `how`: 0 all equally urgent, 1 of any
 * urgency, 2 with deadlines. */
static void queue_row(wend_map *map, const uint8_t *open, errand what, int how) {
    static const char *const hows[] = {"equal", "any_urgency", "deadlines"};
    wend_request *requests = malloc(WAITING * sizeof *requests);
    uint64_t state = 21;
    for (int i = 0; i < WAITING; i++) {
        requests[i] = errand_of(map, open, what, &state);
        if (how == 1) requests[i].urgency = (int32_t)bench_random(&state, 2001) - 1000;
        if (how == 2) requests[i].deadline_frames = 100 + bench_random(&state, 10);
    }
    wend_service *service = waiting_room((uint64_t)WAITING * 128);
    phases best = {1e18, 1e18, 1e18, 1e18};
    double alone = 1e18;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        alone = least(alone, bare_errands(requests));
        queue_errands(service, requests, &best);
    }
    const double each = 1000.0 / WAITING;
    printf("%s,%s,%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%s\n", errand_names[what], hows[how], WAITING,
           best.submit * each, best.intake * each, best.rounds * each, best.delivery * each, total(&best) * each,
           alone * each, (total(&best) - alone) * each, (total(&best) - alone) * each <= 500 ? "yes" : "no");
    fflush(stdout);
    wend_service_destroy(service);
    free(requests);
}

static void queues(wend_map *rooms) {
    wend_map *plain = grid_of(NULL, SIDE, SIDE);
    check(wend__map_prepare_jumps(plain) != WEND_OK || wend__map_prepare_jumps(rooms));
    uint8_t *open_rooms = open_cells(rooms), *open_plain = open_cells(plain);
    puts("errand,order,queued,submit_ns,intake_ns,rounds_ns,delivery_ns,in_all_ns,bare_ns,overhead_ns,at_most_500");
    queue_row(rooms, open_rooms, HERE, 0);
    for (int how = 0; how < 3; how++) queue_row(rooms, open_rooms, STEP, how);
    queue_row(plain, open_plain, WAY, 0);
    free(open_rooms);
    free(open_plain);
    wend_map_release(plain);
}

/* ---- long searches, alone and with many waiting behind them ---- */

/* All of them have a way, and a long one. */
static wend_request long_request(wend_map *map, uint64_t *state) {
    for (;;) {
        wend_request request = random_request(map, state);
        bool reachable;
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        if (abs(request.start.x - request.goal.x) + abs(request.start.y - request.goal.y) < SIDE) continue;
        check(wend_map_reachable(map, 0, request.start, request.goal, &reachable));
        if (reachable) return request;
    }
}

/* Ways to take the same searches in the same order: bare (no lanes), or through a service, with more
 * waiting. */
static const struct {
    uint32_t lanes;
    int waiting;
} ways[] = {{0, 0}, {1, 0}, {1, WAITING}, {4, 0}, {4, WAITING}};

enum { WAYS = sizeof ways / sizeof *ways, STRETCHES = 11, STRETCH = 36, ROUNDS = 20 };

/* A way in a round. A stretch is over when STRETCH more of the searches are done. */
typedef struct runner {
    wend_search *search;
    wend_service *service;
    int done; /* answers among the first LONG_DONE requests */
    uint64_t expansions[STRETCHES];
    double us;
} runner;

static void count_one(void *context, const wend_completion *completion) {
    (void)completion;
    ++*(int *)context;
}

static void queue_long(runner *run, const wend_request *requests, int count) {
    wend_budget intake = default_budget();
    limits_of(&intake)->rounds = 0;
    for (int i = 0; i < count; i++) {
        wend_request request = requests[i];
        request.on_done = i < LONG_DONE ? count_one : ignore;
        request.context = &run->done;
        submit(run->service, &request);
    }
    wend_service_tick(run->service, &intake, NULL);
}

static void start(runner *run, size_t way, const wend_request *requests) {
    wend_search_def alone = default_search();
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    *run = (runner){.done = 0};
    if (ways[way].lanes == 0) {
        check(wend_search_create(&alone, &run->search));
        return;
    }
    def.queue = WAITING + LONG_DONE, tuning.lanes = ways[way].lanes, def.tuning = &tuning;
    run->service = open_service(&def);
    queue_long(run, requests, LONG_DONE + ways[way].waiting);
}

static uint64_t go_bare(runner *run, int until, const wend_request *requests) {
    uint64_t spent = 0, used;
    for (; run->done < until; run->done++, spent += used) {
        check(wend_search_begin(run->search, &requests[run->done]));
        wend_search_step(run->search, WEND_NO_LIMIT, &used);
    }
    return spent;
}

static uint64_t go_served(runner *run, int until) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    uint64_t spent = 0;
    const wend_budget budget = budget_of(20000);
    for (; run->done < until; spent += frame.expansions) wend_service_tick(run->service, &budget, &frame);
    return spent;
}

static void go_on(runner *run, int stretch, const wend_request *requests) {
    int until = (stretch + 1) * STRETCH;
    double begun = cpu_us();
    run->expansions[stretch] = run->search ? go_bare(run, until, requests) : go_served(run, until);
    run->us += cpu_us() - begun;
}

static void stop(runner *run) {
    wend_search_destroy(run->search);
    if (run->service) wend_service_close(run->service);
    wend_service_destroy(run->service);
}

static uint64_t spent_by(const runner *run) {
    uint64_t sum = 0;
    for (int i = 0; i < STRETCHES; i++) sum += run->expansions[i];
    return sum;
}

static double ns_an_expansion(const runner *run) {
    return run->us * 1000 / (double)spent_by(run);
}

/* The ways take turns of some milliseconds, and each turn begins with another one: changes of the clock's pace and
 * other load then affect them all. */
static void race(runner *runs, int round, const wend_request *requests) {
    for (size_t way = 0; way < WAYS; way++) start(&runs[way], way, requests);
    for (int stretch = 0; stretch < STRETCHES; stretch++)
        for (int turn = 0; turn < WAYS; turn++) go_on(&runs[(turn + stretch + round) % WAYS], stretch, requests);
    for (size_t way = 0; way < WAYS; way++) stop(&runs[way]);
}

/* The median of the rounds; as a ratio each is compared with the bare searches of its own round. */
static double median_of(runner (*runs)[WAYS], size_t way, bool ratio) {
    double figures[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        if (memcmp(runs[i][way].expansions, runs[0][way].expansions, sizeof runs[0][way].expansions) != 0) exit(3);
        figures[i] = ns_an_expansion(&runs[i][way]) / (ratio ? ns_an_expansion(&runs[i][0]) : 1);
    }
    return median(figures, ROUNDS);
}

/* Ratios are of the time an expansion takes. A service may expand more than bare searches for the same answers: the
 * next searches are under way at the end, and some began again. */
static void long_searches(wend_map *map) {
    static runner runs[ROUNDS][WAYS];
    wend_request *requests = malloc((LONG_DONE + WAITING) * sizeof *requests);
    uint64_t seed = 7;
    for (int i = 0; i < LONG_DONE + WAITING; i++) requests[i] = long_request(map, &seed);
    for (int round = 0; round < ROUNDS; round++) race(runs[round], round, requests);
    puts("lanes,searches,paired_rounds,bare_median_ns_an_expansion,served,with_waiting,median_ratio_served,"
         "median_ratio_with_waiting,expansions_to_bare,expansions_to_bare_with_waiting");
    const double bare = (double)spent_by(&runs[0][0]);
    for (size_t way = 1; way < WAYS; way += 2) {
        printf("%u,%d,%d,%.2f,%.2f,%.2f,%.3f,%.3f,%.3f,%.3f\n", ways[way].lanes, STRETCHES * STRETCH, ROUNDS,
               median_of(runs, 0, false), median_of(runs, way, false), median_of(runs, way + 1, false),
               median_of(runs, way, true), median_of(runs, way + 1, true), (double)spent_by(&runs[0][way]) / bare,
               (double)spent_by(&runs[0][way + 1]) / bare);
        fflush(stdout);
    }
    free(requests);
}

static void frames(wend_map *map) {
    enum { FRAMES = 1000 };
    static double us[FRAMES];
    wend_service *service = service_of(4, 1000);
    const wend_budget budget = budget_of(20000);
    uint64_t seed = 9;
    for (int i = 0; i < FRAMES; i++) {
        while (wend_service_get_pending(service) < 64) {
            wend_request request = random_request(map, &seed);
            wend_service_submit(service, &request, NULL);
        }
        double begun = cpu_us();
        wend_service_tick(service, &budget, NULL);
        us[i] = cpu_us() - begun;
    }
    puts("frames,expansions_each,us_p50,us_p99,us_max");
    printf("%d,20000,%.0f,%.0f,%.0f\n", FRAMES, median(us, FRAMES), percentile(us, FRAMES, 990),
           percentile(us, FRAMES, 1000));
    wend_service_destroy(service);
}

/* A frame that answers requests for a goal out of reach, next to searches for 20,000 expansions; and without them. */
static double frame_us(wend_map *map, wend_cell closed, int impossible, wend_frame *frame) {
    wend_service *service = service_of(4, 1000);
    uint64_t seed = 11;
    const wend_budget budget = budget_of(20000);
    for (int i = 0; i < 64 + impossible; i++) {
        wend_request request = random_request(map, &seed);
        if (i >= 64) request.goal = closed;
        wend_service_submit(service, &request, NULL);
    }
    double begun = cpu_us();
    wend_service_tick(service, &budget, frame);
    double us = cpu_us() - begun;
    wend_service_destroy(service);
    return us;
}

static void unreachable(void) {
    enum { IMPOSSIBLE = 10000 };
    wend_map *map = bench_map_rooms(SIDE, 16);
    wend_cell middle = {SIDE / 2, SIDE / 2, 0};
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, (wend_box){{middle.x - 1, middle.y - 1, 0}, {middle.x + 1, middle.y + 1, 0}}, 0);
    wend_edit_set_cell(edit, middle, 1);
    publish(edit);
    double with = 1e18, without = 1e18;
    wend_frame frame = {.struct_bytes = sizeof frame};
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        without = least(without, frame_us(map, middle, 0, &frame));
        with = least(with, frame_us(map, middle, IMPOSSIBLE, &frame));
    }
    puts("impossible,expansions,frame_us,frame_us_without,us_each");
    printf("%llu,%llu,%.0f,%.0f,%.3f\n", (unsigned long long)frame.statuses[WEND_STATUS_NO_PATH],
           (unsigned long long)frame.expansions, with, without, (with - without) / IMPOSSIBLE);
    wend_map_release(map);
}

/* Runs all parts, or the named one, for a profiler. */
int main(int argc, char **argv) {
    const char *part = argc > 1 ? argv[1] : "all";
    bool all = strcmp(part, "all") == 0;
    wend_map *map = bench_map_rooms(SIDE, 16);
    if (all || strcmp(part, "overhead") == 0) overhead(map);
    if (all || strcmp(part, "queue") == 0) queues(map);
    if (all || strcmp(part, "long") == 0) long_searches(map);
    if (all || strcmp(part, "unreachable") == 0) unreachable();
    if (all || strcmp(part, "frames") == 0) frames(map);
    wend_map_release(map);
    return 0;
}
