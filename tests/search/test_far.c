/* SPDX-License-Identifier: MIT */
/* Routes on the far layer: none is missed, none is invented, each can be walked, and not for much more than the
 * cheapest path. */
#include "map/far/far_layer.h"
#include "map/version/version.h"
#include "models/defaults.h"
#include "models/random.h"
#include "search/far/far_route.h"

#include <criterion/criterion.h>
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

/* From crossing to crossing: what a unit pays that follows the list to the letter. */
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
    int32_t reachable;
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
    for (int i = 0; i < 60; i++) {
        const wend_cell start = {(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        const wend_cell near = {start.x + (int32_t)dice(w, 90) - 45, start.y + (int32_t)dice(w, 90) - 45, 0};
        const wend_cell far = {(int32_t)dice(w, WIDTH), (int32_t)dice(w, HEIGHT), 0};
        check_pair(w, start, far);
        if (near.x >= 0 && near.y >= 0 && near.x < WIDTH && near.y < HEIGHT) check_pair(w, start, near);
    }
    world_free(w);
}

Test(far_routes, routes_are_found_where_there_are_any_and_can_be_walked) {
    for (uint64_t seed = 1; seed <= 4; seed++) run(false, 2, seed);
}

Test(far_routes, routes_on_slow_ground) {
    for (uint64_t seed = 5; seed <= 6; seed++) run(true, 2, seed);
}

Test(far_routes, routes_at_three_levels) {
    for (uint64_t seed = 9; seed <= 10; seed++) run(seed == 10, 3, seed);
}
