/* SPDX-License-Identifier: MIT */
/* Crowds on maps that wrap do as well as on a plane of copies. */
#include "crowd/crowd_support.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/query.h>
#include <wend/units.h>

enum { SIDE = 32, COPIES = 3, EACH = 200, MOST_FRAMES = 2000 };

static wend_map *make_map(int32_t copies, int32_t wrap, uint64_t seed, uint32_t walls) {
    wend_map_def def = default_map();
    def.width = def.height = SIDE * copies, def.wrap = wrap;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const bool wall = draw(&seed, 100) < walls;
            for (int32_t k = 0; wall && k < copies * copies; k++)
                wend_edit_set_cell(edit, (wend_cell){x + k % copies * SIDE, y + k / copies * SIDE, 0}, 0);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static int32_t nearest_image(int32_t from, int32_t to) {
    const int32_t d = to - from;
    return 2 * d > SIDE ? to - SIDE : 2 * d < -SIDE ? to + SIDE : to;
}

/* The same starts and goals on the torus and, round the middle copy, on the plane. */
static uint32_t walk_all(wend_map *map, wend_map *torus, bool plane, uint64_t seed, uint32_t *arrived) {
    static town t;
    static bool starts[SIDE * SIDE], ends[SIDE * SIDE];
    wend_cell goals[EACH];
    memset(starts, 0, sizeof starts), memset(ends, 0, sizeof ends);
    town_open_on(&t, map, NULL, 0);
    const int32_t shift = plane ? SIDE : 0;
    for (uint32_t n = 0; n < EACH;) {
        const int32_t from = (int32_t)draw(&seed, SIDE * SIDE), to = (int32_t)draw(&seed, SIDE * SIDE);
        const wend_cell a = {from % SIDE, from / SIDE, 0}, b = {to % SIDE, to / SIDE, 0};
        bool reachable = false;
        wend_map_reachable(torus, 0, a, b, &reachable);
        if (starts[from] || ends[to] || !reachable) continue;
        starts[from] = ends[to] = true;
        town_add(&t, a.x + shift, a.y + shift, 1000);
        goals[n++] = plane ? (wend_cell){shift + nearest_image(a.x, b.x), shift + nearest_image(a.y, b.y), 0} : b;
    }
    for (uint32_t i = 0; i < EACH; i++) town_go(&t, i, goals[i].x, goals[i].y);
    const uint32_t frames = town_walk(&t, MOST_FRAMES);
    for (uint32_t i = 0; i < EACH; i++) *arrived += town_is_at(&t, i, goals[i].x, goals[i].y);
    town_close(&t);
    return frames;
}

Test(wrap_crowd, does_as_well_on_a_torus_as_on_a_plane_of_copies) {
    uint32_t frames[2] = {0, 0}, arrived[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        OWNED_MAP *torus = make_map(1, WEND_WRAP_X | WEND_WRAP_Y, seed, seed % 2 ? 0 : 12);
        wend_map_retain(torus);
        frames[0] += walk_all(torus, torus, false, seed, &arrived[0]);
        frames[1] += walk_all(make_map(COPIES, 0, seed, seed % 2 ? 0 : 12), torus, true, seed, &arrived[1]);
    }
    cr_log_info("frames %u on the torus, %u on the plane; arrived %u and %u", frames[0], frames[1], arrived[0],
                arrived[1]);
    cr_assert_geq(arrived[0], arrived[1] - arrived[1] / 100);
    cr_assert_leq(frames[0], frames[1] + frames[1] / 4);
}

enum { WIDE = 64, HIGH = 40, SQUAD = 13, STRAY = 2 };

static wend_cell shifted(int32_t x, int32_t y, wend_cell by) {
    return (wend_cell){(x + by.x + WIDE) % WIDE, (y + by.y + HIGH) % HIGH, 0};
}

/* A squad goes 20 cells east and 6 south and draws up, all moved by (by.x, by.y) over the rim.
 * @return frames */
static uint32_t draw_up_shifted(int32_t formation, wend_cell by, uint32_t *formed) {
    static town t;
    wend_map_def def = default_map();
    wend_agent_id ids[SQUAD];
    def.width = WIDE, def.height = HIGH, def.wrap = WEND_WRAP_X | WEND_WRAP_Y;
    wend_map *map = made_map(&def);
    town_open_on(&t, map, NULL, 0);
    for (uint32_t i = 0; i < SQUAD; i++) {
        const wend_cell at = shifted(12 + (int32_t)(i % 4), 12 + (int32_t)(i / 4), by);
        const uint32_t agent = town_add(&t, at.x, at.y, 500);
        ids[i] = t.agents[agent].id;
        t.agents[agent].begun++;
    }
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = shifted(34, 19, by), goal.formation = formation, goal.spacing = 1;
    cr_assert_eq(wend_crowd_go(t.crowd, ids, SQUAD, &goal), WEND_OK);
    const uint32_t frames = town_walk(&t, MOST_FRAMES);
    for (int32_t i = 0; i < SQUAD; i++) {
        const int32_t aside = i % 2 ? (i + 1) / 2 : -(i / 2); /* all head east */
        const wend_cell place = formation == WEND_AS_LINE ? shifted(34, 19 + aside, by) : shifted(34 - i, 19, by);
        uint32_t units = 0;
        wend_map_get_occupants(t.map, place, &units);
        *formed += units == 1;
    }
    town_close(&t);
    return frames;
}

Test(wrap_crowd, formations_are_drawn_up_over_the_rim_as_elsewhere) {
    static const wend_cell shifts[] = {{-34, 0, 0}, {-34, -19, 0}, {-40, -15, 0}, {30, 20, 0}, {-20, -14, 0}};
    for (int form = 0; form < 2; form++) {
        const int32_t formation = form ? WEND_AS_COLUMN : WEND_AS_LINE;
        uint32_t formed = 0;
        const uint32_t frames = draw_up_shifted(formation, (wend_cell){0, 0, 0}, &formed);
        cr_assert_eq(formed, SQUAD);
        for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
            formed = 0;
            const uint32_t over = draw_up_shifted(formation, shifts[k], &formed);
            cr_expect_eq(formed, SQUAD, "%u of them stand where they should, shift %zu", formed, k);
            cr_expect_leq(over, frames + frames / STRAY, "%u frames, not %u, shift %zu", over, frames, k);
        }
    }
}

/* In a ring of one cell's width no agents pass each other over the rim: both would have to step aside. */
Test(wrap_crowd, two_do_not_swap_over_the_rim) {
    static town t;
    wend_map_def def = default_map();
    def.width = 12, def.height = 1, def.wrap = WEND_WRAP_X;
    wend_map *map = made_map(&def);
    town_open_on(&t, map, NULL, 0);
    const uint32_t a = town_add(&t, 0, 0, 500), b = town_add(&t, 11, 0, 500);
    town_go(&t, a, 10, 0), town_go(&t, b, 1, 0);
    for (int i = 0; i < 60; i++) town_frame(&t); /* the town checks that no agents pass through each other */
    town_close(&t);
}

/* A point goes on for half a step beyond the rim, and comes in from the other side. */
Test(wrap_crowd, a_step_over_the_rim_is_drawn_at_the_rim) {
    static town t;
    wend_map_def def = default_map();
    def.width = 20, def.height = 5, def.wrap = WEND_WRAP_X;
    wend_map *map = made_map(&def);
    town_open_on(&t, map, NULL, 0);
    const uint32_t a = town_add(&t, 19, 2, 250);
    town_go(&t, a, 2, 2);
    int32_t most = 0, least = 0;
    for (int i = 0; i < 40 && !town_is_at(&t, a, 2, 2); i++) {
        town_frame(&t);
        const wend_agent_state state = town_state(&t, a);
        if (state.point.x > most) most = state.point.x;
        if (state.point.x < least) least = state.point.x;
        cr_assert(state.point.x <= 3000 || state.point.x >= 19000, "%d", (int)state.point.x);
        if (state.state == WEND_AGENT_WALKING) cr_assert_eq(state.facing.x, 1);
        wend_crowd_view view = {.struct_bytes = sizeof view};
        cr_assert_eq(wend_crowd_get_view(t.crowd, &view), WEND_OK);
        cr_assert(view.points[0].x == state.point.x && view.facings[0] == state.facing.x);
    }
    cr_assert(most > 19000 && most < 19500 && least < 0 && least >= -500, "%d to %d", (int)least, (int)most);
    town_close(&t);
}
