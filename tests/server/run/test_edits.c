/* SPDX-License-Identifier: MIT */
/* Changes of a world's map: refused changes, waiting changes, and forgotten ones. */
#include <criterion/criterion.h>

#include "models/defaults.h"
#include "world/world.h"

static const world_client owner = {.owner = true};
static const wend_cell a = {1, 1, 0}, b = {5, 5, 0}, c = {9, 9, 0};

static world_state make_world(void) {
    wend_map_def def = default_map();
    world_state w = {.kind = WEND_KIND_GRID};
    def.width = def.height = 10;
    cr_assert_eq(wend_map_create(&def, &w.map), WEND_OK);
    return w;
}

static void free_world(world_state *w) {
    world_edits_free(&w->edits);
    wend_map_release(w->map);
}

static wend_order change(int32_t kind, wend_cell from, wend_cell to, int32_t value) {
    return (wend_order){.kind = kind, .change = {.from = from, .to = to, .value = value}};
}

static bool check(world_state *w, wend_order order) {
    world_error error = {0};
    const bool good = world_check(w, &owner, &order, &error);
    cr_assert_eq(good, error.refusal == WORLD_TAKEN, "%s", error.text);
    return good;
}

static size_t count_links(const world_state *w) {
    size_t count = 0;
    wend_map_get_links(w->map, NULL, 0, &count);
    return count;
}

Test(edits, are_judged_with_those_that_wait) {
    const wend_order link = change(WEND_ORDER_LINK, a, b, 7), unlink = change(WEND_ORDER_UNLINK, a, b, 0);
    OWNED(free_world) world_state w = make_world();
    cr_assert(!check(&w, unlink));
    cr_assert(check(&w, link));
    cr_assert(check(&w, unlink));
    cr_assert(!check(&w, unlink));
    world_forget(&w, &unlink);
    cr_assert(check(&w, unlink));
    world_forget(&w, &unlink);
    world_forget(&w, &link);
    cr_assert(!check(&w, unlink), "the link was forgotten");
    cr_assert_eq(w.edits.count, 0);
}

Test(edits, of_a_client_wait_all_or_not_at_all) {
    const wend_change_item items[] = {{WEND_ORDER_LINK, {.from = a, .to = b, .value = 7}},
                                      {WEND_ORDER_UNLINK, {.from = b, .to = c}}};
    const wend_order both = {.kind = WEND_ORDER_EDIT, .changes = {items, 2}};
    const wend_order first = {.kind = WEND_ORDER_EDIT, .changes = {items, 1}};
    world_error error = {0};
    OWNED(free_world) world_state w = make_world();
    cr_assert(!world_check(&w, &owner, &both, &error));
    cr_assert_eq(error.index, 1);
    cr_assert_str_eq(error.text, "there is no link from 5,5 to 9,9");
    cr_assert_eq(w.edits.count, 0);
    cr_assert(!check(&w, change(WEND_ORDER_UNLINK, a, b, 0)), "the first change does not wait");
    cr_assert(check(&w, first));
    cr_assert(check(&w, change(WEND_ORDER_LINK, b, c, 3)));
    cr_assert(world_do(&w, &owner, &first, &error));
    cr_assert_eq(count_links(&w), 1, "that of the client; the other one waits");
    cr_assert_eq(w.edits.count, 1);
    cr_assert_eq(world_publish(&w, 1), WEND_OK);
    cr_assert_eq(count_links(&w), 2);
}

/* An open batch refuses the publication. */
Test(edits, that_fail_wait_no_more_and_were_not_made) {
    const wend_change_item item = {WEND_ORDER_LINK, {.from = a, .to = b, .value = 7}};
    const wend_order edit = {.kind = WEND_ORDER_EDIT, .changes = {&item, 1}};
    world_error error = {0};
    OWNED(free_world) world_state w = make_world();
    cr_assert(check(&w, edit));
    cr_assert(check(&w, change(WEND_ORDER_LINK, b, c, 3)));
    wend_edit *batch = begin_edit(w.map);
    cr_assert(!world_do(&w, &owner, &edit, &error));
    wend_edit_discard(batch);
    cr_assert_eq(w.edits.count, 1);
    cr_assert(!check(&w, change(WEND_ORDER_UNLINK, a, b, 0)));
    cr_assert(check(&w, change(WEND_ORDER_UNLINK, b, c, 0)), "what waits still counts");
}

Test(edits, are_refused_for_the_reasons_of_their_kind) {
    OWNED(free_world) world_state w = make_world();
    cr_assert(!check(&w, change(WEND_ORDER_SET, (wend_cell){10, 0, 0}, a, 1)));
    cr_assert(!check(&w, change(WEND_ORDER_FILL, a, (wend_cell){0, 10, 0}, 1)));
    cr_assert(!check(&w, change(WEND_ORDER_STEP, a, (wend_cell){3, 1, 0}, 0)));
    cr_assert(!check(&w, change(WEND_ORDER_STEP, a, a, 0)));
    cr_assert(!check(&w, change(WEND_ORDER_LINK, a, a, 5)));
    cr_assert(check(&w, change(WEND_ORDER_STEP, a, (wend_cell){2, 2, 0}, 0)));
    cr_assert_eq(w.edits.count, 1);
}

/* ---- graphs, by a table of their expected contents ---- */

enum { IDS = 8 };

/// A graph by tables: which nodes there are, and the costs of links and edges; 0: none.
typedef struct tables {
    bool nodes[IDS];
    int32_t edges[IDS][IDS], links[IDS][IDS];
} tables;

static world_state make_graph(void) {
    static const uint8_t present[] = {1, 1, 0, 1};
    static const wend_edge edges[] = {{0, 1, 5}, {0, 1, 9}, {3, 3, 2}};
    wend_graph_def def = default_graph();
    world_state w = {.kind = WEND_KIND_GRAPH};
    def.node_count = 4, def.node_capacity = IDS, def.present = present;
    def.edges = edges, def.edge_count = 3;
    cr_assert_eq(wend_graph_create(&def, &w.map), WEND_OK);
    return w;
}

static uint32_t next_number(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed >> 33) % below);
}

/* @return whether it can be done */
static bool do_by_tables(tables *t, const wend_change_item *item) {
    const int32_t from = item->change.from.x, to = item->change.to.x;
    if (item->kind == WEND_ORDER_NODE) {
        const bool good = from < IDS && !t->nodes[from];
        if (good) t->nodes[from] = true;
        return good;
    }
    if (from >= IDS || to >= IDS || !t->nodes[from] || !t->nodes[to]) return false;
    int32_t *edge = &t->edges[from][to], *link = &t->links[from][to];
    switch (item->kind) {
    case WEND_ORDER_EDGE: *edge = item->change.value; return true;
    case WEND_ORDER_LINK:
        if (from == to) return false;
        *link = item->change.value;
        return true;
    default: break;
    }
    int32_t *gone = *link ? link : edge;
    const bool good = *gone;
    *gone = 0;
    return good;
}

static int32_t cheapest_edge(const wend_map *map, uint32_t from, uint32_t to) {
    wend_edge edges[64];
    size_t count = 0;
    int32_t cost = 0;
    if (wend_map_get_edges(map, from, edges, 64, &count)) return 0;
    for (size_t i = 0; i < count; i++)
        if (edges[i].to == to && (!cost || edges[i].cost < cost)) cost = edges[i].cost;
    return cost;
}

static void compare(const world_state *w, const tables *t) {
    wend_link links[IDS * IDS];
    size_t count = 0, wanted = 0;
    wend_map_get_links(w->map, links, IDS * IDS, &count);
    for (size_t i = 0; i < count; i++) cr_assert_eq(t->links[links[i].from.x][links[i].to.x], links[i].cost);
    for (int32_t from = 0; from < IDS; from++) {
        cr_assert_eq(world_is_on_map(w, (wend_cell){from, 0, 0}), t->nodes[from]);
        for (int32_t to = 0; to < IDS; to++) {
            wanted += t->links[from][to] > 0;
            cr_assert_eq(cheapest_edge(w->map, (uint32_t)from, (uint32_t)to), t->edges[from][to], "%d to %d", from, to);
        }
    }
    cr_assert_eq(count, wanted);
}

static wend_change_item random_change(uint64_t *seed) {
    static const int32_t kinds[] = {WEND_ORDER_NODE, WEND_ORDER_EDGE, WEND_ORDER_LINK, WEND_ORDER_UNLINK};
    wend_change_item item = {kinds[next_number(seed, 4)], {.value = 1 + (int32_t)next_number(seed, 99)}};
    item.change.from.x = (int32_t)next_number(seed, IDS + 1);
    if (item.kind != WEND_ORDER_NODE) item.change.to.x = (int32_t)next_number(seed, IDS + 1);
    if (item.kind == WEND_ORDER_NODE && next_number(seed, 4)) item.kind = WEND_ORDER_UNLINK;
    if (item.kind == WEND_ORDER_NODE || item.kind == WEND_ORDER_UNLINK) item.change.value = 0;
    return item;
}

/* Batches all or not at all, single changes that wait, and some that are forgotten. */
Test(edits, of_a_graph_do_what_tables_say) {
    int done = 0, refused = 0;
    for (uint64_t round = 0; round < 300; round++) {
        uint64_t seed = round;
        OWNED(free_world) world_state w = make_graph();
        tables t = {.nodes = {true, true, false, true}};
        t.edges[0][1] = 5, t.edges[3][3] = 2;
        for (int step = 0; step < 60; step++) {
            wend_change_item items[3];
            tables after = t;
            bool good = true;
            const size_t count = 1 + next_number(&seed, 3);
            for (size_t i = 0; i < count; i++) items[i] = random_change(&seed);
            for (size_t i = 0; i < count && good; i++) good = do_by_tables(&after, &items[i]);
            const wend_order order = {.kind = WEND_ORDER_EDIT, .changes = {items, count}};
            cr_assert_eq(check(&w, order), good, "round %d, step %d", (int)round, step);
            if (good && next_number(&seed, 4) == 0)
                world_forget(&w, &order);
            else if (good)
                t = after;
            done += good, refused += !good;
            if (next_number(&seed, 3)) continue;
            if (w.edits.count > 0) cr_assert_eq(world_publish(&w, w.edits.count), WEND_OK);
            compare(&w, &t);
        }
    }
    cr_expect_gt(done, 500, "%d", done);
    cr_expect_gt(refused, 500, "%d", refused);
}
