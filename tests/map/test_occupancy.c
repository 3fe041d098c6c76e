/* SPDX-License-Identifier: MIT */
/* Occupancy: units are counted apart from versions. */
#include "map/map_support.h"

#include "map/store/map_layout.h"
#include "map/version/occupancy.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/units.h>

static wend_map *create(int32_t kind, int32_t width, int32_t height, int32_t depth, counting *c) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = width, def.height = height, def.depth = depth;
    if (c) def.allocator = counting_allocator(c);
    return made_map(&def);
}

static size_t index_of(const wend_map *map, wend_cell c) {
    return ((size_t)c.z * (size_t)map->height + (size_t)c.y) * (size_t)map->width + (size_t)c.x;
}

static wend_cell any_cell(const wend_map *map, uint64_t *seed) {
    return (wend_cell){(int32_t)draw(seed, (uint32_t)map->width), (int32_t)draw(seed, (uint32_t)map->height),
                       (int32_t)draw(seed, (uint32_t)map->depth)};
}

/* As documented: any covered cell that is on the map, near enough and occupied, but those covered at the start. */
static bool crowded(const wend_map *map, const uint32_t *counts, wend_cell cell, int32_t size, wend_cell start,
                    int32_t within) {
    for (int32_t i = 0; i < size * size * size; i++) {
        wend_cell c = {cell.x + i % size, cell.y + i / size % size, cell.z + i / size / size};
        int32_t dx = c.x - start.x, dy = c.y - start.y, dz = c.z - start.z;
        if (c.x >= map->width || c.y >= map->height || c.z >= map->depth) continue;
        bool own = dx >= 0 && dx < size && dy >= 0 && dy < size && dz >= 0 && dz < size;
        bool near = within < 0 ||
                    (dx >= -within && dx <= within && dy >= -within && dy <= within && dz >= -within && dz <= within);
        if (!own && near && counts[index_of(map, c)]) return true;
    }
    return false;
}

static void compare(wend_map *map, uint64_t seed) {
    size_t cells = (size_t)map->width * (size_t)map->height * (size_t)map->depth;
    uint32_t *counts = calloc(cells, sizeof *counts), count, seen[2] = {0};
    for (int32_t i = 0; i < 20000; i++) {
        wend_cell c = any_cell(map, &seed), near = c;
        uint32_t *mine = &counts[index_of(map, c)];
        if (draw(&seed, 3)) {
            cr_assert_eq(wend_map_occupy(map, c), WEND_OK);
            ++*mine;
        } else {
            cr_assert_eq(wend_map_vacate(map, c), *mine ? WEND_OK : WEND_EMPTY);
            *mine -= *mine > 0;
        }
        cr_assert_eq(wend_map_get_occupants(map, c, &count), WEND_OK);
        cr_assert_eq(count, *mine);
        c = any_cell(map, &seed);
        cr_assert_eq(wend__map_occupants(map, c), counts[index_of(map, c)]);
        if (i > 2000) continue; /* while some places are still free */
        near.x += (int32_t)draw(&seed, 5) - 2, near.y += (int32_t)draw(&seed, 5) - 2;
        int32_t size = 1 + (int32_t)draw(&seed, 4);
        int32_t within = (int32_t)draw(&seed, 6) - 1;
        bool expected = crowded(map, counts, c, size, near, within);
        const wend__unit_range range = {.start = near, .within = within};
        cr_assert_eq(wend__map_occupied_in(map, c, size, &range), expected);
        seen[expected]++;
        cr_assert_eq(wend__map_occupied(map, c, size, c), false);
    }
    cr_assert(seen[0] > 20 && seen[1] > 20, "%u free, %u crowded", seen[0], seen[1]);
    free(counts);
    wend_map_release(map);
}

Test(map_crowd, is_counted_on_grids) {
    compare(create(WEND_KIND_GRID, 90, 75, 1, NULL), 1);
    compare(create(WEND_KIND_GRID, 65, 129, 1, NULL), 2);
}

Test(map_crowd, is_counted_in_space) {
    compare(create(WEND_KIND_VOXEL, 21, 18, 19, NULL), 3);
    compare(create(WEND_KIND_VOXEL, 17, 40, 16, NULL), 4);
}

Test(map_crowd, is_limited_on_each_cell) {
    OWNED_MAP *map = create(WEND_KIND_GRID, 10, 10, 1, NULL);
    uint32_t count = 7;
    cr_assert_eq(wend_map_vacate(map, at(3, 3)), WEND_EMPTY); /* no unit is on the map */
    cr_assert_eq(wend_map_get_occupants(map, at(3, 3), &count), WEND_OK);
    cr_assert_eq(count, 0u);
    for (int32_t i = 0; i < WEND_MAX_OCCUPANTS; i++) cr_assert_eq(wend_map_occupy(map, at(3, 3)), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, at(3, 3)), WEND_BUSY);
    cr_assert_eq(wend_map_get_occupants(map, at(3, 3), &count), WEND_OK);
    cr_assert_eq(count, (uint32_t)WEND_MAX_OCCUPANTS);
    for (int32_t i = 0; i < WEND_MAX_OCCUPANTS; i++) cr_assert_eq(wend_map_vacate(map, at(3, 3)), WEND_OK);
    cr_assert_eq(wend_map_vacate(map, at(3, 3)), WEND_EMPTY);
    cr_assert_eq(wend_map_vacate(map, at(4, 3)), WEND_EMPTY);
    count = 7;
    cr_assert_eq(wend_map_occupy(map, at(10, 3)), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_vacate(map, at(3, -1)), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_get_occupants(map, (wend_cell){3, 3, 1}, &count), WEND_OUT_OF_RANGE);
    cr_assert_eq(count, 7u);
}

Test(map_crowd, makes_no_epoch_and_stays_through_edits_but_not_in_forks) {
    wend_map *map = create(WEND_KIND_GRID, 100, 100, 1, NULL), *fork;
    cr_assert_eq(wend_map_occupy(map, at(70, 70)), WEND_OK);
    cr_assert_eq(map_epoch(map), 0u);
    cr_assert_eq(wend_map_set_cell(map, at(70, 70), 0, NULL), WEND_OK);
    cr_assert_eq(wend__map_occupants(map, at(70, 70)), 1u);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_eq(wend__map_occupants(fork, at(70, 70)), 0u);
    cr_assert_eq(wend_map_occupy(fork, at(1, 1)), WEND_OK);
    cr_assert_eq(wend__map_occupants(map, at(1, 1)), 0u);
    wend_map_release(map);
    cr_assert_eq(wend__map_occupants(fork, at(1, 1)), 1u);
    wend_map_release(fork);
}

Test(map_crowd, changes_nothing_when_any_allocation_fails) {
    counting c = {0};
    wend_map *map = create(WEND_KIND_GRID, 1000, 70, 1, &c);
    uint64_t bytes = map_bytes(map);
    for (size_t n = 1; n <= 2; n++) {
        c.calls = 0, c.fail_at = n;
        cr_assert_eq(wend_map_occupy(map, at(999, 69)), WEND_OUT_OF_MEMORY);
        c.fail_at = 0;
        cr_assert_eq(map_bytes(map), bytes);
        cr_assert_eq(wend__map_occupants(map, at(999, 69)), 0u);
    }
    cr_assert_eq(wend_map_occupy(map, at(0, 0)), WEND_OK);
    bytes = map_bytes(map);
    c.calls = 0, c.fail_at = 1;
    cr_assert_eq(wend_map_occupy(map, at(999, 69)), WEND_OUT_OF_MEMORY);
    cr_assert_eq(map_bytes(map), bytes);
    cr_assert_eq(wend_map_occupy(map, at(63, 63)), WEND_OK); /* the same chunk needs nothing */
    c.fail_at = 0;
    cr_assert_eq(wend_map_occupy(map, at(999, 69)), WEND_OK);
    cr_assert_eq(map_bytes(map), bytes + WEND__CHUNK_CELLS);
    cr_assert_eq(wend_map_vacate(map, at(999, 69)), WEND_OK);
    cr_assert_eq(map_bytes(map), bytes + WEND__CHUNK_CELLS); /* planes are kept */
    cr_assert_eq(c.bytes, map_bytes(map));
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_crowd, keeps_to_max_bytes) {
    OWNED_MAP *map = create(WEND_KIND_GRID, 300, 300, 1, NULL);
    map->family->max_bytes = map_bytes(map) + sizeof(wend__occupancy) + 25 * sizeof(uint8_t *) + WEND__CHUNK_CELLS - 1;
    cr_assert_eq(wend_map_occupy(map, at(1, 1)), WEND_OUT_OF_MEMORY);
    map->family->max_bytes++;
    cr_assert_eq(wend_map_occupy(map, at(1, 1)), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, at(64, 1)), WEND_OUT_OF_MEMORY);
}
