/* SPDX-License-Identifier: MIT */
/* Random worlds, maps of them, and requests on them. */
#include "models/worlds.h"
#include "models/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/units.h>

/* Programs without Criterion make worlds too. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: no such world: %s\n", __FILE__, __LINE__, #condition);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static const int factors[] = {0, 1, 1, 1, 2, 3, 5, 9};

static int chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

enum shape { SMALL, LARGE, LONG, WRAPPING };

static void fill_size(world *w, oracle_random *random, enum shape shape) {
    const bool large = shape == LARGE, space = w->kind == WEND_KIND_VOXEL;
    int width, height, depth = 1;
    if (w->kind == WEND_KIND_GRAPH) {
        world_resize(w, large ? WORLD_CELLS - oracle_below(random, 60) : 2 + oracle_below(random, 60), 1, 1);
        return;
    }
    width = 1 + oracle_below(random, space ? 9 : 22);
    height = 1 + oracle_below(random, space ? 8 : 22);
    if (space) depth = 1 + oracle_below(random, 7);
    if (space && chance(random, 10)) /* across chunks */
        width = 15 + oracle_below(random, 6), height = 1 + oracle_below(random, 5),
        depth = 15 + oracle_below(random, 6);
    if (large && space) width = height = depth = 12;
    if (large && !space) width = 36 + oracle_below(random, 9), height = 45;
    if (shape == LONG) width = 500 + oracle_below(random, 180), height = 3;
    if (shape == WRAPPING) width = WEND_MIN_WRAPPED + width, height = WEND_MIN_WRAPPED + height;
    world_resize(w, width, height, depth);
}

static void fill_rules(world *w, oracle_random *random) {
    const int flat[] = {8, 8, 4, 6}, space[] = {26, 26, 18, 6};
    wend_map_rules_init(&w->rules, sizeof w->rules);
    w->rules.neighbours = w->kind == WEND_KIND_VOXEL ? space[oracle_below(random, 4)] : flat[oracle_below(random, 4)];
    w->rules.corners = oracle_below(random, 3);
    if (chance(random, 50)) return;
    int s = 1 + oracle_below(random, 1000), d = s + oracle_below(random, s + 1);
    w->rules.cost_straight = s, w->rules.cost_diagonal = d;
    w->rules.cost_space = d + oracle_below(random, d - s + 1);
}

static void fill_terrain(world *w, oracle_random *random, bool slow, int most) {
    int blocked = oracle_below(random, most), slowness = slow ? oracle_below(random, 60) : 0;
    for (int i = 0; i < w->cells; i++)
        w->terrain[i] = chance(random, blocked)    ? 0
                        : chance(random, slowness) ? (uint8_t)(1 + oracle_below(random, 6))
                                                   : 1;
}

void world_scatter(world *w, oracle_random *random, double blocked, double slow, int slow_classes) {
    for (int i = 0; i < w->cells; i++) {
        double roll = (double)(oracle_next(random) >> 11) / 9007199254740992.0;
        w->terrain[i] = roll < blocked          ? WEND_CLASS_BLOCKED
                        : roll < blocked + slow ? (uint8_t)(2 + oracle_below(random, slow_classes))
                                                : WEND_CLASS_OPEN;
    }
}

/* By the cost, so that the worlds of a seed are those that found faults before links were for some movers. */
uint32_t world_takers(int32_t cost) {
    return cost % 3 ? 0 : (uint32_t)cost / 3 % (1 << WORLD_MOVERS);
}

static void fill_links(world *w, oracle_random *random) {
    enum { MANY = 48 };
    int most = chance(random, 30) ? MANY : 6;
    for (int i = oracle_below(random, most); i >= 0; i--) {
        wend_link link = {world_cell(w, oracle_below(random, w->cells)), world_cell(w, oracle_below(random, w->cells)),
                          1 + oracle_below(random, chance(random, 30) ? 100000 : 60), 0};
        link.movers = world_takers(link.cost);
        if (world_find_link(w, link.from, link.to) == w->link_count) world_put_link(w, NULL, link);
    }
}

bool world_neighbour(const world *w, wend_cell from, int i, wend_cell *to) {
    int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1, n = (x != 0) + (y != 0) + (z != 0);
    int most = w->rules.neighbours == 26 ? 3 : w->rules.neighbours == 18 || w->rules.neighbours == 8 ? 2 : 1;
    bool inside = world_beside(w, from, x, y, z, to);
    if (w->kind == WEND_KIND_GRID && w->rules.neighbours == 6) return inside && (n == 1 || (n == 2 && x == -y));
    return n >= 1 && n <= most && inside;
}

static void fill_steps(world *w, oracle_random *random) {
    int percent = oracle_below(random, 20);
    for (int cell = 0; cell < w->cells; cell++)
        for (int i = 0; i < 27; i++) {
            wend_cell to;
            if (world_neighbour(w, world_cell(w, cell), i, &to) && chance(random, percent))
                world_set_step(w, NULL, world_cell(w, cell), i, false);
        }
}

/* Returns a number of levels, mostly a small one. */
static int fill_levels(oracle_random *random) {
    return oracle_below(random, chance(random, 80) ? 4 : WEND_MAX_LEVELS + 1);
}

static void make_walker(world *w, oracle_random *random, wend_mover *mover) {
    mover->walker = mover->size = 1;
    mover->step_up = fill_levels(random), mover->drop = fill_levels(random);
    mover->headroom = 1 + oracle_below(random, 3);
    for (int i = 0, percent = oracle_below(random, 15); i < w->cells; i++)
        if (chance(random, percent)) w->terrain[i] = WEND_CLASS_STAIRS;
}

/* The last of all movers is like the one before it, but avoids a class. */
static void make_avoiding(wend_mover *mover, const wend_mover *like, int number) {
    const unsigned avoided = 2;
    *mover = *like;
    mover->like = number, mover->factors[avoided] = 0, mover->avoided[0] |= UINT64_C(1) << avoided;
}

static void fill_movers(world *w, oracle_random *random, bool more) {
    w->mover_count = more ? 1 + oracle_below(random, WORLD_MOVERS) : 1;
    for (int i = 0; i < w->mover_count; i++) {
        wend_mover_init(&w->movers[i], sizeof w->movers[i]);
        if (i == 0) continue;
        if (w->kind != WEND_KIND_GRAPH && !(w->kind == WEND_KIND_GRID && w->rules.neighbours == 6))
            w->movers[i].size = 1 + oracle_below(random, w->kind == WEND_KIND_VOXEL ? 2 : 4);
        for (int class = 0; class < 256; class++)
            w->movers[i].factors[class] = (uint8_t)(class == 0 ? 0 : class == 1 ? 1 : factors[oracle_below(random, 8)]);
        if (w->kind == WEND_KIND_VOXEL && chance(random, 50)) make_walker(w, random, &w->movers[i]);
    }
    if (w->mover_count == WORLD_MOVERS)
        make_avoiding(&w->movers[WORLD_MOVERS - 1], &w->movers[WORLD_MOVERS - 2], WORLD_MOVERS - 2);
}

static void fill_graph(world *w, oracle_random *random) {
    w->placed = chance(random, 70);
    int span = chance(random, 50) ? 20 : 1000;
    for (int i = 0; i < w->cells; i++)
        w->places[i] = (wend_cell){oracle_below(random, span) - span / 2, oracle_below(random, span),
                                   chance(random, 50) ? oracle_below(random, span) : 0};
    int most = w->cells * 6 < WORLD_EDGES ? w->cells * 6 : WORLD_EDGES;
    w->edge_count = oracle_below(random, most);
    for (int i = 0; i < w->edge_count; i++)
        w->edges[i] = (wend_edge){(uint32_t)oracle_below(random, w->cells), (uint32_t)oracle_below(random, w->cells),
                                  1 + oracle_below(random, chance(random, 20) ? 1000000 : 50)};
}

static void fill(world *w, oracle_random *random, const world_options *options, enum shape shape) {
    world_free(w);
    w->kind = options->kind;
    fill_size(w, random, shape);
    fill_rules(w, random);
    if (shape == LONG) w->rules.neighbours = 8, w->rules.corners = WEND_CORNERS_NEVER;
    if (shape == WRAPPING) w->wrap = 1 + oracle_below(random, 3);
    if (w->wrap && w->rules.neighbours == 6) w->rules.neighbours = 8; /* hexagons do not wrap */
    fill_terrain(w, random, options->slow, shape == LONG ? 8 : 45);
    fill_movers(w, random, options->movers);
    if (w->kind == WEND_KIND_GRAPH) fill_graph(w, random);
    if (options->links) fill_links(w, random);
    if (options->steps && w->kind != WEND_KIND_GRAPH) fill_steps(w, random);
    for (int i = 0, percent = oracle_below(random, 30); options->occupants && i < w->cells; i++)
        w->occupants[i] = (uint8_t)chance(random, percent);
}

void world_fill(world *w, oracle_random *random, const world_options *options) {
    fill(w, random, options, SMALL);
}

void world_fill_large(world *w, oracle_random *random, const world_options *options) {
    fill(w, random, options, LARGE);
}

void world_fill_long(world *w, oracle_random *random, const world_options *options) {
    fill(w, random, options, LONG);
}

void world_fill_wrapping(world *w, oracle_random *random, const world_options *options) {
    fill(w, random, options, WRAPPING);
}

/* ---- maps ---- */

static wend_map *bare_map(const world *w) {
    wend_map *map;
    if (w->kind == WEND_KIND_GRAPH) {
        wend_graph_def def = default_graph();
        def.node_count = (uint32_t)w->cells, def.coordinates = w->placed ? w->places : NULL;
        def.edges = w->edges, def.edge_count = (uint64_t)w->edge_count;
        REQUIRE(wend_graph_create(&def, &map) == WEND_OK);
        return map;
    }
    wend_map_def def = default_map();
    def.kind = w->kind, def.width = w->width, def.height = w->height, def.depth = w->depth, def.wrap = w->wrap;
    def.rules = &w->rules;
    REQUIRE(wend_map_create(&def, &map) == WEND_OK);
    return map;
}

void world_write(const world *w, wend_edit *edit) {
    const wend_box all = {{0, 0, 0}, {w->width - 1, w->height - 1, w->depth - 1}};
    const bool boxes = w->kind != WEND_KIND_GRAPH;
    if (boxes) REQUIRE(wend_edit_set_box(edit, all, w->terrain, (size_t)w->width) == WEND_OK);
    for (int i = 0; i < w->cells; i++) {
        if (!boxes) REQUIRE(wend_edit_set_cell(edit, world_cell(w, i), w->terrain[i]) == WEND_OK);
        for (int step = 0; step < 27; step++) {
            wend_cell to;
            if (!(w->closed[i] >> step & 1) || !world_neighbour(w, world_cell(w, i), step, &to)) continue;
            REQUIRE(wend_edit_set_step(edit, world_cell(w, i), to, false) == WEND_OK);
        }
    }
    for (int i = 0; i < w->link_count; i++) REQUIRE(wend_edit_add_link(edit, &w->links[i]) == WEND_OK);
}

void world_write_units(const world *w, wend_map *map) {
    for (int i = 0; i < w->cells; i++)
        for (int unit = 0; unit < w->occupants[i]; unit++) REQUIRE(wend_map_occupy(map, world_cell(w, i)) == WEND_OK);
}

wend_map *world_map(const world *w) {
    wend_map *map = bare_map(w);
    IN_BATCH(map, world_write(w, edit));
    for (int i = 1; i < w->mover_count; i++) {
        int32_t id;
        REQUIRE(wend_map_add_mover(map, &w->movers[i], &id) == WEND_OK);
        REQUIRE(id == i);
    }
    world_write_units(w, map);
    return map;
}

/* ---- requests ---- */

static void make_special(const world *w, oracle_random *random, wend_request *request, wend_cell *goals) {
    if (w->kind != WEND_KIND_GRAPH && chance(random, 30)) request->reach = 1 + oracle_below(random, 3);
    if (chance(random, 30)) options_of(request)->more_goal_count = 1 + (uint32_t)oracle_below(random, WORLD_GOALS);
    for (uint32_t i = 0; i < read_options(request).more_goal_count; i++)
        goals[i] = world_cell(w, oracle_below(random, w->cells));
    options_of(request)->more_goals = goals;
    if ((w->kind != WEND_KIND_GRAPH || w->placed) && chance(random, 30)) request->mode = WEND_MODE_NEAREST;
    if (chance(random, 60))
        options_of(request)->occupied = chance(random, 50) ? WEND_OCCUPIED_BLOCK : 1 + oracle_below(random, 100);
    if (w->kind != WEND_KIND_GRAPH && read_options(request).occupied != WEND_OCCUPIED_IGNORE && chance(random, 30))
        options_of(request)->occupied_within = oracle_below(random, 8);
}

/* A search takes a larger mover that does not fit at the rim over it. */
bool world_can_leave(const world *w, int mover) {
    return !w->wrap || w->movers[mover].size == 1;
}

wend_request world_request(const world *w, oracle_random *random, bool special, wend_cell *goals) {
    wend_request request = default_request();
    request.start = world_cell(w, oracle_below(random, w->cells));
    request.goal = world_cell(w, oracle_below(random, w->cells));
    request.mover = oracle_below(random, w->mover_count);
    const int32_t exact[] = {WEND_HEURISTIC_EXACT, WEND_HEURISTIC_EXACT, WEND_HEURISTIC_EUCLID, WEND_HEURISTIC_ZERO};
    options_of(&request)->heuristic = exact[oracle_below(random, 4)];
    if (special) make_special(w, random, &request, goals);
    const bool leaves = request.mode == WEND_MODE_EXACT && chance(random, 20);
    if (leaves && world_can_leave(w, request.mover)) options_of(&request)->leave_blocked_start = true;
    return request;
}
