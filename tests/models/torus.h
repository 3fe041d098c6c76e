/* SPDX-License-Identifier: MIT */
/* Grids that wrap: their steps and costs, and all distances by Dijkstra's algorithm; such maps, drawn at random and
 * edited at their rims. */
#ifndef WEND_TESTS_MODELS_TORUS_H
#define WEND_TESTS_MODELS_TORUS_H

#include "models/defaults.h"
#include "models/dijkstra.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/layers.h>
#include <wend/ways.h>

enum { TORUS_SIDE = 150, TORUS_CELLS = TORUS_SIDE * TORUS_SIDE, TORUS_LINKS = 3 };

/* ---- the model ---- */

typedef struct torus {
    int32_t width, height, wrap;
    wend_map_rules rules;
    uint8_t classes[TORUS_CELLS];
    uint8_t shut[TORUS_CELLS]; ///< bit k: the step k of torus_steps[] is closed
    struct {
        int32_t from, to, cost;
    } links[TORUS_LINKS];
    int32_t link_count;
    int32_t profile;             ///< profile of the map, for costs by place; 0: there are none
    uint32_t tolls[TORUS_CELLS]; ///< additional cost of a way into a cell
} torus;

static const int32_t torus_steps[8][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};

/* A mover that swims: class 0 costs 2, and class 2 is blocked. */
static inline int64_t torus_factor(const torus *t, int32_t mover, int32_t cell) {
    const uint8_t class = t->classes[cell];
    return mover == 0 ? t->rules.factors[class] : class == 0 ? 2 : class == 2 ? 0 : class;
}

/* The cell k steps on, over the rim where the torus wraps; -1: there is none. */
static inline int32_t torus_next(const torus *t, int32_t cell, int32_t dx, int32_t dy) {
    int32_t x = cell % t->width + dx, y = cell / t->width + dy;
    if (t->wrap & WEND_WRAP_X) x = (x + t->width) % t->width;
    if (t->wrap & WEND_WRAP_Y) y = (y + t->height) % t->height;
    return x < 0 || y < 0 || x >= t->width || y >= t->height ? -1 : y * t->width + x;
}

static inline int torus_step_of(int32_t dx, int32_t dy) {
    int k = 0;
    while (torus_steps[k][0] != dx || torus_steps[k][1] != dy) k++;
    return k;
}

static inline bool torus_passes(const torus *t, int32_t mover, int32_t from, int32_t dx, int32_t dy) {
    const int32_t to = torus_next(t, from, dx, dy);
    return to >= 0 && torus_factor(t, mover, to) > 0 && !(t->shut[from] >> torus_step_of(dx, dy) & 1);
}

/* The cost of a step; 0: there is none. */
static inline int64_t torus_step_cost(const torus *t, int32_t mover, int32_t from, int k) {
    const int32_t dx = torus_steps[k][0], dy = torus_steps[k][1], to = torus_next(t, from, dx, dy);
    if (!torus_passes(t, mover, from, dx, dy) || (k >= 4 && t->rules.neighbours == 4)) return 0;
    if (k < 4) return t->rules.cost_straight * torus_factor(t, mover, to) + t->tolls[to];
    const int32_t across = torus_next(t, from, dx, 0), down = torus_next(t, from, 0, dy);
    const int ways = (torus_passes(t, mover, from, dx, 0) && torus_passes(t, mover, across, 0, dy)) +
                     (torus_passes(t, mover, from, 0, dy) && torus_passes(t, mover, down, dx, 0));
    const int needed = t->rules.corners == WEND_CORNERS_NEVER ? 2 : t->rules.corners == WEND_CORNERS_ONE ? 1 : 0;
    return ways >= needed ? t->rules.cost_diagonal * torus_factor(t, mover, to) + t->tolls[to] : 0;
}

/* The movers of a link, by its cost: as in wend_link. */
static inline uint32_t torus_takers(int32_t cost) {
    return cost % 3 ? 0 : (uint32_t)cost / 3 % 4;
}

static inline bool torus_takes(const torus *t, int32_t link, int32_t mover) {
    const uint32_t movers = torus_takers(t->links[link].cost);
    return !movers || (movers >> mover & 1);
}

static inline void torus_measure(const torus *t, int32_t mover, int32_t start, int64_t *distances) {
    dijkstra d = {0};
    int cell;
    dijkstra_begin(&d, distances, (size_t)(t->width * t->height));
    dijkstra_reach(&d, start, 0);
    while (dijkstra_next(&d, &cell)) {
        for (int k = 0; k < 8; k++) {
            const int64_t cost = torus_step_cost(t, mover, cell, k);
            if (cost)
                dijkstra_reach(&d, torus_next(t, cell, torus_steps[k][0], torus_steps[k][1]), distances[cell] + cost);
        }
        for (int32_t i = 0; i < t->link_count; i++)
            if (t->links[i].from == cell && torus_factor(t, mover, t->links[i].to) && torus_takes(t, i, mover))
                dijkstra_reach(&d, t->links[i].to, distances[cell] + t->links[i].cost + t->tolls[t->links[i].to]);
    }
    dijkstra_end(&d);
}

/* The cost of a path; -1: it cannot be walked. */
static inline int64_t torus_walk(const torus *t, int32_t mover, const wend_cell *path, uint64_t count) {
    int64_t sum = 0;
    for (uint64_t i = 0; i + 1 < count; i++) {
        const int32_t from = path[i].y * t->width + path[i].x, to = path[i + 1].y * t->width + path[i + 1].x;
        int64_t least = 0;
        for (int k = 0; k < 8; k++)
            if (torus_next(t, from, torus_steps[k][0], torus_steps[k][1]) == to)
                least = torus_step_cost(t, mover, from, k);
        for (int32_t k = 0; k < t->link_count; k++)
            if (t->links[k].from == from && t->links[k].to == to && torus_factor(t, mover, to) &&
                torus_takes(t, k, mover) && (!least || t->links[k].cost + (int64_t)t->tolls[to] < least))
                least = t->links[k].cost + (int64_t)t->tolls[to];
        if (!least) return -1;
        sum += least;
    }
    return sum;
}

/* ---- the map ---- */

static inline wend_cell torus_cell(const torus *t, int32_t number) {
    return (wend_cell){number % t->width, number / t->width, 0};
}

static inline void torus_set(torus *t, wend_edit *edit, int32_t number, uint8_t class) {
    t->classes[number] = class;
    cr_assert_eq(wend_edit_set_cell(edit, torus_cell(t, number), class), WEND_OK);
}

static inline void torus_publish(wend_edit *edit) {
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static inline void torus_put_link(const torus *t, wend_edit *edit, int32_t i) {
    const int32_t cost = t->links[i].cost;
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){torus_cell(t, t->links[i].from), torus_cell(t, t->links[i].to),
                                                       cost, torus_takers(cost)}),
                 WEND_OK);
}

static inline wend_map *torus_map(const torus *t) {
    wend_map_def def = default_map();
    wend_mover swimmer = default_mover();
    int32_t mover;
    def.width = t->width, def.height = t->height, def.wrap = t->wrap, def.rules = &t->rules;
    wend_map *map = made_map(&def);
    swimmer.factors[0] = 2, swimmer.factors[2] = 0;
    cr_assert_eq(wend_map_add_mover(map, &swimmer, &mover), WEND_OK);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < t->height; y++)
        cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, y, 0}, {t->width - 1, y, 0}}, &t->classes[y * t->width],
                                       (size_t)t->width),
                     WEND_OK);
    for (int32_t i = 0; i < t->link_count; i++) torus_put_link(t, edit, i);
    torus_publish(edit);
    return map;
}

/* Random worlds: sides that chunks do not divide, all corner rules, even and slow ground, links in some. */
static inline void torus_draw(torus *t, uint64_t *seed) {
    *t = (torus){.width = 3 + (int32_t)draw(seed, TORUS_SIDE - 2), .height = 3 + (int32_t)draw(seed, TORUS_SIDE - 2)};
    if (draw(seed, 3) == 0) t->width = 3 + (int32_t)draw(seed, 20);
    t->wrap = 1 + (int32_t)draw(seed, 3), t->rules = default_rules();
    t->rules.corners = (int32_t)draw(seed, 3), t->rules.neighbours = draw(seed, 4) == 0 ? 4 : 8;
    t->rules.cost_straight = 10, t->rules.cost_diagonal = 10 + (int32_t)draw(seed, 11);
    const uint32_t blocked = draw(seed, 45), slow = draw(seed, 2) ? 0 : draw(seed, 30);
    for (int32_t i = 0; i < t->width * t->height; i++)
        t->classes[i] = draw(seed, 100) < blocked ? 0 : draw(seed, 100) < slow ? (uint8_t)(2 + draw(seed, 3)) : 1;
    while (t->link_count < TORUS_LINKS && draw(seed, 2)) {
        const int32_t from = (int32_t)draw(seed, (uint32_t)(t->width * t->height));
        const int32_t to = (int32_t)draw(seed, (uint32_t)(t->width * t->height));
        bool near = from == to;
        for (int k = 0; k < 8; k++) near = near || torus_next(t, from, torus_steps[k][0], torus_steps[k][1]) == to;
        for (int32_t i = 0; i < t->link_count; i++) near = near || t->links[i].from == from;
        if (near) continue;
        t->links[t->link_count].from = from, t->links[t->link_count].to = to;
        t->links[t->link_count++].cost = 1 + (int32_t)draw(seed, 300);
    }
}

/* Gives the map a layer with some discs, most of them near the rim, and a profile. */
static inline void torus_paint(torus *t, wend_map *map, uint64_t *seed) {
    const wend_layer_def def = {.struct_bytes = sizeof def};
    const wend_box all = {{0, 0, 0}, {t->width - 1, t->height - 1, 0}};
    static uint8_t values[TORUS_CELLS];
    int32_t layer;
    cr_assert_eq(wend_map_add_layer(map, &def, &layer), WEND_OK);
    for (int i = 0; i < 6; i++) {
        wend_cell centre = {(int32_t)draw(seed, (uint32_t)t->width), (int32_t)draw(seed, (uint32_t)t->height), 0};
        if (i % 3) *(i % 3 == 1 ? &centre.x : &centre.y) = 0;
        cr_assert_eq(wend_map_add_layer_disc(map, layer, centre, (int32_t)draw(seed, 20), 1 + (int32_t)draw(seed, 255)),
                     WEND_OK);
    }
    const wend_layer_weight weight = {layer, 1 + (int32_t)draw(seed, draw(seed, 4) ? 40 : 4000)};
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, &t->profile), WEND_OK);
    cr_assert_eq(wend_map_get_layer_box(map, layer, all, values, (size_t)t->width), WEND_OK);
    for (int32_t i = 0; i < t->width * t->height; i++) t->tolls[i] = (uint32_t)(weight.weight * values[i] / 16);
}

/* Opens and blocks cells at the rim, and some others; closes and opens steps that do not lead over it. A link gets
 * another cost, and so other movers. */
static inline void torus_edit(torus *t, wend_map *map, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < 12; i++) {
        int32_t x = (int32_t)draw(seed, (uint32_t)t->width), y = (int32_t)draw(seed, (uint32_t)t->height);
        if (i < 10) *(draw(seed, 2) ? &x : &y) = 0;
        if (i < 5) x = x ? x : t->width - 1, y = y ? y : t->height - 1;
        torus_set(t, edit, y * t->width + x, (uint8_t)draw(seed, 3));
    }
    for (int i = 0; i < 3; i++) {
        const int k = (int)draw(seed, t->rules.neighbours == 4 ? 4 : 8);
        const int32_t x = (int32_t)draw(seed, (uint32_t)t->width), y = draw(seed, 2) ? 0 : t->height - 1;
        const int32_t to_x = x + torus_steps[k][0], to_y = y + torus_steps[k][1];
        if (to_x < 0 || to_y < 0 || to_x >= t->width || to_y >= t->height) continue;
        t->shut[y * t->width + x] |= (uint8_t)(1u << k);
        cr_assert_eq(wend_edit_set_step(edit, (wend_cell){x, y, 0}, (wend_cell){to_x, to_y, 0}, false), WEND_OK);
    }
    if (t->link_count > 0) t->links[0].cost = 1 + (int32_t)draw(seed, 300), torus_put_link(t, edit, 0);
    torus_publish(edit);
}

#endif
