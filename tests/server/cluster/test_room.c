/* SPDX-License-Identifier: MIT */
/* Orders between their check and their execution, in random worlds with walking agents: a reserved order can be
 * executed, a forgotten order leaves nothing behind, and a node that repeats them has the same state. */
#define _GNU_SOURCE
#include "orders_rig.h"

#include "base/hash.h"
#include "models/defaults.h"
#include <wend/body.h>
#include <wend/units.h>

enum { SIDE = 8, TOWN = 16, NAMES = 24, MOST = 64, PENDING = 6 };

static int draw(uint64_t *random, int below) {
    return (int)(wend__random(random) % (uint64_t)below);
}

static const char *find_name(uint64_t *random) {
    static char name[8];
    snprintf(name, sizeof name, "a%d", draw(random, NAMES));
    return name;
}

static void walk(rig *r, uint64_t *random) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    for (const world_agent *agent = r->server.world.agents.first; agent; agent = agent->next) {
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = (wend_cell){draw(random, SIDE), r->server.world.kind == WEND_KIND_GRID ? draw(random, SIDE) : 0, 0};
        if (draw(random, 3) == 0) (void)wend_crowd_go(r->server.world.crowd, &agent->id, 1, &goal);
    }
    wend_service_tick(r->server.world.service, NULL, &frame);
    wend_crowd_update(r->server.world.crowd, 1000, NULL, NULL);
    world_agents_updated(&r->server.world);
}

/* ---- new agents, and orders that need a standstill ---- */

/* An order, with the line that holds its texts. */
typedef struct pending {
    wend_order *order;
    bool alone;
} pending;

static const wend_order *random_about_agents(rig *r, uint64_t *random) {
    const int x = draw(random, SIDE), y = draw(random, SIDE);
    const char *name = find_name(random), *mover = draw(random, 2) ? "cart" : "default";
    switch (draw(random, 8)) {
    case 0: return rig_read(r, "agent %s %d,%d speed=700 mover=cart avoid=%d", name, x, y, draw(random, 8));
    case 1: return rig_read(r, "agent %s %d,%d speed=700 radius=300", name, x, y);
    case 2:
    case 3: return rig_read(r, "agent %s %d,%d speed=700", name, x, y);
    case 4: return rig_read(r, "remove %s", name);
    case 5: return rig_read(r, "body %s radius=%d", name, draw(random, 2) ? 300 : 0);
    case 6: return rig_read(r, "adjust %s cell=%d,%d", name, x, y);
    default: return rig_read(r, "adjust %s mover=%s avoid=%d", name, mover, draw(random, 8));
    }
}

/* Cells that something holds, agents' bodies apart. */
static uint64_t count_occupied(const rig *r) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t units = 0;
        wend_map_get_occupants(r->server.world.map, (wend_cell){i % SIDE, i / SIDE, 0}, &units);
        sum += units;
    }
    return sum;
}

/* As the journal: new agents may come together, an order that needs a standstill alone, and then nothing moves. */
static size_t judge_some(rig *r, uint64_t *random, pending *of, size_t *refused) {
    world_state *w = &r->server.world;
    size_t count = 0;
    while (count < PENDING) {
        world_error error = {0};
        const wend_order *order = random_about_agents(r, random);
        const bool alone = world_needs_standstill(w, order), single = alone || order->kind != WEND_ORDER_AGENT;
        if (count > 0 && single) continue;
        const uint64_t before = count_occupied(r);
        const bool checked = world_check(w, &rig_owner, order, &error);
        if (checked && world_reserve(w, order, &error)) {
            of[count++] = (pending){wend__order_copy(order), alone};
            if (single) break;
            continue;
        }
        if (checked) world_forget(w, order);
        cr_assert_eq(count_occupied(r), before, "a refusal keeps no cell");
        cr_assert_neq(error.refusal, WORLD_TAKEN);
        ++*refused;
        if (draw(random, 3) == 0) break;
    }
    return count;
}

Test(room, reserved_is_there_until_the_order_is_done) {
    enum { WORLDS = 40, ROUNDS = 300 };
    size_t done = 0, forgotten = 0, refused = 0;
    for (uint64_t world = 0; world < WORLDS; world++) {
        uint64_t random = 77 + world;
        rig r;
        pending of[PENDING];
        rig_begin(&r, WEND_KIND_GRID, SIDE, MOST);
        for (int round = 0; round < ROUNDS; round++) {
            const size_t count = judge_some(&r, &random, of, &refused);
            const bool stands = count > 0 && of[0].alone, fails = draw(&random, 5) == 0;
            for (int frames = stands ? 0 : draw(&random, 4); frames > 0; frames--) walk(&r, &random);
            for (size_t i = count; fails && i-- > 0; forgotten++) world_forget(&r.server.world, of[i].order);
            for (size_t i = 0; !fails && i < count; i++, done++) {
                world_error error = {0};
                cr_assert(world_do(&r.server.world, &rig_owner, of[i].order, &error), "world %d, round %d, kind %d: %s",
                          (int)world, round, (int)of[i].order->kind, error.text);
            }
            for (size_t i = 0; i < count; i++) free(of[i].order);
            walk(&r, &random);
        }
        for (const world_agent *agent = r.server.world.agents.first; agent; agent = agent->next)
            wend_crowd_remove(r.server.world.crowd, agent->id);
        cr_assert_eq(count_occupied(&r), 0, "nothing is kept for orders that are over");
        rig_end(&r);
    }
    cr_assert(done > 3000 && forgotten > 500 && refused > 3000, "%zu %zu %zu", done, forgotten, refused);
}

/* ---- nodes ---- */

static const wend_order *random_order(rig *r, uint64_t *random) {
    const bool graph = r->server.world.kind == WEND_KIND_GRAPH;
    const int n = draw(random, 6), k = draw(random, 90);
    char name[8], cell[16], other[16];
    snprintf(name, sizeof name, "%s", find_name(random));
    snprintf(cell, sizeof cell, graph ? "%d" : "%d,%d", draw(random, TOWN), draw(random, TOWN));
    snprintf(other, sizeof other, graph ? "%d" : "%d,%d", draw(random, TOWN), draw(random, TOWN));
    switch (draw(random, 24)) {
    case 0: return rig_read(r, "go %s to %s near=%d as=%s", name, cell, n / 3, n == 5 ? "line" : "crowd");
    case 1: return rig_read(r, "follow %s %s", name, find_name(random));
    case 2: return rig_read(r, "flee %s %s", name, find_name(random));
    case 3: return rig_read(r, "steer %s %s", name, cell);
    case 4: return rig_read(r, "halt %s", name);
    case 5: return rig_read(r, "route r%d loop %s %s", n, cell, other);
    case 6: return rig_read(r, "take %s r%d", name, n);
    case 7: return rig_read(r, "place %s x=%d y=%d vx=%d", name, draw(random, TOWN) * 65536, k * 6000, k * 100);
    case 8: return rig_read(r, "layer l%d %s", n, n < 3 || graph ? "values" : "walls within=3");
    case 9: return rig_read(r, "paint l%d %s radius=%d peak=%d", n, cell, graph ? 0 : n, 1 + k);
    case 10: return rig_read(r, "paint l%d %s %s value=%d", n, cell, other, k);
    case 11: return rig_read(r, "adjust %s layers=l%d:%d", name, n, 1 + k);
    case 12: return rig_read(r, "agent %s %s layers=l%d:%d", name, cell, n, 1 + k);
    case 13: return rig_read(r, "occupy %s", cell);
    case 14: return rig_read(r, "vacate %s", cell);
    case 15: return rig_read(r, graph ? "edge %s %s 5" : "link %s %s 5", cell, other);
    case 16: return rig_read(r, "unlink %s %s", cell, other);
    case 17: return rig_read(r, "clear %s %s", cell, other);
    case 18: return rig_read(r, "release %s %s", cell, other);
    case 19: /* units hold a third of the town: in a full one, no agent of a follower could give way */
    case 20: return rig_read(r, "vacate %s", cell);
    default: return graph ? rig_read(r, "agent %s %s", name, cell) : random_about_agents(r, random);
    }
}

static void put_text(void *out, const char *bytes, size_t size) {
    fwrite(bytes, 1, size, out);
}

/* The order as a journal has it, behind two lines of head. */
static char *write_record(const rig *r, const wend_order *order, size_t *size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    const bool edit = order->kind == WEND_ORDER_EDIT;
    const wend_order change = edit ? wend__change_order(&order->changes.items[0]) : *order;
    fputs("#\n#\n", out);
    wend__order_write(&change, wend__kind_axes(r->server.world.kind), put_text, out);
    fputs(edit ? "\npublish\n" : "\n", out);
    fclose(out);
    return text;
}

/// Counts orders by their outcome.
typedef struct outcomes {
    size_t done, unwritten, refused;
} outcomes;

/* The owner checks, writes and does an order, and a follower repeats it. */
static void pass_order(rig *owner, rig *follower, const wend_order *order, outcomes *sums) {
    world_state *w = &owner->server.world;
    world_error error = {0};
    uint64_t aside = 0;
    size_t size;
    const bool checked = world_check(w, &rig_owner, order, &error);
    if (!checked || !world_reserve(w, order, &error)) {
        if (checked) world_forget(w, order);
        sums->unwritten++;
        return;
    }
    char *text = write_record(owner, order, &size);
    const bool done = world_do(w, &rig_owner, order, &error);
    serve_state_note(&owner->server, order);
    cr_assert(done || order->kind == WEND_ORDER_PLACE, "%s: %s", text, error.text); /* only discs stand in its way */
    sums->done += done;
    sums->refused += !done;
    const serve_journal_past past = {.text = text, .size = size};
    cr_assert_eq(serve_repeat(&follower->server, &past, &aside), 0);
    cr_assert_eq(aside, 0, "%s", text);
    free(text);
}

static void compare_nodes(int32_t kind, uint64_t seed, outcomes *sums) {
    uint64_t random = seed, own, other;
    rig nodes[2];
    for (int i = 0; i < 2; i++) rig_begin(&nodes[i], kind, TOWN, MOST);
    nodes[1].server.log_name = "the log";
    for (int round = 0; round < 2000; round++) {
        pass_order(&nodes[0], &nodes[1], random_order(&nodes[0], &random), sums);
        walk(&nodes[0], &random);
        if (draw(&random, 8) == 0) walk(&nodes[1], &random); /* agents of the two nodes differ in place */
        wend_crowd_update(nodes[1].server.world.crowd, 0, NULL, NULL);
        world_agents_updated(&nodes[1].server.world);
        cr_assert(serve_state_hash(&nodes[0].server, &own) && serve_state_hash(&nodes[1].server, &other));
        cr_assert_eq(own, other, "seed %d, round %d", (int)seed, round);
    }
    for (int i = 0; i < 2; i++) rig_end(&nodes[i]);
}

Test(room, a_follower_has_the_same_state_whatever_an_owner_refuses) {
    outcomes grid = {0}, graph = {0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        compare_nodes(WEND_KIND_GRID, seed, &grid);
        compare_nodes(WEND_KIND_GRAPH, seed, &graph);
    }
    cr_assert(grid.done > 1000 && grid.unwritten > 1000 && grid.refused > 50, "%zu %zu %zu", grid.done, grid.unwritten,
              grid.refused);
    cr_assert(graph.done > 1000 && graph.unwritten > 1000, "%zu %zu %zu", graph.done, graph.unwritten, graph.refused);
}
