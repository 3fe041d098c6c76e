/* SPDX-License-Identifier: MIT */
/* What `auto` takes, and what it should have taken: A* and jump search through a service, on one map.
 *
 *   bench_choice MAP STRAIGHT DIAGONAL [LANDMARKS]                 a map from a file
 *   bench_choice SIDExWIDTHxPERCENT STRAIGHT DIAGONAL [LANDMARKS]  obstacles WIDTH cells wide and high on PERCENT of
 *                                                                  SIDE x SIDE cells
 *
 * With so many landmarks; none if not given. CSV: a line for queries all over the map, one for goals within 35
 * cells, one for 12. Both engines get the same ones, turn by turn, the best of three turns; times are CPU time of
 * frames. bench/choice.sh has many maps measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "scenery.h"
#include "map/acceleration.h"

enum { MOST = 3000, TURNS = 3, FAR = 0, NEAR = 35, NEARER = 12 };
static const double turn_us = 400e3; ///< that a turn of A* takes, about

typedef struct bench {
    wend_map *map;
    wend_service *service;
    wend_map_info info;
    int straight;
    const char *name;
    double corners, diagonals; ///< to a hundred runs that end, as src/search/jump/grid_jump_choice.h has them
} bench;

typedef struct query {
    wend_cell start, goal;
} query;

typedef struct tally {
    uint64_t cost;
    size_t found, jumps;
} tally;

static void need(bool done, const char *what) {
    if (done) return;
    fprintf(stderr, "bench_choice: %s\n", what);
    exit(2);
}

/* ---- the map ---- */

static wend_map *scattered(const wend_map_def *given, int side, int width, double percent) {
    wend_map_def def = *given;
    wend_map *map = NULL;
    wend_edit *edit = NULL;
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
    def.width = def.height = side;
    need(wend_map_create(&def, &map) == WEND_OK && wend_edit_begin(map, &edit) == WEND_OK, "no map");
    wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, terrain, (size_t)side);
    need(wend_edit_publish(edit, NULL) == WEND_OK, "no map");
    free(terrain);
    return map;
}

static void bench_open(bench *b, const char *what, int straight, int diagonal, int landmarks) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map_rules def_rules;
    wend_map_rules_init(&def_rules, sizeof def_rules);
    def.rules = &def_rules;
    wend_file_error error = {.struct_bytes = sizeof error};
    int side, width;
    double percent;
    def_rules.cost_straight = straight, def_rules.cost_diagonal = diagonal;
    if (sscanf(what, "%dx%dx%lf", &side, &width, &percent) == 3)
        b->map = scattered(&def, side, width, percent);
    else
        need(wend_map_load(what, &def, &b->map, NULL, &error) == WEND_OK, error.text);
    need(wend__map_prepare_jumps(b->map) == WEND_OK, "no tables");
    need(wend__map_prepare_landmarks(b->map, landmarks) == WEND_OK, "no landmarks");
    b->straight = straight;
    b->info.struct_bytes = sizeof b->info;
    wend_map_get_info(b->map, &b->info);
    wend__version *v = wend__map_acquire(b->map, false);
    const uint64_t *counts = v->jump_counts, ends = counts[WEND__JUMP_WALLS] + counts[WEND__JUMP_CORNERS];
    b->corners = ends ? 100 * (double)counts[WEND__JUMP_CORNERS] / (double)ends : 0;
    b->diagonals = ends ? 100 * (double)counts[WEND__JUMP_DIAGONALS] / (double)ends : 0;
    wend__map_release(v, false);
    const char *slash = strrchr(what, '/');
    b->name = slash ? slash + 1 : what;
    wend_service_def service;
    wend_service_def_init(&service, sizeof service);
    service.nodes = 2 * b->info.cells + (1 << 20);
    service.max_path_cells = b->info.cells < (1 << 20) ? b->info.cells : 1 << 20;
    service.path_bytes = 16 << 20;
    need(wend_service_create(&service, &b->service) == WEND_OK, "no service");
}

/* ---- queries ---- */

static int any(uint64_t *state, int below) {
    return (int)bench_random(state, (uint32_t)below);
}

static size_t draw(const bench *b, int within, query *out, size_t count, uint64_t state) {
    size_t n = 0;
    for (size_t tries = 0; n < count && tries < 1000 * count; tries++) {
        query q = {{any(&state, b->info.width), any(&state, b->info.height), 0},
                   {any(&state, b->info.width), any(&state, b->info.height), 0}};
        if (within != FAR)
            q.goal.x = q.start.x + any(&state, 2 * within + 1) - within,
            q.goal.y = q.start.y + any(&state, 2 * within + 1) - within;
        int32_t reachable = 0;
        wend_map_reachable(b->map, WEND_MOVER_DEFAULT, q.start, q.goal, &reachable);
        if (reachable) out[n++] = q;
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
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.map = b->map, request.engine = engine;
        request.start = queries[i].start, request.goal = queries[i].goal;
        request.on_done = add, request.context = sum;
        need(wend_service_submit(b->service, &request, NULL) == WEND_OK, "not accepted");
    }
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    double begun = bench_cpu_us();
    while (wend_service_get_work(b->service) > 0) wend_service_tick(b->service, &budget, NULL);
    return bench_cpu_us() - begun;
}

static void measure(const bench *b, const char *kind, int within) {
    static query queries[MOST];
    tally astar, jump, chosen;
    double astar_us = 1e18, jump_us = 1e18;
    size_t count = draw(b, within, queries, 8, 1);
    if (count == 0) return;
    const double one = run(b, queries, count, WEND_ENGINE_ASTAR, &astar) / (double)count;
    count = one * MOST < turn_us ? MOST : (size_t)(turn_us / one) + 8;
    count = draw(b, within, queries, count, 2);
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
