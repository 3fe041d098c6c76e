/* SPDX-License-Identifier: MIT */
/* Maps that wrap: costs and paths of all engines are compared with Dijkstra's algorithm on the torus, and those of a
 * torus with the same one shifted. */
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/owned.h"
#include "models/torus.h"

#include <wend/query.h>
#include <wend/units.h>

enum { STARTS = 4, GOALS = 10 };

/* ---- comparing ---- */

static const int32_t engines[] = {WEND_ENGINE_ASTAR, WEND_ENGINE_JUMP, WEND_ENGINE_AUTO};

static uint64_t compare_paths(const torus *t, wend_map *map, wend_search *search, uint64_t *seed) {
    static int64_t distances[TORUS_CELLS];
    static wend_cell path[TORUS_CELLS];
    uint64_t compared = 0;
    for (int i = 0; i < STARTS; i++) {
        const int32_t mover = i % 2, cells = t->width * t->height, start = (int32_t)draw(seed, (uint32_t)cells);
        if (!torus_factor(t, mover, start)) continue;
        torus_measure(t, mover, start, distances);
        for (int k = 0; k < GOALS; k++) {
            const int32_t goal = (int32_t)draw(seed, (uint32_t)cells);
            wend_request request = path_request(map, torus_cell(t, start), torus_cell(t, goal));
            request.mover = mover;
            options_of(&request)->engine = t->profile ? WEND_ENGINE_AUTO : engines[k % 3];
            options_of(&request)->profile = t->profile;
            if (k == 9) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK; /* the general engine */
            if (!torus_factor(t, mover, goal)) continue;
            bool reachable;
            cr_assert_eq(wend_map_reachable(map, mover, request.start, request.goal, &reachable), WEND_OK);
            if (t->link_count == 0) cr_assert(!reachable <= (distances[goal] < 0), "%d to %d", start, goal);
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            wend_search_step(search, UINT64_MAX, NULL);
            const wend_completion result = result_now(search);
            cr_assert_eq(result.status == WEND_STATUS_FOUND, distances[goal] >= 0, "%d x %d, %d to %d: status %d",
                         t->width, t->height, start, goal, result.status);
            if (result.status != WEND_STATUS_FOUND) continue;
            cr_assert_eq(result.cost, distances[goal],
                         "%d x %d wrap %d, corners %d, neighbours %d, engine %d, mover %d, %d to %d: %d, not %d",
                         t->width, t->height, t->wrap, t->rules.corners, t->rules.neighbours, result.engine, mover,
                         start, goal, (int)result.cost, (int)distances[goal]);
            size_t count;
            cr_assert_eq(wend_search_get_path(search, path, TORUS_CELLS, &count), WEND_OK);
            cr_assert_eq(count, result.cell_count);
            cr_assert_eq(torus_walk(t, mover, path, count), result.cost);
            cr_assert(same_cell(path[0], request.start) && same_cell(path[count - 1], request.goal));
            compared++;
        }
    }
    return compared;
}

static wend_search *make_search(void) {
    wend_search_def def = default_search();
    def.nodes = 1 << 17;
    return made_search(&def);
}

static void accelerate(wend_map *map, int32_t landmarks) {
    wend_acceleration acceleration = default_acceleration();
    acceleration.landmarks = landmarks;
    for (; acceleration.mover < info_now(map).movers; acceleration.mover++) {
        const wend_error error = wend_map_accelerate(map, &acceleration); /* not under every corner rule */
        cr_assert(error == WEND_OK || error == WEND_UNSUPPORTED, "%s", wend_error_detail(error));
    }
}

Test(wrap, s36_costs_equal_dijkstras_before_and_after_edits_of_the_rim) {
    static torus t;
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 4711, compared = 0;
    for (int round = 0; compared < (uint64_t)few_or_many(900, 100000); round++) {
        torus_draw(&t, &seed);
        OWNED_MAP *map = torus_map(&t);
        if (round % 4 > 0) accelerate(map, round % 4 == 3 ? 4 : 0);
        if (round % 3 == 1) torus_paint(&t, map, &seed);
        compared += compare_paths(&t, map, search, &seed);
        for (int edits = 0; edits < 3; edits++) {
            torus_edit(&t, map, &seed);
            compared += compare_paths(&t, map, search, &seed);
        }
    }
}

/* Few cells, so that ways lead over the links. */
Test(wrap, s11_costs_equal_dijkstras_with_landmarks_and_links_for_some_movers) {
    static torus t;
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 11;
    for (int round = 0; round < few_or_many(100, 1000); round++) {
        do torus_draw(&t, &seed);
        while (t.link_count == 0 || t.width * t.height > 3000);
        for (int32_t i = 0; i < t.link_count; i++) t.links[i].cost = 3 + 3 * (int32_t)draw(&seed, 12);
        OWNED_MAP *map = torus_map(&t);
        accelerate(map, 4);
        for (int edits = 0; edits < 3; edits++) {
            compare_paths(&t, map, search, &seed);
            torus_edit(&t, map, &seed);
        }
    }
}

/* The same torus, moved by (a, b) over its rim. */
static void shift(const torus *from, int32_t a, int32_t b, torus *to) {
    *to = *from;
    for (int32_t i = 0; i < from->width * from->height; i++) to->classes[torus_next(from, i, a, b)] = from->classes[i];
}

static int64_t cost_between(wend_map *map, wend_search *search, wend_cell start, wend_cell goal) {
    wend_request request = path_request(map, start, goal);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_search_step(search, UINT64_MAX, NULL);
    return result_now(search).cost;
}

/* Blocks and opens the cells of a square round a corner of the map, and the same ones of the shifted map. */
static void edit_both(torus *t, torus *moved, wend_map *maps[2], int32_t a, int32_t b, uint64_t *seed) {
    wend_edit *edits[2] = {begin_edit(maps[0]), begin_edit(maps[1])};
    for (int i = 0; i < 20; i++) {
        const int32_t cell = torus_next(t, 0, (int32_t)draw(seed, 5) - 2, (int32_t)draw(seed, 5) - 2);
        const uint8_t class = (uint8_t)draw(seed, 2);
        torus_set(t, edits[0], cell, class);
        torus_set(moved, edits[1], torus_next(t, cell, a, b), class);
    }
    torus_publish(edits[0]);
    torus_publish(edits[1]);
}

Test(wrap, a_shifted_torus_has_the_same_costs_also_after_edits) {
    static torus t, moved;
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 99;
    for (int round = 0; round < few_or_many(60, 600); round++) {
        do torus_draw(&t, &seed);
        while (t.width < 5 || t.height < 5);
        t.wrap = WEND_WRAP_X | WEND_WRAP_Y, t.link_count = 0;
        const int32_t a = (int32_t)draw(&seed, (uint32_t)t.width), b = (int32_t)draw(&seed, (uint32_t)t.height);
        shift(&t, a, b, &moved);
        wend_map *maps[2] = {torus_map(&t), torus_map(&moved)};
        for (int i = 0; i < 2 && round % 2; i++) accelerate(maps[i], 0);
        for (int i = 0; i < 30; i++) {
            const int32_t cells = t.width * t.height, start = (int32_t)draw(&seed, (uint32_t)cells);
            const int32_t goal = i % 3 ? (int32_t)draw(&seed, (uint32_t)cells) : torus_next(&t, 0, i % 4, -(i % 5));
            if (i % 10 == 5) edit_both(&t, &moved, maps, a, b, &seed);
            cr_assert_eq(cost_between(maps[0], search, torus_cell(&t, start), torus_cell(&t, goal)),
                         cost_between(maps[1], search, torus_cell(&t, torus_next(&t, start, a, b)),
                                      torus_cell(&t, torus_next(&t, goal, a, b))));
        }
        wend_map_release(maps[0]);
        wend_map_release(maps[1]);
    }
}

/* Even ground, on which runs of the jump search go on over the rim: scattered obstacles, or walls with doors. */
static void draw_even(torus *t, uint64_t *seed) {
    static const int32_t sides[] = {64, 128, 65, 127, 150, 100};
    *t = (torus){.width = sides[draw(seed, 6)], .height = sides[draw(seed, 6)], .wrap = 1 + (int32_t)draw(seed, 3)};
    t->rules = default_rules();
    const uint32_t blocked = draw(seed, 3) * draw(seed, 8);
    const int32_t hall = draw(seed, 2) ? 8 + (int32_t)draw(seed, 40) : TORUS_SIDE + 1, first = (int32_t)draw(seed, 8);
    for (int32_t i = 0; i < t->width * t->height; i++) {
        const bool wall = (i % t->width + first) % hall == hall - 1 || (i / t->width + first) % hall == hall - 1;
        t->classes[i] = wall ? draw(seed, 16) == 0 : draw(seed, 100) >= blocked;
    }
    if (draw(seed, 3) == 0) {
        t->links[0].from = (int32_t)draw(seed, (uint32_t)(t->width * t->height));
        t->links[0].to = (t->links[0].from + 5 * t->width + 7) % (t->width * t->height), t->links[0].cost = 9;
        t->link_count = 1;
    }
}

/* The beginning of an unfinished path follows steps of the torus. */
static void check_prefix(const torus *t, wend_search *search) {
    static wend_cell cells[TORUS_CELLS];
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    const wend_error error = wend_search_get_prefix(search, cells, TORUS_CELLS, &prefix);
    if (error == WEND_OK) cr_assert_geq(torus_walk(t, 0, cells, prefix.cell_count), 0);
}

Test(wrap, runs_of_the_jump_search_go_on_over_the_rim) {
    static torus t;
    static int64_t distances[TORUS_CELLS];
    static wend_cell path[TORUS_CELLS];
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 5, compared = 0;
    int32_t start = 0;
    for (int round = 0; compared < (uint64_t)few_or_many(600, 40000); round++) {
        draw_even(&t, &seed);
        OWNED_MAP *map = torus_map(&t);
        accelerate(map, round % 4 ? 0 : 4);
        for (int i = 0; i < 80; i++) {
            const int32_t cells = t.width * t.height, goal = (int32_t)draw(&seed, (uint32_t)cells);
            if (i % 20 == 0) {
                start = (int32_t)draw(&seed, (uint32_t)cells);
                torus_measure(&t, 0, start, distances);
            }
            if (!torus_factor(&t, 0, start) || !torus_factor(&t, 0, goal)) continue;
            wend_request request = path_request(map, torus_cell(&t, start), torus_cell(&t, goal));
            options_of(&request)->engine = WEND_ENGINE_JUMP;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            while (wend_search_step(search, i % 2 ? 7 : 1000000, NULL) == WEND_STATUS_PENDING) check_prefix(&t, search);
            const wend_completion result = result_now(search);
            cr_assert_eq(result.status == WEND_STATUS_FOUND, distances[goal] >= 0);
            if (result.status != WEND_STATUS_FOUND) continue;
            size_t count;
            cr_assert_eq(wend_search_get_path(search, path, TORUS_CELLS, &count), WEND_OK);
            cr_assert_eq(result.cost, distances[goal], "%d x %d wrap %d, %d to %d: %d, not %d", t.width, t.height,
                         t.wrap, start, goal, (int)result.cost, (int)distances[goal]);
            cr_assert_eq(torus_walk(&t, 0, path, count), result.cost);
            compared++;
        }
    }
}

Test(wrap, is_refused_by_name_where_it_cannot_be) {
    wend_map_def def = default_map();
    OWNED_MAP *map = NULL;
    def.width = 9, def.height = 2, def.wrap = WEND_WRAP_Y;
    cr_assert_eq(wend_map_create(&def, &map), WEND_BAD_ARGUMENT);
    def.height = 9, def.streamed = 1;
    cr_assert_eq(wend_map_create(&def, &map), WEND_UNSUPPORTED);
    def.streamed = 0, def.wrap = 4;
    cr_assert_eq(wend_map_create(&def, &map), WEND_BAD_ARGUMENT);
    def.wrap = WEND_WRAP_X, def.kind = WEND_KIND_VOXEL, def.depth = 9;
    cr_assert_eq(wend_map_create(&def, &map), WEND_UNSUPPORTED);
    def.kind = WEND_KIND_GRID, def.depth = 1;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    wend_acceleration far = default_acceleration();
    far.far = 1;
    cr_assert_eq(wend_map_accelerate(map, &far), WEND_UNSUPPORTED);
    wend_request request = path_request(map, (wend_cell){0, 0, 0}, (wend_cell){8, 8, 0});
    OWNED_SEARCH *search = make_search();
    request.mode = WEND_MODE_FAR;
    cr_assert_eq(wend_search_begin(search, &request), WEND_UNSUPPORTED);
}

Test(wrap, s36_no_link_leads_where_a_step_goes_over_the_rim) {
    wend_map_def def = default_map();
    size_t count;
    def.width = 9, def.height = 9, def.wrap = WEND_WRAP_X;
    OWNED_MAP *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_remove_link(edit, (wend_cell){0, 4, 0}, (wend_cell){8, 4, 0}), WEND_EMPTY);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{0, 4, 0}, {8, 5, 0}, 1, 0}), WEND_BAD_ARGUMENT);
    cr_assert_str_eq(wend_error_detail(WEND_BAD_ARGUMENT),
                     "from and to are neighbours over the rim: no link joins such cells");
    wend_edit_discard(edit);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{0, 4, 0}, {8, 6, 0}, 1, 0}), WEND_OK, "no neighbour");
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{3, 0, 0}, {3, 8, 0}, 1, 0}), WEND_OK, "y does not wrap");
    wend_edit_discard(edit);
    wend_map_get_links(map, NULL, 0, &count);
    cr_assert_eq(count, 0);
    cr_assert_eq(info_now(map).links, 0);
    cr_assert_eq(info_now(map).wrap, WEND_WRAP_X);
}

/* ---- over the rim: reach, nearest, units within, discs ---- */

static int32_t apart(int32_t a, int32_t b, int32_t around) {
    const int32_t d = abs(a - b);
    return around && around - d < d ? around - d : d;
}

/* By the ground. */
static bool is_within(const torus *t, int32_t a, int32_t b, int32_t reach) {
    const wend_cell p = torus_cell(t, a), q = torus_cell(t, b);
    return apart(p.x, q.x, t->wrap & WEND_WRAP_X ? t->width : 0) <= reach &&
           apart(p.y, q.y, t->wrap & WEND_WRAP_Y ? t->height : 0) <= reach;
}

/* The cost of the way on an empty torus. */
static int64_t empty_way(const torus *t, int32_t a, int32_t b) {
    const wend_cell p = torus_cell(t, a), q = torus_cell(t, b);
    const int32_t dx = apart(p.x, q.x, t->wrap & WEND_WRAP_X ? t->width : 0);
    const int32_t dy = apart(p.y, q.y, t->wrap & WEND_WRAP_Y ? t->height : 0), more = dx > dy ? dx : dy;
    if (t->rules.neighbours == 4) return (int64_t)t->rules.cost_straight * (dx + dy);
    return (int64_t)t->rules.cost_straight * (2 * more - dx - dy) + (int64_t)t->rules.cost_diagonal * (dx + dy - more);
}

static wend_completion ask(wend_search *search, const wend_request *request, wend_cell *end) {
    static wend_cell path[TORUS_CELLS];
    size_t count = 0;
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_search_step(search, UINT64_MAX, NULL);
    const wend_completion result = result_now(search);
    if (result.cell_count) cr_assert_eq(wend_search_get_path(search, path, TORUS_CELLS, &count), WEND_OK);
    if (count) *end = path[count - 1];
    return result;
}

Test(wrap, a_path_ends_within_reach_over_the_rim) {
    static torus t;
    static int64_t distances[TORUS_CELLS];
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 17;
    for (int round = 0; round < few_or_many(19, 1500); round++) {
        torus_draw(&t, &seed);
        OWNED_MAP *map = torus_map(&t);
        if (round % 2) accelerate(map, round % 4 == 3 ? 3 : 0);
        for (int i = 0; i < 10; i++) {
            const int32_t cells = t.width * t.height, start = (int32_t)draw(&seed, (uint32_t)cells);
            const int32_t goal = torus_next(&t, i % 2 ? 0 : cells - 1, 0, 0), reach = (int32_t)draw(&seed, 6);
            if (!torus_factor(&t, 0, start)) continue;
            wend_request request = path_request(map, torus_cell(&t, start), torus_cell(&t, goal));
            request.reach = reach;
            torus_measure(&t, 0, start, distances);
            int64_t least = -1;
            for (int32_t c = 0; c < cells; c++)
                if (distances[c] >= 0 && is_within(&t, c, goal, reach) && (least < 0 || distances[c] < least))
                    least = distances[c];
            wend_cell end = request.start;
            const wend_completion result = ask(search, &request, &end);
            cr_assert_eq(result.status == WEND_STATUS_FOUND, least >= 0, "status %d, least %d", result.status,
                         (int)least);
            if (least < 0) continue;
            cr_assert_eq(result.cost, least, "%d x %d wrap %d, reach %d: %d, not %d", t.width, t.height, t.wrap, reach,
                         (int)result.cost, (int)least);
            cr_assert(is_within(&t, end.y * t.width + end.x, goal, reach));
        }
    }
}

Test(wrap, s36_the_nearest_cell_is_nearest_over_the_rim) {
    static torus t;
    static int64_t distances[TORUS_CELLS];
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 23;
    for (int round = 0; round < few_or_many(19, 1500); round++) {
        torus_draw(&t, &seed);
        t.link_count = 0;
        OWNED_MAP *map = torus_map(&t);
        if (round % 2) accelerate(map, 0);
        for (int i = 0; i < 10; i++) {
            const int32_t cells = t.width * t.height, start = (int32_t)draw(&seed, (uint32_t)cells);
            const int32_t goal = i % 2 ? torus_next(&t, 0, (int32_t)draw(&seed, 2), (int32_t)draw(&seed, 2))
                                       : (int32_t)draw(&seed, (uint32_t)cells);
            if (!torus_factor(&t, 0, start)) continue;
            wend_request request = path_request(map, torus_cell(&t, start), torus_cell(&t, goal));
            request.mode = WEND_MODE_NEAREST;
            torus_measure(&t, 0, start, distances);
            int32_t best = start;
            for (int32_t c = 0; c < cells; c++)
                if (distances[c] >= 0 && (empty_way(&t, c, goal) < empty_way(&t, best, goal) ||
                                          (empty_way(&t, c, goal) == empty_way(&t, best, goal) && c < best)))
                    best = c;
            wend_cell end = request.start;
            const wend_completion result = ask(search, &request, &end);
            cr_assert_eq(end.y * t.width + end.x, best, "%d x %d wrap %d: %d,%d, not %d,%d", t.width, t.height, t.wrap,
                         end.x, end.y, best % t.width, best / t.width);
            cr_assert_eq(result.cost, distances[best]);
        }
    }
}

Test(wrap, units_count_within_a_distance_over_the_rim) {
    wend_map_def def = default_map();
    OWNED_SEARCH *search = make_search();
    def.width = 40, def.height = 3, def.wrap = WEND_WRAP_X;
    OWNED_MAP *map = made_map(&def);
    for (int32_t y = 0; y < 3; y++) cr_assert_eq(wend_map_occupy(map, (wend_cell){38, y, 0}), WEND_OK);
    for (int accelerated = 0; accelerated < 2; accelerated++) {
        for (int32_t within = 2; within <= 4; within++) {
            wend_request request = path_request(map, (wend_cell){1, 1, 0}, (wend_cell){35, 1, 0});
            wend_cell end;
            options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
            options_of(&request)->occupied_within = within;
            cr_assert_eq(ask(search, &request, &end).cost, within >= 3 ? 340 : 60, "within %d", within);
        }
        accelerate(map, 0);
    }
}

static uint8_t disc_value(const torus *t, int32_t cell, wend_cell centre, int32_t radius, int32_t peak) {
    const wend_cell at = torus_cell(t, cell);
    const int32_t dx = apart(at.x, centre.x, t->wrap & WEND_WRAP_X ? t->width : 0);
    const int32_t dy = apart(at.y, centre.y, t->wrap & WEND_WRAP_Y ? t->height : 0), r = (radius + 1) * (radius + 1);
    const int32_t left = r - dx * dx - dy * dy;
    return (uint8_t)(left > 0 ? peak * left / r : 0);
}

Test(wrap, a_painted_disc_goes_over_the_rim) {
    static const int32_t sides[] = {3, 9, 64, 65, 130};
    static uint8_t values[130 * 130];
    uint64_t seed = 251;
    for (int i = 0; i < 60; i++) {
        const torus t = {.width = sides[draw(&seed, 5)], .height = sides[draw(&seed, 5)], .wrap = i % 4};
        wend_map_def def = default_map();
        const wend_layer_def layer_def = {.struct_bytes = sizeof layer_def};
        const wend_cell centre = {(int32_t)draw(&seed, (uint32_t)t.width), (int32_t)draw(&seed, (uint32_t)t.height), 0};
        const int32_t radius = (int32_t)draw(&seed, draw(&seed, 3) ? 12 : 256), peak = 1 + (int32_t)draw(&seed, 255);
        int32_t layer;
        def.width = t.width, def.height = t.height, def.wrap = t.wrap;
        OWNED_MAP *map = made_map(&def);
        cr_assert_eq(wend_map_add_layer(map, &layer_def, &layer), WEND_OK);
        cr_assert_eq(wend_map_add_layer_disc(map, layer, centre, radius, peak), WEND_OK);
        const wend_box all = {{0, 0, 0}, {t.width - 1, t.height - 1, 0}};
        cr_assert_eq(wend_map_get_layer_box(map, layer, all, values, (size_t)t.width), WEND_OK);
        for (int32_t cell = 0; cell < t.width * t.height; cell++)
            cr_assert_eq(values[cell], disc_value(&t, cell, centre, radius, peak),
                         "%d x %d wrap %d, disc of %d at %d,%d: cell %d", t.width, t.height, t.wrap, radius, centre.x,
                         centre.y, cell);
    }
}
