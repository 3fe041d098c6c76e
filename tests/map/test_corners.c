/* SPDX-License-Identifier: MIT */
/* S7: diagonal steps that the corner rules allow, for every pattern of the four cells around a corner. */
#include "map/store/directions.h"
#include "map/version/version.h"
#include "map/map_support.h"

#include <criterion/criterion.h>

/* The four cells: where the step begins, its two side cells, where it ends. A 1 is open. */
static const struct {
    uint8_t from, one, other, to;
    uint8_t never, once, always;
} truth[16] = {
    {0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 1}, {0, 0, 1, 0, 0, 0, 0}, {0, 0, 1, 1, 0, 1, 1},
    {0, 1, 0, 0, 0, 0, 0}, {0, 1, 0, 1, 0, 1, 1}, {0, 1, 1, 0, 0, 0, 0}, {0, 1, 1, 1, 1, 1, 1},
    {1, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0, 1}, {1, 0, 1, 0, 0, 0, 0}, {1, 0, 1, 1, 0, 1, 1},
    {1, 1, 0, 0, 0, 0, 0}, {1, 1, 0, 1, 0, 1, 1}, {1, 1, 1, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1},
};

/* A 2 × 2 map of one pattern, so turned that the step goes towards (dx, dy). */
static wend_map *map_of_pattern(int i, int32_t corners, int32_t neighbours, int32_t dx, int32_t dy) {
    wend_map_rules rules = default_rules();
    rules.corners = corners, rules.neighbours = neighbours;
    OWNED(model_free) model m = model_create(2, 2, &rules);
    int32_t x = dx < 0, y = dy < 0; /* where it begins */
    m.classes[y * 2 + x] = truth[i].from;
    m.classes[y * 2 + !x] = truth[i].one;
    m.classes[!y * 2 + x] = truth[i].other;
    m.classes[!y * 2 + !x] = truth[i].to;
    wend_map *map = map_of(&m);
    return map;
}

static void check_pattern(int i, int32_t corners, int32_t neighbours, unsigned d, bool expected) {
    int32_t dx = wend__dx[d], dy = wend__dy[d], x = dx < 0, y = dy < 0;
    OWNED_MAP *map = map_of_pattern(i, corners, neighbours, dx, dy);
    wend__version *v = wend__map_acquire(map, false);
    unsigned steps = wend__version_steps(v, x, y);
    cr_assert_eq(steps >> d & 1, expected, "pattern %d, corners %d, direction %u", i, corners, d);
    for (unsigned straight = 0; straight < 4; straight++) /* a straight step depends only on its own cell */
        cr_assert_eq(steps >> straight & 1,
                     wend__on_map(v, x + wend__dx[straight], y + wend__dy[straight]) &&
                         wend__version_factor(v, x + wend__dx[straight], y + wend__dy[straight]));
    wend__map_release(v, false);
    wend_cell cells[2] = {at(x, y), at(x + dx, y + dy)};
    size_t walkable;
    uint64_t cost;
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, cells, 2, &walkable, &cost), WEND_OK);
    cr_assert_eq(walkable, !truth[i].from ? 0u : expected ? 2u : 1u);
    cr_assert_eq(cost, truth[i].from && expected ? 14u : 0u);
}

Test(map_corners, follow_the_truth_table_in_every_direction) {
    for (int i = 0; i < 16; i++)
        for (unsigned d = WEND__NE; d < WEND__DIRECTIONS; d++) {
            check_pattern(i, WEND_CORNERS_NEVER, 8, d, truth[i].never);
            check_pattern(i, WEND_CORNERS_ONE, 8, d, truth[i].once);
            check_pattern(i, WEND_CORNERS_ALWAYS, 8, d, truth[i].always);
        }
}

Test(map_corners, leave_no_diagonal_with_four_neighbours) {
    for (int i = 0; i < 16; i++)
        for (unsigned d = WEND__NE; d < WEND__DIRECTIONS; d++)
            for (int32_t corners = 0; corners <= 2; corners++) check_pattern(i, corners, 4, d, false);
}

Test(map_corners, directions_go_clockwise_straight_ones_first) {
    const int32_t dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};
    for (int d = 0; d < 8; d++) cr_assert(wend__dx[d] == dx[d] && wend__dy[d] == dy[d]);
}
