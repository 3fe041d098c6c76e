/* SPDX-License-Identifier: MIT */
/* A player who walks about among her own followers. */
#include "crowd/player_course.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/agents.h>
#include <wend/query.h>
#include <wend/units.h>

enum { WIDTH = 25, HEIGHT = 19, SPEED = 250, BUDGET = 20000, STRAIGHT_FRAMES = 4, DIAGONAL_FRAMES = 6 };

const char *const course_map_names[COURSE_MAPS] = {"corridors", "rooms", "pillars"};
const char *const course_way_names[COURSE_WAYS] = {"steered", "agent", "ghost with a unit"};

typedef struct course {
    int way;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id player;
    uint64_t random;
    wend_cell at, target;
    wend_cell wanted;     ///< the cell of this turn's step
    uint32_t ghost_waits; ///< frames until the ghost's step is over
    uint32_t run;         ///< blocked turns in a row
    course_result result;
} course;

static void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "player course: %s\n", wend_error_text(error));
    exit(1);
}

static bool is_open(int map, int32_t x, int32_t y) {
    if (x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1) return false;
    if (map == COURSE_CORRIDORS) return x > 1 && x < WIDTH - 2 && (x % 4 == 2 || y % 4 == 1); /* no dead ends */
    if (map == COURSE_ROOMS) return (x % 6 != 0 && y % 6 != 0) || x % 6 == 3 || y % 6 == 3;
    return x % 3 != 0 || y % 3 != 0;
}

static wend_map *make_map(int kind) {
    wend_map *map;
    wend_map_def def = default_map();
    def.width = WIDTH, def.height = HEIGHT;
    check(wend_map_create(&def, &map));
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) check(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, is_open(kind, x, y)));
    check(wend_edit_publish(edit, NULL));
    check(wend_map_accelerate(map, NULL));
    return map;
}

static wend_cell draw_cell(course *c, wend_cell from) {
    wend_cell cell;
    check(wend_map_random_cell(c->map, WEND_MOVER_DEFAULT, from, c->random++, &cell));
    return cell;
}

/* Returns false if the cell is taken. */
static bool add_agent(course *c, wend_cell cell, uint32_t flags, wend_agent_id *out) {
    wend_agent_def def = default_agent();
    def.cell = cell, def.speed_milli = SPEED;
    set_as(&def, flags);
    const wend_error error = wend_crowd_add(c->crowd, &def, out);
    if (error != WEND_BUSY) check(error);
    return !error;
}

/* Each anywhere, so that she is not surrounded from the beginning. */
static void add_followers(course *c, uint32_t count) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = c->player;
    for (uint32_t i = 0; i < count; i++) {
        wend_agent_id id;
        while (!add_agent(c, draw_cell(c, c->at), 0, &id)) continue;
        check(wend_crowd_go(c->crowd, &id, 1, &goal));
    }
}

static void open_course(course *c, int map, int way, uint32_t followers, uint64_t seed) {
    *c = (course){.way = way, .map = make_map(map), .random = seed * 1000};
    wend_service_def service = default_service();
    check(wend_service_create(&service, &c->service));
    wend_crowd_def def = default_crowd();
    def.agents = 64, def.service = c->service, def.map = c->map;
    check(wend_crowd_create(&def, &c->crowd));
    c->at = draw_cell(c, (wend_cell){2, 1, 0}), c->target = draw_cell(c, c->at);
    (void)add_agent(c, c->at, way == COURSE_GHOST ? AS_GHOST : 0, &c->player);
    if (way == COURSE_GHOST) check(wend_map_occupy(c->map, c->at));
    add_followers(c, followers);
}

static void close_course(course *c) {
    check(wend_crowd_destroy(c->crowd));
    check(wend_service_destroy(c->service));
    wend_map_release(c->map);
}

/* ---- a turn ---- */

/* Returns the next cell of the way to her target, as though there were no other agents. */
static wend_cell choose_step(course *c) {
    wend_cell cells[WIDTH * HEIGHT];
    size_t count = 0;
    while (same_cell(c->at, c->target)) {
        c->target = draw_cell(c, c->at);
        c->result.targets++;
    }
    check(wend_find_path(c->map, c->at, c->target, cells, WIDTH * HEIGHT, &count, NULL));
    return cells[1];
}

static void order(course *c) {
    if (c->way == COURSE_STEERED) {
        check(wend_crowd_step(c->crowd, c->player, c->wanted));
        return;
    }
    if (c->way == COURSE_AGENT) {
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = c->wanted;
        check(wend_crowd_go(c->crowd, &c->player, 1, &goal));
        return;
    }
    uint32_t units = 0;
    check(wend_map_get_occupants(c->map, c->wanted, &units));
    if (units > 0) return;
    check(wend_map_vacate(c->map, c->at));
    check(wend_map_occupy(c->map, c->wanted));
    check(wend_crowd_move(c->crowd, c->player, c->wanted));
    c->ghost_waits = c->wanted.x != c->at.x && c->wanted.y != c->at.y ? DIAGONAL_FRAMES : STRAIGHT_FRAMES;
}

static void run_frame(course *c) {
    wend_agent_event event = {.struct_bytes = sizeof event};
    wend_budget budget = budget_of(BUDGET);
    check(wend_service_tick(c->service, &budget, NULL));
    check(wend_crowd_update(c->crowd, 1000, NULL, NULL));
    while (wend_crowd_poll(c->crowd, &event) == WEND_OK) continue;
    if (c->ghost_waits > 0) c->ghost_waits--;
}

static void note_turn(course *c, wend_cell now) {
    course_result *result = &c->result;
    result->turns++;
    if (same_cell(now, c->wanted)) {
        c->run = 0;
        return;
    }
    result->blocked++;
    result->pushed += !same_cell(now, c->at);
    if (++c->run > result->longest) result->longest = c->run;
}

/* A frame; a turn, if she stands. */
static void step_course(course *c) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    check(wend_crowd_get_agent(c->crowd, c->player, &state));
    const bool stands = same_cell(state.from, state.cell) && c->ghost_waits == 0;
    c->at = state.cell;
    if (stands) c->wanted = choose_step(c);
    if (stands) order(c);
    run_frame(c);
    check(wend_crowd_get_agent(c->crowd, c->player, &state));
    if (stands) note_turn(c, state.cell);
}

course_result course_run(int map, int way, uint32_t followers, uint32_t turns, uint64_t seed) {
    course c;
    open_course(&c, map, way, followers, seed);
    for (uint32_t frame = 0; c.result.turns < turns && frame < 16 * turns; frame++) step_course(&c);
    close_course(&c);
    return c.result;
}
