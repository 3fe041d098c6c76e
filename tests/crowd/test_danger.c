/* SPDX-License-Identifier: MIT */
/* Danger: agents leave ground that they avoid or shun by the cheapest way, and go through what they shun only where
 * nothing else leads to their goal. */
#include "crowd/crowd_support.h"
#include "models/dijkstra.h"
#include "models/made.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/crowd_tuning.h>
#include <wend/movers.h>
#include <wend/query.h>
#include <wend/routes.h>
#include <wend/save.h>
#include <wend/search.h>
#include <wend/ways.h>

enum { FIRE = 4 };
static const uint64_t fire[4] = {1 << FIRE};

static wend_map *field(int32_t width, int32_t height) {
    return grid_map(width, height);
}

static int32_t avoiding(town *t) {
    int32_t id = 0;
    cr_assert_eq(wend_map_mover_avoiding(t->map, WEND_MOVER_DEFAULT, fire, &id), WEND_OK);
    return id;
}

static int32_t shunning(town *t) {
    int32_t id = 0;
    cr_assert_eq(wend_map_mover_shunning(t->map, WEND_MOVER_DEFAULT, fire, &id), WEND_OK);
    return id;
}

/* Adds an agent. The town's checks take its steps for those of the default mover, as which it leaves a fire. */
static uint32_t add_with(town *t, int32_t mover, int32_t x, int32_t y, uint32_t radius_milli) {
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){x, y, 0}, def.mover = mover;
    const uint32_t agent = town_add_def(t, &def);
    t->agents[agent].mover = WEND_MOVER_DEFAULT;
    if (radius_milli == 0) return agent;
    wend_body_def body = default_body();
    body.radius_milli = radius_milli;
    cr_assert_eq(wend_crowd_set_body(t->crowd, t->agents[agent].id, &body), WEND_OK);
    return agent;
}

static void burn(town *t, int32_t x, int32_t y, int32_t to_x, int32_t to_y, uint8_t class) {
    IN_BATCH(t->map, wend_edit_fill_box(edit, (wend_box){{x, y, 0}, {to_x, to_y, 0}}, class));
}

static bool is_in_fire(const town *t, uint32_t agent) {
    uint8_t class = 0;
    cr_assert_eq(wend_map_get_terrain(t->map, town_cell(t, agent), &class), WEND_OK);
    return class == FIRE;
}

/* ---- the way out ---- */

/* The case: 7 x 9 cells of fire; one is sent out, one has no goal. As cells, and as discs. */
static void leave(uint32_t radius_milli, bool shuns) {
    OWNED(town_close) town t;
    town_open_on(&t, field(20, 20), NULL, 0);
    const int32_t mover = shuns ? shunning(&t) : avoiding(&t);
    const uint32_t sent = add_with(&t, mover, 8, 9, radius_milli), idle = add_with(&t, mover, 7, 9, radius_milli);
    burn(&t, 5, 5, 11, 13, FIRE);
    town_go(&t, sent, 18, 18);
    town_frames(&t, 2);
    cr_assert_eq(town_state(&t, sent).danger, WEND_DANGER_LEAVES);
    cr_assert_eq(town_state(&t, idle).danger, WEND_DANGER_LEAVES);
    town_frames(&t, 200);
    cr_assert_eq(town_state(&t, sent).danger, WEND_DANGER_NONE);
    cr_assert_eq(town_state(&t, idle).danger, WEND_DANGER_NONE);
    cr_assert_eq(town_last(&t, sent), WEND_AGENT_EVENT_ARRIVED);
    cr_assert(town_is_at(&t, sent, 18, 18));
    cr_assert(!is_in_fire(&t, idle) && town_cell(&t, idle).x == 4, "the way to the left is the shortest");
    cr_assert_eq(town_state(&t, idle).mover, mover, "it is of the same kind as before");
}

Test(danger, cells_leave_what_they_avoid) {
    leave(0, false);
}

Test(danger, cells_leave_what_they_shun) {
    leave(0, true);
}

Test(danger, bodies_leave_what_they_avoid) {
    leave(400, false);
}

Test(danger, bodies_leave_what_they_shun) {
    leave(300, true);
}

/* A fire full of agents, every second one a disc. All come out, and those with goals arrive. */
Test(danger, a_crowd_leaves) {
    enum { LONG = 600 };
    OWNED(town_close) town t;
    uint32_t all[63], count = 0;
    town_open_on(&t, field(30, 30), NULL, 0);
    const int32_t mover = avoiding(&t);
    for (int32_t y = 1; y <= 9; y++)
        for (int32_t x = 1; x <= 7; x++, count++) all[count] = add_with(&t, mover, x, y, count % 2 ? 400 : 0);
    burn(&t, 1, 1, 7, 9, FIRE);
    for (uint32_t i = 0; i < count; i += 3) town_go_all(&t, &all[i], 1, (wend_cell){25, 25, 0}, 4);
    town_frames(&t, LONG);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert(!is_in_fire(&t, all[i]), "agent %u", i);
        if (i % 3 == 0) cr_assert_eq(town_last(&t, all[i]), WEND_AGENT_EVENT_ARRIVED, "agent %u", i);
    }
}

/* The oracle: the cost of the cheapest way out, by the public costs of steps. */
static int64_t cheapest_out(town *t, wend_cell from, int32_t side, wend_cell *out) {
    static int64_t distances[64 * 64];
    dijkstra d;
    int node;
    dijkstra_begin(&d, distances, (size_t)(side * side));
    dijkstra_reach(&d, from.y * side + from.x, 0);
    int64_t found = -1;
    while (found < 0 && dijkstra_next(&d, &node)) {
        const wend_cell at = {node % side, node / side, 0};
        uint8_t class = 0;
        cr_assert_eq(wend_map_get_terrain(t->map, at, &class), WEND_OK);
        if (class != FIRE) found = distances[node], *out = at;
        for (int k = 0; k < 9; k++) {
            const wend_cell to = {at.x + k % 3 - 1, at.y + k / 3 - 1, 0};
            bool legal = false;
            uint64_t cost = 0;
            if (k == 4 || to.x < 0 || to.y < 0 || to.x >= side || to.y >= side) continue;
            cr_assert_eq(wend_map_step_legal(t->map, WEND_MOVER_DEFAULT, at, to, &legal, &cost), WEND_OK);
            if (legal) dijkstra_reach(&d, to.y * side + to.x, distances[node] + (int64_t)cost);
        }
    }
    dijkstra_end(&d);
    return found;
}

/* One agent alone in random fires with walls in them: what its steps cost until it is out is the least. */
Test(danger, the_way_out_is_the_cheapest) {
    enum { SIDE = 24, WORLDS = 60 };
    uint64_t random = 11;
    int left = 0;
    for (int world = 0; world < WORLDS; world++) {
        OWNED(town_close) town t;
        town_open_on(&t, field(SIDE, SIDE), NULL, 0);
        const wend_cell from = {6 + (int32_t)draw(&random, 12), 6 + (int32_t)draw(&random, 12), 0};
        const uint32_t agent = add_with(&t, avoiding(&t), from.x, from.y, 0);
        burn(&t, 2, 2, SIDE - 3, SIDE - 3, FIRE);
        for (int i = 0; i < 150; i++) {
            const wend_cell cell = {(int32_t)draw(&random, SIDE), (int32_t)draw(&random, SIDE), 0};
            if (cell.x != from.x || cell.y != from.y) town_set(&t, cell.x, cell.y, draw(&random, 8) ? 0 : 1);
        }
        wend_cell out, at = from;
        const int64_t least = cheapest_out(&t, from, SIDE, &out);
        int64_t cost = 0;
        for (int frame = 0; frame < 400 && is_in_fire(&t, agent); frame++) {
            town_frame(&t);
            const wend_cell to = town_cell(&t, agent);
            bool legal = false;
            uint64_t step = 0;
            if (to.x == at.x && to.y == at.y) continue;
            cr_assert_eq(wend_map_step_legal(t.map, WEND_MOVER_DEFAULT, at, to, &legal, &step), WEND_OK);
            cr_assert(legal);
            cost += (int64_t)step, at = to;
        }
        cr_assert_eq(is_in_fire(&t, agent), least < 0, "world %d", world);
        if (least < 0) continue;
        cr_assert_eq(cost, least, "world %d: %lld, not %lld", world, (long long)cost, (long long)least);
        left++;
    }
    cr_assert_gt(left, WORLDS / 2);
}

/* The fire grows while they are on their way, and closes the way that they took; then it goes out. */
Test(danger, the_way_out_follows_the_fire) {
    OWNED(town_close) town t;
    town_open_on(&t, field(30, 9), NULL, 0);
    const uint32_t agent = add_with(&t, avoiding(&t), 10, 4, 0);
    burn(&t, 8, 0, 20, 8, FIRE);
    town_frames(&t, 3);
    burn(&t, 0, 0, 8, 8, 0); /* a wall to the left */
    town_frames(&t, 60);
    cr_assert(is_in_fire(&t, agent) && town_cell(&t, agent).x > 10, "it goes to the right");
    burn(&t, 8, 0, 20, 8, 1);
    const wend_cell here = town_cell(&t, agent);
    town_frames(&t, 20);
    cr_assert_leq(abs(town_cell(&t, agent).x - here.x), 1, "nothing burns any more: it stays");
}

/* A fire that comes over one that has arrived, one parked and one that its host steers. */
Test(danger, the_host_moves_its_own) {
    OWNED(town_close) town t;
    town_open_on(&t, field(20, 20), NULL, 0);
    const int32_t mover = shunning(&t);
    const uint32_t goer = add_with(&t, mover, 3, 3, 0);
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){6, 6, 0}, def.mover = mover, def.parked = true;
    const uint32_t parked = town_add_def(&t, &def);
    town_go(&t, goer, 5, 5);
    town_walk(&t, 100);
    burn(&t, 3, 3, 8, 8, FIRE);
    town_frames(&t, 4);
    cr_assert_eq(town_state(&t, goer).danger, WEND_DANGER_LEAVES);
    town_frames(&t, 60);
    cr_assert(!is_in_fire(&t, goer));
    cr_assert(town_is_at(&t, parked, 6, 6));
    cr_assert_eq(town_state(&t, parked).danger, WEND_DANGER_NONE);
}

static int frames_in_fire(town *t, uint32_t agent, int frames) {
    int in = 0;
    for (int frame = 0; frame < frames; frame++) {
        town_frame(t);
        in += is_in_fire(t, agent);
    }
    return in;
}

/* An order on the way out waits until the agent is out. */
Test(danger, an_order_on_the_way_out) {
    OWNED(town_close) town t;
    town_open_on(&t, field(60, 19), NULL, 0);
    const uint32_t agent = add_with(&t, avoiding(&t), 2, 8, 0);
    burn(&t, 0, 2, 50, 16, FIRE);
    town_frames(&t, 6);
    town_go(&t, agent, 57, 9);
    cr_assert_leq(frames_in_fire(&t, agent, 700), 130, "it leaves by the nearest border");
    cr_assert(town_is_at(&t, agent, 57, 9));
}

/* With little work an update all get out, later. */
Test(danger, little_work) {
    enum { COUNT = 36 };
    OWNED(town_close) town t;
    wend_crowd_def def = default_crowd();
    wend_crowd_tuning tuning;
    wend_crowd_tuning_init(&tuning, sizeof tuning);
    tuning.work = 1000, def.tuning = &tuning, def.agents = TOWN_AGENTS;
    town_open_on(&t, field(40, 40), &def, 0);
    uint32_t all[COUNT];
    const int32_t mover = avoiding(&t);
    for (uint32_t i = 0; i < COUNT; i++) all[i] = add_with(&t, mover, 15 + (int32_t)i % 6, 15 + (int32_t)i / 6, 0);
    burn(&t, 5, 5, 34, 34, FIRE);
    town_frames(&t, 1500);
    for (uint32_t i = 0; i < COUNT; i++) cr_assert(!is_in_fire(&t, all[i]), "agent %u", i);
}

/* Where all burns there is no way out. A goal ends; one that can be reached through what is shunned is. */
Test(danger, no_way_out) {
    OWNED(town_close) town t;
    town_open_on(&t, field(6, 6), NULL, 0);
    const uint32_t never = add_with(&t, avoiding(&t), 1, 1, 0), shy = add_with(&t, shunning(&t), 1, 4, 0);
    burn(&t, 0, 0, 5, 5, FIRE);
    town_go(&t, never, 4, 1);
    town_go(&t, shy, 4, 4);
    town_frames(&t, 300);
    cr_assert_eq(town_last(&t, never), WEND_AGENT_EVENT_GAVE_UP);
    cr_assert_eq(town_why(&t, never), WEND_WHY_NO_PATH);
    cr_assert_eq(town_last(&t, shy), WEND_AGENT_EVENT_ARRIVED);
}

/* The host steps one out of the fire, and puts another one beside it. */
Test(danger, the_host_leads_out) {
    OWNED(town_close) town t;
    town_open_on(&t, field(16, 16), NULL, 0);
    const int32_t mover = avoiding(&t);
    const uint32_t led = add_with(&t, mover, 7, 7, 0), put = add_with(&t, mover, 9, 7, 0);
    burn(&t, 2, 2, 12, 12, FIRE);
    town_frames(&t, 1);
    for (int32_t x = 6; x >= 4; x--) {
        t.agents[led].begun++;
        cr_assert_eq(wend_crowd_step(t.crowd, t.agents[led].id, (wend_cell){x, 7, 0}), WEND_OK);
        town_frames(&t, 40);
        cr_assert(town_is_at(&t, led, x, 7), "step to %d", x);
    }
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[put].id, (wend_cell){8, 8, 0}), WEND_BLOCKED);
    town_close(&t);
    town_open_on(&t, field(16, 16), NULL, 0);
    const uint32_t moved = add_with(&t, avoiding(&t), 7, 7, 0);
    burn(&t, 2, 2, 12, 12, FIRE);
    town_frames(&t, 2);
    cr_assert_eq(town_state(&t, moved).danger, WEND_DANGER_LEAVES);
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[moved].id, (wend_cell){14, 14, 0}), WEND_OK);
    t.agents[moved].cell = (wend_cell){14, 14, 0};
    cr_assert_eq(town_state(&t, moved).danger, WEND_DANGER_NONE);
}

/* An edit and an order in an event's callback, of a disc that is to go through: its disc reads ground of the newest
 * version. */
typedef struct caller {
    wend_map *map;
    wend_agent_id disc;
    int calls;
} caller;

static void order_there(void *context, const wend_agent_event *event) {
    caller *own = context;
    wend_crowd_goal goal = default_crowd_goal();
    if (own->calls++ > 0) return;
    for (int i = 0; i < 2; i++)
        IN_BATCH(own->map, wend_edit_fill_box(edit, (wend_box){{9 + i, 0, 0}, {9 + i, 8, 0}}, FIRE));
    goal.cell = (wend_cell){17, 4, 0};
    cr_assert_eq(wend_crowd_go((wend_crowd *)event->context, &own->disc, 1, &goal), WEND_OK);
}

Test(danger, an_order_in_a_callback) {
    caller own = {.map = field(20, 9)};
    wend_service *service;
    wend_crowd *crowd;
    const wend_service_def service_def = default_service();
    cr_assert_eq(wend_service_create(&service_def, &service), WEND_OK);
    wend_crowd_def def = default_crowd();
    def.service = service, def.map = own.map, def.on_event = order_there, def.context = &own;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_OK);
    wend_agent_def agent = default_agent();
    const wend_body_def body = default_body();
    agent.cell = (wend_cell){2, 4, 0}, agent.context = crowd;
    cr_assert_eq(wend_map_mover_shunning(own.map, 0, fire, &agent.mover), WEND_OK);
    cr_assert_eq(wend_crowd_add(crowd, &agent, &own.disc), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(crowd, own.disc, &body), WEND_OK);
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){4, 4, 0};
    cr_assert_eq(wend_crowd_go(crowd, &own.disc, 1, &goal), WEND_OK);
    for (int frame = 0; frame < 300; frame++) {
        cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(crowd, 1000, NULL, NULL), WEND_OK);
    }
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(crowd, own.disc, &state), WEND_OK);
    cr_assert(own.calls == 2 && state.cell.x == 17);
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(own.map);
}

/* ---- what is shunned ---- */

static wend_cell ford(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

/* A river of fire with a ford at the bottom: round by the ford; where that is shut, through; `never` stays before it. */
Test(danger, s39_through_only_where_nothing_else_leads) {
    OWNED(town_close) town t;
    town_open_on(&t, field(20, 9), NULL, 0);
    burn(&t, 9, 0, 10, 7, FIRE);
    const uint32_t shy = add_with(&t, shunning(&t), 2, 2, 0), never = add_with(&t, avoiding(&t), 2, 4, 0);
    town_go(&t, shy, 17, 2);
    bool burnt = false;
    for (int frame = 0; frame < 150; frame++) town_frame(&t), burnt |= is_in_fire(&t, shy);
    cr_assert(!burnt && town_is_at(&t, shy, 17, 2), "it went round by the ford");
    burn(&t, 9, 8, 10, 8, FIRE);
    town_go(&t, shy, 2, 2);
    town_go(&t, never, 17, 4);
    for (int frame = 0; frame < 150; frame++) {
        town_frame(&t);
        burnt |= is_in_fire(&t, shy);
        cr_assert(!is_in_fire(&t, shy) || town_state(&t, shy).danger == WEND_DANGER_THROUGH);
    }
    cr_assert_eq(town_state(&t, shy).danger, WEND_DANGER_NONE);
    cr_assert(burnt && town_is_at(&t, shy, 2, 2), "it went through");
    cr_assert_eq(town_last(&t, never), WEND_AGENT_EVENT_PARTIAL);
    cr_assert_eq(town_cell(&t, never).x, 8);
    cr_assert_eq(town_state(&t, shy).mover, shunning(&t));
}

/* It is on its way to the fire when a way round opens. */
Test(danger, it_sees_what_opens) {
    OWNED(town_close) town t;
    town_open_on(&t, field(30, 9), NULL, 0);
    burn(&t, 20, 0, 21, 8, FIRE);
    const uint32_t shy = add_with(&t, shunning(&t), 1, 2, 0);
    town_go(&t, shy, 28, 2);
    town_frames(&t, 20);
    burn(&t, 20, 8, 21, 8, 1);
    for (int frame = 0; frame < 200; frame++) {
        town_frame(&t);
        cr_assert(!is_in_fire(&t, shy), "frame %d", frame);
    }
    cr_assert(town_is_at(&t, shy, 28, 2));
}

/* Groups, followers and patrols get through, too. */
Test(danger, orders_of_each_kind_lead_through) {
    enum { COUNT = 4 };
    OWNED(town_close) town t;
    town_open_on(&t, field(24, 9), NULL, 0);
    burn(&t, 9, 0, 10, 8, FIRE);
    uint32_t group[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) group[i] = add_with(&t, shunning(&t), 2, 1 + (int32_t)i, i % 2 ? 300 : 0);
    const uint32_t leader = add_with(&t, shunning(&t), 2, 6, 0), hound = add_with(&t, shunning(&t), 3, 7, 0);
    town_go_all(&t, group, COUNT, ford(18, 3), 0);
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = t.agents[leader].id, goal.reach = 2;
    t.agents[hound].begun++;
    cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[hound].id, 1, &goal), WEND_OK);
    const wend_cell corners[] = {{2, 7, 0}, {20, 7, 0}};
    wend_route_def def = default_route();
    uint32_t route = 0;
    def.corners = corners, def.corner_count = 2, def.mode = WEND_ROUTE_BACK;
    cr_assert_eq(wend_crowd_add_route(t.crowd, &def, &route), WEND_OK);
    t.agents[leader].begun++;
    cr_assert_eq(wend_crowd_patrol(t.crowd, t.agents[leader].id, route), WEND_OK);
    int32_t least = 23, most = 0;
    bool near = true;
    for (int frame = 0; frame < 600; frame++) {
        town_frame(&t);
        const int32_t x = town_cell(&t, leader).x;
        if (x < least) least = x;
        if (x > most) most = x;
        if (frame > 100) near &= abs(x - town_cell(&t, hound).x) < 14;
    }
    cr_assert_eq(most, 20);
    cr_assert_leq(least, 2);
    cr_assert(near);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(town_last(&t, group[i]), WEND_AGENT_EVENT_ARRIVED, "agent %u", i);
        cr_assert_gt(town_cell(&t, group[i]).x, 10);
    }
}

/* A goal in the fire is reached; without a goal the agent rests beside it. */
Test(danger, a_goal_in_it) {
    OWNED(town_close) town t;
    town_open_on(&t, field(20, 20), NULL, 0);
    burn(&t, 5, 5, 11, 11, FIRE);
    const uint32_t shy = add_with(&t, shunning(&t), 1, 8, 0);
    town_go(&t, shy, 7, 8);
    bool there = false;
    for (int frame = 0; frame < 120; frame++) town_frame(&t), there |= town_is_at(&t, shy, 7, 8);
    cr_assert(there);
    cr_assert_eq(town_last(&t, shy), WEND_AGENT_EVENT_ARRIVED);
    cr_assert(!is_in_fire(&t, shy));
}

/* ---- requests ---- */

static void keep_answer(void *context, const wend_completion *done) {
    *(wend_completion *)context = *done;
}

static wend_completion ask(town *t, int32_t mover, wend_cell from, wend_cell to, int32_t mode) {
    wend_completion answer = {0};
    wend_request request = default_request();
    request.map = t->map, request.start = from, request.goal = to, request.mover = mover, request.mode = mode;
    request.on_done = keep_answer, request.context = &answer;
    cr_assert_eq(wend_service_submit(t->service, &request, NULL), WEND_OK);
    for (int frame = 0; frame < 20 && answer.status == WEND_STATUS_PENDING; frame++)
        cr_assert_eq(wend_service_tick(t->service, NULL, NULL), WEND_OK);
    return answer;
}

/* Components do not tell that steps lead one way: the search itself does, and goes on through the fire. */
Test(danger, a_request_of_one_way_steps) {
    static const int32_t modes[] = {WEND_MODE_EXACT, WEND_MODE_NEAREST};
    OWNED(town_close) town t;
    town_open_on(&t, field(20, 2), NULL, 0);
    burn(&t, 9, 0, 10, 0, FIRE);
    const int32_t shy = shunning(&t), never = avoiding(&t);
    const wend_cell from = {1, 1, 0}, to = {18, 1, 0};
    for (int i = 0; i < 2; i++) {
        const wend_completion round = ask(&t, shy, from, to, modes[i]);
        cr_assert(round.status == WEND_STATUS_FOUND && round.mover == shy && round.cost == 170);
    }
    IN_BATCH(t.map, wend_edit_set_step(edit, (wend_cell){9, 1, 0}, (wend_cell){10, 1, 0}, false));
    for (int i = 0; i < 2; i++) {
        const wend_completion through = ask(&t, shy, from, to, modes[i]), none = ask(&t, never, from, to, modes[i]);
        const wend_completion back = ask(&t, shy, to, from, modes[i]);
        cr_assert(through.status == WEND_STATUS_FOUND && through.mover == shy + 1 && through.cost > 170);
        cr_assert_eq(none.status, i ? WEND_STATUS_PARTIAL : WEND_STATUS_NO_PATH);
        cr_assert(back.status == WEND_STATUS_FOUND && back.mover == shy && back.cost == 170);
    }
}

/* A start and a goal in it, and a search without a service. */
Test(danger, a_request_from_it_and_into_it) {
    OWNED(town_close) town t;
    town_open_on(&t, field(20, 9), NULL, 0);
    burn(&t, 9, 0, 12, 8, FIRE);
    const int32_t shy = shunning(&t);
    const wend_completion out = ask(&t, shy, (wend_cell){10, 4, 0}, (wend_cell){1, 4, 0}, WEND_MODE_EXACT);
    const wend_completion in = ask(&t, shy, (wend_cell){1, 4, 0}, (wend_cell){10, 4, 0}, WEND_MODE_EXACT);
    cr_assert(out.status == WEND_STATUS_FOUND && out.mover == shy + 1);
    cr_assert(in.status == WEND_STATUS_FOUND && in.mover == shy + 1);
    wend_request request = default_request();
    wend_search *search = NULL;
    const wend_search_def def = default_search();
    request.map = t.map, request.start = (wend_cell){1, 4, 0}, request.goal = (wend_cell){18, 4, 0};
    request.mover = shy;
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
    wend_completion result = {.struct_bytes = sizeof result};
    cr_assert_eq(wend_search_get_result(search, &result), WEND_OK);
    cr_assert_eq(result.mover, shy + 1);
    wend_search_destroy(search);
}

/* ---- saves ---- */

static uint64_t hash_of(town *t) {
    uint64_t hash = 0;
    cr_assert_eq(wend_world_hash(t->map, t->service, t->crowd, &hash), WEND_OK);
    return hash;
}

/* A second world is restored from the first one at each frame of the way out and through: hashes agree to the end. */
Test(danger, saves_on_the_way) {
    enum { ROOM = 1 << 18, FRAMES = 40 };
    static uint8_t bytes[3][ROOM];
    OWNED(town_close) town t;
    OWNED(town_close) town other;
    town_open_on(&t, field(20, 20), NULL, 0);
    town_open_on(&other, field(20, 20), NULL, 0);
    const int32_t shy = shunning(&t), never = avoiding(&t);
    const uint32_t goer = add_with(&t, shy, 2, 9, 0), body = add_with(&t, never, 13, 9, 400);
    (void)add_with(&t, never, 14, 12, 0);
    burn(&t, 9, 0, 10, 19, FIRE);
    town_go(&t, goer, 17, 9);
    town_go(&t, body, 17, 17);
    wend_save_host hosts[2];
    for (int k = 0; k < 2; k++) {
        wend_save_host_init(&hosts[k], sizeof hosts[k]);
        hosts[k].maps = k ? &other.map : &t.map, hosts[k].map_count = 1;
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        size_t counts[3];
        town_frame(&t);
        if (frame == 10) burn(&t, 12, 6, 18, 14, FIRE);
        cr_assert_eq(wend_map_save_state(t.map, bytes[0], ROOM, &counts[0]), WEND_OK);
        cr_assert_eq(wend_service_save_state(t.service, &hosts[0], bytes[1], ROOM, &counts[1]), WEND_OK);
        cr_assert_eq(wend_crowd_save_state(t.crowd, bytes[2], ROOM, &counts[2]), WEND_OK);
        cr_assert_eq(wend_map_restore_state(other.map, bytes[0], counts[0]), WEND_OK);
        cr_assert_eq(wend_service_restore_state(other.service, &hosts[1], bytes[1], counts[1]), WEND_OK);
        cr_assert_eq(wend_crowd_restore_state(other.crowd, &hosts[1], bytes[2], counts[2]), WEND_OK);
        cr_assert_eq(hash_of(&other), hash_of(&t), "frame %d", frame);
    }
    memcpy(other.agents, t.agents, sizeof t.agents);
    other.agent_count = t.agent_count, other.frame = t.frame;
    for (int frame = 0; frame < 200; frame++) {
        town_frame(&t);
        town_frame(&other);
        cr_assert_eq(hash_of(&other), hash_of(&t), "frame %d after the last save", frame);
    }
}
