/* SPDX-License-Identifier: MIT */
/* The open list of plain A*: its first node is the next one that is closed; g, h and parents are those of the rules. */
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/worlds.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MOST = 1 << 16, QUERIES = 3 };

static wend_search_node nodes[MOST];
static wend_cell closed[MOST], taken[MOST];
static int64_t g_of[WORLD_CELLS];
static bool seen[WORLD_CELLS];

static wend_search *make_search(void) {
    wend_search_def def = default_search();
    return made_search(&def);
}

/* Each entry: reached from a closed cell by a legal step, at its cost. @return how many different ones */
static int check_open(const world *w, const wend_request *request, size_t count, size_t taken_count) {
    int different = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < count; i++) {
        const wend_search_node *node = &nodes[i];
        const int number = world_number(w, node->cell);
        cr_assert_geq(node->h, 0);
        if (seen[number]) continue; /* an older entry: the cell became cheaper since */
        seen[number] = true;
        different++;
        if (taken_count == 0) {
            cr_assert_eq(count, 1, "the start alone");
            cr_assert_eq(memcmp(&node->cell, &request->start, sizeof node->cell), 0);
            cr_assert_eq(memcmp(&node->parent, &request->start, sizeof node->cell), 0);
            cr_assert_eq(node->g, 0);
            continue;
        }
        const uint64_t step = world_step(w, request, node->parent, node->cell);
        cr_assert_neq(step, UINT64_MAX, "no such step");
        cr_assert_eq(node->g, g_of[world_number(w, node->parent)] + (int64_t)step);
    }
    return different;
}

/* Expands node by node: the first node of the list is closed next, and nothing else. */
static void follow(wend_search *search, const world *w, const wend_request *request) {
    size_t count = 0, taken_count = 0;
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    while (wend_search_get_open(search, nodes, MOST, &count) == WEND_OK) {
        check_open(w, request, count, taken_count);
        size_t before = 0, after = 0;
        cr_assert_eq(wend_search_get_expanded(search, NULL, 0, &before), WEND_OK);
        const wend_search_node first = count > 0 ? nodes[0] : (wend_search_node){0};
        const wend_status status = wend_search_step(search, 1, NULL);
        cr_assert_eq(wend_search_get_expanded(search, closed, MOST, &after), WEND_OK);
        if (after == before) continue; /* counts a debt, or looks back from the goal */
        cr_assert_gt(count, 0);
        cr_assert_eq(after, before + 1, "%zu, then %zu", before, after);
        taken[taken_count++] = first.cell;
        g_of[world_number(w, first.cell)] = first.g;
        bool found = false;
        for (size_t i = 0; i < after && !found; i++) found = memcmp(&closed[i], &first.cell, sizeof first.cell) == 0;
        cr_assert(found, "not the first one");
        if (status != WEND_STATUS_PENDING) break;
        /* Buckets hold several costs: the goal's is emptied, and nodes that are no better are closed unexpanded. */
        if (memcmp(&first.cell, &request->goal, sizeof first.cell) == 0) return;
    }
    /* The same query in one step expands the same cells. */
    const wend_completion slow = {.struct_bytes = sizeof slow};
    wend_completion whole = slow;
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_search_step(search, WEND_NO_LIMIT, NULL);
    cr_assert_eq(wend_search_get_result(search, &whole), WEND_OK);
    cr_assert_eq(wend_search_get_expanded(search, closed, MOST, &count), WEND_OK);
    cr_assert_eq(count, taken_count);
    for (size_t i = 0; i < taken_count; i++) {
        bool found = false;
        for (size_t k = 0; k < count && !found; k++) found = memcmp(&closed[k], &taken[i], sizeof *taken) == 0;
        cr_assert(found);
    }
    if (whole.status == WEND_STATUS_FOUND && taken_count > 0)
        cr_assert_eq(whole.cost, g_of[world_number(w, request->goal)], "the goal's g is the path's cost");
}

Test(search_open, has_first_what_is_taken_next) {
    static world w;
    const world_options options = {WEND_KIND_GRID, true, false, true, true, false};
    oracle_random random = {31};
    OWNED_SEARCH *search = make_search();
    const int worlds = few_or_many(60, 400);
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, &options);
        w.rules.neighbours = i % 3 == 0 ? 4 : w.rules.neighbours;
        OWNED_MAP *map = world_map(&w);
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS];
            wend_request request = world_request(&w, &random, false, goals);
            request.map = map;
            options_of(&request)->engine = WEND_ENGINE_ASTAR;
            options_of(&request)->heuristic = (i + query) % 4;
            options_of(&request)->weight_milli = query == 1 ? 1000 + oracle_below(&random, 3000) : 1000;
            follow(search, &w, &request);
        }
    }
}

Test(search_open, does_not_change_the_search) {
    static world l;
    oracle_random random = {37};
    OWNED_SEARCH *search = make_search();
    static wend_cell paths[2][MOST];
    for (int i = 0; i < 60; i++) {
        const wend_map_rules rules = default_rules();
        world_fill_even(&l, &random, &rules);
        OWNED_MAP *map = world_map(&l);
        wend_request request =
            path_request(map, world_cell_near(&l, &random, request.start), world_cell_near(&l, &random, request.start));
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        options_of(&request)->weight_milli = i % 2 ? 1000 : 2500;
        wend_completion ends[2];
        for (int way = 0; way < 2; way++) {
            size_t length = 0;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            while (way == 1 && wend_search_step(search, 17, NULL) == WEND_STATUS_PENDING)
                (void)wend_search_get_open(search, nodes, MOST, NULL);
            wend_search_step(search, WEND_NO_LIMIT, NULL);
            ends[way] = result_now(search);
            wend_search_get_path(search, paths[way], MOST, &length);
        }
        cr_assert_eq(ends[0].status, ends[1].status);
        cr_assert_eq(ends[0].expansions, ends[1].expansions);
        cr_assert_eq(ends[0].cost, ends[1].cost);
        if (ends[0].cost >= 0) cr_assert_eq(memcmp(paths[0], paths[1], ends[0].cell_count * sizeof(wend_cell)), 0);
    }
}

Test(search_open, is_refused_without_a_query_and_for_other_engines) {
    OWNED_SEARCH *search = make_search();
    size_t count = 7;
    cr_assert_eq(wend_search_get_open(search, nodes, MOST, &count), WEND_EMPTY);
    static world l;
    oracle_random random = {41};
    const wend_map_rules rules = default_rules();
    world_fill_even(&l, &random, &rules);
    OWNED_MAP *map = world_map(&l);
    wend_request request = path_request(map, (wend_cell){0, 0, 0}, (wend_cell){1, 0, 0});
    request.reach = 1;
    options_of(&request)->engine = WEND_ENGINE_ASTAR;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_get_open(search, nodes, MOST, &count), WEND_UNSUPPORTED);
    cr_assert_eq(count, 7, "untouched");
}
