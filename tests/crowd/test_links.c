/* SPDX-License-Identifier: MIT */
/* Links that are used in both directions do not jam. */
#include "crowd/crowd_support.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/ways.h>

static void add_link_both_ways(town *t, wend_cell a, wend_cell b, int32_t cost) {
    IN_BATCH(t->map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){a, b, cost, 0}), WEND_OK);
             cr_assert_eq(wend_edit_add_link(edit, &(wend_link){b, a, cost, 0}), WEND_OK));
}

/* Corridors are one cell wide, so no agent can step aside. */
Test(links, two_that_face_each_other_through_a_link_swap) {
    static const char *const rows[] = {"...#..."};
    static town t;
    town_open(&t, rows, 1, NULL);
    add_link_both_ways(&t, (wend_cell){2, 0, 0}, (wend_cell){4, 0, 0}, 30);
    const uint32_t a = town_add(&t, 2, 0, 1000), b = town_add(&t, 4, 0, 1000);
    town_go(&t, a, 4, 0), town_go(&t, b, 2, 0);
    cr_assert_leq(town_walk(&t, 20), 8);
    cr_assert(town_is_at(&t, a, 4, 0) && town_is_at(&t, b, 2, 0));
    town_close(&t);
}

/* A step between neighbours takes the line between them, also where a cheap link joins them. */
Test(links, two_do_not_swap_through_a_link_between_neighbours) {
    static const char *const rows[] = {"....", "##.#"};
    static town t;
    town_open(&t, rows, 2, NULL);
    add_link_both_ways(&t, (wend_cell){1, 0, 0}, (wend_cell){2, 0, 0}, 9);
    const uint32_t a = town_add(&t, 1, 0, 500), b = town_add(&t, 2, 0, 500);
    town_go(&t, a, 3, 0), town_go(&t, b, 0, 0);
    town_walk(&t, 200); /* the town checks that no agents pass through each other */
    cr_assert(town_is_at(&t, a, 3, 0) && town_is_at(&t, b, 0, 0));
    town_close(&t);
}

/// Two rooms side by side, joined by links alone.
typedef struct rooms {
    int32_t width, height; ///< sides of each room
    int32_t links;
    int32_t cost;
} rooms;

enum { EACH = 60, MOST_SIDE = 128 };

static void draw_cell(const rooms *r, uint64_t *random, bool right, bool *used, wend_cell *cell) {
    uint32_t number;
    do {
        const int32_t x = (int32_t)draw(random, (uint32_t)r->width) + (right ? r->width + 1 : 0);
        *cell = (wend_cell){x, (int32_t)draw(random, (uint32_t)r->height), 0};
        number = (uint32_t)(cell->y * MOST_SIDE + cell->x);
    } while (used[number]);
    used[number] = true;
}

/* Half of the agents begin in each room, and go to the other one. Returns the frames until all stand there; UINT32_MAX:
 * one gave up. */
static uint32_t cross(const rooms *r, uint32_t each, uint64_t seed, uint32_t most) {
    static town t;
    static bool starts[MOST_SIDE * MOST_SIDE], ends[MOST_SIDE * MOST_SIDE];
    static char cells[MOST_SIDE][MOST_SIDE];
    static wend_cell goals[2 * EACH];
    const char *rows[MOST_SIDE];
    memset(starts, 0, sizeof starts), memset(ends, 0, sizeof ends), memset(cells, 0, sizeof cells);
    for (int32_t y = 0; y < r->height; y++) {
        for (int32_t x = 0; x < 2 * r->width + 1; x++) cells[y][x] = x == r->width ? '#' : '.';
        rows[y] = cells[y];
    }
    town_open(&t, rows, r->height, NULL);
    for (int32_t k = 0; k < r->links; k++) {
        const int32_t y = r->height * (2 * k + 1) / (2 * r->links);
        add_link_both_ways(&t, (wend_cell){r->width - 1, y, 0}, (wend_cell){r->width + 1, y, 0}, r->cost);
    }
    for (uint32_t i = 0; i < 2 * each; i++) {
        wend_cell start;
        draw_cell(r, &seed, i % 2, starts, &start);
        town_add(&t, start.x, start.y, 1000);
    }
    for (uint32_t i = 0; i < 2 * each; i++) {
        draw_cell(r, &seed, i % 2 == 0, ends, &goals[i]);
        town_go(&t, i, goals[i].x, goals[i].y);
    }
    const uint32_t frames = town_walk(&t, most);
    bool all = true;
    for (uint32_t i = 0; i < 2 * each; i++) all = all && town_is_at(&t, i, goals[i].x, goals[i].y);
    town_close(&t);
    return all ? frames : UINT32_MAX;
}

/* Returns a bound for crossing: four times the frames of all pairs over the links and of the walk. */
static uint32_t bound_of(const rooms *r, uint32_t each) {
    const uint32_t link_frames = (uint32_t)(r->cost + 9) / 10;
    return 4 * (each * (link_frames + 1) / (uint32_t)r->links + (uint32_t)(2 * r->width + r->height));
}

/* A jam before a link may last: three crowds of four get through within the bound. */
static void check_crossing(const rooms *r, uint32_t each) {
    const uint32_t crowds = (uint32_t)enough_or_many(2, 160);
    uint32_t late = 0;
    for (uint64_t seed = 1; seed <= crowds; seed++) late += cross(r, each, seed, 10000) > bound_of(r, each);
    cr_assert_leq(late, crowds / 4, "%u of %u crowds took too long", late, crowds);
}

Test(links, crowds_cross_through_one_link_both_ways) {
    const uint32_t each = (uint32_t)enough_or_many(EACH / 2, EACH);
    check_crossing(&(rooms){20, 20, 1, 10}, each);
    check_crossing(&(rooms){12, 12, 1, 10}, each);
    check_crossing(&(rooms){40, 3, 1, 10}, each);
    check_crossing(&(rooms){30, 2, 1, 40}, 20);
}

Test(links, crowds_cross_through_long_links) {
    check_crossing(&(rooms){20, 20, 2, 300}, (uint32_t)enough_or_many(EACH / 2, EACH));
}
