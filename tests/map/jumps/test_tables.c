/* SPDX-License-Identifier: MIT */
/* Jump tables: a full build, against a model that walks. */
#include "models/few_or_many.h"
#include "models/jumps_model.h"

#include "fast/tables/jump_tables.h"
#include "fast/tables/jumps.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "fast/acceleration.h"

#include <criterion/criterion.h>
#include <string.h>

/* Random cells of one density; 100: walls of a maze that is open here and there; 101: rooms. */
static model ground_model(int32_t width, int32_t height, uint32_t sort, uint64_t seed) {
    wend_map_rules rules = default_rules();
    model m = model_create(width, height, &rules);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            bool blocked = draw(&seed, 100) < sort;
            if (sort == 100) blocked = (x % 2 && y % 2) || ((x % 2 || y % 2) && draw(&seed, 100) < 45);
            if (sort == 101) blocked = (x % 9 == 0 || y % 11 == 0) && draw(&seed, 100) < 93;
            m.classes[(size_t)y * (size_t)width + (size_t)x] = blocked ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
        }
    return m;
}

static void check_ground(int32_t width, int32_t height, uint32_t sort, uint64_t seed) {
    OWNED(model_free) model m = ground_model(width, height, sort, seed);
    OWNED_MAP *map = map_of(&m);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    jumps_check_map(&m, map);
}

Test(jumps, are_what_walking_finds_on_random_ground) {
    static const uint32_t sorts[] = {0, 1, 3, 10, 25, 40, 50, 60, 80, 99, 100, 101};
    for (unsigned i = 0; i < sizeof sorts / sizeof sorts[0]; i++)
        for (int seed = 1; seed <= few_or_many(1, 4); seed++) check_ground(64, 64, sorts[i], (uint64_t)seed * 77);
}

Test(jumps, are_what_walking_finds_where_the_map_ends_inside_a_chunk) {
    static const int32_t sizes[][2] = {{1, 1}, {1, 200}, {200, 1}, {63, 65}, {65, 63}, {130, 100}, {257, 191}};
    const uint32_t next = (uint32_t)few_or_many(20, 5);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint32_t sort = 0; sort <= 101; sort += sort < 20 ? next : 27)
            check_ground(sizes[i][0], sizes[i][1], sort, sort + 3);
}

Test(jumps, are_what_walking_finds_on_maps_of_several_blocks) {
    check_ground(3000, 5, 2, 5);
    check_ground(5, 3000, 2, 6);
    check_ground(1100, few_or_many(70, 1090), 0, 7);
    check_ground(few_or_many(70, 1100), 1090, 1, 8);
    check_ground(1030, 70, 101, 9);
}

/* ---- long ways ---- */

/* A corridor that winds through the chunk from the left: rows of 60 cells joined at alternate ends, each turn a
 * jump point or more; with a way out of the chunk at its far end, or none. */
static model corridor(bool way_out) {
    wend_map_rules rules = default_rules();
    model m = model_create(128, 64, &rules);
    memset(m.classes, WEND_CLASS_BLOCKED, 128 * 64);
    for (int32_t x = 64; x < 128; x++)
        for (int32_t y = 0; y < 64; y++) m.classes[y * 128 + x] = WEND_CLASS_OPEN;
    for (int32_t y = 1; y < 62; y += 3) {
        memset(m.classes + y * 128 + 2, WEND_CLASS_OPEN, 60);
        int32_t end = y / 3 % 2 ? 2 : 61;
        if (y + 3 < 62) m.classes[(y + 1) * 128 + end] = m.classes[(y + 2) * 128 + end] = WEND_CLASS_OPEN;
        for (int32_t x = 5; x < 58; x += 7)
            m.classes[(y + 1) * 128 + x] = WEND_CLASS_OPEN; /* niches: points on the way */
    }
    if (way_out) m.classes[1 * 128 + 62] = m.classes[1 * 128 + 63] = WEND_CLASS_OPEN;
    return m;
}

static uint32_t count_runs(const wend_map *map, unsigned kind) {
    wend__version *v = wend__map_acquire((wend_map *)map, false);
    const wend__jump_table *table = wend__jump_table_at(v, 0, 0);
    uint32_t count = 0;
    for (unsigned i = 0; i < 4 * WEND__CHUNK_CELLS; i++) count += wend__run_of(table, i / 4, i % 4).kind == kind;
    wend__map_release(v, false);
    return count;
}

Test(jumps, know_the_dead_ends_of_long_corridors) {
    for (int way_out = 0; way_out < 2; way_out++) {
        OWNED(model_free) model m = corridor(way_out);
        OWNED_MAP *map = map_of(&m);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        jumps_check_map(&m, map);
        cr_assert_eq(count_runs(map, WEND__RUN_LIVE) > 100, way_out);
        cr_assert(count_runs(map, WEND__RUN_DEAD) > 100);
    }
}
