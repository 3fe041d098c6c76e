/* SPDX-License-Identifier: MIT */
/* Boxes that the host clears, and whether a box is clear of bodies. */
#include "crowd/crowd_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/boxes.h>
#include <wend/movers.h>
#include <wend/units.h>

static const char *const field[] = {"........", "........", "........", "........", "........", "........"};
static const char *const corridor[] = {"########", "........", "########"};
static const char *const dead_end[] = {"####....", "........", "####...."};

static wend_box box(int32_t x, int32_t y, int32_t to_x, int32_t to_y) {
    return (wend_box){{x, y, 0}, {to_x, to_y, 0}};
}

static bool is_clear(const town *t, wend_box of) {
    bool clear = true;
    cr_assert_eq(wend_crowd_is_clear(t->crowd, of, &clear), WEND_OK);
    return clear;
}

static void clear_box(town *t, wend_box of) {
    cr_assert_eq(wend_crowd_clear_box(t->crowd, of), WEND_OK);
}

static void release(town *t, wend_box of) {
    cr_assert_eq(wend_crowd_release_box(t->crowd, of), WEND_OK);
}

/* Runs frames until the event of the box. Returns how many; 0: there was none within 200. */
static int frames_until_clear(town *t) {
    const uint32_t before = t->clear_count;
    for (int frame = 1; frame <= 200; frame++) {
        town_frame(t);
        if (t->clear_count > before) return frame;
    }
    return 0;
}

Test(clear_box, s33_a_cell_that_is_being_left_is_not_clear) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t a = town_add(&t, 3, 1, 250);
    cr_assert(!is_clear(&t, box(3, 1, 3, 1)) && is_clear(&t, box(4, 1, 7, 1)));
    town_go(&t, a, 6, 1);
    while (town_is_at(&t, a, 3, 1)) town_frame(&t);
    uint32_t units = 7;
    wend_map_get_occupants(t.map, (wend_cell){3, 1, 0}, &units);
    cr_assert_eq(units, 0);
    cr_assert(!is_clear(&t, box(3, 1, 3, 1)), "a quarter of it is still inside");
    town_frames(&t, 3);
    cr_assert(is_clear(&t, box(3, 1, 3, 1)));
    cr_assert_eq(wend_map_occupy(t.map, (wend_cell){0, 1, 0}), WEND_OK);
    cr_assert(!is_clear(&t, box(0, 0, 1, 2)), "a unit of the host");
    town_walk(&t, 100);
}

Test(clear_box, s33_those_who_stand_in_it_leave_and_the_event_comes_when_it_is_empty) {
    OWNED(town_close) town t;
    town_open(&t, field, 6, NULL);
    const wend_box of = box(2, 1, 5, 4);
    uint32_t agents[16];
    for (uint32_t i = 0; i < 16; i++) agents[i] = town_add(&t, 2 + (int32_t)i % 4, 1 + (int32_t)i / 4, 250);
    clear_box(&t, of);
    const int frames = frames_until_clear(&t);
    cr_assert(frames > 4, "%d", frames);
    cr_assert(is_clear(&t, of));
    cr_assert_eq(t.event_count, 0);
    for (uint32_t i = 0; i < 16; i++) {
        const wend_cell at = town_cell(&t, agents[i]);
        cr_assert(at.x < 2 || at.x > 5 || at.y < 1 || at.y > 4);
    }
    town_frames(&t, 100);
    cr_assert_eq(t.clear_count, 1, "once");
    cr_assert_eq(town_counts(&t).busy, 0);
}

Test(clear_box, a_high_one_far_from_the_origin_is_left_at_all_its_ends) {
    OWNED(town_close) town t;
    wend_map *map = grid_map(600, 60);
    town_open_on(&t, map, NULL, 0);
    for (int32_t y = 1; y < 59; y += 19) town_add(&t, 591, y, 250);
    clear_box(&t, box(590, 1, 592, 58));
    const int frames = frames_until_clear(&t);
    cr_assert(frames > 0 && frames < 40, "%d", frames);
}

/* A large agent in space whose lowest layer is below the box: only its upper cells are inside. */
Test(clear_box, one_that_is_in_it_with_its_upper_cells_leaves) {
    OWNED(town_close) town t;
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = 12, def.depth = 4;
    wend_mover mover = default_mover();
    wend_agent_def agent = default_agent();
    const wend_box above = {{3, 3, 1}, {7, 7, 3}};
    wend_map *map = made_map(&def);
    mover.size = 2;
    cr_assert_eq(wend_map_add_mover(map, &mover, &agent.mover), WEND_OK);
    town_open_on(&t, map, NULL, 0);
    agent.cell = (wend_cell){4, 4, 0}, agent.speed_milli = 400;
    const uint32_t a = town_add_def(&t, &agent);
    cr_assert(!is_clear(&t, above));
    clear_box(&t, above);
    cr_assert_gt(frames_until_clear(&t), 0);
    const wend_cell at = town_cell(&t, a);
    cr_assert(is_clear(&t, above) && (at.x < 2 || at.x > 7 || at.y < 2 || at.y > 7), "%d,%d", at.x, at.y);
}

Test(clear_box, an_empty_box_is_told_in_the_next_update) {
    OWNED(town_close) town t;
    town_open(&t, field, 6, NULL);
    clear_box(&t, box(2, 2, 3, 3));
    clear_box(&t, box(0, 0, 7, 5));
    cr_assert_eq(frames_until_clear(&t), 1);
    cr_assert_eq(t.clear_count, 2);
}

Test(clear_box, s33_nobody_enters_until_it_is_released) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t a = town_add(&t, 0, 1, 1000);
    const wend_agent_def in_it = {.struct_bytes = sizeof in_it, .cell = {4, 1, 0}, .speed_milli = 250};
    clear_box(&t, box(3, 0, 4, 2));
    cr_assert_eq(wend_crowd_add(t.crowd, &in_it, NULL), WEND_BUSY);
    town_go(&t, a, 7, 1);
    town_frames(&t, 20);
    cr_assert(town_is_at(&t, a, 2, 1));
    release(&t, box(3, 0, 4, 2));
    town_walk(&t, 200);
    cr_assert(town_is_at(&t, a, 7, 1));
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
}

Test(clear_box, one_in_it_may_be_put_in_the_middle_of_its_own_cell_only) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t a = town_add(&t, 3, 1, 100);
    town_go(&t, a, 6, 1);
    while (town_is_at(&t, a, 3, 1)) town_frame(&t);
    clear_box(&t, box(0, 0, 7, 2));
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[a].id, (wend_cell){5, 1, 0}), WEND_BUSY);
    cr_assert_eq(wend_crowd_get_agent(t.crowd, t.agents[a].id, &state), WEND_OK);
    cr_assert(state.cell.x == 4 && state.point.x > 3000 && state.point.x < 4000, "it is in a step");
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[a].id, (wend_cell){4, 1, 0}), WEND_OK);
    cr_assert_eq(wend_crowd_get_agent(t.crowd, t.agents[a].id, &state), WEND_OK);
    cr_assert(state.cell.x == 4 && state.point.x == 4000);
    release(&t, box(0, 0, 7, 2));
    town_walk(&t, 100);
    cr_assert(town_is_at(&t, a, 6, 1));
}

Test(clear_box, s33_others_find_a_way_round_it) {
    OWNED(town_close) town t;
    town_open(&t, field, 6, NULL);
    const uint32_t a = town_add(&t, 0, 2, 1000);
    clear_box(&t, box(3, 0, 4, 4));
    town_go(&t, a, 7, 2);
    town_walk(&t, 200);
    cr_assert(town_is_at(&t, a, 7, 2));
}

/* A step that ends with an update leaves no time for the next one. */
Test(clear_box, one_that_leaves_goes_as_fast_as_it_may) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t a = town_add(&t, 1, 1, 1000);
    clear_box(&t, box(0, 0, 6, 2));
    for (int32_t x = 1; x < 7; x++) {
        cr_assert(town_is_at(&t, a, x, 1), "not at %d", (int)x);
        town_frame(&t);
    }
    cr_assert(town_is_at(&t, a, 7, 1) && is_clear(&t, box(0, 0, 6, 2)));
}

Test(clear_box, s33_who_leaves_goes_before_those_who_want_in) {
    OWNED(town_close) town t;
    town_open(&t, dead_end, 3, NULL);
    const uint32_t deep = town_add(&t, 0, 1, 500), more = town_add(&t, 1, 1, 500);
    uint32_t others[3];
    for (int32_t i = 0; i < 3; i++) others[i] = town_add(&t, 4, i, 500);
    for (int32_t i = 0; i < 3; i++) town_go(&t, others[i], i, 1);
    clear_box(&t, box(0, 0, 3, 2));
    cr_assert(frames_until_clear(&t) > 0);
    cr_assert(town_cell(&t, deep).x > 3 && town_cell(&t, more).x > 3);
    town_walk(&t, 2000);
}

Test(clear_box, followers_and_patrols_leave_too) {
    OWNED(town_close) town t;
    town_open(&t, field, 6, NULL);
    const uint32_t hare = town_add(&t, 3, 2, 500), dog = town_add(&t, 4, 2, 500), guard = town_add(&t, 2, 2, 500);
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = t.agents[hare].id;
    t.agents[dog].begun++, t.agents[guard].begun++;
    cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[dog].id, 1, &goal), WEND_OK);
    const wend_cell corners[] = {{2, 2, 0}, {2, 3, 0}};
    wend_route_def def = default_route();
    def.mode = WEND_ROUTE_LOOP, def.corners = corners, def.corner_count = 2;
    uint32_t route;
    cr_assert_eq(wend_crowd_add_route(t.crowd, &def, &route), WEND_OK);
    cr_assert_eq(wend_crowd_patrol(t.crowd, t.agents[guard].id, route), WEND_OK);
    town_frames(&t, 20);
    clear_box(&t, box(1, 1, 5, 4));
    cr_assert(frames_until_clear(&t) > 0);
    town_halt(&t, dog);
    town_halt(&t, guard);
    town_frame(&t);
}

Test(clear_box, s33_one_that_arrived_in_it_comes_back_after_the_release) {
    OWNED(town_close) town t;
    town_open(&t, field, 6, NULL);
    const uint32_t a = town_add(&t, 0, 0, 500), idle = town_add(&t, 4, 3, 500);
    town_go(&t, a, 3, 3);
    town_walk(&t, 200);
    clear_box(&t, box(2, 2, 4, 4));
    cr_assert(frames_until_clear(&t) > 0);
    const wend_cell left = town_cell(&t, idle);
    release(&t, box(2, 2, 4, 4));
    town_frames(&t, 300);
    cr_assert(town_is_at(&t, a, 3, 3));
    cr_assert(town_is_at(&t, idle, left.x, left.y));
}

Test(clear_box, s33_steered_ones_are_the_hosts_business) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){3, 1, 0}, def.steered = true;
    const uint32_t p = town_add_def(&t, &def);
    clear_box(&t, box(3, 1, 4, 1));
    cr_assert_eq(frames_until_clear(&t), 0);
    cr_assert_eq(wend_crowd_step(t.crowd, t.agents[p].id, (wend_cell){4, 1, 0}), WEND_OK);
    town_frames(&t, 4);
    cr_assert(town_is_at(&t, p, 4, 1), "within the box it may go on");
    cr_assert_eq(wend_crowd_step(t.crowd, t.agents[p].id, (wend_cell){5, 1, 0}), WEND_OK);
    cr_assert_eq(frames_until_clear(&t), 4);
    t.agents[p].begun++;
    cr_assert_eq(wend_crowd_step(t.crowd, t.agents[p].id, (wend_cell){4, 1, 0}), WEND_OK);
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 5, 1));
    cr_assert_eq(town_why(&t, p), WEND_WHY_BLOCKED);
}

Test(clear_box, units_are_as_before_after_the_release_and_the_end) {
    town t;
    town_open(&t, field, 6, NULL);
    uint32_t units = 7;
    const wend_cell cell = {3, 3, 0};
    clear_box(&t, box(2, 2, 3, 3));
    clear_box(&t, box(3, 3, 4, 4));
    wend_map_get_occupants(t.map, cell, &units);
    cr_assert_eq(units, 2);
    release(&t, box(2, 2, 3, 3));
    size_t count = 0;
    wend_box left[2];
    cr_assert_eq(wend_crowd_get_boxes(t.crowd, left, 2, &count), WEND_OK);
    cr_assert(count == 1 && left[0].min.x == 3 && left[0].max.y == 4);
    cr_assert_eq(wend_crowd_release_box(t.crowd, box(2, 2, 3, 3)), WEND_EMPTY);
    wend_map_retain(t.map);
    OWNED_MAP *map = t.map;
    town_close(&t);
    wend_map_get_occupants(map, cell, &units);
    cr_assert_eq(units, 0);
}

Test(clear_box, bad_boxes_are_refused) {
    OWNED(town_close) town t;
    wend_crowd_def def = default_crowd();
    def.agents = 1, tuning_of(&def)->events = 1;
    town_open(&t, field, 6, &def);
    cr_assert_eq(wend_crowd_clear_box(t.crowd, box(3, 3, 2, 3)), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_crowd_clear_box(t.crowd, box(3, 3, 8, 3)), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_crowd_is_clear(t.crowd, box(3, -1, 3, 3), NULL), WEND_OUT_OF_RANGE);
    clear_box(&t, box(1, 1, 1, 1));
    cr_assert_eq(wend_crowd_clear_box(t.crowd, box(1, 1, 1, 1)), WEND_IN_USE);
    cr_assert_eq(wend_crowd_clear_box(t.crowd, box(2, 2, 2, 2)), WEND_BUSY, "no room for its event");
    release(&t, box(1, 1, 1, 1));
    clear_box(&t, box(2, 2, 2, 2));
    town_frame(&t);
    cr_assert_eq(t.clear_count, 1);
}
