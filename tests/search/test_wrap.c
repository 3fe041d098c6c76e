/* SPDX-License-Identifier: MIT */
/* Maps that wrap: what they refuse, links at the rim, units and discs over it. Worlds of test_worlds and check_exact
 * wrap, too. */
#include "models/options.h"
#include "models/owned.h"
#include "models/random.h"
#include "models/worlds.h"

#include <criterion/criterion.h>
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
