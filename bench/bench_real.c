/* SPDX-License-Identifier: MIT */
/* Times requests of games on a map of the MovingAI benchmarks: each row's queries by bare searches of every engine,
 * the same queries asked plainly, and a plain A* over arrays. Prints CSV, a line a row.
 *
 *   bench_real MAP SCEN [QUERIES [ROW...]]    100 queries and all rows by default
 *
 * Jump tables and four landmarks. Times are thread CPU time from begin to the answer, without the path's cells;
 * the best of three of each query (of nine where it is short), of one for the A* over arrays. `units within` sends
 * the request's window, so its set-up counts. Every cost is compared with the plain A*'s, and every tenth with
 * Dijkstra's. Exits 1 where one differs. */
#include "harness.h"
#include "real_scenery.h"
#include "scenario_file.h"
#include "../tests/models/options.h"

enum { REPEATS = 3, SHORT_REPEATS = 9, SHORT_US = 500, BLIND_EVERY = 10, BLOCK = WEND_OCCUPIED_BLOCK, PRICE = 3000 };

static const real_row rows[] = {
    {"plain", .astar = true},
    {"1 unit", .units = 1, .occupied = BLOCK},
    {"1 slow cell", .slow_permille = -1},
    {"1 link", .links = 1},
    {"reach 1", .reach = 1},
    {"nearest", .nearest = true},
    {"reach 2", .reach = 2},
    {"reach 8", .reach = 8},
    {"10 pairs of links", .links = 10},
    {"4 goals", .goals = 4},
    {"64 goals", .goals = 64},
    {"units within 16", .units = 5000, .occupied = BLOCK, .within = 16},
    {"units within 64", .units = 5000, .occupied = BLOCK, .within = 64},
    {"100 units", .units = 100, .occupied = BLOCK},
    {"slow 1 %", .slow_permille = 10},
    {"1,000 units", .units = 1000, .occupied = BLOCK, .astar = true},
    {"100 units at a price", .units = 100, .occupied = PRICE},
    {"1,000 units at a price", .units = 1000, .occupied = PRICE},
    {"slow 10 %", .slow_permille = 100, .astar = true},
    {"100 pairs of links", .links = 100, .astar = true},
    {"5,000 units", .units = 5000, .occupied = BLOCK, .astar = true},
    {"5,000 units at a price", .units = 5000, .occupied = PRICE},
    {"slow 30 %", .slow_permille = 300, .astar = true},
    {"weight 1.2", .weight_milli = 1200, .astar = true},
    {"weight 1.5", .weight_milli = 1500, .astar = true},
    {"weight 2", .weight_milli = 2000, .astar = true},
};

typedef struct sums {
    double us;
    uint64_t expansions, jumps;
} sums;

typedef struct bench {
    const char *path, *name;
    wend_map *plain, *map; ///< as it was read; and with the row's additions
    real_world world;
    plain_search *yardstick;
    wend_search *search;
    const scenario_query **queries;
    size_t query_count, wrong;
} bench;

/* ---- maps ---- */

/* Queries from all parts of the scenario, as many of each length as it has. */
static void choose_queries(bench *b, const scenario *scen, size_t most) {
    const size_t count = scen->count;
    size_t moving = 0;
    const scenario_query *all = scen->queries;
    const scenario_query **given = malloc((count + 1) * sizeof *given);
    b->queries = malloc((most + 1) * sizeof *b->queries);
    need(given && b->queries, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (all[i].start.x != all[i].goal.x || all[i].start.y != all[i].goal.y) given[moving++] = &all[i];
    b->query_count = moving < most ? moving : most;
    for (size_t i = 0; i < b->query_count; i++) {
        const scenario_query *q = given[moving <= most ? i : (2 * i + 1) * moving / (2 * most)];
        b->queries[i] = q;
        b->world.taken[q->start.y * b->world.ground.width + q->start.x] = 1;
        b->world.taken[q->goal.y * b->world.ground.width + q->goal.x] = 1;
    }
    free(given);
}

static void bench_open(bench *b, const char *path) {
    b->path = path;
    b->name = base_name(path);
    b->plain = load_map(path, 1000, 1414);
    real_read(&b->world, b->plain);
    b->yardstick = plain_open(&b->world.ground);
    const uint64_t columns = (uint64_t)(b->world.ground.width + 63) / 64;
    const uint64_t nodes = columns * ((uint64_t)(b->world.ground.height + 63) / 64) * 4 * WEND_PAGE_NODES;
    b->search = open_search(nodes);
    check(wend_map_accelerate(b->plain, NULL));
}

/* ---- asking ---- */

/* A query by one engine. */
typedef struct asking {
    const wend_request *request;
    double us;
    wend_completion got;
} asking;

/* The best of a few; of more where it is short, so that each engine finds its memory in the caches. */
static void ask(bench *b, asking *a) {
    for (int repeat = 0; repeat < (a->us < SHORT_US ? SHORT_REPEATS : REPEATS); repeat++) {
        const double us = solve(b->search, a->request, &a->got);
        if (us < a->us) a->us = us;
    }
}

/* @return the cost; -1: there is no path */
static int64_t add_up(const asking *a, sums *out) {
    out->us += a->us;
    out->expansions += a->got.expansions;
    out->jumps += a->got.engine == WEND_ENGINE_JUMP;
    return a->got.status == WEND_STATUS_FOUND ? a->got.cost : -1;
}

static int64_t measure_yardstick(bench *b, const plain_query *query, sums *out) {
    uint64_t expansions = 0;
    const double begun = cpu_us();
    const int64_t cost = plain_run(b->yardstick, query, &expansions);
    out->us += cpu_us() - begun;
    out->expansions += expansions;
    return cost;
}

typedef struct results {
    sums plain, automatic, jump, astar, yardstick;
    uint64_t asked, none;
} results;

static wend_request request_of(const bench *b, const real_row *row, const scenario_query *query) {
    wend_request request = path_request(b->map, query->start, query->goal);
    request.reach = row->reach;
    options_of(&request)->occupied = row->occupied;
    if (row->within) options_of(&request)->occupied_within = row->within;
    if (row->nearest) request.mode = WEND_MODE_NEAREST;
    if (row->weight_milli) options_of(&request)->weight_milli = row->weight_milli;
    return request;
}

static plain_query plain_of(const bench *b, const wend_request *request, const wend_cell *goals, int count) {
    const int width = b->world.ground.width;
    plain_query query = {.start = request->start.y * width + request->start.x, .goal_count = count};
    for (int i = 0; i < count; i++) query.goals[i] = goals[i].y * width + goals[i].x;
    query.reach = request->reach;
    query.occupied = read_options(request).occupied;
    query.within = read_options(request).occupied_within;
    return query;
}

static bool is_right(const real_row *row, int64_t cost, int64_t optimum) {
    if (optimum < 0 || !row->weight_milli) return cost == optimum;
    return cost >= optimum && cost * 1000 <= optimum * row->weight_milli;
}

static void measure_query(bench *b, const real_row *row, size_t number, uint64_t *state, results *r) {
    wend_cell goals[PLAIN_GOALS];
    wend_request request = request_of(b, row, b->queries[number]), plain = request_of(b, &rows[0], b->queries[number]);
    const int count = real_goals(&b->world, row, request.start, request.goal, state, goals);
    plain_query yardstick = plain_of(b, &request, goals, count);
    options_of(&request)->more_goals = goals + 1, options_of(&request)->more_goal_count = (uint32_t)count - 1;
    plain.map = b->plain;
    if (row->weight_milli) options_of(&plain)->engine = WEND_ENGINE_ASTAR;
    const bool here =
        abs(request.start.x - request.goal.x) <= row->reach && abs(request.start.y - request.goal.y) <= row->reach;
    if (here) return;
    const int64_t optimum = measure_yardstick(b, &yardstick, &r->yardstick);
    yardstick.blind = true;
    if (number % BLIND_EVERY == 0) b->wrong += plain_run(b->yardstick, &yardstick, NULL) != optimum;
    wend_request jump = request, astar = request;
    options_of(&jump)->engine = WEND_ENGINE_JUMP, options_of(&astar)->engine = WEND_ENGINE_ASTAR;
    asking askings[] = {{.request = &plain, .us = 1e18},
                        {.request = &request, .us = 1e18},
                        {.request = &jump, .us = 1e18},
                        {.request = &astar, .us = 1e18}};
    sums *const all[] = {&r->plain, &r->automatic, &r->jump, &r->astar};
    const int engines = row->astar ? 4 : 3;
    for (int i = 0; i < engines; i++) {
        ask(b, &askings[i]);
        const int64_t cost = add_up(&askings[i], all[i]);
        if (i > 0) b->wrong += !is_right(row, cost, optimum);
    }
    r->asked++;
    r->none += optimum < 0;
}

static void print_sums(const sums *s) {
    printf(",%.1f,%" PRIu64, s->us, s->expansions);
}

static void measure_row(bench *b, const real_row *row) {
    results r = {0};
    uint64_t state = (uint64_t)(row - rows) + 1;
    if (row->units > b->world.open_count / 8) return;
    real_furnish(&b->world, row, state);
    plain_renew_links(b->yardstick);
    b->map = load_map(b->path, 1000, 1414);
    real_write(&b->world, b->map);
    check(wend_map_accelerate(b->map, NULL));
    const size_t before = b->wrong;
    for (size_t i = 0; i < b->query_count; i++) measure_query(b, row, i, &state, &r);
    printf("%s,\"%s\",%" PRIu64 ",%" PRIu64 ",%zu,%" PRIu64, b->name, row->name, r.asked, r.none, b->wrong - before,
           r.automatic.jumps);
    print_sums(&r.plain);
    print_sums(&r.automatic);
    print_sums(&r.jump);
    print_sums(&r.astar);
    print_sums(&r.yardstick);
    printf("\n");
    fflush(stdout);
    wend_map_release(b->map);
}

int main(int argc, char **argv) {
    static bench b;
    need(argc >= 3, "usage: bench_real MAP SCEN [QUERIES [ROW...]]");
    bench_open(&b, argv[1]);
    scenario scen = read_scenario(argv[2]);
    choose_queries(&b, &scen, argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 100);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool wanted = argc <= 4;
        for (int k = 4; k < argc; k++) wanted = wanted || strcmp(argv[k], rows[i].name) == 0;
        if (wanted) measure_row(&b, &rows[i]);
    }
    wend_search_destroy(b.search);
    plain_close(b.yardstick);
    real_free(&b.world);
    free(b.queries);
    scenario_free(&scen);
    wend_map_release(b.plain);
    if (b.wrong) fprintf(stderr, "bench_real: %s: %zu costs are wrong\n", b.name, b.wrong);
    return b.wrong > 0;
}
