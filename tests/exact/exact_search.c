/* SPDX-License-Identifier: MIT */
/* Questions to bare searches: any engine, in slices of any size. */
#include "exact/exact.h"
#include "models/options.h"

#include <string.h>

static int64_t flood[WORLD_WIDE];
static wend_cell path[WORLD_WIDE * 2], path_again[WORLD_WIDE * 2];

static wend_search *open_search(const world *w) {
    wend_search *search;
    wend_search_def def = default_search();
    def.nodes = exact_pages(w) * WEND_PAGE_NODES;
    REQUIRE(wend_search_create(&def, &search) == WEND_OK);
    return search;
}

static uint64_t any_slice(oracle_random *random) {
    static const uint64_t slices[] = {1, 7, 1000, WEND_NO_LIMIT};
    return slices[oracle_below(random, 4)];
}

/* @return the number of cells */
static size_t run(wend_search *search, const wend_request *request, uint64_t slice, wend_completion *got,
                  wend_cell *cells) {
    size_t count = 0;
    *got = (wend_completion){.struct_bytes = sizeof *got};
    REQUIRE(wend_search_begin(search, request) == WEND_OK);
    while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING)
        ;
    REQUIRE(wend_search_get_result(search, got) == WEND_OK);
    if (got->cost >= 0) REQUIRE(wend_search_get_path(search, cells, WORLD_WIDE * 2, &count) == WEND_OK);
    REQUIRE(count <= WORLD_WIDE * 2);
    return count;
}

/* A search's result depends neither on slices nor on earlier searches. */
static void ask_again(const world *w, wend_search *search, const wend_request *request, oracle_random *random,
                      const wend_completion *first) {
    wend_completion got;
    exact_total.repeated++;
    const size_t count = run(search, request, any_slice(random), &got, path_again);
    const bool same = got.status == first->status && got.cost == first->cost && got.expansions == first->expansions &&
                      count == first->cell_count && memcmp(path, path_again, count * sizeof *path) == 0;
    if (!same) exact_complain(w, request, "another answer with other slices");
}

/* S16: the expansions that a search needs are enough, and one fewer is not. */
static void ask_limited(const world *w, wend_search *search, const wend_request *request,
                        const wend_completion *first) {
    wend_completion got;
    wend_request limited = *request;
    exact_total.limited++;
    options_of(&limited)->max_expansions = first->expansions;
    run(search, &limited, 1000, &got, path_again);
    if (got.status != first->status || got.cost != first->cost)
        exact_complain(w, request, "another answer with just as many expansions");
    options_of(&limited)->max_expansions--;
    run(search, &limited, 1000, &got, path_again);
    if (got.status != WEND_STATUS_LIMIT || got.expansions > read_options(&limited).max_expansions)
        exact_complain(w, request, "no limit with one expansion fewer");
}

static void ask_variant(const world *w, wend_search *search, wend_request *request, oracle_random *random) {
    const world_answer expected = world_ask_flooded(w, request, flood);
    static const int32_t engines[] = {WEND_ENGINE_JUMP, WEND_ENGINE_AUTO, WEND_ENGINE_ASTAR};
    for (int i = 0; i < 3; i++) {
        wend_completion got;
        if (i > 0 && oracle_below(random, 1 + i) > 0) continue; /* seldom again: the next A* searches add little */
        options_of(request)->engine = engines[i];
        got.cell_count = run(search, request, any_slice(random), &got, path);
        exact_compare(w, request, &expected, &got, path, "a search");
        const int extra = oracle_below(random, 16);
        if (extra == 0) ask_again(w, search, request, random, &got);
        if (extra == 1 && got.expansions > 0) ask_limited(w, search, request, &got);
    }
}

void exact_by_search(const world *w, wend_map *map, oracle_random *random) {
    wend_cell goals[WEND_MAX_GOALS];
    OWNED_SEARCH *search = open_search(w);
    for (int floods = 3; floods > 0; floods--) {
        wend_request request = exact_begin(w, random);
        request.map = map;
        world_flood(w, &request, request.start, flood);
        for (int variant = 0; variant < EXACT_VARIANTS; variant++) {
            exact_aim(w, random, &request, goals);
            ask_variant(w, search, &request, random);
        }
    }
}
