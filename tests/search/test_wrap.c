/* SPDX-License-Identifier: MIT */
/* Maps that wrap: what they refuse, links at the rim, units and discs over it; a torus has the costs of the same one
 * shifted. Worlds of test_worlds and check_exact wrap, too. */
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/owned.h"
#include "models/random.h"
#include "models/worlds.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/layers.h>
#include <wend/query.h>
#include <wend/units.h>
#include <wend/ways.h>

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

Test(wrap, units_count_within_a_distance_over_the_rim) {
    wend_map_def def = default_map();
    OWNED_SEARCH *search = make_search();
    def.width = 40, def.height = 3, def.wrap = WEND_WRAP_X;
    OWNED_MAP *map = made_map(&def);
    for (int32_t y = 0; y < 3; y++) cr_assert_eq(wend_map_occupy(map, (wend_cell){38, y, 0}), WEND_OK);
    for (int accelerated = 0; accelerated < 2; accelerated++) {
        for (int32_t within = 2; within <= 4; within++) {
            wend_request request = path_request(map, (wend_cell){1, 1, 0}, (wend_cell){35, 1, 0});
            options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
            options_of(&request)->occupied_within = within;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            wend_search_step(search, UINT64_MAX, NULL);
            cr_assert_eq(result_now(search).cost, within >= 3 ? 340 : 60, "within %d", within);
        }
        accelerate(map, 0);
    }
}

/* ---- a torus, and the same one shifted: without a model ---- */

static wend_cell shifted(const world *w, wend_cell cell, wend_cell by) {
    wend_cell to;
    cr_assert(world_beside(w, cell, by.x, by.y, 0, &to));
    return to;
}

/* It has no closed steps, links and movers of several cells: those do not go over the rim, so they cannot be shifted. */
static void draw_torus(world *w, oracle_random *random) {
    world_fill_sized(w, random, 5 + oracle_below(random, 146), 5 + oracle_below(random, 146),
                     WEND_WRAP_X | WEND_WRAP_Y);
    memset(w->closed, 0, (size_t)w->cells * sizeof *w->closed);
    w->link_count = 0;
    for (int i = 0; i < w->mover_count; i++) w->movers[i].size = 1;
    w->rules.corners = oracle_below(random, 2) ? WEND_CORNERS_NEVER : oracle_below(random, 3);
}

static void shift(const world *from, wend_cell by, world *to) {
    world_copy(to, from);
    for (int i = 0; i < from->cells; i++) {
        const int at = world_number(to, shifted(from, world_cell(from, i), by));
        to->terrain[at] = from->terrain[i], to->occupants[at] = from->occupants[i];
    }
}

static wend_completion ask(wend_map *map, wend_search *search, wend_request request) {
    request.map = map;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_search_step(search, UINT64_MAX, NULL);
    return result_now(search);
}

/* Changes cells round a corner of one map, and the same ones of the shifted map. */
static void edit_both(world worlds[2], wend_map *maps[2], wend_cell by, oracle_random *random) {
    wend_edit *edits[2] = {begin_edit(maps[0]), begin_edit(maps[1])};
    for (int i = 0; i < 20; i++) {
        const wend_cell place = {oracle_below(random, 5) - 2, oracle_below(random, 5) - 2, 0};
        const wend_cell cell = shifted(&worlds[0], (wend_cell){0, 0, 0}, place);
        const uint8_t class = (uint8_t)oracle_below(random, 2);
        world_set_cell(&worlds[0], edits[0], cell, class);
        world_set_cell(&worlds[1], edits[1], shifted(&worlds[1], cell, by), class);
    }
    for (int i = 0; i < 2; i++) cr_assert_eq(wend_edit_publish(edits[i], NULL), WEND_OK);
}

/* Every third goal is near the corner that is edited. */
static void compare_both(world worlds[2], wend_map *maps[2], wend_cell by, wend_search *search, oracle_random *random) {
    const world *w = &worlds[0];
    for (int i = 0; i < 30; i++) {
        if (i % 10 == 5) edit_both(worlds, maps, by, random);
        wend_request request = default_request();
        request.mover = oracle_below(random, w->mover_count), request.start = world_any_cell(w, random);
        request.goal =
            i % 3 ? world_any_cell(w, random) : shifted(w, (wend_cell){0, 0, 0}, (wend_cell){i % 4, -(i % 5), 0});
        if (i % 7 == 0) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
        const wend_completion one = ask(maps[0], search, request);
        request.start = shifted(w, request.start, by), request.goal = shifted(w, request.goal, by);
        const wend_completion other = ask(maps[1], search, request);
        cr_assert_eq(one.status, other.status, "%s", w->how);
        cr_assert_eq(one.cost, other.cost, "%s, shifted by %d,%d: %d, not %d", w->how, by.x, by.y, (int)other.cost,
                     (int)one.cost);
    }
}

Test(wrap, a_shifted_torus_has_the_same_costs_also_after_edits) {
    static world worlds[2];
    OWNED_SEARCH *search = make_search();
    oracle_random random = {99};
    for (int round = 0; round < few_or_many(60, 600); round++) {
        draw_torus(&worlds[0], &random);
        const wend_cell by = world_any_cell(&worlds[0], &random);
        shift(&worlds[0], by, &worlds[1]);
        wend_map *maps[2] = {world_map(&worlds[0]), world_map(&worlds[1])};
        for (int i = 0; i < 2 && round % 2; i++) accelerate(maps[i], round % 4 == 1 ? 0 : 4);
        compare_both(worlds, maps, by, search, &random);
        for (int i = 0; i < 2; i++) wend_map_release(maps[i]);
    }
}

/* ---- discs ---- */

static uint8_t disc_value(const world *w, int cell, wend_cell centre, int32_t radius, int32_t peak) {
    const wend_cell way = world_apart(w, world_cell(w, cell), centre);
    const int32_t r = (radius + 1) * (radius + 1), left = r - way.x * way.x - way.y * way.y;
    return (uint8_t)(left > 0 ? peak * left / r : 0);
}

Test(wrap, a_painted_disc_goes_over_the_rim) {
    static const int32_t sides[] = {3, 9, 64, 65, 130};
    static uint8_t values[130 * 130];
    uint64_t seed = 251;
    for (int i = 0; i < 60; i++) {
        const world t = {
            .kind = WEND_KIND_GRID, .width = sides[draw(&seed, 5)], .height = sides[draw(&seed, 5)], .wrap = i % 4};
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
