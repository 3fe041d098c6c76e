/* SPDX-License-Identifier: MIT */
/* Free places around a goal and random cells, compared with a plain Dijkstra over the models. */
#include "models/few_or_many.h"
#include "models/worlds.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/query.h>

enum { PLACES = 40 };

/* Costs of the ways from a cell to all others by the model's steps; UINT64_MAX: none. */
static void model_costs(const world *w, int mover, wend_cell from, uint64_t *cost) {
    static bool done[WORLD_CELLS];
    const wend_request request = {.mover = mover};
    for (int i = 0; i < w->cells; i++) cost[i] = UINT64_MAX, done[i] = false;
    cost[world_number(w, from)] = 0;
    for (;;) {
        int best = -1;
        for (int i = 0; i < w->cells; i++)
            if (!done[i] && cost[i] != UINT64_MAX && (best < 0 || cost[i] < cost[best])) best = i;
        if (best < 0) return;
        done[best] = true;
        for (int i = 0; i < w->cells; i++) {
            uint64_t step = done[i] ? UINT64_MAX : world_step(w, &request, world_cell(w, best), world_cell(w, i));
            if (step != UINT64_MAX && cost[best] + step < cost[i]) cost[i] = cost[best] + step;
        }
    }
}

/* The k-th place must cost as much as the k-th cheapest cell without a unit. */
static void check_places(const world *w, const uint64_t *cost, const wend_cell *places, size_t count) {
    static bool taken[WORLD_CELLS];
    for (int i = 0; i < w->cells; i++) taken[i] = w->occupants[i] > 0;
    for (size_t k = 0; k <= count; k++) {
        int best = -1;
        for (int i = 0; i < w->cells; i++)
            if (!taken[i] && cost[i] != UINT64_MAX && (best < 0 || cost[i] < cost[best])) best = i;
        if (k == count) {
            cr_assert(best < 0 || count == PLACES, "a place is missing");
            return;
        }
        int number = world_number(w, places[k]);
        cr_assert(best >= 0 && !taken[number]);
        cr_assert_eq(cost[number], cost[best], "place %zu costs %llu instead of %llu", k,
                     (unsigned long long)cost[number], (unsigned long long)cost[best]);
        taken[number] = true;
    }
}

Test(places, free_places_are_the_cheapest_from_the_goal) {
    static const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    static world w;
    static uint64_t cost[WORLD_CELLS];
    oracle_random random = {11};
    for (int trial = 0; trial < 60; trial++) {
        const world_options options = {
            .kind = kinds[trial % 3], .slow = trial % 2, .links = trial % 5 == 0, .occupants = true};
        world_fill(&w, &random, &options);
        if (w.cells > 700) continue; /* the model is slow */
        OWNED_MAP *map = world_map(&w);
        wend_places_def def;
        wend_places_def_init(&def, sizeof def);
        def.goal = def.from = world_cell(&w, oracle_below(&random, w.cells));
        wend_cell places[PLACES];
        size_t count = 99;
        cr_assert_eq(wend_map_free_places(map, &def, places, PLACES, &count), WEND_OK);
        if (world_factor(&w, 0, def.goal) > 0) {
            model_costs(&w, 0, def.goal, cost);
            check_places(&w, cost, places, count);
        }
    }
}

static wend_map *islands(void) {
    wend_map *map = grid_map(9, 6);
    for (int32_t y = 0; y < 6; y++) cr_assert_eq(wend_map_set_cell(map, (wend_cell){4, y, 0}, 0, NULL), WEND_OK);
    return map;
}

Test(places, where_the_goal_cannot_be_reached_another_cell_takes_its_place) {
    OWNED_MAP *map = islands();
    wend_places_def def;
    wend_places_def_init(&def, sizeof def);
    def.goal = (wend_cell){7, 2, 0}, def.from = (wend_cell){0, 0, 0};
    wend_cell places[4];
    size_t count;
    cr_assert_eq(wend_map_free_places(map, &def, places, 4, &count), WEND_OK);
    cr_assert_eq(count, 4);
    cr_assert(places[0].x == 3 && places[0].y == 2);
    cr_assert(places[1].x == 3 && places[1].y == 1, "ties by z, y, x");
    def.max_cells = 0;
    cr_assert_eq(wend_map_free_places(map, &def, places, 4, &count), WEND_BAD_ARGUMENT);
    def.max_cells = 100, def.goal.x = 9;
    cr_assert_eq(wend_map_free_places(map, &def, places, 4, &count), WEND_OUT_OF_RANGE);
}

Test(places, places_of_large_movers_do_not_overlap) {
    OWNED_MAP *map = islands();
    wend_mover mover = default_mover();
    mover.size = 2;
    wend_places_def def;
    wend_places_def_init(&def, sizeof def);
    cr_assert_eq(wend_map_add_mover(map, &mover, &def.mover), WEND_OK);
    def.goal = (wend_cell){1, 1, 0};
    wend_cell places[10];
    size_t count;
    cr_assert_eq(wend_map_free_places(map, &def, places, 10, &count), WEND_OK);
    cr_assert(count >= 2 && count <= 6);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert(abs(places[i].x - places[j].x) >= 2 || abs(places[i].y - places[j].y) >= 2);
}

Test(places, random_cells_are_open_and_connected_and_all_are_drawn) {
    OWNED_MAP *map = islands();
    bool drawn[6][9] = {{false}};
    for (uint64_t seed = 0; seed < (uint64_t)few_or_many(600, 6000); seed++) {
        wend_cell cell, again;
        cr_assert_eq(wend_map_random_cell(map, 0, (wend_cell){8, 0, 0}, seed, &cell), WEND_OK);
        cr_assert_eq(wend_map_random_cell(map, 0, (wend_cell){8, 0, 0}, seed, &again), WEND_OK);
        cr_assert(cell.x == again.x && cell.y == again.y);
        cr_assert_gt(cell.x, 4, "the other island");
        drawn[cell.y][cell.x] = true;
    }
    for (int y = 0; y < 6; y++)
        for (int x = 5; x < 9; x++) cr_assert(drawn[y][x]);
    wend_cell cell;
    cr_assert_eq(wend_map_random_cell(map, 0, (wend_cell){4, 0, 0}, 1, &cell), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_random_cell(map, 1, (wend_cell){0, 0, 0}, 1, &cell), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_random_cell(map, 0, (wend_cell){0, 6, 0}, 1, &cell), WEND_OUT_OF_RANGE);
}
