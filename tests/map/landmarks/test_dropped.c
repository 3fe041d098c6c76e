/* SPDX-License-Identifier: MIT */
/* Landmarks of a large map are freed in slices: no call frees all of their strips, and none is left at the end. */
#include "map/map_support.h"

#include <criterion/criterion.h>
#include <wend/acceleration.h>
#include <wend/query.h>
#include <wend/search.h>

enum { SIDE = 1280, STRIPS = SIDE / 32 * (SIDE / 32), SLICE = 512, OTHERS = 64 };

static counting counts;

static uint64_t bytes_of(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info.bytes;
}

static wend_map *open_map(int32_t side, uint64_t max_bytes) {
    wend_map_def def = default_map();
    def.width = def.height = side, def.max_bytes = max_bytes;
    def.allocator = counting_allocator(&counts);
    return made_map(&def);
}

static void set_landmarks(wend_map *map, int32_t count) {
    wend_acceleration def = default_acceleration();
    def.tables = false, def.far = 0, def.landmarks = count;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OK);
}

Test(landmarks, are_dropped_in_slices) {
    wend_map *map = open_map(SIDE, WEND_NO_LIMIT);
    set_landmarks(map, 0);
    const uint64_t before = bytes_of(map);
    set_landmarks(map, 4);
    cr_assert_gt(bytes_of(map), before + STRIPS * 1000);
    uint64_t live = counts.blocks, slices = 0;
    set_landmarks(map, 0);
    cr_assert_leq(live - counts.blocks, SLICE + OTHERS, "%d", (int)(live - counts.blocks));
    while (bytes_of(map) > before && slices < 100) {
        live = counts.blocks;
        wend_cell cells[4];
        size_t count;
        cr_assert_eq(wend_find_path(map, (wend_cell){0, 0, 0}, (wend_cell){3, 0, 0}, cells, 4, &count, NULL), WEND_OK);
        cr_assert_leq(live, counts.blocks + SLICE + OTHERS, "%d of %d", (int)counts.blocks, (int)live);
        slices++;
    }
    cr_assert_eq(bytes_of(map), before);
    cr_assert(slices > 1 && slices < 100);
    wend_map_release(map);
    cr_assert_eq(counts.blocks, 0);
}

Test(landmarks, that_are_dropped_make_room_where_memory_is_short) {
    wend_map *map = open_map(SIDE / 2, WEND_NO_LIMIT);
    set_landmarks(map, 4);
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend_map_release(map);
    map = open_map(SIDE / 2, info.bytes_peak);
    for (int i = 0; i < 2; i++) { /* memory suffices only after freeing the old ones */
        set_landmarks(map, 4);
        set_landmarks(map, 0);
    }
    wend_map_release(map);
    cr_assert_eq(counts.blocks, 0);
}
