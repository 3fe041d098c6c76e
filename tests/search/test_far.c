/* SPDX-License-Identifier: MIT */
/* Routes on the far layer: none is missed, none is invented, each can be walked, and not for much more than the
 * cheapest path. */
#include "fast/far/far_layer.h"
#include "models/both.h"
#include "map/version/version.h"
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/random.h"
#include "models/options.h"
#include "cli/shared/legs.h"
#include "fast/routes/far_route.h"

#include <criterion/criterion.h>
#include <wend/ways.h>
#include <stdlib.h>

enum { NODES = 1 << 15, ROOM = 4096, WIDTH = 64 * 13 + 9, HEIGHT = 64 * 10 };

typedef struct list {
    wend__far_route of;
    wend__far_crossing_at at[ROOM];
} list;

typedef struct world {
    wend_map *map;
    wend__version *version;
    wend__far_finder *finder;
    wend_search *search;
    list lists[WEND__FAR_LEVELS], parts[2];
    int32_t weight_milli, heuristic; /* for far requests; 0: the defaults */
    uint64_t seed;
} world;

static wend__far_route *emptied(list *l) {
    l->of = (wend__far_route){.crossings = l->at, .room = ROOM};
    return &l->of;
}

static uint32_t dice(world *w, uint32_t below) {
    return draw(&w->seed, below);
}

/* Thick walls with gaps, boxes, and noise in some places; slow ground in others. */
static void build(world *w, bool slow) {
    wend_edit *edit = begin_edit(w->map);
    for (int i = 0; i < 260; i++) {
        const wend_cell c = {(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        const int32_t long_side = 20 + (int32_t)dice(w, 120), across = dice(w, 2) ? 1 : 12;
        const bool flat = dice(w, 2);
        wend_box box = {c, {c.x + (flat ? long_side : across), c.y + (flat ? across : long_side), 0}};
        box.max.x = box.max.x < WIDTH ? box.max.x : WIDTH - 1, box.max.y = box.max.y < HEIGHT ? box.max.y : HEIGHT - 1;
        const uint8_t class = slow && dice(w, 3) == 0 ? 2 : dice(w, 5) == 0 ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED;
        cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
    }
    for (int i = 0; i < 9000; i++) {
        const wend_cell c = {(int32_t)dice(w, WIDTH / 3), (int32_t)dice(w, HEIGHT / 3), 0};
        cr_assert_eq(wend_edit_fill_box(edit, (wend_box){c, c}, WEND_CLASS_BLOCKED), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static world *world_create(bool slow, int32_t levels, uint64_t seed) {
    world *w = calloc(1, sizeof *w);
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    wend_search_def search = default_search();
    search.far_nodes = NODES, search.nodes = 1 << 22;
    w->seed = seed;
    rules.factors[2] = 3;
    def.width = WIDTH, def.height = HEIGHT, def.rules = &rules;
    cr_assert_eq(wend_map_create(&def, &w->map), WEND_OK);
    build(w, slow);
    cr_assert_eq(wend__map_prepare_far(w->map, WEND_MOVER_DEFAULT, levels), WEND_OK);
    w->version = wend__map_acquire(w->map, false);
    w->finder = malloc(wend__far_finder_bytes(NODES));
    wend__far_finder_init(w->finder, NODES);
    cr_assert_eq(wend_search_create(&search, &w->search), WEND_OK);
    return w;
}

static void world_free(world *w) {
    wend_search_destroy(w->search);
    free(w->finder);
    wend__map_release(w->version, false);
    wend_map_release(w->map);
    free(w);
}

static uint64_t cheapest(world *w, wend_cell from, wend_cell to) {
    const wend_request request = path_request(w->map, from, to);
    cr_assert_eq(wend_search_begin(w->search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(w->search, UINT64_MAX, NULL), WEND_STATUS_FOUND);
    return (uint64_t)result_now(w->search).cost;
}

/* All parts of a route, one after another, one level lower. */
static void refine(world *w, const list *route, wend_cell start, wend_cell goal, list *out) {
    const wend__far_route *before = NULL;
    wend_cell from = start;
    emptied(out);
    out->of.level = route->of.level - 1;
    for (unsigned k = 0; !before || !before->last; k ^= 1) {
        wend__far_route *part = emptied(&w->parts[k]);
        wend__far_find_part(w->finder, w->version, &route->of, before, from, goal, part);
        cr_assert(part->found);
        cr_assert_leq(out->of.count + part->count, ROOM);
        memcpy(out->at + out->of.count, part->crossings, part->count * sizeof *out->at);
        out->of.count += part->count;
        if (part->count > 0) from = wend__far_cell_of(part->crossings[part->count - 1]);
        before = part;
    }
}

/* Returns the cost for a unit that follows the list from crossing to crossing. */
static uint64_t walk(world *w, const list *route, wend_cell start, wend_cell goal) {
    uint64_t cost = 0;
    wend_cell at = start;
    for (uint32_t i = 0; i <= route->of.count; i++) {
        const wend_cell next = i < route->of.count ? wend__far_cell_of(route->at[i]) : goal;
        cost += cheapest(w, at, next);
        at = next;
    }
    return cost;
}

static void check_pair(world *w, wend_cell start, wend_cell goal) {
    bool reachable;
    list *route = &w->lists[WEND__FAR_LEVELS - 1];
    if (!wend__cell_factor(w->version, start) || !wend__cell_factor(w->version, goal)) return;
    cr_assert_eq(wend_map_reachable(w->map, WEND_MOVER_DEFAULT, start, goal, &reachable), WEND_OK);
    wend__far_find(w->finder, w->version, start, goal, emptied(route));
    cr_assert_eq(route->of.found, reachable, "%d, %d to %d, %d", start.x, start.y, goal.x, goal.y);
    if (!reachable) return;
    const uint64_t best = cheapest(w, start, goal), estimate = route->of.cost;
    cr_assert_geq(estimate, best);
    cr_assert_leq(estimate, best + best / 2 + 100 * 64, "%d, %d to %d, %d", start.x, start.y, goal.x, goal.y);
    cr_assert_leq(walk(w, route, start, goal), estimate);
    for (int32_t level = route->of.level; level > 0; level--) {
        refine(w, route, start, goal, &w->lists[level - 1]);
        route = &w->lists[level - 1];
    }
    cr_assert_leq(walk(w, route, start, goal), best + best / 5 + 100 * 16);
}

static void run(bool slow, int32_t levels, uint64_t seed) {
    world *w = world_create(slow, levels, seed);
    for (int i = few_or_many(15, 60); i > 0; i--) {
        const wend_cell start = {(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        const wend_cell near = {start.x + (int32_t)dice(w, 90) - 45, start.y + (int32_t)dice(w, 90) - 45, 0};
        const wend_cell far = {(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        check_pair(w, start, far);
        if (near.x >= 0 && near.y >= 0 && near.x < WIDTH && near.y < HEIGHT) check_pair(w, start, near);
    }
    world_free(w);
}

static void edit_some(world *w) {
    wend_edit *edit = begin_edit(w->map);
    for (uint32_t i = 1 + dice(w, 30); i > 0; i--) {
        const wend_cell c = {(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        cr_assert_eq(wend_edit_fill_box(edit, (wend_box){c, c}, (uint8_t)dice(w, 3)), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* Checks that data kept for a goal changes neither a route nor its expansions. */
static void check_kept(world *w, wend_cell start, wend_cell goal) {
    list *route = &w->lists[0], *fresh = &w->lists[1];
    if (!wend__cell_factor(w->version, start) || !wend__cell_factor(w->version, goal)) return;
    wend__far_find(w->finder, w->version, start, goal, emptied(route));
    w->finder->ends[0].levels = w->finder->ends[1].levels = 0;
    wend__far_find(w->finder, w->version, start, goal, emptied(fresh));
    cr_assert(route->of.found == fresh->of.found && route->of.effort == fresh->of.effort);
    if (!fresh->of.found) return;
    cr_assert(route->of.cost == fresh->of.cost && route->of.count == fresh->of.count);
    cr_assert_eq(memcmp(route->at, fresh->at, route->of.count * sizeof *route->at), 0);
}

/* Walls in the chunk of a cell. */
static void edit_around(world *w, wend_cell c) {
    wend_edit *edit = begin_edit(w->map);
    for (int i = 0; i < 12; i++) {
        const wend_cell from = {(c.x & ~63) + (int32_t)dice(w, 50), (c.y & ~63) + (int32_t)dice(w, 60), 0};
        const wend_cell to = {from.x + 9 < WIDTH ? from.x + 9 : WIDTH - 1, from.y, 0};
        if (from.x < WIDTH) cr_assert_eq(wend_edit_fill_box(edit, (wend_box){from, to}, (uint8_t)dice(w, 2)), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend__map_repair_far(w->map, UINT64_MAX, NULL), WEND_OK);
    wend__map_release(w->version, false);
    w->version = wend__map_acquire(w->map, false);
}

static void run_kept(uint64_t seed) {
    world *w = world_create(seed % 2 == 0, 2, seed);
    wend_cell goal = {0, 0, 0};
    for (int i = 0; i < few_or_many(10, 40); i++) {
        if (i % 8 == 0) goal = (wend_cell){(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        check_kept(w, (wend_cell){(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0}, goal);
        if (i % 3 == 0) edit_around(w, goal); /* the finder has not seen the new layer */
    }
    world_free(w);
}

/* ---- far requests, walked leg by leg ---- */

static wend_request far_request(const world *w, wend_cell from, wend_cell to) {
    wend_request request = path_request(w->map, from, to);
    request.mode = WEND_MODE_FAR;
    if (w->weight_milli > 0) options_of(&request)->weight_milli = w->weight_milli;
    options_of(&request)->heuristic = w->heuristic;
    return request;
}

static bool is_weighted(const world *w) {
    return w->weight_milli > 1000 || w->heuristic == WEND_HEURISTIC_MANHATTAN;
}

/* Searches in slices of any size, which change nothing. */
static wend_completion search_far(world *w, wend_cell from, wend_cell to) {
    const wend_request request = far_request(w, from, to);
    cr_assert_eq(wend_search_begin(w->search, &request), WEND_OK);
    while (!wend_search_step(w->search, 1 + dice(w, 3000), NULL)) continue;
    wend_completion done = result_now(w->search);
    const uint64_t expansions = done.expansions;
    cr_assert_eq(wend_search_begin(w->search, &request), WEND_OK);
    wend_search_step(w->search, UINT64_MAX, NULL);
    done = result_now(w->search);
    cr_assert_eq(done.expansions, expansions);
    return done;
}

/* Walks the leg that was found. Returns its cost. */
static uint64_t walk_leg(world *w, const cli_legs *legs, wend_cell *at) {
    static wend_cell cells[WIDTH * HEIGHT];
    size_t count, legal;
    uint64_t cost;
    cr_assert_eq(wend_search_get_path(w->search, cells, sizeof cells / sizeof *cells, &count), WEND_OK);
    cr_assert(same_cell(cells[0], *at));
    const size_t kept = cli_legs_walk(legs, cells, count);
    cr_assert(kept >= 1 && kept <= count);
    cr_assert_eq(wend_map_path_cost(w->map, WEND_MOVER_DEFAULT, cells, kept, &legal, &cost), WEND_OK);
    cr_assert_eq(legal, kept);
    *at = cells[kept - 1];
    return cost;
}

static void travel(world *w, wend_cell from, wend_cell to, wend_completion *done) {
    wend_cell crossings[ROOM], at = from;
    wend_request request = far_request(w, from, to);
    wend_request leg;
    wend_search_options options;
    size_t count;
    cr_assert_eq(wend_search_get_crossings(w->search, crossings, ROOM, &count), WEND_OK);
    cr_assert_eq(count, done->crossing_count);
    cli_legs legs = {.far = &request, .crossings = crossings, .count = count, .last = count == 0};
    uint64_t cost = walk_leg(w, &legs, &at);
    while (cli_legs_next(&legs, at, &leg, &options)) {
        cr_assert_eq(wend_search_begin(w->search, &leg), WEND_OK);
        cr_assert_eq(wend_search_step(w->search, UINT64_MAX, NULL), WEND_STATUS_FOUND);
        cost += walk_leg(w, &legs, &at);
    }
    cr_assert(same_cell(at, to));
    cr_assert_leq(cost, (uint64_t)done->cost);
}

/* Returns whether the answer was a route. */
static bool check_request(world *w, wend_cell from, wend_cell to) {
    wend_request request = path_request(w->map, from, to);
    cr_assert_eq(wend_search_begin(w->search, &request), WEND_OK);
    wend_search_step(w->search, UINT64_MAX, NULL);
    const wend_completion best = result_now(w->search);
    wend_completion done = search_far(w, from, to);
    cr_assert_eq(done.status, best.status);
    if (done.status != WEND_STATUS_FOUND) return false;
    cr_assert_eq(done.exact, done.crossing_count == 0 && !is_weighted(w));
    cr_assert(done.exact ? done.cost == best.cost : done.cost >= best.cost);
    travel(w, from, to, &done);
    return done.crossing_count > 0;
}

/* In each of the worlds of far requests. */
static uint32_t requests(void) {
    return (uint32_t)enough_or_many(8, 40);
}

/* After edits the layer is repaired, or not: then an exact search answers. Returns how many were routes. */
static uint32_t run_requests(bool slow, int32_t levels, uint64_t seed, bool weighted) {
    static const int32_t heuristics[] = {WEND_HEURISTIC_EXACT, WEND_HEURISTIC_MANHATTAN, WEND_HEURISTIC_EUCLID,
                                         WEND_HEURISTIC_ZERO};
    world *w = world_create(slow, levels, seed);
    uint32_t far = 0;
    for (uint32_t i = requests(); i > 0; i--) {
        if (weighted) w->weight_milli = 1000 + (int32_t)dice(w, 9001), w->heuristic = heuristics[dice(w, 4)];
        const wend_cell from = {(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        const wend_cell to = {(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        if (dice(w, 8) == 0) edit_some(w);
        if (dice(w, 3) == 0) cr_assert_eq(wend_map_maintain(w->map, WEND_MAINTAIN_FAR, WEND_NO_LIMIT, NULL), WEND_OK);
        far += check_request(w, from, to);
    }
    world_free(w);
    return far;
}

/* ---- links ---- */

/* The map in parts that only links join: each between two columns of wall. */
static void wall_off(world *w, int parts) {
    wend_edit *edit = begin_edit(w->map);
    for (int i = 1; i < parts; i++) {
        const int32_t x = WIDTH / parts * i;
        cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{x, 0, 0}, {x, HEIGHT - 1, 0}}, WEND_CLASS_BLOCKED), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static wend_cell open_cell(world *w, int32_t from, int32_t width) {
    for (;;) {
        const wend_cell c = {from + (int32_t)dice(w, (uint32_t)width), (int32_t)dice(w, HEIGHT), 0};
        uint8_t class;
        cr_assert_eq(wend_map_get_terrain(w->map, c, &class), WEND_OK);
        if (class != WEND_CLASS_BLOCKED) return c;
    }
}

/* Links anywhere, one way or both; and a chain that leads through all parts and back. */
static void add_links(world *w, int count, int parts) {
    wend_edit *edit = begin_edit(w->map);
    for (int i = 0; i < count + parts - 1; i++) {
        const int32_t wide = WIDTH / parts, part = i < parts - 1 ? i : 0, width = i < parts - 1 ? wide : WIDTH;
        const wend_cell a = open_cell(w, part * wide, width);
        const wend_cell b = open_cell(w, i < parts - 1 ? (part + 1) * wide : 0, width);
        const int32_t cost = 10 + (int32_t)dice(w, 900);
        if (i < parts - 1 || dice(w, 2))
            cr_assert_eq(add_link_both(edit, a, b, cost), WEND_OK);
        else
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){a, b, cost, 0}), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* Compares routes with the optimum, over all pairs together. */
static void run_links(bool slow, int parts, int links, uint64_t seed) {
    world *w = world_create(slow, 2, seed);
    double told = 0, best = 0;
    int far = 0;
    const int pairs = enough_or_many(10, 40);
    if (parts > 1) wall_off(w, parts);
    add_links(w, links, parts);
    cr_assert_eq(wend_map_maintain(w->map, WEND_MAINTAIN_FAR, WEND_NO_LIMIT, NULL), WEND_OK);
    for (int i = 0; i < pairs; i++) {
        const wend_cell from = open_cell(w, 0, WIDTH), to = open_cell(w, 0, WIDTH);
        bool reachable;
        cr_assert_eq(wend_map_reachable(w->map, WEND_MOVER_DEFAULT, from, to, &reachable), WEND_OK);
        if (!reachable || !check_request(w, from, to)) continue;
        const uint64_t cheap = cheapest(w, from, to), said = (uint64_t)search_far(w, from, to).cost;
        cr_assert_geq(said, cheap);
        told += (double)said, best += (double)cheap, far++;
    }
    cr_assert_gt(far, pairs * 3 / 8);
    cr_assert_leq(told, best * 1.05, "%f", told / best);
    world_free(w);
}

Test(far_links, s29_routes_use_links) {
    run_links(false, 1, 3, 40);
    run_links(true, 1, 12, 41);
    run_links(false, 1, 40, 42); /* more than the limit of a route */
}

Test(far_links, parts_of_the_world_that_links_alone_connect) {
    run_links(false, 4, 0, 43);
    run_links(true, 3, 9, 44);
}

/* A link that shortens the walk to a twentieth is taken, and the costs are those of a model on a bare map. */
Test(far_links, a_link_that_saves_the_way_is_taken) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    world w = {.seed = 1};
    wend_search_def search = default_search();
    search.far_nodes = NODES, search.nodes = 1 << 22;
    def.width = 2100, def.height = 130, def.rules = &rules;
    cr_assert_eq(wend_map_create(&def, &w.map), WEND_OK);
    cr_assert_eq(wend__map_prepare_far(w.map, WEND_MOVER_DEFAULT, 2), WEND_OK);
    IN_BATCH(w.map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{30, 100, 0}, {2000, 5, 0}, 70, 0}), WEND_OK));
    cr_assert_eq(wend_search_create(&search, &w.search), WEND_OK);
    const wend_cell west = {10, 100, 0}, east = {2000, 125, 0};
    wend_completion done = search_far(&w, west, east);
    cr_assert_eq(done.cost, 20 * 10 + 70 + 120 * 10);
    cr_assert_eq(cheapest(&w, west, east), 20 * 10 + 70 + 120 * 10);
    done = search_far(&w, east, west); /* the link leads one way only */
    cr_assert_geq(done.cost, 1965 * 10 + 25 * 14);
    wend_search_destroy(w.search);
    wend_map_release(w.map);
}

Test(far_requests, s29_walk_leg_by_leg_to_each_goal_that_can_be_reached) {
    uint32_t far = 0;
    for (uint64_t seed = 20; seed < 24; seed++)
        far += run_requests(seed % 2, 2 + (int32_t)(seed % 3 == 0), seed, false);
    cr_assert_gt(far, requests());
}

/* A weight, or manhattan where steps are diagonal, would make legs cost more than the route's cost. */
Test(far_requests, s29_legs_are_exact_whatever_the_weight, .timeout = 300) {
    uint32_t far = 0;
    const uint64_t seeds = (uint64_t)enough_or_many(4, 100);
    for (uint64_t seed = 0; seed < seeds; seed++)
        far += run_requests(seed % 2, 2 + (int32_t)(seed % 3 == 0), 60 + seed, true);
    cr_assert_gt(far, requests() * seeds / 4);
}

static const char *explained(const wend_request *request) {
    const char *why;
    cr_assert_eq(wend_request_explain(request, NULL, &why), WEND_OK);
    return why ? why : "";
}

Test(far_requests, say_why_an_exact_search_answers) {
    world *w = world_create(false, 2, 30);
    const wend_cell cell = {WIDTH - 1, HEIGHT - 1, 0};
    wend_request request = path_request(w->map, (wend_cell){0, 0, 0}, cell);
    request.mode = WEND_MODE_FAR;
    IN_BATCH(w->map, cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {2, 2, 0}}, WEND_CLASS_OPEN), WEND_OK);
             cr_assert_eq(wend_edit_fill_box(edit, (wend_box){cell, cell}, WEND_CLASS_OPEN), WEND_OK));
    cr_assert(strstr(explained(&request), "stale"));
    cr_assert_eq(wend_map_maintain(w->map, WEND_MAINTAIN_FAR, WEND_NO_LIMIT, NULL), WEND_OK);
    cr_assert(!strstr(explained(&request), "far"));
    options_of(&request)->more_goals = &cell, options_of(&request)->more_goal_count = 1;
    cr_assert(strstr(explained(&request), "several goals"));
    options_of(&request)->more_goal_count = 0;
    wend_acceleration def = default_acceleration();
    def.landmarks = 0;
    cr_assert_eq(wend_map_accelerate(w->map, &def), WEND_OK);
    cr_assert(strstr(explained(&request), "no far layer"));
    world_free(w);
}

static void check_refused(wend_map *map) {
    const wend_cell c = {0, 0, 0};
    wend_request request = path_request(map, c, c);
    request.mode = WEND_MODE_FAR;
    cr_assert_eq(wend_request_explain(&request, NULL, NULL), WEND_BAD_ARGUMENT);
    cr_assert(strstr(wend_error_detail(WEND_BAD_ARGUMENT), "8 neighbours and corners never cut"));
    wend_map_release(map);
}

Test(far_requests, s29_are_refused_on_other_kinds_of_maps) {
    const struct {
        int32_t kind, depth, neighbours, corners;
    } kinds[] = {{WEND_KIND_GRID, 1, 4, WEND_CORNERS_NEVER},
                 {WEND_KIND_GRID, 1, 8, WEND_CORNERS_ONE},
                 {WEND_KIND_GRID, 1, 8, WEND_CORNERS_ALWAYS},
                 {WEND_KIND_VOXEL, 4, 26, WEND_CORNERS_NEVER},
                 {WEND_KIND_VOXEL, 4, 6, WEND_CORNERS_NEVER}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        wend_map_rules rules = default_rules();
        wend_map_def def = default_map();
        rules.neighbours = kinds[i].neighbours, rules.corners = kinds[i].corners;
        def.kind = kinds[i].kind, def.depth = kinds[i].depth;
        def.width = def.height = 9, def.rules = &rules;
        wend_map *map = made_map(&def);
        check_refused(map);
    }
    const wend_edge edge = {.from = 0, .to = 1, .cost = 1};
    wend_graph_def graph = default_graph();
    graph.node_count = 2, graph.edges = &edge, graph.edge_count = 1;
    wend_map *map = made_graph(&graph);
    check_refused(map);
}

Test(far_requests, s29_are_refused_where_no_map_could_have_a_layer) {
    wend_map_rules rules = default_rules();
    wend_map_def def = default_map();
    wend_map *map;
    def.width = def.height = 9, def.rules = &rules;
    for (int i = 0; i < 3; i++) {
        rules.neighbours = i == 0 ? 4 : 8, rules.corners = i == 1 ? WEND_CORNERS_ONE : WEND_CORNERS_NEVER;
        cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
        wend_request request = path_request(map, (wend_cell){0, 0, 0}, (wend_cell){8, 8, 0});
        request.mode = WEND_MODE_FAR;
        cr_assert_eq(wend_request_explain(&request, NULL, NULL), i == 2 ? WEND_OK : WEND_BAD_ARGUMENT);
        request.mode = WEND_MODE_FAR + 1;
        cr_assert_eq(wend_request_explain(&request, NULL, NULL), WEND_BAD_ARGUMENT);
        wend_map_release(map);
    }
}

Test(far_routes, routes_are_found_where_there_are_any_and_can_be_walked) {
    for (uint64_t seed = 1; seed <= 4; seed++) run(false, 2, seed);
}

Test(far_routes, a_goal_that_is_kept_changes_nothing) {
    for (uint64_t seed = 1; seed <= (uint64_t)few_or_many(3, 6); seed++) run_kept(seed);
}

Test(far_routes, routes_on_slow_ground) {
    for (uint64_t seed = 5; seed <= 6; seed++) run(true, 2, seed);
}

/* The rest of a part lies in more areas than are noted, so the next part is searched for everywhere: on a map of more
 * chunks than there is room for it is left out, and nothing else in the finder changes. */
Test(far_routes, a_part_that_is_not_confined_keeps_to_its_room) {
    enum { SIDE = 80 * WEND_CHUNK_SIDE };
    static list route, parts[2];
    const wend_cell start = {SIDE - 1, SIDE - 1, 0}, goal = {SIDE - 1, 0, 0};
    OWNED_MAP *map = grid_map(SIDE, SIDE);
    cr_assert_eq(wend__map_prepare_far(map, WEND_MOVER_DEFAULT, 2), WEND_OK);
    wend__version *v = wend__map_acquire(map, false);
    wend__far_finder *finder = malloc(wend__far_finder_bytes(NODES));
    wend__far_finder_init(finder, NODES);
    wend__far_find(finder, v, start, goal, emptied(&route));
    wend__far_find_part(finder, v, &route.of, NULL, start, goal, emptied(&parts[0]));
    cr_assert(route.of.found && parts[0].of.found && !parts[0].of.last);
    parts[0].of.rest_count = -1;
    memset(finder->lists, 0xAB, sizeof finder->lists);
    const wend_cell from = wend__far_cell_of(parts[0].at[parts[0].of.count - 1]);
    wend__far_find_part(finder, v, &route.of, &parts[0].of, from, goal, emptied(&parts[1]));
    cr_assert_not(parts[1].of.found);
    for (size_t i = 0; i < sizeof finder->lists; i++) cr_assert_eq(((uint8_t *)finder->lists)[i], 0xAB);
    free(finder);
    wend__map_release(v, false);
}

Test(far_routes, routes_at_three_levels) {
    for (uint64_t seed = 9; seed <= 10; seed++) run(seed == 10, 3, seed);
}
