/* SPDX-License-Identifier: MIT */
/* Walks along given paths: events, edits, units, places, other paths. */
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <wend/motion.h>
#include <wend/units.h>

static wend_walk begin(const wend_map *map, const wend_cell *cells, size_t count, uint32_t flags) {
    wend_walk walk;
    cr_assert_eq(wend_walk_begin(map, cells, count, WEND_MOVER_DEFAULT, 1000, flags, &walk), WEND_OK);
    return walk;
}

static int32_t advance(const wend_map *map, wend_walk *walk, uint32_t milli) {
    int32_t event;
    cr_assert_eq(wend_walk_advance(map, walk, milli, &event), WEND_OK);
    return event;
}

static wend_walk_place place_of(const wend_map *map, const wend_walk *walk) {
    wend_walk_place place = {.struct_bytes = sizeof place};
    cr_assert_eq(wend_walk_get_place(map, walk, &place), WEND_OK);
    return place;
}

static void check_point(wend_point p, int32_t x, int32_t y, int32_t z) {
    cr_assert(p.x == x && p.y == y && p.z == z, "%d,%d,%d instead of %d,%d,%d", (int)p.x, (int)p.y, (int)p.z, (int)x,
              (int)y, (int)z);
}

static const wend_cell row[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};

Test(walk, moves_between_cells_and_faces_its_way) {
    OWNED_MAP *map = open_map(8, 8);
    const wend_cell cells[] = {{1, 1, 0}, {2, 2, 0}, {2, 1, 0}};
    wend_walk walk = begin(map, cells, 3, 0);
    wend_walk_place place = place_of(map, &walk);
    check_point(place.point, 1000, 1000, 0);
    cr_assert(place.facing.x == 1 && place.facing.y == 1 && place.steps_left == 2);
    cr_assert_eq(advance(map, &walk, 700), WEND_WALK_ON); /* half of a diagonal of cost 14 */
    place = place_of(map, &walk);
    check_point(place.point, 1500, 1500, 0);
    check_point(place.offset, -500, -500, 0);
    cr_assert(place.cell.x == 2 && place.cell.y == 2 && place.steps_left == 1);
    cr_assert_eq(advance(map, &walk, 700), WEND_WALK_ON);
    place = place_of(map, &walk);
    check_point(place.point, 2000, 2000, 0);
    cr_assert(place.facing.x == 1 && place.facing.y == 1, "it still faces where it came to");
    cr_assert_eq(advance(map, &walk, 999), WEND_WALK_ON);
    check_point(place_of(map, &walk).point, 2000, 1001, 0);
    cr_assert_eq(advance(map, &walk, 1), WEND_WALK_ARRIVED);
    cr_assert_eq(advance(map, &walk, 1000), WEND_WALK_ARRIVED);
    place = place_of(map, &walk);
    cr_assert(place.facing.x == 0 && place.facing.y == -1 && place.steps_left == 0);
}

Test(walk, is_slower_on_slow_ground_and_jumps_links) {
    OWNED_MAP *map = text_map((const char *const[]){"...3...."}, 1);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, cell_of(3, 0), cell_of(7, 0), 25), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    const wend_cell cells[] = {{2, 0, 0}, {3, 0, 0}, {7, 0, 0}};
    wend_walk walk = begin(map, cells, 3, 0);
    uint64_t left;
    cr_assert_eq(wend_walk_get_left(map, &walk, &left, NULL), WEND_OK);
    cr_assert_eq(left, 5500);
    advance(map, &walk, 1500);
    check_point(place_of(map, &walk).point, 2500, 0, 0);
    cr_assert_eq(advance(map, &walk, 1500 + 625), WEND_WALK_ON);
    check_point(place_of(map, &walk).point, 4000, 0, 0);
    cr_assert_eq(advance(map, &walk, 1874), WEND_WALK_ON);
    cr_assert_eq(advance(map, &walk, 1), WEND_WALK_ARRIVED);
}

Test(walk, stops_before_a_step_that_an_edit_closed_and_goes_on_when_it_opens) {
    OWNED_MAP *map = open_map(8, 1);
    wend_walk walk = begin(map, row, 4, 0);
    cr_assert_eq(advance(map, &walk, 1500), WEND_WALK_ON);
    set_cell(map, row[2], 0); /* the step that is under way is finished */
    set_cell(map, row[3], 0);
    cr_assert_eq(advance(map, &walk, 5000), WEND_WALK_BROKEN);
    check_point(place_of(map, &walk).point, 2000, 0, 0);
    uint32_t steps;
    uint64_t left;
    cr_assert_eq(wend_walk_get_left(map, &walk, &left, &steps), WEND_OK);
    cr_assert(left == 0 && steps == 0);
    set_cell(map, row[3], 1); /* the agent may walk out of its blocked cell */
    cr_assert_eq(advance(map, &walk, 999), WEND_WALK_ON);
    cr_assert_eq(advance(map, &walk, 1), WEND_WALK_ARRIVED);
}

Test(walk, tells_a_partial_end_from_an_arrival) {
    OWNED_MAP *map = open_map(8, 1);
    wend_walk walk = begin(map, row, 4, WEND_WALK_PARTIAL);
    cr_assert_eq(advance(map, &walk, 2999), WEND_WALK_ON);
    cr_assert_eq(advance(map, &walk, 1), WEND_WALK_PATH_ENDED);
    walk = begin(map, row, 1, 0);
    cr_assert_eq(advance(map, &walk, 0), WEND_WALK_ARRIVED);
    cr_assert_str_eq(wend_walk_event_name(WEND_WALK_PATH_ENDED), "path_ended");
    cr_assert_str_eq(wend_walk_event_name(99), "unknown");
}

Test(walk, waits_for_units_ahead_where_asked) {
    OWNED_MAP *map = open_map(8, 1);
    cr_assert_eq(wend_map_occupy(map, row[2]), WEND_OK);
    wend_walk blind = begin(map, row, 4, 0), walk = begin(map, row, 4, WEND_WALK_UNITS);
    cr_assert_eq(advance(map, &blind, 5000), WEND_WALK_ARRIVED);
    cr_assert_eq(advance(map, &walk, 5000), WEND_WALK_UNIT_AHEAD);
    check_point(place_of(map, &walk).point, 1000, 0, 0);
    cr_assert_eq(wend_map_vacate(map, row[2]), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, row[1]), WEND_OK); /* the walk itself */
    cr_assert_eq(advance(map, &walk, 5000), WEND_WALK_ARRIVED);
}

Test(walk, of_a_large_mover_minds_all_cells_that_it_enters) {
    OWNED_MAP *map = open_map(8, 4);
    wend_mover large = default_mover();
    large.size = 2;
    int32_t mover, event;
    cr_assert_eq(wend_map_add_mover(map, &large, &mover), WEND_OK);
    for (int32_t x = 0; x < 2; x++)
        for (int32_t y = 0; y < 2; y++) cr_assert_eq(wend_map_occupy(map, cell_of(x, y)), WEND_OK);
    wend_walk walk;
    cr_assert_eq(wend_walk_begin(map, row, 4, mover, 1000, WEND_WALK_UNITS, &walk), WEND_OK);
    cr_assert_eq(wend_walk_advance(map, &walk, 1000, &event), WEND_OK);
    cr_assert_eq(walk.index, 1);
    cr_assert_eq(wend_map_occupy(map, cell_of(3, 1)), WEND_OK);
    cr_assert_eq(wend_walk_advance(map, &walk, 1000, &event), WEND_OK);
    cr_assert_eq(event, WEND_WALK_UNIT_AHEAD);
    cr_assert_eq(wend_map_vacate(map, cell_of(3, 1)), WEND_OK);
    set_cell(map, cell_of(3, 1), 0);
    cr_assert_eq(wend_walk_advance(map, &walk, 1000, &event), WEND_OK);
    cr_assert_eq(event, WEND_WALK_BROKEN);
}

Test(walk, takes_another_path_without_a_jump) {
    OWNED_MAP *map = open_map(8, 8);
    const wend_cell other[] = {{1, 1, 0}, {1, 0, 0}, {1, 1, 0}, {1, 2, 0}}, far[] = {{5, 5, 0}, {6, 5, 0}};
    wend_walk walk = begin(map, row, 4, 0);
    advance(map, &walk, 400);
    wend_point before = place_of(map, &walk).point;
    cr_assert_eq(wend_walk_redirect(&walk, far, 2, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(walk.cells, row);
    cr_assert_eq(wend_walk_redirect(&walk, other, 4, 1), WEND_OK);
    check_point(place_of(map, &walk).point, before.x, before.y, 0);
    cr_assert_eq(place_of(map, &walk).steps_left, 2);
    cr_assert_eq(advance(map, &walk, 600), WEND_WALK_ON);
    check_point(place_of(map, &walk).point, 1000, 0, 0);
    cr_assert_eq(advance(map, &walk, 2000), WEND_WALK_PATH_ENDED);
    check_point(place_of(map, &walk).point, 1000, 2000, 0);
}

Test(walk, of_many_is_the_same_as_one_by_one) {
    OWNED_MAP *map = open_map(8, 1);
    wend_walk many[3], single[3];
    for (int i = 0; i < 3; i++) {
        many[i] = begin(map, row, 4, 0);
        many[i].speed_milli = (uint32_t)(300 + 777 * i);
        single[i] = many[i];
    }
    for (int frame = 0; frame < 6; frame++) {
        int32_t events[3];
        cr_assert_eq(wend_walk_advance_many(map, many, 3, 500, events), WEND_OK);
        for (int i = 0; i < 3; i++) {
            int32_t event;
            cr_assert_eq(wend_walk_advance_many(map, &single[i], 1, 500, &event), WEND_OK);
            cr_assert(event == events[i] && single[i].index == many[i].index && single[i].done == many[i].done);
        }
    }
    cr_assert_eq(many[2].index, 3);
    many[1].mover = 5;
    single[0] = many[0];
    cr_assert_eq(wend_walk_advance_many(map, many, 3, 500, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(many[0].done, single[0].done);
}

Test(walk, at_any_speed_does_not_overflow) {
    OWNED_MAP *map = open_map(8, 1);
    wend_walk walk = begin(map, row, 4, 0);
    walk.speed_milli = UINT32_MAX;
    int32_t event;
    cr_assert_eq(wend_walk_advance_many(map, &walk, 1, UINT32_MAX, &event), WEND_OK);
    cr_assert_eq(event, WEND_WALK_ARRIVED);
    walk = begin(map, row, 4, 0);
    cr_assert_eq(advance(map, &walk, UINT32_MAX), WEND_WALK_ARRIVED);
}

Test(walk, on_a_graph_lies_by_the_nodes_coordinates) {
    const wend_cell places[] = {{0, 0, 0}, {10, -20, 4}, {WEND_MAX_POINT / 1000 + 1, 0, 0}};
    const wend_edge edges[] = {{0, 1, 2500}, {1, 2, 100}};
    wend_graph_def def = default_graph();
    def.node_count = 3, def.coordinates = places, def.edges = edges, def.edge_count = 2;
    OWNED_MAP *map = NULL;
    cr_assert_eq(wend_graph_create(&def, &map), WEND_OK);
    const wend_cell cells[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    wend_walk walk = begin(map, cells, 3, 0);
    cr_assert_eq(advance(map, &walk, 1250), WEND_WALK_ON);
    check_point(place_of(map, &walk).point, 5000, -10000, 2000);
    cr_assert_eq(place_of(map, &walk).facing.y, -1);
    cr_assert_eq(advance(map, &walk, 1300), WEND_WALK_ON);
    check_point(place_of(map, &walk).point, 10000, -20000, 4000); /* node 2 lies too far away for a point */
    cr_assert_eq(advance(map, &walk, 50), WEND_WALK_ARRIVED);
    check_point(place_of(map, &walk).point, 2000, 0, 0);
}

Test(walk, refuses_what_cannot_be) {
    OWNED_MAP *map = open_map(4, 4);
    wend_walk walk;
    const wend_cell off[] = {{4, 0, 0}, {3, 0, 0}}, leaves[] = {{3, 0, 0}, {4, 0, 0}};
    cr_assert_eq(wend_walk_begin(map, row, 0, 0, 1000, 0, &walk), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_walk_begin(map, row, 4, 1, 1000, 0, &walk), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_walk_begin(map, row, 4, 0, 1000, 4, &walk), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_walk_begin(map, off, 2, 0, 1000, 0, &walk), WEND_OUT_OF_RANGE);
    walk = begin(map, leaves, 2, 0);
    wend_walk_place place = {.struct_bytes = 4};
    cr_assert_eq(wend_walk_get_place(map, &walk, &place), WEND_BAD_ARGUMENT);
    cr_assert_eq(place_of(map, &walk).facing.x, 0);
    cr_assert_eq(advance(map, &walk, 1000), WEND_WALK_BROKEN);
    cr_assert_eq(wend_walk_redirect(&walk, row, 4, 2), WEND_BAD_ARGUMENT);
}
