/* SPDX-License-Identifier: MIT */
/* Fields that mind costs by place, on random worlds of every kind, against plain relaxation with the values that the
 * layers had when the field was made. */
#include "field/field_worlds.h"
#include "field/field_state.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <wend/layers.h>
#include <wend/search_options.h>

enum { FIELDS = 2000, FEW = 20, EDITS = 3, LAYERS = 4, WALLS = 2, WITHIN = 3 };

typedef struct painted {
    int32_t layers;
    wend_layer_weight weights[WEND_MAX_PROFILE_LAYERS];
    uint32_t count;
    int32_t profile;
    bool walls;
} painted;

static wend_field *make_field(const wend_field_def *def) {
    return made_field(def);
}

static void finish(wend_field *field) {
    cr_assert_eq(wend_field_step(field, WEND_NO_LIMIT, NULL), 1);
}

static wend_cell any_cell(field_world *w) {
    return world_cell(&w->now, oracle_below(&w->random, w->now.cells));
}

static void paint(field_world *w, const painted *p) {
    const bool graph = w->now.kind == WEND_KIND_GRAPH;
    for (int i = 0; i < 4; i++) {
        const int32_t layer = oracle_below(&w->random, p->layers), peak = 1 + oracle_below(&w->random, 255);
        if (p->walls && layer == WALLS) continue;
        const int32_t radius = graph ? 0 : oracle_below(&w->random, 12);
        cr_assert_eq(wend_map_add_layer_disc(w->map, layer, any_cell(w), radius, peak), WEND_OK);
    }
    cr_assert_eq(wend_map_update_layers(w->map, (uint32_t)oracle_below(&w->random, 4)), WEND_OK);
}

/* On flat grids the third layer is of walls, for some. */
static void add_layers(field_world *w, painted *p) {
    *p = (painted){.layers = 1 + oracle_below(&w->random, LAYERS)};
    for (int32_t i = 0; i < p->layers; i++) {
        wend_layer_def def = default_layer();
        const bool walls = i == WALLS && w->now.kind == WEND_KIND_GRID && oracle_below(&w->random, 2) == 0;
        def.half_life = walls ? 0 : (uint32_t)oracle_below(&w->random, 3);
        def.within = walls ? WITHIN : 0;
        cr_assert_eq(wend_map_add_layer(w->map, &def, NULL), WEND_OK);
        p->weights[p->count++] = (wend_layer_weight){i, 1 + oracle_below(&w->random, i == 1 ? 4000 : 90)};
        p->walls |= walls;
    }
    cr_assert_eq(wend_map_add_profile(w->map, p->weights, p->count, &p->profile), WEND_OK);
}

/* Reads the present layers' additional cost of a step into each cell. */
static void read_tolls(field_world *w, const painted *p) {
    for (int i = 0; i < w->now.cells; i++) {
        w->tolls[i] = 0;
        for (uint32_t k = 0; k < p->count; k++) {
            uint8_t value;
            cr_assert_eq(wend_map_get_layer_value(w->map, p->weights[k].layer, world_cell(&w->now, i), &value),
                         WEND_OK);
            w->tolls[i] += (uint64_t)p->weights[k].weight * value / 16;
        }
    }
}

static void check_toward(field_world *w, const wend_field *field, bool complete) {
    field_world_measure(w);
    field_world_check(w, field, w->costs, complete);
}

static uint64_t differ; /* cells that would cost another sum without layers */

static void run_toward(int kind, uint64_t seed) {
    static field_world w;
    painted p;
    field_world_open(&w, kind, seed);
    add_layers(&w, &p);
    paint(&w, &p);
    wend_field_def def = field_world_def(&w);
    def.profile = p.profile;
    OWNED_FIELD *field = make_field(&def);
    read_tolls(&w, &p);
    if (!p.walls) paint(&w, &p); /* too late for this field */
    while (!wend_field_step(field, 1 + (uint64_t)oracle_below(&w.random, 300), NULL)) check_toward(&w, field, false);
    check_toward(&w, field, true);
    for (int i = 0; i < EDITS; i++) {
        field_world_edit(&w);
        cr_assert_eq(wend_field_repair(field, false), WEND_OK);
        if (p.walls) read_tolls(&w, &p); /* walls alone are new: nothing was painted */
        check_toward(&w, field, false);
        if (oracle_below(&w.random, 3) == 0) wend_field_step(field, (uint64_t)oracle_below(&w.random, 40), NULL);
        check_toward(&w, field, false);
        if (oracle_below(&w.random, 2)) finish(field);
        if (!p.walls) paint(&w, &p);
    }
    finish(field);
    paint(&w, &p);
    (void)wend_field_repair(field, true);
    read_tolls(&w, &p);
    finish(field);
    check_toward(&w, field, true);
    for (int i = 0; i < w.now.cells; i++) differ += w.tolls[i] > 0;
    field_world_close(&w);
}

Test(field_layers, costs_equal_plain_relaxation) {
    const int kinds[] = {WEND_KIND_GRID, WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    const uint64_t fields = (uint64_t)few_or_many(FEW, FIELDS);
    for (uint64_t seed = 1; seed <= fields; seed++) run_toward(kinds[seed % 4], 9000 + seed);
    cr_assert_gt(differ, 20 * fields);
}

Test(field_layers, lead_away_with_tolls) {
    static field_world w;
    const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    for (uint64_t seed = 1; seed <= (uint64_t)few_or_many(9, 120); seed++) {
        painted p;
        field_world_open(&w, kinds[seed % 3], 12000 + seed);
        add_layers(&w, &p);
        paint(&w, &p);
        wend_field_def def = field_world_def(&w);
        def.profile = p.profile, def.purpose = WEND_FIELD_AWAY;
        OWNED_FIELD *field = make_field(&def);
        read_tolls(&w, &p);
        for (int i = 0; i < EDITS; i++) {
            finish(field);
            field_world_measure_away(&w, def.largest_cost, def.fear_milli);
            field_world_check(&w, field, w.away, true);
            paint(&w, &p);
            if (i == EDITS - 2 || p.walls) {
                (void)wend_field_repair(field, true);
                read_tolls(&w, &p);
                continue;
            }
            field_world_edit(&w);
            cr_assert_eq(wend_field_repair(field, false), WEND_OK);
        }
        field_world_close(&w);
    }
}

/* Returns whether both have a way from a random cell. */
static bool compare_search(field_world *w, const wend_field *field, int32_t profile) {
    wend_search_options options;
    wend_search_def def = default_search();
    wend_completion result = {.struct_bytes = sizeof result};
    wend_request request = default_request();
    uint64_t cost;
    wend_search_options_init(&options, sizeof options);
    options.profile = profile;
    request.map = w->map, request.start = any_cell(w), request.goal = w->goals[0];
    request.mover = w->mover, request.options = &options;
    def.nodes = 1 << 18;
    wend_search *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    const wend_status status = wend_search_step(search, WEND_NO_LIMIT, NULL);
    cr_assert_eq(wend_search_get_result(search, &result), WEND_OK);
    wend_search_destroy(search);
    const wend_status way = wend_field_next(field, request.start, NULL, &cost);
    cr_assert_eq(status == WEND_STATUS_FOUND, way == WEND_STATUS_FOUND);
    if (way == WEND_STATUS_FOUND) cr_assert_eq((uint64_t)result.cost, cost);
    return way == WEND_STATUS_FOUND;
}

/* A field and a search with one profile agree. */
Test(field_layers, a_search_costs_the_same) {
    static field_world w;
    painted p;
    int compared = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        field_world_open(&w, WEND_KIND_GRID, 15000 + seed);
        w.goal_count = 1;
        add_layers(&w, &p);
        paint(&w, &p);
        wend_field_def def = field_world_def(&w);
        def.profile = p.profile;
        OWNED_FIELD *field = make_field(&def);
        finish(field);
        for (int i = 0; i < 20; i++) compared += compare_search(&w, field, p.profile);
        field_world_close(&w);
    }
    cr_assert_gt(compared, 100);
}

Test(field_layers, names_a_profile_that_the_map_lacks) {
    static field_world w;
    painted p;
    wend_field *field = NULL;
    field_world_open(&w, WEND_KIND_GRID, 77);
    wend_field_def def = field_world_def(&w);
    const size_t without = wend__field_bytes(&def);
    def.profile = 1;
    cr_assert_eq(wend_field_create(&def, &field), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend__field_bytes(&def), 0);
    add_layers(&w, &p);
    def.profile = p.profile;
    cr_assert_geq(wend__field_bytes(&def), without + 4 * (size_t)w.now.cells);
    field = make_field(&def);
    wend_field_destroy(field); /* clearing releases the layers that it holds */
    field_world_close(&w);
}
