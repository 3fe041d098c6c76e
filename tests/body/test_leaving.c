/* SPDX-License-Identifier: MIT */
/* Who holds a cell that a body leaves in a callback while another body is in it, too. */
#include "body/with_bodies.h"

/* Two steered bodies in a cell that the second one holds, and an agent whose arrival is an event. */
typedef struct shared_cell {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[2], walker;
    uint32_t events;
    void (*leave)(struct shared_cell *s);
} shared_cell;

static void on_arrival(void *context, const wend_agent_event *event) {
    shared_cell *s = context;
    (void)event;
    if (s->events++ == 0) s->leave(s);
}

static wend_error add_walker(shared_cell *s, wend_cell cell, wend_agent_id *id) {
    wend_agent_def def = default_agent();
    def.cell = cell;
    return wend_crowd_add(s->crowd, &def, id);
}

static void put_body(shared_cell *s, int32_t k) {
    wend_agent_def agent = default_agent();
    wend_body_def body = default_body();
    agent.cell = (wend_cell){3 + k, 1, 0}, agent.steered = true, body.radius_milli = 100;
    must_do(wend_crowd_add(s->crowd, &agent, &s->ids[k]), "wend_crowd_add");
    must_do(wend_crowd_set_body(s->crowd, s->ids[k], &body), "wend_crowd_set_body");
}

static void open_shared_cell(shared_cell *s) {
    wend_crowd_def def = default_crowd();
    wend_crowd_goal goal = default_crowd_goal();
    const wend_body_vector still = {0, 0};
    wend_map_def grid = default_map();
    grid.width = 9, grid.height = 3, grid.wrap = WEND_WRAP_X; /* on flat maps no two hold one cell */
    s->map = made_map(&grid);
    def.agents = 8, def.map = s->map, def.on_event = on_arrival, def.context = s;
    open_with_bodies(def, &s->service, &s->crowd);
    for (int32_t k = 0; k < 2; k++) put_body(s, k);
    for (int32_t k = 0; k < 2; k++) {
        const wend_body_vector at = {4 * WEND_BODY_UNITS + (k ? 6000 : -6000), WEND_BODY_UNITS};
        must_do(place_rounded(s->crowd, s->ids[k], at, still), "wend_crowd_place_body");
    }
    must_do(add_walker(s, (wend_cell){7, 1, 0}, &s->walker), "wend_crowd_add");
    goal.cell = (wend_cell){6, 1, 0};
    must_do(wend_crowd_go(s->crowd, &s->walker, 1, &goal), "wend_crowd_go");
}

static void run_frame(shared_cell *s) {
    must_do(wend_service_tick(s->service, NULL, NULL), "wend_service_tick");
    must_do(wend_crowd_update(s->crowd, 1000, NULL, NULL), "wend_crowd_update");
}

static void remove_holder(shared_cell *s) {
    cr_expect_eq(wend_crowd_remove(s->crowd, s->ids[1]), WEND_OK);
}

static void move_holder(shared_cell *s) {
    cr_expect_eq(wend_crowd_move(s->crowd, s->ids[1], (wend_cell){0, 2, 0}), WEND_OK);
}

static void set_holder(shared_cell *s) {
    const wend_body_vector at = {0, 2 * WEND_BODY_UNITS}, still = {0, 0};
    cr_expect_eq(place_rounded(s->crowd, s->ids[1], at, still), WEND_OK);
}

/* The other body is still there: nobody may stand in the cell, neither at once nor later. No debug build asserts. */
Test(leaving, the_other_body_keeps_the_cell) {
    void (*const ways[])(shared_cell *) = {remove_holder, move_holder, set_holder};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        shared_cell s = {.leave = ways[i]};
        wend_agent_id id;
        open_shared_cell(&s);
        for (uint32_t k = 0; k < 60 && s.events == 0; k++) run_frame(&s);
        cr_assert_eq(s.events, 1);
        cr_expect_eq(add_walker(&s, (wend_cell){4, 1, 0}, &id), WEND_BUSY, "way %zu", i);
        for (uint32_t k = 0; k < 5; k++) run_frame(&s);
        cr_expect_eq(add_walker(&s, (wend_cell){4, 1, 0}, &id), WEND_BUSY, "way %zu, later", i);
        end_with_bodies(s.map, s.service, s.crowd);
    }
}
