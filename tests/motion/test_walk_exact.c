/* SPDX-License-Identifier: MIT */
/* Walks through random worlds of every kind, against the sum of the model's step costs. */
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <wend/motion.h>

enum { UNITS = 1000000, WORLDS = 60, WALKS = 12 };

/* Returns the place of a walk after `way` units: the number of whole steps, and the rest. */
static size_t model_place(const uint64_t *steps, size_t count, uint64_t way, uint64_t *rest) {
    size_t i = 0;
    while (i < count && way >= steps[i] * UNITS) way -= steps[i++] * UNITS;
    *rest = i < count ? way : 0;
    return i;
}

static void check_place(const wend_walk *walk, const uint64_t *steps, size_t count, uint64_t way, int32_t event) {
    uint64_t rest;
    size_t whole = model_place(steps, count, way, &rest);
    cr_assert_eq(walk->index, whole + (rest > 0));
    cr_assert_eq(walk->done, (int64_t)rest);
    cr_assert_eq(walk->length, rest ? (int64_t)steps[whole] * UNITS : 0);
    cr_assert_eq(event, whole == count ? WEND_WALK_ARRIVED : WEND_WALK_ON);
}

static void check_left(const wend_map *map, const wend_walk *walk, const uint64_t *steps, size_t count, uint64_t way,
                       uint64_t straight) {
    uint64_t total = 0, left, milli = straight * UNITS / 1000;
    uint32_t allowed;
    for (size_t i = 0; i < count; i++) total += steps[i] * UNITS;
    total = way < total ? total - way : 0;
    cr_assert_eq(wend_walk_get_left(map, walk, &left, &allowed), WEND_OK);
    cr_assert_eq(left, (total + milli - 1) / milli);
    cr_assert_eq(allowed, count - walk->index);
}

static size_t step_costs(const world *w, int32_t mover, const wend_cell *cells, size_t count, uint64_t *steps) {
    for (size_t i = 0; i + 1 < count; i++) steps[i] = model_step_cost(w, mover, cells[i], cells[i + 1]);
    return count - 1;
}

static void walk_one(const world *w, const wend_map *map, oracle_random *random) {
    wend_cell cells[PATH_CELLS];
    uint64_t steps[PATH_CELLS], straight = model_straight(w), way = 0;
    int32_t mover = oracle_below(random, w->mover_count), event = WEND_WALK_ON;
    size_t count = random_path(w, random, mover, cells);
    if (count == 0) return;
    count = step_costs(w, mover, cells, count, steps);
    uint32_t speed = 1 + (uint32_t)oracle_below(random, 5000);
    wend_walk walk;
    cr_assert_eq(wend_walk_begin(map, cells, count + 1, mover, speed, 0, &walk), WEND_OK);
    for (int frame = 0; event == WEND_WALK_ON && frame < 500; frame++) {
        uint32_t amount = (uint32_t)oracle_below(random, 3000);
        if (frame % 2) {
            cr_assert_eq(wend_walk_advance(map, &walk, amount, &event), WEND_OK);
            way += amount * straight * 1000;
        } else {
            cr_assert_eq(wend_walk_advance_many(map, &walk, 1, amount, &event), WEND_OK);
            way += (uint64_t)speed * amount * straight;
        }
        check_place(&walk, steps, count, way, event);
        check_left(map, &walk, steps, count, way, straight);
    }
}

Test(walk_exact, is_where_the_sum_of_step_costs_says) {
    static world w;
    oracle_random random = {41};
    for (int i = 0; i < WORLDS; i++) {
        static const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
        world_options options = {kinds[i % 3], i % 2, i / 2 % 2, i / 4 % 2, i / 8 % 2, false};
        world_fill(&w, &random, &options);
        OWNED_MAP *map = world_map(&w);
        for (int k = 0; k < WALKS; k++) walk_one(&w, map, &random);
    }
}

/* A frame more or less would be a rounding that adds up. */
Test(walk_exact, takes_the_length_by_the_speed_in_frames) {
    static world w;
    oracle_random random = {43};
    for (int i = 0; i < 30; i++) {
        world_options options = {i % 2 ? WEND_KIND_GRID : WEND_KIND_GRAPH, true, true, true, false, false};
        world_fill(&w, &random, &options);
        OWNED_MAP *map = world_map(&w);
        wend_cell cells[PATH_CELLS];
        uint64_t steps[PATH_CELLS], total = 0, frames = 0;
        size_t count = random_path(&w, &random, 0, cells);
        if (count > 1) {
            count = step_costs(&w, 0, cells, count, steps);
            for (size_t k = 0; k < count; k++) total += steps[k] * UNITS;
            wend_walk walk;
            uint32_t speed = 100 + (uint32_t)oracle_below(&random, 900);
            int32_t event = WEND_WALK_ON;
            cr_assert_eq(wend_walk_begin(map, cells, count + 1, 0, speed, 0, &walk), WEND_OK);
            for (; event == WEND_WALK_ON; frames++)
                cr_assert_eq(wend_walk_advance_many(map, &walk, 1, 1000, &event), WEND_OK);
            uint64_t frame_units = speed * model_straight(&w) * 1000;
            cr_assert_eq(frames, (total + frame_units - 1) / frame_units);
        }
    }
}
