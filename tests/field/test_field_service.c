/* SPDX-License-Identifier: MIT */
/* Fields in a service: budgets, urgency, edits, workers, and a service that goes. */
#include "field/field_worlds.h"
#include "field/field_state.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/field.h>
#include <wend/control.h>

enum { SIDE = 150 };

typedef struct rig {
    wend_map *map;
    wend_service *service;
    wend_field *fields[3];
    uint64_t hash, done;
} rig;

static void note(void *context, const wend_completion *done) {
    rig *r = context;
    r->hash = r->hash * 31 + done->number * 7 + (uint64_t)done->cost + done->cell_count;
    r->done++;
}

static void open_rig(rig *r, uint32_t workers) {
    memset(r, 0, sizeof *r);
    wend_map_def def = default_map();
    def.width = def.height = SIDE;
    cr_assert_eq(wend_map_create(&def, &r->map), WEND_OK);
    wend_service_def own = default_service();
    own.queue = 256, own.workers = workers;
    cr_assert_eq(wend_service_create(&own, &r->service), WEND_OK);
}

static wend_field *add_field(rig *r, wend_cell goal, int32_t urgency) {
    wend_field_def def = default_field();
    def.map = r->map, def.goals = &goal, def.goal_count = 1, def.urgency = urgency;
    wend_field *field = made_field(&def);
    cr_assert_eq(wend_service_add_field(r->service, field), WEND_OK);
    return field;
}

static void close_rig(rig *r) {
    wend_service_destroy(r->service);
    for (int i = 0; i < 3; i++) wend_field_destroy(r->fields[i]);
    wend_map_release(r->map);
}

static void submit(rig *r, int count, int32_t urgency) {
    wend_request request = default_request();
    request.map = r->map, request.on_done = note, request.context = r, request.urgency = urgency;
    options_of(&request)->engine = WEND_ENGINE_ASTAR;
    for (int i = 0; i < count; i++) {
        request.start = (wend_cell){i % SIDE, i / SIDE, 0};
        request.goal = (wend_cell){SIDE - 1, SIDE - 1 - i % 50, 0};
        cr_assert_eq(wend_service_submit(r->service, &request, NULL), WEND_OK);
    }
}

static wend_frame tick(rig *r, uint64_t expansions) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_budget budget = budget_of(expansions);
    cr_assert_eq(wend_service_tick(r->service, &budget, &frame), WEND_OK);
    return frame;
}

static void block(rig *r, wend_cell cell) {
    cr_assert_eq(wend_map_set_cell(r->map, cell, 0, NULL), WEND_OK);
}

Test(field_service, spends_a_frame_exactly) {
    OWNED(close_rig) rig r;
    open_rig(&r, 0);
    cr_assert_eq(wend_service_get_work(r.service), 0);
    r.fields[0] = add_field(&r, (wend_cell){5, 5, 0}, 0);
    cr_assert_gt(wend_service_get_work(r.service), 0);
    int frames = 0;
    for (; !wend__field_is_complete(r.fields[0]); frames++) {
        const wend_frame frame = tick(&r, 3000);
        if (!wend__field_is_complete(r.fields[0])) cr_assert_eq(frame.expansions, 3000);
    }
    cr_assert_geq(frames, SIDE * SIDE / 3000);
    cr_assert_leq(frames, SIDE * SIDE / 3000 + 2);
    cr_assert_eq(wend_service_get_work(r.service), 0);
    cr_assert_eq(tick(&r, 3000).expansions, 0);
}

/* Each frame has all its budget for the most urgent work, but for the share of the others. */
Test(field_service, goes_by_urgency) {
    for (int32_t urgency = -1; urgency <= 1; urgency++) {
        OWNED(close_rig) rig r;
        open_rig(&r, 0);
        submit(&r, 200, 0);
        r.fields[0] = add_field(&r, (wend_cell){5, 5, 0}, urgency);
        r.fields[1] = add_field(&r, (wend_cell){5, 6, 0}, urgency);
        uint64_t whole[2] = {0, 0}, left = 0;
        for (uint64_t frame = 1; frame < 10000 && (!left || !whole[1]); frame++) {
            tick(&r, 4000);
            for (int i = 0; i < 2; i++)
                if (!whole[i] && wend__field_is_complete(r.fields[i])) whole[i] = frame;
            if (!left && r.done == 200) left = frame;
        }
        cr_assert(left && whole[0] && whole[1]);
        cr_assert_lt(whole[0], whole[1], "the first of two comes first");
        const uint64_t alone = SIDE * SIDE / 4000 + 1;
        if (urgency > 0) cr_assert_leq(whole[1], alone * 2 * 8 / 7 + 2);
        if (urgency == 0) cr_assert_leq(whole[1], alone * 4 + 2);
        if (urgency < 0) cr_assert_leq(whole[1], left + 2 * alone + 2);
    }
}

Test(field_service, repairs_after_edits) {
    OWNED(close_rig) rig r;
    open_rig(&r, 0);
    r.fields[0] = add_field(&r, (wend_cell){5, 5, 0}, 0);
    while (!wend__field_is_complete(r.fields[0])) tick(&r, 5000);
    for (int32_t i = 0; i < 10; i++) {
        block(&r, (wend_cell){60 + i, 40 + i, 0});
        const wend_frame frame = tick(&r, 5000);
        cr_assert(wend__field_is_complete(r.fields[0]));
        cr_assert_gt(frame.expansions, 0);
        cr_assert_eq(wend__field_epoch(r.fields[0]), wend_map_get_epoch(r.map));
    }
    cr_assert_eq(wend_field_next(r.fields[0], (wend_cell){60, 40, 0}, NULL, NULL), WEND_STATUS_START_BLOCKED);
}

static uint64_t run(uint32_t workers) {
    OWNED(close_rig) rig r;
    open_rig(&r, workers);
    for (int i = 0; i < 3; i++) r.fields[i] = add_field(&r, (wend_cell){5 + 30 * i, 5, 0}, i - 1);
    submit(&r, 150, 0);
    for (int frame = 0; frame < 60; frame++) {
        if (frame % 7 == 0) block(&r, (wend_cell){20 + frame, 30, 0});
        const wend_frame did = tick(&r, 7001);
        r.hash = r.hash * 131 + did.expansions;
        for (int i = 0; i < 3; i++)
            for (int32_t at = 0; at < SIDE; at += 7) {
                wend_cell next = {0, 0, 0};
                uint64_t cost = 0;
                const wend_status status = wend_field_next(r.fields[i], (wend_cell){at, at, 0}, &next, &cost);
                r.hash = r.hash * 1000003 + (uint64_t)status * 7 + cost + (uint64_t)next.x * 3 + (uint64_t)next.y;
            }
    }
    return r.hash;
}

Test(field_service, answers_the_same_with_any_workers) {
    const uint64_t alone = run(0);
    cr_assert_eq(run(1), alone);
    cr_assert_eq(run(3), alone);
}

typedef struct tried {
    rig *r;
    wend_error added, removed;
} tried;

static void try_inside(void *context, const wend_completion *done) {
    tried *t = context;
    (void)done;
    t->added = wend_service_add_field(t->r->service, t->r->fields[1]);
    t->removed = wend_service_remove_field(t->r->service, t->r->fields[0]);
}

Test(field_service, refuses_what_it_cannot_do) {
    rig r, other;
    open_rig(&r, 0);
    open_rig(&other, 0);
    r.fields[0] = add_field(&r, (wend_cell){5, 5, 0}, 0);
    r.fields[1] = add_field(&r, (wend_cell){5, 5, 0}, 0);
    cr_assert_eq(wend_service_add_field(r.service, r.fields[0]), WEND_IN_USE);
    cr_assert_eq(wend_service_add_field(other.service, r.fields[0]), WEND_IN_USE);
    cr_assert_eq(wend_service_remove_field(other.service, r.fields[0]), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_remove_field(r.service, r.fields[1]), WEND_OK);
    cr_assert_eq(wend_service_remove_field(r.service, r.fields[1]), WEND_BAD_ARGUMENT);
    tried t = {&r, 0, 0};
    wend_request request = default_request();
    request.map = r.map, request.on_done = try_inside, request.context = &t;
    cr_assert_eq(wend_service_submit(r.service, &request, NULL), WEND_OK);
    tick(&r, 100);
    cr_assert_eq(t.added, WEND_IN_CALLBACK);
    cr_assert_eq(t.removed, WEND_IN_CALLBACK);
    wend_field_destroy(r.fields[0]); /* leaves the service */
    r.fields[0] = NULL;
    tick(&r, 100);
    close_rig(&r);
    close_rig(&other);
}

static void count_wakes(void *context) {
    ++*(int *)context;
}

Test(field_service, wakes_a_sleeping_host) {
    OWNED(close_rig) rig r;
    int wakes = 0;
    open_rig(&r, 0);
    wend_service_set_wake(r.service, count_wakes, &wakes);
    r.fields[0] = add_field(&r, (wend_cell){5, 5, 0}, 0);
    r.fields[1] = add_field(&r, (wend_cell){5, 5, 0}, 0);
    cr_assert_eq(wakes, 1);
}
