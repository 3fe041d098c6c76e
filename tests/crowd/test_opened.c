/* SPDX-License-Identifier: MIT */
/* Agents whose way leads no farther than to the nearest cell, and something opens on the way: they go on to the goal.
 */
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
    wend_bodies *bodies; ///< NULL: none
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
    IN_BATCH(r->t.map, wend_edit_add_link(edit, before, behind, 10));
}

static void set_steps(rooms *r, int32_t open) {
    wend_cell next = behind;
    IN_BATCH(r->t.map, for (next.y = DOOR_Y - 1; next.y <= DOOR_Y + 1; next.y++)
                           wend_edit_set_step(edit, door, next, open));
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
    {"a cell is opened", close_cell, open_cell},        {"a link is added", close_cell, add_link},
    {"steps are opened", close_steps, open_steps},      {"land is loaded", no_land, load_land},
    {"a class is made passable", close_class, open_class}, {"a unit leaves", stand_in_door, leave_door},
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
    if (!body) return;
    wend_bodies_def bodies = {0};
    wend_bodies_def_init(&bodies, sizeof bodies);
    bodies.crowd = r->t.crowd;
    r->bodies = made_bodies(&bodies);
}

static void close_rooms(rooms *r) {
    for (uint32_t i = 0; i < r->t.agent_count; i++)
        if (r->t.agents[i].present) (void)wend_crowd_remove(r->t.crowd, r->t.agents[i].id), r->t.agents[i].present = 0;
    (void)wend_bodies_destroy(r->bodies);
    town_close(&r->t);
}

static uint32_t add(rooms *r, int32_t x, int32_t y) {
    const uint32_t agent = town_add(&r->t, x, y, 400);
    const wend_body_def body = default_body();
    if (r->bodies) cr_assert_eq(wend_body_add(r->bodies, r->t.agents[agent].id, &body), WEND_OK);
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

Test(opened, leads_on_whoever_walks_to_the_nearest_cell) {
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

/* Edits a far cell in each frame. Returns how many frames the goal took. */
static uint32_t walk_with_edits(rooms *r, uint32_t agent) {
    uint32_t frames = 0;
    for (; has_goal(r, agent) && frames < FRAMES; frames++) {
        set(r, (wend_cell){0, 0, 0}, frames % 2 ? 1 : 3);
        frame(r);
    }
    return frames;
}

Test(opened, or_it_ends_whatever_is_edited_elsewhere) {
    static const uint64_t budgets[] = {100000, 40}; /* expansions of a frame: an answer in one frame, or in many */
    for (size_t k = 0; k < 2 * (size_t)HAPPENINGS; k++)
        for (size_t b = 0; b < 2; b++) {
            const happening *of = &happenings[k / 2];
            uint32_t frames[2];
            uint64_t searches[2];
            for (size_t edits = 0; edits < 2; edits++) {
                rooms r;
                open_rooms(&r, k % 2, of);
                r.t.budget = budgets[b];
                const uint32_t a = add(&r, START, DOOR_Y);
                town_go(&r.t, a, GOAL_X, GOAL_Y);
                for (frames[edits] = 0; !edits && has_goal(&r, a); frames[edits]++) frame(&r);
                if (edits) frames[edits] = walk_with_edits(&r, a);
                searches[edits] = town_counts(&r.t).searches_begun;
                cr_assert_eq(town_last(&r.t, a), WEND_AGENT_EVENT_PARTIAL);
                close_rooms(&r);
            }
            fprintf(stderr, "%s %zu %zu: %u %u frames, %u %u searches\n", of->name, k % 2, b, frames[0], frames[1],
                    (unsigned)searches[0], (unsigned)searches[1]);
        }
}
