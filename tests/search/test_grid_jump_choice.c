/* SPDX-License-Identifier: MIT */
/* Which engine auto takes, of two that both serve. */
#include <criterion/criterion.h>

#include "models/oracle.h"
#include "models/options.h"
#include "models/kept.h"
#include "fast/jump/grid_jump_choice.h"
#include "search/engines.h"
#include "fast/acceleration.h"

/* ---- the rule, at its limits and one past them ---- */

static bool pays(int32_t width, int32_t height, uint64_t corners, int32_t across, int32_t down) {
    wend__version v = {.width = width, .height = height, .jump_counts = {1000 - corners, corners, 1000}};
    wend_request request = {.struct_bytes = sizeof request, .start = {70, 90, 0}, .goal = {70 - across, 90 + down, 0}};
    return wend__jump_pays(&v, KEPT(&request));
}

Test(jump_choice, is_jump_search_up_to_a_share_of_corners) {
    cr_assert(pays(100, 200, 10 * WEND__CHOICE_CORNERS, 64, 4));
    cr_assert_not(pays(100, 200, 10 * WEND__CHOICE_CORNERS + 1, 64, 4));
    cr_assert(pays(2048, 1023, 10 * WEND__CHOICE_CORNERS, 64, 0));
    cr_assert(pays(2048, 1024, 10 * WEND__CHOICE_CORNERS_LARGE, 64, 0));
    cr_assert_not(pays(2048, 1024, 10 * WEND__CHOICE_CORNERS_LARGE + 1, 64, 0));
    cr_assert(pays(65535, 65535, 10 * WEND__CHOICE_CORNERS_LARGE, 64, 0));
}

Test(jump_choice, is_jump_search_up_to_a_lower_share_where_the_goal_is_near) {
    const uint64_t corners = 10 * WEND__CHOICE_CORNERS_NEAR;
    cr_assert(pays(512, 256, corners, 63, 63));
    cr_assert_not(pays(512, 256, corners + 1, 63, 63));
    cr_assert(pays(512, 255, corners + 1, 63, 63));
    cr_assert_not(pays(512, 512, corners + 1, -63, 0));
    cr_assert_not(pays(65535, 65535, corners + 1, 0, -63));
    cr_assert(pays(512, 512, corners + 1, 64, 0));
    cr_assert(pays(512, 512, corners + 1, 0, -64));
}

Test(jump_choice, is_jump_search_where_no_run_ends_and_where_no_diagonal_leads) {
    wend__version v = {.width = 1 << 12, .height = 1 << 12};
    wend_request request = default_request();
    cr_assert(wend__jump_pays(&v, KEPT(&request)));
    v.jump_counts[WEND__JUMP_WALLS] = 400, v.jump_counts[WEND__JUMP_CORNERS] = 600;
    v.jump_counts[WEND__JUMP_DIAGONALS] = 10 * WEND__CHOICE_DIAGONALS;
    cr_assert_not(wend__jump_pays(&v, KEPT(&request)));
    v.jump_counts[WEND__JUMP_DIAGONALS]--;
    cr_assert(wend__jump_pays(&v, KEPT(&request)));
}

/* The share of diagonal steps that jump search needs with landmarks. */
Test(jump_choice, with_landmarks_is_jump_search_on_more_ground_the_farther_the_goal) {
    const uint64_t large = WEND__CHOICE_FAR_ON, side = 1024;
    cr_assert_eq(wend__choice_diagonals_led(512 * 512, 63), WEND__CHOICE_DIAGONALS);
    cr_assert_eq(wend__choice_diagonals_led(512 * 512, 64), WEND__CHOICE_DIAGONALS_FAR);
    cr_assert_eq(wend__choice_diagonals_led(512 * 512, 383), WEND__CHOICE_DIAGONALS_FAR);
    cr_assert_eq(wend__choice_diagonals_led(512 * 512, 384), WEND__CHOICE_DIAGONALS_FARTHEST);
    cr_assert_eq(wend__choice_diagonals_led(80 * 80, 63), WEND__CHOICE_DIAGONALS);
    cr_assert_eq(wend__choice_diagonals_led(80 * 80, 64), WEND__CHOICE_DIAGONALS_FARTHEST);
    cr_assert_eq(wend__choice_diagonals_led(large - 1, 64), WEND__CHOICE_DIAGONALS_FAR);
    cr_assert_eq(wend__choice_diagonals_led(large, 64), WEND__CHOICE_DIAGONALS);
    cr_assert_eq(wend__choice_diagonals_led(side * side, side / 2 - 1), WEND__CHOICE_DIAGONALS);
    cr_assert_eq(wend__choice_diagonals_led(side * side, side / 2), WEND__CHOICE_DIAGONALS_FAR);
    cr_assert_eq(wend__choice_diagonals_led(side * side, side / 4 * 3), WEND__CHOICE_DIAGONALS_FARTHEST);
    cr_assert_eq(wend__choice_diagonals_led(UINT64_C(1) << 32, 65535), WEND__CHOICE_DIAGONALS_FARTHEST);
}

/* Ground of `diagonals` diagonal steps to a hundred ends; `standing`: valid landmarks, 0: there are none. */
static bool pays_led(uint32_t standing, int32_t side, uint64_t diagonals, int32_t across, int32_t down) {
    wend__landmarks landmarks = {.count = 4, .valid = standing};
    wend__version v = {.width = side, .height = side, .jump_counts = {400, 600, 10 * diagonals}};
    if (standing) v.landmarks = &landmarks;
    wend_request request = {
        .struct_bytes = sizeof request, .start = {900, 900, 0}, .goal = {900 + across, 900 + down, 0}};
    return wend__jump_pays(&v, KEPT(&request));
}

/* Noise of 20 % has 52 diagonal steps to a hundred ends, of 10 % 77, of 5 % 96. */
Test(jump_choice, with_landmarks_that_stand_is_jump_search_on_noise_where_the_goal_is_far) {
    cr_assert(pays_led(1, 512, 52, 64, 0));
    cr_assert(pays_led(8, 512, 52, -3, -64));
    cr_assert_not(pays_led(0, 512, 52, 64, 64), "none stands");
    cr_assert_not(pays_led(15, 512, 52, 63, 63), "near");
    cr_assert_not(pays_led(15, 1024, 52, 511, 511), "nearer than half the side of a large map");
    cr_assert(pays_led(15, 1024, 52, 512, 0));
    cr_assert_not(pays_led(15, 512, 77, 383, 383));
    cr_assert(pays_led(15, 512, 77, 0, 384));
    cr_assert_not(pays_led(15, 512, 96, 511, 511));
}

/* ---- maps ---- */

enum { SIDE = 150 };

static wend_map *rooms(void) {
    wend_map *map = grid_map(SIDE, SIDE);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        const int32_t x = i % SIDE, y = i / SIDE;
        const bool wall = (x % 50 == 25 && y % 50 != 10) || (y % 50 == 25 && x % 50 != 35);
        if (wall) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, WEND_CLASS_BLOCKED);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    return map;
}

/* Single cells all over the rooms, but not on the straight ways between doors. */
static void scatter(wend_map *map, uint8_t class) {
    oracle_random random = {4};
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < SIDE * SIDE / 5; i++) {
        const wend_cell cell = {oracle_below(&random, SIDE), oracle_below(&random, SIDE), 0};
        const int32_t x = cell.x % 50, y = cell.y % 50;
        if (x != 25 && y != 25 && x != 35 && y != 10) wend_edit_set_cell(edit, cell, class);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* Returns the engine that a request would get, and compares it with the engine of a search. */
static int32_t engine_of(wend_map *map, int32_t asked) {
    wend_request request = default_request();
    wend_search_def def = default_search();
    wend_completion done = {.struct_bytes = sizeof done};
    request.map = map, options_of(&request)->engine = asked;
    request.start = (wend_cell){25, 10, 0}, request.goal = (wend_cell){125, 110, 0};
    wend_search *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    while (wend_search_step(search, 100, NULL) == WEND_STATUS_PENDING) continue;
    wend_search_get_result(search, &done);
    cr_assert_eq(done.status, WEND_STATUS_FOUND);
    wend_search_destroy(search);
    wend__version *version = wend__map_acquire(map, false);
    cr_assert_eq(wend__request_engine(version, KEPT(&request)), done.engine);
    wend__map_release(version, false);
    return done.engine;
}

static void expect(wend_map *map, int32_t by_itself) {
    cr_assert_eq(engine_of(map, WEND_ENGINE_AUTO), by_itself);
    cr_assert_eq(engine_of(map, WEND_ENGINE_ASTAR), WEND_ENGINE_ASTAR);
    cr_assert_eq(engine_of(map, WEND_ENGINE_JUMP), WEND_ENGINE_JUMP);
}

Test(jump_choice, follows_what_a_version_is_and_not_how_it_came_to_be_so) {
    wend_map *map = rooms(), *fork;
    expect(map, WEND_ENGINE_JUMP);
    scatter(map, WEND_CLASS_BLOCKED);
    expect(map, WEND_ENGINE_ASTAR);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_eq(wend__map_prune_jumps(map, 3, NULL), WEND_OK);
    expect(map, WEND_ENGINE_ASTAR);
    expect(fork, WEND_ENGINE_ASTAR);
    scatter(map, WEND_CLASS_OPEN);
    expect(map, WEND_ENGINE_JUMP);
    expect(fork, WEND_ENGINE_ASTAR);
    cr_assert_eq(wend__map_drop_jumps(fork), WEND_OK);
    cr_assert_eq(engine_of(fork, WEND_ENGINE_JUMP), WEND_ENGINE_ASTAR);
    cr_assert_eq(wend__map_prepare_jumps(fork), WEND_OK);
    expect(fork, WEND_ENGINE_ASTAR);
    wend_map_release(map);
    scatter(fork, WEND_CLASS_OPEN);
    expect(fork, WEND_ENGINE_JUMP);
    wend_map_release(fork);
}
