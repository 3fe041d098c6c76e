/* SPDX-License-Identifier: MIT */
/* Stops of versions: a full build, against the definitions. */
#include "models/few_or_many.h"
#include "models/stops_model.h"

#include "fast/acceleration.h"
#include "fast/stops/stops.h"
#include "map/store/directions.h"
#include "map/version/version.h"

#include <criterion/criterion.h>

static void check_world(const stops_mixture *mix, uint64_t seed) {
    OWNED(stops_world_free) stops_world o = stops_world_create(mix, seed);
    cr_assert_eq(wend__map_prepare_jumps(o.map), WEND_OK);
    OWNED_VERSION *v = wend__map_acquire(o.map, false);
    stops_check(&o.w, o.links, v);
}

Test(stops, are_what_their_definition_says_on_random_ground) {
    static const stops_mixture stops_mixtures[] = {
        {64, 64, 200, 100, 0, 0, 10, 14},   {100, 70, 100, 10, 0, 0, 1000, 1414}, {130, 65, 300, 300, 0, 0, 10, 10},
        {65, 130, 100, 500, 0, 0, 10, 20},  {70, 70, 200, 0, 0, 10, 10, 14},      {130, 130, 200, 0, 20, 0, 10, 14},
        {129, 129, 100, 50, 30, 5, 2, 3},   {129, 129, 50, 2, 2, 1, 10, 14},      {1, 200, 100, 200, 50, 20, 10, 14},
        {200, 1, 100, 200, 50, 20, 10, 14}, {150, 150, 0, 1000, 0, 0, 10, 14},    {65, 65, 50, 5, 300, 5, 10, 14},
        {130, 70, 100, 100, 100, 0, 7, 7},  {70, 130, 100, 100, 100, 0, 7, 14},
    };
    for (unsigned i = 0; i < sizeof stops_mixtures / sizeof stops_mixtures[0]; i++)
        for (uint64_t seed = 1; seed <= (uint64_t)few_or_many(1, 8); seed++)
            check_world(&stops_mixtures[i], seed * 31 + i);
}

Test(stops, are_what_their_definition_says_across_blocks) {
    check_world(&(stops_mixture){1100, 40, 100, 3, 3, 1, 10, 14}, 3);
    check_world(&(stops_mixture){40, 1100, 100, 3, 3, 1, 10, 14}, 4);
}

Test(stops, are_none_on_even_ground) {
    static const stops_mixture even = {300, 200, 200, 0, 0, 0, 10, 14};
    OWNED(stops_world_free) stops_world o = stops_world_create(&even, 5);
    cr_assert_eq(wend__map_prepare_jumps(o.map), WEND_OK);
    OWNED_VERSION *v = wend__map_acquire(o.map, false);
    cr_assert(v->jumps && !v->stops);
}

Test(stops, can_be_worked_out_on_the_spot) {
    static const stops_mixture mix = {129, 129, 100, 200, 30, 0, 10, 14};
    OWNED(stops_world_free) stops_world o = stops_world_create(&mix, 6);
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
}
