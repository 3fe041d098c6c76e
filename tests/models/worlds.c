/* SPDX-License-Identifier: MIT */
/* The rules of every kind of world once more, as simple as possible, and Dijkstra (1959) over them. */
#include "models/worlds.h"
#include "models/options.h"

#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

wend_cell world_cell(const world *w, int number) {
    if (w->kind == WEND_KIND_GRAPH) return (wend_cell){number, 0, 0};
    return (wend_cell){number % w->width, number / w->width % w->height, number / w->width / w->height};
}

int world_number(const world *w, wend_cell c) {
    return w->kind == WEND_KIND_GRAPH ? c.x : (c.z * w->height + c.y) * w->width + c.x;
}

static bool on_world(const world *w, wend_cell c) {
    if (w->kind == WEND_KIND_GRAPH) return c.x >= 0 && c.x < w->cells && c.y == 0 && c.z == 0;
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < w->width && c.y < w->height && c.z < w->depth;
}

static wend_cell plus(wend_cell c, int x, int y, int z) {
    return (wend_cell){c.x + x, c.y + y, c.z + z};
}

/* Computes cell number i of a mover's place; false: no more. */
static bool covered(const world *w, int mover, wend_cell at, int i, wend_cell *out) {
    int n = w->movers[mover].size, layers = w->kind == WEND_KIND_VOXEL ? n : 1;
    *out = plus(at, i % n, i / n % n, i / n / n);
    return i < n * n * layers;
}

/* ---- walkers ---- */

static bool is_open(const world *w, int mover, wend_cell c) {
    return on_world(w, c) && w->movers[mover].factors[w->terrain[world_number(w, c)]] > 0;
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
    if (w->movers[mover].walker && !(on_world(w, cell) && can_stand(w, mover, cell))) return 0;
    wend_cell c;
    for (int i = 0; covered(w, mover, cell, i, &c); i++) {
        int factor = on_world(w, c) ? w->movers[mover].factors[w->terrain[world_number(w, c)]] : 0;
        if (factor == 0) return 0;
        if (factor > most) most = factor;
    }
    return most;
}

/* Returns whether a unit on the cell counts for the request. */
static bool counts(const wend_request *request, wend_cell c) {
    const int most = read_options(request).occupied_within;
    return most < 0 || (abs(c.x - request->start.x) <= most && abs(c.y - request->start.y) <= most &&
                        abs(c.z - request->start.z) <= most);
}

static bool is_crowded(const world *w, const wend_request *request, wend_cell cell) {
    const int mover = request->mover;
    const wend_cell start = request->start;
    wend_cell c, own;
    for (int i = 0; covered(w, mover, cell, i, &c); i++) {
        bool mine = false;
        for (int j = 0; covered(w, mover, start, j, &own); j++) mine = mine || same_cell(c, own);
        if (!mine && on_world(w, c) && w->occupants[world_number(w, c)] && counts(request, c)) return true;
    }
    return false;
}

/* ---- steps ---- */

bool world_level(const world *w, wend_cell from, int i, wend_cell *to) {
    *to = (wend_cell){from.x + (i % 4 == 0) - (i % 4 == 1), from.y + (i % 4 == 2) - (i % 4 == 3), i / 4};
    return to->z != from.z && on_world(w, *to);
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
        if (on_world(w, c) && w->closed[world_number(w, c)][(z + 1) * 9 + (y + 1) * 3 + x + 1]) return true;
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
        wend_cell to = plus(at, dx, dy, dz);
        bool can = walked && world_factor(w, mover, to) > 0 && !is_closed(w, mover, at, dx, dy, dz);
        count_ways(w, mover, to, x - dx, y - dy, z - dz, can, ways, open);
    }
}

static bool may_step(const world *w, int mover, wend_cell from, int x, int y, int z) {
    if (world_factor(w, mover, plus(from, x, y, z)) == 0 || is_closed(w, mover, from, x, y, z)) return false;
    if (axes(x, y, z) == 1 || w->rules.corners == WEND_CORNERS_ALWAYS || w->rules.neighbours == 6) return true;
    int ways = 0, open = 0;
    count_ways(w, mover, from, x, y, z, true, &ways, &open);
    return w->rules.corners == WEND_CORNERS_NEVER ? open == ways : open > 0;
}

/* The step of the plane and one straight step a level; straight up and down only the level. */
static uint64_t level_cost(const world *w, int mover, wend_cell a, wend_cell b) {
    const int x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    if (!world_factor(w, mover, b) || !may_change_level(w, mover, a, b)) return UINT64_MAX;
    if (abs(z) == 1 && is_closed(w, mover, a, x, y, z)) return UINT64_MAX;
    const int straight = abs(z) + (x != 0 || y != 0);
    return (uint64_t)straight * (uint64_t)w->rules.cost_straight * (uint64_t)world_factor(w, mover, b);
}

static uint64_t walking_cost(const world *w, int mover, wend_cell a, wend_cell b) {
    int x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    if (w->movers[mover].walker && z != 0) return level_cost(w, mover, a, b);
    if (abs(x) > 1 || abs(y) > 1 || abs(z) > 1 || !is_step(w, x, y, z) || !may_step(w, mover, a, x, y, z))
        return UINT64_MAX;
    int n = axes(x, y, z);
    int32_t cost = n == 1 || w->rules.neighbours == 6 ? w->rules.cost_straight
                   : n == 2                           ? w->rules.cost_diagonal
                                                      : w->rules.cost_space;
    return (uint64_t)cost * (uint64_t)world_factor(w, mover, b);
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
    for (int i = 0; i < w->link_count; i++)
        if (same_cell(w->links[i].from, a) && same_cell(w->links[i].to, b) && world_factor(w, mover, b) &&
            world_takes(w->movers, mover, &w->links[i]))
            return (uint64_t)w->links[i].cost;
    return UINT64_MAX;
}

bool world_enters(const world *w, const wend_request *request, wend_cell cell) {
    if (world_factor(w, request->mover, cell) == 0) return false;
    return read_options(request).occupied != WEND_OCCUPIED_BLOCK || !is_crowded(w, request, cell);
}

uint64_t world_step(const world *w, const wend_request *request, wend_cell a, wend_cell b) {
    int mover = request->mover;
    uint64_t cost = w->kind == WEND_KIND_GRAPH ? edge_cost(w, mover, a, b) : walking_cost(w, mover, a, b);
    uint64_t link = linking_cost(w, mover, a, b);
    if (link < cost) cost = link;
    if (cost != UINT64_MAX) cost += w->tolls[world_number(w, b)];
    if (cost == UINT64_MAX || read_options(request).occupied == WEND_OCCUPIED_IGNORE || !is_crowded(w, request, b))
        return cost;
    return read_options(request).occupied == WEND_OCCUPIED_BLOCK ? UINT64_MAX
                                                                 : cost + (uint64_t)read_options(request).occupied;
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

/* ---- Dijkstra ---- */

static void expand(const world *w, const wend_request *request, dijkstra *open, wend_cell from, int64_t distance) {
    if (w->kind != WEND_KIND_GRAPH)
        for (int i = 0; i < 27; i++) {
            wend_cell to = plus(from, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
            if (i == 13 || !on_world(w, to)) continue;
            uint64_t cost = world_step(w, request, from, to);
            if (cost != UINT64_MAX) dijkstra_reach(open, world_number(w, to), distance + (int64_t)cost);
        }
    for (int i = 0; w->movers[request->mover].walker && i < 4 * w->depth; i++) {
        wend_cell to;
        const uint64_t cost = world_level(w, from, i, &to) ? world_step(w, request, from, to) : UINT64_MAX;
        if (cost != UINT64_MAX) dijkstra_reach(open, world_number(w, to), distance + (int64_t)cost);
    }
    for (int i = 0; w->kind == WEND_KIND_GRAPH && i < w->edge_count; i++) {
        if ((int)w->edges[i].from != from.x) continue;
        wend_cell to = {(int32_t)w->edges[i].to, 0, 0};
        uint64_t cost = world_step(w, request, from, to);
        if (cost != UINT64_MAX) dijkstra_reach(open, to.x, distance + (int64_t)cost);
    }
    for (int i = 0; i < w->link_count; i++) {
        if (!same_cell(w->links[i].from, from)) continue;
        uint64_t cost = world_step(w, request, from, w->links[i].to);
        if (cost != UINT64_MAX) dijkstra_reach(open, world_number(w, w->links[i].to), distance + (int64_t)cost);
    }
}

void world_flood(const world *w, const wend_request *request, wend_cell from, int64_t *distances) {
    int cell;
    dijkstra open;
    dijkstra_begin(&open, distances, WORLD_CELLS);
    dijkstra_reach(&open, world_number(w, from), 0);
    while (dijkstra_next(&open, &cell)) expand(w, request, &open, world_cell(w, cell), distances[cell]);
    dijkstra_end(&open);
}

/* ---- answers ---- */

static wend_cell goal_of(const wend_request *request, uint32_t i) {
    return i == 0 ? request->goal : read_options(request).more_goals[i - 1];
}

static bool is_within(wend_cell a, wend_cell b, int reach) {
    return abs(a.x - b.x) <= reach && abs(a.y - b.y) <= reach && abs(a.z - b.z) <= reach;
}

static bool is_target(const world *w, const wend_request *request, wend_cell cell) {
    if (!world_enters(w, request, cell)) return false;
    for (uint32_t i = 0; i <= read_options(request).more_goal_count; i++)
        if (is_within(cell, goal_of(request, i), request->reach)) return true;
    return false;
}

static double straight_distance(wend_cell a, wend_cell b) {
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return x * x + y * y + z * z; /* small worlds: exact */
}

/* How far each cell is from the nearest goal, were the world empty. */
static void nearness(const world *w, const wend_request *request, double out[WORLD_CELLS]) {
    static world empty;
    static int64_t distances[WORLD_CELLS];
    memset(&empty, 0, sizeof empty);
    empty.kind = w->kind, empty.width = w->width, empty.height = w->height, empty.depth = w->depth;
    empty.cells = w->cells, empty.rules = w->rules, empty.rules.corners = WEND_CORNERS_ALWAYS;
    wend_mover_init(&empty.movers[0], sizeof empty.movers[0]);
    memset(empty.terrain, 1, sizeof empty.terrain);
    for (int i = 0; i < w->cells; i++) out[i] = 1e300;
    for (uint32_t goal = 0; goal <= read_options(request).more_goal_count; goal++) {
        wend_request plain = default_request();
        if (w->kind != WEND_KIND_GRAPH) world_flood(&empty, &plain, goal_of(request, goal), distances);
        for (int i = 0; i < w->cells; i++) {
            double way = w->kind == WEND_KIND_GRAPH
                             ? straight_distance(w->places[i], w->places[goal_of(request, goal).x])
                             : (double)distances[i];
            if (way < out[i]) out[i] = way;
        }
    }
}

/* Cells are numbered by z, y, x, as ties are broken. */
static int nearest_reached(const world *w, const wend_request *request, const int64_t *distances) {
    static double near[WORLD_CELLS];
    int best = -1;
    nearness(w, request, near);
    for (int i = 0; i < w->cells; i++)
        if (distances[i] >= 0 && (best < 0 || near[i] < near[best])) best = i;
    return best;
}

world_answer world_ask(const world *w, const wend_request *request) {
    static int64_t distances[WORLD_CELLS];
    const world_answer none = {WEND_STATUS_NO_PATH, -1, {0, 0, 0}};
    bool leaves = read_options(request).leave_blocked_start;
    bool stands = world_factor(w, request->mover, request->start) > 0, any = false;
    if (!stands && !leaves) return (world_answer){WEND_STATUS_START_BLOCKED, -1, {0, 0, 0}};
    int64_t best = -1;
    world_flood(w, request, request->start, distances);
    for (int i = 0; i < w->cells; i++) {
        if (!is_target(w, request, world_cell(w, i))) continue;
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
