/* SPDX-License-Identifier: MIT */
/* The time of a counted expansion, and the savings of weights, for every kind of request on any map files.
 *
 *   bench_expansions QUERIES REPS MAP...
 *
 * CSV, a line a map and kind: expansions and cost are sums over all queries, next to those of plain A*; ns is CPU time
 * a counted expansion, the best of REPS. With WITHIN=CELLS in the environment goals lie so near; KINDS=TEXT: only kinds
 * with this in their names. The last lines have the sums of each kind over all maps, and the worst ns of
 * any line of a map next to the median. */
#include "harness.h"
#include "../tests/models/both.h"
#include "../tests/models/options.h"
#include <wend/query.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { MOST_QUERIES = 1000, UNITS = 1000, LINKS = 400 };

/* The features of the world of a kind of request. */
enum { TABLES = 1, MARKS = 2, SLOW = 4, FEW_LINKS = 8, MANY_LINKS = 16, CROWD = 32, RINGS = 64, FOUR = 128 };

typedef struct kind {
    const char *name;
    unsigned world;
    int32_t engine, heuristic, weight_milli, reach, occupied, within, goals, mode;
    bool flat; ///< only on flat grids
} kind;

#define ASTAR .engine = WEND_ENGINE_ASTAR
#define JUMP .engine = WEND_ENGINE_JUMP, .flat = true
#define WEIGHT(w) .weight_milli = (w)
#define BLOCK .occupied = WEND_OCCUPIED_BLOCK

static const kind kinds[] = {
    {"plain", 0, ASTAR},
    {"zero", 0, ASTAR, .heuristic = WEND_HEURISTIC_ZERO},
    {"euclid", 0, ASTAR, .heuristic = WEND_HEURISTIC_EUCLID},
    {"manhattan", 0, ASTAR, .heuristic = WEND_HEURISTIC_MANHATTAN},
    {"manhattan 2", 0, ASTAR, .heuristic = WEND_HEURISTIC_MANHATTAN, WEIGHT(2000)},
    {"euclid 1.5", 0, ASTAR, .heuristic = WEND_HEURISTIC_EUCLID, WEIGHT(1500)},
    {"weight 1.2", 0, ASTAR, WEIGHT(1200)},
    {"weight 1.5", 0, ASTAR, WEIGHT(1500)},
    {"weight 2", 0, ASTAR, WEIGHT(2000)},
    {"weight 5", 0, ASTAR, WEIGHT(5000)},
    {"reach 1", 0, ASTAR, .reach = 1},
    {"reach 1 zero", 0, ASTAR, .reach = 1, .heuristic = WEND_HEURISTIC_ZERO},
    {"reach 1 euclid", 0, ASTAR, .reach = 1, .heuristic = WEND_HEURISTIC_EUCLID},
    {"reach 8", 0, ASTAR, .reach = 8},
    {"nearest", 0, ASTAR, .mode = WEND_MODE_NEAREST},
    {"4 goals", 0, ASTAR, .goals = 4},
    {"64 goals", 0, ASTAR, .goals = 64},
    {"64 goals 1.5", 0, ASTAR, .goals = 64, WEIGHT(1500)},
    {"64 goals zero", 0, ASTAR, .goals = 64, .heuristic = WEND_HEURISTIC_ZERO},
    {"64 goals nearest", 0, ASTAR, .goals = 64, .mode = WEND_MODE_NEAREST},
    {"jump", TABLES, JUMP},
    {"jump zero", TABLES, JUMP, .heuristic = WEND_HEURISTIC_ZERO},
    {"jump reach 8", TABLES, JUMP, .reach = 8},
    {"jump nearest", TABLES, JUMP, .mode = WEND_MODE_NEAREST},
    {"jump 4 goals", TABLES, JUMP, .goals = 4},
    {"jump 64 goals", TABLES, JUMP, .goals = 64},
    {"marks", MARKS, ASTAR},
    {"marks reach 1", MARKS, ASTAR, .reach = 1},
    {"marks 64 goals", MARKS, ASTAR, .goals = 64},
    {"marks jump", TABLES | MARKS, JUMP},
    {"marks jump reach 8", TABLES | MARKS, JUMP, .reach = 8},
    {"marks jump 64 goals", TABLES | MARKS, JUMP, .goals = 64},
    {"slow", SLOW, ASTAR},
    {"slow 1.5", SLOW, ASTAR, WEIGHT(1500)},
    {"slow reach 1", SLOW, ASTAR, .reach = 1},
    {"slow jump", SLOW | TABLES, JUMP},
    {"slow marks jump", SLOW | TABLES | MARKS, JUMP},
    {"10 links", FEW_LINKS, ASTAR},
    {"10 links 1.5", FEW_LINKS, ASTAR, WEIGHT(1500)},
    {"10 links jump", FEW_LINKS | TABLES, JUMP},
    {"400 links", MANY_LINKS, ASTAR},
    {"400 links reach 8", MANY_LINKS, ASTAR, .reach = 8},
    {"400 links 64 goals", MANY_LINKS, ASTAR, .goals = 64},
    {"400 links jump", MANY_LINKS | TABLES, JUMP},
    {"400 links marks jump", MANY_LINKS | TABLES | MARKS, JUMP},
    {"units block", CROWD, ASTAR, BLOCK},
    {"units cost", CROWD, ASTAR, .occupied = 50},
    {"units block 1.5", CROWD, ASTAR, BLOCK, WEIGHT(1500)},
    {"units 4 goals", CROWD, ASTAR, BLOCK, .goals = 4},
    {"units within 16", CROWD, ASTAR, BLOCK, .within = 16},
    {"units nearest", CROWD, ASTAR, BLOCK, .mode = WEND_MODE_NEAREST},
    {"units jump", CROWD | TABLES, JUMP, BLOCK},
    {"units cost jump", CROWD | TABLES, JUMP, .occupied = 50},
    {"units within 16 jump", CROWD | TABLES, JUMP, BLOCK, .within = 16},
    {"units marks jump", CROWD | TABLES | MARKS, JUMP, BLOCK},
    {"4 neighbours", FOUR, ASTAR, .flat = true},
    {"4 neighbours units block", FOUR | CROWD, ASTAR, BLOCK, .flat = true},
    {"4 neighbours units cost", FOUR | CROWD, ASTAR, .occupied = 3000, .flat = true},
    {"4 neighbours within 32", FOUR | CROWD, ASTAR, .occupied = 3000, .within = 32, .flat = true},
    {"all", CROWD | SLOW | MANY_LINKS, ASTAR, BLOCK, .reach = 1},
    {"all jump", CROWD | SLOW | MANY_LINKS | TABLES | MARKS, JUMP, BLOCK, .reach = 1},
    {"enclosed", RINGS, ASTAR, BLOCK},
    {"enclosed nearest", RINGS, ASTAR, BLOCK, .mode = WEND_MODE_NEAREST},
    {"enclosed jump", RINGS | TABLES | MARKS, JUMP, BLOCK},
    {"enclosed nearest jump", RINGS | TABLES | MARKS, JUMP, BLOCK, .mode = WEND_MODE_NEAREST},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

typedef struct sums {
    uint64_t expansions;
    int64_t cost;
    double ns;
    double worst; ///< cost relative to plain, of any query
    const char *engine;
} sums;

typedef struct query {
    wend_cell start, goals[WEND_MAX_GOALS];
    int64_t cost; ///< plain
} query;

static query queries[MOST_QUERIES];
static samples rows;
static sums totals[KIND_COUNT], plain_totals[KIND_COUNT];

/* ---- worlds ---- */

static wend_cell open_cell(const wend_map *map, const wend_map_info *info, uint64_t *state) {
    for (;;) {
        const wend_cell cell = random_cell(info, state);
        bool open = false;
        const wend_error error = wend_map_reachable(map, WEND_MOVER_DEFAULT, cell, cell, &open);
        need(error == WEND_OK || error == WEND_OUT_OF_RANGE, wend_error_detail(error)); /* a graph may lack a node */
        if (error == WEND_OK && open) return cell;
    }
}

static void slow_down(wend_map *map, const wend_map_info *info) {
    uint64_t state = 3;
    wend_edit *edit = begin_edit(map);
    for (uint64_t i = 0; i < info->cells / 1000; i++) { /* patches of about 10 by 10: a tenth of the map */
        const wend_cell at = open_cell(map, info, &state);
        for (int32_t j = 0; j < 100; j++) {
            const wend_cell cell = {at.x + j % 10, info->height > 1 ? at.y + j / 10 : 0, at.z};
            uint8_t class = 0;
            if (cell.x >= info->width || cell.y >= info->height) continue;
            check(wend_map_get_terrain(map, cell, &class));
            if (class == 1) check(wend_edit_set_cell(edit, cell, (uint8_t)(2 + i % 4)));
        }
    }
    publish(edit);
}

static void add_links(wend_map *map, const wend_map_info *info, int count) {
    uint64_t state = 4;
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < count; i++) {
        const wend_cell from = open_cell(map, info, &state), to = open_cell(map, info, &state);
        if (memcmp(&from, &to, sizeof from) != 0) check(add_link_both(edit, from, to, 20000));
    }
    publish(edit);
}

static void accelerate(wend_map *map, unsigned world) {
    wend_acceleration def = default_acceleration();
    def.tables = (world & TABLES) != 0;
    def.landmarks = world & MARKS ? 4 : 0;
    check(wend_map_accelerate(map, &def));
}

/* Units all around a cell, two cells away. */
static void ring(wend_map *map, wend_cell at) {
    for (int32_t z = -2; z <= 2; z++)
        for (int32_t y = -2; y <= 2; y++)
            for (int32_t x = -2; x <= 2; x++) {
                if (x > -2 && x < 2 && y > -2 && y < 2 && z > -2 && z < 2) continue;
                (void)wend_map_occupy(map, (wend_cell){at.x + x, at.y + y, at.z + z}); /* the cell may be off the map */
            }
}

static void build_world(wend_map *map, const wend_map_info *info, unsigned world, int count) {
    uint64_t state = 6;
    if (world & FOUR) {
        wend_map_rules rules = default_rules();
        rules.neighbours = 4, rules.cost_straight = 1000, rules.cost_diagonal = 1414;
        check(wend_map_set_rules(map, &rules));
    }
    if (world & SLOW) slow_down(map, info);
    if (world & FEW_LINKS) add_links(map, info, 10);
    if (world & MANY_LINKS) add_links(map, info, LINKS);
    if (world & (TABLES | MARKS)) accelerate(map, world);
    for (int i = 0; world & CROWD && i < UNITS; i++) check(wend_map_occupy(map, open_cell(map, info, &state)));
    for (int i = 0; world & RINGS && i < count; i++) ring(map, queries[i].goals[0]);
}

/* ---- queries ---- */

static bool is_near(wend_cell a, wend_cell b, int32_t within) {
    return abs(a.x - b.x) <= within && abs(a.y - b.y) <= within && abs(a.z - b.z) <= within;
}

static void draw_queries(const wend_map *map, const wend_map_info *info, int count, int32_t within) {
    uint64_t state = 5;
    for (int i = 0; i < count; i++) {
        query *q = &queries[i];
        bool connected = false;
        for (int tries = 0; tries < 1000 && !connected; tries++) {
            q->start = open_cell(map, info, &state);
            do q->goals[0] = open_cell(map, info, &state);
            while (!is_near(q->start, q->goals[0], within));
            check(wend_map_reachable(map, WEND_MOVER_DEFAULT, q->start, q->goals[0], &connected));
        }
        for (int g = 1; g < WEND_MAX_GOALS; g++) q->goals[g] = open_cell(map, info, &state);
        q->cost = 0;
    }
}

static wend_request request_of(wend_map *map, const kind *k, const query *q) {
    wend_request request = path_request(map, q->start, q->goals[0]);
    options_of(&request)->engine = k->engine, options_of(&request)->heuristic = k->heuristic;
    if (k->weight_milli > 0) options_of(&request)->weight_milli = k->weight_milli;
    request.reach = k->reach, request.mode = k->mode, options_of(&request)->occupied = k->occupied;
    if (k->within > 0) options_of(&request)->occupied_within = k->within;
    options_of(&request)->more_goal_count = k->goals > 1 ? (uint32_t)k->goals - 1 : 0;
    options_of(&request)->more_goals = q->goals + 1;
    return request;
}

static void answer(wend_search *search, wend_map *map, const kind *k, query *q, sums *to, bool keep) {
    const wend_request request = request_of(map, k, q);
    wend_completion result;
    to->ns += solve(search, &request, &result) * 1e3;
    need(result.status != WEND_STATUS_OUT_OF_NODES, "the search has too few nodes");
    to->expansions += result.expansions;
    to->engine = result.engine == WEND_ENGINE_JUMP ? "jump" : "astar";
    if (result.cost <= 0) return;
    to->cost += result.cost;
    if (keep) q->cost = result.cost;
    if (q->cost > 0 && (double)result.cost / (double)q->cost > to->worst)
        to->worst = (double)result.cost / (double)q->cost;
}

static sums measure(wend_map *map, const kind *k, int count, int repeats, bool keep) {
    wend_search *search = open_search(UINT64_C(1) << 25);
    sums best = {0};
    for (int r = -1; r < repeats; r++) { /* once to warm up */
        sums now = {0};
        for (int i = 0; i < count; i++) answer(search, map, k, &queries[i], &now, keep);
        if (r <= 0 || now.ns < best.ns) best = now;
    }
    wend_search_destroy(search);
    return best;
}

static void print_row(const char *map, const char *name, const sums *s, const sums *plain) {
    printf("%s,%s,%s,%" PRIu64 ",%.1f,%.3f,%.3f,%.3f\n", map, name, s->engine, s->expansions,
           s->ns / (double)s->expansions, (double)s->expansions / (double)plain->expansions,
           (double)s->cost / (double)plain->cost, s->worst);
    fflush(stdout);
}

static void add(sums *to, const sums *more) {
    to->engine = more->engine;
    to->expansions += more->expansions, to->cost += more->cost, to->ns += more->ns;
    if (more->worst > to->worst) to->worst = more->worst;
}

static bool asked_on_graphs(const kind *k) {
    return k->reach == 0 && k->within == 0 && k->heuristic <= WEND_HEURISTIC_EXACT && !(k->world & RINGS);
}

static void bench_file(const char *path, int count, int repeats, int32_t within, const char *only) {
    const char *name = base_name(path);
    unsigned world = 0;
    sums plain = {0};
    wend_map *map = load_map(path, 1000, 1414);
    const wend_map_info info = info_now(map);
    draw_queries(map, &info, count, within);
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *k = &kinds[i];
        if (info.kind != WEND_KIND_GRID && k->flat) continue;
        if (info.kind == WEND_KIND_GRAPH && !asked_on_graphs(k)) continue;
        if (only && i > 0 && !strstr(k->name, only)) continue;
        if (k->world != world) {
            wend_map_release(map);
            map = load_map(path, 1000, 1414);
            build_world(map, &info, k->world, count);
            world = k->world;
        }
        const sums s = measure(map, k, count, repeats, i == 0);
        if (i == 0) plain = s;
        print_row(name, k->name, &s, &plain);
        add(&totals[i], &s), add(&plain_totals[i], &plain);
        note(&rows, s.ns / (double)s.expansions);
    }
    wend_map_release(map);
}

int main(int argc, char **argv) {
    need(argc > 3, "usage: bench_expansions QUERIES REPS MAP...");
    const int count = atoi(argv[1]), repeats = atoi(argv[2]);
    need(count > 0 && count <= MOST_QUERIES && repeats > 0, "from 1 to 1000 queries, at least one repeat");
    const char *near = getenv("WITHIN");
    const int32_t within = near ? atoi(near) : INT32_MAX;
    need(within > 0, "WITHIN is a number of cells, from 1");
    printf("map,kind,engine,expansions,ns,of_plain_expansions,of_plain_cost,worst_cost\n");
    for (int i = 3; i < argc; i++) bench_file(argv[i], count, repeats, within, getenv("KINDS"));
    for (int i = 0; i < KIND_COUNT; i++)
        if (totals[i].expansions > 0) print_row("all", kinds[i].name, &totals[i], &plain_totals[i]);
    const double middle = median(rows.values, rows.count), worst = percentile(rows.values, rows.count, 1000);
    printf("median_ns,worst_ns,ratio\n%.1f,%.1f,%.2f\n", middle, worst, worst / middle);
    return 0;
}
