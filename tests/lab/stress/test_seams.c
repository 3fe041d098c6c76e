/* SPDX-License-Identifier: MIT */
/* The checker's own rules on maps with sheets: its costs are those of Dijkstra's algorithm on the floors, which has
 * no sheets, and it finds seams that are broken. */
#include "oracle/terrain_copy.h"
#include "promises/walk_checker.h"
#define same_cell models_same_cell /* the checker has its own */
#include "models/floors.h"
#undef same_cell

#include <criterion/redirect.h>

static void compare_costs(const floors *f, const terrain_copy *land, dijkstra *search, uint64_t *seed) {
    static int64_t distances[FLOORS_CELLS];
    int32_t goal = (int32_t)draw(seed, FLOORS_CELLS);
    while (floors_factor(f, 0, goal) == 0) goal = (goal + 1) % FLOORS_CELLS;
    floors_measure(f, 0, goal, true, distances);
    cr_assert(dijkstra_flood(search, floors_cell(f, goal)));
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        if (floors_factor(f, 0, i) > 0)
            cr_assert_eq(dijkstra_flooded(search, floors_cell(f, i)), distances[i], "%d to %d", i, goal);
    for (int i = 0; i < 4; i++) {
        const int32_t start = (int32_t)draw(seed, FLOORS_CELLS);
        const int64_t cost = dijkstra_cost(search, floors_cell(f, start), floors_cell(f, goal));
        cr_assert_eq(cost, floors_factor(f, 0, start) > 0 ? distances[start] : -1);
    }
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        const bool open = floors_factor(f, 0, i) > 0;
        cr_assert_eq(terrain_factor(land, floors_cell(f, i)) > 0, open);
    }
}

static void follow_edit(const floors *f, const wend_map *map, terrain_copy *land) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    terrain_begin_epoch(land, info.epoch);
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        const uint32_t place = terrain_index(land, floors_cell(f, i));
        if (land->factors[place] != f->classes[i]) cr_assert(terrain_set(land, place, f->classes[i]));
    }
    cr_assert_eq(terrain_compare(land, map), 0);
}

Test(stress_seams, cost_what_the_steps_on_the_floors_cost) {
    static floors f;
    uint64_t seed = 11;
    for (int round = 0; round < 4; round++) {
        OWNED(terrain_free) terrain_copy land;
        floors_draw(&f, &seed, false);
        OWNED_MAP *map = floors_map(&f);
        cr_assert_eq(terrain_read(map, &land), WEND_OK);
        dijkstra *search = dijkstra_create(&land);
        for (int edits = 0; edits < 3; edits++) {
            if (edits > 0) floors_edit(&f, map, &seed, false);
            follow_edit(&f, map, &land);
            for (int i = 0; i < 3; i++) compare_costs(&f, &land, search, &seed);
        }
        dijkstra_free(search);
    }
}

/* A floor of class 1, with two sheets; the seams lead from 24,y to 25,y. */
static void draw_plane(floors *f, int32_t corners, int32_t neighbours) {
    memset(f, 0, sizeof *f);
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        f->classes[i] = 1, f->sheets[i] = (uint8_t)(i / FLOOR_CELLS * 2 + (floors_x(i) >= 25));
        for (int k = 0; k < 4; k++) {
            const int32_t x = floors_x(i) + floors_dx[k], y = floors_y(i) + floors_dy[k];
            const bool on = x >= 0 && y >= 0 && x < FLOOR_WIDTH && y < FLOOR_HEIGHT;
            f->next[i][k] = on ? i + floors_dx[k] + floors_dy[k] * FLOOR_WIDTH : -1;
        }
    }
    f->corners = corners, f->neighbours = neighbours;
}

static wend_cell on_plane(const floors *f, int32_t x, int32_t y) {
    return floors_cell(f, y * FLOOR_WIDTH + x);
}

/* A wall at 25,6 stands on one side of the step from 24,6 to 25,7. */
Test(stress_seams, heed_the_corner_rule) {
    static floors f;
    static const struct {
        int32_t corners, neighbours;
        uint64_t free, past_a_corner;
    } rules[] = {{WEND_CORNERS_NEVER, 8, 14, 0},
                 {WEND_CORNERS_ONE, 8, 14, 14},
                 {WEND_CORNERS_ALWAYS, 8, 14, 14},
                 {WEND_CORNERS_ALWAYS, 4, 0, 0}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        OWNED(terrain_free) terrain_copy land;
        draw_plane(&f, rules[i].corners, rules[i].neighbours);
        f.classes[6 * FLOOR_WIDTH + 25] = 0;
        OWNED_MAP *map = floors_map(&f);
        cr_assert_eq(terrain_read(map, &land), WEND_OK);
        cr_expect_eq(terrain_step(&land, on_plane(&f, 24, 2), on_plane(&f, 25, 2)), 10);
        cr_expect_eq(terrain_step(&land, on_plane(&f, 24, 2), on_plane(&f, 25, 3)), rules[i].free);
        cr_expect_eq(terrain_step(&land, on_plane(&f, 24, 6), on_plane(&f, 25, 7)), rules[i].past_a_corner);
        cr_expect_eq(terrain_step(&land, on_plane(&f, 24, 6), on_plane(&f, 25, 6)), 0, "a wall");
    }
}

/* Returns how many illegal steps are reported of an agent that goes by the old map. */
static uint64_t steps_caught(const terrain_copy *land, wend_cell from, wend_cell to) {
    promises ledger = {0};
    walk_checker *watch = walk_checker_create(land, 1, &ledger);
    cr_assert_not_null(watch);
    walk_checker_added(watch, 0, from, 500);
    walk_checker_saw(watch, 0, to, (wend_point){from.x * 1000, from.y * 1000, 0});
    const uint64_t caught = ledger.broken[WALK_legal_steps];
    walk_checker_free(watch);
    return caught;
}

/* The seam goes that leads straight over; the diagonal ones past it are no steps then, either. */
Test(stress_seams, finds_one_that_is_broken) {
    static floors f;
    terrain_copy land;
    cr_redirect_stderr();
    draw_plane(&f, WEND_CORNERS_NEVER, 8);
    OWNED_MAP *map = floors_map(&f);
    const wend_cell from = on_plane(&f, 24, 6), to = on_plane(&f, 25, 6), diagonal = on_plane(&f, 25, 7);
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    cr_expect_eq(steps_caught(&land, from, to), 0);
    cr_expect_eq(steps_caught(&land, from, diagonal), 0);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_remove_link(edit, from, to), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_expect_eq(terrain_compare(&land, map), 1);
    terrain_free(&land);
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    cr_expect_eq(steps_caught(&land, from, to), 1);
    cr_expect_eq(steps_caught(&land, from, diagonal), 1);
    cr_expect_eq(steps_caught(&land, to, from), 0, "each direction for itself");
    terrain_free(&land);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, 10, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    cr_expect_eq(steps_caught(&land, from, diagonal), 1, "a link of that cost is no seam");
    terrain_free(&land);
}
