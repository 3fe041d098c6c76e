/* SPDX-License-Identifier: MIT */
/* Agents go to far goals leg by leg, and get there: among edits that make the far layer stale, to goals that cannot be
 * reached, after an agent that walks away, and in the same way with any number of workers. Agents with exact searches
 * set out along a route's first leg. */
#include "crowd/crowd_support.h"
#include "models/few_or_many.h"
#include "models/random.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/query.h>
#include <wend/units.h>

enum { WIDTH = 700, HEIGHT = 330, BEYOND = 150, AGENTS = 40, MOST_FRAMES = 6000, LONGEST = 400 };

static wend_cell any(uint64_t *seed) {
    return (wend_cell){(int32_t)draw(seed, WIDTH), (int32_t)draw(seed, HEIGHT), 0};
}

/* Walls with gaps, rocks and slow ground. */
static wend_map *far_land(bool far) {
    wend_acceleration fast = default_acceleration();
    uint64_t seed = 9;
    wend_map *map = grid_map(WIDTH, HEIGHT);
    wend_edit *edit = begin_edit(map);
    for (int32_t x = 60; x < WIDTH; x += 90)
        wend_edit_fill_box(edit, (wend_box){{x, x / 90 % 2 ? 9 : 0, 0}, {x, HEIGHT - (x / 90 % 2 ? 1 : 10), 0}}, 0);
    for (int i = 0; i < 15000; i++) wend_edit_set_cell(edit, any(&seed), WEND_CLASS_BLOCKED);
    for (int i = 0; i < 2000; i++) wend_edit_set_cell(edit, any(&seed), 3);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {12, 12, 0}}, WEND_CLASS_OPEN);
    wend_edit_fill_box(edit, (wend_box){{680, 300, 0}, {699, 329, 0}}, WEND_CLASS_OPEN);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    fast.far = far;
    cr_assert_eq(wend_map_accelerate(map, &fast), WEND_OK);
    return map;
}

static void open_land(town *t, bool far, uint32_t beyond, uint32_t head_start, uint32_t workers) {
    wend_crowd_def def = default_crowd();
    def.agents = AGENTS, tuning_of(&def)->far_beyond = beyond, tuning_of(&def)->fields = 0,
    tuning_of(&def)->head_start = head_start;
    def.path_bytes = beyond > 0 ? 0 : 1 << 20;
    town_open_on(t, far_land(far), &def, workers);
}

static uint32_t add_anywhere(town *t, uint64_t *seed) {
    for (;;) {
        const wend_cell c = any(seed);
        size_t open;
        uint32_t units;
        wend_map_get_occupants(t->map, c, &units);
        cr_assert_eq(wend_map_path_cost(t->map, WEND_MOVER_DEFAULT, &c, 1, &open, NULL), WEND_OK);
        if (open > 0 && units == 0) return town_add(t, c.x, c.y, 200 + draw(seed, 801));
    }
}

static uint64_t least_cost(wend_map *map, wend_cell from, wend_cell to) {
    wend_search_def def = default_search();
    def.nodes = UINT64_C(1) << 20;
    wend_completion done = {.struct_bytes = sizeof done};
    wend_request request = default_request();
    request.map = map, request.start = from, request.goal = to;
    OWNED_SEARCH *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    while (!wend_search_step(search, WEND_NO_LIMIT, NULL)) {
    }
    cr_assert_eq(wend_search_get_result(search, &done), WEND_OK);
    cr_assert_eq(done.status, WEND_STATUS_FOUND);
    return (uint64_t)done.cost;
}

Test(far_goals, s30_are_walked_to_leg_by_leg_without_standing) {
    OWNED(town_close) town t;
    open_land(&t, true, BEYOND, 0, 0);
    const uint32_t a = town_add(&t, 3, 3, 1000);
    const uint64_t best = least_cost(t.map, town_cell(&t, a), (wend_cell){690, 320, 0});
    wend_cell at = town_cell(&t, a);
    uint64_t walked = 0;
    town_go(&t, a, 690, 320);
    while (town_last(&t, a) == 0 && t.frame < MOST_FRAMES) {
        uint64_t step = 0;
        town_frame(&t);
        const wend_cell both[2] = {at, town_cell(&t, a)};
        const bool moved = both[1].x != at.x || both[1].y != at.y;
        if (moved) cr_assert_eq(wend_map_path_cost(t.map, WEND_MOVER_DEFAULT, both, 2, NULL, &step), WEND_OK);
        if (town_state(&t, a).has_goal) cr_assert_neq(town_state(&t, a).state, WEND_AGENT_WAITING);
        cr_assert_lt(town_state(&t, a).steps_left, LONGEST);
        walked += step;
        at = both[1];
    }
    cr_assert(town_is_at(&t, a, 690, 320));
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert_gt(town_counts(&t).far_routes, 0);
    cr_assert(walked >= best && walked <= best + best / 30, "%u for %u", (unsigned)walked, (unsigned)best);
}

/* Agents search exactly, without tables, and may set out: it takes some twenty frames until the path is there. */
static void open_to_lead(town *t, bool far) {
    wend_crowd_def def = default_crowd();
    wend_acceleration slow = default_acceleration();
    wend_map *map = far_land(far);
    IN_BATCH(map, wend_edit_fill_box(edit, (wend_box){{0, 155, 0}, {12, 165, 0}}, WEND_CLASS_OPEN),
             wend_edit_fill_box(edit, (wend_box){{680, 155, 0}, {699, 165, 0}}, WEND_CLASS_OPEN));
    slow.tables = false, slow.landmarks = 0, slow.far = far;
    cr_assert_eq(wend_map_accelerate(map, &slow), WEND_OK);
    tuning_of(&def)->far_beyond = 0, tuning_of(&def)->head_start = 60, tuning_of(&def)->fields = 0,
    def.path_bytes = 1 << 20;
    town_open_on(t, map, &def, 0);
    t->budget = 5000;
}

/* The gap of the first wall is far down, and the goal straight ahead: a prefix leads to the wall. Returns the cost of
 * the cheapest way by the cell where the agent is after 20 frames, in thousandths of the cheapest. A path along a lead
 * costs at most 1.01 times the cheapest. */
static uint64_t by_head_start(bool far, bool *moved) {
    OWNED(town_close) town t;
    const wend_cell from = {3, 160, 0}, to = {690, 160, 0};
    uint64_t walked = 0;
    open_to_lead(&t, far);
    const uint64_t best = least_cost(t.map, from, to);
    const uint32_t a = town_add(&t, from.x, from.y, 1000);
    wend_cell at = from, early = from;
    town_go(&t, a, to.x, to.y);
    while (town_last(&t, a) == 0 && t.frame < MOST_FRAMES) {
        uint64_t step;
        town_frame(&t);
        const wend_cell both[2] = {at, town_cell(&t, a)};
        if (t.frame == 1) *moved = both[1].x != from.x || both[1].y != from.y;
        if (t.frame == 20) early = both[1];
        if (t.frame == 20) cr_assert_gt(town_counts(&t).searches, 0);
        if (both[1].x != at.x || both[1].y != at.y) {
            cr_assert_eq(wend_map_path_cost(t.map, WEND_MOVER_DEFAULT, both, 2, NULL, &step), WEND_OK);
            walked += step;
        }
        at = both[1];
    }
    cr_assert(town_is_at(&t, a, to.x, to.y));
    cr_assert_eq(town_counts(&t).far_routes, 0);
    cr_assert_gt(town_counts(&t).head_starts, 0);
    cr_assert(!far || walked < best + best / 100, "%u for %u", (unsigned)walked, (unsigned)best);
    return (least_cost(t.map, from, early) + least_cost(t.map, early, to)) * 1000 / best;
}

Test(far_goals, lead_an_agent_at_once_that_waits_for_a_whole_path) {
    bool led, other;
    const uint64_t by_lead = by_head_start(true, &led), by_prefix = by_head_start(false, &other);
    cr_assert(led);
    cr_assert_leq(by_lead, 1005);
    cr_assert_gt(by_prefix, by_lead + 10, "%u, %u", (unsigned)by_prefix, (unsigned)by_lead);
}

/* An edit closes the lead ahead of the agent: it stops there, and its search begins there. */
Test(far_goals, lead_up_to_a_gap) {
    OWNED(town_close) town t;
    open_to_lead(&t, true);
    const uint32_t a = town_add(&t, 3, 160, 1000);
    town_go(&t, a, 690, 160);
    while (town_counts(&t).searches_begun < 2) town_frame(&t); /* the lead is there */
    cr_assert_gt(town_state(&t, a).steps_left, 40);
    const uint64_t before = town_counts(&t).searches_begun;
    IN_BATCH(t.map, wend_edit_fill_box(edit, (wend_box){{0, 180, 0}, {58, 180, 0}}, WEND_CLASS_BLOCKED),
             wend_edit_fill_box(edit, (wend_box){{57, 180, 0}, {58, 180, 0}}, WEND_CLASS_OPEN));
    town_frames(&t, 2);
    cr_assert_eq(town_counts(&t).searches_begun, before + 1);
    town_walk(&t, MOST_FRAMES);
    cr_assert(town_is_at(&t, a, 690, 160));
}

Test(far_goals, s30_need_a_layer) {
    OWNED(town_close) town t;
    open_land(&t, false, BEYOND, 0, 0);
    const uint32_t a = town_add(&t, 3, 3, 1000);
    town_go(&t, a, 690, 320);
    town_walk(&t, MOST_FRAMES);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert_eq(town_counts(&t).far_routes, 0);
}

/* Encloses a goal: no agent gets in, and a goal that is a rock makes no difference. */
Test(far_goals, s30_that_cannot_be_reached_are_gone_near_to) {
    for (int rock = 0; rock < 2; rock++) {
        OWNED(town_close) town t;
        open_land(&t, true, BEYOND, 0, 0);
        wend_edit *edit = begin_edit(t.map);
        wend_edit_fill_box(edit, (wend_box){{685, 310, 0}, {695, 320, 0}}, WEND_CLASS_BLOCKED);
        if (!rock) wend_edit_set_cell(edit, (wend_cell){690, 315, 0}, WEND_CLASS_OPEN);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_eq(wend_map_maintain(t.map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, NULL), WEND_OK);
        const uint32_t a = town_add(&t, 3, 3, 1000);
        town_go(&t, a, 690, 315);
        town_walk(&t, MOST_FRAMES);
        cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_PARTIAL);
        const wend_cell end = town_cell(&t, a);
        cr_assert(abs(end.x - 690) <= 6 && abs(end.y - 315) <= 6, "at %d,%d", (int)end.x, (int)end.y);
    }
}

/* The only gap of a wall on the way closes and opens again: the agent waits for it where it has patience. */
Test(far_goals, are_waited_for_behind_a_closed_gap) {
    for (uint32_t patience = 0; patience <= 3000; patience += 3000) {
        OWNED(town_close) town t;
        wend_crowd_def def = default_crowd();
        tuning_of(&def)->far_beyond = BEYOND, tuning_of(&def)->fields = 0, tuning_of(&def)->patience_updates = patience;
        town_open_on(&t, far_land(true), &def, 0);
        const uint32_t a = town_add(&t, 3, 3, 1000);
        town_go(&t, a, 690, 320);
        town_frames(&t, 100);
        for (int open = 0; open < 2; open++) {
            wend_edit *edit = begin_edit(t.map);
            wend_edit_fill_box(edit, (wend_box){{420, 0, 0}, {420, HEIGHT - 1, 0}}, WEND_CLASS_BLOCKED);
            if (open) wend_edit_fill_box(edit, (wend_box){{420, 160, 0}, {420, 165, 0}}, WEND_CLASS_OPEN);
            cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
            if (open) cr_assert_eq(wend_map_maintain(t.map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, NULL), WEND_OK);
            town_frames(&t, 1500);
        }
        const bool arrives = patience > 0;
        cr_assert_eq(town_last(&t, a), arrives ? WEND_AGENT_EVENT_ARRIVED : WEND_AGENT_EVENT_PARTIAL);
        cr_assert_eq(town_is_at(&t, a, 690, 320), arrives);
    }
}

Test(far_goals, s30_that_walk_away_are_followed) {
    OWNED(town_close) town t;
    open_land(&t, true, BEYOND, 0, 0);
    const uint32_t a = town_add(&t, 3, 3, 1000), b = town_add(&t, 690, 320, 300);
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = t.agents[b].id, goal.reach = 2;
    cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[a].id, 1, &goal), WEND_OK);
    t.agents[a].begun++;
    town_go(&t, b, 350, 300);
    town_frames(&t, 2500);
    const wend_cell at = town_cell(&t, a), by = town_cell(&t, b);
    cr_assert(town_is_at(&t, b, 350, 300) || town_last(&t, b) == WEND_AGENT_EVENT_PARTIAL);
    cr_assert(abs(at.x - by.x) <= 2 && abs(at.y - by.y) <= 2, "%d,%d", (int)at.x, (int)at.y);
    cr_assert_gt(town_counts(&t).far_routes, 0);
}

static void edit_some(town *t, uint64_t *seed) {
    wend_edit *edit = begin_edit(t->map);
    for (int i = 0; i < 4; i++) {
        const wend_cell a = any(seed), b = {a.x + 2 < WIDTH ? a.x + 2 : a.x, a.y + 9 < HEIGHT ? a.y + 9 : a.y, 0};
        uint8_t class = WEND_CLASS_OPEN;
        for (int32_t y = a.y; y <= b.y; y++)
            for (int32_t x = a.x; x <= b.x; x++) {
                uint32_t units;
                wend_map_get_occupants(t->map, (wend_cell){x, y, 0}, &units);
                if (units == 0 && i % 2) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, WEND_CLASS_BLOCKED);
            }
        if (i % 2 == 0) wend_edit_fill_box(edit, (wend_box){a, b}, class);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* Frames with edits, repairs in slices, agents that are moved elsewhere, and new goals; then all goals end. */
static uint64_t live(uint32_t workers, uint64_t seed, uint32_t head_start) {
    OWNED(town_close) town t;
    const uint32_t agents = (uint32_t)enough_or_many(12, AGENTS);
    open_land(&t, true, head_start > 0 ? 0 : BEYOND, head_start, workers);
    t.budget = 3000;
    for (uint32_t i = 0; i < agents; i++) (void)add_anywhere(&t, &seed);
    for (uint32_t i = 0; i < agents; i++) {
        const wend_cell to = any(&seed);
        town_go(&t, i, to.x, to.y);
    }
    for (int k = 0; k < few_or_many(30, 150); k++) {
        town_frames(&t, 4);
        if (draw(&seed, 4) == 0) edit_some(&t, &seed);
        (void)wend_map_maintain(t.map, WEND_MAINTAIN_FAR, draw(&seed, 400000), NULL);
        const wend_cell to = any(&seed);
        if (draw(&seed, 4) == 0) town_go(&t, draw(&seed, agents), to.x, to.y);
    }
    t.budget = 100000;
    town_walk(&t, MOST_FRAMES);
    for (uint32_t i = 0; i < agents; i++) cr_assert_eq(t.agents[i].begun, t.agents[i].ended);
    cr_assert_gt(head_start > 0 ? town_counts(&t).head_starts : town_counts(&t).far_routes, agents / 2);
    cr_assert_gt(town_counts(&t).event_counts[WEND_AGENT_EVENT_ARRIVED], agents / 3);
    return t.hash;
}

Test(far_goals, end_once_among_edits_with_any_workers) {
    for (uint64_t seed = 1; seed < (uint64_t)enough_or_many(3, 12); seed++) {
        const uint32_t head_start = seed % 2 ? 0 : 40;
        const uint64_t hash = live(0, seed, head_start);
        cr_assert_eq(live(3, seed, head_start), hash);
    }
}
