/* SPDX-License-Identifier: MIT */
/* Head starts: 1,000 agents submit at once, 1 % of them urgently, with few expansions a frame. Each walks along the
 * first half of the prefix that its search has, from one to the next, and onto its path. CSV, a line a map and engine:
 * frames until an urgent agent moves, and until it has its answer; the length travelled by the optimum. */
#include "harness.h"
#include "motion/walk/points.h"
#include "../tests/models/options.h"

#include <wend/geometry.h>
#include <wend/control.h>
#include <wend/query.h>

enum { AGENTS = 1000, URGENT = 10, ROUNDS = 20, ROOM = 1 << 18 };

typedef struct mover {
    wend_cell start, goal;
    wend_ticket ticket;
    wend_cell *trail, *path; ///< walked, the start first; to be walked
    size_t trail_count, trail_room, path_count, path_room, index;
    uint64_t travelled, optimum, spare;
    uint64_t moved, answered; ///< frames; 0: still to come
    bool done, found;
} mover;

/// Sums over all rounds on a map.
typedef struct sums {
    double moved[ROUNDS * URGENT], answered[ROUNDS * URGENT];
    size_t urgent_count, count;
    double urgent_ratio, ratio, worst;
    uint64_t travelled, optimum;
} sums;

static wend_map *map;
static wend_service *service;
static mover movers[AGENTS];
static wend_cell prefix_cells[ROOM], joined[ROOM];
static wend_cell any_cell; ///< in the largest part, as a rule
static uint64_t frame, straight, speed_milli, expansions;
static uint32_t lanes;

static void put(wend_cell **cells, size_t *count, size_t *room, wend_cell cell) {
    if (*count == *room) {
        *room = *room ? 2 * *room : 64;
        *cells = realloc(*cells, *room * sizeof **cells);
        need(*cells, "out of memory");
    }
    (*cells)[(*count)++] = cell;
}

/* Lead a mover onto a newer path from its start. */
static void lead_onto(mover *m, const wend_cell *cells, size_t count) {
    size_t got;
    if (wend__path_join(map, WEND_MOVER_DEFAULT, m->trail, m->trail_count, cells, count, joined, ROOM, &got)) return;
    if (got > ROOM) exit(1);
    m->path_count = m->index = 0;
    for (size_t i = 0; i < got; i++) put(&m->path, &m->path_count, &m->path_room, joined[i]);
}

static void take_answer(void *context, const wend_completion *done) {
    mover *m = context;
    m->answered = frame;
    m->done = true;
    m->found = done->status == WEND_STATUS_FOUND;
    if (!m->found) return;
    m->optimum = (uint64_t)done->cost;
    lead_onto(m, done->cells, done->cell_count);
}

static void set_out(mover *m) {
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    if (wend_service_get_prefix(service, m->ticket, prefix_cells, ROOM, &prefix) != WEND_OK) return;
    const size_t half = prefix.cell_count / 2 + 1;
    lead_onto(m, prefix_cells, half < ROOM ? half : ROOM);
}

static bool same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Moves an agent for a frame. Returns true if it has not arrived. */
static bool walk_on(mover *m) {
    m->spare += straight * speed_milli;
    while (m->index + 1 < m->path_count) {
        const wend_cell next = m->path[m->index + 1];
        uint64_t cost;
        check(wend_map_path_cost(map, WEND_MOVER_DEFAULT, &m->path[m->index], 2, NULL, &cost));
        if (m->moved == 0) m->moved = frame; /* the first step begins */
        if (m->spare < cost * 1000) return true;
        m->spare -= cost * 1000;
        m->travelled += cost;
        m->index++;
        if (m->trail_count > 1 && same(m->trail[m->trail_count - 2], next))
            m->trail_count--;
        else
            put(&m->trail, &m->trail_count, &m->trail_room, next);
    }
    m->spare = 0;
    return !m->done;
}

static void ask_all(int32_t engine, uint64_t seed) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        mover *m = &movers[i];
        wend_cell *trail = m->trail, *path = m->path;
        const size_t trail_room = m->trail_room, path_room = m->path_room;
        *m = (mover){.trail = trail, .path = path, .trail_room = trail_room, .path_room = path_room};
        check(wend_map_random_cell(map, WEND_MOVER_DEFAULT, any_cell, seed + 2 * i, &m->start));
        check(wend_map_random_cell(map, WEND_MOVER_DEFAULT, m->start, seed + 2 * i + 1, &m->goal));
        put(&m->trail, &m->trail_count, &m->trail_room, m->start);
        wend_request request = path_request(map, m->start, m->goal);
        options_of(&request)->engine = engine;
        request.urgency = i % (AGENTS / URGENT) == AGENTS / URGENT - 1 ? 100 : 0;
        request.on_done = take_answer, request.context = m;
        check(wend_service_submit(service, &request, &m->ticket));
    }
}

static void add_up(sums *s) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        const mover *m = &movers[i];
        if (!m->found || m->optimum == 0) continue;
        const double ratio = (double)m->travelled / (double)m->optimum;
        s->ratio += ratio, s->count++;
        s->travelled += m->travelled, s->optimum += m->optimum;
        if (ratio > s->worst) s->worst = ratio;
        if (i % (AGENTS / URGENT) != AGENTS / URGENT - 1) continue;
        s->urgent_ratio += ratio;
        s->moved[s->urgent_count] = (double)m->moved;
        s->answered[s->urgent_count++] = (double)m->answered;
    }
}

static void run_round(int32_t engine, uint64_t seed, sums *s) {
    wend_service_def def = default_service();
    def.nodes = UINT64_C(1) << 24;
    def.path_bytes = UINT64_C(1) << 26;
    wend_service_tuning tuning = default_tuning();
    tuning.lanes = lanes, def.tuning = &tuning;
    def.max_path_cells = ROOM;
    check(wend_service_create(&def, &service));
    frame = 1;
    ask_all(engine, seed);
    const wend_budget budget = budget_of(expansions);
    for (bool any = true; any; frame++) {
        check(wend_service_tick(service, &budget, NULL));
        any = wend_service_get_pending(service) > 0;
        for (uint32_t i = 0; i < AGENTS; i++) {
            if (!movers[i].done) set_out(&movers[i]);
            any |= walk_on(&movers[i]);
        }
    }
    add_up(s);
    check(wend_service_destroy(service));
}

/* Any open cell to begin with. */
static wend_cell open_cell(void) {
    wend_map_info info = info_now(map);
    for (int32_t i = 0; i < info.width * info.height; i++) {
        const wend_cell cell = {(i + info.width * info.height / 2) % info.width,
                                (i / info.width + info.height / 2) % info.height, 0};
        size_t walkable;
        check(wend_map_path_cost(map, WEND_MOVER_DEFAULT, &cell, 1, &walkable, NULL));
        wend_cell other;
        if (walkable == 1 && wend_map_random_cell(map, WEND_MOVER_DEFAULT, cell, 1, &other) == WEND_OK) return cell;
    }
    exit(1);
}

static void measure(const char *file, int32_t engine, int rounds) {
    static sums s;
    memset(&s, 0, sizeof s);
    map = load_map(file, 0, 0);
    if (engine != WEND_ENGINE_ASTAR) check(wend_map_accelerate(map, NULL));
    straight = (uint64_t)rules_now(map).cost_straight;
    any_cell = open_cell();
    for (int round = 0; round < rounds; round++) run_round(engine, (uint64_t)round * 10 * AGENTS + 1, &s);
    printf("%s,%s,%.0f,%.0f,%.0f,%.0f,%.4f,%.4f,%.4f,%.2f\n", base_name(file),
           engine == WEND_ENGINE_ASTAR ? "astar" : "auto", percentile(s.moved, s.urgent_count, 500),
           percentile(s.moved, s.urgent_count, 990), percentile(s.answered, s.urgent_count, 500),
           percentile(s.answered, s.urgent_count, 990), s.urgent_ratio / (double)s.urgent_count,
           s.ratio / (double)s.count, (double)s.travelled / (double)s.optimum, s.worst);
    fflush(stdout);
    wend_map_release(map);
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 0;
    if (rounds < 1 || rounds > ROUNDS || argc < 6)
        return fprintf(stderr, "usage: bench_head ROUNDS SPEED_MILLI LANES EXPANSIONS MAP...\n"), 2;
    speed_milli = (uint64_t)atoi(argv[2]), lanes = (uint32_t)atoi(argv[3]), expansions = (uint64_t)atoi(argv[4]);
    puts("map,engine,moves_p50,moves_p99,answer_p50,answer_p99,urgent_ratio,mean_ratio,total_ratio,worst");
    for (int i = 5; i < argc; i++) {
        measure(argv[i], WEND_ENGINE_AUTO, rounds);
        measure(argv[i], WEND_ENGINE_ASTAR, rounds);
    }
    for (uint32_t i = 0; i < AGENTS; i++) free(movers[i].trail), free(movers[i].path);
}
