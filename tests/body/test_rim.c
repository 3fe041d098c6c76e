/* SPDX-License-Identifier: MIT */
/* Bodies on maps that wrap do as well as on a plane of copies, and never touch over the rim. */
#include "body/discs.h"
#include "body/with_bodies.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/edit.h>
#include <wend/query.h>

enum { SIDE = 24, COPIES = 3, EACH = 100, MOST_FRAMES = 2500, ONE = WEND_BODY_UNITS };

/// A map with bodies: a torus, or a plane of its copies.
typedef struct land {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[EACH];
    wend_body_vector before[EACH];
    int32_t side;
    bool wraps;
    uint32_t crossings;
    discs seen;
} land;

static bool is_wall(void *context, int32_t x, int32_t y) {
    const land *l = context;
    uint8_t class = 0;
    if (l->wraps) x = (x + l->side) % l->side, y = (y + l->side) % l->side;
    if (x < 0 || y < 0 || x >= l->side || y >= l->side) return true;
    wend_map_get_terrain(l->map, (wend_cell){x, y, 0}, &class);
    return class == 0;
}

static land *open_land(int32_t copies, uint64_t seed, uint32_t walls) {
    land *l = calloc(1, sizeof *l);
    wend_map_def grid = default_map();
    l->side = SIDE * copies, l->wraps = copies == 1;
    grid.width = grid.height = l->side, grid.wrap = l->wraps ? WEND_WRAP_X | WEND_WRAP_Y : 0;
    cr_assert_eq(wend_map_create(&grid, &l->map), WEND_OK);
    if (l->wraps) l->seen.around_x = l->seen.around_y = l->side;
    wend_edit *edit = begin_edit(l->map);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        const bool wall = draw(&seed, 100) < walls;
        for (int32_t k = 0; wall && k < copies * copies; k++)
            wend_edit_set_cell(edit, (wend_cell){i % SIDE + k % copies * SIDE, i / SIDE + k / copies * SIDE, 0}, 0);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend_crowd_def def = default_crowd();
    def.agents = EACH, def.map = l->map;
    open_with_bodies(def, &l->service, &l->crowd);
    return l;
}

static void close_land(land *l) {
    end_with_bodies(l->map, l->service, l->crowd);
    free(l);
}

static void add_body(land *l, uint32_t n, wend_cell cell, uint32_t radius_milli) {
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    body.radius_milli = radius_milli;
    def.cell = cell, def.speed_milli = 250;
    cr_assert_eq(wend_crowd_add(l->crowd, &def, &l->ids[n]), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(l->crowd, l->ids[n], &body), WEND_OK);
    l->before[n] = (wend_body_vector){cell.x * ONE, cell.y * ONE};
}

static void send_body(land *l, uint32_t n, wend_cell cell) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = cell;
    cr_assert_eq(wend_crowd_go(l->crowd, &l->ids[n], 1, &goal), WEND_OK);
}

/* Moves all for a frame. Returns how many agents are still on their way. */
static uint32_t walk(land *l, uint32_t count) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    wend_service_tick(l->service, NULL, &frame);
    cr_assert_eq(wend_crowd_update(l->crowd, 1000, NULL, NULL), WEND_OK);
    cr_assert(discs_check(&l->seen, l->crowd, 1000, is_wall, l), "%s", l->seen.text);
    for (uint32_t i = 0; i < count; i++) {
        wend_body_state body = {.struct_bytes = sizeof body};
        cr_assert_eq(wend_crowd_get_body(l->crowd, l->ids[i], &body), WEND_OK);
        l->crossings += abs(body.exact_at.x - l->before[i].x) > ONE || abs(body.exact_at.y - l->before[i].y) > ONE;
        l->before[i] = body.exact_at;
    }
    wend_crowd_get_stats(l->crowd, &stats);
    return stats.busy;
}

static int32_t nearest_image(int32_t from, int32_t to) {
    const int32_t d = to - from;
    return 2 * d > SIDE ? to - SIDE : 2 * d < -SIDE ? to + SIDE : to;
}

/* The same starts and goals on the torus and, round the middle copy, on the plane. Returns the frames it takes. */
static uint32_t walk_all(land *l, wend_map *torus, uint64_t seed, uint32_t *arrived) {
    static bool starts[SIDE * SIDE], ends[SIDE * SIDE];
    wend_cell goals[EACH];
    const int32_t shift = l->wraps ? 0 : SIDE;
    memset(starts, 0, sizeof starts), memset(ends, 0, sizeof ends);
    for (uint32_t n = 0; n < EACH;) {
        const int32_t from = (int32_t)draw(&seed, SIDE * SIDE), to = (int32_t)draw(&seed, SIDE * SIDE);
        const wend_cell a = {from % SIDE, from / SIDE, 0}, b = {to % SIDE, to / SIDE, 0};
        bool reachable = false;
        wend_map_reachable(torus, 0, a, b, &reachable);
        if (starts[from] || ends[to] || !reachable) continue;
        starts[from] = ends[to] = true;
        add_body(l, n, (wend_cell){a.x + shift, a.y + shift, 0}, 300);
        goals[n++] = l->wraps ? b : (wend_cell){shift + nearest_image(a.x, b.x), shift + nearest_image(a.y, b.y), 0};
    }
    for (uint32_t n = 0; n < EACH; n++) send_body(l, n, goals[n]);
    uint32_t frames = 1;
    while (walk(l, EACH) > 0 && frames < MOST_FRAMES) frames++;
    for (uint32_t n = 0; n < EACH; n++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(l->crowd, l->ids[n], &state);
        *arrived += same_cell(state.cell, goals[n]);
    }
    return frames;
}

Test(body_rim, bodies_do_as_well_on_a_torus_as_on_a_plane_of_copies) {
    uint32_t frames[2] = {0, 0}, arrived[2] = {0, 0}, crossings = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const uint32_t walls = seed % 2 ? 0 : 10;
        land *torus = open_land(1, seed, walls), *plane = open_land(COPIES, seed, walls);
        frames[0] += walk_all(torus, torus->map, seed + 9, &arrived[0]);
        frames[1] += walk_all(plane, torus->map, seed + 9, &arrived[1]);
        crossings += torus->crossings;
        close_land(torus), close_land(plane);
    }
    cr_assert(arrived[0] + 4 >= arrived[1], "%u on the torus, %u on the plane of %u", arrived[0], arrived[1], 4 * EACH);
    cr_assert(frames[0] < 2 * frames[1], "%u frames on the torus, %u on the plane", frames[0], frames[1]);
    cr_assert_gt(crossings, 100);
}

/* Over the rim it is four cells, round the map twenty. */
Test(body_rim, it_takes_the_shorter_way_and_rests_in_the_middle) {
    land *l = open_land(1, 1, 0);
    wend_body_state body = {.struct_bytes = sizeof body};
    uint32_t frames = 1;
    add_body(l, 0, (wend_cell){2, 7, 0}, 300);
    send_body(l, 0, (wend_cell){SIDE - 2, 7, 0});
    while (walk(l, 1) > 0) frames++;
    cr_assert_leq(frames, 40);
    cr_assert_eq(l->crossings, 1);
    cr_assert_eq(wend_crowd_get_body(l->crowd, l->ids[0], &body), WEND_OK);
    cr_assert(abs(body.exact_at.x - (SIDE - 2) * ONE) < ONE / 32 && abs(body.exact_at.y - 7 * ONE) < ONE / 32);
    close_land(l);
}

/* Another body is in the way, on the other side of the rim. The first one goes round it, and the other one stays. */
Test(body_rim, it_goes_round_one_behind_the_rim) {
    land *l = open_land(1, 1, 0);
    wend_agent_state state = {.struct_bytes = sizeof state};
    add_body(l, 0, (wend_cell){1, 7, 0}, 400);
    add_body(l, 1, (wend_cell){SIDE - 1, 7, 0}, 400);
    wend_body_vector close = {-ONE * 2 / 5, 7 * ONE};
    cr_assert_eq(place_rounded(l->crowd, l->ids[0], close, (wend_body_vector){0, 0}), WEND_BUSY, "over the rim");
    send_body(l, 0, (wend_cell){SIDE - 4, 7, 0});
    while (walk(l, 2) > 0) continue;
    cr_assert_eq(wend_crowd_get_agent(l->crowd, l->ids[0], &state), WEND_OK);
    cr_assert_eq(state.cell.x, SIDE - 4);
    cr_assert_eq(l->crossings, 1);
    close_land(l);
}
