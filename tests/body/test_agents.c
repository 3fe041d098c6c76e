/* SPDX-License-Identifier: MIT */
/* Agents with bodies in a crowd: how they come and go, arrive, meet others, and what follows from the host's orders. */
#include "body/discs.h"
#include "models/both.h"
#include "body/with_bodies.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/boxes.h>
#include <wend/crowd_tuning.h>
#include <wend/edit.h>
#include <wend/movers.h>
#include <wend/query.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { MOST = 64, EVENTS = 256 };

/// A square with bodies.
typedef struct square {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    const char *const *rows;
    int32_t width, height;
    wend_agent_event events[EVENTS];
    uint32_t event_count;
    discs seen;
} square;

static bool is_wall(void *context, int32_t x, int32_t y) {
    const square *s = context;
    uint8_t class = 0;
    if (x < 0 || y < 0 || x >= s->width || y >= s->height) return true;
    wend_map_get_terrain(s->map, (wend_cell){x, y, 0}, &class);
    return class == 0;
}

static void told(void *context, const wend_agent_event *event) {
    square *s = context;
    s->events[s->event_count++ % EVENTS] = *event;
}

static void open_on(square *s, wend_map *map) {
    s->map = map;
    wend_crowd_def def = default_crowd();
    def.agents = MOST, def.map = map, def.on_event = told, def.context = s;
    open_with_bodies(def, &s->service, &s->crowd);
}

static square *open_square_by(const char *const *rows, int32_t height, int32_t corners) {
    square *s = calloc(1, sizeof *s);
    wend_map_def grid = default_map();
    wend_map_rules rules = default_rules();
    rules.corners = corners, grid.rules = &rules;
    grid.width = (int32_t)strlen(rows[0]), grid.height = height;
    wend_map *map = made_map(&grid);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < grid.width; x++)
            if (rows[y][x] == '#') wend_map_set_cell(map, (wend_cell){x, y, 0}, 0, NULL);
    s->width = grid.width, s->height = height;
    open_on(s, map);
    return s;
}

static square *open_square(const char *const *rows, int32_t height) {
    return open_square_by(rows, height, WEND_CORNERS_NEVER);
}

static void close_square(square **owned) {
    square *s = *owned;
    end_with_bodies(s->map, s->service, s->crowd);
    free(s);
}

#define OWNED_SQUARE OWNED(close_square) square

static wend_agent_id add_as(square *s, const wend_agent_def *def, const wend_body_def *body) {
    wend_agent_id id;
    cr_assert_eq(wend_crowd_add(s->crowd, def, &id), WEND_OK);
    if (body->radius_milli > 0) cr_assert_eq(wend_crowd_set_body(s->crowd, id, body), WEND_OK);
    s->seen.of[id.index].placed = true;
    return id;
}

/* Adds an agent with a body or, with a radius of 0, without. */
static wend_agent_id add(square *s, int32_t x, int32_t y, uint32_t radius_milli) {
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    def.cell = (wend_cell){x, y, 0}, body.radius_milli = radius_milli;
    return add_as(s, &def, &body);
}

static wend_agent_id add_flagged(square *s, int32_t x, int32_t y, uint32_t flags, uint32_t radius_milli) {
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    def.cell = (wend_cell){x, y, 0};
    set_as(&def, flags);
    body.radius_milli = radius_milli, body.accel_milli = 28; /* also near walls */
    return add_as(s, &def, &body);
}

/* Adds an agent that covers size x size cells, with a body or without. */
static wend_agent_id add_large(square *s, int32_t x, int32_t y, int32_t size, uint32_t radius_milli) {
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    def.cell = (wend_cell){x, y, 0}, def.mover = 1;
    while (def.mover < DISC_MOVERS && s->seen.sizes[def.mover] && s->seen.sizes[def.mover] != size) def.mover++;
    if (!s->seen.sizes[def.mover]) {
        wend_mover mover = default_mover();
        int32_t number;
        mover.size = size;
        cr_assert_eq(wend_map_add_mover(s->map, &mover, &number), WEND_OK);
        cr_assert_eq(number, def.mover);
        s->seen.sizes[number] = size;
    }
    body.radius_milli = radius_milli;
    return add_as(s, &def, &body);
}

static void go(square *s, wend_agent_id id, int32_t x, int32_t y, int32_t reach) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){x, y, 0}, goal.reach = reach;
    cr_assert_eq(wend_crowd_go(s->crowd, &id, 1, &goal), WEND_OK);
}

static wend_agent_id send(square *s, int32_t x, int32_t y, uint32_t radius_milli, int32_t to_x, int32_t to_y) {
    const wend_agent_id id = add(s, x, y, radius_milli);
    go(s, id, to_x, to_y, 0);
    return id;
}

static void frame_of(square *s, uint32_t elapsed_milli) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_service_tick(s->service, NULL, &frame);
    cr_assert_eq(wend_crowd_update(s->crowd, elapsed_milli, NULL, NULL), WEND_OK);
    cr_assert(discs_check(&s->seen, s->crowd, elapsed_milli, is_wall, s), "%s", s->seen.text);
}

static void frames(square *s, uint32_t count) {
    for (; count > 0; count--) frame_of(s, 1000);
}

static uint32_t busy(const square *s) {
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    wend_crowd_get_stats(s->crowd, &stats);
    return stats.busy;
}

static uint32_t walk(square *s, uint32_t most) {
    uint32_t count = 0;
    do frames(s, 1);
    while (busy(s) > 0 && ++count < most);
    cr_assert_lt(count, most, "%u are busy", busy(s));
    return count;
}

static wend_agent_state state_of(const square *s, wend_agent_id id) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(s->crowd, id, &state), WEND_OK);
    return state;
}

static wend_body_state body_of(const square *s, wend_agent_id id) {
    wend_body_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_body(s->crowd, id, &state), WEND_OK);
    return state;
}

static int32_t last_event(const square *s, wend_agent_id id) {
    for (uint32_t k = s->event_count; k > 0; k--)
        if (s->events[k - 1].agent.index == id.index) return s->events[k - 1].event;
    return 0;
}

static void expect_at(const square *s, wend_agent_id id, int32_t x, int32_t y) {
    const wend_cell cell = state_of(s, id).cell;
    cr_assert(cell.x == x && cell.y == y, "agent %u to %d,%d is at %d,%d, event %d of %u", id.index, x, y, cell.x,
              cell.y, last_event(s, id), s->event_count);
}

/// An agent, where it goes, and whether with a body: a radius of 0 is none.
typedef struct errand {
    int32_t x, y;
    uint32_t radius_milli;
    int32_t to_x, to_y;
} errand;

static void arrive(square *s, uint32_t most, const errand *errands, size_t count) {
    wend_agent_id ids[4];
    for (size_t i = 0; i < count; i++) ids[i] = add(s, errands[i].x, errands[i].y, errands[i].radius_milli);
    for (size_t i = 0; i < count; i++) go(s, ids[i], errands[i].to_x, errands[i].to_y, 0);
    walk(s, most);
    for (size_t i = 0; i < count; i++) expect_at(s, ids[i], errands[i].to_x, errands[i].to_y);
}

/// Agents arrive in at most so many updates, each where its errand leads.
#define ARRIVE(s, most, ...)                                                                                           \
    arrive(s, most, (const errand[]){__VA_ARGS__}, sizeof(errand[]){__VA_ARGS__} / sizeof(errand))

static const char *const open_field[] = {"....................", "....................", "....................",
                                         "....................", "....................", "...................."};
static const char *const two_rooms[] = {".........#.........", ".........#.........", "...................",
                                        ".........#.........", ".........#........."};

/* ---- arriving ---- */

Test(body_agents, s35_rests_in_the_middle_of_its_goal_cell) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = send(s, 1, 1, 400, 15, 4);
    const uint32_t took = walk(s, 200);
    cr_assert(took >= 57 && took < 80, "%u frames for 14.3 cells at a quarter of a cell", took);
    const wend_body_state body = body_of(s, a);
    cr_assert_eq(last_event(s, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert(abs(body.exact_at.x - 15 * WEND_BODY_UNITS) <= WEND_BODY_UNITS / 32);
    cr_assert(abs(body.exact_at.y - 4 * WEND_BODY_UNITS) <= WEND_BODY_UNITS / 32);
    cr_assert(body.exact_velocity.x == 0 && body.exact_velocity.y == 0);
    cr_assert_eq(body.state, WEND_BODY_RESTS);
}

/* A disc fits past no corner diagonally, whatever the map allows: round a wall's end, and up and down again. */
Test(body_agents, goes_round_corners_that_the_map_lets_cut) {
    static const char *const rows[] = {"......#.....", "......#.....", "......#.....", "......#.....",
                                       "......#.....", "............", "...#...#...."};
    static const int32_t corners[] = {WEND_CORNERS_ONE, WEND_CORNERS_ALWAYS};
    for (size_t k = 0; k < 2; k++) {
        OWNED_SQUARE *s = open_square_by(rows, 7, corners[k]);
        ARRIVE(s, 120, {1, 2, 400, 10, 1}, {10, 4, 200, 2, 6});
    }
}

/* Its path leads down a ledge: the edge is a wall to those below alone. */
Test(body_agents, goes_down_a_ledge_and_not_up_again) {
    static const char *const rows[] = {"...........", "...........", "..........."};
    OWNED_SQUARE *s = open_square(rows, 3);
    wend_edit *edit = begin_edit(s->map);
    for (int32_t y = 0; y < 3; y++)
        cr_assert_eq(wend_edit_set_step(edit, (wend_cell){6, y, 0}, (wend_cell){5, y, 0}, false), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    const wend_agent_id a = send(s, 1, 1, 400, 9, 1);
    walk(s, 60);
    expect_at(s, a, 9, 1);
    go(s, a, 1, 1, 0);
    walk(s, 100);
    cr_assert_geq(state_of(s, a).cell.x, 6);
}

enum { ACROSS = 16 };

/* Returns whether straight steps lead from the first cell to the last. */
static bool leads_on(const char text[ACROSS][ACROSS + 1]) {
    bool reached[ACROSS + 2][ACROSS + 2] = {{false}}, more = true;
    reached[1][1] = true;
    while (more) {
        more = false;
        for (int32_t y = 1; y <= ACROSS; y++)
            for (int32_t x = 1; x <= ACROSS; x++) {
                const bool near = reached[y][x - 1] || reached[y][x + 1] || reached[y - 1][x] || reached[y + 1][x];
                if (!near || reached[y][x] || text[y - 1][x - 1] == '#') continue;
                reached[y][x] = more = true;
            }
    }
    return reached[ACROSS][ACROSS];
}

/* Alone among random walls, with less than a twentieth of a cell to each side: it arrives wherever a way leads. */
static void cross_walls(uint32_t seed, uint32_t elapsed_milli) {
    static const uint32_t radii[] = {451, 470, 490, 499}, speeds[] = {100, 250, 500, 1000};
    char text[ACROSS][ACROSS + 1] = {{0}};
    const char *rows[ACROSS];
    uint64_t random = seed;
    for (int32_t y = 0; y < ACROSS; y++, rows[y - 1] = text[y - 1])
        for (int32_t x = 0; x < ACROSS; x++) text[y][x] = draw(&random, 100) < 5 + seed / 16 % 4 * 7 ? '#' : '.';
    text[0][0] = text[ACROSS - 1][ACROSS - 1] = '.';
    OWNED_SQUARE *s = open_square(rows, ACROSS);
    const wend_agent_id a = add(s, 0, 0, radii[seed % 4]);
    cr_assert_eq(wend_crowd_set_speed(s->crowd, a, speeds[seed / 4 % 4]), WEND_OK);
    go(s, a, ACROSS - 1, ACROSS - 1, 0);
    uint32_t took = 0;
    do frame_of(s, elapsed_milli);
    while (busy(s) > 0 && (took += elapsed_milli) < 500 * 1000);
    const bool there = last_event(s, a) == WEND_AGENT_EVENT_ARRIVED;
    cr_assert(busy(s) == 0 && there == leads_on(text), "seed %u, elapsed %u, event %d", seed, elapsed_milli,
              last_event(s, a));
}

Test(body_agents, arrives_beside_walls_with_hardly_any_slack) {
    for (uint32_t seed = 1; seed <= 64; seed++) cross_walls(seed, 1000);
}

/* A disc of .499 has a slack of 16 units, and may stand there. */
Test(body_agents, arrives_beside_walls_in_short_updates_too) {
    for (uint32_t seed = 0; seed < 64; seed++)
        if (seed % 4 < 3) cross_walls(seed, seed / 4 % 2 ? 16 : 50);
}

Test(body_agents, arrives_in_the_middle_at_any_speed) {
    static const uint32_t speeds[] = {1, 2, 10, 250, 1000};
    for (uint32_t k = 0; k < sizeof speeds / sizeof speeds[0]; k++) {
        OWNED_SQUARE *s = open_square(open_field, 6);
        const wend_agent_id a = add(s, 1, 1, 400);
        cr_assert_eq(wend_crowd_set_speed(s->crowd, a, speeds[k]), WEND_OK);
        go(s, a, 3, 2, 0);
        walk(s, 4000);
        const wend_body_state body = body_of(s, a);
        const int32_t x = body.exact_at.x - 3 * WEND_BODY_UNITS, y = body.exact_at.y - 2 * WEND_BODY_UNITS;
        cr_assert_eq(last_event(s, a), WEND_AGENT_EVENT_ARRIVED);
        const int32_t most = WEND_BODY_UNITS / 64 + 1; /* a length is rounded down */
        cr_assert(x * x + y * y <= most * most, "speed %u: %d,%d", speeds[k], x, y);
        cr_assert(body.exact_velocity.x == 0 && body.exact_velocity.y == 0);
    }
}

Test(body_agents, goes_straight_where_it_sees_ahead) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = send(s, 0, 0, 300, 19, 5);
    frames(s, 40);
    const wend_body_state body = body_of(s, a);
    const int64_t off = (int64_t)body.exact_at.y * 19 - (int64_t)body.exact_at.x * 5; /* of the line, times 19.6 */
    cr_assert_lt(llabs(off), 6 * WEND_BODY_UNITS, "%g", (double)llabs(off) / WEND_BODY_UNITS);
}

Test(body_agents, brakes_within_reach_and_stays_there) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 1, 1, 400);
    go(s, a, 15, 1, 3);
    walk(s, 200);
    cr_assert_eq(last_event(s, a), WEND_AGENT_EVENT_ARRIVED);
    const wend_body_state body = body_of(s, a);
    frames(s, 100);
    const wend_body_state later = body_of(s, a);
    cr_assert(body.exact_at.x > 12 * WEND_BODY_UNITS - WEND_BODY_UNITS && later.exact_at.x <= 15 * WEND_BODY_UNITS);
    cr_assert_eq(busy(s), 0);
}

/* Where the faster one steps aside at a bend, its way back leads on along the route. */
Test(body_agents, never_stands_on_a_route_for_long) {
    enum { UPDATES = 2000, LONGEST = 8, SOME = 20 };
    static const wend_cell corners[4] = {{1, 1, 0}, {18, 1, 0}, {18, 3, 0}, {1, 3, 0}};
    OWNED_SQUARE *s = open_square(open_field, 5);
    wend_route_def def = default_route();
    wend_agent_def fast = default_agent();
    wend_body_def body = default_body();
    uint32_t route = 0, stood = 0;
    def.mode = WEND_ROUTE_LOOP, def.corners = corners, def.corner_count = 4;
    fast.cell = (wend_cell){9, 1, 0}, fast.speed_milli = 500, body.radius_milli = 300;
    const wend_agent_id ids[2] = {add(s, 1, 1, 400), add_as(s, &fast, &body)};
    cr_assert_eq(wend_crowd_add_route(s->crowd, &def, &route), WEND_OK);
    for (int k = 0; k < 2; k++) cr_assert_eq(wend_crowd_patrol(s->crowd, ids[k], route), WEND_OK);
    frames(s, SOME); /* the legs are searched */
    for (int k = 0; k < UPDATES; k++) {
        frames(s, 1);
        const wend_body_state now = body_of(s, ids[1]);
        stood = now.speed_milli > 0 ? 0 : stood + 1;
        cr_assert_leq(stood, LONGEST, "update %d, %d,%d", k, (int)now.at.x, (int)now.at.y);
    }
}

Test(body_agents, passes_a_door) {
    OWNED_SQUARE *s = open_square(two_rooms, 5);
    ARRIVE(s, 300, {2, 0, 400, 16, 4});
}

Test(body_agents, halts_where_it_brakes) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = send(s, 1, 1, 400, 15, 1);
    frames(s, 30);
    cr_assert_eq(wend_crowd_halt(s->crowd, &a, 1), WEND_OK);
    frames(s, 60);
    cr_assert_eq(last_event(s, a), WEND_AGENT_EVENT_REPLACED);
    cr_assert_eq(state_of(s, a).state, WEND_AGENT_IDLE);
    cr_assert_lt(body_of(s, a).exact_at.x, 11 * WEND_BODY_UNITS);
}

/* Also between walls, where it brakes by twice as much. */
Test(body_agents, gains_no_more_speed_than_its_definition_allows) {
    enum { ACCEL = 20, GAIN = ACCEL * WEND_BODY_UNITS / 1000, ROUNDED = 2 };
    OWNED_SQUARE *s = open_square(two_rooms, 5);
    wend_agent_def agent = default_agent();
    wend_body_def body = default_body();
    agent.cell = (wend_cell){2, 0, 0}, body.accel_milli = ACCEL;
    const wend_agent_id a = add_as(s, &agent, &body);
    double before = 0;
    go(s, a, 16, 4, 0);
    for (uint32_t k = 0; busy(s) > 0; k++) {
        cr_assert_lt(k, 300);
        frames(s, 1);
        const wend_body_vector v = body_of(s, a).exact_velocity;
        const double speed = hypot(v.x, v.y);
        cr_assert_leq(speed - before, GAIN + ROUNDED, "update %u", k);
        before = speed;
    }
    cr_assert_eq(last_event(s, a), WEND_AGENT_EVENT_ARRIVED);
}

/* A body that nearly fills its cell stops before it turns beside a wall. A body in the open stops at its goal. */
Test(body_agents, never_turns_back_on_its_way) {
    enum { SLOW = WEND_BODY_UNITS / 50 };
    static const char *const two_blocks[] = {"...............", "......#........", "...............",
                                             ".....#........."};
    OWNED_SQUARE *s = open_square(two_blocks, 4);
    wend_agent_def agent = default_agent();
    wend_body_def body = default_body();
    agent.cell = (wend_cell){3, 1, 0}, agent.speed_milli = 500, body.radius_milli = 490;
    const wend_agent_id a = add_as(s, &agent, &body);
    wend_body_vector before = {0, 0};
    go(s, a, 11, 1, 0);
    for (uint32_t k = 0; busy(s) > 0; k++) {
        cr_assert_lt(k, 60);
        frames(s, 1);
        const wend_body_vector v = body_of(s, a).exact_velocity;
        if (hypot(v.x, v.y) < SLOW) continue;
        cr_assert_geq((int64_t)v.x * before.x + (int64_t)v.y * before.y, 0, "update %u", k);
        before = v;
    }
}

Test(body_agents, time_scales_motion) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = send(s, 1, 1, 400, 15, 1);
    frames(s, 20);
    const wend_body_state before = body_of(s, a);
    cr_assert_eq(wend_crowd_update(s->crowd, 0, NULL, NULL), WEND_OK);
    cr_assert_eq(body_of(s, a).exact_at.x, before.exact_at.x);
    cr_assert_eq(wend_crowd_update(s->crowd, 500, NULL, NULL), WEND_OK);
    const int32_t half = body_of(s, a).exact_at.x - before.exact_at.x;
    cr_assert(abs(half - WEND_BODY_UNITS / 8) <= 64, "it went %d", half);
}

/* ---- with others ---- */

Test(body_agents, two_meet_head_on) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    ARRIVE(s, 200, {1, 2, 400, 17, 2}, {18, 2, 400, 2, 2});
}

Test(body_agents, s35_meets_an_agent_without_a_body) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    ARRIVE(s, 400, {1, 2, 400, 17, 2}, {18, 2, 0, 2, 2});
}

/* More than a body looks at, but none of them is near. */
Test(body_agents, many_agents_without_bodies_elsewhere_hold_up_nobody) {
    enum { SIDE = 16 };
    const char *rows[SIDE];
    for (int y = 0; y < SIDE; y++) rows[y] = "................";
    OWNED_SQUARE *s = open_square(rows, SIDE);
    for (int32_t i = 0; i < 32; i++) add(s, i % 8, i / 8, 0);
    ARRIVE(s, 100, {7, 7, 200, 0, 7});
}

/* The free cell amid many agents: one of them is in the way nearly everywhere, and is named. */
Test(body_agents, s35_is_put_into_none_of_many_agents_without_bodies) {
    enum { SIDE = 9, FREE = 4, RADIUS = 435, PARTS = 16 };
    const char *rows[SIDE];
    for (int y = 0; y < SIDE; y++) rows[y] = ".........";
    OWNED_SQUARE *s = open_square(rows, SIDE);
    const int32_t one = WEND_BODY_UNITS;
    const wend_body_vector none = {0, 0}, home = {0, 0};
    for (int32_t i = 0; i < 49; i++)
        if (i % 7 + 1 != FREE || i / 7 + 1 != FREE) add(s, i % 7 + 1, i / 7 + 1, 0);
    const wend_agent_id a = add(s, 0, 0, RADIUS);
    for (int32_t k = 0; k < PARTS * PARTS; k++) {
        const wend_body_vector at = {FREE * one + (k % PARTS - PARTS / 2) * one / PARTS,
                                     FREE * one + (k / PARTS - PARTS / 2) * one / PARTS};
        const wend_error error = place_rounded(s->crowd, a, at, none);
        int32_t in_way = 0;
        bool named = false;
        for (int32_t n = 0; n < 9; n++) {
            const int32_t x = FREE - 1 + n % 3, y = FREE - 1 + n / 3;
            char place[32];
            snprintf(place, sizeof place, "at %d,%d,0", (int)x, (int)y);
            if (n == 4 || hypot(at.x - x * one, at.y - y * one) >= (.5 + RADIUS / 1000.) * one) continue;
            in_way++;
            named = named || (error && strstr(wend_error_detail(error), place));
        }
        cr_assert_eq(error, in_way > 0 ? WEND_BUSY : WEND_OK, "%d of %d", (int)k, PARTS * PARTS);
        cr_assert(!error || named, "%s", wend_error_detail(error));
        cr_assert_eq(place_rounded(s->crowd, a, home, none), WEND_OK);
    }
}

Test(body_agents, names_the_wall_that_it_is_not_put_into) {
    static const char *const rows[] = {".....", "..#..", "....."};
    OWNED_SQUARE *s = open_square(rows, 3);
    const wend_agent_id a = add(s, 0, 0, 400);
    const wend_body_vector none = {0, 0}, near = {WEND_BODY_UNITS * 5 / 4, WEND_BODY_UNITS};
    cr_assert_eq(place_rounded(s->crowd, a, near, none), WEND_BLOCKED);
    cr_assert_str_eq(wend_error_detail(WEND_BLOCKED), "the mover cannot stand at 2,1,0");
}

Test(body_agents, pressed_onto_each_other_they_part_again) {
    const int32_t one = WEND_BODY_UNITS, whole = (int32_t)(.8 * one) + 2;
    const wend_body_vector none = {0, 0};
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 5, 2, 400), b = add(s, 10, 2, 400), c = add(s, 14, 2, 0);
    const wend_body_vector too_near = {5 * one + whole * 94 / 100, 2 * one};
    cr_assert_eq(place_rounded(s->crowd, b, too_near, none), WEND_BUSY);
    const wend_body_vector near = {5 * one + whole * 95 / 100 + one / 1000, 2 * one}; /* a thousandth more */
    cr_assert_eq(place_rounded(s->crowd, b, near, none), WEND_OK);
    s->seen.of[b.index].placed = s->seen.of[b.index].pressed = true;
    frames(s, 30);
    cr_assert(!s->seen.of[a.index].overlaps && !s->seen.of[b.index].overlaps);
    cr_assert_geq(body_of(s, b).exact_at.x - body_of(s, a).exact_at.x, whole - 2);
    expect_at(s, c, 14, 2);
    const wend_body_vector into_agent = {14 * one - one * 87 / 100, 2 * one}; /* not onto one without a body */
    cr_assert_eq(place_rounded(s->crowd, b, into_agent, none), WEND_BUSY);
    frames(s, 300);
    const wend_body_vector rests = body_of(s, a).exact_at;
    frames(s, 300);
    cr_assert(rests.x == body_of(s, a).exact_at.x && rests.y == body_of(s, a).exact_at.y);
}

Test(body_agents, two_swap_at_the_end_of_a_corridor) {
    static const char *const corridor[] = {"########", "#...####", "#......#", "#...####", "########"};
    static const uint32_t radii[] = {300, 400, 450, 499};
    for (uint32_t k = 0; k < sizeof radii / sizeof radii[0]; k++) {
        OWNED_SQUARE *s = open_square(corridor, 5);
        const wend_agent_id a = add(s, 6, 2, radii[k]), b = add(s, 5, 2, radii[k]);
        go(s, a, 5, 2, 0), go(s, b, 6, 2, 0);
        walk(s, 1500);
        frames(s, 100);
        expect_at(s, a, 5, 2);
        expect_at(s, b, 6, 2);
    }
}

Test(body_agents, two_swap_at_the_end_of_a_corridor_to_any_side) {
    static const char *const corridor[] = {"########", "#...####", "#......#", "#...####", "########"};
    for (int side = 1; side < 4; side++) {
        char turned[8][9] = {{0}};
        const char *rows[8];
        const bool upright = side & 1, mirrored = side & 2;
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 8; x++) {
                const int along = mirrored ? 7 - x : x;
                if (upright)
                    turned[along][y] = corridor[y][x];
                else
                    turned[y][along] = corridor[y][x];
            }
        for (int y = 0; y < 8; y++) rows[y] = turned[y];
        OWNED_SQUARE *s = open_square(rows, upright ? 8 : 5);
        const int32_t last = mirrored ? 1 : 6, next = mirrored ? 2 : 5;
        const wend_agent_id a = upright ? add(s, 2, last, 400) : add(s, last, 2, 400),
                            b = upright ? add(s, 2, next, 400) : add(s, next, 2, 400);
        go(s, a, upright ? 2 : next, upright ? next : 2, 0), go(s, b, upright ? 2 : last, upright ? last : 2, 0);
        walk(s, 1500);
        expect_at(s, a, upright ? 2 : next, upright ? next : 2);
        expect_at(s, b, upright ? 2 : last, upright ? last : 2);
    }
}

/* The same, but closed steps are what makes the corridor: there are cells behind them. */
Test(body_agents, two_swap_at_the_end_of_a_corridor_between_closed_steps) {
    static const char *const rows[] = {"########", "#......#", "#......#", "#......#", "########"};
    OWNED_SQUARE *s = open_square(rows, 5);
    wend_edit *edit = begin_edit(s->map);
    for (int32_t y = 1; y < 4; y += 2) {
        set_step_both(edit, (wend_cell){3, y, 0}, (wend_cell){4, y, 0}, 0);
        for (int32_t x = 4; x < 7; x++) set_step_both(edit, (wend_cell){x, y, 0}, (wend_cell){x, 2, 0}, 0);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    ARRIVE(s, 1500, {6, 2, 400, 5, 2}, {5, 2, 400, 6, 2});
}

Test(body_agents, one_lets_the_other_pass_in_a_pocket) {
    static const char *const pocket[] = {"####################", "....................", "#########.##########"};
    OWNED_SQUARE *s = open_square(pocket, 3);
    ARRIVE(s, 600, {0, 1, 400, 19, 1}, {19, 1, 400, 0, 1});
}

/* Closed steps shut the others. */
Test(body_agents, one_lets_the_other_pass_in_the_pocket_that_is_open) {
    static const char *const pockets[] = {"##.##.##.##", "...........", "##.##.##.##"};
    for (int32_t open = 0; open < 6; open++) {
        OWNED_SQUARE *s = open_square(pockets, 3);
        wend_edit *edit = begin_edit(s->map);
        for (int32_t k = 0; k < 6; k++) {
            const wend_cell pocket = {2 + k % 3 * 3, k / 3 * 2, 0}, street = {pocket.x, 1, 0};
            if (k != open) cr_assert_eq(set_step_both(edit, pocket, street, 0), WEND_OK);
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        ARRIVE(s, 600, {0, 1, 400, 10, 1}, {10, 1, 400, 0, 1});
    }
}

Test(body_agents, two_head_on_in_a_corridor_give_up) {
    static const char *const corridor[] = {"####################", "....................", "####################"};
    OWNED_SQUARE *s = open_square(corridor, 3);
    const wend_agent_id a = add(s, 0, 1, 400), b = add(s, 19, 1, 400);
    go(s, a, 19, 1, 0), go(s, b, 0, 1, 0);
    walk(s, 1400); /* agents without bodies take 1,116 */
    cr_assert(last_event(s, a) == WEND_AGENT_EVENT_GAVE_UP || last_event(s, b) == WEND_AGENT_EVENT_GAVE_UP);
}

/* ---- patience ---- */

/* What a body has waited is what its agent has: updates in which its next cell was refused. */
Test(body_agents, says_how_long_it_has_waited) {
    static const char *const corridor[] = {"####################", "....................", "####################"};
    OWNED_SQUARE *s = open_square(corridor, 3);
    (void)add_flagged(s, 10, 1, AS_PARKED, 400);
    const wend_agent_id a = send(s, 6, 1, 400, 18, 1);
    uint32_t most = 0;
    for (int k = 0; k < 60; k++) {
        frames(s, 1);
        cr_assert_eq(body_of(s, a).waited, state_of(s, a).waited);
        if (body_of(s, a).waited > most) most = body_of(s, a).waited;
    }
    cr_assert(most > 4 && most < 60, "%u", most);
}

/* Holds a parked disc off the middle of its cell, to which it would come back. */
static void hold(square *s, wend_agent_id id, int32_t x, int32_t y) {
    s->seen.of[id.index].placed = s->seen.of[id.index].pressed = true;
    cr_assert_eq(place_rounded(s->crowd, id, (wend_body_vector){x, y}, (wend_body_vector){0, 0}), WEND_OK);
}

/* Two discs between which a cell is free, and no disc fits through. */
static void hold_gap(square *s) {
    const wend_agent_id ids[] = {{0, 1}, {1, 1}};
    const int32_t x = 10 * WEND_BODY_UNITS, y = WEND_BODY_UNITS * 9 / 20;
    hold(s, ids[0], x, y), hold(s, ids[1], x, 2 * WEND_BODY_UNITS - y);
}

/* An agent ends its goal once it was not nearer for 1,200 units of time, 8 more for each agent, and the time of the way
 * that is left. What it has walked by then and what is left are its whole way. */
static void expect_end_in_time(square *s, wend_agent_id id, uint32_t agents, uint32_t elapsed_milli, bool gap) {
    enum { SLACK = 28 }; /* it gains speed, and steps back and on; two more steps count as left */
    const wend_agent_state state = state_of(s, id);
    const int64_t way = 1000 * (int64_t)abs(state.goal_cell.x - state.cell.x) / (int32_t)state.speed_milli;
    const int64_t least = 1000 * (1200 + 8 * (int64_t)agents + way);
    int64_t now = 0;
    for (s->event_count = 0; now < least + SLACK * 1000 && s->event_count == 0; now += elapsed_milli) {
        if (gap) hold_gap(s);
        frame_of(s, elapsed_milli);
    }
    cr_expect(s->event_count > 0 && now >= least, "updates of %u: %lld, %u events", elapsed_milli,
              (long long)(now - least), s->event_count);
    cr_expect_eq(last_event(s, id), WEND_AGENT_EVENT_GAVE_UP, "event %d", last_event(s, id));
}

static const uint32_t lengths[] = {1000, 50, 16};

Test(body_agents, gives_up_before_a_gap_between_parked_ones) {
    static const char *const lanes[] = {"....................", "....................", "...................."};
    for (int k = 0; k < 3; k++) {
        OWNED_SQUARE *s = open_square(lanes, 3);
        for (int32_t y = 0; y <= 2; y += 2) (void)add_flagged(s, 10, y, AS_PARKED, 400);
        const wend_agent_id a = send(s, 1, 1, 400, 18, 1);
        expect_end_in_time(s, a, 3, lengths[k], true);
        cr_expect_eq(s->events[0].why, WEND_WHY_BLOCKED);
    }
}

/// What stands at the corners of a gap.
enum { PARKED, STEERED, UNIT, WALL };

static void put_at(square *s, int what, int32_t x, int32_t y) {
    const wend_cell cell = {x, y, 0};
    if (what == WALL) cr_assert_eq(wend_map_set_cell(s->map, cell, 0, NULL), WEND_OK);
    if (what == UNIT) cr_assert_eq(wend_map_occupy(s->map, cell), WEND_OK);
    if (what == PARKED) (void)add_flagged(s, x, y, AS_PARKED, 400);
    if (what == STEERED) (void)add_flagged(s, x, y, AS_STEERED, 400);
}

/* Two columns meet at a corner. The straight way leads between them; below them rows are free. */
static uint32_t pass_columns(int upper, int lower, uint32_t radius_milli) {
    static const char *const field[] = {"....................", "....................", "....................",
                                        "....................", "....................", "....................",
                                        "....................", "....................", "....................",
                                        "....................", "....................", "...................."};
    OWNED_SQUARE *s = open_square_by(field, 12, WEND_CORNERS_ALWAYS);
    for (int32_t k = 0; k < 5; k++) put_at(s, upper, 10, k), put_at(s, lower, 11, 5 + k);
    const wend_agent_id a = add(s, 2, 4, radius_milli);
    uint32_t count = 0;
    go(s, a, 18, 4, 0);
    for (; count < 400 && last_event(s, a) != WEND_AGENT_EVENT_ARRIVED; count++) frames(s, 1);
    cr_expect_lt(count, 400, "between %d and %d: it is at %d,%d", upper, lower, state_of(s, a).cell.x,
                 state_of(s, a).cell.y);
    return count;
}

Test(body_agents, goes_round_gaps_between_what_stays) {
    enum { STRAIGHT = 90 };
    static const int pairs[][2] = {{PARKED, PARKED}, {STEERED, STEERED}, {UNIT, UNIT},   {WALL, UNIT},
                                   {UNIT, WALL},     {WALL, PARKED},     {PARKED, UNIT}, {WALL, WALL}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        cr_expect_gt(pass_columns(pairs[k][0], pairs[k][1], 400), STRAIGHT);
    cr_expect_gt(pass_columns(PARKED, PARKED, 200), STRAIGHT); /* a diagonal needs both corners, however small */
}

/* A map that lets paths cut both corners leads between two walls that meet at one. */
Test(body_agents, gives_up_before_a_gap_in_the_ground) {
    static const char *const gap[] = {"..........#.........", "...........#........"};
    for (int k = 0; k < 3; k++) {
        OWNED_SQUARE *s = open_square_by(gap, 2, WEND_CORNERS_ALWAYS);
        const wend_agent_id a = send(s, 1, 0, 400, 18, 0);
        expect_end_in_time(s, a, 1, lengths[k], false);
        cr_expect_eq(s->events[0].why, WEND_WHY_NO_PATH);
    }
}

/* A long way takes longer than the patience. */
Test(body_agents, goes_on_while_it_gets_on) {
    static const char *const corridor[] = {"####################", "....................", "####################"};
    for (int k = 0; k < 3; k++) {
        OWNED_SQUARE *s = open_square(corridor, 3);
        const wend_agent_id a = add(s, 1, 1, 400);
        cr_assert_eq(wend_crowd_set_speed(s->crowd, a, 20), WEND_OK);
        go(s, a, 18, 1, 0);
        for (int n = 0; n < 1100 * 1000 / (int)lengths[k]; n++) frame_of(s, lengths[k]);
        expect_at(s, a, 18, 1);
        cr_expect_eq(last_event(s, a), WEND_AGENT_EVENT_ARRIVED, "event %d", last_event(s, a));
    }
}

/* Eight want through the door of two rooms, behind which one that is parked leaves no room for a disc. */
Test(body_agents, all_in_a_jam_give_up) {
    for (int k = 0; k < 3; k++) {
        OWNED_SQUARE *s = open_square(two_rooms, 5);
        const wend_agent_id parked = add_flagged(s, 10, 2, AS_PARKED, 400);
        wend_agent_id ids[8];
        int64_t now = 0;
        for (int32_t i = 0; i < 8; i++) ids[i] = add(s, i % 3, i / 3, 400);
        for (int32_t i = 0; i < 8; i++) go(s, ids[i], 16 + i % 3, i / 3, 0);
        for (; now < 2000000 && busy(s) > 0; now += lengths[k]) {
            hold(s, parked, 10 * WEND_BODY_UNITS - WEND_BODY_UNITS * 2 / 5, 2 * WEND_BODY_UNITS);
            frame_of(s, lengths[k]);
        }
        for (int32_t i = 0; i < 8; i++) cr_expect(!state_of(s, ids[i]).has_goal, "updates of %u: %d", lengths[k], i);
        for (uint32_t n = 0; n < s->event_count; n++) cr_expect_neq(s->events[n].event, WEND_AGENT_EVENT_ARRIVED);
    }
}

/* Returns where an open cell without an agent is, that a path leads to from the middle; each cell once. */
static wend_cell draw_place(const square *s, uint64_t *random, const uint8_t *reached, uint8_t *used) {
    for (;;) {
        const int32_t x = (int32_t)draw(random, (uint32_t)s->width), y = (int32_t)draw(random, (uint32_t)s->height);
        if (!reached[y * s->width + x] || used[y * s->width + x]) continue;
        used[y * s->width + x] = 1;
        return (wend_cell){x, y, 0};
    }
}

Test(body_agents, all_arrive_on_noise) {
    enum { SIDE = 28, BODIES = 40 };
    static char rows[SIDE][SIDE + 1];
    const char *lines[SIDE];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint8_t reached[SIDE * SIDE] = {0}, starts[SIDE * SIDE] = {0}, goals[SIDE * SIDE] = {0};
        uint64_t random = seed;
        wend_agent_id ids[BODIES];
        wend_cell ends[BODIES];
        for (int32_t y = 0; y < SIDE; lines[y] = rows[y], y++)
            for (int32_t x = 0; x < SIDE; x++) rows[y][x] = draw(&random, 100) < 20 ? '#' : '.';
        rows[SIDE / 2][SIDE / 2] = '.';
        reached[SIDE / 2 * SIDE + SIDE / 2] = 1;
        for (bool more = true; more;) { /* straight steps */
            more = false;
            for (int32_t k = 0; k < SIDE * SIDE; k++) {
                const int32_t x = k % SIDE, y = k / SIDE;
                if (reached[k] || rows[y][x] == '#') continue;
                reached[k] = (x > 0 && reached[k - 1]) || (x + 1 < SIDE && reached[k + 1]) ||
                             (y > 0 && reached[k - SIDE]) || (y + 1 < SIDE && reached[k + SIDE]);
                more |= reached[k];
            }
        }
        OWNED_SQUARE *s = open_square(lines, SIDE);
        for (uint32_t i = 0; i < BODIES; i++) {
            const wend_cell at = draw_place(s, &random, reached, starts);
            ends[i] = draw_place(s, &random, reached, goals);
            ids[i] = add(s, at.x, at.y, 400);
            go(s, ids[i], ends[i].x, ends[i].y, 0);
        }
        walk(s, 3000);
        frames(s, 300);
        for (uint32_t i = 0; i < BODIES; i++) expect_at(s, ids[i], ends[i].x, ends[i].y);
    }
}

Test(body_agents, s35_counts_as_a_unit_of_the_cell_of_its_centre) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 1, 2, 400);
    uint32_t units = 0;
    go(s, a, 9, 2, 0);
    for (int32_t k = 0; k < 40; k++) {
        frames(s, 1);
        uint32_t all = 0;
        for (int32_t x = 0; x < 20; x++) {
            cr_assert_eq(wend_map_get_occupants(s->map, (wend_cell){x, 2, 0}, &units), WEND_OK);
            all += units;
        }
        cr_assert_eq(all, 1);
        wend_map_get_occupants(s->map, state_of(s, a).cell, &units);
        cr_assert_eq(units, 1);
    }
    cr_assert_eq(wend_crowd_remove(s->crowd, a), WEND_OK);
    wend_map_get_occupants(s->map, (wend_cell){9, 2, 0}, &units);
    cr_assert_eq(units, 0);
}

Test(body_agents, agents_do_not_come_where_a_body_is) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    (void)add(s, 5, 2, 400);
    wend_agent_id other;
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){5, 2, 0};
    cr_assert_eq(wend_crowd_add(s->crowd, &def, &other), WEND_BUSY);
}

Test(body_agents, a_group_gets_places) {
    OWNED_SQUARE *s = open_square(two_rooms, 5);
    wend_agent_id ids[8];
    for (int32_t i = 0; i < 8; i++) ids[i] = add(s, i % 4, i / 4, 400);
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){15, 2, 0};
    cr_assert_eq(wend_crowd_go(s->crowd, ids, 8, &goal), WEND_OK);
    walk(s, 1000);
    for (int32_t i = 0; i < 8; i++) {
        cr_assert_eq(last_event(s, ids[i]), WEND_AGENT_EVENT_ARRIVED);
        cr_assert(state_of(s, ids[i]).cell.x >= 12);
    }
}

/* ---- the host ---- */

Test(body_agents, is_put_elsewhere_and_goes_on) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 1, 1, 400);
    (void)add(s, 10, 4, 400);
    go(s, a, 15, 1, 0);
    frames(s, 10);
    cr_assert_eq(wend_crowd_move(s->crowd, a, (wend_cell){10, 4, 0}), WEND_BUSY);
    cr_assert_eq(wend_crowd_move(s->crowd, a, (wend_cell){5, 5, 0}), WEND_OK);
    s->seen.of[a.index].placed = true;
    cr_assert_eq(body_of(s, a).exact_at.x, 5 * WEND_BODY_UNITS);
    walk(s, 200);
    expect_at(s, a, 15, 1);
}

Test(body_agents, loses_its_body_and_steps_on) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = send(s, 1, 1, 400, 15, 1);
    frames(s, 10);
    cr_assert_eq(wend_crowd_set_body(s->crowd, a, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(s->crowd, a, NULL), WEND_STALE_TICKET);
    walk(s, 200);
    expect_at(s, a, 15, 1);
}

Test(body_agents, is_not_put_back_into_a_cell_that_another_got) {
    static const char *const lane[] = {"........"};
    static const wend_body_vector none = {0, 0};
    OWNED_SQUARE *s = open_square(lane, 1);
    const wend_agent_id first = send(s, 1, 0, 250, 7, 0), second = send(s, 0, 0, 250, 6, 0);
    uint32_t refused = 0;
    for (uint32_t k = 0; k < 100; k++) {
        frames(s, 1);
        const wend_body_vector at = body_of(s, first).exact_at;
        const bool taken = (at.x + WEND_BODY_UNITS / 2) / WEND_BODY_UNITS == state_of(s, second).cell.x;
        refused += taken;
        if (taken) cr_assert_eq(place_rounded(s->crowd, first, at, none), WEND_BUSY, "frame %u", k);
    }
    cr_assert_gt(refused, 0);
    expect_at(s, first, 7, 0);
}

/* Its path, which begins in the cell before, comes in the middle of a step. */
Test(body_agents, loses_its_body_beside_its_path) {
    static const char *const pocket[] = {"#......", "#.#####"};
    const wend_box corridor = {{1, 0, 0}, {6, 0, 0}};
    OWNED_SQUARE *s = open_square(pocket, 2);
    const wend_agent_id a = send(s, 1, 0, 400, 6, 0);
    cr_assert_eq(wend_crowd_update(s->crowd, 1000, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_clear_box(s->crowd, corridor), WEND_OK);
    cr_assert_eq(wend_crowd_update(s->crowd, 1000, NULL, NULL), WEND_OK);
    cr_assert_eq(state_of(s, a).cell.y, 1);
    frames(s, 2);
    cr_assert_eq(state_of(s, a).steps_left, 6);
    cr_assert_eq(wend_crowd_set_body(s->crowd, a, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_release_box(s->crowd, corridor), WEND_OK);
    for (wend_point now, last = state_of(s, a).point; busy(s) > 0; last = now) {
        frames(s, 1);
        now = state_of(s, a).point;
        cr_assert(abs(now.x - last.x) + abs(now.y - last.y) <= 250, "it leaps to %d,%d", now.x, now.y);
    }
    expect_at(s, a, 6, 0);
}

Test(body_agents, is_steered_to_a_neighbour) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 5, 2, 400);
    cr_assert_eq(wend_crowd_step(s->crowd, a, (wend_cell){6, 3, 0}), WEND_OK);
    frames(s, 30);
    expect_at(s, a, 6, 3);
    cr_assert_eq(s->event_count, 0);
    cr_assert_eq(wend_crowd_step(s->crowd, a, (wend_cell){9, 3, 0}), WEND_OK);
    frames(s, 1);
    cr_assert_eq(last_event(s, a), WEND_AGENT_EVENT_GAVE_UP);
}

/* Steers it once an update, until it is there. Returns how many updates that took. */
static uint32_t steer(square *s, wend_agent_id id, wend_cell to, uint32_t most) {
    uint32_t count = 0;
    for (; count < most; count++) {
        const wend_agent_state state = state_of(s, id);
        if (state.cell.x == to.x && state.cell.y == to.y) break;
        if (state.state != WEND_AGENT_WALKING) cr_assert_eq(wend_crowd_step(s->crowd, id, to), WEND_OK);
        frames(s, 1);
    }
    return count;
}

/* One step is enough for a body; an agent without one is told that it is blocked until the other one has gone. */
Test(body_agents, those_at_rest_make_room_for_a_steered_one) {
    for (uint32_t radius = 0; radius <= 400; radius += 400) {
        OWNED_SQUARE *s = open_square(open_field, 6);
        const wend_agent_id player = add(s, 5, 2, radius), rests = add(s, 6, 2, 400);
        cr_assert_lt(steer(s, player, (wend_cell){6, 2, 0}, 60), 40, "radius %u", radius);
        frames(s, 60);
        expect_at(s, player, 6, 2);
        cr_assert_eq(state_of(s, rests).state, WEND_AGENT_IDLE);
        cr_assert(s->event_count == 0 || radius == 0);
    }
}

Test(body_agents, a_steered_one_is_blocked_by_those_that_make_no_room) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id player = add(s, 5, 2, 400), steered = add(s, 4, 2, 400);
    const wend_agent_id parked = add_flagged(s, 6, 2, AS_PARKED, 400);
    const wend_agent_id waited_for = add(s, 5, 3, 400);
    cr_assert_eq(wend_crowd_step(s->crowd, steered, (wend_cell){4, 2, 0}), WEND_OK);
    cr_assert_eq(wend_crowd_wait_for(s->crowd, player, &waited_for, 1), WEND_OK);
    cr_assert_eq(wend_map_occupy(s->map, (wend_cell){5, 1, 0}), WEND_OK);
    static const wend_cell taken[] = {{6, 2, 0}, {4, 2, 0}, {5, 3, 0}, {5, 1, 0}};
    for (uint32_t k = 0; k < 4; k++) {
        cr_assert_eq(wend_crowd_step(s->crowd, player, taken[k]), WEND_OK);
        frames(s, 1);
        cr_assert_eq(s->event_count, k + 1, "%u", k);
        cr_assert_eq(s->events[k].event, WEND_AGENT_EVENT_GAVE_UP);
        cr_assert_eq(s->events[k].why, WEND_WHY_BLOCKED);
    }
    expect_at(s, player, 5, 2), expect_at(s, parked, 6, 2);
}

Test(body_agents, leaves_a_box) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 5, 2, 400);
    bool clear = true;
    const wend_box box = {{4, 1, 0}, {6, 3, 0}};
    cr_assert_eq(wend_crowd_clear_box(s->crowd, box), WEND_OK);
    frames(s, 60);
    cr_assert_eq(wend_crowd_is_clear(s->crowd, box, &clear), WEND_OK);
    cr_assert_eq(clear, 1);
    const wend_cell cell = state_of(s, a).cell;
    cr_assert(cell.x < 4 || cell.x > 6 || cell.y < 1 || cell.y > 3);
}

/* Clears a box, and expects all discs to be wholly out of it soon. */
static void clear(square *s, wend_box box, uint32_t most) {
    bool is_clear = false;
    cr_assert_eq(wend_crowd_clear_box(s->crowd, box), WEND_OK);
    for (uint32_t k = 0; k < most && !is_clear; k++) {
        frames(s, 1);
        cr_assert_eq(wend_crowd_is_clear(s->crowd, box, &is_clear), WEND_OK);
    }
    cr_assert(is_clear, "a box is not clear after %u frames", most);
}

static const char *const dead_end[] = {"####....", "........", "####...."};

/* Discs of so many in a row, from the first cell on, leave the box that they stand in. */
static void leave_box(const char *const *rows, int32_t height, int32_t count, int32_t across, int32_t size,
                      uint32_t radius_milli, wend_box box, uint32_t most) {
    OWNED_SQUARE *s = open_square(rows, height);
    for (int32_t i = 0; i < count; i++) {
        const int32_t x = box.min.x + i % across * size, y = box.min.y + i / across * size;
        (void)(size > 1 ? add_large(s, x, y, size, radius_milli) : add(s, x, y, radius_milli));
    }
    clear(s, box, most);
}

Test(body_agents, all_discs_leave_a_box_wholly) {
    static const uint32_t radii[] = {250, 400, 450, 490, 499};
    for (size_t k = 0; k < sizeof radii / sizeof radii[0]; k++) {
        leave_box(open_field, 6, radii[k] < 499 ? 16 : 4, 4, 1, radii[k], (wend_box){{2, 1, 0}, {5, 4, 0}}, 400);
        leave_box(dead_end, 3, 4, 4, 1, radii[k], (wend_box){{0, 1, 0}, {3, 1, 0}}, 200);
        leave_box(open_field, 6, 4, 2, 2, 2 * radii[k], (wend_box){{4, 1, 0}, {7, 4, 0}}, 400);
    }
}

Test(body_agents, those_beside_a_box_reach_into_it_no_more) {
    static const wend_body_vector none = {0, 0};
    const wend_box box = {{2, 1, 0}, {4, 1, 0}};
    OWNED_SQUARE *s = open_square(dead_end, 3);
    const wend_agent_id rests = add(s, 4, 0, 400), waits = add(s, 7, 1, 400);
    cr_assert_eq(place_rounded(s->crowd, rests, (wend_body_vector){4 * WEND_BODY_UNITS, 5000}, none), WEND_OK);
    go(s, waits, 0, 1, 0);
    frames(s, 4);
    clear(s, box, 40);
    for (uint32_t k = 0; k < 250; k++) {
        bool is_clear = false;
        frames(s, 1);
        cr_assert_eq(wend_crowd_is_clear(s->crowd, box, &is_clear), WEND_OK);
        cr_assert(is_clear, "frame %u", k);
    }
}

static int32_t is_clear(const square *s, int32_t x, int32_t y) {
    bool clear = true;
    const wend_box box = {{x, y, 0}, {x + 1, y + 1, 0}};
    cr_assert_eq(wend_crowd_is_clear(s->crowd, box, &clear), WEND_OK);
    return clear;
}

Test(body_agents, a_box_is_clear_once_no_disc_reaches_into_it) {
    static const wend_body_vector none = {0, 0};
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 5, 2, 400);
    cr_assert(!is_clear(s, 4, 1) && !is_clear(s, 5, 2) && is_clear(s, 6, 2) && is_clear(s, 3, 2));
    for (int32_t k = 0; k < 4; k++) { /* past an edge and past a corner, on each side */
        const int32_t sign = k % 2 ? 1 : -1, across = k<2, next = sign> 0 ? 6 : 3, below = sign > 0 ? 3 : 0;
        for (int32_t percent = 8; percent < 40; percent += 4) {
            const int32_t off = sign * percent * WEND_BODY_UNITS / 100;
            const wend_body_vector at = {5 * WEND_BODY_UNITS + off, 2 * WEND_BODY_UNITS + (across ? off : 0)};
            cr_assert_eq(place_rounded(s->crowd, a, at, none), WEND_OK);
            cr_assert_eq(is_clear(s, next, 2 - (sign < 0)), percent <= 10, "%d percent to the side", percent);
            if (across) cr_assert_eq(is_clear(s, next, below), percent <= 21, "%d percent across", percent);
        }
    }
}

Test(body_agents, a_link_leads_to_its_end) {
    OWNED_SQUARE *s = open_square(two_rooms, 5);
    IN_BATCH(s->map, wend_edit_set_cell(edit, (wend_cell){9, 2, 0}, 0),
             wend_edit_add_link(edit, &(wend_link){{3, 3, 0}, {15, 1, 0}, 1000, 0}));
    const wend_agent_id a = send(s, 0, 0, 400, 17, 4);
    s->seen.links = true;
    walk(s, 300);
    expect_at(s, a, 17, 4);
}

/* An agent with a body rests at a link's end. It makes room for one with a body and one without, and comes back. */
Test(body_agents, one_at_rest_makes_room_at_the_end_of_a_link) {
    for (uint32_t radius = 0; radius <= 400; radius += 400) {
        OWNED_SQUARE *s = open_square(two_rooms, 5);
        wend_edit *edit = begin_edit(s->map);
        for (int32_t x = 9; x <= 10; x++) wend_edit_set_cell(edit, (wend_cell){x, 2, 0}, 0); /* no room on the link */
        wend_edit_add_link(edit, &(wend_link){{7, 2, 0}, {11, 2, 0}, 10, 0});
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        const wend_agent_id idle = add(s, 11, 2, 400), a = add(s, 2, 2, radius);
        s->seen.links = true;
        go(s, a, 17, 2, 0);
        frames(s, 200);
        expect_at(s, a, 17, 2);
        walk(s, 400);
        expect_at(s, idle, 11, 2);
    }
}

/* No other disc has to make room, also with walls on all sides. */
Test(body_agents, two_at_the_ends_of_a_link_change_places) {
    static const char *const cells[] = {"..#", "###", "..#"};
    OWNED_SQUARE *s = open_square(cells, 3);
    IN_BATCH(s->map, add_link_both(edit, (wend_cell){1, 0, 0}, (wend_cell){1, 2, 0}, 10));
    const wend_agent_id a = add(s, 1, 0, 400), b = add(s, 1, 2, 400), c = add(s, 0, 0, 400), d = add(s, 0, 2, 400);
    s->seen.links = true;
    go(s, a, 1, 2, 0), go(s, b, 1, 0, 0);
    walk(s, 40);
    expect_at(s, a, 1, 2), expect_at(s, b, 1, 0), expect_at(s, c, 0, 0), expect_at(s, d, 0, 2);
}

/* Where two want to be where the other is, they change places there, or the younger order makes room. */
Test(body_agents, ten_a_side_pass_through_a_pair_of_links) {
    OWNED_SQUARE *s = open_square(two_rooms, 5);
    IN_BATCH(s->map, wend_edit_set_cell(edit, (wend_cell){9, 2, 0}, 0),
             add_link_both(edit, (wend_cell){7, 2, 0}, (wend_cell){11, 2, 0}, 1000));
    s->seen.links = true;
    for (int32_t k = 0; k < 20; k++) {
        const int32_t x = k % 10 / 5, y = k % 5;
        const wend_agent_id id = add(s, k < 10 ? x : 18 - x, y, 400);
        go(s, id, k < 10 ? 18 - x : x, y, 0);
    }
    uint32_t frame = 0;
    for (; frame < 2000 && (frame == 0 || busy(s) > 0); frame++) frames(s, 1);
    cr_expect_lt(frame, 2000, "%u are busy", busy(s));
    uint32_t arrived = 0;
    for (uint32_t k = 0; k < s->event_count; k++) {
        arrived += s->events[k].event == WEND_AGENT_EVENT_ARRIVED;
        cr_expect_neq(s->events[k].event, WEND_AGENT_EVENT_GAVE_UP);
    }
    cr_expect_eq(arrived, 20);
}

/* What it leaped from stays in its sight: it goes on from the link's end. */
Test(body_agents, goes_on_after_a_short_cut_over_open_ground) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    IN_BATCH(s->map, wend_edit_add_link(edit, &(wend_link){{6, 3, 0}, {12, 3, 0}, 10, 0}));
    const wend_agent_id a = send(s, 2, 3, 400, 17, 3);
    s->seen.links = true;
    walk(s, 300);
    expect_at(s, a, 17, 3);
}

Test(body_agents, walks_round_a_wall_that_rises) {
    OWNED_SQUARE *s = open_square(two_rooms, 5);
    const wend_agent_id a = send(s, 2, 2, 400, 16, 2);
    frames(s, 10);
    wend_map_set_cell(s->map, (wend_cell){9, 0, 0}, 1, NULL);
    wend_map_set_cell(s->map, (wend_cell){9, 2, 0}, 0, NULL);
    walk(s, 300);
    expect_at(s, a, 16, 2);
}

/* Ground that its own mover cannot enter is a wall for its disc, though others walk there. */
Test(body_agents, keeps_off_ground_that_is_closed_to_its_mover) {
    enum { WATER = 7, RADIUS = WEND_BODY_UNITS * 4 / 10, HALF = WEND_BODY_UNITS / 2 };
    OWNED_SQUARE *s = open_square(open_field, 6);
    wend_mover mover = default_mover();
    mover.factors[WATER] = 0;
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    wend_agent_id id;
    cr_assert_eq(wend_map_add_mover(s->map, &mover, &def.mover), WEND_OK);
    for (int32_t y = 0; y < 4; y++) wend_map_set_cell(s->map, (wend_cell){9, y, 0}, WATER, NULL);
    def.cell = (wend_cell){2, 1, 0}, body.radius_milli = 400;
    cr_assert_eq(wend_crowd_add(s->crowd, &def, &id), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(s->crowd, id, &body), WEND_OK);
    s->seen.of[id.index].placed = true, s->seen.sizes[def.mover] = 1;
    go(s, id, 17, 1, 0);
    for (int frame = 0; frame < 300; frame++) {
        frames(s, 1);
        const wend_body_vector at = body_of(s, id).exact_at;
        const double right = fmax(0, fabs((double)at.x - 9 * WEND_BODY_UNITS) - HALF),
                     down = fmax(0, (double)at.y - 3 * WEND_BODY_UNITS - HALF);
        cr_assert_geq(right * right + down * down, (double)RADIUS * RADIUS * 0.99, "frame %d", frame);
    }
    expect_at(s, id, 17, 1);
}

Test(body_agents, as_wide_as_a_cell_gets_into_a_corner) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = send(s, 5, 2, 499, 19, 5);
    walk(s, 400);
    expect_at(s, a, 19, 5);
    cr_assert_eq(last_event(s, a), WEND_AGENT_EVENT_ARRIVED);
}

Test(body_agents, comes_out_of_a_wall_that_fell_on_it) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 5, 2, 400);
    frames(s, 1);
    wend_map_set_cell(s->map, (wend_cell){5, 2, 0}, 0, NULL);
    s->seen.of[a.index].inside = true;
    go(s, a, 12, 2, 0);
    walk(s, 300);
    expect_at(s, a, 12, 2);
}

/* Those at rest come out, too, and rest there: side by side, also with no goal left, or parked. */
Test(body_agents, comes_out_at_rest_of_a_wall_that_fell_on_it) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id of[] = {add(s, 2, 2, 400), add(s, 8, 2, 400),  add(s, 9, 2, 400),
                                add(s, 8, 3, 300), add(s, 15, 3, 400), add_flagged(s, 18, 3, AS_PARKED, 450)};
    enum { COUNT = sizeof of / sizeof of[0] };
    go(s, of[4], 14, 3, 0);
    walk(s, 100);
    for (int k = 0; k < COUNT; k++) {
        wend_map_set_cell(s->map, state_of(s, of[k]).cell, 0, NULL);
        s->seen.of[of[k].index].inside = true;
    }
    frames(s, 60);
    wend_body_vector at[COUNT];
    for (int k = 0; k < COUNT; k++) at[k] = body_of(s, of[k]).exact_at;
    frames(s, 600);
    for (int k = 0; k < COUNT; k++) {
        const wend_body_vector now = body_of(s, of[k]).exact_at;
        const bool parked = k == COUNT - 1; /* it is the host's to move */
        cr_assert(s->seen.of[of[k].index].inside == parked, "body %d", k);
        cr_assert(now.x == at[k].x && now.y == at[k].y, "body %d moves on", k);
    }
}

/* ---- larger than a cell ---- */

static const char *const street_4[] = {"..............................", "..............................",
                                       "..............................", ".............................."};
static const char *const wide_door[] = {".............##.............", ".............##.............",
                                        ".............##.............", "...........................",
                                        "...........................",  ".............##.............",
                                        ".............##.............", ".............##............."};

Test(body_agents, a_large_one_rests_in_the_middle_of_all_its_cells) {
    for (int32_t size = 2; size <= 3; size++) {
        OWNED_SQUARE *s = open_square(open_field, 6);
        const wend_agent_id a = add_large(s, 0, 0, size, 500 * (uint32_t)size - 1);
        const wend_body_vector first = body_of(s, a).exact_at;
        cr_assert_eq(first.x, (size - 1) * (WEND_BODY_UNITS / 2));
        go(s, a, 15, 3, 0);
        walk(s, 200);
        expect_at(s, a, 15, 3);
        const wend_body_state body = body_of(s, a);
        cr_assert_leq(abs(body.exact_at.x - first.x - 15 * WEND_BODY_UNITS), WEND_BODY_UNITS / 64);
        cr_assert_leq(abs(body.exact_at.y - first.y - 3 * WEND_BODY_UNITS), WEND_BODY_UNITS / 64);
        const wend_body_vector over = {first.x + (s->width - 1) * WEND_BODY_UNITS, first.y}, none = {0, 0};
        cr_assert_eq(place_rounded(s->crowd, a, over, none), WEND_OUT_OF_RANGE, "its last cells are off the map");
    }
}

Test(body_agents, two_large_ones_pass_in_a_street_twice_their_width) {
    for (uint32_t radius = 500; radius < 1000; radius += 100) {
        OWNED_SQUARE *s = open_square(street_4, 4);
        const wend_agent_id a = add_large(s, 1, 1, 2, radius), b = add_large(s, 27, 1, 2, radius);
        go(s, a, 27, 1, 0), go(s, b, 1, 1, 0);
        const uint32_t took = walk(s, 400);
        cr_assert_lt(took, 260, "radius %u: %u frames for 26 cells", radius, took);
        expect_at(s, a, 27, 1), expect_at(s, b, 1, 1);
    }
}

Test(body_agents, large_ones_pass_a_door_of_their_width_one_way_after_the_other) {
    OWNED_SQUARE *s = open_square(wide_door, 8);
    wend_agent_id ids[6];
    for (int32_t i = 0; i < 6; i++) ids[i] = add_large(s, i % 2 ? 25 : 0, i / 2 * 3, 2, 950);
    for (int32_t i = 0; i < 6; i++) go(s, ids[i], i % 2 ? 0 : 25, i / 2 * 3, 0);
    const uint32_t took = walk(s, 2000);
    cr_assert_lt(took, 900, "%u frames", took);
    for (int32_t i = 0; i < 6; i++) expect_at(s, ids[i], i % 2 ? 0 : 25, i / 2 * 3);
}

Test(body_agents, a_large_one_meets_small_ones_in_a_street) {
    OWNED_SQUARE *s = open_square(street_4, 4);
    wend_agent_id small[8];
    const wend_agent_id large = add_large(s, 27, 1, 2, 950);
    for (int32_t i = 0; i < 8; i++) small[i] = add(s, i / 2, 1 + i % 2, 400);
    go(s, large, 1, 1, 0);
    for (int32_t i = 0; i < 8; i++) go(s, small[i], 26 + i / 2, 1 + i % 2, 0);
    walk(s, 1000);
    expect_at(s, large, 1, 1);
    for (int32_t i = 0; i < 8; i++) expect_at(s, small[i], 26 + i / 2, 1 + i % 2);
}

/* Its disc could cut the corner of a wall where the cells that it covers can't. */
Test(body_agents, a_small_disc_of_a_large_one_goes_round_corners) {
    static const char *const corner[] = {"..............", "..............", "..............",
                                         ".....#########", ".....#########", ".....#########",
                                         "..............", "..............", ".............."};
    OWNED_SQUARE *s = open_square(corner, 9);
    for (int32_t k = 0; k < 4; k++) {
        const wend_agent_id a = add_large(s, 11, 0, 3, 100 + 400 * (uint32_t)k);
        go(s, a, 11, 6, 0);
        walk(s, 400);
        expect_at(s, a, 11, 6);
        cr_assert_eq(wend_crowd_remove(s->crowd, a), WEND_OK);
    }
}

/* The cells that a body covers are units, and no agent without a body comes into them. */
Test(body_agents, a_large_one_counts_in_all_its_cells) {
    OWNED_SQUARE *s = open_square(street_4, 4);
    const wend_agent_id large = add_large(s, 10, 1, 2, 700), pawn = add(s, 0, 1, 0), piece = add_large(s, 0, 2, 2, 0);
    for (int32_t k = 0; k < 16; k++) {
        const wend_cell cell = {9 + k % 4, k / 4, 0};
        const bool own = k % 4 > 0 && k % 4 < 3 && k / 4 > 0 && k / 4 < 3;
        uint32_t units = 9;
        cr_assert_eq(wend_map_get_occupants(s->map, cell, &units), WEND_OK);
        cr_assert_eq(units, own, "%u units at %d,%d", units, cell.x, cell.y);
    }
    go(s, pawn, 20, 1, 0), go(s, piece, 27, 2, 0);
    walk(s, 1000);
    expect_at(s, pawn, 20, 1), expect_at(s, piece, 27, 2);
    frames(s, 400);
    expect_at(s, large, 10, 1);
}

/* ---- who gets one ---- */

/* The disc of two by two cells is farther from the body than that of one of them: it was put through the body once. */
Test(body_agents, an_agent_shrinks_into_no_body) {
    static const char *const rows[] = {"........", "........", "........", "........", "........", "........"};
    const wend_body_vector leans = {37722, 64226}, none = {0, 0}, back = {2 * WEND_BODY_UNITS, 4 * WEND_BODY_UNITS};
    OWNED_SQUARE *s = open_square(rows, 6);
    const wend_agent_id body = add(s, 2, 4, 300);
    cr_assert_eq(place_rounded(s->crowd, body, leans, none), WEND_OK);
    const wend_agent_id large = add_large(s, 3, 4, 2, 0);
    cr_assert_eq(wend_crowd_set_mover(s->crowd, &large, 1, WEND_MOVER_DEFAULT), WEND_BUSY);
    cr_assert_eq(state_of(s, large).mover, 1);
    cr_assert_eq(place_rounded(s->crowd, body, back, none), WEND_OK);
    cr_assert_eq(wend_crowd_set_mover(s->crowd, &large, 1, WEND_MOVER_DEFAULT), WEND_OK);
}

Test(body_agents, limits_are_where_they_are_said_to_be) {
    OWNED_SQUARE *s = open_square(open_field, 6);
    const wend_agent_id a = add(s, 1, 1, 0);
    static const uint32_t bad[] = {WEND_MIN_RADIUS_MILLI - 1, WEND_MAX_RADIUS_MILLI + 1, 0};
    wend_body_def def = default_body();
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        def.radius_milli = bad[k];
        cr_assert_eq(wend_crowd_set_body(s->crowd, a, &def), WEND_BAD_ARGUMENT);
    }
    const wend_agent_id large = add_large(s, 3, 1, 2, 0);
    def.radius_milli = WEND_MAX_RADIUS_MILLI + 501;
    cr_assert_eq(wend_crowd_set_body(s->crowd, large, &def), WEND_BAD_ARGUMENT);
    def.radius_milli--;
    cr_assert_eq(wend_crowd_set_body(s->crowd, large, &def), WEND_OK);
    static const uint32_t good[] = {WEND_MIN_RADIUS_MILLI, WEND_MAX_RADIUS_MILLI};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        def.radius_milli = good[k];
        def.turn_degrees = WEND_MAX_TURN_DEGREES, def.accel_milli = WEND_MAX_ACCEL_MILLI;
        def.turning_radius_milli = WEND_MAX_TURNING_MILLI;
        cr_assert_eq(wend_crowd_set_body(s->crowd, a, &def), WEND_OK);
        cr_assert_eq(wend_crowd_set_body(s->crowd, a, &def), WEND_IN_USE);
        cr_assert_eq(wend_crowd_set_body(s->crowd, a, NULL), WEND_OK);
    }
}

/* In a lane: one that stands makes room for another, but not for one that waits for it, with or without a body. */
static void meet_in_lane(bool body, bool waits) {
    static const char *const lane[] = {"....................", "####################"};
    OWNED_SQUARE *s = open_square(lane, 2);
    const wend_agent_id king = add(s, 10, 0, 400), page = add(s, 2, 0, body ? 400 : 0);
    if (waits) cr_assert_eq(wend_crowd_wait_for(s->crowd, page, &king, 1), WEND_OK);
    go(s, page, 14, 0, 0);
    bool moved = false;
    for (int frame = 0; frame < 200; frame++) {
        frames(s, 1);
        const wend_body_vector at = body_of(s, king).exact_at;
        moved = moved || at.x != 10 * WEND_BODY_UNITS || at.y != 0;
    }
    cr_expect_eq(moved, !waits, "body %d, waits %d", body, waits);
    if (waits) cr_expect_leq(state_of(s, page).cell.x, 9);
}

Test(body_agents, makes_no_room_for_one_that_waits_for_it) {
    for (int k = 0; k < 4; k++) meet_in_lane(k & 1, k & 2);
}

Test(body_agents, one_that_stands_makes_room_for_an_agent_without_a_body) {
    static const char *const lane[] = {"....................", "####################"};
    OWNED_SQUARE *s = open_square(lane, 2);
    const wend_agent_id king = add(s, 10, 0, 400), page = add(s, 2, 0, 0);
    go(s, page, 14, 0, 0);
    int there = -1, moved = -1;
    for (int frame = 0; frame < 300 && moved < 0; frame++) {
        frames(s, 1);
        if (there < 0 && state_of(s, page).cell.x == 9) there = frame;
        if (body_of(s, king).exact_at.x != 10 * WEND_BODY_UNITS) moved = frame;
    }
    cr_expect_gt(there, 0);
    cr_expect(moved - there >= 0 && moved - there < 12, "after %d frames", moved - there);
}

/* Sends a leader off with followers round it. @return frames until nobody moves any more, of so many */
static uint32_t lead(square *s, wend_agent_id leader, uint32_t followers, uint32_t radius_milli, uint32_t most) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.reach = 1, goal.target = leader;
    wend_point before[MOST] = {0};
    uint32_t last = 0;
    for (uint32_t i = 0; i < followers; i++) {
        const wend_agent_id id = add(s, 1 + (int32_t)i % 6, 1 + (int32_t)i / 6, radius_milli);
        cr_assert_eq(wend_crowd_go(s->crowd, &id, 1, &goal), WEND_OK);
    }
    frames(s, 100);
    go(s, leader, 28, 7, 0);
    for (uint32_t frame = 1; frame <= most; frame++) {
        frames(s, 1);
        for (uint32_t i = 0; i <= followers; i++) {
            wend_crowd_view view = {.struct_bytes = sizeof view};
            cr_assert_eq(wend_crowd_get_view(s->crowd, &view), WEND_OK);
            if (view.points[i].x != before[i].x || view.points[i].y != before[i].y) last = frame;
            before[i] = view.points[i];
        }
    }
    return last;
}

/* They make room for their leader when he goes, push neither him nor each other when he stands, and rest near him. */
Test(body_agents, followers_rest_near_one_that_stands) {
    static char rows[15][41];
    const char *lines[15];
    for (int y = 0; y < 15; y++) lines[y] = memset(rows[y], '.', 40);
    const uint32_t counts[] = {5, 12, 12, 30}, radii[] = {250, 400, 470, 400};
    for (int k = 0; k < 4; k++) {
        OWNED_SQUARE *s = open_square(lines, 15);
        const wend_agent_id leader = add(s, 3, 7, radii[k]);
        const uint32_t rest = lead(s, leader, counts[k], radii[k], 5000);
        cr_expect_lt(rest, 4800, "%u followers with radii of %u move on", counts[k], radii[k]);
        const wend_body_vector at = body_of(s, leader).exact_at;
        cr_expect_lt(hypot(at.x - 28.0 * WEND_BODY_UNITS, at.y - 7.0 * WEND_BODY_UNITS), WEND_BODY_UNITS / 16);
    }
}

/* Bodies of a formation keep their places on the way, and stand in it at the end. */
Test(body_agents, a_formation_of_bodies_is_kept_on_the_way) {
    static char rows[24][161];
    const char *lines[24];
    for (int y = 0; y < 24; y++) {
        memset(rows[y], '.', 160);
        if (y != 11 && y != 12) rows[y][40] = '#';
        lines[y] = rows[y];
    }
    OWNED_SQUARE *s = open_square(lines, 24);
    wend_agent_id ids[9];
    for (int i = 0; i < 9; i++) ids[i] = add(s, 2 + 2 * (i % 3), 10 + 2 * (i / 3), 300);
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){150, 11, 0}, goal.formation = WEND_AS_WEDGE, goal.spacing = 2;
    cr_assert_eq(wend_crowd_go(s->crowd, ids, 9, &goal), WEND_OK);
    double off = 0;
    uint32_t measured = 0;
    static wend_body_vector seen[3000][9];
    uint32_t count = 0;
    for (; count < 3000 && busy(s) > 0; count++) {
        frames(s, 1);
        for (int i = 0; i < 9; i++) seen[count][i] = body_of(s, ids[i]).exact_at;
    }
    cr_assert_lt(count, 3000, "they are still on their way");
    const wend_body_vector *ends = seen[count - 1];
    for (uint32_t f = 0; f < count; f++) {
        const double x = seen[f][0].x - ends[0].x, y = seen[f][0].y - ends[0].y;
        if (seen[f][0].x < 75 * WEND_BODY_UNITS || seen[f][0].x > 115 * WEND_BODY_UNITS) continue;
        for (int i = 1; i < 9; i++)
            off += hypot(seen[f][i].x - ends[i].x - x, seen[f][i].y - ends[i].y - y) / WEND_BODY_UNITS / 8;
        measured++;
    }
    cr_expect_leq(off / measured, 2.0, "%.1f cells off", off / measured);
}

/* Returns the sine of a vehicle's change of direction, less the change that its circle allows. */
static double excess_of_turn(wend_body_vector was, wend_body_vector v, double circle) {
    const double speed = hypot(v.x, v.y), before = hypot(was.x, was.y);
    if (speed < 200 || before < 200) return 0;
    return fabs((double)was.x * v.y - (double)was.y * v.x) / speed / before - fmax(speed, before) / circle;
}

/* Walls all round: the vehicle must back to turn. Goals are next to it, behind it, and inside its turning circle. */
Test(body_agents, a_vehicle_backs_to_turn) {
    static const char *const room[] = {"#######", "#.....#", "#.....#", "#.....#", "#.....#", "#.....#", "#######"};
    static const int32_t goals[][2] = {{2, 2}, {5, 2}, {5, 3}, {2, 5}, {1, 5}, {5, 5}, {5, 1}, {3, 1}};
    enum { TURNING = 2000, MOST_FRAMES = 900 };
    OWNED_SQUARE *s = open_square(room, 7);
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    uint32_t backed = 0;
    def.cell = (wend_cell){1, 1, 0}, def.speed_milli = 250, body.turning_radius_milli = TURNING;
    const wend_agent_id car = add_as(s, &def, &body);
    for (size_t k = 0; k < sizeof goals / sizeof goals[0]; k++) {
        wend_body_vector was = {0, 0};
        go(s, car, goals[k][0], goals[k][1], 0);
        for (int frame = 0; frame < MOST_FRAMES && state_of(s, car).state != WEND_AGENT_IDLE; frame++) {
            frames(s, 1);
            const wend_body_state state = body_of(s, car);
            const double excess = excess_of_turn(was, state.exact_velocity, TURNING * WEND_BODY_UNITS / 1000.);
            cr_assert_leq(excess, .01, "goal %zu, frame %d: %f", k, frame, excess);
            const int64_t along =
                (int64_t)state.velocity.x * state.facing.x + (int64_t)state.velocity.y * state.facing.y;
            backed += along < 0;
            was = state.exact_velocity;
        }
        const wend_cell at = state_of(s, car).cell;
        cr_expect(at.x == goals[k][0] && at.y == goals[k][1], "goal %zu: it stands at %d,%d", k, at.x, at.y);
    }
    cr_expect_gt(backed, 20);
}
