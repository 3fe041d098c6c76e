/* SPDX-License-Identifier: MIT */
/* Bodies do the same on a map so large that bins share places by hash as on a small one, where each has its own. */
#include "agents/discs/state.h"
#include "body/with_bodies.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/edit.h>
#include <wend/movers.h>
#include <wend/wend.h>

enum { SIDE = 24, LARGE = 2052, BODIES = 40, FRAMES = 900 };

typedef struct ground {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[BODIES];
} ground;

/* Makes the same walls in the corner of a map of any size, and a wall round them. */
static wend_map *walled_map(int32_t side, uint64_t seed) {
    wend_map *map = grid_map(side, side);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y <= SIDE && y < side; y++)
        for (int32_t x = 0; x <= SIDE && x < side; x++) {
            const bool wall = x == SIDE || y == SIDE || draw(&seed, 100) < 18;
            if (wall) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, WEND_CLASS_BLOCKED);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

/* Agents of one cell and of four, with bodies and without, with goals anywhere. */
static void add_agents(ground *g, uint64_t seed) {
    wend_mover mover = default_mover();
    int32_t large;
    mover.size = 2;
    cr_assert_eq(wend_map_add_mover(g->map, &mover, &large), WEND_OK);
    for (uint32_t i = 0; i < BODIES;) {
        wend_agent_def def = default_agent();
        wend_body_def body = default_body();
        def.mover = i % 8 == 3 ? large : 0;
        def.cell = (wend_cell){(int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE), 0};
        body.radius_milli = 200 + draw(&seed, 200);
        if (wend_crowd_add(g->crowd, &def, &g->ids[i])) continue;
        const bool has_body = i % 8 != 5;
        if (has_body && wend_crowd_set_body(g->crowd, g->ids[i], &body)) {
            cr_assert_eq(wend_crowd_remove(g->crowd, g->ids[i]), WEND_OK);
            continue;
        }
        i++;
    }
}

static void open_ground(ground *g, int32_t side, uint64_t seed) {
    g->map = walled_map(side, seed);
    wend_crowd_def def = default_crowd();
    def.agents = 2 * BODIES, def.map = g->map;
    open_with_bodies(def, &g->service, &g->crowd);
    add_agents(g, seed + 1);
}

static void close_ground(ground *g) {
    end_with_bodies(g->map, g->service, g->crowd);
}

static void update_ground(ground *g) {
    cr_assert_eq(wend_service_tick(g->service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(g->crowd, 1000, NULL, NULL), WEND_OK);
}

static void send_some(ground *g, uint64_t *random) {
    for (int k = 0; k < 4; k++) {
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = (wend_cell){(int32_t)draw(random, SIDE), (int32_t)draw(random, SIDE), 0};
        wend_crowd_go(g->crowd, &g->ids[draw(random, BODIES)], 1, &goal); /* the goal may be in a wall */
    }
}

static void expect_same_places(const ground *a, const ground *b, uint64_t seed, int frame) {
    for (uint32_t i = 0; i < BODIES; i++) {
        wend_agent_state one = {.struct_bytes = sizeof one}, other = {.struct_bytes = sizeof other};
        wend_body_state p = {.struct_bytes = sizeof p}, q = {.struct_bytes = sizeof q};
        cr_assert_eq(wend_crowd_get_agent(a->crowd, a->ids[i], &one), WEND_OK);
        cr_assert_eq(wend_crowd_get_agent(b->crowd, b->ids[i], &other), WEND_OK);
        cr_assert(one.state == other.state && one.cell.x == other.cell.x && one.cell.y == other.cell.y,
                  "seed %zu, frame %d: agent %u", (size_t)seed, frame, i);
        if (wend_crowd_get_body(a->crowd, a->ids[i], &p)) continue;
        cr_assert_eq(wend_crowd_get_body(b->crowd, b->ids[i], &q), WEND_OK);
        cr_assert(p.exact_at.x == q.exact_at.x && p.exact_at.y == q.exact_at.y, "seed %zu, frame %d: body %u",
                  (size_t)seed, frame, i);
    }
}

Test(body_bins, bodies_do_the_same_where_bins_share_places) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        static ground small, large;
        uint64_t random = seed, again = seed;
        open_ground(&small, SIDE + 1, seed), open_ground(&large, LARGE, seed);
        for (int frame = 0; frame < FRAMES; frame++) {
            if (frame % 25 == 0) send_some(&small, &random), send_some(&large, &again);
            update_ground(&small), update_ground(&large);
            expect_same_places(&small, &large, seed, frame);
        }
        close_ground(&small), close_ground(&large);
    }
}

static uint32_t bins_of(int32_t width, int32_t height, uint32_t capacity) {
    wend_map *map = grid_map(width, height);
    const uint32_t bins = wend__body_bins(map, capacity);
    wend_map_release(map);
    return bins;
}

/* Bins of 2 x 2 cells, as many as cover the map; on a map of more than a million at least two for each body, a power
 * of two. */
Test(body_bins, there_are_as_many_as_the_map_needs) {
    cr_assert_eq(bins_of(1, 1, 10), 1);
    cr_assert_eq(bins_of(2, 3, 10), 2);
    cr_assert_eq(bins_of(3, 4, 10), 4);
    cr_assert_eq(bins_of(64, 41, 1000), 32 * 21);
    cr_assert_eq(bins_of(2048, 2048, 10), 1 << 20);
    cr_assert_eq(bins_of(2048, 2049, 10), 64);
    cr_assert_eq(bins_of(2049, 2048, 32), 64);
    cr_assert_eq(bins_of(2049, 2048, 33), 128);
    cr_assert_eq(bins_of(2049, 2048, 100000), 1 << 18);
}
