/* SPDX-License-Identifier: MIT */
/* The hash of a state, of which parts are kept: after random orders it is that of a full count, and differs if anything
 * changed that nodes must agree on. */
#define _GNU_SOURCE
#include "orders_rig.h"

#include "base/hash.h"

enum { SIDE = 70, NAMES = 12, NODES = 128 };

static int draw(uint64_t *random, int below) {
    return (int)(wend__random(random) % (uint64_t)below);
}

static const wend_order *random_on_grid(rig *r, uint64_t *random) {
    const int name = draw(random, NAMES), number = draw(random, 200), x = draw(random, SIDE), y = draw(random, SIDE),
              x2 = draw(random, SIDE), y2 = draw(random, SIDE);
    switch (draw(random, 11)) {
    case 0: return rig_read(r, "fill %d,%d %d,%d %d", x, y, x2, y2, number);
    case 1: return rig_read(r, "set %d,%d 254", x, y);
    case 2: return rig_read(r, "link %d,%d %d,%d 7%s", x, y, x2, y2, number % 2 ? " movers=cart" : "");
    case 3: return rig_read(r, "occupy %d,%d", x, y);
    case 4: return rig_read(r, "agent a%d %d,%d", name, x, y);
    case 5: return rig_read(r, "adjust a%d speed=%d%s", name, 1 + number, number % 8 ? "" : " avoid=254");
    case 6: return rig_read(r, "body a%d radius=%d", name, 200 + number);
    case 7: return rig_read(r, "remove a%d", name);
    case 8: return rig_read(r, "layer l%d values", name);
    case 9: return rig_read(r, "paint l%d %d,%d radius=%d peak=%d", name, x, y, number % 9, 1 + number);
    default: return rig_read(r, "paint l%d %d,%d %d,%d value=%d", name, x, y, x2, y2, number);
    }
}

static const wend_order *random_on_graph(rig *r, uint64_t *random) {
    const int a = draw(random, NODES), b = draw(random, NODES), number = draw(random, 200);
    switch (draw(random, 7)) {
    case 0: return rig_read(r, "node %d %d %d", a, number, b);
    case 1:
    case 2: return rig_read(r, "edge %d %d %d", a, b, 1 + number);
    case 3: return rig_read(r, "unlink %d %d", 1 + a % 3, 1 + b % 3);
    case 4: return rig_read(r, "set %d %d", a, number);
    case 5: return rig_read(r, "layer l%d values", number % NAMES);
    default: return rig_read(r, "paint l%d %d radius=0 peak=%d", number % NAMES, a, 1 + number);
    }
}

typedef const wend_order *random_fn(rig *r, uint64_t *random);

static void compare_counts(int32_t kind, random_fn *next) {
    enum { ORDERS = 4000 };
    uint64_t random = 5, kept, full, before = 0, same = 0, compared = 0;
    int done = 0;
    rig r;
    rig_begin(&r, kind, SIDE, NAMES);
    for (int i = 0; i < ORDERS; i++) {
        if (!rig_give(&r, next(&r, &random))) continue;
        done++;
        if (draw(&random, 4) == 0) continue; /* several orders between two counts */
        cr_assert(serve_state_hash(&r.server, &kept));
        serve_state_forget(&r.server);
        cr_assert(serve_state_hash(&r.server, &full));
        cr_assert_eq(kept, full, "order %d", i);
        same += kept == before;
        before = kept;
        compared++;
        world_agents_updated(&r.server.world);
    }
    cr_assert(done > ORDERS / 3 && compared > ORDERS / 5, "%d %d", done, (int)compared);
    cr_assert_lt(same, compared / 10, "only where an order changes nothing the hash stays: %d", (int)same);
    rig_end(&r);
}

Test(state, kept_is_that_of_a_full_count_on_a_grid) {
    compare_counts(WEND_KIND_GRID, random_on_grid);
}

Test(state, kept_is_that_of_a_full_count_on_a_graph) {
    compare_counts(WEND_KIND_GRAPH, random_on_graph);
}

/* The hash of a world after some orders, parted by ';'. */
static uint64_t hash_after(int32_t kind, const char *orders) {
    char text[256], *rest = NULL;
    uint64_t hash = 0;
    rig r;
    rig_begin(&r, kind, SIDE, NAMES);
    snprintf(text, sizeof text, "%s", orders);
    for (const char *line = strtok_r(text, ";", &rest); line; line = strtok_r(NULL, ";", &rest))
        cr_assert(rig_give(&r, rig_read(&r, "%s", line)), "%s: %s", line, r.error.text);
    cr_assert(serve_state_hash(&r.server, &hash));
    rig_end(&r);
    return hash;
}

/* Two nodes of which the second lacks one thing, or has it otherwise. */
Test(state, nodes_that_differ_in_one_thing_are_told_apart) {
    static const struct {
        int32_t kind;
        const char *one, *other;
    } pairs[] = {
        {WEND_KIND_GRAPH, "edge 4 5 6", ""},
        {WEND_KIND_GRAPH, "edge 4 5 6", "edge 4 5 7"},
        {WEND_KIND_GRAPH, "edge 4 5 6", "edge 5 4 6"},
        {WEND_KIND_GRAPH, "unlink 1 2", ""},
        {WEND_KIND_GRAPH, "edge 2 3 40", ""}, /* replaces two edges */
        {WEND_KIND_GRAPH, "node 110 3 4", "node 110 4 3"},
        {WEND_KIND_GRAPH, "node 110 3 4", "node 111 3 4"},
        {WEND_KIND_GRAPH, "layer a values;paint a 7 radius=0 peak=9", "layer a values;paint a 8 radius=0 peak=9"},
        {WEND_KIND_GRID, "link 1,1 2,2 6;link 2,2 1,1 10", "link 1,1 2,2 10;link 2,2 1,1 6"},
        {WEND_KIND_GRID, "link 1,1 2,2 6 movers=cart", "link 1,1 2,2 6"},
        {WEND_KIND_GRID, "link 1,1 2,2 6 movers=cart", "link 1,1 2,2 6 movers=default"},
        {WEND_KIND_GRID, "agent x 1,1 avoid=2", "agent x 1,1"},
        {WEND_KIND_GRID, "agent x 1,1 avoid=2", "agent x 1,1 avoid=3"},
        {WEND_KIND_GRID, "agent x 1,1;adjust x avoid=2", "agent x 1,1"},
        {WEND_KIND_GRID, "layer a values", ""},
        {WEND_KIND_GRID, "layer a values", "layer b values"},
        {WEND_KIND_GRID, "layer a values;layer b values", "layer b values;layer a values"},
        {WEND_KIND_GRID, "layer a values", "layer a values half_life=9"},
        {WEND_KIND_GRID, "layer a walls within=3", "layer a walls within=4"},
        {WEND_KIND_GRID, "layer a values;paint a 5,5 radius=3 peak=9", "layer a values"},
        {WEND_KIND_GRID, "layer a values;paint a 5,5 radius=3 peak=9", "layer a values;paint a 5,6 radius=3 peak=9"},
        {WEND_KIND_GRID, "layer a values;paint a 5,5 9,9 value=1", "layer a values;paint a 5,5 9,9 value=2"},
        {WEND_KIND_GRID, "layer a values;layer b values;paint a 1,1 2,2 value=1",
         "layer a values;layer b values;paint b 1,1 2,2 value=1"},
        {WEND_KIND_GRID, "agent x 1,1", "agent y 1,1"},
        {WEND_KIND_GRID, "occupy 1,1", "occupy 1,2"},
        {WEND_KIND_GRID, "step 1,1 1,2 blocked", ""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const uint64_t hash = hash_after(pairs[i].kind, pairs[i].one);
        cr_assert_neq(hash, hash_after(pairs[i].kind, pairs[i].other), "'%s' and '%s'", pairs[i].one, pairs[i].other);
        cr_assert_eq(hash, hash_after(pairs[i].kind, pairs[i].one), "'%s'", pairs[i].one);
    }
}

/* Queries of clients make movers on one node alone, and number them otherwise. */
Test(state, movers_of_queries_are_not_in_it) {
    static const char orders[] = "agent x 1,1 avoid=2;adjust x avoid=3;link 1,1 2,2 6 movers=cart;agent y 5,5 avoid=4";
    static const uint64_t avoided[4] = {1 << 4 | 1 << 9};
    uint64_t hash = 0;
    int32_t id;
    rig r;
    rig_begin(&r, WEND_KIND_GRID, SIDE, NAMES);
    cr_assert_eq(wend_map_mover_avoiding(r.server.world.map, 0, avoided, &id), WEND_OK);
    char text[sizeof orders], *rest = NULL;
    memcpy(text, orders, sizeof text);
    for (const char *line = strtok_r(text, ";", &rest); line; line = strtok_r(NULL, ";", &rest))
        cr_assert(rig_give(&r, rig_read(&r, "%s", line)), "%s: %s", line, r.error.text);
    cr_assert(serve_state_hash(&r.server, &hash));
    rig_end(&r);
    cr_assert_eq(hash, hash_after(WEND_KIND_GRID, orders));
}

/* Only frames of the owner pass time, and only there agents walk. */
Test(state, what_the_owner_alone_says_is_not_in_it) {
    static const char *const pairs[][2] = {
        {"layer a values half_life=9;paint a 5,5 9,9 value=8", "layer a values half_life=9"},
        {"layer a values;paint a 5,5 9,9 value=8;fade 9", "layer a values;paint a 5,5 9,9 value=8"},
        {"agent x 1,1", "agent x 2,2"},
        {"agent x 1,1;go x to 5,5", "agent x 1,1"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        cr_assert_eq(hash_after(WEND_KIND_GRID, pairs[i][0]), hash_after(WEND_KIND_GRID, pairs[i][1]), "'%s'",
                     pairs[i][0]);
}
