/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include <wend/geometry.h>
#include <wend/wend.h>

static const wend_cell bent[] = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 2, 0}, {4, 2, 0}, {4, 3, 0}};

Test(turns, keeps_both_ends_and_every_bend) {
    wend_cell out[6];
    size_t count;
    cr_assert_eq(wend_path_turns(bent, 6, out, 6, &count), WEND_OK);
    cr_assert_eq(count, 4);
    const wend_cell expected[] = {bent[0], bent[2], bent[4], bent[5]};
    cr_assert_arr_eq(out, expected, sizeof expected);
}

Test(turns, counts_without_room_and_fills_what_there_is) {
    size_t count;
    wend_cell out[2] = {{-1, -1, -1}, {-1, -1, -1}};
    cr_assert_eq(wend_path_turns(bent, 6, NULL, 0, &count), WEND_OK);
    cr_assert_eq(count, 4);
    cr_assert_eq(wend_path_turns(bent, 6, out, 1, &count), WEND_OK);
    cr_assert(count == 4 && out[0].x == 0 && out[1].x == -1);
}

Test(turns, takes_paths_of_none_one_and_two_cells) {
    size_t count;
    cr_assert_eq(wend_path_turns(NULL, 0, NULL, 0, &count), WEND_OK);
    cr_assert_eq(count, 0);
    cr_assert_eq(wend_path_turns(bent, 1, NULL, 0, &count), WEND_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(wend_path_turns(bent, 2, NULL, 0, &count), WEND_OK);
    cr_assert_eq(count, 2);
    cr_assert_eq(wend_path_turns(bent, 2, NULL, 0, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_path_turns(NULL, 2, NULL, 0, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_path_turns(bent, 2, NULL, 1, &count), WEND_BAD_ARGUMENT);
}
