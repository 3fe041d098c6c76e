/* SPDX-License-Identifier: MIT */
/* Landmarks of every kind of map: their bounds against every step, edge and link, before and after edits; their memory,
 * and making them in slices.
 *
 * A bound that is 0 at the goals and differs by no more than each step costs is consistent, and by induction along any
 * way it is admissible. Costs of steps come from wend__step_cost(), which uses no landmarks. */
#include "fast/acceleration.h"
#include "search/rules/bound.h"
#include "fast/landmarks/landmark_make.h"
#include "fast/landmarks/landmark_tables.h"
#include "map/links/links.h"
#include "map/map_support.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/ways.h>

enum { SLOW = 3, DEAR = 7, GOALS = 4 };

static wend_map_info info_of(const wend_map *map) {
    wend_map_info info = info_now(map);
    return info;
}

static wend_error accelerate(wend_map *map, int32_t mover, int32_t landmarks, int32_t later) {
    wend_acceleration def = default_acceleration();
    def.mover = mover, def.tables = 0, def.landmarks = landmarks, def.later = later;
    return wend_map_accelerate(map, &def);
}

/* ---- worlds ---- */

typedef struct kind {
    int32_t kind, width, height, depth;
    int32_t neighbours, corners;
    bool slow, links, closed;
} kind;

static const kind kinds[] = {
    {WEND_KIND_GRID, 90, 70, 1, 8, WEND_CORNERS_NEVER, false, false, false},
    {WEND_KIND_GRID, 70, 130, 1, 8, WEND_CORNERS_NEVER, true, true, true},
    {WEND_KIND_GRID, 66, 66, 1, 8, WEND_CORNERS_ONE, true, false, true},
    {WEND_KIND_GRID, 65, 40, 1, 8, WEND_CORNERS_ALWAYS, false, true, false},
    {WEND_KIND_GRID, 80, 65, 1, 4, WEND_CORNERS_NEVER, true, true, true},
    {WEND_KIND_VOXEL, 20, 18, 17, 26, WEND_CORNERS_NEVER, true, true, true},
    {WEND_KIND_VOXEL, 18, 20, 9, 26, WEND_CORNERS_ONE, false, false, false},
    {WEND_KIND_VOXEL, 17, 17, 17, 18, WEND_CORNERS_ALWAYS, true, false, false},
    {WEND_KIND_VOXEL, 20, 20, 5, 6, WEND_CORNERS_NEVER, true, true, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static wend_cell any_cell(const wend_map *map, uint64_t *seed) {
    const wend_map_info info = info_of(map);
    return (wend_cell){(int32_t)draw(seed, (uint32_t)info.width), (int32_t)draw(seed, (uint32_t)info.height),
                       (int32_t)draw(seed, (uint32_t)info.depth)};
}

static uint8_t any_class(uint64_t *seed, bool slow) {
    const uint32_t roll = draw(seed, 100);
    if (roll < 30) return WEND_CLASS_BLOCKED;
    if (!slow || roll < 75) return WEND_CLASS_OPEN;
    return roll < 90 ? SLOW : DEAR;
}

static void edit_some(wend_map *map, const kind *k, uint64_t *seed, int cells) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < cells; i++) wend_edit_set_cell(edit, any_cell(map, seed), any_class(seed, k->slow));
    for (int i = 0; k->links && i < 3; i++) {
        const wend_cell a = any_cell(map, seed), b = any_cell(map, seed);
        if (memcmp(&a, &b, sizeof a) == 0) continue;
        wend_edit_add_link(edit, &(wend_link){a, b, (int32_t)(1 + draw(seed, 20000)), 0});
    }
    for (int i = 0; k->closed && i < 6; i++) {
        const wend_cell a = any_cell(map, seed);
        const wend_cell b = {a.x, a.y + 1, a.z};
        if (wend__map_has(map, b)) wend_edit_set_step(edit, a, b, draw(seed, 2));
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static wend_map *map_with(const kind *k, uint64_t seed, wend_allocator allocator) {
    wend_map_rules rules = default_rules();
    wend_map_def def = default_map();
    rules.neighbours = k->neighbours, rules.corners = k->corners;
    rules.cost_straight = 1000, rules.cost_diagonal = 1414, rules.cost_space = 1732;
    def.kind = k->kind, def.width = k->width, def.height = k->height, def.depth = k->depth;
    def.rules = &rules, def.allocator = allocator;
    wend_map *map = made_map(&def);
    edit_some(map, k, &seed, k->width * k->height * k->depth);
    return map;
}

static wend_map *map_of_kind(const kind *k, uint64_t seed) {
    return map_with(k, seed, (wend_allocator){0});
}

/* ---- the check ---- */

static uint64_t bound_of(const wend__landmark_bounds *b, const wend__version *v, wend_cell cell) {
    return wend__landmark_bound_at(b, wend__place_of(v, cell));
}

static bool enterable(const wend__version *view, wend_cell cell) {
    return wend__cell_factor(view, cell) > 0;
}

static void check_step(const wend__version *v, const wend__landmark_bounds *b, int32_t mover, wend_cell from,
                       wend_cell to) {
    const uint64_t cost = wend__step_cost(v, mover, from, to);
    if (cost == UINT64_MAX) return;
    const uint64_t here = bound_of(b, v, from), there = bound_of(b, v, to);
    cr_assert(here <= there + cost, "(%d, %d, %d) to (%d, %d, %d): %lu, %lu, cost %lu", (int)from.x, (int)from.y,
              (int)from.z, (int)to.x, (int)to.y, (int)to.z, (unsigned long)here, (unsigned long)there,
              (unsigned long)cost);
}

/* All steps and links of the map, both ways where they lead both ways. */
static void check_steps(const wend__version *v, const wend__landmark_bounds *b, int32_t mover) {
    const wend__version *view = wend__version_view(v, mover);
    for (int32_t n = 0; n < v->width * v->height * v->depth; n++) {
        const wend_cell from = wend__cell_of_number(v, (uint32_t)n);
        const int32_t levels = wend__is_walker(view) ? WEND_MAX_LEVELS : 1, around = 9 * (2 * levels + 1);
        for (int32_t i = 0; enterable(view, from) && i < around; i++) {
            const wend_cell to = {from.x + i % 3 - 1, from.y + i / 3 % 3 - 1, from.z + i / 9 - levels};
            const bool same = to.x == from.x && to.y == from.y && to.z == from.z;
            if (!same && wend__map_has(v->map, to) && enterable(view, to)) check_step(v, b, mover, from, to);
        }
    }
    for (uint32_t i = 0; v->links && i < v->links->count; i++) {
        const wend__link *link = &v->links->sorted[i];
        const wend_cell from = wend__cell_of_number(v, link->from), to = wend__cell_of_number(v, link->to);
        if (enterable(view, from) && enterable(view, to)) check_step(v, b, mover, from, to);
    }
}

/* Without links a search meets the rim of a goal's box first: the cells inside may have bounds. */
static void check_goals(const wend__version *view, const wend__landmark_bounds *b, const wend__landmark_goals *goals) {
    for (uint32_t i = 0; i < goals->count; i++)
        for (int32_t dy = -goals->reach; dy <= goals->reach; dy++)
            for (int32_t dx = -goals->reach; dx <= goals->reach; dx++) {
                const wend_cell at = {goals->cells[i].x + dx, goals->cells[i].y + dy, goals->cells[i].z};
                const bool on = (uint32_t)at.x < (uint32_t)view->width && (uint32_t)at.y < (uint32_t)view->height;
                const bool rim = abs(dx) == goals->reach || abs(dy) == goals->reach;
                if (!on || !enterable(view, at) || !(rim || view->links)) continue;
                if (!wend__landmark_has(wend__landmark_at(view->landmarks, wend__place_of(view, at)), b->slot[0]))
                    continue;
                cr_assert_eq(bound_of(b, view, at), 0u, "a goal has a bound");
            }
}

/* Checks one goal, or several, or a reach, from some start. Returns whether any landmark bound was above 0. */
static bool check_bounds(wend_map *map, int32_t mover, uint64_t *seed) {
    wend__version *v = wend__map_acquire(map, false);
    const wend__version *view = wend__version_view(v, mover);
    wend_cell cells[GOALS];
    const uint32_t unit = draw(seed, 2) && !v->links ? 2 : 1; /* all costs of steps are even */
    const wend__landmark_goals goals = {cells, 1 + draw(seed, GOALS), (int32_t)draw(seed, 3)};
    for (uint32_t i = 0; i < goals.count; i++) cells[i] = any_cell(map, seed);
    wend__landmark_bounds b;
    const wend_cell start = any_cell(map, seed);
    const uint64_t known = wend__landmark_bounds_init(&b, view, start, &goals, unit);
    if (b.landmarks && unit == 1) check_steps(v, &b, mover);
    if (b.landmarks) check_goals(view, &b, &goals);
    if (b.landmarks) cr_assert_eq(known, bound_of(&b, view, start));
    wend__map_release(v, false);
    return known > 0;
}

static int check_some(wend_map *map, uint64_t *seed, int times) {
    int useful = 0;
    for (int i = 0; i < times; i++) useful += check_bounds(map, WEND_MOVER_DEFAULT, seed);
    cr_assert(useful > 0 || times < 6, "no bound says anything");
    return useful;
}

Test(landmarks, bound_the_cost_on_every_kind_of_map) {
    int useful = 0;
    for (int i = 0; i < KINDS; i++) {
        uint64_t seed = (uint64_t)i + 1;
        OWNED_MAP *map = map_of_kind(&kinds[i], seed);
        cr_assert_eq(wend__map_prepare_landmarks(map, 1 + i % WEND_MAX_LANDMARKS), WEND_OK);
        cr_assert_eq(info_of(map).landmarks, 1 + i % WEND_MAX_LANDMARKS);
        useful += check_some(map, &seed, enough_or_many(2, 20));
    }
    cr_assert_gt(useful, KINDS / 2);
}

/* Most edits are repaired, some drop landmarks; all remaining landmarks fit all steps. */
Test(landmarks, bound_the_cost_after_edits) {
    static const uint64_t efforts[] = {0, 20, WEND_LANDMARK_EFFORT, WEND_NO_LIMIT};
    int dropped = 0, kept = 0;
    for (int i = 0; i < 4 * KINDS; i++) {
        uint64_t seed = (uint64_t)i + 100;
        const kind *k = &kinds[i % KINDS];
        OWNED_MAP *map = map_of_kind(k, seed);
        cr_assert_eq(wend__map_prepare_landmarks(map, 3), WEND_OK);
        wend__map_set_landmark_effort(map, efforts[i / KINDS]);
        for (int round = few_or_many(1, 8); round > 0; round--) {
            edit_some(map, k, &seed, 1 + (int)draw(&seed, 12));
            check_some(map, &seed, few_or_many(1, 2));
        }
        const int32_t left = info_of(map).landmarks;
        dropped += left<3, kept += left> 0;
        if (efforts[i / KINDS] == WEND_NO_LIMIT) cr_assert_eq(left, 3, "kind %d keeps %d", i % KINDS, (int)left);
    }
    cr_assert(dropped > 4 && kept > 4, "%d dropped, %d kept", dropped, kept);
}

Test(landmarks, bound_the_cost_for_other_movers) {
    for (int i = 0; i < KINDS; i++) {
        uint64_t seed = (uint64_t)i + 200;
        OWNED_MAP *map = map_of_kind(&kinds[i], seed);
        int32_t id;
        wend_mover mover = default_mover();
        mover.factors[SLOW] = 1, mover.factors[DEAR] = 0, mover.size = 1 + i % 2;
        cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
        cr_assert_eq(accelerate(map, id, 4, 0), WEND_OK);
        cr_assert_eq(info_of(map).landmarks, 0); /* the default mover has none */
        for (int round = 0; round < few_or_many(3, 6); round++) {
            int useful = 0;
            for (int n = enough_or_many(6, 20); n > 0 && round == 0; n--) useful += check_bounds(map, id, &seed);
            cr_assert(useful > 0 || round > 0 || mover.size > 1);
            check_bounds(map, id, &seed);
            edit_some(map, &kinds[i], &seed, 3);
        }
    }
}

/* Floors, blocks on them and stairs here and there. */
static void build_storeys(wend_map *map, uint64_t *seed) {
    const wend_map_info info = info_of(map);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {info.width - 1, info.height - 1, info.depth - 1}}, WEND_CLASS_OPEN);
    for (int32_t z = 0; z < info.depth; z += 4)
        wend_edit_fill_box(edit, (wend_box){{0, 0, z}, {info.width - 1, info.height - 1, z}}, WEND_CLASS_BLOCKED);
    for (int i = 0; i < 500; i++)
        wend_edit_set_cell(edit, any_cell(map, seed), (uint8_t)(i % 9 ? i % 2 : WEND_CLASS_STAIRS));
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(landmarks, bound_the_cost_for_walkers) {
    enum { CLOSED = 5 };
    int dropped = 0;
    for (int i = 0; i < enough_or_many(4, 60); i++) {
        uint64_t seed = (uint64_t)i + 300;
        const kind *k = &kinds[CLOSED + i % 4];
        OWNED_MAP *map = map_of_kind(k, seed);
        build_storeys(map, &seed);
        int32_t id;
        wend_mover mover = default_mover();
        mover.factors[SLOW] = 2, mover.factors[WEND_CLASS_STAIRS] = 1;
        mover.walker = 1, mover.step_up = (int32_t)draw(&seed, 4), mover.headroom = 1 + i % 3;
        mover.drop = i % 5 ? (int32_t)draw(&seed, 4) : WEND_MAX_LEVELS;
        cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
        cr_assert_eq(accelerate(map, id, 4, 0), WEND_OK);
        wend__map_set_landmark_effort(map, i % 2 ? WEND_NO_LIMIT : 20);
        int useful = 0;
        for (int n = 40; n > 0; n--) useful += check_bounds(map, id, &seed);
        cr_assert(useful > 0, "no bound says anything");
        for (int round = 0; round < 12; round++) {
            edit_some(map, k, &seed, 3);
            check_bounds(map, id, &seed);
            check_bounds(map, id, &seed);
        }
        OWNED_VERSION *v = wend__map_acquire(map, false);
        const wend__landmarks *left = wend__version_view(v, id)->landmarks;
        dropped += !left || left->valid != 15;
        if (i % 2) cr_assert(left && left->valid == 15, "world %d: edits are repaired", i);
    }
    cr_assert_gt(dropped, 0);
}

/* ---- graphs ---- */

enum { NODES = 3000, EDGES = 9000 };

/* `symmetric`: each edge has one back at the same cost. */
static wend_map *graph_of(uint32_t dearest, bool symmetric, uint64_t seed) {
    wend_edge *edges = calloc(2 * EDGES, sizeof *edges);
    for (uint32_t i = 0; i < EDGES; i++) {
        edges[i].from = i < NODES ? i : draw(&seed, NODES);
        edges[i].to = i < NODES ? (i + 1) % NODES : draw(&seed, NODES);
        if (edges[i].from == edges[i].to) edges[i].to = (edges[i].to + 1) % NODES;
        edges[i].cost = (int32_t)(1 + draw(&seed, dearest));
        edges[EDGES + i] = (wend_edge){.from = edges[i].to, .to = edges[i].from, .cost = edges[i].cost};
    }
    wend_graph_def def = default_graph();
    def.node_count = NODES, def.edges = edges, def.edge_count = symmetric ? 2 * EDGES : EDGES;
    wend_map *map = made_graph(&def);
    free(edges);
    return map;
}

/* Costs to a goal, by relaxing all edges until nothing changes. */
static void costs_to(const wend__version *v, uint32_t goal, uint64_t *costs) {
    memset(costs, 0xff, NODES * sizeof *costs);
    costs[goal] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t node = 0; node < NODES; node++)
            for (wend__arcs arcs = wend__graph_arcs(v->graph, node); arcs.first != arcs.end; arcs.first++) {
                const wend__arc arc = *arcs.first;
                if (costs[arc.to] == UINT64_MAX || costs[arc.to] + arc.cost >= costs[node]) continue;
                costs[node] = costs[arc.to] + arc.cost;
                changed = true;
            }
    }
}

/* With expensive edges numbers are rounded: the bound is admissible, and at most one number too large between nodes. */
Test(landmarks, bound_the_cost_on_graphs) {
    static uint64_t costs[NODES];
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t seed = i + 1, useful = 0;
        OWNED_MAP *map = graph_of(i % 4 < 2 ? 50 : 1000000, i >= 4, seed);
        cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
        edit_some(map, &(kind){.slow = true}, &seed, 30); /* classes of nodes never make landmarks wrong */
        cr_assert_eq(info_of(map).landmarks, 4);
        OWNED_VERSION *v = wend__map_acquire(map, false);
        cr_assert_eq(v->landmarks->scale.slack, i % 4 < 2 ? 0u : 1u);
        cr_assert_eq(v->landmarks->count, i < 4 ? 8u : 4u);
        for (int32_t n = 0; n < 20; n++) {
            wend__node_bounds b;
            const wend_cell goal = {(int32_t)draw(&seed, NODES), 0, 0}, start = {(int32_t)draw(&seed, NODES), 0, 0};
            const wend__landmark_goals goals = {&goal, 1, 0};
            wend__landmark_bounds two;
            wend__node_bounds_init(&b, v, (uint32_t)start.x, (uint32_t)goal.x);
            wend__landmark_bounds_init(&two, v, start, &goals, 1);
            cr_assert(b.landmarks && two.landmarks);
            costs_to(v, (uint32_t)goal.x, costs);
            for (uint32_t node = 0; node < NODES; node++) {
                const uint64_t bound = wend__node_bound(&b, node);
                cr_assert_leq(bound, costs[node]);
                cr_assert_leq(bound_of(&two, v, (wend_cell){(int32_t)node, 0, 0}), bound);
                useful += bound;
            }
        }
        cr_assert_gt(useful, 0u);
    }
}

/* ---- slices, and landmarks that are lacking ---- */

static uint64_t sum_of(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const wend__landmarks *l = v->landmarks;
    uint64_t sum = v->landmarks_age;
    for (size_t i = 0; l && i < l->strip_count; i++)
        for (size_t cell = 0; cell < WEND__STRIP_CELLS; cell++)
            for (unsigned slot = 0; slot < l->count; slot++)
                sum = sum * 31 + wend__landmark_number(wend__landmark_cell_in(l->strips[i], l->count, cell), slot);
    wend__map_release(v, false);
    return sum;
}

Test(landmarks, made_in_slices_are_the_same) {
    static const uint64_t efforts[] = {1, 100, 5000};
    for (int i = 0; i < KINDS; i++) {
        OWNED_MAP *map = map_of_kind(&kinds[i], (uint64_t)i + 300), *other = NULL;
        cr_assert_eq(wend_map_fork(map, &other), WEND_OK);
        cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
        cr_assert_eq(accelerate(other, WEND_MOVER_DEFAULT, 4, 1), WEND_OK);
        uint64_t left = 1, slices = 0;
        for (; left > 0; slices++)
            cr_assert_eq(wend_map_maintain(other, WEND_MAINTAIN_ALL, efforts[i % 3], &left), WEND_OK);
        cr_assert_eq(info_of(other).landmarks, 4);
        cr_assert_eq(sum_of(map), sum_of(other));
        cr_assert_gt(slices, 2u);
    }
}

Test(landmarks, of_graphs_made_in_slices_are_the_same) {
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t seed = i + 1, left = 1;
        OWNED_MAP *map = graph_of(50, i % 2, seed), *other = NULL;
        edit_some(map, &(kind){.links = true}, &seed, 30);
        cr_assert_eq(wend_map_fork(map, &other), WEND_OK);
        cr_assert_eq(wend__map_prepare_landmarks(map, 2), WEND_OK);
        cr_assert_eq(accelerate(other, WEND_MOVER_DEFAULT, 2, 1), WEND_OK);
        while (left > 0) cr_assert_eq(wend_map_maintain(other, WEND_MAINTAIN_ALL, i < 2 ? 7 : 1000, &left), WEND_OK);
        cr_assert_eq(sum_of(map), sum_of(other));
    }
}

/* Returns the progress of the present phase; each stage begins at 0. */
static int64_t progress_of(const wend__landmark_build *b) {
    return (int64_t)(b->next + b->part * 8 + b->reached_count + b->spread.count + b->spread.work + b->ground.at);
}

/* Checks that no slice works on many chunks, in any phase. */
static void check_slices(wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    wend__landmark_build *b = wend__landmark_build_begin(map, v, 2);
    int64_t longest = 0;
    cr_assert_not_null(b);
    for (bool done = false; !done;) {
        const wend__landmark_phase phase = b->phase;
        const int64_t before = progress_of(b);
        done = wend__landmark_build_run(b, 1);
        const bool counts = b->phase == phase && phase != WEND__LANDMARK_DISCARDING; /* discarding counts bytes */
        if (counts && progress_of(b) - before > longest) longest = progress_of(b) - before;
    }
    cr_assert_leq(longest, 3 * WEND__CHUNK_CELLS);
    cr_assert_eq(wend__landmark_build_end(b, NULL), WEND_OK);
}

Test(landmarks, are_made_in_short_slices) {
    static const kind large[] = {{WEND_KIND_GRID, 400, 400, 1, 8, WEND_CORNERS_NEVER, false, false, false},
                                 {WEND_KIND_GRID, 300, 300, 1, 4, WEND_CORNERS_NEVER, true, true, true},
                                 {WEND_KIND_VOXEL, 60, 60, 20, 26, WEND_CORNERS_NEVER, false, true, false}};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        OWNED_MAP *map = map_of_kind(&large[i], i + 1);
        check_slices(map);
    }
    OWNED_MAP *graph = graph_of(50, false, 5);
    check_slices(graph);
}

/* Edits go on while landmarks are made: the finished ones fit the newest version. */
Test(landmarks, made_in_slices_while_the_map_changes_fit_it) {
    int useful = 0;
    for (int i = 0; i < KINDS; i++) {
        uint64_t seed = (uint64_t)i + 400, left = 1;
        wend_map *map = map_of_kind(&kinds[i], seed);
        wend__map_set_landmark_effort(map, WEND_NO_LIMIT);
        cr_assert_eq(accelerate(map, WEND_MOVER_DEFAULT, 3, 1), WEND_OK);
        for (int slice = 0; left > 0; slice++) {
            if (slice % 3 == 0) edit_some(map, &kinds[i], &seed, 2);
            cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 3000, &left), WEND_OK);
        }
        cr_assert_eq(info_of(map).landmarks, 3);
        useful += check_some(map, &seed, enough_or_many(2, 20));
        edit_some(map, &kinds[i], &seed, 5);
        check_some(map, &seed, few_or_many(1, 5));
        wend_map_release(map); /* with landmarks under way, too */
        map = map_of_kind(&kinds[i], seed);
        cr_assert_eq(accelerate(map, WEND_MOVER_DEFAULT, 3, 1), WEND_OK);
        cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 1, NULL), WEND_OK);
        wend_map_release(map);
    }
    cr_assert_gt(useful, KINDS / 2);
}

Test(landmarks, that_were_dropped_are_made_again_in_idle_time) {
    OWNED_MAP *map = map_of_size(130, 70);
    cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
    wend__map_set_landmark_effort(map, 0);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(60, 1, 61, 69), WEND_CLASS_BLOCKED);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(info_of(map).landmarks, 4); /* closing a cell makes no landmark wrong */
    cr_assert_eq(info_of(map).landmark_left, 0u);
    cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    wend_edit_fill_box(edit, box_of(60, 60, 61, 60), WEND_CLASS_OPEN);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_lt(info_of(map).landmarks, 4);
    cr_assert_gt(info_of(map).landmark_left, 0u);
    for (uint64_t left = 1; left > 0;) cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 2000, &left), WEND_OK);
    cr_assert_eq(info_of(map).landmarks, 4);
    cr_assert_eq(info_of(map).landmark_left, 0u);
    cr_assert_eq(wend__map_prepare_landmarks(map, 0), WEND_OK);
    cr_assert_eq(info_of(map).landmark_left, 0u);
}

/* ---- memory and limits ---- */

static wend_error prepare_four(wend_map *map) {
    return wend__map_prepare_landmarks(map, 4);
}

static wend_error open_box(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_fill_box(edit, (wend_box){{3, 3, 0}, {12, 12, 0}}, WEND_CLASS_OPEN);
    return wend_edit_publish(edit, NULL);
}

static uint64_t state_of(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const uint64_t sum = (uint64_t)(uintptr_t)v;
    wend__map_release(v, false);
    return sum + sum_of(map);
}

Test(landmarks, are_unchanged_whichever_allocation_fails) {
    for (int i = 0; i < KINDS; i += few_or_many(KINDS, 5)) {
        counting c = {0};
        wend_map *map = map_with(&kinds[i], 5, counting_allocator(&c));
        fail_everywhere(map, &c, prepare_four, state_of);
        cr_assert_eq(info_of(map).landmarks, 4);
        wend__map_set_landmark_effort(map, WEND_NO_LIMIT);
        fail_everywhere(map, &c, open_box, state_of);
        cr_assert_eq(info_of(map).landmarks, 4);
        wend_map_release(map);
        cr_assert(c.bytes == 0 && c.blocks == 0);
    }
}

/* Two bytes a cell and landmark, the bases and the table apart. */
Test(landmarks, take_two_bytes_a_cell) {
    wend_map *map = map_of_size(512, 512);
    cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
    cr_assert_leq(info_of(map).landmark_bytes, (uint64_t)512 * 512 * 8 * 101 / 100);
    wend_map_release(map);
    map = map_of_size(640, 640);
    IN_BATCH(map, wend_edit_fill_box(edit, box_of(0, 320, 639, 639), WEND_CLASS_BLOCKED));
    cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
    cr_assert_leq(info_of(map).landmark_bytes, (uint64_t)640 * 640 * 4 * 102 / 100); /* blank strips take none */
    wend_map_release(map);
}

Test(landmarks, are_as_many_as_were_asked_for_or_none) {
    OWNED_MAP *map = map_of_size(70, 30);
    cr_assert_eq(accelerate(map, WEND_MOVER_DEFAULT, 2, 0), WEND_OK);
    cr_assert_eq(accelerate(map, WEND_MOVER_DEFAULT, -1, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(accelerate(map, WEND_MOVER_DEFAULT, 9, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(info_of(map).landmarks, 2);
    const uint64_t serial = wend__map_serial(map);
    cr_assert_eq(accelerate(map, WEND_MOVER_DEFAULT, 2, 0), WEND_OK);
    cr_assert_eq(wend__map_serial(map), serial); /* all are up to date */
    cr_assert_eq(accelerate(map, WEND_MOVER_DEFAULT, 8, 0), WEND_OK);
    cr_assert_eq(info_of(map).landmarks, 8);
    cr_assert_eq(accelerate(map, WEND_MOVER_DEFAULT, 0, 0), WEND_OK);
    cr_assert(info_of(map).landmarks == 0 && info_of(map).landmark_bytes == 0);
}

/* Walls part cells that are far from each other: strips are paged. */
Test(landmarks, fit_where_walls_part_cells_that_are_far_apart) {
    OWNED_MAP *map = map_of_size(300, 200);
    uint64_t seed = 9;
    wend_map_rules rules = default_rules();
    rules.cost_straight = 1000, rules.cost_diagonal = 1414, rules.cost_space = 1732;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 2; y < 200; y += 13)
        wend_edit_fill_box(edit, box_of(y % 2, y, 298 + y % 2, y), WEND_CLASS_BLOCKED);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
    wend__version *v = wend__map_acquire(map, false);
    cr_assert_gt(v->landmarks->paged, 0u);
    wend__map_release(v, false);
    check_some(map, &seed, few_or_many(6, 20));
}
