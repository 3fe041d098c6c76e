/* SPDX-License-Identifier: MIT */
/* Compares nearest requests with exact ones, on any map files.
 *
 *   bench_nearest QUERIES MAP...
 *
 * Goals that can be reached, and goals in a room with a closed door, where the exact request is asked with the door
 * open; one goal and 64, among units, links, one-way steps and for a large mover. CSV, a line a map and case:
 * expansions and CPU time of all queries. Exits 1 where nearest requests take more than three times the expansions
 * of the exact ones. */
#include "harness.h"
#include "../tests/models/both.h"
#include "map/kinds/graph.h"
#include "../tests/models/options.h"
#include <wend/units.h>
#include <wend/ways.h>

enum { ROOM = 12, REPEATS = 3, UNITS = 500, LINKS = 20, LEDGES = 500, MOST_RATIO = 3, MOST_ROOM = 32768, TRIES = 200 };

/* A world may have these, and its terrain. */
enum { WITH_UNITS = 1, WITH_LINKS = 2, WITH_LEDGES = 4, WITH_CART = 8 };

typedef struct scene {
    const char *name;
    unsigned with;
} scene;

static const scene scenes[] = {
    {"plain", 0}, {"units", WITH_UNITS}, {"links", WITH_LINKS}, {"ledges", WITH_LEDGES}, {"cart", WITH_CART},
};

typedef struct bench {
    const char *name;
    wend_map *map;
    wend_map_info info;
    wend_search *search;
    int32_t mover;
    uint64_t state;
    bool failed;
} bench;

/* ---- worlds ---- */

static bool connects(const bench *b, wend_cell from, wend_cell to) {
    return is_connected(b->map, b->mover, from, to);
}

static wend_cell open_cell(bench *b) {
    for (;;) {
        const wend_cell cell = random_cell(&b->info, &b->state);
        if (connects(b, cell, cell)) return cell;
    }
}

static void add_links(bench *b) {
    wend_edit *edit = begin_edit(b->map);
    for (int i = 0; i < LINKS; i++) {
        const wend_cell from = open_cell(b), to = open_cell(b);
        if (memcmp(&from, &to, sizeof from) != 0) check(add_link_both(edit, from, to, 50000));
    }
    publish(edit);
}

/* Steps to the east that are closed. */
static void add_ledges(bench *b) {
    wend_edit *edit = begin_edit(b->map);
    for (int i = 0; i < LEDGES; i++) {
        const wend_cell from = open_cell(b), to = {from.x + 1, from.y, from.z};
        if (to.x < b->info.width) check(wend_edit_set_step(edit, from, to, 0));
    }
    publish(edit);
}

static void add_cart(bench *b) {
    wend_mover cart = default_mover();
    cart.size = 2;
    check(wend_map_add_mover(b->map, &cart, &b->mover));
}

static void accelerate(bench *b) {
    wend_acceleration fast = default_acceleration();
    fast.mover = b->mover;
    check(wend_map_accelerate(b->map, &fast));
}

static void open_world(bench *b, const char *path, unsigned with) {
    b->map = load_map(path, 1000, 1414);
    b->info = info_now(b->map);
    b->mover = WEND_MOVER_DEFAULT, b->state = 5;
    if (with & WITH_LINKS) add_links(b);
    if (with & WITH_LEDGES) add_ledges(b);
    if (with & WITH_CART) add_cart(b);
    accelerate(b);
    for (int i = 0; with & WITH_UNITS && i < UNITS; i++) check(wend_map_occupy(b->map, open_cell(b)));
}

/* ---- rooms ---- */

/* A room around a cell: the inside, and the cells of its wall; the first of them that was open is the door. */
typedef struct room {
    wend_cell inside[MOST_ROOM], wall[MOST_ROOM], door;
    int inside_count, wall_count;
} room;

static void add_to_room(room *r, wend_cell cell, bool wall) {
    if (wall && r->wall_count < MOST_ROOM) r->wall[r->wall_count++] = cell;
    if (!wall && r->inside_count < MOST_ROOM) r->inside[r->inside_count++] = cell;
}

static void take_box(const bench *b, wend_cell middle, room *r) {
    const int32_t rise = b->info.kind == WEND_KIND_VOXEL ? ROOM : 0;
    for (int32_t z = -rise; z <= rise; z++)
        for (int32_t y = -ROOM; y <= ROOM; y++)
            for (int32_t x = -ROOM; x <= ROOM; x++) {
                const wend_cell cell = {middle.x + x, middle.y + y, middle.z + z};
                const bool wall = abs(x) == ROOM || abs(y) == ROOM || (rise && abs(z) == ROOM);
                if (connects(b, cell, cell)) add_to_room(r, cell, wall);
            }
}

/* On a graph the nodes ROOM edges away are its wall. */
static void take_nodes(const bench *b, wend_cell middle, room *r) {
    const wend__graph *graph = b->map->graph;
    uint8_t *seen = calloc(graph->nodes, 1);
    need(seen, "out of memory");
    int from = 0, end;
    seen[middle.x] = 1;
    add_to_room(r, middle, false);
    for (int hops = 1; hops <= ROOM; hops++)
        for (end = r->inside_count; from < end; from++) {
            const uint32_t node = (uint32_t)r->inside[from].x;
            for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
                const uint32_t to = graph->arcs[i].to;
                if (!seen[to]) add_to_room(r, (wend_cell){(int32_t)to, 0, 0}, hops == ROOM);
                seen[to] = 1;
            }
        }
    free(seen);
}

static void set_wall(bench *b, const room *r, uint8_t class) {
    wend_edit *edit = begin_edit(b->map);
    for (int i = 0; i < r->wall_count; i++) check(wend_edit_set_cell(edit, r->wall[i], class));
    publish(edit);
}

static void set_door(bench *b, const room *r, uint8_t class) {
    check(wend_map_set_cell(b->map, r->door, class, NULL));
}

/* Find a door through which the start leads to the goal. */
static bool find_door(bench *b, room *r, wend_cell start, wend_cell goal) {
    for (int i = 0; i < r->wall_count; i++) {
        r->door = r->wall[(i * 7 + 3) % r->wall_count];
        set_door(b, r, WEND_CLASS_OPEN);
        if (connects(b, start, goal)) return true;
        set_door(b, r, WEND_CLASS_BLOCKED);
    }
    return false;
}

/* ---- queries ---- */

typedef struct sums {
    uint64_t expansions;
    double us;
    int queries;
} sums;

static wend_status answer(bench *b, const wend_request *request, sums *to) {
    wend_completion result;
    double best = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        const double us = solve(b->search, request, &result);
        if (us < best) best = us;
    }
    need(result.status != WEND_STATUS_OUT_OF_NODES, "the search has too few nodes");
    to->expansions += result.expansions;
    to->us += best;
    to->queries++;
    return result.status;
}

typedef struct row {
    sums exact, nearest;
} row;

static void print_row(bench *b, const char *world, const char *what, int goals, const row *r) {
    const double ratio = (double)r->nearest.expansions / (double)r->exact.expansions;
    if (r->exact.queries == 0) return;
    printf("%s,%s,%s,%d,%d,%" PRIu64 ",%" PRIu64 ",%.2f,%.1f,%.1f,%.2f\n", b->name, world, what, goals,
           r->exact.queries, r->exact.expansions, r->nearest.expansions, ratio, r->exact.us / r->exact.queries,
           r->nearest.us / r->nearest.queries, r->nearest.us / r->exact.us);
    fflush(stdout);
    b->failed |= ratio > MOST_RATIO;
}

static wend_request request_of(bench *b, unsigned with, wend_cell start, wend_cell *goals, int count) {
    wend_request request = path_request(b->map, start, goals[0]);
    request.mover = b->mover;
    options_of(&request)->more_goals = goals + 1, options_of(&request)->more_goal_count = (uint32_t)count - 1;
    if (with & WITH_UNITS) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    return request;
}

static void ask_reachable(bench *b, unsigned with, int count, row *r) {
    wend_cell goals[WEND_MAX_GOALS];
    sums exact = r->exact, nearest = r->nearest;
    const wend_cell start = open_cell(b);
    for (int i = 0; i < count; i++) goals[i] = open_cell(b);
    wend_request request = request_of(b, with, start, goals, count);
    if (answer(b, &request, &exact) != WEND_STATUS_FOUND) return;
    request.mode = WEND_MODE_NEAREST;
    need(answer(b, &request, &nearest) == WEND_STATUS_FOUND, "a goal that can be reached is not found");
    r->exact = exact, r->nearest = nearest;
}

static void ask_behind_door(bench *b, unsigned with, int count, row *r) {
    static room around;
    wend_cell goals[WEND_MAX_GOALS];
    const wend_cell start = open_cell(b), middle = open_cell(b);
    around.inside_count = around.wall_count = 0;
    if (b->info.kind == WEND_KIND_GRAPH)
        take_nodes(b, middle, &around);
    else
        take_box(b, middle, &around);
    if (around.wall_count == 0 || around.wall_count == MOST_ROOM) return;
    set_wall(b, &around, WEND_CLASS_BLOCKED);
    for (int i = 0; i < count; i++)
        goals[i] = i == 0 ? middle : around.inside[bench_random(&b->state, (uint32_t)around.inside_count)];
    sums exact = r->exact, nearest = r->nearest;
    wend_request request = request_of(b, with, start, goals, count);
    if (connects(b, start, start) && connects(b, middle, middle) && !connects(b, start, middle) &&
        find_door(b, &around, start, middle)) {
        const bool found = answer(b, &request, &exact) == WEND_STATUS_FOUND;
        set_door(b, &around, WEND_CLASS_BLOCKED);
        request.mode = WEND_MODE_NEAREST;
        if (found && answer(b, &request, &nearest) == WEND_STATUS_PARTIAL) r->exact = exact, r->nearest = nearest;
    }
    set_wall(b, &around, WEND_CLASS_OPEN);
}

static void bench_scene(bench *b, const char *path, const scene *s, int queries) {
    static const int counts[] = {1, 64};
    if (s > scenes && s->with & (WITH_LEDGES | WITH_CART) && b->info.kind == WEND_KIND_GRAPH)
        return; /* a graph has no steps */
    open_world(b, path, s->with);
    for (int i = 0; i < 2; i++) {
        row reachable = {0}, closed = {0};
        for (int q = 0; q < queries; q++) ask_reachable(b, s->with, counts[i], &reachable);
        for (int tries = 0; closed.exact.queries < queries && tries < TRIES; tries++)
            ask_behind_door(b, s->with, counts[i], &closed);
        print_row(b, s->name, "reachable", counts[i], &reachable);
        print_row(b, s->name, "closed door", counts[i], &closed);
    }
    wend_map_release(b->map);
}

int main(int argc, char **argv) {
    need(argc > 2 && atoi(argv[1]) > 0, "usage: bench_nearest QUERIES MAP...");
    static bench b;
    b.search = open_search(UINT64_C(1) << 24);
    puts("map,world,goal,goals,queries,exact_expansions,nearest_expansions,ratio,exact_us,nearest_us,time_ratio");
    for (int i = 2; i < argc; i++) {
        b.name = base_name(argv[i]);
        for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) bench_scene(&b, argv[i], &scenes[s], atoi(argv[1]));
    }
    wend_search_destroy(b.search);
    return b.failed;
}
