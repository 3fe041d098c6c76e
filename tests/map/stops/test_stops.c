/* SPDX-License-Identifier: MIT */
/* Stops of versions: what a full build makes, against the definitions. */
#include "models/stops_model.h"

#include "map/acceleration.h"
#include "map/stops/stops.h"
#include "map/store/directions.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* How a world is filled: shares in thousandths. */
typedef struct mixture {
    int32_t width, height;
    uint32_t blocked, slow, closed, entrances;
    int32_t straight, diagonal;
} mixture;

typedef struct world {
    walled w;
    uint8_t *entrances;
    wend_map *map;
} world;

static void close_steps(world *o, wend_edit *edit, uint32_t share, uint64_t *seed) {
    for (int32_t y = 0; y < o->w.m.height; y++)
        for (int32_t x = 0; x < o->w.m.width; x++) {
            if (draw(seed, 1000) >= share) continue;
            const unsigned d = draw(seed, WEND__DIRECTIONS);
            const int32_t to_x = x + wend__dx[d], to_y = y + wend__dy[d];
            if (to_x < 0 || to_y < 0 || to_x >= o->w.m.width || to_y >= o->w.m.height) continue;
            if (draw(seed, 2))
                walled_wall(&o->w, edit, x, y, wend__dx[d], wend__dy[d]);
            else
                walled_set(&o->w, edit, x, y, wend__dx[d], wend__dy[d], false);
        }
}

static void add_links(world *o, wend_edit *edit, uint32_t share, uint64_t *seed) {
    const uint32_t cells = (uint32_t)(o->w.m.width * o->w.m.height);
    for (uint32_t i = 0; i < cells; i++) {
        const uint32_t to = draw(seed, cells);
        if (draw(seed, 1000) >= share || to == i) continue;
        const int32_t w = o->w.m.width;
        const wend_cell a = at((int32_t)i % w, (int32_t)i / w), b = at((int32_t)to % w, (int32_t)to / w);
        if (!wend_edit_add_link(edit, a, b, 50)) o->entrances[i] = 1;
    }
}

static world world_create(const mixture *mix, uint64_t seed) {
    wend_map_rules rules;
    wend_map_rules_init(&rules, sizeof rules);
    rules.cost_straight = mix->straight, rules.cost_diagonal = mix->diagonal;
    world o = {.w = walled_create(mix->width, mix->height, &rules)};
    o.entrances = calloc((size_t)mix->width * (size_t)mix->height, 1);
    for (int32_t i = 0; i < mix->width * mix->height; i++) {
        const uint32_t roll = draw(&seed, 1000);
        const uint8_t slow = (uint8_t)(2 + draw(&seed, 3));
        o.w.m.classes[i] = roll < mix->blocked               ? WEND_CLASS_BLOCKED
                           : roll < mix->blocked + mix->slow ? slow
                                                             : WEND_CLASS_OPEN;
    }
    o.map = map_of(&o.w.m);
    wend_edit *edit;
    cr_assert_eq(wend_edit_begin(o.map, &edit), WEND_OK);
    close_steps(&o, edit, mix->closed, &seed);
    add_links(&o, edit, mix->entrances, &seed);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return o;
}

static void world_free(world *o) {
    wend_map_release(o->map);
    walled_free(&o->w);
    free(o->entrances);
}

static void check_world(const mixture *mix, uint64_t seed) {
    world o = world_create(mix, seed);
    cr_assert_eq(wend__map_prepare_jumps(o.map), WEND_OK);
    wend__version *v = wend__map_acquire(o.map, false);
    stops_check(&o.w, o.entrances, v);
    wend__map_release(v, false);
    world_free(&o);
}

Test(stops, are_what_their_definition_says_on_random_ground) {
    static const mixture mixtures[] = {
        {64, 64, 200, 100, 0, 0, 10, 14},   {100, 70, 100, 10, 0, 0, 1000, 1414}, {130, 65, 300, 300, 0, 0, 10, 10},
        {65, 130, 100, 500, 0, 0, 10, 20},  {70, 70, 200, 0, 0, 10, 10, 14},      {130, 130, 200, 0, 20, 0, 10, 14},
        {129, 129, 100, 50, 30, 5, 2, 3},   {129, 129, 50, 2, 2, 1, 10, 14},      {1, 200, 100, 200, 50, 20, 10, 14},
        {200, 1, 100, 200, 50, 20, 10, 14}, {150, 150, 0, 1000, 0, 0, 10, 14},    {65, 65, 50, 5, 300, 5, 10, 14},
        {130, 70, 100, 100, 100, 0, 7, 7},  {70, 130, 100, 100, 100, 0, 7, 14},
    };
    for (unsigned i = 0; i < sizeof mixtures / sizeof mixtures[0]; i++)
        for (uint64_t seed = 1; seed <= 2; seed++) check_world(&mixtures[i], seed * 31 + i);
}

Test(stops, are_what_their_definition_says_across_blocks) {
    check_world(&(mixture){1100, 40, 100, 3, 3, 1, 10, 14}, 3);
    check_world(&(mixture){40, 1100, 100, 3, 3, 1, 10, 14}, 4);
}

Test(stops, are_none_on_even_ground) {
    static const mixture even = {300, 200, 200, 0, 0, 0, 10, 14};
    world o = world_create(&even, 5);
    cr_assert_eq(wend__map_prepare_jumps(o.map), WEND_OK);
    wend__version *v = wend__map_acquire(o.map, false);
    cr_assert(v->jumps && !v->stops);
    wend__map_release(v, false);
    world_free(&o);
}

Test(stops, can_be_worked_out_on_the_spot) {
    static const mixture mix = {129, 129, 100, 200, 30, 0, 10, 14};
    world o = world_create(&mix, 6);
    wend__version *v = wend__map_acquire(o.map, false);
    uint64_t seed = 1;
    for (unsigned i = 0; i < 20000; i++) {
        const int32_t x = (int32_t)draw(&seed, 129), y = (int32_t)draw(&seed, 129);
        const unsigned d = draw(&seed, 8), occupied = draw(&seed, 256) & draw(&seed, 256);
        if (!model_open(&o.w.m, x, y)) continue;
        nine n = nine_of(&o.w, x, y);
        for (unsigned k = 0; k < 8; k++) n.units[1 + wend__dy[k]][1 + wend__dx[k]] = occupied >> k & 1;
        cr_assert_eq(wend__stops_exits_now(v, x, y, d, occupied), nine_exits(&n, d));
    }
    wend__map_release(v, false);
    world_free(&o);
}
