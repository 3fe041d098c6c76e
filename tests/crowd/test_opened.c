/* SPDX-License-Identifier: MIT */
/* Something opens while an agent walks to the cell that is nearest to its goal: it goes on to the goal. */
#include "crowd/crowd_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/routes.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/versions.h>
#include <wend/ways.h>

/* Two rooms of a map 72 cells wide. In the land that is loaded at first the second one begins at x = WALL + 1; the
 * door is in the wall's top row, the goal far below it, so the nearest cell is not at the door. */
enum { SIDE = WEND_CHUNK_SIDE, WIDTH = SIDE + 8, HEIGHT = 24, WALL = SIDE - 1, START = WALL - 10, GOAL_X = WIDTH - 2 };
enum { DOOR_Y = 2, GOAL_Y = 20, GATE = 7, FRAMES = 600 };

static const wend_cell door = {WALL, DOOR_Y, 0}, before = {WALL - 1, DOOR_Y, 0}, behind = {WALL + 1, DOOR_Y, 0};

typedef struct rooms {
    town t;
    bool bodies; ///< each agent has one
} rooms;

static void set(rooms *r, wend_cell cell, uint8_t class) {
    town_set(&r->t, cell.x, cell.y, class);
}

/* ---- what is closed at first, and what opens ---- */

static void wall_with(rooms *r, uint8_t class) {
    IN_BATCH(r->t.map, wend_edit_fill_box(edit, (wend_box){{WALL, 0, 0}, {WALL, HEIGHT - 1, 0}}, 0));
    set(r, door, class);
}

static void close_cell(rooms *r) {
    wall_with(r, 0);
}

static void open_cell(rooms *r) {
    set(r, door, 1);
}

static void add_link(rooms *r) {
    IN_BATCH(r->t.map, wend_edit_add_link(edit, &(wend_link){before, behind, 10, 0}));
}

static void set_steps(rooms *r, int32_t open) {
    wend_cell next = behind;
    IN_BATCH(r->t.map,
             for (next.y = DOOR_Y - 1; next.y <= DOOR_Y + 1; next.y++) wend_edit_set_step(edit, door, next, open));
}

static void close_steps(rooms *r) {
    wall_with(r, 1);
    set_steps(r, 0);
}

static void open_steps(rooms *r) {
    set_steps(r, 1);
}

static void no_land(rooms *r) {
    IN_BATCH(r->t.map, wend_edit_unload(edit, 1, 0, WEND_LAND_ABSENT));
}

static void load_land(rooms *r) {
    IN_BATCH(r->t.map, wend_edit_load(edit, 1, 0, NULL, 0));
}

static void set_gate(rooms *r, uint8_t factor) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    cr_assert_eq(wend_map_get_rules(r->t.map, &rules), WEND_OK);
    rules.factors[GATE] = factor;
    cr_assert_eq(wend_map_set_rules(r->t.map, &rules), WEND_OK);
}

static void close_class(rooms *r) {
    wall_with(r, GATE);
    set_gate(r, 0);
}

static void open_class(rooms *r) {
    set_gate(r, 1);
}

static void stand_in_door(rooms *r) {
    wall_with(r, 1);
    cr_assert_eq(wend_map_occupy(r->t.map, door), WEND_OK);
}

static void leave_door(rooms *r) {
    cr_assert_eq(wend_map_vacate(r->t.map, door), WEND_OK);
}

static void park_in_door(rooms *r) {
    wall_with(r, 1);
    wend_agent_def def = default_agent();
    def.cell = door, def.speed_milli = 1000, def.parked = true;
    town_add_def(&r->t, &def);
}

static void remove_parked(rooms *r) {
    town_remove(&r->t, 0);
}

typedef struct happening {
    const char *name;
    void (*close)(rooms *r);
    void (*open)(rooms *r);
} happening;

static const happening happenings[] = {
    {"a cell is opened", close_cell, open_cell},
    {"a link is added", close_cell, add_link},
    {"steps are opened", close_steps, open_steps},
    {"land is loaded", no_land, load_land},
    {"a class is made passable", close_class, open_class},
    {"a unit leaves", stand_in_door, leave_door},
    {"a parked agent leaves", park_in_door, remove_parked},
};
enum { HAPPENINGS = sizeof happenings / sizeof happenings[0] };

/* ---- agents ---- */

static void open_rooms(rooms *r, bool body, const happening *of) {
    wend_map_def map = default_map();
    wend_crowd_def def = default_crowd();
    map.width = WIDTH, map.height = HEIGHT, map.streamed = true;
    wend_map *made;
    cr_assert_eq(wend_map_create(&map, &made), WEND_OK);
    for (int32_t x = 0; x < 2; x++) IN_BATCH(made, wend_edit_load(edit, x, 0, NULL, 0));
    def.agents = 64;
    *r = (rooms){0};
    town_open_on(&r->t, made, &def, 0);
    of->close(r);
    r->bodies = body;
}

static void close_rooms(rooms *r) {
    for (uint32_t i = 0; i < r->t.agent_count; i++)
        if (r->t.agents[i].present) (void)wend_crowd_remove(r->t.crowd, r->t.agents[i].id), r->t.agents[i].present = 0;
    town_close(&r->t);
}

static uint32_t add(rooms *r, int32_t x, int32_t y) {
    const uint32_t agent = town_add(&r->t, x, y, 400);
    const wend_body_def body = default_body();
    if (r->bodies) cr_assert_eq(wend_crowd_set_body(r->t.crowd, r->t.agents[agent].id, &body), WEND_OK);
    return agent;
}

static void frame(rooms *r) {
    const wend_budget budget = budget_of(r->t.budget);
    cr_assert_eq(wend_service_tick(r->t.service, &budget, NULL), WEND_OK);
    r->t.frame++;
    cr_assert_eq(wend_crowd_update(r->t.crowd, 1000, NULL, NULL), WEND_OK);
}

static bool has_goal(const rooms *r, uint32_t agent) {
    return town_state(&r->t, agent).has_goal;
}

/* Runs frames until the agent is within some cells of a place. */
static void walk_near(rooms *r, uint32_t agent, wend_cell cell, int32_t within) {
    for (uint32_t k = 0; k < FRAMES; k++) {
        const wend_cell at = town_state(&r->t, agent).cell;
        if (abs(at.x - cell.x) <= within && abs(at.y - cell.y) <= within) return;
        cr_assert(has_goal(r, agent), "it ended at %d,%d", (int)at.x, (int)at.y);
        frame(r);
    }
    cr_assert_fail("it did not come near");
}

static void walk_until_it_ends(rooms *r, uint32_t agent) {
    for (uint32_t k = 0; k < FRAMES && has_goal(r, agent); k++) frame(r);
    cr_assert_not(has_goal(r, agent));
}

Test(opened, s38_leads_on_whoever_walks_to_the_nearest_cell) {
    for (size_t k = 0; k < 2 * (size_t)HAPPENINGS; k++) {
        const happening *of = &happenings[k / 2];
        const bool body = k % 2;
        rooms r;
        open_rooms(&r, body, of);
        const uint32_t a = add(&r, START, DOOR_Y);
        town_go(&r.t, a, GOAL_X, GOAL_Y);
        walk_near(&r, a, (wend_cell){WALL - 1, GOAL_Y, 0}, 4); /* the nearest cell to the goal */
        of->open(&r);
        walk_until_it_ends(&r, a);
        cr_expect_eq(town_last(&r.t, a), WEND_AGENT_EVENT_ARRIVED, "%s, %s: event %d", of->name,
                     body ? "a body" : "a cell", (int)town_last(&r.t, a));
        close_rooms(&r);
    }
}

/* ---- it ends all the same ---- */

/* What a goal took that ends before something opens. */
typedef struct taken {
    uint32_t frames;
    uint64_t searches;
} taken;

/* @param expansions   of a frame
 * @param edits        a far cell is edited in each frame */
static taken walk_to_a_closed_goal(const happening *of, bool body, uint64_t expansions, bool edits) {
    enum { MOST = 2000 };
    rooms r;
    taken all = {0};
    open_rooms(&r, body, of);
    r.t.budget = expansions;
    const uint32_t a = add(&r, START, DOOR_Y);
    town_go(&r.t, a, GOAL_X, GOAL_Y);
    for (; has_goal(&r, a) && all.frames < MOST; all.frames++) {
        if (edits) set(&r, (wend_cell){0, 0, 0}, all.frames % 2 ? 1 : 3);
        frame(&r);
    }
    cr_assert_eq(town_last(&r.t, a), WEND_AGENT_EVENT_PARTIAL, "%s", of->name);
    all.searches = town_counts(&r.t).searches_begun;
    close_rooms(&r);
    return all;
}

/* An answer that comes in one frame is of the newest map. Else `tries` more searches and one bound the goal. */
Test(opened, s38_or_it_ends_whatever_is_edited_elsewhere) {
    enum { ENOUGH = 100000, LITTLE = 40, TRIES = 6 };
    for (size_t k = 0; k < 2 * (size_t)HAPPENINGS; k++) {
        const happening *of = &happenings[k / 2];
        const taken quiet = walk_to_a_closed_goal(of, k % 2, ENOUGH, false);
        const taken edited = walk_to_a_closed_goal(of, k % 2, ENOUGH, true);
        cr_assert_leq(edited.frames, quiet.frames + 2, "%s: %u frames", of->name, edited.frames);
        cr_assert_leq(edited.searches, quiet.searches + 1, "%s", of->name);
        const uint64_t few = walk_to_a_closed_goal(of, k % 2, LITTLE, false).searches;
        const uint64_t many = walk_to_a_closed_goal(of, k % 2, LITTLE, true).searches;
        cr_assert_leq(many, few + TRIES + 1, "%s: %u searches", of->name, (unsigned)many);
    }
}

/* ---- others whose goals end short ---- */

static const happening by_cell = {"", close_cell, open_cell};

Test(opened, s38_leads_on_a_follower_and_a_patrol) {
    for (int k = 0; k < 8; k++) {
        const bool body = k % 2;
        const int32_t mode = k / 2 - 1; /* of a route, which has a gap behind its first corner; -1: a follower */
        rooms r;
        open_rooms(&r, body, &by_cell);
        const uint32_t a = add(&r, START, DOOR_Y), other = add(&r, GOAL_X, GOAL_Y);
        const wend_cell corners[] = {{START, GOAL_Y, 0}, {GOAL_X, DOOR_Y, 0}};
        wend_crowd_goal goal = default_crowd_goal();
        wend_route_def def = default_route();
        uint32_t route;
        goal.kind = WEND_CROWD_FOLLOW, goal.target = r.t.agents[other].id;
        def.corners = corners, def.corner_count = 2, def.mode = mode;
        if (mode < 0) {
            cr_assert_eq(wend_crowd_go(r.t.crowd, &r.t.agents[a].id, 1, &goal), WEND_OK);
        } else {
            cr_assert_eq(wend_crowd_add_route(r.t.crowd, &def, &route), WEND_OK);
            cr_assert_eq(wend_crowd_patrol(r.t.crowd, r.t.agents[a].id, route), WEND_OK);
        }
        r.t.agents[a].begun++;
        walk_near(&r, a, (wend_cell){mode < 0 ? WALL - 1 : START, GOAL_Y, 0}, 4);
        open_cell(&r);
        walk_near(&r, a, (wend_cell){GOAL_X, mode < 0 ? GOAL_Y : DOOR_Y, 0}, 1);
        close_rooms(&r);
    }
}

Test(opened, s38_leads_on_the_members_of_a_group) {
    enum { MEMBERS = 5 };
    for (int k = 0; k < 4; k++) {
        rooms r;
        wend_agent_id ids[MEMBERS];
        wend_crowd_goal goal = default_crowd_goal();
        open_rooms(&r, k % 2, &by_cell);
        goal.cell = (wend_cell){GOAL_X, GOAL_Y, 0}, goal.formation = k / 2 ? WEND_AS_BOX : WEND_AS_CROWD;
        for (int32_t i = 0; i < MEMBERS; i++) {
            const uint32_t a = add(&r, START, DOOR_Y + 2 * i);
            ids[i] = r.t.agents[a].id;
            r.t.agents[a].begun++;
        }
        cr_assert_eq(wend_crowd_go(r.t.crowd, ids, MEMBERS, &goal), WEND_OK);
        walk_near(&r, 0, (wend_cell){WALL - 1, GOAL_Y, 0}, 12);
        open_cell(&r);
        for (uint32_t i = 0; i < MEMBERS; i++) walk_until_it_ends(&r, i);
        for (uint32_t i = 0; i < MEMBERS; i++)
            cr_expect_gt(town_cell(&r.t, i).x, WALL, "%d: %u at %d,%d", k, i, (int)town_cell(&r.t, i).x,
                         (int)town_cell(&r.t, i).y);
        close_rooms(&r);
    }
}
