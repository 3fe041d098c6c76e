/* SPDX-License-Identifier: MIT */
/* The checker of bodies in the laboratory finds what is broken, and nothing else. */
#include "models/made.h"
#include "promises/disc_checker.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <wend/wend.h>

enum { ONE = WEND_BODY_UNITS };

static wend_map *discs_map;
static terrain_copy discs_land;
static promises discs_ledger;
static disc_checker *discs_watch;

/* 6 x 4 cells, with a wall at 3,0 and 3,1. */
static void begin(void) {
    wend_map_def def = default_map();
    def.width = 6, def.height = 4;
    cr_redirect_stderr();
    discs_ledger = (promises){0};
    cr_assert_eq(wend_map_create(&def, &discs_map), WEND_OK);
    for (int32_t y = 0; y < 2; y++) wend_map_set_cell(discs_map, (wend_cell){3, y, 0}, WEND_CLASS_BLOCKED, NULL);
    cr_assert_eq(terrain_read(discs_map, &discs_land), WEND_OK);
    cr_assert_not_null(discs_watch = disc_checker_create(&discs_land, 2, &discs_ledger));
}

static void end(void) {
    disc_checker_free(discs_watch);
    terrain_free(&discs_land);
    wend_map_release(discs_map);
}

TestSuite(disc_checker, .init = begin, .fini = end);

/* Thousandths of a cell. The radius is .4, the speed .5. */
static void see(uint32_t agent, int32_t cell_x, int32_t cell_y, int32_t x, int32_t y) {
    const wend_body_state body = {
        .struct_bytes = sizeof body, .exact_at = {x * ONE / 1000, y * ONE / 1000}, .radius_milli = 400};
    disc_checker_saw(discs_watch, agent, (wend_cell){cell_x, cell_y, 0}, &body, 500);
}

static void only(int promise) {
    for (int i = 0; i < PROMISE_COUNT; i++)
        cr_assert_eq(discs_ledger.broken[i] > 0, i == promise, "%s", promise_name(i));
}

Test(disc_checker, two_that_keep_apart) {
    see(0, 1, 1, 1000, 1000), see(1, 1, 2, 1000, 1800);
    disc_checker_frame_ends(discs_watch);
    see(0, 1, 1, 1000, 900), see(1, 1, 2, 1400, 2000);
    disc_checker_frame_ends(discs_watch);
    only(-1);
}

Test(disc_checker, two_that_touch) {
    see(0, 1, 1, 1000, 1000), see(1, 1, 2, 1000, 1799);
    disc_checker_frame_ends(discs_watch);
    only(DISC_apart);
}

Test(disc_checker, one_on_a_wall) {
    see(0, 2, 0, 2101, 0), see(1, 5, 3, 5000, 3000);
    disc_checker_frame_ends(discs_watch);
    only(DISC_walls);
}

Test(disc_checker, one_over_the_rim) {
    see(0, 0, 0, -101, 0), see(1, 5, 3, 5000, 3000);
    disc_checker_frame_ends(discs_watch);
    only(DISC_walls);
}

/* An agent without a body counts as half a cell: .9 apart is enough for it and a disc of .4, and .898 is not. */
Test(disc_checker, a_disc_beside_one_without_a_body) {
    see(0, 1, 1, 1000, 1000);
    disc_checker_saw_walker(discs_watch, 1, (wend_point){1000, 1900, 0});
    disc_checker_frame_ends(discs_watch);
    only(-1);
    disc_checker_saw_walker(discs_watch, 1, (wend_point){1000, 1898, 0});
    disc_checker_frame_ends(discs_watch);
    only(DISC_apart);
}

Test(disc_checker, two_without_bodies_are_left_to_the_checker_of_walks) {
    disc_checker_saw_walker(discs_watch, 0, (wend_point){1000, 1000, 0});
    disc_checker_saw_walker(discs_watch, 1, (wend_point){1500, 1500, 0});
    disc_checker_frame_ends(discs_watch);
    only(-1);
}

Test(disc_checker, one_that_is_too_fast) {
    see(0, 1, 1, 1000, 1000);
    disc_checker_frame_ends(discs_watch);
    see(0, 1, 2, 1100, 1500);
    disc_checker_frame_ends(discs_watch);
    only(DISC_speeds);
}

Test(disc_checker, one_that_is_on_no_step_to_its_cell) {
    see(0, 1, 1, 1000, 2502);
    disc_checker_frame_ends(discs_watch);
    only(DISC_cells);
}
