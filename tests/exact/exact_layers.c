/* SPDX-License-Identifier: MIT */
/* Costs by place: layers of a map and the same values as plain arrays, halved at once.
 *
 * Only some worlds have layers, and their random numbers are drawn apart: the rest of a world is the same
 * without layers. */
#include "exact/exact.h"

#include <string.h>

enum {
    LAYERS = 4,  ///< layers of a world that has any; the last one is of walls
    PROFILES = 4 ///< profiles of such a world
};

/* The layers of the world that is visited. */
static struct {
    int count;
    uint32_t half_life[LAYERS], updates; ///< updates that have passed
    int within;                          ///< bound of the layer of walls
    uint8_t values[LAYERS][WORLD_WIDE];
    wend_layer_weight weights[PROFILES][LAYERS];
    int weight_count[PROFILES];
    oracle_random random;
} layers;

static bool chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

/* ---- values ---- */

static void add_disc(const world *w, wend_map *map, oracle_random *random, int layer) {
    const wend_cell centre = world_cell(w, oracle_below(random, w->cells));
    const int radius = oracle_below(random, chance(random, 70) ? 10 : 70), peak = 1 + oracle_below(random, 255);
    const int squared = (radius + 1) * (radius + 1);
    REQUIRE(wend_map_add_layer_disc(map, layer, centre, radius, peak) == WEND_OK);
    for (int i = 0; i < w->cells; i++) {
        const wend_cell way = world_apart(w, world_cell(w, i), centre);
        const int left = squared - way.x * way.x - way.y * way.y;
        const int sum = layers.values[layer][i] + (left > 0 ? peak * left / squared : 0);
        layers.values[layer][i] = (uint8_t)(sum < 255 ? sum : 255);
    }
}

static void set_box(const world *w, wend_map *map, oracle_random *random, int layer) {
    static uint8_t values[WORLD_WIDE];
    const wend_cell at = world_cell(w, oracle_below(random, w->cells));
    const int side = chance(random, 70) ? 20 : 300, value = chance(random, 30) ? oracle_below(random, 256) : -1;
    wend_box box = {at, {at.x + oracle_below(random, side), at.y + oracle_below(random, side), 0}};
    if (box.max.x >= w->width) box.max.x = w->width - 1;
    if (box.max.y >= w->height) box.max.y = w->height - 1;
    const int width = box.max.x - box.min.x + 1;
    size_t count = 0;
    for (int y = box.min.y; y <= box.max.y; y++)
        for (int x = box.min.x; x <= box.max.x; x++)
            layers.values[layer][y * w->width + x] = values[count++] =
                (uint8_t)(value >= 0 ? value : oracle_below(random, 256));
    REQUIRE(wend_map_set_layer_box(map, layer, box, values, (size_t)width) == WEND_OK);
}

static void pass_time(const world *w, wend_map *map, uint32_t steps) {
    REQUIRE(wend_map_update_layers(map, steps) == WEND_OK);
    for (; steps > 0; steps--) {
        layers.updates++;
        for (int layer = 0; layer < layers.count; layer++)
            for (int i = 0; layers.half_life[layer] && layers.updates % layers.half_life[layer] == 0 && i < w->cells;
                 i++)
                layers.values[layer][i] /= 2;
    }
}

/* The distance of each cell from the next that is blocked for the default mover, in rounds of one step. */
static void measure_walls(const world *w) {
    static uint8_t distance[WORLD_WIDE];
    for (int i = 0; i < w->cells; i++) distance[i] = world_factor(w, 0, world_cell(w, i)) ? 255 : 0;
    for (int round = 1; round <= layers.within; round++)
        for (int i = 0; i < w->cells; i++)
            for (int d = 0; d < 8 && distance[i] > round; d++) {
                wend_cell to;
                if (w->rules.neighbours == 6 && d >= 4 && world_dx[d] == world_dy[d]) continue;
                const bool there = world_beside(w, world_cell(w, i), world_dx[d], world_dy[d], 0, &to);
                const int next = there ? distance[world_number(w, to)] : 0;
                if (next == round - 1) distance[i] = (uint8_t)round;
            }
    for (int i = 0; i < w->cells; i++) {
        const int far = distance[i];
        layers.values[LAYERS - 1][i] = (uint8_t)(far > layers.within ? 0
                                                 : far == 0          ? 255
                                                                     : 255 * (layers.within + 1 - far) / layers.within);
    }
}

/* The last layer is of walls. */
static void change_once(const world *w, wend_map *map, oracle_random *random) {
    const int what = oracle_below(random, 8), layer = oracle_below(random, layers.count - 1);
    if (what == 0)
        pass_time(w, map, 1 + (uint32_t)oracle_below(random, 4));
    else if (what < 3)
        set_box(w, map, random, layer);
    else
        add_disc(w, map, random, layer);
}

void exact_layers_disturb(const world *w, wend_map *map, oracle_random *random) {
    oracle_random own = {random->state ^ UINT64_C(0x9e6c63d0676a9a99)};
    if (layers.count > 0 && chance(&own, 20)) change_once(w, map, &own);
}

/* ---- costs ---- */

void exact_layers_derive(world *w) {
    if (layers.count > 0) measure_walls(w);
    for (int profile = 1; layers.count > 0 && profile <= PROFILES; profile++) {
        uint32_t *tolls = world_tolls(w, profile);
        for (int i = 0; i < w->cells; i++) {
            uint32_t toll = 0;
            for (int k = 0; k < layers.weight_count[profile - 1]; k++) {
                const wend_layer_weight *weight = &layers.weights[profile - 1][k];
                toll += (uint32_t)weight->weight * layers.values[weight->layer][i] / 16;
            }
            tolls[i] = toll;
        }
    }
}

/* The values of now are compared, too. */
void exact_layers_change(world *w, wend_map *map) {
    static uint8_t values[WORLD_WIDE];
    const wend_box all = {{0, 0, 0}, {w->width - 1, w->height - 1, 0}};
    oracle_random *random = &layers.random;
    if (layers.count == 0) return;
    for (int count = oracle_below(random, chance(random, 70) ? 5 : 60); count > 0; count--) change_once(w, map, random);
    exact_layers_derive(w);
    for (int layer = 0; layer < layers.count; layer++) {
        REQUIRE(wend_map_get_layer_box(map, layer, all, values, (size_t)w->width) == WEND_OK);
        REQUIRE(memcmp(values, layers.values[layer], (size_t)w->cells) == 0);
    }
}

/* ---- making ---- */

/* Weights from next to nothing to more than many steps. */
static void add_profile(const world *w, wend_map *map, oracle_random *random, int number) {
    const int first = oracle_below(random, layers.count);
    const int most = w->rules.cost_straight < WEND_MAX_COST / 2 ? 2 * w->rules.cost_straight : WEND_MAX_COST;
    int32_t profile;
    layers.weight_count[number] = 1 + oracle_below(random, layers.count);
    for (int k = 0; k < layers.weight_count[number]; k++)
        layers.weights[number][k] =
            (wend_layer_weight){(first + k) % layers.count, 1 + oracle_below(random, chance(random, 70) ? most : 3)};
    REQUIRE(wend_map_add_profile(map, layers.weights[number], (uint32_t)layers.weight_count[number], &profile) ==
            WEND_OK);
    while (profile <= number) { /* equals an earlier profile: change the weight */
        layers.weights[number][0].weight = layers.weights[number][0].weight % WEND_MAX_COST + 1;
        REQUIRE(wend_map_add_profile(map, layers.weights[number], (uint32_t)layers.weight_count[number], &profile) ==
                WEND_OK);
    }
    REQUIRE(profile == number + 1);
}

/* Gives layers to three of eight worlds: some with changing rules, and some without. */
void exact_layers_make(world *w, wend_map *map) {
    oracle_random *random = &layers.random;
    memset(&layers, 0, sizeof layers);
    random->state = exact_here.seed ^ exact_here.number * UINT64_C(0xa0761d6478bd642f);
    if (exact_here.number % 4 != 1 && exact_here.number % 8 != 6) return;
    layers.count = LAYERS;
    for (int layer = 0; layer < LAYERS; layer++) {
        wend_layer_def def = default_layer();
        def.half_life = layers.half_life[layer] = (uint32_t)oracle_below(random, 4);
        if (layer == LAYERS - 1) {
            def.half_life = layers.half_life[layer] = 0;
            def.within = layers.within = 1 + oracle_below(random, chance(random, 70) ? 6 : WEND_MAX_WITHIN);
        }
        REQUIRE(wend_map_add_layer(map, &def, NULL) == WEND_OK);
    }
    for (int number = 0; number < PROFILES; number++) add_profile(w, map, random, number);
    exact_layers_change(w, map);
}

int32_t exact_layers_profile(const oracle_random *random) {
    oracle_random own = {random->state ^ UINT64_C(0xe7037ed1a0b428db)};
    return layers.count > 0 ? oracle_below(&own, PROFILES + 1) : 0;
}

/* Layers take a page more a chunk, and many costs make the open list longer. */
uint64_t exact_pages(const world *w) {
    const int chunks = ((w->width + 63) / 64) * ((w->height + 63) / 64);
    return (uint64_t)chunks * (layers.count > 0 ? 16 : 4);
}
