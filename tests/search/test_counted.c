/* SPDX-License-Identifier: MIT */
/* Expensive work counts as several expansions: a hub of links or edges, units, space, many goals. Work done but not
 * counted is owed, and a search ends only when it owes nothing. */
#include "fast/acceleration.h"
#include "fast/jump_stops/stop_search.h"
#include "search/engines.h"
#include "search/search_rig.h"
#include "models/options.h"
#include "models/kept.h"

#include <criterion/criterion.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { SIDE = 60, WAYS = 1000, PAGES = 512 };

static rig r;

static wend_map *make_map(int32_t kind) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = def.height = SIDE, def.depth = kind == WEND_KIND_VOXEL ? SIDE : 1;
    return made_map(&def);
}

/* Links lead from the start to WAYS other cells. */
static wend_map *link_hub(void) {
    wend_map *map = make_map(WEND_KIND_GRID);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 1; i <= WAYS; i++)
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{0, 0, 0}, {i % SIDE, i / SIDE, 0}, 100000, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

/* Edges lead from node 0 to all others, and from each of them to the last. */
static wend_map *edge_hub(void) {
    static wend_edge edges[2 * WAYS];
    wend_graph_def def = default_graph();
    for (uint32_t i = 0; i < WAYS; i++) {
        edges[2 * i] = (wend_edge){0, i + 1, 10 + (int32_t)i};
        edges[2 * i + 1] = (wend_edge){i + 1, WAYS, 5000};
    }
    def.node_count = WAYS + 1, def.edges = edges, def.edge_count = 2 * WAYS - 1;
    return made_graph(&def);
}

static wend_request request_to(wend_map *map, wend_cell goal) {
    wend_request request = default_request();
    request.map = map, request.goal = goal;
    options_of(&request)->engine = WEND_ENGINE_ASTAR;
    return request;
}

typedef struct outcome {
    wend_status status;
    uint64_t cost, expansions, closed;
} outcome;

/* In slices; at most `most` expansions, as wend_search_step() goes about it. */
static outcome run(const wend_request *request, uint64_t slice, uint64_t most) {
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search *s = r.search;
    uint64_t spent = 0;
    wend__search_begin(s, version, KEPT(request));
    while (s->status == WEND_STATUS_PENDING) {
        const uint64_t grant = most - spent < slice ? most - spent : slice;
        const uint64_t used = wend__search_step(s, &r.stock, grant);
        cr_assert_leq(used, grant);
        cr_assert_eq(s->expansions, spent += used);
        if (s->status != WEND_STATUS_PENDING)
            cr_assert_eq(s->owed, 0, "it ends only when all is counted");
        else if (!s->starved)
            cr_assert_eq(used, grant, "while it is pending all is spent");
        if (s->starved) wend__pool_grant(&r.pool, &r.stock, WEND__STOCK, WEND__STOCK);
        if (s->status == WEND_STATUS_PENDING && !s->starved && spent == most && wend__search_conclude(s, &r.stock))
            break;
    }
    wend__cell_list list = {.cells = NULL};
    wend__search_expanded(s, &list);
    const outcome got = {s->status, s->status == WEND_STATUS_FOUND ? s->cost : 0, spent, list.count};
    wend__search_drop(s);
    wend__pool_return(&r.pool, &r.stock);
    wend__map_release(version, true);
    return got;
}

/* Slices change nothing, and the maximum is exact. */
static outcome check(const wend_request *request) {
    static const uint64_t slices[] = {1, 7, 1000};
    const outcome whole = run(request, WEND_NO_LIMIT, WEND_NO_LIMIT);
    for (unsigned i = 0; i < 3; i++) {
        const outcome sliced = run(request, slices[i], WEND_NO_LIMIT);
        cr_assert(sliced.status == whole.status && sliced.cost == whole.cost && sliced.closed == whole.closed);
        cr_assert_eq(sliced.expansions, whole.expansions, "%lu, in slices of %lu %lu", (unsigned long)whole.expansions,
                     (unsigned long)slices[i], (unsigned long)sliced.expansions);
        const outcome enough = run(request, slices[i], whole.expansions);
        cr_assert_eq(enough.status, whole.status);
        cr_assert_eq(enough.cost, whole.cost);
        cr_assert_eq(run(request, slices[i], whole.expansions - 1).status, WEND_STATUS_PENDING);
    }
    return whole;
}

static void begin_rig(void) {
    rig_make(&r, PAGES, 0xa5);
}

static void end_rig(void) {
    rig_free(&r);
}

TestSuite(counted, .init = begin_rig, .fini = end_rig);

Test(counted, a_hub_counts_all_its_ways) {
    OWNED_MAP *links = link_hub(), *edges = edge_hub();
    wend_request request = request_to(links, (wend_cell){2, 0, 0});
    const outcome by_links = check(&request);
    cr_assert_eq(by_links.cost, 20);
    cr_assert(by_links.closed < 10 && by_links.expansions > WAYS, "%lu", (unsigned long)by_links.expansions);
    cr_assert_eq(wend_map_accelerate(links, NULL), WEND_OK);
    options_of(&request)->engine = WEND_ENGINE_JUMP;
    cr_assert_geq(check(&request).expansions, (WAYS - 16) / 2, "beyond 16 links each two count");
    request = request_to(edges, (wend_cell){1, 0, 0});
    const outcome by_edges = check(&request);
    cr_assert_eq(by_edges.cost, 10);
    cr_assert_geq(by_edges.expansions, 2 * by_edges.closed + WAYS / 8 * 2);
    options_of(&request)->weight_milli = 1500; /* by the general engine */
    cr_assert_gt(check(&request).expansions, WAYS);
}

/* A step may begin work with one expansion left; the next step pays, and does nothing else. */
Test(counted, a_debt_is_counted_before_the_search_goes_on) {
    OWNED_MAP *map = link_hub();
    wend_request request = request_to(map, (wend_cell){2, 0, 0});
    wend__version *version = wend__map_acquire(map, true);
    wend__search *s = r.search;
    wend__pool_grant(&r.pool, &r.stock, WEND__STOCK, WEND__STOCK);
    wend__search_begin(s, version, KEPT(&request));
    uint64_t debt = s->owed;
    while (debt > 0) { /* debt of the estimate for links */
        cr_assert_eq(wend__search_step(s, &r.stock, 1), 1);
        cr_assert_eq(s->owed, --debt);
        cr_assert_not(s->begun);
    }
    cr_assert_eq(wend__search_step(s, &r.stock, 1), 1);
    cr_assert_gt(debt = s->owed, WAYS);
    const uint64_t step = debt / 3;
    cr_assert_eq(wend__search_step(s, &r.stock, step), step);
    cr_assert_eq(s->owed, debt - step);
    cr_assert(wend__search_conclude(s, &r.stock));
    cr_assert_eq(s->status, WEND_STATUS_PENDING);
    cr_assert_eq(wend__search_step(s, &r.stock, debt - step), debt - step);
    cr_assert_eq(s->owed, 0);
    cr_assert_eq(s->status, WEND_STATUS_PENDING);
    cr_assert_lt(wend__search_step(s, &r.stock, 1000), 1000);
    cr_assert_eq(s->status, WEND_STATUS_FOUND);
    wend__search_drop(s);
    wend__pool_return(&r.pool, &r.stock);
    wend__map_release(version, true);
}

/* The same nodes count more where each takes longer. */
Test(counted, units_goals_and_space_count_more) {
    OWNED_MAP *flat = make_map(WEND_KIND_GRID), *space = make_map(WEND_KIND_VOXEL);
    cr_assert_eq(wend_map_occupy(flat, (wend_cell){SIDE - 1, 0, 0}), WEND_OK);
    wend_request request = request_to(flat, (wend_cell){SIDE - 1, SIDE - 1, 0});
    const outcome plain = check(&request);
    cr_assert_eq(plain.expansions, plain.closed, "a node of a plain grid counts one");
    request.reach = 1;
    const outcome reach = check(&request);
    cr_assert(reach.expansions >= 2 * reach.closed && reach.expansions <= 4 * reach.closed);
    options_of(&request)->occupied = 50;
    const outcome units = check(&request);
    cr_assert_gt(units.expansions * reach.closed, reach.expansions * units.closed);
    wend_cell goals[WEND_MAX_GOALS - 1];
    for (int32_t i = 0; i < WEND_MAX_GOALS - 1; i++) goals[i] = (wend_cell){SIDE - 1, i % SIDE, 0};
    options_of(&request)->more_goals = goals, options_of(&request)->more_goal_count = WEND_MAX_GOALS - 1;
    const outcome many = check(&request);
    cr_assert_gt(many.expansions, 20 * many.closed);
    request = request_to(space, (wend_cell){SIDE - 1, SIDE - 1, SIDE - 1});
    const outcome deep = check(&request);
    cr_assert_eq(deep.expansions, 3 * deep.closed);
}

/* Jump search among units, and with links. */
Test(counted, jump_search_with_stops_is_exact_too) {
    OWNED_MAP *map = link_hub();
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    for (int32_t i = 1; i < 200; i++)
        cr_assert_eq(wend_map_occupy(map, (wend_cell){i * 37 % SIDE, i * 23 % SIDE, 0}), WEND_OK);
    wend_request request = request_to(map, (wend_cell){SIDE - 2, SIDE - 1, 0});
    options_of(&request)->engine = WEND_ENGINE_JUMP;
    for (int32_t i = 0; i < 30; i++) {
        request.goal = (wend_cell){i * 7 % SIDE, SIDE - 1 - i, 0};
        options_of(&request)->occupied = i % 2 ? WEND_OCCUPIED_IGNORE : 30;
        request.reach = i % 3;
        const outcome got = check(&request);
        cr_assert_eq(got.status, WEND_STATUS_FOUND);
    }
    cr_assert_eq(r.search->engine, &wend__stop_jump);
}
