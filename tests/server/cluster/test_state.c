/* SPDX-License-Identifier: MIT */
/* The hash of a state, of which parts are kept: after random orders it is that of a full count, and another one where
 * anything changed that nodes must agree on. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "serve/serve_log.h"

enum { SIDE = 70, NAMES = 12 };
static const world_client owner = {.owner = true};
static char texts[NAMES][16];

static void begin(serve *server) {
    wend_map_def map;
    wend_service_def service;
    wend_crowd_def crowd;
    static cli_movers movers;
    *server = (serve){.options = NULL};
    for (int i = 0; i < NAMES; i++) snprintf(texts[i], sizeof texts[i], "a%d", i);
    wend_map_def_init(&map, sizeof map);
    map.width = map.height = SIDE;
    server->world = (world_state){.kind = WEND_KIND_GRID,
                                  .movers = &movers,
                                  .units = &server->units,
                                  .routes = &server->routes,
                                  .has_clients = true};
    cr_assert_eq(wend_map_create(&map, &server->world.map), WEND_OK);
    wend_service_def_init(&service, sizeof service);
    cr_assert_eq(wend_service_create(&service, &server->world.service), WEND_OK);
    wend_crowd_def_init(&crowd, sizeof crowd);
    crowd.map = server->world.map;
    crowd.service = server->world.service;
    crowd.agents = NAMES;
    cr_assert_eq(world_crowd_make(&server->world, &crowd), WEND_OK);
}

static void end(serve *server) {
    serve_state_forget(server);
    world_crowd_free(&server->world);
    wend_service_destroy(server->world.service);
    world_edits_free(&server->world.edits);
    wend_map_release(server->world.map);
    cli_units_free(&server->units);
    cli_routes_free(&server->routes);
}

/* Does an order, if it can be done. */
static bool give(serve *server, const wend_order *order) {
    world_error error = {0};
    if (!world_check_and_do(&server->world, &owner, order, &error)) return false;
    serve_state_note(server, order);
    return true;
}

static bool give_random(serve *server, uint64_t *random) {
    const uint64_t kind = wend__random(random) % 8;
    const int name_index = (int)(wend__random(random) % NAMES);
    const wend_cell cell = {(int32_t)(wend__random(random) % SIDE), (int32_t)(wend__random(random) % SIDE), 0};
    const wend_cell other = {(int32_t)(wend__random(random) % SIDE), (int32_t)(wend__random(random) % SIDE), 0};
    const wend_name name = {.text = texts[name_index], .length = (uint32_t)strlen(texts[name_index])};
    wend_change_item items[] = {{WEND_ORDER_FILL, {cell, other, (int32_t)(wend__random(random) % 200)}},
                                {WEND_ORDER_SET, {other, other, 254}},
                                {WEND_ORDER_LINK, {cell, other, 7}}};
    wend_order order = {.kind = WEND_ORDER_EDIT, .changes = {items + kind % 3, 1}};
    if (kind == 3) order = (wend_order){.kind = WEND_ORDER_OCCUPY, .cells = {&cell, 1}};
    if (kind == 4) {
        wend__order_init(&order, WEND_ORDER_AGENT);
        order.agent.name = name;
        order.agent.def.cell = cell;
    } else if (kind == 5) {
        order = (wend_order){.kind = WEND_ORDER_ADJUST, .adjust = {.names = {.items = &name, .count = 1}}};
        order.adjust.speed_milli = (uint32_t)(wend__random(random) % 900) + 1;
        wend__order_give(&order, &order.adjust.speed_milli);
    } else if (kind == 6) {
        wend__order_init(&order, WEND_ORDER_BODY);
        order.body.name = name;
        order.body.def.radius_milli = 200 + (uint32_t)(wend__random(random) % 200);
    } else if (kind == 7) {
        order = (wend_order){.kind = WEND_ORDER_REMOVE, .names = {.items = &name, .count = 1}};
    }
    return give(server, &order);
}

Test(state, kept_is_that_of_a_full_count) {
    enum { ORDERS = 4000 };
    serve server;
    uint64_t random = 5, kept, full, compared = 0;
    int done = 0;
    begin(&server);
    for (int i = 0; i < ORDERS; i++) {
        if (!give_random(&server, &random)) continue;
        done++;
        if (wend__random(&random) % 4 == 0) continue; /* several orders between two counts */
        cr_assert(serve_state_hash(&server, &kept));
        serve_state_forget(&server);
        cr_assert(serve_state_hash(&server, &full));
        cr_assert_eq(kept, full, "order %d", i);
        compared++;
        world_agents_updated(&server.world);
    }
    cr_assert(done > ORDERS / 3 && compared > ORDERS / 5, "%d %d", done, (int)compared);
    end(&server);
}

Test(state, differs_where_one_thing_does) {
    serve server;
    uint64_t random = 9, seen[64];
    size_t count = 0;
    begin(&server);
    while (count < 64) {
        if (!give_random(&server, &random)) continue;
        cr_assert(serve_state_hash(&server, &seen[count]));
        count++;
    }
    size_t same = 0;
    for (size_t i = 1; i < count; i++) same += seen[i] == seen[i - 1];
    cr_assert_lt(same, 3, "a fill of what is there changes nothing; all else does");
    end(&server);
}
