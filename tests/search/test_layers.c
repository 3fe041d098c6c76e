/* SPDX-License-Identifier: MIT */
/* Costs by place: values as a plain model has them; searches and services with 1 to 8 layers against Dijkstra; a search
 * sees the layers of the moment when it began. */
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/worlds.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/units.h>

enum { LAYERS = 10, CELLS = 4096, QUERIES = 10 };

/* The layers as plain arrays; halved at once. */
typedef struct model {
    wend_map *map;
    int width, height, depth, cells;
    uint8_t values[LAYERS][WORLD_EVEN];
    uint32_t half_life[LAYERS], updates;
} model;

static void model_begin(model *m, wend_map *map, oracle_random *random) {
    const wend_map_info info = info_now(map);
    memset(m, 0, sizeof *m);
    m->map = map, m->width = info.width, m->height = info.height, m->depth = info.depth;
    m->cells = info.width * info.height * info.depth;
    for (int i = 0; i < LAYERS; i++) {
        wend_layer_def def = default_layer();
        int32_t layer;
        m->half_life[i] = def.half_life = (uint32_t)oracle_below(random, 4);
        cr_assert_eq(wend_map_add_layer(map, &def, &layer), WEND_OK);
        cr_assert_eq(layer, i);
    }
}

static wend_cell model_cell(const model *m, int i) {
    return (wend_cell){i % m->width, i / m->width % m->height, i / m->width / m->height};
}

static void model_disc(model *m, int layer, wend_cell centre, int radius, int peak) {
    cr_assert_eq(wend_map_add_layer_disc(m->map, layer, centre, radius, peak), WEND_OK);
    for (int i = 0; i < m->cells; i++) {
        const wend_cell c = model_cell(m, i);
        const int x = c.x - centre.x, y = c.y - centre.y, z = c.z - centre.z, r = (radius + 1) * (radius + 1);
        const int left = r - x * x - y * y - z * z;
        const int sum = m->values[layer][i] + (left > 0 ? peak * left / r : 0);
        m->values[layer][i] = (uint8_t)(sum < 255 ? sum : 255);
    }
}

static void model_box(model *m, int layer, wend_box box, oracle_random *random) {
    static uint8_t values[WORLD_EVEN];
    const int width = box.max.x - box.min.x + 1, stride = width + oracle_below(random, 3);
    size_t row = 0;
    for (int z = box.min.z; z <= box.max.z; z++)
        for (int y = box.min.y; y <= box.max.y; y++, row++)
            for (int x = box.min.x; x <= box.max.x; x++) {
                const uint8_t value = (uint8_t)oracle_below(random, 256);
                if (row * (size_t)stride + (size_t)width > WORLD_EVEN) return; /* too large: not set at all */
                values[row * (size_t)stride + (size_t)(x - box.min.x)] = value;
            }
    cr_assert_eq(wend_map_set_layer_box(m->map, layer, box, values, (size_t)stride), WEND_OK);
    row = 0;
    for (int z = box.min.z; z <= box.max.z; z++)
        for (int y = box.min.y; y <= box.max.y; y++, row++)
            memcpy(&m->values[layer][(z * m->height + y) * m->width + box.min.x], values + row * (size_t)stride,
                   (size_t)width);
}

static void model_update(model *m, uint32_t steps) {
    cr_assert_eq(wend_map_update_layers(m->map, steps), WEND_OK);
    for (uint32_t step = 0; step < steps; step++) {
        m->updates++;
        for (int layer = 0; layer < LAYERS; layer++)
            for (int i = 0; m->half_life[layer] && m->updates % m->half_life[layer] == 0 && i < m->cells; i++)
                m->values[layer][i] /= 2;
    }
}

static int between(oracle_random *random, int low, int count) {
    return low + oracle_below(random, count - low);
}

static void model_change(model *m, oracle_random *random, bool graph) {
    const int layer = oracle_below(random, LAYERS);
    const wend_cell cell = model_cell(m, oracle_below(random, m->cells));
    switch (oracle_below(random, 4)) {
    case 0: {
        const wend_cell far = {between(random, cell.x, m->width), between(random, cell.y, m->height),
                               between(random, cell.z, m->depth)};
        model_box(m, layer, (wend_box){cell, far}, random);
        break;
    }
    case 1: model_update(m, (uint32_t)oracle_below(random, 5)); break;
    default: model_disc(m, layer, cell, graph ? 0 : oracle_below(random, 12), 1 + oracle_below(random, 255)); break;
    }
}

static void check_values(const model *m) {
    for (int layer = 0; layer < LAYERS; layer++)
        for (int i = 0; i < m->cells; i++) {
            uint8_t value;
            cr_assert_eq(wend_map_get_layer_value(m->map, layer, model_cell(m, i), &value), WEND_OK);
            cr_assert_eq(value, m->values[layer][i], "layer %d, cell %d: %d, not %d", layer, i, value,
                         m->values[layer][i]);
        }
}

/* A random profile, and its tolls from the values. `scale`: of the weights. */
static int32_t model_profile(const model *m, oracle_random *random, int scale, uint32_t *tolls) {
    wend_layer_weight weights[WEND_MAX_PROFILE_LAYERS];
    const uint32_t count = 1 + (uint32_t)oracle_below(random, WEND_MAX_PROFILE_LAYERS);
    const int first = oracle_below(random, LAYERS);
    int32_t profile;
    memset(tolls, 0, (size_t)m->cells * sizeof *tolls);
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = (wend_layer_weight){(first + (int)i) % LAYERS, scale * (1 + oracle_below(random, i % 2 ? 40 : 3))};
        for (int k = 0; k < m->cells; k++)
            tolls[k] += (uint32_t)(weights[i].weight * m->values[weights[i].layer][k] / 16);
    }
    cr_assert_eq(wend_map_add_profile(m->map, weights, count, &profile), WEND_OK);
    return profile;
}

/* ---- worlds of all kinds, with all that a request may ask ---- */

static uint32_t found, dearer;

static void check_answer(const world *w, const wend_request *request, const wend_search *search) {
    static wend_cell cells[CELLS];
    const world_answer expected = world_ask(w, request);
    const wend_completion got = result_now(search);
    cr_assert_eq(got.status, expected.status, "%s, not %s", wend_status_name(got.status),
                 wend_status_name(expected.status));
    const bool exact = read_options(request).weight_milli == 1000;
    if (exact) cr_assert_eq(got.cost, expected.cost, "%lld, not %lld", (long long)got.cost, (long long)expected.cost);
    if (expected.cost < 0) return;
    cr_assert(exact || got.cost * 1000 <= expected.cost * read_options(request).weight_milli, "the weight's bound");
    size_t count;
    cr_assert_eq(wend_search_get_path(search, cells, CELLS, &count), WEND_OK);
    cr_assert_eq(world_walk(w, request, cells, count), got.cost);
    found++;
}

static void try_worlds(const world_options *options, bool special, int worlds, uint64_t seed) {
    static world w;
    static model m;
    oracle_random random = {seed};
    wend_search_def def = default_search();
    def.nodes = 1 << 16;
    OWNED_SEARCH *search = made_search(&def);
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        model_begin(&m, map, &random);
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS];
            for (int k = oracle_below(&random, 4); k >= 0; k--) model_change(&m, &random, w.kind == WEND_KIND_GRAPH);
            wend_request request = world_request(&w, &random, special, goals);
            request.map = map;
            static uint32_t tolls[WORLD_CELLS];
            const int32_t profile = model_profile(&m, &random, 1, tolls);
            memcpy(world_tolls(&w, profile), tolls, (size_t)w.cells * sizeof *tolls);
            options_of(&request)->profile = profile;
            if (!special && query % 5 == 4) options_of(&request)->weight_milli = 1500;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            const uint64_t slice = 1 + (uint64_t)oracle_below(&random, 40);
            while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING) { /* later changes do not count */
                const uint8_t full = 255;
                const wend_cell cell = world_cell(&w, oracle_below(&random, w.cells));
                const int layer = oracle_below(&random, LAYERS);
                cr_assert_eq(wend_map_set_layer_box(map, layer, (wend_box){cell, cell}, &full, 1), WEND_OK);
                m.values[layer][world_number(&w, cell)] = full;
                if (slice % 3 == 0) model_update(&m, 1);
            }
            check_answer(&w, &request, search);
            for (int k = 0; k < w.cells; k++) dearer += tolls[k] > 0;
        }
        if (i % 16 == 0) check_values(&m);
    }
}

Test(search_layers, cost_what_dijkstra_finds_on_worlds_of_all_kinds) {
    const uint32_t worlds = (uint32_t)enough_or_many(8, 170);
    for (int kind = 0; kind < 3; kind++) {
        static const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
        const world_options plain = {kinds[kind], true, false, false, false, false};
        const world_options full = {kinds[kind], true, true, kind < 2, true, true};
        try_worlds(&plain, false, (int)worlds, 51);
        try_worlds(&full, true, (int)worlds, 52);
    }
    cr_assert_gt(found, 30 * worlds);
    cr_assert_gt(dearer, 300 * worlds);
}

/* ---- lands of several chunks: canonical steps where no value is near ---- */

/* Units count in half of the requests, and in half of these near the start alone. */
static void mind_units(wend_request *request, int price, oracle_random *random) {
    const int within = oracle_below(random, 2) ? WEND_EVERYWHERE : 20, kind = oracle_below(random, 4);
    if (kind < 2) return;
    options_of(request)->occupied = kind == 2 ? WEND_OCCUPIED_BLOCK : price;
    options_of(request)->occupied_within = within;
}

/* `scale`: of all costs. With a large one a toll takes 4 bytes. Returns how many paths among units were compared. */
static int try_lands(int scale, int lands, uint64_t seed) {
    static world l;
    static model m;
    static uint32_t tolls[WORLD_EVEN];
    oracle_random random = {seed};
    wend_search_def def = default_search();
    int among_units = 0;
    OWNED_SEARCH *search = made_search(&def);
    for (int i = 0; i < lands; i++) {
        wend_map_rules rules = default_rules();
        rules.cost_straight *= scale, rules.cost_diagonal *= scale;
        world_fill_even(&l, &random, &rules);
        OWNED_MAP *map = world_map(&l);
        model_begin(&m, map, &random);
        for (int k = 0; k < 200; k++) world_occupy(&l, map, world_any_cell(&l, &random));
        for (int query = 0; query < 4; query++) {
            for (int k = oracle_below(&random, 4); k >= 0; k--)
                model_disc(&m, oracle_below(&random, LAYERS), model_cell(&m, oracle_below(&random, m.cells)),
                           oracle_below(&random, 20), 1 + oracle_below(&random, 255));
            wend_request request = path_request(map, world_pick(&l, &random, 0), world_pick(&l, &random, 0));
            const int32_t profile = options_of(&request)->profile = model_profile(&m, &random, scale, tolls);
            memcpy(world_tolls(&l, profile), tolls, (size_t)l.cells * sizeof *tolls);
            mind_units(&request, 37 * scale, &random);
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            while (wend_search_step(search, 50, NULL) == WEND_STATUS_PENDING) {
            }
            const wend_completion got = result_now(search);
            if (got.status != WEND_STATUS_FOUND) continue;
            cr_assert_eq(got.cost, world_ask(&l, &request).cost);
            cr_assert_eq(got.engine, WEND_ENGINE_ASTAR);
            among_units += read_options(&request).occupied != WEND_OCCUPIED_IGNORE;
        }
    }
    return among_units;
}

Test(search_layers, cost_what_dijkstra_finds_across_chunks) {
    const int lands = enough_or_many(10, 200);
    cr_assert_gt(try_lands(1, lands, 53), lands / 2);
    cr_assert_gt(try_lands(150, lands, 54), lands / 2);
}

/* ---- services ---- */

static int64_t costs[4];
static uint32_t done;

static void on_done(void *context, const wend_completion *completion) {
    costs[(uintptr_t)context] = completion->cost;
    done++;
}

Test(search_layers, count_for_requests_of_a_service_and_are_shared_among_equals) {
    OWNED_MAP *map = grid_map(200, 40);
    wend_layer_def layer_def = default_layer();
    int32_t layer, red, again;
    cr_assert_eq(wend_map_add_layer(map, &layer_def, &layer), WEND_OK);
    const wend_layer_weight weight = {layer, 16};
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, &red), WEND_OK);
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, &again), WEND_OK);
    cr_assert_eq(red, again, "the same");
    static uint8_t wall[40];
    memset(wall, 5, sizeof wall);
    cr_assert_eq(wend_map_set_layer_box(map, layer, (wend_box){{100, 0, 0}, {100, 39, 0}}, wall, 1), WEND_OK);
    wend_service_def def = default_service();
    OWNED_SERVICE *service = made_service(&def);
    for (uintptr_t i = 0; i < 4; i++) {
        wend_request request = path_request(map, (wend_cell){90, 20, 0}, (wend_cell){110, 20, 0});
        request.on_done = on_done, request.context = (void *)i;
        if (i < 3) options_of(&request)->profile = red;
        wend_ticket ticket;
        cr_assert_eq(wend_service_submit(service, &request, &ticket), WEND_OK);
    }
    const wend_budget budget = budget_of(100000);
    for (int frame = 0; frame < 4 && done < 4; frame++) wend_service_tick(service, &budget, NULL);
    cr_assert_eq(done, 4);
    for (int i = 0; i < 3; i++) cr_assert_eq(costs[i], 205);
    cr_assert_eq(costs[3], 200, "without a profile no value counts");
    /* A search in flight keeps its layers; the service may end with it. */
    wend_request request = path_request(map, (wend_cell){0, 0, 0}, (wend_cell){199, 39, 0});
    request.on_done = on_done;
    options_of(&request)->profile = red;
    wend_ticket ticket;
    cr_assert_eq(wend_service_submit(service, &request, &ticket), WEND_OK);
    const wend_budget little = budget_of(60);
    wend_service_tick(service, &little, NULL);
    cr_assert_eq(wend_map_add_layer_disc(map, layer, (wend_cell){50, 20, 0}, 8, 200), WEND_OK);
}

Test(search_layers, painted_at_the_edge_of_a_sheet_stay_in_it) {
    const wend_sheet sheets[] = {{{{0, 0, 0}, {63, 63, 0}}, {0, 0, 0}}, {{{64, 0, 0}, {127, 63, 0}}, {0, 0, 0}}};
    wend_map_def grid = default_map();
    wend_layer_def def = default_layer();
    int32_t layer;
    grid.width = 192, grid.height = 64, grid.sheets = sheets, grid.sheet_count = 2;
    OWNED_MAP *map = made_map(&grid);
    cr_assert_eq(wend_map_add_layer(map, &def, &layer), WEND_OK);
    for (int32_t edge = 64; edge <= 128; edge += 64) /* a cell of the other sheet, and a cell in none */
        for (int32_t side = 0; side < 2; side++) {
            const wend_cell centre = {edge - side, 10 + 20 * side, 0};
            cr_assert_eq(wend_map_add_layer_disc(map, layer, centre, 3, 200), WEND_OK);
            for (int32_t x = edge - 4; x < edge + 4; x++) {
                const int32_t d = x - centre.x, left = 16 - d * d, within = (x < edge) == (centre.x < edge);
                uint8_t value;
                cr_assert_eq(wend_map_get_layer_value(map, layer, (wend_cell){x, centre.y, 0}, &value), WEND_OK);
                cr_assert_eq(value, within && left > 0 ? 200 * left / 16 : 0, "%d of %d: %u", x, centre.x, value);
            }
        }
}

Test(search_layers, are_refused_with_reasons) {
    OWNED_MAP *map = grid_map(9, 9);
    wend_layer_def def = default_layer();
    int32_t layer = 7;
    uint8_t value;
    const wend_cell cell = {1, 1, 0};
    cr_assert_eq(wend_map_get_layer_value(map, 0, cell, &value), WEND_BAD_ARGUMENT);
    for (int i = 0; i < WEND_MAX_LAYERS; i++) cr_assert_eq(wend_map_add_layer(map, &def, &layer), WEND_OK);
    cr_assert_eq(wend_map_add_layer(map, &def, &layer), WEND_BUSY);
    cr_assert_eq(wend_map_add_layer_disc(map, 0, (wend_cell){9, 0, 0}, 1, 1), WEND_OUT_OF_RANGE);
    wend_layer_weight weights[2] = {{0, 1}, {0, 2}};
    int32_t profile;
    cr_assert_eq(wend_map_add_profile(map, weights, 2, &profile), WEND_BAD_ARGUMENT, "a layer twice");
    for (int i = 1; i <= WEND_MAX_PROFILES; i++) {
        weights[0].weight = i;
        cr_assert_eq(wend_map_add_profile(map, weights, 1, &profile), WEND_OK);
        cr_assert_eq(profile, i);
    }
    weights[0].weight = WEND_MAX_COST;
    cr_assert_eq(wend_map_add_profile(map, weights, 1, &profile), WEND_BUSY);
    wend_request request = path_request(map, cell, cell);
    options_of(&request)->profile = WEND_MAX_PROFILES + 1;
    cr_assert_eq(wend_request_explain(&request, NULL, NULL), WEND_BAD_ARGUMENT);
}
