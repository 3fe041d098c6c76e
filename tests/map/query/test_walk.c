/* SPDX-License-Identifier: MIT */
/* Walks: costs of single steps, and how far given paths can be walked, over ground and links of every kind of map. */
#include "map/kinds/voxels.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/version/version.h"
#include "map/map_support.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

enum { MOST_LINKS = 400, PATH = 300 };

/* A map, and its links in the order in which they were last added. */
typedef struct world {
    wend_map *map;
    int32_t mover;
    wend_link links[MOST_LINKS];
    uint32_t link_count;
} world;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t link_cost(const world *w, wend_cell a, wend_cell b) {
    for (uint32_t i = 0; i < w->link_count; i++)
        if (same_cell(w->links[i].from, a) && same_cell(w->links[i].to, b)) return (uint64_t)w->links[i].cost;
    return UINT64_MAX;
}

static wend_cell any_cell(const wend_map_info *info, uint64_t *seed) {
    return (wend_cell){(int32_t)draw(seed, (uint32_t)info->width), (int32_t)draw(seed, (uint32_t)info->height),
                       (int32_t)draw(seed, (uint32_t)info->depth)};
}

static void add_links(world *w, uint32_t count, uint64_t *seed) {
    wend_map_info info = info_now(w->map);
    wend_edit *edit = begin_edit(w->map);
    while (w->link_count < count) {
        wend_link link = {.from = any_cell(&info, seed), .cost = 1 + (int32_t)draw(seed, 60)};
        link.to = draw(seed, 2) ? any_cell(&info, seed) : link.from;
        if (info.width > 1) link.to.x = (link.from.x + 1 + (int32_t)draw(seed, 2)) % info.width; /* at a step */
        if (same_cell(link.from, link.to) || link_cost(w, link.from, link.to) != UINT64_MAX) continue;
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){link.from, link.to, link.cost, 0}), WEND_OK);
        w->links[w->link_count++] = link;
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* ---- the oracle: by the words of the rules ---- */

typedef uint64_t oracle_fn(const world *w, const void *context, wend_cell a, wend_cell b);

static uint64_t flat_oracle(const world *w, const void *context, wend_cell a, wend_cell b) {
    const model *m = context;
    uint64_t cost = UINT64_MAX;
    if (!model_open(m, b.x, b.y)) return UINT64_MAX;
    if (model_step(m, a.x, a.y, b.x - a.x, b.y - a.y)) {
        bool straight = a.x == b.x || a.y == b.y;
        cost = (uint64_t)(straight ? m->rules.cost_straight : m->rules.cost_diagonal);
        cost *= m->rules.factors[m->classes[b.y * m->width + b.x]];
    }
    return least(cost, link_cost(w, a, b));
}

/* Costs by the directions of wend__voxel_steps(), which has tests of its own. */
static uint64_t space_oracle(const world *w, const void *context, wend_cell a, wend_cell b) {
    const wend__version *v = context;
    uint64_t cost = UINT64_MAX;
    uint8_t factor = wend__cell_factor(v, b);
    if (!factor) return UINT64_MAX;
    for (int d = 0; d < WEND__SPACE_DIRECTIONS; d++) {
        if (!same_cell(b, (wend_cell){a.x + wend__sx[d], a.y + wend__sy[d], a.z + wend__sz[d]})) continue;
        int axes = (wend__sx[d] != 0) + (wend__sy[d] != 0) + (wend__sz[d] != 0);
        int32_t costs[3] = {v->rules.cost_straight, v->rules.cost_diagonal, v->rules.cost_space};
        if (wend__voxel_steps(v, a) >> d & 1) cost = (uint64_t)costs[axes - 1] * factor;
    }
    return least(cost, link_cost(w, a, b));
}

typedef struct graph_model {
    wend_edge edges[600];
    uint64_t count;
    uint8_t *classes;
} graph_model;

static uint64_t graph_oracle(const world *w, const void *context, wend_cell a, wend_cell b) {
    const graph_model *g = context;
    uint64_t cost = UINT64_MAX;
    wend_map_rules rules = default_rules();
    uint8_t factor = rules.factors[g->classes[b.x]];
    if (!factor) return UINT64_MAX;
    for (uint64_t i = 0; i < g->count; i++)
        if (g->edges[i].from == (uint32_t)a.x && g->edges[i].to == (uint32_t)b.x)
            cost = least(cost, (uint64_t)g->edges[i].cost * factor);
    return least(cost, link_cost(w, a, b));
}

/* ---- random paths: neighbours, links, and now and then anywhere ---- */

static wend_cell neighbour(const wend_map_info *info, wend_cell a, uint64_t *seed) {
    wend_cell b = {a.x + (int32_t)draw(seed, 3) - 1, a.y + (int32_t)draw(seed, 3) - 1,
                   a.z + (int32_t)draw(seed, 3) - 1};
    if (b.x < 0 || b.x >= info->width) b.x = a.x;
    if (b.y < 0 || b.y >= info->height) b.y = a.y;
    if (b.z < 0 || b.z >= info->depth) b.z = a.z;
    return b;
}

/* Mostly legal steps, so that walks get far. */
static wend_cell next_cell(const world *w, const wend_map_info *info, oracle_fn *oracle, const void *context,
                           wend_cell a, uint64_t *seed) {
    wend_cell b = a;
    for (int32_t tries = 0; tries < 500; tries++) {
        const wend_link *link = w->link_count ? &w->links[draw(seed, w->link_count)] : NULL;
        b = neighbour(info, a, seed);
        if (info->kind == WEND_KIND_GRAPH && draw(seed, 2)) b = any_cell(info, seed);
        if (link && same_cell(link->from, a)) b = link->to;
        if (oracle(w, context, a, b) != UINT64_MAX) return b;
    }
    return b;
}

static void check_path(const world *w, oracle_fn *oracle, const void *context, const wend_cell *path) {
    uint64_t expected = 0, cost;
    size_t walkable, steps = 0;
    wend__version *v = wend__map_acquire(w->map, false);
    bool open = wend__cell_factor(wend__version_view(v, w->mover), path[0]) != 0;
    for (; steps + 1 < PATH; steps++) {
        uint64_t step = oracle(w, context, path[steps], path[steps + 1]);
        cr_assert_eq(wend__step_cost(v, w->mover, path[steps], path[steps + 1]), step);
        if (step == UINT64_MAX) break;
        expected += step;
    }
    cr_assert_eq(wend__version_walk(v, w->mover, path, PATH - 1, &cost), steps);
    cr_assert_eq(cost, expected);
    cr_assert_eq(wend__version_walk(v, w->mover, path, 0, &cost), 0u);
    cr_assert_eq(cost, 0u);
    wend__map_release(v, false);
    cr_assert_eq(wend_map_path_cost(w->map, w->mover, path, PATH, &walkable, &cost), WEND_OK);
    cr_assert_eq(walkable, open ? steps + 1 : 0);
    cr_assert_eq(cost, open ? expected : 0);
}

static size_t check_paths(const world *w, oracle_fn *oracle, const void *context, uint64_t seed) {
    wend_cell path[PATH];
    size_t whole = 0;
    wend_map_info info = info_now(w->map);
    const int32_t rounds = enough_or_many(75, 300);
    for (int32_t round = 0; round < rounds; round++) {
        path[0] = any_cell(&info, &seed);
        for (size_t i = 1; i < PATH; i++) path[i] = next_cell(w, &info, oracle, context, path[i - 1], &seed);
        uint32_t spoiled = draw(&seed, 3), where = draw(&seed, PATH);
        if (spoiled == 1) path[where] = any_cell(&info, &seed);
        if (spoiled == 2) path[where] = neighbour(&info, path[where ? where - 1 : 0], &seed);
        check_path(w, oracle, context, path);
        uint64_t cost;
        size_t walkable;
        cr_assert_eq(wend_map_path_cost(w->map, w->mover, path, PATH, &walkable, &cost), WEND_OK);
        whole += walkable == PATH;
    }
    return whole * 300 / (size_t)rounds;
}

/* ---- every kind of map ---- */

static void check_flat(int32_t neighbours, int32_t corners, uint32_t classes, uint64_t seed) {
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours, rules.corners = corners;
    rules.cost_straight = 7, rules.cost_diagonal = 11;
    OWNED(model_free) model m = model_create(150, 80, &rules);
    for (int32_t i = 0; i < 150 * 80; i++) m.classes[i] = draw(&seed, 5) ? (uint8_t)(1 + draw(&seed, classes)) : 0;
    world *w = calloc(1, sizeof *w);
    w->map = map_of(&m);
    cr_assert_gt(check_paths(w, flat_oracle, &m, seed), 50u);
    add_links(w, MOST_LINKS, &seed);
    cr_assert_gt(check_paths(w, flat_oracle, &m, seed + 1), 50u);
    wend_map_release(w->map);
    free(w);
}

Test(map_walk, costs_what_its_steps_and_links_cost_on_grids) {
    check_flat(8, WEND_CORNERS_NEVER, 1, 1);
    check_flat(8, WEND_CORNERS_ONE, 9, 2);
    check_flat(8, WEND_CORNERS_ALWAYS, 255, 3);
    check_flat(4, WEND_CORNERS_NEVER, 3, 4);
}

/* A model, and which steps of it are closed: a bit for each of the nine differences, by y and x from -1. */
typedef struct ledges {
    model m;
    uint16_t closed[150 * 80];
} ledges;

static unsigned difference(wend_cell a, wend_cell b) {
    return (unsigned)((b.y - a.y + 1) * 3 + b.x - a.x + 1);
}

/* Corners are cut here, so that a closed step bears on no other. */
static uint64_t ledges_oracle(const world *w, const void *context, wend_cell a, wend_cell b) {
    const ledges *l = context;
    bool near = abs(a.x - b.x) <= 1 && abs(a.y - b.y) <= 1;
    if (near && l->closed[a.y * 150 + a.x] >> difference(a, b) & 1)
        return model_open(&l->m, b.x, b.y) ? link_cost(w, a, b) : UINT64_MAX;
    return flat_oracle(w, &l->m, a, b);
}

Test(map_walk, does_not_take_closed_steps_but_links_over_them) {
    wend_map_rules rules = default_rules();
    uint64_t seed = 6;
    rules.corners = WEND_CORNERS_ALWAYS;
    ledges *l = calloc(1, sizeof *l);
    world *w = calloc(1, sizeof *w);
    l->m = model_create(150, 80, &rules);
    for (int32_t i = 0; i < 150 * 80; i++) l->m.classes[i] = (uint8_t)draw(&seed, 4);
    w->map = map_of(&l->m);
    wend_edit *edit = begin_edit(w->map);
    for (int32_t i = 0; i < 6000; i++) {
        wend_cell a = at(1 + (int32_t)draw(&seed, 148), 1 + (int32_t)draw(&seed, 78));
        wend_cell b = at(a.x + (int32_t)draw(&seed, 3) - 1, a.y + (int32_t)draw(&seed, 3) - 1);
        if (same_cell(a, b)) continue;
        cr_assert_eq(wend_edit_set_step(edit, a, b, false), WEND_OK);
        l->closed[a.y * 150 + a.x] |= (uint16_t)(1u << difference(a, b));
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_gt(check_paths(w, ledges_oracle, l, seed), 50u);
    add_links(w, MOST_LINKS, &seed);
    cr_assert_gt(check_paths(w, ledges_oracle, l, seed), 50u);
    wend_map_release(w->map);
    model_free(&l->m);
    free(l);
    free(w);
}

/* Costs by the map's step masks: other tests check how closed steps change the corner rules. */
static uint64_t steps_oracle(const world *w, const void *context, wend_cell a, wend_cell b) {
    const wend__version *v = context;
    uint64_t cost = UINT64_MAX;
    for (int d = 0; d < WEND__DIRECTIONS; d++)
        if (same_cell(b, at(a.x + wend__dx[d], a.y + wend__dy[d])) && wend__version_steps(v, a.x, a.y) >> d & 1)
            cost = (uint64_t)(d < WEND__NE ? 10 : 14) * wend__cell_factor(v, b);
    return wend__cell_factor(v, b) ? least(cost, link_cost(w, a, b)) : UINT64_MAX;
}

Test(map_walk, keeps_to_the_corner_rules_around_closed_steps) {
    world *w = calloc(1, sizeof *w);
    uint64_t seed = 9;
    w->map = map_of_size(150, 80);
    wend_edit *edit = begin_edit(w->map);
    for (int32_t i = 0; i < 4000; i++) {
        wend_cell a = at(1 + (int32_t)draw(&seed, 148), (int32_t)draw(&seed, 80));
        cr_assert_eq(wend_edit_set_step(edit, a, at(a.x + 1, a.y), false), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend__version *v = wend__map_acquire(w->map, false);
    cr_assert_gt(check_paths(w, steps_oracle, v, seed), 50u);
    wend__map_release(v, false);
    wend_map_release(w->map);
    free(w);
}

/* Where a mover stands, as a grid of its own: the most expensive cell that it covers, or none where one is blocked. */
static model standing_of(const model *m, const wend_mover *mover) {
    model s = model_create(m->width, m->height, &m->rules);
    for (unsigned class = 0; class < 256; class++) s.rules.factors[class] = (uint8_t)class;
    for (int32_t i = 0; i < m->width * m->height; i++) {
        uint8_t dearest = 1;
        for (int32_t j = 0; j < mover->size * mover->size; j++) {
            int32_t x = i % m->width + j % mover->size, y = i / m->width + j / mover->size;
            uint8_t factor = x < m->width && y < m->height ? mover->factors[m->classes[y * m->width + x]] : 0;
            dearest = !factor || !dearest ? 0 : factor > dearest ? factor : dearest;
        }
        s.classes[i] = dearest;
    }
    return s;
}

static void check_mover(int32_t size, int32_t corners, uint64_t seed) {
    wend_map_rules rules = default_rules();
    rules.corners = corners;
    OWNED(model_free) model m = model_create(150, 80, &rules);
    for (int32_t i = 0; i < 150 * 80; i++) m.classes[i] = draw(&seed, 20) ? (uint8_t)(1 + draw(&seed, 3)) : 0;
    wend_mover mover = default_mover();
    mover.size = size;
    mover.factors[0] = corners == WEND_CORNERS_ONE ? 7 : 0; /* goes through walls */
    mover.factors[1] = 4, mover.factors[2] = 1;
    OWNED(model_free) model standing = standing_of(&m, &mover);
    world *w = calloc(1, sizeof *w);
    w->map = map_of(&m);
    cr_assert_eq(wend_map_add_mover(w->map, &mover, &w->mover), WEND_OK);
    cr_assert_gt(check_paths(w, flat_oracle, &standing, seed), 50u);
    add_links(w, MOST_LINKS, &seed);
    cr_assert_gt(check_paths(w, flat_oracle, &standing, seed + 1), 50u);
    wend_map_release(w->map);
    free(w);
}

Test(map_walk, costs_what_its_steps_and_links_cost_for_movers) {
    check_mover(1, WEND_CORNERS_NEVER, 1);
    check_mover(2, WEND_CORNERS_ONE, 2);
    check_mover(2, WEND_CORNERS_ALWAYS, 3);
    check_mover(3, WEND_CORNERS_NEVER, 4);
}

static void check_space(int32_t neighbours, uint64_t seed) {
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules;
    world *w = calloc(1, sizeof *w);
    def.kind = WEND_KIND_VOXEL, def.width = 20, def.height = 33, def.depth = 18;
    def_rules.neighbours = neighbours;
    cr_assert_eq(wend_map_create(&def, &w->map), WEND_OK);
    wend_edit *edit = begin_edit(w->map);
    for (int32_t i = 0; i < 20 * 33 * 18; i++)
        wend_edit_set_cell(edit, (wend_cell){i % 20, i / 20 % 33, i / 660}, (uint8_t)draw(&seed, 5));
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend__version *v = wend__map_acquire(w->map, false);
    cr_assert_gt(check_paths(w, space_oracle, v, seed), 50u);
    add_links(w, MOST_LINKS, &seed);
    wend__map_release(v, false);
    v = wend__map_acquire(w->map, false);
    cr_assert_gt(check_paths(w, space_oracle, v, seed), 50u);
    wend__map_release(v, false);
    wend_map_release(w->map);
    free(w);
}

Test(map_walk, costs_what_its_steps_and_links_cost_in_space) {
    check_space(26, 1);
    check_space(18, 2);
    check_space(6, 3);
}

static void check_graph(bool coordinates, uint64_t seed) {
    enum { NODES = 60 };
    uint8_t classes[NODES];
    wend_cell places[NODES];
    graph_model g = {.count = 600, .classes = classes};
    wend_graph_def def = default_graph();
    world *w = calloc(1, sizeof *w);
    for (uint64_t i = 0; i < g.count; i++)
        g.edges[i] = (wend_edge){draw(&seed, NODES), draw(&seed, NODES), 1 + (int32_t)draw(&seed, 40)};
    for (int32_t i = 0; i < NODES; i++) places[i] = at((int32_t)draw(&seed, 99), (int32_t)draw(&seed, 99));
    def.node_count = NODES, def.edges = g.edges, def.edge_count = g.count;
    if (coordinates) def.coordinates = places;
    cr_assert_eq(wend_graph_create(&def, &w->map), WEND_OK);
    wend_edit *edit = begin_edit(w->map);
    for (int32_t i = 0; i < NODES; i++) {
        classes[i] = (uint8_t)draw(&seed, 8);
        cr_assert_eq(wend_edit_set_cell(edit, at(i, 0), classes[i]), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_gt(check_paths(w, graph_oracle, &g, seed), 50u);
    add_links(w, 100, &seed);
    cr_assert_gt(check_paths(w, graph_oracle, &g, seed), 50u);
    wend_map_release(w->map);
    free(w);
}

Test(map_walk, costs_what_its_edges_and_links_cost_on_graphs) {
    check_graph(true, 1);
    check_graph(false, 2);
}

/* ---- corners of it ---- */

static uint64_t cost_of(wend_map *map, wend_cell a, wend_cell b, size_t *walkable) {
    wend_cell path[2] = {a, b};
    uint64_t cost;
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, path, 2, walkable, &cost), WEND_OK);
    return cost;
}

Test(map_walk, s11_takes_the_cheaper_of_a_step_and_a_link) {
    static const char *const rows[] = {"..4", "#.."};
    OWNED(model_free) model m = model_of_text(rows, 2, NULL);
    OWNED_MAP *map = map_of(&m);
    size_t walkable;
    wend_edit *edit = begin_edit(map);
    wend_edit_add_link(edit, &(wend_link){at(0, 0), at(1, 0), 9, 0});
    wend_edit_add_link(edit, &(wend_link){at(1, 0), at(0, 0), 11, 0});
    wend_edit_add_link(edit,
                       &(wend_link){at(1, 0), at(2, 0), 39, 0}); /* has its own cost, whatever the ground at its exit */
    wend_edit_add_link(edit, &(wend_link){at(2, 0), at(0, 1), 1, 0});   /* the exit is blocked */
    wend_edit_add_link(edit, &(wend_link){at(0, 1), at(2, 1), 1, 0});   /* the entrance is blocked */
    wend_edit_add_link(edit, &(wend_link){at(0, 0), at(2, 1), 500, 0}); /* where there is no step */
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(cost_of(map, at(0, 0), at(1, 0), &walkable), 9u);
    cr_assert_eq(cost_of(map, at(1, 0), at(0, 0), &walkable), 10u);
    cr_assert_eq(cost_of(map, at(1, 0), at(2, 0), &walkable), 39u);
    cr_assert_eq(cost_of(map, at(0, 0), at(2, 1), &walkable), 500u);
    cr_assert_eq(walkable, 2u);
    cr_assert_eq(cost_of(map, at(2, 1), at(0, 0), &walkable), 0u);
    cr_assert_eq(walkable, 1u);
    cost_of(map, at(2, 0), at(0, 1), &walkable);
    cr_assert_eq(walkable, 1u);
    cost_of(map, at(0, 1), at(2, 1), &walkable);
    cr_assert_eq(walkable, 0u);
    cost_of(map, at(1, 0), at(1, 0), &walkable); /* staying is no step */
    cr_assert_eq(walkable, 1u);
}

Test(map_walk, of_an_unknown_mover_or_no_cells_is_refused) {
    OWNED_MAP *map = map_of_size(5, 5);
    wend_cell path[2] = {at(1, 1), at(5, 1)};
    uint64_t cost = 77;
    size_t walkable = 78;
    cr_assert_eq(wend_map_path_cost(map, 1, path, 1, &walkable, &cost), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_path_cost(map, -1, path, 1, &walkable, &cost), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_path_cost(map, 0, path, 0, &walkable, &cost), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_path_cost(map, 0, path, 2, &walkable, &cost), WEND_OUT_OF_RANGE);
    cr_assert(cost == 77 && walkable == 78);
    cr_assert_eq(wend_map_path_cost(map, 0, path, 1, NULL, &cost), WEND_OK);
    cr_assert_eq(cost, 0u);
}
