/* SPDX-License-Identifier: MIT */
/* The rules of every kind of world once more, as simple as possible, and Dijkstra (1959) over them. */
#include "models/worlds.h"
#include "models/options.h"

#include <stdlib.h>
#include <string.h>

const int world_dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, world_dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

/* ---- memory ---- */

static void *resized(void *array, int before, int cells, size_t each) {
    array = realloc(array, (size_t)cells * each);
    if (!array) abort();
    if (cells > before) memset((char *)array + (size_t)before * each, 0, (size_t)(cells - before) * each);
    return array;
}

void world_resize(world *w, int width, int height, int depth) {
    const int before = w->cells, cells = width * height * depth;
    w->width = width, w->height = height, w->depth = depth, w->cells = cells;
    w->terrain = resized(w->terrain, before, cells, sizeof *w->terrain);
    w->closed = resized(w->closed, before, cells, sizeof *w->closed);
    w->occupants = resized(w->occupants, before, cells, sizeof *w->occupants);
    w->entrances = resized(w->entrances, before, cells, sizeof *w->entrances);
    if (w->kind == WEND_KIND_GRAPH) w->places = resized(w->places, before, cells, sizeof *w->places);
    for (int i = 0; i < WORLD_PROFILES; i++)
        if (w->tolls[i]) w->tolls[i] = resized(w->tolls[i], before, cells, sizeof *w->tolls[i]);
    w->derived = false;
}

void world_begin(world *w, int kind, int width, int height, int depth) {
    world_free(w);
    w->kind = kind;
    wend_map_rules_init(&w->rules, sizeof w->rules);
    w->rules.neighbours = kind == WEND_KIND_VOXEL ? 26 : 8;
    wend_mover_init(&w->movers[0], sizeof w->movers[0]);
    w->mover_count = 1;
    world_resize(w, width, height, depth);
    memset(w->terrain, WEND_CLASS_OPEN, (size_t)w->cells);
}

void world_free(world *w) {
    free(w->terrain), free(w->closed), free(w->occupants), free(w->entrances), free(w->places);
    for (int i = 0; i < WORLD_PROFILES; i++) free(w->tolls[i]);
    for (int i = 0; i < WORLD_MOVERS; i++) free(w->factors[i]), free(w->steps[i]);
    memset(w, 0, sizeof *w);
}

static void *copied(const void *array, int cells, size_t each) {
    return array ? memcpy(resized(NULL, 0, cells, each), array, (size_t)cells * each) : NULL;
}

void world_copy(world *to, const world *from) {
    world_free(to);
    *to = *from;
    to->terrain = copied(from->terrain, from->cells, sizeof *to->terrain);
    to->closed = copied(from->closed, from->cells, sizeof *to->closed);
    to->occupants = copied(from->occupants, from->cells, sizeof *to->occupants);
    to->entrances = copied(from->entrances, from->cells, sizeof *to->entrances);
    to->places = copied(from->places, from->cells, sizeof *to->places);
    for (int i = 0; i < WORLD_PROFILES; i++) to->tolls[i] = copied(from->tolls[i], from->cells, sizeof *to->tolls[i]);
    for (int i = 0; i < WORLD_MOVERS; i++) to->factors[i] = NULL, to->steps[i] = NULL;
    to->derived = false;
}

uint32_t *world_tolls(world *w, int32_t profile) {
    if (!w->tolls[profile]) w->tolls[profile] = resized(NULL, 0, w->cells, sizeof *w->tolls[profile]);
    return w->tolls[profile];
}

/* ---- cells ---- */

wend_cell world_cell(const world *w, int number) {
    if (w->kind == WEND_KIND_GRAPH) return (wend_cell){number, 0, 0};
    return (wend_cell){number % w->width, number / w->width % w->height, number / w->width / w->height};
}

wend_cell world_any_cell(const world *w, oracle_random *random) {
    if (w->kind == WEND_KIND_GRAPH) return world_cell(w, oracle_below(random, w->cells));
    const int x = oracle_below(random, w->width), y = oracle_below(random, w->height);
    return (wend_cell){x, y, w->depth > 1 ? oracle_below(random, w->depth) : 0};
}

int world_number(const world *w, wend_cell c) {
    return w->kind == WEND_KIND_GRAPH ? c.x : (c.z * w->height + c.y) * w->width + c.x;
}

bool world_has(const world *w, wend_cell c) {
    if (w->kind == WEND_KIND_GRAPH) return c.x >= 0 && c.x < w->cells && c.y == 0 && c.z == 0;
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < w->width && c.y < w->height && c.z < w->depth;
}

static wend_cell plus(wend_cell c, int x, int y, int z) {
    return (wend_cell){c.x + x, c.y + y, c.z + z};
}

static int around(const world *w, int wrap, int size) {
    return w->wrap & wrap ? size : 0;
}

static int wrapped(int at, int around) {
    return around ? (at + around) % around : at;
}

static int apart(int a, int b, int around) {
    const int way = abs(a - b);
    return around && around - way < way ? around - way : way;
}

bool world_beside(const world *w, wend_cell from, int dx, int dy, int dz, wend_cell *to) {
    *to = (wend_cell){wrapped(from.x + dx, around(w, WEND_WRAP_X, w->width)),
                      wrapped(from.y + dy, around(w, WEND_WRAP_Y, w->height)), from.z + dz};
    return world_has(w, *to);
}

wend_cell world_apart(const world *w, wend_cell a, wend_cell b) {
    return (wend_cell){apart(a.x, b.x, around(w, WEND_WRAP_X, w->width)),
                       apart(a.y, b.y, around(w, WEND_WRAP_Y, w->height)), abs(a.z - b.z)};
}

static bool is_within(const world *w, wend_cell a, wend_cell b, int most) {
    const wend_cell way = world_apart(w, a, b);
    return way.x <= most && way.y <= most && way.z <= most;
}

/* Computes cell number i of a mover's place; false: no more. */
static bool covered(const world *w, int mover, wend_cell at, int i, wend_cell *out) {
    int n = w->movers[mover].size, layers = w->kind == WEND_KIND_VOXEL ? n : 1;
    *out = plus(at, i % n, i / n % n, i / n / n);
    return i < n * n * layers;
}

/* ---- walkers ---- */

static bool is_open(const world *w, int mover, wend_cell c) {
    return world_has(w, c) && w->movers[mover].factors[w->terrain[world_number(w, c)]] > 0;
}

static bool is_stairs(const world *w, wend_cell c) {
    return w->terrain[world_number(w, c)] == WEND_CLASS_STAIRS;
}

/* Returns whether a walker stands on a cell: it cannot enter it, and does not avoid its class. */
static bool is_floor(const world *w, int mover, wend_cell c) {
    const uint8_t class = w->terrain[world_number(w, c)];
    return !is_open(w, mover, c) && !(w->movers[mover].avoided[class / 64] >> class % 64 & 1);
}

/* Returns whether `count` cells are open, from this one upwards. */
static bool is_column_open(const world *w, int mover, wend_cell c, int count) {
    for (int i = 0; i < count; i++)
        if (!is_open(w, mover, plus(c, 0, 0, i))) return false;
    return true;
}

static bool can_stand(const world *w, int mover, wend_cell c) {
    if (!is_column_open(w, mover, c, w->movers[mover].headroom)) return false;
    return c.z == 0 || is_stairs(w, c) || is_floor(w, mover, plus(c, 0, 0, -1));
}

/* A step of a walker to another level; the walker can stand on `b`. */
static bool may_change_level(const world *w, int mover, wend_cell a, wend_cell b) {
    const wend_mover *walker = &w->movers[mover];
    const int x = abs(b.x - a.x), y = abs(b.y - a.y), levels = abs(b.z - a.z);
    if (x + y == 0) return levels == 1 && can_stand(w, mover, a) && is_stairs(w, a) && is_stairs(w, b);
    if (x + y != 1) return false;
    if (b.z > a.z)
        return levels <= walker->step_up && can_stand(w, mover, a) &&
               is_column_open(w, mover, a, walker->headroom + levels);
    return levels <= walker->drop && is_column_open(w, mover, b, walker->headroom + levels);
}

int world_factor(const world *w, int mover, wend_cell cell) {
    int most = 0;
    if (w->derived) return world_has(w, cell) ? w->factors[mover][world_number(w, cell)] : 0;
    if (w->movers[mover].walker && !(world_has(w, cell) && can_stand(w, mover, cell))) return 0;
    wend_cell c;
    for (int i = 0; covered(w, mover, cell, i, &c); i++) {
        int factor = world_has(w, c) ? w->movers[mover].factors[w->terrain[world_number(w, c)]] : 0;
        if (factor == 0) return 0;
        if (factor > most) most = factor;
    }
    return most;
}

static bool is_crowded(const world *w, const wend_request *request, const wend_search_options *options,
                       wend_cell cell) {
    const int mover = request->mover;
    wend_cell c, own;
    if (options->occupied == WEND_OCCUPIED_IGNORE) return false;
    for (int i = 0; covered(w, mover, cell, i, &c); i++) {
        bool mine = false;
        if (!world_has(w, c) || !w->occupants[world_number(w, c)]) continue;
        for (int j = 0; covered(w, mover, request->start, j, &own); j++) mine = mine || same_cell(c, own);
        if (mine) continue;
        if (options->occupied_within < 0 || is_within(w, c, request->start, options->occupied_within)) return true;
    }
    return false;
}

bool world_crowded(const world *w, const wend_request *request, wend_cell cell) {
    const wend_search_options options = read_options(request);
    return is_crowded(w, request, &options, cell);
}

static bool enters(const world *w, const wend_request *request, const wend_search_options *options, wend_cell cell) {
    if (world_factor(w, request->mover, cell) == 0) return false;
    return options->occupied != WEND_OCCUPIED_BLOCK || !is_crowded(w, request, options, cell);
}

bool world_enters(const world *w, const wend_request *request, wend_cell cell) {
    const wend_search_options options = read_options(request);
    return enters(w, request, &options, cell);
}

/* ---- steps ---- */

bool world_level(const world *w, wend_cell from, int i, wend_cell *to) {
    *to = (wend_cell){from.x + (i % 4 == 0) - (i % 4 == 1), from.y + (i % 4 == 2) - (i % 4 == 3), i / 4};
    return to->z != from.z && world_has(w, *to);
}

static int axes(int x, int y, int z) {
    return (x != 0) + (y != 0) + (z != 0);
}

static bool is_step(const world *w, int x, int y, int z) {
    int n = axes(x, y, z);
    switch (w->rules.neighbours) {
    case 4: return n == 1 && z == 0;
    case 8: return (n == 1 || n == 2) && z == 0;
    case 6: return n == 1 || (w->kind == WEND_KIND_GRID && z == 0 && x == -y && n == 2);
    case 18: return n == 1 || n == 2;
    default: return n >= 1;
    }
}

static bool is_closed(const world *w, int mover, wend_cell from, int x, int y, int z) {
    wend_cell c;
    for (int i = 0; covered(w, mover, from, i, &c); i++)
        if (world_has(w, c) && w->closed[world_number(w, c)] >> world_step_number(x, y, z) & 1) return true;
    return false;
}

/* Ways of straight steps, none backwards: how many there are, and how many can be walked. */
static void count_ways(const world *w, int mover, wend_cell at, int x, int y, int z, bool walked, int *ways,
                       int *open) {
    if (axes(x, y, z) == 0) {
        ++*ways;
        *open += walked;
        return;
    }
    const int steps[3][3] = {{x, 0, 0}, {0, y, 0}, {0, 0, z}};
    for (int i = 0; i < 3; i++) {
        int dx = steps[i][0], dy = steps[i][1], dz = steps[i][2];
        if (axes(dx, dy, dz) == 0) continue;
        wend_cell to;
        bool can = world_beside(w, at, dx, dy, dz, &to) && walked && world_factor(w, mover, to) > 0 &&
                   !is_closed(w, mover, at, dx, dy, dz);
        count_ways(w, mover, to, x - dx, y - dy, z - dz, can, ways, open);
    }
}

/* Only movers of one cell go over the rim. */
static bool find_step(const world *w, int mover, wend_cell from, int x, int y, int z) {
    wend_cell to;
    if (!world_beside(w, from, x, y, z, &to) || world_factor(w, mover, to) == 0) return false;
    if (w->movers[mover].size > 1 && !same_cell(to, plus(from, x, y, z))) return false;
    if (is_closed(w, mover, from, x, y, z)) return false;
    if (axes(x, y, z) == 1 || w->rules.corners == WEND_CORNERS_ALWAYS || w->rules.neighbours == 6) return true;
    int ways = 0, open = 0;
    count_ways(w, mover, from, x, y, z, true, &ways, &open);
    return w->rules.corners == WEND_CORNERS_NEVER ? open == ways : open > 0;
}

static bool may_step(const world *w, int mover, wend_cell from, int x, int y, int z) {
    if (!w->derived) return find_step(w, mover, from, x, y, z);
    return w->steps[mover][world_number(w, from)] >> world_step_number(x, y, z) & 1;
}

/* The step of the plane and one straight step a level; straight up and down only the level. */
static uint64_t level_cost(const world *w, int mover, wend_cell a, wend_cell b) {
    const int x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    if (!world_factor(w, mover, b) || !may_change_level(w, mover, a, b)) return UINT64_MAX;
    if (abs(z) == 1 && is_closed(w, mover, a, x, y, z)) return UINT64_MAX;
    const int straight = abs(z) + (x != 0 || y != 0);
    return (uint64_t)straight * (uint64_t)w->rules.cost_straight * (uint64_t)world_factor(w, mover, b);
}

/* A step of the rules between levels of the same number, or of a mover that does not walk. */
static uint64_t straight_cost(const world *w, int x, int y, int z) {
    int n = axes(x, y, z);
    return (uint64_t)(n == 1 || w->rules.neighbours == 6 ? w->rules.cost_straight
                      : n == 2                           ? w->rules.cost_diagonal
                                                         : w->rules.cost_space);
}

/* The way by one step along an axis, over the rim where it wraps. */
static int step_along(int a, int b, int around) {
    const int by = b - a;
    return around && abs(by) == around - 1 ? (by > 0 ? -1 : 1) : by;
}

static uint64_t walking_cost(const world *w, int mover, wend_cell a, wend_cell b) {
    int x = step_along(a.x, b.x, around(w, WEND_WRAP_X, w->width)), z = b.z - a.z;
    int y = step_along(a.y, b.y, around(w, WEND_WRAP_Y, w->height));
    if (w->movers[mover].walker && z != 0) return level_cost(w, mover, a, b);
    if (abs(x) > 1 || abs(y) > 1 || abs(z) > 1 || !is_step(w, x, y, z) || !may_step(w, mover, a, x, y, z))
        return UINT64_MAX;
    return straight_cost(w, x, y, z) * (uint64_t)world_factor(w, mover, b);
}

static uint64_t edge_cost(const world *w, int mover, wend_cell a, wend_cell b) {
    uint64_t least = UINT64_MAX;
    uint64_t factor = (uint64_t)world_factor(w, mover, b);
    for (int i = 0; i < w->edge_count; i++) {
        const wend_edge *edge = &w->edges[i];
        if ((int)edge->from != a.x || (int)edge->to != b.x || factor == 0) continue;
        uint64_t cost = (uint64_t)edge->cost * factor;
        if (cost < least) least = cost;
    }
    return least;
}

bool world_takes(const wend_mover *movers, int mover, const wend_link *link) {
    for (; link->movers && mover >= 0; mover = movers[mover].like)
        if (link->movers >> mover & 1) return true;
    return !link->movers;
}

static uint64_t linking_cost(const world *w, int mover, wend_cell a, wend_cell b) {
    if (w->derived && !w->entrances[world_number(w, a)]) return UINT64_MAX;
    for (int i = 0; i < w->link_count; i++)
        if (same_cell(w->links[i].from, a) && same_cell(w->links[i].to, b) && world_factor(w, mover, b) &&
            world_takes(w->movers, mover, &w->links[i]))
            return (uint64_t)w->links[i].cost;
    return UINT64_MAX;
}

/* The step by the map alone. */
static uint64_t bare_step(const world *w, int mover, wend_cell a, wend_cell b) {
    uint64_t cost = w->kind == WEND_KIND_GRAPH ? edge_cost(w, mover, a, b) : walking_cost(w, mover, a, b);
    uint64_t link = linking_cost(w, mover, a, b);
    return link < cost ? link : cost;
}

/* The same with the profile's toll of b and its units. */
static uint64_t full_step(const world *w, const wend_search_options *options, uint64_t cost, int b, bool crowded) {
    if (cost == UINT64_MAX || (crowded && options->occupied == WEND_OCCUPIED_BLOCK)) return UINT64_MAX;
    const uint32_t *tolls = w->tolls[options->profile];
    return cost + (tolls ? tolls[b] : 0) + (crowded ? (uint64_t)options->occupied : 0);
}

uint64_t world_step(const world *w, const wend_request *request, wend_cell a, wend_cell b) {
    const wend_search_options options = read_options(request);
    if (!world_has(w, a) || !world_has(w, b)) return UINT64_MAX;
    return full_step(w, &options, bare_step(w, request->mover, a, b), world_number(w, b),
                     is_crowded(w, request, &options, b));
}

int64_t world_walk(const world *w, const wend_request *request, const wend_cell *cells, size_t count) {
    uint64_t cost = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        uint64_t step = world_step(w, request, cells[i], cells[i + 1]);
        if (step == UINT64_MAX) return -1;
        cost += step;
    }
    return (int64_t)cost;
}

int64_t world_path(const world *w, wend_cell start, wend_cell goal, const wend_cell *cells, size_t count) {
    const wend_request request = default_request();
    if (count == 0 || !same_cell(cells[0], start) || !same_cell(cells[count - 1], goal)) return -1;
    return world_walk(w, &request, cells, count);
}

/* ---- Dijkstra ---- */

typedef struct flood {
    const world *w;
    const wend_request *request;
    wend_search_options options;
    uint8_t *crowded; ///< world_crowded() of each cell
    dijkstra open;
} flood;

static void relax(flood *f, int64_t distance, wend_cell from, wend_cell to) {
    const int number = world_number(f->w, to);
    const uint64_t bare = bare_step(f->w, f->request->mover, from, to);
    const uint64_t cost = full_step(f->w, &f->options, bare, number, f->crowded[number]);
    if (cost != UINT64_MAX) dijkstra_reach(&f->open, number, distance + (int64_t)cost);
}

static void expand(flood *f, wend_cell from) {
    const world *w = f->w;
    const int number = world_number(w, from), flat = w->depth == 1 ? 9 : 0;
    const int64_t distance = f->open.distances[number];
    wend_cell to;
    for (int i = flat; w->kind != WEND_KIND_GRAPH && i < 27 - flat; i++)
        if (world_neighbour(w, from, i, &to)) relax(f, distance, from, to);
    for (int i = 0; w->movers[f->request->mover].walker && i < 4 * w->depth; i++)
        if (world_level(w, from, i, &to)) relax(f, distance, from, to);
    for (int i = 0; w->kind == WEND_KIND_GRAPH && i < w->edge_count; i++)
        if ((int)w->edges[i].from == from.x) relax(f, distance, from, (wend_cell){(int32_t)w->edges[i].to, 0, 0});
    for (int i = 0; (!w->derived || w->entrances[number]) && i < w->link_count; i++)
        if (same_cell(w->links[i].from, from)) relax(f, distance, from, w->links[i].to);
}

void world_flood(const world *w, const wend_request *request, wend_cell from, int64_t *distances) {
    int cell;
    flood f = {.w = w, .request = request, .options = read_options(request)};
    f.crowded = resized(NULL, 0, w->cells, sizeof *f.crowded);
    for (int i = 0; f.options.occupied != WEND_OCCUPIED_IGNORE && i < w->cells; i++)
        f.crowded[i] = is_crowded(w, request, &f.options, world_cell(w, i));
    dijkstra_begin(&f.open, distances, (size_t)w->cells);
    dijkstra_reach(&f.open, world_number(w, from), 0);
    while (dijkstra_next(&f.open, &cell)) expand(&f, world_cell(w, cell));
    dijkstra_end(&f.open);
    free(f.crowded);
}

/* ---- derived data ---- */

static uint32_t find_steps(const world *w, int mover, wend_cell from) {
    uint32_t steps = 0;
    wend_cell to;
    for (int i = 0; i < 27; i++)
        if (world_neighbour(w, from, i, &to))
            steps |= (uint32_t)find_step(w, mover, from, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1) << i;
    return steps;
}

void world_derive(world *w) {
    w->derived = false;
    for (int mover = 0; mover < w->mover_count; mover++) {
        w->factors[mover] = resized(w->factors[mover], 0, w->cells, sizeof *w->factors[mover]);
        w->steps[mover] = resized(w->steps[mover], 0, w->cells, sizeof *w->steps[mover]);
        for (int i = 0; i < w->cells; i++) w->factors[mover][i] = (uint8_t)world_factor(w, mover, world_cell(w, i));
    }
    w->derived = true;
    for (int mover = 0; mover < w->mover_count; mover++)
        for (int i = 0; i < w->cells; i++) w->steps[mover][i] = find_steps(w, mover, world_cell(w, i));
    memset(w->entrances, 0, (size_t)w->cells);
    for (int i = 0; i < w->link_count; i++) w->entrances[world_number(w, w->links[i].from)] = 1;
}

/* ---- answers ---- */

static wend_cell goal_of(const wend_request *request, const wend_search_options *options, uint32_t i) {
    return i == 0 ? request->goal : options->more_goals[i - 1];
}

static bool is_target(const world *w, const wend_request *request, const wend_search_options *options, wend_cell cell) {
    for (uint32_t i = 0; i <= options->more_goal_count; i++)
        if (is_within(w, cell, goal_of(request, options, i), request->reach)) return enters(w, request, options, cell);
    return false;
}

bool world_target(const world *w, const wend_request *request, wend_cell cell) {
    const wend_search_options options = read_options(request);
    return is_target(w, request, &options, cell);
}

static double straight_distance(wend_cell a, wend_cell b) {
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return x * x + y * y + z * z; /* small worlds: exact */
}

static void measure_graph(const world *w, const wend_request *request, const wend_search_options *options,
                          double *out) {
    for (int i = 0; i < w->cells; i++) {
        out[i] = 1e300;
        for (uint32_t goal = 0; goal <= options->more_goal_count; goal++) {
            const double way = straight_distance(w->places[i], w->places[goal_of(request, options, goal).x]);
            if (way < out[i]) out[i] = way;
        }
    }
}

void world_nearness(const world *w, const wend_request *request, double *out) {
    int number;
    dijkstra open;
    const wend_search_options options = read_options(request);
    if (w->kind == WEND_KIND_GRAPH) {
        measure_graph(w, request, &options, out);
        return;
    }
    int64_t *distances = resized(NULL, 0, w->cells, sizeof *distances);
    dijkstra_begin(&open, distances, (size_t)w->cells);
    for (uint32_t goal = 0; goal <= options.more_goal_count; goal++)
        dijkstra_reach(&open, world_number(w, goal_of(request, &options, goal)), 0);
    while (dijkstra_next(&open, &number))
        for (int i = 0; i < 27; i++) {
            wend_cell at = world_cell(w, number), to;
            if (!world_neighbour(w, at, i, &to)) continue;
            const uint64_t step = straight_cost(w, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
            dijkstra_reach(&open, world_number(w, to), distances[number] + (int64_t)step);
        }
    dijkstra_end(&open);
    for (int i = 0; i < w->cells; i++) out[i] = (double)distances[i];
    free(distances);
}

/* Cells are numbered by z, y, x, as ties are broken. */
static int nearest_reached(const world *w, const wend_request *request, const int64_t *distances) {
    double *near = resized(NULL, 0, w->cells, sizeof *near);
    int best = -1;
    world_nearness(w, request, near);
    for (int i = 0; i < w->cells; i++)
        if (distances[i] >= 0 && (best < 0 || near[i] < near[best])) best = i;
    free(near);
    return best;
}

world_answer world_ask_flooded(const world *w, const wend_request *request, const int64_t *distances) {
    const world_answer none = {WEND_STATUS_NO_PATH, -1, {0, 0, 0}};
    const wend_search_options options = read_options(request);
    bool stands = world_factor(w, request->mover, request->start) > 0, any = false;
    if (!stands && !options.leave_blocked_start) return (world_answer){WEND_STATUS_START_BLOCKED, -1, {0, 0, 0}};
    int64_t best = -1;
    for (int i = 0; i < w->cells; i++) {
        if (!is_target(w, request, &options, world_cell(w, i))) continue;
        any = true;
        if (distances[i] >= 0 && (best < 0 || distances[i] < best)) best = distances[i];
    }
    if (best >= 0) return (world_answer){WEND_STATUS_FOUND, best, {0, 0, 0}};
    if (request->mode == WEND_MODE_NEAREST) {
        int end = nearest_reached(w, request, distances);
        return (world_answer){WEND_STATUS_PARTIAL, distances[end], world_cell(w, end)};
    }
    return any ? none : (world_answer){WEND_STATUS_GOAL_BLOCKED, -1, {0, 0, 0}};
}

world_answer world_ask(const world *w, const wend_request *request) {
    int64_t *distances = resized(NULL, 0, w->cells, sizeof *distances);
    world_flood(w, request, request->start, distances);
    const world_answer answer = world_ask_flooded(w, request, distances);
    free(distances);
    return answer;
}

int64_t world_cost(const world *w, wend_cell start, wend_cell goal) {
    const wend_request request = default_request();
    int64_t *distances = resized(NULL, 0, w->cells, sizeof *distances);
    world_flood(w, &request, start, distances);
    const int64_t cost = distances[world_number(w, goal)];
    free(distances);
    return cost;
}
