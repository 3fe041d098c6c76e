/* SPDX-License-Identifier: MIT */
/* Rules of the traffic, one by one: which agents may begin a step, and which make room. */
#include "agents/manners/traffic_state.h"
#include "models/both.h"
#include "map/version/version.h"
#include "models/defaults.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/units.h>
#include <wend/ways.h>

/* A world of a few agents whose next cells the test sets by hand. */
typedef struct rig {
    wend_map *map;
    wend__traffic *traffic;
    wend__traffic_agent *t;
    void *memory;
    wend_cell ahead[16][32];
} rig;

static wend__work work = {.left = UINT32_MAX};

static wend_cell at(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

static uint32_t ahead_of(void *context, uint32_t index, wend_cell *cells, uint32_t capacity) {
    rig *r = context;
    for (uint32_t k = 0; k < capacity; k++)
        cells[k] = k == 0 || !r->ahead[index][k].x ? r->t[index].next : r->ahead[index][k];
    return capacity;
}

static void traffic_begin(rig *r, wend_map *map) {
    *r = (rig){.map = map};
    r->memory = aligned_alloc(64, (wend__traffic_bytes(map, 16) + 63) & ~(size_t)63);
    r->traffic = wend__traffic_init(r->memory, map, 16), r->t = wend__traffic_agents(r->traffic);
}

static wend_map *open_grid(int32_t width, int32_t height) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_GRID, def.width = width, def.height = height;
    return made_map(&def);
}

static void rig_begin(rig *r, int32_t width, int32_t height) {
    traffic_begin(r, open_grid(width, height));
}

static void rig_end(rig *r) {
    free(r->memory);
    wend_map_release(r->map);
}

static wend_error enter(rig *r, uint32_t i, wend_cell cell, int32_t mover, bool ghost) {
    wend__version *version = wend__map_newest(r->map);
    wend_error error = wend__traffic_enter(r->traffic, version, i, cell, mover, ghost);
    wend__map_release(version, false);
    return error;
}

static void stand(rig *r, uint32_t i, wend_cell cell) {
    cr_assert_eq(enter(r, i, cell, WEND_MOVER_DEFAULT, false), WEND_OK);
}

static void want(rig *r, uint32_t i, wend_cell cell) {
    r->t[i].next = cell, r->t[i].has_goal = 1;
}

static void decide(rig *r) {
    wend__version *version = wend__map_newest(r->map);
    const uint32_t asking[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    wend__traffic_decide(r->traffic, version, asking, 16, &work, ahead_of, NULL, r);
    wend__map_release(version, false);
}

/* The step ends: the agent is at rest again. */
static void arrive(rig *r, uint32_t i) {
    r->t[i].from = r->t[i].next = r->t[i].at, r->t[i].ready = 1;
}

static bool is_at(const rig *r, uint32_t i, int32_t x, int32_t y) {
    return r->t[i].at.x == x && r->t[i].at.y == y;
}

static uint32_t units_at(const rig *r, wend_cell cell) {
    uint32_t units = 0;
    cr_assert_eq(wend_map_get_occupants(r->map, cell, &units), WEND_OK);
    return units;
}

Test(traffic, a_step_moves_the_holding_at_once) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 8);
    stand(&r, 0, at(1, 1));
    cr_assert_eq(wend__traffic_holder(r.traffic, at(1, 1)), 0);
    want(&r, 0, at(2, 1));
    decide(&r);
    cr_assert(r.t[0].moved && !r.t[0].pushed && is_at(&r, 0, 2, 1) && r.t[0].from.x == 1);
    cr_assert_eq(wend__traffic_holder(r.traffic, at(1, 1)), WEND__NO_AGENT);
    cr_assert_eq(wend__traffic_holder(r.traffic, at(2, 1)), 0);
    cr_assert(units_at(&r, at(1, 1)) == 0 && units_at(&r, at(2, 1)) == 1);
    wend__traffic_leave(r.traffic, 0);
    cr_assert(units_at(&r, at(2, 1)) == 0 && !r.t[0].present);
}

Test(traffic, places_that_are_held_or_closed_are_refused) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 8);
    cr_assert_eq(wend_map_set_cell(r.map, at(5, 5), WEND_CLASS_BLOCKED, NULL), WEND_OK);
    cr_assert_eq(wend_map_occupy(r.map, at(6, 6)), WEND_OK);
    stand(&r, 0, at(1, 1));
    cr_assert_eq(enter(&r, 1, at(1, 1), 0, false), WEND_BUSY);
    cr_assert_eq(enter(&r, 1, at(6, 6), 0, false), WEND_BUSY);
    cr_assert_eq(enter(&r, 1, at(5, 5), 0, false), WEND_BLOCKED);
    cr_assert_eq(enter(&r, 1, at(2, 1), 1, false), WEND_BAD_ARGUMENT);
    cr_assert_eq(enter(&r, 1, at(8, 1), 0, false), WEND_OUT_OF_RANGE);
    cr_assert(!r.t[1].present);
    cr_assert_eq(enter(&r, 1, at(1, 1), 0, true), WEND_OK); /* a ghost */
    cr_assert_eq(units_at(&r, at(1, 1)), 1u);
}

Test(traffic, one_follows_into_the_place_that_another_leaves) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 8);
    for (uint32_t i = 0; i < 3; i++) stand(&r, i, at(1 + (int32_t)i, 1));
    for (uint32_t i = 0; i < 3; i++) want(&r, i, at(2 + (int32_t)i, 1));
    decide(&r);
    for (uint32_t i = 0; i < 3; i++) cr_assert(r.t[i].moved && is_at(&r, i, 2 + (int32_t)i, 1));
}

/* Each has a standing agent in its way. */
Test(traffic, without_work_only_the_first_in_order_pushes) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 8);
    for (uint32_t i = 0; i < 4; i++) stand(&r, i, at(1 + (int32_t)(i / 2), 1 + 3 * (int32_t)(i % 2)));
    for (uint32_t i = 0; i < 2; i++) want(&r, i, at(2, 1 + 3 * (int32_t)i));
    work = (wend__work){0};
    decide(&r);
    cr_assert(r.t[0].moved && r.t[2].pushed && !r.t[1].moved && !r.t[3].moved);
    cr_assert_eq(work.waited, 1);
    work.left = 1;
    decide(&r);
    cr_assert(r.t[1].moved && r.t[3].pushed);
}

Test(traffic, four_in_a_ring_turn_round) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 8);
    const wend_cell ring[4] = {{3, 3, 0}, {4, 3, 0}, {4, 4, 0}, {3, 4, 0}};
    for (uint32_t i = 0; i < 4; i++) stand(&r, i, ring[i]);
    for (uint32_t i = 0; i < 4; i++) want(&r, i, ring[(i + 1) % 4]);
    decide(&r);
    for (uint32_t i = 0; i < 4; i++) cr_assert(is_at(&r, i, ring[(i + 1) % 4].x, ring[(i + 1) % 4].y));
}

Test(traffic, two_never_swap) {
    rig r;
    rig_begin(&r, 8, 1); /* a corridor: the first pushes the second back */
    stand(&r, 0, at(2, 0));
    stand(&r, 1, at(3, 0));
    want(&r, 0, at(3, 0));
    want(&r, 1, at(2, 0));
    decide(&r);
    cr_assert(is_at(&r, 0, 3, 0) && is_at(&r, 1, 4, 0) && r.t[1].pushed && !r.t[0].pushed);
    rig_end(&r);
    rig_begin(&r, 8, 8);
    stand(&r, 0, at(2, 2));
    stand(&r, 1, at(3, 2));
    want(&r, 0, at(3, 2));
    want(&r, 1, at(2, 2));
    decide(&r);
    cr_assert(is_at(&r, 0, 3, 2) && !is_at(&r, 1, 2, 2));
    rig_end(&r);
}

Test(traffic, diagonals_do_not_cross_even_under_way) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 8);
    stand(&r, 0, at(2, 2));
    stand(&r, 1, at(3, 2));
    want(&r, 0, at(3, 3));
    want(&r, 1, at(2, 3));
    decide(&r);
    cr_assert(is_at(&r, 0, 3, 3) && is_at(&r, 1, 3, 2));
    decide(&r); /* the first one's step is still under way */
    cr_assert(is_at(&r, 1, 3, 2) && r.t[1].waited == 2);
    arrive(&r, 0);
    decide(&r);
    cr_assert(is_at(&r, 1, 2, 3) && r.t[1].waited == 0);
}

Test(traffic, urgency_goes_before_waiting_before_index) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 8);
    for (uint32_t i = 0; i < 3; i++) stand(&r, i, at(2 + (int32_t)i, 2));
    r.t[2].urgency = 5;
    for (uint32_t i = 0; i < 3; i++) want(&r, i, at(3, 3));
    decide(&r);
    cr_assert(is_at(&r, 2, 3, 3) && !r.t[0].moved && !r.t[1].moved);
    wend__traffic_leave(r.traffic, 2);
    stand(&r, 3, at(4, 4));
    want(&r, 3, at(3, 3)); /* the goal is younger */
    want(&r, 1, at(3, 3));
    r.t[0].has_goal = 0, r.t[0].next = r.t[0].at; /* loses its rank, and begins as the last */
    decide(&r);
    cr_assert(is_at(&r, 1, 3, 3));
}

/* The rank of an agent that stands, waiting for its path, is as old as its goal; without a goal it begins again. */
Test(traffic, one_that_stands_keeps_its_rank_as_long_as_its_goal) {
    for (int k = 0; k < 4; k++) {
        const bool goal = k & 1, late = k & 2; /* after more decisions than a sort key has bits for */
        OWNED(rig_end) rig r;
        rig_begin(&r, 8, 8);
        if (late) r.traffic->decision = UINT32_C(1) << 28;
        stand(&r, 0, at(2, 2));
        stand(&r, 1, at(5, 2));
        want(&r, 1, at(4, 2));
        decide(&r);
        arrive(&r, 1);
        r.t[1].has_goal = goal;
        decide(&r);
        cr_assert(is_at(&r, 1, 4, 2) && !r.t[1].moved);
        want(&r, 0, at(3, 3));
        want(&r, 1, at(3, 3));
        decide(&r);
        cr_assert(is_at(&r, goal ? 1 : 0, 3, 3), "%d", k);
    }
}

Test(traffic, an_idle_one_steps_off_the_way) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 8);
    stand(&r, 0, at(1, 3));
    stand(&r, 1, at(2, 3));
    want(&r, 0, at(2, 3));
    for (int32_t k = 1; k < 16; k++) r.ahead[0][k] = at(wend__least(2 + k, 7), 3);
    decide(&r);
    cr_assert(is_at(&r, 0, 2, 3) && r.t[1].pushed && r.t[1].at.y != 3);
}

Test(traffic, a_chain_of_idle_ones_makes_room) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 6, 1);
    for (uint32_t i = 0; i < 4; i++) stand(&r, i, at((int32_t)i, 0));
    want(&r, 0, at(1, 0));
    decide(&r);
    for (uint32_t i = 0; i < 4; i++) cr_assert(is_at(&r, i, (int32_t)i + 1, 0) && r.t[i].pushed == (i > 0));
}

Test(traffic, units_of_the_host_are_not_pushed) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 1);
    stand(&r, 0, at(2, 0));
    cr_assert_eq(wend_map_occupy(r.map, at(3, 0)), WEND_OK);
    want(&r, 0, at(3, 0));
    decide(&r);
    cr_assert(is_at(&r, 0, 2, 0) && r.t[0].waited == 1);
    cr_assert(wend__traffic_is_held(r.traffic, at(3, 0), 1, 0) && !wend__traffic_is_held(r.traffic, at(2, 0), 1, 0));
    cr_assert_eq(wend_map_vacate(r.map, at(3, 0)), WEND_OK);
    decide(&r);
    cr_assert(is_at(&r, 0, 3, 0));
}

Test(traffic, one_under_way_is_not_pushed) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 1);
    stand(&r, 0, at(1, 0));
    stand(&r, 1, at(3, 0));
    want(&r, 1, at(2, 0));
    decide(&r);
    want(&r, 0, at(2, 0));
    decide(&r);
    cr_assert(is_at(&r, 0, 1, 0) && is_at(&r, 1, 2, 0));
    arrive(&r, 1);
    decide(&r);
    cr_assert(is_at(&r, 0, 2, 0) && is_at(&r, 1, 3, 0) && r.t[1].pushed);
}

Test(traffic, ghosts_are_outside_of_it) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 8, 1);
    stand(&r, 0, at(2, 0));
    cr_assert_eq(enter(&r, 1, at(3, 0), 0, true), WEND_OK);
    want(&r, 0, at(3, 0));
    want(&r, 1, at(2, 0));
    decide(&r);
    cr_assert(is_at(&r, 0, 3, 0) && is_at(&r, 1, 2, 0) && !r.t[1].pushed);
    cr_assert(units_at(&r, at(2, 0)) == 0);
    wend__traffic_leave(r.traffic, 1);
}

/* ---- large ones ---- */

static int32_t mover_of(rig *r, int32_t size) {
    return add_mover_of_size(r->map, size);
}

Test(traffic, a_large_one_holds_its_cells_and_pushes_several) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 12, 12);
    int32_t mover = mover_of(&r, 3);
    cr_assert_eq(enter(&r, 0, at(1, 4), mover, false), WEND_OK);
    cr_assert_eq(wend__traffic_holder(r.traffic, at(3, 6)), 0);
    cr_assert_eq(wend__traffic_holder(r.traffic, at(4, 6)), WEND__NO_AGENT);
    for (uint32_t i = 1; i <= 3; i++) stand(&r, i, at(4, 3 + (int32_t)i));
    want(&r, 0, at(2, 4));
    decide(&r);
    cr_assert(is_at(&r, 0, 2, 4));
    for (uint32_t i = 1; i <= 3; i++)
        cr_assert(r.t[i].pushed && (r.t[i].at.x > 4 || r.t[i].at.y < 4 || r.t[i].at.y > 6));
    cr_assert(units_at(&r, at(1, 4)) == 0 && units_at(&r, at(4, 5)) == 1);
    wend__traffic_leave(r.traffic, 0);
    cr_assert_eq(units_at(&r, at(4, 5)), 0u);
}

Test(traffic, a_large_one_steps_aside_itself) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 12, 12);
    int32_t mover = mover_of(&r, 2);
    stand(&r, 0, at(1, 5));
    cr_assert_eq(enter(&r, 1, at(2, 5), mover, false), WEND_OK);
    want(&r, 0, at(2, 5));
    decide(&r);
    cr_assert(is_at(&r, 0, 2, 5) && r.t[1].pushed);
    cr_assert(r.t[1].at.x > 2 || r.t[1].at.y != 5);
}

Test(traffic, large_ones_do_not_brush_past_each_other) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 12, 12);
    int32_t mover = mover_of(&r, 2);
    cr_assert_eq(enter(&r, 0, at(4, 4), mover, false), WEND_OK);
    cr_assert_eq(enter(&r, 1, at(6, 4), mover, false), WEND_OK);
    want(&r, 0, at(5, 5));
    want(&r, 1, at(5, 3));
    decide(&r);
    cr_assert(r.t[0].moved && !(is_at(&r, 0, 5, 5) && is_at(&r, 1, 5, 3)));
}

/* ---- other kinds of maps ---- */

Test(traffic, in_space_the_four_diagonals_of_a_cube_cross) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = def.depth = 4;
    wend_map *map = made_map(&def);
    OWNED(rig_end) rig r;
    traffic_begin(&r, map);
    const wend_cell from[4] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 1}};
    const wend_cell to[4] = {{2, 2, 2}, {1, 2, 2}, {2, 1, 2}, {1, 1, 2}};
    for (uint32_t i = 0; i < 4; i++) stand(&r, i, from[i]);
    for (uint32_t i = 0; i < 4; i++) want(&r, i, to[i]);
    decide(&r);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < 4; i++) moved += r.t[i].moved;
    cr_assert(moved == 1 && r.t[0].moved);
}

Test(traffic, on_a_graph_one_is_pushed_along_an_edge) {
    const wend_edge edges[] = {{0, 1, 5}, {1, 0, 5}, {1, 2, 5}, {2, 1, 5}, {1, 3, 5}, {3, 1, 5}};
    wend_graph_def def = default_graph();
    def.node_count = 4, def.edges = edges, def.edge_count = 6;
    wend_map *map = made_graph(&def);
    OWNED(rig_end) rig r;
    traffic_begin(&r, map);
    stand(&r, 0, at(0, 0));
    stand(&r, 1, at(1, 0));
    want(&r, 0, at(1, 0));
    r.ahead[0][1] = at(2, 0);
    for (int k = 2; k < 16; k++) r.ahead[0][k] = at(2, 0);
    decide(&r);
    cr_assert(is_at(&r, 0, 1, 0) && is_at(&r, 1, 3, 0));
}

Test(traffic, two_that_face_each_other_through_a_link_swap) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 16, 4);
    IN_BATCH(r.map, cr_assert_eq(add_link_both(edit, at(1, 1), at(14, 1), 10), WEND_OK));
    stand(&r, 0, at(1, 1));
    stand(&r, 1, at(14, 1));
    want(&r, 0, at(14, 1));
    want(&r, 1, at(1, 1));
    decide(&r);
    cr_assert(is_at(&r, 0, 14, 1) && is_at(&r, 1, 1, 1) && !r.t[1].pushed);
}

Test(traffic, one_at_the_end_of_a_link_makes_room) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 16, 4);
    IN_BATCH(r.map, cr_assert_eq(add_link_both(edit, at(1, 1), at(14, 1), 10), WEND_OK));
    stand(&r, 0, at(1, 1));
    stand(&r, 1, at(14, 1));
    want(&r, 0, at(14, 1));
    decide(&r);
    cr_assert(is_at(&r, 0, 14, 1) && r.t[1].pushed && !is_at(&r, 1, 1, 1));
}

/* ---- dead ends ---- */

Test(traffic, one_that_closes_in_another_lends_it_its_rank) {
    OWNED(rig_end) rig r;
    rig_begin(&r, 6, 1);
    stand(&r, 0, at(4, 0));
    stand(&r, 1, at(5, 0));
    want(&r, 0, at(5, 0)); /* first in order, but the other has nowhere to go */
    want(&r, 1, at(4, 0));
    r.ahead[1][1] = at(3, 0);
    decide(&r);
    cr_assert(is_at(&r, 1, 4, 0) && is_at(&r, 0, 3, 0) && r.t[0].pushed && !r.t[1].pushed);
    arrive(&r, 0), arrive(&r, 1);
    want(&r, 0, at(4, 0)); /* comes back at once, but is behind the other now */
    want(&r, 1, at(3, 0));
    decide(&r);
    cr_assert(is_at(&r, 1, 3, 0) && is_at(&r, 0, 2, 0));
}
