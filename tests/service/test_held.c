/* SPDX-License-Identifier: MIT */
/* Searches that ended, and requests that never began: the version that they hold, and reads of their goals. */
#include "service/service_support.h"
#include "models/fast.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/acceleration.h>
#include <wend/control.h>
#include <wend/layers.h>

static wend_service *service;

static void begin(void) {
    wend_service_def def = small_def();
    def.displace = 1;
    service = service_of(&def);
}

static void end(void) {
    wend_service_destroy(service);
    seen_clear();
}

TestSuite(held, .init = begin, .fini = end);

/* ---- layers ---- */

/* A layer of values around the middle, and a profile that minds it. */
static int32_t add_danger(wend_map *map, int32_t z) {
    wend_layer_def def = default_layer();
    wend_layer_weight weight = {0, 8};
    int32_t profile;
    uint8_t values[16 * 16];
    cr_assert_eq(wend_map_add_layer(map, &def, &weight.layer), WEND_OK);
    memset(values, 32, sizeof values);
    const wend_box box = {{12, 6, z}, {27, 21, z}};
    cr_assert_eq(wend_map_set_layer_box(map, weight.layer, box, values, 16), WEND_OK);
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, &profile), WEND_OK);
    return profile;
}

static void edit_far_away(wend_map *map) {
    IN_BATCH(map, cr_assert_eq(wend_edit_set_cell(edit, at(0, 0), WEND_CLASS_BLOCKED), WEND_OK));
}

static uint32_t versions_of(wend_map *map) {
    uint32_t count = 0;
    wend__version *newest = wend__map_acquire(map, false);
    for (const wend__version *v = newest; v; v = v->older) count++;
    wend__map_release(newest, false);
    return count;
}

/* Ends searches on an old version that only they hold. Their paths go to the arena, or, where that is full, wait in the
 * searches' slots until they are delivered. */
static void end_on_an_old_version(wend_map *map, bool room) {
    wend_budget budget = default_budget();
    if (!room) {
        wend_service_destroy(service);
        wend_service_def def = small_def();
        def.path_bytes = 0, def.max_path_cells = 50;
        service = service_of(&def);
        shrink_arena(service, def.max_path_cells);
    }
    wend_request request = request_on(service, map, at(2, 20), at(38, 20));
    options_of(&request)->profile = add_danger(map, 0);
    for (int i = 0; i < 3; i++) {
        options_of(&request)->weight_milli = 1000 + i; /* each has a search of its own */
        submit(service, &request);
    }
    budget.expansions = 50, limits_of(&budget)->deliveries = 1;
    frame_with(service, &budget);
    cr_assert_gt(service->running, 0);
    edit_far_away(map);
    cr_assert_eq(versions_of(map), 2, "the case occurred");
    budget.expansions = WEND_NO_LIMIT;
    while (seen_count < 3) {
        frame_with(service, &budget);
        cr_assert_eq(versions_of(map), 1, "no answer that waits keeps a version");
        for (uint32_t i = 0; i < service->fresh_slot; i++)
            if (service->slots[i].ready) {
                cr_assert_null(service->slots[i].search.layers, "nor layers without it");
                cr_assert_null(service->slots[i].search.version);
            }
    }
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 3);
    end_service(service, map, NULL);
    begin();
}

static wend_map *space(void) {
    wend_map_def def = default_map();
    def.width = def.height = 40, def.depth = 2, def.kind = WEND_KIND_VOXEL;
    return made_map(&def);
}

static wend_map *flat(int32_t wrap) {
    wend_map_def def = default_map();
    def.width = def.height = 40, def.wrap = wrap;
    return made_map(&def);
}

Test(held, a_search_that_ended_holds_no_layers_after_its_version) {
    for (int room = 0; room < 2; room++) {
        end_on_an_old_version(flat(0), room);
        end_on_an_old_version(flat(WEND_WRAP_X | WEND_WRAP_Y), room);
        end_on_an_old_version(space(), room);
    }
}

/* ---- goals of requests that never began ---- */

enum { SPARE = 2 };

static wend_map *accelerated(const wend_map_def *def) {
    wend_map *map = made_map(def);
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    return map;
}

static wend_map *round_map(void) {
    wend_map_def def = default_map();
    def.width = 256, def.height = 64, def.wrap = WEND_WRAP_X;
    return accelerated(&def);
}

static wend_map *map_of_sheets(void) {
    const wend_sheet sheets[2] = {{{{0, 0, 0}, {127, 63, 0}}, {0, 0, 0}}, {{{128, 0, 0}, {255, 63, 0}}, {0, 0, 0}}};
    wend_map_def def = default_map();
    def.width = 256, def.height = 64, def.sheets = sheets, def.sheet_count = 2;
    return accelerated(&def);
}

static wend_request to_several(wend_map *map, const wend_cell *goals, uint32_t count) {
    wend_request request = request_on(service, map, at(30, 30), at(100, 30));
    request.reach = 3;
    options_of(&request)->more_goals = goals, options_of(&request)->more_goal_count = count;
    return request;
}

/* A completion of a request without a search names the engine that would have served it. */
static void names_engine_of(const wend_request *request) {
    int32_t engine = -1;
    cr_assert_eq(wend_request_explain(request, &engine, NULL), WEND_OK);
    cr_assert_eq(seen_log[seen_count - 1].completion.engine, engine);
}

static void frame_with_status(wend_status status, const wend_request *request) {
    const size_t before = seen_count;
    frame_of(service, 0);
    cr_assert_eq(seen_count, before + 1);
    cr_assert_eq(seen_log[before].completion.status, status);
    cr_assert_eq(seen_log[before].completion.expansions, 0);
    names_engine_of(request);
}

/* `goals` are the host's: they are invalid as soon as submit() has returned. */
static wend_ticket submit_and_forget(wend_map *map, wend_cell one, wend_cell other, wend_request *request) {
    wend_cell goals[SPARE] = {one, other};
    *request = to_several(map, goals, SPARE);
    const wend_ticket ticket = submit(service, request);
    static wend_cell kept[SPARE];
    memcpy(kept, goals, sizeof kept);
    goals[0] = goals[1] = at(-1, -1);
    options_of(request)->more_goals = kept;
    return ticket;
}

static void end_each_way(wend_map *map, wend_cell one, wend_cell other) {
    wend_request request, near = request_on(service, map, at(30, 30), at(32, 30));
    wend_cell taken = at(90, 30);
    wend_ticket ticket = submit_and_forget(map, one, other, &request);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    frame_with_status(WEND_STATUS_CANCELLED, &request);

    ticket = submit_and_forget(map, one, other, &request); /* cancelled when it waits, taken in and not begun */
    frame_of(service, 0);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    frame_with_status(WEND_STATUS_CANCELLED, &request);

    submit_and_forget(map, one, other, &request); /* replaced: by a more urgent one, in a full queue */
    near.urgency = 5;
    for (int i = 0; i < 64; i++) submit(service, &near);
    const size_t before = seen_count;
    frame_of(service, 0);
    cr_assert_eq(seen_log[before].completion.status, WEND_STATUS_DISPLACED);
    drain(service, 100000);

    ticket = submit_and_forget(map, one, other, &request); /* with another goal, and cancelled in the same frame */
    cr_assert_eq(wend_service_set_goal(service, ticket, taken), WEND_OK);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    request.goal = taken;
    options_of(&request)->more_goal_count = 0;
    frame_with_status(WEND_STATUS_CANCELLED, &request);

    wend_cell goals[SPARE] = {one, other}; /* the deadline of the request passes */
    request = to_several(map, goals, SPARE);
    request.deadline_frames = 1;
    submit(service, &request);
    frame_with_status(WEND_STATUS_EXPIRED, &request);

    request = to_several(map, goals, SPARE); /* the request begins, ends, and another one ends in its slot's room */
    submit(service, &request);
    drain(service, 100000);
    cr_assert_eq(seen_log[seen_count - 1].completion.status, WEND_STATUS_FOUND);
    names_engine_of(&request);

    submit_and_forget(map, one, other, &request); /* the service closes */
    wend_service_close(service);
    frame_with_status(WEND_STATUS_CANCELLED, &request);
    end_service(service, map, NULL);
    begin();
}

Test(held, goals_of_a_request_that_never_began_are_read_from_the_store) {
    NEEDS_FAST();
    end_each_way(round_map(), at(2, 10), at(120, 40)); /* a box over the rim: another engine */
    end_each_way(round_map(), at(20, 10), at(120, 40));
    end_each_way(map_of_sheets(), at(126, 30), at(200, 30));
    end_each_way(map_of_sheets(), at(60, 30), at(90, 30));
}
