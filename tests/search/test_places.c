/* SPDX-License-Identifier: MIT */
/* The nearest places by travelled cost, on worlds of all kinds, against a flood from the start. */
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/worlds.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/units.h>

enum { MOST = 8, CELLS = 20, QUERIES = 10 };

static uint32_t several, ties;

static bool is_wanted(const world *w, const wend_nearest_def *def, int number) {
    if (def->cell_count == 0) return def->classes[w->terrain[number] / 64] >> w->terrain[number] % 64 & 1;
    for (uint32_t i = 0; i < def->cell_count; i++)
        if (same_cell(def->cells[i], world_cell(w, number))) return true;
    return false;
}

/* Returns whether a unit is where the mover would stand, except on cells that it covers now. */
static bool is_taken(const world *w, const wend_nearest_def *def, wend_cell cell) {
    const int size = w->movers[def->mover].size, rise = w->kind == WEND_KIND_VOXEL ? size : 1;
    for (int i = 0; i < size * size * rise; i++) {
        const wend_cell at = {cell.x + i % size, cell.y + i / size % size, cell.z + i / size / size};
        const int x = at.x - def->start.x, y = at.y - def->start.y, z = at.z - def->start.z;
        if (x >= 0 && y >= 0 && z >= 0 && x < size && y < size && z < rise) continue;
        if (at.x < w->width && at.y < w->height && at.z < w->depth && w->occupants[world_number(w, at)]) return true;
    }
    return false;
}

/* By cost, then by number: that is z, y, x. */
static size_t expect_places(const world *w, const wend_nearest_def *def, size_t capacity, wend_hit *out) {
    static int64_t distances[WORLD_CELLS];
    static bool used[WORLD_CELLS];
    wend_request request = path_request(def->map, def->start, def->start);
    request.mover = def->mover;
    options_of(&request)->occupied = def->occupied;
    world_flood(w, &request, def->start, distances);
    memset(used, 0, sizeof used);
    size_t count = 0;
    for (; count < capacity; count++) {
        int best = -1;
        for (int i = 0; i < w->cells; i++) {
            if (used[i] || distances[i] < 0 || distances[i] > def->most_cost || !is_wanted(w, def, i)) continue;
            if (def->free_only && is_taken(w, def, world_cell(w, i))) continue;
            if (best < 0 || distances[i] < distances[best]) best = i;
        }
        if (best < 0) break;
        used[best] = true;
        ties += count > 0 && out[count - 1].cost == distances[best];
        out[count] = (wend_hit){world_cell(w, best), distances[best]};
    }
    return count;
}

static void try_worlds(const world_options *options, int worlds, uint64_t seed) {
    static world w;
    oracle_random random = {seed};
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS], cells[CELLS];
            const wend_request request = world_request(&w, &random, false, goals);
            wend_nearest_def def = default_nearest();
            def.map = map, def.mover = request.mover, def.start = request.start;
            def.occupied = query % 3 == 0 ? WEND_OCCUPIED_BLOCK : query % 3 == 1 ? 7 : WEND_OCCUPIED_IGNORE;
            def.free_only = query % 2;
            if (query % 4 == 0) def.most_cost = oracle_below(&random, 120);
            for (int k = 0; k < 6; k++) def.classes[0] |= UINT64_C(1) << oracle_below(&random, 6);
            if (query % 3 == 2) {
                def.cells = cells, def.cell_count = 1 + (uint32_t)oracle_below(&random, CELLS);
                for (uint32_t k = 0; k < def.cell_count; k++) cells[k] = world_cell(&w, oracle_below(&random, w.cells));
            }
            wend_hit got[MOST], wanted[MOST];
            const size_t capacity = 1 + (size_t)oracle_below(&random, MOST);
            size_t count = 77;
            const wend_error error = wend_find_nearest(&def, got, capacity, &count);
            if (world_factor(&w, def.mover, def.start) == 0) {
                cr_assert_eq(error, WEND_BLOCKED);
                cr_assert_eq(count, 77, "untouched");
                continue;
            }
            cr_assert_eq(error, WEND_OK);
            const size_t expected = expect_places(&w, &def, capacity, wanted);
            cr_assert_eq(count, expected, "kind %d, %zu places, not %zu", w.kind, count, expected);
            for (size_t k = 0; k < count; k++) {
                cr_assert_eq(got[k].cost, wanted[k].cost);
                cr_assert(same_cell(got[k].cell, wanted[k].cell), "kind %d: another place of cost %lld", w.kind,
                          (long long)got[k].cost);
            }
            several += count > 3;
        }
    }
}

Test(search_places, are_the_nearest_on_worlds_of_all_kinds) {
    for (int kind = 0; kind < 3; kind++) {
        static const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
        const world_options options = {kinds[kind], true, true, kind < 2, true, true};
        try_worlds(&options, enough_or_many(30, 200), 61);
    }
    cr_assert_gt(several, 100);
    cr_assert_gt(ties, 50);
}

Test(search_places, cost_what_layers_add) {
    OWNED_MAP *map = grid_map(100, 9);
    const wend_layer_def layer_def = default_layer();
    int32_t layer, profile;
    cr_assert_eq(wend_map_add_layer(map, &layer_def, &layer), WEND_OK);
    const wend_layer_weight weight = {layer, 16};
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, &profile), WEND_OK);
    static uint8_t danger[9];
    memset(danger, 200, sizeof danger);
    cr_assert_eq(wend_map_set_layer_box(map, layer, (wend_box){{55, 0, 0}, {55, 8, 0}}, danger, 1), WEND_OK);
    const wend_cell beds[2] = {{60, 4, 0}, {30, 4, 0}}; /* the nearer bed is behind danger */
    wend_nearest_def def = default_nearest();
    wend_hit hits[2];
    size_t count;
    def.map = map, def.start = (wend_cell){50, 4, 0}, def.cells = beds, def.cell_count = 2;
    cr_assert_eq(wend_find_nearest(&def, hits, 2, &count), WEND_OK);
    cr_assert(count == 2 && hits[0].cell.x == 60 && hits[0].cost == 100 && hits[1].cost == 200);
    def.profile = profile;
    cr_assert_eq(wend_find_nearest(&def, hits, 2, &count), WEND_OK);
    cr_assert(count == 2 && hits[0].cell.x == 30 && hits[0].cost == 200 && hits[1].cost == 300);
    cr_assert_eq(wend_map_occupy(map, beds[1]), WEND_OK);
    def.free_only = 1;
    cr_assert_eq(wend_find_nearest(&def, hits, 2, &count), WEND_OK);
    cr_assert(count == 1 && hits[0].cell.x == 60 && hits[0].cost == 300);
}

/* Random scores against all sums: what is on the way costs nothing, and the place itself does. */
Test(search_places, are_those_of_the_best_score) {
    enum { SIDE = 40, SEATS = 30, WANTED = 7 };
    OWNED_MAP *map = grid_map(SIDE, SIDE);
    const wend_layer_def layer_def = default_layer();
    wend_layer_weight weight = {.weight = 5};
    wend_nearest_def def = default_nearest();
    wend_cell seats[SEATS];
    static uint8_t bad[SIDE * SIDE];
    oracle_random random = {9};
    cr_assert_eq(wend_map_add_layer(map, &layer_def, &weight.layer), WEND_OK);
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, &def.score), WEND_OK);
    def.map = map, def.cells = seats;
    for (int round = 0; round < 200; round++) {
        wend_hit hits[WANTED];
        size_t count;
        int64_t last = -1, sums[SEATS];
        for (int i = 0; i < SIDE * SIDE; i++) bad[i] = (uint8_t)oracle_below(&random, 256);
        cr_assert_eq(
            wend_map_set_layer_box(map, weight.layer, (wend_box){{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, bad, SIDE),
            WEND_OK);
        def.start = (wend_cell){(int32_t)oracle_below(&random, SIDE), (int32_t)oracle_below(&random, SIDE), 0};
        def.most_cost = round % 2 ? 200 : INT64_MAX, def.cell_count = SEATS;
        for (int i = 0; i < SEATS; i++) {
            const int x = (int)oracle_below(&random, SIDE), y = (int)oracle_below(&random, SIDE);
            const int dx = abs(x - def.start.x), dy = abs(y - def.start.y);
            seats[i] = (wend_cell){x, y, 0};
            sums[i] = 10 * (dx > dy ? dx : dy) + 4 * (dx > dy ? dy : dx) + 5 * bad[y * SIDE + x] / 16;
        }
        cr_assert_eq(wend_find_nearest(&def, hits, WANTED, &count), WEND_OK);
        for (size_t k = 0; k < count; k++) {
            cr_assert(hits[k].cost >= last && hits[k].cost <= def.most_cost);
            last = hits[k].cost;
        }
        for (int i = 0; i < SEATS; i++) {
            bool listed = false, first = true;
            for (size_t k = 0; k < count; k++) listed |= same_cell(hits[k].cell, seats[i]) && hits[k].cost == sums[i];
            for (int j = 0; j < i; j++) first &= !same_cell(seats[i], seats[j]);
            const bool beats = sums[i] < last || (count < WANTED && sums[i] <= def.most_cost);
            if (first && beats) cr_assert(listed, "round %d: a seat of %lld is missing", round, (long long)sums[i]);
        }
    }
    wend_hit hits[WANTED];
    size_t count;
    def.score = 2;
    cr_assert_eq(wend_find_nearest(&def, hits, WANTED, &count), WEND_BAD_ARGUMENT, "no such profile");
}

/* The whole map is expanded, and costs by place are everywhere. */
static void find_across(wend_map *map, wend_cell goal) {
    const wend_layer_def layer_def = default_layer();
    static uint8_t danger[50 * 50];
    wend_layer_weight weight = {.weight = 16};
    wend_nearest_def def = default_nearest();
    wend_hit hit;
    size_t count;
    cr_assert_eq(wend_map_add_layer(map, &layer_def, &weight.layer), WEND_OK);
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, &def.profile), WEND_OK);
    memset(danger, 1, sizeof danger);
    for (int32_t z = 0; z <= goal.z; z++)
        cr_assert_eq(wend_map_set_layer_box(map, weight.layer, (wend_box){{0, 0, z}, {goal.x, goal.y, z}}, danger,
                                            (size_t)goal.x + 1),
                     WEND_OK);
    def.map = map, def.cells = &goal, def.cell_count = 1;
    cr_assert_eq(wend_find_nearest(&def, &hit, 1, &count), WEND_OK);
    cr_assert(count == 1 && same_cell(hit.cell, goal));
}

Test(search_places, have_memory_for_costs_by_place_everywhere) {
    OWNED_MAP *grid = grid_map(50, 50);
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = 16, def.depth = 32;
    OWNED_MAP *space = made_map(&def);
    find_across(grid, (wend_cell){49, 49, 0});
    find_across(space, (wend_cell){15, 15, 31});
}
