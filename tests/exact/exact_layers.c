/* SPDX-License-Identifier: MIT */
/* Costs by place: layers of a map and the same values as plain arrays, halved at once.
 *
 * Only some worlds have layers, and their random numbers are drawn apart: the rest of a world is the same
 * without layers. */
#include "exact/exact.h"

#include <string.h>

static bool chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

/* ---- values ---- */

static void add_disc(exact_world *w, wend_map *map, oracle_random *random, int layer) {
    const wend_cell centre = exact_cell(w, oracle_below(random, w->cells));
    const int radius = oracle_below(random, chance(random, 70) ? 10 : 70), peak = 1 + oracle_below(random, 255);
    const int squared = (radius + 1) * (radius + 1);
    REQUIRE(wend_map_add_layer_disc(map, layer, centre, radius, peak) == WEND_OK);
    for (int y = centre.y - radius; y <= centre.y + radius; y++)
        for (int x = centre.x - radius; x <= centre.x + radius; x++) {
            const int left = squared - (x - centre.x) * (x - centre.x) - (y - centre.y) * (y - centre.y);
            if (!exact_on(w, x, y) || left <= 0) continue;
            uint8_t *value = &w->values[layer][y * w->width + x];
            const int sum = *value + peak * left / squared;
            *value = (uint8_t)(sum < 255 ? sum : 255);
        }
}

static void set_box(exact_world *w, wend_map *map, oracle_random *random, int layer) {
    static uint8_t values[EXACT_CELLS];
    const wend_cell at = exact_cell(w, oracle_below(random, w->cells));
    const int side = chance(random, 70) ? 20 : 300, value = chance(random, 30) ? oracle_below(random, 256) : -1;
    wend_box box = {at, {at.x + oracle_below(random, side), at.y + oracle_below(random, side), 0}};
    if (box.max.x >= w->width) box.max.x = w->width - 1;
    if (box.max.y >= w->height) box.max.y = w->height - 1;
    const int width = box.max.x - box.min.x + 1;
    size_t count = 0;
    for (int y = box.min.y; y <= box.max.y; y++)
        for (int x = box.min.x; x <= box.max.x; x++)
            w->values[layer][y * w->width + x] = values[count++] =
                (uint8_t)(value >= 0 ? value : oracle_below(random, 256));
    REQUIRE(wend_map_set_layer_box(map, layer, box, values, (size_t)width) == WEND_OK);
}

static void pass_time(exact_world *w, wend_map *map, uint32_t steps) {
    REQUIRE(wend_map_update_layers(map, steps) == WEND_OK);
    for (; steps > 0; steps--) {
        w->updates++;
        for (int layer = 0; layer < w->layer_count; layer++)
            for (int i = 0; w->half_life[layer] && w->updates % w->half_life[layer] == 0 && i < w->cells; i++)
                w->values[layer][i] /= 2;
    }
}

/* The distance of each cell from the next that is blocked for the default mover, in rounds of one step. */
static void measure_walls(exact_world *w) {
    static uint8_t distance[EXACT_CELLS];
    for (int i = 0; i < w->cells; i++) distance[i] = w->factor[0][i] ? 255 : 0;
    for (int round = 1; round <= w->within; round++)
        for (int i = 0; i < w->cells; i++)
            for (int d = 0; d < 8 && distance[i] > round; d++) {
                const int x = i % w->width + exact_dx[d], y = i / w->width + exact_dy[d];
                if (w->rules.neighbours == 6 && d >= 4 && exact_dx[d] == exact_dy[d]) continue;
                const int next = exact_on(w, x, y) ? distance[y * w->width + x] : 0;
                if (next == round - 1) distance[i] = (uint8_t)round;
            }
    for (int i = 0; i < w->cells; i++) {
        const int far = distance[i];
        w->values[EXACT_LAYERS - 1][i] = (uint8_t)(far > w->within ? 0
                                                   : far == 0      ? 255
                                                                   : 255 * (w->within + 1 - far) / w->within);
    }
}

/* The last layer is of walls. */
static void change_once(exact_world *w, wend_map *map, oracle_random *random) {
    const int what = oracle_below(random, 8), layer = oracle_below(random, w->layer_count - 1);
    if (what == 0)
        pass_time(w, map, 1 + (uint32_t)oracle_below(random, 4));
    else if (what < 3)
        set_box(w, map, random, layer);
    else
        add_disc(w, map, random, layer);
}

void exact_layers_disturb(exact_world *w, wend_map *map, oracle_random *random) {
    oracle_random own = {random->state ^ UINT64_C(0x9e6c63d0676a9a99)};
    if (w->layer_count > 0 && chance(&own, 20)) change_once(w, map, &own);
}

/* ---- costs ---- */

void exact_layers_derive(exact_world *w) {
    if (w->layer_count > 0) measure_walls(w);
    for (int profile = 1; w->layer_count > 0 && profile <= EXACT_PROFILES; profile++)
        for (int i = 0; i < w->cells; i++) {
            uint32_t toll = 0;
            for (int k = 0; k < w->weight_count[profile - 1]; k++) {
                const wend_layer_weight *weight = &w->weights[profile - 1][k];
                toll += (uint32_t)weight->weight * w->values[weight->layer][i] / 16;
            }
            w->tolls[profile][i] = toll;
        }
}

/* The values of now are compared, too. */
void exact_layers_change(exact_world *w, wend_map *map) {
    static uint8_t values[EXACT_CELLS];
    const wend_box all = {{0, 0, 0}, {w->width - 1, w->height - 1, 0}};
    oracle_random *random = &w->layer_random;
    if (w->layer_count == 0) return;
    for (int count = oracle_below(random, chance(random, 70) ? 5 : 60); count > 0; count--) change_once(w, map, random);
    exact_layers_derive(w);
    for (int layer = 0; layer < w->layer_count; layer++) {
        REQUIRE(wend_map_get_layer_box(map, layer, all, values, (size_t)w->width) == WEND_OK);
        REQUIRE(memcmp(values, w->values[layer], (size_t)w->cells) == 0);
    }
}

/* ---- making ---- */

/* Weights from next to nothing to more than many steps. */
static void add_profile(exact_world *w, wend_map *map, oracle_random *random, int number) {
    const int first = oracle_below(random, w->layer_count);
    const int most = w->rules.cost_straight < WEND_MAX_COST / 2 ? 2 * w->rules.cost_straight : WEND_MAX_COST;
    int32_t profile;
    w->weight_count[number] = 1 + oracle_below(random, w->layer_count);
    for (int k = 0; k < w->weight_count[number]; k++)
        w->weights[number][k] =
            (wend_layer_weight){(first + k) % w->layer_count, 1 + oracle_below(random, chance(random, 70) ? most : 3)};
    REQUIRE(wend_map_add_profile(map, w->weights[number], (uint32_t)w->weight_count[number], &profile) == WEND_OK);
    while (profile <= number) { /* equals an earlier profile: change the weight */
        w->weights[number][0].weight = w->weights[number][0].weight % WEND_MAX_COST + 1;
        REQUIRE(wend_map_add_profile(map, w->weights[number], (uint32_t)w->weight_count[number], &profile) == WEND_OK);
    }
    REQUIRE(profile == number + 1);
}

/* Gives layers to three of eight worlds: some with changing rules, and some without. */
void exact_layers_make(exact_world *w, wend_map *map) {
    oracle_random *random = &w->layer_random;
    random->state = exact_here.seed ^ exact_here.number * UINT64_C(0xa0761d6478bd642f);
    if (exact_here.number % 4 != 1 && exact_here.number % 8 != 6) return;
    w->layer_count = EXACT_LAYERS;
    for (int layer = 0; layer < EXACT_LAYERS; layer++) {
        wend_layer_def def = default_layer();
        def.half_life = w->half_life[layer] = (uint32_t)oracle_below(random, 4);
        if (layer == EXACT_LAYERS - 1) {
            def.half_life = w->half_life[layer] = 0;
            def.within = w->within = 1 + oracle_below(random, chance(random, 70) ? 6 : WEND_MAX_WITHIN);
        }
        REQUIRE(wend_map_add_layer(map, &def, NULL) == WEND_OK);
    }
    for (int number = 0; number < EXACT_PROFILES; number++) add_profile(w, map, random, number);
    exact_layers_change(w, map);
}

int32_t exact_layers_profile(const exact_world *w, const oracle_random *random) {
    oracle_random own = {random->state ^ UINT64_C(0xe7037ed1a0b428db)};
    return w->layer_count > 0 ? oracle_below(&own, EXACT_PROFILES + 1) : 0;
}

/* Layers take a page more a chunk, and many costs make the open list longer. */
uint64_t exact_pages(const exact_world *w) {
    const int chunks = ((w->width + 63) / 64) * ((w->height + 63) / 64);
    return (uint64_t)chunks * (w->layer_count > 0 ? 16 : 4);
}
