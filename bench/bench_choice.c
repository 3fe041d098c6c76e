/* SPDX-License-Identifier: MIT */
/* Compares the engine that `auto` chooses with the faster one: A* and jump search through a service, on one map.
 *
 *   bench_choice MAP STRAIGHT DIAGONAL [LANDMARKS]                 a map from a file
 *   bench_choice SIDExWIDTHxPERCENT STRAIGHT DIAGONAL [LANDMARKS]  obstacles WIDTH cells wide and high on PERCENT of
 *                                                                  SIDE x SIDE cells
 *
 * A diagonal of 0: the map has 4 neighbours. The number of landmarks; default none. CSV: a line for queries all
 * over the map, one for goals within 35 cells, one for 12. Both engines get the same queries by turns, the best of
 * three turns; times are CPU time of frames. bench/choice.sh measures many maps. */
#include "harness.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "fast/acceleration.h"
#include "../tests/models/options.h"
#include <wend/control.h>

enum { MOST = 3000, TURNS = 3, FAR = 0, NEAR = 35, NEARER = 12 };
static const double turn_us = 400e3; ///< about the time of a turn of A*

typedef struct bench {
    wend_map *map;
    wend_service *service;
    wend_map_info info;
    int straight;
    const char *name;
    double corners, diagonals; ///< per hundred ends of runs, see src/fast/jump/grid_jump_choice.h
} bench;

typedef struct query {
    wend_cell start, goal;
} query;

typedef struct tally {
    uint64_t cost;
    size_t found, jumps;
} tally;

/* ---- the map ---- */

static wend_map *scattered(int side, int width, double percent) {
    uint8_t *terrain = malloc((size_t)side * (size_t)side);
    uint64_t state = 3;
    need(terrain, "out of memory");
    memset(terrain, WEND_CLASS_OPEN, (size_t)side * (size_t)side);
    for (double left = percent / 100 * side * side; left > 0;) {
        const int x = (int)bench_random(&state, (uint32_t)(side - width)),
                  y = (int)bench_random(&state, (uint32_t)(side - width));
        for (int i = 0; i < width * width; i++) {
            uint8_t *cell = &terrain[(y + i / width) * side + x + i % width];
            left -= *cell != WEND_CLASS_BLOCKED;
            *cell = WEND_CLASS_BLOCKED;
        }
    }
    wend_map *map = grid_of(terrain, side, side);
    free(terrain);
    return map;
}

static void bench_open(bench *b, const char *what, int straight, int diagonal, int landmarks) {
    int side, width;
    double percent;
    if (sscanf(what, "%dx%dx%lf", &side, &width, &percent) == 3) {
        b->map = scattered(side, width, percent);
    } else {
        b->map = load_map(what, 0, 0);
    }
    wend_map_rules rules = rules_now(b->map);
    rules.cost_straight = straight, rules.cost_diagonal = diagonal ? diagonal : straight;
    rules.neighbours = diagonal ? 8 : 4;
    check(wend_map_set_rules(b->map, &rules));
    check(wend__map_prepare_jumps(b->map));
    check(wend__map_prepare_landmarks(b->map, landmarks));
    b->straight = straight;
    b->info = info_now(b->map);
    wend__version *v = wend__map_acquire(b->map, false);
    const uint64_t *counts = v->jump_counts, ends = counts[WEND__JUMP_WALLS] + counts[WEND__JUMP_CORNERS];
    b->corners = ends ? 100 * (double)counts[WEND__JUMP_CORNERS] / (double)ends : 0;
    b->diagonals = ends ? 100 * (double)counts[WEND__JUMP_DIAGONALS] / (double)ends : 0;
    wend__map_release(v, false);
    b->name = base_name(what);
    wend_service_def service = default_service();
    service.nodes = 2 * b->info.cells + (1 << 20);
    service.max_path_cells = b->info.cells < (1 << 20) ? b->info.cells : 1 << 20;
    service.path_bytes = 16 << 20;
    b->service = open_service(&service);
}

/* ---- queries ---- */

static int any(uint64_t *state, int below) {
    return (int)bench_random(state, (uint32_t)below);
}

static size_t draw_queries(const bench *b, int within, query *out, size_t count, uint64_t state) {
    size_t n = 0;
    for (size_t tries = 0; n < count && tries < 1000 * count; tries++) {
        query q;
        q.start = random_place(b->info.width, b->info.height, &state);
        q.goal = random_place(b->info.width, b->info.height, &state);
        if (within != FAR)
            q.goal.x = q.start.x + any(&state, 2 * within + 1) - within,
            q.goal.y = q.start.y + any(&state, 2 * within + 1) - within;
        if (is_connected(b->map, WEND_MOVER_DEFAULT, q.start, q.goal)) out[n++] = q;
    }
    return n;
}

static void add(void *context, const wend_completion *done) {
    tally *t = context;
    t->cost += (uint64_t)done->cost;
    t->found += done->status == WEND_STATUS_FOUND;
    t->jumps += done->engine == WEND_ENGINE_JUMP;
}

static double run(const bench *b, const query *queries, size_t count, int32_t engine, tally *sum) {
    *sum = (tally){0};
    for (size_t i = 0; i < count; i++) {
        wend_request request = path_request(b->map, queries[i].start, queries[i].goal);
        options_of(&request)->engine = engine;
        request.on_done = add, request.context = sum;
        submit(b->service, &request);
    }
    wend_budget budget = default_budget();
    double begun = cpu_us();
    while (wend_service_get_work(b->service) > 0) wend_service_tick(b->service, &budget, NULL);
    return cpu_us() - begun;
}

static void measure(const bench *b, const char *kind, int within) {
    static query queries[MOST];
    tally astar, jump, chosen;
    double astar_us = 1e18, jump_us = 1e18;
    size_t count = draw_queries(b, within, queries, 8, 1);
    if (count == 0) return;
    const double one = run(b, queries, count, WEND_ENGINE_ASTAR, &astar) / (double)count;
    count = one * MOST < turn_us ? MOST : (size_t)(turn_us / one) + 8;
    count = draw_queries(b, within, queries, count, 2);
    for (int turn = 0; turn < TURNS; turn++) {
        double us = run(b, queries, count, WEND_ENGINE_ASTAR, &astar);
        if (us < astar_us) astar_us = us;
        us = run(b, queries, count, WEND_ENGINE_JUMP, &jump);
        if (us < jump_us) jump_us = us;
    }
    run(b, queries, count, WEND_ENGINE_AUTO, &chosen);
    need(astar.cost == jump.cost && astar.cost == chosen.cost && astar.found == count, "the engines do not agree");
    const bool jumps = 2 * chosen.jumps > count;
    const double best = astar_us < jump_us ? astar_us : jump_us;
    printf("%s,%d,%d,%s,%zu,%.1f,%.1f,%.2f,%.2f,%.3f,%s,%.3f,%d\n", b->name, b->straight, b->info.width, kind, count,
           b->corners, b->diagonals, astar_us / (double)count, jump_us / (double)count, jump_us / astar_us,
           jumps ? "jump" : "astar", (jumps ? jump_us : astar_us) / best, b->info.landmarks);
    fflush(stdout);
}

int main(int argc, char **argv) {
    bench b = {0};
    need(argc == 4 || argc == 5, "usage: bench_choice MAP|SIDExWIDTHxPERCENT STRAIGHT DIAGONAL [LANDMARKS]");
    bench_open(&b, argv[1], atoi(argv[2]), atoi(argv[3]), argc == 5 ? atoi(argv[4]) : 0);
    measure(&b, "far", FAR);
    measure(&b, "near", NEAR);
    measure(&b, "nearer", NEARER);
    wend_service_destroy(b.service);
    wend_map_release(b.map);
    return 0;
}
