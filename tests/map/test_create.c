/* SPDX-License-Identifier: MIT */
/* Making maps: what is accepted, what is refused, and what an empty one costs. */
#include "map/version/map.h"
#include "map/map_support.h"

#include <criterion/criterion.h>

static wend_error create(const wend_map_def *def) {
    wend_map *const untouched = (wend_map *)&untouched;
    wend_map *map = untouched;
    wend_error error = wend_map_create(def, &map);
    if (error)
        cr_assert_eq(map, untouched);
    else
        wend_map_release(map);
    return error;
}

static wend_map_def sized(int32_t width, int32_t height) {
    wend_map_def def = default_map();
    def.width = width, def.height = height;
    return def;
}

static wend_error create_sized(int32_t width, int32_t height) {
    wend_map_def def = sized(width, height);
    return create(&def);
}

Test(map_create, has_documented_defaults) {
    wend_map_rules rules = default_rules();
    cr_assert_eq(rules.struct_bytes, sizeof rules);
    cr_assert_eq(rules.neighbours, 0);
    cr_assert_eq(rules.corners, WEND_CORNERS_NEVER);
    cr_assert_eq(rules.cost_straight, 10);
    cr_assert_eq(rules.cost_diagonal, 14);
    cr_assert_eq(rules.cost_space, 17);
    for (int class = 0; class < 254; class++) cr_assert_eq(rules.factors[class], class);
    cr_assert_eq(rules.factors[WEND_CLASS_SWAMP], 1);
    cr_assert_eq(rules.factors[WEND_CLASS_WATER], 0);
    wend_map_def def = default_map();
    cr_assert_eq(def.struct_bytes, sizeof def);
    cr_assert_eq(def.kind, WEND_KIND_GRID);
    cr_assert_eq(def.width, 0);
    cr_assert_eq(def.depth, 1);
    cr_assert_eq(def.max_bytes, WEND_NO_LIMIT);
    cr_assert_eq(def.max_versions, 8);
}

Test(map_create, takes_sides_up_to_the_limit_and_no_further) {
    cr_assert_eq(create_sized(1, 1), WEND_OK);
    cr_assert_eq(create_sized(WEND_MAX_SIDE, 1), WEND_OK);
    cr_assert_eq(create_sized(1, WEND_MAX_SIDE), WEND_OK);
    cr_assert_eq(create_sized(WEND_MAX_SIDE, WEND_MAX_SIDE), WEND_OK); /* and this is WEND_MAX_CELLS */
    cr_assert_eq((uint64_t)WEND_MAX_SIDE * WEND_MAX_SIDE, WEND_MAX_CELLS);
    const int32_t bad[] = {0, -1, INT32_MIN, INT32_MAX, WEND_MAX_SIDE + 1};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(create_sized(bad[i], 1), WEND_BAD_ARGUMENT);
        cr_assert_eq(create_sized(1, bad[i]), WEND_BAD_ARGUMENT);
        cr_assert_eq(create_sized(bad[i], WEND_MAX_SIDE), WEND_BAD_ARGUMENT);
    }
}

Test(map_create, refuses_other_structures_and_kinds) {
    wend_map_def def = sized(3, 3);
    def.struct_bytes = (uint32_t)offsetof(wend_map_def, streamed) - 1;
    cr_assert_eq(create(&def), WEND_BAD_ARGUMENT);
    def = sized(3, 3);
    def.struct_bytes = 0;
    cr_assert_eq(create(&def), WEND_BAD_ARGUMENT);
    def = sized(3, 3);
    wend_map_rules rules = default_rules();
    def.rules = &rules;
    rules.struct_bytes--;
    cr_assert_eq(create(&def), WEND_BAD_ARGUMENT);
    for (int32_t kind = -1; kind < 4; kind++) {
        def = sized(3, 3);
        def.kind = kind;
        bool good = kind == WEND_KIND_GRID || kind == WEND_KIND_VOXEL;
        cr_assert_eq(create(&def), good ? WEND_OK : WEND_BAD_ARGUMENT);
    }
}

Test(map_create, takes_sides_of_voxels_up_to_the_limit_and_no_further) {
    const struct {
        int32_t width, height, depth;
        bool good;
    } sizes[] = {{1, 1, 1, true},
                 {1024, 1024, 1024, true},
                 {WEND_MAX_SIDE, 1, 1, true},
                 {1, 1, WEND_MAX_SIDE, true},
                 {2048, 2048, 1024, true},
                 {2048, 2048, 1025, false},
                 {3, 3, 0, false},
                 {3, 3, -1, false},
                 {1, 1, WEND_MAX_SIDE + 1, false}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        wend_map_def def = sized(sizes[i].width, sizes[i].height);
        def.kind = WEND_KIND_VOXEL, def.depth = sizes[i].depth;
        cr_assert_eq(create(&def), sizes[i].good ? WEND_OK : WEND_BAD_ARGUMENT, "size %zu", i);
    }
    wend_map_def flat = sized(3, 3);
    flat.depth = 2;
    cr_assert_eq(create(&flat), WEND_BAD_ARGUMENT);
}

Test(map_create, takes_costs_of_space_within_limits_only) {
    const int32_t costs[][4] = {{10, 14, 17, 1}, {10, 14, 14, 1}, {10, 14, 18, 1}, {10, 14, 19, 0}, {10, 14, 13, 0}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        for (int32_t neighbours = 0; neighbours <= 26; neighbours++) {
            wend_map_def def = sized(3, 3);
            def.kind = WEND_KIND_VOXEL;
            wend_map_rules rules = default_rules();
            def.rules = &rules;
            rules.neighbours = neighbours, rules.cost_space = costs[i][2];
            bool known = neighbours == 0 || neighbours == 6 || neighbours == 18 || neighbours == 26;
            bool fits = costs[i][3] || neighbours == 6 || neighbours == 18;
            cr_assert_eq(create(&def), known && fits ? WEND_OK : WEND_BAD_ARGUMENT, "%d neighbours", neighbours);
        }
}

Test(map_create, takes_1_to_64_versions_and_no_others) {
    const int32_t versions[] = {INT32_MIN, -1, 0, 1, 2, 8, 64, 65, INT32_MAX};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        wend_map_def def = sized(3, 3);
        def.max_versions = versions[i];
        bool good = versions[i] >= 1 && versions[i] <= WEND_MAX_VERSIONS;
        cr_assert_eq(create(&def), good ? WEND_OK : WEND_BAD_ARGUMENT);
    }
}

Test(map_create, refuses_before_it_allocates) {
    counting c = {0};
    wend_map_def def = sized(WEND_MAX_SIDE + 1, 3);
    def.allocator = counting_allocator(&c);
    cr_assert_eq(create(&def), WEND_BAD_ARGUMENT);
    def = sized(INT32_MAX, INT32_MAX);
    def.allocator = counting_allocator(&c);
    cr_assert_eq(create(&def), WEND_BAD_ARGUMENT);
    cr_assert_eq(c.calls, 0u);
}

static wend_error create_with_costs(int32_t straight, int32_t diagonal, int32_t neighbours) {
    wend_map_def def = sized(3, 3);
    wend_map_rules rules = default_rules();
    def.rules = &rules;
    rules.cost_straight = straight, rules.cost_diagonal = diagonal, rules.neighbours = neighbours;
    return create(&def);
}

/* S10 */
Test(map_create, takes_costs_within_limits_only) {
    const int32_t good[][2] = {
        {1, 1}, {1, 2}, {10, 10}, {10, 20}, {70, 99}, {500000, 1000000}, {1000000, 1000000}, {999999, 1000000}};
    const int32_t bad[][2] = {{0, 0},
                              {0, 1},
                              {-1, 1},
                              {1, 0},
                              {1, 3},
                              {10, 9},
                              {10, 21},
                              {10, -1},
                              {1000001, 1000001},
                              {1000000, 1000001},
                              {INT32_MIN, INT32_MIN},
                              {INT32_MAX, INT32_MAX},
                              {499999, 1000000}};
    for (int32_t neighbours = 4; neighbours <= 8; neighbours += 4) {
        for (size_t i = 0; i < sizeof good / sizeof *good; i++)
            cr_assert_eq(create_with_costs(good[i][0], good[i][1], neighbours), WEND_OK);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            cr_assert_eq(create_with_costs(bad[i][0], bad[i][1], neighbours), WEND_BAD_ARGUMENT);
    }
}

Test(map_create, takes_known_neighbours_and_corners_only) {
    for (int32_t neighbours = -1; neighbours <= 26; neighbours++)
        cr_assert_eq(create_with_costs(10, 14, neighbours),
                     neighbours == 0 || neighbours == 4 || neighbours == 6 || neighbours == 8 ? WEND_OK
                                                                                              : WEND_BAD_ARGUMENT);
    for (int32_t corners = -1; corners <= 3; corners++) {
        wend_map_def def = sized(3, 3);
        wend_map_rules rules = default_rules();
        def.rules = &rules;
        rules.corners = corners;
        cr_assert_eq(create(&def), corners >= 0 && corners <= 2 ? WEND_OK : WEND_BAD_ARGUMENT);
    }
}

Test(map_create, describes_what_was_made) {
    counting c = {0};
    wend_map_def def = sized(70, 3);
    def.allocator = counting_allocator(&c);
    wend_map_rules rules = default_rules();
    def.rules = &rules;
    rules.corners = WEND_CORNERS_ONE, rules.neighbours = 8;
    wend_map *map = made_map(&def);
    wend_map_info info = info_now(map);
    wend_map_rules info_rules = rules_now(map);
    cr_assert_eq(info.struct_bytes, sizeof info);
    cr_assert_eq(info.kind, WEND_KIND_GRID);
    cr_assert(info.width == 70 && info.height == 3 && info.depth == 1);
    cr_assert_eq(info.epoch, 0u);
    cr_assert_eq(info.bytes, c.bytes);
    cr_assert_eq(info.bytes_peak, c.bytes);
    cr_assert_eq(memcmp(&info_rules, &rules, sizeof info_rules), 0);
    int32_t width, height, depth;
    wend__map_size(map, &width, &height, &depth);
    cr_assert(width == 70 && height == 3);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
    cr_assert_eq(c.bytes, 0u);
}

Test(map_create, ignores_null_and_counts_references) {
    counting c = {0};
    wend_map_def def = sized(5, 5);
    def.allocator = counting_allocator(&c);
    wend_map_retain(NULL);
    wend_map_release(NULL);
    wend_edit_discard(NULL);
    wend_map *map = made_map(&def);
    wend_map_retain(map);
    wend_map_release(map);
    cr_assert_gt(c.blocks, 0u);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_create, is_open_everywhere_and_closed_beyond) {
    const int32_t sizes[][2] = {{1, 1}, {1, 64}, {63, 65}, {64, 64}, {65, 129}, {200, 70}, {1024, 3}, {1025, 66}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        OWNED(model_free) model m = model_create(sizes[i][0], sizes[i][1], NULL);
        OWNED_MAP *map = map_of_size(m.width, m.height);
        model_check_map(&m, map);
    }
}

Test(map_create, can_close_the_open_class) {
    wend_map_def def = sized(130, 70);
    wend_map_rules rules = default_rules();
    def.rules = &rules;
    rules.factors[WEND_CLASS_OPEN] = 0;
    rules.factors[0] = 7; /* beyond the rim it is closed all the same */
    OWNED_MAP *map = made_map(&def);
    OWNED(model_free) model m = model_create(130, 70, &rules);
    model_check_map(&m, map);
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, box_of(100, 3, 129, 69), 0), WEND_OK));
    for (int32_t y = 3; y < 70; y++) memset(m.classes + y * 130 + 100, 0, 30);
    model_check_map(&m, map);
}

Test(map_create, costs_next_to_nothing_while_empty) {
    wend_map *map = map_of_size(16384, 16384);
    cr_assert_lt(map_bytes(map), 192u * 1024);
    wend_map_release(map);
    map = map_of_size(WEND_MAX_SIDE, WEND_MAX_SIDE);
    cr_assert_lt(map_bytes(map), 384u * 1024);
    wend_map_release(map);
    map = map_of_size(64, 64);
    cr_assert_lt(map_bytes(map), 24u * 1024);
    wend_map_release(map);
}

Test(map_create, gives_all_back_when_any_allocation_fails) {
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        counting c = {.fail_at = n};
        wend_map_def def = sized(1100, 1100);
        def.allocator = counting_allocator(&c);
        wend_error error = create(&def);
        cr_assert_eq(c.blocks, 0u);
        cr_assert_eq(c.bytes, 0u);
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        failures++;
    }
    cr_assert_gt(failures, 10u);
}

Test(map_create, keeps_to_max_bytes_to_the_byte) {
    wend_map *map = map_of_size(1100, 1100);
    uint64_t needed = map_bytes(map);
    wend_map_release(map);
    for (uint64_t limit = 0; limit <= needed + 1; limit += limit + 200 < needed ? 200 : 1) {
        wend_map_def def = sized(1100, 1100);
        def.max_bytes = limit;
        cr_assert_eq(create(&def), limit >= needed ? WEND_OK : WEND_OUT_OF_MEMORY, "limit %lu of %lu",
                     (unsigned long)limit, (unsigned long)needed);
    }
}
