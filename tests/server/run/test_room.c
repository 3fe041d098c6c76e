/* SPDX-License-Identifier: MIT */
/* Room for agents between the check of an order and its doing, in random worlds whose agents walk meanwhile: an order
 * that was reserved can be done, and one that is forgotten leaves nothing behind. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "orders/orders.h"
#include "world/world.h"
#include <wend/body.h>
#include <wend/movers.h>
#include <wend/units.h>

enum { SIDE = 8, NAMES = 24, MOST = 64, PENDING = 6 };
static const world_client owner = {.owner = true};
static char texts[NAMES][16];
static char cart[] = "cart";
static char *mover_names[] = {cart};

typedef struct rig {
    world_state w;
    cli_movers movers;
    cli_units units;
    cli_routes routes;
    uint64_t random;
} rig;

static uint64_t draw(rig *r, uint64_t below) {
    return wend__random(&r->random) % below;
}

static void begin(rig *r, uint64_t seed) {
    wend_map_def def;
    wend_service_def service;
    wend_crowd_def crowd;
    wend_mover mover;
    int32_t number;
    *r = (rig){.random = seed, .movers = {.names = mover_names, .count = 1}};
    for (int i = 0; i < NAMES; i++) snprintf(texts[i], sizeof texts[i], "a%d", i);
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = SIDE;
    r->w = (world_state){.kind = WEND_KIND_GRID, .movers = &r->movers, .units = &r->units, .routes = &r->routes};
    cr_assert_eq(wend_map_create(&def, &r->w.map), WEND_OK);
    wend_mover_init(&mover, sizeof mover);
    mover.size = 2;
    cr_assert_eq(wend_map_add_mover(r->w.map, &mover, &number), WEND_OK);
    wend_service_def_init(&service, sizeof service);
    cr_assert_eq(wend_service_create(&service, &r->w.service), WEND_OK);
    wend_crowd_def_init(&crowd, sizeof crowd);
    crowd.map = r->w.map;
    crowd.service = r->w.service;
    crowd.agents = MOST;
    cr_assert_eq(world_crowd_make(&r->w, &crowd), WEND_OK);
}

static void end(rig *r) {
    world_crowd_free(&r->w);
    wend_service_destroy(r->w.service);
    wend_map_release(r->w.map);
    cli_units_free(&r->units);
}

/* Lists live: orders point to them. */
typedef struct pending {
    wend_order order;
    wend_name name;
} pending;

static void make_order(rig *r, pending *p) {
    const int i = (int)draw(r, NAMES);
    const wend_cell cell = {(int32_t)draw(r, SIDE), (int32_t)draw(r, SIDE), 0};
    const uint64_t kind = draw(r, 8);
    p->name = (wend_name){.text = texts[i], .length = (uint32_t)strlen(texts[i])};
    if (kind < 4) {
        wend__order_init(&p->order, WEND_ORDER_AGENT);
        p->order.agent.name = p->name;
        p->order.agent.def.cell = cell;
        p->order.agent.def.speed_milli = 700;
        if (kind == 1) p->order.agent.mover = wend__named(cart);
        if (kind == 2) p->order.agent.body.radius_milli = 300;
    } else if (kind == 4) {
        p->order = (wend_order){.kind = WEND_ORDER_REMOVE, .names = {.items = &p->name, .count = 1}};
    } else if (kind == 5) {
        wend__order_init(&p->order, WEND_ORDER_BODY);
        p->order.body.name = p->name;
        p->order.body.def.radius_milli = draw(r, 2) ? 300 : 0;
    } else {
        p->order = (wend_order){.kind = WEND_ORDER_ADJUST, .adjust = {.names = {.items = &p->name, .count = 1}}};
        p->order.adjust.mover = draw(r, 2) ? wend__named(cart) : wend__named("default");
        p->order.adjust.cell = cell;
        if (kind == 6) wend__order_give(&p->order, &p->order.adjust.cell);
        if (kind == 7) wend__order_give(&p->order, &p->order.adjust.mover);
    }
}

static void walk(rig *r) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    for (int i = 0; i < NAMES; i++) {
        const world_agent *agent = world_agent_find(&r->w, texts[i], strlen(texts[i]));
        wend_crowd_goal goal;
        wend_crowd_goal_init(&goal, sizeof goal);
        goal.cell = (wend_cell){(int32_t)draw(r, SIDE), (int32_t)draw(r, SIDE), 0};
        if (agent && draw(r, 3) == 0) (void)wend_crowd_go(r->w.crowd, &agent->id, 1, &goal);
    }
    wend_service_tick(r->w.service, NULL, &frame);
    wend_crowd_update(r->w.crowd, 1000);
    world_agents_updated(&r->w);
}

/* Cells that something holds, agents' bodies apart. */
static uint64_t count_occupied(const rig *r) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t units = 0;
        wend_map_get_occupants(r->w.map, (wend_cell){i % SIDE, i / SIDE, 0}, &units);
        sum += units;
    }
    return sum;
}

/* As the journal: new agents may be on their way together, what needs a standstill alone, and then nothing moves. */
static size_t judge_some(rig *r, pending *of, size_t *refused) {
    size_t count = 0;
    while (count < PENDING) {
        world_error error = {0};
        make_order(r, &of[count]);
        const wend_order *order = &of[count].order;
        const bool alone = world_needs_standstill(&r->w, order);
        if (count > 0 && (alone || order->kind != WEND_ORDER_AGENT)) continue;
        const uint64_t before = count_occupied(r);
        const bool checked = world_check(&r->w, &owner, order, &error);
        if (checked && world_reserve(&r->w, order, &error)) {
            count++;
            if (alone || order->kind != WEND_ORDER_AGENT) break;
            continue;
        }
        if (checked) world_forget(&r->w, order);
        cr_assert_eq(count_occupied(r), before, "a refusal keeps no cell");
        cr_assert_neq(error.refusal, WORLD_TAKEN);
        ++*refused;
        if (draw(r, 3) == 0) break;
    }
    return count;
}

Test(room, reserved_is_there_until_the_order_is_done) {
    enum { WORLDS = 40, ROUNDS = 300 };
    size_t done = 0, forgotten = 0, refused = 0;
    for (uint64_t world = 0; world < WORLDS; world++) {
        rig r;
        pending of[PENDING];
        begin(&r, 77 + world);
        for (int round = 0; round < ROUNDS; round++) {
            const size_t count = judge_some(&r, of, &refused);
            const bool stands = count > 0 && world_needs_standstill(&r.w, &of[0].order), fails = draw(&r, 5) == 0;
            for (uint64_t frames = stands ? 0 : draw(&r, 4); frames > 0; frames--) walk(&r);
            for (size_t i = count; fails && i-- > 0; forgotten++) world_forget(&r.w, &of[i].order);
            for (size_t i = 0; !fails && i < count; i++, done++) {
                world_error error = {0};
                cr_assert(world_do(&r.w, &owner, &of[i].order, &error), "world %d, round %d, kind %d: %s", (int)world,
                          round, (int)of[i].order.kind, error.text);
            }
            walk(&r);
        }
        for (int i = 0; i < NAMES; i++) {
            const world_agent *agent = world_agent_find(&r.w, texts[i], strlen(texts[i]));
            if (agent) wend_crowd_remove(r.w.crowd, agent->id);
        }
        cr_assert_eq(count_occupied(&r), 0, "nothing is kept for orders that are over");
        end(&r);
    }
    cr_assert(done > 3000 && forgotten > 500 && refused > 3000, "%zu %zu %zu", done, forgotten, refused);
}
